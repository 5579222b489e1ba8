"""Lines, columns, headers and labels of pages made by hand."""

from __future__ import annotations

from datasheet_lsp.documents.page import PageData, Rule
from datasheet_lsp.documents.structure.furniture import Furniture, Margin
from datasheet_lsp.documents.structure.labels import page_labels
from datasheet_lsp.documents.structure.lines import make_lines, upright

from .documents import BOLD, FONTS, MONO, TITLE, line, page


def texts(made: PageData) -> list[str]:
    lines, _, _ = make_lines(made.words, FONTS, made.width)
    return [x.text for x in lines]


def test_number_and_title_of_a_heading_are_one_line() -> None:
    made = page(1, [("Clock tree", 130, 50, TITLE), ("4.2", 60, 50, TITLE), ("The text.", 130, 80)])
    lines, indices, _ = make_lines(made.words, FONTS, made.width)
    assert [x.text for x in lines] == ["4.2 Clock tree", "The text."]
    assert lines[0].bold
    assert lines[0].size == 14.0
    assert indices[0] == [2, 0, 1]


def test_two_columns_are_read_one_after_the_other() -> None:
    rows = [(f"left number {n} of the words in this column", 50, 60 + 14 * n) for n in range(6)] + [
        (f"right number {n} of the words in that column", 320, 60 + 14 * n) for n in range(6)
    ]
    made = page(
        1, [("A title across the page that is wider than one column", 50, 30, TITLE), *rows]
    )
    found = texts(made)
    assert found[0].startswith("A title")
    assert [t.split()[0] for t in found[1:]] == ["left"] * 6 + ["right"] * 6


def test_short_values_beside_names_are_no_second_column() -> None:
    made = page(
        1,
        [(f"Name {n}", 50, 60 + 14 * n) for n in range(6)]
        + [(f"value {n} of it and what it means here", 320, 60 + 14 * n) for n in range(6)],
    )
    assert texts(made)[:2] == [
        "Name 0 value 0 of it and what it means here",
        "Name 1 value 1 of it and what it means here",
    ]


def test_spaces_in_code_are_kept() -> None:
    made = page(1, [("a", 50, 60, MONO), ("= 1", 77, 60, MONO)])
    # A letter of the fixed-width font is 5.4 points wide, so four spaces fit into the gap.
    assert texts(made) == ["a    = 1"]


def sideways(angle: int) -> PageData:
    """A page whose text runs up (90) or down (270)."""
    upright_page = page(
        1,
        [
            ("Table 5. Pins of the chip", 60, 40, BOLD),
            ("PA0 USART2_CTS", 60, 70),
            ("PA1 USART2_RTS", 60, 90),
        ],
        width=800,
        height=600,
    )
    words = []
    for w in upright_page.words:
        if angle == 270:
            box = (600 - w.y1, w.x0, 600 - w.y0, w.x1)
        else:
            box = (w.y0, 800 - w.x1, w.y1, 800 - w.x0)
        words.append(type(w)(w.text, *box, w.font, w.line, angle))
    rule = Rule(530, 60, 530, 200) if angle == 270 else Rule(70, 600, 70, 740)
    return PageData(1, "", 600, 800, tuple(words), (rule,), (), ())


def test_sideways_pages_are_turned_and_boxes_turned_back() -> None:
    for angle in (90, 270):
        made = sideways(angle)
        turned, back = upright(made)
        assert (turned.width, turned.height) == (800, 600)
        assert texts(turned) == ["Table 5. Pins of the chip", "PA0 USART2_CTS", "PA1 USART2_RTS"]
        assert turned.rules == (Rule(60, 70, 200, 70),)
        assert back is not None
        for before, after in zip(made.words, turned.words, strict=True):
            box = back((after.x0, after.y0, after.x1, after.y1))
            assert box == (before.x0, before.y0, before.x1, before.y1)


def test_turned_words_in_the_head_of_a_table_do_not_turn_the_page() -> None:
    made = page(1, [("Offset Register Reset value of the bits", 60, 60 + 14 * n) for n in range(4)])
    heads = [w for n in range(60) for w in line(f"BIT{n}", 200, 300 + n, turned=90)]
    made = PageData(1, "", 600, 800, (*made.words, *heads), (), (), ())
    assert upright(made)[1] is None


def manual(count: int, body: str = "Text number {n} of this page.") -> list[PageData]:
    """Pages with a document name, the title of a chapter of eight pages, and a page count."""
    return [
        page(
            n,
            [
                ("UM100", 60, 30, BOLD),
                (f"Chapter {(n + 7) // 8}: About things", 380, 30, BOLD),
                (body.format(n=n), 60, 90),
                ("More of it follows in this line.", 60, 110),
                (f"{n + 306} of 900", 500, 760),
                ("Rev. 2", 60, 760),
            ],
        )
        for n in range(1, count + 1)
    ]


