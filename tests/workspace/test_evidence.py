"""Each kind of project file names the device, and the reason says where."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.workspace.trees import chosen, discover, make, reasons, told

# Some SVDs of each family, so that a rule that takes the nearest name takes the wrong one.
OTHERS = {
    f"svd/{name}.svd": ""
    for name in (
        "STM32F401 STM32F407 STM32F446 STM32F103xx STM32H743x nrf51 nrf52840 nrf52833 "
        "ATSAMD21J18A ATSAMD21G18A ATSAM3X8E MKL25Z4 MK64F12 lpc82x LPC81x CH32V003xx GD32VF103 "
        "rp2040 rp2350 esp32 esp32c3 esp32s3 TM4C123GH6PM R7FA4M1AB EFM32GG990F1024 XMC4500 "
        "MIMXRT1062 MIMXRT1052"
    ).split()
}

IOC = """#MicroXplorer Configuration settings - do not modify
Mcu.Family=STM32F4
Mcu.IP0=NVIC
Mcu.Name=STM32F407V(E-G)Tx
Mcu.Package=LQFP100
Mcu.UserName=STM32F407VGTx
Mcu.CPN=STM32F407VGT6
"""

CPROJECT = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<?fileVersion 4.0.0?><cproject storage_type_id="org.eclipse.cdt.core.XmlProjectDescriptionStorage">
 <storageModule moduleId="org.eclipse.cdt.core.settings">
  <option id="x.option.target_mcu.1" name="Mcu"
    superClass="com.st.stm32cube.ide.mcu.gnu.managedbuild.option.target_mcu" value="STM32F446RETx"/>
  <option id="x.definedsymbols.2" superClass="x.option.definedsymbols" valueType="definedSymbols">
   <listOptionValue builtIn="false" value="DEBUG"/>
   <listOptionValue builtIn="false" value="USE_HAL_DRIVER"/>
   <listOptionValue builtIn="false" value="STM32F446xx"/>
  </option>
 </storageModule>
</cproject>
"""

CPROJECT_SYMBOLS = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<cproject>
 <option superClass="gnu.c.compiler.option.preprocessor.def.symbols" valueType="definedSymbols">
  <listOptionValue builtIn="false" value="CPU_MK64FN1M0VLL12"/>
 </option>
</cproject>
"""

UVPROJX = """<?xml version="1.0" encoding="UTF-8" standalone="no" ?>
<Project>
  <Targets>
    <Target>
      <TargetName>app</TargetName>
      <TargetOption><TargetCommonOption>
        <Device>nRF52840_xxAA</Device>
        <Vendor>Nordic Semiconductor</Vendor>
        <SFDFile>$$Device:nRF52840_xxAA$SVD\\nrf52840.svd</SFDFile>
      </TargetCommonOption>
      <TargetArmAds><Cads><VariousControls><Define>BOARD_PCA10056 NRF52840_XXAA</Define>
      </VariousControls></Cads></TargetArmAds></TargetOption>
    </Target>
  </Targets>
</Project>
"""

EWP = """<?xml version="1.0" encoding="UTF-8"?>
<project><configuration><settings><data>
  <option><name>OGChipSelectEditMenu</name><state>STM32F407VG\tST STM32F407VG</state></option>
  <option><name>CCDefines</name><state>USE_HAL_DRIVER</state></option>
</data></settings></configuration></project>
"""

EMPROJECT = """<!DOCTYPE CrossStudio_Project_File>
<solution Name="app" target="8" version="2">
  <project Name="app">
    <configuration Name="Common" arm_target_device_name="nRF52840_xxAA"
      c_preprocessor_definitions="NRF52840_XXAA;FLOAT_ABI_HARD" />
  </project>
