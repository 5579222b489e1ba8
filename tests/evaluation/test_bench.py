"""The benchmarks run from end to end and report sane figures. No time is asserted."""

from __future__ import annotations

import json
import shutil
import sys
import venv
from pathlib import Path

import pytest

from datasheet_lsp.cli.main import main
from datasheet_lsp.evaluation.bench_server import TARGETS, server_command
from datasheet_lsp.evaluation.process import can_measure
from datasheet_lsp.evaluation.rpc import Client, ServerGone
from tests.index.test_load import SVD
from tests.support import ROOT

needs_measure = pytest.mark.skipif(
    not can_measure(),
    reason="what a process uses is told by Linux and macOS alone: there is nothing to measure",
)


def run(*words: str) -> int:
    return main(["bench", *words])


@pytest.fixture
def svd(tmp_path: Path) -> Path:
    path = tmp_path / "svds" / "acme1.svd"
    path.parent.mkdir()
    path.write_text(SVD)
    return path


@needs_measure
def test_bench_svd_measures_a_folder(svd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    svd.with_name("page.svd").write_text("<html/>")
    assert run("svd", "--svd", str(svd.parent), "--file", "acme1.svd", "--runs", "1", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["compared"]["file"] == "acme1.svd"
    good, bad = report["files"]
    (ours,) = good["parsers"]
    assert (ours["peripherals"], ours["registers"], ours["fields"]) == (1, 1, None)
    assert 0.01 < ours["cpu"] < 60
    assert 5 << 20 < ours["peak"] < 1 << 30
    assert ours["failure"] is None
    assert bad["file"] == "page.svd"
    assert "page.svd" in bad["parsers"][0]["failure"]
    assert {target["peer"]: target["cpu"] for target in report["targets"]} == {
        "cmsis-svd": 0.5,
        "svdsuite": 0.5,
        "svd2py": 1.0,
    }


@needs_measure
def test_bench_svd_says_which_parsers_the_other_python_lacks(
    svd: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    venv.create(tmp_path / "bare", symlinks=True)
    python = tmp_path / "bare" / "bin" / "python"
    assert run("svd", "--svd", str(svd), "--runs", "1", "--peers", str(python)) == 0
    said = capsys.readouterr().out
    assert "acme1.svd, 0.0 MB, whole process, one run" in said
    assert said.rstrip().endswith("not compared: cmsis-svd, svdsuite, svd2py.")


@needs_measure
def test_bench_svd_reads_the_demo_when_nothing_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("svd", "--runs", "1", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (ROOT / "data" / "demo" / "svd" / report["compared"]["file"]).is_file()


def test_what_is_not_there_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("svd", "--svd", str(tmp_path)) == 1
    assert "no SVD file in" in capsys.readouterr().err
    assert run("server", "--svd", str(tmp_path / "none.svd")) == 1
    assert "none.svd is not there" in capsys.readouterr().err


@needs_measure
def test_a_python_that_is_not_there_is_said(svd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("svd", "--svd", str(svd), "--runs", "1", "--peers", "no/python") == 1
    assert "no/python cannot be started" in capsys.readouterr().err


def figures(report: dict) -> dict[str, float | None]:
    return {figure["key"]: figure["value"] for figure in report["figures"]}


def check(report: dict) -> None:
    values = figures(report)
    assert list(values) == [target.key for target in TARGETS]
    assert all(value is not None and value > 0 for value in values.values()), values
    for state in ("hover", "busy"):
        assert values[f"{state}_p50"] <= values[f"{state}_p95"] <= values[f"{state}_max"]
    assert 10 < values["memory"] < 1_000
    assert report["silent"] == 0
    assert report["indexed_meanwhile"] >= 1


TINY = ("--files", "3", "--hovers", "10", "--starts", "1", "--json")


def test_bench_server_on_a_project_made_for_an_svd(
    svd: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("server", "--svd", str(svd), *TINY) == 0, capsys.readouterr().err
    report = json.loads(capsys.readouterr().out)
    check(report)
    assert report["files"] == 3
    assert report["svd"] == ["acme1.svd"]
    assert report["hovers"] == 10 + 2 + 10


def test_bench_server_leaves_the_project_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "demo"
    shutil.copytree(ROOT / "data" / "demo", project)
    before = sorted(str(path) for path in project.rglob("*"))
    assert run("server", "--project", str(project), *TINY) == 0, capsys.readouterr().err
    check(json.loads(capsys.readouterr().out))
    assert sorted(str(path) for path in project.rglob("*")) == before


def test_the_table_names_every_target(svd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("server", "--svd", str(svd), *TINY[:-1]) == 0
    said = capsys.readouterr().out
    for target in TARGETS:
        assert target.what in said
    assert "<= 2000" in said and "<= 120" in said


def test_a_server_that_ends_at_once_is_said_with_its_last_words(tmp_path: Path) -> None:
    program = "import sys; sys.exit('it would not start')"
    with Client([sys.executable, "-c", program], cwd=tmp_path, env=None) as client:
        with pytest.raises(ServerGone, match="it would not start"):
            client.request("initialize", {})


def test_a_server_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    program = "import time; time.sleep(60)"
    with Client([sys.executable, "-c", program], cwd=tmp_path, env=None) as client:
        with pytest.raises(ServerGone, match="no answer to initialize in 0.2 s"):
            client.request("initialize", {}, seconds=0.2)
    assert client.process.poll() is not None


def test_output_that_is_not_framed_is_said(tmp_path: Path) -> None:
    program = "print('hello there\\n\\n', flush=True); import time; time.sleep(60)"
    with Client([sys.executable, "-c", program], cwd=tmp_path, env=None) as client:
        with pytest.raises(ServerGone, match="ended instead of answering"):
            client.request("initialize", {}, seconds=5)


def test_the_servers_own_questions_are_answered(tmp_path: Path) -> None:
    program = """
import json, sys
def read():
    length = int(sys.stdin.buffer.readline().split(b":")[1]); sys.stdin.buffer.readline()
    return json.loads(sys.stdin.buffer.read(length))
def send(message):
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
    sys.stdout.buffer.flush()
asked = read()
send({"jsonrpc": "2.0", "method": "window/logMessage", "params": {"type": 3, "message": "hm"}})
send({"jsonrpc": "2.0", "id": "a", "method": "workspace/configuration",
      "params": {"items": [{"section": "x"}, {"section": "y"}]}})
answer = read()
send({"jsonrpc": "2.0", "id": asked["id"], "result": answer})
"""
    with Client([sys.executable, "-c", program], cwd=tmp_path, env=None) as client:
        assert client.request("initialize", {}) == {
            "jsonrpc": "2.0",
            "id": "a",
            "result": [None, None],
        }


def test_the_server_is_started_by_its_own_command() -> None:
    assert server_command()[-1] == "serve"
