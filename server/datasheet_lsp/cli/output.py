"""Printing: JSON and text for the width of the terminal."""

from __future__ import annotations

import shutil
import sys
from typing import Any

import msgspec

from datasheet_lsp.render.style import PLAIN_WIDTH, Plain

_NARROWEST = 60


def print_json(value: Any, indent: int = 2) -> None:
    """``value`` as JSON in UTF-8; in one line with ``indent`` 0."""
    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:
        # A file name that is no text.
        import json

        data = json.dumps(value).encode()
    if indent:
        data = msgspec.json.format(data, indent=indent)
    sys.stdout.flush()
    sys.stdout.buffer.write(data + b"\n")
    sys.stdout.buffer.flush()


def plain_style() -> Plain:
    """Plain text as wide as the terminal, of a fixed width into a file or pipe."""
    if not sys.stdout.isatty():
        return Plain(PLAIN_WIDTH)
    return Plain(max(shutil.get_terminal_size().columns, _NARROWEST))


def path_text(path: object) -> str:
    """A path that can be printed anywhere."""
    return str(path).encode("utf-8", "replace").decode("utf-8")
