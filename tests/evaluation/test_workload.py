"""The projects made for measuring use registers that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from datasheet_lsp.evaluation.workload import from_device, from_project
from datasheet_lsp.model import Lookup
from tests.index.make import small_device


def word_at(path: Path, line: int, character: int) -> str:
    text = path.read_text().split("\n")[line]
    match = re.match(r"[\w.\[\]]+", text[character:])
    assert match
    return match[0]


def test_a_project_is_made_of_the_devices_own_registers(tmp_path: Path) -> None:
    svd = tmp_path / "acme1.svd"
    svd.write_text("<device/>")
    device = small_device()
    work = from_device(tmp_path / "made", svd, device, 3)
    assert [path.name for path in work.files] == ["part_00.c", "part_01.c", "part_02.c"]
    assert "-DACME1\n" in (work.root / "Makefile").read_text()
    assert (work.root / "acme1.svd").read_text() == "<device/>"
    assert len(work.places) == 3 * 20 * 8
    paths = {register.path for _, register in device.walk()}
    assert {word_at(p.path, p.line, p.character) for p in work.places} == paths
    line = work.files[0].read_text().split("\n")[work.places[0].line]
    peripheral, register = re.search(r"(\w+)->([\w.\[\]]+)", line).groups()
    assert len(Lookup(device).find(f"{peripheral}.{register}")) == 1


def test_the_same_device_gives_the_same_project(tmp_path: Path) -> None:
    svd = tmp_path / "acme1.svd"
    svd.write_text("<device/>")
    first = from_device(tmp_path / "a", svd, small_device(), 2)
    second = from_device(tmp_path / "b", svd, small_device(), 2)
    assert [p.read_text() for p in first.files] == [p.read_text() for p in second.files]


def test_a_project_is_copied_and_filled_up_to_the_number_of_files(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    (project / ".datasheet").mkdir()
    (project / ".datasheet" / "index.sqlite").write_text("mine")
    (project / "src" / "main.c").write_text(
        "/* a comment */\n// USART2->CR1\nvoid f(void)\n{\n    USART2->BRR = 0x683;\n}\n"
    )
    (project / "src" / "none.c").write_text("int x;\n")
    work = from_project(tmp_path / "copy", project, 4)
    assert [path.name for path in work.files] == [
        "main.c",
        "main_copy00.c",
        "main_copy01.c",
        "main_copy02.c",
    ]
    assert [(p.line, p.character) for p in work.places] == [(4, 12)] * 4
    assert not (work.root / ".datasheet").exists()
    assert sorted(p.name for p in (project / "src").iterdir()) == ["main.c", "none.c"]


def test_a_project_without_a_register_access_is_refused(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    with pytest.raises(ValueError, match="no C file with a register access"):
        from_project(tmp_path / "copy", tmp_path, 2)
