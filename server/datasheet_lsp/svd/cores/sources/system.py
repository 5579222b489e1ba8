"""The system timer, the interrupt controller and the control registers outside the SCB."""

from __future__ import annotations

from datasheet_lsp.svd.cores.sources.notation import (
    ANY_CLEARS,
    CLEAR,
    SET,
    Core,
    Field,
    Peripheral,
    Register,
    Value,
    bits,
)

SCS = 0xE000E000


def systick(core: Core) -> Peripheral:
    """SysTick; the same on every core."""
    control = (
        Field(
            "COUNTFLAG",
            16,
            "The counter has reached zero since this register was last read.",
            "ro",
            read="clear",
        ),
        Field(
            "CLKSOURCE",
            2,
            "Clock of the counter; fixed at 1 where the chip has no reference clock.",
            values=(
                Value("EXTERNAL", 0, "The reference clock of the chip"),
                Value("PROCESSOR", 1, "The processor clock"),
            ),
        ),
        Field("TICKINT", 1, "Raise the SysTick exception when the counter reaches zero."),
        Field("ENABLE", 0, "Let the counter run; it starts from LOAD."),
    )
    calibration = (
        Field("NOREF", 31, "The chip has no reference clock, so CLKSOURCE is fixed at 1."),
        Field("SKEW", 30, "TENMS is not exactly 10 ms, or is not given."),
        Field("TENMS", "23:0", "Value of LOAD for a period of 10 ms; 0 when it is not known."),
    )
    return Peripheral(
        "SysTick",
        SCS + 0x10,
        0x10,
        "System timer: a 24-bit counter that counts down and reloads itself",
        (
            Register(
                "CTRL",
                0x00,
                "Control and status of the system timer.",
                reset=0,
                mask=0x0001_0003,
                fields=control,
            ),
            Register(
                "LOAD",
                0x04,
                "Value the counter starts again from after zero.",
                fields=(
                    Field("RELOAD", "23:0", "For a period of N clocks write N - 1; 0 stops it."),
                ),
            ),
            Register(
                "VAL",
                0x08,
                "The counter as it stands; any write sets it and COUNTFLAG to zero.",
                write=ANY_CLEARS,
                fields=(Field("CURRENT", "23:0", "The counter as it stands."),),
            ),
            Register(
                "CALIB",
                0x0C,
                "What the chip's maker says about the reference clock.",
                "ro",
                fields=calibration,
            ),
        ),
    )


def nvic(core: Core) -> Peripheral:
    """The interrupt controller, with the array lengths that CMSIS-Core gives it."""
    words = {"v6": 1, "v7": 8, "v8b": 16, "v8m": 16}[core.arch]
    sets: list[tuple[str, int, str, str, str, str]] = [
        ("ISER", 0x000, "SETENA", SET, "Enable interrupts", "1 enables, reads 1 when enabled"),
        ("ICER", 0x080, "CLRENA", CLEAR, "Disable interrupts", "1 disables, reads 1 when enabled"),
        ("ISPR", 0x100, "SETPEND", SET, "Set interrupts pending", "1 sets, reads 1 when pending"),
        (
            "ICPR",
            0x180,
            "CLRPEND",
            CLEAR,
            "Take interrupts back from pending",
            "1 clears, reads 1 when pending",
        ),
    ]
    items = [
        Register(
            name,
            offset,
            f"{text}: bit n of word %s is interrupt 32 x %s + n.",
            reset=0,
            count=words,
            write=write,
            fields=(Field(field, "31:0", f"One bit an interrupt: {meaning}."),),
        )
        for name, offset, field, write, text, meaning in sets
    ]
    if core.arch != "v6":
        items.append(
            Register(
                "IABR",
                0x200,
                "Interrupts being served, or preempted while served: bit n of word %s is "
                "interrupt 32 x %s + n.",
                "ro",
                reset=0,
                count=words,
                fields=(Field("ACTIVE", "31:0", "One bit an interrupt: 1 when active."),),
            )
        )
    if core.v8:
        items.append(
            Register(
                "ITNS",
                0x280,
                "Give interrupts to the Non-secure state: bit n of word %s is interrupt "
                "32 x %s + n.",
                reset=0,
                count=words,
                fields=(Field("ITNS", "31:0", "One bit an interrupt: 0 Secure, 1 Non-secure."),),
            )
        )
    items.extend(_priorities(core))
    if core.main:
        items.append(_stir(0xE00))
    return Peripheral(
        "NVIC",
        SCS + 0x100,
        0xE04 if core.main else 0x300 + (0x20 if core.arch == "v6" else 0x1F0),
        "Nested vectored interrupt controller: enables, pends and ranks the interrupts",
        tuple(items),
    )


