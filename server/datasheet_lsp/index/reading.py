"""Documents out of the index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import apsw
import msgspec

from datasheet_lsp.index.records import (
    Belongs,
    KnownFile,
    RegisterPlace,
    StoredChunk,
    StoredDocument,
)
from datasheet_lsp.model.document import (
    Chunk,
    Figure,
    Place,
    RegisterText,
    Section,
    Table,
    Trouble,
)

_texts = msgspec.msgpack.Decoder(tuple[str, ...]).decode
_places = msgspec.msgpack.Decoder(tuple[Place, ...]).decode
_place = msgspec.msgpack.Decoder(Place).decode
_troubles = msgspec.msgpack.Decoder(tuple[Trouble, ...]).decode
_table = msgspec.msgpack.Decoder(Table).decode
_register = msgspec.msgpack.Decoder(RegisterText).decode

_CHUNK = (
    "id, document, number, section, kind, heading_path, text, stamp, tokens, first_page,"
    " last_page, places, symbols"
)


def known_files(connection: apsw.Connection) -> list[KnownFile]:
    """All files of the index in order of their paths."""
    devices = _devices(connection)
    rows = connection.execute(
        "SELECT f.path, coalesce(s.stamp, ''), f.origin, f.document, d.sha256, f.suffix,"
        " d.version, d.state, d.parts, d.title, d.undecided FROM files f"
        " JOIN documents d ON d.id = f.document"
        " LEFT JOIN file_stamps s ON s.path = f.path AND s.suffix = f.suffix"
        " ORDER BY f.path, f.suffix"
    )
    return [
        KnownFile(
            path=row[0],
            stamp=row[1],
            origin=row[2],
            document=row[3],
            sha256=row[4],
            suffix=row[5],
            version=row[6],
            state=row[7],
            parts=_texts(row[8]),
            title=row[9],
            devices=devices.get(row[3], ()),
            undecided=row[10],
        )
        for row in rows
    ]


def documents(connection: apsw.Connection, only: int | None = None) -> list[StoredDocument]:
    """All documents in order of their numbers, or ``only`` one."""
    devices = _devices(connection, only)
    files: dict[int, list[str]] = {}
    for document, path in connection.execute(
        "SELECT document, path FROM files WHERE ?1 IS NULL OR document = ?1 ORDER BY path",
        (only,),
    ):
        files.setdefault(document, []).append(path)
    rows = connection.execute(
        "SELECT id, sha256, version, state, problem, format, title, revision, pages, labels,"
        " troubles, undecided, sections, chunks, tables, figures, registers FROM documents"
        " WHERE ?1 IS NULL OR id = ?1 ORDER BY id",
        (only,),
    )
    return [
        StoredDocument(
            id=row[0],
            files=tuple(files.get(row[0], ())),
            sha256=row[1],
            version=row[2],
            state=row[3],
            problem=row[4],
            format=row[5],
            title=row[6],
            revision=row[7],
            pages=row[8],
            labels=_texts(row[9]),
            troubles=_troubles(row[10]),
            devices=devices.get(row[0], ()),
            undecided=row[11],
            sections=row[12],
            chunks=row[13],
            tables=row[14],
            figures=row[15],
            registers=row[16],
        )
        for row in rows
    ]


def _devices(
    connection: apsw.Connection, only: int | None = None
) -> dict[int, tuple[Belongs, ...]]:
    found: dict[int, list[Belongs]] = {}
    for document, device, reason in connection.execute(
        "SELECT document, device, reason FROM document_devices"
        " WHERE ?1 IS NULL OR document = ?1 ORDER BY device",
        (only,),
    ):
        found.setdefault(document, []).append(Belongs(device, reason))
    return {document: tuple(each) for document, each in found.items()}


def sections(connection: apsw.Connection, document: int) -> list[Section]:
    """The sections of a document; each one's ``id`` is its position."""
    return [
        Section(*row)
        for row in connection.execute(
            "SELECT id, parent, level, number, title, page, top, last_page, origin, peripheral"
            " FROM sections WHERE document = ? ORDER BY id",
            (document,),
        )
    ]


