"""The passages of an answer: of each search in turn, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from datasheet_lsp.answer.gather import Gatherer, parts
from datasheet_lsp.answer.listed import is_told, listed
from datasheet_lsp.answer.plan.model import Plan
from datasheet_lsp.answer.trim import tight, wanted_words
from datasheet_lsp.answer.types import Piece, SubQuery

_LOOKED_AT = 4


def take(
    lead: Iterable[Piece], lanes: Sequence[Sequence[Piece]], budget: int, most: int | None = None
) -> list[Piece]:
    """Passages of at most ``budget`` tokens: the ``lead`` first, then of each lane in turn.

    What is in another already is left out.
    """
    chosen: list[Piece] = []
    chunks: set[int] = set()
    registers: set[str] = set()
    texts: set[str] = set()
    used = 0
    row_by_row = (piece for row in zip_longest(*lanes) for piece in row if piece is not None)
    for piece in (*lead, *row_by_row):
        own = {s for s in piece.symbols if "." in s} if piece.format == "svd" else set()
        if (piece.chunks and chunks.issuperset(piece.chunks)) or (own and own & registers):
            continue
        text = " ".join(piece.text.split()).lower()
        if text in texts or used + piece.tokens > budget:
            continue
        chosen.append(piece)
        chunks.update(piece.chunks)
        registers |= own
        texts.add(text)
        used += piece.tokens
        if most is not None and len(chosen) >= most:
            break
    return chosen


class Collector:
    """The arms of a question, and the passages chosen of them within the budget.

    What must be there comes first: the question's own best hit, then the plan's registers and
    tables. The best hit of each sub-query follows, then what passages point to, then the rest.
    """

    def __init__(self, gatherer: Gatherer, plan: Plan | None, queries: Sequence[SubQuery]) -> None:
        self.gatherer = gatherer
        self.settings = gatherer.settings
        steps_said = plan.steps if plan is not None else ()
        gatherer.wanted = wanted_words(
            gatherer.question, *(f"{s.target} {s.register} {s.field or ''}" for s in steps_said)
        )
        first = gatherer.first()
        planned: list[Piece] = []
        placed: list[Piece] = []
        rows = listed(gatherer, plan)
        steps: list[SubQuery] = []
        if plan is not None and plan.steps:
            planned = gatherer.planned(plan)
            placed = [p for p in gatherer.placed(plan) if not is_told(p, rows)]
            steps = [SubQuery(text, "plan") for text in dict.fromkeys(_queries(plan)) if text]
        self.known = {symbol for piece in planned for symbol in piece.symbols}
        best = first.pieces[:1]
        if best and not self.known.isdisjoint(best[0].symbols):
            # Its fields are told by the table of the plan: the rest need not be.
            best = [tight(best[0], gatherer.wanted, gatherer.library.count, always=True)]
        rows = [row for row in rows if not (best and row.text.split("\n")[-1] in best[0].text)]
        self.lead = [*best, *planned, *rows, *placed]
        self.rest = first.pieces[1:]
        self.queries = [first.query]
        self.lanes: list[list[Piece]] = []
        self.late: list[list[Piece]] = []
        self.hopped: list[Piece] = []
        for query in (*parts(gatherer), *queries, *steps):
            self.add(query)

    def add(self, query: SubQuery) -> None:
        """Search for one more."""
        arm = self.gatherer.arm(query)
        pieces = arm.pieces
        if query.origin == "plan":
            # The register itself is there as a table: what else is said of it is wanted.
            pieces = [p for p in pieces[:_LOOKED_AT] if p.kind not in ("register", "svd")]
        elif self.known:
            # What the tables of the plan tell is not wanted again.
            pieces = [p for p in pieces[:_LOOKED_AT] if self.known.isdisjoint(p.symbols)]
        self.queries.append(query)
        if query.origin == "model" and self.known:
            # A plan is surer than a model: what the model wants comes with what is left.
            self.late.append(pieces[: self.settings.top])
        else:
            self.lanes.append(pieces[: self.settings.top])

    def chosen(self, filled: bool = True) -> list[Piece]:
        """The passages in their order; not ``filled`` up only what is surely wanted."""
        best = [lane[0] for lane in self.lanes if lane]
        lead = [*self.lead, *best]
        if filled:
            more = zip_longest(*(lane[1:] for lane in self.lanes))
            lead += [piece for row in more for piece in row if piece is not None]
        lead += self.hopped
        return take(lead, [self.rest, *self.late] if filled else [], self.settings.budget)


def _queries(plan: Plan) -> list[str]:
    """What a plan has searched for: what its registers hang on first, then they themselves."""
    steps = plan.by_weight()
    found: dict[str, None] = {}
    for kinds, text in _AROUND:
        if text.startswith("DMA") and not any(s.target.upper().startswith("DMA") for s in steps):
            continue
        for target in dict.fromkeys(step.target for step in steps if step.kind in kinds):
            if not target.upper().startswith("DMA"):
                found[text.format(target)] = None
    own = [step.query for step in steps if step.kind not in _TOLD]
    return [*list(found)[:_MOST_AROUND], *own[:_MOST_OWN]]


_TOLD = ("clock", "reset", "prescaler", "bus")
"""Of these kinds the table of the register says all that there is to say."""
_MOST_AROUND = 4
_MOST_OWN = 6
_AROUND: tuple[tuple[tuple[str, ...], str], ...] = (
    (("dma", "register"), "DMA request mapping {}"),
    (("pin",), "{} pins GPIO configuration mode"),
    (("irq", "nvic"), "{} event line interrupt mapping"),
)
"""What stands in the manual around the registers of some kinds of steps."""
