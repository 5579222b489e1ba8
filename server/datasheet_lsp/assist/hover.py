"""What is shown for a place in C code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from datasheet_lsp.firmware import Source, resolve_at
from datasheet_lsp.model import Lookup
from datasheet_lsp.render.data import place_json
from datasheet_lsp.render.fields import MAX_ROWS
from datasheet_lsp.render.hover import addresses
from datasheet_lsp.render.hover import hover as worded


class Hover(msgspec.Struct, frozen=True):
    """A hover.

    ``address`` is a list where several are meant (elements of an array, devices). ``registers``
    has device, path and address of each. ``start`` and ``end`` are the byte offsets of the whole
    expression. ``markdown`` is plain text when no markup was asked for.
    """

    address: int | list[int]
    registers: list[dict[str, Any]]
    start: int
    end: int
    markdown: str


def hover(
    source: Source,
    offset: int,
    lookups: Sequence[Lookup],
    *,
    markup: bool = True,
    max_rows: int = MAX_ROWS,
) -> Hover | None:
    """The hover at a byte offset, None whenever it is not sure what is meant there."""
    resolved = resolve_at(source, offset, lookups)
    if resolved is None:
        return None
    meant = addresses(resolved)
    return Hover(
        address=meant[0] if len(meant) == 1 else meant,
        registers=[place_json(location) for location in resolved.locations],
        start=resolved.start,
        end=resolved.end,
        markdown=worded(resolved, markup=markup, max_rows=max_rows),
    )
