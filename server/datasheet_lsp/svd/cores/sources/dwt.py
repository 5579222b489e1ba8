"""Data watchpoint and trace."""

from __future__ import annotations

from datasheet_lsp.svd.cores.sources.notation import (
    Core,
    Field,
    Peripheral,
    Register,
    Value,
    bits,
)

UNLOCK = (Value("UNLOCK", 0xC5AC_CE55, "Writes to the unit take effect"),)


def dwt(core: Core) -> Peripheral:
    """DWT as DWT_Type has it, with the comparators that the core can have: four."""
    items = [_control(core)]
    if core.main:
        items += _counters(core)
    items.append(
        Register(
            "PCSR",
            0x1C,
            "Address of an instruction executed lately.",
            "ro",
            fields=(Field("EIASAMPLE", "31:0", "The address; all ones while halted."),),
        )
    )
    for n in range(4):
        items += _comparator(core, n)
    if core.m7:
        items += lock(0xFB0)
    elif core.arch == "v8m":
        items.append(lock(0xFB0)[1])
    if core.v8:
        items.append(architecture(0xFBC))
    if core.arch == "v8m":
        items.append(device_type(0xFCC))
    return Peripheral(
        "DWT",
        0xE000_1000,
        0x1000,
        "Data watchpoint and trace: cycle counter, profiling counters, watchpoints",
        tuple(items),
    )


def _control(core: Core) -> Register:
    absent = {
        27: ("NOTRCPKT", "There is no trace of samples and exceptions."),
        26: ("NOEXTTRIG", "There is no CMPMATCH signal."),
        25: ("NOCYCCNT", "There is no cycle counter."),
        24: ("NOPRFCNT", "There are no profiling counters."),
    }
    fields = [
        Field("NUMCOMP", "31:28", "Number of comparators.", "ro"),
        *bits(absent, "ro"),
    ]
    if core.main:
        names: dict[int, tuple[str, str]] = {}
        if core.v8:
            names[23] = ("CYCDISS", "The cycle counter stands still in Secure state.")
        names |= {
            22: ("CYCEVTENA", "Emit a packet when POSTCNT underflows, if PCSAMPLENA is 0."),
            21: ("FOLDEVTENA", "Emit a packet when FOLDCNT overflows."),
            20: ("LSUEVTENA", "Emit a packet when LSUCNT overflows."),
            19: ("SLEEPEVTENA", "Emit a packet when SLEEPCNT overflows."),
            18: ("EXCEVTENA", "Emit a packet when EXCCNT overflows."),
            17: ("CPIEVTENA", "Emit a packet when CPICNT overflows."),
            16: ("EXCTRCENA", "Trace entry to and return from exceptions."),
            12: ("PCSAMPLENA", "Emit samples of the program counter."),
        }
        fields += [
            *bits(names),
            Field(
                "SYNCTAP",
                "11:10",
                "Which bit of CYCCNT paces synchronisation packets.",
                values=(
                    Value("OFF", 0, "No synchronisation packets"),
                    Value("BIT24", 1),
                    Value("BIT26", 2),
                    Value("BIT28", 3),
                ),
            ),
            Field(
                "CYCTAP",
                9,
                "Which bit of CYCCNT paces POSTCNT.",
                values=(Value("BIT6", 0), Value("BIT10", 1)),
            ),
            Field("POSTINIT", "8:5", "Start of POSTCNT."),
            Field("POSTPRESET", "4:1", "Value POSTCNT is reloaded with."),
            Field("CYCCNTENA", 0, "The cycle counter runs; DEMCR.TRCENA must be 1 too."),
        ]
    return Register(
        "CTRL",
        0x00,
        "What the unit has, and what of it is on.",
        "rw" if core.main else "ro",
        reset=0 if core.main else None,
        mask=0x007F_1001 if core.main else None,
        fields=tuple(fields),
    )


def _counters(core: Core) -> list[Register]:
    known = core.arch == "v7"
    cycles = Register(
        "CYCCNT",
        0x04,
        "Processor clock cycles; wraps round.",
        reset=0 if known else None,
        fields=(Field("CYCCNT", "31:0", "Cycles counted."),),
    )
    names = (
        ("CPICNT", "Cycles beyond the first of instructions of several cycles, and fetch stalls."),
        ("EXCCNT", "Cycles spent on entry to and return from exceptions."),
        ("SLEEPCNT", "Cycles slept."),
        ("LSUCNT", "Cycles beyond the first of loads and stores."),
        ("FOLDCNT", "Instructions that took no cycle."),
    )
    return [
        cycles,
        *(
            Register(
                name, 0x08 + 4 * n, text, fields=(Field(name, "7:0", "The count, modulo 256."),)
            )
            for n, (name, text) in enumerate(names)
        ),
    ]


