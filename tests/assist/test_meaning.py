"""The vector of a question is asked for once, also where the model does not answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasheet_lsp.assist import meaning
from datasheet_lsp.assist.meaning import MeaningArm
from datasheet_lsp.engine import EmbedModel, EngineError
from datasheet_lsp.index import Index
from datasheet_lsp.index.phrases import PhraseVectors
from datasheet_lsp.index.vectors import VectorStore
from datasheet_lsp.search.vectors import VectorsMissing
from datasheet_lsp.workspace.settings import EmbedSettings
from tests.engine.small import model
from tests.index.test_vectors import fill, packed, put, vector

DIMENSION = 8


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    small = model()
    monkeypatch.setattr(meaning, "find_model", lambda *_, **__: small)
    made = Index(tmp_path / ".datasheet" / "index.sqlite")
    number = put(made, "a", ["one", "two"])
    store = VectorStore(made)
    which = store.open_set(small.key, small.name, "", small.dimension)
    assert which is not None
    fill(store, which, number)
    store.finish(which)
    PhraseVectors(store).put(which, {"pet the dog": packed(vector("dog", DIMENSION))})
    return made


def arm(index: Index, asked: list[str], fails: bool = False) -> MeaningArm:
    def embed(model: EmbedModel, text: str) -> bytes:
        asked.append(text)
        if fails:
            raise EngineError("small is still being loaded.")
        return packed(vector("dog", DIMENSION))

    return MeaningArm(index, Path("/"), EmbedSettings(), embed)


def test_the_wordings_and_the_chunks_share_a_vector(index: Index) -> None:
    asked: list[str] = []
    with index:
        made = arm(index, asked)
        assert made.alike("dog") == {"pet the dog": pytest.approx(1, abs=0.02)}
        assert len(made("dog", None, 2)) == 2
        assert asked == ["dog"]
        made("cat", None, 2)
        assert asked == ["dog", "cat"]


def test_a_model_that_does_not_answer_is_waited_for_once(index: Index) -> None:
    asked: list[str] = []
    with index:
        made = arm(index, asked, fails=True)
        for _ in range(2):
            with pytest.raises(EngineError):
                made.alike("dog")
            with pytest.raises(VectorsMissing, match="still being loaded"):
                made("dog", None, 2)
        assert asked == ["dog", "dog"]
