"""The best place of a register in the manuals of its device."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from datasheet_lsp.index import Index, schema
from datasheet_lsp.model.document import Document, FieldText
from tests.documents.chunks.make import Writer
from tests.index.test_documents import entry

FIELDS = (FieldText("DIV", 15, 4, "rw", 0, "divider", 2), FieldText("FRAC", 3, 0, "rw", 0, "", 2))


def manual(title: str, fields: tuple[FieldText, ...] = FIELDS) -> Document:
    """A list of registers on page 1, their descriptions from page 2 on."""
    writer = Writer(title)
    writer.section("Register overview")
    for name in ("BRR", "SR"):
        path = f"UART1.{name}"
        writer.register(f"UART_{name}", f"{name} of the UART", fields=(), matches=(path,))
    writer.turn()
    writer.section("Baud rate register (UART_BRR)")
    writer.register("UART_BRR", "Baud rate register", fields=fields, matches=("UART1.BRR",))
    writer.turn()
    writer.section("Status")
    writer.register("UART_SR", "Flags", fields=(), matches=("UART1.SR",))
    return writer.document()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".datasheet" / "index.sqlite"


def places(index: Index, device: str = "ACME1") -> dict[str, tuple[int, int, str]]:
    return {p.path: (p.document, p.page, p.heading) for p in index.register_pages(device)}


def test_the_description_with_fields_goes_before_a_list(path: Path) -> None:
    with Index(path) as index:
        number = index.put_document(entry(document=manual("ACME1 manual")))
        assert number is not None
        found = places(index)
        assert found["UART1.BRR"] == (number, 2, "Baud rate register (UART_BRR)")
        # Both have no fields; the section that has the register alone is about it.
        assert found["UART1.SR"] == (number, 3, "Status: Flags")
        assert places(index, "ACME2") == {}


def test_of_two_manuals_the_one_that_says_more_is_taken(path: Path) -> None:
    with Index(path) as index:
        index.put_document(entry("a.pdf", "1", manual("ACME1 datasheet", FIELDS[:1])))
        two = index.put_document(entry("b.pdf", "2", manual("ACME1 manual")))
        assert places(index)["UART1.BRR"][0] == two
        index.drop_files([("b.pdf", ".pdf")])
        (one,) = index.documents()
        assert places(index)["UART1.BRR"][0] == one.id


def test_an_older_index_gets_the_places_of_what_it_has(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Index(path) as index:
        index.put_document(entry(document=manual("ACME1 manual")))
        before = {path: place[:2] for path, place in places(index).items()}
    connection = apsw.Connection(str(path))
    connection.execute("DROP TABLE register_pages")
    connection.pragma("user_version", schema.MIGRATIONS.index(schema._register_pages))
    connection.close()
    with Index(path) as index:
        assert index.problem is None
        found = places(index)
        assert found["UART1.BRR"][:2] == before["UART1.BRR"]
        assert found["UART1.BRR"][2] == "Baud rate register (UART_BRR)"
