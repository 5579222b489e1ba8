"""The one SQLite file of a workspace. The only place with SQL."""

from datasheet_lsp.index.identifiers import identifiers, quote
from datasheet_lsp.index.load import device_key, load_device
from datasheet_lsp.index.records import (
    Belongs,
    Brief,
    Entry,
    KnownFile,
    RegisterPage,
    RegisterPlace,
    SourceFile,
    Span,
    StoredChunk,
    StoredDocument,
)
from datasheet_lsp.index.store import Index

__all__ = [
    "Belongs",
    "Brief",
    "Entry",
    "Index",
    "KnownFile",
    "RegisterPage",
    "RegisterPlace",
    "SourceFile",
    "Span",
    "StoredChunk",
    "StoredDocument",
    "device_key",
    "identifiers",
    "load_device",
    "quote",
]
