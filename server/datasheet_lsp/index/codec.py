"""A device as bytes and back, made for reading fast.

Every kind of struct of the model becomes one table, stored column by column: texts are numbers
into one list of distinct texts, structs and tuples of structs are numbers into the tables before
theirs. So what is shared in memory (a register block of derived peripherals, the fields of an
array's elements, a set of enumerated values) is stored once and shared again after reading, and
the rows of a table are built by one ``map`` in C.

The columns follow from the annotations of the model, and so does ``LAYOUT``, which stands in
every blob: a blob written with another model is not read. A blob is not compressed: inflating
would take longer than reading the bytes it saves.
"""

from __future__ import annotations

import gc
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Annotated, Any, get_args

import msgspec

from datasheet_lsp.model import device as model
from datasheet_lsp.model.device import Device

_Struct = type[msgspec.Struct]

_KINDS: tuple[_Struct, ...] = (
    model.Diagnostic,
    model.WriteConstraint,
    model.EnumeratedValue,
    model.EnumeratedValues,
    model.Field,
    model.UnplacedField,
    model.Register,
    model.Cluster,
    model.RegisterBlock,
    model.Interrupt,
    model.AddressBlock,
    model.Peripheral,
    model.Cpu,
    model.Device,
)
"""The kinds of struct, each after those it is made of."""

_NUMBER = {kind.__name__: number for number, kind in enumerate(_KINDS)}
_CHOICES: dict[str, frozenset[str]] = {
    "Access": frozenset(get_args(model.Access)),
    "Usage": frozenset(get_args(model.Usage)),
    "Severity": frozenset(get_args(model.Severity)),
}

_VERSION = 1
_MAGIC = b"DSD1"
_HEADER = struct.Struct(">4sII")
_MOST_REGISTERS = 1 << 22
"""More registers than this, counted once for each peripheral, are no device."""

_LOWEST, _BEYOND = -(1 << 63), 1 << 64
"""The numbers MessagePack can hold: from the first up to, without, the second."""

_Index = Annotated[int, msgspec.Meta(ge=0)]


class _Column:
    """How one attribute of a kind is stored, told from its annotation ``text``.

    ``stored`` is the type of the stored column. ``of`` is the number of the kind referred to,
    ``many`` whether to a tuple of it, ``optional`` whether None is stored as 0 and all else one
    higher. ``texts`` says that the column refers to the list of texts, ``allowed`` to which.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.of = -1
        self.many = self.texts = self.optional = False
        self.allowed: frozenset[str] | None = None
        self.stored: Any = list[_Index]
        base, _, rest = text.partition(" | ")
        if base in ("int", "bool") and rest in ("", "None"):
            plain: Any = int if base == "int" else bool
            self.stored = list[plain | None] if rest else list[plain]
            return
        self.optional = rest == "None"
        self.allowed = _CHOICES.get(base)
        self.texts = base == "str" or self.allowed is not None
        if self.texts:
            return
        found = re.fullmatch(r"tuple\[(\w+), \.\.\.\]|(\w+)", base)
        if found is None or rest not in ("", "None") or (found[1] or found[2]) not in _NUMBER:
            raise TypeError(f"no way to store {name}: {text}")
        self.many = found[1] is not None
        self.of = _NUMBER[found[1] or found[2]]

    @property
    def is_number(self) -> bool:
        """Whether the column holds numbers of the model itself, which may be of any width."""
        return self.text.startswith("int")


_COLUMNS: tuple[tuple[_Column, ...], ...] = tuple(
    tuple(_Column(name, str(kind.__annotations__[name])) for name in kind.__struct_fields__)
    for kind in _KINDS
)

LAYOUT = zlib.crc32(
    repr(
        (
            _VERSION,
            [
                (kind.__name__, [(column.name, column.text) for column in columns])
                for kind, columns in zip(_KINDS, _COLUMNS, strict=True)
            ],
            sorted((name, sorted(texts)) for name, texts in _CHOICES.items()),
        )
    ).encode()
)
"""A number for the form of the blobs and of the model; another one means: not readable here."""


@cache
def _decoder() -> msgspec.msgpack.Decoder[Any]:
    """The decoder of a blob's body.

    The body is ``[texts, tables, wide]``; a table is ``[columns, groups]`` with ``groups`` the
    tuples of its rows; ``wide`` lists ``[table, column, row, hexadecimal]`` of the numbers that
    MessagePack cannot hold, for which the column has 0.
    """
    of_tuple: Any = tuple
    tables = [
        of_tuple[of_tuple[tuple(column.stored for column in columns)], list[list[_Index]]]
        for columns in _COLUMNS
    ]
    body = of_tuple[list[str], of_tuple[tuple(tables)], list[tuple[int, int, int, str]]]
    return msgspec.msgpack.Decoder(body)


class _Table:
    """The rows of one kind while a device is taken apart."""

    def __init__(self) -> None:
        self.rows: dict[tuple[Any, ...], int] = {}
        self.groups: dict[tuple[int, ...], int] = {}
        self.seen: dict[int, int] = {}
        self.seen_groups: dict[int, int] = {}


class _Writer:
    """Takes a device apart. Equal structs become one row, whether shared in memory or not."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.tables = [_Table() for _ in _KINDS]
        self.store = [[self._storing(column) for column in columns] for columns in _COLUMNS]

    def _storing(self, column: _Column) -> Callable[[Any], Any]:
        """The function from an attribute of the model to what its column holds."""
        if column.texts:
            refer: Callable[[Any], int] = self._text
        elif column.of < 0:
            return lambda value: value
        elif column.many:
            refer = lambda value: self.group(column.of, value)  # noqa: E731
        else:
            refer = lambda value: self.row(column.of, value)  # noqa: E731
        if column.optional:
            return lambda value: 0 if value is None else 1 + refer(value)
        return refer

    def _text(self, value: str) -> int:
        return self.texts.setdefault(value, len(self.texts))

    def row(self, kind: int, value: Any) -> int:
        """The number of the struct ``value`` in the table of its kind."""
        table = self.tables[kind]
        number = table.seen.get(id(value))
        if number is None:
            row = tuple(
                store(getattr(value, column.name))
                for column, store in zip(_COLUMNS[kind], self.store[kind], strict=True)
            )
            number = table.rows.setdefault(row, len(table.rows))
            table.seen[id(value)] = number
        return number

    def group(self, kind: int, values: tuple[Any, ...]) -> int:
        """The number of the tuple ``values`` among the tuples of its kind."""
        table = self.tables[kind]
        number = table.seen_groups.get(id(values))
        if number is None:
            group = tuple(self.row(kind, value) for value in values)
            number = table.groups.setdefault(group, len(table.groups))
            table.seen_groups[id(values)] = number
        return number

    def body(self) -> tuple[Any, ...]:
        """All of it in the form that ``_decoder`` reads."""
        wide: list[tuple[int, int, int, str]] = []
        tables = []
        for kind, table in enumerate(self.tables):
            turned = zip(*table.rows, strict=True) if table.rows else ([] for _ in _COLUMNS[kind])
            columns = [list(values) for values in turned]
            for place, column in enumerate(_COLUMNS[kind]):
                if column.is_number:
                    _set_aside_wide(kind, place, columns[place], wide)
            tables.append((columns, list(table.groups)))
        return list(self.texts), tables, wide


