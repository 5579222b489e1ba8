"""What the headers mean to one file."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING

from datasheet_lsp.firmware.headers.definitions import MAX_CHAIN, Definitions, Files
from datasheet_lsp.firmware.headers.facts import Function, Layout, Macro, Type
from datasheet_lsp.firmware.headers.flags import Flags
from datasheet_lsp.firmware.headers.numbers import number
from datasheet_lsp.firmware.headers.scan import FileFacts
from datasheet_lsp.firmware.headers.split import Piece
from datasheet_lsp.firmware.headers.tokens import Expander, TooLong, is_word, split
from datasheet_lsp.firmware.headers.types import Declared, Reader, fixed

if TYPE_CHECKING:
    from datasheet_lsp.firmware.meaning import Value


class Headers(Definitions):
    """The macros, types, variables and functions one file knows, its own among them.

    Nothing here reads a file. An answer is None where it is unknown. Where the ``#if`` of the
    headers leave open which of several different definitions holds, the likeliest is given, and
    :attr:`open` has its name.
    """

    def __init__(
        self,
        own: FileFacts,
        files: Files | None = None,
        *,
        chips: Sequence[str] = (),
        flags: Flags = Flags(),  # noqa: B008 - frozen
    ) -> None:
        self.own = own
        self.files = files or Files()
        self.chips = tuple(chips)
        self.flags = flags
        self._macros: dict[str, Macro | None] = {}
        self._alternatives: dict[str, list[Macro]] = {}
        self._states: dict[tuple[str, int], tuple[bool, bool | None]] = {}
        self.key = next(_KEYS)
        """Equal for headers in which macros, types and variables mean the same."""
        self._settled: dict[str, tuple[Value, frozenset[str]] | None] = {}
        self.memo: dict[tuple[str, str], Declared | None] = {}
        """Declarations of local variables by their text."""
        self.bases: dict[str, tuple[int, ...]] = {}
        """Where the instances of struct types are, as far as somebody asked."""
        self._types: dict[str, Type | None] = {}
        self._layouts: dict[str, Layout | None] = {}
        self._constants: dict[str, int | None] = {}
        self._enums: dict[tuple[int, int], dict[str, int]] = {}
        self._busy: set[object] = set()
        self._instances: dict[str, tuple[str, ...]] = {}
        self._functions: dict[str, Function | None] = {}
        self._elsewhere: dict[str, Function | None] = {}
        self._chosen: dict[str, Macro] = {}
        self.lock = threading.RLock()
        """Held by whoever asks more than one thing: what was found is kept as it is found."""
        self.reader = Reader(self.type, self.value_of, self.layout)

    @property
    def known(self) -> bool:
        """Whether any header was found."""
        return bool(self.files.facts)

    def choosing(self, macro: Macro) -> Headers:
        """These headers with one definition chosen."""
        other = self._like(self.own)
        other._macros = {k: v for k, v in self._macros.items() if k != macro.name}
        other._states = dict(self._states)
        other._chosen = {**self._chosen, macro.name: macro}
        other._settled = {
            name: known
            for name, known in self._settled.items()
            if known is not None and macro.name not in known[1]
        }
        return other

    def after(self, own: FileFacts) -> Headers:
        """The headers of the same file after an edit; what is still true is kept."""
        if own.signature != self.own.signature:
            return Headers(own, self.files, chips=self.chips, flags=self.flags)
        with self.lock:
            other = self._like(own)
            other._macros = self._macros
            other._alternatives = self._alternatives
            other._states = self._states
            other.bases = self.bases
            other.memo = self.memo
            other._elsewhere = self._elsewhere
            other._settled = self._settled
            other.key = self.key
            other.lock = self.lock
        return other

    def _like(self, own: FileFacts) -> Headers:
        """Headers that share the types."""
        other = Headers(own, self.files, chips=self.chips, flags=self.flags)
        other._types = self._types
        other._layouts = self._layouts
        other._constants = self._constants
        other._instances = self._instances
        other.reader = self.reader.like(other.type, other.value_of, other.layout)
        return other

    def settled(self, name: str) -> tuple[Value, frozenset[str]] | None:
        """The number or address an object macro is, and all macros it is made of.

        None for a macro that is something else, or whose body means more together with what
        stands around it.
        """
        if name not in self._settled:
            self._settled[name] = None
            macro = self.macro(name)
            if macro is not None and macro.parameters is None:
                self._settled[name] = self._settle(name, macro)
        return self._settled[name]

    def _settle(self, name: str, macro: Macro) -> tuple[Value, frozenset[str]] | None:
        from datasheet_lsp.firmware.meaning import Machine

        tokens = split(macro.body)
        if not tokens or len(tokens) > _MAX_SETTLED or len(self._busy) > MAX_CHAIN:
            return None
        if len(tokens) > 1 and not _enclosed(tokens):
            return None
        key = ("settled", name)
        self._busy.add(key)
        try:
            machine = Machine(self)
            value = machine.expression(tokens)
        except (TooLong, RecursionError):
            return None
        finally:
            self._busy.discard(key)
        spots = value.spots
        if spots is None or value.lvalue or value.vague or machine.effects:
            return None
        if any(spot.base for spot in spots):
            return None
        return value, frozenset((name, *machine.used))

    # -- numbers ----------------------------------------------------------------------------

    def constant(self, name: str) -> int | None:
        """The value of an enumerator."""
        if name not in self._constants:
            self._constants[name] = None
            for facts, piece in self._pieces(name, ("enum", "typedef")):
                if piece.kind == "enum":
                    value = self._enumerators(facts, piece).get(name)
                    if value is not None:
                        self._constants[name] = value
                        break
        return self._constants[name]

    def _enumerators(self, facts: FileFacts, piece: Piece) -> dict[str, int]:
        key = (id(facts), piece.start)
        known = self._enums.get(key)
        if known is not None:
            return known
        table: dict[str, int] = {}
        self._enums[key] = table
        text = facts.text[piece.start : piece.end]
        text = text[text.find(b"{") + 1 : text.rfind(b"}")]
        tokens = split(self._lines(facts, text, piece).decode("ascii", "replace"))
        now: int | None = 0
        start = 0
        depth = 0
        tokens = (*tokens, ",")
        for i, token in enumerate(tokens):
            if token in ("(", "{", "["):
                depth += 1
            elif token in (")", "}", "]"):
                depth -= 1
            elif token == "," and depth <= 0:
                part = tokens[start:i]
                start = i + 1
                if not part or not is_word(part[0]):
                    continue
                if "=" in part:
                    value = list(part[part.index("=") + 1 :])
                    now = self.value_of([str(table[t]) if t in table else t for t in value])
                if now is not None:
                    table[part[0]] = now
                    now += 1
        return table

    def value_of(self, tokens: Sequence[str]) -> int | None:
        """The value of a constant expression, None where it has none or it is not known."""
        try:
            expanded = Expander(self.macro).expand(list(tokens))
        except TooLong:
            return None
        if len(expanded) == 1 and expanded[0][0].isdigit():
            return number(expanded[0])
        return self._evaluated(expanded)

    def _evaluated(self, tokens: list[str]) -> int | None:
        from datasheet_lsp.firmware.meaning import Machine

        if len(self._busy) > MAX_CHAIN:
            return None
        key = ("value", len(self._busy))
        self._busy.add(key)
        try:
            return Machine(self).value_of_tokens(tokens).number
        except (TooLong, RecursionError):
            return None
        finally:
            self._busy.discard(key)

    # -- declarations -----------------------------------------------------------------------

    def _pieces(self, name: str, kinds: tuple[str, ...]) -> Iterator[tuple[FileFacts, Piece]]:
        """The declarations of ``name``, those whose conditions hold first."""
        for tier in self._tiers:
            later: list[tuple[FileFacts, Piece]] = []
            some = False
            for facts in reversed(tier):
                for piece in reversed(facts.declaring(name)):
                    if piece.kind not in kinds:
                        continue
                    closed, certain = self.state(facts, piece.condition)
                    if closed:
                        some = True
                        yield facts, piece
                    elif certain is None:
                        later.append((facts, piece))
            yield from later
            if some or later:
                return

    def _lines(self, facts: FileFacts, text: bytes, piece: Piece) -> bytes:
        """``text`` of a declaration with the ``#if`` in it carried out."""
        if b"#" not in text:
            return text
        base = facts.text.find(text, piece.start)
        out: list[bytes] = []
        at = base
        live = True
        directives = facts.directives
        for d in range(0, len(directives), 3):
            if directives[d] < base:
                continue
            if directives[d] >= base + len(text):
                break
            if live:
                out.append(facts.text[at : directives[d]])
            at = directives[d + 1]
            live = self.state(facts, directives[d + 2])[0]
        if live:
            out.append(facts.text[at : base + len(text)])
        lines = b"\n".join(out).replace(b"\\\n", b"  ").split(b"\n")
        return b"\n".join(line for line in lines if not line.lstrip().startswith(b"#"))

    def declaration(self, facts: FileFacts, piece: Piece) -> list[Declared]:
        """The declarators of a piece, macros put in."""
        text = self._lines(facts, facts.text[piece.start : piece.end], piece)
        try:
            tokens = Expander(self._no_types).expand(split(text.decode("ascii", "replace")))
        except TooLong:
            return []
        return self.reader.declaration(tokens)

    def _no_types(self, name: str) -> Macro | None:
        macro = self.macro(name)
        return None if macro is not None and macro.body == name else macro

    def type(self, name: str) -> Type | None:
        """The type a typedef or a tag names."""
        if name not in self._types:
            self._types[name] = fixed(name)
            if self._types[name] is None and ("type", name) not in self._busy:
                self._busy.add(("type", name))
                try:
                    self._types[name] = self._type(name)
                finally:
                    self._busy.discard(("type", name))
        return self._types[name]

    def _type(self, name: str) -> Type | None:
        for facts, piece in self._pieces(name, ("typedef", "record", "enum")):
            if piece.kind == "enum":
                return Type("int", name, 4)
            text = facts.text[piece.start : piece.end]
            if text.lstrip().startswith(b"typedef"):
                declared = [d for d in self.declaration(facts, piece) if d.name == name]
                if declared:
                    return declared[0].type
                if piece.kind == "typedef":
                    continue
            else:
                self.declaration(facts, piece)
            layout = self.reader.layouts.get(name)
            if layout is not None:
                kind = "union" if b"union" in text.partition(b"{")[0] else "struct"
                return Type(kind, name, layout.size)  # type: ignore[arg-type]
        return None

    def layout(self, name: str) -> Layout | None:
        """The members of a struct or union by its typedef or tag."""
        known = self.reader.layouts.get(name)
        if known is not None:
            return known
        if name in self._layouts:
            return self._layouts[name]
        self._layouts[name] = None
        type_ = self.type(name)
        if type_ is not None:
            self._layouts[name] = self.reader.layouts.get(type_.name)
        return self._layouts[name] or self.reader.layouts.get(name)

    def variable(self, name: str) -> Type | None:
        """The type of a variable declared outside functions."""
        found = self.declared(name)
        return None if found is None else found.type

    def declared(self, name: str) -> Declared | None:
        """The declaration of a variable outside functions, that with a value first."""
        best: Declared | None = None
        for facts, piece in self._pieces(name, ("variable", "record")):
            for one in self.declaration(facts, piece):
                if one.name == name and one.type.kind != "function":
                    if one.value:
                        return one
                    best = best or one
        return best

    def symbol(self, name: str) -> int | None:
        """The address a linker script gives a variable."""
        return self.files.symbols.get(name)

    def function(self, name: str, *, sources: bool = False) -> Function | None:
        """A function with a body; with ``sources`` also one that a header only declares."""
        if name not in self._functions:
            found = (self._read(name, *one) for one in self._pieces(name, ("function",)))
            self._functions[name] = next((one for one in found if one is not None), None)
        known = self._functions[name]
        if known is None and sources:
            if name not in self._elsewhere:
                self._elsewhere[name] = self._source(name)
            known = self._elsewhere[name]
        return known

    def _source(self, name: str) -> Function | None:
        """A function of a source file that belongs to the header that declares it."""
        word = name.encode("ascii", "replace")
        declares = re.compile(rb"\b" + word + rb"\s*\([^;{}#]{0,600}?\)[^;{}()#]{0,80};")
        for facts in (*self.files.facts, *self.files.further):
            if word not in facts.text or declares.search(facts.text) is None:
                continue
            for source in self.files.sources(facts):
                for piece in source.declaring(name):
                    if piece.kind == "function" and self.state(source, piece.condition)[0]:
                        self._also(source)
                        return self._read(name, source, piece)
        return None

    def _also(self, source: FileFacts) -> None:
        """The macros of a source count too, after all others, for its functions need them."""
        if source not in self.files.further:
            self.files.further.append(source)
            for name in [name for name, macro in self._macros.items() if macro is None]:
                del self._macros[name]

    def _read(self, name: str, facts: FileFacts, piece: Piece) -> Function | None:
        text = self._lines(facts, facts.text[piece.start : piece.end], piece)
        brace = text.find(b"{")
        head = text[:brace].decode("ascii", "replace")
        try:
            tokens = Expander(self._no_types).expand(split(head))
        except TooLong:
            return None
        declared = self.reader.declaration(tokens)
        if not declared or declared[0].parameters is None:
            return None
        inner = text[brace + 1 : text.rfind(b"}")].decode("ascii", "replace")
        line = facts.text.count(b"\n", 0, piece.start) + 1
        return Function(name, declared[0].parameters, inner, facts.path, line)

    def aliases(self, name: str) -> tuple[str, ...]:
        """``name`` and the other names its declaration gives the same struct."""
        found = {name: None}
        for _, piece in self._pieces(name, ("typedef", "record")):
            if piece.kind == "record":
                found |= dict.fromkeys(piece.names)
        return tuple(found)

    # -- instances --------------------------------------------------------------------------

    def instances(self, name: str) -> tuple[str, ...]:
        """The object macros and variables that are, or point at, a struct of type ``name``."""
        known = self._instances.get(name)
        if known is not None:
            return known
        found: dict[str, None] = {}
        for tier in self._tiers:
            for facts in tier:
                found.update(dict.fromkeys(facts.instances(name)))
        result = tuple(found)
        if not self._busy:
            self._instances[name] = result
        return result


_MAX_SETTLED = 200
_KEYS = count(1)


def _enclosed(tokens: Sequence[str]) -> bool:
    """Whether one pair of brackets holds all of ``tokens``."""
    if tokens[0] != "(":
        return False
    depth = 0
    for i, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token, 0)
        if depth == 0:
            return i == len(tokens) - 1
    return False
