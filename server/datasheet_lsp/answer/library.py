"""What answers are made from: devices, an index that can be searched, a way to count tokens."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from datasheet_lsp.answer.names import Names
from datasheet_lsp.answer.types import Count, Piece
from datasheet_lsp.model import Device, Location
from datasheet_lsp.search import Searcher


class Library:
    """Devices by the names that the index has, and the search over it, which may not be there."""

    def __init__(
        self, devices: Mapping[str, Device], searcher: Searcher | None, count: Count
    ) -> None:
        self.devices = devices
        self.searcher = searcher
        self.count = count
        self._names: dict[str, Names] = {}

    def device(self, name: str | None) -> str | None:
        """The device called ``name`` as it is kept here, None where it is not."""
        if name is None:
            return None
        if name in self.devices:
            return name
        if self.searcher is not None:
            known = self.searcher.shelf.device(name)
            if known in self.devices:
                return known
        folded = name.casefold()
        return next((each for each in self.devices if each.casefold() == folded), None)

    def named_in(self, text: str) -> str | None:
        """The device that ``text`` names."""
        found = self.searcher.shelf.named_in(text) if self.searcher is not None else None
        return found if found in self.devices else None

    def names(self, device: str) -> Names:
        """The names of a device, kept."""
        if device not in self._names:
            self._names[device] = Names(self.devices[device])
        return self._names[device]

    def filed(self, piece: Piece, device: str | None) -> Piece:
        """A table of registers with the path of the SVD file as the index has it."""
        if self.searcher is None or device is None:
            return piece
        for document in self.searcher.shelf.documents.values():
            if document.format == "svd" and document.files:
                if any(belongs.device == device for belongs in document.devices):
                    return msgspec.structs.replace(
                        piece, file=document.files[0], document=document.id
                    )
        return piece

    def location(self, device: str, path: str) -> Location | None:
        """The register at ``path`` ("USART2.BRR")."""
        found = self.names(device).lookup.find(path)
        return next((at for at in found if at.register is not None), None)
