"""Macros put in as C says, bounded whatever they are, and the branch of an #if that holds."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasheet_lsp.firmware.headers.scan import FileFacts
from datasheet_lsp.firmware.headers.tokens import Expander, TooLong, split
from datasheet_lsp.firmware.meaning import Machine
from tests.firmware.headers import headers_of


def expanded(text: str, expression: str) -> str:
    return " ".join(Expander(headers_of(text).macro).expand(split(expression)))


@pytest.mark.parametrize(
    ("defines", "expression", "expected"),
    [
        ("#define A 1", "A + B", "1 + B"),
        ("#define A B\n#define B 2", "A", "2"),
        ("#define F(x) (x * x)", "F(1 + 2)", "( 1 + 2 * 1 + 2 )"),
        ("#define F(x) x", "F", "F"),
        ("#define F(x) x", "F (3)", "3"),
        ("#define F() 7", "F()", "7"),
        ("#define CAT(a, b) a##b\n#define XY 5", "CAT(X, Y)", "5"),
        ("#define CAT(a, b) a ## b\n#define X 1", "CAT(X, 2)", "X2"),
        ("#define STR(a) #a", "STR(x + y)", '"x + y"'),
        ("#define V(...) f(__VA_ARGS__)", "V(1, 2)", "f ( 1 , 2 )"),
        ("#define V(a, ...) f(a, ##__VA_ARGS__)", "V(1)", "f ( 1 )"),
        ("#define V(a, rest...) f(a, rest)", "V(1, 2, 3)", "f ( 1 , 2 , 3 )"),
        # The C standard's own: a macro is not put in within itself.
        ("#define A A + 1", "A", "A + 1"),
        ("#define A B\n#define B A", "A", "A"),
        # Here C leaves open whether it goes on to 2 * 9 * g.
        ("#define f(a) a*g\n#define g(a) f(a)", "f(2)(9)", "2 * f ( 9 )"),
        ("#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2", "f(1)", "f ( 2 * ( 1 ) )"),
        ("#define P(n) GPIO##n\n#define GPIOA ((T*)1)", "P(A)->R", "( ( T * ) 1 ) -> R"),
        ("#define E\n#define F(x) [x]", "F(E)", "[ ]"),
        ("#define LONG 1 + \\\n 2", "LONG", "1 + 2"),
        ("#define C 1 /* one */ + 2 // two", "C", "1 + 2"),
    ],
)
def test_macros_are_put_in_as_c_says(defines: str, expression: str, expected: str) -> None:
    assert expanded(defines, expression) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("#ifdef X\n#define A 1\n#else\n#define A 2\n#endif", 2),
        ("#define X\n#ifdef X\n#define A 1\n#else\n#define A 2\n#endif", 1),
        ("#define X 3\n#if X > 2 && defined(X)\n#define A 1\n#elif X\n#define A 2\n#endif", 1),
        ("#if 0\n#define A 1\n#elif 1\n#define A 2\n#else\n#define A 3\n#endif", 2),
        ("#ifndef H_H\n#define H_H\n#define A 4\n#endif", 4),
        ("#ifndef A\n#define A 5\n#endif", 5),
        ("#define A 6\n#ifndef A\n#define A 5\n#endif", 6),
        ("#if defined(__GNUC__) && !defined __ICCARM__\n#define A 7\n#endif", 7),
        ("#if (1 << 4) == 16 ? 1 : 0\n#define A 8\n#endif", 8),
        ("/*\n#define A 1\n*/\n#define A 9", 9),
    ],
)
def test_the_branch_that_holds_is_taken(text: str, value: int) -> None:
    macro = headers_of(text).macro("A")
    assert macro is not None
    assert int(macro.body) == value


def test_what_the_chip_decides_is_decided_by_its_name() -> None:
    text = "\n".join(
        f"#{'if' if i == 0 else 'elif'} defined({name})\n#define A {i}"
        for i, name in enumerate(("STM32F405xx", "STM32F407xx", "STM32F446xx"))
    )
    macro = headers_of(text + "\n#endif", chips=("stm32f407",)).macro("A")
    assert macro is not None
    assert macro.body == "1"


def test_a_definition_left_open_has_its_alternatives() -> None:
    headers = headers_of("#ifdef BOARD_B\n#define LED 2\n#else\n#define LED 1\n#endif")
    macro = headers.macro("LED")
    assert macro is not None
    assert macro.body == "1"
    assert [other.body for other in headers.alternatives("LED")] == ["2"]


EXPLODING = "\n".join(f"#define A{i} A{i + 1} + A{i + 1}" for i in range(60)) + "\n#define A60 1"
NESTED = "#define F(x) F_(x) + G(x)\n#define G(x) F(F(G_(x)))\n#define F_(x) G(x)"


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        (EXPLODING, "A0"),
        (NESTED, "F(G(F(1)))"),
        ("#define F(x) x x x x x x x x", "F(F(F(F(F(F(F(F(F(1)))))))))"),
        ("#define A (" * 1 + "(" * 3000 + "1" + ")" * 3000 + ")", "A"),
    ],
)
def test_exploding_macros_end_soon(text: str, expression: str) -> None:
    headers = headers_of(text)
    started = time.process_time()
    try:
        Machine(headers).value_of_tokens(split(expression))
    except (TooLong, RecursionError):
        pass
    assert time.process_time() - started < 5


@pytest.mark.parametrize("made", ["a##a", "#a #a"])
def test_a_token_that_doubles_at_every_step_is_too_long(made: str) -> None:
    chain = "".join(f"#define P{i}(a) P{i - 1}({made})\n" for i in range(1, 40))
    headers = headers_of(f"#define P0(a) {made}\n{chain}")
    with pytest.raises(TooLong):
        Expander(headers.macro).expand(split("P39(x)"))


_LONG = 60_000


@pytest.mark.parametrize(
    "text",
    [
        f"int {'a' * _LONG}!;",
        f"{'a' * _LONG}! (void) {{}}",
        f"int a {'[' * _LONG};",
        f"int {'a [ ' * (_LONG // 4)};",
        f"int a {'__attribute__((a) ) ' * (_LONG // 20)};",
        f"enum e {{ A = {'(' * (_LONG // 2)}{')' * (_LONG // 2)} }};",
        f"{'struct a ' * (_LONG // 9)}( ) {{ }}",
        "#define A\n" * _LONG,
        "#if A\n" + "#elif B\n" * (_LONG // 4) + "#endif",
        f"{'extern ' * (_LONG // 7)} x",
    ],
    ids=range(10),
)
def test_reading_takes_time_in_proportion_to_the_text(text: str) -> None:
    started = time.process_time()
    facts = FileFacts("x.h", text.encode())
    assert facts.declared is not None
    assert facts.instances("x") == ()
    assert time.process_time() - started < 1.5


def test_an_elif_has_all_branches_before_it_failed() -> None:
    facts = FileFacts("x.h", b"#if A\n#elif B\n#if C\n#endif\n#else\nint x;\n#endif\n")
    (piece,) = facts.declared["x"]
    last = facts.conditions[piece.condition - 1]
    assert (last.held, facts.failed(last)) == (None, ["A", "B"])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("[[gnu::used]] int a[4];", "a"),
        ("int __attribute__((aligned(4))) b [2][3];", "b"),
        ("enum e { C = ((1) + (2)), D };", "D"),
        ("extern const volatile struct T f;", "f"),
        ("struct s *g(void) { return 0; }", "g"),
        ("int ns::h (int) { }", "ns::h"),
        ("__declspec(x) int i;", "i"),
    ],
)
def test_what_is_declared_is_found(text: str, name: str) -> None:
    assert name in FileFacts("x.h", text.encode()).declared


WORDS = st.sampled_from(
    ["A", "B", "F", "G", "(", ")", ",", "##", "#", "1", "0x10", "+", "->", "*", "[", "]", "{", "}",
     ";", "x", "y", "...", "if", "do", "while", "sizeof", "struct", "=", "&", "?", ":", "union"]
)  # fmt: skip
BODY = st.lists(WORDS, max_size=12).map(" ".join)
LINES = st.lists(
    st.one_of(
        st.builds(lambda n, b: f"#define {n} {b}", st.sampled_from("AB"), BODY),
        st.builds(lambda n, p, b: f"#define {n}({p}) {b}", st.sampled_from("FG"),
                  st.sampled_from(["x", "x, y", "", "...", "x, ..."]), BODY),
        st.builds(lambda b: f"#if {b}", BODY),
        st.sampled_from(["#else", "#endif", "#elif A", "#ifdef A", "#ifndef F", "#undef A"]),
        st.builds(lambda b: f"typedef struct {{ {b} }} T;", BODY),
        BODY,
    ),
    max_size=14,
).map("\n".join)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(LINES, BODY)
def test_nothing_raises_whatever_the_text_is(text: str, expression: str) -> None:
    headers = headers_of(text)
    _ = headers.own.declared
    for name in ("A", "F", "T", "x"):
        headers.macro(name)
        headers.type(name)
        headers.layout(name)
        headers.constant(name)
        headers.function(name)
        headers.declared(name)
    for read in (Machine(headers).expression, Machine(headers).statements):
        try:
            read(split(expression))
        except (TooLong, RecursionError):
            pass  # the two who ask are ready for
    FileFacts("x", text.encode("utf-8")).macro("A", 0) if headers.own.defined("A") else None
