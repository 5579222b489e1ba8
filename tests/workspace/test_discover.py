"""Which SVD is chosen, which is refused, and what is said about it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from datasheet_lsp.workspace import CodeMatcher
from tests.workspace.trees import chosen, discover, make, reasons, svd, told

IOC_F407 = "Mcu.CPN=STM32F407VGT6\n"
IOC_F401 = "Mcu.CPN=STM32F401RET6\n"


def test_an_empty_folder_has_nothing_and_nothing_to_say(tmp_path: Path) -> None:
    found = discover(tmp_path)
    assert (found.contexts, found.svds, found.problems) == ((), (), ())


def test_a_single_svd_without_a_word_about_the_device_is_taken(tmp_path: Path) -> None:
    make(tmp_path, {"hw/STM32F407.svd": "", "main.c": ""})
    found = discover(tmp_path)
    assert chosen(found) == [(None, "STM32F407.svd")]
    assert found.contexts[0].name == "STM32F407"
    assert reasons(found) == (
        "because hw/STM32F407.svd is the only SVD in the workspace, and nothing names another "
        "device"
    )


def test_several_svds_without_a_word_about_the_device_are_not_guessed_among(tmp_path: Path) -> None:
    make(tmp_path, {"STM32F407.svd": "", "hw/nrf52840.svd": ""})
    found = discover(tmp_path)
    assert found.contexts == ()
    assert len(found.svds) == 2
    assert "2 SVDs are here (STM32F407.svd, nrf52840.svd)" in told(found)
    assert '[[context]] svd = "STM32F407.svd"' in told(found)


def test_the_only_svd_is_not_used_for_another_chip_and_the_way_to_force_it_is_said(
    tmp_path: Path,
) -> None:
    make(tmp_path, {"hw/STM32F407.svd": "", "a.ioc": IOC_F401, "main.c": ""})
    found = discover(tmp_path)
    assert chosen(found) == [("STM32F401RET6", None)]
    assert told(found) == (
        "STM32F407.svd is not used: a.ioc line 1 says Mcu.CPN=STM32F401RET6, which is another "
        "device. Put the SVD of STM32F401RET6 into the workspace. To use STM32F407.svd all the "
        'same, write into datasheet.toml: [[context]] svd = "hw/STM32F407.svd"'
    )
    assert (found.problems[0].path, found.problems[0].line) == (tmp_path / "a.ioc", 1)


def test_what_the_message_says_does_force_it(tmp_path: Path) -> None:
    make(tmp_path, {"hw/STM32F407.svd": "", "a.ioc": IOC_F401})
    make(tmp_path, {"datasheet.toml": '[[context]]\nsvd = "hw/STM32F407.svd"\n'})
    found = discover(tmp_path)
    assert chosen(found) == [(None, "STM32F407.svd")]
    assert told(found) == ""


@pytest.mark.parametrize("define", ["STM32F401xE", "NRF52840_XXAA", "__SAMD21J18A__"])
def test_a_define_for_another_chip_is_enough_to_refuse(tmp_path: Path, define: str) -> None:
    make(tmp_path, {"STM32F407.svd": "", "Makefile": f"CFLAGS = -D{define}\n", "main.c": ""})
    found = discover(tmp_path)
    assert [c.svd for c in found.contexts] == [None]
    assert "STM32F407.svd is not used" in told(found)


def test_an_svd_whose_name_is_no_chip_is_taken_when_it_is_the_only_one(tmp_path: Path) -> None:
    make(tmp_path, {"hw/device.svd": svd("soc"), "a.ioc": IOC_F407})
    found = discover(tmp_path)
    assert chosen(found) == [("STM32F407VGT6", "device.svd")]
    assert "the only SVD here, and its name is no other device's" in reasons(found)


def test_the_name_inside_counts_besides_the_name_of_the_file(tmp_path: Path) -> None:
    make(tmp_path, {"board.svd": svd("STM32F407"), "STM32F401.svd": "", "a.ioc": IOC_F407})
    found = discover(tmp_path)
    assert chosen(found) == [("STM32F407VGT6", "board.svd")]
    assert "board.svd fits STM32F407VGT6 by its name STM32F407" in reasons(found)


def test_the_name_is_found_after_pages_of_comment(tmp_path: Path) -> None:
    text = svd("XMC4500").replace("<device", f"<!-- {'history ' * 2000} -->\n<device", 1)
    make(tmp_path, {"board.svd": text, "b.svd": "", "Makefile": "CFLAGS = -DXMC4500_F100x1024"})
    assert chosen(discover(tmp_path)) == [("XMC4500_F100x1024", "board.svd")]


def test_a_description_of_a_longer_number_narrows_a_family_name(tmp_path: Path) -> None:
    nrf52 = svd("nrf52", "nRF52832 reference description for radio MCU")
    make(tmp_path, {"nrf52.svd": nrf52, "Makefile": "CFLAGS = -DNRF52840_XXAA"})
    assert chosen(discover(tmp_path)) == [("NRF52840_XXAA", None)]
    make(tmp_path, {"Makefile": "CFLAGS = -DNRF52832_XXAA"})
    assert chosen(discover(tmp_path)) == [("NRF52832_XXAA", "nrf52.svd")]


def test_a_family_name_that_fits_several_svds_is_a_tie_that_is_told(tmp_path: Path) -> None:
    make(tmp_path, {"STM32F407.svd": "", "STM32F446.svd": "", "Makefile": "CFLAGS = -DSTM32F4\n"})
    found = discover(tmp_path)
    assert chosen(found) == [("STM32F4", None)]
    assert "2 SVDs fit STM32F4 equally well (STM32F407.svd, STM32F446.svd)" in told(found)


def test_a_fuller_name_from_a_lesser_file_settles_it(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "STM32F407.svd": "",
            "STM32F446.svd": "",
            "Makefile": "CFLAGS = -DSTM32F4\nDEVICE = STM32F407VG\n",
        },
    )
    assert chosen(discover(tmp_path)) == [("STM32F407VG", "STM32F407.svd")]


def test_a_chip_with_two_cores_needs_the_core(tmp_path: Path) -> None:
    files = {"STM32H7x5_CM4.svd": "", "STM32H7x5_CM7.svd": "", "main.c": ""}
    make(tmp_path, {**files, "Makefile": "CFLAGS = -DSTM32H745xx\n"})
    assert chosen(discover(tmp_path)) == [("STM32H745xx", None)]
    make(tmp_path, {"Makefile": "CFLAGS = -DSTM32H745xx -mcpu=cortex-m7\n"})
    assert chosen(discover(tmp_path)) == [("STM32H745xx", "STM32H7x5_CM7.svd")]
    make(tmp_path, {"Makefile": "CFLAGS = -DSTM32H745xx -DCORE_CM4\n"})
    assert chosen(discover(tmp_path)) == [("STM32H745xx", "STM32H7x5_CM4.svd")]


def test_files_that_contradict_each_other_are_told_and_the_stronger_decides(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "STM32F407.svd": "",
            "STM32F446.svd": "",
            "a.ioc": IOC_F407,
            "Makefile": "CFLAGS = -DSTM32F446xx\n",
            "main.c": "",
        },
    )
    found = discover(tmp_path)
    assert chosen(found) == [("STM32F407VGT6", "STM32F407.svd")]
    assert told(found) == (
        "Makefile line 1 defines STM32F446xx, but a.ioc line 1 says Mcu.CPN=STM32F407VGT6: "
        "STM32F407VGT6 is taken."
    )


def test_an_svd_named_by_path_is_used_and_a_contradiction_is_told(tmp_path: Path) -> None:
    launch = '{"configurations": [{"svdFile": "STM32F407.svd"}]}'
    make(tmp_path, {"STM32F407.svd": "", ".vscode/launch.json": launch, "a.ioc": IOC_F401})
    found = discover(tmp_path)
    assert chosen(found) == [(None, "STM32F407.svd")]
    assert "STM32F407.svd is used as it is named by its path" in told(found)


def test_a_build_file_that_lists_devices_chooses_none(tmp_path: Path) -> None:
    devices = "STM32F401 STM32F407 STM32F411 STM32F429 STM32F446 STM32F469".split()
    lines = [f"flags_{device} = -D{device}xx" for device in devices]
    make(tmp_path, {"STM32F407.svd": "", "nrf52840.svd": "", "Makefile": "\n".join(lines)})
    found = discover(tmp_path)
    assert found.contexts == ()
    assert "names 6 devices" in told(found)


def test_of_copies_the_nearest_is_taken(tmp_path: Path) -> None:
    make(tmp_path, {"a/hw/STM32F407.svd": "", "b/x/STM32F407.svd": "", "a/a.ioc": IOC_F407})
    make(tmp_path, {"a/main.c": "", "b/main.c": ""})
    found = discover(tmp_path)
    assert [c.svd for c in found.contexts] == [tmp_path / "a/hw/STM32F407.svd"]
    assert "of 2 files of that name it is the nearest" in reasons(found)


def test_svd_files_are_found_by_what_they_are(tmp_path: Path) -> None:
    import gzip

    ti = '<?xml version="1.0"?>\n<device id="TM4C123" HW_revision="1"><cpu id="x"/></device>'
    make(
        tmp_path,
        {
            "a/STM32F407.SVD": svd("STM32F407"),
            "b/STM32F446.svd.gz": gzip.compress(svd("STM32F446").encode()),
            "c/chip.xml": "\ufeff<!-- <device> -->\n" + svd("STM32F401").partition("\n")[2],
            "c/wide.xml": svd("STM32F411").replace("utf-8", "utf-16").encode("utf-16"),
            "c/other.xml": "<project><device/></project>",
            "c/ti.xml": ti,
            "c/empty.xml": "",
            "c/broken.svd.gz": b"\x1f\x8b\x08 not gzip",
        },
    )
    found = discover(tmp_path)
    assert {s.path.name: s.names for s in found.svds} == {
        "STM32F407.SVD": ("STM32F407",),
        "STM32F446.svd.gz": ("STM32F446",),
        "chip.xml": ("chip", "STM32F401"),
        "wide.xml": ("wide", "STM32F411"),
        "broken.svd.gz": ("broken",),
    }


def test_ignore_files_count_at_every_level(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            ".gitignore": "*.svd\n!/keep.svd\n/vendor/\n",
            "keep.svd": "",
            "gone.svd": "",
            "hw/.ignore": "!good.svd\n",
            "hw/good.svd": "",
            "hw/bad.svd": "",
            "vendor/never.svd": "",
            "vendor/Makefile": "CFLAGS = -DSTM32F446xx\n",
            "build/generated.svd": "",
            "node_modules/x/package.svd": "",
            ".git/objects/some.svd": "",
        },
    )
    found = discover(tmp_path)
    assert {(s.path.name, s.ignored) for s in found.svds} == {
        ("keep.svd", False),
        ("gone.svd", True),
        ("good.svd", False),
        ("bad.svd", True),
    }
    assert found.evidence == ()


def test_an_ignored_svd_is_used_when_it_is_named(tmp_path: Path) -> None:
    launch = '{"configurations": [{"svdFile": "${workspaceFolder}/STM32F407.svd"}]}'
    make(tmp_path, {".gitignore": "*.svd\n.vscode/\n", "STM32F407.svd": ""})
    assert discover(tmp_path).contexts == ()
    make(tmp_path, {".vscode/launch.json": launch})
    assert chosen(discover(tmp_path)) == [(None, "STM32F407.svd")]
    (tmp_path / ".vscode/launch.json").unlink()
    make(tmp_path, {"datasheet.toml": '[[context]]\nsvd = "STM32F407.svd"\n'})
    assert chosen(discover(tmp_path)) == [(None, "STM32F407.svd")]


def test_a_wrong_pattern_in_an_ignore_file_costs_itself(tmp_path: Path) -> None:
    make(tmp_path, {".gitignore": "[z-a]\n!\n\\\nbad.svd\n", "bad.svd": "", "good.svd": ""})
    assert chosen(discover(tmp_path)) == [(None, "good.svd")]


def test_two_projects_in_one_workspace_have_their_own_device(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "svd/STM32F407.svd": "",
            "svd/nrf52840.svd": "",
            "main_board/main.ioc": IOC_F407,
            "main_board/src/main.c": "",
            "radio/platformio.ini": "[env:x]\nboard_build.mcu = nrf52840\n",
            "radio/src/main.c": "",
            "common/uart.c": "",
        },
    )
    found = discover(tmp_path)
    assert chosen(found) == [("STM32F407VGT6", "STM32F407.svd"), ("nrf52840", "nrf52840.svd")]
    main, radio = (CodeMatcher(c.code, tmp_path) for c in found.contexts)
    for file, expected in (
        ("main_board/src/main.c", (True, False)),
        ("radio/src/main.c", (False, True)),
        ("common/uart.c", (False, False)),
    ):
        assert (main.matches(tmp_path / file), radio.matches(tmp_path / file)) == expected


def test_the_nearest_project_decides_where_one_lies_in_another(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "STM32F407.svd": "",
            "nrf52840.svd": "",
            "a.ioc": IOC_F407,
            "src/main.c": "",
            "lib [x]/radio/Makefile": "CFLAGS = -DNRF52840_XXAA\n",
            "lib [x]/radio/main.c": "",
        },
    )
    found = discover(tmp_path)
    outer, inner = (CodeMatcher(c.code, tmp_path) for c in found.contexts)
    assert outer.matches(tmp_path / "src/main.c") and not inner.matches(tmp_path / "src/main.c")
    deep = tmp_path / "lib [x]/radio/main.c"
    assert inner.matches(deep) and not outer.matches(deep)
    beside = tmp_path / "lib [x]/other.c"
    assert outer.matches(beside) and not inner.matches(beside)


def test_an_inner_makefile_that_says_less_changes_nothing(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "STM32F407.svd": "",
            "STM32F446.svd": "",
            "a.ioc": IOC_F407,
            "lib/Makefile": "CFLAGS = -DSTM32F4\n",
            "lib/x.c": "",
        },
    )
    found = discover(tmp_path)
    assert chosen(found) == [("STM32F407VGT6", "STM32F407.svd")]
    assert told(found) == ""


def test_one_device_in_many_folders_is_one_context(tmp_path: Path) -> None:
    files = {f"ex{n}/Makefile": "DEVICE = STM32F407VG\n" for n in range(20)}
    files |= {f"ex{n}/main.c": "" for n in range(20)}
    make(tmp_path, {**files, "STM32F407.svd": "", "STM32F401.svd": ""})
    found = discover(tmp_path)
    assert chosen(found) == [("STM32F407VG", "STM32F407.svd")]
    assert len(found.contexts[0].reasons) <= 6


def test_project_files_in_a_folder_of_their_own_speak_for_the_code_beside(tmp_path: Path) -> None:
    keil = "<Project><Target><Device>STM32F407VGTx</Device></Target></Project>"
    make(
        tmp_path,
        {
            "STM32F407.svd": "",
            "nrf52840.svd": "",
            "board/MDK-ARM/board.uvprojx": keil,
            "board/Core/main.c": "",
            "radio/cmake/radio.cmake": "add_definitions(-DNRF52840_XXAA)\n",
            "radio/src/main.c": "",
        },
    )
    found = discover(tmp_path)
    code = {c.device: c.code for c in found.contexts}
    assert code == {"STM32F407VGTx": ("/board/**",), "NRF52840_XXAA": ("/radio/**",)}


def test_compile_commands_for_two_devices_tell_them_apart_by_folder(tmp_path: Path) -> None:
    commands = [
        {"directory": str(tmp_path), "file": "a/x.c", "command": "gcc -DSTM32F407xx a/x.c"},
        {"directory": str(tmp_path), "file": "b/y.c", "command": "gcc -DNRF52840_XXAA b/y.c"},
    ]
    make(tmp_path, {"a/x.c": "", "b/y.c": "", "STM32F407.svd": "", "nrf52840.svd": ""})
    make(tmp_path, {"compile_commands.json": json.dumps(commands)})
    found = discover(tmp_path)
    assert {c.device: c.code for c in found.contexts} == {
        "STM32F407xx": ("/a/**",),
        "NRF52840_XXAA": ("/b/**",),
    }


PDSC = """<?xml version="1.0"?>
<package><devices><family Dfamily="F4" Dvendor="Acme:1">
  <device Dname="STM32F401RE"><debug svd="SVD/F401.svd"/></device>
  <device Dname="STM32F407VG"><debug svd="SVD/F40x.svd"/></device>
  <device Dname="STM32F407ZG"><debug svd="SVD/F40x.svd"/></device>
