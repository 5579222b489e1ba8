"""Where ``serve --tcp`` may listen: on the machine itself, nowhere else."""

from __future__ import annotations

import ipaddress


class AddressError(ValueError):
    """An address that is not served. ``str()`` is one sentence for the user."""


def parse_tcp(text: str) -> tuple[str, int]:
    """``HOST:PORT`` (``[::1]:PORT`` too) as host and port; raises AddressError."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise AddressError(f"--tcp wants HOST:PORT such as 127.0.0.1:2087, not {text!r}.")
    check_loopback(host)
    return host, int(port)


def check_loopback(host: str) -> None:
    """Raises AddressError unless ``host`` is ``localhost``, in 127.0.0.0/8, or ``::1``."""
    if host == "localhost":
        return
    try:
        if ipaddress.ip_address(host).is_loopback:
            return
    except ValueError:
        pass
    raise AddressError(
        f"datasheet-lsp serves this machine alone: --tcp takes 127.0.0.1, ::1 or localhost, "
        f"not {host!r}."
    )
