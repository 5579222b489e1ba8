"""A device comes back from its bytes as it was, and damaged bytes give nothing."""

from __future__ import annotations

import zlib
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from datasheet_lsp.index import codec
from datasheet_lsp.index.codec import decode_device, encode_device
from datasheet_lsp.model import Device, EnumeratedValues, Peripheral, Register, RegisterBlock
from datasheet_lsp.model import device as model
from datasheet_lsp.svd import load_svd
from tests.index.make import any_devices, small_device
from tests.support import shared


def decoded(device: Device) -> Device:
    found = decode_device(encode_device(device))
    assert found is not None
    return found


def with_body(body: object) -> bytes:
    """A blob whose header and checksum are right."""
    packed = body if isinstance(body, bytes) else msgspec.msgpack.encode(body)
    return codec._HEADER.pack(codec._MAGIC, codec.LAYOUT, zlib.crc32(packed)) + packed


def body_of(device: Device) -> list:
    return msgspec.msgpack.decode(encode_device(device)[codec._HEADER.size :])


def test_a_device_comes_back_equal() -> None:
    device = small_device()
    assert decoded(device) == device


def test_derived_peripherals_share_their_block_again() -> None:
    first, second = decoded(small_device()).peripherals
    assert first.block is second.block


def test_the_elements_of_an_array_share_their_fields_again() -> None:
    registers = decoded(small_device()).peripherals[0].registers
    assert registers[0].fields is registers[1].fields
    assert registers[0].fields[1].name == "PAR"


def test_blocks_that_differ_are_not_shared() -> None:
    one = small_device()
    block = RegisterBlock(one.peripherals[0].registers[:2])
    other = Peripheral("UART2", "UART2", "", 0x4000_2000, block, 50)
    device = msgspec.structs.replace(one, peripherals=(*one.peripherals, other))
    found = decoded(device)
    assert found == device
    assert found.peripherals[2].block is not found.peripherals[0].block
    assert found.peripherals[2].registers[0] is found.peripherals[0].registers[0]


def test_a_number_wider_than_64_bits_is_kept() -> None:
    wide = Register("W", "W", "", 0, 128, "read-write", 2**127 + 3, 2**128 - 1, (), 1)
    device = Device("D", "", (Peripheral("P", "P", "", 0, RegisterBlock((wide,)), 1),))
    register = decoded(device).peripherals[0].registers[0]
    assert register.reset_value == 0x8000_0000_0000_0000_0000_0000_0000_0003
    assert register.reset_mask == 0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF


def test_an_empty_device_comes_back() -> None:
    assert decoded(Device("", "", ())) == Device("", "", ())


@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
@given(any_devices)
def test_any_device_comes_back_equal(device: Device) -> None:
    assert decoded(device) == device


def test_real_devices_come_back_equal_and_share_as_much() -> None:
    files = sorted(shared("corpus/svd").glob("*.svd"))
    assert files
    for path in files:
        device = load_svd(path)
        found = decoded(device)
        assert found == device, path.name
        before, now = distinct(device), distinct(found)
        assert all(fewer <= most for fewer, most in zip(now, before, strict=True)), path.name


def distinct(device: Device) -> tuple[int, int, int]:
    """How many blocks, tuples of fields and tuples of enumerated values are in memory."""
    return (
        len({id(p.block) for p in device.peripherals}),
        len({id(r.fields) for _, r in device.walk()}),
        len({id(f.enumerated_values) for _, r in device.walk() for f in r.fields}),
    )


def test_every_kind_of_the_model_has_a_table() -> None:
    kinds = {
        kind
        for kind in vars(model).values()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    }
    assert kinds == set(codec._KINDS)


def test_an_attribute_that_cannot_be_stored_is_noticed() -> None:
    with pytest.raises(TypeError, match="no way to store ratio: float"):
        codec._Column("ratio", "float")


def test_a_blob_of_another_model_is_not_read() -> None:
    blob = bytearray(encode_device(small_device()))
    blob[4] ^= 1
    assert decode_device(bytes(blob)) is None


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_a_blob_cut_short_or_changed_is_not_read(data: st.DataObject) -> None:
    blob = encode_device(small_device())
    assert decode_device(blob[: data.draw(st.integers(0, len(blob) - 1))]) is None
    changed = bytearray(blob)
    changed[data.draw(st.integers(0, len(blob) - 1))] ^= data.draw(st.integers(1, 255))
    assert decode_device(bytes(changed)) is None


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=200))
def test_any_body_under_a_right_checksum_raises_nothing(body: bytes) -> None:
    assert decode_device(with_body(body)) is None


