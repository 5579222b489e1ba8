"""Where the declarations of a header are: found by braces and semicolons, parsed when asked for."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from typing import Literal

import msgspec

PieceKind = Literal["typedef", "record", "enum", "variable", "function"]

_MARK = re.compile(rb"[{}();=]|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_INNER = re.compile(rb"[{}]|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_TAG = re.compile(
    rb"\b(struct|union|class|enum(?:[ \t\n]+(?:class|struct))?)\b[^{};()]*?(?=[{:;]|\Z)"
)
_TAG_WORD = re.compile(rb"\b(struct|union|enum|class)")
_ENUMERATOR = re.compile(rb"(?:\A|,)\s*([A-Za-z_]\w*)")
_OPEN_HEAD = re.compile(rb"^\s*(?:inline\s+)?(?:extern\s*(?:\"[^\"]*\")?|namespace\b[^;{}()]*)\s*$")
_ATTRIBUTE = re.compile(
    rb"__attribute__\s*\(\(.{0,1000}?\)\)|(?:__declspec|alignas)\s*\([^()]*\)|\[\[[^\[\]]*\]\]",
    re.S,
)
_FUNCTION = re.compile(rb"(?<![\w:~])([A-Za-z_~][\w:~]*)\s*\(")
_NO_FUNCTION = frozenset(
    (b"__attribute__", b"__declspec", b"if", b"while", b"for", b"switch", b"alignas")
)
_DECLARATOR_END = re.compile(rb"(?<!\w)([A-Za-z_]\w*)\s*(?:\[[^\]]{0,1000}\]\s*)*(?::\s*\w+\s*)?$")
_POINTER_TO_FUNCTION = re.compile(
    rb"\(\s*(?:[A-Za-z_]\w*\s+)*\*+\s*(?:const\s+|volatile\s+)*([A-Za-z_]\w*)"
)
_MAX_PIECE = 400_000
_MAX_NESTED = 64
_WORDS = bytes(i for i in range(128) if chr(i).isalnum() or chr(i) in "_ \t\n\r\f\v")


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A declaration of a file, its text from ``start`` to ``end``.

    ``condition`` is the one it stands under; ``names`` are what it declares: typedef names, tags,
    enumerators, variables, or the function.
    """

    kind: PieceKind
    names: tuple[str, ...]
    start: int
    end: int
    condition: int


def pieces(text: bytes, directives: array[int]) -> Iterator[Piece]:
    """The declarations outside functions in order; ``text`` is without comments."""
    blank = _blank_directives(text)
    depth = 0
    parentheses = 0
    start = 0
    brace = -1
    assigned = False
    body_end = -1
    saved: list[tuple[int, int, int, int]] = []
    d = 0
    condition = 0
    starting = 0
    at = -1
    while (found := (_INNER if depth else _MARK).search(blank, at + 1)) is not None:
        at = found.end() - 1
        while d < len(directives) and directives[d] < at:
            # Each branch of an #if goes on where the #if began.
            now = directives[d + 2]
            word = blank_kind(text, directives[d])
            if word == b"i":
                saved.append((depth, parentheses, directives[d], condition))
            elif saved:
                if word == b"l" and (depth, parentheses) != saved[-1][:2]:
                    depth, parentheses = saved[-1][:2]
                elif not depth and start > saved[-1][2] and blank[start : directives[d]].strip():
                    # A declaration that begins in more than one way begins with the #if.
                    start, starting = saved[-1][2:]
                if word == b"n":
                    saved.pop()
            if not depth and not parentheses and not blank[start : directives[d]].strip():
                start = directives[d + 1]
                starting = now
            condition = now
            d += 3
        mark = found[0]
        if mark == b"(":
            parentheses += 1
        elif mark == b")":
            parentheses = max(0, parentheses - 1)
        elif parentheses and mark != b"{" and mark != b"}":
            continue
        elif mark == b"=":
            assigned = assigned or depth == 0
        elif mark == b"{":
            if depth == 0:
                head = blank[start:at]
                if _OPEN_HEAD.match(_restored(text, head, start, at)):
                    start, starting = at + 1, condition
                    continue
                brace = at
            depth += 1
        elif mark == b"}":
            if depth == 0:
                start, starting, brace, assigned = at + 1, condition, -1, False
                continue
            depth -= 1
            if depth == 0:
                parentheses = 0
                body_end = at
                if not assigned and _is_function(blank, start, brace):
                    piece = _function(blank, start, at + 1, brace, starting)
                    if piece is not None:
                        yield piece
                    start, starting, brace = at + 1, condition, -1
        elif mark == b";" and depth == 0:
            if at > start:
                piece = _declaration(blank, start, at, brace, body_end, starting)
                if piece is not None:
                    yield piece
            start, starting, brace, assigned = at + 1, condition, -1, False


