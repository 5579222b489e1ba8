"""The command as a whole: help, version, errors, pipes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from datasheet_lsp import __version__
from datasheet_lsp.cli.main import VERBS
from tests.cli.command import GOLDEN, refused, run


def test_version() -> None:
    assert run("--version").stdout == f"datasheet-lsp {__version__}\n"


def test_help_lists_the_verbs_and_each_has_its_own() -> None:
    said = run("--help").stdout
    for verb in VERBS:
        assert verb in said
    assert "FILE:LINE:COLUMN" in run("hover", "--help").stdout


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb: str) -> None:
    done = run(verb, "--help")
    assert done.returncode == 0
    assert f"datasheet-lsp {verb}" in done.stdout


def test_without_a_verb_the_help_is_shown() -> None:
    done = run()
    assert done.returncode == 2
    assert "hover" in done.stderr and done.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["nosuch"],
        ["--nosuch"],
        ["show"],
        ["show", "A", "--nosuch"],
        ["hover"],
        ["hover", "main.c"],
        ["hover", "main.c:0:1"],
        ["hover", "main.c:1:x"],
        ["hover", "a.c:1:1", "--batch", "places"],
        ["decode", "UART1.CTRL", "--svd", GOLDEN, "twelve"],
        ["config"],
        ["serve", "--tcp", "0.0.0.0:9000"],
    ],
)
def test_a_wrong_call_is_one_sentence_and_2(arguments: list[object]) -> None:
    refused(*arguments, code=2)


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = [sys.executable, "-m", "datasheet_lsp", "registers", str(GOLDEN), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.wait(30)


def test_hover_loads_nothing_it_does_not_need() -> None:
    """Checkers and editors start it thousands of times."""
    place = GOLDEN.parent / "register" / "ask"
    program = (
        "import sys; from datasheet_lsp.cli.main import main; "
        f"main(['hover', {str(place) + ':1:1'!r}, '--json', '--svd', {str(GOLDEN)!r}]); "
        "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = set(done.stderr.split())
    assert "datasheet_lsp" in loaded
    assert not loaded & {"pygls", "lsprotocol", "rich", "rapidfuzz", "pathspec", "asyncio"}


def test_a_terminal_of_another_encoding_is_no_error() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "datasheet_lsp", "registers", str(GOLDEN)],
        env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
    )
    assert done.returncode == 0
    assert b"UART1.CTRL" in done.stdout
