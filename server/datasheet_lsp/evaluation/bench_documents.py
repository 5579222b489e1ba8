"""How well and how fast manuals are read: this package beside other tools."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import msgspec

from datasheet_lsp.documents.page import OutlineEntry, PageData
from datasheet_lsp.documents.pages import PageSource
from datasheet_lsp.documents.tables import FieldRow, FoundTable, field_rows
from datasheet_lsp.evaluation.coverage import coverage
from datasheet_lsp.evaluation.document_fields import (
    RowReader,
    Score,
    in_scope,
    rows_of,
    score,
    svd_rows,
)
from datasheet_lsp.evaluation.document_names import (
    NameScore,
    Printed,
    name_score,
    peer_name_score,
    printed_names,
)
from datasheet_lsp.evaluation.document_runs import (
    PEERS,
    PeerRun,
    ReadRun,
    read_all,
    read_by_peer,
)
from datasheet_lsp.evaluation.document_sections import (
    NumberedScore,
    OutlineScore,
    SeenLine,
    numbered_headings,
    numbered_score,
    outline_score,
    seen_lines,
)
from datasheet_lsp.evaluation.document_text import TextScore, text_score
from datasheet_lsp.model.coverage import Count
from datasheet_lsp.model.document import Document
from datasheet_lsp.svd import load_svd

OURS = "datasheet-lsp"
PARTS = ("fields", "names", "text", "sections")
_SCOPE = re.compile(r"\s*(\w+) only:")
_MATCH = re.compile(r"fields\s+(\d+)/(\d+)")
_NAME = re.compile(r"\w+")
_FEW_HEADINGS = 10

Say = Callable[[str], None]


class CatalogEntry(msgspec.Struct, frozen=True):
    """A document of a corpus as its ``catalog.json`` describes it.

    ``svd`` is the SVD file that goes with it, ``svd_name_match`` says in words how far their names
    agree ("RCC only: regs 74/74, fields 689/702 (98%)").
    """

    file: str
    pages: int = 0
    svd: str = ""
    svd_name_match: str = ""

    @property
    def name(self) -> str:
        """The file's name without folder and suffix."""
        return Path(self.file).stem

    @property
    def scope(self) -> tuple[str, ...]:
        """The peripherals of the SVD that the document is about, () for all of them."""
        found = _SCOPE.match(self.svd_name_match)
        return (found[1],) if found else ()

    @property
    def fields_named(self) -> float | None:
        """The share of the SVD's field names that the document's text has, None where unknown."""
        found = _MATCH.search(self.svd_name_match)
        return int(found[1]) / int(found[2]) if found else None


class ToolScore(msgspec.Struct, frozen=True):
    """One tool on the pages compared; ``failure`` says why it has no figures."""

    tool: str
    version: str
    rows: Score | None
    names: NameScore | None
    seconds_a_page: float | None
    failure: str | None = None


class DocumentResult(msgspec.Struct, frozen=True):
    """One document. ``rows`` are all its field rows against all of its SVD (in ``scope``).

    ``tables_over_pages`` are the tables that were put together from several pages.
    ``in_registers`` counts the registers, and the fields found in the description of their own
    register. ``compared`` are the tools on every nth page, this package first, where the rows
    wanted are those whose names stand on these pages.
    """

    file: str
    pages: int
    troubles: int
    svd: str
    scope: tuple[str, ...]
    fields_named: float | None
    rows: Score | None
    in_registers: Count | None
    conflicts: int | None
    names: NameScore | None
    text: TextScore | None
    tables: int
    tables_over_pages: int
    outline: OutlineScore | None
    numbered: NumberedScore | None
    compared: tuple[ToolScore, ...]


class Growth(msgspec.Struct, frozen=True):
    """Several copies of the corpus, each file with bytes of its own, beside one."""

    copies: int
    once: ReadRun
    all: ReadRun

    @property
    def ratio(self) -> float | None:
        """CPU time of all copies divided by that of one."""
        return self.all.cpu / self.once.cpu if self.once.cpu else None


