"""The patterns that tell which code a context applies to."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def scope_patterns(owned: set[Path], scopes: Sequence[Path], root: Path) -> tuple[str, ...]:
    """Patterns for the folders ``owned``, without the folders of other contexts inside them.

    ``scopes`` are the folders of all contexts. The nearest folder above a file decides.
    """
    patterns = []
    for folder in sorted(scopes, key=lambda folder: (len(folder.parts), folder)):
        nested = any(folder != own and folder.is_relative_to(own) for own in owned)
        if folder in owned:
            patterns.append(_pattern(folder, root))
        elif nested:
            patterns.append(f"!{_pattern(folder, root)}")
    return tuple(patterns)


def _pattern(folder: Path, root: Path) -> str:
    if folder == root:
        return "**"
    name = os.fspath(folder.relative_to(root)).replace(os.sep, "/")
    return "/" + re.sub(r"([][*?!# ])", r"\\\1", name) + "/**"


class CodeMatcher:
    """Whether files belong to a context, by its patterns; the last that speaks of a file counts."""

    def __init__(self, patterns: Sequence[str], root: Path) -> None:
        self.root = root
        self._patterns = tuple(patterns)
        self._spec: Any = None

    def matches(self, path: Path) -> bool:
        """Whether the file is the context's; without patterns every file is."""
        if not self._patterns or self._patterns == ("**",):
            return not self._patterns or path.is_relative_to(self.root)
        try:
            name = os.fspath(path.relative_to(self.root)).replace(os.sep, "/")
        except ValueError:
            return False
        if self._spec is None:
            self._spec = _compile(self._patterns)
        return bool(self._spec.match_file(name))


def _compile(patterns: Sequence[str]) -> Any:
    from pathspec import PathSpec

    good = []
    for pattern in patterns:
        try:
            PathSpec.from_lines("gitignore", [pattern])
        except (ValueError, re.error):
            continue
        good.append(pattern)
    return PathSpec.from_lines("gitignore", good)


def expand_documents(
    patterns: Sequence[str], root: Path, limit: int = 1000
) -> Mapping[str, list[Path]]:
    """The files each path or pattern stands for; [] where there are none."""
    result: dict[str, list[Path]] = {}
    for pattern in patterns:
        text = os.path.expanduser(pattern)
        try:
            if any(mark in text for mark in "*?["):
                base = Path(root.anchor) if os.path.isabs(text) else root
                walk = base.glob(os.path.relpath(text, base) if os.path.isabs(text) else text)
                found = [path for path, _ in zip(walk, range(limit), strict=False)]
            else:
                found = [root / text]
            result[pattern] = sorted(path for path in found if path.is_file())
        except (OSError, ValueError, NotImplementedError):
            result[pattern] = []
    return result
