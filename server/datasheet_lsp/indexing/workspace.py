"""A whole workspace brought into its index: settings, devices and files found, then the run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import replace

from datasheet_lsp.index import Index, KnownFile, device_key, load_device
from datasheet_lsp.index.lock import FileLock, LockTimeout
from datasheet_lsp.indexing.events import ProblemFound, RunFinished
from datasheet_lsp.indexing.find import FoundFile, find_files, key_of, path_of
from datasheet_lsp.indexing.job import Job
from datasheet_lsp.indexing.run import DeviceFile, OnEvent, Run
from datasheet_lsp.indexing.state import is_gone
from datasheet_lsp.workspace import (
    CodeMatcher,
    Context,
    Settings,
    find_contexts,
    read_settings,
)

RUN_LOCK = "indexing.lock"


def run_job(
    job: Job, on_event: OnEvent, cancelled: Callable[[], bool] = lambda: False
) -> RunFinished:
    """Do the job and tell of it; never two in one folder at a time.

    Where another process is at it already, the run ends at once and says so.
    """
    root = Path(os.path.abspath(job.root))
    settings, problems = read_settings(root, job.options)
    for problem in problems:
        on_event(ProblemFound(_key(problem.path, root), problem.message))
    with Index(Path(job.index)) as index:
        if not index.is_writable:
            return _not_begun(index.problem or "The index cannot be written.", on_event)
        with ExitStack() as held:
            try:
                held.enter_context(FileLock(index.path.parent / RUN_LOCK, 0))
            except LockTimeout:
                return _not_begun("Another process is indexing this folder.", on_event)
            except OSError as error:
                return _not_begun(f"Nothing can be indexed: {error.strerror or error}.", on_event)
            return _run(job, root, settings, index, on_event, cancelled)


def _not_begun(why: str, on_event: OnEvent) -> RunFinished:
    finished = RunFinished(stopped=why)
    on_event(ProblemFound("", why))
    on_event(finished)
    return finished


def _run(
    job: Job,
    root: Path,
    settings: Settings,
    index: Index,
    on_event: OnEvent,
    cancelled: Callable[[], bool],
) -> RunFinished:
    contexts: Sequence[Context]
    if job.svd:
        contexts = [Context(Path(path).stem, svd=Path(os.path.abspath(path))) for path in job.svd]
    else:
        contexts = find_contexts(root, settings).contexts
    devices = load_devices(contexts, root, settings, index, on_event)
    found = find_files(root, settings.documents, contexts, _given(job.paths, on_event))
    for message in found.problems:
        on_event(ProblemFound("", message))
    run = Run(index, root, settings.documents, devices, on_event, cancelled, again=job.again)

    files = _with_given(found.files, index, root, settings.documents.exclude)

    def keep(file: KnownFile) -> bool:
        # A search that missed something says nothing about a file that is there.
        return not found.whole and not is_gone(path_of(file.path, root))

    finished = run.go(files, keep=keep)
    if not (finished.cancelled or finished.stopped):
        from datasheet_lsp.indexing.embedding import make_vectors

        names = [each.name for each in devices]
        vectors = make_vectors(index, root, settings.embed, names, on_event, cancelled)
        cancel = vectors is not None and vectors.cancelled
        if (settings.index.questions or job.questions) and not cancel:
            from datasheet_lsp.indexing.questions import make_questions

            asked = make_questions(index, root, settings.model, names, on_event, cancelled)
            cancel = asked.cancelled
        finished = replace(finished, cancelled=cancel)
    on_event(finished)
    return finished


def _with_given(
    files: list[FoundFile], index: Index, root: Path, exclude: Sequence[str]
) -> list[FoundFile]:
    """The files together with those that were given to an earlier run.

    Those that are gone, or that the settings have come to leave out, are not.
    """
    have = {file.key for file in files}
    left_out = CodeMatcher(exclude, root)
    for known in index.known_files():
        path = path_of(known.path, root)
        if known.origin != "given" or known.path in have or is_gone(path):
            continue
        if not exclude or not left_out.matches(path):
            files.append(FoundFile(path, known.path, "given"))
    return sorted(files, key=lambda file: file.key)


def _given(paths: Sequence[str], on_event: OnEvent) -> Iterator[Path]:
    """The files among ``paths`` and all those in the folders among them that can be read."""
    from datasheet_lsp.indexing.find import DATA, PAPERS, TEXTS

    for name in paths:
        path = Path(os.path.abspath(name))
        if path.is_dir():
            for file in sorted(path.rglob("*")):
                if file.suffix.lower() in PAPERS | TEXTS | DATA and file.is_file():
                    yield file
        elif path.is_file():
            yield path
        else:
            on_event(ProblemFound(name, f"{name} is not there."))


def load_devices(
    contexts: Sequence[Context],
    root: Path,
    settings: Settings,
    index: Index,
    on_event: OnEvent,
) -> list[DeviceFile]:
    """The devices of the contexts, each SVD once, with the documents the settings give them."""
    from datasheet_lsp.svd import SvdError
    from datasheet_lsp.workspace.globs import expand_documents

    found: dict[tuple[str, str | None], DeviceFile] = {}
    for context in contexts:
        device = None
        svd = None
        if context.svd is not None:
            svd = FoundFile(context.svd, key_of(context.svd, root))
            try:
                device = load_device(context.svd, context.member, index)
            except SvdError as error:
                on_event(ProblemFound(svd.key, str(error)))
                svd = None
        name = device.name if device is not None else context.device or context.name
        names = tuple(dict.fromkeys(n for n in (name, context.device, context.name) if n))
        documents = set(context.documents)
        for called, patterns in settings.documents.devices.items():
            if called in names:
                for files in expand_documents(patterns, root).values():
                    documents.update(files)
        key = (svd.key if svd is not None else name, context.member)
        identity = ""
        if device is not None and context.svd is not None:
            identity = device_key(device.sha256, context.svd.name, context.member)
        old = found.get(key)
        found[key] = DeviceFile(
            name=name,
            names=tuple(dict.fromkeys((*(old.names if old else ()), *names))),
            documents=frozenset(documents | (old.documents if old else set())),
            folders=(*(old.folders if old else ()), *context.code),
            device=device,
            svd=svd,
            member=context.member,
            identity=identity.replace("\n", " "),
        )
    return list(found.values())


def _key(path: Path | None, root: Path) -> str:
    return key_of(path, root) if path is not None else ""
