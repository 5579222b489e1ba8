"""The report on the passages of answers, and on what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from datasheet_lsp.render.style import Style


def passages_text(report: Mapping[str, Any], style: Style) -> str:
    """Tables of the ways to find passages side by side, then of refusals; "" without either."""
    blocks: list[str] = []
    answers = report.get("answers")
    if answers and answers["ways"]:
        kinds = list(dict.fromkeys(kind for way in answers["ways"] for kind in way["kinds"]))
        head = ["Passages by"]
        for kind in kinds:
            head += [kind, "groups met", "six at most"]
        rows = [_row(way, kinds, style) for way in answers["ways"]]
        title = f"Passages for an answer, within {answers['budget']:,} tokens"
        blocks += [style.strong(title), style.table(head, rows)]
    refusals = report.get("refusals")
    if refusals and refusals["unanswerable"]["of"]:
        lines = [
            _refused("without an answer", refusals["unanswerable"]),
            _refused("with an answer", refusals["answerable"]),
        ]
        blocks += [style.strong("Refused"), style.lines(*lines)]
        said = [f"{each['id']} ({each['reason']})" for each in refusals["wrongly_refused"]]
        missed = [each["id"] for each in refusals["not_refused"]]
        blocks.append(
            style.lines(
                style.text(f"wrongly refused: {', '.join(said)}") if said else "",
                style.text(f"not refused: {', '.join(missed)}") if missed else "",
            )
        )
    return style.blocks(*blocks)


def _row(way: Mapping[str, Any], kinds: list[str], style: Style) -> list[str]:
    cells = [style.text(way["way"])]
    for kind in kinds:
        figures = way["kinds"].get(kind)
        if figures is None:
            cells += ["", "", ""]
            continue
        cells += [
            f"{figures['passed']} of {figures['of']} ({100 * figures['rate']:.0f} %)",
            f"{100 * figures['groups']:.0f} %",
            f"{100 * figures['strict']:.0f} %",
        ]
    return cells


def _refused(what: str, figures: Mapping[str, Any]) -> str:
    return (
        f"{what}: {figures['refused']} of {figures['of']} questions ({100 * figures['rate']:.1f} %)"
    )