</solution>
"""

LAUNCH = """{
  // for the debugger
  "version": "0.2.0",
  "configurations": [
    {
      "name": "debug", /* a "quoted" comment */
      "type": "cortex-debug",
      "device": "STM32F407VG",
    },
  ],
}
"""

COMMANDS = [
    {
        "directory": "/w/build",
        "file": "../src/main.c",
        "command": "arm-none-eabi-gcc -mcpu=cortex-m4 -DUSE_HAL_DRIVER -DSTM32F407xx -o main.o",
    },
    {
        "directory": "/w/build",
        "file": "../src/uart.c",
        "arguments": ["arm-none-eabi-gcc", "-DDEBUG=1", "-DSTM32F407xx", "-c", "uart.c"],
    },
]

# File, its text, the device, the SVD, and the words of the reason.
KINDS = [
    ("blinky.ioc", IOC, "STM32F407VGT6", "STM32F407.svd", "blinky.ioc line 7 says Mcu.CPN=STM32F"),
    (
        "old.ioc",
        "Mcu.Name=STM32F407V(E-G)Tx\nMcu.UserName=STM32F407VGTx\n",
        "STM32F407VGTx",
        "STM32F407.svd",
        "old.ioc line 2 says Mcu.UserName=STM32F407VGTx",
    ),
    (
        "older.ioc",
        "Mcu.Name=STM32F407V(E-G)Tx\n",
        "STM32F407V(E-G)Tx",
        "STM32F407.svd",
        "older.ioc line 1 says Mcu.Name=STM32F407V(E-G)Tx",
    ),
    (
        "platformio.ini",
        "[env:a]\nplatform = nxplpc\nboard = x\nboard_build.mcu = lpc824m201jdh20 ; chip\n",
        "lpc824m201jdh20",
        "lpc82x.svd",
        "platformio.ini line 4 says [env:a] board_build.mcu = lpc824m201jdh20",
    ),
    (
        "platformio.ini",
        "[env:disco]\nplatform = ststm32@~17\nboard = disco_f407vg\n",
        "STM32f407vg",
        "STM32F407.svd",
        "platformio.ini line 3 says [env:disco] board = disco_f407vg",
    ),
    (
        "platformio.ini",
        "[env]\nplatform = espressif32\n[env:c3]\nboard = esp32-c3-devkitm-1\n",
        "esp32c3",
        "esp32c3.svd",
        "line 4 says [env:c3] board = esp32-c3-devkitm-1",
    ),
    (
        "platformio.ini",
        "[env:x]\nboard = esp32dev\nplatform = espressif32\n",
        "esp32",
        "esp32.svd",
        "board = esp32dev",
    ),
    (
        "platformio.ini",
        "[env:p]\nplatform = raspberrypi\nboard = pico\n",
        "rp2040",
        "rp2040.svd",
        "board = pico",
    ),
    (
        "platformio.ini",
        "[env:k]\nplatform = freescalekinetis\nboard = frdm_kl25z\nbuild_flags = -O2\n"
        "  -D CPU_MKL25Z128VLK4\n",
        "MKL25Z128VLK4",
        "MKL25Z4.svd",
        "",
    ),
    (
        "compile_commands.json",
        json.dumps(COMMANDS, indent=1),
        "STM32F407xx",
        "STM32F407.svd",
        "compile_commands.json line 5 defines STM32F407xx",
    ),
    (
        "build/compile_commands.json",
        json.dumps(COMMANDS),
        "STM32F407xx",
        "STM32F407.svd",
        "build/compile_commands.json line 1 defines STM32F407xx",
    ),
    (
        "build/Debug/compile_commands.json",
        json.dumps(COMMANDS),
        "STM32F407xx",
        "STM32F407.svd",
        "build/Debug/compile_commands.json line 1",
    ),
    (
        "CMakeLists.txt",
        "project(x C)\n# add_compile_definitions(STM32F401xE)\n"
        "target_compile_definitions(app PRIVATE\n  DEBUG\n  STM32F407xx)\n",
        "STM32F407xx",
        "STM32F407.svd",
        "CMakeLists.txt line 5 defines STM32F407xx",
    ),
    (
        "CMakeLists.txt",
        "#[[ old:\nadd_definitions(-DSTM32F401xE)\n]]\nadd_definitions(-DNRF52840_XXAA -DX)\n",
        "NRF52840_XXAA",
        "nrf52840.svd",
        "CMakeLists.txt line 4 defines NRF52840_XXAA",
    ),
    (
        "cmake/board.cmake",
        'set(MCU "STM32F446RET6")\nset(BOARD nucleo)\n',
        "STM32F446RET6",
        "STM32F446.svd",
        "cmake/board.cmake line 1 says MCU = STM32F446RET6",
    ),
    (
        "CMakeLists.txt",
        "set(PICO_BOARD pico_w)\npico_sdk_init()\n",
        "rp2040",
        "rp2040.svd",
        "CMakeLists.txt line 1 says PICO_BOARD = pico_w",
    ),
    (
        "CMakeLists.txt",
        "set(PICO_PLATFORM rp2350-arm-s)\npico_sdk_init()\n",
        "rp2350",
        "rp2350.svd",
        "PICO_PLATFORM = rp2350-arm-s",
    ),
    (
        "CMakeLists.txt",
        "project(x)\npico_sdk_init()\n",
        "rp2040",
        "rp2040.svd",
        "CMakeLists.txt line 2 says pico_sdk_init(), whose default is the RP2040",
    ),
    (
        "Makefile",
        "# MCU = STM32F401RE\nDEVICE = STM32F407VG\nall:\n",
        "STM32F407VG",
        "STM32F407.svd",
        "Makefile line 2 says DEVICE = STM32F407VG",
    ),
    (
        "Makefile",
        "CFLAGS += -mcpu=cortex-m0plus -D__SAMD21J18A__ -DF_CPU=48000000\n",
        "SAMD21J18A",
        "ATSAMD21J18A.svd",
        "Makefile line 1 defines __SAMD21J18A__",
    ),
    (
        "Makefile",
        "C_DEFS = \\\n-DUSE_HAL_DRIVER \\\n-DSTM32F407xx\n",
        "STM32F407xx",
        "STM32F407.svd",
        "Makefile line 3 defines STM32F407xx",
    ),
    (
        "Makefile",
        "SRC = startup_stm32f407xx.s stm32f4xx_hal.c\nLD = STM32F407VGTX_FLASH.ld\n",
        "STM32F407VGTX",
        "STM32F407.svd",
        "names",
    ),
    (
        "target.mk",
        "CFLAGS += -DPART_TM4C123GH6PM -DTARGET_IS_TM4C123_RB1\n",
        "TM4C123GH6PM",
        "TM4C123GH6PM.svd",
        "target.mk line 1 defines PART_TM4C123GH6PM",
    ),
    ("Makefile", "CFLAGS=-DLPC824\n", "LPC824", "lpc82x.svd", "defines LPC824"),
    ("Makefile", "CFLAGS=-DCH32V003\n", "CH32V003", "CH32V003xx.svd", "defines CH32V003"),
    ("Makefile", "CFLAGS=-DGD32VF103\n", "GD32VF103", "GD32VF103.svd", "defines GD32VF103"),
    (
        "Makefile",
        "CFLAGS=-DCPU_MIMXRT1062DVL6A\n",
        "MIMXRT1062DVL6A",
        "MIMXRT1062.svd",
        "defines CPU_MIMXRT1062DVL6A",
    ),
    (
        "Makefile",
        "CFLAGS=-DEFM32GG990F1024\n",
        "EFM32GG990F1024",
        "EFM32GG990F1024.svd",
        "defines EFM32GG990F1024",
    ),
    (
        "Makefile",
        "CFLAGS=-DXMC4500_F100x1024\n",
        "XMC4500_F100x1024",
        "XMC4500.svd",
        "defines XMC4500_F100x1024",
    ),
    (
        "Makefile",
        "CFLAGS=-DMCU=R7FA4M1AB3CFP\n",
        "R7FA4M1AB3CFP",
        "R7FA4M1AB.svd",
        "defines MCU=R7FA4M1AB3CFP",
    ),
    (".vscode/launch.json", LAUNCH, "STM32F407VG", "STM32F407.svd", "launch.json line 8 says devi"),
    (
        ".vscode/settings.json",
        '{\n "cmake.configureSettings": {\n  "PICO_BOARD": "pico2",\n },\n}\n',
        "rp2350",
        "rp2350.svd",
        ".vscode/settings.json line 3 says PICO_BOARD = pico2",
    ),
    (
        ".vscode/settings.json",
        '{"idf.adapterTargetName": "esp32s3"}',
        "esp32s3",
        "esp32s3.svd",
        "adapterTargetName: esp32s3",
    ),
    (
        ".vscode/c_cpp_properties.json",
        '{"configurations": [{"defines": ["DEBUG",\n "STM32F446xx"]}]}',
        "STM32F446xx",
        "STM32F446.svd",
        ".vscode/c_cpp_properties.json line 2 defines STM32F446xx",
    ),
    (
        "CMakePresets.json",
        '{"configurePresets": [{"cacheVariables": {"MCU": {"type": "STRING",\n'
        ' "value": "STM32F446RE"}}}]}',
        "STM32F446RE",
        "STM32F446.svd",
        "CMakePresets.json line 2 says MCU = STM32F446RE",
    ),
    (
        ".eide/eide.json",
        '{"name": "x", "deviceName": "STM32F103C8"}',
        "STM32F103C8",
        "STM32F103xx.svd",
        ".eide/eide.json line 1 says deviceName: STM32F103C8",
    ),
    (".cproject", CPROJECT, "STM32F446RETx", "STM32F446.svd", ".cproject line 5"),
    (
        ".cproject",
        CPROJECT_SYMBOLS,
        "MK64FN1M0VLL12",
        "MK64F12.svd",
        ".cproject line 4 defines CPU_MK64FN1M0VLL12",
    ),
    (
        "app.uvprojx",
        UVPROJX,
        "nRF52840_xxAA",
        "nrf52840.svd",
        "app.uvprojx line 7 says <Device> is nRF52840_xxAA",
    ),
    ("app.ewp", EWP, "STM32F407VG", "STM32F407.svd", "app.ewp line 3 says OGChipSelectEditMenu is"),
    (
        "app.emProject",
        EMPROJECT,
        "nRF52840_xxAA",
        "nrf52840.svd",
        "says arm_target_device_name=nRF52840_xxAA",
    ),
    (
        ".template",
        "Vendor=WCH\nMCU=CH32V003F4P6\n",
        "CH32V003F4P6",
        "CH32V003xx.svd",
        ".template line 2 says MCU=CH32V003F4P6",
    ),
    (
        "sdkconfig",
        '# Espressif\nCONFIG_IDF_TARGET="esp32c3"\nCONFIG_IDF_TARGET_ESP32C3=y\n',
        "esp32c3",
        "esp32c3.svd",
        "sdkconfig line 2 says CONFIG_IDF_TARGET=esp32c3",
    ),
    (
        "build/zephyr/.config",
        'CONFIG_SOC_SERIES="nrf52"\nCONFIG_SOC_FAMILY_NORDIC_NRF=y\nCONFIG_SOC="nrf52840"\n',
        "nrf52840",
        "nrf52840.svd",
        "build/zephyr/.config line 3 says CONFIG_SOC=nrf52840",
    ),
    (
        ".config",
        "CONFIG_SOC_FAMILY_STM32=y\nCONFIG_SOC_SERIES_STM32F4=y\nCONFIG_SOC_STM32F407ZG=y\n",
        "STM32F407ZG",
        "STM32F407.svd",
        ".config line 3 says CONFIG_SOC_STM32F407ZG=y",
    ),
]


@pytest.mark.parametrize(
    ("name", "text", "device", "svd", "reason"), KINDS, ids=[f"{k[0]}-{k[2]}" for k in KINDS]
)
def test_the_project_names_the_device(
    tmp_path: Path, name: str, text: str, device: str, svd: str, reason: str
) -> None:
    make(tmp_path, {**OTHERS, "src/main.c": "", name: text})
    found = discover(tmp_path)
    assert chosen(found) == [(device, svd)]
    assert reason in reasons(found)
    assert told(found) == ""
    assert found.contexts[0].code == ()


def test_a_word_that_an_svd_of_the_workspace_is_called_is_a_device(tmp_path: Path) -> None:
    make(tmp_path, {"acme4000.svd": "", "zeta9.svd": "", "Makefile": "CFLAGS=-DACME4000\n"})
    assert chosen(discover(tmp_path)) == [("ACME4000", "acme4000.svd")]


def test_an_svd_file_in_launch_json_is_taken_by_its_path(tmp_path: Path) -> None:
    launch = '{"configurations": [{"svdFile": "${workspaceFolder}/hw/chip.svd"}]}'
    make(tmp_path, {**OTHERS, "hw/chip.svd": "", ".vscode/launch.json": launch})
    found = discover(tmp_path)
    assert [c.svd for c in found.contexts] == [tmp_path / "hw/chip.svd"]
    assert "svdFile: ${workspaceFolder}/hw/chip.svd" in reasons(found)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("svdPath", "hw/chip.svd"),
        ("definitionPath", "./hw/chip.svd"),
        ("svdFile", "${workspaceRoot}\\\\hw\\\\chip.svd"),
        ("svdFile", "${env:HW}/chip.svd"),
        ("svdFile", "${userHome}/hw/chip.svd"),
        ("svdFile", "~/hw/chip.svd"),
    ],
)
def test_every_way_to_write_the_path_is_known(tmp_path: Path, key: str, value: str) -> None:
    launch = f'{{"configurations": [{{"{key}": "{value}"}}]}}'
    make(tmp_path, {"hw/chip.svd": "", "b.svd": "", ".vscode/launch.json": launch})
    found = discover(tmp_path, env={"HW": str(tmp_path / "hw")}, home=tmp_path)
    assert [c.svd for c in found.contexts] == [tmp_path / "hw/chip.svd"]


def test_an_svd_file_that_is_not_there_still_tells_the_device(tmp_path: Path) -> None:
    launch = '{\n"configurations": [{\n"svdFile": "tools/STM32F446.svd"}]}'
    make(tmp_path, {**OTHERS, ".vscode/launch.json": launch})
    found = discover(tmp_path)
    assert chosen(found) == [("STM32F446", "STM32F446.svd")]
    assert [p.line for p in found.problems] == [3]
    assert "which is not there; an SVD for STM32F446 is looked for instead" in told(found)


def test_a_path_with_an_unknown_variable_tells_the_device_by_its_end(tmp_path: Path) -> None:
    path = "${config:STM32VSCodeExtension.cubeCLT.path}/STMicroelectronics_CMSIS_SVD/STM32F446.svd"
    make(
        tmp_path,
        {**OTHERS, ".vscode/launch.json": f'{{"configurations": [{{"svdFile": "{path}"}}]}}'},
    )
    found = discover(tmp_path)
    assert chosen(found) == [("STM32F446", "STM32F446.svd")]
    assert told(found) == ""


def test_platformio_names_an_svd_file(tmp_path: Path) -> None:
    ini = "[env:a]\nboard = disco_f407vg\nplatform = ststm32\ndebug_svd_path = hw/my.svd\n"
    make(tmp_path, {**OTHERS, "hw/my.svd": "", "platformio.ini": ini})
    found = discover(tmp_path)
    assert chosen(found) == [("STM32f407vg", "my.svd")]


def test_keil_names_an_svd_file_of_the_project(tmp_path: Path) -> None:
    text = UVPROJX.replace("$$Device:nRF52840_xxAA$SVD\\nrf52840.svd", ".\\hw\\my.svd")
    make(tmp_path, {**OTHERS, "hw/my.svd": "", "app.uvprojx": text})
    assert chosen(discover(tmp_path)) == [("nRF52840_xxAA", "my.svd")]


def test_platformio_knows_its_boards_where_it_is_installed(tmp_path: Path) -> None:
    home = make(
        tmp_path / "home",
        {
            ".platformio/platforms/teensy/boards/teensy41.json": json.dumps(
                {"build": {"mcu": "imxrt1062"}}
            ),
            ".platformio/platforms/atmelsam/boards/due.json": json.dumps(
                {"build": {"mcu": "at91sam3x8e"}}
            ),
        },
    )
    root = make(tmp_path / "w", {**OTHERS, "platformio.ini": "[env:due]\nboard = due\n"})
    found = discover(root, home=home)
    assert chosen(found) == [("at91sam3x8e", "ATSAM3X8E.svd")]
    assert "board = due, which PlatformIO knows as at91sam3x8e" in reasons(found)


def test_platformio_environments_by_default_and_their_common_part(tmp_path: Path) -> None:
    ini = """[platformio]
