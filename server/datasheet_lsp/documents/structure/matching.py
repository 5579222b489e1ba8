"""Registers and sections matched with a device, or named from the manual alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from datasheet_lsp.documents.structure.listed import add_listed
from datasheet_lsp.documents.structure.names import DeviceNames
from datasheet_lsp.documents.structure.registers import (
    Draft,
    Event,
    section_registers,
)
from datasheet_lsp.documents.structure.reglists import ListRow, is_register_list, list_rows
from datasheet_lsp.documents.tables import BitDiagram
from datasheet_lsp.model.device import Peripheral
from datasheet_lsp.model.document import Document, FieldText, RegisterText, Section

_ACRONYM = re.compile(r"\(([A-Z][A-Z0-9/]{1,11})x?\)")
# An offset is believed against a differing name where so many names of the chapter agree.
_AGREE = 0.6


def describe(
    sections: Sequence[Section],
    events: Mapping[int, Sequence[Event]],
    diagrams: Mapping[int, Mapping[str, BitDiagram]],
) -> tuple[list[Section], list[RegisterText]]:
    """The registers, and the sections with the peripherals the manual itself names.

    Args:
        sections: The section tree.
        events: What stands in each section, in reading order.
        diagrams: Register pictures that are a part of a table, by table and label.
    """
    chapters = _chapters(sections)
    drafts: list[Draft] = []
    rows: list[ListRow] = []
    for section in sections:
        here = events.get(section.id, ())
        drafts += section_registers(section, here)
        for event in here:
            if event.table is not None and is_register_list(event.table):
                rows += list_rows(event.table, event.id, section.id, diagrams.get(event.id, {}))
    add_listed(drafts, rows, chapters)
    drafts.sort(key=lambda d: (d.section, d.place.page, d.place.box[1]))
    registers = [
        RegisterText(
            name=d.name,
            title=d.title,
            section=d.section,
            place=d.place,
            offset=d.offset,
            addresses=d.addresses,
            reset=d.reset,
            fields=tuple(
                FieldText(f.name, f.msb, f.lsb, f.access, f.reset, f.description, f.page)
                for f in d.fields
                if not f.reserved and f.name.strip("-–— ")
            ),
            tables=tuple(d.tables),
        )
        for d in drafts
    ]
    return _named(sections, _printed_peripherals(sections, registers)), registers


def match_device(document: Document, names: DeviceNames) -> Document:
    """The document with its registers and sections matched with a device."""
    matches = _match(document.sections, document.registers, names)
    about = _about(document.sections, document.registers, matches, names)
    registers = [
        msgspec.structs.replace(r, matches=m)
        for r, m in zip(document.registers, matches, strict=True)
    ]
    return msgspec.structs.replace(
        document, sections=tuple(_named(document.sections, about)), registers=tuple(registers)
    )


def _named(sections: Sequence[Section], about: Sequence[str]) -> list[Section]:
    return [msgspec.structs.replace(s, peripheral=about[s.id]) for s in sections]


def _chapters(sections: Sequence[Section]) -> list[int]:
    """The outermost section each section is in."""
    chapters: list[int] = []
    for s in sections:
        chapters.append(s.id if s.parent is None else chapters[s.parent])
    return chapters


def _groups(sections: Sequence[Section], registers: Sequence[RegisterText]) -> list[int]:
    """For each register the section whose registers belong to one peripheral.

    That is the innermost section around it with at least three registers.
    """
    counts = [0] * len(sections)
    for d in registers:
        at: int | None = d.section
        while at is not None:
            counts[at] += 1
            at = sections[at].parent
    groups = []
    for d in registers:
        at = d.section
        while counts[at] < 3 and sections[at].parent is not None:
            parent = sections[at].parent
            assert parent is not None
            at = parent
        groups.append(at)
    return groups


def _title(sections: Sequence[Section], section: int) -> str:
    """The titles from a section out, for finding names in."""
    titles = []
    at: int | None = section
    while at is not None:
        titles.append(sections[at].title)
        at = sections[at].parent
    return " / ".join(titles)


def _match(
    sections: Sequence[Section], registers: Sequence[RegisterText], names: DeviceNames
) -> list[tuple[str, ...]]:
    groups = _groups(sections, registers)
    members: dict[int, list[int]] = {}
    for i, group in enumerate(groups):
        members.setdefault(group, []).append(i)
    matches: list[tuple[str, ...]] = [()] * len(registers)
    for group, inside in members.items():
        printed = [registers[i].name for i in inside if registers[i].name]
        addresses = [a for i in inside for a in registers[i].addresses]
        voted = names.vote(printed, addresses, _title(sections, group))
        found: dict[int, list[str]] = {}
        agree = same = 0
        for i in inside:
            d = registers[i]
            named = names.by_name(d.name, voted) if d.name else []
            found[i] = named or names.by_address(d.addresses) or names.unique(d.name)
            offsets = names.offsets(named[0]) if named else set()
            if d.offset is not None and offsets:
                agree += 1
                same += d.offset in offsets
        trusted = bool(voted) and agree >= 3 and same >= _AGREE * agree
        if trusted:
            _by_offset(inside, registers, found, voted, names)
        for i in inside:
            matches[i] = tuple(found[i])
    return matches


def _by_offset(
    inside: Sequence[int],
    registers: Sequence[RegisterText],
    found: dict[int, list[str]],
    voted: list[Peripheral],
    names: DeviceNames,
) -> None:
    """Matches by offset what has no match, or shares one with a register that fits it better."""
    fits: set[str] = set()
    for i in inside:
        d = registers[i]
        fits.update(p for p in found[i] if d.offset is None or d.offset in names.offsets(p))
    for i in inside:
        d = registers[i]
        if d.offset is None:
            continue
        wrong = found[i] and all(d.offset not in names.offsets(p) and p in fits for p in found[i])
        if found[i] and not wrong:
            continue
        there = names.by_offset(d.offset, d.name, voted)
        if there and not any(p in fits and "%s" not in p for p in there):
            found[i] = there


def _about(
    sections: Sequence[Section],
    registers: Sequence[RegisterText],
    matches: Sequence[tuple[str, ...]],
    names: DeviceNames,
) -> list[str]:
    """The peripheral each section is about: that of its registers, else the one in its title."""
    votes: list[Counter[str]] = [Counter() for _ in sections]
    instances: list[dict[str, None]] = [{} for _ in sections]
    for d, found in zip(registers, matches, strict=True):
        peripherals = list(dict.fromkeys(m.partition(".")[0] for m in found))
        family = names.family(peripherals) if peripherals else ""
        if not family:
            continue
        at: int | None = d.section
        while at is not None:
            votes[at][family] += 1
            instances[at].update(dict.fromkeys(peripherals))
            at = sections[at].parent
    about: list[str] = []
    for s in sections:
        inherited = about[s.parent] if s.parent is not None else ""
        total = votes[s.id].total()
        name = inherited
        if total:
            family, count = votes[s.id].most_common(1)[0]
            all_of_one = names.family(list(instances[s.id]))
            if all_of_one:
                name = all_of_one
            elif count >= 0.7 * total:
                name = family
        elif not inherited:
            titled = names.in_title(s.title)
            name = names.family([p.name for p in titled]) if titled else ""
        about.append(name)
    return about


def _printed_peripherals(
    sections: Sequence[Section], registers: Sequence[RegisterText]
) -> list[str]:
    """The peripherals as the manual names them, where there is no device."""
    prefixes: list[Counter[str]] = [Counter() for _ in sections]
    for d in registers:
        left, sign, right = d.name.partition("_")
        if re.fullmatch(r"R(?:8|16|32)", left):
            left, sign, right = right.partition("_")
        prefix = re.sub(r"[xy]$", "", left) if sign and right else ""
        at: int | None = d.section
        while at is not None:
            prefixes[at][prefix] += 1
            at = sections[at].parent
    about: list[str] = []
    for s in sections:
        inherited = about[s.parent] if s.parent is not None else ""
        total = prefixes[s.id].total()
        name = ""
        if total:
            prefix, count = prefixes[s.id].most_common(1)[0]
            parent = s.parent
            # Where the registers of a chapter share no name, a few of them do by accident.
            mixed = parent is not None and not inherited and prefixes[parent].total() > total
            if prefix and count >= 0.6 * total and len(prefix) > 1 and (total > 4 or not mixed):
                name = prefix
            elif not inherited and (match := _ACRONYM.search(s.title)):
                name = match[1]
        elif not inherited and s.level <= 2 and (match := _ACRONYM.search(s.title)):
            name = match[1]
        about.append(name or inherited)
    return about
