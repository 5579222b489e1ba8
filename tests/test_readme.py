"""The README's commands do what it says, run as a user would in the demo's folder."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest

from tests.support import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.M | re.S)


COMMANDS = [line for block in blocks("sh") for line in block.splitlines()]


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """A copy of the demo, so that no index is left in the checkout."""
    return Path(shutil.copytree(ROOT / "data" / "demo", tmp_path / "demo"))


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    name, *arguments = shlex.split(command)
    assert name == "datasheet-lsp"
    program = shutil.which(name, path=str(Path(sys.executable).parent))
    assert program, "datasheet-lsp is not installed beside this Python"
    environment = {**os.environ, "PYTHONUTF8": "1"}
    return subprocess.run(
        [program, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )


def test_readme_has_commands() -> None:
    assert len(COMMANDS) >= 7


@pytest.mark.parametrize("command", COMMANDS)
def test_command_of_the_readme_runs(command: str, demo: Path) -> None:
    done = run(command, demo)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    if command.endswith(("--json", "schema")):
        json.loads(done.stdout)


def test_doctor_says_which_device_and_why(demo: Path) -> None:
    said = run("datasheet-lsp doctor", demo).stdout
    assert "STM32F407" in said and "STM32F407_demo.svd" in said
    assert "STM32F407xx" in said and "Makefile" in said


def test_hover_of_the_readme_is_the_baud_rate_register(demo: Path) -> None:
    command = next(c for c in COMMANDS if " hover " in c)
    done = run(f"{command} --json", demo)
    answer = json.loads(done.stdout)
    assert answer["address"] == 0x40004408
    assert [r["path"] for r in answer["registers"]] == ["USART2.BRR"]


def test_picture_of_the_readme_shows_what_the_hover_says(demo: Path) -> None:
    command = next(c for c in COMMANDS if " hover " in c)
    markdown = json.loads(run(f"{command} --json", demo).stdout)["markdown"]
    plain = re.sub(r"[*`\\]|&nbsp;", "", markdown)
    picture = (ROOT / "docs" / "hover.svg").read_text(encoding="utf-8")
    for fact in (
        "USART2.BRR",
        "0x4000 4408",
        "0x0000 0000",
        "DIV_Mantissa",
        "15:4",
        "DIV_Fraction",
        "3:0",
    ):
        assert fact in picture and fact in plain, fact
    line = re.search(r"STM32F407_demo\.svd, line (\d+)", picture)
    assert line and line[1] in plain


def test_verbs_of_make_in_the_readme_exist() -> None:
    verbs = re.findall(r"^make (\S+)", "\n".join(blocks("console")), re.M)
    assert {"setup", "demo", "test"} <= set(verbs)
    for verb in verbs:
        assert re.search(rf"^{verb}:", MAKEFILE, re.M), verb


def test_settings_of_the_readme_are_valid(tmp_path: Path) -> None:
    (settings,) = blocks("toml")
    schema = json.loads(run("datasheet-lsp config schema", tmp_path).stdout)
    jsonschema.validate(tomllib.loads(settings), schema)


def test_links_of_the_readme_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    for link in links:
        assert link.startswith("https://") or (ROOT / link).exists(), link
