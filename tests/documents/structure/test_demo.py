"""The demo manual, all of whose text, tables and registers are known from its source."""

from __future__ import annotations

import re
from functools import cache

import msgspec
import pytest

from datasheet_lsp.svd import load_svd

from .documents import DEMO, demo


class Source(msgspec.Struct):
    """A piece of manual.md with the heading it stands under."""

    kind: str
    heading: str
    text: str = ""
    rows: list[list[str]] = []


@cache
def source() -> list[Source]:
    lines = (DEMO / "manual" / "manual.md").read_text(encoding="utf-8").split("\n")
    lines = lines[lines.index("---", 1) + 1 :]
    found: list[Source] = []
    heading = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        if match := re.match(r"#+ (.*)", line):
            heading = match[1]
            found.append(Source("heading", heading, match[1]))
        elif line.startswith("Table: "):
            rows = []
            caption = line.removeprefix("Table: ")
            while at + 1 < len(lines) and lines[at + 1].startswith("|"):
                at += 1
                rows.append([c.strip() for c in lines[at].strip("|").split("|")])
            found.append(Source("table", heading, caption, [rows[0], *rows[2:]]))
        elif line.startswith("Figure: "):
            found.append(Source("figure", heading, line.removeprefix("Figure: ")))
        elif line.startswith("::: register"):
            found.append(Source("register", heading, line.split()[2]))
        elif line.startswith(":::") or not line.strip():
            pass
        elif line.startswith("    "):
            code = [line[4:]]
            while lines[at + 1].startswith("    "):
                at += 1
                code.append(lines[at][4:])
            found.append(Source("code", heading, "\n".join(code)))
        elif re.match(r"- |\d+\. ", line):
            items = [line]
            while re.match(r"- |\d+\. ", lines[at + 1]):
                at += 1
                items.append(lines[at])
            found.append(Source("list", heading, "\n".join(items)))
        else:
            found.append(Source("text", heading, line))
        at += 1
    return found


def of(kind: str) -> list[Source]:
    return [s for s in source() if s.kind == kind]


def full(section: int) -> str:
    s = demo().sections[section]
    return f"{s.number} {s.title}".strip()


def test_sections_are_the_headings_of_the_source() -> None:
    sections = [full(s.id) for s in demo().sections[1:]]
    assert sections == [s.text for s in of("heading")]


def test_levels_follow_the_numbers() -> None:
    for s in demo().sections[1:]:
        assert s.level == s.number.count(".") + 1
        if s.parent is not None:
            parent = demo().sections[s.parent]
            assert s.number.rpartition(".")[0] == parent.number


@pytest.mark.parametrize("kind", ["text", "list", "code"])
def test_every_paragraph_is_a_block_under_its_heading(kind: str) -> None:
    found = [(full(b.section), b.text) for b in demo().blocks if b.kind == kind]
    for s in of(kind):
        want = (s.heading, s.text)
        if kind == "list":
            # A list that goes on over a page is two blocks.
            whole = "\n".join(t for h, t in found if h == s.heading)
            assert s.text in whole
        else:
            assert want in found, s.text


def test_nothing_is_in_the_text_that_the_source_has_not() -> None:
    known = {s.text for s in source()}
    said = re.compile(r"Address offset: 0x|Reset value: 0x")
    for b in demo().blocks:
        if b.kind == "text" and b.section and not said.match(b.text):
            assert b.text in known


def test_tables_with_their_captions_under_their_headings() -> None:
    document = demo()
    captioned = [t for t in document.tables if t.caption]
    assert [(t.number, t.caption, full(t.section)) for t in captioned] == [
        (str(n), s.text, s.heading) for n, s in enumerate(of("table"), 1)
    ]
    for table, s in zip(captioned, of("table"), strict=True):
        assert list(table.header) == s.rows[0]
        assert [list(r) for r in table.rows] == s.rows[1:], table.caption


def test_figures_with_their_captions() -> None:
    found = [(f.number, f.caption, full(f.section)) for f in demo().figures]
    assert found == [(str(n), s.text, s.heading) for n, s in enumerate(of("figure"), 1)]


def test_registers_are_those_of_the_svd() -> None:
    device = load_svd(DEMO / "svd" / "STM32F407_demo.svd")
    registers = {r.section: r for r in demo().registers if full(r.section).endswith(")")}
    sections = {full(s.id): s.id for s in demo().sections}
    assert len(of("register")) == 24
    for s in of("register"):
        found = registers[sections[s.heading]]
        peripheral, _, name = s.text.partition(".")
        owner = device.peripheral(peripheral)
        assert owner is not None
        known = next(r for r in owner.registers if r.path == name)
        assert found.offset == known.offset, s.text
        if known.reset_mask in (None, 0xFFFFFFFF):
            assert found.reset == known.reset_value, s.text
        else:
            assert found.reset is None, s.text
        bits = {(f.name, f.msb, f.lsb) for f in found.fields}
        assert bits
        assert bits <= {(f.name, f.msb, f.lsb) for f in known.fields}, s.text
        paths = {f"{peripheral}.{known.path}", f"{peripheral}.{known.template}"}
        assert paths & set(found.matches), s.text


def test_registers_that_a_table_alone_names() -> None:
    found = {r.name: (r.offset, r.reset, r.matches) for r in demo().registers}
    assert found["GPIO_OSPEEDR"] == (0x08, 0x0C000000, ("GPIOA.OSPEEDR", "GPIOD.OSPEEDR"))
    assert found["TIM3_ARR"] == (0x2C, 0xFFFF, ("TIM3.ARR",))
    assert found["TIM3_PSC"] == (0x28, 0, ("TIM3.PSC",))


def test_peripherals_of_chapters() -> None:
    about = {s.number: s.peripheral for s in demo().sections}
    assert about["4"] == about["4.3.1"] == "RCC"
    assert about["5"] == about["5.1"] == "GPIO"
    assert about["6.5.3"] == "USART"
    assert about["7"] == about["7.1"] == "TIM3"
    assert about["8.4"] == "DMA"
    assert about["3"] == about["9"] == ""


def test_title_revision_and_labels() -> None:
    document = demo()
    assert (
        document.title == "STM32F407-class microcontroller: Short manual for the datasheet-lsp demo"
    )
    assert document.revision == "Rev 2"
    assert document.labels == tuple(str(n) for n in range(1, 19))
    assert document.troubles == ()


def test_heading_stands_where_it_is_printed() -> None:
    # Page pictures: 6.5.2 is at 600 points on page 11, 3.3 at 573 on page 4.
    tops = {s.number: (s.page, round(s.top)) for s in demo().sections}
    assert tops["6.5.2"][0] == 11
    assert abs(tops["6.5.2"][1] - 600) < 3
    assert tops["3.3"][0] == 4
    assert tops["9"][0] == 18
