"""What a question in plain words is about: peripherals, aims, pins, a channel."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasheet_lsp.answer.plan.build import build_plan
from datasheet_lsp.answer.plan.choose import choose, families_of
from datasheet_lsp.answer.plan.facts import ManualFacts, facts_of
from datasheet_lsp.answer.plan.graph import Graph, graph
from datasheet_lsp.answer.plan.model import Pin, Plan, PlanTargets
from datasheet_lsp.answer.plan.naming import canonical, split, squash
from datasheet_lsp.answer.plan.pins import pins_in
from datasheet_lsp.answer.plan.rules import aims as all_aims
from datasheet_lsp.answer.plan.rules import families
from datasheet_lsp.index import Index
from datasheet_lsp.model import Device
from datasheet_lsp.search.names import DeviceNames

_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_CHANNEL = re.compile(
    r"\b(?:channel|ch|stream|input|line)\s*(\d{1,2})\b|\b[A-Z]+\d?_(?:IN|CH|I|AIN)?(\d{1,2})\b|"
    r"\bCH(\d{1,2})\b|\bAIN(\d{1,2})\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"[A-Za-z][A-Za-z0-9]*?\d{1,2}")
_LATE = {"timer": 1, "gpio": 2}
"""Kinds that others may stand for are looked at last."""
_UNIT = re.compile(
    r"\b(?:\d[\d.,]*\s*)?(?:[kM]?Hz|k?baud|[kM]?bps|[kM]?bit/s|[mun]?s|ms|m?V|m?A|%)(?!\w)|\b\d[\d.,]*\b"
)
_DMA_CHANNEL = re.compile(r"\bDMA\w*[\s,:-]+(?:channel|stream|ch)\s*(\d{1,2})\b", re.IGNORECASE)
_MOST = 6
_names: dict[int, DeviceNames] = {}


def plan_for_question(text: str, device: Device, index: Index | None = None) -> Plan:
    """The plan for what ``text`` asks of ``device``; empty where it names and wants nothing known.

    The tables of the device's manuals in ``index`` are used for pins, DMA channels and interrupts.
    """
    facts = facts_of(index, device)
    return build_plan(device, targets_of(text, device, facts), facts)


def targets_of(text: str, device: Device, facts: ManualFacts | None = None) -> PlanTargets:
    """What ``text`` is about."""
    facts = facts or ManualFacts()
    known = graph(device)
    pins = pins_in(text)
    wanted = _aims(text)
    named, registers, missing = _named(text, known, pins)
    said = [f.name for f in families().values() if f.words and f.words.search(text)]
    explicit = frozenset(named)
    named, more = _kinds(text, known, named, wanted, pins, facts, said, missing)
    if "dma" in wanted:
        named = _with_controller(named, explicit, "send" in wanted, device, facts)
    if named and not wanted and not pins and _only_names(text, named):
        # All that there is to know of a peripheral.
        wanted = ["interrupt", "dma", "function-pin"]
    elif pins and not wanted and not named:
        wanted = ["output"]
    elif pins and named and not {"edge", "output", "input"} & set(wanted):
        wanted.append("function-pin")
    of_dma = _DMA_CHANNEL.search(text)
    channel = _channel(_DMA_CHANNEL.sub(" ", text), pins)
    words = tuple(dict.fromkeys(w.lower() for w in re.findall(r"[A-Za-z]\w+", text)))
    return PlanTargets(
        tuple(named[:_MOST]),
        tuple(wanted),
        tuple(more),
        tuple(pins),
        tuple(registers),
        channel,
        int(of_dma[1]) if of_dma else None,
        words,
        tuple(said),
        tuple(missing),
    )


def _with_controller(
    named: Sequence[str],
    explicit: frozenset[str],
    sends: bool,
    device: Device,
    facts: ManualFacts,
) -> list[str]:
    """The peripherals with the DMA controller that the manual's table gives them, if it does."""
    is_dma = families()["dma"].names.fullmatch
    requests = [f for n in named if not is_dma(n) for f in facts.requests(n, sends)]
    known = {p.name for p in device.peripherals}
    right = next((f.controller for f in requests if f.controller in known), None)
    if right is None or any(is_dma(name) for name in explicit):
        return list(named)
    return list(dict.fromkeys(right if is_dma(name) else name for name in named))


def _only_names(text: str, named: Sequence[str]) -> bool:
    """Whether ``text`` has no words but the names of peripherals."""
    words = re.findall(r"\w+", text)
    return len(words) <= len(named)


def _aims(text: str) -> list[str]:
    table = {aim.name: aim for aim in all_aims()}
    found: dict[str, None] = {}

    def add(name: str) -> None:
        if name in table and name not in found:
            found[name] = None
            for other in table[name].implies:
                add(other)

    for aim in all_aims():
        if aim.words.search(text):
            add(aim.name)
    for name in list(found):
        if name in found:
            for other in table[name].excludes:
                found.pop(other, None)
    return list(found)


