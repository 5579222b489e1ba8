"""What is shown for a place in C code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from datasheet_lsp.assist.decode import bits_at, reader_of, written_at
from datasheet_lsp.firmware import Source, resolve_at
from datasheet_lsp.model import Lookup
from datasheet_lsp.render.bits import bits_text, field_name_text
from datasheet_lsp.render.data import place_json
from datasheet_lsp.render.fields import MAX_ROWS
from datasheet_lsp.render.hover import addresses
from datasheet_lsp.render.hover import hover as worded
from datasheet_lsp.render.style import MARKDOWN, Plain

if TYPE_CHECKING:
    from datasheet_lsp.assist.places import Places
    from datasheet_lsp.firmware.headers import Headers


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
    places: Places | None = None,
    tell_missing: bool = False,
    headers: Headers | None = None,
) -> Hover | None:
    """The hover at a byte offset, None whenever it is not sure what is meant there.

    ``places`` are those of the manuals; with ``tell_missing`` a device without one is named.
    ``headers`` are those the file includes.
    """
    resolved = resolve_at(source, offset, lookups, headers)
    if resolved is None:
        return _bits(source, offset, lookups, markup, headers)
    written = None
    if resolved.kind == "register":
        written = written_at(reader_of(source, lookups, headers), resolved)
    meant = addresses(resolved)
    manuals: list[str] = []
    if places is not None and resolved.kind != "cluster":
        style = MARKDOWN if markup else Plain()
        manuals = places.lines(resolved.locations, style, tell_missing=tell_missing)
    return Hover(
        address=meant[0] if len(meant) == 1 else meant,
        registers=[place_json(location) for location in resolved.locations],
        start=resolved.start,
        end=resolved.end,
        markdown=worded(
            resolved, manuals=manuals, markup=markup, max_rows=max_rows, written=written
        ),
    )


def _bits(
    source: Source,
    offset: int,
    lookups: Sequence[Lookup],
    markup: bool,
    headers: Headers | None,
) -> Hover | None:
    """The hover of a macro or number that stands for bits of a register; it has no address."""
    if not lookups or not 0 <= offset < len(source.data):
        return None
    meant = bits_at(reader_of(source, lookups, headers), offset)
    if meant is None:
        return None
    style = MARKDOWN if markup else Plain()
    number = meant.number
    if meant.field is not None:
        text = field_name_text(meant.field, meant.value, style)
    elif number is not None and number.location.register is not None:
        text = bits_text(
            number.expression, number.value, number.location, number.location.register, style
        )
    else:
        return None
    return Hover(
        address=[],
        registers=[place_json(location) for location in meant.locations],
        start=meant.start,
        end=meant.end,
        markdown=text,
    )
