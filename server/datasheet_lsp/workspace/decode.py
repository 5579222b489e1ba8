"""Strict decoding that costs only the wrong key: a message for it, the default in its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_args, get_origin

import msgspec

S = TypeVar("S", bound=msgspec.Struct)

KeyPath = tuple[str | int, ...]
Report = Callable[[KeyPath, str], None]

MAX_SHOWN = 60


def decode_struct(
    kind: type[S], raw: Any, report: Report, path: KeyPath = (), base: S | None = None
) -> S:
    """A ``kind`` from nested mappings. Keys that are absent or wrong keep the value of ``base``.

    ``report`` gets the key path and a sentence for each unknown key and each wrong value.
    Never raises.
    """
    start = base if base is not None else kind()
    if not isinstance(raw, Mapping):
        report(path, f"{_named(path, raw)} must be a table of settings; it is left out.")
        return start
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    values: dict[str, Any] = {}
    for key, value in raw.items():
        field = fields.get(key) if isinstance(key, str) else None
        if field is None:
            report((*path, str(key)), _unknown(path, str(key), list(fields)))
            continue
        found = _decode(field.type, value, report, (*path, key), getattr(start, field.name))
        if found is not msgspec.UNSET:
            values[field.name] = found
    return msgspec.structs.replace(start, **values)


def _decode(kind: Any, value: Any, report: Report, path: KeyPath, default: Any) -> Any:
    plain = _bare(kind)
    if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
        return decode_struct(plain, value, report, path, default)
    item = _struct_item(plain)
    if item is not None:
        if not isinstance(value, list | tuple):
            report(path, f"{_named(path, value)} must be a list of tables; it is left out.")
            return msgspec.UNSET
        return tuple(
            decode_struct(item, entry, report, (*path, number))
            for number, entry in enumerate(value)
        )
    if get_origin(plain) is dict:
        return _decode_table(get_args(plain)[1], value, report, path)
    try:
        return msgspec.convert(value, kind, strict=True)
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError):
        report(path, f"{_named(path, value)} must be {_form(kind)}; {_shown(default)} is used.")
        return msgspec.UNSET


def _decode_table(kind: Any, value: Any, report: Report, path: KeyPath) -> Any:
    """A table with keys of the user's own; a wrong value costs its key alone."""
    if not isinstance(value, Mapping):
        report(path, f"{_named(path, value)} must be a table; it is left out.")
        return msgspec.UNSET
    found = {}
    for key, entry in value.items():
        try:
            found[str(key)] = msgspec.convert(entry, kind, strict=True)
        except (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError):
            where = (*path, str(key))
            report(where, f"{_named(where, entry)} must be {_form(kind)}; it is left out.")
    return found


def _bare(kind: Any) -> Any:
    """The type without its ``Annotated``."""
    return _bare(get_args(kind)[0]) if hasattr(kind, "__metadata__") else kind


def _struct_item(kind: Any) -> type[msgspec.Struct] | None:
    """The item type of ``tuple[Struct, ...]``, else None."""
    if get_origin(kind) is tuple:
        item = _bare(get_args(kind)[0])
        if isinstance(item, type) and issubclass(item, msgspec.Struct):
            return item
    return None


def key_name(path: KeyPath) -> str:
    """``context[2].svd``: list positions are counted from 1, as people do."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            text += f".{part}" if text else part
    return text or "the settings"


def _named(path: KeyPath, value: Any) -> str:
    return f"{key_name(path)} = {_shown(value)}: it"


def _shown(value: Any) -> str:
    """The value as TOML would write it, shortened."""
    try:
        text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError, OverflowError):
        text = f"a {type(value).__name__}"
    if value is None:
        text = "nothing"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."


def _unknown(path: KeyPath, key: str, known: list[str]) -> str:
    import difflib

    where = f" in {key_name(path)}" if path else ""
    near = difflib.get_close_matches(key.casefold(), known, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(known)}."
    return f"{key_name((*path, key))} is no setting{where} and is left out: {hint}"


def _form(kind: Any) -> str:
    """The right form of a value in words: "an integer from 1 to 500"."""
    meta = next((m for m in getattr(kind, "__metadata__", ()) if isinstance(m, msgspec.Meta)), None)
    plain = _bare(kind)
    options = get_args(plain)
    origin = get_origin(plain)
    if origin is tuple:
        return f"a list of {_form(_bare(options[0])).removeprefix('a ').removeprefix('an ')}s"
    if type(None) in options:
        rest = tuple(option for option in options if option is not type(None))
        return " or ".join(_form(option) for option in rest)
    if options:
        return "one of " + ", ".join(json.dumps(option) for option in options)
    words = {str: "a string", bool: "true or false", int: "an integer", float: "a number"}
    text = words.get(plain, getattr(plain, "__name__", str(plain)))
    if meta is not None and meta.ge is not None and meta.le is not None:
        text += f" from {meta.ge:g} to {meta.le:g}"
    if meta is not None and meta.min_length:
        text += " that is not empty"
    return text


def plain(value: Any, depth: int = 0) -> Any:
    """Mappings, namedtuples and plain objects, as language clients send them, to dicts and lists.

    What it does not know, and what lies deeper than any setting, becomes a text.
    """
    if depth > 8:
        return str(type(value).__name__)
    if isinstance(value, Mapping):
        return {str(key): plain(entry, depth + 1) for key, entry in value.items()}
    if hasattr(value, "_asdict"):
        return plain(value._asdict(), depth)
    if isinstance(value, list | tuple):
        return [plain(entry, depth + 1) for entry in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if hasattr(value, "__dict__"):
        return plain(vars(value), depth + 1)
    return str(value)
