"""C expressions have the value the compiler gives them, and nothing is claimed beyond."""

from __future__ import annotations

import random
import re
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasheet_lsp.firmware import bitvalues as bv
from datasheet_lsp.firmware.evaluate import constant, evaluate
from datasheet_lsp.firmware.tokens import Body, Meaning

MACROS: dict[str, Meaning] = {
    "BIT": Body("(1UL << (n))", ("n",)),
    "X_Pos": Body("(13U)"),
    "X_Msk": Body("(0x1UL << X_Pos)"),
    "X": Body("X_Msk"),
    "DLS_Msk": Body("(0xFU << DLS_Pos)"),
    "DLS_Pos": Body("4"),
    "DLS": Body("(((uint8_t)(((uint8_t)(x)) << DLS_Pos)) & DLS_Msk)", ("x",)),
    "_VAL2FLD": Body("(((uint32_t)(value) << field ## _Pos) & field ## _Msk)", ("field", "value")),
    "SUM": Body("1 + 2"),
    "LOOP": Body("LOOP + 1"),
    "PING": Body("PONG"),
    "PONG": Body("PING"),
    "CAT": Body("a##b", ("a", "b")),
    "XCAT": Body("CAT(a, b)", ("a", "b")),
    "CHOOSE": Body("BIT"),
    "FIRST": Body("(a)", ("a", "...")),
    "COUNT": 7,
    "BOMB0": Body("1"),
    **{f"BOMB{n}": Body(f"(BOMB{n - 1} + BOMB{n - 1})") for n in range(1, 40)},
}


def names(name: str) -> Meaning:
    return MACROS.get(name)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x683", 0x683),
        ("1 << 3 | 1", 9),
        ("~0", -1),
        ("~0u", 0xFFFFFFFF),
        ("(uint8_t)~0x0Fu", 0xF0),
        ("(1u << X_Pos) | BIT(3) | BIT(2)", 0x200C),
        ("X | 0xCUL", 0x200C),
        ("DLS(3)", 0x30),
        ("DLS(0x13)", 0x30),
        ("_VAL2FLD(DLS, 5)", 0x50),
        ("SUM * 2", 5),
        ("XCAT(COU, NT)", 7),
        ("CHOOSE(4)", 16),
        ("FIRST(3, 4, 5)", 3),
        ("sizeof(uint16_t) * 8", 16),
        ("sizeof(unsigned long long)", 8),
        ("-1 < 0u", 0),
        ("-1 < 0", 1),
        ("0xFFFFFFFF + 1", 0),
        ("0xFFFFFFFFULL + 1", 0x100000000),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("1 ? 2 : other", 2),
        ("0 && other", 0),
        ("'A'", 65),
        ("0b1010", 10),
        ("0777", 0o777),
        ("1'000", 1000),
        ("(COUNT)", 7),
        ("(int8_t)0x80", -128),
        ("(1, 2)", 2),
        ("other & 0", 0),
    ],
)
def test_value_of_an_expression(text: str, value: int) -> None:
    assert constant(text, names) == value


@pytest.mark.parametrize(
    "text",
    ["other", "1 / 0", "1.5", "LOOP", "PING", "f(3)", "BOMB39", "1 +", "", ")", "08", "a = 3",
     "x++", "(float)3", "BIT()", "BIT(1, 2)", "\"a\"", "1 << 40", "(" * 5000, "((((1"],
)  # fmt: skip
def test_what_has_no_known_value(text: str) -> None:
    assert constant(text, names) is None


def test_masks_of_what_is_not_known() -> None:
    value = evaluate("(baud & 0xFFF0) | 3", names)
    assert value.known & 0xFFFFFFFF == 0xFFFF000F
    assert value.value == 3


def test_what_stays_of_a_register() -> None:
    def operand(text: tuple[str, ...]) -> bv.Value | None:
        return bv.before("R") if text == ("U", "->", "CR") else None

    value = evaluate("(U->CR & ~0xF0u) | (1 << 5)", names, operand)
    assert (value.known, value.value, value.kept) == (0xF0, 0x20, 0xFFFFFF0F)
    value = evaluate("U->CR ^ 0x3", names, operand)
    assert (value.known, value.flipped, value.kept) == (0, 3, 0xFFFFFFFC)
    value = evaluate("(U->CR | U->SR) & 1", names, operand)
    assert (value.known & 0xFFFFFFFF, value.value, value.kept) == (0xFFFFFFFE, 0, 0)


# -- against the compiler

