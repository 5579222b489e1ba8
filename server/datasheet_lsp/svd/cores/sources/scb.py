"""The system control block."""

from __future__ import annotations

from datasheet_lsp.svd.cores.sources.cache import cache_registers, tightly_coupled
from datasheet_lsp.svd.cores.sources.faults import fault_registers, shcsr
from datasheet_lsp.svd.cores.sources.fpu import feature_registers
from datasheet_lsp.svd.cores.sources.notation import (
    CLEAR,
    SET,
    Core,
    Field,
    Peripheral,
    Register,
    Value,
    bits,
)
from datasheet_lsp.svd.cores.sources.security import secure_faults
from datasheet_lsp.svd.cores.sources.system import SCS, stir_of_scb


def scb(core: Core) -> Peripheral:
    """The SCB as SCB_Type of the core has it."""
    items = [_cpuid(core), _icsr(core)]
    if core.vtor:
        items.append(_vtor(core))
    items += [_aircr(core), _scr(core), _ccr(core), *_handler_priorities(core), shcsr(core)]
    if core.main:
        items += fault_registers(core)
        items += _identification(core)
        if core.v8 or core.m7:
            items += cache_registers()
        items.append(_cpacr(core))
        if core.v8:
            items.append(_nsacr())
            items += secure_faults(0xE4)
        items.append(stir_of_scb())
        if core.v8 or core.m7:
            items += feature_registers(core, 0x240)
            items += tightly_coupled(core)
    last = items[-1]
    return Peripheral(
        "SCB",
        SCS + 0xD00,
        max(last.offset + 4, 0x28),
        "System control block: identity, exceptions, reset, sleep, faults",
        tuple(items),
    )


def _cpuid(core: Core) -> Register:
    architecture = 0xF if core.main else 0xC
    value = 0x41 << 24 | architecture << 16 | core.part << 4
    return Register(
        "CPUID",
        0x00,
        "Which core this is and in which revision.",
        "ro",
        reset=value,
        mask=0xFF0F_FFF0,
        fields=(
            Field(
                "IMPLEMENTER", "31:24", "Who made the core.", values=(Value("ARM", 0x41, "Arm"),)
            ),
            Field("VARIANT", "23:20", "The n of revision rnpm."),
            Field(
                "ARCHITECTURE",
                "19:16",
                "0xC for Armv6-M and the Armv8-M Baseline, 0xF for Armv7-M and the Mainline.",
            ),
            Field("PARTNO", "15:4", "Which core.", values=_PARTS),
            Field("REVISION", "3:0", "The m of revision rnpm."),
        ),
    )


_PARTS = (
    Value("CORTEX_M0", 0xC20, "Cortex-M0"),
    Value("CORTEX_M1", 0xC21, "Cortex-M1"),
    Value("CORTEX_M3", 0xC23, "Cortex-M3"),
    Value("CORTEX_M4", 0xC24, "Cortex-M4"),
    Value("CORTEX_M7", 0xC27, "Cortex-M7"),
    Value("CORTEX_M0PLUS", 0xC60, "Cortex-M0+"),
    Value("CORTEX_M23", 0xD20, "Cortex-M23"),
    Value("CORTEX_M33", 0xD21, "Cortex-M33"),
    Value("CORTEX_M35P", 0xD31, "Cortex-M35P"),
)


def _icsr(core: Core) -> Register:
    nmi = "PENDNMISET" if core.v8 else "NMIPENDSET"
    fields = [Field(nmi, 31, "Write 1 to set the NMI pending; reads 1 while it is.", write=SET)]
    if core.v8:
        fields.append(Field("PENDNMICLR", 30, "Write 1 to take the NMI back.", "wo", write=CLEAR))
    fields += [
        Field("PENDSVSET", 28, "Write 1 to set PendSV pending; reads 1 while it is.", write=SET),
        Field("PENDSVCLR", 27, "Write 1 to take PendSV back.", "wo", write=CLEAR),
        Field("PENDSTSET", 26, "Write 1 to set SysTick pending; reads 1 while it is.", write=SET),
        Field("PENDSTCLR", 25, "Write 1 to take SysTick back.", "wo", write=CLEAR),
    ]
    if core.v8:
        fields.append(Field("STTNS", 24, "SysTick belongs to the Non-secure state."))
    fields += [
        Field("ISRPREEMPT", 23, "A pending exception is taken on leaving debug state.", "ro"),
        Field("ISRPENDING", 22, "An interrupt is pending.", "ro"),
        Field("VECTPENDING", "20:12", "Number of the most urgent pending exception, or 0.", "ro"),
    ]
    if core.arch != "v6":
        fields.append(Field("RETTOBASE", 11, "No other exception than this one is active.", "ro"))
    fields.append(
        Field(
            "VECTACTIVE",
            "8:0",
            "Number of the exception being served, 0 in thread mode; interrupts start at 16.",
            "ro",
        )
    )
    return Register(
        "ICSR",
        0x04,
        "What is pending and what is active; sets NMI, PendSV and SysTick pending.",
        reset=0,
        fields=tuple(fields),
    )


