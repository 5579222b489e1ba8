"""Mistakes as SARIF 2.1.0, the format code hosts and CI systems show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}


class Result(msgspec.Struct, frozen=True):
    """A mistake in a file: ``path`` with slashes, lines and columns from 1, columns in UTF-16."""

    code: str
    severity: str
    message: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str = ""


class Rule(msgspec.Struct, frozen=True):
    """A kind of mistake."""

    code: str
    severity: str
    title: str


def sarif(results: Sequence[Result], rules: Sequence[Rule], version: str) -> dict[str, Any]:
    """The log of one run."""
    index = {rule.code: at for at, rule in enumerate(rules)}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "datasheet-lsp",
                        "version": version,
                        "rules": [
                            {
                                "id": rule.code,
                                "shortDescription": {"text": f"{rule.title}."},
                                "defaultConfiguration": {"level": _LEVELS[rule.severity]},
                            }
                            for rule in rules
                        ],
                    }
                },
                "columnKind": "utf16CodeUnits",
                "results": [
                    {
                        "ruleId": one.code,
                        "ruleIndex": index[one.code],
                        "level": _LEVELS[one.severity],
                        "message": {"text": one.message},
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": {"uri": one.path},
                                    "region": {
                                        "startLine": one.line,
                                        "startColumn": one.column,
                                        "endLine": one.end_line,
                                        "endColumn": one.end_column,
                                    },
                                }
                            }
                        ],
                    }
                    for one in results
                ],
            }
        ],
    }
