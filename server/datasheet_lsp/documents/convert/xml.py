"""XML of any kind: all of it, or what the paths of the settings name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.entities import html5
from itertools import groupby
from typing import Any

from lxml import etree

from datasheet_lsp.documents.convert.builder import Builder
from datasheet_lsp.documents.convert.html import source_line
from datasheet_lsp.documents.convert.nodes import (
    Leaf,
    Listing,
    Mapping,
    Node,
    find_value,
    label_of,
    put_node,
)
from datasheet_lsp.documents.convert.words import one_line
from datasheet_lsp.documents.errors import DocumentError

_DECLARATION = re.compile(r"\A\s*<\?xml\b[^>]*\?>")
_ENTITY = re.compile(r"<!(?:ENTITY|ELEMENT|ATTLIST|NOTATION)\b")
_ROOT = re.compile(r"<[^!?\s]")
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31});")
_XML_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def read_xml(text: str, builder: Builder, paths: Sequence[str]) -> None:
    """Attributes and inner elements of an element are its keys; inline markup is its text."""
    root = parse_xml(text, builder)
    top = _node(root, 0, builder.limits.depth)
    builder.title = find_value(top, ("title", "name", "document"))
    builder.revision = find_value(top, ("revision", "rev")) or find_value(
        Mapping(tuple(i for i in top.items if not i[0].startswith("@")))
        if isinstance(top, Mapping)
        else top,
        ("version",),
    )
    if not paths:
        put_node(top, builder, 1)
        return
    for path in paths:
        _put_path(root, path, builder)


def parse_xml(text: str, builder: Builder) -> etree._Element:
    """The root, names without their namespaces. Declarations of entities are refused."""
    name = builder.name
    begin = _ROOT.search(text)
    if _ENTITY.search(text, 0, begin.start() if begin else len(text)):
        raise DocumentError(
            f"{name} is refused: it declares its own entities, which a document does not need."
        )
    text = _NAMED.sub(_named_character, _XML_CONTROL.sub(" ", _DECLARATION.sub(_same_lines, text)))
    data = text.encode("utf-8")
    root = None
    try:
        root = etree.fromstring(data, _parser(recover=False))
    except etree.XMLSyntaxError as error:
        reason = one_line(error.msg or "no XML")[:120].rstrip(". ")
        try:
            root = etree.fromstring(data, _parser(recover=True))
        except etree.XMLSyntaxError:
            root = None
        if root is None or not isinstance(root.tag, str):
            raise DocumentError(f"{name} is no XML: {reason}.") from error
        builder.trouble(f"{name} is damaged as XML ({reason}); what could be read of it was taken.")
    except (etree.LxmlError, ValueError) as error:
        raise DocumentError(f"{name} is no XML.") from error
    for element in root.iter():
        if isinstance(element.tag, str) and element.tag[:1] == "{":
            element.tag = element.tag.rpartition("}")[2]
    etree.cleanup_namespaces(root)
    return root


def _same_lines(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _named_character(found: re.Match[str]) -> str:
    """The character of a name that HTML knows and XML alone does not, as "&nbsp;"."""
    if found[1] in ("amp", "lt", "gt", "quot", "apos"):
        return found[0]
    character = html5.get(found[1] + ";")
    return character if character is not None else found[0]


def _parser(recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )


def _put_path(root: etree._Element, path: str, builder: Builder) -> None:
    try:
        found = etree.XPath(path)(root)
    except (etree.XPathError, ValueError):
        builder.trouble(
            f'"{path}" in documents.xml_paths is no path; write it as in .//item/description.'
        )
        return
    hits: list[Any] = found if isinstance(found, list) else [str(found)]
    for hit in hits:
        element = hit if isinstance(hit, etree._Element) else None
        if element is not None:
            if not isinstance(element.tag, str):
                continue
            node = _node(element, 0, builder.limits.depth)
            owner = element.getparent()
        else:
            # An attribute or a text() knows the element it belongs to.
            owner = hit.getparent() if hasattr(hit, "getparent") else None
            node = Leaf(str(hit), source_line(owner) if owner is not None else 0)
        title = label_of(node)
        if not title and owner is not None and owner is not root:
            title = label_of(_node(owner, 0, 1))
        if not title:
            title = str(element.tag) if element is not None else path
        builder.heading(1, title, node.line)
        put_node(node, builder, 2)
    if not hits:
        builder.trouble(f'"{path}" in documents.xml_paths fits nothing in {builder.name}.')


def _node(element: etree._Element, depth: int, deepest: int) -> Node:
    """Elements of one name next to each other are a list under that name."""
    line = source_line(element)
    inner = [child for child in element if isinstance(child.tag, str)]
    attributes = [
        (_local(key), Leaf(one_line(str(value)), line))
        for key, value in element.attrib.items()
        if not _is_machinery(str(key))
    ]
    if not inner or _is_mixed(element, inner) or depth >= deepest:
        words = Leaf(_words(element), line)
        if not attributes:
            return words
        items: list[tuple[str, Node]] = list(attributes)
        if words.text:
            items.append(("", words))
        return Mapping(tuple(items), line)
    pairs: list[tuple[str, Node]] = list(attributes)
    for tag, group in groupby(inner, key=lambda child: str(child.tag)):
        nodes = tuple(_node(child, depth + 1, deepest) for child in group)
        pairs.append((tag, nodes[0] if len(nodes) == 1 else Listing(nodes, nodes[0].line)))
    if len(pairs) == 1 and isinstance(pairs[0][1], Listing) and depth:
        # <items><item/><item/></items> is the list "items".
        return pairs[0][1]
    return Mapping(tuple(pairs), line)


def _is_mixed(element: etree._Element, inner: Sequence[etree._Element]) -> bool:
    """Whether words stand between the inner elements, so that they are markup of a text."""
    return bool(element.text and element.text.strip()) or any(
        child.tail and child.tail.strip() for child in inner
    )


def _words(element: etree._Element) -> str:
    text = "".join(str(piece) for piece in element.itertext() if isinstance(piece, str))
    return text.strip() if len(element) == 0 else one_line(text)


def _local(name: object) -> str:
    return str(name).rpartition("}")[2]


def _is_machinery(name: str) -> bool:
    """Attributes that are about the file and not about what it says."""
    return name.startswith("{http://www.w3.org/2001/XMLSchema-instance}") or name in (
        "{http://www.w3.org/XML/1998/namespace}space",
        "{http://www.w3.org/XML/1998/namespace}base",
    )
