"""All that a file includes, followed through the headers of the workspace."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence

from datasheet_lsp.firmware.headers.definitions import Files
from datasheet_lsp.firmware.headers.flags import Flags
from datasheet_lsp.firmware.headers.scan import FileFacts, Include
from datasheet_lsp.firmware.headers.store import Store, nearness
from datasheet_lsp.firmware.headers.tokens import split
from datasheet_lsp.firmware.headers.view import Headers

MAX_FOLLOWED = 1_500
NO_FLAGS = Flags()
_MAX_DEPTH = 100
_SOURCES = (".c", ".cpp", ".cc")
_REST_SECONDS = 0.002


def follow(
    store: Store,
    own: FileFacts,
    chips: Sequence[str],
    flags: Flags = NO_FLAGS,
    *,
    calm: bool = False,
) -> Files:
    """The headers of a file. Reads files; ``calm`` lets other threads have their turn."""
    walk = _Walk(store, own, chips, flags, calm)
    walk.includes(own, own.includes, 0)
    walk.possible()
    files = walk.files
    files.symbols = _Symbols(store, own.path, chips)
    files.sources = _Sources(store, own.path, chips)
    return files


class _Walk:
    def __init__(
        self, store: Store, own: FileFacts, chips: Sequence[str], flags: Flags, calm: bool
    ) -> None:
        self.files = Files()
        self._flags = flags
        self._calm = calm
        self._store = store
        self._own = own
        self._chips = chips
        self._seen: set[str] = {own.path}
        self._maybe: list[tuple[FileFacts, Include]] = []
        self._headers = self._view()

    def _view(self) -> Headers:
        return Headers(self._own, self.files, chips=self._chips, flags=self._flags)

    def includes(self, facts: FileFacts, includes: Sequence[Include], depth: int) -> None:
        if depth > _MAX_DEPTH:
            return
        for include in includes:
            if len(self._seen) > MAX_FOLLOWED:
                return
            if include.condition:
                self._headers.forget()
                closed, certain = self._headers.state(facts, include.condition)
                if not closed:
                    if certain is None:
                        self._maybe.append((facts, include))
                    continue
            self._enter(facts, include, depth)

    def _enter(self, facts: FileFacts, include: Include, depth: int) -> None:
        name = include.name
        if include.macro:
            self._headers.forget()
            macro = self._headers.macro(name)
            tokens = () if macro is None else split(macro.body)
            if not tokens or tokens[0][0] not in '"<':
                return
            name = macro.body.strip('"<> ') if macro is not None else ""
        path = self._store.resolve(
            name, include.quoted, facts.path, self._own.path, self._chips, self._flags.include
        )
        if not path:
            if path is None:
                self.files.missing.append(name)
            return
        if path in self._seen:
            return
        self._seen.add(path)
        if self._calm:
            time.sleep(_REST_SECONDS)
        found = self._store.facts(path)
        if found is None:
            return
        # What a header includes is known before what it says itself.
        place = len(self.files.facts)
        self.files.facts.append(found)
        self.includes(found, found.includes, depth + 1)
        if place != len(self.files.facts) - 1:
            self.files.facts.append(self.files.facts.pop(place))

    def possible(self) -> None:
        """Headers whose condition may hold come last, with what they include."""
        sure = len(self.files.facts)
        for _ in range(3):
            waiting, self._maybe = self._maybe, []
            if not waiting:
                break
            for facts, include in waiting:
                self._enter(facts, include, _MAX_DEPTH - 8)
        self.files.further = self.files.facts[sure:]
        del self.files.facts[sure:]


class _Symbols(dict[str, int]):
    """Addresses of linker symbols, looked up when asked for: scripts are many.

    After :meth:`close` nothing is read any more.
    """

    def __init__(self, store: Store, near: str, chips: Sequence[str]) -> None:
        super().__init__()
        self._store: Store | None = store
        self._near = near
        self._chips = chips
        self._asked: set[str] = set()

    def get(self, name: str, default: object = None) -> int | None:  # type: ignore[override]
        """The address of ``name``; reads linker scripts the first time."""
        if name not in self._asked and self._store is not None:
            self._asked.add(name)
            with self._store.lock:
                address = self._store.symbol(name, self._near, self._chips)
            if address is not None:
                self[name] = address
        return super().get(name)

    def close(self, names: Iterable[str]) -> None:
        """Looks up ``names``, and nothing else from then on."""
        for name in names:
            self.get(name)
        self._store = None


class _Sources:
    """The source files that belong to headers, by their names. After ``close`` none is read."""

    def __init__(self, store: Store, main: str, chips: Sequence[str]) -> None:
        self._store: Store | None = store
        self._main = main
        self._chips = chips
        self._known: dict[str, tuple[FileFacts, ...]] = {}

    def __call__(self, header: FileFacts) -> Sequence[FileFacts]:
        store = self._store
        if header.path not in self._known and store is not None:
            stem = os.path.splitext(os.path.basename(header.path))[0]
            found: tuple[FileFacts, ...] = ()
            with store.lock:
                paths = [p for ending in _SOURCES for p in store.named(stem + ending)]
                if paths:
                    best = max(
                        paths, key=lambda p: nearness(p, header.path, self._main, self._chips)
                    )
                    facts = store.facts(best)
                    found = () if facts is None else (facts,)
            self._known[header.path] = found
        return self._known.get(header.path, ())

    def close(self, headers: Iterable[FileFacts]) -> None:
        """Reads the sources of ``headers``, and nothing from then on."""
        for header in headers:
            self(header)
        self._store = None


def prepare(files: Files, *, rest: float = 0.0) -> None:
    """Gets ready what the first question about a header would wait for, or read a file for."""
    outside: dict[str, None] = {}
    for facts in (*files.facts, *files.further):
        for name, pieces in facts.declared.items():
            for piece in pieces:
                if piece.kind == "variable" and b"extern" in facts.text[piece.start : piece.end]:
                    outside[name] = None
        time.sleep(rest)
    if isinstance(files.sources, _Sources):
        files.sources.close(files.facts)
    if isinstance(files.symbols, _Symbols):
        files.symbols.close(outside)
