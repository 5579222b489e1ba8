"""From a register of a device to its page in the manuals of that device."""

from __future__ import annotations

from pathlib import Path

from datasheet_lsp.assist.places import Places, read_places
from datasheet_lsp.index import Index
from datasheet_lsp.model import Device, Lookup
from datasheet_lsp.render.style import Plain
from datasheet_lsp.svd import parse_svd
from tests.index.test_documents import entry
from tests.index.test_homes import manual
from tests.lsp.projects import svd


def chip(name: str) -> Device:
    return parse_svd(svd(name, 0x40001000).encode(), f"{name}.svd")


def lines(places: Places, *found: Device, path: str = "UART1.BRR", tell: bool = True) -> list[str]:
    locations = [location for device in found for location in Lookup(device).find(path)]
    return places.lines(locations, Plain(), tell_missing=tell)


def put(index: Index, name: str, device: tuple[str, ...], text: str = "1") -> None:
    assert index.put_document(entry(name, text, manual(f"{name} title"), device)) is not None


def test_the_place_is_that_of_the_device(tmp_path: Path) -> None:
    alpha, beta = chip("ALPHA"), chip("BETA")
    with Index(tmp_path / "index.sqlite") as index:
        put(index, "docs/alpha.pdf", ("ALPHA",))
        places = read_places(index, ["ALPHA", "BETA"])
    only = "Manual rev 2, p. 2: Baud rate register (UART_BRR)."
    missing = "No manual indexed for BETA (add one: datasheet-lsp index FILE)."
    assert lines(places, alpha) == [only]
    assert lines(places, alpha, path="UART1.BRR.DIV") == [only]
    assert lines(places, beta) == [missing]
    assert lines(places, beta, tell=False) == []
    assert lines(places, alpha, beta) == [f"ALPHA: {only}", missing]


def test_of_several_manuals_the_file_is_named(tmp_path: Path) -> None:
    with Index(tmp_path / "index.sqlite") as index:
        put(index, "docs/alpha.pdf", ("ALPHA",))
        put(index, "docs/errata.pdf", ("ALPHA",), "2")
        places = read_places(index, ["ALPHA"])
    assert lines(places, chip("ALPHA")) == ["alpha.pdf rev 2, p. 2: Baud rate register (UART_BRR)."]


def test_a_register_that_no_manual_describes_gets_no_line(tmp_path: Path) -> None:
    with Index(tmp_path / "index.sqlite") as index:
        put(index, "alpha.pdf", ("ALPHA",))
        places = read_places(index, ["ALPHA"])
    assert lines(places, chip("ALPHA"), path="UART1.FIFO[1]") == []
    assert lines(places, chip("ALPHA"), path="UART1") == []


def test_a_manual_of_unknown_device_may_be_the_missing_one(tmp_path: Path) -> None:
    with Index(tmp_path / "index.sqlite") as index:
        put(index, "some.pdf", ())
        places = read_places(index, ["ALPHA"])
    assert lines(places, chip("ALPHA")) == []
