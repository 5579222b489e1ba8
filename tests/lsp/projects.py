"""Small firmware projects on disk, with SVD files of two made-up chips."""

from __future__ import annotations

from pathlib import Path

from tests.mistakes.chip import SVD


def svd(name: str, uart: int, cpu: str = "") -> str:
    """A chip with UART1 at ``uart``: SR at 0x00, BRR at 0x08, FIFO[0..3] from 0x10.

    ``cpu`` is its processor as SVD files name it, none by default.
    """
    core = f"<cpu><name>{cpu}</name></cpu>" if cpu else ""
    return f"""<?xml version="1.0" encoding="utf-8"?>
<device>
  <name>{name}</name>
  <description>The chip {name}</description>{core}
  <addressUnitBits>8</addressUnitBits>
  <width>32</width>
  <size>32</size>
  <access>read-write</access>
  <resetValue>0</resetValue>
  <peripherals>
    <peripheral>
      <name>UART1</name>
      <description>Serial port of {name}</description>
      <baseAddress>{uart:#x}</baseAddress>
      <registers>
        <register>
          <name>SR</name>
          <description>Status</description>
          <addressOffset>0x0</addressOffset>
        </register>
        <register>
          <name>BRR</name>
          <description>Baud rate of {name}</description>
          <addressOffset>0x8</addressOffset>
          <fields>
            <field>
              <name>DIV</name>
              <description>Divider</description>
              <bitRange>[15:4]</bitRange>
            </field>
          </fields>
        </register>
        <register>
          <dim>4</dim>
          <dimIncrement>4</dimIncrement>
          <name>FIFO[%s]</name>
          <description>Queue</description>
          <addressOffset>0x10</addressOffset>
        </register>
      </registers>
    </peripheral>
  </peripherals>
</device>
"""


def made_up(root: Path, code: str) -> Path:
    """``root`` is a project of the made-up chip; returns its one file."""
    (root / "madeup.svd").write_text(SVD)
    (root / ".git").mkdir()
    path = root / "main.c"
    path.write_text(code, encoding="utf-8")
    return path


def line_of(text: str, part: str) -> int:
    """The 0-based number of the line of an SVD in which the element ``part`` begins.

    ``part`` is a name; the element is the one around it.
    """
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if f"<name>{part}</name>" in line)
    while "<register>" not in lines[at] and "<peripheral>" not in lines[at]:
        at -= 1
    return at


def one_chip(root: Path) -> Path:
    """A project with one SVD and a main.c; returns the path of main.c."""
    (root / "chip.svd").write_text(svd("ALPHA", 0x40001000))
    main = root / "main.c"
    main.write_text("void setup(void)\n{\n    UART1->BRR = 0x683;\n}\n")
    return main


def two_chips(root: Path) -> tuple[Path, Path]:
    """A project whose folders a/ and b/ are for two chips; returns a C file of each."""
    (root / "alpha.svd").write_text(svd("ALPHA", 0x40001000))
    (root / "beta.svd").write_text(svd("BETA", 0x50001000))
    (root / "datasheet.toml").write_text(
        '[[context]]\nname = "first"\nsvd = "alpha.svd"\ncode = ["a/**"]\n\n'
        '[[context]]\nname = "second"\nsvd = "beta.svd"\ncode = ["b/**"]\n'
    )
    files = []
    for folder in ("a", "b"):
        (root / folder).mkdir()
        file = root / folder / "main.c"
        file.write_text("int x = UART1->BRR;\n")
        files.append(file)
    return files[0], files[1]
