"""``datasheet-lsp plan``: which registers an aim takes."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.answer.plan import Plan
    from datasheet_lsp.index import Index
    from datasheet_lsp.model import Lookup

DESCRIPTION = """Shows what it takes to use a peripheral (USART2), or to reach an aim
("configure USART2 at 9600 baud"): clock, reset, bus, pins, interrupts, DMA and its own registers,
in order, with the rules and the pages of manuals that they are from. The tables of indexed manuals
are used where there are any."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What, of which device, in which form."""
    from datasheet_lsp.cli.choice import add_choice

    parser.add_argument("aim", nargs="+", metavar="AIM", help="a peripheral, or an aim in words")
    parser.add_argument("--json", action="store_true", help="print JSON, numbers as integers")
    add_choice(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the plan; 1 when nothing of the device was meant."""
    from datasheet_lsp.cli.chip import Chip

    text = " ".join(arguments.aim)
    chip = Chip(Path(), arguments.svd, arguments.device)
    with ExitStack() as stack:
        index = _index(stack)
        plans = [_plan(text, lookup, index) for lookup in chip.lookups(None)]
        if not any(plan["steps"] for plan in plans):
            notes = dict.fromkeys(note for plan in plans for note in plan["notes"])
            if notes:
                raise CliError(f"{'; '.join(notes)}.")
            devices = " or ".join(dict.fromkeys(plan["device"] for plan in plans))
            raise CliError(
                f"{text!r} names nothing that {devices} has a plan for: name a peripheral, or say "
                "what it shall do."
            )
    if arguments.json:
        from datasheet_lsp.cli.output import print_json

        print_json(plans[0] if len(plans) == 1 else plans)
        return 0
    from datasheet_lsp.cli.output import plain_style
    from datasheet_lsp.render.plan import plan_text

    style = plain_style()
    print(style.blocks(*(plan_text(plan, style) for plan in plans if plan["steps"])))
    return 0


def _index(stack: ExitStack) -> Index | None:
    """The index of the workspace where there is one."""
    from datasheet_lsp.cli.library import workspace_of
    from datasheet_lsp.index import Index

    path = workspace_of(Path())[2]
    return stack.enter_context(Index(path)) if path.is_file() else None


def _plan(text: str, lookup: Lookup, index: Index | None) -> dict[str, Any]:
    from datasheet_lsp.answer.plan import plan_for_question

    return plan_json(plan_for_question(text, lookup.device, index), index)


def plan_json(plan: Plan, index: Index | None) -> dict[str, Any]:
    """A plan as JSON has it; pages are told with the title of their document."""
    import msgspec

    data: dict[str, Any] = msgspec.to_builtins(plan)
    titles = {}
    if index is not None:
        titles = {d.id: " ".join(filter(None, (d.title, d.revision))) for d in index.documents()}
    for place in (*(step["place"] for step in data["steps"]), *data["places"]):
        if place is not None:
            place["title"] = titles.get(place["document"], "")
    return data
