"""Small devices and C snippets for the tests of ``firmware``: ``|`` marks the cursor."""

from __future__ import annotations

import re

from datasheet_lsp.firmware import Resolved, Source, resolve_at
from datasheet_lsp.model import (
    Cluster,
    Cpu,
    Device,
    Field,
    Lookup,
    Peripheral,
    Register,
    RegisterBlock,
)


def register(path: str, offset: int, template: str = "", size: int = 32, *fields: str) -> Register:
    return Register(
        path=path,
        template=template or path,
        description="",
        offset=offset,
        size=size,
        access="read-write",
        reset_value=0,
        reset_mask=0xFFFFFFFF,
        fields=tuple(
            Field(name=name, description="", lsb=i, msb=i, access="read-write", line=1)
            for i, name in enumerate(fields)
        ),
        line=1,
    )


def array(template: str, count: int, offset: int, step: int = 4, first: int = 0, size: int = 32):
    """The elements of ``NAME%s`` or ``NAME[%s]``."""
    return [
        register(template.replace("%s", str(first + i)), offset + i * step, template, size)
        for i in range(count)
    ]


def block(*registers: Register | list[Register], clusters: tuple[str, ...] = ()) -> RegisterBlock:
    flat: list[Register] = []
    for entry in registers:
        flat += entry if isinstance(entry, list) else [entry]
    return RegisterBlock(
        registers=tuple(flat),
        clusters=tuple(
            Cluster(
                path=path, template=re.sub(r"\d+", "%s", path), description="", offset=0, line=1
            )
            for path in clusters
        ),
    )


def peripheral(name: str, base: int, contents: RegisterBlock, **more: str) -> Peripheral:
    return Peripheral(
        name=name,
        template=name,
        description="",
        base_address=base,
        block=contents,
        line=1,
        **more,  # type: ignore[arg-type]
    )


def device(*peripherals: Peripheral, cpu: str = "", prefix: str = "", name: str = "chip") -> Lookup:
    return Lookup(
        Device(
            name=name,
            description="",
            peripherals=peripherals,
            cpu=Cpu(name=cpu) if cpu else None,
            header_definitions_prefix=prefix,
        )
    )


def named(**offsets: int) -> RegisterBlock:
    return block(*(register(name, offset) for name, offset in offsets.items()))


USART = named(SR=0x0, DR=0x4, BRR=0x8, CR1=0xC)
GPIO = named(MODER=0x0, ODR=0x14, AFRL=0x20, AFRH=0x24)

STM = device(
    peripheral("USART2", 0x40004400, USART),
    peripheral("USART3", 0x40004800, USART),
    peripheral("GPIOA", 0x40020000, GPIO),
    peripheral("GPIOB", 0x40020400, GPIO),
    peripheral("RCC", 0x40023800, named(CR=0x0, APB1ENR=0x40)),
    peripheral("SYSCFG", 0x40013800, block(array("EXTICR%s", 4, 0x8, first=1))),
    peripheral("DBG", 0xE0042000, named(DBGMCU_IDCODE=0, DBGMCU_CR=4)),
    peripheral(
        "DMA1", 0x40026000, block(array("S%sCR", 8, 0x10, 0x18), array("S%sM0AR", 8, 0x1C, 0x18))
    ),
    peripheral(
        "CAN1", 0x40006400, block(array("TI%sR", 3, 0x180, 16), array("TDT%sR", 3, 0x184, 16))
    ),
    cpu="CM4",
)


def at(code: str | bytes, *lookups: Lookup) -> Resolved | None:
    """What the cursor ``|`` is on; the range must be in the file and around the cursor."""
    data = code.encode() if isinstance(code, str) else code
    offset = data.index(b"|")
    data = data[:offset] + data[offset + 1 :]
    found = resolve_at(Source(data), offset, lookups or (STM,))
    if found is not None:
        assert 0 <= found.start <= offset < found.end <= len(data)
    return found


def addresses(code: str | bytes, *lookups: Lookup) -> list[int]:
    found = at(code, *lookups)
    return [] if found is None else [location.address for location in found.locations]


def first(code: str | bytes, *lookups: Lookup) -> str | None:
    found = at(code, *lookups)
    return None if found is None else found.locations[0].path
