"""How the server starts and ends, in every state, and what it says to messages out of turn."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.lsp.raw import SERVE, RawClient

GUARD = 2.0
"""Seconds within which the process must be gone."""

SLOW = """
import threading, time
from datasheet_lsp.lsp import project
def slow(*arguments):
    threading.Event().wait(60)
project.load = slow
"""

BUSY = """
import time
from datasheet_lsp.lsp.features import hover
from datasheet_lsp.lsp import language_server
async def busy(ls, params):
    time.sleep(60)
busy.__name__ = "hover"
language_server.hover = busy
"""


def gone(client: RawClient, since: float) -> int:
    """The exit code; fails where the process took too long or left a child behind."""
    running = client.process.poll() is None
    children = psutil.Process(client.process.pid).children() if running else []
    code = client.wait()
    assert time.monotonic() - since < GUARD
    assert not [child for child in children if child.is_running()]
    return code


@pytest.fixture
def client() -> Iterator[RawClient]:
    with RawClient() as one:
        yield one


@pytest.fixture
def slow() -> Iterator[RawClient]:
    """A server whose devices take a minute to load."""
    with RawClient(SLOW + SERVE) as one:
        yield one


def test_an_orderly_end_is_code_0(client: RawClient, tmp_path: Path) -> None:
    client.initialize(tmp_path)
    start = time.monotonic()
    client.request("shutdown")
    client.notify("exit")
    assert gone(client, start) == 0


def test_exit_without_shutdown_is_code_1(client: RawClient, tmp_path: Path) -> None:
    client.initialize(tmp_path)
    start = time.monotonic()
    client.notify("exit")
    assert gone(client, start) == 1


def test_exit_before_initialize(client: RawClient) -> None:
    client.answer(client.start("textDocument/hover"))  # it is up
    start = time.monotonic()
    client.notify("exit")
    assert gone(client, start) == 1


def test_stdin_closed_before_the_first_message() -> None:
    with RawClient() as client:
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.wait() == 1


def test_stdin_closed_without_a_word(client: RawClient, tmp_path: Path) -> None:
    client.initialize(tmp_path)
    start = time.monotonic()
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert gone(client, start) == 1


def test_stdin_closed_in_the_middle_of_a_message(client: RawClient, tmp_path: Path) -> None:
    client.initialize(tmp_path)
    start = time.monotonic()
    client.send_bytes(b"Content-Length: 100\r\n\r\n{")
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert gone(client, start) == 1


def test_shutdown_then_stdin_closed_is_code_0(client: RawClient, tmp_path: Path) -> None:
    client.initialize(tmp_path)
    client.request("shutdown")
    start = time.monotonic()
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert gone(client, start) == 0


@pytest.mark.parametrize("ending", ["exit", "shutdown", "close", "term"])
def test_while_devices_load_and_requests_wait(slow: RawClient, tmp_path: Path, ending: str) -> None:
    slow.initialize(tmp_path)
    uri = slow.open(tmp_path / "main.c", "int x = USART2->BRR;\n")
    waiting = [
        slow.start(
            "textDocument/hover",
            {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 10}},
        )
        for _ in range(5)
    ]
    waiting.append(slow.start("workspace/executeCommand", {"command": "datasheet.reload"}))
    waiting.append(slow.start("datasheet/reload"))
    slow.request("datasheet/status")
    start = time.monotonic()
    if ending == "shutdown":
        slow.request("shutdown")
        for number in waiting:
            assert slow.answer(number)["error"]["code"] == -32800
        slow.notify("exit")
    elif ending == "exit":
        slow.notify("exit")
    elif ending == "close":
        assert slow.process.stdin is not None
        slow.process.stdin.close()
    else:
        slow.process.send_signal(signal.SIGTERM)
    assert gone(slow, start) == (0 if ending == "shutdown" else 1)


def test_a_command_can_be_cancelled(slow: RawClient, tmp_path: Path) -> None:
    slow.initialize(tmp_path)
    waiting = [
        slow.start("workspace/executeCommand", {"command": "datasheet.reload"}),
        slow.start("datasheet/reload"),
    ]
    slow.request("datasheet/status")
    for number in waiting:
        slow.notify("$/cancelRequest", {"id": number})
        assert slow.answer(number)["error"]["code"] == -32800
    assert slow.finish() == 0


@pytest.mark.parametrize("ending", ["exit", "close"])
def test_while_a_handler_holds_up_the_loop(tmp_path: Path, ending: str) -> None:
    with RawClient(BUSY + SERVE) as client:
        client.initialize(tmp_path)
        client.request("datasheet/status")
        client.start(
            "textDocument/hover",
            {"textDocument": {"uri": "file:///x"}, "position": {"line": 0, "character": 0}},
        )
        start = time.monotonic()
        if ending == "exit":
            client.notify("exit")
        else:
            assert client.process.stdin is not None
            client.process.stdin.close()
        assert gone(client, start) == 1


@pytest.mark.skipif(
    sys.platform == "win32", reason="the process is ended by signals that Windows has not"
)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_it(client: RawClient, tmp_path: Path, number: signal.Signals) -> None:
    client.initialize(tmp_path)
    start = time.monotonic()
    client.process.send_signal(number)
    assert gone(client, start) == 1


def test_a_client_that_reads_nothing_does_not_hold_it_up(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdin is not None
        body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        unknown = b'{"jsonrpc":"2.0","id":2,"method":"x/%s"}' % (b"y" * 1000)
        for _ in range(300):  # more than a pipe holds
            process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(unknown), unknown))
        process.stdin.flush()
        time.sleep(1)
        start = time.monotonic()
        process.stdin.close()
        assert process.wait(10) == 1
        assert time.monotonic() - start < GUARD
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


@pytest.mark.skipif(
    sys.platform == "win32",
    reason="the editor is played by the program sleep, which Windows has not",
)
def test_it_ends_when_the_editor_is_gone_though_stdin_stays_open(tmp_path: Path) -> None:
    editor = subprocess.Popen(["sleep", "60"])
    with RawClient() as client:
        client.initialize(tmp_path, processId=editor.pid)
        client.request("datasheet/status")
        start = time.monotonic()
        editor.kill()  # nobody has asked for its exit code yet: it is a zombie
        try:
            assert gone(client, start) == 1
        finally:
            editor.wait()


def test_a_process_number_from_elsewhere_is_not_watched(client: RawClient, tmp_path: Path) -> None:
    editor = subprocess.Popen([sys.executable, "-c", ""])
    editor.wait()
    client.initialize(tmp_path, processId=editor.pid)
    time.sleep(0.8)
    client.request("datasheet/status")
    assert client.finish() == 0


def test_messages_out_of_turn_are_answered_with_the_errors_of_the_protocol(
    client: RawClient, tmp_path: Path
) -> None:
    def code(number: int) -> int:
        error: int = client.answer(number)["error"]["code"]
        return error

    assert code(client.start("textDocument/hover")) == -32002
    client.initialize(tmp_path)
    assert code(client.start("initialize", {"capabilities": {}})) == -32600
    assert code(client.start("no/such")) == -32601
    assert code(client.start("textDocument/hover", {"textDocument": 1})) == -32602
    client.notify("no/such")
    client.notify("$/setTrace", {"value": "off"})
    client.notify("$/cancelRequest", {"id": 99})
    client.send({"id": 77, "result": None})  # the answer to nothing
    client.send_bytes(b"Content-Length: 3\r\n\r\n{]}")
    assert client.until(lambda m: "error" in m and m.get("id") is None)["error"]["code"] == -32700
    client.send_bytes(b"Content-Length: 2\r\n\r\n[]")
    assert client.until(lambda m: "error" in m and m.get("id") is None)["error"]["code"] == -32600
    deep = b"[" * 100_000
    client.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(deep), deep))
    assert client.until(lambda m: "error" in m and m.get("id") is None)["error"]["code"] == -32700
    client.send({"id": 78, "method": "datasheet/status"})  # params may be left out
    assert "result" in client.answer(78)
    client.send({"id": 79, "method": "workspace/executeCommand", "params": {"command": "x"}})
    assert code(79) == -32602
    client.request("shutdown")
    assert code(client.start("textDocument/hover")) == -32600
    client.notify("exit")
    assert client.wait() == 0


def test_what_is_printed_never_reaches_the_stream(tmp_path: Path) -> None:
    noisy = """
