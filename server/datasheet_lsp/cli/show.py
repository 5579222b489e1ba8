"""``datasheet-lsp show``: a peripheral, register or field."""

from __future__ import annotations

import argparse
from pathlib import Path

DESCRIPTION = """Shows a peripheral (USART2), register (USART2.BRR, USART2->BRR) or field
(USART2.CR1.UE), or what is at an address (0x40004408)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What, and of which device."""
    from datasheet_lsp.cli.choice import add_choice

    parser.add_argument("name", metavar="NAME", help="PERIPHERAL[.REGISTER[.FIELD]] or an address")
    parser.add_argument("--json", action="store_true", help="print JSON, numbers as integers")
    add_choice(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints what is known of it; 1 when there is no such thing."""
    from datasheet_lsp.cli.chip import Chip
    from datasheet_lsp.cli.find import find

    chip = Chip(Path(), arguments.svd, arguments.device)
    lookups = chip.lookups(None)
    found = find(arguments.name, lookups)
    if arguments.json:
        from datasheet_lsp.cli.output import print_json
        from datasheet_lsp.render.data import shown_json

        shown = [shown_json(location) for location in found.locations]
        print_json(shown[0] if len(shown) == 1 else shown)
        return 0
    from datasheet_lsp.cli.output import plain_style
    from datasheet_lsp.render.hover import worded

    print(worded(found, plain_style(), max_rows=None))
    return 0
