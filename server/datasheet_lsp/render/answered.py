"""How an answer came about: what was searched for, read, checked, and given to the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from datasheet_lsp.render.style import Style


def answered_text(answer: Any, style: Style) -> str:
    """All steps of an answer, a struct as ``ask --json`` prints it."""
    queries = [f"{q.text} ({q.origin})" for q in answer.sub_queries]
    hops = [f"{h.text}, round {h.round}: passage {h.passage}, {h.because}" for h in answer.hops]
    blocks = [
        style.lines(
            f"route: {answer.route}",
            f"device: {style.text(answer.device or 'any')}",
            f"asked as: {style.text(answer.asked)}" if answer.asked else "",
            f"model: {style.text(answer.model or 'none')}",
            "seconds: " + ", ".join(f"{k} {v:.3f}" for k, v in answer.timings.items()),
        ),
        _listed("searched for", queries, style),
        _listed("followed", hops, style),
        _listed("passages", [_passage(p) for p in answer.chunks], style),
        _listed("checked", [_claim(c) for c in answer.claims], style),
    ]
    for role, text in answer.prompt:
        blocks.append(style.blocks(style.strong(f"prompt, {role}"), _whole(text, style)))
    return style.blocks(*blocks)


def _listed(title: str, items: Sequence[str], style: Style) -> str:
    if not items:
        return ""
    return style.lines(style.strong(title), *(f"- {style.text(item)}" for item in items))


def _passage(piece: Any) -> str:
    page = f" p. {piece.first_page}" if piece.first_page else ""
    share = f", {piece.provenance:.2f} of the answer" if piece.provenance is not None else ""
    path = " > ".join(piece.heading_path[-2:])
    by = f"{piece.origin}: {piece.query}" if piece.query else piece.origin
    return f"[{piece.number}] {piece.title}{page}: {path} ({piece.tokens} tokens, {by}{share})"


def _claim(claim: Any) -> str:
    right = f", right: {claim.right_value}" if claim.right_value else ""
    subject = f" of {claim.subject}" if claim.subject else ""
    return f"{claim.text} ({claim.kind}{subject}): {claim.verdict}{right}"


def _whole(text: str, style: Style) -> str:
    return "\n".join(style.text(line) if line.strip() else "" for line in text.splitlines())
