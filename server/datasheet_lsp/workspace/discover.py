"""Which SVDs, devices and code belong together in a workspace, and why."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from datasheet_lsp.workspace import names
from datasheet_lsp.workspace.choose import Choice, Pools, contradicts, listed
from datasheet_lsp.workspace.evidence import ProjectFile, evidence_of, is_wanted
from datasheet_lsp.workspace.given import given_contexts
from datasheet_lsp.workspace.globs import scope_patterns
from datasheet_lsp.workspace.installed import installed_svds
from datasheet_lsp.workspace.packs import pack_svds
from datasheet_lsp.workspace.peek import stem_of
from datasheet_lsp.workspace.scopes import Claim, by_folder, claims_of, quote, relative
from datasheet_lsp.workspace.settings import FILE_NAME, Settings
from datasheet_lsp.workspace.types import Context, Discovery, Evidence, FoundSvd, Problem
from datasheet_lsp.workspace.walk import Found, walk

MAX_REASONS = 6
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
    made = [_settle(claim, pools) for claim in claims]
    only = _only_svd(pools)
    if only is not None and not any(claim.folder == root for claim in claims):
        if not any(draft.svd == only for draft in made):
            made.append(_Draft(root, None, only, [_only_reason(only, claims, root)]))
    contexts = _contexts(_merge(made), root)
    _tell(made, pools, report)
    return contexts


class _Draft:
    """A context in the making: one folder, its device and what was chosen."""

    def __init__(
        self, folder: Path, device: str | None, svd: FoundSvd | None, reasons: list[str]
    ) -> None:
        self.folders = {folder}
        self.device = device
        self.svd = svd
        self.reasons = reasons
        self.claim: Claim | None = None
        self.choice = Choice()

    @property
    def key(self) -> tuple[str, str]:
        """What makes two drafts one context."""
        if self.svd is not None:
            return os.fspath(self.svd.path), self.svd.member or ""
        return "", (self.device or "").casefold()


def _settle(claim: Claim, pools: Pools) -> _Draft:
    """Chooses the SVD of a claim."""
    root = pools.root
    reasons = [f"because {quote(one, root)}" for one in claim.evidence[:MAX_REASONS]]
    if claim.svd is not None:
        svd = FoundSvd(claim.svd, (stem_of(claim.svd.name),), member=claim.member)
        return _Draft(claim.folder, claim.device, svd, reasons)
    choice = pools.choose(claim.full_name, claim.folder)
    if choice.svd is None and not choice.tied:
        only = _only_svd(pools)
        if only is not None and not contradicts(claim.full_name, only):
            why = f"{only.label} is the only SVD here, and its name is no other device's"
            choice = Choice(only, why)
    draft = _Draft(claim.folder, claim.device, choice.svd, reasons)
    draft.claim, draft.choice = claim, choice
    if choice.why:
        reasons.append(choice.why)
    return draft


def _only_svd(pools: Pools) -> FoundSvd | None:
    """The SVD of the workspace where there is one alone; copies of it do not count."""
    distinct = {svd.label.casefold(): svd for svd in reversed(pools.workspace)}
    return next(iter(distinct.values())) if len(distinct) == 1 else None


def _only_reason(only: FoundSvd, claims: Sequence[Claim], root: Path) -> str:
    reason = f"because {relative(only.path, root)} is the only SVD in the workspace"
    if not claims:
        return f"{reason}, and nothing names another device"
    folders = listed(sorted({relative(claim.folder, root) for claim in claims}))
    return f"{reason}, and nothing outside of {folders} names another device"


def _merge(drafts: Iterable[_Draft]) -> list[_Draft]:
    """One draft for each SVD, or for each device without one."""
    merged: dict[tuple[str, str], _Draft] = {}
    for draft in drafts:
        same = merged.get(draft.key)
        if same is None:
            merged[draft.key] = draft
            continue
        same.folders |= draft.folders
        if names.detail(draft.device or "") > names.detail(same.device or ""):
            if names.agree(draft.device or "", same.device or ""):
                same.device = draft.device
        new = [reason for reason in draft.reasons if reason not in same.reasons]
        same.reasons += new[: max(0, MAX_REASONS - len(same.reasons))]
    return list(merged.values())


def _contexts(drafts: Sequence[_Draft], root: Path) -> list[Context]:
    scopes = sorted({folder for draft in drafts for folder in draft.folders})
    contexts = []
    taken: set[str] = set()
    for draft in drafts:
        name = draft.device or (stem_of(draft.svd.path.name) if draft.svd else "device")
        number = 2
        unique = name
        while unique in taken:
            unique, number = f"{name} ({number})", number + 1
        taken.add(unique)
        # A single context is for every file: its project file may lie anywhere.
        code = scope_patterns(draft.folders, scopes, root) if len(drafts) > 1 else ()
        contexts.append(
            Context(
                name=unique,
                device=draft.device,
                svd=draft.svd.path if draft.svd else None,
                member=draft.svd.member if draft.svd else None,
                code=code,
                reasons=tuple(draft.reasons),
            )
        )
    return contexts


def _tell(drafts: Sequence[_Draft], pools: Pools, report: Callable[[Problem], None]) -> None:
    """What stands in the way of the devices that got no SVD."""
    root = pools.root
    told: set[str] = set()
    for draft in drafts:
        claim = draft.claim
        if claim is None or draft.svd is not None or (draft.device or "") in told:
            continue
        told.add(draft.device or "")
        first = claim.evidence[0]
        why = quote(first, root)
        tied = draft.choice.tied
        against = [svd for svd in pools.workspace if contradicts(claim.full_name, svd)]
        if tied:
            files = listed([svd.label for svd in tied])
            message = (
                f"{why}, and {len(tied)} SVDs fit {draft.device} equally well ({files}): none is "
                f"used. Name one in {FILE_NAME}: {_force(tied[0], root)}"
            )
        elif against:
            files = listed(sorted({svd.label for svd in against}))
            verb = "is" if len(against) == 1 else "are"
            message = (
                f"{files} {verb} not used: {why}, which fits no SVD here. Put the SVD of "
                f"{draft.device} into the workspace, or, to use another all the same, write into "
                f"{FILE_NAME}: {_force(against[0], root)}"
            )
        else:
            message = (
                f"No SVD was found for {draft.device} ({why}): put it into the workspace, or name "
                f'it in {FILE_NAME}: [[context]] svd = "..."'
            )
        report(Problem(first.path, first.line, message))
    usable = {svd.label for svd in pools.workspace}
    if not drafts and len(usable) > 1:
        some = min(pools.workspace, key=lambda svd: (len(svd.path.parts), svd.path))
        message = (
            f"{len(usable)} SVDs are here ({listed(sorted(usable))}), and nothing says which "
            f"device this is: none is used. Name one in {FILE_NAME}: {_force(some, root)}"
        )
        report(Problem(root, None, message))


def _force(svd: FoundSvd, root: Path) -> str:
    """The setting that makes an SVD be used, on one line."""
    text = f'[[context]] svd = "{relative(svd.path, root)}"'
    return f'{text}, member = "{svd.names[0]}"' if svd.member else text
