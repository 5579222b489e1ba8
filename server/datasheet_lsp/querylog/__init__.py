"""What was asked and what was found for it: a file of this machine, off by default."""

from datasheet_lsp.querylog.entry import Entry, LoggedChunk
from datasheet_lsp.querylog.file import FILE_NAME, QueryLog

__all__ = ["FILE_NAME", "Entry", "LoggedChunk", "QueryLog"]
