"""Helpers for register access that headers of many vendors share, as the macros they amount to.

They stand in where the workspace has no definition of its own: the functions among them (pico-sdk,
Zephyr, NuttX, Linux) are no macros at all, and those of headers may be outside the workspace.
"""

from __future__ import annotations

from datasheet_lsp.firmware.tokens import Body

_R = "(*(volatile uint32_t *)(a))"


def _table(rows: dict[str, str]) -> dict[str, Body]:
    table = {}
    for head, text in rows.items():
        name, _, parameters = head.partition("(")
        given = tuple(p.strip() for p in parameters.rstrip(")").split(","))
        table[name] = Body(text, given)
    return table


IDIOMS: dict[str, Body] = _table(
    {
        # CMSIS device headers of ST and those that follow them
        "SET_BIT(R, B)": "((R) |= (B))",
        "CLEAR_BIT(R, B)": "((R) &= ~(B))",
        "READ_BIT(R, B)": "((R) & (B))",
        "CLEAR_REG(R)": "((R) = (0x0))",
        "WRITE_REG(R, V)": "((R) = (V))",
        "READ_REG(R)": "((R))",
        "MODIFY_REG(R, C, S)": "((R) = (((R) & (~(C))) | (S)))",
        "ATOMIC_SET_BIT(R, B)": "((R) |= (B))",
        "ATOMIC_CLEAR_BIT(R, B)": "((R) &= ~(B))",
        "ATOMIC_MODIFY_REG(R, C, S)": "((R) = (((R) & (~(C))) | (S)))",
        # pico-sdk
        "hw_set_bits(a, m)": "(*(a) |= (m))",
        "hw_clear_bits(a, m)": "(*(a) &= ~(m))",
        "hw_xor_bits(a, m)": "(*(a) ^= (m))",
        "hw_write_masked(a, v, m)": "(*(a) = ((*(a) & ~(m)) | ((v) & (m))))",
        # Zephyr
        "sys_write32(v, a)": f"({_R} = (v))",
        "sys_read32(a)": f"({_R})",
        "sys_set_bits(a, m)": f"({_R} |= (m))",
        "sys_clear_bits(a, m)": f"({_R} &= ~(m))",
        "sys_set_bit(a, n)": f"({_R} |= (1UL << (n)))",
        "sys_clear_bit(a, n)": f"({_R} &= ~(1UL << (n)))",
        # NuttX, Linux and bare metal
        "putreg32(v, a)": f"({_R} = (v))",
        "getreg32(a)": f"({_R})",
        "modifyreg32(a, c, s)": f"({_R} = (({_R} & ~(c)) | (s)))",
        "writel(v, a)": f"({_R} = (v))",
        "readl(a)": f"({_R})",
        "mmio_write_32(a, v)": f"({_R} = (v))",
        "mmio_read_32(a)": f"({_R})",
        # Espressif
        "REG_WRITE(a, v)": f"({_R} = (v))",
        "REG_READ(a)": f"({_R})",
        "REG_SET_BIT(a, m)": f"({_R} |= (m))",
        "REG_CLR_BIT(a, m)": f"({_R} &= ~(m))",
        "REG_SET_MASK(a, m)": f"({_R} |= (m))",
        "REG_CLR_MASK(a, m)": f"({_R} &= ~(m))",
        "WRITE_PERI_REG(a, v)": f"({_R} = (v))",
        "READ_PERI_REG(a)": f"({_R})",
        "SET_PERI_REG_MASK(a, m)": f"({_R} |= (m))",
        "CLEAR_PERI_REG_MASK(a, m)": f"({_R} &= ~(m))",
        # libopencm3
        "MMIO32(a)": f"{_R}",
        # numbers
        "_VAL2FLD(f, v)": "(((uint32_t)(v) << f##_Pos) & f##_Msk)",
        "_FLD2VAL(f, v)": "(((uint32_t)(v) & f##_Msk) >> f##_Pos)",
        "BIT(n)": "(1UL << (n))",
        "_BV(n)": "(1UL << (n))",
        "_U_(x)": "x##U",
        "_L_(x)": "x##L",
        "UINT32_C(x)": "x##UL",
        "UINT64_C(x)": "x##ULL",
    }
)
"""For each helper what a call of it amounts to."""