_UNARY = ("-", "~", "!", "+")
_BINARY = ("+", "-", "*", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||")
_CASTS = (
    "unsigned char", "signed char", "unsigned short", "short", "unsigned", "int",
    "unsigned long", "long", "long long", "unsigned long long",
)  # fmt: skip


def expression(rng: random.Random, depth: int) -> str:
    """A random constant expression without division by zero and shifts out of range."""
    if depth == 0 or rng.random() < 0.15:
        number = rng.choice((rng.randrange(32), rng.getrandbits(16), rng.getrandbits(32)))
        text = rng.choice((str(number), hex(number), f"0{number:o}"))
        return text + rng.choice(("", "", "u", "L", "UL", "ll", "ULL"))
    kind = rng.randrange(7)
    inner = expression(rng, depth - 1)
    if kind == 0:
        return f"({rng.choice(_UNARY)}{inner})"
    if kind == 1:
        return f"(({rng.choice(_CASTS)}){inner})"
    if kind == 2:
        return f"({inner} {rng.choice(('<<', '>>'))} {rng.randrange(32)})"
    if kind == 3:
        return f"({inner} {rng.choice(('/', '%'))} {rng.randrange(1, 1000)})"
    if kind == 4:
        yes, no = expression(rng, depth - 1), expression(rng, depth - 1)
        return f"({inner} ? {yes} : {no})"
    other = expression(rng, depth - 1)
    return f"({inner} {rng.choice(_BINARY)} {other})"


def compiled(texts: list[str]) -> list[int]:
    """What the compiler makes of each, as 64 bits, for a target of 32 bits."""
    rows = ",\n".join(f"(unsigned long long)({text})" for text in texts)
    code = f"unsigned long long v[] = {{\n{rows}\n}};\n"
    done = subprocess.run(
        ["gcc", "-m32", "-w", "-S", "-x", "c", "-", "-o", "-"],
        input=code, capture_output=True, text=True, check=True,
    )  # fmt: skip
    words = [int(n) & 0xFFFFFFFF for n in re.findall(r"^\s+\.long\s+(-?\d+)$", done.stdout, re.M)]
    for _, size in re.findall(r"^\s+\.(zero)\s+(\d+)$", done.stdout, re.M):
        assert len(texts) * 2 == len(words) + int(size) // 4  # only where all are 0
    return [low | high << 32 for low, high in zip(words[::2], words[1::2], strict=True)]


@pytest.mark.skipif(
    shutil.which("gcc") is None,
    reason="the values are compared with those of gcc, which is not here",
)
@pytest.mark.parametrize("seed", range(4))
def test_value_is_the_compilers(seed: int) -> None:
    rng = random.Random(seed)
    texts = [expression(rng, rng.randrange(1, 5)) for _ in range(500)] + ["1"]
    wrong = []
    for text, truth in zip(texts, compiled(texts), strict=True):
        value = constant(text, names)
        if value is None or value & (1 << 64) - 1 != truth:
            wrong.append((text, value, truth))
    assert not wrong, wrong[:3]


# -- partly known


@given(st.integers(0, 2**32), st.randoms(use_true_random=False), st.integers(1, 4))
@settings(max_examples=300, deadline=None)
def test_known_bits_hold_whatever_the_rest_is(seed: int, chance: random.Random, depth: int) -> None:
    """An operand of which some bits are known, then the same with a number that fits."""
    text = expression(random.Random(seed), depth)
    numbers = re.findall(r"(?<!\w)(?:0x[0-9a-f]+|\d+)[uULl]*", text)
    chosen = chance.choice(numbers)
    known = chance.getrandbits(32)
    real = chance.getrandbits(32)
    kept = chance.getrandbits(32) & ~known
    partly = bv.Value(32, False, known, real & known, kept=kept, origin="R" if kept else None)

    def operand(_: tuple[str, ...]) -> bv.Value:
        return partly

    open_text = re.sub(rf"(?<!\w){re.escape(chosen)}(?!\w)(?![^()]*\)?\s*[%/])", "var", text)
    open_text = re.sub(r"(<<|>>|/|%) var\b", r"\1 5", open_text)
    shut_text = re.sub(r"\bvar\b", f"{real}u", open_text)
    guess, truth = evaluate(open_text, names, operand), evaluate(shut_text, names)
    sure = truth.constant
    assert sure is not None
    low = (1 << 32) - 1
    assert guess.value & low == sure & guess.known & low
    assert guess.kept & real & low == guess.kept & sure & low
    assert guess.flipped & ~real & low == guess.flipped & sure & low


@given(st.text(alphabet="()[]{}<>?:+-*/&|^~!=,.#\"'0x9aZ_ \n", max_size=80))
@settings(max_examples=300, deadline=None)
def test_any_text_is_survived(text: str) -> None:
    evaluate(text, names)