def _priorities(core: Core) -> list[Register]:
    names = ("IPR",) if core.v8 else ("IP", "IPR")
    if core.main:
        count, size = (496, 8) if core.v8 else (240, 8)
        text = "Priority of interrupt %s; a lower number is more urgent."
        fields: tuple[Field, ...] = (
            Field("PRI", "7:0", "Priority; the chip has the upper nvicPrioBits of it, rest is 0."),
        )
    else:
        count, size = (124, 32) if core.v8 else (8, 32)
        text = "Priorities of four interrupts, from 4 x %s on; word access only."
        fields = tuple(
            Field(
                f"PRI_N{n}",
                f"{8 * n + 7}:{8 * n + 6}",
                f"Priority of interrupt 4w + {n} in word w; a lower number is more urgent.",
            )
            for n in (3, 2, 1, 0)
        )
    return [
        Register(
            name,
            0x300,
            text,
            reset=0,
            size=size,
            count=count,
            fields=fields,
            alternate="" if name == names[0] else names[0],
        )
        for name in names
    ]


def _stir(offset: int) -> Register:
    return Register(
        "STIR",
        offset,
        "Set an interrupt pending by its number.",
        "wo",
        fields=(Field("INTID", "8:0", "Number of the interrupt, counted from 0."),),
    )


def stir_of_scb() -> Register:
    """The same register, where SCB_Type has it."""
    return _stir(0x200)


def scnscb(core: Core) -> Peripheral:
    """ICTR and ACTLR, which stand below the SCB."""
    items = [
        Register(
            "ICTR",
            0x4,
            "How many interrupts the controller has.",
            "ro",
            fields=(Field("INTLINESNUM", "3:0", "The chip has up to 32 x (this + 1) interrupts."),),
        ),
        Register(
            "ACTLR",
            0x8,
            "Switches off single features of the core, for tests and workarounds.",
            reset=0,
            fields=_actlr(core),
        ),
    ]
    if core.v8:
        pairs = []
        for n in (11, 10, 7, 6, 5, 4, 3, 2, 1, 0):
            what = "the floating-point unit" if n in (10, 11) else f"coprocessor {n}"
            pairs.append(Field(f"SUS{n}", 2 * n + 1, f"Only Secure code may write SU{n}."))
            pairs.append(Field(f"SU{n}", 2 * n, f"The state of {what} may be lost in low power."))
        items.append(
            Register(
                "CPPWR",
                0xC,
                "Which coprocessors may be powered down.",
                reset=0,
                fields=tuple(pairs),
            )
        )
    return Peripheral("SCnSCB", SCS, 0x10, "System control registers outside the SCB", tuple(items))


def _actlr(core: Core) -> tuple[Field, ...]:
    fold = "Do not fold IT instructions into the one before."
    multi = "Do not interrupt load and store multiple, multiply and divide."
    order = "Do not let floating-point instructions finish before earlier integer ones."
    flush = "Do not flush the trace bus for ITM and DWT."
    exceptions = "Do not pass floating-point exceptions out of the core."
    if core.v8:
        return bits(
            {
                29: ("EXTEXCLALL", "Use the external exclusive monitor for all memory."),
                12: ("DISITMATBFLUSH", flush),
                10: ("FPEXCODIS", exceptions),
                9: ("DISOOFP", order),
                2: ("DISFOLD", "Do not issue two instructions at once."),
                0: ("DISMCYCINT", multi),
            }
        )
    if core.m7:
        return (
            *bits(
                {
                    28: ("DISFPUISSOPT", "Do not reorder the issue of floating-point code."),
                    27: ("DISCRITAXIRUW", "No critical AXI read under write."),
                    26: ("DISDYNADD", "Do not allocate adds dynamically in the pipeline."),
                }
            ),
            Field("DISISSCH1", "25:21", "One bit a kind of instruction: not in channel 1."),
            Field("DISDI", "20:16", "One bit a kind of instruction: no dual issue."),
            *bits(
                {
                    15: ("DISCRITAXIRUR", "No critical AXI read under read."),
                    14: ("DISBTACALLOC", "Do not allocate entries in the branch target cache."),
                    13: ("DISBTACREAD", "Do not use the branch target cache."),
                    12: ("DISITMATBFLUSH", flush),
                    11: ("DISRAMODE", "Do not switch to read allocate mode on long writes."),
                    10: ("FPEXCODIS", exceptions),
                    2: ("DISFOLD", "Do not issue two instructions at once."),
                }
            ),
        )
    common = {
        2: ("DISFOLD", fold),
        1: (
            "DISDEFWBUF",
            "No write buffer for the default memory map: bus faults become precise, writes slow.",
        ),
        0: ("DISMCYCINT", multi),
    }
    if core.fpu:
        common = {
            9: ("DISOOFP", order),
            8: ("DISFPCA", "Do not update CONTROL.FPCA by itself."),
            **common,
        }
    return bits(common)
