"""The report of an evaluation of the search, as markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from datasheet_lsp.render.passages import passages_text
from datasheet_lsp.render.style import Markdown, Style


def retrieval_text(report: Mapping[str, Any], style: Style | None = None) -> str:
    """Tables of the pass rates by kind, mode and manual, the ablation, then each failure."""
    style = style or Markdown()
    if "kinds" not in report:
        return _registers(report["registers"], style)
    head = ("Kind", "Mode", "Passed", "Rate", "95% interval", "MRR", "Groups met", "Six at most")
    blocks = [style.table(head, list(_rows(report["kinds"], style)))]
    for manual, kinds in report["manuals"].items():
        blocks += [style.strong(manual), style.table(head, list(_rows(kinds, style)))]
    wrong = [
        f"{mode}: {figures['wrong']} of {figures['of']} hits among the first three are of other "
        f"devices ({_percent(figures['rate'])})"
        for mode, figures in report["wrong_device"].items()
    ]
    blocks.append(style.lines(*map(style.text, wrong)))
    if "ablation" in report:
        blocks += [style.strong("What each part brings"), _ablation(report["ablation"], style)]
    if "registers" in report:
        blocks.append(_registers(report["registers"], style))
    blocks.append(passages_text(report, style))
    if report["failures"]:
        blocks.append(style.strong("What was missed, and what came instead"))
        blocks += [_failure(each, style) for each in report["failures"]]
    return style.blocks(*blocks)


def _registers(figures: Mapping[str, Any], style: Style) -> str:
    """What came of questions made from SVD files."""
    head = f"{figures['passed']} of {figures['of']} questions made from the SVD files were right"
    missed = [
        style.text(f"- {each['device']}: {each['question']} ({each['right']})")
        for each in figures["missed"]
    ]
    return style.lines(style.text(f"{head}."), *missed)


def _rows(kinds: Mapping[str, Any], style: Style) -> Iterable[list[str]]:
    for kind, modes in kinds.items():
        by_mode = modes if all(isinstance(each, Mapping) for each in modes.values()) else {}
        for mode, figures in by_mode.items():
            yield [
                style.text(kind),
                style.text(mode),
                f"{figures['passed']} of {figures['of']}",
                _percent(figures["rate"]),
                f"{_percent(figures['low'])} to {_percent(figures['high'])}",
                f"{figures['mrr']:.2f}",
                _percent(figures["groups"]),
                _percent(figures["strict"]),
            ]


def _ablation(rows: Iterable[Mapping[str, Any]], style: Style) -> str:
    rows = list(rows)
    kinds = list(rows[0]["kinds"]) if rows else []
    lines = []
    for row in rows:
        cells = [style.text(row["part"])]
        for kind in kinds:
            figures = row["kinds"][kind]
            cells.append(f"{figures['passed']} of {figures['of']} (MRR {figures['mrr']:.2f})")
        lines.append(cells)
    return style.table(("Search", *kinds), lines)


def _failure(each: Mapping[str, Any], style: Style) -> str:
    head = f"{each['id']} ({each['mode']}, {each['met']} groups): {each['question']}"
    return style.lines(style.text(head), *(style.text(f"- {got}") for got in each["got"]))


def _percent(value: float) -> str:
    return f"{100 * value:.0f}%"
