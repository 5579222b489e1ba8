"""A small server on this machine that speaks the OpenAI chat API, or does not keep to it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Speaker(ThreadingHTTPServer):
    """Repeats the words of the last message; ``manner`` says what it does wrong."""

    daemon_threads = True

    def __init__(self, manner: str = "", context: int = 0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.manner = manner
        self.context = context
        self.asked: list[tuple[str, dict[str, Any] | None]] = []
        self.left = threading.Event()
        self.thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def chat(self) -> dict[str, Any]:
        """The last chat request."""
        bodies = [body for path, body in self.asked if path == "/v1/chat/completions"]
        assert bodies and bodies[-1] is not None
        return bodies[-1]

    def handle_error(self, *_: object) -> None:
        pass

    def stop(self) -> None:
        self.left.set()
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: Speaker
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.server.asked.append((self.path, None))
        if self.path == "/v1/models" and self.server.manner != "bare":
            self._json({"data": [{"id": "speaker-7b"}, {"id": "other"}]})
        elif self.path == "/props" and self.server.context:
            self._json({"default_generation_settings": {"n_ctx": self.server.context}})
        else:
            self._json({"error": {"message": "not found"}}, 404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, body))
        if self.path == "/tokenize" and self.server.context:
            self._json({"tokens": list(range(len(body["content"].split())))})
        elif self.path == "/v1/chat/completions":
            self._chat(body)
        else:
            self._json({"error": {"message": "not found"}}, 404)

    def _json(self, value: object, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _chat(self, body: dict[str, Any]) -> None:
        manner = self.server.manner
        words = [f"{word} " for word in body["messages"][-1]["content"].split()]
        if manner == "refuses":
            self._json({"error": {"message": "model is\nnot loaded", "code": 500}}, 500)
        elif manner == "elsewhere":
            self.send_response(307)
            self.send_header("Location", "http://192.0.2.1/v1/chat/completions")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif manner == "no http":
            self.wfile.write(b"\x00\x01 hello\r\n\r\n")
            self.close_connection = True
        elif manner == "hangs":
            self.server.left.wait(60)
        elif manner == "no stream":
            message = {"role": "assistant", "content": "".join(words)}
            self._json({"choices": [{"message": message, "finish_reason": "stop"}]})
        else:
            self._stream(words, manner)

    def _stream(self, words: list[str], manner: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for line in self._lines(words, manner):
            data = line.encode()
            try:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            except OSError:
                self.server.left.set()
                return
        if manner == "closes":
            self.close_connection = True
            return
        self.wfile.write(b"0\r\n\r\n")

    def _lines(self, words: list[str], manner: str) -> Iterator[str]:
        yield ": a comment\n\n"
        yield _event({"role": "assistant", "content": ""})
        if manner == "garbage":
            yield "data: {this is no JSON\n\n"
        if manner == "error":
            yield 'data: {"error": {"message": "out of memory"}}\n\n'
        if manner == "long line":
            while not self.server.left.is_set():
                yield "x" * 100_000
        for word in words:
            yield _event({"content": word})
        while manner in ("endless", "slow"):
            yield _event({"content": f"{time.monotonic()} "})
            if manner == "slow":
                time.sleep(0.02)
        if manner not in ("closes", "never says that it is done"):
            yield _event({}, "stop")
            yield 'data: {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}}\n\n'
            yield "data: [DONE]\n\n"


def _event(delta: dict[str, str], reason: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return f"data: {json.dumps({'choices': [choice]})}\n\n"
