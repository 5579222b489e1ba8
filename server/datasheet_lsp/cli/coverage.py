"""``datasheet-lsp coverage``: what a manual says of the registers of an SVD file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.model import Device
    from datasheet_lsp.model.document import Document

DESCRIPTION = """Reads a manual and compares what its tables and paragraphs were found to describe
with an SVD file: which registers and fields were found, which were not, and where the two disagree
in addresses, offsets, reset values and bits. Pages are those of the file, from 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The manual, the SVD file and the form."""
    parser.add_argument(
        "document",
        metavar="DOC",
        help="the manual: a file, or the name, title or id of a document of the index",
    )
    parser.add_argument(
        "--svd", type=Path, required=True, metavar="FILE", help="the SVD file or pack"
    )
    parser.add_argument("--member", metavar="NAME", help="of a pack: the device, or the SVD's path")
    parser.add_argument("--password", metavar="TEXT", help="what the manual is protected with")
    parser.add_argument("--conflicts", action="store_true", help="only what the two disagree about")
    parser.add_argument(
        "--all", action="store_true", help="the registers of absent peripherals one by one too"
    )
    parser.add_argument("--json", action="store_true", help="everything, numbers as integers")


def run(arguments: argparse.Namespace) -> int:
    """Prints the comparison; 1 when one of the two cannot be read."""
    from datasheet_lsp.evaluation.coverage import coverage
    from datasheet_lsp.svd import SvdError, load_svd

    try:
        device = load_svd(arguments.svd, arguments.member)
    except SvdError as error:
        raise CliError(str(error)) from None
    document = _read(arguments.document, arguments.password, device)
    found = coverage(document, device)
    if arguments.json:
        from datasheet_lsp.cli.output import print_json

        print_json(found)
        return 0
    for trouble in document.troubles:
        print(trouble.message, file=sys.stderr)
    from datasheet_lsp.cli.output import plain_style
    from datasheet_lsp.render.coverage import conflicts_text, coverage_text

    if arguments.conflicts:
        print(conflicts_text(found))
    else:
        print(coverage_text(found, plain_style(), everything=arguments.all))
    return 0


def _read(text: str, password: str | None, device: Device) -> Document:
    """The manual, read with the device's names."""
    from datasheet_lsp.cli.library import find_document
    from datasheet_lsp.documents.errors import DocumentError
    from datasheet_lsp.documents.read import read_document
    from datasheet_lsp.documents.structure import DeviceNames

    found = find_document(text)
    try:
        if found.file is None:
            raise CliError(f"the file of {found.name} is not there any more.")
        password = password or found.library.password(found.file)
        return read_document(found.file, names=DeviceNames(device), password=password)
    except DocumentError as error:
        raise CliError(str(error)) from None
    finally:
        found.library.close()