def _vtor(core: Core) -> Register:
    low = 8 if core.arch == "v6" else 7
    return Register(
        "VTOR",
        0x08,
        "Where the vector table starts.",
        reset=0 if core.arch == "v6" or core.cpu in ("CM3", "CM4") else None,
        fields=(
            Field(
                "TBLOFF",
                f"31:{low}",
                "Address of the table without its low bits; align it to its size, rounded up to "
                "a power of two.",
            ),
        ),
    )


def _aircr(core: Core) -> Register:
    fields = [
        Field(
            "VECTKEY",
            "31:16",
            "Key: a write without it is ignored.",
            "wo",
            values=(Value("KEY", 0x05FA, "The write takes effect"),),
        ),
        Field("VECTKEYSTAT", "31:16", "Reads as 0xFA05.", "ro"),
        Field(
            "ENDIANNESS",
            15,
            "Byte order of data.",
            "ro",
            values=(Value("LITTLE", 0), Value("BIG", 1)),
        ),
    ]
    if core.v8:
        fields += [
            Field("PRIS", 14, "Non-secure exceptions rank in the lower half of the priorities."),
            Field("BFHFNMINS", 13, "BusFault, HardFault and NMI are Non-secure."),
        ]
    if core.main:
        fields.append(
            Field(
                "PRIGROUP",
                "10:8",
                "Where a priority is split into preemption priority and subpriority.",
                values=tuple(
                    Value(
                        f"GROUP{n}",
                        n,
                        f"Bits 7:{n + 1} preempt, bits {n}:0 are subpriority"
                        if n < 7
                        else "No preemption, all bits are subpriority",
                    )
                    for n in range(8)
                ),
            )
        )
    if core.v8:
        fields.append(Field("SYSRESETREQS", 3, "Only Secure code may request a reset."))
    fields += [
        Field("SYSRESETREQ", 2, "Write 1 to ask the chip for a reset.", "" if core.v8 else "wo"),
        Field("VECTCLRACTIVE", 1, "For debuggers; write 0.", "wo"),
    ]
    if core.arch == "v7":
        fields.append(Field("VECTRESET", 0, "For debuggers: local reset; write 0.", "wo"))
    return Register(
        "AIRCR",
        0x0C,
        "Reset request, byte order and priority grouping; writes need the key.",
        reset=0xFA05_0000,
        mask=0xFFFF_7FFF,
        fields=tuple(fields),
    )


def _scr(core: Core) -> Register:
    fields = {4: ("SEVONPEND", "An interrupt that becomes pending wakes from WFE, even disabled.")}
    if core.v8:
        fields[3] = ("SLEEPDEEPS", "Only Secure code may write SLEEPDEEP.")
    fields[2] = ("SLEEPDEEP", "Sleep is deep sleep.")
    fields[1] = ("SLEEPONEXIT", "Sleep on return from the last interrupt to thread mode.")
    return Register("SCR", 0x10, "How the core sleeps and wakes.", reset=0, fields=bits(fields))


def _ccr(core: Core) -> Register:
    fields: tuple[Field, ...]
    align = Field("STKALIGN", 9, "The stack is aligned to 8 bytes on exception entry.")
    unaligned = "An unaligned word or halfword access is a fault."
    text = "Traps, stack alignment and what thread mode may do."
    if core.arch == "v6":
        fields = (align, Field("UNALIGN_TRP", 3, unaligned))
        return Register("CCR", 0x14, text, "ro", reset=0x208, fields=fields)
    caches: tuple[Field, ...] = ()
    if core.v8 or core.m7:
        absent = "; no effect on a core without one" if core.v8 else ""
        caches = (
            Field("BP", 18, f"Branch prediction is on{absent}.", "ro" if core.m7 else ""),
            Field("IC", 17, f"Instruction cache on{absent}."),
            Field("DC", 16, f"Data cache on{absent}."),
        )
    handlers = "BFHFNMIGN", "Data bus faults are ignored in HardFault, NMI and FAULTMASK code."
    divide = "DIV_0_TRP", "Division by zero is a fault."
    if core.v8:
        names = {
            10: ("STKOFHFNMIGN", "Stack limits are not checked in HardFault and NMI code."),
            8: handlers,
            4: divide,
            3: ("UNALIGN_TRP", unaligned),
            1: ("USERSETMPEND", "Unprivileged code may write STIR."),
        }
        if core.main:
            return Register("CCR", 0x14, text, reset=0x201, fields=(*caches, *bits(names)))
        fields = (*bits({10: names[10]}), Field("UNALIGN_TRP", 3, unaligned, "ro"))
        return Register("CCR", 0x14, text, reset=0x208, fields=fields)
    names = {
        8: handlers,
        4: divide,
        3: ("UNALIGN_TRP", unaligned),
        1: ("USERSETMPEND", "Unprivileged code may write STIR."),
        0: ("NONBASETHRDENA", "Thread mode may be entered while an exception is active."),
    }
    if core.m7:
        align = Field("STKALIGN", 9, align.text, "ro")
    return Register(
        "CCR",
        0x14,
        text,
        reset=0x0004_0200 if core.m7 else 0x200,
        fields=(*caches, align, *bits(names)),
    )


