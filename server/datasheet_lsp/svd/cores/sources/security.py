"""The security attribution unit and the secure faults of Armv8-M."""

from __future__ import annotations

from datasheet_lsp.svd.cores.sources.notation import (
    CLEAR,
    Core,
    Field,
    Peripheral,
    Register,
    bits,
)


def sau(core: Core) -> Peripheral:
    """SAU as SAU_Type has it; the Mainline has the secure faults in it, too."""
    items = [
        Register(
            "CTRL",
            0x00,
            "Switches the unit on.",
            reset=0,
            fields=bits(
                {
                    1: ("ALLNS", "While the unit is off, all memory is Non-secure."),
                    0: ("ENABLE", "The unit is on."),
                }
            ),
        ),
        Register(
            "TYPE",
            0x04,
            "How many regions there are.",
            "ro",
            fields=(Field("SREGION", "7:0", "Number of regions."),),
        ),
        Register(
            "RNR",
            0x08,
            "Which region RBAR and RLAR show.",
            fields=(Field("REGION", "7:0", "Number of the region."),),
        ),
        Register(
            "RBAR",
            0x0C,
            "Start of the region.",
            fields=(Field("BADDR", "31:5", "Start address, without its five low bits."),),
        ),
        Register(
            "RLAR",
            0x10,
            "End of the region.",
            fields=(
                Field("LADDR", "31:5", "Address of the last 32 bytes, without its low bits."),
                Field("NSC", 1, "Secure, and Non-secure code may call into it."),
                Field("ENABLE", 0, "The region is on."),
            ),
        ),
    ]
    if core.main:
        items += secure_faults(0x14)
    last = items[-1]
    return Peripheral(
        "SAU",
        0xE000_EDD0,
        last.offset + 4,
        "Security attribution unit: which memory is Non-secure",
        tuple(items),
    )


def secure_faults(offset: int) -> list[Register]:
    """SFSR and SFAR."""
    return [
        Register(
            "SFSR",
            offset,
            "Why a SecureFault came; write 1 to clear a bit.",
            reset=0,
            write=CLEAR,
            fields=bits(
                {
                    7: ("LSERR", "State of lazy saving was wrong."),
                    6: ("SFARVALID", "SFAR has the address of the fault."),
                    5: ("LSPERR", "Lazy saving touched memory it may not."),
                    4: ("INVTRAN", "A branch left the Secure state without saying so."),
                    3: ("AUVIOL", "Non-secure code touched Secure memory."),
                    2: ("INVER", "Return from exception with a wrong value."),
                    1: ("INVIS", "The integrity signature in the stack frame is wrong."),
                    0: ("INVEP", "Secure code was entered other than at an SG instruction."),
                }
            ),
        ),
        Register(
            "SFAR",
            offset + 4,
            "Address that caused the SecureFault.",
            fields=(Field("ADDRESS", "31:0", "Holds only while SFSR.SFARVALID is 1."),),
        ),
    ]
