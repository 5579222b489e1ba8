"""Caches and tightly coupled memory, as on the Cortex-M7."""

from __future__ import annotations

from datasheet_lsp.svd.cores.sources.notation import (
    ANY_CLEARS,
    Core,
    Field,
    Peripheral,
    Register,
    Value,
    bits,
)


def cache_registers() -> list[Register]:
    """What caches there are: CLIDR, CTR, CCSIDR, CSSELR."""
    return [
        Register(
            "CLIDR",
            0x78,
            "Which cache levels there are.",
            "ro",
            fields=(
                Field("LOUU", "29:27", "Level of unification, one processor."),
                Field("LOC", "26:24", "Level of coherence."),
                Field("LOUIS", "23:21", "Level of unification, shared."),
                Field(
                    "CTYPE1",
                    "2:0",
                    "Caches of level 1.",
                    values=(
                        Value("NONE", 0),
                        Value("INSTRUCTION", 1, "Instruction cache only"),
                        Value("DATA", 2, "Data cache only"),
                        Value("BOTH", 3, "Instruction and data cache"),
                    ),
                ),
            ),
        ),
        Register(
            "CTR",
            0x7C,
            "Line sizes of the caches, as powers of two.",
            "ro",
            fields=(
                Field("FORMAT", "31:29", "Format of this register; 4 when there is a cache."),
                Field("CWG", "27:24", "Largest write-back, log2 of words."),
                Field("ERG", "23:20", "Reservation of exclusive access, log2 of words."),
                Field("DMINLINE", "19:16", "Shortest line of the data cache, log2 of words."),
                Field("IMINLINE", "3:0", "Shortest line of the instruction cache, log2 of words."),
            ),
        ),
        Register(
            "CCSIDR",
            0x80,
            "Size of the cache that CSSELR selects.",
            "ro",
            fields=(
                *bits(
                    {
                        31: ("WT", "Write-through is possible."),
                        30: ("WB", "Write-back is possible."),
                        29: ("RA", "Reads allocate lines."),
                        28: ("WA", "Writes allocate lines."),
                    }
                ),
                Field("NUMSETS", "27:13", "Sets, less 1."),
                Field("ASSOCIATIVITY", "12:3", "Ways, less 1."),
                Field("LINESIZE", "2:0", "Line length: log2 of words, less 2."),
            ),
        ),
        Register(
            "CSSELR",
            0x84,
            "Which cache CCSIDR tells about.",
            fields=(
                Field("LEVEL", "3:1", "Cache level, less 1."),
                Field(
                    "IND",
                    0,
                    "Which of the two.",
                    values=(Value("DATA", 0), Value("INSTRUCTION", 1)),
                ),
            ),
        ),
    ]


def _operations(core: Core) -> list[Register]:
    address = (Field("ADDRESS", "31:0", "Any address in the line."),)
    line: tuple[Field, ...] = ()
    if core.m7:
        line = (
            Field("WAY", "31:30", "Way of the line."),
            Field("SET", "13:5", "Set of the line."),
        )
    listed: tuple[tuple[str, int, str, tuple[Field, ...]], ...] = (
        ("ICIALLU", 0x50, "Invalidate the whole instruction cache; the value is ignored.", ()),
        ("ICIMVAU", 0x58, "Invalidate the instruction cache line of an address.", address),
        ("DCIMVAC", 0x5C, "Invalidate the data cache line of an address.", address),
        ("DCISW", 0x60, "Invalidate a data cache line by set and way.", line),
        ("DCCMVAU", 0x64, "Clean the data cache line of an address to unification.", address),
        ("DCCMVAC", 0x68, "Clean the data cache line of an address to coherence.", address),
        ("DCCSW", 0x6C, "Clean a data cache line by set and way.", line),
        ("DCCIMVAC", 0x70, "Clean and invalidate the data cache line of an address.", address),
        ("DCCISW", 0x74, "Clean and invalidate a data cache line by set and way.", line),
        ("BPIALL", 0x78, "Invalidate the branch predictor; the value is ignored.", ()),
    )
    absent = "" if core.m7 else " No effect on a core without caches."
    return [
        Register(name, 0x200 + offset, text + absent, "wo", fields=fields)
        for name, offset, text, fields in listed
    ]


