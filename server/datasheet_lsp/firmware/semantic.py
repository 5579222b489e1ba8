"""What the cursor is on, by the headers: the widest expression that reaches a register."""

from __future__ import annotations

import re
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import msgspec
from tree_sitter import Node

from datasheet_lsp.firmware.conventions import ACCESS_FUNCTIONS, BASE_SUFFIX
from datasheet_lsp.firmware.found import kind_of, place_of
from datasheet_lsp.firmware.headers.chips import plain_name
from datasheet_lsp.firmware.headers.scan import FileFacts
from datasheet_lsp.firmware.headers.view import Headers
from datasheet_lsp.firmware.known import Known
from datasheet_lsp.firmware.locate import Place
from datasheet_lsp.firmware.reach import UNKNOWN, Reach, reach
from datasheet_lsp.firmware.source import Source
from datasheet_lsp.firmware.syntax import View, around
from datasheet_lsp.model import Lookup

_ADDRESS_NAMES = re.compile(r"(?:REG|REGISTER|ADDR|ADDRESS|_R|PTR)\d*$|^(?:REG|ADDR)_", re.I)
_NAME = re.compile(r"[A-Za-z_]\w*")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_JOINED = re.compile(r"[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+")
"""A peripheral and its register in one word: RCC_CR, USART_BRR."""
_DECLARING = frozenset(
    ("parameter_declaration", "declaration", "function_declarator", "array_declarator",
     "pointer_declarator", "field_declaration", "type_definition", "case_statement")
)  # fmt: skip
_MAX_CALL = 4_000
_MAX_TOUCHED = 8
_ACCESS = frozenset(("field_expression", "subscript_expression"))
_NO_MEANING = frozenset(
    ("preproc_def", "preproc_function_def", "preproc_include", "preproc_ifdef", "preproc_undef",
     "preproc_defined", "enumerator", "labeled_statement", "goto_statement")
)  # fmt: skip


class Meaning(msgspec.Struct, frozen=True):
    """What was found: ``places`` [] when it surely is no register. Offsets are of the file."""

    start: int
    end: int
    text: str
    places: tuple[Place, ...]
    reach: Reach


_OWN: WeakKeyDictionary[Source, tuple[tuple[str, ...], Headers]] = WeakKeyDictionary()


def chips_of(lookups: Sequence[Lookup]) -> tuple[str, ...]:
    """The names of the devices, as folders and macros of their headers are compared with them."""
    return tuple(dict.fromkeys(plain_name(lookup.device.name) for lookup in lookups))


def own_headers(source: Source, lookups: Sequence[Lookup]) -> Headers:
    """The macros and types of a file by itself, where nothing is known of what it includes."""
    chips = chips_of(lookups)
    known = _OWN.get(source)
    if known is None or known[0] != chips:
        known = _OWN[source] = chips, Headers(FileFacts("", source.data), chips=chips)
    return known[1]


def meaning_at(
    headers: Headers,
    source: Source,
    view: View,
    path: list[Node],
    offset: int,
    lookups: Sequence[Lookup],
    outer: Sequence[Node] = (),
) -> Meaning | None:
    """What the end of ``path`` means, None where the headers do not tell."""
    whole = View(source.plain, source.root)
    for node, call in _candidates(headers, view, path):
        text = view.text(node)
        at = path.index(node) if node in path else len(path) - 1
        found = _judge(headers, view, path[: at + 1], text, whole, outer, lookups, call, node)
        if found is not None:
            start, end = node.start_byte + view.shift, node.end_byte + view.shift
            return Meaning(start, end, text, found[0], found[1])
        if node.type in _ACCESS:
            break  # of an access of which nothing is known no part is one
    return _call_by_text(headers, source, view, path, offset, whole, outer, lookups) or _argument(
        headers, view, path, whole, outer, lookups
    )


def _argument(
    headers: Headers,
    view: View,
    path: list[Node],
    whole: View,
    outer: Sequence[Node],
    lookups: Sequence[Lookup],
) -> Meaning | None:
    """A register whose name is given to a macro: ``SET(CTRLA, 1)`` for ``ADC->CTRLA |= 1``."""
    last = path[-1]
    if last.type != "identifier":
        return None
    word = view.text(last)
    for i in range(len(path) - 2, max(0, len(path) - 8), -1):
        node = path[i]
        if node.type != "call_expression":
            continue
        function = node.child_by_field_name("function")
        if function is None or function == last or headers.macro(view.text(function)) is None:
            return None
        result = reach(
            headers, view, path[: i + 1], view.text(node), whole, outer, call=True, word=word
        )
        places = [p for one in lookups if (p := place_of(result, one, word)) is not None]
        if result.kind != "registers" or result.through == "?" or not places:
            return None
        start, end = last.start_byte + view.shift, last.end_byte + view.shift
        return Meaning(start, end, word, tuple(places), result)
    return None


