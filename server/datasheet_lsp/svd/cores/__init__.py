"""The core peripherals of the Cortex-M, which vendors' SVD files mostly leave out."""

from __future__ import annotations

from datasheet_lsp.svd.cores.add import add_core
from datasheet_lsp.svd.cores.names import core_file

CORE_VERSION = 1
"""Goes up when ``add_core`` gives another result: other files, other rules."""

__all__ = ["CORE_VERSION", "add_core", "core_file"]
