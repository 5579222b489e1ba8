"""Documents in the index: whole or not at all, found again, replaced and dropped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import apsw
import msgspec
import pytest

from datasheet_lsp.documents.chunking import ChunkSettings, make_chunks
from datasheet_lsp.documents.tokens import approximate_counter
from datasheet_lsp.index import Belongs, Entry, Index, SourceFile
from datasheet_lsp.model.document import Document, FieldText, Trouble
from tests.documents.chunks.make import Writer, prose
from tests.index.make import small_device
from tests.index.test_store import as_nobody
from tests.index.words import keyword_hits

TABLES = (
    "documents",
    "files",
    "document_devices",
    "sections",
    "chunks",
    "tables",
    "figures",
    "registers",
    "register_matches",
    "register_pages",
)


def manual(title: str = "ACME1 manual", paragraphs: int = 3) -> Document:
    writer = Writer(title, "Rev 2")
    top = writer.section("USART", peripheral="USART2")
    writer.section("Baud rate register (USART_BRR)", top)
    fields = (FieldText("DIV_Mantissa", 15, 4, "rw", 0, "mantissa", 1),)
    writer.register(
        "USART_BRR",
        "Baud rate",
        offset=8,
        reset=0,
        addresses=(0x4000_4408,),
        fields=fields,
        tables=(0,),
        matches=("USART2.BRR", "USART3.BRR"),
    )
    writer.table(
        ("Bits", "Field"), [("15:4", "DIV_Mantissa")], kind="fields", caption="BRR", number="3"
    )
    writer.figure("Divider", "4")
    writer.turn()
    writer.section("Reception", top)
    for number in range(paragraphs):
        writer.text(prose(60, number * 7))
    document = writer.document()
    return msgspec.structs.replace(
        document, labels=("i", "1"), troubles=(Trouble("Page 2 is a picture.", 2, 2),)
    )


def entry(
    name: str = "docs/manual.pdf",
    content: str = "1",
    document: Document | None = None,
    devices: tuple[str, ...] = ("ACME1",),
    version: str = "v1",
) -> Entry:
    document = document or manual()
    chunks = make_chunks(document, approximate_counter(), ChunkSettings())
    return Entry(
        file=SourceFile(name, content * 32, ".pdf", f"stamp of {name}"),
        version=version,
        document=document,
        chunks=tuple(chunks),
        devices=tuple(Belongs(device, "its title names it") for device in devices),
        undecided="" if devices else "it names no device",
        parts=("title ACME1",),
    )


def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    found = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
    found["words"] = connection.execute("SELECT rowid FROM chunk_words ORDER BY rowid").fetchall()
    connection.close()
    return found


def test_a_document_is_found_with_all_that_belongs_to_it(path: Path) -> None:
    document = manual()
    given = entry(document=document)
    with Index(path) as index:
        number = index.put_document(given)
        assert number is not None and index.problem is None
    with Index(path) as index:
        (stored,) = index.documents()
        assert index.document(number) == stored
        assert (stored.title, stored.revision, stored.pages) == ("ACME1 manual", "Rev 2", 2)
        assert stored.files == ("docs/manual.pdf",) and stored.state == "indexed"
        assert stored.label(2) == "1" and stored.troubles == document.troubles
        assert stored.devices == (Belongs("ACME1", "its title names it"),)
        assert (stored.sections, stored.tables, stored.figures, stored.registers) == (3, 1, 1, 1)
        assert index.sections(number) == list(document.sections)
        assert [each.chunk for each in index.chunks(number)] == list(given.chunks)
        assert index.tables(number) == list(document.tables)
        assert index.figures(number) == list(document.figures)
        assert index.registers(number) == list(document.registers)


def test_pages_choose_chunks_tables_and_figures(path: Path) -> None:
    with Index(path) as index:
        number = index.put_document(entry())
        assert number is not None
        assert {each.chunk.section for each in index.chunks(number, page=2)} == {2}
        assert len(index.tables(number, page=1)) == 1 and index.tables(number, page=2) == []
        assert len(index.figures(number, page=1)) == 1 and index.figures(number, page=2) == []


def test_neighbours_are_those_of_the_same_section(path: Path) -> None:
    with Index(path) as index:
        number = index.put_document(entry(document=manual(paragraphs=40)))
        assert number is not None
        long = [each for each in index.chunks(number) if each.chunk.section == 2]
        assert len(long) > 3
        assert index.around(long[0].id, 1) == long[:2]
        assert index.around(long[2].id, 1) == long[1:4]
        assert index.chunk(long[1].id) == long[1]
        assert index.chunk(10_000) is None and index.around(10_000) == []


def test_a_register_of_the_svd_leads_to_its_place_in_the_manual(path: Path) -> None:
    with Index(path) as index:
        number = index.put_document(entry())
        (place,) = index.register_places("usart3.brr")
        assert (place.document, place.name, place.place.page) == (number, "USART_BRR", 1)
        assert len(index.register_places("USART2.BRR", "ACME1")) == 1
        assert index.register_places("USART2.BRR", "ACME2") == []
        assert index.register_places("USART2.CR1") == []


def test_words_are_found_in_the_documents_of_the_device(path: Path) -> None:
    with Index(path) as index:
        one = index.put_document(entry("a.pdf", "1"))
        two = index.put_document(entry("b.pdf", "2", manual("ACME2 manual"), ("ACME2",)))
        assert one is not None and two is not None
        for query in ("USART_BRR", "usart2.brr", "baud rates", "0x40004408", "mantissa AND ["):
            assert {found.document for found in keyword_hits(index, query)} == {one, two}
            hits = keyword_hits(index, query, "ACME2")
            assert {found.document for found in hits} == {two}
            assert [hit.score for hit in hits] == sorted((h.score for h in hits), reverse=True)
        for query in ("USART_BRR", "usart2.brr", "0x40004408"):
            best = index.chunk(keyword_hits(index, query, "ACME1")[0].chunk)
            assert best is not None and best.chunk.kind == "register"
        assert keyword_hits(index, "nowhere") == [] and keyword_hits(index, "") == []
        assert keyword_hits(index, "baud", "ACME3") == []


def test_the_file_read_again_replaces_what_it_had(path: Path) -> None:
    with Index(path) as index:
        index.put_document(entry(content="1", document=manual("Old title")))
        index.put_document(entry(content="2", document=manual("New title")))
        assert [stored.title for stored in index.documents()] == ["New title"]
        index.put_document(entry(content="2", document=manual("Newer title"), version="v2"))
        (stored,) = index.documents()
        assert (stored.title, stored.version) == ("Newer title", "v2")
    found = rows(path)
    assert len(found["words"]) == len(found["chunks"]) == stored.chunks


def test_one_content_at_two_places_is_one_document(path: Path) -> None:
    with Index(path) as index:
        number = index.put_document(entry("a.pdf"))
        assert index.link_file(SourceFile("b.pdf", "1" * 32, ".pdf", "s"))
        (stored,) = index.documents()
        assert stored.files == ("a.pdf", "b.pdf")
        assert index.drop_files([("a.pdf", ".pdf")])
        (stored,) = index.documents()
        assert stored.id == number and stored.files == ("b.pdf",)
        # Written anew, it keeps both its places.
        index.link_file(SourceFile("a.pdf", "1" * 32, ".pdf", "s"))
        index.put_document(entry("a.pdf", version="v2"))
        (stored,) = index.documents()
        assert stored.files == ("a.pdf", "b.pdf")


def test_an_unknown_content_is_not_linked(path: Path) -> None:
    with Index(path) as index:
        assert not index.link_file(SourceFile("b.pdf", "1" * 32, ".pdf", "s"))
        assert index.known_files() == []


def test_a_dropped_document_leaves_nothing(path: Path) -> None:
    with Index(path) as index:
        index.put_document(entry("a.pdf", "1"))
    alone = rows(path)
    with Index(path) as index:
        index.put_document(entry("b.pdf", "2", manual(paragraphs=300)))
    size = path.stat().st_size
    with Index(path) as index:
        assert index.drop_files([("b.pdf", ".pdf"), ("never.pdf", ".pdf")])
        assert keyword_hits(index, "school", "ACME1") != []
    assert rows(path) == alone
    assert path.stat().st_size < size
    connection = apsw.Connection(str(path))
    assert connection.pragma("integrity_check") == "ok"
    connection.execute("INSERT INTO chunk_words (chunk_words) VALUES ('integrity-check')")


def test_known_files_tell_what_decides_about_reading_again(path: Path) -> None:
    with Index(path) as index:
        index.put_document(entry("a.pdf", devices=()))
        (known,) = index.known_files()
    assert (known.path, known.stamp, known.version) == ("a.pdf", "stamp of a.pdf", "v1")
    assert known.parts == ("title ACME1",) and known.undecided == "it names no device"
    with Index(path) as index:
        assert index.put_devices(known.document, [Belongs("ACME1", "you said so")], "")
        (known,) = index.known_files()
    assert known.devices == (Belongs("ACME1", "you said so"),) and known.undecided == ""


def test_odd_texts_and_numbers_are_stored_as_well_as_can_be(path: Path) -> None:
    writer = Writer("M\udc80", "\0")
    writer.section("A\ud800")
    fields = (FieldText("F\ud800", 1 << 70, 0, "", 1 << 70, "", 1),)
    writer.register("R", reset=1 << 64, addresses=(1 << 64, 5), fields=fields)
    writer.text("nul \0 and \udc80 half")
    writer.table(("a\ud800",), [("b\udfff",)])
    with Index(path) as index:
        number = index.put_document(entry(document=writer.document()))
        assert number is not None
        (register,) = index.registers(number)
        assert register.reset is None and register.addresses == (5,) and register.fields == ()
        assert any("half" in each.chunk.text for each in index.chunks(number))
        assert index.tables(number)[0].header == ("a?",)


def test_without_a_file_nothing_is_found_and_nothing_raises(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with Index(tmp_path / "taken" / "index.sqlite") as index:
        assert index.put_document(entry()) is None
        assert not index.drop_files([("a", "b")]) and not index.put_devices(1, [], "")
        assert index.documents() == [] and index.chunks(1) == [] and index.known_files() == []
        assert keyword_hits(index, "baud") == [] and index.chunk(1) is None


def test_a_reader_goes_on_while_a_document_is_written(path: Path) -> None:
    with Index(path) as writer, Index(path) as reader:
        writer.put_document(entry("a.pdf", "1"))
        connection = writer._connection
        assert connection is not None
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DELETE FROM chunks")
        assert len(reader.chunks(1)) > 0
        connection.execute("ROLLBACK")


@pytest.mark.skipif(
    os.name == "nt", reason="Windows has no folders that forbid writing by their mode"
)
def test_a_read_only_folder_is_searched(open_path: Path) -> None:
    with Index(open_path) as index:
        index.put_document(entry())
    for file in open_path.parent.iterdir():
        file.chmod(0o444)
    open_path.parent.chmod(0o555)

    def work() -> None:
        with Index(open_path) as index:
            assert not index.is_writable
            assert keyword_hits(index, "baud") != []
            assert index.put_document(entry("b.pdf", "2")) is None

    as_nobody(work)


@pytest.mark.skipif(
    os.name == "nt", reason="the full disk is made by a limit of file sizes, which Windows has not"
)
def test_a_full_disk_costs_the_document_in_work_alone(path: Path) -> None:
    with Index(path) as index:
        index.put_document(entry("a.pdf", "1"))
    before = rows(path)

    def work() -> None:
        import resource

        with Index(path) as index:
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
            assert index.put_document(entry("b.pdf", "2", manual(paragraphs=3_000))) is None
            assert index.problem is not None and "could not be written" in index.problem
            assert [stored.files for stored in index.documents()] == [("a.pdf",)]

    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert rows(path) == before
    with Index(path) as index:
        assert index.put_document(entry("b.pdf", "2")) is not None


PUTTER = """
import sys
from pathlib import Path
from datasheet_lsp.index import Index
from tests.index.test_documents import entry, manual
given = [entry(f"{n}.pdf", str(n), manual(paragraphs=400)) for n in range(2, 6)]
with Index(Path(sys.argv[1])) as index:
    print("ready", flush=True)
    while True:
        for each in given:
            assert index.put_document(each) is not None, index.problem
"""


def test_a_kill_at_any_moment_leaves_whole_documents(path: Path) -> None:
    with Index(path) as index:
        index.put_device("k", small_device())
        index.put_document(entry("1.pdf", "1"))
        (first,) = index.documents()
    for run in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", PUTTER, str(path)],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parent.parent.parent,
        )
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"
        time.sleep(0.1 + 0.07 * run)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        with Index(path) as index:
            assert index.problem is None
            assert index.device("k") == small_device()
            assert index.document(1) == first
            for stored in index.documents():
                assert len(index.chunks(stored.id)) == stored.chunks > 0
    found = rows(path)
    assert [row[0] for row in found["words"]] == [row[0] for row in found["chunks"]]
    assert apsw.Connection(str(path)).pragma("integrity_check") == "ok"


def test_an_index_of_devices_alone_gets_room_for_documents(
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from datasheet_lsp.index import schema

    path.parent.mkdir(parents=True)
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        patch.setattr(schema, "VERSION", 1)
        connection = apsw.Connection(str(path))
        schema.migrate(connection)
        assert connection.pragma("user_version") == 1
        connection.close()
    with Index(path) as index:
        assert index.problem is None
        assert index.put_document(entry()) is not None
