"""How a search goes about it. Each part can be left out, which shows what it brings."""

from __future__ import annotations

import msgspec

from datasheet_lsp.search.hits import Kind


class Weights(msgspec.Struct, frozen=True):
    """What the two arms count for a kind of query; together 1."""

    keyword: float
    vector: float


ARMS: dict[Kind, Weights] = {
    "symbol": Weights(0.9, 0.1),
    "mixed": Weights(0.8, 0.2),
    "words": Weights(0.7, 0.3),
}


class SearchSettings(msgspec.Struct, frozen=True):
    """The parts of the search and its few numbers."""

    scope: bool = True
    """Only documents of the device that is asked about."""
    svd: bool = True
    """The chunks of SVD files too."""
    headings: bool = True
    """What the headings above a chunk say of it."""
    synonyms: bool = True
    corrections: bool = True
    functions: int = 1
    """At most so many functions that a question may be after are searched for; 0: none."""
    function: float = 1.3
    """What the nearest of them counts."""
    likely: float = 0.45
    """So near a function must be, by meaning and words."""
    likely_by_words: float = 0.3
    """The same where there is no model."""
    literal: int = 3
    """So many of the best by the question's own words are among the first, whatever is likely."""
    coverage: float = 0.8
    """How much of a score depends on how many of the query's words are met."""
    shared: float = 0.5
    """What the chunk of a register gets of the score of the same register elsewhere."""
    first: float = 0.1
    """What the first of each arm gains, its second half of it and so on."""
    boosts: bool = True
    topics: float = 0.35
    """What the peripheral or chapter of most of the good hits gains."""
    registers_first: bool = True
    overview: float = 0.15
    """What the list of a peripheral's registers loses: the register itself says more."""
    core: float = 0.25
    """What a manual of the processor core loses to those of the device."""
    fold: bool = True
    twins: bool = True
    """A register that a manual describes too is told by that alone, unless the query names it."""
    per_section: int = 2
    """At most so many hits of a section; 0: any number."""
    longest: int = 800
    """The most tokens of a passage, with neighbours."""
    widen: bool = True
    parts: int = 8
    """From so many hits on each part of a question is searched for too; 0: never."""
    safe: int = 4
    """So many of the best by words alone are among the first, whatever the vectors say."""
    reranked: int = 25
    """So many of the best are given to the reranker, where there is one; 0: none."""
    candidates: int = 100
    """So many of each arm are looked at."""
    arms: dict[Kind, Weights] = msgspec.field(default_factory=lambda: dict(ARMS))
    """What the arms count for each kind of query."""
