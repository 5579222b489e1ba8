"""Which registers of a peripheral do what: by their names, fields and descriptions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec

from datasheet_lsp.answer.plan.naming import squash
from datasheet_lsp.answer.plan.rules import Role
from datasheet_lsp.model import Field, Peripheral, Register

_NUMBER = re.compile(r"\d+")
_LEADING = re.compile(r"^\d+_")
_NAME, _DESCRIPTION, _FIELD, _FIELD_DESCRIPTION = 2.0, 1.5, 1.2, 0.8
_CHANNEL = 0.6


class Found(msgspec.Struct, frozen=True):
    """A register that has a role, with the field that says so, and how well it fits."""

    peripheral: Peripheral
    register: Register
    field: Field | None
    points: float


def bare_name(peripheral: Peripheral, register: Register) -> str:
    """The register's path without its peripheral's name: IBRD for UART0.UARTIBRD."""
    path = register.path
    stem = re.sub(r"\d+$", "", peripheral.name)
    for prefix in (peripheral.name, stem, peripheral.group_name):
        if prefix and len(path) > len(prefix) and path.upper().startswith(prefix.upper()):
            rest = path[len(prefix) :].lstrip("_")
            # AR of a UART is no UAR.
            return rest if len(prefix) > 1 and rest else path
    return path


def bare_field(register: Register, field: Field) -> str:
    """The field's name without its register's: UARTEN for UART_CTL_UARTEN of UART.CTL."""
    name = field.name
    mark = f"_{register.name}_"
    at = name.upper().find(mark.upper())
    return name[at + len(mark) :] if at >= 0 else name


def find(
    role: Role,
    places: Iterable[Peripheral],
    *,
    target: str = "",
    channel: int | None = None,
    prefer: Callable[[Field], float] | None = None,
    skip: Callable[[Register], bool] | None = None,
) -> list[Found]:
    """The registers with that role, the best first, ``role.limit`` at most.

    Of registers that differ by a number alone one is taken, that of ``channel`` where there is one.
    """
    kept: dict[str, Found] = {}
    for peripheral in places:
        for register in peripheral.registers:
            if skip is not None and skip(register):
                continue
            found = _fits(role, peripheral, register, target, channel, prefer)
            if found is None:
                continue
            key = f"{peripheral.name}.{_NUMBER.sub('#', register.path)}"
            if key not in kept or found.points > kept[key].points:
                kept[key] = found
    rows = sorted(kept.values(), key=lambda each: -each.points)
    if not rows:
        return []
    best = rows[0].points
    return [row for row in rows if row.points >= best - 1.6][: role.limit]


def _fits(
    role: Role,
    peripheral: Peripheral,
    register: Register,
    target: str,
    channel: int | None,
    prefer: Callable[[Field], float] | None,
) -> Found | None:
    if register.access == "read-only" and not role.readable:
        return None
    name = bare_name(peripheral, register)
    names = {name, name.rpartition(".")[2], register.path, _LEADING.sub("", name)}
    if role.skip is not None and any(role.skip.fullmatch(each) for each in names):
        return None
    points = 0.0
    if role.register is not None and any(role.register.fullmatch(each) for each in names):
        points += _NAME
    if role.describes is not None and role.describes.search(_said(register)):
        points += _DESCRIPTION
    named = role.register is not None or role.describes is not None
    if not points and named and not role.by_fields:
        return None
    field, more = _field(role, register, target, prefer)
    points += more
    if points < role.need:
        return None
    numbers = [int(n) for n in _NUMBER.findall(register.path)]
    if channel is not None:
        of_field = [int(n) for n in _NUMBER.findall(field.name)] if field is not None else []
        # OC2M of CCMR1 is of channel 2, as is CCR2.
        if of_field:
            points += _CHANNEL if channel in of_field else -_CHANNEL
        elif channel in numbers:
            points += _CHANNEL
    points -= 0.001 * min(sum(numbers), 100)
    return Found(peripheral, register, field, points)


def _said(register: Register) -> str:
    """The register's description, "" where it only says the name again."""
    text = register.description
    return "" if squash(text) == squash(register.name) else text


def _field(
    role: Role, register: Register, target: str, prefer: Callable[[Field], float] | None
) -> tuple[Field | None, float]:
    """The field that fits best, with its points."""
    best: Field | None = None
    best_points = 0.0
    best_rank = 0.0
    ties = 0
    for field in register.fields:
        points = 0.0
        if role.of_target and target and squash(field.name) == squash(target):
            points += _FIELD + 1
        elif role.fields is not None and role.fields.fullmatch(bare_field(register, field)):
            points += _FIELD
        if role.field_describes is not None and role.field_describes.search(field.description):
            points += _FIELD_DESCRIPTION
        if not points:
            continue
        rank = points + (prefer(field) if prefer is not None else 0.0)
        ties += rank == best_rank
        if best is None or rank > best_rank:
            best, best_points, best_rank, ties = field, points, rank, 0
    if ties and role.kind == "register":
        # Mantissa and fraction: all of the register is meant.
        return None, best_points
    if best is None and role.kind == "irq" and prefer is not None and register.fields:
        # A register that has nothing but interrupts: the one that is asked for.
        liked = max(register.fields, key=prefer)
        if prefer(liked) > 0:
            return liked, 0.0
    return best, best_points
