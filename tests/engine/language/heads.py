"""GGUF files that have a head and nothing else, written by the format's own rules."""

from __future__ import annotations

import struct
from pathlib import Path

MISTRAL = {
    # What the GGUF files of Mistral-7B-Instruct say.
    "general.architecture": "llama",
    "llama.context_length": 32768,
    "llama.embedding_length": 4096,
    "llama.block_count": 32,
    "llama.feed_forward_length": 14336,
    "llama.attention.head_count": 32,
    "llama.attention.head_count_kv": 8,
    "llama.vocab_size": 32000,
    "tokenizer.chat_template": "{{ messages }}",
}


def write(path: Path, size: int = 0, **keys: object) -> Path:
    """A file with these keys, sparse up to ``size`` bytes; names have ``__`` for a dot."""
    data = bytearray(b"GGUF" + struct.pack("<IQQ", 3, 0, len(keys)))
    for name, value in keys.items():
        key = name.replace("__", ".").encode()
        data += struct.pack("<Q", len(key)) + key + _value(value)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(data)
        file.truncate(max(size, len(data)))
    return path


def _value(value: object) -> bytes:
    if isinstance(value, str):
        text = value.encode()
        return struct.pack("<IQ", 8, len(text)) + text
    if isinstance(value, list):
        if value and isinstance(value[0], str):
            items = b"".join(struct.pack("<Q", len(each)) + each.encode() for each in value)
            return struct.pack("<IIQ", 9, 8, len(value)) + items
        return struct.pack("<IIQ", 9, 4, len(value)) + struct.pack(f"<{len(value)}I", *value)
    assert isinstance(value, int)
    return struct.pack("<II", 4, value)
