"""check and explain on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import answer, run
from tests.mistakes.chip import SVD

CODE = """\
void f(void)
{
    USART2->CR1 = 0x2000;
    GPIOA->IDR = 1;
    ADC->CTRLB.bit.RESSEL = 1;
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "chip.svd").write_text(SVD)
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "\u00e4 main.c").write_text(
        "/* \u00e4 */ void g(void) { GPIOA->IDR = 1; }\n"
    )
    (tmp_path / "src" / "main.c").write_text(CODE)
    return tmp_path


def test_mistakes_make_it_fail(project: Path) -> None:
    done = run("check", "src", folder=project)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("src/main.c:4:5: warning: GPIOA.IDR: ")
    assert lines[0].endswith("[read-only-register]")
    assert lines[-1] == "2 findings in 2 files"


def test_exit_code_is_as_asked_for(project: Path) -> None:
    assert run("check", "src", "--fail-on", "error", folder=project).returncode == 0
    assert run("check", "src", "--fail-on", "never", folder=project).returncode == 0
    assert run("check", "nowhere", folder=project).returncode == 2
    (project / "datasheet.toml").write_text('[diagnostics.severity]\nread-only-register = "off"\n')
    done = run("check", "src", folder=project)
    assert (done.returncode, done.stdout) == (0, "0 findings in 2 files\n")


def test_json_has_places_in_characters_of_editors(project: Path) -> None:
    done = run("check", "src", "--json", folder=project)
    found = json.loads(done.stdout)
    assert found["files"] == 2
    umlaut = found["findings"][1]
    assert (umlaut["line"], umlaut["column"], umlaut["end_column"]) == (1, 24, 34)
    assert umlaut["code"] == "read-only-register" and umlaut["severity"] == "warning"


def test_sarif_names_rules_and_places(project: Path) -> None:
    run("check", "src", "--sarif", "out.sarif", folder=project)
    log = json.loads((project / "out.sarif").read_text(encoding="utf-8"))
    assert log["version"] == "2.1.0"
    (one,) = log["runs"]
    rules = [rule["id"] for rule in one["tool"]["driver"]["rules"]]
    assert "reserved-bits" in rules
    result = one["results"][0]
    assert rules[result["ruleIndex"]] == result["ruleId"] == "read-only-register"
    assert result["level"] == "warning"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "src/main.c"
    assert place["region"] == {"startLine": 4, "startColumn": 5, "endLine": 4, "endColumn": 15}
    uris = [r["locations"][0]["physicalLocation"]["artifactLocation"] for r in one["results"]]
    assert uris[1]["uri"] == "src/%C3%A4%20main.c"


def test_lines_are_explained_in_order(project: Path) -> None:
    told = answer("explain", "src/main.c:3-5", folder=project)
    assert [(a["line"], a["registers"], a["how"]) for a in told["accesses"]] == [
        (3, ["USART2.CR1"], "assign"),
        (4, ["GPIOA.IDR"], "assign"),
        (5, ["ADC.CTRLB.RESSEL"], "assign"),
    ]
    assert told["accesses"][0]["value"] == 0x2000
    text = run("explain", "src/main.c:3", folder=project).stdout
    assert "USART2.CR1" in text and "0x2000: UE" in text and "GPIOA" not in text
    wrong = run("explain", "src/main.c:9-3", folder=project)
    assert wrong.returncode == 2
