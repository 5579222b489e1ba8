"""How long the chunks of a document are: in numbers, as a histogram of text and as a drawing."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

import msgspec

from datasheet_lsp.model.document import Chunk
from datasheet_lsp.render import words
from datasheet_lsp.render.escape import one_line
from datasheet_lsp.render.style import Style

_MOST_BARS = 24
_BAR = 40

_WIDTH, _HEIGHT = 720, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 20, 48, 56
_INK, _FAINT, _FILL = "#222222", "#d8d8d8", "#3b6ea5"


class Bar(msgspec.Struct, frozen=True):
    """Chunks of ``low`` to ``high`` tokens, both included."""

    low: int
    high: int
    chunks: int


class Lengths(msgspec.Struct, frozen=True):
    """The lengths of chunks in tokens, stamp included. Zero throughout where there are none."""

    chunks: int
    tokens: int
    shortest: int
    median: float
    mean: float
    longest: int
    kinds: dict[str, int]
    histogram: tuple[Bar, ...]


def lengths_of(chunks: Iterable[Chunk]) -> Lengths:
    """The lengths of ``chunks``, in bars of equal width from 1 token on."""
    tokens: list[int] = []
    kinds: dict[str, int] = {}
    for chunk in chunks:
        tokens.append(chunk.tokens)
        kinds[chunk.kind] = kinds.get(chunk.kind, 0) + 1
    if not tokens:
        return Lengths(0, 0, 0, 0.0, 0.0, 0, {}, ())
    longest = max(tokens)
    width = 8
    while width * _MOST_BARS < longest:
        width *= 2
    counts = [0] * (-(-max(longest, 1) // width))
    for length in tokens:
        counts[max(0, length - 1) // width] += 1
    return Lengths(
        chunks=len(tokens),
        tokens=sum(tokens),
        shortest=min(tokens),
        median=float(median(tokens)),
        mean=round(sum(tokens) / len(tokens), 1),
        longest=longest,
        kinds=dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
        histogram=tuple(
            Bar(i * width + 1, (i + 1) * width, count) for i, count in enumerate(counts)
        ),
    )


def lengths_text(lengths: Lengths, style: Style) -> str:
    """The numbers in two lines, then the histogram."""
    if not lengths.chunks:
        return style.lines("no chunks")
    most = max(bar.chunks for bar in lengths.histogram)
    rows = [
        [
            f"{bar.low:>4}-{bar.high}",
            f"{bar.chunks:>6,}",
            "#" * -(-bar.chunks * _BAR // most),
        ]
        for bar in lengths.histogram
    ]
    return style.blocks(
        style.lines(
            f"{words.plural(lengths.chunks, 'chunk')}, {words.plural(lengths.tokens, 'token')}: "
            f"shortest {lengths.shortest}, median {lengths.median:g}, mean {lengths.mean:g}, "
            f"longest {lengths.longest}",
            ", ".join(f"{count:,} {kind}" for kind, count in lengths.kinds.items()),
        ),
        style.table(["Tokens", "Chunks", ""], rows),
    )


def lengths_svg(lengths: Lengths, title: str) -> str:
    """The histogram as an SVG drawing with two axes, in units of a 72nd of an inch."""
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    floor = _TOP + height
    most = max((bar.chunks for bar in lengths.histogram), default=0)
    step = _step(most)
    top = max(step, -(-most // step) * step)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}">',
        f'<rect x="0" y="0" width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        _text(_LEFT, 24, title, size=14, anchor="start"),
        _text(
            _WIDTH - _RIGHT,
            24,
            f"{words.plural(lengths.chunks, 'chunk')}, median {lengths.median:g} tokens",
            anchor="end",
        ),
    ]
    for value in range(0, top + 1, step):
        y = round(floor - height * value / top, 1)
        out.append(_line(_LEFT, y, _WIDTH - _RIGHT, y, _FAINT))
        out.append(_text(_LEFT - 6, y + 4, f"{value:,}", anchor="end"))
    slot = width / max(1, len(lengths.histogram))
    every = -(-len(lengths.histogram) // 12)
    for i, bar in enumerate(lengths.histogram):
        tall = round(height * bar.chunks / top, 1)
        x = round(_LEFT + i * slot, 1)
        if tall:
            out.append(
                f'<rect x="{x + 1}" y="{round(floor - tall, 1)}" width="{round(slot - 2, 1)}" '
                f'height="{tall}" fill="{_FILL}"/>'
            )
        if (i + 1) % every == 0:
            out.append(_text(round(x + slot, 1), floor + 16, str(bar.high), anchor="middle"))
    out.append(_text(_LEFT, floor + 16, "0", anchor="middle"))
    out.append(_line(_LEFT, floor, _WIDTH - _RIGHT, floor, _INK))
    out.append(
        _text(_LEFT + width / 2, _HEIGHT - 14, "tokens in a chunk, stamp included", anchor="middle")
    )
    out.append("</svg>")
    return "\n".join(out) + "\n"


def _step(most: int) -> int:
    """A round number that divides the axis into at most five parts."""
    step = 1
    while most / step > 5:
        for factor in (2, 5, 10):
            if most / (step * factor) <= 5:
                return step * factor
        step *= 10
    return step


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" stroke-width="1"/>'


def _text(x: float, y: float, text: str, *, anchor: str, size: int = 11) -> str:
    safe = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" '
        f'font-family="sans-serif" font-size="{size}" fill="{_INK}">{safe}</text>'
    )
