"""A document belongs to the devices it is about, and to none where that is not clear."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasheet_lsp.indexing.belongs import Scope, decide, parts_of
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
