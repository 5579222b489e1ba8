"""Which SVDs, devices and code belong together in a workspace, and why."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from datasheet_lsp.workspace import names
from datasheet_lsp.workspace.choose import Pools
from datasheet_lsp.workspace.drafts import Draft, contexts_of, merge, only_reason, only_svd, settle
from datasheet_lsp.workspace.evidence import ProjectFile, evidence_of, is_wanted
from datasheet_lsp.workspace.given import given_contexts
from datasheet_lsp.workspace.installed import installed_svds
from datasheet_lsp.workspace.packs import pack_svds
from datasheet_lsp.workspace.scopes import Claim, by_folder, claims_of, inherited
from datasheet_lsp.workspace.settings import FILE_NAME, Settings
from datasheet_lsp.workspace.tell import tell
from datasheet_lsp.workspace.types import Context, Discovery, Evidence, FoundSvd, Problem
from datasheet_lsp.workspace.walk import Found, walk

MAX_EVIDENCE_FILES = 5_000


def find_contexts(
    root: Path,
    settings: Settings,
    *,
    env: Mapping[str, str] | None = None,
    home: Path | None = None,
    system: Path = Path("/"),
) -> Discovery:
    """The contexts of the workspace ``root``, every SVD found, and what the engineer should know.

    ``env``, ``home`` and ``system`` (the root of the file system) say where tools have installed
    SVDs. Never raises for what lies in the workspace.
    """
    root = Path(os.path.abspath(root))
    where = _Where(root, env if env is not None else os.environ, home or _home())
    problems: list[Problem] = []
    found = walk(root, is_wanted)
    problems += found.problems
    workspace = found.svds + pack_svds(found.packs, "workspace", problems.append)
    further, watched = _further(settings, where, problems)

    def installed() -> Sequence[FoundSvd]:
        if not settings.svd.search_installed:
            return ()
        return installed_svds(where.env, where.home, system)

    pools = Pools(root, workspace, further, installed)
    evidence = _read_evidence(found, where, [*workspace, *further])
    if settings.context:
        contexts = given_contexts(settings.context, root, where.home, pools, problems.append)
    else:
        contexts = _find(found, evidence, pools, problems.append)
    inputs = [root / FILE_NAME, *found.ignore_files]
    inputs += [path for path, _ in found.evidence]
    inputs += [context.svd for context in contexts if context.svd is not None]
    return Discovery(
        contexts=tuple(contexts),
        svds=(*workspace, *further, *pools.listed),
        evidence=tuple(evidence),
        problems=tuple(dict.fromkeys(problems)),
        inputs=tuple(dict.fromkeys(inputs)),
        folders=tuple(dict.fromkeys([*found.folders, *watched])),
    )


class _Where:
    """The places a search depends on."""

    def __init__(self, root: Path, env: Mapping[str, str], home: Path) -> None:
        self.root = root
        self.env = env
        self.home = home


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        return Path("/nonexistent")


def _further(
    settings: Settings, where: _Where, problems: list[Problem]
) -> tuple[list[FoundSvd], list[Path]]:
    """The SVDs of the folders that the settings name, and the folders listed for it."""
    svds: list[FoundSvd] = []
    watched: list[Path] = []
    for name in settings.svd.folders:
        text = os.fspath(where.home / name[2:]) if name.startswith("~/") else name
        folder = Path(os.path.normpath(where.root / text))
        if not folder.is_dir():
            message = f'svd.folders has "{name}", which is no folder: it is passed over.'
            problems.append(Problem(where.root / FILE_NAME, None, message))
            continue
        found = walk(folder, lambda name: False, source="settings")
        problems += found.problems
        svds += found.svds + pack_svds(found.packs, "settings", problems.append)
        watched += found.folders
    return svds, watched


def _read_evidence(found: Found, where: _Where, svds: Iterable[FoundSvd]) -> list[Evidence]:
    resembles = _resemblance(svds)
    evidence: list[Evidence] = []
    for path, folder in dict.fromkeys(found.evidence[:MAX_EVIDENCE_FILES]):
        file = ProjectFile(
            path, folder, where.root, home=where.home, env=where.env, resembles=resembles
        )
        evidence += evidence_of(file)
    return evidence


def _resemblance(svds: Iterable[FoundSvd]) -> Callable[[str], bool]:
    """Whether a word is the name of one of the SVDs, with or without order code."""
    starts: dict[str, set[str]] = {}
    for svd in svds:
        for name in svd.names:
            if names.is_part(name):
                for pattern in names.read(name):
                    starts.setdefault(pattern.text[:3], set()).add(name)

    @lru_cache(maxsize=8192)
    def resembles(word: str) -> bool:
        if len(word) < 4 or not any(map(str.isdigit, word)):
            return False
        for pattern in names.read(word):
            for name in starts.get(pattern.text[:3], ()):
                found = names.fit(word, name)
                if found is not None and found.literals > 3 and found.kind > names.Kind.SHORT:
                    return True
        return False

    return resembles


def _find(
    found: Found,
    evidence: Sequence[Evidence],
    pools: Pools,
    report: Callable[[Problem], None],
) -> list[Context]:
    """The contexts that follow from the project's files."""
    root = pools.root
    claims: list[Claim] = []
    for folder, said in by_folder(evidence, root, found.code_folders).items():
        claims += claims_of(folder, said, root, report)
    claims = inherited(claims)
    made = [settle(claim, pools) for claim in claims]
    # Without a word about the device the only SVD must be it. With one that it does not fit, it
    # is better to show nothing than another chip's registers.
    only = only_svd(pools)
    aside = all(claim.folder != root and claim.mentioned_only for claim in claims)
    if only is not None and aside and all(draft.svd != only for draft in made):
        made.append(Draft(root, None, only, [only_reason(only, claims, root)]))
    contexts = contexts_of(merge(made), root)
    tell(made, pools, report)
    return contexts
