"""Plain tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The rows under their headings, columns apart by two spaces.

    The first column and those of words stand left, numbers right.
    """
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    left = [
        not any(row[place][:1].isdigit() or row[place][:2] in ("-", "<=") for row in rows)
        for place in range(len(headings))
    ]
    left[0] = True
    lines = [headings, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if flush else cell.rjust(width)
            for cell, width, flush in zip(line, widths, left, strict=True)
        ).rstrip()
        for line in lines
    )


def megabytes(size: int | None) -> str:
    """``size`` in bytes as megabytes of 2**20 bytes with one decimal; "?" for None."""
    return "?" if size is None else f"{size / (1 << 20):.1f}"
