"""What a run is to do, as plain values that go to the indexer process."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from datasheet_lsp.documents.chunking import ChunkSettings
from datasheet_lsp.documents.tokens import (
    TokenCounter,
    TokenizerError,
    approximate_counter,
    load_counter,
)
from datasheet_lsp.workspace.globs import CodeMatcher
from datasheet_lsp.workspace.settings import DocumentsSettings


class Job(msgspec.Struct, frozen=True):
    """Bring the documents and devices of the workspace ``root`` into the index at ``index``.

    ``options`` are the editor's settings; ``svd`` replaces the workspace's own choice of SVD
    files; ``paths`` are further files or folders that are to be indexed, and stay so. ``again``
    reads everything anew. ``questions`` has the language model asked, whatever the settings say.
    """

    root: str
    index: str
    options: dict[str, Any] | None = None
    svd: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    again: bool = False
    questions: bool = False


def chunk_settings(settings: DocumentsSettings) -> ChunkSettings:
    """How chunks are cut; a least length above the greatest gives way."""
    return ChunkSettings(
        minimum=min(settings.chunk_min, settings.chunk_max),
        maximum=settings.chunk_max,
        overlap=settings.overlap,
        layout=settings.layout,
    )


def token_counter(settings: DocumentsSettings, root: Path) -> tuple[TokenCounter, str]:
    """The counter that the settings ask for; where it cannot be had an estimate, and why."""
    if not settings.tokenizer:
        return load_counter(), ""
    try:
        return load_counter(root / Path(settings.tokenizer).expanduser()), ""
    except TokenizerError as error:
        return approximate_counter(), f"{error} Tokens are estimated instead."


def password_of(path: Path, key: str, passwords: Mapping[str, str]) -> str | None:
    """The password the settings have for a file: by its path, its name, or a pattern."""
    for name in (key, path.as_posix(), path.name):
        if name in passwords:
            return passwords[name]
    base = Path("/")
    for pattern, password in passwords.items():
        if any(mark in pattern for mark in "*?["):
            if CodeMatcher([pattern], base).matches(base / key.lstrip("/")):
                return password
    return None


def short_hash(values: Sequence[object], digits: int = 12) -> str:
    """A few hexadecimal digits that change with the values."""
    return hashlib.sha256(repr(values).encode()).hexdigest()[:digits]
