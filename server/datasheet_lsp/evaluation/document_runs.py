"""Reading documents in processes of their own: this package and others, with what it took."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from datasheet_lsp.evaluation.process import Usage, measure

_PEER_PAGES = Path(__file__).with_name("peer_pages.py")
_READER = "datasheet_lsp.evaluation.read_documents"
PEERS = ("pdfplumber", "pymupdf", "pymupdf4llm")
_HOURS = 4 * 3600.0


class ReadOne(msgspec.Struct, frozen=True, gc=False):
    """A document that was read: its pages, and the CPU seconds with those of the page reader."""

    file: str
    pages: int
    cpu: float


class ReadRun(msgspec.Struct, frozen=True, gc=False):
    """All documents read by one process. ``cpu`` is that of the whole process, seconds.

    ``peak`` is the largest resident set of the process and of its largest child together, bytes.
    """

    documents: tuple[ReadOne, ...]
    cpu: float
    wall: float
    peak: int
    failure: str | None = None

    @property
    def pages(self) -> int:
        """All pages read."""
        return sum(one.pages for one in self.documents)

    @property
    def rate(self) -> float | None:
        """Pages a second of CPU time."""
        return self.pages / self.cpu if self.cpu and self.pages else None


class PeerRun(msgspec.Struct, frozen=True, gc=False):
    """Another tool on some pages of a file. ``cpu`` is that of the reading, seconds.

    ``pages`` are as ``peer_pages.py`` writes them.
    """

    peer: str
    version: str
    cpu: float
    pages: tuple[dict[str, Any], ...]
    failure: str | None = None


def read_all(
    jobs: Sequence[tuple[Path, Path | None]], folder: Path, *, keep: bool = True
) -> ReadRun:
    """Read documents (each with the SVD its names are matched with) in one process.

    With ``keep`` each is left in ``folder`` as ``STEM.msgpack``.
    """
    listed = [(str(path.absolute()), str(svd.absolute()) if svd else None) for path, svd in jobs]
    job = folder / "jobs.json"
    job.write_text(json.dumps([str(folder) if keep else None, listed]), encoding="utf-8")
    command = [str(Path(sys.executable).absolute()), "-m", _READER, str(job)]
    usage = measure(command, seconds=_HOURS)
    return _read_run(usage)


def _read_run(usage: Usage) -> ReadRun:
    documents: list[ReadOne] = []
    peak = usage.peak
    for line in usage.stdout.splitlines():
        values = json.loads(line)
        if len(values) == 3:
            documents.append(ReadOne(*values))
        else:
            peak = sum(values)
    return ReadRun(tuple(documents), usage.cpu, usage.wall, peak, usage.failure)


def read_by_peer(peer: str, python: Path, path: Path, pages: Sequence[int], out: Path) -> PeerRun:
    """Have another tool read pages of a file. ``python`` is the interpreter that has it.

    Raises OSError where that cannot be started.
    """
    numbers = ",".join(map(str, pages))
    command = [str(python.absolute()), str(_PEER_PAGES), peer, str(path.absolute()), str(out)]
    usage = measure([*command, numbers], seconds=_HOURS)
    if usage.failure is not None:
        return PeerRun(peer, "", 0.0, (), usage.failure)
    found = json.loads(out.read_text(encoding="utf-8"))
    return PeerRun(peer, found["version"], found["seconds"], tuple(found["pages"]))
