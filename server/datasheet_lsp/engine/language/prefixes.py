"""What of earlier prompts llama.cpp still knows, so that it is not read again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

KEPT_TOKENS = 1024
"""So many tokens of beginnings are kept beside the context."""

SLOTS = 3
"""So many beginnings are kept."""

_WORTH = 32
"""Shorter ones are read again as fast."""

_WORK = 0
"""The sequence that is worked on. The others hold beginnings; their cells are shared with it."""


class Prefixes:
    """The sequences in llama.cpp's memory.

    The instructions before a question are the same again and again, but those for splitting it
    and those for answering it take turns. So the beginnings of the last few prompts are kept,
    besides the sequence in work.
    """

    def __init__(self, functions: Any, memory: Any, keeps: bool) -> None:
        self._functions = functions
        self._memory = memory
        self._keeps = keeps
        self._kept: dict[int, list[int]] = {}  # by sequence, the longest unused first
        self.current: list[int] = []

    def reuse(self, tokens: Sequence[int]) -> int:
        """Make the work hold what is known of these tokens, all but the last; how many that is."""
        most = len(tokens) - 1
        best, length = _WORK, min(common(self.current, tokens), most)
        for slot, kept in self._kept.items():
            known = min(common(kept, tokens), most)
            if known > length:
                best, length = slot, known
        if best != _WORK:
            self._kept[best] = self._kept.pop(best)
            self._functions.llama_memory_seq_rm(self._memory, _WORK, -1, -1)
            self._functions.llama_memory_seq_cp(self._memory, best, _WORK, -1, -1)
            self.current = list(self._kept[best])
        self.cut(length)
        return len(self.current)

    def cut(self, length: int) -> None:
        """Leave this many tokens in the work; none where llama.cpp cannot cut."""
        removed = self._functions.llama_memory_seq_rm(self._memory, _WORK, length, -1)
        del self.current[length:]
        last = self._functions.llama_memory_seq_pos_max(self._memory, _WORK)
        if not removed or last != len(self.current) - 1:
            self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._functions.llama_memory_clear(self._memory, True)
        self._kept.clear()
        self.current.clear()

    def keep(self, length: int) -> None:
        """Keep the first tokens of the work as a beginning."""
        length = min(length, len(self.current), KEPT_TOKENS)
        if not self._keeps or length < _WORTH:
            return
        head = self.current[:length]
        for slot, kept in self._kept.items():
            if kept[:length] == head:
                self._kept[slot] = self._kept.pop(slot)
                return
        while self._kept and (
            len(self._kept) >= SLOTS or sum(map(len, self._kept.values())) + length > KEPT_TOKENS
        ):
            oldest = next(iter(self._kept))
            self._functions.llama_memory_seq_rm(self._memory, oldest, -1, -1)
            del self._kept[oldest]
        slot = next(each for each in range(1, SLOTS + 1) if each not in self._kept)
        self._functions.llama_memory_seq_cp(self._memory, _WORK, slot, 0, length)
        self._kept[slot] = head


def common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens two sequences have in common at their beginning."""
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return place
    return min(len(one), len(other))
