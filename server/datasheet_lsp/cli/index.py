"""``datasheet-lsp index``: brings manuals and devices into the index of the workspace."""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.indexing.events import Event, RunFinished

DESCRIPTION = """Reads the documents of this folder's project, and those named, into its index.
What is there and has not changed is not read again. Ctrl-C ends it; the next run goes on from
there. A PATH is a document, a folder of documents, or the folder of another project; documents
named stay in the index wherever they lie."""

_INTERRUPTED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The documents and the form of what is told."""
    parser.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="documents or folders (default: .)"
    )
    parser.add_argument(
        "--again", action="store_true", help="read everything anew, also what has not changed"
    )
    parser.add_argument("--json", action="store_true", help="a line of JSON for each event")
    parser.add_argument(
        "--questions",
        action="store_true",
        help="let the language model write what each passage answers, to be searched too (slow)",
    )
    parser.add_argument(
        "--svd", type=Path, metavar="FILE", help="use this SVD file, whatever the workspace says"
    )


def run(arguments: argparse.Namespace) -> int:
    """Does the run; 1 when it stopped, or when nothing of what was named could be read."""
    for path in (*arguments.paths, *([arguments.svd] if arguments.svd else [])):
        if not path.exists():
            raise CliError(f"{path} is not there.")
    root, paths = workspace_of(arguments.paths)
    from datasheet_lsp.cli.progress import show
    from datasheet_lsp.indexing.job import Job
    from datasheet_lsp.indexing.workspace import run_job
    from datasheet_lsp.workspace.settings import read_settings

    settings, _ = read_settings(root)
    if not settings.index.enabled:
        raise CliError(f"the index of {root} is switched off: index.enabled in datasheet.toml.")
    job = Job(
        root=str(root),
        index=str(root / Path(settings.index.path).expanduser()),
        svd=tuple(str(path.absolute()) for path in [arguments.svd] if path is not None),
        paths=tuple(str(path.absolute()) for path in paths),
        again=arguments.again,
        questions=arguments.questions,
    )
    with show(arguments.json) as shown, _interruptible() as interrupted:
        telling = _Telling(shown)
        finished = telling.end(run_job(job, telling, interrupted), root)
    if finished.cancelled:
        return _INTERRUPTED
    done = finished.indexed + finished.unchanged
    failed = bool(finished.stopped) or (finished.failed > 0 and not done)
    return int(failed or any(telling.about(path) for path in paths))


class _Telling:
    """Hands on the events of a run, at its end with what it left out.

    A run says nothing of a file that it knows and that has not changed, be it unreadable.
    """

    def __init__(self, shown: Callable[[Event], None]) -> None:
        self._shown = shown
        self._failed: set[Path] = set()
        self._told: set[str] = set()

    def __call__(self, event: Event) -> None:
        from datasheet_lsp.indexing.events import ProblemFound, RunFinished

        if isinstance(event, RunFinished):
            return
        if isinstance(event, ProblemFound):
            self._told.add(event.path)
        self._shown(event)

    def end(self, finished: RunFinished, root: Path) -> RunFinished:
        """Tells of files known to be unreadable, then of the end; the run with them counted."""
        from msgspec.structs import replace

        from datasheet_lsp.cli.library import Library
        from datasheet_lsp.indexing.events import ProblemFound

        left_out = 0
        with Library(root) as library:
            for document in library.documents:
                if document.state != "failed":
                    continue
                self._failed.update((library.root / name).resolve() for name in document.files)
                if self._told.isdisjoint(document.files):
                    left_out += 1
                    self._shown(ProblemFound(document.files[0], document.problem))
        finished = replace(
            finished,
            failed=finished.failed + left_out,
            unchanged=max(0, finished.unchanged - left_out),
        )
        self._shown(finished)
        return finished

    def about(self, path: Path) -> bool:
        """Whether a file, or one in a folder, could not be read."""
        real = path.resolve()
        return any(file.is_relative_to(real) for file in self._failed)


def workspace_of(paths: Sequence[Path]) -> tuple[Path, list[Path]]:
    """The workspace that ``paths`` go into, and those of them that are further documents.

    It is the current folder's, or a project that is itself named.
    """
    from datasheet_lsp.assist.root import project_roots
    from datasheet_lsp.cli.chip import load_workspace, roots_of

    if len(paths) == 1 and paths[0].is_dir():
        folder = Path(os.path.abspath(paths[0]))
        here = Path.cwd()
        inside = folder != here and folder.is_relative_to(here)
        for root, sure in project_roots(folder / "x")[:1]:
            if root == folder and (sure or not inside):
                return folder, []
        if folder == here:
            paths = []
    session = load_workspace(Path())
    roots = roots_of(Path())
    if session.contexts and session.root is not None:
        return session.root, list(paths)
    return next((root for root, sure in roots if sure), roots[0][0]), list(paths)


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """Ctrl-C asks for an end within the block; a second one ends at once."""
    asked = False

    def ask(number: int, frame: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)
