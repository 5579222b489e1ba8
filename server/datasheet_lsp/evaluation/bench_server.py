"""The server as an editor meets it: how soon it answers, how fast, how much memory it takes."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from datasheet_lsp.evaluation.process import cpu_so_far, resident
from datasheet_lsp.evaluation.rpc import Client
from datasheet_lsp.evaluation.tables import table
from datasheet_lsp.evaluation.workload import Place, Workload, from_device, from_project


class Target(msgspec.Struct, frozen=True):
    """A figure's name in the report, what it is, its unit and the most it may be."""

    key: str
    what: str
    unit: str
    most: float | None


TARGETS = (
    Target("cold_start", "start to first hover, no index", "ms", 2000),
    Target("warm_start", "start to first hover, from the index", "ms", 1000),
    Target("cold_cpu", "CPU time up to there, no index", "ms", None),
    Target("warm_cpu", "CPU time up to there, from the index", "ms", None),
    Target("device_read", "of which reading the device", "ms", 50),
    Target("hover_p50", "hover, median", "ms", 5),
    Target("hover_p95", "hover, 95 of 100", "ms", 20),
    Target("hover_max", "hover, longest", "ms", None),
    Target("edited_p50", "hover after an edit, median", "ms", 5),
    Target("edited_p95", "hover after an edit, 95 of 100", "ms", 20),
    Target("busy_p50", "hover while indexing, median", "ms", 5),
    Target("busy_p95", "hover while indexing, 95 of 100", "ms", 20),
    Target("busy_max", "hover while indexing, longest", "ms", None),
    Target("memory", "memory of the server", "MB", 120),
    Target("exit_asked", "end after shutdown and exit", "ms", 2000),
    Target("exit_input", "end after its input is closed", "ms", 2000),
)

PAUSE = 0.01
"""Seconds between two hovers while an index run goes on."""

# Reads every SVD given and puts its device into the index, round and round.
_INDEXER = """
import sys
from pathlib import Path
from datasheet_lsp.index import Index
from datasheet_lsp.svd import load_svd
from datasheet_lsp.svd.cores import add_core
turn = 0
with Index(Path(sys.argv[1])) as index:
    while True:
        for path in sys.argv[2:]:
            index.put_device(f"bench {turn % 8}", add_core(load_svd(Path(path))))
            turn += 1
            print(turn, flush=True)
"""

# Reads each SVD by way of the index; the last line is the time it took in milliseconds.
_READER = """
import sys, time
from pathlib import Path
from datasheet_lsp.index import Index, load_device
start = time.perf_counter()
with Index(Path(sys.argv[1])) as index:
    for path in sys.argv[2:]:
        load_device(Path(path), index=index)
    took = time.perf_counter() - start
print(took * 1000)
"""


class Figure(msgspec.Struct, frozen=True):
    """A measured value beside its target; ``value`` None where it could not be measured."""

    key: str
    what: str
    unit: str
    value: float | None
    most: float | None

    @property
    def met(self) -> bool | None:
        """Whether the target is reached; None where there is none or no value."""
        if self.value is None or self.most is None:
            return None
        return self.value <= self.most


class Report(msgspec.Struct, frozen=True):
    """All figures, on what they were measured, and how many hovers found nothing to show."""

    project: str
    svd: tuple[str, ...]
    files: int
    places: int
    hovers: int
    silent: int
    indexed_meanwhile: int
    figures: tuple[Figure, ...]


Say = Callable[[str], None]


def bench_server(
    *,
    project: Path | None,
    svd: Path | None,
    files: int,
    hovers: int,
    starts: int = 5,
    say: Say = lambda line: None,
) -> Report:
    """Measure the server on a copy of ``project``, or on a project made from ``svd``.

    ``files`` C files are open and ``hovers`` asked in each state; ``starts`` cold and warm starts
    give the medians. Raises ValueError or SvdError for a project that cannot be used, ServerGone
    where the server fails.
    """
    with tempfile.TemporaryDirectory(prefix="datasheet-lsp-bench-") as folder:
        root = Path(folder).resolve() / "firmware"
        if svd is not None:
            from datasheet_lsp.index import load_device

            work = from_device(root, svd, load_device(svd), files)
        elif project is not None:
            work = from_project(root, project, files)
        else:
            raise ValueError("a project or an SVD file is needed")
        if not work.places:
            raise ValueError("no register in the project's C files to hover over")
        bench = _Bench(work, hovers, starts, say)
        bench.run()
        say("")
        figures = tuple(
            Figure(target.key, target.what, target.unit, bench.values.get(target.key), target.most)
            for target in TARGETS
        )
        return Report(
            str(project or svd),
            tuple(path.name for path in bench.svds),
            len(work.files),
            len(work.places),
            bench.asked,
            bench.silent,
            bench.indexed,
            figures,
        )


