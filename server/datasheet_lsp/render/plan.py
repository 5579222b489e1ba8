"""A plan as text: the steps in order, what each is for, and where it is from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from datasheet_lsp.render import words
from datasheet_lsp.render.style import Style

KINDS = {
    "power": "Power",
    "prescaler": "Bus",
    "clock": "Clock",
    "reset": "Reset",
    "bus": "Bus",
    "kernel-clock": "Clock source",
    "pin": "Pins",
    "register": "Registers",
    "dma": "DMA",
    "irq": "Interrupt",
    "nvic": "Interrupt controller",
    "enable": "Enable",
}
"""What a step of each kind is for."""

SURE = 0.5
"""What is less sure than this is said with a perhaps."""


def plan_text(plan: Mapping[str, Any], style: Style) -> str:
    """The steps of ``plan``, in the form of its JSON, under what was understood."""
    rows = [_row(number, step, style) for number, step in enumerate(plan["steps"], 1)]
    goals = "; ".join(plan["goals"])
    head = style.strong(plan["device"]) + (f"  {style.text(goals)}" if goals else "")
    notes = [style.text(note) for note in plan["notes"]]
    header = ["", "For", "Register", "Bits", "Address", "Why"]
    return style.blocks(
        style.lines(head, *notes),
        style.table(header, rows),
        style.lines(*_sources(plan, style)),
        style.lines(*(style.text(f"manual: {place}") for place in _places(plan))),
    )


def _row(number: int, step: Mapping[str, Any], style: Style) -> list[str]:
    name = step["register"] + (f".{step['field']}" if step["field"] else "")
    bits = step["bits"]
    said = ""
    if bits is not None:
        said = str(bits[1]) if bits[0] == bits[1] else f"{bits[0]}:{bits[1]}"
    why = step["why"] if step["confidence"] >= SURE else f"perhaps: {step['why']}"
    target = f"{step['target']}: " if step["target"] not in step["register"].split(".") else ""
    return [
        f"{number}.",
        KINDS[step["kind"]],
        style.text(name),
        said,
        style.code(words.c_address(step["address"])),
        style.text(target + why),
    ]


def _sources(plan: Mapping[str, Any], style: Style) -> Sequence[str]:
    """By which rules the steps were found, and how sure the least sure of them is."""
    rules = dict.fromkeys(step["source"].partition(":")[2] for step in plan["steps"])
    if not rules:
        return []
    least = min(step["confidence"] for step in plan["steps"])
    return [style.text(f"rules: {', '.join(rules)}; the least sure step {least:.2f}")]


def _places(plan: Mapping[str, Any]) -> Sequence[str]:
    places: dict[str, None] = {}
    for place in [*plan["places"], *(step["place"] for step in plan["steps"])]:
        if place is not None:
            table = place["table"]
            named = f", table {table}" if table and table[0].isdigit() else ""
            title = place.get("title") or f"document {place['document']}"
            places[f"{title}, p. {place['page']}{named}"] = None
    return list(places)
