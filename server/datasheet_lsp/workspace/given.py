"""Contexts that the settings give: the project's own word, taken as it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from datasheet_lsp.workspace.choose import Choice, Pools, contradicts, listed
from datasheet_lsp.workspace.globs import expand_documents
from datasheet_lsp.workspace.peek import stem_of, suffix_of, svd_names
from datasheet_lsp.workspace.settings import FILE_NAME, ContextSettings, find_line
from datasheet_lsp.workspace.types import Context, FoundSvd, Problem


def given_contexts(
    entries: Sequence[ContextSettings],
    root: Path,
    home: Path,
    pools: Pools,
    report: Callable[[Problem], None],
) -> list[Context]:
    """One context for each ``[[context]]``; what cannot be had is told."""
    contexts = []
    file = root / FILE_NAME
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        text = ""
    for number, entry in enumerate(entries, 1):
        line = find_line(text, ("context", number - 1))

        def tell(message: str, number: int = number, line: int | None = line) -> None:
            # Without a line the context is not from the file but from the editor's options.
            place = file if line else None
            report(Problem(place, line, f"context[{number}]: {message}"))

        contexts.append(_context(entry, number, root, home, pools, tell))
    return contexts


def _context(
    entry: ContextSettings,
    number: int,
    root: Path,
    home: Path,
    pools: Pools,
    tell: Callable[[str], None],
) -> Context:
    where = f"{FILE_NAME}, context[{number}]"
    reasons: list[str] = []
    svd: Path | None = None
    member: str | None = None
    if entry.svd:
        svd = _path(entry.svd, root, home)
        reasons.append(f'because {where} says svd = "{entry.svd}"')
        if not svd.is_file():
            tell(f'svd = "{entry.svd}" is not there; the path counts from {FILE_NAME}.')
            svd = None
        elif suffix_of(svd.name) == ".pack":
            member = entry.member or entry.device or None
        elif entry.device:
            found = FoundSvd(svd, svd_names(svd) or ())
            if contradicts(entry.device, found):
                reasons.append(f"though its name does not fit the device {entry.device}")
    elif entry.device:
        reasons.append(f'because {where} says device = "{entry.device}"')
        choice = pools.choose(entry.device, root)
        if choice.svd is not None:
            svd, member = choice.svd.path, choice.svd.member
            reasons.append(choice.why)
        else:
            tell(_without(entry.device, choice))
    else:
        tell('it needs svd = "..." or device = "...".')
    documents: list[Path] = []
    for pattern, files in expand_documents(entry.documents, root).items():
        documents += files
        if not files:
            tell(f'documents has "{pattern}", which fits no file.')
    return Context(
        name=entry.name or entry.device or (stem_of(svd.name) if svd else f"context {number}"),
        device=entry.device or None,
        svd=svd,
        member=member,
        documents=tuple(dict.fromkeys(documents)),
        code=entry.code,
        reasons=tuple(reasons),
    )


def _without(device: str, choice: Choice) -> str:
    if choice.tied:
        files = listed([svd.label for svd in choice.tied])
        return f'several SVDs fit "{device}" equally well ({files}): name one with svd = "...".'
    return f'no SVD was found for "{device}": name one with svd = "...".'


def _path(written: str, root: Path, home: Path) -> Path:
    text = os.fspath(home / written[2:]) if written.startswith("~/") else written
    return Path(os.path.normpath(root / text))
