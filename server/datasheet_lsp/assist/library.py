"""The index of a workspace open for searching: its documents, its devices and a searcher.

One for each workspace, kept as long as the index is the same. Everything here blocks, so in a
server it belongs into a thread; one search at a time holds ``lock``.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from datasheet_lsp.index import Index, StoredDocument, load_device
from datasheet_lsp.indexing.find import path_of
from datasheet_lsp.model import Device
from datasheet_lsp.search import Searcher, SearchSettings
from datasheet_lsp.search.settings import ARMS, Weights

if TYPE_CHECKING:
    from datasheet_lsp.assist.meaning import Embed, Rank
    from datasheet_lsp.workspace.settings import Settings

SVD = "svd"


class NoIndex(Exception):
    """There is nothing to search; the text says what to do."""


class Devices(Mapping[str, Device]):
    """The devices whose SVD file is in the index, by its names; each is read on first use.

    ``loaded`` are in memory already. One that cannot be read is as if it were not there.
    """

    def __init__(self, index: Index, root: Path, loaded: Iterable[Device] = ()) -> None:
        self._index = index
        self._loaded: dict[str, Device | None] = {device.name: device for device in loaded}
        self._files: dict[str, tuple[Path, str | None]] = {}
        for file in index.known_files():
            kind, _, member = file.suffix.partition(":")
            if kind == SVD and file.devices:
                place = (path_of(file.path, root), member or None)
                self._files.setdefault(file.devices[0].device, place)

    def __getitem__(self, name: str) -> Device:
        if name not in self._files:
            raise KeyError(name)
        if name not in self._loaded:
            self._loaded[name] = self._load(*self._files[name])
        device = self._loaded[name]
        if device is None:
            raise KeyError(name)
        return device

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def _load(self, path: Path, member: str | None) -> Device | None:
        from datasheet_lsp.svd import SvdError

        try:
            return load_device(path, member, self._index)
        except SvdError:
            return None


class Library:
    """What is searched.

    ``embed`` gives the vector of a question; without it words alone count. ``rank`` puts the best
    hits in order, where the settings name a reranker or it is asked for. ``loaded`` gives the
    devices that are in memory anyway.
    """

    def __init__(
        self,
        root: Path,
        path: Path,
        settings: Settings,
        embed: Embed | None = None,
        loaded: Callable[[], Iterable[Device]] = tuple,
        rank: Rank | None = None,
    ) -> None:
        self.root = root
        self.path = path
        self.settings = settings
        self.lock = threading.Lock()
        self._embed = embed
        self._rank = rank
        self.loaded = loaded
        self._index: Index | None = None
        self._identity: tuple[int, int] | None = None
        self._documents: list[StoredDocument] = []
        self._devices: Devices | None = None
        self._searcher: Searcher | None = None

    @property
    def index(self) -> Index:
        """The open index, as it was at the last ``refresh``."""
        assert self._index is not None
        return self._index

    @property
    def documents(self) -> list[StoredDocument]:
        """The documents in it."""
        return self._documents

    @property
    def devices(self) -> Devices:
        """The devices in it."""
        assert self._devices is not None
        return self._devices

    @property
    def searcher(self) -> Searcher:
        """Searches it."""
        assert self._searcher is not None
        return self._searcher

    def refresh(self) -> None:
        """Take in what was indexed meanwhile. Raises NoIndex."""
        there = _identity(self.path)
        if there is None:
            self.close()
            raise NoIndex(self._nothing())
        if self._index is None or there != self._identity or not self._index.is_open:
            self.close()
            self._index = Index(self.path)
            self._identity = there
        documents = self._index.documents()
        if not documents:
            raise NoIndex(self._index.problem or self._nothing())
        if self._searcher is not None and documents == self._documents:
            return
        self._documents = documents
        self._devices = Devices(self._index, self.root, self.loaded())
        arm = None
        if self._embed is not None and self.settings.embed.enabled:
            from datasheet_lsp.assist.meaning import MeaningArm

            arm = MeaningArm(self._index, self.root, self.settings.embed, self._embed)
        rerank = None
        if self._rank is not None:
            from datasheet_lsp.assist.meaning import Reranking

            rerank = Reranking(self.root, self.settings.search.reranker, self._rank)
        self._searcher = Searcher(
            self._index,
            self._devices,
            arm,
            search_settings(self.settings),
            rerank,
            arm.alike if arm is not None else None,
        )

    def file_of(self, name: str) -> Path:
        """The path of a file of the index."""
        return path_of(name, self.root)

    def close(self) -> None:
        """Closes the index."""
        index, self._index, self._searcher = self._index, None, None
        if index is not None:
            index.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _nothing(self) -> str:
        return f"nothing is indexed in {self.root}: datasheet-lsp index brings its manuals in."


def search_settings(settings: Settings) -> SearchSettings:
    """The parts and numbers of the search as the user's settings have them."""
    given = settings.search
    arms = dict(ARMS)
    if given.weights.symbol is not None:
        arms["symbol"] = _weights(given.weights.symbol)
    if given.weights.mixed is not None:
        arms["mixed"] = _weights(given.weights.mixed)
    if given.weights.words is not None:
        arms["words"] = _weights(given.weights.words)
    reranked = given.rerank_candidates if given.reranker else 0
    return SearchSettings(candidates=given.candidates, arms=arms, reranked=reranked)


def _weights(keyword: float) -> Weights:
    return Weights(keyword, 1.0 - keyword)


def _identity(path: Path) -> tuple[int, int] | None:
    """Tells one file from another that came in its place; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
