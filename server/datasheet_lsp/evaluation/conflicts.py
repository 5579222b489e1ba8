"""Where a manual and an SVD file disagree: addresses, offsets, reset values, bits.

A description that serves several registers is in conflict only where it is right for none of them:
what differs from one instance to the next is no conflict. An address that is printed for one
instance by name is checked for that instance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from datasheet_lsp.evaluation.described import (
    Description,
    Rows,
    Target,
    Targets,
    bits_of,
    field_key,
    real_fields,
)
from datasheet_lsp.evaluation.printed import PrintedText, labelled_addresses
from datasheet_lsp.model.coverage import Conflict, ConflictKind
from datasheet_lsp.model.device import Field
from datasheet_lsp.model.document import Document, FieldText, RegisterText

_NEAR = 0x10000
_RANGE = re.compile(r"\d\s*(?::|-|–|\.\.|\bto\b)|\bto\b")


def find_conflicts(
    document: Document, targets: Targets, descriptions: Sequence[Description]
) -> tuple[Conflict, ...]:
    """All conflicts, in the order of the pages."""
    found: dict[tuple[object, ...], Conflict] = {}
    text = PrintedText(document)
    for description in descriptions:
        for conflict in _of(description, targets, text):
            key = (conflict.kind, conflict.path, conflict.printed, conflict.page)
            found.setdefault(key, conflict)
    return tuple(sorted(found.values(), key=lambda c: (c.page, c.path)))


def _of(description: Description, targets: Targets, printed: PrintedText) -> Iterator[Conflict]:
    text = description.text
    labelled = labelled_addresses(printed.captions(text), targets.peripheral)
    placed = list(_labelled(text, description.targets, targets, labelled))
    yield from placed
    if not description.targets:
        return
    rest = [a for a in text.addresses if all(a != address for address, _ in labelled)]
    for conflict in _addresses(text, description.targets, rest):
        yield _on_page(conflict, text, printed)
    if not placed and not text.addresses:
        for conflict in _offset(text, description.targets):
            yield _on_page(conflict, text, printed)
    resets = list(_resets(text, description.targets, printed.resets(text)))
    for conflict in resets:
        yield _on_page(conflict, text, printed)
    if not resets:
        yield from _field_resets(text, description.targets)
    yield from _bits(text, description.targets)


def _on_page(conflict: Conflict, text: RegisterText, printed: PrintedText) -> Conflict:
    """The conflict with the page of the register list where that has the value."""
    assert isinstance(conflict.printed, int)
    page = printed.listed_on(text, conflict.printed)
    return conflict if page is None else msgspec.structs.replace(conflict, page=page)


def _labelled(
    text: RegisterText,
    matched: Sequence[Target],
    targets: Targets,
    labelled: Sequence[tuple[int, str]],
) -> Iterator[Conflict]:
    """Addresses that are not those of the register in the instance they are printed for."""
    paths = list(dict.fromkeys(target.register.path for target in matched))
    for address, name in labelled:
        peripheral = targets.peripheral(name)
        if peripheral is None:
            continue
        meant = [t for path in paths if (t := targets.within(peripheral, path)) is not None]
        right_elsewhere = any(a != address and n == name for a, n in labelled)
        if not meant or right_elsewhere or any(t.address == address for t in meant):
            continue
        yield Conflict(
            "address",
            meant[0].path,
            text.place.page,
            text.name,
            address,
            meant[0].address,
            meant[0].register.line,
        )


def _addresses(
    text: RegisterText, matched: Sequence[Target], addresses: Sequence[int]
) -> Iterator[Conflict]:
    known = {target.address for target in matched}
    if _RANGE.search(text.name) and len(matched) == 1:
        # Of an array only one element was recognised: the others are no conflict.
        peripheral = matched[0].peripheral
        known.update(peripheral.base_address + r.offset for r in peripheral.registers)
    wrong = [a for a in addresses if a not in known]
    if not wrong:
        return
    # Without a name beside it an address is taken for that of a register none is printed for.
    left = [t for t in matched if t.address not in text.addresses] or list(matched)
    ends = sorted(matched, key=lambda t: t.address)
    for address in wrong:
        if len(text.addresses) == 2 < len(matched):
            # The first and the last of an array.
            nearest = ends[0] if address == text.addresses[0] else ends[-1]
        else:
            nearest = min(left, key=lambda t: abs(t.address - address))
        yield _conflict("address", text, [nearest], address, nearest.address)


def _offset(text: RegisterText, matched: Sequence[Target]) -> Iterator[Conflict]:
    if text.offset is None:
        return
    # Some manuals count from the start of the page or of the cluster.
    if any(_is_offset(text.offset, target) for target in matched):
        return
    first = matched[0]
    same = [t for t in matched if t.register.offset == first.register.offset]
    yield _conflict("offset", text, same, text.offset, first.register.offset)


def _is_offset(offset: int, target: Target) -> bool:
    if offset == target.register.offset:
        return True
    if offset >= _NEAR:
        return offset == target.address
    for bits in (12, 16):
        if offset == target.address & ((1 << bits) - 1):
            return True
    parent = target.register.path.rpartition(".")[0]
    if not parent:
        return False
    start = next((c.offset for c in target.peripheral.clusters if c.path == parent), None)
    return start is not None and offset == target.register.offset - start


def _resets(
    text: RegisterText, matched: Sequence[Target], special: dict[str, int]
) -> Iterator[Conflict]:
    """The reset value of the register, or those printed for its instances one by one."""
    groups: dict[int, list[Target]] = {}
    for target in matched:
        value = special.get(target.peripheral.name, text.reset)
        if value is not None:
            groups.setdefault(value, []).append(target)
    for value, group in groups.items():
        wrong = [t for t in group if t.register.reset_value is not None]
        wrong = [t for t in wrong if not _resets_to(value, t)]
        if not wrong or len(wrong) < len(group):
            continue
        known = wrong[0].register.reset_value
        assert known is not None
        same = [t for t in wrong if t.register.reset_value == known]
        yield _conflict("reset", text, same, value, known)


def _resets_to(value: int, target: Target) -> bool:
    register = target.register
    assert register.reset_value is not None
    mask = (1 << register.size) - 1
    if register.reset_mask is not None:
        mask &= register.reset_mask
    return not (value ^ register.reset_value) & mask


def _field_resets(text: RegisterText, matched: Sequence[Target]) -> Iterator[Conflict]:
    for row in text.fields:
        if row.reset is None:
            continue
        same = [(t, f) for t in matched if (f := _field(row, t)) is not None]
        wrong = []
        for target, field in same:
            value = _field_reset(target, field)
            # A single 1 for several bits can mean each of them.
            ones = row.reset == 1 and value is not None and value > 1 and not value & (value + 1)
            if value is not None and value != row.reset and not ones:
                wrong.append((target, field, value))
        if not wrong or len(wrong) < len(same):
            continue
        target, field, value = wrong[0]
        yield Conflict(
            "reset",
            f"{target.path}.{field.name}",
            row.page,
            row.name,
            row.reset,
            value,
            target.register.line,
            tuple(f"{t.path}.{f.name}" for t, f, _ in wrong[1:]),
        )


def _field(row: FieldText, target: Target) -> Field | None:
    key = field_key(row.name)
    for field in target.register.fields:
        if bits_of(field) == bits_of(row) and field_key(field.name) == key:
            return field
    return None


def _field_reset(target: Target, field: Field) -> int | None:
    """The field's content after reset; None where the SVD leaves a bit of it open."""
    register = target.register
    if register.reset_value is None:
        return None
    if register.reset_mask is not None and field.mask & ~register.reset_mask:
        return None
    return field.extract(register.reset_value)


