"""Numbers on the command line."""

from __future__ import annotations

import argparse


def page_number(text: str) -> int:
    """A physical page, counted from 1."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 1 << 31):
        raise argparse.ArgumentTypeError(f"{text!r} is no page: pages count from 1")
    return int(text)


def dots(text: str) -> int:
    """Pixels an inch of a picture."""
    if not (text.isascii() and text.isdigit() and 20 <= int(text) <= 1200):
        raise argparse.ArgumentTypeError(f"{text!r} is not from 20 to 1200")
    return int(text)
