"""Numbers of which some bits are known: the values of C expressions as far as code tells them.

Each bit is 0 or 1, what it was in a register before (kept), the opposite of that (flipped), or
unknown. So the one value says what ``R = (R & ~MASK) | x`` writes, and which bits it leaves alone.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec


class Value(msgspec.Struct, frozen=True):
    """A C value of ``bits`` bits.

    ``known`` are the bits of which ``value`` tells the content. ``kept`` and ``flipped`` are those
    that are, or are not, as they were in ``origin``. ``value`` has no bits outside ``known``; the
    masks do not overlap. ``vague`` where the C type is not known: then ``bits`` is 64, and no more
    is claimed than holds for every type of at least 32 bits.
    """

    bits: int
    signed: bool
    known: int
    value: int
    kept: int = 0
    flipped: int = 0
    origin: str | None = None
    vague: bool = False

    @property
    def mask(self) -> int:
        """All bits of the type."""
        return (1 << self.bits) - 1

    @property
    def unknown(self) -> int:
        """The bits nothing is known of."""
        return self.mask & ~(self.known | self.kept | self.flipped)

    @property
    def constant(self) -> int | None:
        """The number, negative where the type is signed and it is; None unless all is known."""
        if self.known != self.mask:
            return None
        if self.signed and self.value >> (self.bits - 1):
            return self.value - (1 << self.bits)
        return self.value

    @property
    def top(self) -> bool:
        """Whether the highest bit is known to be 0."""
        high = 1 << (self.bits - 1)
        return bool(self.known & high) and not self.value & high


def number(value: int, bits: int = 32, signed: bool = True) -> Value:
    """The constant ``value``, cut to ``bits``."""
    mask = (1 << bits) - 1
    return Value(bits, signed, mask, value & mask)


UNKNOWN = Value(64, False, 0, 0, vague=True)
"""A value of which nothing is known, not even its type."""


def unknown(bits: int, signed: bool) -> Value:
    """A value of a known type of which nothing is known."""
    return Value(bits, signed, 0, 0)


def before(origin: str, vague: bool = False) -> Value:
    """What is read from the register ``origin``; ``vague`` where it may be none."""
    return Value(64 if vague else 32, False, 0, 0, kept=(1 << 32) - 1, origin=origin, vague=vague)


def convert(value: Value, bits: int, signed: bool, vague: bool = False) -> Value:
    """``value`` as the integer type of ``bits`` bits: cut, or extended by zeros or its sign."""
    mask = (1 << bits) - 1
    if bits <= value.bits:
        return Value(
            bits,
            signed,
            value.known & mask,
            value.value & mask,
            value.kept & mask,
            value.flipped & mask,
            value.origin,
            vague,
        )
    more = mask & ~value.mask
    known, content = value.known, value.value
    if not value.signed or value.top:
        known |= more
    elif known >> (value.bits - 1) & 1:
        known, content = known | more, content | more
    return Value(bits, signed, known, content, value.kept, value.flipped, value.origin, vague)


def promote(value: Value) -> Value:
    """The integer promotion: what is narrower than int becomes int."""
    return convert(value, 32, True) if value.bits < 32 else value


def common(a: Value, b: Value) -> tuple[Value, Value]:
    """Both in their common type, by the usual arithmetic conversions."""
    a, b = promote(a), promote(b)
    if a.vague or b.vague:
        return convert(a, 64, False, True), convert(b, 64, False, True)
    bits = max(a.bits, b.bits)
    widest = [v for v in (a, b) if v.bits == bits]
    signed = all(v.signed for v in widest)
    return convert(a, bits, signed), convert(b, bits, signed)


def _same(a: Value, b: Value) -> bool:
    return a.origin == b.origin or a.origin is None or b.origin is None


def _made(
    like: Value, known: int, value: int, kept: int, flipped: int, origin: str | None
) -> Value:
    if not kept | flipped:
        origin = None
    return Value(like.bits, like.signed, known, value & known, kept, flipped, origin, like.vague)


def invert(value: Value) -> Value:
    """``~value``."""
    a = promote(value)
    return _made(a, a.known, ~a.value, a.flipped, a.kept, a.origin)


def both(a: Value, b: Value) -> Value:
    """``a & b``."""
    a, b = common(a, b)
    zeros = (a.known & ~a.value) | (b.known & ~b.value)
    ones = a.value & b.value
    if not _same(a, b):
        a_kept, a_flipped = a.kept & b.value, a.flipped & b.value
        known = zeros | ones
        if a_kept | a_flipped and not (b.kept | b.flipped) & a.value:
            return _made(a, known, ones, a_kept, a_flipped, a.origin)
        return _made(a, known, ones, 0, 0, None)
    zeros |= (a.kept & b.flipped) | (a.flipped & b.kept)
    kept = (a.kept & (b.value | b.kept)) | (b.kept & a.value)
    flipped = (a.flipped & (b.value | b.flipped)) | (b.flipped & a.value)
    return _made(a, zeros | ones, ones, kept, flipped, a.origin or b.origin)


def either(a: Value, b: Value) -> Value:
    """``a | b``."""
    a, b = common(a, b)
    return invert(both(invert(a), invert(b)))


def differing(a: Value, b: Value) -> Value:
    """``a ^ b``."""
    a, b = common(a, b)
    known = a.known & b.known
    value = (a.value ^ b.value) & known
    kept = flipped = 0
    for one, other in ((a, b), (b, a)):
        zeros = other.known & ~other.value
        kept |= (one.kept & zeros) | (one.flipped & other.value)
        flipped |= (one.flipped & zeros) | (one.kept & other.value)
    if not _same(a, b):
        return _made(a, known, value, 0, 0, None)
    same = (a.kept & b.kept) | (a.flipped & b.flipped)
    opposite = (a.kept & b.flipped) | (a.flipped & b.kept)
    return _made(a, known | same | opposite, value | opposite, kept, flipped, a.origin or b.origin)


def left(value: Value, by: int) -> Value:
    """``value << by``."""
    a = promote(value)
    mask = a.mask
    low = (1 << by) - 1
    return _made(a, (a.known << by | low) & mask, a.value << by & mask, 0, 0, None)


def right(value: Value, by: int) -> Value:
    """``value >> by``."""
    a = promote(value)
    known, content = a.known >> by, a.value >> by
    if a.vague:
        if a.known >> 31 != a.mask >> 31 or a.value >> 31:
            # The bits that come in from above bit 31 depend on the type.
            sure = (1 << max(0, 32 - by)) - 1
            known, content = known & sure, content & sure
        else:
            known |= a.mask & ~(a.mask >> by)
    else:
        come_in = a.mask & ~(a.mask >> by)
        if not a.signed or a.top:
            known |= come_in
        elif a.known >> (a.bits - 1):
            known, content = known | come_in, content | come_in
    return _made(a, known, content, 0, 0, None)


def arithmetic(a: Value, b: Value, work: Callable[[int, int], int]) -> Value:
    """A sum, difference or product: of partly known numbers the lowest bits are known."""
    a, b = common(a, b)
    gaps = ~(a.known & b.known) & a.mask
    sure = a.mask if not gaps else (gaps & -gaps) - 1
    return _made(a, sure, work(a.value, b.value) & sure, 0, 0, None)


def merged(a: Value, b: Value) -> Value:
    """What holds whichever of both it is."""
    a, b = common(a, b)
    known = a.known & b.known & ~(a.value ^ b.value)
    if not _same(a, b):
        return _made(a, known, a.value, 0, 0, None)
    kept, flipped = a.kept & b.kept, a.flipped & b.flipped
    return _made(a, known, a.value, kept, flipped, a.origin or b.origin)
