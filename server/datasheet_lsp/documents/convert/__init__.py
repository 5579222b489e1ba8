"""Files that are no PDF, such as errata and notes, to a Document."""

from datasheet_lsp.documents.convert.convert import FORMATS, can_convert, convert
from datasheet_lsp.documents.convert.limits import Limits

__all__ = ["FORMATS", "Limits", "can_convert", "convert"]
