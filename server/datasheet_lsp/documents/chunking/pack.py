"""Packing pieces into chunks of the right length, with breaks where they do least harm."""

from __future__ import annotations

from collections.abc import Sequence

from datasheet_lsp.documents.chunking.pieces import Count, Piece, sentences

_EACH = 0.2
"""What a chunk more costs."""


def pack(pieces: Sequence[Piece], minimum: int, maximum: int) -> list[tuple[int, int]]:
    """The chunks as ranges of ``pieces``: from, up to but without.

    Of all ways to cut with at most ``maximum`` tokens a chunk the one that costs least, by the
    breaks and by chunks far from the middle length, above all those below ``minimum``.
    """
    n = len(pieces)
    if not n:
        return []
    # Up to each piece: the tokens, a head counted where it stands first.
    before = [0] * (n + 1)
    again = [0] * n
    for i, piece in enumerate(pieces):
        own = piece.tokens
        if piece.head is not None:
            if piece.opens:
                own += piece.head.tokens
            else:
                again[i] = piece.head.tokens
        before[i + 1] = before[i] + own
    if before[n] + again[0] <= maximum:
        return [(0, n)]
    aim = max(1.0, (minimum + maximum) / 2)
    least = max(1, min(minimum, maximum))
    best = [0.0] + [float("inf")] * n
    start = [0] * (n + 1)
    # Forward, so that a chunk is looked at once and no further than it can reach.
    for j in range(n):
        base = best[j] + _EACH + (pieces[j].cost if j else 0.0)
        offset = before[j] - again[j]
        for i in range(j + 1, n + 1):
            tokens = before[i] - offset
            if tokens > maximum and i > j + 1:
                break
            if tokens < least:
                short = (least - tokens) / least
                cost = base + 3.0 * short * short + 0.1
            else:
                off = (tokens - aim) / aim
                cost = base + 0.2 * off * off
            if cost < best[i]:
                best[i] = cost
                start[i] = j
    ranges = []
    end = n
    while end:
        ranges.append((start[end], end))
        end = start[end]
    return ranges[::-1]


def joined(pieces: Sequence[Piece]) -> str:
    """The text of a chunk made of these pieces."""
    parts: list[str] = []
    head = None
    for piece in pieces:
        if piece.head is not None and piece.head is not head:
            if parts:
                parts.append("\n\n")
            if piece.head.text:
                parts += (piece.head.text, "\n")
        elif parts:
            parts.append(piece.joint)
        head = piece.head
        parts.append(piece.text)
    return "".join(parts)


def tail_of(pieces: Sequence[Piece], most: int, count: Count) -> str:
    """The last whole sentences of running text at the end of a chunk, of ``most`` tokens."""
    taken: list[str] = []
    left = most
    for piece in reversed(pieces):
        if piece.kind not in ("text", "list", "note") or piece.head is not None:
            break
        for part in reversed(sentences(piece.text)):
            tokens = count(part)
            if tokens > left:
                return " ".join(reversed(taken))
            taken.append(part)
            left -= tokens
    return " ".join(reversed(taken))
