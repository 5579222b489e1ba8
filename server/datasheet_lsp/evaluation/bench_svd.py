"""Reading SVD files: this package beside other parsers, each in a process of its own."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from datasheet_lsp.evaluation.process import Usage, measure
from datasheet_lsp.evaluation.tables import megabytes, table

OURS = "datasheet-lsp"

# Each reads the file argv[1] as far as the parser goes and prints how many peripherals, registers
# and fields it has.
_PROGRAMS = {
    OURS: """
import sys
from pathlib import Path
from datasheet_lsp.svd import load_svd
device = load_svd(Path(sys.argv[1]))
registers = fields = 0
for peripheral in device.peripherals:
    registers += len(peripheral.block.registers)
    for register in peripheral.block.registers:
        fields += len(register.fields)
print(len(device.peripherals), registers, fields)
""",
    "cmsis-svd": """
import sys
from cmsis_svd.parser import SVDParser
device = SVDParser.for_xml_file(sys.argv[1]).get_device()
registers = fields = 0
for peripheral in device.get_peripherals():
    for register in peripheral.get_registers():
        registers += 1
        fields += len(register.get_fields())
print(len(device.get_peripherals()), registers, fields)
""",
    "svdsuite": """
import sys
from svdsuite.process import Process
device = Process.from_svd_file(sys.argv[1]).get_processed_device()
registers = fields = 0
def walk(items):
    global registers, fields
    for item in items:
        if hasattr(item, "fields"):
            registers += 1
            fields += len(item.fields)
        else:
            walk(item.registers_clusters)
for peripheral in device.peripherals:
    walk(peripheral.registers_clusters)
print(len(device.peripherals), registers, fields)
""",
    "svd2py": """
import sys
from svd2py import SvdParser
device = SvdParser().convert(sys.argv[1])["device"]
print(len(device["peripherals"]["peripheral"]), 0, 0)
""",
}

_PROBE = """
import sys
from importlib.metadata import version
print(version(sys.argv[1]), sys.version.split()[0])
"""


class Target(msgspec.Struct, frozen=True):
    """The largest ratio to a peer that is good enough."""

    peer: str
    cpu: float
    peak: float


TARGETS = {
    target.peer: target
    for target in (
        Target("cmsis-svd", 0.5, 1.0),
        Target("svdsuite", 0.5, 1.0),
        Target("svd2py", 1.0, 1.0),
    )
}


class Median(msgspec.Struct, frozen=True):
    """One parser on one file. ``cpu`` in seconds, ``peak`` in bytes; medians of the good runs."""

    parser: str
    version: str
    python: str
    runs: int
    cpu: float | None
    peak: int | None
    peripherals: int | None
    registers: int | None
    fields: int | None
    failure: str | None
    cpu_ratio: float | None = None
    peak_ratio: float | None = None


class FileResult(msgspec.Struct, frozen=True):
    """One file: its size in bytes and each parser's figures."""

    file: str
    size: int
    parsers: tuple[Median, ...]


class Report(msgspec.Struct, frozen=True):
    """``compared`` is the file with the ratios, ``files`` the whole folder, one run each.

    A ratio is this package's figure divided by the parser's: below 1 is better. ``missing`` names
    the parsers that the other Python does not have.
    """

    compared: FileResult | None
    files: tuple[FileResult, ...]
    missing: tuple[str, ...]
    targets: tuple[Target, ...] = tuple(TARGETS.values())


Say = Callable[[str], None]


def bench_svd(
    files: Sequence[Path],
    *,
    compared: Path | None,
    peers: Path | None,
    runs: int,
    say: Say = lambda line: None,
) -> Report:
    """Measure reading ``files`` and, ``runs`` times, ``compared``.

    ``peers`` is the Python that has the other parsers, or None for this package alone. ``say``
    gets a line of progress now and then. Raises OSError where ``peers`` cannot be started.
    """
    pythons = {OURS: Path(sys.executable)}
    versions = {OURS: (_own_version(), sys.version.split()[0])}
    missing = []
    if peers is not None:
        for name in TARGETS:
            found = measure([_program(peers), "-c", _PROBE, name])
            if found.failure is None:
                pythons[name] = peers
                version, python = found.stdout.split()
                versions[name] = (version, python)
            else:
                missing.append(name)

    def read(path: Path, times: int, warm: bool) -> FileResult:
        usages: dict[str, list[Usage]] = {name: [] for name in pythons}
        # In turns, so that what else the machine does meets all alike; the first round only
        # fills the caches.
        for turn in range(-1 if warm else 0, times):
            for name, interpreter in pythons.items():
                command = [_program(interpreter), "-c", _PROGRAMS[name], str(path)]
                usage = measure(command)
                if turn >= 0:
                    usages[name].append(usage)
        return _result(path, usages, versions)

    together = None
    if compared is not None:
        say(f"{compared.name}: {runs} runs of {len(pythons)} parsers")
        together = read(compared, runs, warm=True)
    rest = []
    for path in files:
        say(path.name)
        rest.append(read(path, 1, warm=False))
    say("")
    return Report(together, tuple(rest), tuple(missing))