def _named(text: str, known: Graph, pins: Sequence[Pin]) -> tuple[list[str], list[str], list[str]]:
    """The peripherals and registers that are named, and the peripherals that are not there."""
    device = known.device
    names = _names.get(id(device))
    if names is None or names.device is not device:
        _names.clear()
        names = _names[id(device)] = DeviceNames(device)
    bare = _UNIT.sub(" ", text)
    for pin in pins:
        bare = bare.replace(pin.text, " ")
    mentions = names.mentions(bare, lambda word: True)
    squashed = re.sub(r"[^a-z0-9 ]", "", bare.lower()).split()
    parts = set(squashed) | set(re.split(r"[^a-z0-9]+", bare.lower()))
    registers = [t.path for t in mentions.targets if t.sure and _said(t.path, parts)][:_MOST]
    found: dict[str, None] = {}
    missing: dict[str, None] = {}
    for name in mentions.peripherals:
        if re.sub(r"[^a-z0-9]", "", name.lower()) in squashed or "_" in name:
            found[name] = None
    for token in _TOKEN.findall(bare):
        head = token.split("_")[0]
        numbered = _NUMBERED.fullmatch(head) is not None
        if not numbered and not (len(head) > 2 and head.isupper()):
            continue
        if not numbered and "_" not in token:
            # LPTMR is LPTMR0; what people call a kind of peripherals is looked at later.
            if not any(f.words and f.words.search(head) for f in families().values()):
                for name in known.names.stems.get(squash(head), [])[:1]:
                    found.setdefault(name, None)
            continue
        meant = known.names.meant(head)
        if numbered and not meant and canonical(split(squash(head))[0]) in known.names.families:
            missing[head] = None
        exact = [m for m in meant if m.score == 1.0] or meant
        for match in exact[:1]:
            found.setdefault(match.peripheral, None)
    for path in registers:
        owner = path.partition(".")[0]
        if len(registers) < 3:
            found.setdefault(owner, None)
    return [n for n in found if not _is_core(known, n)], registers, list(missing)


def _said(path: str, parts: set[str]) -> bool:
    """Whether a register, or its peripheral, is said: the name of a field alone may be a word."""
    name, _, rest = path.lower().partition(".")
    return bool({re.sub(r"[^a-z0-9]", "", each) for each in (name, rest)} & parts)


def _is_core(known: Graph, name: str) -> bool:
    there = known.device.peripheral(name)
    return there is None or (bool(there.source) and name != "SysTick")


def _kinds(
    text: str,
    known: Graph,
    named: list[str],
    wanted: list[str],
    pins: Sequence[Pin],
    facts: ManualFacts,
    said: list[str],
    missing: Sequence[str],
) -> tuple[list[str], list[str]]:
    """The peripherals named, with those that are meant by their kind, and kinds without any.

    ``said`` gets the families for which a peripheral was chosen. For one that is ``missing`` no
    other is taken.
    """
    found = dict.fromkeys(named)
    names = (*named, *missing)
    have = {f.name for name in names for f in families().values() if f.names.fullmatch(name)}
    kinds: list[tuple[list[str], set[str]]] = []
    for family in families().values():
        if family.words is not None and family.words.search(text):
            kinds.append(([family.name], {family.name}))
    table = {aim.name: aim for aim in all_aims()}
    if "timer" in said:
        # A counter of another kind that is named, or that wakes the chip, is meant by it too.
        kinds.remove((["timer"], {"timer"}))
        kinds.append((["timer"], {"timer", *table["periodic"].served}))
    for name in wanted:
        aim = table[name]
        kinds += [([other], {other}) for other in aim.also]
    for name in wanted:
        aim = table[name]
        if aim.families:
            kinds.append((list(aim.families), {*aim.families, *aim.served}))
    more: list[str] = []
    for kind, will_do in sorted(kinds, key=lambda each: _LATE.get(each[0][0], 0)):
        if have & will_do or (kind == ["gpio"] and (pins or found)):
            continue
        if all(families()[n].anywhere and families()[n].roles for n in kind):
            more += kind
            have |= set(kind)
            continue
        choice = choose(known, [families()[n] for n in kind], wanted, pins, facts)
        have |= set(kind)
        if choice is None:
            more += kind
            continue
        found.setdefault(choice.name, None)
        said += [n for n in kind if families()[n].names.fullmatch(choice.name)]
        have |= {family.name for family in families_of(choice.name)}
    return list(found), list(dict.fromkeys(more))


def _channel(text: str, pins: Sequence[Pin]) -> int | None:
    bare = text
    for pin in pins:
        bare = bare.replace(pin.text, " ")
    found = _CHANNEL.search(bare)
    if not found:
        return None
    return int(next(group for group in found.groups() if group))
