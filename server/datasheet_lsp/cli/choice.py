"""The options that choose the device."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_choice(parser: argparse.ArgumentParser) -> None:
    """``--svd`` and ``--device``."""
    parser.add_argument(
        "--svd", type=Path, metavar="FILE", help="use this SVD file, whatever the workspace says"
    )
    parser.add_argument(
        "--device",
        metavar="NAME",
        help="use this device of the workspace; with a pack as --svd, this device of the pack",
    )
