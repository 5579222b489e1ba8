"""What a plan says besides its steps, and what it leaves open."""

from __future__ import annotations

import re

from datasheet_lsp.answer.plan.model import Plan
from datasheet_lsp.render.escape import escape

_FIRST_CHANNEL = (
    "Which channel or stream of the DMA serves it is not said in the documents at hand: the one "
    "shown is the first that fits."
)


def said_besides(plan: Plan | None, question: str) -> str:
    """The notes of a plan, and whether its DMA channel is named by nothing but a rule."""
    if plan is None or not plan.steps:
        return ""
    notes = [f"{escape(note)}." for note in plan.notes]
    kinds = ("register", "irq", "dma")
    channels = [s for s in plan.steps if s.kind in kinds and s.target.upper().startswith("DMA")]
    named = re.search(r"\b(?:stream|channel|ch)\s*\d", question, re.IGNORECASE)
    if channels and not named and not any("DMA" in note for note in plan.notes):
        notes.append(_FIRST_CHANNEL)
    return " ".join(notes)
