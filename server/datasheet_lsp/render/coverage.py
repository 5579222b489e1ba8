"""How a manual and an SVD file compare, as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from datasheet_lsp.model.coverage import (
    Bits,
    Conflict,
    Count,
    Coverage,
    PeripheralCoverage,
    RegisterCoverage,
)
from datasheet_lsp.render import words
from datasheet_lsp.render.style import Plain

_KINDS = {
    "address": "address",
    "offset": "offset",
    "reset": "reset value",
    "bits": "bits",
}
_MOST_UNMATCHED = 20


def coverage_text(coverage: Coverage, style: Plain, *, everything: bool = False) -> str:
    """All of it: the sums, a line for each peripheral, misses, conflicts.

    Without ``everything`` peripherals of which the manual has nothing are only named.
    """
    parts = [_head(coverage), _table(coverage.peripherals, style)]
    parts += [_misses(p, style) for p in coverage.peripherals if p.count.registers_found]
    absent = [p for p in coverage.peripherals if not p.count.registers_found]
    if absent and everything:
        parts += [_misses(p, style) for p in absent]
    elif absent:
        names = ", ".join(name for p in absent for name in (p.name, *p.also))
        parts.append(style.lines(f"Nothing of these was found: {names}"))
    if coverage.unmatched:
        parts.append(_unmatched(coverage, style))
    parts.append(conflicts_text(coverage))
    return "\n\n".join(part for part in parts if part)


def conflict_text(conflict: Conflict, svd: str = "the SVD") -> str:
    """A conflict in a sentence: place, what is printed, what the SVD has and where."""
    printed = value_text(conflict, conflict.printed)
    known = value_text(conflict, conflict.svd)
    path = conflict.path
    if conflict.also:
        path += f" (and {', '.join(conflict.also)})" if len(conflict.also) < 4 else " and others"
    return (
        f"p. {conflict.page}: {path}: {_KINDS[conflict.kind]} {printed},"
        f" {svd} line {conflict.line} has {known}"
    )


def value_text(conflict: Conflict, value: int | Bits) -> str:
    """A value of a conflict as it is written for its kind."""
    if isinstance(value, tuple):
        return str(value[0]) if value[0] == value[1] else f"{value[0]}:{value[1]}"
    if conflict.kind == "address":
        return words.address(value)
    if conflict.kind == "offset":
        return words.offset(value)
    return words.grouped(value)


def _head(coverage: Coverage) -> str:
    count = coverage.count
    described = sum(p.count.registers_found > 0 for p in coverage.peripherals)
    return (
        f"{coverage.document} describes {_share(count.registers_found, count.registers)} registers"
        f" and {_share(_fields(count), count.fields)} fields"
        f" of {described} of {words.plural(len(coverage.peripherals), 'peripheral')}"
        f" in {coverage.svd}; {words.plural(len(coverage.conflicts), 'conflict')}"
    )


def _fields(count: Count) -> int:
    return count.fields_found + count.fields_renamed


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,}" + (f" ({part / whole:.0%})" if whole else "")


def _table(peripherals: Iterable[PeripheralCoverage], style: Plain) -> str:
    rows = []
    for p in peripherals:
        c = p.count
        if c.registers_found:
            missed = c.fields - _fields(c)
            numbers = (c.registers, c.registers_found, c.fields, c.fields_found, c.fields_renamed)
            rows.append([_names(p), *map(str, (*numbers, missed))])
    if not rows:
        return "Nothing in it was recognised as a register of this device."
    heads = ["peripheral", "registers", "found", "fields", "found", "other name", "missed"]
    return style.table(heads, rows)


def _names(peripheral: PeripheralCoverage) -> str:
    if len(peripheral.also) > 3:
        return f"{peripheral.name} ... {peripheral.also[-1]}"
    return ", ".join([peripheral.name, *peripheral.also])


def _misses(peripheral: PeripheralCoverage, style: Plain) -> str:
    missed = [r.path for r in peripheral.registers if r.state == "missed"]
    listed = [r.path for r in peripheral.registers if r.state == "listed"]
    lines = []
    if missed:
        lines.append(f"registers not found: {', '.join(missed)}")
    if listed:
        lines.append(f"named, no fields found: {', '.join(listed)}")
    for register in peripheral.registers:
        if register.state == "described":
            lines += _field_misses(register)
    if not lines:
        return ""
    return style.lines(_names(peripheral), *(f"- {line}" for line in lines))


def _field_misses(register: RegisterCoverage) -> list[str]:
    missed = [f"{f.name} {_bits(f.msb, f.lsb)}" for f in register.fields if f.state == "missed"]
    if not missed:
        return []
    pages = _pages(register.pages)
    return [f"{register.path} ({pages}): fields not found: {', '.join(missed)}"]


def _bits(msb: int, lsb: int) -> str:
    return str(msb) if msb == lsb else f"{msb}:{lsb}"


def _pages(pages: Sequence[int]) -> str:
    return ("p. " if len(pages) == 1 else "pp. ") + ", ".join(map(str, pages))


def _unmatched(coverage: Coverage, style: Plain) -> str:
    shown = coverage.unmatched[:_MOST_UNMATCHED]
    names = ", ".join(f"{u.name or u.title} (p. {u.page})" for u in shown)
    rest = len(coverage.unmatched) - len(shown)
    more = f", and {rest} more" if rest else ""
    return style.lines(f"In the manual, none of the SVD's registers: {names}{more}")


def conflicts_text(coverage: Coverage) -> str:
    """All conflicts, a line each."""
    if not coverage.conflicts:
        return "No conflicts."
    lines = [conflict_text(c, coverage.svd or "the SVD") for c in coverage.conflicts]
    return "\n".join(["Conflicts (as printed, and in the SVD):", *(f"  {one}" for one in lines)])
