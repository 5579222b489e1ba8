"""Small project trees for the tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from datasheet_lsp.workspace import Discovery, find_contexts, read_settings

NOWHERE = Path("/nonexistent")


def svd(name: str, description: str = "A chip for tests", peripheral: str = "UART0") -> str:
    """A whole SVD file for a device called ``name``."""
    return f"""<?xml version="1.0" encoding="utf-8"?>
<device schemaVersion="1.3">
  <name>{name}</name>
  <version>1.0</version>
  <description>{description}</description>
  <addressUnitBits>8</addressUnitBits>
  <width>32</width>
  <peripherals>
    <peripheral>
      <name>{peripheral}</name>
      <baseAddress>0x40001000</baseAddress>
      <registers>
        <register><name>DR</name><addressOffset>0x4</addressOffset></register>
      </registers>
    </peripheral>
  </peripherals>
</device>
"""


def make(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Writes the files below ``root``; a name that ends with .svd and no text gets an SVD."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content == "" and name.endswith(".svd"):
            content = svd(path.stem)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
    return root


def discover(
    root: Path,
    *,
    options: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    home: Path = NOWHERE,
    system: Path = NOWHERE,
) -> Discovery:
    """What is found in ``root`` on a machine that has no tools unless told."""
    settings, problems = read_settings(root, options)
    assert problems == []
    return find_contexts(root, settings, env=env or {}, home=home, system=system)


def chosen(found: Discovery) -> list[tuple[str | None, str | None]]:
    """Device and SVD file of each context."""
    return [(c.device, c.svd.name if c.svd else None) for c in found.contexts]


def told(found: Discovery) -> str:
    """All problems as one text."""
    return "\n".join(problem.message for problem in found.problems)


def reasons(found: Discovery) -> str:
    """All reasons as one text."""
    return "\n".join(reason for context in found.contexts for reason in context.reasons)
