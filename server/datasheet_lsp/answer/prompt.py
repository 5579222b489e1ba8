"""What a language model is given: instructions, the plan, passages as quoted data, the question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasheet_lsp.answer.plan.model import Plan
from datasheet_lsp.answer.settings import AnswerSettings
from datasheet_lsp.answer.types import Count, Piece, Turn
from datasheet_lsp.render import words
from datasheet_lsp.render.hits import titled

_TAG = re.compile(r"<(?=/?\s*(?:passage|plan|question)\b)", re.IGNORECASE)
_CONTROL = re.compile(
    r"<[|｜][^|｜>\n]{0,40}[|｜]>|\[/?(?:INST|SYSTEM_PROMPT)\]|<</?SYS>>|</?s>"
    r"|<(?:start|end)_of_turn>|<bos>|<eos>|</?think>",
    re.IGNORECASE,
)
_MOST_STEPS = 14
_MARGIN = 200
_VERBOSITY = {
    "concise": "Answer in at most five short lines.",
    "normal": "Answer in short numbered steps.",
    "detailed": "Answer step by step, with the reason for each.",
}
_CITATIONS = {
    "numbers": "Cite as [1], the number of the passage.",
    "pages": "Cite as [1] and name the page of the passage.",
}
AGAIN = "Read the question again:"


def as_data(text: str) -> str:
    """``text`` that can end no quotation and starts no turn of a conversation."""
    text = _CONTROL.sub(lambda match: match[0].replace("<", "‹").replace("[", "("), text)
    return _TAG.sub("‹", text)


def place_of(piece: Piece) -> str:
    """Where a passage stands, in a line: "UM10800, p. 41: SYSCON > Clock control"."""
    path = " > ".join(piece.heading_path[-3:])
    if piece.format == "svd":
        return f"{piece.file.replace(chr(92), '/').rpartition('/')[2]}: {path}"
    page = f", p. {piece.first_label or piece.first_page}" if piece.first_page else ""
    return f"{titled(piece.title, piece.revision)}{page}: {path}"


def quoted(piece: Piece) -> str:
    """A passage as it stands in the prompt."""
    place = as_data(place_of(piece)).replace('"', "'")
    return f'<passage n="{piece.number}" from="{place}">\n{as_data(piece.text)}\n</passage>'


def plan_text(plan: Plan | None) -> str:
    """The plan in a few lines, "" without one. Its numbers are those of the device."""
    if plan is None or not plan.steps:
        return ""
    lines = []
    for step in plan.by_weight()[:_MOST_STEPS]:
        name = f"{step.register}.{step.field}" if step.field else step.register
        where = words.c_address(step.address)
        if step.bits is not None and step.field:
            high, low = step.bits
            bits = f"bit {low}" if high == low else f"bits {high}:{low}"
            where = f"{bits}, {where}"
        lines.append(f"- {name} ({where}): {as_data(step.why)}")
    return "\n".join(["<plan>", *lines, "</plan>"])


def system_text(settings: AnswerSettings) -> str:
    """The instructions."""
    parts = [settings.preamble, _VERBOSITY[settings.verbosity], _CITATIONS[settings.citation_style]]
    if settings.tone and settings.tone != "plain":
        parts.append(f"Write in a {settings.tone} tone.")
    if settings.language:
        parts.append(f"Answer in {settings.language}.")
    return " ".join(parts)


def messages_for(
    question: str,
    pieces: Sequence[Piece],
    plan: Plan | None,
    settings: AnswerSettings,
    history: Sequence[Turn],
    count: Count,
    context: int,
) -> tuple[list[tuple[str, str]], list[Piece], list[str]]:
    """The messages, the passages that are in them, and notes on what did not fit.

    Passages are left out from the end until ``context`` tokens hold them and the answer. The
    tokens are those of another tokenizer, so some room is left.
    """
    system = system_text(settings)
    earlier = told(history, settings.history, count)
    planned = plan_text(plan)
    asked = f"<question>{as_data(question)}</question>"
    if settings.reread:
        asked = f"{asked}\n{AGAIN} {as_data(question)}"
    fixed = sum(map(count, (system, planned, asked, *(text for _, text in earlier))))
    room = int((context - settings.max_tokens - _MARGIN) / 1.2) - fixed
    kept: list[Piece] = []
    blocks: list[str] = []
    for piece in pieces:
        block = quoted(piece)
        room -= count(block)
        if room < 0:
            break
        kept.append(piece)
        blocks.append(block)
    notes = []
    if len(kept) < len(pieces):
        left = len(pieces) - len(kept)
        notes.append(f"{words.plural(left, 'passage')} left out: the model's context is full")
    body = "\n\n".join([*blocks, *([planned] if planned else []), asked])
    return [("system", system), *earlier, ("user", body)], kept, notes


def told(history: Sequence[Turn], budget: int, count: Count) -> list[tuple[str, str]]:
    """The last turns that fit, the ones before told in a line each."""
    turns: list[tuple[str, str]] = []
    used = 0
    rest: list[Turn] = []
    for number in range(len(history) - 1, -1, -1):
        turn = history[number]
        text = as_data(plain_of(turn.text))
        cost = count(turn.question) + count(text)
        if used + cost > budget:
            rest = list(history[: number + 1])
            break
        used += cost
        turns = [("user", as_data(turn.question)), ("assistant", text), *turns]
    summary = [
        f"- {as_data(turn.question)}: {shortened(as_data(plain_of(turn.text)))}" for turn in rest
    ]
    while summary and used + sum(map(count, summary)) > budget:
        summary.pop(0)
    if summary:
        said = "\n".join(["Asked before:", *summary])
        turns = [("user", said), ("assistant", "Yes."), *turns]
    return turns


def plain_of(text: str) -> str:
    """An answer without its list of sources and without marks."""
    text = text.partition("\n\n[1] ")[0]
    return re.sub(r"~~[^~]*~~ ?|✓ ?| \(unchecked\)", "", text).strip()


def shortened(text: str, letters: int = 160) -> str:
    """The begin of a text in one line."""
    line = " ".join(text.split())
    return line if len(line) <= letters else f"{line[:letters].rpartition(' ')[0]} ..."
