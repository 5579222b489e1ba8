"""A project with an index, and vectors of a model that counts letters."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path

from datasheet_lsp.engine import EmbedModel, find_model
from datasheet_lsp.index import Index
from datasheet_lsp.index.vectors import VectorStore
from tests.cli.command import run
from tests.engine.small import DIMENSION, vector
from tests.engine.test_models import write
from tests.lsp.projects import one_chip
from tests.support import ROOT

SERVE = """
from datasheet_lsp.engine import Embedder, Reranker
Embedder.command = Reranker.command = ("-m", "tests.engine.small")
from datasheet_lsp.lsp.server import main
main()
"""
"""A server whose embedder counts letters."""

ERRATA = """# Errata

## Receiver

A character that arrives during wake-up is lost.

## Clock

Fluff of fifty-five puffins, off the cliff.
"""


_MADE = tempfile.TemporaryDirectory()


@cache
def _template() -> Path:
    root = Path(_MADE.name)
    one_chip(root)
    (root / "docs").mkdir()
    (root / "docs" / "ALPHA_errata.md").write_text(ERRATA)
    write(root / "models" / "small", hidden_size=DIMENSION)
    (root / "datasheet.toml").write_text("[embed]\nenabled = false\n")
    done = run("index", folder=root)
    assert done.returncode == 0, done.stderr
    return root


def indexed(root: Path, settings: str = "") -> Path:
    """One chip with a text about it, both in the index without vectors; returns main.c."""
    shutil.copytree(_template(), root, dirs_exist_ok=True)
    (root / "datasheet.toml").write_text(
        f'[index]\nautomatic = false\n[embed]\nmodel = "models/small"\n{settings}'
    )
    return root / "main.c"


def model_of(root: Path) -> EmbedModel:
    """The model of the project."""
    return find_model("models/small", root, inside=root)


def fill(root: Path, most: int = 1_000, *, name: str = "", key: str = "") -> int:
    """Gives up to ``most`` chunks their vectors, the texts' first; returns how many have none.

    ``name`` and ``key`` are those of another model in place of the project's.
    """
    model = model_of(root)
    with Index(root / ".datasheet" / "index.sqlite") as index:
        store = VectorStore(index)
        source = str(root / name) if name else model.path
        which = store.open_set(key or model.key, name or model.name, source, DIMENSION)
        assert which is not None, store.problem
        for document in sorted(index.documents(), key=lambda each: each.format == "svd"):
            wanted = store.missing(which, document.id, most)
            most -= len(wanted)
            assert store.put(which, wanted, {each.hash: vector(each.text) for each in wanted})
        done, of = store.count(which)
        if done == of:
            assert store.finish(which)
        return of - done


PYTHONPATH = str(ROOT)
