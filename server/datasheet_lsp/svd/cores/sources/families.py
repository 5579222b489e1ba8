"""The core families and which peripherals each has."""

from __future__ import annotations

from datasheet_lsp.svd.cores.sources.cache import error_banks
from datasheet_lsp.svd.cores.sources.debug import core_debug, identification
from datasheet_lsp.svd.cores.sources.dwt import dwt
from datasheet_lsp.svd.cores.sources.fpu import fpu
from datasheet_lsp.svd.cores.sources.mpu import mpu
from datasheet_lsp.svd.cores.sources.notation import Core, Peripheral
from datasheet_lsp.svd.cores.sources.scb import scb
from datasheet_lsp.svd.cores.sources.security import sau
from datasheet_lsp.svd.cores.sources.svdxml import document
from datasheet_lsp.svd.cores.sources.system import nvic, scnscb, systick
from datasheet_lsp.svd.cores.sources.trace import itm, tpi

CORES = (
    Core("cortex-m0.svd", "Cortex-M0", "CM0", "v6", 0xC20, vtor=False, mpu=False),
    Core("cortex-m0plus.svd", "Cortex-M0+", "CM0+", "v6", 0xC60),
    Core("cortex-m3.svd", "Cortex-M3", "CM3", "v7", 0xC23),
    Core("cortex-m4.svd", "Cortex-M4", "CM4", "v7", 0xC24, fpu=True),
    Core("cortex-m7.svd", "Cortex-M7", "CM7", "v7", 0xC27, fpu=True),
    Core("cortex-m23.svd", "Cortex-M23", "CM23", "v8b", 0xD20),
    Core("cortex-m33.svd", "Cortex-M33", "CM33", "v8m", 0xD21, fpu=True),
)

_NON_SECURE = 0x2_0000
"""From a register of the system control space to its Non-secure alias, for Secure code."""


def peripherals(core: Core) -> tuple[Peripheral, ...]:
    """The core's peripherals, those under a second name after all others."""
    found = [systick(core), nvic(core), scb(core)]
    if core.main:
        found.append(scnscb(core))
    if core.mpu:
        found.append(mpu(core))
    if core.v8:
        found.append(sau(core))
    if core.fpu:
        found.append(fpu(core))
    if core.arch != "v6":
        # On Armv6-M only a debugger reaches these, not code.
        found.append(dwt(core))
        if core.main:
            found.append(itm(core))
        found += [tpi(core), core_debug(core)]
    if core.m7:
        found.append(error_banks())
    if core.v8:
        found.append(identification(core))
    return (*found, *_second_names(found), *_aliases(core, found))


def _second_names(found: list[Peripheral]) -> list[Peripheral]:
    """The names of CMSIS 6 where they differ."""
    renamed = {"CoreDebug": "DCB", "TPI": "TPIU"}
    return [
        Peripheral(
            renamed[item.name],
            item.base,
            item.size,
            item.text,
            derived=item.name,
            alternate=item.name,
        )
        for item in found
        if item.name in renamed
    ]


def _aliases(core: Core, found: list[Peripheral]) -> list[Peripheral]:
    """The Non-secure aliases, which Secure code uses."""
    if not core.v8:
        return []
    aliased = [
        item
        for item in (*found, *_second_names(found))
        if 0xE000_E000 <= item.base < 0xE000_F000 and item.name != "SAU"
    ]
    return [
        Peripheral(
            f"{item.name}_NS",
            item.base + _NON_SECURE,
            item.size,
            f"{item.text}; Non-secure alias, for Secure code",
            derived=item.derived or item.name,
        )
        for item in aliased
    ]


def render(core: Core) -> bytes:
    """The core's SVD file."""
    return document(core, peripherals(core))