class Report(msgspec.Struct, frozen=True):
    """``every``: other tools read each nth page. ``run`` is this package over all documents."""

    every: int
    run: ReadRun
    documents: tuple[DocumentResult, ...]
    growth: Growth | None = None
    missing: tuple[str, ...] = ()


class CorpusError(Exception):
    """There is no corpus, or not the file wanted. One sentence."""


def find_corpus(folder: Path | None) -> tuple[Path, list[CatalogEntry]]:
    """The folder of a corpus and what its catalog lists, PDF files that are there.

    ``folder`` has ``catalog.json`` or has ``corpus/catalog.json``; None means what the environment
    variable DATASHEET_CORPUS names.

    Raises:
        CorpusError: There is none.
    """
    if folder is None:
        named = os.environ.get("DATASHEET_CORPUS")
        if not named:
            raise CorpusError("no corpus: name its folder with --corpus or DATASHEET_CORPUS")
        folder = Path(named)
    for place in (folder, folder / "corpus"):
        catalog = place / "catalog.json"
        if catalog.is_file():
            try:
                entries = msgspec.json.decode(catalog.read_bytes(), type=list[CatalogEntry])
            except (msgspec.MsgspecError, OSError) as error:
                raise CorpusError(f"{catalog} cannot be read: {error}") from None
            there = [e for e in entries if e.pages and (place / e.file).is_file()]
            return place, [e for e in there if e.file.endswith(".pdf")]
    raise CorpusError(f"{folder} has no catalog.json: name the folder of a corpus")


