"""What a search found, as text: where each passage stands first, then what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from datasheet_lsp.render import words
from datasheet_lsp.render.documents import pages_text
from datasheet_lsp.render.style import Style

_SHOWN = 6
_LETTERS = 480


def results_text(
    results: Mapping[str, Any], style: Style, *, explain: bool = False, lift: str = ""
) -> str:
    """The hits of ``results``, in the form of the JSON of a search, best first.

    ``lift`` is what the user writes to search all documents.
    """
    hits: Sequence[Mapping[str, Any]] = results["hits"]
    blocks = [style.text(scope_line(results["scope"], lift))]
    blocks += [_understood(results, style)] if explain else []
    blocks += [style.text(f"{note[0].upper()}{note[1:]}.") for note in results["notes"]]
    if not hits:
        blocks.append("nothing was found")
    for number, hit in enumerate(hits, 1):
        blocks.append(_hit(number, hit, style, explain))
    return style.blocks(*blocks)


def scope_line(scope: Mapping[str, Any], lift: str = "") -> str:
    """Which documents were searched and how to search all; "" where it was all."""
    if scope["device"] is None:
        return ""
    why = f" ({scope['why']})" if scope["why"] else ""
    some = f"{scope['documents']:,} of {words.plural(scope['of'], 'document')}"
    more = f"; {lift} searches all" if lift else ""
    return f"Searched for {scope['device']}{why}: {some}{more}."


def _understood(results: Mapping[str, Any], style: Style) -> str:
    said = {
        "device": results["device"] or "any",
        "kind": results["kind"],
        "registers": ", ".join(results["registers"]),
        "peripherals": ", ".join(results["peripherals"]),
        "read as": ", ".join(f"{a} -> {b}" for a, b in results["corrected"].items()),
        "also": ", ".join(results["also"]),
        "seconds": f"{results['seconds']:.3f}",
    }
    return style.lines(*(style.text(f"{name}: {text}") for name, text in said.items() if text))


def _hit(number: int, hit: Mapping[str, Any], style: Style, explain: bool) -> str:
    place = [titled(hit["title"], hit["revision"])]
    if hit["page"]:
        first, last = hit["labels"][0], hit["labels"][-1]
        place.append(pages_text(hit["page"], hit["last_page"], first, last))
    head = style.strong(f"{number}. {' > '.join(hit['heading_path'])}")
    scores = ""
    if explain:
        parts = ", ".join(f"{name} {value:.3g}" for name, value in hit["scores"].items())
        scores = style.text(f"score {hit['score']:.3f}: {parts}; {hit['tokens']} tokens")
    text = excerpt(hit["text"])
    return style.blocks(
        style.lines(head, style.text(", ".join(place)), scores),
        style.lines(*map(style.text, text.splitlines())),
    )


def titled(title: str, revision: str) -> str:
    """The name of a document with its revision, where it has one."""
    return " ".join(part for part in (title, revision) if part)


def excerpt(text: str, lines: int = _SHOWN, letters: int = _LETTERS) -> str:
    """The first lines of a passage, with an ellipsis where there is more."""
    kept: list[str] = []
    left = letters
    all_lines = [line.strip() for line in text.splitlines() if line.strip(" |-")]
    for line in all_lines:
        if len(kept) == lines or left <= 0:
            break
        kept.append(line if len(line) <= left else f"{line[:left].rstrip()} ...")
        left -= len(line)
    if len(kept) < len(all_lines) and not (kept and kept[-1].endswith("...")):
        kept.append("...")
    return "\n".join(kept)
