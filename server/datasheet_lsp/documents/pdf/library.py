"""PyMuPDF, imported without what is not needed of it. Imported by nothing but this package.

PyMuPDF 2 imports a layout model and its runtime (1 s, 90 MB) that nothing here uses. A None in
``sys.modules`` makes that import fail, which PyMuPDF takes for "not installed".
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

for _unused in ("pymupdf.layout", "pymupdf4llm"):
    sys.modules.setdefault(_unused, None)  # type: ignore[arg-type]

pymupdf: Any = importlib.import_module("pymupdf")

# What MuPDF has to say would be printed; what matters of it is found out by other means.
pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)
