"""Documents into the index. Each function runs within a transaction of the caller."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import apsw
import msgspec

from datasheet_lsp.index.homes import homes
from datasheet_lsp.index.identifiers import identifiers
from datasheet_lsp.index.records import Belongs, Entry, SourceFile
from datasheet_lsp.model.document import RegisterText

_pack = msgspec.msgpack.Encoder().encode
_BEYOND = 1 << 64
_PER_DOCUMENT = (
    "document_devices",
    "sections",
    "tables",
    "figures",
    "registers",
    "register_matches",
    "register_pages",
)

Rows = list[tuple[Any, ...]]


class Prepared(msgspec.Struct):
    """The rows of an entry, made before the transaction so that it is short."""

    entry: Entry
    sections: Rows
    chunks: Rows
    words: Rows
    tables: Rows
    figures: Rows
    registers: Rows
    matches: Rows
    pages: Rows


def prepare(entry: Entry) -> Prepared:
    """The rows of ``entry`` without the numbers that the index gives."""
    document = entry.document
    chunks: Rows = []
    words: Rows = []
    for chunk in entry.chunks:
        chunks.append(
            (
                chunk.number,
                chunk.section,
                chunk.kind,
                chunk.tokens,
                chunk.first_page,
                chunk.last_page,
                clean(chunk.stamp),
                clean(chunk.text),
                _pack([clean(title) for title in chunk.heading_path]),
                _pack([clean(symbol) for symbol in chunk.symbols]),
                _pack(chunk.places),
            )
        )
        path = " ".join(chunk.heading_path)
        number = ""
        if 0 <= chunk.section < len(document.sections):
            number = document.sections[chunk.section].number
        # The names in the headings count there: they are those of every chunk of the section.
        headings = " ".join((number, path, *identifiers(path))).strip()
        names = identifiers("\n".join((*chunk.symbols, chunk.text)))
        words.append((" ".join(names), clean(chunk.text), clean(headings)))
    return Prepared(
        entry=entry,
        sections=[
            (
                each.id,
                each.parent,
                each.level,
                clean(each.number),
                clean(each.title),
                each.page,
                float(each.top),
                each.last_page,
                each.origin,
                clean(each.peripheral),
            )
            for each in document.sections
        ],
        chunks=chunks,
        words=words,
        tables=[
            (
                each.id,
                min(each.row_pages, default=each.places[0].page if each.places else 0),
                max(each.row_pages, default=each.places[-1].page if each.places else 0),
                clean(each.number),
                clean(each.caption),
                each.kind,
                _packed(each),
            )
            for each in document.tables
        ],
        figures=[
            (
                each.id,
                each.section,
                each.place.page,
                clean(each.number),
                clean(each.caption),
                _pack(each.place),
            )
            for each in document.figures
        ],
        registers=[
            (number, clean(each.name), clean(each.title), each.section, each.place.page, body)
            for number, each in enumerate(document.registers)
            for body in (_packed(_narrow(each)),)
        ],
        matches=[
            (clean(path), number)
            for number, each in enumerate(document.registers)
            for path in dict.fromkeys(each.matches)
        ],
        pages=[
            (clean(path), page, clean(heading), fields)
            for path, page, heading, fields in homes(document)
        ],
    )


def clean(text: str) -> str:
    """``text`` as SQLite takes it: without lone surrogates and NUL characters."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


def _packed(value: msgspec.Struct) -> bytes:
    try:
        return _pack(value)
    except (UnicodeEncodeError, ValueError):
        text = msgspec.to_builtins(value)
        return _pack(_cleaned(text))


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list | tuple):
        return [_cleaned(each) for each in value]
    if isinstance(value, dict):
        return {key: _cleaned(each) for key, each in value.items()}
    return value


def _narrow(register: RegisterText) -> RegisterText:
    """Without numbers that MessagePack cannot hold; no manual means them."""
    wide = [register.offset, register.reset, *register.addresses]
    wide += [number for field in register.fields for number in (field.reset, field.msb)]
    if all(number is None or 0 <= number < _BEYOND for number in wide):
        return register

    def kept(number: int | None) -> int | None:
        return number if number is not None and 0 <= number < _BEYOND else None

    return msgspec.structs.replace(
        register,
        offset=kept(register.offset),
        reset=kept(register.reset),
        addresses=tuple(n for n in register.addresses if 0 <= n < _BEYOND),
        fields=tuple(
            msgspec.structs.replace(field, reset=kept(field.reset))
            for field in register.fields
            if 0 <= field.lsb <= field.msb < _BEYOND
        ),
    )


