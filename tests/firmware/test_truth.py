"""Real firmware with true addresses: none wrong, and as much right as the names allow."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from datasheet_lsp.assist.headers import WorkspaceHeaders
from datasheet_lsp.firmware import Source, resolve_at, tongue_of
from datasheet_lsp.model import Lookup
from datasheet_lsp.svd import load_svd
from datasheet_lsp.svd.cores import add_core
from tests.support import shared


def _checkouts() -> Path:
    path = os.environ.get("DATASHEET_CHECKOUTS")
    if not path or not Path(path).is_dir():
        pytest.skip("set DATASHEET_CHECKOUTS to the folder with the checkouts of hover_truth")
    return Path(path)


def _verdict(row: dict, got: set[int]) -> str:
    if row["kind"] == "negative":
        return "wrong" if got else "right"
    if row["kind"] == "through-pointer":
        candidates = set(row.get("candidates") or ())
        if row.get("init_address") in got and len(got) == 1:
            return "right"
        if not candidates:
            return "unchecked"
        if "bitfield" in row["notation"] and got and not got <= candidates:
            # The truth has the byte a bit-field begins in, the hover its register.
            candidates = {address & ~3 for address in candidates}
            got = {address & ~3 for address in got}
        return "silent" if not got else "right" if got <= candidates else "wrong"
    accepted = {*row.get("accept", ()), row.get("address") or row.get("array_address")}
    if not got:
        return "silent" if row["svd_match"] in ("exact", "within", "alias") else "unknown"
    if row["kind"] == "dynamic-index":
        return "right" if got & accepted else "wrong"
    return "right" if got <= accepted else "wrong" if not got & accepted else "partial"


def test_registers_of_real_firmware() -> None:
    root = _checkouts()
    headers = WorkspaceHeaders(None)
    lookups: dict[str, Lookup] = {}
    sources: dict[Path, Source] = {}
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
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
                data = path.read_bytes()
                sources[path] = Source(data, tongue_of(path, data))
            chosen, source = [lookups[row["svd"]]], sources[path]
            offset = source.offset(row["line"] - 1, row["col"])
            found = resolve_at(source, offset, chosen, headers.of(path, source, chosen))
            got = {location.address for location in found.locations} if found else set()
            verdict = _verdict(row, got)
            counts[row["kind"]][verdict] += 1
            if row["kind"] != "negative":
                counts[row["repo"]][verdict] += 1
    assert counts["const"].total() > 100, "no checkout that an SVD at hand belongs to"
    assert counts["negative"]["wrong"] == 0
    fixed = counts["const"]
    known = fixed.total() - fixed["unknown"]
    assert fixed["right"] >= 0.92 * known, counts
    assert fixed["wrong"] + fixed["partial"] <= 0.005 * known, counts
    pointers = counts["through-pointer"]
    assert pointers["right"] >= 0.8 * (pointers.total() - pointers["unchecked"]), counts
    assert not pointers["wrong"], counts
    for repo, count in counts.items():
        told = count.total() - count["unknown"] - count["unchecked"]
        assert count["right"] >= 0.8 * told, (repo, count)
