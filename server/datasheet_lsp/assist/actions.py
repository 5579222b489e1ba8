"""What can be done with the code at a place: fixes, names for numbers, explanations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from datasheet_lsp.assist.findings import Edit, Finding
from datasheet_lsp.assist.places import Places
from datasheet_lsp.firmware import resolve_at
from datasheet_lsp.firmware.accesses import Reader
from datasheet_lsp.firmware.naming import names_for, register_text
from datasheet_lsp.firmware.numbers import number_at
from datasheet_lsp.render.bits import short_text

Kind = Literal["quickfix", "refactor.rewrite", "explain"]


class Action(msgspec.Struct, frozen=True):
    """Something to do. ``edits`` change the text; else ``command`` runs with ``arguments``."""

    title: str
    kind: Kind
    edits: tuple[Edit, ...] = ()
    command: str = ""
    span: tuple[int, int] = (0, 0)
    code: str = ""


def actions(
    reader: Reader,
    start: int,
    end: int,
    findings: Sequence[Finding],
    places: Places | None = None,
) -> list[Action]:
    """What can be done with the bytes ``start`` to ``end``, what mends mistakes first.

    ``places`` are those of the manuals.
    """
    found: list[Action] = []
    for finding in findings:
        if finding.start <= end and start <= finding.end:
            found += [
                Action(fix.title, "quickfix", fix.edits, code=finding.code) for fix in finding.fixes
            ]
    if not reader.lookups:
        return found
    found += _numbers(reader, start)
    found += _address(reader, start)
    found += _explanations(reader, start, end, places)
    return found


def _numbers(reader: Reader, offset: int) -> list[Action]:
    """A number that is bits of a register: decoded, and said by name."""
    leaf = reader.leaf(offset)
    if leaf is None or leaf.type != "number_literal":
        return []
    number = number_at(reader, leaf, offset)
    if number is None:
        return []
    found: list[Action] = []
    name = names_for(reader, number.location, number.value)
    if name is not None:
        text = name
        before = reader.source.code[max(0, number.start - 20) : number.start].rstrip()
        alone = before.endswith((b"(", b"=", b",")) and not before.endswith(b"==")
        if "|" in name and not alone:
            text = f"({name})"
        edit = Edit(number.start, number.end, text)
        found.append(Action(f"Replace {number.expression} by {name}", "refactor.rewrite", (edit,)))
    said = short_text(number.location, number.value)
    title = f"Decode {number.expression}: {said}" if said else f"Decode {number.expression}"
    found.append(
        Action(title, "explain", command="datasheet.registers", span=(number.start, number.end))
    )
    return found


def _address(reader: Reader, offset: int) -> list[Action]:
    """An address written as a number that the code's headers have a name for."""
    for access in reader.near(offset):
        if not access.start <= offset < access.end or access.macro:
            continue
        data = reader.source.code[access.start : access.end]
        if not data.lstrip(b"(").startswith(b"*") or b"0x" not in data.lower():
            return []
        locations = access.resolved.locations
        if access.resolved.index_unknown or access.resolved.any_of or access.resolved.several:
            return []
        whole = access.resolved.size in (0, locations[0].register.size_bytes)  # type: ignore[union-attr]
        name = register_text(reader, locations[0]) if whole else None
        if name is None:
            return []
        edit = Edit(access.start, access.end, name)
        return [Action(f"Name this address: {name}", "refactor.rewrite", (edit,))]
    return []


def _explanations(reader: Reader, start: int, end: int, places: Places | None) -> list[Action]:
    """Explain the register at the place, or what the lines of a selection set up."""
    found: list[Action] = []
    if end > start and b"\n" in reader.source.data[start:end]:
        inside = [a for a in reader.accesses(start, end) if start <= a.start < end]
        if inside:
            found.append(
                Action("Explain this set-up", "explain", command="datasheet.explain",
                       span=(start, end))
            )  # fmt: skip
        return found
    resolved = resolve_at(reader.source, start, reader.lookups, reader.headers)
    if resolved is not None and resolved.kind == "register":
        path = resolved.locations[0].path
        span = (resolved.start, resolved.end)
        found.append(Action(f"Explain {path}", "explain", command="datasheet.registers", span=span))
        found.append(
            Action(f"All uses of {path}", "explain", command="datasheet.references", span=span)
        )
        place = places.of(resolved.locations[0]) if places is not None else None
        if place is not None and place.page:
            title = f"Show the manual's page {place.label or place.page} on {path}"
            found.append(Action(title, "explain", command="datasheet.page", span=span))
    return found
