"""Where the manuals describe the registers of the devices in use: in memory, for hovers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from datasheet_lsp.model import Location

if TYPE_CHECKING:
    from datasheet_lsp.index import Index, StoredDocument
    from datasheet_lsp.render.style import Style


class Place(msgspec.Struct, frozen=True):
    """A page of a manual. ``manual`` is its file's name, "Manual" where the device has one alone.

    ``page`` is physical, 0 in a document without pages; ``label`` is what is printed on it.
    ``file`` is the name that the index has for the file.
    """

    document: int
    manual: str
    revision: str
    page: int
    label: str
    heading: str
    file: str = ""


class Places:
    """The best place of each register, by device and path.

    ``missing`` has the devices of which no manual is indexed, none where there are manuals of
    which it is not known what they are about.
    """

    def __init__(
        self,
        of_device: dict[str, dict[str, Place]] | None = None,
        missing: frozenset[str] = frozenset(),
    ) -> None:
        self._of_device = of_device or {}
        self.missing = missing

    def of(self, location: Location) -> Place | None:
        """Where the register of ``location`` is described best, None where nowhere."""
        register = location.register
        if register is None:
            return None
        path = f"{location.peripheral.name}.{register.template}"
        return self._of_device.get(location.device.name, {}).get(path)

    def lines(
        self, locations: Sequence[Location], style: Style, *, tell_missing: bool = False
    ) -> list[str]:
        """A line for each device among ``locations``, by its first register, where one is known.

        With ``tell_missing`` it is said of a device that it has no manual.
        """
        from datasheet_lsp.render.places import missing_line, place_line

        first: dict[str, Location] = {}
        for location in locations:
            first.setdefault(location.device.name, location)
        found = []
        for device, location in first.items():
            place = self.of(location)
            if place is not None:
                name = device if len(first) > 1 else ""
                found.append(
                    place_line(
                        place.manual,
                        place.revision,
                        place.page,
                        place.label,
                        place.heading,
                        style,
                        name,
                    )
                )
            elif tell_missing and device in self.missing and location.register is not None:
                found.append(missing_line(device, style))
        return found


def read_places(index: Index, devices: Iterable[str]) -> Places:
    """The places of the registers of ``devices``, as the index calls them. Reads the index."""
    manuals = [each for each in index.documents() if each.format != "svd"]
    undecided = any(not each.devices for each in manuals)
    found: dict[str, dict[str, Place]] = {}
    missing: set[str] = set()
    for device in dict.fromkeys(devices):
        own = {m.id: m for m in manuals if any(b.device == device for b in m.devices)}
        if not own:
            missing.add(device)
            continue
        found[device] = {
            page.path: _place(own[page.document], page.page, page.heading, len(own) == 1)
            for page in index.register_pages(device)
            if page.document in own
        }
    return Places(found, frozenset() if undecided else frozenset(missing))


def _place(document: StoredDocument, page: int, heading: str, only: bool) -> Place:
    file = document.files[0].replace("\\", "/").rpartition("/")[2] if document.files else ""
    return Place(
        document=document.id,
        manual="Manual" if only else file or document.title,
        revision=document.revision,
        page=page,
        label=document.label(page) if page else "",
        heading=heading,
        file=document.files[0] if document.files else "",
    )
