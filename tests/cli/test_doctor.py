"""``doctor`` and ``config``: what was found and why."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from datasheet_lsp import __version__
from tests.cli.command import CODE, GOLDEN, answer, run


def test_doctor_says_what_was_chosen_and_why(project: Path) -> None:
    found = answer("doctor", project)
    (context,) = found["contexts"]
    assert context["svd"] == str(project / "chip.svd")
    assert context["reasons"]
    loaded = context["loaded"]
    assert (loaded["name"], loaded["peripherals"], loaded["registers"]) == ("GOLD1", 2, 30)
    assert found["version"] == __version__ and found["packages"]["pygls"]
    assert found["root"] == str(project)
    said = run("doctor", project).stdout
    assert said.startswith("device ") and "2 peripherals, 30 registers" in said
    assert " ".join(context["reasons"][0].split()) in " ".join(said.split())


def test_doctor_says_what_is_missing_and_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "Makefile").write_text("CFLAGS += -DSTM32F407xx\n")
    done = run("doctor", tmp_path)
    assert done.returncode == 0
    assert "STM32F407" in done.stdout and "datasheet.toml" in done.stdout
    assert "CMSIS pack" in done.stdout


def test_doctor_never_fails(tmp_path: Path) -> None:
    (tmp_path / "datasheet.toml").write_text("[[context]]\nsvd = 3\nnonsense = 1\n")
    (tmp_path / "bad.svd").write_text("<html/>")
    (tmp_path / ".datasheet").mkdir()
    (tmp_path / ".datasheet" / "index.sqlite").write_bytes(b"no database" * 100)
    found = answer("doctor", tmp_path)
    assert any("svd" in problem["message"] for problem in found["problems"])
    assert run("doctor", tmp_path / "gone").returncode == 0
    assert answer("doctor", tmp_path / "gone")["problems"]


def test_doctor_on_a_file_says_which_device_is_for_it(project: Path) -> None:
    (project / "sim").mkdir()
    (project / "sim" / "host.c").write_bytes(CODE)
    other = GOLDEN.read_text(encoding="utf-8").replace("GOLD1", "GOLD2")
    (project / "two.svd").write_text(other, encoding="utf-8")
    (project / "datasheet.toml").write_text(
        '[[context]]\nsvd = "chip.svd"\ncode = ["src/**"]\n'
        '[[context]]\nsvd = "two.svd"\ncode = ["sim/**"]\n'
    )
    contexts = answer("doctor", project / "sim" / "host.c")["contexts"]
    assert [c["applies_to_file"] for c in contexts] == [False, True]


def test_config_shows_the_settings_that_hold(project: Path) -> None:
    (project / "datasheet.toml").write_text("[hover]\nmax_rows = 3\n")
    done = run("config", "show", project)
    settings = json.loads(done.stdout)
    assert settings["hover"]["max_rows"] == 3
    jsonschema.validate(settings, json.loads(run("config", "schema").stdout))


def test_config_tells_what_is_wrong(project: Path) -> None:
    (project / "datasheet.toml").write_text('[hover]\nmax_rows = "many"\n')
    done = run("config", "show", project)
    assert done.returncode == 0
    assert "max_rows" in done.stderr and json.loads(done.stdout)["hover"]["max_rows"] == 64


def test_passwords_are_not_printed(tmp_path: Path) -> None:
    (tmp_path / "datasheet.toml").write_text('[documents.password]\n"a.pdf" = "hush"\n')
    done = run("config", "show", folder=tmp_path)
    assert json.loads(done.stdout)["documents"]["password"] == {"a.pdf": "(hidden)"}
    assert "hush" not in done.stdout + done.stderr
