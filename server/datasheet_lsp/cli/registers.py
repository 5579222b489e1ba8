"""``datasheet-lsp registers``: all of an SVD file, as text, JSON or CSV."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.model import Device

DESCRIPTION = """Prints all registers of an SVD file (.svd, .svd.gz, .xml, or of a CMSIS .pack):
addresses, sizes, access, reset values; with --json the fields and their named values, and what is
wrong with the file. Core peripherals that the file does not have are left out."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file and the form."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the SVD file or pack")
    parser.add_argument("--member", metavar="NAME", help="of a pack: the device, or the SVD's path")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="everything, numbers as integers")
    form.add_argument("--csv", action="store_true", help="a line for each register and field")


def run(arguments: argparse.Namespace) -> int:
    """Prints the registers; 1 when the file is no SVD."""
    from datasheet_lsp.svd import SvdError, load_svd

    try:
        device = load_svd(arguments.file, arguments.member)
    except SvdError as error:
        raise CliError(str(error)) from None
    if arguments.json:
        from datasheet_lsp.cli.output import print_json
        from datasheet_lsp.render.data import device_json

        print_json(device_json(device))
    elif arguments.csv:
        _print_csv(device)
    else:
        _print_table(device)
    return 0


def _print_csv(device: Device) -> None:
    import csv

    from datasheet_lsp.render.data import CSV_HEADER, csv_rows

    sys.stdout.reconfigure(encoding="utf-8", newline="")  # type: ignore[union-attr]
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(CSV_HEADER)
    writer.writerows(csv_rows(device))


def _print_table(device: Device) -> None:
    from datasheet_lsp.cli.output import plain_style
    from datasheet_lsp.render.listing import device_text, diagnostics_text

    print(device_text(device, plain_style()))
    if device.diagnostics:
        print(diagnostics_text(device), file=sys.stderr)
