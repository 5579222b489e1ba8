"""Which documents a query is about: those of the device, and those that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from datasheet_lsp.index import StoredDocument
from datasheet_lsp.search.keyword import Scope

_PART = re.compile(r"[A-Za-z]+-?[A-Za-z0-9]*\d[A-Za-z0-9]*")
_CORE = re.compile(r"\bcortex\W{0,3}m(\d+)(\+|plus)?", re.IGNORECASE)
_LEAST = 5


class Scoped(msgspec.Struct, frozen=True):
    """The device that is asked about, with the documents that are searched and why."""

    device: str | None
    documents: Scope
    note: str = ""


class Shelf:
    """The documents of an index by device."""

    def __init__(self, documents: Sequence[StoredDocument]) -> None:
        self.documents = {each.id: each for each in documents}
        self.devices = {
            each.id: tuple(belongs.device for belongs in each.devices) for each in documents
        }
        self._of: dict[str, list[int]] = {}
        self._names: dict[str, str] = {}
        for each in documents:
            for belongs in each.devices:
                self._of.setdefault(belongs.device, []).append(each.id)
                self._names.setdefault(_plain(belongs.device), belongs.device)
        for each in documents:
            # The SVD is often called otherwise than the device in it; people use either.
            if each.format == "svd" and len(each.devices) == 1:
                for file in each.files:
                    stem = re.split(r"[\\/]", file)[-1].rpartition(".")[0]
                    self._names.setdefault(_plain(stem), each.devices[0].device)

        self._cores: dict[str, list[int]] = {}
        for each in documents:
            named = {core_of(found[0]) for found in _CORE.finditer(each.title)}
            rest = _PART.findall(_CORE.sub("", each.title))
            if not each.devices and len(named) == 1 and all(len(_plain(w)) < _LEAST for w in rest):
                self._cores.setdefault(named.pop(), []).append(each.id)

    @property
    def cores(self) -> frozenset[int]:
        """All documents about processor cores."""
        return frozenset(number for some in self._cores.values() for number in some)

    def of_core(self, core: str) -> tuple[int, ...]:
        """The documents about a processor core that are about no device: Cortex-M4, CM4."""
        return tuple(self._cores.get(core_of(core), ()))

    def without_svd(self, scoped: Scoped) -> Scoped:
        """The scope without the SVD files."""
        numbers = self.documents if scoped.documents is None else scoped.documents
        kept = tuple(sorted(n for n in numbers if self.documents[n].format != "svd"))
        return msgspec.structs.replace(scoped, documents=kept)

    def device(self, name: str) -> str | None:
        """The device as the index calls it, None where it has nothing of it."""
        return self._names.get(_plain(name))

    def named_in(self, text: str) -> str | None:
        """The device that ``text`` names: its name, or an order code that begins with it."""
        best = ("", "")
        for word in _PART.findall(text):
            small = _plain(word)
            for plain, device in self._names.items():
                if len(plain) < _LEAST or not any(c.isdigit() for c in plain):
                    continue
                if small.startswith(plain) and len(plain) > len(best[0]):
                    best = (plain, device)
        return best[1] or None

    def scope(self, text: str, device: str | None) -> Scoped:
        """What is to be searched for ``text``; a device in it goes before the one in use.

        Documents that the text calls by a part in their title are searched too, such as the
        datasheet of a sensor on the board.
        """
        given = self.device(device) if device else None
        named = self.named_in(text)
        meant = named or given
        if meant is None:
            note = f"nothing of {device} is indexed: all documents are searched" if device else ""
            return Scoped(None, None, note)
        found = dict.fromkeys(self._of.get(meant, ()))
        words = {_plain(word) for word in _PART.findall(text)}
        for number, document in self.documents.items():
            title = {_plain(word) for word in _PART.findall(document.title)}
            if not document.devices and any(len(w) >= _LEAST and w in title for w in words):
                found[number] = None
        note = f"searched for {named}, which the question names" if named and named != given else ""
        return Scoped(meant, tuple(sorted(found)), note if given else "")


def core_of(name: str) -> str:
    """The core as one name: m0+ for CM0PLUS and Cortex-M0+, the name itself where it is none."""
    found = re.fullmatch(
        r"(?:c|cortex)?m(\d+)(p|plus|\+)?", re.sub(r"[^a-z0-9+]", "", name.lower())
    )
    return f"m{found[1]}{'+' if found[2] else ''}" if found else name.lower()


def _plain(name: str) -> str:
    """Small letters and digits, open places at the end left off: lpc82 for LPC82x."""
    return re.sub(r"[^a-z0-9]", "", name.lower()).rstrip("x")