def tightly_coupled(core: Core) -> list[Register]:
    """Cache maintenance; on the Cortex-M7 also TCM, AHB and bus fault registers."""
    items = _operations(core)
    if not core.m7:
        return items
    sizes = (
        Value("NONE", 0, "No memory"),
        *(
            Value(f"SIZE_{_size(4 << (n - 3))}B", n, f"{_size(4 << (n - 3))}B")
            for n in range(3, 16)
        ),
    )
    for name, offset, what in (("ITCMCR", 0x290, "Instruction"), ("DTCMCR", 0x294, "Data")):
        items.append(
            Register(
                name,
                offset,
                f"{what} TCM: on or off, its size.",
                fields=(
                    Field("SZ", "6:3", "Size of the memory.", "ro", values=sizes),
                    Field("RETEN", 2, "Repeat an access that the memory asks to repeat."),
                    Field("RMW", 1, "Write parts of a word by read, modify, write."),
                    Field("EN", 0, "The memory is on; else its addresses go to the bus."),
                ),
            )
        )
    ports = (
        Value("NONE", 0, "No port"),
        *(Value(f"SIZE_{64 << n}MB", n + 1, f"{64 << n} MB") for n in range(4)),
    )
    return [
        *items,
        Register(
            "AHBPCR",
            0x298,
            "Peripheral AHB port: on or off, its size.",
            fields=(
                Field("SZ", "3:1", "Address range of the port.", "ro", values=ports),
                Field("EN", 0, "The port is on; else its addresses go to the AXI bus."),
            ),
        ),
        Register(
            "CACR",
            0x29C,
            "How the caches write and whether they correct errors.",
            fields=bits(
                {
                    2: ("FORCEWT", "Every write-back region is written through."),
                    1: ("ECCDIS", "No error correction in the caches."),
                    0: ("SIWT", "Shared regions are cached, written through."),
                }
            ),
        ),
        Register(
            "AHBSCR",
            0x2A0,
            "Priority of the AHB slave port against the core.",
            fields=(
                Field("INITCOUNT", "15:11", "Fairness counter starts from this."),
                Field("TPRI", "10:2", "Execution priority from which the port is held back."),
                Field(
                    "CTL",
                    "1:0",
                    "Who comes first.",
                    values=(
                        Value("PORT_DEMOTED", 0, "The port waits for the core"),
                        Value("CORE_DEMOTED", 1, "The core waits for the port"),
                        Value(
                            "BY_PRIORITY",
                            2,
                            "The port waits up to INITCOUNT while code at TPRI or more urgent runs",
                        ),
                        Value("SIGNAL", 3, "The AHBSPRI signal decides"),
                    ),
                ),
            ),
        ),
        Register(
            "ABFSR",
            0x2A8,
            "Where an imprecise bus fault came from; any write clears it.",
            write=ANY_CLEARS,
            fields=(
                Field(
                    "AXIMTYPE",
                    "9:8",
                    "Kind of AXI fault.",
                    values=(
                        Value("OKAY", 0),
                        Value("EXOKAY", 1),
                        Value("SLVERR", 2, "The slave reported an error"),
                        Value("DECERR", 3, "No slave at the address"),
                    ),
                ),
                *bits(
                    {
                        4: ("EPPB", "On the external private peripheral bus."),
                        3: ("AXIM", "On the AXI bus."),
                        2: ("AHBP", "On the peripheral AHB port."),
                        1: ("DTCM", "On the data TCM."),
                        0: ("ITCM", "On the instruction TCM."),
                    }
                ),
            ),
        ),
    ]


def _size(kilobytes: int) -> str:
    return f"{kilobytes}K" if kilobytes < 1024 else f"{kilobytes // 1024}M"


def error_banks() -> Peripheral:
    """ERRBNK of the Cortex-M7: where the caches had errors."""

    def fields(way: int | str) -> tuple[Field, ...]:
        return (
            Field("USER", "31:30", "Free for software."),
            Field("TYPE", 17, "Kind of the error."),
            Field("RAMBank", 16, "RAM of the error: tag or data."),
            Field("WAY", way, "Way of the line."),
            Field("INDEX", "13:4", "Index of the line."),
            Field("LDO", "3:2", "Doubleword in the line."),
            Field("LOCK", 1, "The location is not used any more."),
            Field("VALID", 0, "This entry holds an error."),
        )

    banks: tuple[tuple[str, str, int, int | str], ...] = (
        ("I", "Instruction", 0, 14),
        ("D", "Data", 8, "15:14"),
    )
    return Peripheral(
        "ERRBNK",
        0xE000_EFB0,
        0x10,
        "Cache error banks",
        tuple(
            Register(
                f"{cache}EBR{n}",
                offset + 4 * n,
                f"{what} cache error bank, entry {n}.",
                fields=fields(way),
            )
            for cache, what, offset, way in banks
            for n in (0, 1)
        ),
    )
