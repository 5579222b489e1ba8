"""C source code to the registers it touches."""

from datasheet_lsp.firmware.resolve import Resolved, resolve_at, warm
from datasheet_lsp.firmware.source import Source, tongue_of

__all__ = ["Resolved", "Source", "resolve_at", "tongue_of", "warm"]