class _Bench:
    """One measurement. ``values`` are milliseconds and megabytes by the targets' keys."""

    def __init__(self, work: Workload, hovers: int, starts: int, say: Say) -> None:
        self.work = work
        self.hovers = hovers
        self.starts = starts
        self.say = say
        self.values: dict[str, float | None] = {}
        self.asked = self.silent = self.indexed = 0
        self.index = work.root / ".datasheet" / "index.sqlite"
        self.svds = sorted(work.root.rglob("*.svd"))
        self._choose = random.Random(1)

    def run(self) -> None:
        """All of it, one after another."""
        self.say("starts")
        self._start()  # fills the caches of the system and of Python, not counted
        cold = []
        for _ in range(self.starts):
            shutil.rmtree(self.index.parent, ignore_errors=True)
            cold.append(self._start())
        warm = [self._start() for _ in range(self.starts)]
        for name, starts in (("cold", cold), ("warm", warm)):
            self.values[f"{name}_start"] = statistics.median(took for took, _ in starts)
            used = [cpu for _, cpu in starts if cpu is not None]
            self.values[f"{name}_cpu"] = statistics.median(used) if used else None
        if self.svds and self.index.exists():
            self.values["device_read"] = statistics.median(
                self._read_device() for _ in range(self.starts)
            )
        with self._server() as client:
            self._open_all(client)
            self._first_hover(client)
            self.say(f"{self.hovers} hovers, {len(self.work.files)} files open")
            self._summarise("hover", [self._hover(client) for _ in range(self.hovers)])
            memory = resident(client.process.pid)
            self.values["memory"] = None if memory is None else memory / (1 << 20)
            self.say("after edits")
            self._summarise("edited", self._edited(client))
            self.say("while an index run goes on")
            with self._indexing():
                self._summarise("busy", self._spaced(client))
            self.values["exit_asked"] = self._exit_asked(client)
        with self._server() as client:
            self._first_hover(client)
            client.close_input()
            self.values["exit_input"] = _until_ended(client)

    def _summarise(self, name: str, times: list[float]) -> None:
        times.sort()
        self.values[f"{name}_p50"] = statistics.median(times)
        self.values[f"{name}_p95"] = times[min(len(times) - 1, len(times) * 95 // 100)]
        self.values[f"{name}_max"] = times[-1]

    def _server(self) -> Client:
        client = Client(server_command(), cwd=self.work.root, env=None)
        uri = self.work.root.as_uri()
        client.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": uri,
                "workspaceFolders": [{"uri": uri, "name": "firmware"}],
                "capabilities": {
                    "general": {"positionEncodings": ["utf-8", "utf-16"]},
                    "textDocument": {"hover": {"contentFormat": ["markdown"]}},
                    "workspace": {"configuration": True, "workspaceFolders": True},
                },
            },
        )
        client.notify("initialized", {})
        return client

    def _start(self) -> tuple[float, float | None]:
        """Milliseconds from the start of the process to the first hover with an answer.

        The first number on the clock, the second in CPU time, which a busy machine changes little.
        """
        with self._server() as client:
            took = self._first_hover(client)
            cpu = cpu_so_far(client.process.pid)
            self._exit_asked(client)
            return took, None if cpu is None else cpu * 1000

    def _first_hover(self, client: Client) -> float:
        place = self.work.places[0]
        _open(client, place.path, 0)
        end = client.started + 60
        while time.perf_counter() < end:
            if client.request("textDocument/hover", _at(place)) is not None:
                return (time.perf_counter() - client.started) * 1000
            time.sleep(0.002)
        raise ValueError(
            f"the server shows nothing at {place.path.relative_to(self.work.root)}:"
            f"{place.line + 1}:{place.character + 1}"
        )

    def _open_all(self, client: Client) -> None:
        for path in self.work.files:
            if path != self.work.places[0].path:
                _open(client, path, 0)

    def _hover(self, client: Client) -> float:
        place = self._choose.choice(self.work.places)
        start = time.perf_counter()
        found = client.request("textDocument/hover", _at(place))
        took = (time.perf_counter() - start) * 1000
        self.asked += 1
        self.silent += found is None
        return took

    def _spaced(self, client: Client) -> list[float]:
        """Hovers with pauses, so that they are spread over much of what goes on meanwhile."""
        times = []
        for _ in range(self.hovers):
            times.append(self._hover(client))
            time.sleep(PAUSE)
        return times

    def _edited(self, client: Client) -> list[float]:
        """Hovers each of which comes right after a change of its file."""
        times = []
        for version in range(1, max(2, self.hovers // 5) + 1):
            place = self._choose.choice(self.work.places)
            text = place.path.read_text(encoding="utf-8") + f"/* edit {version} */\n"
            start = time.perf_counter()
            client.notify(
                "textDocument/didChange",
                {
                    "textDocument": {"uri": place.path.as_uri(), "version": version},
                    "contentChanges": [{"text": text}],
                },
            )
            found = client.request("textDocument/hover", _at(place))
            times.append((time.perf_counter() - start) * 1000)
            self.asked += 1
            self.silent += found is None
        return times

    def _read_device(self) -> float:
        command = [sys.executable, "-c", _READER, str(self.index), *map(str, self.svds)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return float(done.stdout.split()[-1])

    @contextlib.contextmanager
    def _indexing(self) -> Iterator[None]:
        """Another process fills the same index while this goes on."""
        if not self.svds:
            yield
            return
        with subprocess.Popen(
            [sys.executable, "-c", _INDEXER, str(self.index), *map(str, self.svds)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        ) as child:
            assert child.stdout is not None
            child.stdout.readline()  # it is at work from here on
            try:
                yield
            finally:
                child.kill()
                self.indexed = len(child.stdout.read().splitlines())

    def _exit_asked(self, client: Client) -> float:
        start = time.perf_counter()
        client.request("shutdown", None)
        client.notify("exit", None)
        return _until_ended(client, start)


def server_command() -> list[str]:
    """How this Python's ``datasheet-lsp serve`` is started: by its script where there is one."""
    script = Path(sys.executable).with_name("datasheet-lsp")
    if script.exists():
        return [str(script), "serve"]
    program = "import sys; from datasheet_lsp.cli.main import main; sys.exit(main(sys.argv[1:]))"
    return [sys.executable, "-c", program, "serve"]


def _open(client: Client, path: Path, version: int) -> None:
    client.notify(
        "textDocument/didOpen",
        {
            "textDocument": {
                "uri": path.as_uri(),
                "languageId": "c",
                "version": version,
                "text": path.read_bytes().decode("utf-8", "replace"),
            }
        },
    )


def _at(place: Place) -> dict[str, Any]:
    return {
        "textDocument": {"uri": place.path.as_uri()},
        "position": {"line": place.line, "character": place.character},
    }


def _until_ended(client: Client, start: float | None = None) -> float:
    """Milliseconds until the process has ended; 10,000 where it had to be ended."""
    begun = time.perf_counter() if start is None else start
    try:
        client.process.wait(10)
    except subprocess.TimeoutExpired:
        return 10_000.0
    return (time.perf_counter() - begun) * 1000


def show(report: Report) -> str:
    """The report as text."""
    rows = []
    for figure in report.figures:
        met = {True: "ok", False: "MISSED", None: ""}[figure.met]
        rows.append(
            [
                figure.what,
                "-" if figure.value is None else f"{figure.value:.1f}",
                figure.unit,
                "" if figure.most is None else f"<= {figure.most:g}",
                met,
            ]
        )
    notes = [
        f"{report.project}: {report.files} files open, {report.places} register accesses in them,"
        f" SVD {', '.join(report.svd) or 'none'}",
        "",
        table(("what", "measured", "", "target", ""), rows),
        "",
        f"{report.hovers} hovers, {report.silent} of them without an answer;"
        f" {report.indexed_meanwhile} devices indexed meanwhile",
    ]
    return "\n".join(notes)
