"""Documents, their tables and chunks, and the course of an index run, worded for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from datasheet_lsp.model.document import Chunk, Table
from datasheet_lsp.render import words
from datasheet_lsp.render.escape import cut, escape, one_line
from datasheet_lsp.render.progress import problem_line, time_left
from datasheet_lsp.render.style import MARKDOWN, Style

_TITLE = 36
_MOST_NAMED = 3


def name_of(document: Mapping[str, Any]) -> str:
    """A document as people call it: title and revision, its file's name without a title."""
    name = one_line(document["title"]) or file_name(document)
    revision = one_line(document["revision"])
    return f"{name} {revision}" if revision and revision not in name else name


def file_name(document: Mapping[str, Any]) -> str:
    """The name of the document's file, without folders."""
    return one_line(str(document["file"]).replace("\\", "/").rpartition("/")[2])


def documents_text(documents: Sequence[Mapping[str, Any]], style: Style) -> str:
    """A row for each document, then what is wrong with each, in sentences.

    ``documents`` are those of ``documents --json``.
    """
    rows = []
    for document in documents:
        known = document["id"] is not None
        rows.append(
            [
                str(document["id"]) if known else "",
                style.text(_devices(document)),
                style.text(cut(document["title"], _TITLE)),
                style.text(cut(document["revision"], 12)),
                f"{document['pages']:,}" if known and document["pages"] else "",
                f"{document['chunks']:,}" if known else "",
                style.text(document["state"]),
                str(len(problems_of(document)) or ""),
                style.text(document["file"]),
            ]
        )
    header = ["Id", "Device", "Title", "Revision", "Pages", "Chunks", "State", "Problems", "File"]
    said = [
        style.text(problem_line(document["file"], problem))
        for document in documents
        for problem in problems_of(document)
    ]
    said += [style.text(line) for line in undecided_lines(documents)]
    return style.blocks(style.table(header, rows), style.lines(*said))


def _devices(document: Mapping[str, Any]) -> str:
    names = [device["device"] for device in document["devices"]]
    if not names:
        return "undecided" if document["undecided"] and not document["problem"] else ""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def problems_of(document: Mapping[str, Any]) -> list[str]:
    """What is wrong with a document, in sentences."""
    said = [document["problem"]] if document["problem"] else []
    return said + [trouble["message"] for trouble in document["troubles"]]


def undecided_lines(documents: Sequence[Mapping[str, Any]]) -> list[str]:
    """Which documents belong to no device, a line for each reason."""
    reasons: dict[str, list[str]] = {}
    for document in documents:
        if document["undecided"] and not document["problem"]:
            reasons.setdefault(document["undecided"], []).append(file_name(document))
    lines = []
    for reason, names in reasons.items():
        more = len(names) - _MOST_NAMED
        listed = ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
        lines.append(f"undecided: {listed}: {reason}")
    return lines


def manuals_line(
    documents: Sequence[Mapping[str, Any]],
    vectors: Mapping[str, Any] | None = None,
    seconds_left: float = 0.0,
) -> str:
    """How many are indexed and what is in them, in one line.

    ``1 of 1 indexed: manual.pdf rev 19, 1,749 pages, 9,812 chunks, vectors 61% (about 4 min left)``
    """
    indexed = [each for each in documents if each["state"] == "indexed"]
    count = f"{len(indexed):,} of {len(documents):,} indexed"
    if not indexed:
        return count
    named = []
    for each in indexed[:_MOST_NAMED]:
        revision = f" {one_line(each['revision'])}" if each["revision"] else ""
        pages = [words.plural(each["pages"], "page")] if each["pages"] else []
        named.append(
            ", ".join([file_name(each) + revision, *pages, words.plural(each["chunks"], "chunk")])
        )
    rest = indexed[_MOST_NAMED:]
    if rest:
        more = words.plural(sum(each["pages"] for each in rest), "page")
        chunks = words.plural(sum(each["chunks"] for each in rest), "chunk")
        named.append(f"and {len(rest):,} more with {more}, {chunks}")
    return f"{count}: {'; '.join(named)}{_vectors(vectors, seconds_left)}"


def _vectors(vectors: Mapping[str, Any] | None, seconds_left: float) -> str:
    """How far the vectors are, "" where all are there or none are wanted."""
    if vectors is None or vectors["done"] >= vectors["of"]:
        return ""
    said = f", vectors {100 * vectors['done'] // vectors['of']}%"
    return f"{said} ({time_left(seconds_left)})" if seconds_left else said


def chunk_text(chunk: Chunk, number: int, file: str, labels: str, style: Style) -> str:
    """A chunk: its id and place in a line, its heading path, its text as it is."""
    place = [f"chunk {number}", one_line(file)]
    if labels:
        place.append(labels)
    place += [chunk.kind, words.plural(chunk.tokens, "token")]
    return style.blocks(
        style.lines(", ".join(place), style.text(" > ".join(chunk.heading_path))),
        printable(chunk.text),
    )


def printable(text: str) -> str:
    """``text`` with its lines and blanks, without characters that steer a terminal."""
    return "\n".join(
        line if line.isprintable() else "".join(c if c.isprintable() else " " for c in line)
        for line in text.splitlines()
    )


def pages_text(first: int, last: int, label_first: str, label_last: str) -> str:
    """``p. 12`` or ``p. 12-13``, with the printed labels where these are others.

    "" for a document without pages.
    """
    if not first:
        return ""
    physical = str(first) if first == last else f"{first}-{last}"
    printed = label_first if label_first == label_last else f"{label_first}-{label_last}"
    return f"p. {physical}" if printed == physical else f"p. {physical} (printed {printed})"


def caption_of(number: str, caption: str, word: str = "Table") -> str:
    """``Table 12. Baud rates`` from what is printed of it, "" where nothing is."""
    if number and not caption.casefold().startswith(word.casefold()):
        return f"{word} {number}. {caption}".rstrip()
    return caption


def table_markdown(part: Table, pages: tuple[int, int], section: str) -> str:
    """The caption and rows of a table, or of a part of it; ``pages`` are those of the whole.

    Without a caption the title of the ``section`` is above it. Where the whole is on other pages
    too that is said.
    """
    caption = MARKDOWN.strong(caption_of(part.number, part.caption) or section)
    first, last = pages
    here = {place.page for place in part.places}
    beyond = here != set() and not {first, last} <= here
    return MARKDOWN.blocks(
        MARKDOWN.lines(
            caption, f"The whole table is on pages {first} to {last}." if beyond else ""
        ),
        MARKDOWN.table(_cells(part.header), [_cells(row) for row in part.rows]),
    )


def _cells(texts: Sequence[str]) -> list[str]:
    return [escape(text, starts=False) for text in texts]
