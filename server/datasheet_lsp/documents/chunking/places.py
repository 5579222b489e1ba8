"""Boxes of a chunk put together, so that its place can be marked with few of them."""

from __future__ import annotations

from collections.abc import Iterable

from datasheet_lsp.model.document import Box, Place

_GAP = 40.0
"""Points of empty space up to which boxes below one another become one."""


def merged(places: Iterable[Place]) -> tuple[Place, ...]:
    """The places with those of one column and little between them as one."""
    found: list[Place] = []
    for place in dict.fromkeys(places):
        if found and found[-1].page == place.page and _adjoin(found[-1].box, place.box):
            found[-1] = Place(place.page, _around(found[-1].box, place.box))
        else:
            found.append(place)
    return tuple(found)


def _adjoin(one: Box, other: Box) -> bool:
    beside = min(one[2], other[2]) < max(one[0], other[0])
    return not beside and other[1] - one[3] <= _GAP and one[1] - other[3] <= _GAP


def _around(one: Box, other: Box) -> Box:
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )
