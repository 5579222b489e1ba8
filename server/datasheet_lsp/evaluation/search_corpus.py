"""A large index to measure the search on: real text repeated, vectors made up.

The vectors are made in three levels, document, section and chunk, each a normal deviate whose
strength falls with the number of the dimension as (1 + i / 8) ** -0.6, then turned at random so
that no dimension stands out. With the weights below the best, tenth and hundredth hit of a question
are about as far apart as with all-MiniLM-L6-v2 on register manuals (docs/benchmarks.md).
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from datasheet_lsp.index import Belongs, Entry, Index, SourceFile, StoredChunk, StoredDocument
from datasheet_lsp.index.vectors import VectorSet, VectorStore
from datasheet_lsp.model.document import Chunk, Document

KEY = "bench"
SEED = 20_240
LEVELS = (0.6, 0.6, 0.6, 0.6)
"""What all have in common, document, section, chunk."""

ASTRAY = 0.9
"""By how much a question is elsewhere than the chunk it is about."""

SORTS = ("symbol", "words", "long")
_LONG_WORDS = 20
_WORD = re.compile(r"[A-Za-z_]\w+")


class BenchError(Exception):
    """It cannot be measured; the text says why."""


class Query(msgspec.Struct, frozen=True):
    """A question about a chunk. ``vector`` has 32-bit floats."""

    text: str
    sort: str
    vector: bytes


class Built(msgspec.Struct, frozen=True):
    """The index that was made; times in seconds."""

    chunks: int
    documents: int
    dimension: int
    bytes: int
    keyword_seconds: float
    vector_seconds: float
    queries: list[Query]


class MadeUp:
    """Makes vectors. ``numpy`` comes with sentence-transformers and is needed here alone."""

    def __init__(self, dimension: int) -> None:
        if importlib.util.find_spec("numpy") is None:
            raise BenchError("bench search needs numpy: pip install 'datasheet-lsp[embed]'")
        import numpy

        self.np: Any = numpy
        self.dimension = dimension
        self.random = numpy.random.default_rng(SEED)
        fall = (1 + numpy.arange(dimension) / 8) ** -0.6
        self.fall = (fall / numpy.sqrt((fall**2).mean())).astype("f4")
        self.turn = numpy.linalg.qr(self._normal(dimension))[0]
        self.common = LEVELS[0] * self._normal(1)[0]

    def _normal(self, rows: int) -> Any:
        return self.random.standard_normal((rows, self.dimension), dtype="f4")

    def document(self, sections: list[int]) -> Any:
        """What the chunks of a document are about, a row for each; ``sections`` has theirs."""
        numbers = {section: at for at, section in enumerate(dict.fromkeys(sections))}
        of_section = self._normal(len(numbers))[[numbers[section] for section in sections]]
        about = LEVELS[1] * self._normal(1) + LEVELS[2] * of_section
        return self.common + about + LEVELS[3] * self._normal(len(sections))

    def near(self, about: Any) -> Any:
        """What a question is about that one of these chunks answers."""
        return about + ASTRAY * self._normal(len(about))

    def vectors(self, about: Any) -> list[bytes]:
        """The vectors of length 1 for what ``about`` says, 32-bit floats."""
        made = (about * self.fall) @ self.turn
        made /= self.np.linalg.norm(made, axis=1, keepdims=True)
        return [row.tobytes() for row in made.astype("f4")]


def build(
    source: Path,
    target: Path,
    chunks: int,
    dimension: int,
    queries: int,
    say: Callable[[str], None] = lambda line: None,
) -> Built:
    """Make an index of so many chunks at ``target``, or take the one that was made there before.

    Raises BenchError.
    """
    note = target.with_suffix(".built")
    if target.is_file() and note.is_file():
        built = msgspec.msgpack.decode(note.read_bytes(), type=Built)
        if (built.chunks, built.dimension) == (chunks, dimension):
            return built
    for old in (note, *target.parent.glob(f"{target.name}*")):
        old.unlink(missing_ok=True)
    made = MadeUp(dimension)
    with Index(source) as original, Index(target) as index:
        if not original.size():
            raise BenchError(f"{source} has no chunks to repeat: index some manuals first.")
        from time import perf_counter

        begin = perf_counter()
        for entry in repeated(original, chunks):
            if index.put_document(entry) is None:
                raise BenchError(index.problem or f"{target} cannot be written.")
            say(f"{entry.file.path}: {index.size():,} of {chunks:,} chunks")
        words = perf_counter() - begin
        begin = perf_counter()
        asked = _fill(index, made, dimension, max(1, chunks // queries), say)
        built = Built(
            chunks=index.size(),
            documents=len(index.documents()),
            dimension=dimension,
            bytes=0,
            keyword_seconds=round(words, 1),
            vector_seconds=round(perf_counter() - begin, 1),
            queries=asked,
        )
    built = msgspec.structs.replace(built, bytes=target.stat().st_size)
    note.write_bytes(msgspec.msgpack.encode(built))
    return built


def repeated(original: Index, chunks: int) -> Iterator[Entry]:
    """The documents of an index over and over, each time of other devices, up to so many chunks."""
    left = chunks
    copy = 0
    documents = [document for document in original.documents() if document.chunks]
    while left > 0:
        for document in documents:
            texts = [stored.chunk for stored in original.chunks(document.id)][:left]
            if texts:
                left -= len(texts)
                yield _entry(original, document, texts, copy)
        copy += 1


def _entry(original: Index, document: StoredDocument, chunks: list[Chunk], copy: int) -> Entry:
    mark = f" {copy + 1}" if copy else ""
    name = (document.files[0] if document.files else document.title) + mark
    return Entry(
        file=SourceFile(name, f"{document.sha256}{mark}", f".{document.format}", ""),
        version="bench",
        document=Document(
            format=document.format,
            title=document.title + mark,
            revision=document.revision,
            pages=document.pages,
            labels=document.labels,
            sections=tuple(original.sections(document.id)),
            blocks=(),
            tables=(),
            figures=(),
            registers=(),
        ),
        # Another stamp, since a text is embedded once wherever it stands.
        chunks=tuple(msgspec.structs.replace(c, stamp=c.stamp + mark) for c in chunks),
        devices=tuple(
            Belongs(each.device + mark.replace(" ", "v"), each.reason) for each in document.devices
        ),
    )


def _fill(
    index: Index, made: MadeUp, dimension: int, every: int, say: Callable[[str], None]
) -> list[Query]:
    store = VectorStore(index)
    which = store.open_set(KEY, KEY, "made up", dimension)
    if which is None:
        raise BenchError(store.problem or index.problem or "The index takes no vectors.")
    asked: list[Query] = []
    seen = 0
    for document in index.documents():
        stored = index.chunks(document.id)
        about = made.document([each.chunk.section for each in stored])
        _put(store, which, document, made.vectors(about))
        chosen = [at for at in range(len(stored)) if (seen + at) % every == every // 2]
        if chosen:
            vectors = made.vectors(made.near(about[chosen]))
            for at, vector in zip(chosen, vectors, strict=True):
                sort = SORTS[len(asked) % len(SORTS)]
                asked.append(Query(text_of(stored[at], sort), sort, vector))
        seen += len(stored)
        say(f"vectors of {seen:,} chunks")
    if not store.finish(which):
        raise BenchError(store.problem or index.problem or "The index takes no vectors.")
    return asked


def _put(
    store: VectorStore, which: VectorSet, document: StoredDocument, vectors: list[bytes]
) -> None:
    at = 0
    while missing := store.missing(which, document.id, 1_000):
        new = {each.hash: vectors[at + i] for i, each in enumerate(missing)}
        if not store.put(which, missing, new):
            raise BenchError(store.problem or store.index.problem or "A vector was not stored.")
        at += len(missing)


def text_of(stored: StoredChunk, sort: str) -> str:
    """A question about a chunk: a symbol of it, the words of its headings, or a long sentence."""
    chunk = stored.chunk
    if sort == "symbol":
        symbols = [name for name in chunk.symbols if len(name) > 2]
        if symbols:
            return symbols[stored.id % len(symbols)]
    if sort == "long":
        return " ".join(_words(chunk.text, _LONG_WORDS))
    return " ".join(_words(" ".join(chunk.heading_path[-2:]), 8)) or chunk.text[:60]


def _words(text: str, most: int) -> Iterable[str]:
    return _WORD.findall(text)[:most]
