"""The report of ``bench documents`` as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from datasheet_lsp.evaluation.bench_documents import (
    OURS,
    DocumentResult,
    Growth,
    Report,
    ToolScore,
)
from datasheet_lsp.evaluation.document_runs import ReadRun
from datasheet_lsp.evaluation.tables import megabytes, table

RECALL = 0.90
SPELLED_ALIKE = 0.95
OUTLINE = 0.99
NUMBERED = 0.95
RATE = 50.0
PEAK = 400 << 20
FASTER = {"pymupdf4llm": 40.0, "pdfplumber": 10.0}
GROWTH = 11.0
_SHOWN = 5


def show(report: Report) -> str:
    """All of it."""
    parts = [_run(report.run)]
    with_svd = [d for d in report.documents if d.rows is not None]
    if with_svd:
        parts.append(_fields(with_svd))
    compared = [d for d in report.documents if d.compared]
    if compared:
        parts.append(_compared(compared, report.every))
        parts.append(_speeds(compared, report.every))
    parts.append(_kept(report.documents))
    parts.append(_sections(report.documents))
    if report.growth is not None:
        parts.append(_growth(report.growth))
    if report.missing:
        names = ", ".join(report.missing)
        parts.append(f"Without figures, not in the other Python or failed: {names}.")
    return "\n\n".join(part for part in parts if part)


def _run(run: ReadRun) -> str:
    if run.failure:
        return f"Reading failed: {run.failure}"
    rate = run.rate or 0.0
    return (
        f"{len(run.documents)} documents, {run.pages} pages in {run.cpu:.1f} s of CPU time with the"
        f" page reader: {rate:.0f} pages a second, target {RATE:.0f} {_ok(rate >= RATE)};"
        f" memory at most {megabytes(run.peak)} MB, target {megabytes(PEAK)}"
        f" {_ok(run.peak < PEAK)}"
    )


def _fields(documents: Iterable[DocumentResult]) -> str:
    rows = []
    for d in documents:
        assert d.rows is not None and d.in_registers is not None
        recall = d.rows.recall or 0.0
        target = ""
        if d.fields_named is not None and d.fields_named >= SPELLED_ALIKE:
            target = f">= {RECALL:.2f} {_ok(recall >= RECALL)}"
        count = d.in_registers
        rows.append(
            [
                d.file,
                _share(d.fields_named),
                str(d.rows.wanted),
                _share(recall),
                target,
                _share(d.rows.precision),
                _part(count.registers_found, count.registers),
                _part(count.fields_found, count.fields),
                _part(count.fields_found + count.fields_renamed, count.fields),
                str(d.conflicts),
            ]
        )
    headings = (
        "document",
        "names in text",
        "rows of the SVD",
        "recall",
        "target",
        "right bits",
        "registers",
        "fields in them",
        "by bits too",
        "conflicts",
    )
    return f"Field rows (name and bits) against the SVD\n\n{table(headings, rows)}"


def _compared(documents: Iterable[DocumentResult], every: int) -> str:
    rows = []
    for d in documents:
        recalls = {
            t.tool: t.rows.recall for t in d.compared if t.rows and t.rows.recall is not None
        }
        if not recalls:
            continue
        others = [value for tool, value in recalls.items() if tool != OURS]
        best = not others or recalls.get(OURS, 0.0) >= max(others)
        cells = [_tool(t) for t in d.compared]
        wanted = next(t.rows.wanted for t in d.compared if t.rows)
        rows.append([d.file, str(wanted), *cells, _ok(best)])
    if not rows:
        return ""
    tools = [f"{t.tool} {t.version}".strip() for t in _tools(documents)]
    headings = ["document", "rows", *tools, "best"]
    which = "all pages" if every == 1 else f"one page in {every}"
    return (
        f"Field rows on {which}, recall (right bits) of each tool; names with an underscore"
        f" kept in tables behind it\n\n{table(headings, rows)}"
    )


def _tool(score: ToolScore) -> str:
    if score.failure or score.rows is None:
        return score.failure or "-"
    names = f" {score.names.kept}/{score.names.names}" if score.names is not None else ""
    return f"{_share(score.rows.recall)} ({_share(score.rows.precision)}){names}"


def _tools(documents: Iterable[DocumentResult]) -> Sequence[ToolScore]:
    return next((d.compared for d in documents if d.compared), ())


def _speeds(documents: Sequence[DocumentResult], every: int) -> str:
    seconds: dict[str, list[tuple[int, float]]] = {}
    for d in documents:
        pages = len(range((every + 1) // 2, d.pages + 1, every))
        for t in d.compared:
            if t.seconds_a_page is not None:
                # Ours is the mean of the whole document.
                count = d.pages if t.tool == OURS else pages
                seconds.setdefault(t.tool, []).append((count, count * t.seconds_a_page))
    means = {
        tool: sum(s for _, s in found) / sum(n for n, _ in found)
        for tool, found in seconds.items()
        if sum(n for n, _ in found)
    }
    rows = []
    for tool, mean in means.items():
        ratio = mean / means[OURS] if OURS in means and tool != OURS else None
        wanted = FASTER.get(tool)
        rows.append(
            [
                tool,
                str(sum(n for n, _ in seconds[tool])),
                f"{1000 * mean:.1f}",
                f"{ratio:.1f}" if ratio else "",
                f">= {wanted:.0f} {_ok(ratio >= wanted)}" if ratio and wanted else "",
            ]
        )
    headings = ("tool", "pages", "ms a page", "times slower", "target")
    return f"CPU time\n\n{table(headings, rows)}" if rows else ""


def _kept(documents: Iterable[DocumentResult]) -> str:
    rows = []
    notes: list[str] = []
    for d in documents:
        rows.append(
            [
                d.file,
                str(d.tables),
                str(d.tables_over_pages),
                f"{d.names.kept}/{d.names.names}" if d.names else "",
                _part(d.text.kept, d.text.words) if d.text else "",
                str(d.troubles),
            ]
        )
        if d.names and d.names.lost:
            lost = ", ".join(f"{name} (p. {page})" for name, page in d.names.lost[:_SHOWN])
            notes.append(f"{d.file}: names not kept: {lost}")
        if d.text and d.text.low:
            low = ", ".join(f"{page} ({share:.0%})" for page, share in d.text.low[:_SHOWN])
            notes.append(f"{d.file}: least text kept on pages {low}")
    headings = ("document", "tables", "over pages", "names kept", "text kept", "troubles")
    return "\n".join([table(headings, rows), "", *notes])


def _sections(documents: Iterable[DocumentResult]) -> str:
    rows = []
    notes: list[str] = []
    for d in documents:
        if d.outline is not None and d.outline.entries:
            share = d.outline.placed / d.outline.entries
            rows.append(
                [
                    d.file,
                    "outline",
                    str(d.outline.entries),
                    _share(share),
                    f">= {OUTLINE:.2f} {_ok(share >= OUTLINE)}",
                    "",
                ]
            )
            if d.outline.missed:
                notes.append(f"{d.file}: not placed: {'; '.join(d.outline.missed[:_SHOWN])}")
        if d.numbered is not None:
            share = d.numbered.found / d.numbered.headings
            good = share >= NUMBERED and not d.numbered.false
            rows.append(
                [
                    d.file,
                    "numbers",
                    str(d.numbered.headings),
                    _share(share),
                    f">= {NUMBERED:.2f} {_ok(good)}",
                    str(d.numbered.false),
                ]
            )
            if d.numbered.missed:
                notes.append(f"{d.file}: not found: {'; '.join(d.numbered.missed[:_SHOWN])}")
            if d.numbered.wrong:
                notes.append(f"{d.file}: no headings: {'; '.join(d.numbered.wrong[:_SHOWN])}")
    if not rows:
        return ""
    headings = ("document", "sections by", "entries", "placed", "target", "false")
    return "\n".join([table(headings, rows), "", *notes])


def _growth(growth: Growth) -> str:
    ratio = growth.ratio or 0.0
    wanted = GROWTH * growth.copies / 10
    return (
        f"{growth.copies} copies: {growth.all.pages} pages in {growth.all.cpu:.1f} s of CPU time,"
        f" {ratio:.1f} times one, target <= {wanted:.1f} {_ok(ratio <= wanted)}; memory at most"
        f" {megabytes(growth.all.peak)} MB beside {megabytes(growth.once.peak)}"
    )


def _ok(good: bool) -> str:
    return "ok" if good else "MISSED"


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def _part(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"
