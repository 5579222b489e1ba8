"""Which core file belongs to a processor name."""

from __future__ import annotations

import re
from typing import NamedTuple


class Match(NamedTuple):
    """A core file. Not ``exact``: it is that of the nearest core of the same architecture."""

    file: str
    exact: bool


_FILES = {
    "M0": Match("cortex-m0.svd", True),
    "M0PLUS": Match("cortex-m0plus.svd", True),
    "M1": Match("cortex-m0.svd", False),
    "M3": Match("cortex-m3.svd", True),
    "M4": Match("cortex-m4.svd", True),
    "M7": Match("cortex-m7.svd", True),
    "M23": Match("cortex-m23.svd", True),
    "M33": Match("cortex-m33.svd", True),
    "M35P": Match("cortex-m33.svd", False),
    "M52": Match("cortex-m33.svd", False),
    "M55": Match("cortex-m33.svd", False),
    "M85": Match("cortex-m33.svd", False),
    "SC000": Match("cortex-m0plus.svd", False),
    "SC300": Match("cortex-m3.svd", False),
}

# "CM4", "Cortex-M4", "ARM Cortex-M4F", "CM0+", "Cortex-M0 plus", "CM0P", "ARMCM33_DSP_FP".
_NAME = re.compile(
    r"(?:ARM)?(?:(?:CORTEX|C)?(?P<plus>M0(?=PLUS|P))|(?:CORTEX|C)?(?P<cortex>M35P|M\d+)|"
    r"(?P<secure>SC[03]00))(?![0-9])"
)


def core_match(cpu_name: str) -> Match | None:
    """The core file for ``cpu_name``, None for what is no Cortex-M."""
    plain = re.sub(r"[^0-9A-Z]", "", cpu_name.upper().replace("+", "PLUS"))
    found = _NAME.match(plain)
    if found is None:
        return None
    name = "M0PLUS" if found["plus"] else found["cortex"] or found["secure"]
    return _FILES.get(name)


def core_file(cpu_name: str) -> str | None:
    """The name of the core file for ``cpu_name`` (as in CMSIS-SVD or near it), else None."""
    match = core_match(cpu_name)
    return match.file if match else None
