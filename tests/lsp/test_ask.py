"""datasheet/ask against the real server; the model's process is real, the model is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import psutil
import pytest

from datasheet_lsp.querylog import QueryLog
from tests.assist.vectors import fill, indexed
from tests.lsp.projects import line_of
from tests.lsp.raw import RawClient
from tests.lsp.writer import SERVE, TIGHT

pytestmark = pytest.mark.usefixtures("tests_on_path")

LONG = 120.0
"""Seconds for what starts a process."""
CANCELLED = -32800
WORDS = "[search]\nmode = 'keyword'\n"
HOW = "how is the baud rate of UART1 divided?"
FACT = "what is the address of UART1.BRR?"


@pytest.fixture
def program() -> str:
    return SERVE


def ask(client: RawClient, question: str, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.request("datasheet/ask", {"question": question, **more}, LONG)
    return found


def chunks(client: RawClient, name: str) -> list[tuple[str, str]]:
    told = [m["params"] for m in client.messages if m.get("method") == "datasheet/answerChunk"]
    return [(each["kind"], each["text"]) for each in told if each["id"] == name]


def writing(name: str) -> Any:
    """Whether a message brings text of the answer ``name``."""

    def is_text(message: dict[str, Any]) -> bool:
        params = message.get("params", {})
        method = message.get("method")
        return bool(
            method == "datasheet/answerChunk" and params["id"] == name and params["kind"] == "text"
        )

    return is_text


def children(client: RawClient) -> list[psutil.Process]:
    return psutil.Process(client.process.pid).children(recursive=True)


def test_a_fact_comes_from_the_device_and_starts_no_model(
    client: RawClient, tmp_path: Path
) -> None:
    main = indexed(tmp_path, WORDS)
    client.initialize(tmp_path)
    found = ask(client, FACT, id="f", textDocument={"uri": client.open(main)})
    assert found["route"] == "device" and "0x4000 1008" in found["text"]
    assert found["device"] == "ALPHA" and found["id"] == "f"
    assert chunks(client, "f") == [("text", found["text"])]
    assert children(client) == []


def test_an_answer_is_streamed_with_its_stages_and_cited(client: RawClient, tmp_path: Path) -> None:
    main = indexed(tmp_path, WORDS)
    client.initialize(tmp_path)
    found = ask(client, HOW, id="s", textDocument={"uri": client.open(main)})
    told = chunks(client, "s")
    stages = [text for kind, text in told if kind == "stage"]
    assert stages == ["planning", "searching", "reading", "answering"]
    written = "".join(text for kind, text in told if kind == "text")
    assert written.split() == found["text"].split()
    assert len([text for kind, text in told if kind == "text"]) > 3
    assert found["model"] == "writer" and "UART1.BRR" in found["text"]
    assert [claim["verdict"] for claim in found["claims"] if claim["kind"] == "address"] == [
        "right"
    ]
    first = found["citations"][0]
    assert first["number"] == 1 and first["page"] == 0
    assert first["uri"] == (tmp_path / "chip.svd").as_uri()
    text = (tmp_path / "chip.svd").read_text()
    assert first["line"] - 1 in (line_of(text, "BRR"), line_of(text, "UART1"))


def test_without_the_model_the_passages_are_laid_out(client: RawClient, tmp_path: Path) -> None:
    indexed(tmp_path, WORDS)
    client.initialize(tmp_path)
    found = ask(client, HOW, llm=False)
    assert found["model"] == "" and found["citations"] and "UART1" in found["text"]
    assert children(client) == []


def test_a_conversation_goes_on(client: RawClient, tmp_path: Path) -> None:
    indexed(tmp_path, WORDS)
    client.initialize(tmp_path)
    first = ask(client, HOW, llm=False)
    again = ask(client, "which page?", llm=False, conversation=first["conversation"])
    assert again["conversation"] == first["conversation"]
    assert {c["file"] for c in again["citations"]} <= {c["file"] for c in first["chunks"]}
    other = ask(client, HOW, llm=False)
    assert other["conversation"] != first["conversation"]


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"question": " "}, "Nothing is asked"),
        ({"question": 3}, "A question is asked otherwise"),
        ({}, "A question is asked otherwise"),
        ({"question": HOW, "device": "OMEGA9"}, "Nothing is known of the device OMEGA9"),
    ],
)
def test_what_is_no_question_is_refused_in_a_sentence(
    client: RawClient, tmp_path: Path, params: Any, says: str
) -> None:
    indexed(tmp_path, WORDS)
    client.initialize(tmp_path)
    error = client.answer(client.start("datasheet/ask", params), LONG)["error"]
    assert error["message"].startswith(says)


def test_an_answer_is_cancelled_amid_the_text(client: RawClient, tmp_path: Path) -> None:
    main = indexed(tmp_path, WORDS)
    client.initialize(tmp_path)
    uri = client.open(main)
    number = client.start("datasheet/ask", {"question": f"{HOW} forever", "id": "c"})
    client.until(writing("c"), LONG)
    assert "0x4000 1008" in client.hover(uri, 2, 12)["contents"]["value"]
    assert client.request("datasheet/search", {"query": "baud rate"}, LONG)["hits"]
    assert ask(client, FACT)["route"] == "device"
    client.notify("$/cancelRequest", {"id": number})
    assert client.answer(number, LONG)["error"]["code"] == CANCELLED
    before = len(chunks(client, "c"))
    assert ask(client, HOW)["model"] == "writer"
    assert len(chunks(client, "c")) <= before + 1


def test_the_progress_of_the_client_tells_the_stages_and_ends_it(
    client: RawClient, tmp_path: Path
) -> None:
    indexed(tmp_path, WORDS)
    client.initialize(tmp_path)
    params = {"question": f"{HOW} forever", "id": "p", "workDoneToken": "mine"}
    number = client.start("datasheet/ask", params)
    client.until(
        lambda m: "read 25%" in m.get("params", {}).get("value", {}).get("message", ""), LONG
    )
    client.notify("window/workDoneProgress/cancel", {"token": "mine"})
    assert client.answer(number, LONG)["error"]["code"] == CANCELLED
    told = [m["params"] for m in client.messages if m.get("method") == "$/progress"]
    kinds = [each["value"]["kind"] for each in told if each["token"] == "mine"]
    assert kinds[0] == "begin" and kinds[-1] == "end" and "report" in kinds
    read = "Answering: the model has read 25% of the passages"
    assert [each for each in told if each["value"].get("message") == read]


def test_ten_crashes_leave_hovers_and_answers(client: RawClient, tmp_path: Path) -> None:
    main = indexed(tmp_path, WORDS)
    client.initialize(tmp_path)
    uri = client.open(main)
    for _ in range(10):
        found = ask(client, f"{HOW} crash")
        assert any("ended by itself" in note for note in found["notes"])
        assert found["citations"]
        assert "0x4000 1008" in client.hover(uri, 2, 12)["contents"]["value"]
    client.request("datasheet/reload", timeout=LONG)
    assert ask(client, HOW)["model"] == "writer"


def test_the_server_ends_amid_an_answer_and_leaves_no_process(
    client: RawClient, tmp_path: Path
) -> None:
    indexed(tmp_path, WORDS)
    client.initialize(tmp_path)
    client.start("datasheet/ask", {"question": f"{HOW} forever", "id": "e"})
    client.until(writing("e"), LONG)
    models = children(client)
    assert models
    assert client.finish() == 0
    _, alive = psutil.wait_procs(models, timeout=LONG)
    assert alive == []


def test_the_command_shows_the_answer_in_a_file(client: RawClient, tmp_path: Path) -> None:
    indexed(tmp_path, WORDS)
    client.initialize(tmp_path, {"window": {"showDocument": {"support": True}}})
    given = {"command": "datasheet.ask", "arguments": [{"question": HOW, "llm": False}]}
    answer = client.request("workspace/executeCommand", given, LONG)
    client.request("datasheet/status")  # what was sent before has come
    shown = [m for m in client.messages if m.get("method") == "window/showDocument"]
    assert [m["params"]["uri"] for m in shown] == [answer["uri"]]
    file = Path(unquote(urlparse(answer["uri"]).path))
    assert file.is_relative_to(tmp_path / ".datasheet")
    text = file.read_text()
    assert text.startswith(f"# {HOW}\n") and answer["text"].strip() in text


def test_two_editors_ask_at_once_in_one_folder(client: RawClient, tmp_path: Path) -> None:
    indexed(tmp_path, f"{WORDS}[log]\nqueries = true\n")
    with RawClient(SERVE) as other:
        for each in (client, other):
            each.initialize(tmp_path)
        numbers = [
            (each, each.start("datasheet/ask", {"question": HOW, "id": "t"}))
            for _ in range(3)
            for each in (client, other)
        ]
        for each, number in numbers:
            result = each.answer(number, LONG)["result"]
            assert result["model"] == "writer" and "UART1.BRR" in result["text"]
        assert other.finish() == 0
    entries = QueryLog(tmp_path / ".datasheet").entries()
    assert [(e.kind, e.query, e.model) for e in entries] == [("answer", HOW, "writer")] * 6
    assert all("UART1.BRR" in e.answer and HOW in e.prompt for e in entries)


def test_where_memory_is_short_the_embedder_gives_way(tmp_path: Path) -> None:
    indexed(tmp_path)
    fill(tmp_path)

    def running(client: RawClient, module: str) -> int:
        return len([c for c in children(client) if module in " ".join(c.cmdline())])

    with RawClient(TIGHT + SERVE) as client:
        client.initialize(tmp_path)
        client.request("datasheet/search", {"query": "character lost"}, LONG)
        assert running(client, "tests.engine.small") == 1
        client.start("datasheet/ask", {"question": f"{HOW} forever", "id": "m"})
        client.until(writing("m"), LONG)
        assert running(client, "tests.lsp.writer") == 1
        assert running(client, "tests.engine.small") == 0
        assert client.finish() == 0
