"""Which headers a file sees: found in the workspace, by the build's flags, by the chip's name."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from datasheet_lsp.assist.headers import WorkspaceHeaders, top_of
from datasheet_lsp.firmware import Source
from datasheet_lsp.firmware.headers.chips import fit, names_chip, plain_name
from datasheet_lsp.firmware.headers.view import Headers
from tests.firmware.devices import device

CHIP = device(name="ESP32-C3")
SPEED = "#ifdef FAST\n#define SPEED FAST\n#else\n#define SPEED 0\n#endif\n"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def ask(folder: Path, name: str, *lookups: object) -> Headers:
    path = folder / name
    found = WorkspaceHeaders(folder).of(path, Source(path.read_bytes()), lookups)  # type: ignore[arg-type]
    assert found is not None
    return found


def value(headers: Headers, name: str) -> str | None:
    macro = headers.macro(name)
    return None if macro is None else macro.body


def test_headers_are_found_anywhere_in_the_workspace(tmp_path: Path) -> None:
    write(tmp_path, {
        "app/src/main.c": '#include "drivers/uart.h"\n#include <stdint.h>\n',
        "sdk/inc/drivers/uart.h": '#include "uart_regs.h"\n#define A 1\n',
        "sdk/inc/drivers/uart_regs.h": "#define B 2\n",
        "other/uart.h": "#define A 9\n",  # not drivers/uart.h
    })  # fmt: skip
    headers = ask(tmp_path, "app/src/main.c")
    assert (value(headers, "A"), value(headers, "B")) == ("1", "2")
    assert headers.files.missing == []


def test_of_several_the_chips_own_is_taken_then_the_nearest(tmp_path: Path) -> None:
    write(tmp_path, {
        "main/a.c": '#include "soc/regs.h"\n#include "board.h"\n',
        "soc/esp32/include/soc/regs.h": "#define BASE 1\n",
        "soc/esp32c3/include/soc/regs.h": "#define BASE 3\n",
        "soc/esp32s3/include/soc/regs.h": "#define BASE 4\n",
        "main/inc/board.h": "#define BOARD near\n",
        "examples/x/board.h": "#define BOARD far\n",
    })  # fmt: skip
    headers = ask(tmp_path, "main/a.c", CHIP)
    assert (value(headers, "BASE"), value(headers, "BOARD")) == ("3", "near")


def test_the_compilers_command_line_decides(tmp_path: Path) -> None:
    write(tmp_path, {
        "src/a.c": '#include "cfg.h"\n',
        "one/cfg.h": "#define WHICH 1\n" + SPEED,
        "two/cfg.h": "#define WHICH 2\n" + SPEED,
    })  # fmt: skip
    command = {"directory": str(tmp_path), "file": "src/a.c"}
    command["command"] = "cc -DFAST=7 -I two -c src/a.c"
    (tmp_path / "compile_commands.json").write_text(json.dumps([command]))
    headers = ask(tmp_path, "src/a.c")
    assert (value(headers, "WHICH"), value(headers, "SPEED")) == ("2", "FAST")
    assert value(headers, "FAST") == "7"
    assert headers.alternatives("SPEED") == ()  # all that is defined is known


def test_the_editors_settings_count(tmp_path: Path) -> None:
    write(tmp_path, {
        "src/a.c": '#include "cfg.h"\n',
        "lib/cfg.h": "#ifdef STM\n#define X 1\n#endif\n",
        ".vscode/c_cpp_properties.json": """{ // made by hand
          "configurations": [
            { "defines": ["STM"], "includePath": ["${workspaceFolder}/lib/**",], },
          ],
        }""",
    })  # fmt: skip
    assert value(ask(tmp_path, "src/a.c"), "X") == "1"


def test_circles_and_missing_headers(tmp_path: Path) -> None:
    write(tmp_path, {
        "a.c": '#include "a.h"\n#include "gone.h"\n#include "self.h"\n',
        "a.h": '#include "b.h"\n#define A 1\n',
        "b.h": '#include "a.h"\n#define B 1\n',
        "self.h": '#include "self.h"\n#define S 1\n',
    })  # fmt: skip
    headers = ask(tmp_path, "a.c")
    assert [value(headers, name) for name in "ABS"] == ["1", "1", "1"]
    assert headers.files.missing == ["gone.h"]


def test_nothing_is_read_before_the_answer_in_the_background(tmp_path: Path) -> None:
    write(tmp_path, {"a.c": '#include "a.h"\n', "a.h": "#define A 1\n"})
    headers = WorkspaceHeaders(tmp_path)
    ready = threading.Event()
    headers.ready = ready.set
    headers.background()
    source = Source(b'#include "a.h"\n')
    assert headers.of(tmp_path / "a.c", source, ()) is None
    assert ready.wait(60)
    found = headers.of(tmp_path / "a.c", source, ())
    assert found is not None
    assert value(found, "A") == "1"
    # A change is seen when it is looked for; until it is read the old one serves.
    (tmp_path / "a.h").write_text("#define A 22\n")
    ready.clear()
    assert headers.refresh()
    stale = headers.of(tmp_path / "a.c", source, ())
    assert stale is not None
    assert ready.wait(60)
    found = headers.of(tmp_path / "a.c", source, ())
    assert found is not None
    assert value(found, "A") == "22"


def test_an_edit_keeps_what_is_known_and_sees_what_is_new(tmp_path: Path) -> None:
    write(tmp_path, {"a.h": "typedef struct { int x; } T;\n#define A 1\n"})
    headers = WorkspaceHeaders(tmp_path)
    first = headers.of(tmp_path / "a.c", Source(b'#include "a.h"\nvoid f(void) {}\n'), ())
    assert first is not None and first.layout("T") is not None
    second = headers.of(tmp_path / "a.c", Source(b'#include "a.h"\nvoid f(void) { g(); }\n'), ())
    assert second is not None
    assert second.layout("T") is first.layout("T")
    third = headers.of(tmp_path / "a.c", Source(b'#include "a.h"\n#define B 2\n'), ())
    assert third is not None
    assert (value(third, "A"), value(third, "B")) == ("1", "2")


def test_a_repository_bounds_the_search(tmp_path: Path) -> None:
    write(tmp_path, {"repo/.git/HEAD": "", "repo/src/a.c": "", "repo/src/deep/b.c": ""})
    assert top_of(tmp_path / "repo/src/deep/b.c", None)[0] == tmp_path / "repo"
    write(tmp_path, {"x/y/z/project/Makefile": "", "x/y/z/project/src/a.c": ""})
    assert top_of(tmp_path / "x/y/z/project/src/a.c", None)[0] == tmp_path / "x/y"


@pytest.mark.parametrize(
    ("word", "chip", "fits"),
    [
        ("STM32F446xx", "STM32F446", True),
        ("STM32F4", "STM32F446", True),
        ("STM32F40_41xxx", "STM32F407", True),
        ("NRF52832_XXAA", "nrf52", True),
        ("__SAMD21G18A__", "ATSAMD21G18A", True),
        ("CONFIG_IDF_TARGET_ESP32C3", "ESP32-C3", True),
        ("CONFIG_IDF_TARGET_ESP32", "ESP32-C3", False),
        ("CONFIG_IDF_TARGET_ESP32S3", "ESP32-C3", False),
        ("STM32F405xx", "STM32F407", False),
        ("USE_HAL_DRIVER", "STM32F407", False),
        ("UART0", "STM32F407", False),
    ],
)
def test_macros_that_name_the_chip(word: str, chip: str, fits: bool) -> None:
    assert names_chip(word, (plain_name(chip),)) is fits


def test_a_folder_that_is_the_chip_fits_better_than_its_family() -> None:
    assert fit("stm32f407", "stm32f407") > fit("stm32f4", "stm32f407") > fit("stm32l4", "stm32f407")
