"""The rules of ``gates.toml``, ``families.toml`` and ``aims.toml``, read once and checked."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from datasheet_lsp.answer.plan.model import StepKind

Pattern = re.Pattern[str]


class GateRule(msgspec.Struct, frozen=True):
    """How a family of chips names a switch of other peripherals; see ``gates.toml``."""

    id: str
    kind: StepKind
    peripheral: Pattern
    register: Pattern
    confidence: float
    field: Pattern | None = None
    skip: Pattern | None = None
    enumerated: Pattern | None = None
    described: bool = False
    low: bool = False
    bus: str = ""
    weight: float | None = None


class BusRule(msgspec.Struct, frozen=True):
    """Where the clock of a bus is divided."""

    id: str
    bus: Pattern
    peripheral: Pattern
    register: Pattern
    field: Pattern


class Shared(msgspec.Struct, frozen=True):
    """Peripherals (``names``) that have the switches of others (``of``, as in ``Match.expand``)."""

    names: Pattern
    of: str
    confidence: float


class Controller(msgspec.Struct, frozen=True):
    """Where an interrupt controller enables number n.

    ``{number}``, ``{word}`` (n / 32) and such stand in the pattern. ``bit`` tells that it is one
    bit of that register.
    """

    id: str
    peripheral: Pattern
    register: str
    bit: bool
    weight: float
    why: str


class Gates(msgspec.Struct, frozen=True):
    """All of ``gates.toml``. ``aliases`` has the common name for each name of a family."""

    aliases: dict[str, str]
    gates: tuple[GateRule, ...]
    buses: tuple[BusRule, ...]
    shared: tuple[Shared, ...]
    controllers: tuple[Controller, ...]


class PinRule(msgspec.Struct, frozen=True):
    """How a family of chips addresses one pin; see ``pins.toml``. Patterns are templates still."""

    id: str
    use: frozenset[str]
    where: str
    register: str
    fields: str
    whole: bool
    weight: float
    why: str


class Role(msgspec.Struct, frozen=True):
    """What some registers of a peripheral do; see ``families.toml``.

    A register is taken for it by its name (``register``), its description (``describes``), the
    names of its fields (``fields``) and their descriptions (``field_describes``). Without ``aims``
    it always belongs to a plan of the family; with them only where one of them is asked for.
    ``where`` are other peripherals to look in. With ``by_fields`` fields alone are enough. With
    ``of_target`` the field that has the target's name is meant.
    """

    id: str
    why: str
    kind: StepKind = "register"
    register: Pattern | None = None
    describes: Pattern | None = None
    fields: Pattern | None = None
    field_describes: Pattern | None = None
    skip: Pattern | None = None
    where: Pattern | None = None
    of_target: bool = False
    by_fields: bool = False
    aims: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    weight: float = 0.5
    limit: int = 1
    need: float = 2.0
    readable: bool = False
    query: str = ""


class Family(msgspec.Struct, frozen=True):
    """Peripherals of one kind: what they are called here and by people, and what they need.

    ``also`` has other families with what is needed of them, by aim ("" always): "wakeup" ->
    "power". ``defaults`` are the aims of a question that has none, ``interrupts`` the names of its
    interrupts where no peripheral stands for it. ``cluster`` are clusters of its own in a
    peripheral that can be several things.
    """

    name: str
    names: Pattern
    words: Pattern | None
    roles: tuple[Role, ...]
    also: tuple[tuple[str, str], ...] = ()
    defaults: frozenset[str] = frozenset()
    avoid: Pattern | None = None
    interrupts: Pattern | None = None
    cluster: Pattern | None = None

    @property
    def anywhere(self) -> bool:
        """Whether all its registers are looked for in other peripherals."""
        return all(role.where is not None for role in self.roles)


class Aim(msgspec.Struct, frozen=True):
    """What somebody may want, with the words that say so.

    ``families`` are meant by it where no peripheral is named, ``also`` in any case. ``implies`` are
    aims that come with it. ``served`` are other families that will do, ``excludes`` aims that its
    words only seem to mean. ``queries`` are what to search the manuals for besides.
    """

    name: str
    words: Pattern
    families: tuple[str, ...] = ()
    implies: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    served: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    says: str = ""
    queries: tuple[str, ...] = ()


def _data(name: str) -> dict[str, Any]:
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)


def _pattern(text: str | None) -> Pattern | None:
    return None if text is None else re.compile(text, re.IGNORECASE)


def _needed(text: str) -> Pattern:
    return re.compile(text, re.IGNORECASE)


def _words(texts: list[str]) -> Pattern:
    """Any of some phrases as whole words.

    ``*`` stands for the rest of a word, alone for a few words, ``#`` for a number.
    """
    parts = []
    for text in texts:
        words = [
            r"\S+(?:\s+\S+){0,4}" if word == "*" else re.escape(word).replace(r"\*", r"\w*")
            for word in text.split(" ")
        ]
        parts.append(r"[\s-]+".join(words).replace(r"\#", r"\d[\d.,]*"))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?!\w)", re.IGNORECASE)


@cache
def gates() -> Gates:
    """``gates.toml``."""
    data = _data("gates.toml")
    aliases = {name: group[0] for group in data["aliases"] for name in group}
    rules = tuple(
        GateRule(
            id=each["id"],
            kind=each["kind"],
            peripheral=_needed(each["peripheral"]),
            register=_needed(each["register"]),
            confidence=each["confidence"],
            field=_pattern(each.get("field")),
            skip=_pattern(each.get("skip")),
            enumerated=_pattern(each.get("enumerated")),
            described=each.get("described", False),
            low=each.get("low", False),
            bus=each.get("bus", ""),
            weight=each.get("weight"),
        )
        for each in data["gate"]
    )
    buses = tuple(
        BusRule(
            each["id"],
            _needed(each["bus"]),
            _needed(each["peripheral"]),
            _needed(each["register"]),
            _needed(each["field"]),
        )
        for each in data["bus"]
    )
    shared = tuple(
        Shared(_needed(each["names"]), each["of"], each.get("confidence", 0.9))
        for each in data["shared"]
    )
    controllers = tuple(
        Controller(
            each["id"],
            _needed(each["peripheral"]),
            each["register"],
            each.get("bit", True),
            each.get("weight", 0.85),
            each["why"],
        )
        for each in data["controller"]
    )
    return Gates(aliases, rules, buses, shared, controllers)


@cache
def pin_rules() -> tuple[PinRule, ...]:
    """``pins.toml``."""
    return tuple(
        PinRule(
            each["id"],
            frozenset(each["use"]),
            each["where"],
            each["register"],
            each.get("fields", ""),
            each.get("whole", False),
            each.get("weight", 0.85),
            each["why"],
        )
        for each in _data("pins.toml")["pin"]
    )


@cache
def families() -> dict[str, Family]:
    """``families.toml`` by name."""
    found = {}
    for name, each in _data("families.toml").items():
        roles = tuple(_role(role) for role in each.get("role", ()))
        words = each.get("words", [])
        found[name] = Family(
            name=name,
            names=_needed(each["names"]),
            words=_words(words) if words else None,
            roles=roles,
            also=tuple((also.get("aim", ""), also["family"]) for also in each.get("also", ())),
            defaults=frozenset(each.get("defaults", ())),
            avoid=_pattern(each.get("avoid")),
            interrupts=_pattern(each.get("interrupts")),
            cluster=_pattern(each.get("cluster")),
        )
    return found


def _channels(text: str | None) -> str | None:
    """``#`` is the number of a channel, with brackets or without."""
    return None if text is None else text.replace("#", r"_?\[?\d+\]?")


