"""The floating-point unit."""

from __future__ import annotations

from datasheet_lsp.svd.cores.sources.notation import (
    Core,
    Field,
    Peripheral,
    Register,
    Value,
    bits,
)


def fpu(core: Core) -> Peripheral:
    """FPU as FPU_Type has it: the first word is reserved."""
    return Peripheral(
        "FPU",
        0xE000_EF30,
        0x1C,
        "Floating-point unit: saving of its state and its features",
        (
            _context(core),
            Register(
                "FPCAR",
                0x8,
                "Where in the stack frame the floating-point state goes.",
                fields=(Field("ADDRESS", "31:3", "Address, without its three low bits."),),
            ),
            Register(
                "FPDSCR",
                0xC,
                "What FPSCR starts with when code first uses the unit.",
                reset=0,
                fields=(
                    *bits(
                        {
                            26: ("AHP", "Half precision is the alternative format."),
                            25: ("DN", "Results that are not a number are the default one."),
                            24: ("FZ", "Denormal numbers are flushed to zero."),
                        }
                    ),
                    Field(
                        "RMode",
                        "23:22",
                        "Rounding.",
                        values=(
                            Value("NEAREST", 0, "To nearest"),
                            Value("UP", 1, "Towards plus infinity"),
                            Value("DOWN", 2, "Towards minus infinity"),
                            Value("ZERO", 3, "Towards zero"),
                        ),
                    ),
                ),
            ),
            *feature_registers(core, 0x10),
        ),
    )


def _context(core: Core) -> Register:
    names = {
        31: ("ASPEN", "Save the floating-point state on exception entry."),
        30: ("LSPEN", "Reserve the room only, and save when it is needed."),
    }
    if core.v8:
        names |= {
            29: ("LSPENS", "Only Secure code may write LSPEN."),
            28: ("CLRONRET", "Clear the caller-saved registers on exception return."),
            27: ("CLRONRETS", "Only Secure code may write CLRONRET."),
            26: ("TS", "Treat all floating-point registers as Secure."),
            10: ("UFRDY", "UsageFault could be taken when the frame was reserved."),
            9: ("SPLIMVIOL", "The reserved frame crosses the stack limit."),
        }
    names |= {
        8: ("MONRDY", "DebugMonitor could be taken when the frame was reserved."),
        6: ("BFRDY", "BusFault could be taken when the frame was reserved."),
        5: ("MMRDY", "MemManage could be taken when the frame was reserved."),
        4: ("HFRDY", "HardFault could be taken when the frame was reserved."),
        3: ("THREAD", "The frame was reserved in thread mode."),
        1: ("USER", "The frame was reserved by unprivileged code."),
        0: ("LSPACT", "A frame is reserved, its state not yet saved."),
    }
    if core.v8:
        names[7] = ("SFRDY", "SecureFault could be taken when the frame was reserved.")
        names[2] = ("S", "The state belongs to Secure code.")
    return Register(
        "FPCCR",
        0x4,
        "How the floating-point state is saved on exceptions.",
        reset=0xC000_0000,
        mask=0xFFFF_FFFB if core.v8 else None,
        fields=bits(dict(sorted(names.items(), reverse=True))),
    )


def feature_registers(core: Core, offset: int) -> list[Register]:
    """MVFR0 to MVFR2. The Cortex-M7 has a unit with or without double precision."""
    nibbles0 = {
        28: ("FP_rounding_modes", "Rounding modes."),
        24: ("Short_vectors", "Short vectors."),
        20: ("Square_root", "Square root."),
        16: ("Divide", "Division."),
        12: ("FP_excep_trapping", "Trapping of exceptions."),
        8: ("Double_precision", "Double precision: 2 when there is."),
        4: ("Single_precision", "Single precision: 2 when there is."),
        0: ("A_SIMD_registers", "Size of the register file."),
    }
    nibbles1 = {
        28: ("FP_fused_MAC", "Fused multiply and add."),
        24: ("FP_HPFP", "Conversion from and to half precision."),
        4: ("D_NaN_mode", "Propagation of what is not a number."),
        0: ("FtZ_mode", "Denormal numbers."),
    }
    nibbles2 = {4: ("FPMisc" if core.v8 else "VFP_Misc", "Rounding and selection instructions.")}
    double = core.m7
    resets = (
        (0x1011_0021, 0xFFFF_F0FF if double else None),
        (0x1100_0011 & (0xF0FF_FFFF if double else 0xFFFF_FFFF), 0xF0FF_FFFF if double else None),
        (None if core.cpu == "CM4" else 0x0000_0040, None),
    )
    return [
        Register(
            f"MVFR{n}",
            offset + 4 * n,
            f"Features of the floating-point unit, word {n}.",
            "ro",
            reset=reset,
            mask=mask,
            fields=tuple(
                Field(name, f"{low + 3}:{low}", text) for low, (name, text) in nibbles.items()
            ),
        )
        for n, (nibbles, (reset, mask)) in enumerate(
            zip((nibbles0, nibbles1, nibbles2), resets, strict=True)
        )
    ]
