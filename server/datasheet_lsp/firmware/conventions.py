"""How the vendors' C headers name what their SVD files name otherwise.

Only general habits of headers stand here, each with where it comes from. A rule proposes a name;
what counts is whether the device really has it, so a rule cannot invent a register.
"""

from __future__ import annotations

import re
from typing import Literal

from datasheet_lsp.model import Device

PERIPHERAL_PREFIXES = (
    "NRF_",  # Nordic's MDK: NRF_UART0; the SVD names it as headerDefinitionsPrefix, not everywhere
    "LPC_",  # NXP's LPCOpen and CMSIS headers: LPC_USART0
    "R_",  # Renesas FSP: R_SCI0
    "MXC_",  # Maxim: MXC_UART0
    "CM_",  # HDSC: CM_USART1
    "M4_",  # HDSC, earlier: M4_USART1
    "M0P_",  # HDSC, Cortex-M0+: M0P_UART0
)

# pico-sdk: uart0_hw points at the registers, hw_set_alias(uart0_hw) and names like uart0_hw_set at
# the copies of them that set, clear or toggle bits.
HW_SUFFIXES = ("_hw", "_hw_set", "_hw_clear", "_hw_xor")

PERIPHERAL_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    # Freescale and NXP Kinetis: PTA and FPTA are the GPIO of port A, PORTA its pin control.
    (re.compile(r"(F?)PT([A-Z])"), r"\1GPIO\2"),
)

HW_ALIASES: dict[str, tuple[str, ...]] = {
    # Raspberry Pi: blocks the SVD names in full.
    "usb": ("USBCTRL_REGS", "USB"),
    "ssi": ("XIP_SSI",),
}

# pico-sdk: functions that give the set, clear or toggle alias of a register or a block.
ALIAS_FUNCTIONS = frozenset(
    f"hw_{action}_alias{ending}"
    for action in ("set", "clear", "xor")
    for ending in ("", "_untyped")
)

# X_BASE is the base address of X in the headers of ST, NXP, Raspberry Pi, GigaDevice and others.
BASE_SUFFIX = "_BASE"

PERIPHERAL_ALIASES: dict[str, tuple[str, ...]] = {
    # ST's headers keep the reference manual's name where the SVDs shorten it.
    "DBGMCU": ("DBG",),
    "ETH": ("Ethernet_MAC", "Ethernet_MMC", "Ethernet_PTP", "Ethernet_DMA"),
    "USB_OTG_FS": ("OTG_FS_GLOBAL",),
    "USB_OTG_HS": ("OTG_HS_GLOBAL",),
    "USB1_OTG_HS": ("OTG1_HS_GLOBAL",),
    "USB2_OTG_FS": ("OTG2_HS_GLOBAL",),
    # The system timer is STK in ST's and WCH's manuals, the interrupt controller of WCH's RISC-V
    # cores PFIC; their headers also have the names of CMSIS.
    "SysTick": ("STK",),
    "NVIC": ("PFIC",),
    # ST's F4 headers: ADC is what all ADCs share.
    "ADC": ("C_ADC",),
    # Microchip SAM: the bus matrix by its position in the system.
    "SBMATRIX": ("HMATRIX",),
    # Nordic: NRF_GPIO is the first port wherever the SVD counts ports.
    "GPIO": ("P0",),
    # NXP: the timers of the LPC1xxx headers.
    "TMR16B0": ("CT16B0",),
    "TMR16B1": ("CT16B1",),
    "TMR32B0": ("CT32B0",),
    "TMR32B1": ("CT32B1",),
}

# Names another unit's registers carry as prefix when that unit has no peripheral of its own.
PREFIX_ALIASES: dict[str, tuple[str, ...]] = {"SysTick": ("STK", "SYST")}

# ST: the registers all ADCs share, ADC1_COMMON or ADC123_COMMON. Some SVDs have them in the ADC.
ADC_COMMON = re.compile(r"(?P<first>ADC\d?)\d*_COMMON")
ADC_COMMON_NAMES = ("ADC_Common", "C_ADC", "ADC12_Common", "ADC_COMMON")

# ST and WCH: a channel is a pointer of its own, DMA1_Channel2->CCR for DMA1.CCR2, and so are
# DMA2_Stream0, LTDC_Layer1, SAI1_Block_A.
ELEMENT = re.compile(
    r"(?P<owner>\w+?)_(?P<word>Channel|Stream|Layer|Block_?|Filter|RequestGenerator)(?P<index>\d+|[A-Z])"
)


# ST: more pointers into one peripheral, with the rest of its registers: FMC_Bank1->, FMC_Bank5_6->.
SECTION = re.compile(r"(?P<owner>\w+?)_(?:Bank\d\w*|ChannelStatus|RequestGenStatus)")


def first_element(owner: str, word: str) -> int:
    """The number ST's headers give the first element: DMA1_Channel1, BDMA_Channel0, LTDC_Layer1."""
    if word == "Layer" or (word == "Channel" and re.fullmatch(r"DMA\d?", owner)):
        return 1
    return 0


# NXP's SCT: a register of 32 bits (_U) or its halves of 16 (_L, _H).
HALVES = ("_U", "_L", "_H")

# A register as union or struct: the member that is the whole register, the one that has its fields.
# Microchip SAM (.reg, .bit, .vec), NXP S32K and MPC (.R, .B), Renesas (.BIT, .BYTE, .WORD, .LONG),
# TI C2000 (.all, .bit), Infineon (.U, .B), Espressif (.val).
WHOLE = frozenset(
    ("reg", "R", "U", "I", "all", "val", "w", "W", "word", "BYTE", "WORD", "LONG", "value")
)
FIELDS = frozenset(("bit", "bits", "b", "B", "BIT", "vec"))


