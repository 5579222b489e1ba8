"""Statements of C: gone through in order, loops and both branches once."""

from __future__ import annotations

from datasheet_lsp.firmware.headers.facts import Type
from datasheet_lsp.firmware.headers.tokens import TooLong, is_word
from datasheet_lsp.firmware.headers.types import QUALIFIERS
from datasheet_lsp.firmware.meaning.calls import Calls
from datasheet_lsp.firmware.meaning.value import Value, Variable

MAX_STEPS = 30_000
TYPE_WORDS = frozenset(
    ("void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool",
     "bool", "struct", "union", "enum", "const", "volatile", "class")
)  # fmt: skip
CLOSING = {"(": ")", "[": "]", "{": "}"}


class Statements(Calls):
    """Statements. A base of the machine, which reads expressions."""

    _steps: int

    def _comma(self) -> Value:
        raise NotImplementedError

    def _local(self, name: str) -> Variable | None:
        raise NotImplementedError

    def _type_named(self, name: str) -> Type | None:
        raise NotImplementedError

    # -- tokens -----------------------------------------------------------------------------

    @property
    def _now(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _peek(self, further: int = 1) -> str:
        at = self._at + further
        return self._tokens[at] if at < len(self._tokens) else ""

    def _take(self, token: str) -> bool:
        if self._now == token:
            self._at += 1
            return True
        return False

    def _between(self) -> list[str]:
        """What is in the brackets that begin here; goes behind them."""
        start = self._at + 1
        depth = 0
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token in CLOSING:
                depth += 1
            elif token in (")", "]", "}"):
                depth -= 1
            self._at += 1
            if depth == 0:
                return self._tokens[start : self._at - 1]
        return self._tokens[start:]

    def _until_semicolon(self) -> list[str]:
        start = self._at
        depth = 0
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token in CLOSING:
                depth += 1
            elif token in (")", "]", "}"):
                depth -= 1
            elif token == ";" and depth <= 0:
                break
            self._at += 1
        found = self._tokens[start : self._at]
        self._take(";")
        return found

    # -- statements -------------------------------------------------------------------------

    def _block(self) -> Value:
        last = Value()
        while self._now:
            self._steps += 1
            if self._steps > MAX_STEPS:
                raise TooLong
            last = self._statement()
        return last

    def _statement(self) -> Value:
        token = self._now
        if token == "{":
            return self._inside(self._between(), self._block)
        if token in ("do", "else", "try"):
            self._at += 1
            return Value()
        if token in ("if", "while", "switch", "for"):
            self._at += 1
            if self._now == "constexpr":
                self._at += 1
            if self._now == "(":
                self._inside(self._between(), self._header)
            return Value()
        if token == "return":
            self._at += 1
            rest = self._until_semicolon()
            if rest:
                self._returned.append(self.load(self._inside(rest, self._comma)))
            return Value()
        if token in ("break", "continue", "goto", "asm", "__asm", "__asm__"):
            self._until_semicolon()
            return Value()
        if token in ("case", "default"):
            while self._now and not self._take(":"):
                self._at += 1
            return Value()
        if token == ";":
            self._at += 1
            return Value()
        if token in (")", "]", "}"):
            self._at += 1
            return Value()
        body = self._function_body()
        if body is not None:
            return self._inside(body, self._block)
        rest = self._until_semicolon()
        if self._declares(rest):
            self._declare(rest)
            return Value()
        return self._inside(rest, self._comma)

    def _function_body(self) -> list[str] | None:
        """The body of a function that a macro defines; goes behind it. None where it is none."""
        if not is_word(self._now):
            return None
        depth = 0
        for i in range(self._at, len(self._tokens)):
            token = self._tokens[i]
            if token == "(":
                depth += 1
            elif token == ")":
                depth -= 1
            elif depth == 0 and token == "{":
                if i > self._at + 3 and self._tokens[i - 1] == ")":
                    if self._declares(self._tokens[self._at : i]):
                        self._at = i
                        return self._between()
                return None
            elif depth == 0 and not (is_word(token) or token in ("*", "::")):
                return None
        return None

    def _header(self) -> Value:
        while self._now:
            rest = self._until_semicolon()
            if self._declares(rest):
                self._declare(rest)
            elif rest:
                self.load(self._inside(rest, self._comma))
        return Value()

    def _declares(self, tokens: list[str]) -> bool:
        if not tokens:
            return False
        first = tokens[0]
        if first in TYPE_WORDS or first in QUALIFIERS:
            return True
        if not is_word(first) or len(tokens) < 2 or self._local(first) is not None:
            return False
        second = tokens[1]
        if is_word(second):
            return first not in ("sizeof", "new", "delete", "throw")
        return second == "*" and len(tokens) > 2 and self._type_named(first) is not None

    def _declare(self, tokens: list[str]) -> None:
        for one in self.headers.reader.declaration(tokens):
            if one.name:
                variable = Variable(one.type)
                if one.value and one.value[0] == "{":
                    variable.parts = one.value
                elif one.value:
                    value = self.load(self._inside(list(one.value), self._assignment))
                    if value.spots is not None:
                        variable.value = self.cast(value, one.type)
                self._names[one.name] = variable