def _handler_priorities(core: Core) -> list[Register]:
    names = ("SHPR",) if core.v8 or core.m7 else ("SHP", "SHPR")
    if core.main:
        offset, count, size = 0x18, 12, 8
        text = "Priority of system exception 4 + %s."
        secure = ", 3 SecureFault" if core.v8 else ""
        fields: tuple[Field, ...] = (
            Field(
                "PRI",
                "7:0",
                f"By index: 0 MemManage, 1 BusFault, 2 UsageFault{secure}, 7 SVCall, "
                "8 DebugMonitor, 10 PendSV, 11 SysTick; the others are reserved.",
            ),
        )
    else:
        offset, count, size = 0x1C, 2, 32
        text = "Priorities of system exceptions: word 0 has SVCall, word 1 PendSV and SysTick."
        fields = (
            Field("PRI_11_15", "31:30", "Priority of SVCall in word 0, of SysTick in word 1."),
            Field("PRI_10_14", "23:22", "Priority of PendSV in word 1; reserved in word 0."),
        )
    return [
        Register(
            name,
            offset,
            text,
            reset=0,
            size=size,
            count=count,
            fields=fields,
            alternate="" if name == names[0] else names[0],
        )
        for name in names
    ]


def _identification(core: Core) -> list[Register]:
    """The ID registers, under the names of CMSIS 5 and, as alternates, of CMSIS 6."""
    isar = 6 if core.v8 else 5
    named = [
        ("PFR", "ID_PFR", 0x40, 2, "Processor features, word %s."),
        ("DFR", "ID_DFR", 0x48, 0, "Debug features."),
        ("ADR", "ID_AFR", 0x4C, 0, "Auxiliary features."),
        ("MMFR", "ID_MMFR", 0x50, 4, "Features of the memory model, word %s."),
        ("ISAR", "ID_ISAR", 0x60, isar, "Features of the instruction set, word %s."),
    ]
    found = []
    for old, new, offset, count, text in named:
        if core.m7 and new == "ID_MMFR":
            # CMSIS 5 spells it so for this core alone.
            names: tuple[str, ...] = ("ID_MFR", "ID_MMFR")
        else:
            names = (new,) if core.v8 or core.m7 else (old, new)
        debug = (Field("MPROFDBG", "23:20", "Debug model of the M profile."),)
        for name in names:
            found.append(
                Register(
                    name,
                    offset,
                    text,
                    "ro",
                    count=count,
                    fields=debug if new == "ID_DFR" else (),
                    alternate="" if name == names[0] else names[0],
                )
            )
    return found


_ACCESS = (
    Value("DENIED", 0, "Any access is a NOCP fault"),
    Value("PRIVILEGED", 1, "Privileged code only"),
    Value("FULL", 3, "Full access"),
)


def _cpacr(core: Core) -> Register:
    fields = [
        Field(
            "CP11",
            "23:22",
            "Access to the floating-point unit; must be the same as CP10.",
            values=_ACCESS,
        ),
        Field("CP10", "21:20", "Access to the floating-point unit.", values=_ACCESS),
    ]
    if core.v8:
        fields += [
            Field(f"CP{n}", f"{2 * n + 1}:{2 * n}", f"Access to coprocessor {n}.", values=_ACCESS)
            for n in range(7, -1, -1)
        ]
    if core.m3:
        text = "Reserved on this core, which has no coprocessors: reads as zero."
        return Register("CPACR", 0x88, text)
    return Register(
        "CPACR",
        0x88,
        "Who may use the coprocessors and the floating-point unit.",
        reset=0,
        fields=tuple(fields),
    )


def _nsacr() -> Register:
    names = {
        11: ("CP11", "Must be the same as CP10."),
        10: ("CP10", "Non-secure code may use the floating-point unit."),
    }
    for n in range(7, -1, -1):
        names[n] = (f"CP{n}", f"Non-secure code may use coprocessor {n}.")
    return Register(
        "NSACR", 0x8C, "Which coprocessors Non-secure code may use.", fields=bits(names)
    )
