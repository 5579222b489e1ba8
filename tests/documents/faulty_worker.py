"""The reader's process with faults: what FAULTS says happens on its pages.

FAULTS is a list such as ``hang:3 die:5 noise:1``; page 0 stands for opening the file.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from datasheet_lsp.documents.pdf import worker
from datasheet_lsp.documents.pdf.reader import PdfFile

FAULTS = {int(page): what for what, page in (f.split(":") for f in os.environ["FAULTS"].split())}


def fail(page: int) -> None:
    what = FAULTS.get(page)
    if what == "hang":
        time.sleep(600)
    elif what == "spin":
        # Keeps the interpreter to itself, as a C library that hangs does.
        sys.setswitchinterval(600)
        while True:
            pass
    elif what == "die":
        os._exit(3)
    elif what == "abort":
        os.abort()
    elif what == "raise":
        raise MemoryError
    elif what == "noise":
        print("noise on the output")
        os.write(1, b"noise below Python")
        os.write(2, b"noise on the errors")


class FaultyPdf(PdfFile):
    def __init__(self, *args: Any) -> None:
        fail(0)
        super().__init__(*args)

    def page(self, number: int) -> Any:
        fail(number)
        return super().page(number)


if __name__ == "__main__":
    worker.PdfFile = FaultyPdf  # type: ignore[misc]
    worker.main()
