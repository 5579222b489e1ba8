"""A process that searches a large index and says how long each part takes, as JSON.

``python -m datasheet_lsp.evaluation.search_probe INDEX EXACT``: of EXACT questions the nearest
vectors are compared with those that are found when all are compared. It loads what a server loads
to search, and no more, so that its memory tells something.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

import msgspec

from datasheet_lsp.evaluation.search_corpus import KEY, Built, Query
from datasheet_lsp.index import Index
from datasheet_lsp.search import Mode, Searcher, SearchSettings
from datasheet_lsp.search.keyword import KeywordArm
from datasheet_lsp.search.vectors import IndexVectors

K = 10
DEVICES = 3
"""So many devices are searched alone, those with the most chunks."""


class Times(msgspec.Struct, frozen=True):
    """Milliseconds of one query, on the clock (50%, 95%) and of the processor (50%, 95%)."""

    scope: str
    part: str
    sort: str
    count: int
    wall: tuple[float, float]
    cpu: tuple[float, float]


class Probed(msgspec.Struct, frozen=True):
    """What the process found out. ``first`` is the first search in a scope, in milliseconds."""

    times: list[Times]
    first: dict[str, float]
    recall: float
    recall_many: float
    exact_ms: float
    many: int


def main() -> None:
    """Measure and print."""
    path, exact = Path(sys.argv[1]), int(sys.argv[2])
    built = msgspec.msgpack.decode(path.with_suffix(".built").read_bytes(), type=Built)
    with Index(path) as index:
        probed = Probe(index, built.queries).probe(exact)
    sys.stdout.buffer.write(msgspec.json.encode(probed))


class Probe:
    """The measures over one index."""

    def __init__(self, index: Index, queries: list[Query]) -> None:
        self.index = index
        self.queries = queries
        vectors = {query.text: query.vector for query in queries}
        self.arm = IndexVectors(index, KEY, lambda text: vectors.get(text, queries[0].vector))
        self.many = SearchSettings().candidates

    def probe(self, exact: int) -> Probed:
        """All of it."""
        times: list[Times] = []
        first: dict[str, float] = {}
        for scope in ("device", "all"):
            devices: list[str | None] = list(self._largest()) if scope == "device" else [None]
            searcher = Searcher(self.index, {}, self.arm)
            # What is gathered once for each scope is not part of the searches that follow.
            for device in devices:
                begin = time.perf_counter()
                searcher.search("a first questoin", device=device)
                took = 1000 * (time.perf_counter() - begin)
                first[scope] = max(first.get(scope, 0.0), round(took, 1))
            for part in ("vector", "keyword", "hybrid"):
                # Nothing that was found by words for the part before is known to the next.
                searcher.keyword = KeywordArm(self.index)
                times += self._timed(scope, part, searcher, devices)
        recall, many, took = self.recall(self.queries[:: max(1, len(self.queries) // exact)])
        return Probed(times, first, recall, many, took, self.many)

    def recall(self, queries: list[Query]) -> tuple[float, float, float]:
        """The share of the nearest 10, and of as many as a search takes, that are found.

        The third is how many milliseconds it takes to compare all.
        """
        store = self.arm.store
        which = store.serving(KEY)
        assert which is not None
        few = many = took = 0.0
        for query in queries:
            begin = time.perf_counter()
            right = [e.chunk for e in store.search(which, query.vector, self.many, exact=True)]
            took += time.perf_counter() - begin
            found = [e.chunk for e in store.search(which, query.vector, self.many)]
            few += len(set(found[:K]) & set(right[:K])) / K
            many += len(set(found) & set(right)) / max(1, len(right))
        count = len(queries)
        return round(few / count, 4), round(many / count, 4), round(1000 * took / count, 1)

    def _largest(self) -> list[str]:
        """The devices with the most chunks."""
        chunks: Counter[str] = Counter()
        for document in self.index.documents():
            for each in document.devices:
                chunks[each.device] += document.chunks
        return [device for device, _ in chunks.most_common(DEVICES)]

    def _timed(
        self, scope: str, part: str, searcher: Searcher, devices: list[str | None]
    ) -> list[Times]:
        scopes = [searcher.shelf.scope("", device).documents for device in devices]
        rows: list[tuple[str, float, float]] = []
        for number, query in enumerate(self.queries):
            at = number % len(devices)
            wall, cpu = time.perf_counter(), time.process_time()
            if part == "vector":
                self.arm(query.text, scopes[at], self.many)
            else:
                mode: Mode = "keyword" if part == "keyword" else "hybrid"
                searcher.search(query.text, device=devices[at], mode=mode)
            used = time.process_time() - cpu
            rows.append((query.sort, 1000 * (time.perf_counter() - wall), 1000 * used))
        found = []
        for sort in ("", *dict.fromkeys(row[0] for row in rows)):
            own = [row for row in rows if sort in ("", row[0])]
            walls, cpus = sorted(row[1] for row in own), sorted(row[2] for row in own)
            found.append(Times(scope, part, sort, len(own), _points(walls), _points(cpus)))
        return found


def _points(values: list[float]) -> tuple[float, float]:
    """The median and the 95th percentile."""
    last = len(values) - 1
    return round(values[last // 2], 2), round(values[min(last, round(0.95 * last))], 2)


if __name__ == "__main__":
    main()