@settings(deadline=None, max_examples=400)
@given(st.data())
def test_a_forged_number_anywhere_raises_nothing(data: st.DataObject) -> None:
    body = body_of(small_device())
    tables = [table for table in body[1] if table[0] and table[0][0]]
    columns, groups = data.draw(st.sampled_from(tables))
    column = data.draw(st.sampled_from(columns))
    forged = data.draw(st.none() | st.integers(-5, 2**64 - 1) | st.booleans() | st.text(max_size=2))
    column[data.draw(st.integers(0, len(column) - 1))] = forged
    found = decode_device(with_body(body))
    assert found is None or isinstance(found, Device)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda body: body[1][4][0][0].append(0),  # one column longer than the others
        lambda body: body[1][13][0][0].clear(),  # no device
        lambda body: body[2].append([6, 3, 999, "0x1"]),  # a wide number beyond the rows
        lambda body: body[2].append([6, 3, -1, "0x1"]),
        lambda body: body[2].append([6, 0, 0, "0x1"]),  # ... in a column of texts
        lambda body: body[2].append([6, 3, 0, "f" * 100_000]),
        lambda body: body[2].append([6, 3, 0, "no number"]),
        lambda body: body[1][6][1].append([10_000]),  # a group with a row that is not there
        lambda body: body[1][6][1].append([-1]),
    ],
)
def test_a_body_that_contradicts_itself_is_not_read(spoil) -> None:
    body = body_of(small_device())
    spoil(body)
    assert decode_device(with_body(body)) is None


def test_a_word_the_model_does_not_know_is_not_read() -> None:
    body = body_of(small_device())
    body[0][body[0].index("read-writeOnce")] = "sometimes"
    assert decode_device(with_body(body)) is None


def test_a_device_that_multiplies_itself_is_not_read() -> None:
    registers = tuple(
        Register(f"R{i}", f"R{i}", "", i, 8, "read-write", 0, 0, (), 1) for i in range(5_000)
    )
    block = RegisterBlock(registers)
    peripherals = tuple(Peripheral(f"P{i}", f"P{i}", "", i, block, 1) for i in range(1_000))
    blob = encode_device(Device("D", "", peripherals))
    assert len(blob) < 300_000
    assert decode_device(blob) is None


def test_huge_lengths_in_the_header_cost_no_memory() -> None:
    assert decode_device(with_body(b"\x93\xdd\xff\xff\xff\xff\xa1a")) is None
    assert decode_device(with_body(b"\x91" * 5_000)) is None


def test_the_collector_is_as_it_was_before() -> None:
    import gc

    blob = encode_device(small_device())
    assert gc.isenabled()
    decode_device(blob)
    assert gc.isenabled()
    gc.disable()
    try:
        decode_device(blob)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_lone_surrogate_is_refused_as_a_value_error() -> None:
    with pytest.raises(ValueError):
        encode_device(Device("\ud800", "", ()))


def test_sets_that_are_equal_become_one() -> None:
    values = EnumeratedValues("E", "read", (), 3)
    again = EnumeratedValues("E", "read", (), 3)
    fields = tuple(
        model.Field(name, "", 0, 0, "read-only", 1, enumerated_values=(one,))
        for name, one in (("A", values), ("B", again))
    )
    register = Register("R", "R", "", 0, 32, "read-only", None, None, fields, 1)
    device = Device("D", "", (Peripheral("P", "P", "", 0, RegisterBlock((register,)), 1),))
    a, b = decoded(device).peripherals[0].registers[0].fields
    assert a.enumerated_values is b.enumerated_values


def test_reading_a_blob_needs_no_xml(tmp_path: Path) -> None:
    import subprocess
    import sys

    (tmp_path / "blob").write_bytes(encode_device(small_device()))
    program = (
        "import sys\n"
        "from datasheet_lsp.index.codec import decode_device\n"
        "device = decode_device(open(sys.argv[1], 'rb').read())\n"
        "print(device.name, 'lxml' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "blob")], capture_output=True, text=True
    )
    assert done.stdout.split() == ["ACME1", "False"], done.stderr
