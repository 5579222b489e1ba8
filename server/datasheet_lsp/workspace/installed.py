"""SVD files that tools have installed, looked for at the places they are known to use.

Nothing is searched: folders are listed, and only the names of the files count.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from datasheet_lsp.workspace.peek import stem_of, suffix_of
from datasheet_lsp.workspace.types import FoundSvd

MAX_FILES = 20_000

_EXTENSIONS = (".vscode/extensions", ".vscode-server/extensions", ".vscode-oss/extensions")
_CUBE_PLUGIN = (
    "plugins/com.st.stm32cube.ide.mcu.productdb.debug_*/resources/cmsis/"
    "STMicroelectronics_CMSIS_SVD"
)
_RP = ("src/rp2040/hardware_regs", "src/rp2350/hardware_regs")
_NRFX = ("mdk", "bsp/stable/mdk")


def installed_svds(env: Mapping[str, str], home: Path, system: Path = Path("/")) -> list[FoundSvd]:
    """All SVDs at the known places, in the order of the places; each file once.

    ``system`` stands for the root of the file system.
    """
    found: list[FoundSvd] = []
    seen: set[str] = set()
    for source, base, pattern in _places(env, home, system):
        for folder in _folders(base, pattern):
            for path in _listed(folder):
                key = os.path.normcase(path)
                if key in seen:
                    continue
                seen.add(key)
                name = os.path.basename(path)
                found.append(FoundSvd(Path(path), (stem_of(name),), source))
                if len(found) >= MAX_FILES:
                    return found
    return found


def _places(env: Mapping[str, str], home: Path, system: Path) -> Iterator[tuple[str, Path, str]]:
    """Source, base folder, pattern of folders below it."""

    def by_env(*names: str) -> list[Path]:
        return [Path(env[name]) for name in names if env.get(name)]

    core = by_env("PLATFORMIO_CORE_DIR") or [home / ".platformio"]
    for base in by_env("PLATFORMIO_PLATFORMS_DIR"):
        yield "PlatformIO", base, "*/misc/svd"
    for base in core:
        yield "PlatformIO", base, "platforms/*/misc/svd"

    local = by_env("LOCALAPPDATA")
    for base in by_env("STM32CLT_PATH", "STM32_CLT_PATH", "STM32CubeCLT_PATH"):
        yield "STM32CubeCLT", base, "STMicroelectronics_CMSIS_SVD"
    for base in (system / "opt/st", system / "opt/ST", home / "st", system / "ST", Path("C:/ST")):
        for name in ("stm32cubeclt_*", "STM32CubeCLT_*"):
            yield "STM32CubeCLT", base, f"{name}/STMicroelectronics_CMSIS_SVD"
        yield "STM32CubeIDE", base, f"stm32cubeide_*/{_CUBE_PLUGIN}"
        yield "STM32CubeIDE", base, f"STM32CubeIDE_*/STM32CubeIDE/{_CUBE_PLUGIN}"
    app = system / "Applications/STM32CubeIDE.app/Contents/Eclipse"
    yield "STM32CubeIDE", app, _CUBE_PLUGIN
    for base in (
        home / "STMicroelectronics/STM32Cube",
        system / "opt/STMicroelectronics/STM32Cube",
    ):
        yield "STM32CubeProgrammer", base, "STM32CubeProgrammer/SVD"

    for base in by_env("PICO_SDK_PATH"):
        for folder in _RP:
            yield "pico-sdk", base, folder
    for folder in _RP:
        yield "pico-sdk", home / ".pico-sdk", f"sdk/*/{folder}"

    for base in by_env("NRFX_DIR", "NRFX_PATH", "NRFX_BASE"):
        for folder in _NRFX:
            yield "nrfx", base, folder
    for base in by_env("NRF5_SDK_ROOT", "NRF5_SDK_PATH", "NRF_SDK_ROOT", "NRF_SDK_PATH"):
        yield "nRF5 SDK", base, "modules/nrfx/mdk"
        yield "nRF5 SDK", base, "svd"
    zephyr = [base.parent for base in by_env("ZEPHYR_BASE")]
    for base in zephyr:
        yield "Zephyr", base, "modules/hal/nordic/nrfx/mdk"
        yield "Zephyr", base, "modules/hal/nordic/nrfx/bsp/stable/mdk"
        for folder in _RP:
            yield "Zephyr", base, f"modules/hal/rpi_pico/{folder}"
        yield "Zephyr", base, "modules/hal/*/svd"
    yield "nRF Connect SDK", home / "ncs", "*/modules/hal/nordic/nrfx/mdk"
    yield "nRF Connect SDK", home / "ncs", "*/modules/hal/nordic/nrfx/bsp/stable/mdk"

    for base in by_env("IDF_PATH"):
        for folder in ("svd", "tools/svd", "components/soc/*/svd", "components/soc/*/include/soc"):
            yield "ESP-IDF", base, folder
    for base in by_env("IDF_TOOLS_PATH") or [home / ".espressif"]:
        yield "ESP-IDF", base, "svd"
        yield "ESP-IDF", base, "tools/*svd*/*"
        yield "ESP-IDF", base, "tools/*svd*/*/svd"
    for extensions in _EXTENSIONS:
        base = home / extensions
        yield "the ESP-IDF extension", base, "espressif.esp-idf-extension-*/svd"
        yield "the ESP-IDF extension", base, "espressif.esp-idf-extension-*/esp_idf_svd"
        yield "Cortex-Debug", base, "marus25.cortex-debug-dp-*/data"
        yield "Cortex-Debug", base, "mcu-debug.*/data"

    roots = by_env("CMSIS_PACK_ROOT") or [
        home / ".cache/arm/packs",
        home / ".arm/Packs",
        *(base / "Arm/Packs" for base in local),
        *(base / "arm/packs" for base in local),
    ]
    for base in roots:  # Vendor/Pack/version/...
        for folder in ("SVD", "svd", "CMSIS/SVD", "*/SVD", "*/svd", "Device/SVD", "*/*/SVD"):
            yield "CMSIS packs", base, f"*/*/*/{folder}"
        yield "CMSIS packs", base, "*/*/*"

    for base in (system / "opt/SEGGER", home / "SEGGER"):
        yield "SEGGER", base, "*/Config/Peripherals"
        yield "SEGGER", base, "*/*/Config/Peripherals"


def _folders(base: Path, pattern: str) -> list[Path]:
    """The folders that match, newest version first where the names say so."""
    try:
        if not base.is_dir():
            return []
        if "*" not in pattern:
            folder = base / pattern
            return [folder] if folder.is_dir() else []
        return sorted((path for path in base.glob(pattern) if path.is_dir()), reverse=True)
    except (OSError, ValueError):
        return []


def _listed(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(
                entry.path
                for entry in entries
                if suffix_of(entry.name) in (".svd", ".svd.gz") and entry.is_file()
            )
    except OSError:
        return []