def _comparator(core: Core, n: int) -> list[Register]:
    offset = 0x20 + 0x10 * n
    found = [
        Register(
            f"COMP{n}",
            offset,
            f"Value that comparator {n} compares with.",
            fields=(Field("COMP", "31:0", "An address, a data value or a cycle count."),),
        )
    ]
    matched = Field(
        "MATCHED", 24, "It has matched since this register was last read.", "ro", read="clear"
    )
    sizes = (Value("BYTE", 0), Value("HALFWORD", 1), Value("WORD", 2))
    if core.v8:
        fields: list[Field] = [
            Field("ID", "31:27", "What this comparator can do.", "ro"),
            matched,
            Field("DATAVSIZE", "11:10", "Size of the data compared.", values=sizes),
            Field(
                "ACTION",
                "5:4",
                "What a match does.",
                values=(
                    Value("TRIGGER", 0, "Only a trigger to other units"),
                    Value("DEBUG", 1, "A debug event"),
                    Value("TRACE_VALUE", 2, "A trace packet with a match or the data"),
                    Value("TRACE_ADDRESS", 3, "A trace packet with address or PC"),
                ),
            ),
            Field("MATCH", "3:0", "What is compared; 0 is off."),
        ]
    else:
        found.append(
            Register(
                f"MASK{n}",
                offset + 4,
                f"How many low address bits comparator {n} leaves out.",
                fields=(Field("MASK", "4:0", "Number of bits."),),
            )
        )
        fields = [matched]
        if n == 1:
            fields += [
                Field("DATAVADDR1", "19:16", "A second comparator for the address."),
                Field("DATAVADDR0", "15:12", "A first comparator for the address."),
                Field("DATAVSIZE", "11:10", "Size of the data compared.", values=sizes),
                Field("LNK1ENA", 9, "A second linked comparator is possible.", "ro"),
                Field("DATAVMATCH", 8, "Compare data, not addresses."),
            ]
        if n == 0:
            fields.append(Field("CYCMATCH", 7, "Compare with the cycle counter."))
        fields += [
            Field("EMITRANGE", 5, "Trace the offset of the address, not its value."),
            Field("FUNCTION", "3:0", "What is compared and what a match does; 0 is off."),
        ]
    text = f"What comparator {n} compares and what a match does."
    found.append(Register(f"FUNCTION{n}", offset + 8, text, fields=tuple(fields)))
    return found


def lock(offset: int) -> list[Register]:
    """The software lock of a trace unit: LAR and LSR."""
    return [
        Register(
            "LAR",
            offset,
            "Unlocks the unit when the key is written, locks it otherwise.",
            "wo",
            fields=(Field("KEY", "31:0", "The key is 0xC5ACCE55.", values=UNLOCK),),
        ),
        Register(
            "LSR",
            offset + 4,
            "Whether the unit is locked.",
            "ro",
            fields=bits(
                {
                    2: ("BYTEACC", "LAR must be written bytewise: always 0."),
                    1: ("ACCESS", "The unit is locked: writes are ignored."),
                    0: ("PRESENT", "There is a lock."),
                }
            ),
        ),
    ]


def architecture(offset: int) -> Register:
    """DEVARCH."""
    return Register(
        "DEVARCH",
        offset,
        "Which architecture the unit follows.",
        "ro",
        fields=(
            Field("ARCHITECT", "31:21", "Who defined it; 0x23B is Arm."),
            Field("PRESENT", 20, "This register is there."),
            Field("REVISION", "19:16", "Revision of the architecture."),
            Field("ARCHVER", "15:12", "Version of the architecture."),
            Field("ARCHPART", "11:0", "Which architecture."),
        ),
    )


def device_type(offset: int) -> Register:
    """DEVTYPE."""
    return Register(
        "DEVTYPE",
        offset,
        "What kind of unit this is.",
        "ro",
        fields=(Field("SUB", "7:4", "Kind within the group."), Field("MAJOR", "3:0", "Group.")),
    )
