"""Field rows found, counted against the vendors' SVD files where names match."""

import re

import pytest

from datasheet_lsp.documents.pdf.reader import open_pdf
from datasheet_lsp.documents.tables import (
    Stitcher,
    diagram_rows,
    field_paragraphs,
    field_rows,
    find_tables,
)
from datasheet_lsp.svd import load_svd
from tests.support import shared

HEADING = re.compile(r"^\d+(\.\d+)+\s+\S")


def plain(name):
    return re.sub(r"[^A-Z0-9]", "", name.upper())


def described(path):
    """Sets of (name, msb, lsb), one for each table, picture and section, and all words."""
    groups, words, lines = [], set(), []
    stitcher = Stitcher()
    with open_pdf(path) as pdf:
        tables = []
        for number in range(1, pdf.info.pages + 1):
            page = pdf.page(number)
            for word in page.words:
                words.update(plain(w) for w in re.findall(r"\w+", word.text))
            found = find_tables(page, pdf.info)
            tables += stitcher.feed(found)
            groups += [diagram_rows(d) for d in found.diagrams]
            lines += [line.text for line in found.loose]
        tables += stitcher.finish()
    groups += [field_rows(t) for t in tables]
    section = []
    for line in [*lines, "9.9 End"]:
        if HEADING.match(line):
            groups.append(field_paragraphs(section))
            section = []
        section.append(line)
    return [{(plain(r.name), r.msb, r.lsb) for r in g if not r.reserved} for g in groups], words


@pytest.mark.parametrize(
    ("manual", "svd", "only", "least"),
    [
        ("nxp_lpc82x_um", "lpc82x", None, 0.97),
        ("nordic_nrf51_rm", "nrf51", None, 0.98),
        ("wch_ch32v003_rm", "CH32V003xx", None, 0.94),
        ("st_stm32h723_rcc", "STM32H723", "RCC", 0.98),
        ("st_stm32h723_gpio", "STM32H723", "GPIOA", 0.98),
        ("st_pm0075", "STM32F103xx", "FLASH", 0.92),
    ],
)
def test_fields_of_the_device_are_found(manual, svd, only, least):
    device = load_svd(shared(f"corpus/svd/{svd}.svd"))
    groups, words = described(shared(f"corpus/pdf/{manual}.pdf"))
    wanted = found = 0
    seen = set()
    for peripheral in device.peripherals:
        if (only and peripheral.name != only) or id(peripheral.block) in seen:
            continue
        seen.add(id(peripheral.block))
        for register in peripheral.block.registers:
            fields = {
                (plain(f.name), f.msb, f.lsb)
                for f in register.fields
                if plain(f.name) in words and plain(f.name) != "RESERVED"
            }
            wanted += len(fields)
            found += max((len(fields & g) for g in groups), default=0)
    assert wanted
    assert found / wanted >= least
