"""The run that brings files into the index: each its own transaction, nothing done twice."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from datasheet_lsp.documents.chunking import make_chunks, svd_chunks, svd_document
from datasheet_lsp.documents.errors import DocumentError
from datasheet_lsp.index import Belongs, Entry, Index, KnownFile, SourceFile
from datasheet_lsp.index.identifiers import IDENTIFIER_VERSION
from datasheet_lsp.indexing.belongs import Scope, decide, parts_of, register_names
from datasheet_lsp.indexing.events import (
    DocumentDone,
    DocumentStarted,
    Event,
    FileDropped,
    PageDone,
    ProblemFound,
    RunFinished,
    RunStarted,
)
from datasheet_lsp.indexing.find import FoundFile, find_files, path_of
from datasheet_lsp.indexing.job import chunk_settings, password_of, short_hash, token_counter
from datasheet_lsp.indexing.reader import Cancelled, Reader
from datasheet_lsp.indexing.state import (
    SVD,
    known_file,
    nothing_of,
    sha256_of,
    stamp_of,
    suffix_of,
)
from datasheet_lsp.model.device import Device
from datasheet_lsp.workspace.settings import DocumentsSettings

OnEvent = Callable[[Event], None]
Keep = Callable[[KnownFile], bool]
Decision = tuple[tuple[Belongs, ...], str]


class DeviceFile(Scope, frozen=True):
    """A device of the workspace with its SVD file, without one ``device`` is None.

    ``identity`` changes with the content of the SVD and with the code that reads it.
    """

    device: Device | None = None
    svd: FoundFile | None = None
    member: str | None = None
    identity: str = ""

    @property
    def suffix(self) -> str:
        """The kind of the SVD file, with the member for one of a pack."""
        return f"{SVD}:{self.member}" if self.member else SVD

    @property
    def registers(self) -> frozenset[str]:
        """The names of its registers, gathered once for each device."""
        return _registers_of(self.device) if self.device is not None else frozenset()


_registers: dict[int, tuple[Device, frozenset[str]]] = {}


def _registers_of(device: Device) -> frozenset[str]:
    known = _registers.get(id(device))
    if known is None or known[0] is not device:
        known = _registers[id(device)] = (device, register_names(device))
    return known[1]


class Stop(Exception):
    """The index takes nothing more; the text says why."""


class Run:
    """One run over some files. ``go`` does it and returns what came of it."""

    def __init__(
        self,
        index: Index,
        root: Path,
        settings: DocumentsSettings,
        devices: Sequence[DeviceFile],
        on_event: OnEvent,
        cancelled: Callable[[], bool],
        *,
        again: bool = False,
    ) -> None:
        self.index = index
        self.root = root
        self.settings = settings
        self.devices = devices
        self.tell = on_event
        self.cancelled = cancelled
        self.again = again
        self.begin = time.monotonic()
        self.counts = dict.fromkeys(
            ("indexed", "unchanged", "dropped", "failed", "pages", "chunks"), 0
        )
        self.known: dict[tuple[str, str], KnownFile] = {}
        self.paths: dict[int, list[Path]] = {}
        self.chunk_settings = chunk_settings(settings)
        self.counter, problem = token_counter(settings, root)
        if problem:
            self.tell(ProblemFound("", problem))
        self.cutting = (
            f"chunks {self.chunk_settings.identity(self.counter.identity)}"
            f" words {IDENTIFIER_VERSION}"
        )
        self.reader = Reader(settings)

    def go(self, files: Sequence[FoundFile], *, keep: Keep) -> RunFinished:
        """Index ``files``; of the files of the index that are not among them ``keep`` some.

        What came of it is returned and not told: something may be to do after it.
        """
        cancelled = False
        stopped = ""
        try:
            with self.reader:
                self._go(files, keep)
        except Cancelled:
            cancelled = True
        except Stop as stop:
            stopped = str(stop)
            self.tell(ProblemFound("", stopped))
        return RunFinished(
            **self.counts,
            seconds=round(time.monotonic() - self.begin, 3),
            cancelled=cancelled,
            stopped=stopped,
        )

    def _go(self, files: Sequence[FoundFile], keep: Keep) -> None:
        if not self.index.is_writable:
            raise Stop(self.index.problem or "The index cannot be written: nothing is indexed.")
        self.known = {(file.path, file.suffix): file for file in self.index.known_files()}
        devices = [each for each in self.devices if each.svd is not None]
        wanted = {(file.key, suffix_of(file.path)) for file in files}
        wanted |= {(each.svd.key, each.suffix) for each in devices if each.svd is not None}
        for key, old in self.known.items():
            if key in wanted or keep(old):
                self.paths.setdefault(old.document, []).append(path_of(old.path, self.root))
        to_do: list[tuple[int, FoundFile, str]] = []
        for file in files:
            state = stamp_of(file.path)
            if state is None:
                self._problem(file.key, f"{file.path.name} cannot be read: it is no file.")
                continue
            size, stamp = state
            if not self._stands(file, stamp):
                to_do.append((size, file, stamp))
        # Small ones first: most of the documents can be searched early.
        to_do.sort(key=lambda entry: (entry[0], entry[1].key))
        total = len(files) + len(devices)
        self.tell(RunStarted(total, len(to_do), sum(size for size, _, _ in to_do)))
        for each in devices:
            self._check()
            self._device(each)
        for number, (size, file, stamp) in enumerate(to_do, 1):
            self._check()
            self.tell(DocumentStarted(file.key, number, len(to_do), size))
            self._file(file, stamp)
            gc.collect()
        # Only now, since a file that is gone may have been moved.
        gone = [key for key, old in self.known.items() if key not in wanted and not keep(old)]
        self._kept(self.index.drop_files(gone))
        for path, _ in gone:
            self.counts["dropped"] += 1
            self.tell(FileDropped(path))

    def _stands(self, file: FoundFile, stamp: str) -> bool:
        """Whether the index has what would be written; which devices it is about is set."""
        old = self.known.get((file.key, suffix_of(file.path)))
        if old is None or old.stamp != stamp or self.again:
            return False
        if file.origin == "given" and old.origin == "found":
            return False
        decision = self._decide(self.paths.get(old.document, [file.path]), old.parts)
        if not self._is_current(old, file, decision):
            return False
        self._belongs(old, decision)
        self.counts["unchanged"] += 1
        return True

    def _version(self, file: FoundFile, decision: Decision, *, failed: bool = False) -> str:
        """Names all that has a part in what is stored of a file, apart from its content.

        The SVDs of its devices do, since their names are matched; for a file that could not be
        read the password does, so that it is tried again with another one.
        """
        named = {each.device for each in decision[0]}
        identities = sorted(each.identity for each in self.devices if each.name in named)
        version = f"{self.reader.version(file.path)} names {short_hash(identities)} {self.cutting}"
        if failed:
            password = password_of(file.path, file.key, self.settings.password)
            version += f" password {short_hash((password,), 4)}"
        return version

    def _is_current(self, old: KnownFile, file: FoundFile, decision: Decision) -> bool:
        return old.version == self._version(file, decision, failed=old.state == "failed")

    def _file(self, file: FoundFile, stamp: str) -> None:
        begin = time.monotonic()
        sha256 = sha256_of(file.path)
        if sha256 is None:
            self._problem(file.key, f"{file.path.name} cannot be read.")
            return
        source = SourceFile(file.key, sha256, suffix_of(file.path), stamp, file.origin)
        same = self._same(source, file)
        if same is not None:
            self._kept(self.index.link_file(source))
            self._remember(msgspec.structs.replace(same, path=file.key, stamp=stamp), file)
            self.counts["unchanged"] += 1
            self.tell(DocumentDone(file.key, same.title, 0, 0, 0.0, read=False))
            return
        entry = self._entry(file, source)
        after = stamp_of(file.path)
        if after is None or after[1] != stamp:
            why = f"{file.path.name} changed while it was read: the next run reads it again."
            self._problem(file.key, why)
            return
        number = self._put(entry)
        if number is None:
            return
        self._remember(known_file(entry, number), file)
        if entry.problem:
            self._problem(file.key, entry.problem)
            return
        self._done(entry, time.monotonic() - begin)

    def _same(self, source: SourceFile, file: FoundFile) -> KnownFile | None:
        """What the index has of the same content, if it is what would be written now."""
        if self.again:
            return None
        for old in self.known.values():
            if old.sha256 == source.sha256 and old.suffix == source.suffix:
                paths = [*self.paths.get(old.document, ()), file.path]
                decision = self._decide(paths, old.parts)
                if not self._is_current(old, file, decision):
                    return None
                self._belongs(old, decision)
                return old
        return None

    def _remember(self, known: KnownFile, file: FoundFile) -> None:
        self.known[file.key, known.suffix] = known
        self.paths.setdefault(known.document, []).append(file.path)

    def _entry(self, file: FoundFile, source: SourceFile) -> Entry:
        """The document read and cut; where that cannot be, an entry that says so."""

        def progress(page: int, pages: int) -> None:
            self.tell(PageDone(file.key, page, pages))

        password = password_of(file.path, file.key, self.settings.password)
        problem = ""
        try:
            document = self.reader.read(file.path, password, progress, self.cancelled)
        except DocumentError as error:
            problem = str(error)
            document = nothing_of(file.path)
        parts = parts_of(document, file.path.name)
        decision = self._decide([file.path], parts)
        named = {each.device for each in decision[0]}
        devices = [each.device for each in self.devices if each.name in named]
        document = self.reader.match(document, (each for each in devices if each is not None))
        chunks = [] if problem else make_chunks(document, self.counter, self.chunk_settings)
        return Entry(
            file=source,
            version=self._version(file, decision, failed=bool(problem)),
            document=document,
            chunks=tuple(chunks),
            devices=decision[0],
            undecided=decision[1],
            problem=problem,
            parts=parts,
        )

    def _done(self, entry: Entry, seconds: float) -> None:
        document = entry.document
        key = entry.file.path
        for trouble in document.troubles:
            self.tell(ProblemFound(key, trouble.message, trouble.first_page, trouble.last_page))
        self.counts["indexed"] += 1
        self.counts["pages"] += document.pages
        self.counts["chunks"] += len(entry.chunks)
        self.tell(
            DocumentDone(
                key,
                document.title,
                document.pages,
                len(entry.chunks),
                round(seconds, 3),
                tuple(each.device for each in entry.devices),
                entry.undecided,
            )
        )

    def _device(self, each: DeviceFile) -> None:
        if each.device is None or each.svd is None:
            return
        version = f"{each.identity} {self.cutting}"
        old = self.known.get((each.svd.key, each.suffix))
        sha256 = each.device.sha256
        if old is not None and (old.sha256, old.version) == (sha256, version) and not self.again:
            self.counts["unchanged"] += 1
            return
        begin = time.monotonic()
        state = stamp_of(each.svd.path)
        entry = Entry(
            file=SourceFile(each.svd.key, sha256, each.suffix, state[1] if state else ""),
            version=version,
            document=svd_document(each.device),
            chunks=tuple(svd_chunks(each.device, self.counter, self.chunk_settings)),
            devices=(Belongs(each.name, "it is its SVD file"),),
        )
        if self._put(entry) is not None:
            self._done(entry, time.monotonic() - begin)

    def _decide(self, paths: Sequence[Path], parts: Sequence[str]) -> Decision:
        # One content at several places: what the settings say of any of them goes first.
        named = [path for path in paths if any(path in each.documents for each in self.devices)]
        return decide(min(named or paths), parts, self.devices, self.root)

    def _belongs(self, old: KnownFile, decision: Decision) -> None:
        """Set which devices a stored document is about, where that has changed."""
        if decision != (old.devices, old.undecided):
            self._kept(self.index.put_devices(old.document, *decision))

    def _put(self, entry: Entry) -> int | None:
        """Its number; None for an entry that cannot be stored. Raises Stop."""
        try:
            number = self.index.put_document(entry)
        except ValueError as error:
            self._problem(entry.file.path, str(error))
            return None
        self._kept(number is not None)
        return number

    def _kept(self, done: bool) -> None:
        if not done:
            raise Stop(self.index.problem or "The index could not be written.")

    def _check(self) -> None:
        if self.cancelled():
            raise Cancelled

    def _problem(self, path: str, message: str) -> None:
        self.counts["failed"] += 1
        self.tell(ProblemFound(path, message))


def index_paths(
    paths: Iterable[Path],
    index: Index,
    devices: Sequence[DeviceFile],
    settings: DocumentsSettings,
    on_event: OnEvent = lambda event: None,
    cancelled: Callable[[], bool] = lambda: False,
    *,
    root: Path | None = None,
) -> RunFinished:
    """Index these files and devices, and leave all else in the index as it is."""
    base = root or Path.cwd()
    found = find_files(base, DocumentsSettings(search=False), given=paths)
    run = Run(index, base, settings, devices, on_event, cancelled)
    finished = run.go(found.files, keep=lambda file: True)
    on_event(finished)
    return finished


__all__ = ["SVD", "DeviceFile", "OnEvent", "Run", "Stop", "index_paths", "stamp_of"]
