"""A project file being read for what it says about the device."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path, PureWindowsPath

from datasheet_lsp.workspace import names
from datasheet_lsp.workspace.types import Evidence

MAX_BYTES = 4 * 1024 * 1024
MAX_SAID = 100


class Rank:
    """Which kind of file decides where several speak: the higher."""

    SVD = 95  # an SVD file by its path: a debugger's, a project's
    CUBE = 90  # .ioc
    IDE = 80  # Keil, IAR, SEGGER, MounRiver: the device chosen in a list
    PLATFORMIO = 75
    ECLIPSE = 70
    DEBUG = 65  # launch.json: device
    KCONFIG = 60
    COMMANDS = 55  # compile_commands.json
    ECLIPSE_DEFINE = 50
    DEFINE = 45  # CMake, make
    EDITOR = 40  # settings.json, c_cpp_properties.json
    VARIABLE = 30  # MCU = ...
    DEFAULT = 20  # what a build system takes when nothing is said
    MENTION = 10  # startup_stm32f407xx.s


class ProjectFile:
    """A file, the folder it speaks for and what its words can be compared with."""

    def __init__(
        self,
        path: Path,
        folder: Path,
        root: Path,
        *,
        home: Path,
        env: Mapping[str, str],
        resembles: Callable[[str], bool],
    ) -> None:
        self.path = path
        self.folder = folder
        self.root = root
        self.home = home
        self.env = env
        self._resembles = resembles

    def read(self, limit: int = MAX_BYTES) -> bytes:
        """The file's bytes; b"" where it is larger than ``limit`` or cannot be read."""
        try:
            with self.path.open("rb") as file:
                data = file.read(limit + 1)
        except OSError:
            return b""
        return data if len(data) <= limit else b""

    @cached_property
    def text(self) -> str:
        """The file as text, each line end a newline."""
        text = self.read().decode("utf-8", "replace").removeprefix("\ufeff")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without their ends."""
        return self.text.split("\n")

    def names_part(self, word: str) -> bool:
        """Whether a word is a device: it begins as makers' parts do, or an SVD here has it."""
        return 3 < len(word) <= names.MAX_LENGTH and (
            names.is_known_part(word) or self._resembles(word)
        )

    def device(
        self, line: int | None, says: str, rank: int, device: str, group: str = ""
    ) -> Iterator[Evidence]:
        """Evidence for a device, nothing where the text is no name of one."""
        device = names.plain_name(device.strip())
        if rank <= Rank.MENTION:
            device = device.partition("_")[0]  # stm32f407xx_hal.c, STM32F407VGTX_FLASH.ld
        if device and names.read(device) and names.is_part(device):
            yield Evidence(
                self.path, line, _shorten(says), rank, self.folder, device=device, group=group
            )

    def word(
        self, line: int | None, says: str, rank: int, word: str, group: str = ""
    ) -> Iterator[Evidence]:
        """Evidence for a word that may be a device, nothing where it does not look like one."""
        if self.names_part(word):
            yield from self.device(line, says, rank, word, group)

    def define(self, line: int | None, text: str, rank: int, group: str = "") -> Iterator[Evidence]:
        """Evidence of a preprocessor define ``NAME`` or ``NAME=value``."""
        name, _, value = text.strip().strip("\"'\\").partition("=")
        name = name.strip()
        if core := re.fullmatch(r"(?:CORE_)(CM\d+P?(?:LUS)?)", name):
            yield Evidence(self.path, line, text, rank, self.folder, core=core[1], group=group)
        yield from self.word(line, f"defines {name}", rank, name, group)
        value = value.strip("\"'\\ ")
        if value and _NAMING.fullmatch(name):
            yield from self.word(line, f"defines {name}={value}", rank, value, group)

    def variable(
        self, line: int | None, name: str, value: str, rank: int, group: str = ""
    ) -> Iterator[Evidence]:
        """Evidence of a build variable such as ``MCU = STM32F407VG``."""
        value = value.strip().strip("\"'").strip()
        says = f"{name} = {value}"
        if name == "PICO_PLATFORM" or name == "IDF_TARGET":
            chip = re.match(r"rp\d{4}|esp32\w*", value)
            if chip:
                yield from self.device(line, says, rank, chip[0], group)
        elif name == "PICO_BOARD":
            # The boards of the pico-sdk: pico2 and what is derived from it have an RP2350.
            chip_name = "rp2350" if re.match(r"\w*pico2", value) else "rp2040"
            if "pico" in value or self.names_part(value):
                yield from self.device(line, says, rank, chip_name, group)
        elif _NAMING.fullmatch(name):
            yield from self.word(line, says, rank, value, group)

    def svd(self, line: int | None, says: str, written: str, group: str = "") -> Iterator[Evidence]:
        """Evidence for an SVD file by its path, as written in the file."""
        written = written.strip()
        if written:
            yield Evidence(
                self.path,
                line,
                _shorten(says),
                Rank.SVD,
                self.folder,
                svd=self.expand(written),
                group=group,
            )

    def expand(self, written: str) -> str:
        """A path with the editor's variables filled in; unknown ones stay."""
        known = {
            "workspaceFolder": os.fspath(self.folder),
            "workspaceRoot": os.fspath(self.folder),
            "fileWorkspaceFolder": os.fspath(self.folder),
            "workspaceFolderBasename": self.folder.name,
            "cwd": os.fspath(self.folder),
            "userHome": os.fspath(self.home),
            "pathSeparator": "/",
            "/": "/",
            "PROJECT_DIR": os.fspath(self.folder),
            "PROJECT_CORE_DIR": os.fspath(self.home / ".platformio"),
        }

        def fill(found: re.Match[str]) -> str:
            name = found[1].partition(":")[0] if found[1].startswith("workspace") else found[1]
            if name.startswith(("env:", "sysenv.")):
                return self.env.get(re.split(r"[:.]", name, maxsplit=1)[1], found[0])
            return known.get(name.removeprefix("platformio.").upper(), known.get(name, found[0]))

        text = written.replace("$PROJECT_DIR", "${PROJECT_DIR}")
        text = re.sub(r"\$\{([^{}]+)\}", fill, text)
        if text.startswith("~/"):
            text = os.fspath(self.home / text[2:])
        return text.replace("\\", "/")


_NAMING = re.compile(
    r"(?:\w*_)?(?:MCU|DEVICE|CHIP|CPU|SOC|PART|TARGET|PROCESSOR|CONTROLLER)"
    r"(?:_?(?:NAME|MODEL|TYPE|DEVICE|PART|PARTNUMBER|VARIANT|CHIP|ID|MCU))?",
    re.IGNORECASE,
)


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_SAID else f"{text[:MAX_SAID]}..."


def last_part(written: str) -> str:
    """The file name of a path with either kind of slash."""
    return PureWindowsPath(written).name
