"""A small cross-encoder with random weights, through the real process."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from datasheet_lsp.engine import BlockingReranker, EngineError, Reranker, find_reranker
from datasheet_lsp.engine.process import Interrupted

if importlib.util.find_spec("sentence_transformers") is None:
    pytest.skip(
        "sentence-transformers is not installed: pip install 'datasheet-lsp[embed]'",
        allow_module_level=True,
    )

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "why", "reset", "baud", "rate", "watchdog"]
TEXTS = ["watchdog reset", "baud rate", "rate reset", "reset", "baud " * 40]


def build(place: Path, labels: int = 1) -> Path:
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        num_labels=labels,
        # Random weights as small as usual would give all texts about the same score.
        initializer_range=0.2,
    )
    BertForSequenceClassification(config).save_pretrained(place)
    (place / "vocab.txt").write_text("\n".join(WORDS))
    BertTokenizerFast(str(place / "vocab.txt"), model_max_length=32).save_pretrained(place)
    return place


def right(folder: Path, query: str, text: str) -> float:
    """The logit, by transformers alone."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokens = tokenizer(query, text, truncation=True, max_length=32, return_tensors="pt")
    with torch.no_grad():
        return float(AutoModelForSequenceClassification.from_pretrained(folder)(**tokens).logits)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("models") / "cross")


@pytest.fixture(scope="module")
def reranker(folder: Path) -> Iterator[BlockingReranker]:
    with BlockingReranker(find_reranker(str(folder)), threads=1, idle_seconds=0) as made:
        yield made


def test_scores_are_those_of_the_model_itself(folder: Path, reranker: BlockingReranker) -> None:
    wanted = [right(folder, "why reset", text) for text in TEXTS]
    assert reranker.rank("why reset", TEXTS) == pytest.approx(wanted, abs=1e-4)
    assert len({round(score, 3) for score in wanted}) == len(TEXTS)


def test_many_passages_keep_their_places(reranker: BlockingReranker) -> None:
    some = reranker.rank("why reset", TEXTS)
    many = reranker.rank("why reset", TEXTS * 20)
    assert many == pytest.approx(some * 20, abs=1e-5)
    assert reranker.rank("why reset", []) == []


def test_it_can_be_given_up(reranker: BlockingReranker) -> None:
    with pytest.raises(Interrupted):
        reranker.rank("why reset", TEXTS * 400, lambda: True)
    assert len(reranker.rank("why", ["reset"])) == 1


def test_a_process_that_was_killed_is_replaced(reranker: BlockingReranker) -> None:
    before = reranker.rank("why", ["reset"])
    pid = reranker.process.pid
    assert pid is not None
    psutil.Process(pid).kill()
    assert reranker.rank("why", ["reset"]) == pytest.approx(before)


def test_a_model_that_cannot_be_loaded_says_so_in_a_sentence(folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    (broken / "model.safetensors").write_bytes(b"nothing")
    with BlockingReranker(find_reranker(str(broken)), threads=1) as made:
        with pytest.raises(EngineError, match="broken in .* cannot be loaded"):
            made.rank("why", ["reset"])


def test_folders_that_are_none_are_told(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="search. reranker names the folder"):
        find_reranker("nowhere", tmp_path)
    plain = tmp_path / "plain"
    shutil.copytree(folder, plain)
    (plain / "config.json").write_text('{"architectures": ["BertModel"]}')
    with pytest.raises(EngineError, match="no cross-encoder"):
        find_reranker("plain", tmp_path)
    found = find_reranker(str(folder))
    assert (found.name, found.max_tokens) == ("cross", 32) and len(found.sha256) == 64
    assert Reranker.role == "reranker"
