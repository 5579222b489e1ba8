"""Hints, diagnostics, actions, completion and references, end to end over standard streams."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.projects import made_up
from tests.lsp.raw import RawClient

LONG = 60.0
CODE = """\
#define USART2 ((USART_TypeDef *)0x40004400)
#define USART_CR1_UE 0x2000
#define USART_CR1_TE (1u << 3)
typedef struct { volatile uint32_t SR, DR, BRR, CR1, CR2; } USART_TypeDef;
void set_up(void)
{
    /* \u00e4\U0001f600 */ USART2->CR1 = 0x2008;
    /* \u00e4\U0001f600 */ USART2->CR1 |= 1u << 31;
    TIM2->SR |= 1;
    GPIOA->MODER = (GPIOA->MODER & ~3u) | 1;
    USART2->
}
"""
RICH: dict[str, Any] = {
    "textDocument": {
        "inlayHint": {},
        "diagnostic": {},
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
    },
}


def capabilities(encoding: str, **more: Any) -> dict[str, Any]:
    return {**RICH, "general": {"positionEncodings": [encoding]}, **more}


@pytest.fixture
def main(tmp_path: Path) -> Path:
    return made_up(tmp_path, CODE)


def whole(uri: str) -> dict[str, Any]:
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    return {"textDocument": {"uri": uri}, "range": span}


def units(text: str, encoding: str) -> int:
    return len(text.encode()) if encoding == "utf-8" else len(text.encode("utf-16-le")) // 2


def line_of(part: str) -> tuple[int, str]:
    lines = CODE.split("\n")
    at = next(n for n, line in enumerate(lines) if part in line)
    return at, lines[at]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_hints_stand_behind_the_statement(client: RawClient, main: Path, encoding: str) -> None:
    client.initialize(main.parent, capabilities(encoding))
    uri = client.open(main)
    hints = client.request("textDocument/inlayHint", whole(uri), LONG)
    at, line = line_of("0x2008")
    first = next(hint for hint in hints if hint["position"]["line"] == at)
    assert first["label"] == "UE TE"
    assert first["position"]["character"] == units(line, encoding)
    moder = next(h for h in hints if "MODER0" in h["label"])
    assert moder["label"] == "MODER0: ? -> Output"
    few = whole(uri)
    few["range"] = {"start": {"line": at, "character": 0}, "end": {"line": at, "character": 99}}
    assert [h["label"] for h in client.request("textDocument/inlayHint", few)] == ["UE TE"]


@pytest.mark.parametrize("show", ["off", "names"])
def test_hints_can_be_fewer(client: RawClient, main: Path, show: str) -> None:
    client.initialize(
        main.parent, RICH, initializationOptions={"datasheet": {"hints": {"show": show}}}
    )
    hints = client.request("textDocument/inlayHint", whole(client.open(main)), LONG)
    labels = [hint["label"] for hint in hints or []]
    assert ("MODER0" in labels) == (show == "names")
    assert bool(labels) == (show == "names")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_diagnostics_are_there_when_asked_for(client: RawClient, main: Path, encoding: str) -> None:
    client.initialize(main.parent, capabilities(encoding))
    uri = client.open(main)
    report = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}}, LONG)
    assert report["kind"] == "full"
    found = {item["code"]: item for item in report["items"]}
    assert set(found) == {"reserved-bits", "clears-other-flags"}
    at, line = line_of("1u << 31")
    reserved = found["reserved-bits"]
    start = units(line[: line.index("USART2")], encoding)
    assert reserved["range"]["start"] == {"line": at, "character": start}
    assert reserved["range"]["end"] == {"line": at, "character": start + len("USART2->CR1")}
    assert reserved["severity"] == 2 and reserved["source"] == "datasheet-lsp"
    assert reserved["codeDescription"]["href"].endswith("docs/diagnostics.md#reserved-bits")


def test_a_poor_client_gets_diagnostics_sent_and_taken_back(client: RawClient, main: Path) -> None:
    client.initialize(main.parent, {})
    uri = client.open(main)

    def published(message: dict[str, Any]) -> bool:
        return message.get("method") == "textDocument/publishDiagnostics"

    sent = client.until(published, LONG)["params"]
    assert sent["uri"] == uri and sent["version"] == 1
    assert {d["code"] for d in sent["diagnostics"]} == {"reserved-bits", "clears-other-flags"}
    change = {
        "textDocument": {"uri": uri, "version": 2},
        "contentChanges": [{"text": CODE.replace("1u << 31", "1u << 2")}],
    }
    client.notify("textDocument/didChange", change)

    def newer(message: dict[str, Any]) -> bool:
        return published(message) and message["params"].get("version") == 2

    sent = client.until(newer, LONG)["params"]
    assert [d["code"] for d in sent["diagnostics"]] == ["clears-other-flags"]
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.until(lambda m: published(m) and m["params"]["diagnostics"] == [], LONG)


def test_diagnostics_can_be_off(client: RawClient, main: Path) -> None:
    options = {"datasheet": {"diagnostics": {"severity": {"reserved-bits": "off"}}}}
    client.initialize(main.parent, RICH, initializationOptions=options)
    uri = client.open(main)
    report = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}}, LONG)
    assert [item["code"] for item in report["items"]] == ["clears-other-flags"]


def actions_at(client: RawClient, uri: str, line: int, character: int) -> list[dict[str, Any]]:
    here = {"line": line, "character": character}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": here, "end": here},
        "context": {"diagnostics": []},
    }
    result: list[dict[str, Any]] = client.request("textDocument/codeAction", params, LONG)
    return result


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_number_becomes_names(client: RawClient, main: Path, encoding: str) -> None:
    client.initialize(main.parent, capabilities(encoding))
    uri = client.open(main)
    at, line = line_of("0x2008")
    column = units(line[: line.index("0x2008")], encoding)
    found = actions_at(client, uri, at, column + 2)
    named = next(a for a in found if a["title"].startswith("Replace"))
    (edit,) = named["edit"]["changes"][uri]
    assert edit["newText"] == "USART_CR1_UE | USART_CR1_TE"
    assert edit["range"]["start"] == {"line": at, "character": column}
    assert edit["range"]["end"] == {"line": at, "character": column + 6}
    decoded = next(a for a in found if a["title"].startswith("Decode"))
    assert decoded["title"] == "Decode 0x2008: UE TE"
    told = client.request(
        "workspace/executeCommand",
        {"command": decoded["command"]["command"], "arguments": decoded["command"]["arguments"]},
    )
    assert "USART2.CR1" in told["markdown"] and "UE" in told["markdown"]


def test_a_mistake_is_mended_where_that_is_sure(client: RawClient, main: Path) -> None:
    client.initialize(main.parent, RICH)
    uri = client.open(main)
    at, line = line_of("TIM2->SR")
    fix = next(a for a in actions_at(client, uri, at, 6) if a["kind"] == "quickfix")
    (edit,) = fix["edit"]["changes"][uri]
    assert edit["newText"] == "="
    assert edit["range"]["start"]["character"] == line.index("|=")
    assert fix["diagnostics"][0]["code"] == "clears-other-flags"


@pytest.mark.parametrize("enabled", [True, False])
def test_registers_are_offered_after_an_arrow(client: RawClient, main: Path, enabled: bool) -> None:
    options = {"datasheet": {"completion": {"enabled": enabled}}}
    client.initialize(main.parent, RICH, initializationOptions=options)
    uri = client.open(main)
    position = {"line": 10, "character": len("    USART2->")}
    params = {"textDocument": {"uri": uri}, "position": position}
    found = client.request("textDocument/completion", params, LONG)
    if not enabled:
        assert found is None
        return
    labels = [item["label"] for item in found["items"]]
    assert labels == ["SR", "DR", "BRR", "CR1", "CR2"]
    assert "0x4000 440C" in found["items"][3]["detail"]


def test_all_uses_of_a_register_in_order_by_file(client: RawClient, main: Path) -> None:
    other = main.parent / "other.c"
    other.write_text("void f(void) { if (USART2->CR1 & 1) USART2->CR1 &= ~1u; GPIOA->ODR = 1; }\n")
    client.initialize(main.parent, capabilities("utf-16"))
    uri = client.open(main)
    at, line = line_of("0x2008")
    position = {"line": at, "character": units(line[: line.index("CR1")], "utf-16") + 1}
    params = {
        "textDocument": {"uri": uri},
        "position": position,
        "context": {"includeDeclaration": True},
    }
    for _ in range(100):
        found = client.request("textDocument/references", params, LONG)
        if len(found) == 4:
            break
        time.sleep(0.2)
    places = [(Path(one["uri"]).name, one["range"]["start"]["line"]) for one in found]
    assert places == [("main.c", at), ("main.c", at + 1), ("other.c", 0), ("other.c", 0)]
    assert found[0]["range"]["start"]["character"] == units(line[: line.index("USART2")], "utf-16")