def chunks(
    connection: apsw.Connection, document: int, page: int | None = None
) -> Iterator[StoredChunk]:
    """The chunks of a document in order, of one ``page`` alone where it is given."""
    for row in connection.execute(
        f"SELECT {_CHUNK} FROM chunks WHERE document = ?1"
        " AND (?2 IS NULL OR ?2 BETWEEN first_page AND last_page) ORDER BY number",
        (document, page),
    ):
        yield _chunk(row)


def chunk(connection: apsw.Connection, number: int) -> StoredChunk | None:
    """The chunk with this number in the index."""
    for row in connection.execute(f"SELECT {_CHUNK} FROM chunks WHERE id = ?", (number,)):
        return _chunk(row)
    return None


def around(connection: apsw.Connection, number: int, reach: int) -> list[StoredChunk]:
    """The chunk and up to ``reach`` before and behind it in the same section, in order."""
    return [
        _chunk(row)
        for row in connection.execute(
            f"SELECT {', '.join(f'n.{name.strip()}' for name in _CHUNK.split(','))}"
            " FROM chunks c JOIN chunks n ON n.document = c.document AND n.section = c.section"
            " AND n.number BETWEEN c.number - ?2 AND c.number + ?2 WHERE c.id = ?1"
            " ORDER BY n.number",
            (number, reach),
        )
    ]


def _chunk(row: Sequence[Any]) -> StoredChunk:
    return StoredChunk(
        row[0],
        row[1],
        Chunk(
            number=row[2],
            section=row[3],
            kind=row[4],
            heading_path=_texts(row[5]),
            text=row[6],
            stamp=row[7],
            tokens=row[8],
            first_page=row[9],
            last_page=row[10],
            places=_places(row[11]),
            symbols=_texts(row[12]),
        ),
    )


def tables(connection: apsw.Connection, document: int, page: int | None = None) -> list[Table]:
    """The tables of a document, of one ``page`` alone where it is given."""
    return [
        _table(body)
        for (body,) in connection.execute(
            "SELECT body FROM tables WHERE document = ?1"
            " AND (?2 IS NULL OR ?2 BETWEEN first_page AND last_page) ORDER BY id",
            (document, page),
        )
    ]


def figures(connection: apsw.Connection, document: int, page: int | None = None) -> list[Figure]:
    """The figures of a document, of one ``page`` alone where it is given."""
    return [
        Figure(row[0], row[1], row[2], row[3], _place(row[4]))
        for row in connection.execute(
            "SELECT id, section, number, caption, place FROM figures WHERE document = ?1"
            " AND (?2 IS NULL OR page = ?2) ORDER BY id",
            (document, page),
        )
    ]


def registers(connection: apsw.Connection, document: int) -> list[RegisterText]:
    """The registers a document describes, in its order."""
    return [
        _register(body)
        for (body,) in connection.execute(
            "SELECT body FROM registers WHERE document = ? ORDER BY id", (document,)
        )
    ]


def register_places(
    connection: apsw.Connection, path: str, device: str | None = None
) -> list[RegisterPlace]:
    """Where the manuals (of ``device``) describe the SVD register ``path``: "USART2.BRR"."""
    return [
        RegisterPlace(row[0], row[1], row[2], row[3], row[4], _register(row[5]).place)
        for row in connection.execute(
            "SELECT r.document, r.id, r.name, r.title, r.section, r.body FROM register_matches m"
            " JOIN registers r ON r.document = m.document AND r.id = m.register"
            " WHERE m.path = ?1 AND (?2 IS NULL OR r.document IN"
            " (SELECT document FROM document_devices WHERE device = ?2))"
            " ORDER BY r.document, r.id",
            (path, device),
        )
    ]
