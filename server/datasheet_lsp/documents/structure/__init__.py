"""The structure of a document: lines, sections, paragraphs, figures, registers."""

from datasheet_lsp.documents.structure.build import build_document
from datasheet_lsp.documents.structure.collect import Cancelled
from datasheet_lsp.documents.structure.matching import match_device
from datasheet_lsp.documents.structure.names import DeviceNames

__all__ = ["Cancelled", "DeviceNames", "build_document", "match_device"]
