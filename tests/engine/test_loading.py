"""A small nomic model with random weights goes the way that nomic-embed-text-v1.5 goes."""

from __future__ import annotations

import importlib.util
import json
from array import array
from pathlib import Path

import pytest

from datasheet_lsp.engine import BlockingEmbedder, find_model
from datasheet_lsp.engine.models import _is_built_in

if importlib.util.find_spec("sentence_transformers") is None:
    pytest.skip(
        "sentence-transformers is not installed: pip install 'datasheet-lsp[embed]'",
        allow_module_level=True,
    )
if not _is_built_in("nomic_bert"):
    pytest.skip(
        "the transformers here are too old to have nomic's model: pip install -U transformers",
        allow_module_level=True,
    )

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "search", "_", "document", "query", ":"]
WORDS += ["baud", "rate", "divider", "watchdog", "reset"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder as sentence-transformers saves one: no step that normalises, as nomic's has."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer
    from transformers import BertTokenizerFast, NomicBertConfig, NomicBertModel

    torch.manual_seed(1)
    place = tmp_path_factory.mktemp("models")
    config = NomicBertConfig(
        vocab_size=len(WORDS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    NomicBertModel(config).save_pretrained(place / "bare")
    (place / "vocab.txt").write_text("\n".join(WORDS))
    BertTokenizerFast(str(place / "vocab.txt")).save_pretrained(place / "bare")
    steps = Transformer(str(place / "bare"))
    model = SentenceTransformer(modules=[steps, Pooling(32)], device="cpu")
    model.save_pretrained(str(place / "nomic"))
    return place / "nomic"


def right(folder: Path, text: str, dimension: int) -> list[float]:
    """By the model card: mean pooling, layer norm, cut, normalise."""
    import torch
    from torch.nn import functional
    from transformers import AutoModel, AutoTokenizer

    tokens = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    with torch.no_grad():
        vector = AutoModel.from_pretrained(folder)(**tokens).last_hidden_state.mean(1)[0]
    if dimension < 32:
        vector = functional.layer_norm(vector, (32,))[:dimension]
    made: list[float] = (vector / vector.norm()).tolist()
    return made


@pytest.mark.parametrize("dimension", [32, 16])
def test_vectors_are_those_of_the_model_card(folder: Path, dimension: int) -> None:
    assert json.loads((folder / "config.json").read_text())["model_type"] == "nomic_bert"
    model = find_model(str(folder), dimensions=0 if dimension == 32 else dimension)
    assert model.prefixes == ("search_query: ", "search_document: ") and model.layer_norm
    with BlockingEmbedder(model, threads=1) as embedder:
        documents = embedder.embed(["baud rate divider", "watchdog"])
        (query,) = embedder.embed(["reset"], "query")
    pairs = [
        (documents[0], "search_document: baud rate divider"),
        (documents[1], "search_document: watchdog"),
        (query, "search_query: reset"),
    ]
    for made, text in pairs:
        assert array("f", made).tolist() == pytest.approx(right(folder, text, dimension), abs=1e-4)