def bench_documents(
    folder: Path,
    entries: Sequence[CatalogEntry],
    *,
    peers: Path | None = None,
    every: int = 10,
    parts: Collection[str] = PARTS,
    copies: int = 0,
    say: Say = lambda line: None,
) -> Report:
    """Read the documents and compare. Raises OSError where ``peers`` cannot be started."""
    jobs = [(folder / e.file, folder / e.svd if e.svd else None) for e in entries]
    with tempfile.TemporaryDirectory() as temporary:
        out = Path(temporary)
        say(f"reading {len(jobs)} documents")
        run = read_all(jobs, out)
        results = []
        missing: set[str] = set()
        for entry in entries:
            read = out / f"{entry.name}.msgpack"
            if not read.exists():
                continue
            document = msgspec.msgpack.decode(read.read_bytes(), type=Document)
            runs: list[PeerRun] = []
            pages = list(range((every + 1) // 2, document.pages + 1, every))
            for peer in PEERS if peers is not None and pages else ():
                assert peers is not None
                say(f"{entry.name}: {peer}, {len(pages)} pages")
                runs.append(
                    read_by_peer(peer, peers, folder / entry.file, pages, out / "peer.json")
                )
            say(f"{entry.name}: comparing")
            results.append(_compare(folder, entry, document, run, runs, pages, parts))
            missing |= {one.peer for one in runs if one.failure}
        growth = None
        if copies:
            say(f"reading {copies} copies of {len(jobs)} documents")
            growth = Growth(copies, run, _read_copies(jobs, copies, out))
    say("")
    return Report(every, run, tuple(results), growth, tuple(sorted(missing)))


def _read_copies(jobs: Sequence[tuple[Path, Path | None]], copies: int, out: Path) -> ReadRun:
    """Each file several times, with a comment of its own at its end."""
    folder = out / "copies"
    folder.mkdir()
    many = []
    for number in range(copies):
        for path, svd in jobs:
            copy = folder / f"{number}-{path.name}"
            shutil.copyfile(path, copy)
            copy.chmod(0o600)
            with copy.open("ab") as file:
                file.write(b"\n%% copy %d\n" % number)
            many.append((copy, svd))
    return read_all(many, out, keep=False)


def _compare(
    folder: Path,
    entry: CatalogEntry,
    document: Document,
    run: ReadRun,
    runs: Sequence[PeerRun],
    pages: Sequence[int],
    parts: Collection[str],
) -> DocumentResult:
    seen = _see(folder / entry.file, document)
    names = name_score(document, seen.names) if "names" in parts else None
    outline = numbered = None
    if "sections" in parts:
        if seen.outline:
            outline = outline_score(document, seen.outline, seen.lines)
        else:
            headings = numbered_headings(sorted(seen.lines.items()))
            if len(headings) >= _FEW_HEADINGS:
                numbered = numbered_score(document, headings)
    rows = counted = conflicts = None
    tools: list[ToolScore] = []
    wanted = None
    if entry.svd and entry.svd_name_match and "fields" in parts:
        device = load_svd(folder / entry.svd)
        wanted = svd_rows(device, entry.scope)
        found = coverage(document, device)
        inside = {p.name for p in in_scope(device, entry.scope)}
        counted = sum((p.count for p in found.peripherals if p.name in inside), Count())
        conflicts = len(found.conflicts)
        rows = score(rows_of(_fields(document)), wanted)
    sample = set(pages)
    printed = {name for page in pages for name in seen.words.get(page, ())}
    if runs:
        own = rows_of(f for f in _fields(document) if f.page in sample)
        ours = next((o for o in run.documents if o.file == Path(entry.file).name), None)
        tools.append(
            ToolScore(
                OURS,
                "",
                score(own, wanted, printed) if wanted else None,
                name_score(document, seen.names, pages) if "names" in parts else None,
                ours.cpu / ours.pages if ours and ours.pages else None,
            )
        )
    for one in runs:
        if one.failure is not None:
            tools.append(ToolScore(one.peer, "", None, None, None, one.failure))
            continue
        theirs = set()
        reader = RowReader()
        texts: dict[int, Sequence[str]] = {}
        for page in one.pages:
            theirs |= reader.read(page["tables"], page["lines"], page["page"])
            cells = [c for table in page["tables"] for row in table for c in row]
            texts[page["page"]] = [*cells, *page["lines"]]
        tools.append(
            ToolScore(
                one.peer,
                one.version,
                score(theirs, wanted, printed) if wanted else None,
                peer_name_score(seen.names, texts) if "names" in parts else None,
                one.cpu / len(one.pages) if one.pages else None,
            )
        )
    return DocumentResult(
        Path(entry.file).name,
        document.pages,
        len(document.troubles),
        entry.svd,
        entry.scope,
        entry.fields_named,
        rows,
        counted,
        conflicts,
        names,
        seen.text if "text" in parts else None,
        len(document.tables),
        sum(len({place.page for place in t.places}) > 1 for t in document.tables),
        outline,
        numbered,
        tuple(tools),
    )


class _Seen:
    """What stands on the pages, read anew: lines, names in tables, words as they are compared."""

    def __init__(self) -> None:
        self.outline: tuple[OutlineEntry, ...] = ()
        self.lines: dict[int, list[SeenLine]] = {}
        self.names: Printed = {}
        self.words: dict[int, set[str]] = {}
        self.text: TextScore | None = None


def _see(path: Path, document: Document) -> _Seen:
    seen = _Seen()
    with PageSource(path) as source:

        def pages() -> Iterator[PageData]:
            for page in source:
                seen.lines[page.number] = seen_lines(page, source.info.fonts)
                seen.names.update(printed_names(document, [page]))
                seen.words[page.number] = {
                    name.casefold() for word in page.words for name in _NAME.findall(word.text)
                }
                yield page

        seen.outline = source.info.outline
        seen.text = text_score(document, pages())
    return seen


def _fields(document: Document) -> list[FieldRow]:
    """All field rows: those of the registers and those of tables that belong to none."""
    fields = [
        FieldRow(f.name, f.msb, f.lsb, f.access, f.reset, "", f.page)
        for register in document.registers
        for f in register.fields
    ]
    for t in document.tables:
        if t.kind == "fields":
            place = t.places[0]
            table = FoundTable(
                place.page, place.box, t.header, t.rows, (), row_pages=t.row_pages, kind=t.kind
            )
            fields += field_rows(table)
    return fields