def _bits(text: RegisterText, matched: Sequence[Target]) -> Iterator[Conflict]:
    rows = Rows(text.fields)
    right: set[str] = set()
    wrong: dict[str, list[tuple[Target, Field]]] = {}
    for target in matched:
        fields = real_fields(target.register)
        for field in fields:
            key = field_key(field.name)
            if rows.exactly(field) or rows.in_parts(field) or rows.as_part(field, fields):
                right.add(key)
            elif key in rows.named:
                wrong.setdefault(key, []).append((target, field))
    for key, places in wrong.items():
        printed = rows.named[key]
        # The same name at several places of a register, on either side, is no single statement.
        several = len({bits_of(row) for row in printed}) > 1
        if key in right or several or _repeated(key, places):
            continue
        target, field = places[0]
        yield Conflict(
            "bits",
            f"{target.path}.{field.name}",
            printed[0].page,
            printed[0].name,
            bits_of(printed[0]),
            bits_of(field),
            field.line,
            tuple(f"{t.path}.{f.name}" for t, f in places[1:] if bits_of(f) == bits_of(field)),
        )


def _repeated(key: str, places: Sequence[tuple[Target, Field]]) -> bool:
    target = places[0][0]
    return sum(field_key(field.name) == key for field in target.register.fields) > 1


def _conflict(
    kind: ConflictKind, text: RegisterText, places: Sequence[Target], printed: int, svd: int
) -> Conflict:
    first, *rest = places
    also = tuple(target.path for target in rest)
    line = first.register.line
    return Conflict(kind, first.path, text.place.page, text.name, printed, svd, line, also)
