"""What the CMSIS-SVD format means: deriving, expanding, inheriting, named values, C names."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from datasheet_lsp.model import Device, Lookup
from datasheet_lsp.svd import SvdError, list_pack, load_svd, parse_svd


def device(peripherals: str, properties: str = "") -> Device:
    text = f"<device><name>T</name>{properties}<peripherals>{peripherals}</peripherals></device>"
    return parse_svd(text.encode(), "t.svd")


def peripheral(name: str, base: int, registers: str = "", more: str = "", derived: str = "") -> str:
    attribute = f' derivedFrom="{derived}"' if derived else ""
    inside = f"<registers>{registers}</registers>" if registers else ""
    return (
        f"<peripheral{attribute}><name>{name}</name>{more}<baseAddress>{base:#x}</baseAddress>"
        f"{inside}</peripheral>"
    )


def register(name: str, offset: int, more: str = "", derived: str = "") -> str:
    attribute = f' derivedFrom="{derived}"' if derived else ""
    return (
        f"<register{attribute}><name>{name}</name><addressOffset>{offset:#x}</addressOffset>"
        f"{more}</register>"
    )


def cluster(name: str, offset: int, inside: str, more: str = "", derived: str = "") -> str:
    attribute = f' derivedFrom="{derived}"' if derived else ""
    return (
        f"<cluster{attribute}><name>{name}</name><addressOffset>{offset:#x}</addressOffset>"
        f"{more}{inside}</cluster>"
    )


def fields(*texts: str) -> str:
    return f"<fields>{''.join(texts)}</fields>"


def field(name: str, bits: str, more: str = "", derived: str = "") -> str:
    attribute = f' derivedFrom="{derived}"' if derived else ""
    place = f"<bitRange>[{bits}]</bitRange>" if bits else ""
    return f"<field{attribute}><name>{name}</name>{place}{more}</field>"


def dim(count: int, step: int, index: str = "") -> str:
    given = f"<dimIndex>{index}</dimIndex>" if index else ""
    return f"<dim>{count}</dim><dimIncrement>{step:#x}</dimIncrement>{given}"


def addresses(of: Device) -> dict[str, int]:
    return {f"{p.name}.{r.path}": p.base_address + r.offset for p, r in of.walk()}


def one(of: Device, path: str):  # type: ignore[no-untyped-def]
    (found,) = Lookup(of).find(path)
    return found.field or found.register or found.peripheral


# Deriving -------------------------------------------------------------------------------


def test_a_derived_peripheral_adds_registers_and_overrides_those_of_the_same_name() -> None:
    base = register("CR", 0, "<resetValue>1</resetValue>") + register("SR", 4)
    own = register("CR", 0, "<resetValue>2</resetValue>") + register("EXTRA", 0x20)
    got = device(peripheral("A", 0x1000, base) + peripheral("B", 0x2000, own, derived="A"))
    assert addresses(got) == {
        "A.CR": 0x1000, "A.SR": 0x1004, "B.SR": 0x2004, "B.CR": 0x2000, "B.EXTRA": 0x2020,
    }  # fmt: skip
    assert (one(got, "A.CR").reset_value, one(got, "B.CR").reset_value) == (1, 2)


def test_a_derived_peripheral_passes_its_own_size_on() -> None:
    got = device(
        peripheral("A", 0, register("R", 0), "<size>8</size>")
        + peripheral("B", 64, more="<size>16</size>", derived="A")
        + peripheral("C", 128, derived="A")
    )
    assert [one(got, f"{name}.R").size for name in "ABC"] == [8, 16, 8]
    assert one(got, "C").block is one(got, "A").block
    assert one(got, "B").block is not one(got, "A").block


def test_chains_of_derivation_in_any_order() -> None:
    got = device(
        peripheral("C", 0x300, derived="B")
        + peripheral("B", 0x200, derived="A")
        + peripheral("A", 0x100, register("R", 8, fields(field("F", "3:1"))))
    )
    assert addresses(got) == {"C.R": 0x308, "B.R": 0x208, "A.R": 0x108}
    assert (one(got, "C.R.F").msb, one(got, "C.R.F").lsb) == (3, 1)


def test_a_register_derived_from_an_element_of_an_array_is_one_register() -> None:
    array = register("CH%s", 0, dim(2, 4) + "<size>16</size>" + fields(field("F", "2:0")))
    got = device(peripheral("A", 0, array + register("LAST", 0x40, derived="CH1")))
    assert addresses(got) == {"A.CH0": 0, "A.CH1": 4, "A.LAST": 0x40}
    assert (one(got, "A.LAST").size, one(got, "A.LAST.F").msb) == (16, 2)


def test_clusters_and_what_is_in_them_derive_by_path() -> None:
    inside = register("CFG", 4, fields(field("EN", "0:0")))
    got = device(
        peripheral("A", 0x100, cluster("CH", 0x10, inside))
        + peripheral(
            "B",
            0x200,
            cluster("X", 0x20, register("MORE", 8), derived="A.CH")
            + register("COPY", 0x40, derived="A.CH.CFG")
            + register("OWN", 0x44, fields(field("EN2", "", derived="A.CH.CFG.EN"))),
        )
    )
    assert addresses(got) == {
        "A.CH.CFG": 0x114, "B.X.CFG": 0x224, "B.X.MORE": 0x228, "B.COPY": 0x240, "B.OWN": 0x244,
    }  # fmt: skip
    assert one(got, "B.OWN.EN2").lsb == 0
    assert one(got, "B.X.CFG.EN").lsb == 0


def test_what_a_derived_peripheral_holds_derives_in_its_own_scope() -> None:
    base = register("R1", 0, fields(field("F", "7:4"))) + register("R2", 4, derived="R1")
    got = device(peripheral("B", 0x20, derived="A") + peripheral("A", 0x10, base))
    assert one(got, "B.R2.F").lsb == 4


def test_the_nearest_set_of_values_of_a_name_is_meant() -> None:
    def with_set(name: str, first: str) -> str:
        values = (
            f"<enumeratedValues><name>SET</name><enumeratedValue><name>{first}</name>"
            "<value>0</value></enumeratedValue></enumeratedValues>"
        )
        return register(name, 0, fields(field("F", "0:0", values)))

    use = fields(field("G", "1:1", '<enumeratedValues derivedFrom="SET"/>'))
    by_path = fields(field("G", "1:1", '<enumeratedValues derivedFrom="A.R.F.SET"/>'))
    by_field = fields(field("G", "1:1", '<enumeratedValues derivedFrom="A.R.F"/>'))
    got = device(
        peripheral("A", 0, with_set("R", "far"))
        + peripheral(
            "B",
            64,
            with_set("R", "near")
            + register("U", 4, use)
            + register("V", 8, by_path)
            + register("W", 12, by_field),
        )
    )
    names = {name: one(got, f"B.{name}.G").named(0).name for name in "UVW"}
    assert names == {"U": "near", "V": "far", "W": "far"}


def test_a_base_that_is_missing_is_said_and_the_item_kept() -> None:
    got = device(peripheral("A", 0x10, register("R", 4, derived="NOWHERE")))
    assert addresses(got) == {"A.R": 0x14}
    assert "'NOWHERE', which is not in the file" in got.diagnostics[0].message


# Expanding ------------------------------------------------------------------------------


def test_arrays_in_arrays_with_every_form_of_name() -> None:
    inner = register("D[%s]", 0, dim(2, 4)) + register("S%s_X", 0x10, dim(2, 4, "A,B"))
    got = device(peripheral("P", 0x1000, cluster("CH[%s]", 0x100, inner, dim(2, 0x40))))
    assert addresses(got) == {
        "P.CH[0].D[0]": 0x1100, "P.CH[0].D[1]": 0x1104,
        "P.CH[0].SA_X": 0x1110, "P.CH[0].SB_X": 0x1114,
        "P.CH[1].D[0]": 0x1140, "P.CH[1].D[1]": 0x1144,
        "P.CH[1].SA_X": 0x1150, "P.CH[1].SB_X": 0x1154,
    }  # fmt: skip
    assert {r.template for _, r in got.walk()} == {"CH[%s].D[%s]", "CH[%s].S%s_X"}
    assert [c.path for c in one(got, "P").clusters] == ["CH[0]", "CH[1]"]


def test_a_field_array_steps_in_bits_and_its_index_stands_in_the_description() -> None:
    array = field("M%s", "1:0", dim(3, 2, "5-7") + "<description>mode of pin %s</description>")
    got = one(device(peripheral("P", 0, register("R", 0, fields(array)))), "P.R")
    assert [(f.name, f.msb, f.lsb, f.description) for f in got.fields] == [
        ("M5", 1, 0, "mode of pin 5"),
        ("M6", 3, 2, "mode of pin 6"),
        ("M7", 5, 4, "mode of pin 7"),
    ]


def test_an_array_of_peripherals_and_one_derived_from_it() -> None:
    got = device(
        peripheral("T%s", 0x1000, register("C", 4), dim(2, 0x400))
        + peripheral("LP", 0x8000, derived="T%s")
    )
    assert addresses(got) == {"T0.C": 0x1004, "T1.C": 0x1404, "LP.C": 0x8004}


def test_an_array_without_increment_steps_by_its_size() -> None:
    got = device(peripheral("P", 0, register("R%s", 8, "<dim>3</dim><size>16</size>")))
    assert addresses(got) == {"P.R0": 8, "P.R1": 10, "P.R2": 12}
    assert any("no dimIncrement" in d.message for d in got.diagnostics)


# Inheriting -----------------------------------------------------------------------------


def test_properties_run_through_every_level() -> None:
    properties = "<size>32</size><access>read-only</access><resetValue>0x12345678</resetValue>"
    inner = register("A", 0) + register("B", 4, "<access>write-only</access><size>8</size>")
    got = device(
        peripheral(
            "P",
            0,
            cluster(
                "C", 0, cluster("D", 0x10, inner, "<size>16</size>"), "<protection>s</protection>"
            ),
            "<resetMask>0xF0F</resetMask>",
        ),
        properties,
    )
    a, b = one(got, "P.C.D.A"), one(got, "P.C.D.B")
    assert (a.size, a.access, a.reset_value, a.reset_mask, a.protection) == (
        16, "read-only", 0x5678, 0xF0F, "s",
    )  # fmt: skip
    assert (b.size, b.access, b.reset_value, b.reset_mask) == (8, "write-only", 0x78, 0x0F)


def test_what_no_level_gives_is_unknown_or_the_default() -> None:
    got = one(device(peripheral("P", 0, register("R", 0))), "P.R")
    assert (got.size, got.access, got.reset_value, got.reset_mask) == (32, "read-write", None, None)


def test_address_unit_bits_never_scale_offsets() -> None:
    got = device(peripheral("P", 0x100, register("R", 8)), "<addressUnitBits>32</addressUnitBits>")
    assert addresses(got) == {"P.R": 0x108}


# Fields ---------------------------------------------------------------------------------


def test_read_and_write_have_names_of_their_own() -> None:
    def values(usage: str, *names: str) -> str:
        entries = "".join(
            f"<enumeratedValue><name>{name}</name><value>{i}</value></enumeratedValue>"
            for i, name in enumerate(names)
        )
        return f"<enumeratedValues><usage>{usage}</usage>{entries}</enumeratedValues>"

    more = values("read", "idle", "pending") + values("write", "none", "clear")
    got = one(
        device(peripheral("P", 0, register("R", 0, fields(field("F", "0:0", more))))), "P.R.F"
    )
    assert got.named(1, "read").name == "pending"
    assert got.named(1, "write").name == "clear"


def test_a_write_constraint_is_kept() -> None:
    more = (
        "<writeConstraint><range><minimum>1</minimum><maximum>0x10</maximum></range>"
        "</writeConstraint>"
    )
    got = one(
        device(peripheral("P", 0, register("R", 0, fields(field("F", "7:0", more))))), "P.R.F"
    )
    assert (got.write_constraint.minimum, got.write_constraint.maximum) == (1, 16)


def test_fields_that_overlap_or_share_a_name_are_all_kept() -> None:
    texts = field("A", "3:0"), field("A", "3:0"), field("B", "5:2")
    got = one(device(peripheral("P", 0, register("R", 0, fields(*texts)))), "P.R")
    assert [(f.name, f.msb, f.lsb) for f in got.fields] == [("A", 3, 0), ("A", 3, 0), ("B", 5, 2)]


def test_registers_that_share_a_name_or_a_place_are_all_kept() -> None:
    more = "<alternateGroup>G</alternateGroup>"
    got = device(peripheral("P", 0, register("R", 0) + register("R", 0, more) + register("S", 0)))
    assert [r.path for _, r in got.walk()] == ["R", "R", "S"]
    assert [at.register.path for at in Lookup(got).at(0) if at.register] == ["R", "R", "S"]


def test_the_last_of_a_repeated_element_wins_and_it_is_said() -> None:
    text = peripheral("P", 0x10, register("R", 0), more="<baseAddress>0x20</baseAddress>")
    got = device(text)
    assert addresses(got) == {"P.R": 0x10}
    assert "<baseAddress> is given twice" in got.diagnostics[0].message


# Files ----------------------------------------------------------------------------------

SMALL = (
    "<device><name>N</name><peripherals>"
    + peripheral("P", 16, register("R", 4))
    + ("</peripherals></device>")
)


def test_compressed_files(tmp_path: Path) -> None:
    path = tmp_path / "n.svd.gz"
    path.write_bytes(gzip.compress(SMALL.encode()))
    assert addresses(load_svd(path)) == {"P.R": 20}
    path.write_bytes(gzip.compress(SMALL.encode())[:-12])
    with pytest.raises(SvdError, match=r"n\.svd\.gz is a damaged gzip file"):
        load_svd(path)


def test_what_is_no_readable_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(SvdError, match=r"gone\.svd cannot be read: No such file"):
        load_svd(tmp_path / "gone.svd")
    with pytest.raises(SvdError, match=r"cannot be read: Is a directory"):
        load_svd(tmp_path)


PDSC = """<package><devices><family Dfamily="F" Dvendor="Acme:1">
<debug svd="SVD/f.svd"/>
<device Dname="ACF100"/>
<subFamily DsubFamily="F2"><debug svd="SVD\\g.svd"/>
<device Dname="ACF200"><variant Dvariant="ACF200A"/></device></subFamily>
</family></devices></package>"""


def pack(path: Path, pdsc: str | None = PDSC) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        if pdsc is not None:
            archive.writestr("Acme.F.pdsc", pdsc)
        archive.writestr("SVD/f.svd", SMALL)
        archive.writestr("SVD/g.svd", SMALL.replace("0x10", "0x100"))
    return path


def test_a_pack_lists_its_devices_and_gives_the_one_asked_for(tmp_path: Path) -> None:
    path = pack(tmp_path / "Acme.F.1.0.0.pack")
    listed = [(d.device, d.svd, d.vendor) for d in list_pack(path)]
    assert listed == [
        ("ACF100", "SVD/f.svd", "Acme"),
        ("ACF200", "SVD/g.svd", "Acme"),
        ("ACF200A", "SVD/g.svd", "Acme"),
    ]
    assert addresses(load_svd(path, "ACF100")) == {"P.R": 0x14}
    assert addresses(load_svd(path, "acf200")) == {"P.R": 0x104}
    assert addresses(load_svd(path, "SVD/g.svd")) == {"P.R": 0x104}
    assert addresses(load_svd(path, "ACF100RBT6")) == {"P.R": 0x14}
    assert load_svd(path, "ACF100").source == "Acme.F.1.0.0.pack/SVD/f.svd"


def test_a_pack_without_choice_or_description(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.pack", pdsc=None)
    assert [d.device for d in list_pack(path)] == ["f", "g"]
    with pytest.raises(
        SvdError, match=r"a\.pack has 2 SVD files: name a device of it, such as 'f'"
    ):
        load_svd(path)
    with pytest.raises(SvdError, match=r"a\.pack has no device 'Z9'"):
        load_svd(path, "Z9")


def test_a_pack_that_is_no_zip(tmp_path: Path) -> None:
    path = tmp_path / "a.pack"
    path.write_bytes(b"no zip")
    with pytest.raises(SvdError, match=r"a\.pack is no CMSIS pack"):
        load_svd(path)
