"""The log of questions as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from datasheet_lsp.render.escape import cut
from datasheet_lsp.render.style import Style

_QUERY = 48
_PLACE = 44


class Passage(Protocol):
    """A hit of a kept question."""

    @property
    def file(self) -> str:
        """The document's file."""

    @property
    def page(self) -> int:
        """Physical page, 0 where there is none."""


class Question(Protocol):
    """A kept question."""

    @property
    def time(self) -> str:
        """UTC, ISO 8601."""

    @property
    def query(self) -> str:
        """What was asked."""

    @property
    def device(self) -> str | None:
        """The device it was searched for."""

    @property
    def mode(self) -> str:
        """By what."""

    @property
    def chunks(self) -> Sequence[Passage]:
        """What was found."""

    @property
    def seconds(self) -> Mapping[str, float]:
        """How long it took."""


def log_text(questions: Sequence[Question], style: Style) -> str:
    """A row for each question, the newest last."""
    rows = []
    for each in questions:
        taken = each.seconds.get("all")
        rows.append(
            [
                each.time[:19].replace("T", " "),
                style.text(each.device or "any"),
                each.mode,
                str(len(each.chunks)),
                f"{1000 * taken:,.0f} ms" if taken is not None else "",
                style.text(cut(each.query, _QUERY)),
                style.text(_best(each)),
            ]
        )
    return style.table(["Time (UTC)", "Device", "Mode", "Hits", "Took", "Question", "Best"], rows)


def _best(question: Question) -> str:
    if not question.chunks:
        return ""
    best = question.chunks[0]
    name = best.file.replace("\\", "/").rpartition("/")[2]
    return cut(f"{name}, p. {best.page}" if best.page else name, _PLACE)