def _set_aside_wide(
    kind: int, place: int, values: list[int | None], wide: list[tuple[int, int, int, str]]
) -> None:
    for row, value in enumerate(values):
        if value is not None and not _LOWEST <= value < _BEYOND:
            values[row] = 0
            wide.append((kind, place, row, hex(value)))


def encode_device(device: Device) -> bytes:
    """``device`` as bytes for ``decode_device``.

    Raises ValueError for a text that is no Unicode (a lone surrogate).
    """
    writer = _Writer()
    writer.row(_NUMBER["Device"], device)
    body = msgspec.msgpack.encode(writer.body())
    return _HEADER.pack(_MAGIC, LAYOUT, zlib.crc32(body)) + body


def decode_device(blob: bytes) -> Device | None:
    """The device in ``blob``, or None where the bytes are damaged or of another version."""
    if len(blob) < _HEADER.size:
        return None
    magic, layout, checksum = _HEADER.unpack_from(blob)
    body = memoryview(blob)[_HEADER.size :]
    if magic != _MAGIC or layout != LAYOUT or zlib.crc32(body) != checksum:
        return None
    # Thousands of tuples are made and none is garbage: the collector would only get in the way.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _build(*_decoder().decode(body))
    except (ValueError, IndexError, TypeError, OverflowError, MemoryError, RecursionError):
        return None
    finally:
        if collecting:
            gc.enable()


def _build(texts: list[str], tables: Sequence[Any], wide: Iterable[Any]) -> Device:
    """The device of a decoded body. Raises ValueError or IndexError where it contradicts itself."""
    for kind, place, row, number in wide:
        if not _COLUMNS[kind][place].is_number or len(number) > 4096 or row < 0:
            raise ValueError("a wide number out of place")
        tables[kind][0][place][row] = int(number, 16)
    rows: list[Sequence[Any]] = []
    groups: list[Sequence[Any]] = []
    for kind, (stored, stored_groups) in zip(_KINDS, tables, strict=True):
        columns: list[Iterable[Any]] = []
        length = -1
        for column, values in zip(_COLUMNS[len(rows)], stored, strict=True):
            if length not in (-1, len(values)):
                raise ValueError("columns of unequal length")
            length = len(values)
            if column.texts:
                if column.allowed and not {texts[at] for at in set(values)} <= column.allowed:
                    raise ValueError("a word that the model does not know")
                source: Sequence[Any] = texts
            elif column.of < 0:
                columns.append(values)
                continue
            else:
                source = (groups if column.many else rows)[column.of]
            if column.optional:
                source = [None, *source]
            columns.append(map(source.__getitem__, values))
        made = tuple(map(kind, *columns))
        rows.append(made)
        groups.append([tuple(map(made.__getitem__, group)) for group in stored_groups])
    (device,) = rows[-1]
    if sum(len(p.block.registers) for p in device.peripherals) > _MOST_REGISTERS:
        raise ValueError("more registers than a device can have")
    return device  # type: ignore[no-any-return]
