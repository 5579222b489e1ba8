"""Debug control and identification."""

from __future__ import annotations

from dataclasses import replace

from datasheet_lsp.svd.cores.sources.dwt import UNLOCK, architecture, device_type
from datasheet_lsp.svd.cores.sources.notation import (
    Core,
    Field,
    Peripheral,
    Register,
    Value,
    bits,
)


def core_debug(core: Core) -> Peripheral:
    """CoreDebug as CoreDebug_Type has it; CMSIS 6 calls it DCB."""
    items = [
        _halting(core),
        Register(
            "DCRSR",
            0x4,
            "Starts the transfer of a core register to or from DCRDR; for debuggers.",
            "wo",
            fields=(
                Field("REGWnR", 16, "Direction.", values=(Value("READ", 0), Value("WRITE", 1))),
                Field("REGSEL", "4:0" if core.m3 else "6:0", "Which core register."),
            ),
        ),
        Register(
            "DCRDR",
            0x8,
            "Value of the core register transferred.",
            fields=(Field("DBGTMP", "31:0", "The value."),),
        ),
        _exceptions(core),
    ]
    if core.v8:
        items += _secure_debug()
    return Peripheral(
        "CoreDebug",
        0xE000_EDF0,
        items[-1].offset + 4,
        "Core debug: halting, stepping, catching exceptions, enabling trace",
        tuple(items),
    )


def _halting(core: Core) -> Register:
    status = [
        Field("S_RESET_ST", 25, "A reset came since this was last read.", "ro", read="clear"),
        Field(
            "S_RETIRE_ST",
            24,
            "An instruction was finished since this was last read.",
            "ro",
            read="clear",
        ),
    ]
    if core.v8:
        status.insert(
            0,
            Field(
                "S_RESTART_ST", 26, "The core has left halt since last read.", "ro", read="clear"
            ),
        )
    names = {
        19: ("S_LOCKUP", "The core is locked up by a fault in a fault."),
        18: ("S_SLEEP", "The core sleeps."),
        17: ("S_HALT", "The core is halted."),
        16: ("S_REGRDY", "The transfer that DCRSR started is done."),
    }
    if core.v8:
        names = {20: ("S_SDE", "Secure code may be debugged."), **names}
    control = {
        3: ("C_MASKINTS", "No PendSV, SysTick or interrupt while debugging."),
        2: ("C_STEP", "Run one instruction, then halt."),
        1: ("C_HALT", "Halt the core."),
        0: ("C_DEBUGEN", "Halting debug is on; only a debugger can write it."),
    }
    if core.main:
        control = {5: ("C_SNAPSTALL", "Let a stalled load or store go, to halt."), **control}
    return Register(
        "DHCSR",
        0x0,
        "Halts and steps the core; whether a debugger is attached.",
        fields=(
            Field(
                "DBGKEY",
                "31:16",
                "Key: a write without it is ignored.",
                "wo",
                values=(Value("KEY", 0xA05F, "The write takes effect"),),
            ),
            *status,
            *bits(names, "ro"),
            *bits(control),
        ),
    )


def _exceptions(core: Core) -> Register:
    names = {24: ("TRCENA", "DWT, ITM and trace port are on." if core.main else "The DWT is on.")}
    if core.arch == "v8m":
        names[20] = ("SDME", "DebugMonitor is Secure.")
    if core.main:
        names |= {
            19: ("MON_REQ", "For the DebugMonitor handler: it was requested."),
            18: ("MON_STEP", "Step one instruction on return from DebugMonitor."),
            17: ("MON_PEND", "DebugMonitor is pending."),
            16: ("MON_EN", "Debug events raise the DebugMonitor exception."),
        }
    if core.arch == "v8m":
        names[11] = ("VC_SFERR", "Halt on a SecureFault.")
    names[10] = ("VC_HARDERR", "Halt on a HardFault.")
    if core.main:
        names |= {
            9: ("VC_INTERR", "Halt on a fault at exception entry or return."),
            8: ("VC_BUSERR", "Halt on a BusFault."),
            7: ("VC_STATERR", "Halt on a UsageFault for a wrong state."),
            6: ("VC_CHKERR", "Halt on a UsageFault for a check: alignment, division."),
            5: ("VC_NOCPERR", "Halt on a UsageFault for a coprocessor."),
            4: ("VC_MMERR", "Halt on a MemManage fault."),
        }
    names[0] = ("VC_CORERESET", "Halt after a reset of the core.")
    fields = bits(names)
    return Register(
        "DEMCR",
        0xC,
        "Enables trace, catches exceptions, runs the debug monitor.",
        reset=0,
        fields=tuple(
            replace(field, access="ro") if field.name == "SDME" else field for field in fields
        ),
    )


def _secure_debug() -> list[Register]:
    return [
        Register(
            "DAUTHCTRL",
            0x14,
            "Overrides the signals that allow debugging of Secure code.",
            fields=bits(
                {
                    3: ("INTSPNIDEN", "Non-invasive Secure debug, if SPNIDENSEL."),
                    2: ("SPNIDENSEL", "INTSPNIDEN counts, not the signal."),
                    1: ("INTSPIDEN", "Invasive Secure debug, if SPIDENSEL."),
                    0: ("SPIDENSEL", "INTSPIDEN counts, not the signal."),
                }
            ),
        ),
        Register(
            "DSCSR",
            0x18,
            "Security state of the core and of the registers a debugger sees.",
            fields=(
                Field("CDSKEY", 17, "Write 0 to let a write to CDS take effect.", "wo"),
                Field("CDS", 16, "The core is in Secure state."),
                Field("SBRSEL", 1, "Show the Secure registers, if SBRSELEN."),
                Field("SBRSELEN", 0, "SBRSEL selects, not the state of the core."),
            ),
        ),
    ]


def identification(core: Core) -> Peripheral:
    """DIB of Armv8-M."""
    pairs = (
        ("SNID", "7:6", "Secure non-invasive debug."),
        ("SID", "5:4", "Secure invasive debug."),
        ("NSNID", "3:2", "Non-secure non-invasive debug."),
        ("NSID", "1:0", "Non-secure invasive debug."),
    )
    states = (
        Value("ABSENT", 0, "Not implemented"),
        Value("OFF", 2, "Implemented, not allowed"),
        Value("ON", 3, "Implemented, allowed"),
    )
    return Peripheral(
        "DIB",
        0xE000_EFB0,
        0x20,
        "Debug identification block",
        (
            Register(
                "DLAR",
                0x00,
                "Unlocks the debug registers when the key is written, locks them otherwise.",
                "wo",
                fields=(Field("KEY", "31:0", "The key is 0xC5ACCE55.", values=UNLOCK),),
            ),
            Register(
                "DLSR",
                0x04,
                "Whether the debug registers are locked.",
                "ro",
                fields=bits(
                    {
                        2: ("nTT", "DLAR must be written bytewise: always 0."),
                        1: ("SLK", "They are locked."),
                        0: ("SLI", "There is a lock."),
                    }
                ),
            ),
            Register(
                "DAUTHSTATUS",
                0x08,
                "What debugging is allowed.",
                "ro",
                fields=tuple(
                    Field(name, place, text, values=states) for name, place, text in pairs
                ),
            ),
            replace(architecture(0x0C), name="DDEVARCH"),
            replace(device_type(0x1C), name="DDEVTYPE"),
        ),
    )
