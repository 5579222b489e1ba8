"""A workspace with its devices in memory."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from datasheet_lsp.assist.session import Session
from tests.workspace.trees import NOWHERE, make, svd


def session(root: Path | None, **more: Any) -> Session:
    made = Session(root, env={}, home=NOWHERE, system=NOWHERE, **more)
    made.load()
    return made


def devices(of: Session, path: Path | None = None) -> list[str]:
    return [lookup.device.name for lookup in of.lookups_for(path)]


def touch(path: Path, text: str) -> None:
    """Writes a file so that its time differs from before, on any file system."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text)
    os.utime(path, ns=(before + 10**9, before + 10**9))


TWO: Mapping[str, str] = {
    "svd/STM32F407.svd": "",
    "svd/nrf52840.svd": "",
    "board/a.ioc": "Mcu.CPN=STM32F407VGT6\n",
    "board/main.c": "",
    "radio/Makefile": "CFLAGS = -DNRF52840_XXAA\n",
    "radio/main.c": "",
    "common/uart.c": "",
}


def test_the_device_of_the_workspace_is_loaded_and_found_in(tmp_path: Path) -> None:
    made = session(make(tmp_path, {"STM32F407.svd": "", "main.c": ""}))
    assert [c.context.name for c in made.contexts] == ["STM32F407"]
    assert made.problems == []
    (lookup,) = made.lookups_for(tmp_path / "main.c")
    assert [at.path for at in lookup.at(0x40001004)] == ["UART0.DR"]
    assert made.contexts[0].device is lookup.device


def test_before_the_load_there_is_nothing() -> None:
    made = Session(None)
    assert made.contexts == [] and made.problems == [] and made.lookups_for(None) == []


def test_the_folder_of_the_file_decides_and_a_shared_file_sees_both(tmp_path: Path) -> None:
    made = session(make(tmp_path, TWO))
    assert devices(made, tmp_path / "board/main.c") == ["STM32F407"]
    assert devices(made, tmp_path / "radio/main.c") == ["nrf52840"]
    assert devices(made, tmp_path / "common/uart.c") == ["STM32F407", "nrf52840"]
    assert devices(made, None) == ["STM32F407", "nrf52840"]
    assert devices(made, tmp_path.parent / "elsewhere.c") == ["STM32F407", "nrf52840"]


def test_a_file_whose_own_device_has_no_svd_sees_no_other_chip(tmp_path: Path) -> None:
    files = dict(TWO)
    del files["svd/nrf52840.svd"]
    made = session(make(tmp_path, files))
    assert devices(made, tmp_path / "board/main.c") == ["STM32F407"]
    assert devices(made, tmp_path / "radio/main.c") == []
    assert any("NRF52840_XXAA" in problem.message for problem in made.problems)


def test_code_patterns_of_the_settings_decide(tmp_path: Path) -> None:
    toml = """
[[context]]
svd = "svd/STM32F407.svd"
code = ["common/", "board/*.c"]
[[context]]
svd = "svd/nrf52840.svd"
code = ["common/uart.c"]
"""
    made = session(make(tmp_path, {**TWO, "datasheet.toml": toml}))
    assert devices(made, tmp_path / "common/uart.c") == ["STM32F407", "nrf52840"]
    assert devices(made, tmp_path / "board/main.c") == ["STM32F407"]
    assert devices(made, tmp_path / "radio/main.c") == ["STM32F407", "nrf52840"]


def test_two_contexts_of_one_svd_share_the_device(tmp_path: Path) -> None:
    toml = '[[context]]\nsvd = "a.svd"\ncode = ["x/"]\n[[context]]\nsvd = "a.svd"\ncode = ["y/"]\n'
    made = session(make(tmp_path, {"a.svd": "", "datasheet.toml": toml}))
    assert len(made.contexts) == 2
    assert made.contexts[0].lookup is made.contexts[1].lookup


def test_svd_files_given_go_before_the_workspace(tmp_path: Path) -> None:
    make(tmp_path, {**TWO, "other/LPC82x.svd": ""})
    made = session(tmp_path, svd=[tmp_path / "other/LPC82x.svd"])
    assert devices(made, tmp_path / "board/main.c") == ["LPC82x"]
    made = session(None, svd=[tmp_path / "other/LPC82x.svd"])
    assert devices(made) == ["LPC82x"]


def test_one_broken_svd_is_told_and_the_others_work(tmp_path: Path) -> None:
    make(tmp_path, TWO)
    (tmp_path / "svd/nrf52840.svd").write_text("<device><name>nrf52840</name><peri")
    made = session(tmp_path)
    assert devices(made) == ["STM32F407"]
    assert [p.path for p in made.problems] == [tmp_path / "svd/nrf52840.svd"]


def test_any_fault_of_the_reader_costs_that_svd_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import datasheet_lsp.index as index

    real = index.load_device

    def fail(path: Path, *more: Any, **named: Any) -> Any:
        if path.name == "nrf52840.svd":
            raise ZeroDivisionError("no way")
        return real(path, *more, **named)

    monkeypatch.setattr(index, "load_device", fail)
    made = session(make(tmp_path, TWO))
    assert devices(made) == ["STM32F407"]
    assert "nrf52840.svd cannot be loaded: no way" in [p.message for p in made.problems]


def test_a_missing_svd_given_by_path_is_told(tmp_path: Path) -> None:
    made = session(None, svd=[tmp_path / "none.svd"])
    assert made.contexts == []
    assert len(made.problems) == 1 and "none.svd" in made.problems[0].message


