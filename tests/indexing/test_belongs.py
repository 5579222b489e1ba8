"""A document belongs to the devices it is about, and to none where that is not clear."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from datasheet_lsp.indexing.belongs import Scope, decide, parts_of
from datasheet_lsp.indexing.run import DeviceFile
from datasheet_lsp.model.document import Place, RegisterText
from datasheet_lsp.svd import parse_svd
from tests.documents.chunks.make import Writer

ROOT = Path("/project")


def scope(name: str, *names: str, documents: tuple[str, ...] = (), folders: str = "") -> Scope:
    return Scope(
        name,
        (name, *names),
        frozenset(ROOT / document for document in documents),
        (folders,) if folders else (),
    )


def devices(
    title: str, scopes: list[Scope], text: str = "", name: str = "docs/manual.pdf"
) -> tuple[list[str], str]:
    writer = Writer(title, "")
    writer.section("A")
    writer.text(text or "Text.")
    path = ROOT / name
    belongs, undecided = decide(path, parts_of(writer.document(), path.name), scopes, ROOT)
    assert bool(belongs) != bool(undecided)
    return [each.device for each in belongs], undecided or belongs[0].reason


LPC = [scope("LPC82x")]
SERIES = [scope("LPC800"), scope("LPC82x")]
TWO = [scope("STM32F407"), scope("nRF52840", folders="/radio/**")]


@pytest.mark.parametrize(
    ("title", "scopes", "expected"),
    [
        ("UM10800 LPC82x User manual", LPC, ["LPC82x"]),
        ("UM10601 LPC81x User manual", LPC, []),
        ("UM10601 LPC81x User manual", SERIES, ["LPC800"]),
        ("UM10800 LPC82x User manual", SERIES, ["LPC82x"]),
        ("UM10503 LPC43xx User manual", SERIES, []),
        ("RM0090 STM32F405/415, STM32F407/417 reference manual", TWO, ["STM32F407"]),
        ("STM32F405xx STM32F407xx", TWO, ["STM32F407"]),
        ("nRF52840 Product Specification", TWO, ["nRF52840"]),
        ("STM32F746 datasheet", TWO, []),
        ("STM32F407 and nRF52840 on one board", TWO, ["STM32F407", "nRF52840"]),
    ],
)
def test_the_title_decides(title: str, scopes: list[Scope], expected: list[str]) -> None:
    found, why = devices(title, scopes)
    assert found == expected
    assert expected or "is no device of this workspace" in why


def test_the_file_name_counts_as_a_title() -> None:
    assert devices("Manual", TWO, name="docs/nrf52840_ps.pdf")[0] == ["nRF52840"]


def test_without_a_name_in_the_title_the_first_pages_decide() -> None:
    text = "This manual is for the STM32F405 and STM32F407 lines."
    found, why = devices("Reference manual", TWO, text)
    assert found == ["STM32F407"] and why == "its first pages name STM32F407"
    assert devices("Reference manual", TWO, "For the GD32F450 lines.")[0] == []


def test_the_settings_go_before_all_else() -> None:
    scopes = [scope("STM32F407", documents=("docs/manual.pdf",)), scope("nRF52840")]
    found, why = devices("nRF52840 Product Specification", scopes)
    assert found == ["STM32F407"] and "datasheet.toml" in why


def test_the_folder_of_the_code_decides_where_nothing_is_named() -> None:
    found, why = devices("Notes", TWO, name="radio/docs/notes.md")
    assert found == ["nRF52840"] and "folder" in why


def test_what_names_nothing_belongs_to_the_only_device() -> None:
    assert devices("Notes on the board", LPC)[0] == ["LPC82x"]
    assert devices("Notes on the board", TWO) == (
        [],
        "it names none of the devices of this workspace",
    )
    assert devices("Notes", []) == ([], "no device is known in this workspace")


def chip(name: str, peripheral: str, registers: list[str]) -> DeviceFile:
    listed = "".join(
        f"<register><name>{r}</name><addressOffset>{4 * i}</addressOffset></register>"
        for i, r in enumerate(registers)
    )
    device = parse_svd(
        f"<device><name>{name}</name><size>32</size><peripherals><peripheral><name>{peripheral}"
        "</name><baseAddress>0</baseAddress>"
        f"<registers>{listed}</registers></peripheral></peripherals></device>".encode(),
        f"{name}.svd",
    )
    return DeviceFile(name, (name,), device=device)


def described(title: str, registers: list[str], scopes: list[DeviceFile]) -> tuple[list[str], str]:
    writer = Writer(title, "")
    writer.section("Registers")
    writer.text("Text.")
    document = msgspec.structs.replace(
        writer.document(),
        registers=tuple(
            RegisterText(each, "", 0, Place(1, (0, 0, 1, 1)), None, (), None, ())
            for each in registers
        ),
    )
    path = ROOT / "manual.pdf"
    belongs, undecided = decide(path, parts_of(document, path.name), scopes, ROOT)
    return [each.device for each in belongs], undecided or belongs[0].reason


COMMON = ["CR", "SR", "DR", "BRR"]
OWN = [f"LOOPC{i:02}" for i in range(26)]


def test_a_manual_of_another_name_belongs_where_its_registers_are() -> None:
    scopes = [chip("tremo", "LORA", [*COMMON, *OWN]), chip("other", "UART", COMMON)]
    found, why = described("Radio manual", [f"LORA_{r}" for r in OWN], scopes)
    assert found == ["tremo"] and why == "26 of its 26 registers are of this device"


def test_registers_that_two_devices_have_decide_nothing() -> None:
    scopes = [chip("one", "LORA", OWN), chip("two", "LORA", OWN)]
    found, why = described("Radio manual", OWN, scopes)
    assert found == [] and "names none" in why


def test_few_registers_decide_nothing() -> None:
    scopes = [chip("tremo", "LORA", OWN), chip("other", "UART", COMMON)]
    assert described("Radio manual", OWN[:10], scopes)[0] == []
    assert described("Radio manual", [*OWN[:6], *(f"X{i}" for i in range(30))], scopes)[0] == []


def test_a_chip_that_is_named_goes_before_its_registers() -> None:
    scopes = [chip("tremo", "LORA", OWN), chip("STM32F407", "UART", COMMON)]
    assert described("STM32F407 manual", OWN, scopes)[0] == ["STM32F407"]
    assert described("LPC81x manual", OWN, scopes)[0] == []