default_envs = main
[common]
chip = nrf52840
[base]
board_build.mcu = ${common.chip}
[env:main]
extends = base
[env:old]
board_build.mcu = nrf51822
"""
    make(tmp_path, {**OTHERS, "platformio.ini": ini})
    assert chosen(discover(tmp_path)) == [("nrf52840", "nrf52840.svd")]


def test_two_environments_are_two_contexts_for_the_same_files(tmp_path: Path) -> None:
    ini = "[env:a]\nboard_build.mcu = nrf52840\n[env:b]\nboard_build.mcu = stm32f407vgt6\n"
    make(tmp_path, {**OTHERS, "platformio.ini": ini, "src/main.c": ""})
    found = discover(tmp_path)
    assert sorted(chosen(found)) == [
        ("nrf52840", "nrf52840.svd"),
        ("stm32f407vgt6", "STM32F407.svd"),
    ]
    assert {c.code for c in found.contexts} == {("**",)}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".cproject", "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
         "<cproject><option valueType='definedSymbols'><listOptionValue value='STM32F446xx'/>"
         "</option>&x;</cproject>"),
        ("a.uvprojx", "<Project><Targets><Target><Device>STM32F446RE</Device>"),
        (".cproject", "\x00\x01 not xml"),
        ("a.ewp", ""),
        ("compile_commands.json", "[{]"),
        ("compile_commands.json", '{"a": 1}'),
        ("compile_commands.json", '[{"command": 5}]'),
        (".vscode/launch.json", '{"configurations": [{"device": 5, "svdFile": []'),
        (".vscode/launch.json", "[" * 5000),
        (".vscode/settings.json", '"' * 999),
        ("platformio.ini", "[env\nboard\n[]\n=\n"),
        ("platformio.ini", "[env:a]\nextends = env:a\nboard = ${env:a.board}\n"),
        ("CMakeLists.txt", "set(((((\n#[[ never closed\n)))"),
        ("x.ioc", "=\nMcu.CPN\nMcu.CPN=\n"),
        ("Makefile", "\\\n" * 50 + "=\n:=\n-D\n-D=\n"),
        ("sdkconfig", "CONFIG_IDF_TARGET=\n"),
    ],
)  # fmt: skip
def test_broken_and_hostile_files_say_nothing_and_stop_nothing(
    tmp_path: Path, name: str, text: str
) -> None:
    make(tmp_path, {"chip.svd": "", name: text})
    found = discover(tmp_path)
    assert chosen(found) == [(None, "chip.svd")]


def test_files_in_latin_1_and_with_odd_line_ends_are_read(tmp_path: Path) -> None:
    make(tmp_path, {**OTHERS, "Makefile": b"# \xfcber\r\nMCU = STM32F446RE\r\n"})
    found = discover(tmp_path)
    assert chosen(found) == [("STM32F446RE", "STM32F446.svd")]
    assert "Makefile line 2" in reasons(found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Makefile", "-DSTM32F407xx " * 200_000),
        ("CMakeLists.txt", "#[[" * 1_000_000),
        (".vscode/launch.json", '"\\' * 1_000_000),
        (".vscode/launch.json", "/*" * 1_000_000),
        ("platformio.ini", "[env:a]\n" + " a=b\n" * 500_000),
        ("x.ioc", "Mcu.CPN=" + "x" * 3_000_000),
        (".cproject", "<a>" * 1_000_000),
    ],
    ids=lambda value: value[:12],
)
def test_files_made_to_be_slow_take_a_moment_only(tmp_path: Path, name: str, text: str) -> None:
    make(tmp_path, {name: text})
    started = time.process_time()
    discover(tmp_path)
    assert time.process_time() - started < 3.0
