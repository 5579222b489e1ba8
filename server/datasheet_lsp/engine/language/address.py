"""Addresses of this machine alone: what a language model's server may be reached at."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from datasheet_lsp.engine.errors import EngineError

USUAL_PATH = "/v1"


def loopback(url: str) -> tuple[str, int, str]:
    """Literal address, port and path of a server on this machine.

    No name is looked up, since what it stands for is not known to be here; ``localhost`` alone is
    taken, for 127.0.0.1.

    Raises:
        EngineError: the address is none of this machine, or no URL of a server.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise EngineError(f"[model] url {url} is no address ({error}).") from error
    if parts.scheme != "http" or not host:
        raise EngineError(
            f"[model] url {url} is not used: it must begin with http:// and a loopback address, as "
            "in http://127.0.0.1:8080/v1."
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise EngineError(f"[model] url {url} has more than address, port and path.")
    literal = "127.0.0.1" if host == "localhost" else host
    try:
        here = ip_address(literal).is_loopback
    except ValueError:
        here = False
    if not here:
        raise EngineError(
            f"[model] url {url} is refused: {host} is no loopback address (127.0.0.1, ::1 or "
            "localhost), and nothing of your code or manuals may leave this machine."
        )
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    return literal, port or 80, path or USUAL_PATH
