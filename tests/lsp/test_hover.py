"""Hover, end to end: what an editor is shown, and over which text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.projects import one_chip, svd, two_chips
from tests.lsp.raw import SERVE, RawClient

BRR = "0x4000 1008"
MARKDOWN = {"textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}}}


def encodings(*names: str) -> dict[str, Any]:
    return {"general": {"positionEncodings": list(names)}, **MARKDOWN}


def text_of(hover: Any) -> str:
    assert hover is not None
    value: str = hover["contents"]["value"]
    return value


def span(hover: Any) -> tuple[int, int, int, int]:
    start, end = hover["range"]["start"], hover["range"]["end"]
    return start["line"], start["character"], end["line"], end["character"]


def test_a_register_is_shown_with_its_address_over_the_whole_expression(
    client: RawClient, tmp_path: Path
) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, MARKDOWN)
    uri = client.open(main)
    hover = client.hover(uri, 2, 12)
    assert hover["contents"]["kind"] == "markdown"
    text = text_of(hover)
    assert "UART1.BRR" in text.splitlines()[0] and BRR in text
    assert "15:4" in text and "DIV" in text and "chip.svd" in text
    assert span(hover) == (2, 4, 2, 14)


def test_a_client_without_markdown_gets_plain_text(client: RawClient, tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, {})
    hover = client.hover(client.open(main), 2, 12)
    assert hover["contents"]["kind"] == "plaintext"
    text = text_of(hover)
    assert "UART1.BRR" in text and BRR in text and "DIV" in text
    assert not set("*`|\\") & set(text)


def test_where_nothing_is_sure_nothing_is_shown(client: RawClient, tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, MARKDOWN)
    uri = client.open(main, "int count = 3; // UART1->BRR\nint y = UART9->BRR;\n")
    for line, column in ((0, 5), (0, 12), (0, 22), (1, 10), (1, 16), (9, 9)):
        assert client.hover(uri, line, column) is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_place_is_right_after_anything_a_c_file_may_have(
    client: RawClient, tmp_path: Path, encoding: str, end: str
) -> None:
    main = one_chip(tmp_path)
    result = client.initialize(tmp_path, encodings(encoding))
    assert result["capabilities"]["positionEncoding"] == encoding
    lines = [
        "/* größer \u2028 😀 */ \x0c",
        "\x0c",
        "void setup(void)",
        "{",
        "\t/* Frequenz in µs, 𝄞 😀 */ UART1->BRR = 0; /* é */ UART1->SR = 1;",
        "}",
    ]
    uri = client.open(main, end.join(lines))
    codec, size = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[
        encoding
    ]

    def column(text: str) -> int:
        return len(lines[4][: lines[4].index(text)].encode(codec)) // size

    brr = column("UART1->BRR")
    hover = client.hover(uri, 4, brr + 8)
    assert BRR in text_of(hover)
    assert span(hover) == (4, brr, 4, brr + 10)
    status = column("UART1->SR")
    hover = client.hover(uri, 4, status)
    assert "UART1.SR" in text_of(hover)
    assert span(hover) == (4, status, 4, status + 9)
    assert client.hover(uri, 4, column("Frequenz")) is None


def test_an_expression_over_several_lines_is_covered_whole(
    client: RawClient, tmp_path: Path
) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, MARKDOWN)
    uri = client.open(
        main, "void f(void)\r\n{\r\n  UART1 /* port */\r\n\t->\r\n\tFIFO[2] = 1;\r\n}\r\n"
    )
    hover = client.hover(uri, 4, 2)
    assert "0x4000 1018" in text_of(hover)
    assert span(hover) == (2, 2, 4, 8)


def test_the_change_of_a_document_counts_at_once(client: RawClient, tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, MARKDOWN)
    uri = client.open(main)
    assert "UART1.BRR" in text_of(client.hover(uri, 2, 12))
    for version, name in enumerate(("SR", "BRR", "FIFO[1]", "SR"), 2):
        client.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"text": f"int x = UART1->{name};\n"}],
            },
        )
        assert f"UART1.{name}" in text_of(client.hover(uri, 0, 10)).replace("\\", "")


def test_a_closed_or_renamed_document_is_forgotten(client: RawClient, tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, MARKDOWN)
    uri = client.open(main)
    assert client.hover(uri, 2, 12)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.hover(uri, 2, 12) is None
    renamed = client.open(main.rename(main.with_name("größe 1.c")))
    assert "UART1.BRR" in text_of(client.hover(renamed, 2, 12))
    assert client.hover(uri, 2, 12) is None


def test_the_same_document_is_known_however_its_uri_is_escaped(
    client: RawClient, tmp_path: Path
) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, MARKDOWN)
    uri = client.open(main.rename(main.with_name("a b+c.c")))
    assert "%20" in uri
    assert client.hover(uri.replace("+", "%2B"), 2, 12)
    assert client.hover(uri.replace("%20", " "), 2, 12)


def test_partial_changes_that_were_not_agreed_on_silence_the_document(
    client: RawClient, tmp_path: Path
) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, MARKDOWN)
    uri = client.open(main)
    place = {"line": 0, "character": 0}
    client.notify(
        "textDocument/didChange",
        {
            "textDocument": {"uri": uri, "version": 2},
            "contentChanges": [{"range": {"start": place, "end": place}, "text": "x"}],
        },
    )
    assert client.hover(uri, 2, 12) is None


def test_of_two_devices_the_one_of_the_file_is_shown(client: RawClient, tmp_path: Path) -> None:
    first, second = two_chips(tmp_path)
    client.initialize(tmp_path, MARKDOWN)
    a = text_of(client.hover(client.open(first), 0, 16))
    b = text_of(client.hover(client.open(second), 0, 16))
    assert "0x4000 1008" in a and "0x5000 1008" not in a
    assert "0x5000 1008" in b and "0x4000 1008" not in b


def test_where_no_context_is_for_the_file_both_devices_are_shown_by_name(
    client: RawClient, tmp_path: Path
) -> None:
    two_chips(tmp_path)
    other = tmp_path / "common.c"
    other.write_text("int x = UART1->BRR;\n")
    client.initialize(tmp_path, MARKDOWN)
    text = text_of(client.hover(client.open(other), 0, 16))
    assert "0x4000 1008" in text and "0x5000 1008" in text
    assert "ALPHA" in text and "BETA" in text


def test_folders_of_a_workspace_have_their_own_devices_and_come_and_go(
    client: RawClient, tmp_path: Path
) -> None:
    folders = []
    for name, base in (("one", 0x40001000), ("two", 0x50001000)):
        folder = tmp_path / name
        folder.mkdir()
        one_chip(folder)
        (folder / "chip.svd").write_text(svd(name.upper(), base))
        folders.append(folder)
    as_folders = [{"uri": f.as_uri(), "name": f.name} for f in folders]
    client.initialize(None, MARKDOWN, workspaceFolders=as_folders[:1])
    one, two = (client.open(f / "main.c") for f in folders)
    assert "0x4000 1008" in text_of(client.hover(one, 2, 12))
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        {"event": {"added": as_folders[1:], "removed": as_folders[:1]}},
    )
    assert "0x5000 1008" in text_of(client.hover(two, 2, 12))
    status = client.request("datasheet/status")
    assert [Path(f["root"]).name for f in status["folders"]][:1] == ["two"]


def test_a_file_outside_every_folder_belongs_to_the_project_around_it(
    client: RawClient, tmp_path: Path
) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    (outside / "src").mkdir(parents=True)
    one_chip(inside)
    one_chip(outside)
    (outside / "chip.svd").write_text(svd("GAMMA", 0x60001000))
    (outside / "datasheet.toml").write_text("")
    file = outside / "src" / "main.c"
    file.write_text("int x = UART1->BRR;\n")
    client.initialize(inside, MARKDOWN)
    assert "0x6000 1008" in text_of(client.hover(client.open(file), 0, 16))


def test_a_header_from_elsewhere_is_seen_with_the_device_of_the_workspace(
    client: RawClient, tmp_path: Path
) -> None:
    inside, elsewhere = tmp_path / "inside", tmp_path / "compiler"
    inside.mkdir()
    elsewhere.mkdir()
    one_chip(inside)
    header = elsewhere / "uart.h"
    header.write_text("static inline int f(void) { return UART1->BRR; }\n")
    client.initialize(inside, MARKDOWN)
    assert BRR in text_of(client.hover(client.open(header), 0, 44))
    item = {"uri": "untitled:x", "languageId": "c", "version": 1, "text": "int x = UART1->BRR;"}
    client.notify("textDocument/didOpen", {"textDocument": item})
    assert BRR in text_of(client.hover("untitled:x", 0, 16))
    assert not list(elsewhere.glob(".*"))


def test_without_a_folder_the_svd_beside_the_file_is_used(
    client: RawClient, tmp_path: Path
) -> None:
    main = one_chip(tmp_path)
    client.initialize(None, MARKDOWN)
    assert BRR in text_of(client.hover(client.open(main), 2, 12))


def test_without_a_folder_the_project_around_the_file_is_found(
    client: RawClient, tmp_path: Path
) -> None:
    """A build file alone makes a likely project; it gets no index file of ours."""
    (tmp_path / "svd").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "Makefile").write_text("all:\n")
    (tmp_path / "Makefile").write_text("all:\n")
    (tmp_path / "svd" / "chip.svd").write_text(svd("ALPHA", 0x40001000))
    file = tmp_path / "src" / "main.c"
    file.write_text("int x = UART1->BRR;\n")
    client.initialize(None, MARKDOWN)
    assert BRR in text_of(client.hover(client.open(file), 0, 16))
    [folder] = client.request("datasheet/status")["folders"]
    assert folder["root"] == str(tmp_path)
    assert not (tmp_path / ".datasheet").exists()


def test_without_an_svd_nothing_is_shown_and_nothing_pops_up(
    client: RawClient, tmp_path: Path
) -> None:
    file = tmp_path / "main.c"
    file.write_text("int x = USART2->BRR;\n")
    client.initialize(
        tmp_path, MARKDOWN, initializationOptions={"svd": {"search_installed": False}}
    )
    assert client.hover(client.open(file), 0, 16) is None
    assert not [m for m in client.messages if m.get("method") == "window/showMessage"]
    log = [
        m["params"]["message"] for m in client.messages if m.get("method") == "window/logMessage"
    ]
    assert any("no device" in line for line in log)


def test_a_broken_svd_is_told_once_in_one_sentence(client: RawClient, tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    (tmp_path / "chip.svd").write_text("<html>not found</html>")
    client.initialize(tmp_path, MARKDOWN)
    assert client.hover(client.open(main), 2, 12) is None
    client.request("datasheet/reload")
    shown = [m for m in client.messages if m.get("method") == "window/showMessage"]
    assert len(shown) == 1
    assert shown[0]["params"]["type"] == 2 and "chip.svd" in shown[0]["params"]["message"]


def test_hovers_before_the_devices_are_there_wait_for_them(tmp_path: Path) -> None:
    slow = """
