"""The bits outside of a peripheral that are for it: its clock, its reset, its clock source.

Vendors call them after the peripheral with an ending: USART2EN, USART2RST, RNGSEL, SPI0.
"""

from __future__ import annotations

from collections.abc import Iterable

from datasheet_lsp.search.names import DeviceNames, family, squash

_CLOCK = frozenset("clock clocks clocked clk gate gated gating kernel takt".split())
_RESET = frozenset("reset resets resetting".split())
_ENDINGS: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = (
    (_CLOCK, ("", "en", "clken", "clk", "cken", "lpen", "smen", "cg", "gate")),
    (_CLOCK, ("sel", "clksel", "src", "clksrc", "clkdiv")),
    (_RESET, ("", "rst", "reset", "arst", "rstn")),
)
_MOST = 8


def gates(names: DeviceNames, peripherals: Iterable[str], words: Iterable[str]) -> list[str]:
    """The fields for the peripherals that ``words`` (in small letters) are about, at most eight."""
    said = set(words)
    endings = dict.fromkeys(
        ending for about, some in _ENDINGS if not said.isdisjoint(about) for ending in some
    )
    found: dict[str, None] = {}
    for peripheral in peripherals:
        for base in dict.fromkeys((squash(peripheral), squash(family(peripheral)))):
            for ending in endings:
                for entry in names.find_fields(base + ending):
                    if family(entry.peripheral) != family(peripheral):
                        found[base + ending] = None
    return list(found)[:_MOST]
