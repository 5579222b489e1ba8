"""The tokens of declarations, read one after the other."""

from __future__ import annotations

from collections.abc import Sequence

RECORDS = frozenset(("struct", "union", "class", "enum"))


def packed_in(tokens: Sequence[str]) -> bool:
    """Whether attributes say that members stand without gaps."""
    return "packed" in tokens or "__packed__" in tokens


def comma_parts(tokens: Sequence[str]) -> list[list[str]]:
    """``tokens`` at their commas outside brackets."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        if token in ("(", "[", "{"):
            depth += 1
        elif token in (")", "]", "}"):
            depth -= 1
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def statements(tokens: Sequence[str]) -> list[list[str]]:
    """The declarations in the body of a struct or class; bodies of methods are left out."""
    found: list[list[str]] = []
    now: list[str] = []
    depth = 0
    for i, token in enumerate(tokens):
        if token in ("(", "[", "{"):
            depth += 1
        elif token in (")", "]", "}"):
            depth -= 1
        if token == ";" and depth == 0:
            if now:
                found.append(now)
            now = []
        elif token == ":" and depth == 0 and now in (["public"], ["private"], ["protected"]):
            now = []
        else:
            now.append(token)
            if token == "}" and depth == 0 and tokens[i + 1 : i + 2] != [";"]:
                opening = now.index("{") if "{" in now else 0
                if ")" in now[:opening] and now[0] not in RECORDS:
                    now = []  # a method with its body
    if now:
        found.append(now)
    return found


class Stream:
    """Tokens of a declaration, read from the left."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self._at = 0
        self.packed = False

    @property
    def done(self) -> bool:
        """Whether no token is left."""
        return self._at >= len(self.tokens)

    @property
    def now(self) -> str:
        """The next token, "" at the end."""
        return self.tokens[self._at] if self._at < len(self.tokens) else ""

    def peek(self, further: int) -> str:
        """The token ``further`` on, "" past the end."""
        at = self._at + further
        return self.tokens[at] if at < len(self.tokens) else ""

    def rest(self) -> Sequence[str]:
        """The tokens that are left."""
        return self.tokens[self._at :]

    def next(self) -> None:
        """Goes one on."""
        self._at += 1

    def take(self, token: str) -> bool:
        """Goes on where the next token is this one; whether it is."""
        if self.now == token:
            self._at += 1
            return True
        return False

    def until(self, ends: tuple[str, ...]) -> tuple[str, ...]:
        """The tokens up to one of ``ends`` outside brackets."""
        start = self._at
        depth = 0
        while self._at < len(self.tokens):
            token = self.tokens[self._at]
            if token in ("(", "[", "{"):
                depth += 1
            elif token in (")", "]", "}"):
                depth -= 1
            elif depth == 0 and token in ends:
                break
            self._at += 1
        return tuple(self.tokens[start : self._at])

    def between(self) -> tuple[str, ...]:
        """What is in the brackets that begin here."""
        start = self._at + 1
        depth = 0
        while self._at < len(self.tokens):
            token = self.tokens[self._at]
            if token in ("(", "[", "{"):
                depth += 1
            elif token in (")", "]", "}"):
                depth -= 1
            self._at += 1
            if depth == 0:
                return tuple(self.tokens[start : self._at - 1])
        return tuple(self.tokens[start:])

    def skip_attributes(self) -> bool:
        """Goes behind an attribute; whether there was one."""
        if self.now in (
            "__attribute__",
            "__declspec",
            "alignas",
            "__asm",
            "asm",
            "__asm__",
            "_Alignas",
            "__aligned",
            "__ALIGNED",
        ):
            self._at += 1
            if self.now == "(":
                inner = self.between()
                if packed_in(inner):
                    self.packed = True
            return True
        if self.now in ("__PACKED", "__packed"):
            self.packed = True
            self._at += 1
            return True
        if self.now == "[" and self.peek(1) == "[":
            self.between()
            return True
        return False

    def skip_template(self) -> None:
        """Goes behind the arguments of a template."""
        if self.now != "<":
            return
        depth = 0
        for i in range(self._at, min(len(self.tokens), self._at + 60)):
            depth += {"<": 1, ">": -1, ">>": -2}.get(self.tokens[i], 0)
            if depth <= 0:
                self._at = i + 1
                return
