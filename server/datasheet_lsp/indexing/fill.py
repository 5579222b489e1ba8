"""Going through what lacks something, one document after another: it may end anywhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

from datasheet_lsp.engine.embedder import Interrupted
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.index import StoredDocument


class Stop(Exception):
    """It cannot go on; the text says why."""


class Fill:
    """One fill: ``done`` of ``of`` have what they need, ``linked`` by what was known before.

    ``working`` seconds went to the model.
    """

    def __init__(self, cancelled: Callable[[], bool]) -> None:
        self.cancelled = cancelled
        self.begin = time.monotonic()
        self.working = 0.0
        self.linked = 0
        self.done = 0
        self.of = 0

    def go(self, devices: Collection[str]) -> None:
        """Raises Interrupted, Stop or EngineError where it ends before its time."""
        raise NotImplementedError

    def run(self, devices: Collection[str]) -> dict[str, Any]:
        """Goes through all of it: the fields of ``Filled``."""
        cancelled, stopped = False, ""
        try:
            self.go(devices)
        except Interrupted:
            cancelled = True
        except (Stop, EngineError) as error:
            stopped = str(error)
        return {
            "done": self.done,
            "of": self.of,
            "linked": self.linked,
            "seconds": self.seconds,
            "cancelled": cancelled,
            "stopped": stopped,
        }

    @property
    def seconds(self) -> float:
        """Since it began."""
        return round(time.monotonic() - self.begin, 3)

    def rate(self, made: int) -> float:
        """How many of the ``made`` the model made a second, 0 at first."""
        return made / self.working if self.working else 0.0


def in_order(documents: Sequence[StoredDocument], devices: Collection[str]) -> list[StoredDocument]:
    """The documents of the devices in use first, of each part the small ones first."""

    def place(document: StoredDocument) -> tuple[bool, int, int]:
        in_use = any(each.device in devices for each in document.devices)
        return not in_use, document.chunks, document.id

    return sorted(documents, key=place)
