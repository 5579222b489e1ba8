"""From the pieces a model gives to text that can be shown, as it comes."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

THINK = ("<think>", "</think>")
"""Around what some models say to themselves before they answer; it is no part of the answer."""

_LOOP_UNIT = 160
"""Characters of the longest piece of text that is taken for a loop when it comes again."""

_LOOP_TIMES = 4
_LOOP_LENGTH = 240
"""A loop is at least so many characters long."""


class TextStream:
    """Takes bytes or text piece by piece and gives text that will not change any more.

    Cut characters wait for their rest, beginnings of a stop string for their end. ``ended`` is
    set when one was met: what comes after it is dropped.
    """

    def __init__(self, stop: Sequence[str] = (), *, thinking: bool = False) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._stop = [each for each in stop if each]
        self._held = ""
        self._thinking: bool | None = True if thinking else None  # None: it may yet begin to
        self._started = False
        self._tail = ""
        self.ended = False

    def feed(self, piece: bytes | str) -> str:
        """What can be shown after this piece."""
        return self._take(self._decoder.decode(piece) if isinstance(piece, bytes) else piece, False)

    def finish(self) -> str:
        """What was held back, when nothing more will come."""
        return self._take(self._decoder.decode(b"", True), True)

    @property
    def loops(self) -> bool:
        """Whether the end of the text says one thing over and over."""
        tail = self._tail
        for unit in range(1, min(_LOOP_UNIT, len(tail) // _LOOP_TIMES) + 1):
            length = max(_LOOP_LENGTH, unit * _LOOP_TIMES)
            if len(tail) >= length and tail[-length:-unit] == tail[-length + unit :]:
                return True
        return False

    def _take(self, text: str, last: bool) -> str:
        if self.ended:
            return ""
        self._held += text
        if self._thinking is not False and not self._past_thoughts(last):
            return ""
        shown, self._held = self._cut(self._held, last)
        if not self._started:
            shown = shown.lstrip()
            self._started = bool(shown)
        self._tail = (self._tail + shown)[-_LOOP_UNIT * _LOOP_TIMES :]
        return shown

    def _past_thoughts(self, last: bool) -> bool:
        begin, end = THINK
        if self._thinking is None:
            start = self._held.lstrip()
            if start.startswith(begin):
                self._thinking = True
            elif begin.startswith(start) and not last:
                return False
            else:
                self._thinking = False
                return True
        place = self._held.find(end)
        if place < 0:
            self._held = "" if last else self._held[1 - len(end) :]
            return False
        self._thinking = False
        self._held = self._held[place + len(end) :]
        return True

    def _cut(self, text: str, last: bool) -> tuple[str, str]:
        """What can be shown of the text, and what must wait."""
        places = [place for each in self._stop if (place := text.find(each)) >= 0]
        if places:
            self.ended = True
            return text[: min(places)], ""
        if last:
            return text, ""
        wait = 0
        for each in self._stop:
            for length in range(min(len(each) - 1, len(text)), wait, -1):
                if text.endswith(each[:length]):
                    wait = length
                    break
        return text[: len(text) - wait], text[len(text) - wait :]