import os, subprocess, sys
from datasheet_lsp.lsp import language_server
async def noisy(ls, params):
    print("from print")
    sys.stdout.write("from sys.stdout"); sys.stdout.flush()
    os.write(1, b"from descriptor 1\\n")
    subprocess.run([sys.executable, "-c", "print('from a child', flush=True)"])
    sys.__stdout__.write("from the first stdout"); sys.__stdout__.flush()
noisy.__name__ = "hover"
language_server.hover = noisy
"""
    with RawClient(noisy + SERVE) as client:
        client.initialize(tmp_path)
        uri = client.open(tmp_path / "main.c", "int x;\n")
        assert client.hover(uri, 0, 4) is None
        assert client.finish() == 0
        for text in (b"print", b"sys.stdout", b"descriptor 1", b"a child", b"the first stdout"):
            assert b"from " + text in client.stderr


def test_the_answer_to_initialize_comes_soon(tmp_path: Path) -> None:
    """The figure is printed; the bound only guards against a start that hangs."""
    start = time.monotonic()
    with RawClient() as client:
        client.request("initialize", {"capabilities": {}, "rootUri": tmp_path.as_uri()})
        print(f"initialize answered after {time.monotonic() - start:.2f} s")
        assert time.monotonic() - start < 5


def test_heavy_libraries_are_not_loaded_before_they_are_needed() -> None:
    program = """
