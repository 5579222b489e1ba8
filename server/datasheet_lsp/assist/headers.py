"""The headers of a workspace for the files that are asked about."""

from __future__ import annotations

import logging
import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import SimpleQueue
from weakref import WeakValueDictionary

from datasheet_lsp.assist.root import project_roots
from datasheet_lsp.firmware import Source
from datasheet_lsp.firmware.headers.closure import follow, prepare
from datasheet_lsp.firmware.headers.definitions import Files
from datasheet_lsp.firmware.headers.flags import BuildFlags, Flags
from datasheet_lsp.firmware.headers.scan import FileFacts
from datasheet_lsp.firmware.headers.store import Store
from datasheet_lsp.firmware.headers.view import Headers
from datasheet_lsp.firmware.semantic import chips_of
from datasheet_lsp.model import Lookup

logger = logging.getLogger(__name__)

_MAX_FILES = 96
_MAX_LEVELS = 10
_LEVELS_ABOVE_PROJECT = 2
_CHECK_SECONDS = 2.0
_LIST_SECONDS = 60.0
_REST_SECONDS = 0.001

_SHARED: WeakValueDictionary[str, Store] = WeakValueDictionary()

_Key = tuple[str, tuple[str, ...], tuple[tuple[str, bool, int], ...]]


class WorkspaceHeaders:
    """What the files of a workspace include. One for a workspace; any thread may ask.

    Headers are read when they are asked for; after :meth:`background` a thread of their own reads
    them, and nothing that is asked waits for a file.
    """

    def __init__(self, root: Path | None) -> None:
        self._root = root
        self._jobs: SimpleQueue[Callable[[], object]] | None = None
        self.ready: Callable[[], object] | None = None
        """Called, in that thread, when headers that were asked for are there."""
        self._lock = threading.Lock()
        self._stores: dict[str, Store] = {}
        self._flags: dict[str, BuildFlags] = {}
        self._files: dict[_Key, tuple[Files, Flags]] = {}
        self._waiting: set[_Key] = set()
        self._stale: set[_Key] = set()
        """Of :attr:`_files` those to be read again; they serve until that is done."""
        self._headers: dict[str, tuple[Source, _Key, Headers]] = {}
        self._checked = self._listed = time.monotonic()

    def background(self) -> None:
        """From now on headers are read by a thread, which ends with the process."""
        if self._jobs is None:
            self._jobs = SimpleQueue()
            threading.Thread(target=self._work, name="headers", daemon=True).start()

    def _work(self) -> None:
        assert self._jobs is not None
        while True:
            job = self._jobs.get()
            try:
                job()
            except Exception:  # one file must not end the thread
                logger.exception("Headers could not be read")

    def of(self, path: Path | None, source: Source, lookups: Sequence[Lookup]) -> Headers | None:
        """The headers of a file, None where they are not read yet."""
        if path is None:
            return None
        name = os.path.abspath(path)
        chips = chips_of(lookups)
        known = self._headers.get(name)
        self._check()
        if known is not None and known[0] is source and known[1][1] == chips:
            now = self._files.get(known[1])
            if now is not None and now[0] is known[2].files and known[1] not in self._stale:
                return known[2]
        own = FileFacts(name, source.data)
        key = (name, chips, tuple((i.name, i.quoted, i.condition) for i in own.includes))
        found = self._files.get(key)
        if found is None or key in self._stale:
            if self._jobs is None:
                found = self._read(key, own)
            else:
                self._ask(key, own)
        if found is None:
            return None
        if known is not None and known[1] == key and known[2].files is found[0]:
            headers = known[2].after(own)
        else:
            headers = Headers(own, found[0], chips=chips, flags=found[1])
        self._headers[name] = (source, key, headers)
        while len(self._headers) > _MAX_FILES:
            self._headers.pop(next(iter(self._headers)))
        return headers

    def _ask(self, key: _Key, own: FileFacts) -> None:
        with self._lock:
            if key in self._waiting or self._jobs is None:
                return
            self._waiting.add(key)

        def run() -> None:
            try:
                self._read(key, own, calm=True)
            finally:
                with self._lock:
                    self._waiting.discard(key)
            if self.ready is not None:
                self.ready()

        self._jobs.put(run)

    def _read(self, key: _Key, own: FileFacts, *, calm: bool = False) -> tuple[Files, Flags]:
        top, folders = top_of(Path(own.path), self._root)
        with self._lock:
            store = self._stores.get(str(top))
            if store is None:
                store = self._stores[str(top)] = self._store(top)
        with store.lock:
            if str(top) not in self._flags:
                self._flags[str(top)] = BuildFlags(folders)
            flags = self._flags[str(top)].of(own.path)
            files = follow(store, own, key[1], flags, calm=calm)
            if calm:
                prepare(files, rest=_REST_SECONDS)
        self._stale.discard(key)
        self._files[key] = files, flags
        while len(self._files) > _MAX_FILES:
            oldest = next(iter(self._files))
            self._files.pop(oldest)
            self._stale.discard(oldest)
        return files, flags

    def _store(self, top: Path) -> Store:
        if self._jobs is not None:
            return Store(top)
        # Commands that ask about many files of many folders list what is above them once.
        known = _SHARED.get(str(top))
        if known is None:
            known = _SHARED[str(top)] = Store(top)
        return known

    def _check(self) -> None:
        """Looks now and then, in the background, whether headers changed."""
        now = time.monotonic()
        if self._jobs is not None and now - self._checked > _CHECK_SECONDS:
            self._checked = now
            self._jobs.put(self.refresh)

    def refresh(self) -> bool:
        """Forgets headers that are others now; whether there were any. Looks at files.

        Where headers are missing, it is looked for new ones now and then.
        """
        changed = any([store.changed() for store in list(self._stores.values())])
        now = time.monotonic()
        if not changed and now - self._listed > _LIST_SECONDS:
            changed = any(files.missing for files, _ in list(self._files.values()))
        if changed:
            self._listed = now
            self.forget()
        return changed

    def forget(self) -> None:
        """Looks anew, when it is asked for, which files there are and what includes what."""
        for store in list(self._stores.values()):
            with store.lock:
                store.relist()
        self._flags.clear()
        self._stale.update(self._files)


def top_of(path: Path, root: Path | None) -> tuple[Path, list[Path]]:
    """The folder up to which headers of ``path`` are looked for, and the folders of its project.

    A repository ends it; a project without one may have its libraries a little further up.
    """
    outside = _shared_places()
    roots = [folder for folder, _ in project_roots(path) if folder not in outside]
    if root is not None and path.is_relative_to(root):
        roots = [*(one for one in roots if one.is_relative_to(root)), root]
    outermost = min(roots, key=lambda one: len(one.parts)) if roots else None
    top = path.parent
    above = 0
    for level, folder in enumerate(path.parents):
        if folder in outside or level >= _MAX_LEVELS:
            break
        if outermost is not None and outermost != folder and outermost.is_relative_to(folder):
            above += 1
            if above > _LEVELS_ABOVE_PROJECT:
                break
        top = folder
        if (folder / ".git").exists():
            break
    return top, [folder for folder in path.parents if folder.is_relative_to(top)]


def _shared_places() -> set[Path]:
    """Folders that hold more than one project: nothing is looked for there."""
    found: set[Path] = set()
    for place in (Path.home(), Path(tempfile.gettempdir())):
        found.update((place, *place.parents))
    found.update(Path(name) for name in ("/usr", "/opt", "/var", "/etc", "/home", "/Users"))
    return found
