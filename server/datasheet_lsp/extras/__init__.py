"""Models that extras of this package install as packages; found without importing these."""

from __future__ import annotations

import importlib.util
from pathlib import Path

DEMO_PACKAGE = "all_minilm_l6_v2"
DEMO_ZIP = "model.zip"


def in_package(package: str, pattern: str) -> Path | None:
    """The first file in ``package`` whose name is like ``pattern``, None without any.

    The package is not imported, since that may print or load a library.
    """
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        for path in sorted(Path(folder).glob(pattern)):
            if path.is_file():
                return path
    return None


def demo_zip() -> Path | None:
    """The zip of the embedding model that the ``demo`` extra installs."""
    return in_package(DEMO_PACKAGE, DEMO_ZIP)
