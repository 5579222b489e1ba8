"""C declarations read from tokens: types, and the layouts of structs and unions (32-bit ABI)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

import msgspec

from datasheet_lsp.firmware.headers.facts import UNKNOWN, Layout, Member, Type
from datasheet_lsp.firmware.headers.stream import (
    RECORDS,
    Stream,
    comma_parts,
    packed_in,
    statements,
)
from datasheet_lsp.firmware.headers.tokens import is_word

QUALIFIERS = frozenset(
    ("const", "volatile", "static", "extern", "inline", "register", "typedef", "restrict", "auto",
     "__restrict", "_Atomic", "__extension__", "__inline", "__inline__", "mutable", "constexpr",
     "virtual", "explicit", "friend", "typename", "__packed", "__volatile__", "__const",
     "_Noreturn", "__IO", "__I", "__O", "__IM", "__OM", "__IOM", "__STATIC_INLINE", "__weak",
     "FORCE_INLINE_ATTR", "__STATIC_FORCEINLINE", "_Thread_local", "thread_local")
)  # fmt: skip
_SIGNED = frozenset(("int", "signed", "short", "long", "char"))
_BASIC = frozenset(
    ("void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool",
     "bool", "__signed__")
)  # fmt: skip
_FIXED = {
    "uint8_t": (1, False), "int8_t": (1, True), "uint16_t": (2, False), "int16_t": (2, True),
    "uint32_t": (4, False), "int32_t": (4, True), "uint64_t": (8, False), "int64_t": (8, True),
    "uintptr_t": (4, False), "intptr_t": (4, True), "size_t": (4, False), "ssize_t": (4, True),
    "ptrdiff_t": (4, True), "uint_fast8_t": (4, False), "uint_fast16_t": (4, False),
    "uint_fast32_t": (4, False), "uint_least8_t": (1, False), "uint_least16_t": (2, False),
    "uint_least32_t": (4, False), "wchar_t": (4, False), "u8": (1, False), "u16": (2, False),
    "u32": (4, False), "u64": (8, False), "s8": (1, True), "s16": (2, True), "s32": (4, True),
    "vu8": (1, False), "vu16": (2, False), "vu32": (4, False), "uint": (4, False),
    "ulong": (4, False), "ushort": (2, False), "uchar": (1, False), "byte": (1, False),
    "io_rw_32": (4, False), "io_ro_32": (4, False), "io_wo_32": (4, False), "reg32_t": (4, False),
    "reg16_t": (2, False), "reg8_t": (1, False),
}  # fmt: skip

VOID = Type("unknown", "void", 1)
INT = Type("int", "int", 4, True)
UINT = Type("int", "uint32_t", 4)
POINTER_SIZE = 4
_MAX_MEMBERS = 5_000
_MAX_DEPTH = 24
_MAX_SIZE = 1 << 40

Named = Callable[[str], Type | None]
"""The type a typedef or tag names, None where there is none."""
Constant = Callable[[Sequence[str]], int | None]
"""The value of a constant expression."""


def fixed(name: str) -> Type | None:
    """The integer types every project has, even where its headers are not there."""
    known = _FIXED.get(name)
    return None if known is None else Type("int", name, known[0], known[1])


def pointer(of: Type) -> Type:
    """A pointer to ``of``."""
    return Type("pointer", size=POINTER_SIZE, of=of)


class Declared(msgspec.Struct, frozen=True):
    """One declarator: its name ("" for a type alone), its type, what follows = or :."""

    name: str
    type: Type
    value: tuple[str, ...] = ()
    bits: tuple[str, ...] = ()
    parameters: tuple[tuple[str, Type], ...] | None = None


class Reader:
    """Reads declarations from tokens in which macros are put in already.

    Layouts of structs without a typedef are kept in ``layouts`` under names of their own.
    """

    def __init__(self, named: Named, constant: Constant, layout: Callable[[str], Layout | None]):
        self._named = named
        self._constant = constant
        self._layout = layout
        self.layouts: dict[str, Layout] = {}
        self._count = count()

    def like(
        self, named: Named, constant: Constant, layout: Callable[[str], Layout | None]
    ) -> Reader:
        """A reader that knows the same layouts."""
        other = Reader(named, constant, layout)
        other.layouts, other._count = self.layouts, self._count
        return other

    # -- declarations -----------------------------------------------------------------------

    def declaration(self, tokens: Sequence[str], outer: str = "", depth: int = 0) -> list[Declared]:
        """The declarators of one declaration, its semicolon left away."""
        return self._declaration(Stream(tokens), outer, depth)

    def type_name(self, tokens: Sequence[str]) -> Type | None:
        """The type in the parentheses of a cast, None where it is none."""
        stream = Stream(tokens)
        base = self._specifiers(stream, "", 0)
        if base is None:
            return None
        name, type_, _ = self._declarator(stream, base, 0)
        return type_ if not name and stream.done else None

    def parameters(self, tokens: Sequence[str]) -> tuple[tuple[str, Type], ...]:
        """The parameters in the parentheses of a function."""
        found: list[tuple[str, Type]] = []
        for part in comma_parts(tokens):
            declared = self.declaration(part)
            if declared:
                type_ = declared[0].type
                if type_.kind == "array":
                    type_ = pointer(type_.of or UNKNOWN)
                found.append((declared[0].name, type_))
        return tuple(found)

    def _declaration(self, stream: Stream, outer: str, depth: int) -> list[Declared]:
        hint = _typedef_name(stream.tokens)
        base = self._specifiers(stream, hint or outer, depth)
        if base is None:
            return []
        found: list[Declared] = []
        while True:
            parameters: list[tuple[str, Type]] | None = None
            name, type_, given = self._declarator(stream, base, 0)
            parameters = given
            bits: tuple[str, ...] = ()
            value: tuple[str, ...] = ()
            if stream.take(":"):
                bits = stream.until((",", "="))
            stream.skip_attributes()
            if stream.take("="):
                value = stream.until((",",))
            found.append(
                Declared(
                    name, type_, value, bits, None if parameters is None else tuple(parameters)
                )
            )
            if not stream.take(","):
                return found

    def _specifiers(self, stream: Stream, hint: str, depth: int) -> Type | None:
        basic: list[str] = []
        type_: Type | None = None
        while not stream.done:
            token = stream.now
            if token in QUALIFIERS:
                stream.next()
            elif stream.skip_attributes():
                continue
            elif token in ("struct", "union", "class"):
                stream.next()
                type_ = self._record(stream, token, hint, depth)
            elif token == "enum":
                stream.next()
                type_ = self._enum(stream)
            elif token in _BASIC:
                basic.append(token)
                stream.next()
            elif is_word(token) and type_ is None and not basic:
                if token in ("return", "sizeof", "if", "while", "do", "for", "goto", "case"):
                    return None
                named = self._named(token) or fixed(token)
                after = stream.peek(1)
                if named is None and after and is_word(after) and stream.peek(2) != "(":
                    # A qualifier of the project's own, with its header elsewhere.
                    follows = after in QUALIFIERS or after in _BASIC or after in RECORDS
                    third = stream.peek(2)
                    if follows or (third and (is_word(third) or third == "*")):
                        stream.next()
                        continue
                stream.next()
                stream.skip_template()
                while stream.take("::"):
                    last = stream.now
                    stream.next()
                    stream.skip_template()
                    named = self._named(last) or named
                type_ = named if named is not None else Type("unknown", token)
            else:
                break
        if basic:
            return _basic_type(basic)
        return type_

    def _record(self, stream: Stream, word: str, hint: str, depth: int) -> Type:
        stream.skip_attributes()
        packed = stream.packed
        tag = ""
        while not stream.done and is_word(stream.now) and stream.now not in QUALIFIERS:
            if tag and stream.peek(1) not in ("{", ":"):
                break
            tag = stream.now
            stream.next()
            stream.skip_attributes()
        kind = "union" if word == "union" else "struct"
        if stream.now == ":" and tag and "{" in stream.rest():
            while not stream.done and stream.now != "{":
                stream.next()
        if stream.now != "{":
            known = self._named(tag) if tag else None
            return known if known is not None and known.kind == kind else Type(kind, tag)  # type: ignore[arg-type]
        body = stream.between()
        stream.skip_attributes()
        packed = packed or stream.packed or packed_in(stream.rest())
        name = hint if hint and not depth else ""
        if not name:
            name = f"{hint or tag or word}#{next(self._count)}"
        layout = self.record(body, kind, name, packed=packed, depth=depth)
        self.layouts[name] = layout
        if tag:
            self.layouts.setdefault(tag, layout)
        return Type(kind, name, layout.size)  # type: ignore[arg-type]

    def _enum(self, stream: Stream) -> Type:
        name = ""
        size = 4
        while not stream.done and stream.now not in ("{", ";", ",", ")"):
            if stream.take(":"):
                base = fixed(stream.now)
                size = base.size if base is not None else 4
                stream.next()
                break
            if not is_word(stream.now) or (name and name not in ("class", "struct")):
                break
            name = stream.now
            stream.next()
        if stream.now == "{":
            stream.between()
        return Type("int", name or "enum", size)

    # -- declarators ------------------------------------------------------------------------

    def _declarator(
        self, stream: Stream, base: Type, depth: int
    ) -> tuple[str, Type, list[tuple[str, Type]] | None]:
        type_ = base
        while not stream.done:
            if stream.now in ("*", "&", "&&", "^"):
                type_ = pointer(type_)
                stream.next()
            elif stream.now in QUALIFIERS or stream.skip_attributes():
                if not stream.done and stream.now in QUALIFIERS:
                    stream.next()
            else:
                break
        name = ""
        inner: tuple[str, ...] = ()
        given: list[tuple[str, Type]] | None = None
        if (
            stream.now == "("
            and stream.peek(1) in ("*", "^", "(", "__cdecl")
            and depth < _MAX_DEPTH
        ):
            inner = stream.between()
        elif not stream.done and is_word(stream.now):
            name = stream.now
            stream.next()
            while stream.take("::"):
                name = stream.now
                stream.next()
        suffixes: list[tuple[str, int | None]] = []
        while not stream.done:
            if stream.now == "[":
                size = stream.between()
                suffixes.append(("array", self._constant(size) if size else None))
            elif stream.now == "(":
                tokens = stream.between()
                if given is None and not inner:
                    given = list(self.parameters(tokens)) if depth < 2 else []
                suffixes.append(("function", None))
            elif not stream.skip_attributes():
                break
        for kind, many in reversed(suffixes):
            if kind == "array":
                known = many is not None and 0 <= many < _MAX_SIZE
                total = type_.size * many if known and many is not None else 0
                type_ = Type("array", size=total, of=type_, count=many)
            else:
                type_ = Type("function", of=type_)
        if inner:
            name, type_, _ = self._declarator(Stream(inner), type_, depth + 1)
        return name, type_, given

    # -- layouts ----------------------------------------------------------------------------

    def record(
        self, body: Sequence[str], kind: str, name: str, *, packed: bool = False, depth: int = 0
    ) -> Layout:
        """The layout of the members in ``body``."""
        members: dict[str, Member] = {}
        certain = True
        at = bit = size = 0
        unit = 0  # bytes of the unit that bit-fields are being put in
        align = 1
        if depth > _MAX_DEPTH:
            return Layout(name, 0, 1, {}, False)
        for statement in statements(body):
            for one in self.declaration(statement, f"{name}.", depth + 1):
                if len(members) > _MAX_MEMBERS:
                    return Layout(name, size, align, members, False)
                type_ = one.type
                if type_.kind == "function" or (statement and statement[0] in _NO_MEMBER):
                    continue
                inner = self.layout_of(type_)
                wide, aligned = self.size_of(type_), 1 if packed else self.align_of(type_)
                if one.bits:
                    width = self._constant(one.bits)
                    if width is None or not wide:
                        certain = False
                        continue
                    if kind == "union":
                        at = bit = 0
                        unit = wide
                    elif width == 0 or unit != wide or bit + width > wide * 8:
                        if packed and width and unit:
                            pass
                        else:
                            start = _up(at + (bit + 7) // 8 if unit else at, aligned)
                            if unit and unit != wide and not width == 0:
                                # Bit-fields of another size go on in the same unit if they fit.
                                total = at * 8 + bit
                                unit_start = total // (wide * 8) * wide
                                if total - unit_start * 8 + width <= wide * 8:
                                    start, bit_ = unit_start, total - unit_start * 8
                                    at, bit, unit = start, bit_, wide
                                else:
                                    at, bit, unit = start, 0, wide
                            else:
                                at, bit, unit = start, 0, wide
                    align = max(align, aligned)
                    if one.name:
                        members[one.name] = Member(one.name, at, type_, (bit, width))
                    bit += width
                    size = max(size, at + (bit + 7) // 8, at + wide if not packed else 0)
                    continue
                if unit and kind != "union":
                    at += (bit + 7) // 8
                unit = bit = 0
                place = 0 if kind == "union" else _up(at, aligned)
                if not wide and not (type_.kind == "array" and type_.count in (0, None)):
                    certain = False
                if one.name:
                    members[one.name] = Member(one.name, place, type_)
                elif inner is not None:
                    certain = certain and inner.certain
                    for member in inner.members.values():
                        members[member.name] = msgspec.structs.replace(
                            member, offset=place + member.offset
                        )
                align = max(align, aligned)
                size = max(size, place + wide)
                if kind != "union":
                    at = place + wide
        return Layout(name, _up(size, align), align, members, certain)

    def layout_of(self, type_: Type) -> Layout | None:
        """The layout of a struct or union type, None for others and where it is not known."""
        if type_.kind not in ("struct", "union"):
            return None
        return self.layouts.get(type_.name) or self._layout(type_.name)

    def size_of(self, type_: Type) -> int:
        """Bytes, 0 where it is not known."""
        if type_.kind == "array":
            return self.size_of(type_.of or UNKNOWN) * (type_.count or 0)
        if type_.kind in ("struct", "union"):
            layout = self.layout_of(type_)
            return layout.size if layout is not None else type_.size
        return type_.size

    def align_of(self, type_: Type) -> int:
        """Bytes, at least 1."""
        if type_.kind == "array":
            return self.align_of(type_.of or UNKNOWN)
        if type_.kind in ("struct", "union"):
            layout = self.layout_of(type_)
            return layout.align if layout is not None else 4
        return min(8, max(1, type_.size))


_NO_MEMBER = frozenset(("typedef", "static", "friend", "using", "template", "enum class"))


def _up(value: int, align: int) -> int:
    return (value + align - 1) // align * align


def _basic_type(words: list[str]) -> Type:
    name = " ".join(words)
    if "void" in words:
        return VOID
    if "double" in words or "float" in words:
        return Type("unknown", name, 8 if "double" in words else 4)
    if "char" in words:
        return Type("int", name, 1, "unsigned" not in words)
    if "bool" in words or "_Bool" in words:
        return Type("int", name, 1)
    if "short" in words:
        return Type("int", name, 2, "unsigned" not in words)
    size = 8 if words.count("long") > 1 else 4
    return Type("int", name, size, "unsigned" not in words)


def _typedef_name(tokens: Sequence[str]) -> str:
    """The name a ``typedef struct {...} NAME`` gives, "" for other declarations."""
    if not tokens or tokens[0] != "typedef":
        return ""
    depth = 0
    for i in range(len(tokens) - 1, -1, -1):
        if tokens[i] in (")", "]", "}"):
            depth += 1
        elif tokens[i] in ("(", "[", "{"):
            depth -= 1
        elif depth == 0 and is_word(tokens[i]):
            # typedef struct {...} A, *B: the first name counts.
            j = i
            while j > 1 and tokens[j - 1] in ("*", ",", "const") or is_word(tokens[j - 1]):
                if tokens[j - 1] == "typedef" or tokens[j - 1] in RECORDS:
                    break
                j -= 1
            first = next((t for t in tokens[j : i + 1] if is_word(t) and t != "const"), tokens[i])
            return first
    return ""