def secure_names(name: str) -> tuple[str, ...]:
    """TrustZone headers: GPIOA_S and GPIOA_NS. ST's SVDs have SEC_GPIOA beside GPIOA.

    GPIOA alone stands for one of both, which the build decides.
    """
    if name.endswith("_NS"):
        return (name[:-3],)
    if name.endswith("_S"):
        return (f"SEC_{name[:-2]}", f"{name[:-2]}_SEC")
    return ()


# Functions that access the register at the address in one argument: which argument, how, and how
# many bytes. Zephyr, NuttX, Linux and its like, Trusted Firmware, pico-sdk, TI's and Arm's.
ACCESS_FUNCTIONS: dict[str, tuple[int, Literal["read", "write", "modify"], int]] = {
    **{f"sys_read{bits}": (0, "read", bits // 8) for bits in (8, 16, 32, 64)},
    **{f"sys_write{bits}": (1, "write", bits // 8) for bits in (8, 16, 32, 64)},
    **{f"sys_{verb}_bit{end}": (0, "modify", 4) for verb in ("set", "clear") for end in ("", "s")},
    "sys_test_bit": (0, "read", 4),
    **{f"getreg{bits}": (0, "read", bits // 8) for bits in (8, 16, 32)},
    **{f"putreg{bits}": (1, "write", bits // 8) for bits in (8, 16, 32)},
    **{f"modifyreg{bits}": (0, "modify", bits // 8) for bits in (8, 16, 32)},
    **{
        f"read{letter}{end}": (0, "read", size)
        for letter, size in (("b", 1), ("w", 2), ("l", 4))
        for end in ("", "_relaxed")
    },
    **{
        f"write{letter}{end}": (1, "write", size)
        for letter, size in (("b", 1), ("w", 2), ("l", 4))
        for end in ("", "_relaxed")
    },
    **{f"mmio_read_{bits}": (0, "read", bits // 8) for bits in (8, 16, 32)},
    **{f"mmio_write_{bits}": (0, "write", bits // 8) for bits in (8, 16, 32)},
    "mmio_setbits_32": (0, "modify", 4),
    "mmio_clrbits_32": (0, "modify", 4),
    "mmio_clrsetbits_32": (0, "modify", 4),
    "hw_set_bits": (0, "modify", 4),
    "hw_clear_bits": (0, "modify", 4),
    "hw_xor_bits": (0, "modify", 4),
    "hw_write_masked": (0, "modify", 4),
    # These are macros; their names say what they do where the header is not there.
    "HWREG": (0, "modify", 4),
    "HWREGH": (0, "modify", 2),
    "HWREGB": (0, "modify", 1),
    "MMIO8": (0, "modify", 1),
    "MMIO16": (0, "modify", 2),
    "MMIO32": (0, "modify", 4),
    "REG_READ": (0, "read", 4),
    "REG_WRITE": (0, "write", 4),
    "REG_SET_BIT": (0, "modify", 4),
    "REG_CLR_BIT": (0, "modify", 4),
    "REG_GET_BIT": (0, "read", 4),
    "REG_SET_FIELD": (0, "modify", 4),
    "REG_GET_FIELD": (0, "read", 4),
    "REG_SET_BITS": (0, "modify", 4),
    "READ_PERI_REG": (0, "read", 4),
    "WRITE_PERI_REG": (0, "write", 4),
    "SET_PERI_REG_MASK": (0, "modify", 4),
    "CLEAR_PERI_REG_MASK": (0, "modify", 4),
    "GET_PERI_REG_MASK": (0, "read", 4),
    "SET_PERI_REG_BITS": (0, "modify", 4),
    "GET_PERI_REG_BITS": (0, "read", 4),
}

_BIT_BANDS = ((0x22000000, 0x20000000), (0x42000000, 0x40000000))
_BIT_BAND_CORES = frozenset(("CM3", "CM4", "SC300"))
_ALIAS_VENDORS = ("raspberry",)


def plain_address(device: Device, address: int) -> int | None:
    """The address of which ``address`` is an alias, None where it is none.

    Bit-banding of Cortex-M3 and M4 (a word for each bit), and Raspberry Pi's copies of each
    peripheral that toggle, set and clear bits.
    """
    core = device.cpu.name if device.cpu is not None else ""
    if core in _BIT_BAND_CORES:
        for alias, region in _BIT_BANDS:
            if alias <= address < alias + 0x2000000:
                return region + ((address - alias) // 32 & ~3)
    maker = f"{device.vendor} {device.description}".casefold()
    if any(vendor in maker for vendor in _ALIAS_VENDORS) and address & 0x3000:
        return address & ~0x3000
    return None


_TYPE_ENDING = re.compile(
    r"(?:_TypeDef|_Type|_RegDef_t|_MemMap|_regs_t|_reg_t|_hw_t|_dev_t|_dev_s|_Regs|_t|_TypeDefs)$"
)


def type_stem(name: str) -> str:
    """The kind of peripheral a struct type is named after: USART of ``USART_TypeDef``."""
    stem = _TYPE_ENDING.sub("", name)
    for prefix in PERIPHERAL_PREFIXES:
        stem = stem.removeprefix(prefix)
    return stem.upper() if stem.islower() else stem
