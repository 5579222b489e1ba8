"""Adding the core peripherals of the Cortex-M to devices."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from datasheet_lsp.model import Cpu, Device, Lookup, Peripheral, Register, RegisterBlock
from datasheet_lsp.svd import load_svd
from datasheet_lsp.svd.cores import CORE_VERSION, add_core, core_file
from tests.support import shared

M0, M0P, M3, M4, M7, M23, M33 = (
    f"cortex-m{name}.svd" for name in ("0", "0plus", "3", "4", "7", "23", "33")
)
V6 = (M0, M0P)


def one(lookup: Lookup, path: str) -> Register:
    found = lookup.find(path)
    assert len(found) == 1, path
    assert found[0].register is not None
    return found[0].register


# Processor names ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cpu", "file"),
    [
        ("CM0", M0),
        ("CM0PLUS", M0P),
        ("CM0+", M0P),
        ("CM0P", M0P),
        ("CM1", M0),
        ("CM3", M3),
        ("SC300", M3),
        ("SC000", M0P),
        ("CM4", M4),
        ("CM4F", M4),
        ("CM7", M7),
        ("CM23", M23),
        ("CM33", M33),
        ("CM35P", M33),
        ("Cortex-M4", M4),
        ("cortex-m7", M7),
        ("ARM Cortex-M0+", M0P),
        ("Cortex-M0 plus", M0P),
        ("Cortex-M0", M0),
        ("Cortex-M33F", M33),
        ("other", None),
        ("", None),
        ("CA9", None),
        ("CR5", None),
        ("RV32IMC", None),
        ("602", None),
        ("CM10", None),
        ("CM300", None),
    ],
)
def test_core_file_of_a_processor_name(cpu: str, file: str | None) -> None:
    assert core_file(cpu) == file


# Adding to a device ---------------------------------------------------------------------


def register(path: str, offset: int, size: int = 32) -> Register:
    return Register(path, path, "", offset, size, "read-write", None, None, (), 1)


def peripheral(name: str, base: int, *registers: Register) -> Peripheral:
    return Peripheral(name, name, "", base, RegisterBlock(registers), 1)


def device(cpu: Cpu | None, *peripherals: Peripheral, prefix: str = "") -> Device:
    return Device("D", "", peripherals, cpu=cpu, header_definitions_prefix=prefix)


UART = peripheral("UART0", 0x40001000, register("DR", 0))


def added(result: Device) -> dict[str, Peripheral]:
    return {p.name: p for p in result.peripherals if p.source}


def test_version_is_a_number() -> None:
    assert isinstance(CORE_VERSION, int) and CORE_VERSION >= 1


def test_core_peripherals_come_after_the_vendors_and_name_their_file() -> None:
    given = device(Cpu("CM4"), UART)
    result = add_core(given)
    assert result.peripherals[0] is UART
    assert set(added(result)) == {
        "SysTick", "NVIC", "SCB", "SCnSCB", "MPU", "FPU", "DWT", "ITM", "TPI", "TPIU",
        "CoreDebug", "DCB",
    }  # fmt: skip
    assert {p.source for p in result.peripherals[1:]} == {"cortex-m4.svd"}
    assert given.peripherals == (UART,)


def test_registers_of_two_devices_are_the_same_objects() -> None:
    first, second = add_core(device(Cpu("CM4"))), add_core(device(Cpu("CM4"), UART))
    assert added(first)["NVIC"].block is added(second)["NVIC"].block


def test_second_name_shares_its_registers() -> None:
    found = added(add_core(device(Cpu("CM33"))))
    assert found["DCB"].block is found["CoreDebug"].block
    assert found["SCB_NS"].block is found["SCB"].block
    assert found["DCB"].alternate_peripheral == "CoreDebug"


@pytest.mark.parametrize("cpu", [None, Cpu("other"), Cpu("CA9"), Cpu("RV32IMC")])
def test_other_processors_stay_as_they_are(cpu: Cpu | None) -> None:
    given = device(cpu, UART)
    assert add_core(given) is given


@pytest.mark.parametrize("name", ["ECLIC", "CLIC", "PLIC", "CLINT0", "PFIC"])
def test_risc_v_chip_whose_file_says_cortex_stays_as_it_is(name: str) -> None:
    given = device(Cpu("CM3"), peripheral(name, 0xD2000000, register("CFG", 0)))
    assert add_core(given) is given


def test_adding_twice_changes_nothing() -> None:
    once = add_core(device(Cpu("CM7"), UART))
    assert add_core(once) is once


@pytest.mark.parametrize(
    ("cpu", "absent", "present"),
    [
        (Cpu("CM4", mpu_present=False), "MPU", "FPU"),
        (Cpu("CM4", fpu_present=False), "FPU", "MPU"),
        (Cpu("CM4", vendor_systick_config=True), "SysTick", "SCB"),
        (Cpu("CM33", mpu_present=False), "MPU_NS", "FPU_NS"),
        (Cpu("CM33", vendor_systick_config=True), "SysTick_NS", "SCB_NS"),
        (Cpu("CM0"), "MPU", "NVIC"),
        (Cpu("CM3"), "FPU", "MPU"),
    ],
)
def test_what_the_cpu_element_excludes_is_not_added(cpu: Cpu, absent: str, present: str) -> None:
    found = added(add_core(device(cpu)))
    assert absent not in found
    assert present in found


@pytest.mark.parametrize("flag", [None, True])
def test_optional_units_are_added_unless_excluded(flag: bool | None) -> None:
    cpu = Cpu("CM4", mpu_present=flag, fpu_present=flag, vendor_systick_config=False)
    assert {"MPU", "FPU", "SysTick"} <= set(added(add_core(device(cpu))))


def test_unit_the_file_itself_describes_counts_as_present() -> None:
    # Many files say mpuPresent false as a matter of form and then have the unit.
    unit = peripheral("MPU", 0xE000ED90, register("MPU_TYPER", 0), register("MPU_CTRL", 4))
    found = add_core(device(Cpu("CM4", mpu_present=False), unit))
    assert [at.address for at in Lookup(found).find("MPU.RASR")] == [0xE000EDA0]


def test_vtor_is_left_out_where_the_chip_has_none() -> None:
    for name in ("CM0PLUS", "CM23"):
        without = Lookup(add_core(device(Cpu(name, vtor_present=False))))
        assert without.find("SCB.VTOR") == []
        assert without.find("SCB.AIRCR") != []
        assert Lookup(add_core(device(Cpu(name)))).find("SCB.VTOR") != []
    # There it is no option.
    assert Lookup(add_core(device(Cpu("CM4", vtor_present=False)))).find("SCB.VTOR") != []


def test_vendors_other_name_does_not_stand_in_for_the_one_of_cmsis() -> None:
    stk = peripheral("STK", 0xE000E010, register("CTRL", 0), register("LOAD_", 4))
    result = add_core(device(Cpu("CM4"), stk))
    lookup = Lookup(result)
    assert result.peripherals[0] is stk
    assert [at.address for at in lookup.find("SysTick.LOAD")] == [0xE000E014]
    assert [at.peripheral.name for at in lookup.at(0xE000E010)] == ["STK", "SysTick"]


def test_vendors_nvic_is_completed_beside_it() -> None:
    nvic = peripheral(
        "NVIC",
        0xE000E100,
        *(register(f"ISER{n}", 4 * n) for n in range(3)),
        *(register(f"IPR{n}", 0x300 + 4 * n) for n in range(21)),
    )
    result = add_core(device(Cpu("CM4"), nvic))
    lookup = Lookup(result)
    assert result.peripherals[0] is nvic
    assert [at.address for at in lookup.find("NVIC.ISER[0]")] == [0xE000E100]
    assert [at.address for at in lookup.find("NVIC.IP[38]")] == [0xE000E426]
    assert [at.address for at in lookup.find("NVIC.IPR5")] == [0xE000E414]
    assert [at.register.path for at in lookup.at(0xE000E100) if at.register] == [
        "ISER0",
        "ISER[0]",
    ]


def test_register_that_the_vendor_has_is_the_vendors_alone() -> None:
    scb = peripheral(
        "SCB", 0xE000ED00, register("CPUID", 0), register("ICSR", 4), register("SHCRS", 0x24)
    )
    lookup = Lookup(add_core(device(Cpu("CM4"), scb)))
    for path in ("SCB.CPUID", "SCB.ICSR"):
        (found,) = lookup.find(path)
        assert found.peripheral is scb
    (found,) = lookup.find("SCB.CFSR")
    assert found.peripheral.source == "cortex-m4.svd"
    (found,) = lookup.find("SCB.SHCSR")
    assert found.address == 0xE000ED24
    assert len(lookup.peripherals("SCB")) == 2


def test_vendors_base_may_differ() -> None:
    fpu = peripheral("FPU", 0xE000EF34, register("FPCCR", 0), register("FPCAR", 4))
    lookup = Lookup(add_core(device(Cpu("CM4"), fpu)))
    assert [at.address for at in lookup.find("FPU.FPCCR")] == [0xE000EF34]
    assert [at.address for at in lookup.find("FPU.FPDSCR")] == [0xE000EF3C]


def test_complete_peripheral_of_the_vendor_is_not_repeated() -> None:
    whole = added(add_core(device(Cpu("CM4"))))["SysTick"]
    vendors = replace(whole, source="")
    result = add_core(device(Cpu("CM4"), vendors))
    assert [p for p in result.peripherals if p.name == "SysTick"] == [vendors]
    other = replace(whole, source="", name="SYSTICK")
    result = add_core(device(Cpu("CM4"), other))
    assert [p for p in result.peripherals if p.name.upper() == "SYSTICK"] == [other]


def test_partial_peripheral_in_another_spelling_leaves_the_name_of_cmsis_whole() -> None:
    other = peripheral("SYSTICK", 0xE000E010, register("CTRL", 0))
    lookup = Lookup(add_core(device(Cpu("CM4"), other)))
    assert [p.name for p in lookup.peripherals("SysTick")] == ["SysTick"]
    assert [at.address for at in lookup.find("SysTick.CTRL")] == [0xE000E010] * 1


def test_empty_peripheral_of_the_vendor_gets_the_registers() -> None:
    empty = peripheral("NVIC", 0xE000E100)
    lookup = Lookup(add_core(device(Cpu("CM0"), empty)))
    assert [at.address for at in lookup.find("NVIC.ISER[0]")] == [0xE000E100]


def test_unlike_peripheral_of_the_same_name_keeps_what_is_its_own() -> None:
    # Kinetis has a memory protection unit of its own that some files call MPU.
    own = peripheral("MPU", 0x4000D000, register("CESR", 0), register("CTRL", 4))
    lookup = Lookup(add_core(device(Cpu("CM4"), own)))
    assert [at.address for at in lookup.find("MPU.CESR")] == [0x4000D000]
    assert [at.address for at in lookup.find("MPU.CTRL")] == [0x4000D004]
    assert [at.address for at in lookup.find("MPU.RASR")] == [0xE000EDA0]


def test_prefix_of_the_header_keeps_the_names_apart() -> None:
    # NRF_FPU is not FPU.
    own = peripheral("FPU", 0x40026000, register("FPCCR", 0))
    lookup = Lookup(add_core(device(Cpu("CM4"), own, prefix="NRF_")))
    assert [at.address for at in lookup.find("FPU.FPCCR")] == [0x40026000, 0xE000EF34]


def test_nearest_file_gives_only_what_the_cores_share() -> None:
    near = Lookup(add_core(device(Cpu("CM35P"))))
    assert one(near, "SCB.CPUID").reset_value is None
    assert one(near, "SCnSCB.ACTLR").fields == ()
    assert one(near, "SCB.AIRCR").reset_value == 0xFA050000
    exact = Lookup(add_core(device(Cpu("CM33"))))
    assert one(exact, "SCB.CPUID").reset_value == 0x410FD210
    assert one(exact, "SCnSCB.ACTLR").fields != ()


def test_clusters_follow_their_registers() -> None:
    ports = peripheral("ITM", 0xE0000000, *(register(f"PORT[{n}].u32", 4 * n) for n in range(32)))
    itm = added(add_core(device(Cpu("CM4"), ports)))["ITM"]
    assert [c.path for c in itm.clusters][:2] == ["PORT[0]", "PORT[1]"]
    assert "PORT[0].u32" not in {r.path for r in itm.registers}
    assert "PORT[0].u8" in {r.path for r in itm.registers}


# Real files -----------------------------------------------------------------------------

RISC_V = {"BL602_soc602_reg.svd", "CH32V003xx.svd", "GD32VF103.svd", "esp32c3.svd", "k210.svd"}


def test_real_files_keep_everything_and_gain_the_core() -> None:
    changed = 0
    for path in sorted(shared("corpus/svd").glob("*.svd")):
        before = load_svd(path)
        after = add_core(before)
        assert after.peripherals[: len(before.peripherals)] == before.peripherals, path.name
        assert all(p.source for p in after.peripherals[len(before.peripherals) :])
        if path.name in RISC_V or before.cpu is None:
            assert after is before, path.name
            continue
        changed += 1
        lookup = Lookup(after)
        for name, address in (
            ("SysTick.CTRL", 0xE000E010),
            ("SysTick.VAL", 0xE000E018),
            ("NVIC.ISER[0]", 0xE000E100),
            ("NVIC.ICPR[0]", 0xE000E280),
            ("NVIC.IP[1]", 0xE000E404 if core_file(before.cpu.name) in V6 else 0xE000E401),
            ("SCB.CPUID", 0xE000ED00),
            ("SCB.ICSR", 0xE000ED04),
            ("SCB.AIRCR", 0xE000ED0C),
            ("SCB.SCR", 0xE000ED10),
        ):
            assert [at.address for at in lookup.find(name)] == [address], (path.name, name)
    assert changed >= 20


def test_stm32f407_has_the_cores_names_beside_the_vendors() -> None:
    lookup = Lookup(add_core(load_svd(shared("corpus/svd/STM32F407.svd"))))
    for name, address in (
        ("STK.CTRL", 0xE000E010),
        ("SysTick.LOAD", 0xE000E014),
        ("NVIC.ISER1", 0xE000E104),
        ("NVIC.ISER[1]", 0xE000E104),
        ("MPU.RNR", 0xE000ED98),
        ("FPU.FPCCR", 0xE000EF34),
        ("SCB.CPACR", 0xE000ED88),
        ("DWT.CYCCNT", 0xE0001004),
        ("CoreDebug.DEMCR", 0xE000EDFC),
        ("ITM.PORT[0].u8", 0xE0000000),
    ):
        assert [at.address for at in lookup.find(name)] == [address], name
