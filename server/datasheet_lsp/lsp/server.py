"""``datasheet-lsp serve``: from the start of the process to its end."""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
from typing import TYPE_CHECKING, BinaryIO

from datasheet_lsp.lsp.address import AddressError, check_loopback

if TYPE_CHECKING:
    from datasheet_lsp.lsp.language_server import DatasheetServer


def main(tcp: tuple[str, int] | None = None) -> int:
    """Serves one client on standard input and output, or on a TCP port of this machine.

    Returns 2 where ``tcp`` is not an address of this machine. Otherwise does not return: the
    process ends with 0 after ``shutdown``, else with 1.
    """
    if tcp is None:
        from datasheet_lsp.lsp.io import take_stdio

        streams = take_stdio()
    else:
        try:
            check_loopback(tcp[0])
            streams = _accept(*tcp)
        except AddressError as error:
            print(f"datasheet-lsp: {error}", file=sys.stderr)
            return 2
        except OSError as error:
            reason = error.strerror or error
            print(f"datasheet-lsp: {tcp[0]}:{tcp[1]} cannot be used: {reason}.", file=sys.stderr)
            return 2
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(name)s: %(message)s")
    logging.getLogger("pygls").setLevel(logging.ERROR)
    code = _serve(_make(), *streams)
    # Threads may still be at work for the client that is gone: nothing of theirs is wanted, and
    # waiting for them is what keeps servers from ending.
    logging.shutdown()
    sys.stderr.flush()
    os._exit(code)


def _make() -> DatasheetServer:
    # The protocol's types are thousands of small objects, none of them garbage.
    gc.disable()
    from datasheet_lsp.lsp.language_server import DatasheetServer

    server = DatasheetServer()
    gc.freeze()
    gc.enable()
    return server


def _serve(server: DatasheetServer, incoming: BinaryIO, outgoing: BinaryIO) -> int:
    import asyncio

    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(server.run(incoming, outgoing))
    except KeyboardInterrupt:
        return server.exit_code


def _accept(host: str, port: int) -> tuple[BinaryIO, BinaryIO]:
    """Waits for the one client; the port is closed once it is there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if host == "localhost":
        host = "127.0.0.1"
    with socket.create_server((host, port), family=family) as listener:
        name = listener.getsockname()
        shown = f"[{name[0]}]" if ":" in name[0] else name[0]
        print(f"datasheet-lsp: listening on {shown}:{name[1]}", file=sys.stderr, flush=True)
        connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection:
        return connection.makefile("rb"), connection.makefile("wb")
