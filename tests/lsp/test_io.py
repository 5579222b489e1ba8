"""Framing of messages, and the addresses that are served."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasheet_lsp.lsp.address import AddressError, check_loopback, parse_tcp
from datasheet_lsp.lsp.io import FrameError, read_frame


@given(bodies=st.lists(st.binary()))
def test_messages_are_read_back_as_written(bodies: list[bytes]) -> None:
    framed = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(b), b) for b in bodies)
    stream = io.BytesIO(framed)
    assert [read_frame(stream) for _ in bodies] == bodies
    assert read_frame(stream) is None


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc\r\ncontent-length:2\r\n\r\n",
        b"Content-Length: 2\n\n",
    ],
)
def test_headers_in_any_order_and_case_are_read(header: bytes) -> None:
    assert read_frame(io.BytesIO(header + b"{}")) == b"{}"


@pytest.mark.parametrize(
    "data",
    [
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}",
        b"hello\n",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 99999999999999\r\n\r\n",
        b"Content-Type: x\r\n\r\n{}",
        b"X" * 100_000,
    ],
)
def test_what_is_no_language_client_is_turned_away(data: bytes) -> None:
    with pytest.raises(FrameError):
        read_frame(io.BytesIO(data))


def test_a_message_cut_off_is_the_end() -> None:
    assert read_frame(io.BytesIO(b"Content-Length: 10\r\n\r\n{}")) is None
    assert read_frame(io.BytesIO(b"Content-Length: 10\r\n")) is None


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.2.1", "::1", "localhost"])
def test_addresses_of_this_machine_are_served(host: str) -> None:
    check_loopback(host)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "192.168.1.5", "10.0.0.1", "example.org", "", "localhost.evil.org"]
)
def test_every_other_address_is_refused_in_one_sentence(host: str) -> None:
    with pytest.raises(AddressError) as refused:
        check_loopback(host)
    assert str(refused.value).count(". ") == 0 and str(refused.value).endswith(".")


def test_host_and_port_are_taken_apart() -> None:
    assert parse_tcp("127.0.0.1:2087") == ("127.0.0.1", 2087)
    assert parse_tcp("[::1]:0") == ("::1", 0)
    assert parse_tcp("localhost:1") == ("localhost", 1)
    for text in ("2087", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:70000", ":1"):
        with pytest.raises(AddressError):
            parse_tcp(text)
    with pytest.raises(AddressError):
        parse_tcp("0.0.0.0:2087")
