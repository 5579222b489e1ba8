"""datasheet/search against the real server, with a small model in a real child process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.assist.vectors import SERVE, fill, indexed
from tests.engine.test_models import write
from tests.lsp.projects import line_of
from tests.lsp.raw import RawClient

pytestmark = pytest.mark.usefixtures("tests_on_path")

LOST = "character lost at wakeup"
CANCELLED = -32800
LONG = 60.0
"""Seconds for what starts a process."""


@pytest.fixture
def program() -> str:
    return SERVE


def search(client: RawClient, query: str, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.request("datasheet/search", {"query": query, **more}, LONG)
    return found


def refused(client: RawClient, method: str, params: Any) -> dict[str, Any]:
    error: dict[str, Any] = client.answer(client.start(method, params), LONG)["error"]
    return error


def test_a_hit_has_all_that_leads_to_its_place(client: RawClient, tmp_path: Path) -> None:
    main = indexed(tmp_path)
    fill(tmp_path)
    client.initialize(tmp_path)
    found = search(client, LOST, textDocument={"uri": client.open(main)})
    first = found["hits"][0]
    assert first["uri"] == (tmp_path / "docs" / "ALPHA_errata.md").as_uri()
    assert first["heading_path"] == ["Errata", "Receiver"] and "is lost" in first["text"]
    assert set(first["arms"]) == {"keyword", "vector"} and first["scores"]["keyword"] > 0
    assert found["scope"] == {
        "device": "ALPHA",
        "why": "the device of main.c",
        "documents": 2,
        "of": 2,
    }
    assert found["notes"] == [] and found["mode"] == "hybrid"


def test_a_register_is_searched_at_the_cursor(client: RawClient, tmp_path: Path) -> None:
    main = indexed(tmp_path)
    client.initialize(tmp_path)
    uri = client.open(main)
    here = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 12}}
    found = search(client, "", mode="keyword", **here)
    assert found["query"] == "UART1.BRR" and found["registers"] == ["UART1.BRR"]
    first = found["hits"][0]
    assert first["uri"] == (tmp_path / "chip.svd").as_uri() and first["page"] == 0
    assert first["line"] - 1 == line_of((tmp_path / "chip.svd").read_text(), "BRR")


def test_the_scope_can_be_lifted_and_is_checked(client: RawClient, tmp_path: Path) -> None:
    indexed(tmp_path)
    client.initialize(tmp_path)
    assert search(client, LOST, mode="keyword")["scope"]["device"] == "ALPHA"
    lifted = search(client, LOST, mode="keyword", device="any")
    assert lifted["scope"] == {"device": None, "why": "", "documents": 2, "of": 2}
    error = refused(client, "datasheet/search", {"query": LOST, "device": "OMEGA9"})
    assert error["message"] == "Nothing of the device OMEGA9 is indexed; there is ALPHA."


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"query": "  "}, "Nothing is asked"),
        ({"query": 7}, "A search is asked otherwise"),
        ({"query": "x", "k": 0}, "A search is asked otherwise"),
        ({}, "A search is asked otherwise"),
        ([1], "A search is asked otherwise"),
    ],
)
def test_what_is_no_search_is_refused_in_a_sentence(
    client: RawClient, tmp_path: Path, params: Any, says: str
) -> None:
    indexed(tmp_path)
    client.initialize(tmp_path)
    assert refused(client, "datasheet/search", params)["message"].startswith(says)


def test_without_an_index_it_says_what_to_do(client: RawClient, tmp_path: Path) -> None:
    (tmp_path / "datasheet.toml").write_text("[index]\nautomatic = false\n")
    client.initialize(tmp_path)
    message = refused(client, "datasheet/search", {"query": "x"})["message"]
    assert message.startswith("Nothing is indexed in") and "datasheet-lsp index" in message


def test_the_command_answers_the_same(client: RawClient, tmp_path: Path) -> None:
    indexed(tmp_path, "[search]\nmode = 'keyword'\nhits = 1\n")
    client.initialize(tmp_path)
    expected = search(client, LOST)
    assert len(expected["hits"]) == 1 and expected["mode"] == "keyword"
    for argument in (LOST, {"query": LOST}):
        given = {"command": "datasheet.search", "arguments": [argument]}
        found = client.request("workspace/executeCommand", given, LONG)
        assert found["hits"] == expected["hits"]


def test_missing_vectors_leave_the_words(client: RawClient, tmp_path: Path) -> None:
    indexed(tmp_path)
    client.initialize(tmp_path)
    found = search(client, LOST)
    assert found["hits"][0]["heading_path"] == ["Errata", "Receiver"]
    assert found["notes"] == ["no vectors (none are made yet): found by words alone"]


def test_half_of_the_vectors_help_and_it_is_said(client: RawClient, tmp_path: Path) -> None:
    indexed(tmp_path)
    left = fill(tmp_path, 1)
    assert left > 0
    client.initialize(tmp_path)
    found = search(client, LOST)
    assert found["hits"][0]["heading_path"] == ["Errata", "Receiver"]
    (note,) = found["notes"]
    assert note == f"{100 // (left + 1)}% of the vectors are made: the rest is found by words alone"
    assert fill(tmp_path) == 0
    assert search(client, LOST)["notes"] == []


def test_vectors_of_a_model_that_is_gone_are_not_used(client: RawClient, tmp_path: Path) -> None:
    indexed(tmp_path)
    fill(tmp_path, name="older", key="older")
    client.initialize(tmp_path)
    found = search(client, LOST)
    assert found["hits"][0]["heading_path"] == ["Errata", "Receiver"]
    (note,) = found["notes"]
    assert "made by older, which is not there" in note and "found by words alone" in note


def test_a_model_that_is_not_there_is_named(client: RawClient, tmp_path: Path) -> None:
    indexed(tmp_path)
    fill(tmp_path)
    text = (tmp_path / "datasheet.toml").read_text().replace("models/small", "models/none")
    (tmp_path / "datasheet.toml").write_text(text)
    client.initialize(tmp_path)
    found = search(client, LOST)
    assert found["hits"] and "models/none is not there" in found["notes"][0]


def test_an_embedder_that_dies_costs_neither_search_nor_hover(
    client: RawClient, tmp_path: Path
) -> None:
    main = indexed(tmp_path)
    fill(tmp_path)
    client.initialize(tmp_path)
    uri = client.open(main)
    for _ in range(3):
        found = search(client, f"{LOST} crash")
        assert found["hits"][0]["heading_path"] == ["Errata", "Receiver"]
        assert "ended by itself twice" in found["notes"][0]
        assert "0x4000 1008" in client.hover(uri, 2, 12)["contents"]["value"]
    (model,) = client.request("datasheet/status")["models"]
    assert (model["role"], model["name"], model["running"]) == ("embedder", "small", False)
    assert "ended by itself twice" in model["problem"]
    client.request("datasheet/reload", timeout=LONG)
    assert search(client, LOST)["notes"] == []
    (model,) = client.request("datasheet/status")["models"]
    assert model["running"] and model["problem"] == "" and model["memory"] > 1_000_000


def embedders(client: RawClient) -> list[psutil.Process]:
    return psutil.Process(client.process.pid).children(recursive=True)


def test_a_search_can_be_cancelled(client: RawClient, tmp_path: Path) -> None:
    main = indexed(tmp_path)
    fill(tmp_path)
    client.initialize(tmp_path)
    uri = client.open(main)
    numbers = [client.start("datasheet/search", {"query": f"slow {n}"}) for n in range(8)]
    for number in numbers:
        client.notify("$/cancelRequest", {"id": number})
    assert "0x4000 1008" in client.hover(uri, 2, 12)["contents"]["value"]
    assert {client.answer(n, LONG)["error"]["code"] for n in numbers} == {CANCELLED}
    assert search(client, LOST)["hits"]


def test_the_server_ends_with_a_search_under_way_and_leaves_no_process(
    client: RawClient, tmp_path: Path
) -> None:
    indexed(tmp_path)
    fill(tmp_path)
    client.initialize(tmp_path)
    search(client, LOST)
    children = embedders(client)
    assert children
    client.start("datasheet/search", {"query": "slow"})
    assert client.finish() == 0
    _, alive = psutil.wait_procs(children, timeout=LONG)
    assert alive == []


def test_questions_are_kept_where_that_is_wanted(client: RawClient, tmp_path: Path) -> None:
    from datasheet_lsp.querylog import QueryLog

    indexed(tmp_path, "[log]\nqueries = true\n")
    fill(tmp_path)
    client.initialize(tmp_path)
    found = search(client, LOST)
    (entry,) = QueryLog(tmp_path / ".datasheet").entries()
    assert (entry.query, entry.device, entry.mode) == (LOST, "ALPHA", "hybrid")
    assert [each.chunk for each in entry.chunks] == [hit["id"] for hit in found["hits"]]
    assert entry.chunks[0].scores["vector"] == found["hits"][0]["scores"]["vector"]
    assert 0 < entry.seconds["embed"] <= entry.seconds["all"]


def test_a_long_search_shows_progress_that_ends_it(client: RawClient, tmp_path: Path) -> None:
    indexed(tmp_path)
    fill(tmp_path)
    client.initialize(tmp_path, {"window": {"workDoneProgress": True}})
    number = client.start("datasheet/search", {"query": "slow long"})

    def begun(message: dict[str, Any]) -> bool:
        value = message.get("params", {}).get("value", {})
        return value.get("kind") == "begin" and value["title"] == "Searching the manuals"

    token = client.until(begun, LONG)["params"]["token"]
    client.notify("window/workDoneProgress/cancel", {"token": token})
    assert client.answer(number, LONG)["error"]["code"] == CANCELLED
    ends = [m["params"] for m in client.messages if m.get("method") == "$/progress"]
    assert [p["value"]["kind"] for p in ends if p["token"] == token] == ["begin", "end"]


def test_the_reranker_of_the_settings_puts_hits_in_order(client: RawClient, tmp_path: Path) -> None:
    indexed(tmp_path, "[search]\nmode = 'keyword'\nreranker = 'models/cross'\n")
    write(tmp_path / "models" / "cross", architectures=["BertForSequenceClassification"])
    client.initialize(tmp_path)
    query = f"{LOST} {LOST} puffins"
    assert search(client, query, rerank=False)["hits"][0]["heading_path"][-1] == "Receiver"
    found = search(client, query)
    assert found["hits"][0]["heading_path"][-1] == "Clock" and found["notes"] == []
    assert found["hits"][0]["scores"]["rerank"] == 12.0  # so many small f are in it


def test_what_is_indexed_meanwhile_is_found(client: RawClient, tmp_path: Path) -> None:
    indexed(tmp_path)
    (tmp_path / "datasheet.toml").write_text(
        "[index]\nautomatic = false\n[embed]\nenabled = false\n"
    )
    client.initialize(tmp_path)
    assert not any("note" in hit["file"] for hit in search(client, "ferrite bead")["hits"])
    (tmp_path / "docs" / "ALPHA_note.md").write_text("# Supply\n\nA ferrite bead filters it.\n")
    client.request("datasheet/reindex", timeout=LONG)
    found = search(client, "ferrite bead")
    assert found["hits"][0]["file"] == "docs/ALPHA_note.md" and found["scope"]["of"] == 3
    assert found["mode"] == "keyword" and found["notes"] == []
