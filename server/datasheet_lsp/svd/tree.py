"""The XML of an SVD file as a light tree of what matters, read one peripheral at a time.

lxml's own tree of a large file would take most of the memory, so each peripheral is turned into
``Node``s as soon as its end tag is read, and its XML is dropped.
"""

from __future__ import annotations

import io
import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from sys import intern

from lxml import etree

from datasheet_lsp.svd.errors import SvdError

MAX_DEPTH = 40
"""Clusters nested deeper than this are a mistake (or an attack)."""

_CONTAINERS = frozenset({"peripherals", "registers", "fields"})
_ITEMS = frozenset(
    {
        "peripheral",
        "cluster",
        "register",
        "field",
        "enumeratedValues",
        "enumeratedValue",
        "interrupt",
        "addressBlock",
        "writeConstraint",
        "range",
        "dimArrayIndex",
        "cpu",
    }
)
_IGNORED = frozenset({"vendorExtensions", "sauRegionsConfig"})


class Node:
    """An element that has elements of its own: a register, a field, an interrupt.

    ``props`` holds the texts of its simple elements, the empty ones left out ("not given").
    """

    __slots__ = ("children", "derived_from", "kind", "line", "parent", "props")

    def __init__(
        self,
        kind: str,
        line: int,
        derived_from: str | None,
        parent: Node | None,
        props: dict[str, str],
        children: tuple[Node, ...],
    ) -> None:
        self.kind = kind
        self.line = line
        self.derived_from = derived_from
        self.parent = parent
        self.props = props
        self.children = children

    @property
    def name(self) -> str:
        """The element's name, "" where it has none."""
        return self.props.get("name", "")

    def of_kind(self, *kinds: str) -> Iterator[Node]:
        """The children of these kinds, in order."""
        return (child for child in self.children if child.kind in kinds)


Report = Callable[[int, str, str], None]
"""Takes line, severity and message of a diagnostic."""


class TreeReader:
    """Reads cleaned bytes into a device node with peripheral nodes."""

    def __init__(self, source: str, report: Report) -> None:
        self._source = source
        self._report = report
        self._locals: dict[object, str] = {}
        self._texts: dict[str, str] = {}
        self._lines = _Lines(b"")

    def read(self, data: bytes) -> Node:
        """The device node.

        Raises:
            SvdError: the XML breaks off before the first peripheral is complete.
        """
        peripherals: list[Node] = []
        self._lines = _Lines(data)
        try:
            read = self._parse(data, peripherals, recover=False)
        except etree.XMLSyntaxError as error:
            line = error.lineno or 1
            message = _sentence(error)
            del peripherals[:]
            read = None
            if "depth" not in message.lower():
                try:
                    read = self._parse(data, peripherals, recover=True)
                except etree.XMLSyntaxError:
                    read = None
            if read is None or not peripherals:
                raise SvdError(
                    f"{self._source} is damaged at line {line} ({message}), before its first "
                    "peripheral is complete: get the file anew."
                ) from None
            self._report(
                line, "error", f"the XML is damaged here ({message}); what is after may be lost"
            )
        device = read or Node("device", 1, None, None, {}, ())
        self._lines = _Lines(b"")
        device.children = (*device.children, *peripherals)
        for peripheral in peripherals:
            peripheral.parent = device
        return device

    def _parse(self, data: bytes, peripherals: list[Node], *, recover: bool) -> Node | None:
        context = etree.iterparse(
            io.BytesIO(data),
            events=("end",),
            tag=("{*}peripheral", "{*}device"),
            remove_blank_text=True,
            remove_comments=True,
            remove_pis=True,
            resolve_entities=False,
            load_dtd=False,
            no_network=True,
            huge_tree=False,
            recover=recover,
        )
        device: Node | None = None
        for _, element in context:
            parent = element.getparent()
            if parent is None:
                device = self._node(element, "device", 0)
            elif self._local(element.tag) == "peripheral" and parent.getparent() is not None:
                if self._local(parent.tag) == "peripherals":
                    peripherals.append(self._node(element, "peripheral", 0))
                    element.clear()
        if device is None and context.root is not None:
            device = self._node(context.root, "device", 0)
        return device

    def _local(self, tag: object) -> str:
        """The element's name without its namespace; "" for what is no element."""
        name = self._locals.get(tag)
        if name is None:
            name = intern(tag.rpartition("}")[2]) if isinstance(tag, str) else ""
            self._locals[tag] = name
        return name

    def _node(self, element: etree._Element, kind: str, depth: int) -> Node:
        props: dict[str, str] = {}
        children: list[Node] = []
        self._collect(element, kind, props, children, depth)
        node = Node(
            kind,
            self._lines.of(element, kind),
            element.get("derivedFrom"),
            None,
            props,
            tuple(children),
        )
        for child in children:
            child.parent = node
        return node

    def _collect(
        self,
        element: etree._Element,
        kind: str,
        props: dict[str, str],
        children: list[Node],
        depth: int,
    ) -> None:
        locals_, texts = self._locals, self._texts
        for child in element:
            tag = child.tag
            local = locals_.get(tag)
            if local is None:
                local = self._local(tag)
            if local in _ITEMS:
                if local == "peripheral":
                    continue
                if depth >= MAX_DEPTH:
                    self._report(
                        self._lines.of(child, local),
                        "error",
                        f"<{local}> is nested more than {MAX_DEPTH} deep and was left out",
                    )
                    continue
                children.append(self._node(child, local, depth + 1))
            elif local in _CONTAINERS:
                if depth < MAX_DEPTH:
                    self._collect(child, kind, props, children, depth + 1)
            elif local and local not in _IGNORED:
                text = child.text
                if not text or not (text := text.strip()):
                    continue
                if local in props and props[local] != text:
                    self._report(
                        self._lines.of(child, local),
                        "warning",
                        f"<{local}> is given twice; the last one, {_short(text)}, is used",
                    )
                props[local] = texts.setdefault(text, text)


class _Lines:
    """Lines of start tags, right beyond line 65,535 too.

    libxml2 keeps 16 bits for an element's line and beyond that answers with the line of the first
    text inside; the start tag is looked for backwards from there.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._starts: array[int] | None = None

    def of(self, element: etree._Element, local: str) -> int:
        """The 1-based line of the element's start tag."""
        reported: int | None = element.sourceline  # type: ignore[assignment]
        if reported is None or reported < 65_535:
            return reported or 0
        if self._starts is None:
            self._starts = array("I", [0])
            self._starts.extend(found.end() for found in re.finditer(rb"\n", self._data))
        starts = self._starts
        end = starts[reported] if reported < len(starts) else len(self._data)
        tag = self._data.rfind(b"<" + local.encode(), 0, end)
        return bisect_right(starts, tag) if tag >= 0 else reported


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _sentence(error: etree.XMLSyntaxError) -> str:
    """The parser's complaint without its position, which is told apart from it."""
    return (error.msg or "not well formed").partition(", line ")[0]
