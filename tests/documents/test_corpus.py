"""Manuals of several vendors as they are understood, compared with what stands on their pages.

All that is expected here was read off the rendered pages by eye.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import pytest

from datasheet_lsp.documents.read import read_document
from datasheet_lsp.documents.structure import DeviceNames
from datasheet_lsp.model.document import Document, RegisterText, Section, Table
from datasheet_lsp.svd import load_svd
from tests.documents.corpus_facts import (
    FIELD_RESETS,
    FIGURES,
    HEADS,
    LABELS,
    MATCHES,
    ORDER,
    REGISTERS,
    ROWS,
    RUNNING,
    SECTIONS,
    TITLES,
)
from tests.support import shared

SVDS = {
    "nxp_lpc82x_um": "lpc82x",
    "nxp_lpc81x_um": "LPC800_v0.3",
    "nordic_nrf51_rm": "nrf51",
    "wch_ch32v003_rm": "CH32V003xx",
    "st_stm32h723_rcc": "STM32H723",
    "st_stm32h723_gpio": "STM32H723",
    "st_pm0075": "STM32F103xx",
    "bouffalo_bl602_rm": "BL602_soc602_reg",
}


@cache
def manual(name: str) -> Document:
    path = shared(f"corpus/pdf/{name}.pdf")
    names = None
    if name in SVDS:
        names = DeviceNames(load_svd(shared(f"corpus/svd/{SVDS[name]}.svd")))
    return read_document(path, names=names)


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def described(name: str, register: str, page: int) -> RegisterText:
    found = [
        r
        for r in manual(name).registers
        if r.place.page == page
        and (r.name.casefold() == register.casefold() or r.name.endswith("_" + register))
    ]
    here = [r.name for r in manual(name).registers if r.place.page == page]
    assert found, f"{register} is not described on page {page}; there are {here}"
    return max(found, key=lambda r: len(r.fields))


@pytest.mark.parametrize(("name", "register", "page", "where", "reset", "fields"), REGISTERS)
def test_register_has_the_place_reset_value_and_fields_printed(
    name: str,
    register: str,
    page: int,
    where: Sequence[int],
    reset: int | None,
    fields: dict[str, tuple[int, int]],
) -> None:
    text = described(name, register, page)
    for value in where:
        assert (
            value in text.addresses if value >= 0x1000 else value in (text.offset, *text.addresses)
        )
    if reset is not None:
        assert text.reset == reset
    rows = {re.sub(r"[\[<].*", "", f.name): (f.msb, f.lsb) for f in text.fields}
    assert {field: rows.get(field) for field in fields} == fields


@pytest.mark.parametrize(("name", "register", "page", "field", "reset"), FIELD_RESETS)
def test_field_has_the_reset_value_printed(
    name: str, register: str, page: int, field: str, reset: int
) -> None:
    rows = {f.name: f.reset for f in described(name, register, page).fields}
    assert rows.get(field) == reset


@pytest.mark.parametrize(("name", "register", "page", "paths"), MATCHES)
def test_register_is_matched_with_the_svd(
    name: str, register: str, page: int, paths: Sequence[str]
) -> None:
    assert set(described(name, register, page).matches) >= set(paths)


def tables(name: str, page: int, caption: str) -> list[Table]:
    return [
        t
        for t in manual(name).tables
        if any(p.page == page for p in t.places)
        and plain(caption).casefold() in plain(t.caption).casefold()
    ]


def fits(expected: Sequence[str | None], row: Sequence[str]) -> bool:
    # White space aside: where a cell is wrapped does not matter here.
    return len(expected) == len(row) and all(
        e is None or re.sub(r"\s+", "", e) == re.sub(r"\s+", "", cell)
        for e, cell in zip(expected, row, strict=True)
    )


@pytest.mark.parametrize(("name", "page", "caption", "row"), ROWS)
def test_table_has_the_row_printed(
    name: str, page: int, caption: str, row: Sequence[str | None]
) -> None:
    found = tables(name, page, caption)
    assert found, f"no such table on page {page}"
    on_page = [r for t in found for r, p in zip(t.rows, t.row_pages, strict=True) if p == page]
    assert any(fits(row, r) for r in on_page), on_page


@pytest.mark.parametrize(("name", "page", "caption", "heads"), HEADS)
def test_table_has_the_column_heads_printed(
    name: str, page: int, caption: str, heads: Sequence[str | None]
) -> None:
    found = tables(name, page, caption)
    assert any(fits(heads, t.header) for t in found), [t.header for t in found]


def section(name: str, number: str, title: str, page: int) -> Section | None:
    wanted = letters(title)
    for found in manual(name).sections:
        own = letters(found.title)
        if own.startswith(letters(number)) and not found.number:
            own = own.removeprefix(letters(number))
        if found.page == page and own == wanted and found.number in ("", number):
            return found
    return None


@pytest.mark.parametrize(("name", "number", "title", "page"), SECTIONS)
def test_section_is_found_on_its_page(name: str, number: str, title: str, page: int) -> None:
    here = [(s.number, s.title) for s in manual(name).sections if s.page == page]
    found = section(name, number, title, page)
    assert found is not None, here
    assert found.number == number


@pytest.mark.parametrize(("name", "page", "number", "caption"), FIGURES)
def test_figure_is_found_with_its_caption(name: str, page: int, number: str, caption: str) -> None:
    here = [f for f in manual(name).figures if f.place.page == page]
    found = [f for f in here if letters(caption) in letters(f.caption)]
    assert found, [f.caption for f in here]
    assert number in found[0].number
    x0, y0, x1, y1 = found[0].place.box
    assert x1 - x0 > 100 and y1 - y0 > 60


@pytest.mark.parametrize(("name", "page", "label"), LABELS)
def test_page_number_is_the_printed_one(name: str, page: int, label: str) -> None:
    assert manual(name).label(page) == label


@pytest.mark.parametrize(("name", "title", "revision"), TITLES)
def test_title_and_revision_are_those_of_the_cover(name: str, title: str, revision: str) -> None:
    document = manual(name)
    assert letters(title) in letters(document.title)
    assert revision in document.revision


@pytest.mark.parametrize(("name", "running"), RUNNING)
def test_running_headers_and_footers_are_no_text(name: str, running: str) -> None:
    document = manual(name)
    with_it = [b.places[0].page for b in document.blocks if running in plain(b.text)]
    with_it += [
        t.row_pages[0] for t in document.tables if any(running in c for r in t.rows for c in r)
    ]
    # A cover or a legal page may say it once.
    assert len(with_it) <= 2, with_it


@pytest.mark.parametrize(("name", "page", "texts"), ORDER)
def test_columns_are_read_one_after_the_other(name: str, page: int, texts: Sequence[str]) -> None:
    document = manual(name)
    pieces = []
    for block in document.blocks:
        if block.places and block.places[0].page == page:
            pieces.append(document.sections[block.section].title)
            pieces.append(block.text)
    whole = letters(" ".join(pieces))
    at = [whole.find(letters(text)) for text in texts]
    assert -1 not in at and at == sorted(at), at
