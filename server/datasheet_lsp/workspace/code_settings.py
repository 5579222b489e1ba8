"""Settings of what is shown in code: hints beside lines, completion, diagnostics."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Show = Literal["off", "names", "values"]
Severity = Literal["off", "hint", "information", "warning", "error"]


class HintsSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hints beside lines that write registers."""

    show: Annotated[
        Show,
        Meta(
            description="off: none; names: the fields a line writes; values: with what it writes "
            "to them."
        ),
    ] = "values"


class CompletionSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Completion of registers, fields and values."""

    enabled: Annotated[
        bool, Meta(description="Whether registers are offered after -> and fields beside them.")
    ] = True


class DiagnosticsSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mistakes in the use of registers."""

    enabled: Annotated[bool, Meta(description="Whether any are shown in the editor.")] = True
    severity: Annotated[
        dict[str, Severity],
        Meta(
            description="How each is shown, by its code, or off: reserved-bits = "
            '"off". Default: as docs/diagnostics.md says.'
        ),
    ] = {}
