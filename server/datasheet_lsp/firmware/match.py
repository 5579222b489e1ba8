"""From the members an access names to registers of a peripheral."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_uppercase

import msgspec

from datasheet_lsp.firmware.conventions import FIELDS, HALVES, WHOLE
from datasheet_lsp.firmware.families import Found, flat
from datasheet_lsp.firmware.members import Members, Part, prefixes
from datasheet_lsp.model import Field, Peripheral, Register


class Match(msgspec.Struct, frozen=True):
    """Registers, the field a bit-field member names, and whether all of a cluster is meant."""

    registers: tuple[Register, ...]
    unknown: bool = False
    field: Field | None = None
    cluster: bool = False


def match(
    peripheral: Peripheral,
    members: Members,
    parts: Sequence[Part],
    *,
    spelled: str,
    prefix: str = "",
    loose: bool = False,
) -> Match | None:
    """The registers ``parts`` names in ``peripheral``, None where it is not sure.

    ``spelled`` is the peripheral as C names it; with ``prefix`` only registers that begin with it
    count; ``loose`` allows what pico-sdk's headers do, names shortened at their front.
    """
    for count in range(len(parts), 0, -1):
        found = _registers(peripheral, members, parts[:count], spelled, prefix, loose)
        if found is not None:
            return _tail(found, parts[count:])
    return _cluster(members, parts)


def _tail(found: Found, rest: Sequence[Part]) -> Match | None:
    """The match when ``rest`` are the members of a register written as union or bit-field."""
    if not rest:
        return Match(found.registers, found.unknown)
    if rest[0].name in WHOLE and len(rest) == 1:
        return Match(found.registers, found.unknown)
    if rest[0].name in FIELDS and len(rest) <= 2 and not rest[0].indices:
        return Match(found.registers, found.unknown, _field(found, rest[-1].name))
    if len(rest) == 1 and (field := _field(found, rest[0].name)) is not None:
        return Match(found.registers, found.unknown, field)
    return None


def _field(found: Found, name: str) -> Field | None:
    register = found.registers[0]
    field = register.field(name)
    if field is None and name.startswith("reg_"):  # Espressif
        field = register.field(name[4:])
    return field


def _registers(
    peripheral: Peripheral,
    members: Members,
    parts: Sequence[Part],
    spelled: str,
    prefix: str,
    loose: bool,
) -> Found | None:
    leading = prefixes(peripheral, members, spelled, prefix)
    for spelling in _spellings(parts):
        for start in leading:
            found = _named(members, spelling, start)
            if found is not None:
                return found
        for start in leading:
            found = _numbered(members, spelling, start)
            if found is not None:
                return found
    for start in leading:
        found = _rewritten(members, parts, start)
        if found is not None:
            return found
    if loose or prefix:
        last = list(_spellings(parts))[-1]
        for start in leading:
            found = _side_by_side(members, last, start)
            if found is not None:
                return found
        return _by_end(members, last) if loose else None
    return None


def _side_by_side(members: Members, parts: Sequence[Part], start: str) -> Found | None:
    """An array of registers that the SVD has by words: peek[2] is PEEK_FULL after two lanes."""
    if len(parts) != 1 or len(parts[0].indices) != 1:
        return None
    stem = f"{start}{parts[0].name}_"
    elements = [rs[0] for name, rs in members.flat.items() if name.startswith(stem)]
    elements.sort(key=lambda register: register.offset)
    if len(elements) < 2 or any(
        e.offset != elements[0].offset + i * e.size_bytes for i, e in enumerate(elements)
    ):
        return None
    index = parts[0].indices[0]
    if index is None:
        return Found(tuple(elements), unknown=True)
    return Found((elements[index],)) if 0 <= index < len(elements) else None


def _spellings(parts: Sequence[Part]) -> Iterator[tuple[Part, ...]]:
    """The members as written, then in upper case when a header writes all in lower case."""
    yield tuple(parts)
    if all(part.name.islower() for part in parts):
        yield tuple(Part(part.name.upper(), part.indices) for part in parts)


def _named(members: Members, parts: Sequence[Part], start: str) -> Found | None:
    """The register of exactly this name: as path, or joined to one word."""
    indices = [index for part in parts for index in part.indices]
    if None in indices:
        return None
    path = ".".join(part.name + "".join(f"[{i}]" for i in part.indices) for part in parts)
    registers = members.paths.get(start + path)
    if registers is None and start:
        # prependToName stands before the register, not before the cluster it is in.
        parent, dot, last = path.rpartition(".")
        registers = members.paths.get(parent + dot + start + last) if dot else None
    if registers is None and not indices:
        word = start + "_".join(part.name for part in parts)
        registers = members.flat.get(word)
        if registers is None and word.isupper():
            registers = members.folded.get(word.casefold())
    if registers is None or any(r.offset != registers[0].offset for r in registers):
        return None
    return Found(tuple(registers))


def _numbered(members: Members, parts: Sequence[Part], start: str) -> Found | None:
    """The element of an array the SVD writes as numbered names, or all of an array named whole."""
    indices = [index for part in parts for index in part.indices]
    scalar = bool(parts[-1].indices)
    for pattern in _patterns(parts):
        family = members.family(start + pattern)
        if family is not None and (found := family.pick(indices, scalar)) is not None:
            return found
    if not indices:
        # The array by its name alone, as a pointer to its first element.
        name = start + "_".join(part.name for part in parts)
        family = members.family(f"{name}%s")
        if family is not None and f"{name}[" in _first_path(family.elements.values()):
            return family.pick([None])
    if len(indices) == 1:
        return (
            _halves(members, parts, start)
            or _only(members, parts, start, indices[0])
            or _inside(members, parts, start, indices[0])
            or _lettered(members, parts, start, indices[0])
        )
    return None


def _first_path(elements: Iterable[list[Register]]) -> str:
    return next(iter(elements))[0].path


def _patterns(parts: Sequence[Part]) -> Iterator[str]:
    """How the SVD may name the element: the number in its place, at the end, or in the name."""
    joined = "_".join(part.name + "%s" * len(part.indices) for part in parts)
    yield joined
    if not any(part.indices for part in parts):
        return
    yield "_".join(part.name + "_%s" * len(part.indices) for part in parts)
    last = parts[-1].name
    kept = "".join(f"{part.name}_" for part in parts[:-1] if not part.indices)
    count = sum(len(part.indices) for part in parts)
    if any(part.indices for part in parts[:-1]):
        # The struct in the array has no name in the SVD: PORT->Group[0].DIR is DIR0,
        # PORT->Group[0].PMUX[12] is PMUX0_12, PIT->CHANNEL[1].LDVAL is LDVAL1.
        yield kept + last + "_".join(["%s"] * count)
        yield kept + last + "_" + "_".join(["%s"] * count)
        if count == 1:
            # Kinetis writes n for the number: FTM0->CONTROLS[2].CnSC is C2SC.
            for i, letter in enumerate(last):
                if letter == "n" and last.replace("n", "").isupper():
                    yield f"{kept}{last[:i]}%s{last[i + 1 :]}"


def _only(members: Members, parts: Sequence[Part], start: str, index: int | None) -> Found | None:
    """COMP[0] for a COMP0 that has no COMP1 beside it."""
    if index == 0 and len(parts) == 1:
        stem = start + parts[0].name
        registers = members.flat.get(f"{stem}0", [])
        if (
            len(registers) == 1
            and sum(n.startswith(stem) and n[len(stem) :].isdigit() for n in members.flat) == 1
        ):
            return Found(tuple(registers))
    return None


def _inside(members: Members, parts: Sequence[Part], start: str, index: int | None) -> Found | None:
    """The element whose number stands inside the name: sTxMailBox[1].TIR is TI1R."""
    if (len(parts) == 2 and not parts[1].indices) or len(parts) == 1:
        patterns = members.without_number(start + parts[-1].name)
        if len(patterns) == 1:
            family = members.family(patterns[0])
            return None if family is None else family.pick([index], scalar=len(parts) == 1)
    return None


def _lettered(
    members: Members, parts: Sequence[Part], start: str, index: int | None
) -> Found | None:
    """A letter for the index of a struct: GPIO->P[4].CTRL is PE_CTRL (Silicon Labs)."""
    if len(parts) != 2 or parts[1].indices or (index is not None and not 0 <= index < 26):
        return None
    elements: list[Register] = []
    for letter in ascii_uppercase:
        found = members.flat.get(f"{start}{parts[0].name}{letter}_{parts[1].name}", [])
        if len(found) != 1:
            break
        elements.append(found[0])
    if len(elements) < 2:
        return None
    step = elements[1].offset - elements[0].offset
    if step <= 0 or any(e.offset != elements[0].offset + i * step for i, e in enumerate(elements)):
        return None
    if index is None:
        return Found(tuple(elements), unknown=True)
    return Found((elements[index],)) if index < len(elements) else None


def _halves(members: Members, parts: Sequence[Part], start: str) -> Found | None:
    """Two registers, low and high, that a header has as an array: AFR[0] is AFRL, AFR[1] AFRH."""
    if len(parts) != 1 or len(parts[0].indices) != 1:
        return None
    index = parts[0].indices[0]
    low, high = (members.flat.get(f"{start}{parts[0].name}{half}", []) for half in "LH")
    if len(low) != 1 or len(high) != 1:
        return None
    if high[0].offset != low[0].offset + low[0].size_bytes:
        return None
    if index is None:
        return Found((low[0], high[0]), unknown=True)
    return Found(((low[0], high[0])[index],)) if index in (0, 1) else None


def _rewritten(members: Members, parts: Sequence[Part], start: str) -> Found | None:
    """A register whose name in the header has a number or a prefix more than in the SVD."""
    if len(parts) != 1 or parts[0].indices:
        return None
    name = parts[0].name
    views = members.views.get(start + name, [])
    if len(views) > 1 and all(view.offset == views[0].offset for view in views):
        # One register the SVD shows in several forms: CCMR1_Output and CCMR1_Input are CCMR1.
        return Found(tuple(views))
    registers = members.joined.get((start + name).replace("_", ""), [])
    if len(registers) == 1:
        return Found(tuple(registers))
    if len(name) >= 3:
        # R for register at the end is written in the header or in the SVD: RISR and RIS.
        registers = members.flat.get(f"{start}{name}R", [])
        if not registers and name.endswith("R") and len(name) > 3:
            registers = members.flat.get(start + name[:-1], [])
        if len(registers) == 1:
            return Found(tuple(registers))
    if name.endswith(HALVES):
        registers = members.flat.get(start + name[:-2], [])
        if len(registers) == 1 and registers[0].size == 32:
            return Found(tuple(registers))
    if name.endswith("1") and not name[:-1].endswith(tuple("0123456789_")):
        # One of a kind: a header says PCFR1 where a sister device has a PCFR2. Where there is
        # room for another register behind it, the SVD may just lack that one.
        stem = start + name[:-1]
        registers = members.flat.get(stem, [])
        if f"{stem}2" not in members.flat and f"{stem}0" not in members.flat:
            if len(registers) == 1 and members.followed(registers[0]):
                return Found(tuple(registers))
    if start.endswith("_") and name.startswith(start):
        # The header repeats the peripheral in the register's name, the SVD does not.
        registers = members.flat.get(name.removeprefix(start), [])
        if len(registers) == 1:
            return Found(tuple(registers))
    return None


def _by_end(members: Members, parts: Sequence[Part]) -> Found | None:
    """The only register, or the only array, whose name ends with the members."""
    indices = [index for part in parts for index in part.indices]
    word = "_".join(part.name for part in parts)
    if not indices:
        names = [name for name in members.flat if name.endswith(f"_{word}")]
        if len(names) == 1 and len(registers := members.flat[names[0]]) == 1:
            return Found(tuple(registers))
        return None
    if len(indices) == 1 and len(parts) == 2 and parts[0].indices:
        patterns = members.ending(f"%s_{parts[1].name}")
        family = members.family(patterns[0]) if len(patterns) == 1 else None
        if family is not None and patterns[0].count("%s") == 1:
            ending = sum(name.endswith(f"_{parts[1].name}") for name in members.flat)
            # A register more with this ending stands in the same array under another name.
            return family.pick(indices) if ending == len(family.elements) else None
    return None


def _cluster(members: Members, parts: Sequence[Part]) -> Match | None:
    """All registers of a cluster."""
    path = ".".join(
        part.name + "".join("[%s]" if i is None else f"[{i}]" for i in part.indices)
        for part in parts
    )
    known = members.clusters.get(path) or members.clusters.get(flat(path))
    if known is None:
        return None
    inside = [r for name, rs in members.paths.items() if name.startswith(f"{known}.") for r in rs]
    return Match(tuple(inside), cluster=True) if inside else None


def element(
    members: Members,
    name: str,
    word: str,
    position: int | str,
    first: int,
) -> Found | None:
    """Register ``name`` of an element that is a pointer of its own: DMA1_Channel2->CCR.

    ``word`` is what C calls the element, ``position`` its number there, counted from ``first``, or
    its letter. Ways to name it in SVDs: CCR2, CH2_CCR, C2CR, S0CR, L1CR, ACR1.
    """
    letter = word[0]
    if isinstance(position, str):
        candidates = [f"{position}{name}", f"{position}_{name}", f"CH{position}_{name}"]
        for candidate in candidates + [members.common + candidate for candidate in candidates]:
            registers = members.flat.get(candidate, [])
            if len(registers) == 1:
                return Found(tuple(registers))
        return None
    patterns = [f"{name}%s", f"{name}_%s", f"{letter}%s{name}", f"{letter}%s_{name}"]
    patterns += [f"CH%s_{name}", f"CH%s{name}", f"{word.upper()}%s_{name}", f"ST%s_{name}"]
    results = [
        found
        for pattern in patterns
        for start in ("", members.common)
        if (family := members.family(start + pattern)) is not None
        and (found := family.pick([position - first])) is not None
    ]
    for start in ("", members.common):
        inside = members.without_number(start + name)
        if not results and len(inside) == 1:
            family = members.family(inside[0])
            if family is not None and (found := family.pick([position - first])) is not None:
                return found
    if results and all(r.registers[0].offset == results[0].registers[0].offset for r in results):
        return results[0]
    return None
