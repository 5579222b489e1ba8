"""Numbers and indices in every form SVD files write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasheet_lsp.svd import numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("12", 12),
        ("+12", 12),
        ("007", 7),
        ("010", 10),
        ("0x1F", 31),
        ("0X1f", 31),
        ("+0x10", 16),
        (" 0x10 ", 16),
        ("#101", 5),
        ("0b101", 5),
        ("0B11", 3),
        ("0xFFFFFFFFFFFFFFFF", 2**64 - 1),
        ("4k", 4096),
        ("0x1M", 1 << 20),
    ],
)
def test_numbers(text: str, value: int) -> None:
    assert numbers.number(text) == value


@pytest.mark.parametrize("text", ["", "-1", "0x", "0xG", "#2", "1.5", "x", "1 2", "9" * 100])
def test_no_numbers(text: str) -> None:
    with pytest.raises(ValueError):
        numbers.number(text)


@given(
    st.integers(0, 2**64 - 1),
    st.sampled_from(["{}", "+{}", "00{}", "0x{:x}", "0X{:X}", "#{:b}", "0b{:b}"]),
)
def test_every_notation_gives_the_number_back(value: int, form: str) -> None:
    assert numbers.number(form.format(value)) == value


@given(st.text(alphabet="01x", min_size=1, max_size=64))
def test_dont_care_bits_match_what_the_pattern_says(pattern: str) -> None:
    value, mask = numbers.enumerated("#" + pattern)
    for fill in "01":
        content = int(pattern.replace("x", fill), 2)
        assert content & (mask if mask is not None else ~0) == value
    assert (mask is None) == ("x" not in pattern)


@pytest.mark.parametrize(
    ("text", "count", "indices"),
    [
        ("0-3", 4, ["0", "1", "2", "3"]),
        ("3-6", 4, ["3", "4", "5", "6"]),
        ("A-D", 4, ["A", "B", "C", "D"]),
        ("A,B,C", 3, ["A", "B", "C"]),
        ("1, 2 ,5", 3, ["1", "2", "5"]),
        ("[0-2]", 3, ["0", "1", "2"]),
        ("0-1,4,6-7", 5, ["0", "1", "4", "6", "7"]),
        ("RX,TX", 2, ["RX", "TX"]),
        ("0-3", 3, None),
        ("A,B", 3, None),
        ("A,,B", 3, None),
        ("0-999999999", 4, None),
        ("", 1, None),
    ],
)
def test_dim_index(text: str, count: int, indices: list[str] | None) -> None:
    assert numbers.dim_indices(text, count) == indices


@given(st.text(max_size=20), st.integers(1, 50))
def test_any_dim_index_names_all_elements_or_none(text: str, count: int) -> None:
    indices = numbers.dim_indices(text, count)
    assert indices is None or len(indices) == count


@pytest.mark.parametrize(
    ("text", "bits"),
    [("[7:4]", (7, 4)), (" [ 31 : 0 ] ", (31, 0)), ("3:0", (3, 0)), ("[0x1F:0x10]", (31, 16))],
)
def test_bit_ranges(text: str, bits: tuple[int, int]) -> None:
    assert numbers.bit_range(text) == bits
