"""What a table is about, from the words of its header and what is in its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasheet_lsp.documents.tables.bits import is_access, parse_bits
from datasheet_lsp.model.document import TableKind

_BITS = re.compile(r"^(?:bits?|bit\(s\)|bit ?no\.?|bit ?(?:number|range|position|field)s?|bit #)$")
_NAME = re.compile(
    r"^(?:name|symbol|field|field name|bit ?name|mnemonic|label|bit symbol|function name|id)s?$"
)
_REGISTER = re.compile(
    r"^(?:register|reg\.?|register ?(?:name|symbol)|name|symbol|acronym|mnemonic)s?$"
)
_OFFSET = re.compile(
    r"^(?:(?:address|addr\.?|memory|access) ?)?(?:offset|address|addr\.?)"
    r"(?: ?(?:address|offset|\(?hex\)?|\(?dec\.?\)?|\(h\)))?s?$|^absolute address.*|"
    r"^offset.*|^base address$"
)
_VALUES = re.compile(r"^(?:min|typ|max|nom)(?:\.|imum|ical|inal|\(\d\))*(?: value)?$")
_UNIT = re.compile(r"^units?$")
_VECTOR = re.compile(
    r"\b(?:irq|interrupt|exception|vector)\b.*\b(?:number|no|id|source|#|position|name)\b|"
    r"^(?:irq|vector|exception|irqn|exception type|exception number|irq number|vector number)\.?$"
)
_PIN = re.compile(
    r"^(?:pins?|balls?|pin ?(?:no\.?|numbers?|name|type|#|function|description).*|"
    r"(?:lqfp|qfn|tssop|bga|wlcsp|ufbga|ufqfpn|sop|hvqfn|lfbga|tfbga|vfqfn|hlqfp)[-\d ].*|port)$"
)
_PACKAGE = re.compile(r"\b(?:lqfp|qfn|tssop|bga|wlcsp|ufbga|ufqfpn|hvqfn|tfbga|sop)[- ]?\d+", re.I)
_AF = re.compile(r"^af\d{1,2}\b")
_IDENTIFIER = re.compile(r"^[A-Za-z]\w*(?:\[\w+\])?$")
_COUNTED = re.compile(r"\b(?:number|position|vector|irq|address|priority|exception)\b|#")
_IRQ_WORDS = re.compile(r"\b(?:interrupt|vector|exception|irq)s?\b", re.IGNORECASE)


# Bits that depend on a size: "[31:N]", "[(N-1):5]".
_BITS_BY_NAME = re.compile(
    r"^\[?\(?[\dNnMm]+(?:\s*[-+]\s*\d+)?\)?\s*:\s*\(?[\dNnMm]+(?:[-+]\d+)?\)?\]?$"
)


# Bits and name in one cell: "7-6 IREFS".
LEADING_BITS = re.compile(
    r"^((?:bits?\s*)?\[?\d{1,3}(?:\s*(?::|-|–|\.\.)\s*\d{1,3})?\]?)\s+([A-Za-z_][\w\[\]:]*)$",
    re.IGNORECASE,
)


def leading_bits(column: Sequence[str]) -> bool:
    """Whether the cells of a column are bits with a name behind them."""
    given = [c for c in column if c]
    return bool(given) and sum(bool(LEADING_BITS.match(c)) for c in given) * 3 >= 2 * len(given)


def head_words(text: str) -> str:
    """A column head as it is compared: lower case, without notes and brackets."""
    text = re.sub(r"\(\d\)|\[\d\]", "", text)
    return " ".join(text.lower().replace("_", " ").split()).strip(" :.*")


def share_of_bits(column: Sequence[str]) -> float:
    """How many of the cells that hold something are bit ranges, 0 to 1."""
    given = [c for c in column if c]
    if not given:
        return 0.0
    return sum(bool(parse_bits(c) or _BITS_BY_NAME.match(c)) for c in given) / len(given)


def table_kind(
    header: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "", above: str = ""
) -> TableKind:
    """The kind of a table. ``above`` is the line over it: a heading may say what it lists."""
    heads = [head_words(h) for h in header]
    if not heads:
        return "other"
    if _is_fields(heads, rows, caption):
        return "fields"
    values = sum(bool(_VALUES.match(h) or _VALUES.match(h.rsplit(" ", 1)[-1])) for h in heads)
    unit = any(_UNIT.match(h) for h in heads)
    if values >= 2 or (values and unit) or (unit and len(heads) > 2):
        return "values"
    pins = sum(bool(_PIN.match(h) or _PACKAGE.search(h)) for h in heads)
    if pins >= 2 or (pins and any(h.startswith(("pin", "ball")) for h in heads)):
        return "pins"
    if sum(bool(_AF.match(h)) for h in heads) >= 3:
        return "pins"
    if any(_VECTOR.search(h) for h in heads) and (len(heads) > 2 or _IRQ_WORDS.search(caption)):
        counted = any(_COUNTED.search(h) or h in ("no", "no.", "id", "irqn", "slot") for h in heads)
        if counted and not any(h in ("register", "register name") for h in heads):
            return "interrupts"
    offset = any(_OFFSET.match(h) for h in heads)
    named = any(_REGISTER.match(h) for h in heads)
    if offset and named:
        return "registers"
    if named and any(h.startswith("reset") for h in heads) and any("register" in h for h in heads):
        return "registers"
    if _IRQ_WORDS.search(caption) and any(
        h in ("position", "priority", "slot", "source", "number") for h in heads
    ):
        return "interrupts"
    if _lists_registers(heads, rows, caption or above):
        return "registers"
    return "other"


def _lists_registers(heads: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> bool:
    """Whether a table of names and meanings alone lists registers, as its title says."""
    if len(heads) != 2 or not _REGISTER.match(heads[0]) or not heads[1].startswith("desc"):
        return False
    if len(title) > 80 or not re.search(r"\bregisters?\b", title, re.IGNORECASE):
        return False
    return bool(rows) and all(_IDENTIFIER.match(row[0]) for row in rows)


def _is_fields(heads: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> bool:
    if any(_OFFSET.match(h) or h in ("register", "register name") for h in heads):
        # Bits of several registers.
        return False
    bit_columns = [i for i, h in enumerate(heads) if _BITS.match(h)]
    for at in bit_columns or [0]:
        column = [row[at] for row in rows if at < len(row)]
        share = share_of_bits(column)
        if at in bit_columns:
            if share >= 0.6:
                others = [h for i, h in enumerate(heads) if i != at]
                return any(_NAME.match(h) for h in others) or any(
                    h.startswith(("descr", "func", "access", "meaning", "content", "reset"))
                    for h in others
                )
        elif heads[at].startswith("field") and leading_bits(column):
            return True
        elif share >= 0.8 and any(_NAME.match(h) for h in heads[1:]):
            return _bits_like(column)
    return False


def _bits_like(column: Sequence[str]) -> bool:
    """Whether a column without a telling head is bits: ranges or "Bit 5", not plain numbers."""
    given = [c for c in column if c]
    ranges = [c for c in given if re.search(r"[:\[]|bit|\.\.|\d\s*[-–]\s*\d", c, re.IGNORECASE)]
    return bool(ranges) and len(ranges) * 3 >= len(given)


def access_share(column: Sequence[str]) -> float:
    """How many of the cells that hold something are an access, 0 to 1."""
    given = [c for c in column if c and c not in "-–—"]
    if not given:
        return 0.0
    return sum(is_access(c) for c in given) / len(given)
