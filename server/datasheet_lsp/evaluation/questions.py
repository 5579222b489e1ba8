"""Question sets: reading them, and whether passages have the evidence that a question asks for.

One JSON object a line: id, kind, device, question, evidence, answer_contains. Evidence is a list
of groups, each met by any of its sources: a page of a document with words on it, or a register of
an SVD file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

QuestionKind = Literal["register", "cross-reference", "cross-peripheral", "goal", "unanswerable"]

FEW: tuple[QuestionKind, ...] = ("register", "cross-reference")
"""The kinds that are answered by few passages."""


class Source(msgspec.Struct, frozen=True):
    """A place that has the evidence: ``document`` with ``pages``, or ``svd`` with ``register``."""

    document: str = ""
    pages: tuple[int, ...] = ()
    contains: tuple[str, ...] = ()
    svd: str = ""
    register: str = ""


class Group(msgspec.Struct, frozen=True):
    """Evidence of which any one source is enough."""

    what: str
    any_of: tuple[Source, ...]


class Question(msgspec.Struct, frozen=True):
    """A question with the evidence that its answer needs."""

    id: str
    kind: QuestionKind
    device: str
    question: str
    evidence: tuple[Group, ...] = ()
    answer_contains: tuple[str, ...] = ()


class Passage(msgspec.Struct, frozen=True):
    """What was handed over. ``file`` is a name without folders; ``symbols`` name SVD registers."""

    file: str
    first_page: int
    last_page: int
    text: str
    tokens: int
    symbols: tuple[str, ...] = ()
    label: str = ""


class QuestionError(Exception):
    """A question set that cannot be read; the text is one sentence with the line."""


def read_questions(paths: Iterable[Path]) -> list[Question]:
    """The questions of the files, in order. Raises QuestionError."""
    found: list[Question] = []
    seen: set[str] = set()
    for path in paths:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise QuestionError(f"{path} cannot be read: {error}.") from error
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                question = msgspec.json.decode(line, type=Question)
            except msgspec.MsgspecError as error:
                raise QuestionError(f"{path}, line {number}: {error}.") from error
            if question.id in seen:
                raise QuestionError(f"{path}, line {number}: the id {question.id} stands twice.")
            seen.add(question.id)
            found.append(question)
    return found


def plain(text: str) -> str:
    """``text`` as it is compared: no table markup, each run of white space one space, small."""
    text = re.sub(r"\|[-:\s|]*(?=\||$)", " ", text, flags=re.MULTILINE)
    return re.sub(r"\s+", " ", text.replace("|", " ")).casefold()


def meets(passage: Passage, source: Source) -> bool:
    """Whether a passage is the evidence that ``source`` describes."""
    if source.svd:
        return passage.file == source.svd and _has_register(passage, source.register)
    if passage.file != source.document:
        return False
    if not any(passage.first_page <= page <= passage.last_page for page in source.pages):
        return False
    text = plain(passage.text)
    return all(plain(words).strip() in text for words in source.contains)


def _has_register(passage: Passage, register: str) -> bool:
    wanted = _element(register)
    return any(_element(symbol) == wanted for symbol in passage.symbols if "." in symbol)


def _element(name: str) -> str:
    """A register's name without the place of an array element that is left open."""
    return re.sub(r"\[[^\]]*\]|%s", "", name)


def groups_met(passages: Sequence[Passage], question: Question) -> list[bool]:
    """For each group of the question whether the passages meet it."""
    return [
        any(meets(passage, source) for passage in passages for source in group.any_of)
        for group in question.evidence
    ]


def first_rank(passages: Sequence[Passage], question: Question) -> int | None:
    """The 1-based rank of the first passage that meets any group, None where none does."""
    for rank, passage in enumerate(passages, 1):
        if any(meets(passage, s) for group in question.evidence for s in group.any_of):
            return rank
    return None
