"""XML project files: Eclipse (STM32CubeIDE, MCUXpresso ...), Keil, IAR, SEGGER.

They come from anywhere, so they are parsed without entities, network or DOCTYPE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from datasheet_lsp.workspace.evidence.file import ProjectFile, Rank
from datasheet_lsp.workspace.types import Evidence

if TYPE_CHECKING:
    from lxml.etree import _Element


def parse(data: bytes) -> _Element | None:
    """The root element, None where the data is no XML or has a DOCTYPE."""
    if not data.strip() or b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        return None
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_pis=True
    )
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def _line(element: _Element) -> int | None:
    line = element.sourceline
    return line if isinstance(line, int) else None


def read_cproject(file: ProjectFile) -> Iterator[Evidence]:
    """Eclipse: the device chosen for the toolchain, and the defined symbols."""
    root = parse(file.read())
    if root is None:
        return
    for option in root.iter("option"):
        kind = f"{option.get('superClass', '')} {option.get('id', '')}".lower()
        if option.get("valueType") == "definedSymbols" or "definedsymbols" in kind:
            for entry in option.iter("listOptionValue"):
                yield from file.define(_line(entry), entry.get("value", ""), Rank.ECLIPSE_DEFINE)
        elif re.search(r"mcu|device|chip|target", kind):
            value = option.get("value", "")
            says = f"the option {option.get('name') or 'target'} is {value}"
            yield from file.word(_line(option), says, Rank.ECLIPSE, value)
    for module in root.iter("storageModule", "projectStorage"):
        for name in re.findall(r"<name>([^<]+)</name>", module.text or ""):
            says = f"the project is for {name}"
            yield from file.word(_line(module), says, Rank.ECLIPSE, name)


def read_keil(file: ProjectFile) -> Iterator[Evidence]:
    """Keil uVision: device, SVD and defines of each target."""
    root = parse(file.read())
    if root is None:
        return
    for target in root.iter("Target"):
        group = f"target {target.findtext('TargetName', '')}"
        for device in target.iter("Device"):
            says = f"<Device> is {device.text}"
            yield from file.device(_line(device), says, Rank.IDE, device.text or "", group)
        for svd in target.iter("SFDFile"):
            # "$$Device:...$" is the one of the device's pack, which follows from the device.
            if svd.text and not svd.text.startswith("$$"):
                yield from file.svd(_line(svd), f"<SFDFile> is {svd.text}", svd.text, group)
        for defines in target.iter("Define"):
            for word in re.split(r"[\s,]+", defines.text or ""):
                yield from file.define(_line(defines), word, Rank.ECLIPSE_DEFINE, group)


def read_iar(file: ProjectFile) -> Iterator[Evidence]:
    """IAR Embedded Workbench: the chip of each configuration, and the defines."""
    root = parse(file.read())
    if root is None:
        return
    for option in root.iter("option"):
        name = option.findtext("name", "")
        for state in option.iter("state"):
            text = (state.text or "").strip()
            if name == "OGChipSelectEditMenu" and text:
                says = f"{name} is {text.split()[0]}"
                yield from file.device(_line(state), says, Rank.IDE, text.split()[0])
            elif name == "CCDefines":
                yield from file.define(_line(state), text, Rank.ECLIPSE_DEFINE)


def read_segger(file: ProjectFile) -> Iterator[Evidence]:
    """SEGGER Embedded Studio: the device and the defines of each configuration."""
    data = re.sub(rb"<!DOCTYPE [\w]+>", b"", file.read(), count=1)  # theirs has no more to it
    root = parse(data)
    if root is None:
        return
    for element in root.iter("configuration"):
        line = _line(element)
        device = element.get("arm_target_device_name", "")
        yield from file.device(line, f"arm_target_device_name={device}", Rank.IDE, device)
        for word in element.get("c_preprocessor_definitions", "").split(";"):
            yield from file.define(line, word, Rank.ECLIPSE_DEFINE)