def _restored(text: bytes, head: bytes, start: int, end: int) -> bytes:
    return (
        head if b"extern" not in head else text[start:end] if b"#" not in text[start:end] else head
    )


def blank_kind(text: bytes, at: int) -> bytes:
    """``i`` for #if, #ifdef, #ifndef, ``l`` for #else and #elif, ``n`` for #endif."""
    i = text.index(b"#", at) + 1
    while text[i : i + 1] in (b" ", b"\t"):
        i += 1
    word = text[i : i + 2]
    return b"i" if word == b"if" else b"n" if word == b"en" else b"l"


_DIRECTIVE_LINE = re.compile(rb"^[ \t]*#(?:\\\n|[^\n])*", re.M)


def _blank_directives(text: bytes) -> bytes:
    return _DIRECTIVE_LINE.sub(
        lambda found: (
            re.sub(rb"[^\n]", b" ", found[0]) if b"\n" in found[0] else b" " * len(found[0])
        ),
        text,
    )


def _is_function(text: bytes, start: int, brace: int) -> bool:
    head = text[start:brace]
    if b"(" not in head:
        return False
    head = _ATTRIBUTE.sub(b"", head).strip()
    return (
        b"(" in head
        and not re.match(rb"\s*typedef\b", head)
        and head[-1:] not in (b"=",)
        and not _TAG_WORD.search(head[len(head.rstrip(_WORDS)) :])
    )


def _function(text: bytes, start: int, end: int, brace: int, condition: int) -> Piece | None:
    head = _ATTRIBUTE.sub(lambda m: b" " * len(m[0]), text[start:brace])
    for found in _FUNCTION.finditer(head):
        name = found[1]
        if name not in _NO_FUNCTION:
            words = {
                name.decode("ascii", "replace"): None,
                name.rpartition(b"::")[2].decode("ascii", "replace"): None,
            }
            return Piece("function", tuple(words), start, end, condition)
    return None


def _declaration(
    text: bytes, start: int, end: int, brace: int, body_end: int, condition: int
) -> Piece | None:
    if end - start > _MAX_PIECE and brace < 0:
        return None
    head = text[start : brace if brace >= 0 else end]
    first = _WORD.search(head)
    if first is None:
        return None
    names: dict[str, None] = {}
    kind: PieceKind = "variable"
    if first[0] in (b"return", b"using", b"template", b"friend", b"goto", b"case"):
        return None
    initialised = brace >= 0 and b"=" in head
    if brace >= 0 and not initialised:
        found = _TAG.search(_ATTRIBUTE.sub(b" ", head))
        if found is None:
            return None
        if found[1].startswith(b"enum"):
            kind = "enum"
            for one in _ENUMERATOR.finditer(_flat(text[brace + 1 : body_end])):
                names[one[1].decode("ascii", "replace")] = None
        else:
            kind = "record"
        words = [w for w in _WORD.findall(_ATTRIBUTE.sub(b"", found[0].partition(b":")[0]))][1:]
        if words and words[-1] not in (b"class", b"struct", b"__packed", b"PACKED"):
            names[words[-1].decode("ascii", "replace")] = None
        tail = text[body_end + 1 : end]
    else:
        tail = head.partition(b"=")[0] if initialised or b"=" in head else head
    if first[0] == b"typedef":
        kind = "typedef" if kind == "variable" else kind
    tail = _ATTRIBUTE.sub(b"", tail)
    pointer = _POINTER_TO_FUNCTION.search(tail)
    if pointer is not None:
        names[pointer[1].decode("ascii", "replace")] = None
    elif kind in ("variable", "typedef") and tail.rstrip().endswith(b")"):
        return None  # the prototype of a function
    else:
        for part in _parts(tail):
            found = _DECLARATOR_END.search(part.partition(b"=")[0].rstrip())
            if found is not None and (kind not in ("variable", "typedef") or found.start() > 0):
                names[found[1].decode("ascii", "replace")] = None
    return Piece(kind, tuple(names), start, end, condition) if names else None


def _parts(text: bytes) -> list[bytes]:
    """``text`` at its commas outside of brackets."""
    if b"," not in text:
        return [text]
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        if letter in b"([{":
            depth += 1
        elif letter in b")]}":
            depth -= 1
        elif letter == 0x2C and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def _flat(text: bytes) -> bytes:
    """``text`` without what is in parentheses, those within others so deep as anybody writes."""
    for _ in range(_MAX_NESTED):
        text, count = re.subn(rb"\([^()]*\)", b"", text)
        if not count:
            break
    return text
