"""Where the manual describes a register, in one line of a hover."""

from __future__ import annotations

from datasheet_lsp.render.documents import pages_text
from datasheet_lsp.render.hits import titled
from datasheet_lsp.render.style import Style


def place_line(
    manual: str,
    revision: str,
    page: int,
    label: str,
    heading: str,
    style: Style,
    device: str = "",
) -> str:
    """A line such as ``Manual rev 19, p. 1010: *30.6.3 Baud rate register*.``.

    ``page`` is the physical one, 0 in a document without pages, ``label`` what is printed on it.
    ``device`` is named where there are several.
    """
    if revision.startswith("Rev"):
        revision = f"r{revision[1:]}"
    named = style.text(titled(manual, revision))
    pages = style.text(pages_text(page, page, label, label))
    where = ", ".join(part for part in (named, pages) if part)
    whose = f"{style.text(device)}: " if device else ""
    return f"{whose}{where}: {style.emphasis(heading)}." if heading else f"{whose}{where}."


def missing_line(device: str, style: Style) -> str:
    """That there is no manual of the device, and what to do."""
    command = style.code("datasheet-lsp index FILE")
    return f"No manual indexed for {style.text(device)} (add one: {command})."
