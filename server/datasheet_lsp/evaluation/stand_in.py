"""A file with the shape and the size of a 7B model and weights without meaning.

It takes what such a model takes, of memory and of time, and can be had where none can be fetched.
Its weights are a hole in the file, so it takes little of the disk.
"""

from __future__ import annotations

import struct
from pathlib import Path

from datasheet_lsp.engine import gguf

LAYERS, WIDTH, INNER, HEADS, CACHE_HEADS, CONTEXT = 32, 4096, 14336, 32, 8, 32768
"""The shape of Mistral-7B: arXiv:2310.06825, table 1, and its published configuration."""

HEAD_WIDTH = WIDTH // HEADS
_ALIGNMENT = 32
_F32, _Q4_K, _Q6_K = 0, 12, 14
"""Numbers of types in ``ggml.h``; weights have the two that Q4_K_M mixes."""

_BYTES = {_F32: (1, 4), _Q4_K: (256, 144), _Q6_K: (256, 210)}
"""How many weights a block has, and bytes."""

_FIRST_KEY = 4 + 4 + 8 + 8
"""Where the keys begin, after magic, version and two counts."""

_UINT32, _FLOAT32, _STRING = 4, 6, 8


def write_stand_in(source: Path, target: Path) -> None:
    """Write the file, with the tokenizer and the chat template of the model ``source``.

    Raises:
        OSError: it cannot be read or written.
        ValueError: ``source`` is no GGUF model of a language.
    """
    words, tokenizer = _tokenizer(source)
    keys = [
        _key("general.architecture", "llama"),
        _key("general.name", "stand-in 7B"),
        _key("llama.context_length", CONTEXT),
        _key("llama.embedding_length", WIDTH),
        _key("llama.block_count", LAYERS),
        _key("llama.feed_forward_length", INNER),
        _key("llama.attention.head_count", HEADS),
        _key("llama.attention.head_count_kv", CACHE_HEADS),
        _key("llama.attention.layer_norm_rms_epsilon", 1e-5),
        _key("llama.rope.dimension_count", HEAD_WIDTH),
        _key("llama.vocab_size", words),
        *tokenizer,
    ]
    infos = []
    norms = []
    offset = 0
    tensors = _tensors(words)
    for name, columns, rows, kind in tensors:
        block, size = _BYTES[kind]
        if kind == _F32:
            norms.append((offset, columns))
        sizes = [columns, rows] if rows else [columns]
        info = struct.pack(f"<I{len(sizes)}QIQ", len(sizes), *sizes, kind, offset)
        infos.append(_text(name) + info)
        offset += _aligned(columns * max(rows, 1) // block * size)
    with target.open("wb") as file:
        file.write(gguf.MAGIC + struct.pack("<IQQ", 3, len(tensors), len(keys)))
        file.write(b"".join(keys) + b"".join(infos))
        start = _aligned(file.tell())
        for place, count in norms:
            file.seek(start + place)
            file.write(struct.pack("<f", 1.0) * count)
        file.truncate(start + offset)


def _tensors(words: int) -> list[tuple[str, int, int, int]]:
    """Name, columns, rows (0: a vector) and type of each."""
    cache = CACHE_HEADS * HEAD_WIDTH
    found = [("token_embd.weight", WIDTH, words, _Q4_K)]
    for layer in range(LAYERS):
        # Q4_K_M gives about half of these two more bits.
        more = _Q6_K if layer % 2 or layer < 4 else _Q4_K
        found += [
            (f"blk.{layer}.attn_norm.weight", WIDTH, 0, _F32),
            (f"blk.{layer}.attn_q.weight", WIDTH, WIDTH, _Q4_K),
            (f"blk.{layer}.attn_k.weight", WIDTH, cache, _Q4_K),
            (f"blk.{layer}.attn_v.weight", WIDTH, cache, more),
            (f"blk.{layer}.attn_output.weight", WIDTH, WIDTH, _Q4_K),
            (f"blk.{layer}.ffn_norm.weight", WIDTH, 0, _F32),
            (f"blk.{layer}.ffn_gate.weight", WIDTH, INNER, _Q4_K),
            (f"blk.{layer}.ffn_up.weight", WIDTH, INNER, _Q4_K),
            (f"blk.{layer}.ffn_down.weight", INNER, WIDTH, more),
        ]
    return [
        *found,
        ("output_norm.weight", WIDTH, 0, _F32),
        ("output.weight", WIDTH, words, _Q6_K),
    ]


def _tokenizer(source: Path) -> tuple[int, list[bytes]]:
    """How many words the model has, and its keys about them, as they stand in its file."""
    words = 0
    found = []
    with source.open("rb") as file:
        begin = _FIRST_KEY
        for name, value in gguf.read_keys(file):
            end = file.tell()
            if name.startswith("tokenizer."):
                file.seek(begin)
                found.append(file.read(end - begin))
            begin = end
            if name == "tokenizer.ggml.tokens":
                words = value if isinstance(value, int) else len(value)
    if not words:
        raise ValueError(f"{source} has no words")
    return words, found


def _key(name: str, value: str | int | float) -> bytes:
    if isinstance(value, str):
        return _text(name) + struct.pack("<I", _STRING) + _text(value)
    if isinstance(value, float):
        return _text(name) + struct.pack("<If", _FLOAT32, value)
    return _text(name) + struct.pack("<II", _UINT32, value)


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _aligned(count: int) -> int:
    return -(-count // _ALIGNMENT) * _ALIGNMENT
