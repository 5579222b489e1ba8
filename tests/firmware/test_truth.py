"""Real firmware with true addresses: none wrong, and as much right as the names allow."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from datasheet_lsp.firmware import Source, resolve_at
from datasheet_lsp.model import Lookup
from datasheet_lsp.svd import load_svd
from datasheet_lsp.svd.cores import add_core
from tests.support import shared


def _checkouts() -> Path:
    path = os.environ.get("DATASHEET_CHECKOUTS")
    if not path or not Path(path).is_dir():
        pytest.skip("set DATASHEET_CHECKOUTS to the folder with the checkouts of hover_truth")
    return Path(path)


def _addresses(row: dict, source: Source, lookup: Lookup) -> set[int]:
    found = resolve_at(source, source.offset(row["line"] - 1, row["col"]), [lookup])
    return {location.address for location in found.locations} if found else set()


def test_registers_of_real_firmware() -> None:
    root = _checkouts()
    lookups: dict[str, Lookup | None] = {}
    sources: dict[Path, Source] = {}
    arrow: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for name in ("truth.jsonl", "negatives.jsonl"):
        for line in shared(f"hover_truth/{name}").read_text().splitlines():
            row = json.loads(line)
            path = root / row["repo"].replace("/", "__") / row["path"]
            svd = shared("corpus/svd") / Path(row["svd"]).name
            if not path.exists() or not svd.exists():
                continue
            if row["svd"] not in lookups:
                lookups[row["svd"]] = Lookup(add_core(load_svd(svd)))
            if path not in sources:
                sources[path] = Source(path.read_bytes())
            lookup = lookups[row["svd"]]
            assert lookup is not None
            got = _addresses(row, sources[path], lookup)
            if row["kind"] == "negative":
                assert not got, (row["path"], row["line"], row["expr"])
            elif row["kind"] == "const":
                accepted = {*row.get("accept", ()), row["address"]}
                verdict = "silent" if not got else "right" if got & accepted else "wrong"
                every[verdict] += 1
                if row["notation"] == "arrow":
                    arrow[verdict] += 1
    assert every.total() > 100, "no checkout that an SVD at hand belongs to"
    assert every["wrong"] <= 0.005 * every.total()
    assert arrow["right"] >= 0.85 * arrow.total()
