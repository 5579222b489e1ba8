"""The memory protection unit, in its Armv6-M/Armv7-M and its Armv8-M form."""

from __future__ import annotations

from datasheet_lsp.svd.cores.sources.notation import (
    Core,
    Field,
    Peripheral,
    Register,
    Value,
    bits,
)


def mpu(core: Core) -> Peripheral:
    """MPU as MPU_Type of the core has it."""
    common = (
        Register(
            "TYPE",
            0x00,
            "How many regions there are.",
            "ro",
            reset=0x800 if core.arch in ("v6", "v7") and not core.m7 else None,
            fields=(
                Field("IREGION", "23:16", "Instruction regions: 0, the regions are for both."),
                Field("DREGION", "15:8", "Regions; 0 without a memory protection unit."),
                Field("SEPARATE", 0, "Instruction and data regions are apart: always 0."),
            ),
        ),
        Register(
            "CTRL",
            0x04,
            "Switches the protection on.",
            reset=0,
            fields=bits(
                {
                    2: (
                        "PRIVDEFENA",
                        "Privileged code has the default memory map outside regions.",
                    ),
                    1: ("HFNMIENA", "Protection stays on in HardFault, NMI and FAULTMASK code."),
                    0: ("ENABLE", "Protection is on."),
                }
            ),
        ),
        Register(
            "RNR",
            0x08,
            "Which region the other registers show.",
            fields=(Field("REGION", "7:0", "Number of the region."),),
        ),
    )
    rest = _regions8(core) if core.v8 else _regions7(core)
    last = rest[-1]
    size = 0x38 if core.v8 else last.offset + 4
    return Peripheral("MPU", 0xE000_ED90, size, "Memory protection unit", (*common, *rest))


def _aliased(core: Core, registers: tuple[Register, Register]) -> list[Register]:
    """The two registers of a region and their aliases _A1 to _A3."""
    found = list(registers)
    if core.main:
        for n in (1, 2, 3):
            for register in registers:
                found.append(
                    Register(
                        f"{register.name}_A{n}",
                        register.offset + 8 * n,
                        f"{_of(core, n)} {register.text[0].lower()}{register.text[1:]}",
                        reset=register.reset,
                        fields=register.fields,
                    )
                )
    return found


def _of(core: Core, n: int) -> str:
    return f"Region {n} of the four around RNR:" if core.v8 else f"Alias {n}:"


def _regions7(core: Core) -> list[Register]:
    low = 5 if core.main else 8
    base = Register(
        "RBAR",
        0x0C,
        "Start of the region.",
        fields=(
            Field("ADDR", f"31:{low}", "Start address; a multiple of the region's size."),
            Field("VALID", 4, "Write 1 to take the region from REGION and put it in RNR."),
            Field("REGION", "3:0", "Number of the region, when VALID is written 1."),
        ),
    )
    smallest = 4 if core.main else 7
    sizes = tuple(
        Value(f"SIZE_{_size(n + 1)}B", n, f"{_size(n + 1)}B") for n in range(smallest, 32)
    )
    fields = [
        Field("XN", 28, "No instruction fetch."),
        Field(
            "AP",
            "26:24",
            "Who may read and write.",
            values=(
                Value("NONE", 0, "No access"),
                Value("PRIV_RW", 1, "Privileged read and write"),
                Value("PRIV_RW_USER_RO", 2, "Privileged read and write, unprivileged read"),
                Value("FULL", 3, "Full access"),
                Value("PRIV_RO", 5, "Privileged read"),
                Value("RO", 6, "Read only for all"),
                Value("RO_7", 7, "Read only for all"),
            ),
        ),
    ]
    if core.main:
        fields.append(Field("TEX", "21:19", "Kind of memory, with C and B."))
    fields += [
        *bits(
            {
                18: ("S", "Shared with other bus masters."),
                17: (
                    "C",
                    "Cacheable, or part of the kind with TEX." if core.main else "Cacheable.",
                ),
                16: (
                    "B",
                    "Bufferable, or part of the kind with TEX." if core.main else "Bufferable.",
                ),
            }
        ),
        Field("SRD", "15:8", "One bit an eighth of the region: 1 leaves it out."),
        Field("SIZE", "5:1", "The region has 2 to the power of (this + 1) bytes.", values=sizes),
        Field("ENABLE", 0, "The region is on."),
    ]
    attributes = Register(
        "RASR", 0x10, "Size and access rights of the region.", fields=tuple(fields)
    )
    return _aliased(core, (base, attributes))


def _regions8(core: Core) -> list[Register]:
    base = Register(
        "RBAR",
        0x0C,
        "Start and access rights of the region.",
        fields=(
            Field("BASE", "31:5", "Start address, without its five low bits."),
            Field(
                "SH",
                "4:3",
                "Sharing of normal memory.",
                values=(
                    Value("NONE", 0, "Not shared"),
                    Value("OUTER", 2, "Outer shareable"),
                    Value("INNER", 3, "Inner shareable"),
                ),
            ),
            Field(
                "AP",
                "2:1",
                "Who may read and write.",
                values=(
                    Value("PRIV_RW", 0, "Privileged read and write"),
                    Value("RW", 1, "Read and write for all"),
                    Value("PRIV_RO", 2, "Privileged read"),
                    Value("RO", 3, "Read only for all"),
                ),
            ),
            Field("XN", 0, "No instruction fetch."),
        ),
    )
    limit = Register(
        "RLAR",
        0x10,
        "End and kind of memory of the region.",
        fields=(
            Field("LIMIT", "31:5", "Address of the last 32 bytes, without its five low bits."),
            Field("AttrIndx", "3:1", "Which attribute of MAIR0 or MAIR1 holds."),
            Field("EN", 0, "The region is on."),
        ),
    )
    attributes = [
        Register(
            f"MAIR{n}",
            0x30 + 4 * n,
            f"Kinds of memory {4 * n} to {4 * n + 3}.",
            fields=tuple(
                Field(
                    f"Attr{4 * n + k}",
                    f"{8 * k + 7}:{8 * k}",
                    f"Kind of memory {4 * n + k}: 0x00 to 0x0C device, else outer and inner cache "
                    "policy.",
                )
                for k in (3, 2, 1, 0)
            ),
        )
        for n in (0, 1)
    ]
    array = Register(
        "MAIR",
        0x30,
        "Kinds of memory, four to a word.",
        count=2,
        alternate="MAIR0",
        fields=tuple(
            Field(f"Attr{k}", f"{8 * k + 7}:{8 * k}", f"Kind of memory {k} of the word.")
            for k in (3, 2, 1, 0)
        ),
    )
    return [*_aliased(core, (base, limit)), *attributes, array]


def _size(power: int) -> str:
    for unit, name in ((30, "G"), (20, "M"), (10, "K")):
        if power >= unit:
            return f"{1 << (power - unit)}{name}"
    return str(1 << power)
