"""Small SVD files of the kinds that public parsers got wrong, each with its right answers.

``cases/expected.json`` names for each the public bug report and what must come out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from datasheet_lsp.model import Device, Field, Location, Lookup, Peripheral, Register
from datasheet_lsp.svd import SvdError, load_svd

CASES = Path(__file__).parent / "cases"
EXPECTED: dict[str, dict[str, Any]] = {
    name: case["expect"] for name, case in json.loads((CASES / "expected.json").read_text()).items()
}


def having(key: str) -> list[str]:
    return [name for name, expect in EXPECTED.items() if key in expect]


def load(case: str) -> Device:
    return load_svd(CASES / f"{case}.svd")


def register_at(device: Device, path: str) -> tuple[Peripheral, Register]:
    """The one register called ``path``, by exact spelling."""
    name, _, rest = path.partition(".")
    found = [(p, r) for p, r in device.walk() if p.name == name and r.path == rest]
    assert len(found) == 1, f"{path}: {[f'{p.name}.{r.path}' for p, r in device.walk()]}"
    return found[0]


def field_at(device: Device, path: str) -> Field:
    parent, _, name = path.rpartition(".")
    _, register = register_at(device, parent)
    (field,) = (f for f in register.fields if f.name == name)
    return field


def test_all_cases_are_here() -> None:
    files = {path.stem for path in CASES.glob("*.svd")}
    assert files == set(EXPECTED)
    assert len(files) == 26


@pytest.mark.parametrize("case", having("registers"))
def test_registers(case: str) -> None:
    device = load(case)
    for path, want in EXPECTED[case]["registers"].items():
        if isinstance(want, str):
            want = {"address": want}
        peripheral, register = register_at(device, path)
        if "address" in want:
            assert peripheral.base_address + register.offset == int(want["address"], 16), path
        if "size" in want:
            assert register.size == want["size"], path
        if "access" in want:
            assert register.access == want["access"], path
        if "reset" in want:
            assert register.reset_value == int(want["reset"], 16), path
        if "mask" in want:
            assert register.reset_mask == int(want["mask"], 16), path
        fields = {field.name: [field.msb, field.lsb] for field in register.fields}
        for name, bits in want.get("fields", {}).items():
            assert fields[name] == bits, f"{path}.{name}"
        if want.get("fields") == {}:
            assert fields == {}, path


@pytest.mark.parametrize("case", having("count_registers"))
def test_count(case: str) -> None:
    assert len(list(load(case).walk())) == EXPECTED[case]["count_registers"]


@pytest.mark.parametrize("case", having("absent"))
def test_absent(case: str) -> None:
    there = {f"{p.name}.{r.path}" for p, r in load(case).walk()}
    assert there.isdisjoint(EXPECTED[case]["absent"])


@pytest.mark.parametrize("case", having("peripherals"))
def test_peripherals(case: str) -> None:
    got = {p.name: p.base_address for p in load(case).peripherals}
    for name, address in EXPECTED[case]["peripherals"].items():
        assert got[name] == int(address, 16)


@pytest.mark.parametrize("case", having("interrupts"))
def test_interrupts(case: str) -> None:
    device = load(case)
    for name, want in EXPECTED[case]["interrupts"].items():
        peripheral = device.peripheral(name)
        assert peripheral is not None
        assert [[i.name, i.value] for i in peripheral.interrupts] == want


def test_a_derived_peripheral_without_an_interrupt_has_none() -> None:
    peripheral = load("30_derived_interrupts").peripheral("TIM2")
    assert peripheral is not None
    assert peripheral.interrupts == ()


@pytest.mark.parametrize("case", having("enums"))
def test_enumerated_values(case: str) -> None:
    device = load(case)
    for path, sets in EXPECTED[case]["enums"].items():
        field = field_at(device, path)
        assert len(field.enumerated_values) == len(sets), path
        for got, want in zip(field.enumerated_values, sets, strict=True):
            if "usage" in want:
                assert got.usage == want["usage"]
            values = {str(v.value): v.name for v in got.values if v.value is not None}
            assert values == want.get("values", values), path
            if "default" in want:
                assert [v.name for v in got.values if v.is_default] == [want["default"]]
            for value, name in want.get("match", {}).items():
                found = got.find(int(value))
                assert found is not None and found.name == name, f"{path} = {value}"
            for value in want.get("no_match", ()):
                assert got.find(int(value)) is None, f"{path} = {value}"


@pytest.mark.parametrize("case", having("field_access"))
def test_field_access(case: str) -> None:
    device = load(case)
    for path, access in EXPECTED[case]["field_access"].items():
        assert field_at(device, path).access == access


@pytest.mark.parametrize("case", having("diagnostics_at_least"))
def test_diagnostics(case: str) -> None:
    diagnostics = load(case).diagnostics
    assert len(diagnostics) >= EXPECTED[case]["diagnostics_at_least"]
    lines = (CASES / f"{case}.svd").read_text().count("\n") + 1
    assert all(0 < diagnostic.line <= lines for diagnostic in diagnostics)


@pytest.mark.parametrize("case", having("side_effects"))
def test_side_effects(case: str) -> None:
    device = load(case)
    for path, want in EXPECTED[case]["side_effects"].items():
        (location,) = Lookup(device).find(path)
        thing = location.field or location.register
        assert thing is not None
        assert thing.read_action == want.get("readAction")
        assert thing.modified_write_values == want.get("modifiedWriteValues")


@pytest.mark.parametrize("case", having("at_address"))
def test_names_at_an_address(case: str) -> None:
    lookup = Lookup(load(case))
    for address, names in EXPECTED[case]["at_address"].items():
        found: list[Location] = lookup.at(int(address, 16))
        assert [at.register.name for at in found if at.register] == names


def test_elements_of_an_array_without_percent_s_have_names_of_their_own() -> None:
    paths = [register.path for _, register in load("31_dim_without_percent").walk()]
    assert paths == ["DUTYn[0].WR", "DUTYn[1].WR", "DUTYn[2].WR", "DUTYn[3].WR"]


def test_a_field_without_a_usable_position_keeps_its_name() -> None:
    _, register = register_at(load("34_bad_bitrange"), "TMU.SWITCH1")
    assert [field.name for field in register.unplaced_fields] == ["source"]
    assert [field.name for field in register.fields] == ["dest"]


def test_an_access_outside_the_schema_keeps_its_text() -> None:
    field = field_at(load("27_odd_access"), "RTC.PSCH.TS")
    assert (field.access, field.access_text) == ("read-write", "read/clear")
    assert field.modified_write_values == "clear"


@pytest.mark.parametrize("case", having("device"))
def test_device_values(case: str) -> None:
    device = load(case)
    assert device.address_unit_bits == EXPECTED[case]["device"]["addressUnitBits"]


@pytest.mark.parametrize("case", having("error_contains"))
def test_refused_in_one_sentence(case: str) -> None:
    with pytest.raises(SvdError) as refused:
        load(case)
    text = str(refused.value)
    assert all(part in text for part in EXPECTED[case]["error_contains"])
    assert "<html>" in text and "\n" not in text and text.endswith(".")


@pytest.mark.parametrize("case", having("struct_type"))
def test_struct_types(case: str) -> None:
    device = load(case)
    for path, want in EXPECTED[case]["struct_type"].items():
        name, _, cluster_template = path.partition(".")
        peripheral = device.peripheral(name)
        assert peripheral is not None
        clusters = [c for c in peripheral.clusters if c.template == cluster_template]
        assert device.struct_type(peripheral, clusters[0] if clusters else None) == want


@pytest.mark.parametrize("case", having("c_access"))
def test_names_in_c(case: str) -> None:
    device = load(case)
    prefix = device.header_definitions_prefix
    by_c_name = {}
    for peripheral, register in device.walk():
        address = peripheral.base_address + register.offset
        c_name = f"{prefix}{peripheral.name}->{peripheral.c_path(register)}"
        by_c_name[c_name] = by_c_name[f"{peripheral.name}->{register.path}"] = address
    for expression, address in EXPECTED[case]["c_access"].items():
        assert by_c_name[expression] == int(address, 16)
