"""The walk is bounded, quick, and survives what lies about."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from datasheet_lsp.workspace import walk as walk_module
from datasheet_lsp.workspace.evidence import is_wanted
from datasheet_lsp.workspace.walk import walk
from tests.workspace.trees import discover, make, svd


def names(root: Path) -> list[str]:
    found = walk(root, is_wanted)
    return sorted(svd.path.relative_to(root).as_posix() for svd in found.svds)


def test_loops_of_links_end(tmp_path: Path) -> None:
    make(tmp_path, {"a/b/STM32F407.svd": ""})
    (tmp_path / "a/b/up").symlink_to(tmp_path / "a")
    (tmp_path / "a/self").symlink_to(tmp_path / "a/self")
    (tmp_path / "root").symlink_to("/")
    (tmp_path / "parent").symlink_to(tmp_path.parent)
    assert names(tmp_path) == ["a/b/STM32F407.svd"]


def test_a_linked_folder_elsewhere_is_searched_once(tmp_path: Path) -> None:
    make(tmp_path, {"shared/STM32F407.svd": "", "w/main.c": ""})
    (tmp_path / "w/one").symlink_to(tmp_path / "shared")
    (tmp_path / "w/two").symlink_to(tmp_path / "shared")
    assert names(tmp_path / "w") == ["one/STM32F407.svd"]


def test_a_linked_file_is_an_svd_like_another(tmp_path: Path) -> None:
    make(tmp_path, {"shared/STM32F407.svd": "", "w/main.c": ""})
    (tmp_path / "w/chip.svd").symlink_to(tmp_path / "shared/STM32F407.svd")
    (tmp_path / "w/dead.svd").symlink_to(tmp_path / "nothing.svd")
    assert names(tmp_path / "w") == ["chip.svd"]


def test_an_unreadable_folder_is_told_and_the_rest_is_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, {"STM32F407.svd": "", "locked/x.svd": ""})
    real = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = walk(tmp_path, is_wanted)
    assert [s.path.name for s in found.svds] == ["STM32F407.svd"]
    assert [(p.path, p.message) for p in found.problems] == [
        (tmp_path / "locked", "The folder cannot be read: Permission denied.")
    ]


def test_a_folder_that_vanishes_is_told(tmp_path: Path) -> None:
    found = walk(tmp_path / "none", is_wanted)
    assert [p.message for p in found.problems] == [
        "The folder cannot be read: No such file or directory."
    ]


def test_an_unreadable_svd_keeps_its_file_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, {"STM32F407.svd": ""})
    real = Path.open

    def fail(path: Path, *args: object, **kwargs: object) -> object:
        if path.suffix == ".svd":
            raise PermissionError(13, "Permission denied")
        return real(path, *args, **kwargs)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", fail)
    assert [s.names for s in walk(tmp_path, is_wanted).svds] == [("STM32F407",)]


def test_too_many_files_end_the_walk_with_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, {f"d{n}/f{m}.c": "" for n in range(10) for m in range(10)})
    make(tmp_path, {"STM32F407.svd": "", "d9/late.svd": ""})
    monkeypatch.setattr(walk_module, "MAX_ENTRIES", 50)
    found = walk(tmp_path, is_wanted)
    assert [s.path.name for s in found.svds] == ["STM32F407.svd"]
    assert "more than 50 files" in found.problems[0].message


def test_too_deep_a_tree_ends_with_a_word(tmp_path: Path) -> None:
    deep = "/".join("d" for _ in range(walk_module.MAX_DEPTH + 3))
    make(tmp_path, {f"{deep}/x.svd": "", "STM32F407.svd": ""})
    found = walk(tmp_path, is_wanted)
    assert [s.path.name for s in found.svds] == ["STM32F407.svd"]
    assert "levels deep" in found.problems[0].message


def test_names_that_are_no_utf_8_do_no_harm(tmp_path: Path) -> None:
    make(tmp_path, {"STM32F407.svd": ""})
    with open(os.fsencode(tmp_path) + b"/\xff\xfe.svd", "w") as file:
        file.write(svd("X1234"))
    assert len(walk(tmp_path, is_wanted).svds) == 2


def test_20_000_files_take_less_than_a_second(tmp_path: Path) -> None:
    for n in range(200):
        folder = tmp_path / f"dir{n // 20}" / f"sub{n}"
        folder.mkdir(parents=True)
        for m in range(100):
            (folder / f"file{m}.c").touch()
    make(tmp_path, {".gitignore": "*.o\n/out/\n*.svd\n!/hw/*.svd\n", "hw/STM32F407.svd": ""})
    started = time.process_time()
    found = discover(tmp_path)
    assert time.process_time() - started < 1.0
    assert len(found.contexts) == 1


def test_reading_the_settings_loads_no_xml_and_no_server() -> None:
    code = (
        "import sys, datasheet_lsp.workspace.settings, datasheet_lsp.assist.session;"
        "heavy = {'lxml', 'pygls', 'lsprotocol', 'apsw', 'tree_sitter', 'pathspec'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
