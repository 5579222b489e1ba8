"""How a manual and an SVD file compare: documents and devices written for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from datasheet_lsp.cli.main import main
from datasheet_lsp.evaluation.coverage import coverage
from datasheet_lsp.model.coverage import Conflict, Coverage, FieldCoverage, RegisterCoverage
from datasheet_lsp.model.device import Device
from datasheet_lsp.model.document import (
    Block,
    Document,
    FieldText,
    Place,
    RegisterText,
    Section,
    Table,
)
from datasheet_lsp.render.coverage import conflict_text, coverage_text
from datasheet_lsp.render.style import Plain
from datasheet_lsp.svd import parse_svd
from tests.support import ROOT, shared

BOX = (50.0, 100.0, 500.0, 120.0)


def svd(peripherals: str) -> Device:
    """A device with these peripherals; the text begins at line 1."""
    return parse_svd(
        f"<device><name>ACME1</name><size>32</size><peripherals>{peripherals}"
        "</peripherals></device>".encode(),
        "acme1.svd",
    )


def register(name: str, offset: int, fields: str = "", more: str = "") -> str:
    return (
        f"<register><name>{name}</name><addressOffset>{offset:#x}</addressOffset>{more}"
        + (f"<fields>{fields}</fields>" if fields else "")
        + "</register>"
    )


def field(name: str, msb: int, lsb: int) -> str:
    return f"<field><name>{name}</name><bitRange>[{msb}:{lsb}]</bitRange></field>"


def peripheral(name: str, base: int, registers: str, derived: str = "") -> str:
    start = f' derivedFrom="{derived}"' if derived else ""
    inside = f"<registers>{registers}</registers>" if registers else ""
    return (
        f"<peripheral{start}><name>{name}</name><baseAddress>{base:#x}</baseAddress>"
        f"{inside}</peripheral>"
    )


def row(name: str, msb: int, lsb: int, reset: int | None = None, access: str = "rw") -> FieldText:
    return FieldText(name, msb, lsb, access, reset, "", 5)


def text(
    name: str,
    matches: Sequence[str],
    fields: Sequence[FieldText] = (),
    *,
    offset: int | None = None,
    addresses: Sequence[int] = (),
    reset: int | None = None,
    tables: Sequence[int] = (),
    title: str = "",
    top: float = 100.0,
) -> RegisterText:
    return RegisterText(
        name,
        title,
        0,
        Place(5, (50.0, top, 500.0, top + 20)),
        offset,
        tuple(addresses),
        reset,
        tuple(fields),
        tuple(tables),
        tuple(matches),
    )


def manual(
    *registers: RegisterText,
    captions: Sequence[str] = (),
    lines: Sequence[str] = (),
    tables: Sequence[Table] = (),
    about: str = "",
) -> Document:
    made = [
        Table(i, 0, "", caption, ("Bit",), (("0",),), (5,), (Place(5, BOX),), "fields")
        for i, caption in enumerate(captions)
    ]
    return Document(
        format="pdf",
        title="ACME1 manual",
        revision="1",
        pages=9,
        labels=(),
        sections=(Section(0, None, 1, "1", "Chapter", 5, 0.0, 9, "outline", about),),
        blocks=tuple(
            Block("text", 0, (Place(5, (50.0, 130.0 + 20 * i, 500.0, 145.0 + 20 * i)),), line)
            for i, line in enumerate(lines)
        ),
        tables=(*made, *tables),
        figures=(),
        registers=registers,
    )


def conflicts(document: Document, device: Device) -> list[tuple[str, str, object, object]]:
    return [(c.kind, c.path, c.printed, c.svd) for c in coverage(document, device).conflicts]


USARTS = svd(
    peripheral("USART0", 0x4006_4000, register("BRG", 0x20, field("BRGVAL", 15, 0)))
    + peripheral("USART1", 0x4006_8000, "", "USART0")
    + "\n\n"
    + peripheral("USART2", 0x4006_C000, "", "USART0")
)
BRG = ["USART0.BRG", "USART1.BRG", "USART2.BRG"]
CAPTION = (
    "Baud rate register (BRG, address 0x4006 4020 (USART0), 0x4006 8020 (USART1), {} (USART2))"
)


def test_an_address_printed_for_the_wrong_instance_is_found() -> None:
    document = manual(
        text("BRG", BRG, [row("BRGVAL", 15, 0)], addresses=[0x4006_4020, 0x4006_8020], tables=[0]),
        captions=[CAPTION.format("0x4006 8020")],
    )
    (found,) = coverage(document, USARTS).conflicts
    assert found == Conflict(
        "address", "USART2.BRG", 5, "BRG", 0x4006_8020, 0x4006_C020, found.line
    )
    assert found.line == 1
    assert conflict_text(found, "acme1.svd") == (
        "p. 5: USART2.BRG: address 0x4006 8020, acme1.svd line 1 has 0x4006 C020"
    )


def test_it_is_found_when_the_addresses_alone_have_matched() -> None:
    document = manual(
        text(
            "BRG",
            ["USART0.BRG", "USART1.BRG"],
            addresses=[0x4006_4020, 0x4006_8020],
            title=CAPTION.format("0x4006 8020"),
        )
    )
    assert conflicts(document, USARTS) == [("address", "USART2.BRG", 0x4006_8020, 0x4006_C020)]


def test_the_right_addresses_of_three_instances_are_no_conflict() -> None:
    document = manual(
        text("BRG", BRG, addresses=[0x4006_4020, 0x4006_8020, 0x4006_C020], tables=[0]),
        captions=[CAPTION.format("0x4006 C020")],
    )
    assert conflicts(document, USARTS) == []


def test_the_base_address_in_the_caption_of_a_list_is_no_address_of_a_register() -> None:
    document = manual(
        text("BRG", BRG, offset=0x20, tables=[0]),
        captions=["Register overview (base address 0x4006 4000 (USART0), 0x4006 8000 (USART1))"],
    )
    assert conflicts(document, USARTS) == []


ARRAY = svd(
    peripheral(
        "PMU",
        0x4002_0000,
        register("GPREG[%s]", 4, more="<dim>4</dim><dimIncrement>4</dimIncrement>"),
    )
)


def test_first_and_last_address_of_an_array_are_no_conflict() -> None:
    document = manual(text("GPREG[0:3]", ["PMU.GPREG[%s]"], addresses=[0x4002_0004, 0x4002_0010]))
    assert conflicts(document, ARRAY) == []
    (p,) = coverage(document, ARRAY).peripherals
    assert (p.count.registers, p.count.registers_found) == (1, 1)


def test_a_wrong_last_address_of_an_array_is_that_of_its_last_element() -> None:
    document = manual(text("GPREG[0:3]", ["PMU.GPREG[%s]"], addresses=[0x4002_0004, 0x4002_0014]))
    assert conflicts(document, ARRAY) == [("address", "PMU.GPREG[3]", 0x4002_0014, 0x4002_0010)]


PORTS = svd(
    peripheral(
        "GPIOA",
        0x4800_0000,
        register("OSPEEDR", 8, more="<resetValue>0x0C000000</resetValue>"),
    )
    + peripheral("GPIOB", 0x4800_0400, "", "GPIOA")
    + peripheral("GPIOC", 0x4800_0800, "", "GPIOA")
)
OSPEEDR = ["GPIOA.OSPEEDR", "GPIOB.OSPEEDR", "GPIOC.OSPEEDR"]


def test_reset_values_printed_for_instances_count_for_these() -> None:
    document = manual(
        text("GPIOx_OSPEEDR", OSPEEDR, offset=8, reset=0),
        lines=[
            "Reset value: 0x0C00 0000 (for port A)",
            "Reset value: 0x0000 00C0 (for port B)",
            "Reset value: 0x0000 0000 (for other ports)",
        ],
    )
    assert conflicts(document, PORTS) == [
        ("reset", "GPIOB.OSPEEDR", 0xC0, 0x0C00_0000),
        ("reset", "GPIOC.OSPEEDR", 0, 0x0C00_0000),
    ]


def test_a_reset_value_that_is_right_for_one_instance_is_no_conflict() -> None:
    device = svd(
        peripheral("TIM2", 0x100, register("CR", 0, more="<resetValue>1</resetValue>"))
        + peripheral("TIM3", 0x200, register("CR", 0, more="<resetValue>0</resetValue>"))
    )
    assert conflicts(manual(text("TIMx_CR", ["TIM2.CR", "TIM3.CR"], reset=1)), device) == []
    assert conflicts(manual(text("TIMx_CR", ["TIM2.CR", "TIM3.CR"], reset=2)), device) == [
        ("reset", "TIM2.CR", 2, 1)
    ]


def test_bits_the_svd_leaves_undefined_do_not_count() -> None:
    device = svd(
        peripheral(
            "ADC",
            0x100,
            register(
                "DR",
                0,
                field("OVR", 31, 31) + field("DATA", 15, 0),
                "<resetValue>0x00001234</resetValue><resetMask>0xFFFF0000</resetMask>",
            ),
        )
    )
    same = [row("OVR", 31, 31, reset=0), row("DATA", 15, 0, reset=7)]
    assert conflicts(manual(text("ADC_DR", ["ADC.DR"], same, reset=0xFFFF)), device) == []
    assert conflicts(manual(text("ADC_DR", ["ADC.DR"], reset=0x8000_0000)), device) == [
        ("reset", "ADC.DR", 0x8000_0000, 0x1234)
    ]


STATUS = svd(
    peripheral(
        "USART1",
        0x100,
        register(
            "SR",
            0,
            field("TXE", 7, 7) + field("MODE", 5, 4) + field("PE", 0, 0),
            "<resetValue>0xB0</resetValue>",
        ),
    )
)


def test_the_reset_value_of_a_field_is_checked_where_the_register_has_none() -> None:
    rows = [row("TXE", 7, 7, reset=0), row("MODE", 5, 4, reset=3), row("PE", 0, 0, reset=0)]
    assert conflicts(manual(text("SR", ["USART1.SR"], rows)), STATUS) == [
        ("reset", "USART1.SR.TXE", 0, 1)
    ]


def test_a_single_1_for_several_bits_can_mean_each_of_them() -> None:
    rows = [row("MODE", 5, 4, reset=1)]
    assert conflicts(manual(text("SR", ["USART1.SR"], rows)), STATUS) == []


def test_other_access_rights_are_no_conflict() -> None:
    rows = [row("TXE", 7, 7, access="rc_w0"), row("PE", 0, 0, access="W1C")]
    assert conflicts(manual(text("SR", ["USART1.SR"], rows)), STATUS) == []


def test_bits_that_differ_are_found_with_the_line_of_the_field() -> None:
    device = svd(
        "\n"
        + peripheral(
            "FLASH",
            0x100,
            register("ACR", 0, "\n" + field("LATENCY", 2, 0) + "\n" + field("PRFTBE", 4, 4)),
        )
    )
    found = coverage(
        manual(text("FLASH_ACR", ["FLASH.ACR"], [row("LATENCY", 3, 0), row("PRFTBE", 4, 4)])),
        device,
    )
    assert found.conflicts == (
        Conflict("bits", "FLASH.ACR.LATENCY", 5, "LATENCY", (3, 0), (2, 0), 3),
    )
    assert states(found, "ACR") == {"LATENCY": "conflict", "PRFTBE": "found"}
    assert conflict_text(found.conflicts[0]) == (
        "p. 5: FLASH.ACR.LATENCY: bits 3:0, the SVD line 3 has 2:0"
    )


def test_bits_that_are_right_for_one_of_several_instances_are_no_conflict() -> None:
    device = svd(
        peripheral("TIM2", 0x100, register("CNT", 0, field("CNT", 31, 0)))
        + peripheral("TIM3", 0x200, register("CNT", 0, field("CNT", 15, 0)))
    )
    document = manual(text("TIMx_CNT", ["TIM2.CNT", "TIM3.CNT"], [row("CNT", 31, 0)]))
    assert conflicts(document, device) == []


def test_a_field_in_two_registers_at_one_place_is_right_in_either() -> None:
    device = svd(
        peripheral(
            "TIM2",
            0x100,
            register("CCMR1_Output", 0x18, field("CC1S", 1, 0) + field("OC1M", 6, 4))
            + register(
                "CCMR1_Input",
                0x18,
                field("CC1S", 1, 0) + field("IC1F", 7, 4),
                "<alternateRegister>CCMR1_Output</alternateRegister>",
            ),
        )
    )
    rows = [row("OC1M[2:0]", 6, 4), row("CC1S[1:0]", 1, 0), row("IC1F[3:0]", 7, 4)]
    found = coverage(
        manual(text("TIMx_CCMR1", ["TIM2.CCMR1_Output", "TIM2.CCMR1_Input"], rows)), device
    )
    assert found.conflicts == ()
    assert (found.whole.fields, found.whole.fields_found) == (4, 4)


def test_offsets_from_the_base_of_a_page_or_cluster_are_right() -> None:
    device = svd(
        peripheral(
            "DMA",
            0x5000_8400,
            "<cluster><dim>2</dim><dimIncrement>0x10</dimIncrement><name>CH[%s]</name>"
            "<addressOffset>0x40</addressOffset>" + register("CTL", 8) + "</cluster>",
        )
    )
    for offset, expected in ((0x48, []), (0x08, []), (0x448, []), (0x8448, []), (0x44, [1])):
        document = manual(text("CTL", ["DMA.CH[%s].CTL"], offset=offset))
        found = conflicts(document, device)
        assert len(found) == len(expected), offset
    assert found == [("offset", "DMA.CH[0].CTL", 0x44, 0x48)]


def test_the_page_of_a_value_of_a_register_list_is_that_of_the_list() -> None:
    overview = Table(
        0,
        0,
        "1",
        "Register overview",
        ("Name", "Offset", "Reset value"),
        (("DR", "0x04", "0x00"), ("SR", "0x00", "0xC0")),
        (2, 3),
        (Place(2, BOX), Place(3, BOX)),
        "registers",
    )
    document = manual(text("USART_SR", ["USART1.SR"], reset=0xC0), tables=[overview])
    # The list writes the register without its peripheral: it is not recognised, the page stays.
    assert [c.page for c in coverage(document, STATUS).conflicts] == [5]
    document = manual(text("SR", ["USART1.SR"], reset=0xC0), tables=[overview])
    assert [c.page for c in coverage(document, STATUS).conflicts] == [3]
    document = manual(
        text("SR", ["USART1.SR"], reset=0xC0), tables=[overview], lines=["Reset value: 0x0000 00C0"]
    )
    assert [c.page for c in coverage(document, STATUS).conflicts] == [5]


PINS = svd(
    peripheral(
        "GPIO",
        0x100,
        register("DIR", 0, "".join(field(f"PIN{n}", n, n) for n in range(4)))
        + register("KEY", 4, field("KEY", 31, 0))
        + register("CFG", 8, field("EN", 0, 0) + field("RESERVED", 7, 1) + field("MODE", 9, 8)),
    )
)


def states(found: Coverage, path: str) -> dict[str, str]:
    return {f.name: f.state for f in one(found, path).fields}


def one(found: Coverage, path: str) -> RegisterCoverage:
    return next(r for p in found.peripherals for r in p.registers if r.path == path)


def test_fields_are_found_by_name_in_parts_and_as_an_array() -> None:
    document = manual(
        text("DIR", ["GPIO.DIR"], [row("PINx", 3, 0)]),
        text("KEY", ["GPIO.KEY"], [row("KEY[31:16]", 31, 16), row("KEY[15:0]", 15, 0)]),
        text("CFG", ["GPIO.CFG"], [row("ENABLE", 0, 0), row("Reserved", 7, 1)]),
    )
    found = coverage(document, PINS)
    assert found.conflicts == ()
    assert set(states(found, "DIR").values()) == {"found"}
    assert states(found, "KEY") == {"KEY": "found"}
    assert states(found, "CFG") == {"EN": "renamed", "MODE": "missed"}
    assert one(found, "CFG").fields[0] == FieldCoverage("EN", 0, 0, 1, "renamed", 5, "ENABLE")
    count = found.whole
    assert (count.registers, count.registers_found) == (3, 3)
    assert (count.fields, count.fields_found, count.fields_renamed) == (7, 5, 1)


def test_a_register_is_described_listed_or_missed() -> None:
    found = coverage(manual(text("DIR", ["GPIO.DIR"]), text("X_KEY", ["GPIO.KEY"])), PINS)
    assert [(r.path, r.state) for r in found.peripherals[0].registers] == [
        ("DIR", "listed"),
        ("KEY", "listed"),
        ("CFG", "missed"),
    ]
    assert one(found, "KEY").printed == ("X_KEY",)


def test_peripherals_that_share_their_registers_count_once() -> None:
    found = coverage(manual(text("BRG", ["USART1.BRG"], [row("BRGVAL", 15, 0)])), USARTS)
    (p,) = found.peripherals
    assert (p.name, p.also) == ("USART0", ("USART1", "USART2"))
    assert (found.whole.registers, found.whole.registers_found, found.whole.fields_found) == (
        1,
        1,
        1,
    )


def test_what_is_none_of_the_svds_registers_is_told() -> None:
    document = manual(text("KEYR", []), text("GPREG1", [], offset=8), about="PMU")
    found = coverage(document, ARRAY)
    # GPREG1 stands where the SVD has an element of its array.
    assert [u.name for u in found.unmatched] == ["KEYR"]


def test_the_text_names_sums_misses_and_conflicts() -> None:
    document = manual(
        text("DIR", ["GPIO.DIR"], [row("PIN0", 0, 0), row("PIN1", 2, 2)]), text("OLD", [])
    )
    shown = coverage_text(coverage(document, PINS), Plain())
    assert shown.startswith(
        "ACME1 manual describes 1 of 3 (33%) registers and 1 of 7 (14%) fields of 1 of"
        " 1 peripheral in acme1.svd; 1 conflict\n"
    )
    assert "- registers not found: KEY, CFG" in shown
    assert "- DIR (p. 5): fields not found: PIN2 2, PIN3 3" in shown
    assert "none of the SVD's registers: OLD (p. 5)" in shown
    assert "p. 5: GPIO.DIR.PIN1: bits 2, acme1.svd line 1 has 1" in shown


DEMO = ROOT / "data" / "demo"
DEMO_MANUAL = DEMO / "manual" / "stm32f407-demo-manual.pdf"


def read(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main(["coverage", *words, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_the_demo_manual_says_what_its_svd_says(capsys: pytest.CaptureFixture[str]) -> None:
    svd_file = DEMO / "svd" / "STM32F407_demo.svd"
    found = read(capsys, str(DEMO_MANUAL), "--svd", str(svd_file))
    assert found["conflicts"] == []
    usart = next(p for p in found["peripherals"] if p["name"] == "USART2")  # type: ignore[attr-defined]
    assert usart["count"]["registers_found"] == usart["count"]["registers"] == 7
    assert usart["count"]["fields_found"] == usart["count"]["fields"] == 51


def test_a_shifted_field_of_the_svd_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (DEMO / "svd" / "STM32F407_demo.svd").read_text().split("\n")
    at = next(i for i, line in enumerate(lines) if "<name>DIV_Mantissa</name>" in line)
    assert "[15:4]" in lines[at + 2]
    lines[at + 2] = lines[at + 2].replace("[15:4]", "[14:4]")
    svd_file = tmp_path / "shifted.svd"
    svd_file.write_text("\n".join(lines))
    assert main(["coverage", str(DEMO_MANUAL), "--svd", str(svd_file), "--conflicts"]) == 0
    said = capsys.readouterr().out
    assert "USART2.BRR.DIV_Mantissa (and USART1.BRR.DIV_Mantissa): bits 15:4, shifted.svd" in said
    assert f"line {at} has 14:4" in said or f"line {at + 1} has 14:4" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing.pdf", "--svd", str(DEMO / "svd" / "STM32F407_demo.svd")), "nothing.pdf"),
        ((str(DEMO_MANUAL), "--svd", "nothing.svd"), "nothing.svd"),
        ((str(DEMO_MANUAL),), "--svd"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["coverage", *words]) in (1, 2)
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


# Conflicts of a real manual with its SVD, each looked up on the rendered page: path, page,
# address printed, address in the SVD.
LPC82X = [
    ("SYSCON.IOCONCLKDIV0", 46, 0x0004_814C, 0x4004_814C),
    ("USART2.BRG", 198, 0x4006_8020, 0x4006_C020),
    ("USART2.INTSTAT", 199, 0x4006_8024, 0x4006_C024),
    ("USART1.OSR", 200, 0x4006_4028, 0x4006_8028),
    ("USART2.OSR", 200, 0x4006_8028, 0x4006_C028),
    ("SCT0.DMA1REQUEST", 277, 0x5000_C060, 0x5000_4060),
]


def test_the_wrong_addresses_of_a_manual_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    pdf, svd_file = shared("corpus/pdf/nxp_lpc82x_um.pdf"), shared("corpus/svd/lpc82x.svd")
    found = read(capsys, str(pdf), "--svd", str(svd_file))
    seen = {
        (c["path"], c["page"], c["printed"], c["svd"])
        for c in found["conflicts"]  # type: ignore[attr-defined]
        if c["kind"] == "address"
    }
    assert seen >= set(LPC82X)
    # The word registers' last address and the trigger inputs' are printed wrong too.
    others = {path.partition("[")[0] for path, *_ in seen - set(LPC82X)}
    assert others <= {"GPIO.W0_28", "INPUTMUX.DMA_ITRIG_INMUX"}
