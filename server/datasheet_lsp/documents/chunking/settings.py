"""How documents are cut into chunks."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

CHUNK_VERSION = 1
"""Goes up when the same document gives other chunks."""

Layout = Literal["kept", "linear"]


class ChunkSettings(msgspec.Struct, frozen=True):
    """Lengths are in tokens of the embedding model, stamp included.

    A chunk has at most ``maximum`` tokens, and at least ``minimum`` unless its section or register
    has less. ``overlap`` is how much of a chunk's running text the next one repeats. ``layout``
    "kept" writes tables as pipe tables and keeps lines; "linear" makes each row a sentence that
    names its columns.
    """

    minimum: int = 256
    maximum: int = 512
    overlap: int = 0
    layout: Layout = "kept"

    def identity(self, counter: str) -> str:
        """Tells these settings, with the counter called so, from others: 12 hex digits."""
        said = repr((CHUNK_VERSION, msgspec.structs.astuple(self), counter))
        return hashlib.sha256(said.encode()).hexdigest()[:12]
