"""Which register the cursor is on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from tree_sitter import Node

from datasheet_lsp.firmware.environment import Environment
from datasheet_lsp.firmware.headers.view import Headers
from datasheet_lsp.firmware.locate import Place, locate
from datasheet_lsp.firmware.macros import fragment, macros_of
from datasheet_lsp.firmware.names import names_of
from datasheet_lsp.firmware.semantic import Meaning, meaning_at, own_headers
from datasheet_lsp.firmware.source import Source
from datasheet_lsp.firmware.syntax import View, around, flatten
from datasheet_lsp.model import Location, Lookup

Kind = Literal["register", "peripheral", "cluster", "address"]


class Resolved(msgspec.Struct, frozen=True):
    """What an expression names.

    ``locations`` has the one the expression names first, then others at the same address; for an
    array of which the element is not known (``index_unknown``) all elements in order, for a
    cluster its registers. An "address" is a number: a register's address, or a peripheral's base.
    ``start`` and ``end`` are byte offsets of the whole ``expression``. ``any_of`` is a name such as
    USART where a pointer leads to any one of them, with the register of each in ``locations``;
    ``several`` when one macro touches all of them. ``address`` and ``size``, in bytes, are those of
    the memory the expression is, which may be a part of a register: None and 0 where not known.
    ``bits`` are the lowest bit and the width of a bit-field in it. ``beyond`` are the addresses in
    instances a pointer may lead to just as well, but in which the device has no such register.
    """

    kind: Kind
    locations: tuple[Location, ...]
    start: int
    end: int
    expression: str
    index_unknown: bool = False
    any_of: str = ""
    several: bool = False
    address: int | None = None
    size: int = 0
    bits: tuple[int, int] | None = None
    beyond: tuple[int, ...] = ()


_SKIPPED = frozenset(
    ("comment", "string_literal", "string_content", "escape_sequence", "char_literal", "character",
     "system_lib_string", "raw_string_literal")
)  # fmt: skip
_BLANKS = re.compile(r"/\*.*?\*/|//[^\n]*|\\\r?\n|\s+", re.S)


def resolve_at(
    source: Source, offset: int, lookups: Sequence[Lookup], headers: Headers | None = None
) -> Resolved | None:
    """The register, peripheral, cluster or address at a byte offset; None whenever unsure.

    ``headers`` are those of this very ``source``; without them its own macros and types count.
    """
    if not lookups or not 0 <= offset < len(source.data):
        return None
    if source.tongue in ("rust", "asm"):
        return _foreign(source, offset, lookups, headers)
    if headers is None:
        headers = own_headers(source, lookups)
    with headers.lock:
        return _resolve(source, offset, lookups, headers)


def _foreign(
    source: Source, offset: int, lookups: Sequence[Lookup], headers: Headers | None
) -> Resolved | None:
    """What is meant in a language that is not C's."""
    unknown = False
    if source.tongue == "rust":
        from datasheet_lsp.firmware.rust import rust_at

        found = rust_at(source, offset, lookups)
        if found is None:
            return None
        locations, start, end, unknown = found.locations, found.start, found.end, found.unknown
    else:
        from datasheet_lsp.firmware.assembly import Assembled

        read = Assembled(source, lookups, headers).at(offset)
        if read is None:
            return None
        locations, start, end = read
    kind: Kind = "peripheral" if locations[0].register is None else "register"
    text = source.plain[start:end].decode("ascii", "replace")
    return Resolved(kind, locations, start, end, _BLANKS.sub(" ", text).strip(), unknown)


def _resolve(
    source: Source, offset: int, lookups: Sequence[Lookup], headers: Headers
) -> Resolved | None:
    view = View(source.plain, source.root)
    definition = macros_of(source).at(offset)
    if definition is not None and definition.body_start <= offset:
        view = macros_of(source).view(definition)
    path = view.path_at(offset)
    if len(path) < 2 or any(node.type in _SKIPPED for node in path[-2:]):
        return None
    environment = Environment(source, lookups)
    meant = meaning_at(headers, source, view, path, offset, lookups)
    if meant is not None and meant.places and meant.places[0].kind != "peripheral":
        return _meant(meant)
    broken = any(node.type in _BROKEN for node in path) or any(n.has_error for n in path[-4:])
    pieces = list(_surroundings(source, offset)) if broken else []
    # Where the file as a whole cannot be parsed the statement alone often can.
    small = [fragment(source.code[a:b], a, tongue=source.tongue) for a, b in pieces]
    for one in small:
        better = meaning_at(headers, source, one, one.path_at(offset), offset, lookups, path)
        if better is not None and (better.places or meant is None):
            meant = better
            break
    if meant is not None and (not broken or meant.places):
        return _meant(meant) if meant.places else None
    found = _at(environment, view, path, lookups)
    if found is not None and found.kind != "peripheral":
        return found
    for one in small:
        better_named = _at(environment, one, one.path_at(offset), lookups, path)
        if better_named is not None:
            return better_named
    return found


