"""SVDs that tools have installed, by path only."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasheet_lsp.workspace.installed import installed_svds
from tests.workspace.trees import NOWHERE, chosen, discover, make, reasons, told

CUBE = (
    "opt/st/stm32cubeide_1.17.0/plugins/com.st.stm32cube.ide.mcu.productdb.debug_2.2.0.2024/"
    "resources/cmsis/STMicroelectronics_CMSIS_SVD"
)

# Where the file lies below the home or the system's root, and the tool it is said to be from.
PLACES = [
    (".platformio/platforms/ststm32/misc/svd/STM32F407.svd", "PlatformIO"),
    (".cache/arm/packs/Keil/STM32F4xx_DFP/2.17.1/CMSIS/SVD/STM32F407.svd", "CMSIS packs"),
    (".arm/Packs/Keil/STM32F4xx_DFP/2.17.1/SVD/STM32F407.svd", "CMSIS packs"),
    (f"{CUBE}/STM32F407.svd", "STM32CubeIDE"),
    ("opt/st/stm32cubeclt_1.17.0/STMicroelectronics_CMSIS_SVD/STM32F407.svd", "STM32CubeCLT"),
    ("opt/ST/STM32CubeCLT_1.21.0/STMicroelectronics_CMSIS_SVD/STM32F407.svd", "STM32CubeCLT"),
    (".pico-sdk/sdk/2.1.0/src/rp2040/hardware_regs/RP2040.svd", "pico-sdk"),
    ("ncs/v2.7.0/modules/hal/nordic/nrfx/mdk/nrf52840.svd", "nRF Connect SDK"),
    (".espressif/svd/esp32c3.svd", "ESP-IDF"),
    (".vscode/extensions/espressif.esp-idf-extension-1.9/svd/esp32c3.svd", "the ESP-IDF extension"),
    (".vscode/extensions/marus25.cortex-debug-dp-stm32f4-2.0/data/STM32F407.svd", "Cortex-Debug"),
]

# The variable, the file below what it names, the tool.
VARIABLES = [
    ("CMSIS_PACK_ROOT", "Keil/STM32F4xx_DFP/2.17.1/CMSIS/SVD/STM32F407.svd", "CMSIS packs"),
    ("STM32CLT_PATH", "STMicroelectronics_CMSIS_SVD/STM32F407.svd", "STM32CubeCLT"),
    ("PLATFORMIO_CORE_DIR", "platforms/ststm32/misc/svd/STM32F407.svd", "PlatformIO"),
    ("PICO_SDK_PATH", "src/rp2350/hardware_regs/RP2350.svd", "pico-sdk"),
    ("NRFX_DIR", "mdk/nrf52840.svd", "nrfx"),
    ("NRF5_SDK_ROOT", "modules/nrfx/mdk/nrf52840.svd", "nRF5 SDK"),
    ("ZEPHYR_BASE", "../modules/hal/nordic/nrfx/mdk/nrf52840.svd", "Zephyr"),
    ("IDF_PATH", "tools/svd/esp32c3.svd", "ESP-IDF"),
    ("LOCALAPPDATA", "Arm/Packs/Keil/STM32F4xx_DFP/2.17.1/SVD/STM32F407.svd", "CMSIS packs"),
]


@pytest.mark.parametrize(("place", "source"), PLACES)
def test_known_places_are_looked_at(tmp_path: Path, place: str, source: str) -> None:
    make(tmp_path, {place: "x"})
    found = installed_svds({}, tmp_path, tmp_path)
    assert [(svd.path.name, svd.source) for svd in found] == [(place.rpartition("/")[2], source)]


@pytest.mark.parametrize(("variable", "place", "source"), VARIABLES)
def test_places_that_variables_name_are_looked_at(
    tmp_path: Path, variable: str, place: str, source: str
) -> None:
    base = tmp_path / "base"
    base.mkdir()
    make(base, {place: "x"})
    found = installed_svds({variable: str(base)}, NOWHERE, NOWHERE)
    assert [(svd.path.name, svd.source) for svd in found] == [(place.rpartition("/")[2], source)]


def test_an_installed_svd_serves_the_device_of_the_project(tmp_path: Path) -> None:
    home = make(
        tmp_path / "home",
        {f".platformio/platforms/st/misc/svd/{n}.svd": "" for n in ("STM32F407", "STM32F446")},
    )
    root = make(tmp_path / "w", {"a.ioc": "Mcu.CPN=STM32F446RET6\n"})
    found = discover(root, home=home)
    assert chosen(found) == [("STM32F446RET6", "STM32F446.svd")]
    assert "STM32F446.svd fits STM32F446RET6 (from PlatformIO)" in reasons(found)
    assert told(found) == ""


def test_the_workspace_goes_before_what_is_installed(tmp_path: Path) -> None:
    home = make(tmp_path / "home", {".platformio/platforms/st/misc/svd/STM32F407.svd": ""})
    root = make(tmp_path / "w", {"a.ioc": "Mcu.CPN=STM32F407VGT6\n", "STM32F40x.svd": ""})
    assert chosen(discover(root, home=home)) == [("STM32F407VGT6", "STM32F40x.svd")]


def test_installed_svds_can_be_left_out(tmp_path: Path) -> None:
    home = make(tmp_path / "home", {".platformio/platforms/st/misc/svd/STM32F407.svd": ""})
    root = make(tmp_path / "w", {"a.ioc": "Mcu.CPN=STM32F407VGT6\n"})
    found = discover(root, home=home, options={"svd": {"search_installed": False}})
    assert chosen(found) == [("STM32F407VGT6", None)]


def test_a_family_alone_takes_no_installed_chip_of_it(tmp_path: Path) -> None:
    home = make(tmp_path / "home", {".platformio/platforms/st/misc/svd/STM32F446.svd": ""})
    root = make(tmp_path / "w", {"Makefile": "CFLAGS = -DSTM32F4\n"})
    assert chosen(discover(root, home=home)) == [("STM32F4", None)]


def test_without_a_device_nothing_installed_is_taken(tmp_path: Path) -> None:
    home = make(tmp_path / "home", {".platformio/platforms/st/misc/svd/STM32F407.svd": ""})
    root = make(tmp_path / "w", {"main.c": ""})
    found = discover(root, home=home)
    assert found.contexts == () and found.svds == ()


def test_folders_of_the_settings_are_searched(tmp_path: Path) -> None:
    make(tmp_path, {"shared/st/STM32F407.svd": "", "w/a.ioc": "Mcu.CPN=STM32F407VGT6\n"})
    found = discover(tmp_path / "w", options={"svd": {"folders": ["../shared", "../none"]}})
    assert chosen(found) == [("STM32F407VGT6", "STM32F407.svd")]
    assert 'svd.folders has "../none", which is no folder' in told(found)
