"""Stems are those of the text index."""

from __future__ import annotations

import apsw
from hypothesis import given
from hypothesis import strategies as st

from datasheet_lsp.index.stems import stemmer

STEMS = stemmer()


def test_forms_of_a_word_have_one_stem() -> None:
    assert len({tuple(STEMS(word)) for word in ("Reset", "resets", "resetting")}) == 1
    assert STEMS("fällt USART2_BRR") == STEMS("fallt usart2 brr")


@given(st.text(max_size=40))
def test_a_text_is_found_by_its_stems(text: str) -> None:
    words = STEMS(text)
    connection = apsw.Connection(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    connection.execute("INSERT INTO t VALUES (?)", (text.replace("\0", " "),))
    if words and "\0" not in text and not any('"' in word for word in words):
        found = connection.execute(
            "SELECT 1 FROM t WHERE t MATCH ?", (f'"{text.replace(chr(34), " ")}"',)
        )
        assert found.fetchall()
