"""A language model's answer as it comes: checked by sentences, marked, cut where it loops."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from datasheet_lsp.answer.known import words_in
from datasheet_lsp.answer.marks import harmless, printable, sentences
from datasheet_lsp.answer.types import Piece
from datasheet_lsp.answer.verify import Checker

_RISKY = re.compile(
    r"[0-9`_|\[(<>]|[A-Z]{2}|->|\b[A-Z]\w*\.[A-Z]|\b[Pp]assage|\b[Ss]ource|\b[Cc]hunk|\b[Rr]ef"
)
_CITED = re.compile(r"\[(\d{1,2}(?:\s*[,;]\s*\d{1,2})*)\]")
_OTHER_FORMS = re.compile(
    r"\[?\(?\b(?:passage|source|chunk|ref(?:erence)?)\s*(?:n\s*=\s*)?#?\s*\"?(\d{1,2})\"?\)?\]?",
    re.IGNORECASE,
)
_ECHO = re.compile(r"</?(?:passage|plan|question)\b[^>\n]*>?", re.IGNORECASE)
_PERIODS = range(4, 160)
_REPEATS = 3
_SAME = 3
_SAME_SHAPE = 8
_LEAST_SHARED = 3
_SHORTEST = 12
_LONG = 24


class Composed(msgspec.Struct):
    """The text with marks, as it was said, and notes on what was mended."""

    text: str
    raw: str
    notes: list[str]
    usable: bool


class Composer:
    """Takes in pieces of text and gives out what can be shown."""

    def __init__(
        self, checker: Checker, pieces: Sequence[Piece], show: Callable[[str], None]
    ) -> None:
        self.checker = checker
        self.pieces = {piece.number: piece for piece in pieces}
        self.show = show
        self.raw = ""
        self.text = ""
        """What was shown."""
        self._clean: list[str] = []
        self.notes: list[str] = []
        self._held = ""
        self._shown = 0
        self._lines: dict[str, int] = {}
        self._shapes: dict[str, int] = {}
        self._stopped = False
        self._words = {piece.number: words_in(piece.text) for piece in pieces}
        self._cited = 0
        self._wrong: set[int] = set()

    def run(self, tokens: Iterator[str]) -> Composed:
        """All of ``tokens``. What they raise is passed on; the iterator is closed in any case."""
        try:
            for token in map(printable, tokens):
                self.raw += token
                self._held += token
                if self._loops():
                    self._repeated()
                    break
                if not self._flush(final=False):
                    break
        finally:
            close = getattr(tokens, "close", None)
            if close is not None:
                close()
        self._flush(final=True)
        text = closed(without_repeats("".join(self._clean)).strip())
        usable = len(re.sub(r"\W", "", text)) >= _SHORTEST and bool(re.search(r"[a-z]{2}", text))
        if self._stopped and self.pieces and not re.search(r"\[\d{1,2}\]", text):
            usable = False  # a text that goes round and leans on nothing helps nobody
        if self._wrong:
            said = ", ".join(f"[{n}]" for n in sorted(self._wrong))
            self._note(f"the model cited {said}, which there is not")
        if usable and not self._cited and self.pieces:
            self._note("the model cited nothing")
        return Composed(text, self.raw, self.notes, usable)

    def _repeated(self) -> None:
        self._stopped = True
        self._note("the model repeated itself and was stopped")

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def _loops(self) -> bool:
        tail = self.raw[-_REPEATS * _PERIODS.stop :]
        if len(tail) < _REPEATS * 20:
            return False
        for period in _PERIODS:
            if period * _REPEATS > len(tail):
                return False
            last = tail[-period:]
            repeats = _REPEATS if period >= 20 else max(_REPEATS, 60 // period)
            if last.strip() and tail.endswith(last * repeats):
                self._held = self._held[: max(0, len(self._held) - period * (repeats - 1))]
                return True
        return False

    def _flush(self, final: bool) -> bool:
        """Show the sentences that are whole; False where the same was said too often."""
        parts = list(sentences(self._held))
        whole = parts if final else [part for part in parts[:-1]]
        if not final and parts and parts[-1][1]:
            # What ends in white space may yet go on with a citation.
            whole = parts[:-1]
        for sentence, gap in whole:
            if not self._sentence(sentence, gap):
                self._held = ""
                return False
        rest = parts[len(whole) :]
        self._held = "".join(sentence + gap for sentence, gap in rest)
        if not final and self._held and not _RISKY.search(self._held):
            # Nothing in it can be wrong by a number: it is shown at once, up to the last word.
            safe = self._held.rfind(" ", 0, len(self._held)) + 1
            self._emit(self._held[self._shown : safe])
            self._shown = max(self._shown, safe)
        return True

    def _sentence(self, sentence: str, gap: str) -> bool:
        shown, self._shown = self._shown, 0
        key = re.sub(r"^\W*\d*\W*", "", sentence).strip().lower()
        if len(key) > _SHORTEST:
            self._lines[key] = self._lines.get(key, 0) + 1
            shape = re.sub(r"\d+", "#", key)
            self._shapes[shape] = self._shapes.get(shape, 0) + 1
            if self._lines[key] >= _SAME or self._shapes[shape] >= _SAME_SHAPE:
                self._repeated()
                return False
        clean = self._citations(harmless(_ECHO.sub("", sentence)))
        marked = self.checker.feed(clean)
        if marked[:shown] != sentence[:shown]:
            shown = _common(marked, sentence[:shown])
        self._clean.append(marked + gap)
        self._emit(marked[shown:] + gap)
        self.checker.feed(gap)
        return True

    def _emit(self, text: str) -> None:
        if text:
            self.text += text
            self.show(text)

    def _citations(self, sentence: str) -> str:
        """The sentence with its citations in one form; those that there are not taken out."""
        sentence = _OTHER_FORMS.sub(lambda match: f"[{match[1]}]", sentence)

        def mended(match: re.Match[str]) -> str:
            numbers = [int(n) for n in re.findall(r"\d+", match[1])]
            before = sentence[: match.start()]
            if re.search(r"\w$", before) and len(numbers) == 1 and numbers[0] not in self.pieces:
                return match[0]  # an index of an array
            self._wrong.update(n for n in numbers if n not in self.pieces)
            known = [n for n in numbers if n in self.pieces]
            self._cited += len(known)
            return "".join(f"[{n}]" for n in known)

        sentence = _CITED.sub(mended, sentence)
        if not re.search(r"\[\d{1,2}\]", sentence):
            number = self._source(sentence)
            if number:
                end = re.search(r"\s*[.:;]?\s*$", sentence)
                at = end.start() if end is not None else len(sentence)
                sentence = f"{sentence[:at]} [{number}]{sentence[at:]}"
        return sentence

    def _source(self, sentence: str) -> int:
        """The passage that has most of a sentence's words, 0 where none has enough of them."""
        if sentence.lstrip().startswith(("|", "```", "#")):
            return 0
        said = words_in(sentence)
        if len(said) < _LEAST_SHARED:
            return 0
        best, shared = 0, 0.0
        for number, known in self._words.items():
            both = said & known
            score = len(both) / len(said)
            if len(both) >= _LEAST_SHARED and score > max(shared, 0.6):
                best, shared = number, score
        return best


