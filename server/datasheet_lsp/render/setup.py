"""What some lines of code do, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from datasheet_lsp.firmware.writes import RegisterAccess
from datasheet_lsp.render import words
from datasheet_lsp.render.style import Style
from datasheet_lsp.render.written import effect_text

_VERBS = {
    "read": "reads", "assign": "writes", "set": "sets bits of", "clear": "clears bits of",
    "toggle": "toggles bits of", "modify": "changes",
}  # fmt: skip


class Lacking(Protocol):
    """A step of a set-up that the lines do not take."""

    @property
    def peripheral(self) -> str:
        """What it is for."""

    @property
    def step(self) -> Any:
        """The step of the plan: kind, register, field, bits, address, why."""

    @property
    def elsewhere(self) -> bool:
        """Whether other code of the workspace takes it."""


def explained_text(
    lines: Sequence[tuple[int, RegisterAccess]],
    peripherals: Sequence[str],
    missing: Sequence[Lacking],
    style: Style,
    numbers: Mapping[str, int] | None = None,
) -> str:
    """The accesses of lines (from 0) in order, then what is missing.

    ``numbers`` are those of the places that bear it out, by ``PERIPHERAL.REGISTER``.
    """
    numbers = numbers or {}
    rows = []
    registers: dict[str, None] = {}
    for line, access in lines:
        name = _name(access)
        registers[name] = None
        cell = style.text(name) + _cite(numbers, _path(access))
        rows.append([str(line + 1), cell, _VERBS[access.how],
                     effect_text(access, style)])  # fmt: skip
    if not rows:
        return "No register is read or written here, as far as it can be told."
    touched = words.plural(len(registers), "register")
    of = f" of {', '.join(style.text(name) for name in peripherals)}" if peripherals else ""
    head = f"{touched} touched; written{of}" if peripherals else f"{touched} read"
    said = [
        f"{style.text(one.peripheral)}: {style.text(f'{one.step.register}.{one.step.field}')} "
        f"({_bits(one.step.bits)}, {style.code(words.address(one.step.address))}) is not set "
        + ("in these lines, but elsewhere in the workspace" if one.elsewhere else "in these lines")
        + f": {style.text(one.step.why)}{_cite(numbers, one.step.register)}"
        for one in missing
    ]
    return style.blocks(
        style.lines(head),
        style.table(["Line", "Register", "Access", "Meaning"], rows),
        style.lines(*said),
    )


def sources_text(sources: Sequence[tuple[int, str]]) -> str:
    """The list of the places, a line each, from their number and their text."""
    return "  \n".join(f"[{number}] {text}" for number, text in sources)


def _cite(numbers: Mapping[str, int], path: str) -> str:
    return f" [{numbers[path]}]" if path in numbers else ""


def _path(access: RegisterAccess) -> str:
    return f"{access.resolved.locations[0].peripheral.name}.{access.register.path}"


def _name(access: RegisterAccess) -> str:
    if access.resolved.any_of:
        return f"any {access.resolved.any_of}: {access.register.path}"
    path = _path(access)
    return f"{path} (or another element)" if access.resolved.index_unknown else path


def _bits(bits: tuple[int, int]) -> str:
    return f"bit {bits[1]}" if bits[0] == bits[1] else f"bits {bits[0]}:{bits[1]}"