def _role(each: dict[str, Any]) -> Role:
    fields = each.get("fields")
    return Role(
        id=each["id"],
        why=each["why"],
        kind=each.get("kind", "register"),
        register=_pattern(_channels(each.get("register"))),
        describes=_pattern(each.get("describes")),
        fields=_pattern(_channels(fields.replace("@TARGET@|", "") if fields else None)),
        field_describes=_pattern(each.get("field_describes")),
        skip=_pattern(each.get("skip")),
        where=_pattern(each.get("where")),
        of_target="@TARGET@" in (fields or ""),
        by_fields=each.get("by_fields", False),
        aims=frozenset(each.get("aims", ())),
        unless=frozenset(each.get("unless", ())),
        weight=each.get("weight", 0.5),
        limit=each.get("limit", 1),
        need=each.get("need", 2.0),
        readable=each.get("readable", False),
        query=each.get("query", ""),
    )


@cache
def aims() -> tuple[Aim, ...]:
    """``aims.toml``."""
    return tuple(
        Aim(
            name,
            _words(each["words"]),
            tuple(each.get("families", ())),
            tuple(each.get("implies", ())),
            tuple(each.get("also", ())),
            tuple(each.get("served", ())),
            tuple(each.get("excludes", ())),
            each.get("says", name),
            tuple(each.get("queries", ())),
        )
        for name, each in _data("aims.toml").items()
    )
