"""What a process uses: CPU time, memory."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

_LAUNCHER = Path(__file__).with_name("launcher.py")
_PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
_KEPT = 20_000
"""Characters of the output that are kept."""


class Usage(msgspec.Struct, frozen=True):
    """What one run of a program took.

    ``cpu`` is user and system time and ``wall`` the time on the clock, in seconds; ``peak`` the
    largest resident set in bytes. ``exit`` is the exit status, negative for a signal, None where
    the program was ended for taking too long.
    """

    exit: int | None
    cpu: float
    wall: float
    peak: int
    stdout: str
    stderr: str

    @property
    def failure(self) -> str | None:
        """Why the run counts for nothing, in a few words, or None."""
        if self.exit == 0:
            return None
        if self.exit is None:
            return "took too long"
        lines = [line for line in self.stderr.splitlines() if line.strip()]
        return lines[-1].strip() if lines else f"exit status {self.exit}"


def can_measure() -> bool:
    """Whether this system tells what a child process used."""
    return hasattr(os, "posix_spawn") and hasattr(os, "wait4")


def measure(command: Sequence[str], *, seconds: float = 120) -> Usage:
    """Run ``command`` (a full path first) to its end, for at most ``seconds``.

    Only its own use is counted, its children's where it waited for them. Raises OSError where the
    program cannot be started.
    """
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        # -I -S: a bare interpreter, about 8 MB.
        launch = [sys.executable, "-I", "-S", str(_LAUNCHER), str(out), str(err), *command]
        start = time.perf_counter()
        with subprocess.Popen(
            launch,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            text=True,
        ) as launcher:
            try:
                said, problem = launcher.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                os.killpg(launcher.pid, signal.SIGKILL)
                launcher.communicate()
                took = time.perf_counter() - start
                return Usage(None, took, took, 0, _text(out), _text(err))
        took = time.perf_counter() - start
        if launcher.returncode != 0:
            raise OSError(f"{command[0]} cannot be started: {problem.strip().splitlines()[-1]}")
        status, user, system, peak = said.split()
        return Usage(
            int(status),
            float(user) + float(system),
            took,
            int(peak) * _PEAK_UNIT,
            _text(out),
            _text(err),
        )


def resident(pid: int) -> int | None:
    """The bytes of memory the process has resident now, None where that cannot be told."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    found = _ask_psutil(pid, "memory_info")
    return None if found is None else int(found.rss)


def cpu_so_far(pid: int) -> float | None:
    """The CPU seconds the process has used by now, None where that cannot be told."""
    try:
        # The second field is a name in brackets that may hold blanks and brackets.
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        pass
    found = _ask_psutil(pid, "cpu_times")
    return None if found is None else float(found.user + found.system)


def _ask_psutil(pid: int, what: str) -> Any:
    try:
        # Not among the dependencies: where there is no /proc it may be here or not.
        psutil = importlib.import_module("psutil")
    except ImportError:
        return None
    try:
        return getattr(psutil.Process(pid), what)()
    except psutil.Error:
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")[-_KEPT:]
    except OSError:
        return ""
