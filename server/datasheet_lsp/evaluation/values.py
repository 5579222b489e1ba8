"""How often the value that code writes is right: against a file of known register accesses.

Each line of the truth is an access of real firmware, with the right side where it is constant
(``value``, by the compiler). A value is right, unknown, or wrong; wrong ones count most.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from datasheet_lsp.assist.headers import WorkspaceHeaders
from datasheet_lsp.firmware import Source, tongue_of
from datasheet_lsp.firmware.accesses import Reader
from datasheet_lsp.firmware.writes import RegisterAccess
from datasheet_lsp.model import Lookup

_WORD = 0xFFFF_FFFF
_READS = ("read", "addr")


class Judged(msgspec.Struct, frozen=True):
    """A place of the truth and what was found there."""

    repo: str
    path: str
    line: int
    expression: str
    notation: str
    verdict: str
    wanted: int | None
    found: tuple[int, ...]


def judge(truth: Path, checkouts: Path) -> Iterator[Judged]:
    """Every place of ``truth``; the SVD files lie beside it, the code below ``checkouts``.

    Verdicts: right, wrong, unknown and missed (no write was seen) where the truth has a value;
    no-value where it has none, claimed where one was found all the same; read and written for
    reads, by what they were taken for.
    """
    rows = [json.loads(line) for line in truth.read_text(encoding="utf-8").splitlines()]
    lookups: dict[str, Lookup] = {}
    headers: dict[str, WorkspaceHeaders] = {}
    known: dict[tuple[str, str], tuple[Source, list[RegisterAccess]]] = {}
    for row in rows:
        path = checkouts / row["repo"].replace("/", "__") / row["path"]
        key = (str(path), row["svd"])
        if key not in known:
            known.clear()
            known[key] = _accesses(path, _lookup(truth.parent / row["svd"], lookups), headers)
        source, accesses = known[key]
        yield _judged(row, source, accesses)


def _lookup(svd: Path, known: dict[str, Lookup]) -> Lookup:
    if svd.name not in known:
        from datasheet_lsp.index import load_device

        known[svd.name] = Lookup(load_device(svd, None, None))
    return known[svd.name]


def _accesses(
    path: Path, lookup: Lookup, headers: dict[str, WorkspaceHeaders]
) -> tuple[Source, list[RegisterAccess]]:
    data = path.read_bytes()
    source = Source(data, tongue_of(path, data))
    own = headers.setdefault(str(path.parents[0]), WorkspaceHeaders(None))
    reader = Reader(source, [lookup], own.of(path, source, [lookup]))
    return source, reader.accesses()


def _judged(row: dict[str, Any], source: Source, accesses: list[RegisterAccess]) -> Judged:
    at = source.offset(row["line"] - 1, row["col"])
    here = [a for a in accesses if a.start <= at < a.end]
    writes = [a for a in here if a.writes and a.operand is not None]
    values = [a.operand for a in writes if a.operand is not None]
    numbers = [v.constant & _WORD for v in values if v.constant is not None]
    wanted: int | None = row["value"]
    if row["access"] in _READS:
        verdict = (
            "read" if any(not a.writes for a in here) else "written" if here else "missed read"
        )
    elif wanted is None:
        verdict = "claimed" if numbers else "no-value"
    elif not writes:
        verdict = "missed"
    else:
        right = wanted & _WORD
        if row["access"] == "&=~":
            right ^= _WORD  # the truth has the mask, the macro what is kept
        part = any(v.known & (v.value ^ right) & _WORD for v in values)
        verdict = "right" if right in numbers else "wrong" if numbers or part else "unknown"
    return Judged(
        row["repo"], row["path"], row["line"], row["expr"], row["notation"], verdict, wanted,
        tuple(numbers),
    )  # fmt: skip


def counted(judged: list[Judged], by: str) -> dict[str, Counter[str]]:
    """Verdicts by an attribute of :class:`Judged`, ``repo`` or ``notation``."""
    table: dict[str, Counter[str]] = {}
    for one in judged:
        table.setdefault(getattr(one, by), Counter())[one.verdict] += 1
    return table


def main(truth: str, checkouts: str) -> None:
    """Prints the figures, then what was wrong."""
    judged = list(judge(Path(truth), Path(checkouts)))
    for by in ("repo", "notation"):
        print(f"by {by}")
        for name, verdicts in sorted(counted(judged, by).items()):
            print(f"  {name:40} " + "  ".join(f"{k} {n}" for k, n in verdicts.most_common()))
    print("all", dict(Counter(one.verdict for one in judged)))
    for one in judged:
        if one.verdict in ("wrong", "claimed", "missed", "unknown"):
            wanted = None if one.wanted is None else hex(one.wanted)
            print(one.verdict, one.repo, f"{one.path}:{one.line}", one.expression, wanted,
                  [hex(n) for n in one.found])  # fmt: skip


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:])
