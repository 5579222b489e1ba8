"""The bytes of an SVD file to a device."""

from __future__ import annotations

import gc
from typing import cast

import msgspec

from datasheet_lsp.model import Device, Diagnostic, Severity
from datasheet_lsp.svd.build import Builder
from datasheet_lsp.svd.clean import clean
from datasheet_lsp.svd.tree import Node, TreeReader
from datasheet_lsp.svd.values import Values

MAX_DIAGNOSTICS = 500
"""More than this from one file tell nothing new."""


def parse_svd(data: bytes, source: str) -> Device:
    """The device that the SVD ``data`` describes; ``source`` is what to call the file.

    What is wrong with single items is in the device's ``diagnostics``, in order of the lines.

    Raises:
        SvdError: the bytes are no SVD file.
    """
    data, diagnostics = clean(data, source)
    left_out = 0

    def report(line: int, severity: str, message: str) -> None:
        nonlocal left_out
        if len(diagnostics) < MAX_DIAGNOSTICS:
            diagnostics.append(Diagnostic(line, cast(Severity, severity), message))
        else:
            left_out += 1

    # Tens of thousands of objects are made and none is garbage: collecting would only cost time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        tree = TreeReader(source, report).read(data)
        del data
        device = Builder(tree, Values(report)).device(source)
        _cut(tree)
    finally:
        if collecting:
            gc.enable()
    diagnostics.sort(key=lambda item: item.line)
    if left_out:
        text = f"{left_out} further problems are not listed"
        diagnostics.append(Diagnostic(diagnostics[-1].line, "information", text))
    return msgspec.structs.replace(device, diagnostics=tuple(diagnostics))


def _cut(node: Node) -> None:
    """Take the tree's circles apart, so that its memory is free at once."""
    for child in node.children:
        child.parent = None
        _cut(child)
