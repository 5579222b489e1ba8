"""``datasheet-lsp decode``: what a value of a register means."""

from __future__ import annotations

import argparse
from pathlib import Path

from datasheet_lsp.cli.errors import CliError

DESCRIPTION = """Takes the value of a register apart, field by field: decode USART2.CR1 0x200C. The
value is written as in C."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Register, value, and of which device."""
    from datasheet_lsp.cli.choice import add_choice

    parser.add_argument("register", metavar="REGISTER", help="PERIPHERAL.REGISTER or an address")
    parser.add_argument("value", metavar="VALUE", help="such as 0x200C")
    parser.add_argument("--json", action="store_true", help="print JSON, numbers as integers")
    add_choice(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the fields; 1 when there is no such register."""
    from datasheet_lsp.cli.chip import Chip
    from datasheet_lsp.cli.find import find, number
    from datasheet_lsp.cli.output import plain_style, print_json
    from datasheet_lsp.render.decode import decode_json, decode_text

    value = number(arguments.value)
    chip = Chip(Path(), arguments.svd, arguments.device)
    found = find(arguments.register, chip.lookups(None))
    pairs = [(at, at.register) for at in found.locations if at.register is not None]
    if not pairs or found.kind == "cluster" or found.locations[0].register is None:
        name = found.locations[0].path
        raise CliError(f"{name} is no register: name one of it, as in show {name}.")
    if value < 0:
        raise CliError("a register has no negative value.", 2)
    if arguments.json:
        decoded = [decode_json(at, register, value) for at, register in pairs]
        print_json(decoded[0] if len(decoded) == 1 else decoded)
    else:
        style = plain_style()
        rule = f"\n\n{style.rule()}\n\n"
        print(rule.join(decode_text(at, register, value, style) for at, register in pairs))
    return 0
