"""How much of a file is read at most: a hostile or huge file costs no more than this."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True, gc=False):
    """``file_bytes`` is the size of the file, ``package_bytes`` that of everything packed inside.

    ``part_bytes`` is one packed XML part that has to be held as a tree, ``markup_bytes`` a text
    format that is (Markdown, HTML, XML, JSON). ``cells`` counts the cells of all tables,
    ``blocks`` headings, paragraphs and tables, ``depth`` how deep things are nested.
    """

    file_bytes: int = 128 << 20
    package_bytes: int = 512 << 20
    part_bytes: int = 24 << 20
    markup_bytes: int = 32 << 20
    parts: int = 20_000
    cells: int = 1_000_000
    blocks: int = 300_000
    depth: int = 100
