"""From the scores of the arms to one order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from datasheet_lsp.search.about import About, is_about
from datasheet_lsp.search.hits import Mode, Scored
from datasheet_lsp.search.names import squash
from datasheet_lsp.search.query import Query
from datasheet_lsp.search.settings import SearchSettings

PERIPHERAL = 0.2
FAMILY = 0.1
REGISTER = 0.35
UNSURE = 0.15
NUMBER = 0.05
TOPIC_HITS = 4
RANKED = 5


def share(scored: Mapping[int, Scored], chunks: Mapping[int, About], part: float) -> None:
    """Give the chunks of one register some of the score of the others of the same register.

    So the words of its SVD description help to find its place in the manual, and the other way.
    """
    best: dict[str, dict[int, float]] = {}
    for number, chunk in chunks.items():
        score = scored[number].keyword
        for path in chunk.paths:
            of_document = best.setdefault(path, {})
            if of_document.get(chunk.brief.document, 0.0) < score:
                of_document[chunk.brief.document] = score
    for number, chunk in chunks.items():
        others = [
            score
            for path in chunk.paths
            for document, score in best[path].items()
            if document != chunk.brief.document
        ]
        if others:
            gain = part * max(others)
            scored[number].keyword += gain
            scored[number].boosts["same register"] = gain


def fuse(
    keyword: Mapping[int, Scored],
    vector: Iterable[tuple[int, float]],
    query: Query,
    mode: Mode,
    settings: SearchSettings,
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
        weight = settings.arms[query.kind].keyword
    result: dict[int, Scored] = {}
    top = max((each.keyword for each in keyword.values()), default=0.0) or 1.0
    if weight:
        for number, each in keyword.items():
            result[number] = each
            each.total = weight * each.keyword / top
    if near:
        high, low = max(near.values()), min(near.values())
        for number, similarity in near.items():
            each = result.setdefault(number, Scored(number))
            each.vector = similarity
            scale = (similarity - low) / (high - low) if high > low else 1.0
            each.total += (1 - weight) * scale
    if weight and near and settings.first:
        # What is first in one arm is not to be lost between many that are middling in both.
        by_words = sorted(keyword.values(), key=lambda each: -each.keyword)
        by_sense = sorted(near, key=lambda number: -near[number])
        for ranked in ([each.chunk for each in by_words], by_sense):
            for rank, number in enumerate(ranked[:RANKED]):
                result[number].total += settings.first / (1 + rank)
    return result


def boost(
    scored: Mapping[int, Scored],
    chunks: Mapping[int, About],
    query: Query,
    settings: SearchSettings,
    cores: Collection[int] = (),
) -> None:
    """Raise what is about the registers and peripherals that the query names.

    Lists of registers and the documents of the processor core (``cores``) are lowered.
    """
    mentions = query.mentions
    targets = [target for target in mentions.targets if target.sure]
    maybe = [target for target in mentions.targets if not target.sure]
    names = frozenset(map(squash, mentions.peripherals))
    families = frozenset(map(squash, mentions.families))
    numbers = frozenset(query.numbers)
    for number, chunk in chunks.items():
        each = scored[number]
        named = any(is_about(chunk, target) for target in targets)
        if settings.boosts:
            gains = {
                "register": REGISTER * named,
                "perhaps this register": UNSURE * any(is_about(chunk, t) for t in maybe),
                "peripheral": _peripheral(chunk, names, families),
                "overview": -settings.overview * chunk.is_overview,
                "core": -settings.core * (chunk.brief.document in cores),
                "number": NUMBER * (not numbers.isdisjoint(chunk.numbers)),
            }
            for name, gain in gains.items():
                if gain:
                    each.boosts[name] = gain
                    each.total += gain
        if settings.registers_first and named:
            each.first = 1


def raise_topics(scored: Mapping[int, Scored], chunks: Mapping[int, About], most: float) -> None:
    """Raise what is about the peripheral or chapter in which most of the good hits are.

    A passage seldom repeats what its chapter is about, and a register of the SVD never does.
    """
    topics: dict[tuple[int, str] | str, list[float]] = {}
    for number, chunk in chunks.items():
        topics.setdefault(chunk.topic, []).append(scored[number].total)
    weight = {
        topic: sum(sorted(scores, reverse=True)[:TOPIC_HITS]) for topic, scores in topics.items()
    }
    top = max(weight.values(), default=0.0)
    for number, chunk in chunks.items():
        gain = most * weight[chunk.topic] / top if top else 0.0
        scored[number].boosts["topic"] = gain
        scored[number].total += gain


def _peripheral(chunk: About, names: frozenset[str], families: frozenset[str]) -> float:
    if names and not names.isdisjoint(chunk.words):
        return PERIPHERAL
    return FAMILY if families and not families.isdisjoint(chunk.kinds) else 0.0
