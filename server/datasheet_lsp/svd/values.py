"""The simple elements of an SVD item: numbers, access rights, arrays; each fault reported once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from datasheet_lsp.model import WriteConstraint
from datasheet_lsp.model.device import Access
from datasheet_lsp.svd import numbers
from datasheet_lsp.svd.tree import Node, Report

MAX_DIM = 65_536
"""Elements of one array. The largest real ones have some thousands."""

_SPACE = re.compile(r"\s+")

_ACCESS: dict[str, tuple[Access, bool]] = {
    "read-only": ("read-only", True),
    "write-only": ("write-only", True),
    "read-write": ("read-write", True),
    "writeonce": ("writeOnce", True),
    "read-writeonce": ("read-writeOnce", True),
    # Not in the schema, but clear.
    "read": ("read-only", False),
    "readonly": ("read-only", False),
    "r": ("read-only", False),
    "ro": ("read-only", False),
    "write": ("write-only", False),
    "writeonly": ("write-only", False),
    "w": ("write-only", False),
    "wo": ("write-only", False),
    "readwrite": ("read-write", False),
    "read/write": ("read-write", False),
    "r/w": ("read-write", False),
    "rw": ("read-write", False),
    "write-once": ("writeOnce", False),
    "read-write-once": ("read-writeOnce", False),
}


def squeeze(text: str) -> str:
    """``text`` on one line, runs of white space made one space."""
    return _SPACE.sub(" ", text) if "\n" in text or "  " in text or "\t" in text else text


def _bare(name: str) -> str:
    return name.replace("[%s]", "").replace("%s", "")


class Values:
    """Reads simple elements of nodes and reports what is wrong with them."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._integers: dict[str, int] = {}
        self._described: dict[str, str] = {}
        self._reported: set[tuple[int, str]] = set()

    def _once(self, node: Node, key: str, severity: str, message: str) -> None:
        """Report, but not again for another element of the same array."""
        if (node.line, key) not in self._reported:
            self._reported.add((node.line, key))
            self.report(node.line, severity, message)

    def integer(self, node: Node, key: str) -> int | None:
        """The number at ``key``; None when it is not given or is none."""
        text = node.props.get(key)
        if text is None:
            return None
        value = self._integers.get(text)
        if value is None:
            try:
                value = numbers.number(text)
            except ValueError as error:
                self._once(
                    node, key, "warning", f"<{key}> of {node.kind} {node.name!r}: {error}; ignored"
                )
                return None
            self._integers[text] = value
        return value

    def flag(self, node: Node, key: str) -> bool | None:
        """The truth value at ``key``; None when it is not given or is none."""
        text = node.props.get(key)
        if text is None:
            return None
        value = numbers.boolean(text)
        if value is None:
            self._once(node, key, "warning", f"<{key}> is {text!r}, not true or false; ignored")
        return value

    def access(self, node: Node, default: Access) -> tuple[Access, str]:
        """The access right and, where the file words it in its own way, that text."""
        text = node.props.get("access")
        if text is None:
            return default, ""
        known = _ACCESS.get(text) or _ACCESS.get(text.lower())
        if known is None:
            self._once(
                node,
                "access",
                "warning",
                f"access {text!r} of {node.kind} {node.name!r} is not in CMSIS-SVD; "
                "read-write is assumed",
            )
            return "read-write", text
        right, standard = known
        if not standard:
            self._once(
                node,
                "access",
                "warning",
                f"access {text!r} of {node.kind} {node.name!r} was read as {right}",
            )
        return right, ""

    def beyond(self, node: Node, register: str, size: int) -> None:
        """Report a field that does not fit into its register."""
        self._once(
            node,
            "beyond",
            "warning",
            f"field {node.name!r} reaches beyond the {size} bits of {register}",
        )

    def write_constraint(self, node: Node) -> WriteConstraint | None:
        """The write constraint of a register or field, None without one."""
        if not node.children:
            return None
        for item in node.of_kind("writeConstraint"):
            span = next(item.of_kind("range"), None)
            return WriteConstraint(
                write_as_read=self.flag(item, "writeAsRead") or False,
                use_enumerated_values=self.flag(item, "useEnumeratedValues") or False,
                minimum=self.integer(span, "minimum") if span else None,
                maximum=self.integer(span, "maximum") if span else None,
            )
        return None

    def described(self, node: Node, index: str | None) -> str:
        """The description, on one line, the array index put in."""
        text = node.props.get("description")
        if not text:
            return ""
        squeezed = self._described.get(text)
        if squeezed is None:
            squeezed = self._described[text] = squeeze(text)
        return squeezed if index is None else squeezed.replace("%s", index)

    def template(self, node: Node, name: str) -> str:
        """The name with ``%s`` for the index; the name itself outside arrays."""
        template = node.name
        if name == template or "%s" in template:
            return template if "dim" in node.props else name
        return f"{template}[%s]"

    def expand(
        self, node: Node, span: int, take: Callable[[int], int]
    ) -> Iterator[tuple[str, int, str | None]]:
        """Name, offset from the first and index of each element; one when it is no array.

        ``span`` is the step where the file gives none; ``take`` says how many are allowed.
        """
        name = node.name
        if "dim" not in node.props:
            if "%s" in name:
                self._once(node, "dim", "warning", f"{name!r} has a place for an index but no dim")
                name = _bare(name)
            if take(1):
                yield name, 0, None
            return
        count = self.integer(node, "dim")
        if count is None or count < 1:
            if count is not None:
                self._once(node, "dim", "warning", f"dim of {name!r} is {count}; read as one")
            if take(1):
                yield _bare(name), 0, None
            return
        step = self.integer(node, "dimIncrement")
        if step is None:
            step = span
            if count > 1:
                self._once(
                    node, "step", "warning", f"{name!r} has dim but no dimIncrement; {step} is used"
                )
        allowed = take(min(count, MAX_DIM))
        if allowed < count:
            self._once(
                node,
                "cap",
                "error",
                f"dim of {name!r} is {count}; only the first {allowed} are kept",
            )
        yield from self._elements(node, count, allowed, step)

    def _elements(
        self, node: Node, count: int, allowed: int, step: int
    ) -> Iterator[tuple[str, int, str | None]]:
        name = node.name
        indices: list[str] | None = None
        given = node.props.get("dimIndex")
        if given is not None and "[%s]" not in name and count <= MAX_DIM:
            indices = numbers.dim_indices(given, count)
            if indices is None:
                self._once(
                    node,
                    "index",
                    "warning",
                    f"dimIndex {given[:40]!r} of {name!r} does not name {count} elements; "
                    "they are numbered from 0",
                )
        if "%s" not in name and count > 1:
            self._once(
                node,
                "percent",
                "warning",
                f"{name!r} has dim but no %s in its name; its elements are called "
                f"{name}[0] to {name}[{count - 1}]",
            )
            name += "[%s]"
        for i in range(allowed):
            index = indices[i] if indices else str(i)
            yield name.replace("%s", index), i * step, index
