"""A workspace with its devices in memory: found, loaded, and looked after."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from datasheet_lsp.assist.places import Places, read_places
from datasheet_lsp.model import Device, Lookup
from datasheet_lsp.workspace import CodeMatcher, Context, Discovery, Problem
from datasheet_lsp.workspace.settings import Settings, read_settings

if TYPE_CHECKING:
    from datasheet_lsp.assist.headers import WorkspaceHeaders
    from datasheet_lsp.index import Index

logger = logging.getLogger(__name__)

MAX_WATCHED_FOLDERS = 5_000

Stamp = tuple[int, int] | None
_DeviceKey = tuple[Path, str | None, str | None]


class LoadedContext:
    """A context with its device and the tables to find things in it."""

    def __init__(self, context: Context, device: Device, lookup: Lookup) -> None:
        self.context = context
        self.device = device
        self.lookup = lookup

    def __repr__(self) -> str:
        return f"LoadedContext({self.context.name!r})"


class _State(msgspec.Struct, frozen=True):
    """All that one load gave. It is replaced as a whole, so readers need no lock."""

    settings: Settings = Settings()
    discovery: Discovery = Discovery()
    contexts: list[Any] = []
    matchers: list[Any] = []  # (CodeMatcher, LoadedContext or None) for every context
    problems: list[Problem] = []
    places: Any = Places()
    devices: dict[
        Any, Any
    ] = {}  # (path, member, core) -> (stamp, LoadedContext's device and lookup)
    stamps: dict[Path, Stamp] = {}


class Session:
    """The devices of one workspace folder.

    ``svd`` are files to use instead of the workspace's own choice. ``options`` are the editor's
    settings, below those of ``datasheet.toml``. ``env``, ``home`` and ``system`` are where tools'
    SVDs are looked for, by default this machine's.
    """

    def __init__(
        self,
        root: Path | None,
        *,
        svd: Sequence[Path] = (),
        use_index: bool = True,
        options: Mapping[str, Any] | None = None,
        env: Mapping[str, str] | None = None,
        home: Path | None = None,
        system: Path = Path("/"),
    ) -> None:
        self.root = Path(os.path.abspath(root)) if root is not None else None
        self.options = options
        self._svd = tuple(Path(os.path.abspath(path)) for path in svd)
        self._use_index = use_index
        self._env = env
        self._home = home
        self._system = system
        self._loading = threading.Lock()
        self._state = _State()

    @cached_property
    def headers(self) -> WorkspaceHeaders:
        """The headers of the workspace; reads files when one is asked for."""
        from datasheet_lsp.assist.headers import WorkspaceHeaders

        # A folder that just may be a project is no bound for where its headers are.
        return WorkspaceHeaders(self.root if self._use_index else None)

    @property
    def contexts(self) -> list[LoadedContext]:
        """The contexts whose device is loaded, in the order of the discovery."""
        return self._state.contexts

    @property
    def problems(self) -> list[Problem]:
        """What the engineer should know about the workspace and its files."""
        return self._state.problems

    @property
    def discovery(self) -> Discovery:
        """What was found, chosen or not, with the reasons."""
        return self._state.discovery

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._state.settings

    @property
    def places(self) -> Places:
        """Where the indexed manuals describe the registers of the devices."""
        places: Places = self._state.places
        return places

    @property
    def index_path(self) -> Path | None:
        """Where the index lies, None where there is none."""
        return self._index_path(self._state.settings)

    def load(self) -> None:
        """Searches the workspace and loads its devices; reads files and takes its time.

        Until it ends, and where it fails, what was loaded before stays. A device whose file has
        not changed is kept.
        """
        with self._loading:
            self._state = self._load(self._state)

    def refresh(self) -> bool:
        """Loads anew if a file or folder that counts has changed; returns whether it did."""
        before = self._state
        if all(_stamp(path) == stamp for path, stamp in before.stamps.items()) and before.stamps:
            return False
        self.load()
        return True

    def read_places(self) -> None:
        """Reads from the index anew where the manuals describe the registers. Blocks."""
        with self._loading:
            path = self.index_path
            if path is None or not path.is_file():
                return
            from datasheet_lsp.index import Index

            with Index(path) as index:
                places = read_places(index, _names_of(self._state.contexts))
            self._state = msgspec.structs.replace(self._state, places=places)

    def lookups_for(self, path: Path | None) -> list[Lookup]:
        """The devices that apply to a file; all of them where none is for it in particular.

        [] where the file's own device is known but has no SVD: another chip's would be wrong.
        """
        state = self._state
        if path is not None:
            path = Path(os.path.abspath(path))
            own = [loaded for matcher, loaded in state.matchers if matcher.matches(path)]
            if own:
                return [loaded.lookup for loaded in own if loaded is not None]
        return [loaded.lookup for loaded in state.contexts]

    def _load(self, before: _State) -> _State:
        settings, problems = read_settings(self.root, self.options)
        discovery = self._discover(settings)
        stamps = self._stamps(discovery)
        problems += discovery.problems
        index = self._open_index(settings, discovery, problems, stamps)
        core = _only_core(discovery)
        contexts: list[LoadedContext] = []
        matchers: list[tuple[CodeMatcher, LoadedContext | None]] = []
        devices: dict[_DeviceKey, tuple[Stamp, Device, Lookup]] = {}
        failed: set[_DeviceKey] = set()
        places = Places()
        try:
            for context in discovery.contexts:
                loaded = None
                if context.svd is not None:
                    key = (context.svd, context.member, core)
                    if key not in devices and key not in failed:
                        entry = self._device(key, before, index, problems)
                        if entry is None:
                            failed.add(key)
                        else:
                            devices[key] = entry
                    if key in devices:
                        loaded = LoadedContext(context, devices[key][1], devices[key][2])
                        contexts.append(loaded)
                base = self.root or Path(os.path.abspath(os.sep))
                matchers.append((CodeMatcher(context.code, base), loaded))
            if index is not None:
                places = read_places(index, _names_of(contexts))
        finally:
            if index is not None:
                if index.problem:
                    problems.append(Problem(self._index_path(settings), None, index.problem))
                index.close()
        return _State(
            settings=settings,
            discovery=discovery,
            contexts=contexts,
            matchers=matchers,
            problems=list(dict.fromkeys(problems)),
            places=places,
            devices=devices,
            stamps=stamps,
        )

    def _discover(self, settings: Settings) -> Discovery:
        if self._svd:
            from datasheet_lsp.workspace.peek import stem_of

            given = tuple(
                Context(stem_of(path.name), svd=path, reasons=(f"because {path.name} was given",))
                for path in self._svd
            )
            return Discovery(contexts=given, inputs=self._svd)
        if self.root is None:
            return Discovery()
        from datasheet_lsp.workspace.discover import find_contexts

        return find_contexts(
            self.root, settings, env=self._env, home=self._home, system=self._system
        )

    def _index_path(self, settings: Settings) -> Path | None:
        if self.root is None or not self._use_index or not settings.index.enabled:
            return None
        return self.root / Path(settings.index.path).expanduser()

    def _open_index(
        self,
        settings: Settings,
        discovery: Discovery,
        problems: list[Problem],
        stamps: dict[Path, Stamp],
    ) -> Index | None:
        path = self._index_path(settings)
        if path is None or all(context.svd is None for context in discovery.contexts):
            return None
        from datasheet_lsp.index import Index

        new = not path.parent.exists()
        try:
            index = Index(path)
        except Exception as error:  # the index only saves time: nothing may fail for it
            logger.exception("The index %s cannot be opened", path)
            problems.append(Problem(path, None, f"The index cannot be used: {error}"))
            return None
        if new and path.parent.parent in stamps:  # its folder is our own doing
            stamps[path.parent.parent] = _stamp(path.parent.parent)
        return index

    def _device(
        self, key: _DeviceKey, before: _State, index: Index | None, problems: list[Problem]
    ) -> tuple[Stamp, Device, Lookup] | None:
        path, member, core = key
        stamp = _stamp(path)
        known: tuple[Stamp, Device, Lookup] | None = before.devices.get(key)
        if known is not None and known[0] == stamp and stamp is not None:
            return known
        from datasheet_lsp.index import load_device
        from datasheet_lsp.svd import SvdError

        try:
            device = load_device(path, member, index, core=core)
        except SvdError as error:
            problems.append(Problem(path, None, str(error)))
        except Exception as error:  # one file must not cost the others
            logger.exception("%s cannot be loaded", path)
            problems.append(Problem(path, None, f"{path.name} cannot be loaded: {error}"))
        else:
            return stamp, device, Lookup(device)
        return None

    def _stamps(self, discovery: Discovery) -> dict[Path, Stamp]:
        watched: Iterable[Path] = [
            *discovery.inputs,
            *self._svd,
            *discovery.folders[:MAX_WATCHED_FOLDERS],
        ]
        return {path: _stamp(path) for path in watched}


def _names_of(contexts: Iterable[LoadedContext]) -> list[str]:
    """The devices as the index calls them."""
    return [loaded.device.name for loaded in contexts]


def _only_core(discovery: Discovery) -> str | None:
    """The processor the workspace builds for, None where nothing or more than one is said."""
    cores = {one.core for one in discovery.evidence if one.core}
    return cores.pop() if len(cores) == 1 else None


def _stamp(path: Path) -> Stamp:
    """Time of change in ns and size of a file; size 0 for a folder; None where there is none."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, 0 if path.is_dir() else stat.st_size
