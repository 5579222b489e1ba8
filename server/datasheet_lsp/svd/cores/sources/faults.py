"""Enabling, status and addresses of the faults."""

from __future__ import annotations

from datasheet_lsp.svd.cores.sources.notation import CLEAR, Core, Field, Register, bits


def shcsr(core: Core) -> Register:
    """Which system exceptions are enabled, pending, active."""
    pended = "{} is pending."
    active = "{} is being served or preempted."
    text = "Which system exceptions are enabled, pending and active."
    if core.arch == "v6":
        return Register(
            "SHCSR",
            0x24,
            "Whether SVCall is pending; for debuggers.",
            fields=bits({15: ("SVCALLPENDED", pended.format("SVCall"))}),
        )
    names: dict[int, tuple[str, str]] = {}
    if core.v8:
        names[21] = ("HARDFAULTPENDED", pended.format("HardFault"))
    if core.arch == "v8m":
        names[20] = ("SECUREFAULTPENDED", pended.format("SecureFault"))
        names[19] = ("SECUREFAULTENA", "SecureFault has its own handler.")
    if core.main:
        names |= {
            18: ("USGFAULTENA", "UsageFault has its own handler; else it is a HardFault."),
            17: ("BUSFAULTENA", "BusFault has its own handler; else it is a HardFault."),
            16: ("MEMFAULTENA", "MemManage has its own handler; else it is a HardFault."),
        }
    names[15] = ("SVCALLPENDED", pended.format("SVCall"))
    if core.main:
        names |= {
            14: ("BUSFAULTPENDED", pended.format("BusFault")),
            13: ("MEMFAULTPENDED", pended.format("MemManage")),
            12: ("USGFAULTPENDED", pended.format("UsageFault")),
        }
    names[11] = ("SYSTICKACT", active.format("SysTick"))
    names[10] = ("PENDSVACT", active.format("PendSV"))
    if core.main:
        names[8] = ("MONITORACT", active.format("DebugMonitor"))
    names[7] = ("SVCALLACT", active.format("SVCall"))
    if core.v8:
        names[5] = ("NMIACT", active.format("NMI"))
    if core.arch == "v8m":
        names[4] = ("SECUREFAULTACT", active.format("SecureFault"))
    if core.main:
        names[3] = ("USGFAULTACT", active.format("UsageFault"))
    if core.v8:
        names[2] = ("HARDFAULTACT", active.format("HardFault"))
    if core.main:
        names |= {
            1: ("BUSFAULTACT", active.format("BusFault")),
            0: ("MEMFAULTACT", active.format("MemManage")),
        }
    return Register("SHCSR", 0x24, text, reset=0, fields=bits(names))


def fault_registers(core: Core) -> list[Register]:
    """CFSR to AFSR. The status bits stay until 1 is written to them."""
    return [
        Register(
            "CFSR",
            0x28,
            "Why a MemManage fault (bits 7:0), BusFault (15:8) or UsageFault (31:16) came; "
            "write 1 to clear a bit.",
            reset=0,
            write=CLEAR,
            fields=_cfsr(core),
        ),
        Register(
            "HFSR",
            0x2C,
            "Why a HardFault came; write 1 to clear a bit.",
            reset=0,
            write=CLEAR,
            fields=bits(
                {
                    31: ("DEBUGEVT", "A debug event came while debugging was off."),
                    30: ("FORCED", "A fault that could not be served, see CFSR, became this one."),
                    1: ("VECTTBL", "The vector table could not be read."),
                }
            ),
        ),
        Register(
            "DFSR",
            0x30,
            "Which debug event came; write 1 to clear a bit.",
            reset=0,
            write=CLEAR,
            fields=bits(
                {
                    4: ("EXTERNAL", "A request from outside the core."),
                    3: ("VCATCH", "An exception was caught as DEMCR asks."),
                    2: ("DWTTRAP", "A DWT comparator matched."),
                    1: ("BKPT", "A breakpoint, by instruction or by the FPB."),
                    0: ("HALTED", "A halt or step request in DHCSR."),
                }
            ),
        ),
        Register(
            "MMFAR",
            0x34,
            "Address that caused the MemManage fault.",
            fields=(Field("ADDRESS", "31:0", "Holds only while CFSR.MMARVALID is 1."),),
        ),
        Register(
            "BFAR",
            0x38,
            "Address that caused the precise bus fault.",
            fields=(Field("ADDRESS", "31:0", "Holds only while CFSR.BFARVALID is 1."),),
        ),
        Register(
            "AFSR",
            0x3C,
            "Fault signals of the chip, meaning given by its maker; write 1 to clear a bit.",
            reset=0,
            write=CLEAR,
        ),
    ]


def _cfsr(core: Core) -> tuple[Field, ...]:
    names = {
        25: ("DIVBYZERO", "UsageFault: division by zero."),
        24: ("UNALIGNED", "UsageFault: unaligned access."),
    }
    if core.v8:
        names[20] = ("STKOF", "UsageFault: stack limit crossed.")
    names |= {
        19: ("NOCP", "UsageFault: coprocessor or floating-point unit absent or not enabled."),
        18: ("INVPC", "UsageFault: return from exception with a wrong value."),
        17: ("INVSTATE", "UsageFault: not in Thumb state, as after a jump to an even address."),
        16: ("UNDEFINSTR", "UsageFault: undefined instruction."),
        15: ("BFARVALID", "BFAR has the address of the fault."),
    }
    if not core.m3:
        names[13] = ("LSPERR", "BusFault: on lazy saving of the floating-point state.")
    names |= {
        12: ("STKERR", "BusFault: on stacking at exception entry."),
        11: ("UNSTKERR", "BusFault: on unstacking at exception return."),
        10: ("IMPRECISERR", "BusFault: on an earlier data access; the stacked PC is not its."),
        9: ("PRECISERR", "BusFault: on the data access at the stacked PC."),
        8: ("IBUSERR", "BusFault: on an instruction fetch."),
        7: ("MMARVALID", "MMFAR has the address of the fault."),
    }
    if not core.m3:
        names[5] = ("MLSPERR", "MemManage: on lazy saving of the floating-point state.")
    names |= {
        4: ("MSTKERR", "MemManage: on stacking at exception entry."),
        3: ("MUNSTKERR", "MemManage: on unstacking at exception return."),
        1: ("DACCVIOL", "MemManage: data access not allowed."),
        0: ("IACCVIOL", "MemManage: instruction fetch not allowed."),
    }
    return bits(names)
