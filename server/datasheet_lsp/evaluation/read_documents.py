"""Run as a program of its own: reads documents, one after the other, and tells what each took.

``-m datasheet_lsp.evaluation.read_documents JOBS``: JOBS is a JSON file with the folder the
documents are left in (or null) and a list of [path, SVD file or null]. Prints a line of JSON for
each document (name, pages, CPU seconds with those of the page reader) and one with the largest
resident set of this process and of its largest child, in bytes.
"""

from __future__ import annotations

import glob
import json
import os
import re
import resource
import sys
import threading
import time
from pathlib import Path

import msgspec

from datasheet_lsp.documents.read import read_document
from datasheet_lsp.documents.structure import DeviceNames
from datasheet_lsp.svd import load_svd

_UNIT = 1 if sys.platform == "darwin" else 1024


class ChildPeak(threading.Thread):
    """Looks at the children now and then.

    The system's own figure for children begins with the size of the process that started them, so
    each child's peak is read while it lives.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = 0

    def run(self) -> None:
        """Looks until the program ends."""
        while True:
            for file in glob.glob("/proc/self/task/*/children"):
                try:
                    pids = Path(file).read_text().split()
                except OSError:
                    continue
                self.peak = max([self.peak, *map(peak, pids)])
            time.sleep(0.1)


def peak(pid: str) -> int:
    """The largest resident set of a process so far in bytes, 0 where that cannot be told."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s*(\d+)", status)
    return int(found[1]) * 1024 if found else 0


def used() -> float:
    """CPU seconds of this process and of the children that ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> None:
    """Read what the jobs say."""
    folder, jobs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    children = ChildPeak()
    children.start()
    for path, svd in jobs:
        names = DeviceNames(load_svd(Path(svd))) if svd else None
        start = used()
        document = read_document(Path(path), names=names)
        took = used() - start
        if folder:
            name = Path(path).stem + ".msgpack"
            Path(folder, name).write_bytes(msgspec.msgpack.encode(document))
        print(json.dumps([Path(path).name, document.pages, round(took, 3)]), flush=True)
    own = peak("self") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT
    child = children.peak or resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * _UNIT
    print(json.dumps([own, child]))


if __name__ == "__main__":
    main()