import sys
from datasheet_lsp.lsp import language_server
language_server.DatasheetServer()
heavy = {"lxml", "rich", "rapidfuzz", "pymupdf", "torch", "apsw", "sentence_transformers"}
print(sorted(heavy & {name.partition(".")[0] for name in sys.modules}))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def serve_tcp(host: str, port: int = 0) -> subprocess.Popen[str]:
    program = (
        f"from datasheet_lsp.lsp.server import main; raise SystemExit(main(({host!r}, {port})))"
    )
    return subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)


def test_tcp_serves_one_client_and_ends(tmp_path: Path) -> None:
    process = serve_tcp("127.0.0.1")
    assert process.stderr is not None
    try:
        port = int(process.stderr.readline().rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), 5) as connection:
            stream = connection.makefile("rwb")
            for body in (
                b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}',
                b'{"jsonrpc":"2.0","id":2,"method":"shutdown"}',
                b'{"jsonrpc":"2.0","method":"exit"}',
            ):
                stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            stream.flush()
            connection.settimeout(10)
            received = stream.read()
        assert received.count(b"Content-Length") == 2 and b"hoverProvider" in received
        assert process.wait(5) == 0
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stderr.close()


def test_tcp_turns_a_browser_away() -> None:
    process = serve_tcp("localhost")
    assert process.stderr is not None
    try:
        port = int(process.stderr.readline().rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), 5) as connection:
            body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
            connection.sendall(
                b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
            )
            connection.settimeout(10)
            try:
                assert connection.recv(100) == b""
            except ConnectionResetError:
                pass
        assert process.wait(5) == 1
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stderr.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.1"])
def test_tcp_refuses_other_addresses_with_one_sentence(host: str) -> None:
    process = serve_tcp(host)
    _, errors = process.communicate(timeout=10)
    assert process.returncode == 2
    assert errors.count("\n") == 1 and "this machine" in errors


def test_a_port_in_use_is_said_in_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = serve_tcp("127.0.0.1", taken.getsockname()[1])
        _, errors = process.communicate(timeout=10)
    assert process.returncode == 2
    assert errors.count("\n") == 1


def test_only_numbers_of_processes_mean_one() -> None:
    from datasheet_lsp.lsp.parent import is_running

    assert is_running(os.getpid())
    assert not is_running(0) and not is_running(-1)
