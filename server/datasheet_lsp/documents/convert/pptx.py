"""PowerPoint files: a slide is a section and a page."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER

from datasheet_lsp.documents.convert.builder import Builder, TooMuch
from datasheet_lsp.documents.convert.grid import Cell
from datasheet_lsp.documents.convert.package import Package
from datasheet_lsp.documents.convert.words import one_line
from datasheet_lsp.documents.errors import DocumentError

if TYPE_CHECKING:
    from pptx.slide import Slide

_TITLES = (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.VERTICAL_TITLE)
_FURNITURE = (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER)
_DEEPEST = 50


def read_pptx(package: Package, builder: Builder) -> None:
    """A slide that is damaged costs that slide alone. Raises DocumentError."""
    try:
        slides = list(Presentation(io.BytesIO(package.data)).slides)
    except RecursionError as error:
        raise DocumentError(f"{builder.name} cannot be read: it is nested too deep.") from error
    except Exception as error:
        # python-pptx fails in many ways on a file whose parts do not fit together.
        raise DocumentError(f"{builder.name} is damaged: its slides cannot be found.") from error
    builder.pages = max(1, len(slides))
    for number, slide in enumerate(slides, 1):
        builder.page = number
        try:
            _put_slide(slide, number, builder)
        except TooMuch:
            raise
        except Exception:
            builder.trouble(f"Slide {number} of {builder.name} is damaged.", number)


def _put_slide(slide: Slide, number: int, builder: Builder) -> None:
    shapes = list(_flat(slide.shapes, 0))
    title = next((s for s in shapes if _placeholder(s) in _TITLES and _has_text(s)), None)
    words = one_line(title.text_frame.text) if title is not None else ""
    builder.heading(1, words or f"Slide {number}")
    for shape in sorted((s for s in shapes if s is not title), key=_position):
        kind = _placeholder(shape)
        if kind in _FURNITURE:
            continue
        if getattr(shape, "has_table", False):
            _put_table(shape.table, builder)
        elif getattr(shape, "has_chart", False):
            _put_chart(shape.chart, builder)
        elif _has_text(shape):
            _put_text(shape, kind is not None, builder)
    if slide.has_notes_slide:
        frame = slide.notes_slide.notes_text_frame
        if frame is not None:
            builder.text(_broken(frame.text), kind="note")


def _flat(shapes: Any, depth: int) -> Iterator[Any]:
    """All shapes, those in groups too."""
    for shape in shapes:
        inner = getattr(shape, "shapes", None)
        if inner is None:
            yield shape
        elif depth < _DEEPEST:
            yield from _flat(inner, depth + 1)


def _placeholder(shape: Any) -> Any:
    return shape.placeholder_format.type if shape.is_placeholder else None


def _position(shape: Any) -> tuple[int, int]:
    """Reading order: from the top, then from the left, by about a quarter of an inch."""
    return (shape.top or 0) // 228_600, shape.left or 0


def _has_text(shape: Any) -> bool:
    return bool(shape.has_text_frame and shape.text_frame.text.strip())


def _broken(text: str) -> str:
    """python-pptx writes a line break as a vertical tab."""
    return text.replace("\v", "\n")


def _put_text(shape: Any, body: bool, builder: Builder) -> None:
    paragraphs = [(p.level, one_line(_broken(p.text))) for p in shape.text_frame.paragraphs]
    paragraphs = [(level, text) for level, text in paragraphs if text]
    # What stands in the body of a slide is a list of points, though no bullet is in its text.
    if len(paragraphs) > 1 and (body or any(level for level, _ in paragraphs)):
        builder.lines([f"{'  ' * level}- {text}" for level, text in paragraphs])
    else:
        builder.text("\n".join(text for _, text in paragraphs))


def _put_table(table: Any, builder: Builder) -> None:
    laid: list[list[Cell]] = []
    origin: dict[tuple[int, int], Cell] = {}
    for at, row in enumerate(table.rows):
        line: list[Cell] = []
        for column, cell in enumerate(row.cells):
            if (at, column) in origin:
                line.append(origin[at, column])
                continue
            head = bool(table.first_row) and at == 0
            made = Cell(_broken(cell.text), 1, 1, head)
            if cell.is_merge_origin:
                height, width = min(cell.span_height, 1000), min(cell.span_width, 1000)
                made = Cell(made.text, height, width, head)
                for y in range(height):
                    for x in range(width):
                        origin[at + y, column + x] = made
            line.append(made)
        laid.append(line)
    builder.table(laid)


def _put_chart(chart: Any, builder: Builder) -> None:
    """The numbers a chart is drawn from, its series as columns."""
    title = ""
    if chart.has_title and chart.chart_title.has_text_frame:
        title = one_line(chart.chart_title.text_frame.text)
    for plot in chart.plots:
        names = [str(name) for name in plot.categories]
        series = [(one_line(s.name or ""), list(s.values)) for s in plot.series]
        if not names or not series:
            continue
        rows = [[Cell("")] + [Cell(name) for name, _ in series]]
        for at, name in enumerate(names):
            values = [values[at] if at < len(values) else None for _, values in series]
            rows.append([Cell(name), *(Cell("" if v is None else f"{v:g}") for v in values)])
        builder.table(rows, caption=title, header_rows=1)
