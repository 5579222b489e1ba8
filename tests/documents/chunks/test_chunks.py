"""Chunks keep together what belongs together, lose nothing, and know where they are from."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasheet_lsp.documents.chunking import ChunkSettings, make_chunks
from datasheet_lsp.documents.tokens import approximate_counter
from datasheet_lsp.model.document import Chunk, Document, FieldText, Place
from tests.documents.chunks.make import Writer, prose

COUNT = approximate_counter()
USUAL = ChunkSettings()


def cut(document: Document, **changes: object) -> list[Chunk]:
    return make_chunks(document, COUNT, ChunkSettings(**changes))  # type: ignore[arg-type]


def length(chunk: Chunk) -> int:
    return COUNT(f"{chunk.stamp}\n{chunk.text}") + COUNT.special


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def rows(count: int) -> list[tuple[str, ...]]:
    return [(f"signal{i}", f"PA{i}", prose(6, i)) for i in range(count)]


def test_each_chunk_is_stamped_with_document_and_section() -> None:
    writer = Writer("ACME1 manual", "Rev 2")
    top = writer.section("RCC")
    inner = writer.section("Clock configuration", top)
    writer.section("APB1 prescaler", inner)
    writer.text(prose(30))
    (chunk,) = [c for c in cut(writer.document()) if c.section == 2]
    assert chunk.stamp == (
        "[Document: ACME1 manual Rev 2]\nSection: RCC > Clock configuration > APB1 prescaler"
    )
    assert chunk.heading_path == ("RCC", "Clock configuration", "APB1 prescaler")
    assert chunk.tokens == length(chunk)


def test_the_revision_is_not_said_twice_and_the_file_stands_in_for_a_title() -> None:
    writer = Writer("ACME1 manual Rev 2", "Rev 2")
    writer.section("A")
    writer.text("Text.")
    assert cut(writer.document())[0].stamp.startswith("[Document: ACME1 manual Rev 2]")
    writer.title = writer.revision = ""
    assert cut(writer.document())[0].stamp.startswith("[Document: acme1.pdf]")


def test_a_very_long_heading_path_leaves_room_for_text() -> None:
    writer = Writer("T" + " word" * 300)
    at: int | None = None
    for level in range(9):
        at = writer.section(f"Level {level} {prose(40, level)}", at)
    writer.text(prose(400))
    found = cut(writer.document())
    assert all(length(chunk) <= 512 for chunk in found)
    assert all(COUNT(chunk.stamp) <= 512 // 2 for chunk in found)


def test_sections_are_never_mixed_however_small() -> None:
    writer = Writer()
    for number in range(4):
        writer.section(f"Section {number}")
        writer.text(f"Only here{number}.")
    found = cut(writer.document())
    assert [chunk.text for chunk in found] == [f"Only here{n}." for n in range(4)]
    assert [chunk.section for chunk in found] == [0, 1, 2, 3]
    assert [chunk.number for chunk in found] == [0, 1, 2, 3]


def test_long_text_becomes_chunks_between_the_two_lengths() -> None:
    writer = Writer()
    writer.section("Long")
    for start in range(0, 3000, 60):
        writer.text(prose(60, start))
    found = cut(writer.document())
    assert all(256 <= chunk.tokens <= 512 for chunk in found)
    # Paragraphs stay whole where that is possible.
    assert all(chunk.text.endswith(".") for chunk in found)


def test_a_long_paragraph_is_cut_after_sentences() -> None:
    writer = Writer()
    writer.section("Long")
    writer.text(prose(2000))
    found = cut(writer.document())
    assert len(found) > 3
    assert all(chunk.text.endswith(".") for chunk in found)
    assert " ".join(chunk.text for chunk in found) == prose(2000)


def test_an_abbreviation_ends_no_sentence() -> None:
    from datasheet_lsp.documents.chunking.pieces import sentences

    text = "See Fig. 3 and e.g. Table 4. The max. Value holds (see Sec. 7). Done."
    assert sentences(text) == [
        "See Fig. 3 and e.g. Table 4.",
        "The max. Value holds (see Sec. 7).",
        "Done.",
    ]


def test_text_without_any_break_is_cut_all_the_same() -> None:
    writer = Writer()
    writer.section("Dump")
    writer.text("A" * 40_000)
    found = cut(writer.document())
    assert all(length(chunk) <= 512 for chunk in found)
    assert "".join(chunk.text for chunk in found).replace(" ", "") == "A" * 40_000


def test_a_list_is_cut_between_items_and_stays_with_its_introduction() -> None:
    writer = Writer()
    writer.section("Steps")
    writer.text(prose(150))
    writer.text("Do these in order:")
    items = [f"{n}. {prose(25, n)}" for n in range(1, 21)]
    writer.text("\n".join(items), "list")
    found = cut(writer.document())
    lines = [line for chunk in found for line in chunk.text.split("\n")]
    assert [line for line in lines if line[:1].isdigit()] == items
    (intro,) = [chunk for chunk in found if "Do these in order:" in chunk.text]
    assert items[0] in intro.text
    assert found[-1].kind == "list"


def test_code_is_cut_between_lines() -> None:
    writer = Writer()
    writer.section("Example")
    lines = [f"    USART2->CR{i} = 0x{i:04X};" for i in range(200)]
    writer.text("\n".join(lines), "code")
    found = cut(writer.document())
    assert len(found) > 2 and {chunk.kind for chunk in found} == {"code"}
    assert [line for chunk in found for line in chunk.text.split("\n")] == lines


def test_a_long_table_is_cut_by_rows_with_caption_and_header_in_each_part() -> None:
    writer = Writer()
    writer.section("Pins")
    table = rows(120)
    pages = [10 + i // 20 for i in range(120)]
    writer.table(("Signal", "Pin", "Note"), table, caption="Pins", number="7", pages=pages)
    found = cut(writer.document())
    assert len(found) > 3
    seen = []
    for chunk in found:
        assert chunk.kind == "table"
        lines = chunk.text.split("\n")
        assert lines[:4] == ["Table 7. Pins", "", "| Signal | Pin | Note |", "|-|-|-|"]
        numbers = [int(re.findall(r"signal(\d+)", line)[0]) for line in lines[4:]]
        assert (chunk.first_page, chunk.last_page) == (pages[numbers[0]], pages[numbers[-1]])
        assert {p.page for p in chunk.places} == {pages[n] for n in numbers}
        seen += numbers
    assert seen == list(range(120))
    assert all(256 <= length(chunk) <= 512 for chunk in found)


def test_a_row_longer_than_a_chunk_repeats_its_short_cells() -> None:
    writer = Writer()
    writer.section("Fields")
    writer.table(
        ("Bits", "Field", "Meaning"),
        [("7:4", "MODE", prose(900)), ("3", "EN", "Enable.")],
        caption="Fields",
    )
    found = cut(writer.document())
    long = [line for chunk in found for line in chunk.text.split("\n") if "| 7:4 |" in line]
    assert len(long) > 1
    assert all(line.startswith("| 7:4 | MODE | ") for line in long)
    said = " ".join(line.removeprefix("| 7:4 | MODE | ").removesuffix(" |") for line in long)
    assert said == prose(900)
    assert all(length(chunk) <= 512 for chunk in found)


def test_rows_with_several_long_cells_and_a_head_as_long_as_a_page_lose_nothing() -> None:
    writer = Writer()
    writer.section("Odd")
    writer.table(
        (prose(300), prose(300, 300)), [(prose(400, 1), prose(400, 2))] * 2, caption=prose(200, 5)
    )
    found = cut(writer.document())
    assert all(length(chunk) <= 512 for chunk in found)
    text = " ".join(chunk.text for chunk in found)
    assert words(prose(900).lower()) <= words(text.lower())


def test_a_bar_in_a_cell_does_not_make_a_column() -> None:
    writer = Writer()
    writer.section("A")
    writer.table(("Expression", "x"), [("A|B", "1")])
    assert "| A\\|B | 1 |" in cut(writer.document())[0].text


def usart(writer: Writer, description: int = 8) -> None:
    """Baud rate and control register in one section, as some manuals have them."""
    writer.section("Registers", peripheral="USART2")
    writer.text("Access is by words.")
    fields = (
        FieldText("DIV_Mantissa", 15, 4, "rw", None, "", 1),
        FieldText("DIV_Fraction", 3, 0, "rw", None, "", 1),
    )
    for name, offset in (("USART_BRR", 8), ("USART_CR1", 12)):
        table = len(writer.tables)
        writer.register(
            name,
            f"{name} register",
            offset=offset,
            reset=0,
            fields=fields,
            tables=(table,),
            matches=(f"USART2.{name[6:]}",),
        )
        writer.text(f"Address offset: 0x{offset:02X}")
        writer.text("Reset value: 0x0000")
        made = [(f"{15 - n}", f.name, prose(description, n)) for n, f in enumerate(fields)]
        writer.table(("Bits", "Field", "Meaning"), made * 4, kind="fields", caption=name)


def test_a_register_is_one_chunk_with_offset_reset_and_fields() -> None:
    writer = Writer()
    usart(writer)
    before, brr, cr1 = cut(writer.document())
    assert before.text == "Access is by words." and before.kind == "text"
    for chunk, name, offset in ((brr, "USART_BRR", "0x08"), (cr1, "USART_CR1", "0x0C")):
        assert chunk.kind == "register"
        assert chunk.text.startswith(
            f"Register {name}: {name} register; offset {offset}; reset value 0x00000000\n"
        )
        assert f"Address offset: {offset}" in chunk.text
        assert chunk.text.count("DIV_Mantissa") == 4
        assert {name, f"USART2.{name[6:]}", "DIV_Mantissa", "USART2"} <= set(chunk.symbols)


def test_fields_that_fit_are_not_parted_for_the_sake_of_what_follows() -> None:
    writer = Writer()
    usart(writer, description=30)
    writer.text(prose(420))
    found = [chunk for chunk in cut(writer.document()) if "USART_CR1" in chunk.symbols]
    assert len(found) > 1
    assert found[0].text.count("| DIV_") == 8
    assert all(chunk.text.startswith("Register USART_CR1") for chunk in found)


def test_a_register_too_long_for_one_chunk_has_its_name_in_every_part() -> None:
    writer = Writer()
    usart(writer, description=120)
    found = [chunk for chunk in cut(writer.document()) if "USART_BRR" in chunk.symbols]
    assert len(found) > 2
    for chunk in found:
        assert chunk.text.startswith("Register USART_BRR: USART_BRR register; offset 0x08")
        assert "| Bits | Field | Meaning |" in chunk.text
        assert length(chunk) <= 512


def test_fields_known_from_a_picture_alone_become_a_table() -> None:
    writer = Writer()
    writer.section("GPIO_MODER")
    fields = tuple(
        FieldText(f"MODER{n}", 2 * n + 1, 2 * n, "rw", 0, "", 1) for n in range(15, -1, -1)
    )
    writer.register("GPIOx_MODER", offset=0, fields=fields)
    writer.text("Two bits for each pin.")
    (chunk,) = cut(writer.document())
    assert "| Bits | Field | Access | Reset | Meaning |" in chunk.text
    assert "| 31:30 | MODER15 | rw | 0x0 |  |" in chunk.text
    assert "| 1:0 | MODER0 | rw | 0x0 |  |" in chunk.text


def test_figures_are_found_by_their_captions() -> None:
    writer = Writer()
    writer.section("Clock", peripheral="RCC")
    writer.text("As in the figure.")
    writer.figure("Clock tree", "12")
    text, figure = cut(writer.document())
    assert figure.kind == "figure" and figure.text == "Figure 12. Clock tree"
    assert figure.places == (writer.figures[0].place,)
    assert figure.symbols == ("RCC",)
    assert "Clock tree" not in text.text


def test_a_section_that_is_one_drawing_can_be_found_by_its_title() -> None:
    writer = Writer()
    top = writer.section("Packages")
    writer.page = 88
    writer.section("LQFP100 outline", top)
    (chunk,) = cut(writer.document())
    assert chunk.text == "LQFP100 outline"
    assert (chunk.first_page, chunk.last_page) == (88, 88)


def test_pages_and_boxes_are_those_of_the_text() -> None:
    writer = Writer()
    writer.section("A")
    writer.text("One.", places=(Place(3, (50, 700, 500, 720)), Place(4, (50, 60, 500, 80))))
    writer.text("Two.", places=(Place(4, (50, 90, 500, 110)),))
    writer.text("Far.", places=(Place(4, (50, 600, 500, 610)),))
    (chunk,) = cut(writer.document())
    assert (chunk.first_page, chunk.last_page) == (3, 4)
    assert chunk.places == (
        Place(3, (50, 700, 500, 720)),
        Place(4, (50, 60, 500, 110)),
        Place(4, (50, 600, 500, 610)),
    )


def test_overlap_repeats_whole_sentences_of_running_text() -> None:
    writer = Writer()
    writer.section("Long")
    writer.text(prose(1500))
    found = cut(writer.document(), overlap=40)
    for before, after in zip(found, found[1:], strict=False):
        repeated = after.text.split("\n")[0]
        assert before.text.endswith(repeated) and repeated.endswith(".")
        assert 0 < COUNT(repeated) <= 40
    assert all(length(chunk) <= 512 for chunk in found)


def test_linear_layout_names_the_columns_in_each_row() -> None:
    writer = Writer()
    writer.section("A")
    writer.text("A line\nand another.")
    writer.table(("Bits", "Field", "Reset"), [("3:0", "DIV", ""), ("4", "EN", "1")], caption="F")
    (chunk,) = cut(writer.document(), layout="linear")
    assert chunk.text == (
        "A line and another.\n\nF\nBits: 3:0; Field: DIV\nBits: 4; Field: EN; Reset: 1"
    )


def test_a_document_without_sections_has_chunks() -> None:
    writer = Writer()
    writer.section("gone")
    writer.text("Text.")
    document = writer.document()
    import msgspec

    bare = msgspec.structs.replace(document, sections=())
    (chunk,) = cut(bare)
    assert chunk.text == "Text." and chunk.heading_path == ()


def test_an_empty_document_has_none() -> None:
    assert cut(Writer().document()) == []


@pytest.mark.parametrize("maximum", [64, 128, 256, 512, 2000])
@pytest.mark.parametrize("layout", ["kept", "linear"])
def test_no_chunk_is_longer_than_the_setting(maximum: int, layout: str) -> None:
    writer = Writer("M")
    usart(writer, description=40)
    writer.section("B")
    writer.text(prose(700))
    writer.table(("Signal", "Pin", "Note"), rows(80), caption="Pins")
    writer.text("\n".join(f"- {prose(12, n)}" for n in range(40)), "list")
    found = cut(writer.document(), minimum=maximum // 2, maximum=maximum, layout=layout)
    assert max(map(length, found)) <= maximum
    assert all(chunk.tokens == length(chunk) for chunk in found)


_words = st.text("abcXYZ019_[]:.|-", min_size=1, max_size=9)
_texts = st.lists(_words, min_size=1, max_size=80).map(" ".join)
_parts = st.one_of(
    st.tuples(st.sampled_from(["text", "list", "note", "code"]), _texts),
    st.tuples(st.just("table"), st.lists(st.tuples(_texts, _texts), min_size=1, max_size=6)),
    st.tuples(st.just("section"), _words),
)


@given(st.lists(_parts, max_size=12))
@settings(max_examples=60, deadline=None)
def test_whatever_the_document_nothing_is_lost_and_nothing_too_long(
    parts: list[tuple[str, object]],
) -> None:
    writer = Writer("M")
    writer.section("first")
    expected: dict[int, set[str]] = {}
    for kind, content in parts:
        said = expected.setdefault(len(writer.sections) - 1, set())
        if kind == "section":
            writer.section(str(content))
        elif kind == "table":
            assert isinstance(content, list)
            writer.table(("left", "right"), content)
            said.update(re.findall(r"\w+", " ".join(cell for row in content for cell in row)))
        else:
            writer.text(str(content), kind)  # type: ignore[arg-type]
            said.update(re.findall(r"\w+", str(content)))
    found = cut(writer.document(), minimum=40, maximum=128)
    assert [chunk.number for chunk in found] == list(range(len(found)))
    assert all(length(chunk) <= 128 for chunk in found)
    for section, said in expected.items():
        text = " ".join(chunk.text for chunk in found if chunk.section == section)
        assert said <= words(text)
    # The chunks of a section follow one another.
    order = [chunk.section for chunk in found]
    assert len(set(order)) == sum(a != b for a, b in zip([None, *order], order, strict=False))