def stripped(pages: list[PageData]) -> list[tuple[PageData, list[Margin]]]:
    return list(Furniture(FONTS).strip(pages))


def test_headers_go_with_the_chapter_titles_that_change() -> None:
    for made, margins in stripped(manual(40)):
        words = " ".join(w.text for w in made.words)
        assert words == f"Text number {made.number} of this page. More of it follows in this line."
        assert {m.text for m in margins} == {
            "UM100",
            f"Chapter {(made.number + 7) // 8}: About things",
            f"{made.number + 306} of 900",
            "Rev. 2",
        }


def test_column_heads_that_come_again_stay() -> None:
    """A table over many pages repeats its head at one height, as a header does."""
    heads = [("Bits", 60, 70, BOLD), ("Name", 120, 70, BOLD), ("Type", 200, 70, BOLD)]
    heads += [("Reset", 280, 70, BOLD), ("Description", 360, 70, BOLD)]
    pages = [
        page(
            n,
            [
                ("BL100 manual", 60, 20),
                *heads,
                (f"{n} NAME rw 0 Meaning", 60, 100),
                (f"{n}/ 30", 300, 770),
            ],
        )
        for n in range(1, 31)
    ]
    for made, margins in stripped(pages):
        assert [w.text for w in made.words][:5] == ["Bits", "Name", "Type", "Reset", "Description"]
        assert len(margins) == 2


def test_first_lines_of_the_text_stay_though_some_come_again() -> None:
    pages = [
        page(
            n,
            [
                ("RM1", 60, 30, BOLD),
                ("Set and reset by software.", 60, 85),
                ("More.", 60, 300),
                (f"{n}/20", 500, 770),
            ],
        )
        for n in range(1, 21)
    ]
    for made, _ in stripped(pages):
        assert made.words[0].text == "Set"


def test_logos_and_header_frames_go_too() -> None:
    frame = [Rule(40, 20, 560, 20), Rule(40, 50, 560, 50), Rule(40, 20, 40, 50)]
    pages = [
        page(
            n,
            [("Register map", 200, 30), (f"Text {n}.", 60, 120)],
            rules=[*frame, Rule(60, 140, 500, 140)],
            pictures=[(45, 22, 90, 48), (100, 200, 400, 500 + n % 9)],
        )
        for n in range(1, 13)
    ]
    for made, _ in stripped(pages):
        assert made.rules == (Rule(60, 140, 500, 140),)
        assert len(made.pictures) == 1


def test_a_document_of_one_page_keeps_all() -> None:
    made, margins = stripped(manual(1))[0]
    assert margins == []
    assert len(made.words) == len(manual(1)[0].words)


def labels(*pages: list[str], own: list[str] | None = None) -> tuple[str, ...]:
    margins = [[Margin(t, (0, 0, 1, 1), 8.0, False) for t in p] for p in pages]
    return page_labels(own or [""] * len(pages), margins)


def test_labels_of_the_usual_forms() -> None:
    assert labels(["307/3357"], ["308/3357"], ["309/3357"]) == ("307", "308", "309")
    assert labels(["196 of 485"], ["197 of 485"]) == ("196", "197")
    assert labels(["26 | 60"], ["27 | 60"]) == ("26", "27")
    assert labels(["Page 9"], ["Pag e 1 0"], ["Page 1 1"]) == ("9", "10", "11")
    assert labels(["4-32"], ["4-33"], ["5-1"], ["5-2"]) == ("4-32", "4-33", "5-1", "5-2")
    assert labels(["DM0407 Rev 2", "12"], ["DM0407 Rev 2", "13"]) == ("12", "13")


def test_labels_in_roman_figures_before_the_first_chapter() -> None:
    pages = [["iii"], ["iv"], ["v"], ["1-1"], ["1-2"]]
    assert labels([], [], *pages) == ("i", "ii", "iii", "iv", "v", "1-1", "1-2")


def test_numbers_that_do_not_count_are_no_labels() -> None:
    assert labels(["2014"], ["2014"], ["2014"]) == ("", "", "")
    assert labels(["Rev 3", "7/9"], ["Rev 3", "8/9"], ["Rev 3"]) == ("7", "8", "9")


def test_the_files_own_labels_where_none_are_printed() -> None:
    assert labels([], [], own=["A-1", "A-2"]) == ("A-1", "A-2")
    assert labels([], [], own=["1", "2"]) == ("", "")
    assert labels(["7"], ["8"], own=["1", "2"]) == ("7", "8")


def test_pages_between_two_known_labels() -> None:
    assert labels(["5/9"], ["6/9"], [], ["8/9"], ["9/9"]) == ("5", "6", "7", "8", "9")
