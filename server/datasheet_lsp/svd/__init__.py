"""An SVD file or CMSIS pack to a device model.

The names are resolved on first use, so that who only needs the version does not load lxml.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from datasheet_lsp.svd.errors import SvdError
from datasheet_lsp.svd.version import READER_VERSION

if TYPE_CHECKING:
    from datasheet_lsp.svd.files import load_svd
    from datasheet_lsp.svd.pack import PackDevice, list_pack
    from datasheet_lsp.svd.reader import parse_svd

__all__ = ["READER_VERSION", "PackDevice", "SvdError", "list_pack", "load_svd", "parse_svd"]

_HOMES = {
    "load_svd": "datasheet_lsp.svd.files",
    "list_pack": "datasheet_lsp.svd.pack",
    "PackDevice": "datasheet_lsp.svd.pack",
    "parse_svd": "datasheet_lsp.svd.reader",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(name)
