"""Counting tokens as the embedding model does, so that no chunk is longer than it reads.

The count is by the model's own tokenizer where one is at hand, else an approximation. Both are
additive over white space: words are counted once each and remembered, since a manual uses the
same few thousand again and again.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

from datasheet_lsp.extras import demo_zip

FILE_NAME = "tokenizer.json"
MAX_BYTES = 64 << 20
"""A tokenizer file larger than this is none."""

_MOST_WORDS = 200_000
"""So many words are remembered; then it begins anew, and memory stays flat."""


class TokenizerError(Exception):
    """The tokenizer that was asked for cannot be used; the text is one sentence."""


class _Words(dict[str, int]):
    """The tokens of each word, counted when it is first met."""

    def __init__(self, count: Callable[[str], int]) -> None:
        super().__init__()
        self._count = count

    def __missing__(self, word: str) -> int:
        if len(self) >= _MOST_WORDS:
            self.clear()
        number = self[word] = self._count(word)
        return number


class TokenCounter:
    """Counts tokens, without those a model adds around a text (``special``).

    ``identity`` tells one way of counting from another.
    """

    def __init__(self, count_word: Callable[[str], int], identity: str, special: int = 2) -> None:
        self.identity = identity
        self.special = special
        self._words = _Words(count_word)

    def __call__(self, text: str) -> int:
        """The tokens of ``text``."""
        return sum(map(self._words.__getitem__, text.split()))


_PART = re.compile(r"[^\W\d_]+|\d+|_|[^\w\s]")


def _approximate(word: str) -> int:
    """Tokens of one word as an English WordPiece vocabulary of 30,000 would give, about.

    Each sign is one; letters are one up to seven in small letters, else one for each three and a
    half; digits are one for each two. Over the manuals tried the sum is 3 to 19% too high, so that
    chunks are rather too short than too long.
    """
    total = 0
    for part in _PART.findall(word):
        length = len(part)
        if part[0].isdecimal():
            total += (length + 1) // 2
        elif not part.isascii():
            total += length
        elif length == 1 or (length <= 7 and part[1:].islower()):
            total += 1
        else:
            total += (2 * length + 6) // 7
    return total


def approximate_counter() -> TokenCounter:
    """A counter for when there is no model."""
    return TokenCounter(_approximate, "approximate 1")


def load_counter(path: Path | None = None) -> TokenCounter:
    """The counter of the model at ``path``: its folder, a zip of it, or a ``tokenizer.json``.

    Without a path that of the model the ``demo`` extra brings, else the approximation.

    Raises:
        TokenizerError: ``path`` has no tokenizer that can be used.
    """
    if path is not None:
        return _counter(_read(path), str(path))
    found = demo_zip()
    if found is not None:
        try:
            return _counter(_read(found), found.name)
        except TokenizerError:
            pass
    return approximate_counter()


def _read(path: Path) -> bytes:
    """The bytes of the tokenizer file at or in ``path``. Raises TokenizerError."""
    try:
        if path.is_dir():
            path = path / FILE_NAME
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                info = archive.getinfo(_member(archive))
                if info.file_size > MAX_BYTES:
                    raise TokenizerError(f"{FILE_NAME} in {path} is too large.")
                return archive.read(info)
        if path.stat().st_size > MAX_BYTES:
            raise TokenizerError(f"{path} is too large for a tokenizer.")
        return path.read_bytes()
    except (OSError, zipfile.BadZipFile, KeyError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or f"no {FILE_NAME} in it"
        raise TokenizerError(f"No tokenizer can be read from {path} ({reason}).") from error


def _member(archive: zipfile.ZipFile) -> str:
    names = [name for name in archive.namelist() if name.rpartition("/")[2] == FILE_NAME]
    return min(names, key=len, default=FILE_NAME)


def _counter(data: bytes, name: str) -> TokenCounter:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_buffer(data)
    except Exception as error:  # the library raises plain Exception
        raise TokenizerError(f"The {FILE_NAME} of {name} is none ({error}).") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def count(word: str) -> int:
        return len(tokenizer.encode(word, add_special_tokens=False).ids)

    special = tokenizer.num_special_tokens_to_add(False)
    return TokenCounter(count, f"tokenizer {hashlib.sha256(data).hexdigest()[:16]}", special)