def closed(text: str) -> str:
    """``text`` with its last block of code ended, so that what follows is text again."""
    fences = re.findall(r"^\s*(```+|~~~+)", text, re.MULTILINE)
    return f"{text}\n{fences[-1]}" if len(fences) % 2 else text


def without_repeats(text: str) -> str:
    """``text`` with each long sentence once, and without the begin of one at its end."""
    kept: list[str] = []
    seen: set[str] = set()
    for sentence, gap in sentences(text):
        key = re.sub(r"\W+", " ", sentence).strip().lower()
        if len(key) > _LONG and key in seen and not sentence.lstrip().startswith("|"):
            if kept:
                kept[-1] = kept[-1].rstrip(" ")
            kept.append("\n" if "\n" in gap else "")
            continue
        seen.add(key)
        kept.append(sentence + gap)
    last = kept[-1].strip() if kept else ""
    begin = re.sub(r"\W+", " ", last).strip().lower()
    if last and not re.search(r"[.!?:|`)\]✓]$", last):
        if any(key != begin and key.startswith(begin) for key in seen):
            kept.pop()
    return re.sub(r"\n{3,}", "\n\n", "".join(kept))


def _common(a: str, b: str) -> int:
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n


def cited_in(text: str) -> list[int]:
    """The numbers of the passages that a text cites, in their order."""
    found: dict[int, None] = {}
    for match in _CITED.finditer(text):
        if not re.search(r"\w$", text[: match.start()]):
            found.update({int(n): None for n in re.findall(r"\d+", match[1])})
    return list(found)
