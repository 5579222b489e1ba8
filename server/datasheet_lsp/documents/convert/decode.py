"""Bytes to text: byte order marks, declared encodings, UTF-8, and what Windows writes."""

from __future__ import annotations

import codecs
import re

from datasheet_lsp.documents.errors import DocumentError

# Longest first: the mark of UTF-32-LE begins with that of UTF-16-LE.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_XML_DECLARED = re.compile(rb"""\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})""")
_HTML_DECLARED = re.compile(
    rb"""<meta[^>]{0,300}?charset\s*=\s*["']?\s*([A-Za-z0-9._-]{1,40})""", re.I
)
# Python names these encodings too, but no document is in them.
_NOT_FOR_TEXT = {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf-7"}
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def decode(data: bytes, name: str) -> str:
    """The text of a file, line ends as newlines.

    The byte order mark decides, then what XML or HTML declare, then UTF-8, UTF-16 without mark,
    and at last Windows-1252. Raises DocumentError where the bytes are no text.
    """
    text = _decode(data)
    if len(_CONTROL.findall(text[:65536])) * 50 > len(text[:65536]):
        raise DocumentError(f"{name} is not a text file; its name says that it is one.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    head = data[:4096]
    declared = _XML_DECLARED.search(head) or _HTML_DECLARED.search(head)
    if declared:
        text = _try(data, declared[1].decode("ascii"))
        if text is not None:
            return text
    zeros_even, zeros_odd = head[::2].count(0), head[1::2].count(0)
    if max(zeros_even, zeros_odd) * 4 > len(head) and min(zeros_even, zeros_odd) * 16 < len(head):
        return data.decode("utf-16-be" if zeros_even > zeros_odd else "utf-16-le", "replace")
    text = _try(data, "utf-8")
    if text is not None:
        return text
    # A few bytes of Windows-1252 stand for nothing; they become the mark of the unreadable.
    return data.decode("cp1252", "replace")


def _try(data: bytes, encoding: str) -> str | None:
    try:
        found = codecs.lookup(encoding).name
        if found in _NOT_FOR_TEXT:
            return None
        # Browsers read what calls itself Latin-1 as Windows-1252, and so do those who write it.
        if found in ("iso8859-1", "ascii"):
            found = "cp1252" if found == "iso8859-1" else "utf-8"
        text = data.decode(found)
    except (LookupError, ValueError):
        return None
    return text if isinstance(text, str) else None