def test_nothing_changed_is_nothing_done(tmp_path: Path) -> None:
    made = session(make(tmp_path, TWO))
    contexts = made.contexts
    assert made.refresh() is False
    assert made.contexts is contexts


def test_a_changed_svd_is_loaded_anew_and_the_other_kept(tmp_path: Path) -> None:
    made = session(make(tmp_path, TWO))
    stm, nrf = (c.device for c in made.contexts)
    touch(tmp_path / "svd/nrf52840.svd", svd("nrf52840", peripheral="TWIM9"))
    assert made.refresh() is True
    assert made.contexts[0].device is stm
    assert made.contexts[1].device is not nrf
    assert made.contexts[1].lookup.peripherals("TWIM9")


@pytest.mark.parametrize("use_index", [True, False])
def test_new_files_and_settings_are_seen(tmp_path: Path, use_index: bool) -> None:
    make(tmp_path, {"main.c": ""})
    made = session(tmp_path, use_index=use_index)
    assert made.contexts == []
    make(tmp_path, {"hw/STM32F407.svd": ""})
    assert made.refresh() is True and devices(made) == ["STM32F407"]
    make(tmp_path, {"hw/nrf52840.svd": ""})
    os.utime(tmp_path / "hw", ns=(10**18, 10**18))
    assert made.refresh() is True and devices(made) == []
    make(tmp_path, {"datasheet.toml": '[[context]]\nsvd = "hw/nrf52840.svd"\n'})
    assert made.refresh() is True and devices(made) == ["nrf52840"]
    touch(tmp_path / "datasheet.toml", '[[context]]\nsvd = "hw/STM32F407.svd"\n')
    assert made.refresh() is True and devices(made) == ["STM32F407"]
    assert made.refresh() is False


def test_a_removed_svd_is_noticed(tmp_path: Path) -> None:
    made = session(make(tmp_path, {"STM32F407.svd": ""}))
    (tmp_path / "STM32F407.svd").unlink()
    assert made.refresh() is True and made.contexts == []


def test_options_count_and_wrong_ones_are_told(tmp_path: Path) -> None:
    options = {"index": {"path": ".cache/x.sqlite"}, "hover": {"max_rows": "many"}}
    made = session(make(tmp_path, {"STM32F407.svd": ""}), options=options)
    assert made.index_path == tmp_path / ".cache/x.sqlite" and made.index_path.exists()
    assert ["max_rows" in p.message for p in made.problems] == [True]


def test_the_index_is_written_unless_it_is_off(tmp_path: Path) -> None:
    make(tmp_path, {"STM32F407.svd": ""})
    session(tmp_path, use_index=False)
    session(tmp_path, options={"index": {"enabled": False}})
    assert not (tmp_path / ".datasheet").exists()
    session(tmp_path)
    assert (tmp_path / ".datasheet/index.sqlite").exists()


def test_a_folder_without_devices_gets_no_index(tmp_path: Path) -> None:
    session(make(tmp_path, {"main.py": ""}))
    assert not (tmp_path / ".datasheet").exists()


def test_an_index_that_cannot_be_made_costs_nothing_but_a_word(tmp_path: Path) -> None:
    made = session(make(tmp_path, {"STM32F407.svd": "", ".datasheet": "a file"}))
    assert devices(made) == ["STM32F407"]
    assert len(made.problems) == 1


def test_a_second_start_reads_no_xml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import datasheet_lsp.index.load as load

    make(tmp_path, {"STM32F407.svd": ""})
    session(tmp_path)
    monkeypatch.setattr("datasheet_lsp.svd.reader.parse_svd", None)
    monkeypatch.setattr("datasheet_lsp.svd.files.parse_svd", None)
    assert load is not None
    assert devices(session(tmp_path)) == ["STM32F407"]


def test_readers_never_see_half_a_load(tmp_path: Path) -> None:
    made = session(make(tmp_path, TWO))
    wrong: list[list[str]] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen = devices(made, tmp_path / "common/uart.c")
            if seen != ["STM32F407", "nrf52840"]:
                wrong.append(seen)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for _ in range(5):
        made.load()
    done.set()
    for reader in readers:
        reader.join()
    assert wrong == []


def test_the_core_the_project_builds_for_counts_where_the_svd_names_none(tmp_path: Path) -> None:
    files = {
        "STM32F103.svd": "",
        "Makefile": "CFLAGS = -mcpu=cortex-m3 -DSTM32F103xB\n",
    }
    made = session(make(tmp_path, files))
    (loaded,) = made.contexts
    assert [at.address for at in loaded.lookup.find("SysTick.CTRL")] == [0xE000E010]
    assert [at.peripheral.source for at in loaded.lookup.find("NVIC.ISER[1]")] == ["cortex-m3.svd"]

    touch(tmp_path / "Makefile", "CFLAGS = -mcpu=cortex-m0 -DSTM32F103xB\n")
    assert made.refresh()
    assert made.contexts[0].lookup.find("NVIC.ISER[1]") == []
    assert [at.address for at in made.contexts[0].lookup.find("NVIC.ISER[0]")] == [0xE000E100]

    touch(tmp_path / "Makefile", "CFLAGS = -DSTM32F103xB\n")
    assert made.refresh()
    assert made.contexts[0].lookup.find("SysTick.CTRL") == []