def put(connection: apsw.Connection, ready: Prepared) -> int:
    """Write the entry in place of what stood for its content or at its path; its number."""
    entry = ready.entry
    file = entry.file
    old = connection.execute(
        "SELECT id FROM documents WHERE sha256 = ? AND suffix = ?", (file.sha256, file.suffix)
    ).get
    others: list[Any] = (
        connection.execute(
            "SELECT f.path, f.origin, coalesce(s.stamp, '') FROM files f"
            " LEFT JOIN file_stamps s USING (path, suffix) WHERE document = ?",
            (old,),
        ).fetchall()
        if old is not None
        else []
    )
    if old is not None:
        _drop_document(connection, old)
    _unlink(connection, file.path, file.suffix)
    document = entry.document
    number = connection.execute(
        "INSERT INTO documents (sha256, suffix, version, state, problem, undecided, format, title,"
        " revision, pages, sections, chunks, tables, figures, registers, parts, troubles, labels)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (
            file.sha256,
            file.suffix,
            entry.version,
            "failed" if entry.problem else "indexed",
            clean(entry.problem),
            clean(entry.undecided),
            document.format,
            clean(document.title),
            clean(document.revision),
            document.pages,
            len(document.sections),
            len(entry.chunks),
            len(document.tables),
            len(document.figures),
            len(document.registers),
            _pack([clean(part) for part in entry.parts]),
            _pack([_cleaned(msgspec.to_builtins(trouble)) for trouble in document.troubles]),
            _pack([clean(label) for label in document.labels]),
        ),
    ).get
    assert isinstance(number, int)
    for path, origin, stamp in others:
        _link(connection, SourceFile(path, file.sha256, file.suffix, stamp, origin), number)
    _link(connection, file, number)
    put_devices(connection, number, entry.devices, entry.undecided)
    _rows(connection, "sections", number, ready.sections)
    first = (connection.execute("SELECT max(id) FROM chunks").get or 0) + 1
    _rows(connection, "chunks", None, ((i, number, *r) for i, r in enumerate(ready.chunks, first)))
    connection.executemany(
        "INSERT INTO chunk_words (rowid, identifiers, body, headings) VALUES (?, ?, ?, ?)",
        ((i, *row) for i, row in enumerate(ready.words, first)),
    )
    _rows(connection, "tables", number, ready.tables)
    _rows(connection, "figures", number, ready.figures)
    _rows(connection, "registers", number, ready.registers)
    connection.executemany(
        "INSERT INTO register_matches (path, document, register) VALUES (?, ?, ?)",
        ((path, number, register) for path, register in ready.matches),
    )
    _rows(connection, "register_pages", number, ready.pages)
    return number


def _rows(
    connection: apsw.Connection,
    table: str,
    document: int | None,
    rows: Iterable[Sequence[Any]],
) -> None:
    """Insert whole rows, with the number of the document first where it is given."""
    listed = list(rows)
    if listed:
        extra = 0 if document is None else 1
        marks = ", ".join("?" * (len(listed[0]) + extra))
        connection.executemany(
            f"INSERT INTO {table} VALUES ({marks})",
            listed if document is None else ((document, *row) for row in listed),
        )


def put_devices(
    connection: apsw.Connection, document: int, devices: Sequence[Belongs], undecided: str
) -> None:
    """Set which devices the document belongs to."""
    connection.execute("DELETE FROM document_devices WHERE document = ?", (document,))
    connection.executemany(
        "INSERT OR IGNORE INTO document_devices VALUES (?, ?, ?)",
        ((document, clean(each.device), clean(each.reason)) for each in devices),
    )
    connection.execute(
        "UPDATE documents SET undecided = ? WHERE id = ? AND undecided <> ?",
        (clean(undecided), document, clean(undecided)),
    )


def link(connection: apsw.Connection, file: SourceFile) -> int | None:
    """Note that a content of the index lies at ``file`` too; its number, None without it."""
    number = connection.execute(
        "SELECT id FROM documents WHERE sha256 = ? AND suffix = ?", (file.sha256, file.suffix)
    ).get
    if not isinstance(number, int):
        return None
    current = connection.execute(
        "SELECT document FROM files WHERE path = ? AND suffix = ?", (file.path, file.suffix)
    ).get
    if current != number:
        _unlink(connection, file.path, file.suffix)
    _link(connection, file, number)
    return number


def _link(connection: apsw.Connection, file: SourceFile, document: int) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)",
        (clean(file.path), file.suffix, document, file.origin),
    )
    connection.execute(
        "INSERT OR REPLACE INTO file_stamps VALUES (?, ?, ?)",
        (clean(file.path), file.suffix, file.stamp),
    )


def drop_file(connection: apsw.Connection, path: str, suffix: str) -> None:
    """Forget a file, and its document where it was at no other path."""
    _unlink(connection, clean(path), suffix)


def _unlink(connection: apsw.Connection, path: str, suffix: str) -> None:
    document = connection.execute(
        "SELECT document FROM files WHERE path = ? AND suffix = ?", (path, suffix)
    ).get
    if document is None:
        return
    connection.execute("DELETE FROM files WHERE path = ? AND suffix = ?", (path, suffix))
    connection.execute("DELETE FROM file_stamps WHERE path = ? AND suffix = ?", (path, suffix))
    left = connection.execute("SELECT count(*) FROM files WHERE document = ?", (document,)).get
    if not left:
        _drop_document(connection, document)


def _drop_document(connection: apsw.Connection, document: int) -> None:
    connection.execute(
        "DELETE FROM chunk_words WHERE rowid IN (SELECT id FROM chunks WHERE document = ?)",
        (document,),
    )
    for table, column in (("question_words", "rowid"), ("chunk_questions", "chunk")):
        connection.execute(
            f"DELETE FROM {table} WHERE {column} IN (SELECT c.id FROM chunks c"
            " JOIN chunk_questions q ON q.chunk = c.id WHERE document = ?)",
            (document,),
        )
    connection.execute("DELETE FROM chunks WHERE document = ?", (document,))
    for table in _PER_DOCUMENT:
        connection.execute(f"DELETE FROM {table} WHERE document = ?", (document,))
    connection.execute(
        "DELETE FROM file_stamps WHERE (path, suffix) IN"
        " (SELECT path, suffix FROM files WHERE document = ?)",
        (document,),
    )
    connection.execute("DELETE FROM files WHERE document = ?", (document,))
    connection.execute("DELETE FROM documents WHERE id = ?", (document,))
