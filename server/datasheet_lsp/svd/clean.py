"""The bytes of an SVD file made fit for a strict XML parser, without changing its lines.

Vendor files come with byte order marks, wrong encodings, control characters, HTML entities and
bare ampersands. lxml's ``recover`` mode would cut texts silently, so these are mended here, each
with a diagnostic, and what an SVD must not have (a DOCTYPE) is refused.
"""

from __future__ import annotations

import codecs
import html.entities
import re

from datasheet_lsp.model import Diagnostic
from datasheet_lsp.svd.errors import SvdError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARATION = re.compile(rb"^\s*<\?xml\b[^>]*?\?>")
_ENCODING = re.compile(rb"encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_CONTROLS = bytes({*range(32)} - {9, 10, 13})
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
_AMPERSAND = re.compile(
    rb"&(?!(?:amp|lt|gt|quot|apos);)(#[0-9]+;|#x[0-9A-Fa-f]+;|[A-Za-z][A-Za-z0-9]*;)?"
)
_CDATA = re.compile(rb"(<!\[CDATA\[.*?\]\]>)", re.DOTALL)
_NAME = re.compile(rb"[A-Za-z_][\w:.-]*")
_UTF8_NAMES = frozenset({"utf-8", "utf8", "us-ascii", "ascii"})


def clean(data: bytes, source: str) -> tuple[bytes, list[Diagnostic]]:
    """Return ``data`` as well-encoded UTF-8 XML, with what was mended.

    Raises:
        SvdError: the bytes are no XML, have a DOCTYPE, or their root is not ``device``.
    """
    diagnostics: list[Diagnostic] = []
    data = _as_utf8(data, diagnostics)
    _check_root(data, source)
    if b"\xef\xbf" in data or _has_controls(data):
        data = _without_controls(data, diagnostics)
    if b"&" in data and _AMPERSAND.search(data):
        diagnostics.extend(_mend_ampersands_notes(data))
        data = b"".join(
            part if part.startswith(b"<![CDATA[") else _AMPERSAND.sub(_mend_ampersand, part)
            for part in _CDATA.split(data)
        )
    return data, diagnostics


def _as_utf8(data: bytes, diagnostics: list[Diagnostic]) -> bytes:
    """The text in UTF-8 without a byte order mark, its encoding no longer declared if changed."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            data = data[len(bom) :]
            if encoding != "utf-8":
                return _undeclare(data.decode(encoding, "replace").encode())
            break
    else:
        # UTF-16 without a mark shows as zero bytes around the first "<".
        if data[:2] == b"<\0":
            return _undeclare(data.decode("utf-16-le", "replace").encode())
        if data[:2] == b"\0<":
            return _undeclare(data.decode("utf-16-be", "replace").encode())
    declaration = _DECLARATION.match(data)
    named = _ENCODING.search(declaration.group()) if declaration else None
    declared = named.group(1).decode().lower() if named else "utf-8"
    if declared in _UTF8_NAMES:
        try:
            data.decode("utf-8")
            return data if declared == "utf-8" else _undeclare(data)
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            diagnostics.append(
                Diagnostic(line, "warning", "the text is not UTF-8 and was read as Windows-1252")
            )
            return _undeclare(_decode(data, "cp1252").encode())
    try:
        codecs.lookup(declared)
        text = data.decode(declared)
    except (LookupError, ValueError):
        diagnostics.append(
            Diagnostic(1, "warning", f"the text is not in its declared encoding {declared!r}")
        )
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = _decode(data, "cp1252")
    return _undeclare(text.encode("utf-8", "replace"))


def _decode(data: bytes, encoding: str) -> str:
    """``data`` decoded, with Latin-1 for the few bytes that ``encoding`` leaves undefined."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _undeclare(data: bytes) -> bytes:
    """``data`` with its XML declaration blanked, lines kept."""
    found = _DECLARATION.match(data)
    if not found:
        return data
    return b"\n" * found.group().count(b"\n") + data[found.end() :]


def _check_root(data: bytes, source: str) -> None:
    """Walk the prolog to the root element, which must be ``device``."""
    at = 0
    while True:
        at = data.find(b"<", at)
        if at < 0:
            what = "it is empty" if not data.strip() else "it has no XML in it"
            raise SvdError(f"{source} is not an SVD file: {what}.")
        if data.startswith(b"<?", at):
            end = data.find(b"?>", at)
        elif data.startswith(b"<!--", at):
            end = data.find(b"-->", at)
        elif data[at : at + 9].upper() == b"<!DOCTYPE":
            name = _NAME.search(data, at + 9, at + 300)
            if name and _local(name.group()) != "device":
                raise _not_svd(source, _local(name.group()))
            line = data.count(b"\n", 0, at) + 1
            raise SvdError(
                f"{source} line {line} has a DOCTYPE, which an SVD file must not have and which "
                "can hide entity attacks: remove it to use the file."
            )
        else:
            break
        if end < 0:
            raise SvdError(f"{source} is not an SVD file: its first tag is never closed.")
        at = end
    name = _NAME.match(data, at + 1)
    if not name:
        raise SvdError(f"{source} is not an SVD file: it has no XML in it.")
    if _local(name.group()) != "device":
        raise _not_svd(source, _local(name.group()))


def _local(name: bytes) -> str:
    return name.decode("utf-8", "replace").rpartition(":")[2]


def _not_svd(source: str, root: str) -> SvdError:
    return SvdError(
        f"{source} is not an SVD file: its root element is <{root[:40]}>, "
        "where an SVD has <device>."
    )


def _has_controls(data: bytes) -> bool:
    """Deleting and comparing lengths, piece by piece, is ten times faster than searching."""
    step = 1 << 17
    for start in range(0, len(data), step):
        piece = data[start : start + step]
        if len(piece.translate(None, _CONTROLS)) != len(piece):
            return True
    return False


def _without_controls(data: bytes, diagnostics: list[Diagnostic]) -> bytes:
    """``data`` with what XML does not allow as characters replaced by spaces."""
    found = _CONTROL.search(data)
    if found is None:
        return data
    line = data.count(b"\n", 0, found.start()) + 1
    diagnostics.append(Diagnostic(line, "warning", "a control character was read as a space"))
    return _CONTROL.sub(b" ", data)


def _mend_ampersands_notes(data: bytes) -> list[Diagnostic]:
    notes = []
    line, last = 1, 0
    for found in _AMPERSAND.finditer(data):
        if _mend_ampersand(found) == found.group():
            continue
        line += data.count(b"\n", last, found.start())
        last = found.start()
        text = found.group().decode("ascii", "replace")
        notes.append(Diagnostic(line, "warning", f"a bare {text!r} was read as text"))
        if len(notes) == 20:
            break
    return notes


def _mend_ampersand(found: re.Match[bytes]) -> bytes:
    """What stands for an ampersand that is no XML entity."""
    entity = found.group(1)
    if entity is None:
        return b"&amp;"
    name = entity[:-1].decode()
    if name.startswith("#"):
        code = int(name[2:], 16) if name[1] == "x" else int(name[1:])
        legal = code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD
        return found.group() if legal or 0x10000 <= code <= 0x10FFFF else b" "
    character = html.entities.html5.get(f"{name};")
    if character is None:
        return b"&amp;" + entity
    return "".join(f"&#{ord(c)};" for c in character).encode()