def _meant(meaning: Meaning) -> Resolved:
    places = meaning.places
    reached = meaning.reach
    plain = reached.kind == "registers" and len(reached.addresses) == 1
    return Resolved(
        kind=places[0].kind,
        locations=tuple(_unique(at for each in places for at in each.locations)),
        start=meaning.start,
        end=meaning.end,
        expression=_BLANKS.sub(" ", meaning.text).strip(),
        index_unknown=any(each.index_unknown for each in places),
        any_of=next((each.any_of for each in places if each.any_of), ""),
        several=any(each.several for each in places),
        beyond=tuple(dict.fromkeys(address for each in places for address in each.beyond)),
        address=reached.addresses[0] if plain and not reached.vague else None,
        size=reached.size if reached.kind == "registers" else 0,
        bits=reached.bits,
    )


def _at(
    environment: Environment,
    view: View,
    path: list[Node],
    lookups: Sequence[Lookup],
    outer: Sequence[Node] = (),
) -> Resolved | None:
    """What the end of ``path`` names. ``outer`` leads to the same place in the whole file."""
    found: tuple[Node, list[Place]] | None = None
    unknown_member = False
    for place in around(path):
        node = path[place]
        if found is None:
            # Of an access that names no register no part is one: B0[1] is not B0.
            if unknown_member and node.type in _ACCESS:
                continue
            if node.type == "cast_expression" and _on_value_type(node, path):
                return None
            places = _places(environment, view, path, place, lookups, outer)
            unknown_member = unknown_member or node.type in _ACCESS
            if places:
                found = node, places
        elif _same(_places(environment, view, path, place, lookups, outer), found[1]):
            # Brackets and casts around the expression are not part of it.
            found = node, found[1]
        else:
            break
    if found is None:
        return None
    node, places = found
    return Resolved(
        kind=places[0].kind,
        locations=tuple(_unique(at for each in places for at in each.locations)),
        start=node.start_byte + view.shift,
        end=node.end_byte + view.shift,
        expression=_BLANKS.sub(" ", view.text(node)).strip(),
        index_unknown=any(each.index_unknown for each in places),
    )


def _on_value_type(cast: Node, path: list[Node]) -> bool:
    """Whether ``path`` ends in the type of a cast to a number, which is about the value only."""
    kind, value = cast.child_by_field_name("type"), cast.child_by_field_name("value")
    if kind is None or value is None:
        return True
    return value not in path and kind.child_by_field_name("declarator") is None


_BROKEN = frozenset(("ERROR", "macro_type_specifier"))
_ACCESS = frozenset(("field_expression", "subscript_expression"))
_STATEMENT_END = re.compile(rb"[;{}]")
_MAX_STATEMENT = 4000


def _surroundings(source: Source, offset: int) -> Iterable[tuple[int, int]]:
    """The statement around ``offset``, then its part from the beginning of the line."""
    code = source.code
    low = max(0, offset - _MAX_STATEMENT)
    start = low
    for found in _STATEMENT_END.finditer(code, low, offset):
        start = found.end()
    ending = _STATEMENT_END.search(code, offset, offset + _MAX_STATEMENT)
    end = ending.start() if ending is not None else min(len(code), offset + _MAX_STATEMENT)
    yield start, end
    line = source.offset(source.position(offset)[0], 0)
    if line > start:
        yield line, end


def _places(
    environment: Environment,
    view: View,
    path: list[Node],
    end: int,
    lookups: Sequence[Lookup],
    outer: Sequence[Node],
) -> list[Place]:
    """What ``path[end]`` names in each device; of one kind, that of the first that has it."""
    access = flatten(view, path[end])
    if access is None:
        return []
    cut = path[: end + 1]
    found = [
        place
        for lookup in lookups
        if (place := locate(environment, access, cut, path, outer, lookup)) is not None
    ]
    return [place for place in found if place.kind == found[0].kind]


def _same(a: list[Place], b: list[Place]) -> bool:
    return bool(a) and [p.key for p in a] == [p.key for p in b]


def _unique(locations: Iterable[Location]) -> Iterable[Location]:
    seen = set()
    for location in locations:
        key = (id(location.device), id(location.peripheral), id(location.register))
        if key not in seen:
            seen.add(key)
            yield location


def warm(lookups: Sequence[Lookup]) -> None:
    """Build the name tables of devices ahead of the first question."""
    for lookup in lookups:
        names_of(lookup).warm()
        lookup.at(0)