def _program(python: Path) -> str:
    # Not resolved: the link in a virtual environment is what makes it one.
    return str(python.absolute())


def _own_version() -> str:
    from datasheet_lsp import __version__

    return __version__


def _result(
    path: Path, usages: dict[str, list[Usage]], versions: dict[str, tuple[str, str]]
) -> FileResult:
    ours: Median | None = None
    medians = []
    for name, runs in usages.items():
        one = _median(name, *versions[name], runs)
        if ours is None:
            ours = one
        elif ours.cpu and one.cpu and ours.peak and one.peak:
            one = msgspec.structs.replace(
                one, cpu_ratio=ours.cpu / one.cpu, peak_ratio=ours.peak / one.peak
            )
        medians.append(one)
    return FileResult(path.name, path.stat().st_size, tuple(medians))


def _median(parser: str, version: str, python: str, runs: Sequence[Usage]) -> Median:
    good = [run for run in runs if run.failure is None]
    if not good:
        failure = runs[0].failure if runs else "not run"
        return Median(parser, version, python, 0, None, None, None, None, None, failure)
    counts = [int(word) for word in good[0].stdout.split()[-3:]]
    peripherals, registers, fields = counts
    return Median(
        parser,
        version,
        python,
        len(good),
        statistics.median(run.cpu for run in good),
        int(statistics.median(run.peak for run in good)),
        peripherals,
        registers or None,
        fields or None,
        None,
    )


def show(report: Report) -> str:
    """The report as text."""
    parts = []
    if report.compared is not None:
        parts.append(_show_compared(report.compared))
    if report.files:
        parts.append(_show_files(report.files))
    if report.missing:
        names = ", ".join(report.missing)
        parts.append(f"Not installed in the other Python, so not compared: {names}.")
    return "\n\n".join(parts)


def _show_compared(result: FileResult) -> str:
    rows = []
    for one in result.parsers:
        row = [f"{one.parser} {one.version}", one.python]
        if one.cpu is None:
            rows.append([*row, "-", "", "", "-", "", "", one.failure or ""])
            continue
        target = TARGETS.get(one.parser)
        row.append(f"{one.cpu:.3f}")
        row.extend(_ratio(one.cpu_ratio, target.cpu if target else None))
        row.append(megabytes(one.peak))
        row.extend(_ratio(one.peak_ratio, target.peak if target else None))
        row.append(f"{one.registers} registers, {one.fields} fields" if one.registers else "")
        rows.append(row)
    headings = (
        "parser",
        "Python",
        "CPU s",
        "ratio",
        "target",
        "peak MB",
        "ratio",
        "target",
        "read",
    )
    runs = max(one.runs for one in result.parsers)
    of = f"median of {runs} runs" if runs > 1 else "one run"
    return (
        f"{result.file}, {megabytes(result.size)} MB, whole process, {of};"
        f" ratio = {OURS} / parser\n\n{table(headings, rows)}"
    )


def _ratio(ratio: float | None, target: float | None) -> list[str]:
    if ratio is None or target is None:
        return ["", ""]
    return [f"{ratio:.2f}", f"<= {target:.2f} {'ok' if ratio <= target else 'MISSED'}"]


def _show_files(files: Sequence[FileResult]) -> str:
    names = [one.parser for one in files[0].parsers]
    headings = ["file", "MB", "peak MB", "registers", "fields", *(f"{name} s" for name in names)]
    rows = []
    failures: list[str] = []
    for result in files:
        ours = result.parsers[0]
        cells = [f"{one.cpu:.3f}" if one.cpu is not None else "failed" for one in result.parsers]
        failures.extend(
            f"{result.file}: {one.parser}: {one.failure}"
            for one in result.parsers
            if one.failure is not None
        )
        rows.append(
            [
                result.file,
                megabytes(result.size),
                megabytes(ours.peak),
                str(ours.registers or "-"),
                str(ours.fields or "-"),
                *cells,
            ]
        )
    failed = sum(result.parsers[0].failure is not None for result in files)
    text = (
        f"{len(files)} files, CPU seconds of one run each; {failed} not read by {OURS}\n\n"
        f"{table(headings, rows)}"
    )
    return "\n".join([text, "", *failures]) if failures else text
