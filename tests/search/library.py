"""Two small chips with their SVD files and manuals, written for the tests."""

from __future__ import annotations

from pathlib import Path

from datasheet_lsp.evaluation.corpus import build
from datasheet_lsp.index import Index, load_device
from datasheet_lsp.model import Device


def field(name: str, high: int, low: int, text: str) -> str:
    return (
        f"<field><name>{name}</name><description>{text}</description>"
        f"<bitRange>[{high}:{low}]</bitRange></field>"
    )


def register(name: str, offset: int, text: str, *fields: str, reset: int = 0) -> str:
    return (
        f"<register><name>{name}</name><description>{text}</description>"
        f"<addressOffset>{offset:#x}</addressOffset><resetValue>{reset:#x}</resetValue>"
        f"<fields>{''.join(fields)}</fields></register>"
    )


def peripheral(name: str, base: int, text: str, *registers: str) -> str:
    return (
        f"<peripheral><name>{name}</name><description>{text}</description>"
        f"<baseAddress>{base:#x}</baseAddress><registers>{''.join(registers)}</registers>"
        "</peripheral>"
    )


def derived(name: str, base: int, of: str) -> str:
    return (
        f'<peripheral derivedFrom="{of}"><name>{name}</name>'
        f"<baseAddress>{base:#x}</baseAddress></peripheral>"
    )


def svd(name: str, *peripherals: str) -> str:
    return (
        f'<device schemaVersion="1.3"><name>{name}</name><version>1.0</version>'
        f"<description>test</description><addressUnitBits>8</addressUnitBits><width>32</width>"
        f"<size>32</size><access>read-write</access>"
        f"<peripherals>{''.join(peripherals)}</peripherals></device>"
    )


USART = (
    register("SR", 0x00, "Status register", field("ORE", 3, 3, "Overrun error")),
    register(
        "BRR",
        0x08,
        "Baud rate register",
        field("DIV", 15, 4, "mantissa of the divider"),
        field("FRAC", 3, 0, "fraction of the divider"),
        reset=0x683,
    ),
    register("CR1", 0x0C, "Control register 1", field("UE", 13, 13, "USART enable")),
)
CHIP = (
    peripheral("USART2", 0x40004400, "Serial port", *USART),
    derived("USART3", 0x40004800, "USART2"),
    peripheral(
        "SPI1",
        0x40013000,
        "Serial peripheral interface",
        register("CR1", 0x00, "Control register 1", field("CPOL", 1, 1, "Clock polarity")),
        register("CR2", 0x04, "Control register 2", field("TXEIE", 7, 7, "TX interrupt")),
    ),
    peripheral(
        "RCC",
        0x40023800,
        "Reset and clock control",
        register(
            "CSR", 0x74, "Control and status register", field("IWDGRSTF", 29, 29, "Watchdog flag")
        ),
        register(
            "APB1ENR", 0x40, "Clock enable register", field("USART2EN", 17, 17, "USART2 clock")
        ),
    ),
)

MANUAL = """# {chip} reference manual

Rev 2

## Serial port (USART)

The receiver samples each bit sixteen times. The {chip} has two of them.

### Overrun

Where a character arrives before the last one was read, the overrun flag is set. It is cleared by a
read of the data register.

### Baud rate register (USART_BRR)

Address offset: 0x08

Reset value: 0x0000 0683

| Bits | Name | Access | Description |
| --- | --- | --- | --- |
| 15:4 | DIV | rw | Mantissa of the divider |
| 3:0 | FRAC | rw | Fraction of the divider, in sixteenths |

## Reset and clock control (RCC)

A reset sets a flag that tells its source: the independent watchdog (IWDG), the power-on circuit or
the reset pin. The flags stand in the control and status register and stay until they are cleared.

## Direct memory access (DMA)

The channels move data while the core sleeps. The transfer count of a channel goes down to zero.
"""


def write(folder: Path) -> tuple[Path, Path]:
    """The folders of manuals and SVD files of two like chips."""
    documents, svds = folder / "documents", folder / "svd"
    documents.mkdir()
    svds.mkdir()
    for chip in ("STM32F410", "STM32F412"):
        (documents / f"{chip.lower()}_um.md").write_text(MANUAL.format(chip=chip))
        (svds / f"{chip}.svd").write_text(svd(chip, *CHIP))
    return documents, svds


def built(folder: Path) -> tuple[Index, dict[str, Device]]:
    """The index of both, and the devices."""
    documents, svds = write(folder)
    path = folder / "index" / "index.sqlite"
    assert build(documents, svds, path) == ""
    index = Index(path)
    devices = {
        name: load_device(svds / f"{name}.svd", None, index) for name in ("STM32F410", "STM32F412")
    }
    return index, devices
