"""Files of lines ``key = value``: STM32CubeMX, PlatformIO, Kconfig, MounRiver."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from datasheet_lsp.workspace.evidence.file import ProjectFile, Rank
from datasheet_lsp.workspace.types import Evidence

MAX_LINES = 10_000

_CUBE_KEYS = {
    "Mcu.CPN": 4,
    "Mcu.UserName": 3,
    "ProjectManager.DeviceId": 2,
    "Mcu.Name": 1,
}


def read_ioc(file: ProjectFile) -> Iterator[Evidence]:
    """STM32CubeMX: the order code, or what stands for it in older files."""
    found = []
    for number, line in enumerate(file.lines, 1):
        key, _, value = line.partition("=")
        if key in _CUBE_KEYS and value.strip():
            found.append((-_CUBE_KEYS[key], number, key, value.strip()))
    for _, number, key, value in sorted(found)[:1]:
        yield from file.device(number, f"{key}={value}", Rank.CUBE, value, file.path.name)


def read_template(file: ProjectFile) -> Iterator[Evidence]:
    """MounRiver Studio's ``.template``."""
    for number, line in enumerate(file.lines, 1):
        key, _, value = line.partition("=")
        if key.strip() == "MCU":
            yield from file.device(number, line.strip(), Rank.IDE, value)


def read_kconfig(file: ProjectFile) -> Iterator[Evidence]:
    """``sdkconfig`` of ESP-IDF, ``.config`` of Zephyr, RT-Thread and others."""
    for number, line in enumerate(file.lines, 1):
        found = re.match(r"(CONFIG_\w+)=(.*)$", line)
        if found is None:
            continue
        key, value = found[1], found[2].strip().strip('"')
        if key in ("CONFIG_IDF_TARGET", "CONFIG_SOC", "CONFIG_SOC_PART_NUMBER"):
            yield from file.device(number, f"{key}={value}", Rank.KCONFIG, value)
        elif value == "y" and re.match(r"CONFIG_(SOC|CPU|MCU)_(?!SERIES|FAMILY)", key):
            word = key.split("_", 2)[2]
            yield from file.word(number, f"{key}=y", Rank.KCONFIG, word)


_Section = dict[str, tuple[int, str]]


def read_platformio(file: ProjectFile) -> Iterator[Evidence]:
    """PlatformIO: each environment that is built by default is a group of its own."""
    sections = _sections(file)
    names = [name for name in sections if name.startswith("env:")]
    chosen = _value(sections.get("platformio", {}), "default_envs")
    defaults = [f"env:{name.strip()}" for name in re.split(r"[,\n]", chosen) if name.strip()]
    names = [name for name in names if name in defaults] or names
    for name in names:
        yield from _environment(file, _merged(sections, name), name)


def _environment(file: ProjectFile, section: _Section, name: str) -> Iterator[Evidence]:
    for key in ("debug_svd_path", "board_debug.svd_path", "debug.svd_path"):
        if key in section:
            line, value = section[key]
            yield from file.svd(line, f"[{name}] {key} = {value}", value, name)
    for key in ("build_flags", "build_src_flags"):
        if key in section:
            line, value = section[key]
            for define in re.findall(r"-D\s*([^\s]+)", value):
                yield from file.define(line, define, Rank.DEFINE, name)
    line, board = section.get("board", (0, ""))
    if "board_build.mcu" in section:
        line, value = section["board_build.mcu"]
        says = f"[{name}] board_build.mcu = {value}"
        yield from file.device(line, says, Rank.PLATFORMIO, value, name)
    elif board:
        says = f"[{name}] board = {board}"
        mcu = _board_mcu(file, board)
        if mcu:
            says += f", which PlatformIO knows as {mcu}"
            yield from file.device(line, says, Rank.PLATFORMIO, mcu, name)
        else:
            for device in _named_by_board(file, board, _value(section, "platform")):
                yield from file.device(line, says, Rank.PLATFORMIO, device, name)


def _sections(file: ProjectFile) -> dict[str, _Section]:
    """The sections with line and value of each key; indented lines go on with the value."""
    sections: dict[str, _Section] = {}
    current: _Section = {}
    last = ""
    for number, raw in enumerate(file.lines[:MAX_LINES], 1):
        line = re.sub(r"(^|\s)[;#].*$", "", raw).rstrip()
        if not line:
            continue
        header = re.fullmatch(r"\s*\[([^\]]+)\]", line)
        if header:
            current = sections.setdefault(header[1].strip(), {})
            last = ""
        elif line[0].isspace() and last:
            at, value = current[last]
            current[last] = (at, f"{value}\n{line.strip()}".strip())
        elif "=" in line:
            key, _, value = line.partition("=")
            last = key.strip()
            current[last] = (number, value.strip())
    return sections


def _merged(sections: dict[str, _Section], name: str, depth: int = 0) -> _Section:
    """A section over what it extends and over ``[env]``."""
    section = sections.get(name, {})
    result: _Section = dict(sections.get("env", {})) if depth == 0 else {}
    if depth < 8:
        for base in re.split(r"[,\n]", _value(section, "extends")):
            result.update(_merged(sections, base.strip(), depth + 1) if base.strip() else {})
    result.update(section)
    if depth == 0:
        return {key: (at, _filled(sections, value)) for key, (at, value) in result.items()}
    return result


def _filled(sections: dict[str, _Section], value: str) -> str:
    """The value with ``${section.key}`` filled in once."""

    def fill(found: re.Match[str]) -> str:
        section, _, key = found[1].rpartition(".")
        return _value(sections.get(section, {}), key) or found[0]

    return re.sub(r"\$\{([\w:]+\.[\w.]+)\}", fill, value)


def _value(section: _Section, key: str) -> str:
    return section[key][1] if key in section else ""


def core_folder(file: ProjectFile) -> Path:
    """PlatformIO's own folder."""
    return Path(file.env.get("PLATFORMIO_CORE_DIR") or file.home / ".platformio")


def _board_mcu(file: ProjectFile, board: str) -> str:
    """The chip of a board by its description, where PlatformIO has installed one."""
    if not re.fullmatch(r"[\w.+-]+", board):
        return ""
    places = [file.folder / "boards" / f"{board}.json"]
    try:
        places += sorted(core_folder(file).glob(f"platforms/*/boards/{board}.json"))
    except OSError:
        pass
    for place in places:
        try:
            mcu = json.loads(place.read_bytes())["build"]["mcu"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
        if isinstance(mcu, str):
            return mcu
    return ""


def _named_by_board(file: ProjectFile, board: str, platform: str) -> list[str]:
    """The chip that stands in a board's name: nucleo_f446re, nrf52840_dk, esp32-c3-devkitm-1."""
    words = re.split(r"[_-]", re.sub(r"^generic", "", board))
    if "ststm32" in platform:  # ST's boards leave out the family's first letters
        short = [f"STM32{word}" for word in words if re.fullmatch(r"[fghluw][a-z]?\d\w{2,}", word)]
        if short:
            return short[:1]
    if "raspberrypi" in platform:
        return ["rp2350" if "pico2" in board else "rp2040"]
    pairs = ["".join(pair) for pair in zip(words, words[1:], strict=False)]
    esp = [pair for pair in pairs if re.fullmatch(r"esp32[a-z]\d", pair)]
    if not esp and re.match(r"esp32(dev|cam|doit)?$", words[0]):
        return ["esp32"]
    return esp[:1] or [word for word in words if file.names_part(word)][:1]