</family></devices></package>
"""


def pack(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("Acme.F4.pdsc", PDSC)
        file.writestr("SVD/F401.svd", svd("F401"))
        file.writestr("SVD/F40x.svd", svd("F40x"))


def test_a_pack_gives_the_svd_of_its_device(tmp_path: Path) -> None:
    pack(tmp_path / "Acme.F4.1.0.0.pack")
    make(tmp_path, {"a.ioc": IOC_F407})
    found = discover(tmp_path)
    assert chosen(found) == [("STM32F407VGT6", "Acme.F4.1.0.0.pack")]
    assert found.contexts[0].member == "SVD/F40x.svd"


def test_a_pack_alone_is_not_guessed_in(tmp_path: Path) -> None:
    pack(tmp_path / "Acme.F4.1.0.0.pack")
    found = discover(tmp_path)
    assert found.contexts == ()
    assert 'member = "STM32F401RE"' in told(found)


def test_a_broken_pack_is_told(tmp_path: Path) -> None:
    make(tmp_path, {"x.pack": "no zip", "STM32F407.svd": ""})
    found = discover(tmp_path)
    assert chosen(found) == [(None, "STM32F407.svd")]
    assert "x.pack is no CMSIS pack" in told(found)


SETTINGS = """
[[context]]
name = "main"
device = "STM32F407"
documents = ["docs/*.pdf", "missing.pdf"]
code = ["src/**"]
[[context]]
svd = "hw/radio.svd"
code = ["radio/"]
[[context]]
svd = "acme.pack"
device = "STM32F401RE"
[[context]]
svd = "none.svd"
[[context]]
device = "LPC824"
[[context]]
name = "empty"
"""


def test_contexts_of_the_settings_are_taken_as_they_are(tmp_path: Path) -> None:
    pack(tmp_path / "acme.pack")
    make(
        tmp_path,
        {
            "datasheet.toml": SETTINGS,
            "STM32F407.svd": "",
            "hw/radio.svd": "",
            "docs/a.pdf": "",
            "docs/b.pdf": "",
            "other.ioc": IOC_F401,
        },
    )
    found = discover(tmp_path)
    assert [(c.name, c.svd.name if c.svd else None, c.member, c.code) for c in found.contexts] == [
        ("main", "STM32F407.svd", None, ("src/**",)),
        ("radio", "radio.svd", None, ("radio/",)),
        ("STM32F401RE", "acme.pack", "STM32F401RE", ()),
        ("context 4", None, None, ()),
        ("LPC824", None, None, ()),
        ("empty", None, None, ()),
    ]
    assert [p.name for p in found.contexts[0].documents] == ["a.pdf", "b.pdf"]
    assert [p.message for p in found.problems] == [
        'context[1]: documents has "missing.pdf", which fits no file.',
        'context[4]: svd = "none.svd" is not there; the path counts from datasheet.toml.',
        'context[5]: no SVD was found for "LPC824": name one with svd = "...".',
        'context[6]: it needs svd = "..." or device = "...".',
    ]
    assert [p.line for p in found.problems] == [2, 13, 15, 17]
    assert 'because datasheet.toml, context[1] says device = "STM32F407"' in reasons(found)


def test_code_patterns_of_the_settings_are_those_of_gitignore(tmp_path: Path) -> None:
    matcher = CodeMatcher(("src/**", "radio/", "!src/host/**", "[z-a"), tmp_path)
    for name, expected in (
        ("src/a.c", True),
        ("src/deep/a.c", True),
        ("src/host/a.c", False),
        ("radio/x/a.c", True),
        ("other/a.c", False),
    ):
        assert matcher.matches(tmp_path / name) is expected
    assert not matcher.matches(tmp_path.parent / "src/a.c")
    assert CodeMatcher((), tmp_path).matches(Path("/anywhere/a.c"))
