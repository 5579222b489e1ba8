"""Numbers and vocabulary as people read them."""

from __future__ import annotations

import pytest

from datasheet_lsp.model import EnumeratedValue, EnumeratedValues, Field, Register, WriteConstraint
from datasheet_lsp.render import words
from datasheet_lsp.render.fields import MAX_VALUES, meaning, reset_of, values_of
from datasheet_lsp.render.peripheral import fold
from datasheet_lsp.render.style import Plain


def entry(name: str, value: int | None, description: str = "", mask: int | None = None):
    return EnumeratedValue(name, description, value, mask, value is None, 1)


def field(name: str = "F", lsb: int = 0, msb: int = 0, **more) -> Field:
    return Field(
        name, more.pop("description", ""), lsb, msb, more.pop("access", "read-write"), 1, **more
    )


def register(**more) -> Register:
    known = dict(
        path="R", template="R", description="", offset=0, size=32, access="read-write",
        reset_value=0, reset_mask=None, fields=(), line=1,
    )  # fmt: skip
    return Register(**{**known, **more})


@pytest.mark.parametrize(
    ("value", "said"),
    [(0x40004408, "0x4000 4408"), (0, "0x0000 0000"), (0xE000E010, "0xE000 E010"),
     (0x1_0000_0000, "0x0000 0001 0000 0000")],
)  # fmt: skip
def test_addresses_are_in_groups_of_four(value: int, said: str) -> None:
    assert words.address(value) == said
    assert words.c_address(value) == said.replace(" ", "")


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0x00"), (8, "0x08"), (0x100, "0x100"), (0x1000, "0x1000"), (0x10004, "0x0001 0004")],
)
def test_offsets_have_two_digits_or_more(value: int, said: str) -> None:
    assert words.offset(value) == said


@pytest.mark.parametrize(
    ("size", "said"), [(8, "0x05"), (16, "0x0005"), (32, "0x0000 0005"), (5, "0x05"), (1, "0x5")]
)
def test_contents_have_all_digits_of_the_register(size: int, said: str) -> None:
    assert words.content(5, size) == said


@pytest.mark.parametrize(
    ("name", "description", "label"),
    [
        ("Input", "Input mode", "Input"),
        ("0", "no conversion", "no conversion"),
        ("value1", "divided by two", "divided by two"),
        ("B_0x3", "analog", "analog"),
        ("_00", "8 bits", "8 bits"),
        ("0b1xx", "reserved", "reserved"),
        ("16", "", "16"),
        ("DIV16", "by 16", "DIV16"),
        ("valid", "it is", "valid"),
        ("2x", "twice", "2x"),
    ],
)
def test_a_name_that_is_but_a_number_gives_way_to_the_description(
    name: str, description: str, label: str
) -> None:
    assert words.entry_label(entry(name, 1, description)) == label


@pytest.mark.parametrize(
    ("value", "mask", "width", "said"),
    [(4, 4, 3, "0b1xx"), (2, 6, 3, "0b01x"), (5, None, 3, "5"), (12, None, 4, "0xC")],
)
def test_dont_care_bits_are_shown_as_x(value: int, mask: int | None, width: int, said: str) -> None:
    assert words.entry_value(entry("N", value, mask=mask), width) == said


def test_long_enumerations_are_cut_with_a_count() -> None:
    values = tuple(entry(f"V{i}", i) for i in range(40))
    said = values_of(EnumeratedValues("", "read-write", values, 1))
    assert said.startswith("0 V0, 1 V1, ") and said.endswith(f", ... {40 - MAX_VALUES + 1} more")


def test_values_and_names_are_kept_apart() -> None:
    wide = (entry("Baud1200", 0x4F000), entry("Baud9600", 0x275000))
    said = values_of(EnumeratedValues("", "read-write", wide, 1))
    assert said == "0x0004 F000 = Baud1200, 0x0027 5000 = Baud9600"
    phrases = (entry("0", 0, "Not done."), entry("1", 1, "Done."))
    assert values_of(EnumeratedValues("", "read-write", phrases, 1)) == "0 Not done, 1 Done"


def test_a_long_description_is_cut_before_the_values() -> None:
    values = EnumeratedValues("", "read-write", (entry("off", 0),), 1)
    said = meaning(field(description="word " * 60, enumerated_values=(values,)))
    assert said.endswith("word ...: 0 off")


def test_read_and_write_values_are_told_apart() -> None:
    sets = (
        EnumeratedValues("", "read", (entry("idle", 0), entry("busy", 1)), 1),
        EnumeratedValues("", "write", (entry("start", 1),), 1),
    )
    assert meaning(field(enumerated_values=sets)) == "read: 0 idle, 1 busy; write: 1 start"


def test_side_effects_of_the_whole_register_are_not_repeated_at_its_fields() -> None:
    whole = register(read_action="clear", modified_write_values="oneToClear")
    inherited = field(read_action="clear", modified_write_values="oneToClear")
    assert meaning(inherited, whole) == ""
    assert meaning(inherited, register()) == (
        "(reading clears it; writing 1 clears it, 0 leaves it)"
    )
    assert words.side_effects(whole) == [
        "reading clears it",
        "writing 1 clears a bit, 0 leaves it",
    ]


@pytest.mark.parametrize(
    ("constraint", "said"),
    [
        (WriteConstraint(write_as_read=True), ["write back what was read"]),
        (WriteConstraint(use_enumerated_values=True), ["write only the values listed"]),
        (WriteConstraint(minimum=0, maximum=511), ["write only 0 to 0x1FF"]),
        (WriteConstraint(maximum=9), ["write at most 9"]),
    ],
)
def test_write_constraints_are_worded(constraint: WriteConstraint, said: list[str]) -> None:
    assert words.constraint(constraint) == said


def test_reset_of_a_field_counts_only_where_the_mask_says_so() -> None:
    assert reset_of(field(lsb=4, msb=7), register(reset_value=0xA5)) == "0xA"
    assert reset_of(field(lsb=4, msb=7), register(reset_value=0xA5, reset_mask=0x3F)) == ""
    assert reset_of(field(lsb=4, msb=7), register(reset_value=None)) == ""


def test_access_that_the_standard_lacks_is_quoted() -> None:
    odd = register(access="read-write", access_text="read/clear")
    assert words.access(odd) == 'read-write ("read/clear" in the SVD)'


def test_arrays_are_folded_with_their_range() -> None:
    elements = [
        register(path=f"CH[{i}].R{j}", template="CH[%s].R%s", offset=0x10 * i + 4 * j)
        for i in range(3)
        for j in range(2)
    ]
    lettered = [
        register(path=f"CMP{c}", template="CMP%s", offset=0x80 + i) for i, c in enumerate("AB")
    ]
    found = [(e.label, e.first.offset, e.count) for e in fold([*elements, *lettered])]
    assert found == [("CH[0..2].R[0..1]", 0, 6), ("CMP[A..B]", 0x80, 2)]


def test_registers_of_one_name_are_not_folded() -> None:
    twice = [register(path="R", template="R", offset=0), register(path="R", template="R", offset=4)]
    assert [(e.label, e.first.offset) for e in fold(twice)] == [("R", 0), ("R", 4)]


def test_plain_text_stays_in_its_width() -> None:
    style = Plain(60)
    table = style.table(["Bits", "Meaning"], [["15:0", "word " * 40]])
    text = style.lines("much " * 30, table)
    assert max(map(len, text.splitlines())) <= 60
    assert text.count("word") == 40 and text.count("much") == 30
