"""Reads C expressions and statements and says what they yield and which places they touch.

Nothing is run: what is not known stays unknown, both sides of an unknown condition are taken, and
loops are gone through once. The work is bounded; where the bound is met, all is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from datasheet_lsp.firmware.headers.facts import UNKNOWN, Macro, Type
from datasheet_lsp.firmware.headers.numbers import number
from datasheet_lsp.firmware.headers.stream import comma_parts
from datasheet_lsp.firmware.headers.tokens import Expander, TooLong, is_word
from datasheet_lsp.firmware.headers.types import (
    INT,
    QUALIFIERS,
    UINT,
    fixed,
    pointer,
)
from datasheet_lsp.firmware.headers.view import Headers
from datasheet_lsp.firmware.meaning.naming import Naming, is_foreign, is_named
from datasheet_lsp.firmware.meaning.operators import ASSIGNMENTS, PRECEDENCE, binary
from datasheet_lsp.firmware.meaning.places import Known
from datasheet_lsp.firmware.meaning.statements import MAX_STEPS, TYPE_WORDS
from datasheet_lsp.firmware.meaning.value import (
    Effect,
    How,
    Spot,
    Value,
    Variable,
    constant,
    merged,
    truncated,
)

Locals = Callable[[str, "Machine"], Variable | None]
"""The variable a name means in the function around, None where it is none of its."""

_MAX_DEPTH = 300
_MAX_NAMED = 32
_CASTS = frozenset(("static_cast", "reinterpret_cast", "const_cast"))


class Machine(Naming):
    """Reads expressions in one place of the code."""

    def __init__(
        self, headers: Headers, outer: Locals | None = None, known: Known | None = None
    ) -> None:
        self.headers = headers
        self.known = known
        self.effects: list[Effect] = []
        self.used: set[str] = set()
        """The macros that were put in."""
        self._outer = outer
        self._names: dict[str, Variable | None] = {}
        self._steps = 0
        self._depth = 0
        self._calls = 0
        self._tokens: list[str] = []
        self._at = 0
        self._returned: list[Value] = []

    # -- entries ----------------------------------------------------------------------------

    def expression(self, tokens: Sequence[str]) -> Value:
        """The value of an expression, unknown where ``tokens`` are more. Raises TooLong."""
        return self._inside(self._expanded(tokens), self._all)

    def _all(self) -> Value:
        value = self._comma()
        if self._now:
            self.effects.clear()
            return Value()
        return value

    def value_of_tokens(self, tokens: Sequence[str]) -> Value:
        """The value of an expression elsewhere in the code, its accesses left aside."""
        before = len(self.effects)
        value = self.load(self.expression(tokens))
        del self.effects[before:]
        return value

    def statements(self, tokens: Sequence[str]) -> Value:
        """Goes through statements; the value is that of an expression that stands alone."""
        return self._inside(self._expanded(tokens), self._block)

    def _expanded(self, tokens: Sequence[str]) -> list[str]:
        expander = Expander(self._macro)
        try:
            return expander.expand(tokens)
        finally:
            self.used |= expander.used

    def _macro(self, name: str) -> Macro | None:
        """A macro to put in; those that are just a number or an address are looked up instead."""
        return None if self.headers.settled(name) is not None else self.headers.macro(name)

    def _inside(self, tokens: list[str], read: Callable[[], Value]) -> Value:
        before = self._tokens, self._at
        self._tokens, self._at = tokens, 0
        self._enter()
        try:
            return read()
        finally:
            self._depth -= 1
            self._tokens, self._at = before

    def _enter(self) -> None:
        self._depth += 1
        self._steps += 1
        if self._depth > _MAX_DEPTH or self._steps > MAX_STEPS:
            raise TooLong

    # -- expressions ------------------------------------------------------------------------

    def _comma(self) -> Value:
        value = self._assignment()
        while self._take(","):
            self.load(value)
            value = self._assignment()
        return value

    def _assignment(self) -> Value:
        self._enter()
        left = self._conditional()
        operator = self._now
        if operator in ASSIGNMENTS:
            self._at += 1
            right = self.load(self._assignment())
            if operator == "=":
                self._store(left, right, "write")
                left = right.typed(left.type) if right.spots is not None else Value(left.type)
            else:
                self._store(left, None, "modify")
                left = Value(left.type)
        self._depth -= 1
        return left

    def _store(self, place: Value, value: Value | None, how: How) -> None:
        if place.name and place.lvalue and place.spots is not None and len(place.spots) == 1:
            known = self._names.get(place.name)
            if known is not None and place.spots[0] == Spot(f"var {place.name}", 0):
                settled = value is not None and value.spots is not None
                new = self.cast(value, known.type) if settled and value is not None else None
                self._names[place.name] = Variable(known.type, new)
        self.effects.append(Effect(place, how))

    def _conditional(self) -> Value:
        value = self._binary(1)
        if not self._take("?"):
            return value
        condition = self.load(value)
        yes = condition if self._now == ":" else self._branch(condition.number != 0)
        if not self._take(":"):
            return Value()
        no = self._branch(not condition.number)
        if condition.number is not None:
            return yes if condition.number else no
        return merged(self.load(yes), self.load(no))

    def _branch(self, taken: bool) -> Value:
        before = len(self.effects)
        value = self._comma() if self._now != ":" else self._assignment()
        if not taken:
            del self.effects[before:]
        return value

    def _binary(self, level: int) -> Value:
        self._enter()
        left = self._unary()
        while (order := PRECEDENCE.get(self._now, 0)) >= level:
            operator = self._now
            self._at += 1
            before = len(self.effects)
            right = self.load(self._binary(order + 1))
            left = self.load(left)
            if (operator == "&&" and left.number == 0) or (operator == "||" and left.number):
                del self.effects[before:]
            sizes = self._step(left.type), self._step(right.type)
            left = binary(operator, left, right, sizes)
        self._depth -= 1
        return left

    def _step(self, type_: Type) -> int:
        """Bytes a pointer moves by 1, 0 for what is no pointer."""
        if type_.kind not in ("pointer", "array"):
            return 0
        return self.headers.reader.size_of(type_.of or UNKNOWN) or 1

    def _unary(self) -> Value:
        self._enter()
        try:
            return self._unary_()
        finally:
            self._depth -= 1

    def _unary_(self) -> Value:
        token = self._now
        if token == "&" or token == "&&":
            self._at += 1
            return self.reference(self._unary())
        if token == "*":
            self._at += 1
            return self.dereference(self._unary())
        if token in ("+", "-", "~", "!"):
            self._at += 1
            value = self.load(self._unary())
            n = value.number
            if n is None:
                return Value(INT if token == "!" else value.type)
            result = {"+": n, "-": -n, "~": ~n, "!": int(not n)}[token]
            return constant(truncated(result, value.type) if token == "~" else result, value.type)
        if token in ("++", "--"):
            self._at += 1
            place = self._unary()
            self._store(place, None, "modify")
            return Value(place.type)
        if token in ("sizeof", "_Alignof", "alignof"):
            return self._sizeof()
        if token in ("new", "delete", "throw", "co_await"):
            self._at += 1
            self._unary()
            return Value()
        if token == "(":
            return self._bracket()
        return self._postfix(self._primary())

    def _sizeof(self) -> Value:
        self._at += 1
        before = len(self.effects)
        if self._now == "(":
            inner = self._between()
            type_ = self._type_of_cast(inner)
            if type_ is None:
                type_ = self._inside(list(inner), self._comma).type
        else:
            type_ = self._unary().type
        del self.effects[before:]
        size = self.headers.reader.size_of(type_)
        return constant(size, UINT) if size else Value(UINT)

    def _bracket(self) -> Value:
        """A cast, a compound literal, an expression of statements, or brackets."""
        start = self._at
        inner = self._between()
        if inner[:1] == ["{"]:
            self._at, after = 0, self._at
            value = self._inside(list(inner[1:-1]), self._block)
            self._at = after
            return self._postfix(self.load(value))
        type_ = self._type_of_cast(inner) if inner else None
        if type_ is not None and self._casts(inner, type_):
            if self._now == "{":
                self._between()
                return self._postfix(Value(type_))
            return self.cast(self.load(self._unary()), type_)
        del start
        return self._postfix(self._inside(list(inner), self._comma))

    def _casts(self, inner: list[str], type_: Type) -> bool:
        """Whether what follows ``(type)`` is what it casts."""
        after = self._now
        if not after or after in (")", "]", "}", ";", ",", "?", ":", "->", ".", "["):
            return False
        if after in ASSIGNMENTS or (after in PRECEDENCE and after not in ("&", "*", "+", "-")):
            return False
        if type_.kind == "unknown" and len(inner) == 1 and inner[0] not in TYPE_WORDS:
            return is_word(after) or after[0].isdigit() or after == "(" and False
        return True

    def _type_of_cast(self, tokens: list[str]) -> Type | None:
        """The type ``tokens`` name, None where they are an expression."""
        first = next((t for t in tokens if t not in QUALIFIERS), tokens[0] if tokens else "")
        if not first or not (is_word(first)) or len(tokens) > 60:
            return None
        if first not in TYPE_WORDS and first not in QUALIFIERS:
            named = self._type_named(first)
            if named is None:
                if self._local(first) is not None:
                    return None
                rest = tokens[tokens.index(first) + 1 :]
                starred = bool(rest) and all(t == "*" or t in QUALIFIERS for t in rest)
                if rest and not starred:
                    return None
                if not rest and self._known_object(first):
                    return None
        return self.headers.reader.type_name(tokens)

    def _type_named(self, name: str) -> Type | None:
        return fixed(name) or self.headers.type(name)

    def _known_object(self, name: str) -> bool:
        return self.headers.constant(name) is not None or self.headers.variable(name) is not None

    def _primary(self) -> Value:
        token = self._now
        self._at += 1
        if not token:
            return Value()
        if token[0].isdigit() or (token[0] == "." and len(token) > 1 and token[1].isdigit()):
            return self._literal(token)
        if token[0] == "'":
            n = number(token)
            return Value(INT) if n is None else constant(n, INT)
        if token[0] == '"' or token[-1] == '"':
            return Value(pointer(Type("int", "char", 1)), (Spot("var text", 0),))
        if token in _CASTS and self._now == "<":
            return self._named_cast()
        if is_word(token):
            return self._name(token)
        return Value()

    def _literal(self, token: str) -> Value:
        n = number(token)
        if n is None:
            return Value(Type("unknown", "double", 8))
        low = token.lower()
        unsigned = "u" in low or (low.startswith("0x") and n > 0x7FFFFFFF)
        if n > 0xFFFFFFFF or "ll" in low:
            return constant(n, Type("int", "uint64_t" if unsigned else "int64_t", 8, not unsigned))
        return constant(n, UINT if unsigned else INT)

    def _named_cast(self) -> Value:
        depth = 0
        start = self._at + 1
        while self._now:
            depth += {"<": 1, ">": -1, ">>": -2}.get(self._now, 0)
            self._at += 1
            if depth <= 0:
                break
        type_ = self.headers.reader.type_name(self._tokens[start : self._at - 1])
        inner = self._between() if self._now == "(" else []
        value = self.load(self._inside(list(inner), self._comma))
        return self.cast(value, type_ or UNKNOWN)

    # -- after a primary --------------------------------------------------------------------

    def _postfix(self, value: Value) -> Value:
        while True:
            token = self._now
            self._steps += 1
            if token == "->" or token == ".":
                name = self._peek()
                if not name or not is_word(name):
                    return value
                if self.known is not None and (is_named(value) or is_foreign(value)):
                    value = self._path(self.known, value)
                    continue
                self._at += 2
                if token == "->":
                    value = self.dereference(value)
                value = self.member(value, name)
                if self._now == "(":
                    self._arguments()
                    value = Value()
            elif token == "[":
                value = self.element(value, self._index())
            elif token == "(":
                self._arguments()
                value = Value()
            elif token in ("++", "--"):
                self._at += 1
                self._store(value, None, "modify")
                value = Value(value.type)
            else:
                return value

    def _index(self) -> Value:
        inner = self._between()
        return self.load(self._inside(list(inner), self._comma)) if inner else Value()

    def _arguments(self) -> list[Value]:
        inner = self._between()
        return [self.load(self._inside(part, self._assignment)) for part in comma_parts(inner)]
