"""The text index asked as a search asks it."""

from __future__ import annotations

import re
from typing import NamedTuple

from datasheet_lsp.index import Index, identifiers, quote


class Hit(NamedTuple):
    """A chunk, its document, and how well it fits."""

    chunk: int
    document: int
    score: float


def keyword_hits(index: Index, query: str, device: str | None = None) -> list[Hit]:
    """The chunks (of ``device``) with any word or identifier of ``query``, best first."""
    terms = [*re.findall(r"\w\w+", query.lower()), *identifiers(query)]
    if not terms:
        return []
    scope = None
    if device is not None:
        mine = [d.id for d in index.documents() if device in [each.device for each in d.devices]]
        scope = index.spans(mine)
    found = index.match(" OR ".join(map(quote, dict.fromkeys(terms))), scope)
    documents = {each.id: each.document for each in index.briefs(chunk for chunk, _ in found)}
    return [Hit(chunk, documents[chunk], score) for chunk, score in found]
