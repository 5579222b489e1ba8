"""The places that bear out an explanation: of each register its page, else its SVD line."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from datasheet_lsp.assist.definition import line_of
from datasheet_lsp.assist.explain import Explained
from datasheet_lsp.assist.places import Place, Places
from datasheet_lsp.model import Location, Lookup


class Cited(msgspec.Struct, frozen=True):
    """A place with its ``number``. ``place`` is the manual's, None for the SVD file's ``line``."""

    number: int
    location: Location
    place: Place | None
    line: int

    @property
    def source(self) -> str:
        """The name of the SVD file, or of the core's that describes the register."""
        return self.location.peripheral.source or self.location.device.source


def cited(
    explained: Explained, places: Places, lookups: Sequence[Lookup]
) -> tuple[dict[str, int], tuple[Cited, ...]]:
    """Numbers by ``PERIPHERAL.REGISTER``, and what they stand for, in the order of the text."""
    numbers: dict[str, int] = {}
    found: dict[object, Cited] = {}
    for location in _locations(explained, lookups):
        register = location.register
        if register is None:
            continue
        place = places.of(location)
        line = line_of(msgspec.structs.replace(location, field=None))
        key: object = (location.peripheral.source, location.device.source, line)
        if place is not None:
            key = (place.document, place.page, place.heading)
        one = found.setdefault(key, Cited(len(found) + 1, location, place, line))
        numbers[f"{location.peripheral.name}.{register.path}"] = one.number
    return numbers, tuple(found.values())


def _locations(explained: Explained, lookups: Sequence[Lookup]) -> list[Location]:
    found = [one.access.resolved.locations[0] for one in explained.lines]
    device = found[0].device if found else None
    lookup = next((each for each in lookups if each.device is device), None)
    if lookup is not None:
        for one in explained.missing:
            found += lookup.find(one.step.register)[:1]
    return found