def _candidates(headers: Headers, view: View, path: list[Node]) -> list[tuple[Node, bool]]:
    """The expressions the cursor may mean, the widest first, and which are calls."""
    last = path[-1]
    if any(node.type in _NO_MEANING for node in path[-2:]):
        return []
    found: list[tuple[Node, bool]] = []
    if len(path) > 1 and last.type == "identifier":
        parent = path[-2]
        if parent.type == "call_expression" and parent.child_by_field_name("function") == last:
            upper = around(path[:-1])
            name = view.text(last)
            if headers.macro(name) is None and name not in ACCESS_FUNCTIONS:
                if headers.function(name, sources=True) is not None:
                    return [(parent, True)]
                if not _JOINED.fullmatch(name):
                    return []
            found = [(path[i], path[i].type == "call_expression") for i in upper]
            return found
    for i in around(path):
        node = path[i]
        call = node.type == "identifier" and (
            headers.macro(view.text(node)) is not None
            or (_JOINED.fullmatch(view.text(node)) is not None and _may_be_register(path, i))
        )
        found.append((node, call))
    return found


def _may_be_register(path: list[Node], place: int) -> bool:
    """Whether a name stands where a register may: used, not declared or tested."""
    parent = path[place - 1] if place else None
    if parent is None or parent.type.startswith("preproc"):
        return False
    return parent.type not in _DECLARING


def _judge(
    headers: Headers,
    view: View,
    path: Sequence[Node],
    text: str,
    whole: View,
    outer: Sequence[Node],
    lookups: Sequence[Lookup],
    call: bool,
    node: Node | None,
) -> tuple[tuple[Place, ...], Reach] | None:
    result = reach(headers, view, path, text, whole, outer, call=call)
    if result.through == "?":
        named = _by_offset(result, lookups, text)
        if named is not None:
            return named
        result = UNKNOWN
    if result.kind == "unknown" and (call or "->" in text):
        for lookup in lookups:
            known = Known(lookup, types_only=not call)
            result = reach(headers, view, path, text, whole, outer, call=call, known=known)
            if result.kind != "unknown" and result.through != "?":
                lookups = [lookup]
                break
    if result.kind == "unknown" or result.through == "?":
        return None
    if result.kind == "nothing":
        return (), result
    if result.kind == "address" and not _is_address(headers, node, text, result, call):
        return None
    if result.through and not result.addresses:
        return None
    if call and _is_elsewhere(headers, text):
        # A function of some length touches much; what it does to any one of several says little.
        if result.through or len(result.addresses) > _MAX_TOUCHED:
            return None
    places = [p for one in lookups if (p := place_of(result, one, text)) is not None]
    if not places and (result.kind == "address" or result.vague):
        return None
    return tuple(p for p in places if p.kind == places[0].kind), result


def _is_elsewhere(headers: Headers, text: str) -> bool:
    """Whether ``text`` calls a function that is in a source file, not in a header."""
    found = _NAME.match(text)
    name = found[0] if found is not None else ""
    if headers.macro(name) is not None or headers.function(name) is not None:
        return False
    return headers.function(name, sources=True) is not None


def _by_offset(
    result: Reach, lookups: Sequence[Lookup], text: str
) -> tuple[tuple[Place, ...], Reach] | None:
    """A named offset from an unknown base: ``HWREG(base + UART_O_DR)``, ``USART_CR1(usart)``."""
    words = (*_NAME.findall(text), *result.words)
    for lookup in lookups:
        found = Known(lookup).at_offset(words, result.offset)
        if found:
            kind = kind_of(found)
            place = Place("register", tuple(found), any_of=kind if len(found) > 1 else "")
            return (place,), result
    return None


def _is_address(headers: Headers, node: Node | None, text: str, found: Reach, call: bool) -> bool:
    """Whether a number is an address: a pointer, or a name that says so."""
    if found.size:  # a pointer
        return True
    if node is None or node.type != "identifier" or headers.macro(text) is None:
        return False
    return bool(_ADDRESS_NAMES.search(text)) and not text.endswith(BASE_SUFFIX)


def _call_by_text(
    headers: Headers,
    source: Source,
    view: View,
    path: list[Node],
    offset: int,
    whole: View,
    outer: Sequence[Node],
    lookups: Sequence[Lookup],
) -> Meaning | None:
    """A macro with its arguments where the code around cannot be parsed."""
    code = source.code
    start = offset
    while start > 0 and (code[start - 1 : start].isalnum() or code[start - 1 : start] == b"_"):
        start -= 1
    found = _WORD.match(code, start)
    if found is None or path[-1].type in ("field_identifier",):
        return None
    name = found[0].decode("ascii", "replace")
    macro = headers.macro(name)
    if macro is None or (macro.parameters is None and path[-1].type == "identifier"):
        return None
    if any(node.type in _NO_MEANING for node in path[-2:]) or view.shift:
        return None
    end = found.end()
    if macro.parameters is not None:
        closing = _closing(code, end)
        if closing is None:
            return None
        end = closing
    text = source.plain[start:end].decode("ascii", "replace")
    judged = _judge(headers, view, path, text, whole, outer, lookups, True, None)
    if judged is None:
        return None
    return Meaning(start, end, text, judged[0], judged[1])


def _closing(code: bytes, at: int) -> int | None:
    """Where the brackets that come next end."""
    depth = 0
    for i in range(at, min(len(code), at + _MAX_CALL)):
        letter = code[i]
        if letter == 0x28:
            depth += 1
        elif letter == 0x29:
            depth -= 1
            if depth == 0:
                return i + 1
        elif depth == 0 and letter not in b" \t\n\r\\":
            return None
    return None
