"""What numbers of a language model's answers reach the reader, and whether any is wrong unmarked.

The check is another than the answers' own: a number left unmarked must stand in the device, as an
address, an offset, a reset value or as bits of a field that is named in the same sentence, in a
passage, or in the question.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from datasheet_lsp.answer.ask import Asking, ask
from datasheet_lsp.answer.types import Answer
from datasheet_lsp.model import Device

_HEX = re.compile(r"0[xX][0-9A-Fa-f]{1,4}(?: [0-9A-Fa-f]{4})+|0[xX][0-9A-Fa-f]+")
_BITS = re.compile(r"\bbits?\s+(\d{1,2})(?:\s*[:-]\s*(\d{1,2}))?", re.IGNORECASE)
_MARKED = re.compile(
    r"~~[^~]*~~(?: `?[^ `]+(?: [0-9A-F]{4})*`?)?|\S+(?: [0-9A-F]{4})* \(unchecked\)"
)
_REMARK = re.compile(r"/\*.*?\*/")
_WIDE = 16
"""Of a field so wide single bits have a meaning of their own, such as one for each interrupt."""
_FORMS = (
    "how do I set {f} in {p}.{r}: which bits, at which address, and what is there after reset?",
    "explain step by step how firmware enables {f} of {p}->{r}, with address and bit number",
    "which address do I write for {p} {r}, and how does {f} get its value?",
)


class Judged(msgspec.Struct, frozen=True):
    """One answer: its claims by verdict, and the numbers that are wrong and not marked."""

    question: str
    route: str
    right: int
    wrong: int
    unsupported: int
    unmarked: tuple[str, ...]
    text: str = ""


def questions_of(device: Device, count: int, seed: int = 5) -> Iterator[str]:
    """Questions about registers of a device that take an explanation."""
    chance = random.Random(seed)
    registers = [
        (p, r) for p, r in device.walk() if any(f.name.lower() != "reserved" for f in r.fields)
    ]
    for peripheral, register in chance.sample(registers, min(count, len(registers))):
        field = chance.choice([f for f in register.fields if f.name.lower() != "reserved"])
        form = chance.choice(_FORMS)
        yield form.format(p=peripheral.name, r=register.path, f=field.name)


def judge(answer: Answer, device: Device) -> Judged:
    """The verdicts of an answer, and what of it is wrong and yet unmarked."""
    verdicts = [claim.verdict for claim in answer.claims if claim.kind != "name"]
    body = answer.text.partition("\n\n[1] ")[0]
    return Judged(
        question=answer.question,
        route=answer.route,
        right=verdicts.count("right"),
        wrong=verdicts.count("wrong"),
        unsupported=verdicts.count("unsupported"),
        unmarked=tuple(unmarked(body, answer, device)),
        text=answer.text,
    )


def unmarked(text: str, answer: Answer, device: Device) -> Iterator[str]:
    """The numbers of ``text`` that nothing bears out, and that have no mark."""
    known = _numbers(device)
    said = " ".join([answer.question, *(f"{p.heading} {p.text}" for p in answer.chunks)])
    known |= {_value(number) for number in _HEX.findall(said)}
    for line in text.splitlines():
        if _REMARK.search(line):
            continue  # code, with what is wrong in it behind the line
        plain = _MARKED.sub(" ", line)
        for number in _HEX.findall(plain):
            if _value(number) not in known:
                yield number
        yield from _wrong_bits(plain, said, device)


def _value(number: str) -> int:
    return int(number.replace(" ", ""), 16)


def _numbers(device: Device) -> set[int]:
    found: set[int] = set()
    for peripheral, register in device.walk():
        found |= {
            peripheral.base_address,
            register.offset,
            peripheral.base_address + register.offset,
        }
        found |= {field.mask for field in register.fields}
        if register.reset_value is not None:
            found.add(register.reset_value)
    return found


def _wrong_bits(line: str, said: str, device: Device) -> Iterator[str]:
    """Bits in a line that names fields, of which none has these bits anywhere."""
    matches = list(_BITS.finditer(line))
    if not matches:
        return
    names = set(re.findall(r"[A-Za-z_][A-Za-z0-9_]+", line))
    fields = [
        field for _, register in device.walk() for field in register.fields if field.name in names
    ]
    if not fields:
        return
    spans = {(f.msb, f.lsb) for f in fields}
    for match in matches:
        high = int(match[1])
        low = int(match[2]) if match[2] else high
        span = max(high, low), min(high, low)
        inside = any(f.width >= _WIDE and f.lsb <= span[1] and span[0] <= f.msb for f in fields)
        if span not in spans and not inside and match[0] not in said:
            yield match[0]


def run(
    cases: Iterable[tuple[str, str]],
    asking: Asking,
    devices: Mapping[str, Device],
    on_done: Callable[[Judged], None] = lambda judged: None,
) -> list[Judged]:
    """The answers to questions about devices (by their names), judged."""
    found = []
    for question, device in cases:
        answer = ask(question, asking, device=device)
        judged = judge(answer, devices[device])
        on_done(judged)
        found.append(judged)
    return found


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """The sums."""
    return {
        "answers": len(judged),
        "written by the model": sum(each.route == "documents" for each in judged),
        "right": sum(each.right for each in judged),
        "struck": sum(each.wrong for each in judged),
        "flagged": sum(each.unsupported for each in judged),
        "wrong and unmarked": sum(len(each.unmarked) for each in judged),
    }
