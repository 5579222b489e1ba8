"""From the scores of the arms to one order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from datasheet_lsp.index import StoredChunk
from datasheet_lsp.search.hits import Kind, Mode, Scored
from datasheet_lsp.search.names import Target, family, squash
from datasheet_lsp.search.query import Query
from datasheet_lsp.search.settings import ARMS, SearchSettings, Weights

PERIPHERAL = 0.2
FAMILY = 0.1
REGISTER = 0.35
UNSURE = 0.15
TOPIC_HITS = 4
FIRST = 0.4
RANKED = 5


def share(scored: Mapping[int, Scored], chunks: Mapping[int, StoredChunk], part: float) -> None:
    """Give the chunks of one register some of the score of the others of the same register.

    So the words of its SVD description help to find its place in the manual, and the other way.
    """
    best: dict[str, dict[int, float]] = {}
    for number, stored in chunks.items():
        score = scored[number].keyword
        for path in paths_of(stored):
            of_document = best.setdefault(path, {})
            of_document[stored.document] = max(of_document.get(stored.document, 0.0), score)
    for number, stored in chunks.items():
        others = [
            score
            for path in paths_of(stored)
            for document, score in best[path].items()
            if document != stored.document
        ]
        if others:
            gain = part * max(others)
            scored[number].keyword += gain
            scored[number].boosts["same register"] = gain


def paths_of(stored: StoredChunk) -> list[str]:
    """The SVD registers that a chunk is about: "USART2.BRR"."""
    if stored.chunk.kind not in ("svd", "register"):
        return []
    return [symbol for symbol in stored.chunk.symbols if "." in symbol]


def fuse(
    keyword: Mapping[int, Scored],
    vector: Iterable[tuple[int, float]],
    query: Query,
    mode: Mode,
    arms: Mapping[Kind, Weights] | None = None,
) -> dict[int, Scored]:
    """Both arms in one: each scaled to 1 for its best, weighed by the kind of the query.

    ``vector`` has chunks with their similarity, the higher the better.
    """
    near = dict(vector)
    if mode == "keyword" or not near:
        near = {}
        weight = 1.0
    elif mode == "vector":
        weight = 0.0
    else:
        weight = (arms or ARMS)[query.kind].keyword
    result: dict[int, Scored] = {}
    top = max((each.keyword for each in keyword.values()), default=0.0) or 1.0
    if weight:
        for number, each in keyword.items():
            result[number] = each
            each.total = weight * each.keyword / top
    if near:
        high, low = max(near.values()), min(near.values())
        for number, similarity in near.items():
            each = result.setdefault(number, Scored(number, 0))
            each.vector = similarity
            scale = (similarity - low) / (high - low) if high > low else 1.0
            each.total += (1 - weight) * scale
    if weight and near:
        # What is first in one arm is not to be lost between many that are middling in both.
        by_words = sorted(keyword.values(), key=lambda each: -each.keyword)
        by_sense = sorted(near, key=lambda number: -near[number])
        for ranked in ([each.chunk for each in by_words], by_sense):
            for rank, number in enumerate(ranked[:RANKED]):
                result[number].total += FIRST / (1 + rank)
    return result


def boost(
    scored: Mapping[int, Scored],
    chunks: Mapping[int, StoredChunk],
    query: Query,
    settings: SearchSettings,
) -> None:
    """Raise what is about the registers and peripherals that the query names."""
    mentions = query.mentions
    targets = [target for target in mentions.targets if target.sure]
    maybe = [target for target in mentions.targets if not target.sure]
    for number, stored in chunks.items():
        each = scored[number]
        if settings.boosts:
            gains = {
                "register": REGISTER * any(is_about(stored, t) for t in targets),
                "perhaps this register": UNSURE * any(is_about(stored, t) for t in maybe),
                "peripheral": _peripheral(stored, query),
            }
            for name, gain in gains.items():
                if gain:
                    each.boosts[name] = gain
                    each.total += gain
        if settings.registers_first and any(is_about(stored, target) for target in targets):
            each.first = 1


def raise_topics(
    scored: Mapping[int, Scored], chunks: Mapping[int, StoredChunk], most: float
) -> None:
    """Raise what is about the peripheral or chapter in which most of the good hits are.

    A passage seldom repeats what its chapter is about, and a register of the SVD never does.
    """
    topics: dict[tuple[int, str] | str, list[float]] = {}
    of: dict[int, tuple[int, str] | str] = {}
    for number, stored in chunks.items():
        of[number] = topic_of(stored)
        topics.setdefault(of[number], []).append(scored[number].total)
    weight = {
        topic: sum(sorted(scores, reverse=True)[:TOPIC_HITS]) for topic, scores in topics.items()
    }
    top = max(weight.values(), default=0.0)
    for number, topic in of.items():
        gain = most * weight[topic] / top if top else 0.0
        scored[number].boosts["topic"] = gain
        scored[number].total += gain


def topic_of(stored: StoredChunk) -> tuple[int, str] | str:
    """The kind of peripheral a chunk is about, else the chapter it is in."""
    chunk = stored.chunk
    if chunk.kind == "svd":
        return squash(family(chunk.heading_path[0].partition(",")[0]))
    if chunk.symbols:
        return squash(family(chunk.symbols[-1].partition(".")[0]))
    return stored.document, chunk.heading_path[0] if chunk.heading_path else ""


def is_about(stored: StoredChunk, target: Target) -> bool:
    """Whether a chunk describes a register: of the SVD, matched with it in a manual, or by title.

    A title counts that has the register's name with the peripheral's or its family's before it.
    """
    chunk = stored.chunk
    symbols = set(chunk.symbols)
    if chunk.kind in ("svd", "register"):
        if not symbols.isdisjoint((target.path, target.template)):
            return True
        register = target.path.partition(".")[2]
        if chunk.kind == "svd":
            return register in symbols and target.peripheral in symbols
    if not chunk.heading_path:
        return False
    register = squash(target.path.partition(".")[2])
    wanted = {squash(name) + register for name in (target.peripheral, family(target.peripheral))}
    return any(squash(word) in wanted for word in _words(chunk.heading_path[-1]))


def _peripheral(stored: StoredChunk, query: Query) -> float:
    names = {squash(name) for name in query.mentions.peripherals}
    families = {squash(name) for name in query.mentions.families}
    if not names and not families:
        return 0.0
    chunk = stored.chunk
    words = {squash(word) for title in chunk.heading_path for word in _words(title)}
    words |= {squash(symbol.partition(".")[0]) for symbol in chunk.symbols[-1:]}
    if words & names:
        return PERIPHERAL
    kinds = words | {squash(family(word)) for word in words}
    return FAMILY if kinds & families else 0.0


def _words(title: str) -> list[str]:
    return title.replace("(", " ").replace(")", " ").replace(",", " ").replace("/", " ").split()