import time
from datasheet_lsp.lsp import project
load = project.load
def slow(*arguments):
    time.sleep(1)
    return load(*arguments)
project.load = slow
"""
    main = one_chip(tmp_path)
    with RawClient(slow + SERVE) as client:
        client.initialize(tmp_path, MARKDOWN)
        uri = client.open(main)
        assert client.request("datasheet/status")["loading"]
        params = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 12}}
        waiting = [client.start("textDocument/hover", params) for _ in range(3)]
        client.notify("$/cancelRequest", {"id": waiting[1]})
        assert client.answer(waiting[1])["error"]["code"] == -32800
        for number in (waiting[0], waiting[2]):
            assert "UART1.BRR" in text_of(client.answer(number)["result"])
        assert client.finish() == 0


def test_a_file_too_large_to_parse_at_once_holds_up_nothing(
    client: RawClient, tmp_path: Path
) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, MARKDOWN)
    small = client.open(main)
    client.hover(small, 2, 12)
    line = "static int f{0}(void) {{ return UART1->BRR + {0}; }}\n"
    text = "".join(line.format(n) for n in range(20_000))
    large = client.open(tmp_path / "large.c", text)
    column = text.index("BRR")
    number = client.start(
        "textDocument/hover",
        {"textDocument": {"uri": large}, "position": {"line": 0, "character": column}},
    )
    assert "UART1.BRR" in text_of(client.hover(small, 2, 12))
    assert "UART1.BRR" in text_of(client.answer(number)["result"])
