"""The core peripherals of Arm Cortex-M as CMSIS headers name them.

Names, addresses and offsets are the same on every Cortex-M and in every vendor's code
(CMSIS-Core core_cm*.h), while vendors' SVDs name these registers freely: SCB.SHCRS, STK.CTRL,
PPB.SYST_CSR. So they are found by address.
"""

from __future__ import annotations

_SCB: dict[str, int] = {
    "CPUID": 0x00, "ICSR": 0x04, "VTOR": 0x08, "AIRCR": 0x0C, "SCR": 0x10, "CCR": 0x14,
    "SHCSR": 0x24, "CFSR": 0x28, "HFSR": 0x2C, "DFSR": 0x30, "MMFAR": 0x34, "BFAR": 0x38,
    "AFSR": 0x3C, "CPACR": 0x88, "NSACR": 0x8C,
}  # fmt: skip

CORE: dict[str, tuple[int, dict[str, int]]] = {
    "SysTick": (0xE000E010, {"CTRL": 0x0, "LOAD": 0x4, "VAL": 0x8, "CALIB": 0xC}),
    # As Arm's own manuals, and libopencm3, name them.
    "SYST": (0xE000E010, {"CSR": 0x0, "RVR": 0x4, "CVR": 0x8, "CALIB": 0xC}),
    "STK": (0xE000E010, {"CSR": 0x0, "RVR": 0x4, "CVR": 0x8, "CALIB": 0xC}),
    "SCB": (0xE000ED00, _SCB),
    "MPU": (0xE000ED90, {"TYPE": 0x0, "CTRL": 0x4, "RNR": 0x8, "RBAR": 0xC}),
    "FPU": (0xE000EF30, {"FPCCR": 0x4, "FPCAR": 0x8, "FPDSCR": 0xC}),
    "CoreDebug": (0xE000EDF0, {"DHCSR": 0x0, "DCRSR": 0x4, "DCRDR": 0x8, "DEMCR": 0xC}),
    "DCB": (0xE000EDF0, {"DHCSR": 0x0, "DCRSR": 0x4, "DCRDR": 0x8, "DEMCR": 0xC}),
    "DWT": (0xE0001000, {"CTRL": 0x0, "CYCCNT": 0x4, "CPICNT": 0x8, "EXCCNT": 0xC,
                         "SLEEPCNT": 0x10, "LSUCNT": 0x14, "FOLDCNT": 0x18, "PCSR": 0x1C}),
    "ITM": (0xE0000000, {"TER": 0xE00, "TPR": 0xE40, "TCR": 0xE80}),
    "TPI": (0xE0040000, {"SSPSR": 0x0, "CSPSR": 0x4, "ACPR": 0x10, "SPPR": 0xF0, "FFSR": 0x300,
                         "FFCR": 0x304}),
    "TPIU": (0xE0040000, {"SSPSR": 0x0, "CSPSR": 0x4, "ACPR": 0x10, "SPPR": 0xF0, "FFSR": 0x300,
                          "FFCR": 0x304}),
}  # fmt: skip

ARRAYS: dict[str, dict[str, tuple[int, int, int]]] = {
    # offset from the peripheral, bytes of an element, elements
    "NVIC": {
        "ISER": (0x000, 4, 16), "ICER": (0x080, 4, 16), "ISPR": (0x100, 4, 16),
        "ICPR": (0x180, 4, 16), "IABR": (0x200, 4, 16),
    },
}  # fmt: skip
NVIC_BASE = 0xE000E100
NVIC_PRIORITIES = 0x300
"""IP of Armv6-M is an array of words, of Armv7-M one of bytes; Armv8-M calls it IPR."""

QINGKE = "QingKe"
"""WCH's RISC-V cores, told by their interrupt controller PFIC; the names are of core_riscv.h."""
WCH: dict[str, tuple[int, dict[str, int]]] = {
    "SysTick": (0xE000F000, {"CTLR": 0x0, "SR": 0x4, "CNT": 0x8, "CMP": 0x10}),
}

_PROTECTION_V7 = {"RASR": 0x10}
_PROTECTION_V8 = {"RLAR": 0x10, "MAIR0": 0x30, "MAIR1": 0x34}
_V6 = frozenset(("CM0", "CM0PLUS", "CM0+", "CM1", "SC000"))
_V7 = frozenset(("CM3", "CM4", "CM7", "SC300"))
_V8 = frozenset(("CM23", "CM33", "CM35P", "CM52", "CM55", "CM85"))


def core_address(cpu: str, peripheral: str, member: str, index: int | None) -> int | None:
    """The absolute address of a core register in CMSIS, None when it is none of this ``cpu``.

    ``cpu`` is named as in CMSIS-SVD. ``index`` is None for a register that is no array.
    """
    if cpu == QINGKE and index is None:
        base, members = WCH.get(peripheral, (0, {}))
        return base + members[member] if member in members else None
    if cpu not in _V6 | _V7 | _V8:
        return None
    if peripheral == "NVIC":
        return _nvic(cpu, member, index)
    base, members = CORE.get(peripheral, (0, {}))
    if not members:
        return None
    if peripheral == "SCB" and member in ("SHP", "SHPR"):
        return _system_priority(cpu, base, index)
    if index is not None:
        return None
    offset = members.get(member)
    if offset is None and peripheral == "MPU":
        offset = (_PROTECTION_V8 if cpu in _V8 else _PROTECTION_V7).get(member)
    return None if offset is None else base + offset


def _nvic(cpu: str, member: str, index: int | None) -> int | None:
    if index is None or index < 0:
        return None
    if member in ("IP", "IPR"):
        if cpu in _V6:
            return NVIC_BASE + NVIC_PRIORITIES + 4 * index if index < 8 else None
        return NVIC_BASE + NVIC_PRIORITIES + index if index < 496 else None
    if member not in ARRAYS["NVIC"]:
        return None
    offset, size, count = ARRAYS["NVIC"][member]
    return NVIC_BASE + offset + size * index if index < count else None


def _system_priority(cpu: str, base: int, index: int | None) -> int | None:
    if index is None or index < 0:
        return None
    if cpu in _V6:
        return base + 0x1C + 4 * index if index < 2 else None
    return base + 0x18 + index if index < 12 else None
