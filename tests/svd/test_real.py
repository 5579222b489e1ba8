"""Real SVD files of many vendors: all load, and registers stand where other parsers see them."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from lxml import etree

from datasheet_lsp.model import Device
from datasheet_lsp.svd import load_svd
from tests.support import ROOT, shared

FILES = (
    "APM32F40x ARM_Sample ATSAMD21J18A BL602_soc602_reg CH32V003xx EFM32GG230F1024 GD32VF103 "
    "LPC43xx_43Sxx LPC800_v0.3 MK21D5 MKL25Z4 R7FA4M1AB STM32F103xx STM32F407 STM32F446 STM32G071 "
    "STM32H723 STM32H743x TM4C123GH6PM XMC4500 esp32c3 k210 lpc82x nrf51 nrf52840 psoc63 rp2040"
).split()

Seen = set[tuple[str, int, int]]


def file(name: str) -> Path:
    return shared(f"corpus/svd/{name}.svd")


@cache
def device(name: str) -> Device:
    return load_svd(file(name))


def seen(of: Device) -> Seen:
    return {(p.name, p.base_address + r.offset, r.size) for p, r in of.walk()}


@pytest.mark.parametrize("name", FILES)
def test_loads_without_errors(name: str) -> None:
    loaded = device(name)
    assert loaded.peripherals
    assert [d for d in loaded.diagnostics if d.severity == "error"] == []


@pytest.mark.parametrize("name", FILES)
def test_every_line_points_at_the_element(name: str) -> None:
    lines = file(name).read_text("utf-8", "replace").split("\n")
    for peripheral, register in device(name).walk():
        assert "<register" in lines[register.line - 1], register.path
        for field in register.fields:
            assert "<field" in lines[field.line - 1], f"{register.path}.{field.name}"
        assert "<peripheral" in lines[peripheral.line - 1]


@pytest.mark.parametrize("name", FILES)
def test_peripherals_derived_without_changes_share_their_registers(name: str) -> None:
    tree = etree.parse(file(name))
    by_name = {p.name: p for p in device(name).peripherals}
    for element in tree.iterfind(".//peripheral[@derivedFrom]"):
        own = {child.tag for child in element}
        if own & {"registers", "size", "access", "resetValue", "resetMask", "protection"}:
            continue
        derived, base = (
            by_name[element.findtext("name", "")],
            by_name[element.get("derivedFrom", "")],
        )
        assert derived.block is base.block


# Peers ----------------------------------------------------------------------------------


def interpreter(peer: str) -> str:
    """A Python that has ``peer``: DATASHEET_PEERS, the checkout's own for peers, or this one."""
    if importlib.util.find_spec(peer) and (peer != "svdsuite" or sys.version_info >= (3, 12)):
        return sys.executable
    candidates = [os.environ.get("DATASHEET_PEERS"), str(ROOT / ".venv-peers" / "bin" / "python")]
    for candidate in candidates:
        if candidate and Path(candidate).exists():
            probe = subprocess.run([candidate, "-c", f"import {peer}"], capture_output=True)
            if probe.returncode == 0:
                return candidate
    pytest.skip(f"no Python with {peer}: make peers, or set DATASHEET_PEERS to one")


def as_seen_by(peer: str, name: str) -> Seen | str:
    """What ``peer`` reads, or its last words when it cannot read the file."""
    script = Path(__file__).with_name("peer.py")
    done = subprocess.run(
        [interpreter(peer), str(script), peer, str(file(name))], capture_output=True, text=True
    )
    if done.returncode:
        return done.stderr.strip().splitlines()[-1]
    return {(p, a, s) for p, a, s in json.loads(done.stdout)}


class Rules:
    """Why a peer may differ. Each takes what only one side has and gives what it explains."""

    def __init__(self, name: str) -> None:
        self.tree = etree.parse(file(name))
        self.device = device(name)

    def repeated_element(self, differing: Seen) -> Seen:
        """The peripheral gives its baseAddress twice: the last wins here, the first there."""
        names = {
            p.findtext("name")
            for p in self.tree.iterfind(".//peripheral")
            if len(p.findall("baseAddress")) > 1
        }
        return {item for item in differing if item[0] in names}

    def own_width(self, differing: Seen) -> Seen:
        """The register's own 64 bits are kept here; the peer shows the width from above."""
        wide = {(p, a) for p, a, size in seen(self.device) if size == 64}
        return {(p, a, s) for p, a, s in differing if (p, a) in wide and s in (32, 64)}

    def arrays_in_arrays(self, differing: Seen) -> Seen:
        """An array of clusters in an array of clusters: the peer loses the outer step."""
        nested = {
            (p.name, p.base_address + r.offset)
            for p, r in self.device.walk()
            if r.template.count("%s") > 1
        }
        names = {p for p, _ in nested}
        ours = {(p, a, s) for p, a, s in differing if (p, a) in nested}
        return ours | {item for item in differing - seen(self.device) if item[0] in names}


# What a peer cannot read at all, by the part of its last words that says why.
REFUSALS = {
    "can't get element 'version'": "it insists on a version element, which SVD 1.0 did not need",
    "NotImplementedError": "it has no derivedFrom on some kinds of items",
    "Some nodes were not processed": "it cannot order derivations that go through one another",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("peer", ["cmsis_svd", "svdsuite"])
def test_registers_stand_where_peers_see_them(peer: str, name: str) -> None:
    theirs = as_seen_by(peer, name)
    if isinstance(theirs, str):
        assert any(part in theirs for part in REFUSALS), theirs
        return
    differing = seen(device(name)) ^ theirs
    rules = Rules(name)
    for rule in (rules.repeated_element, rules.own_width, rules.arrays_in_arrays):
        differing -= rule(differing)
    assert differing == set()
