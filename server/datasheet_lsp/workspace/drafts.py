"""Contexts in the making: a claim gets its SVD, and claims for one SVD become one context."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from datasheet_lsp.workspace import names
from datasheet_lsp.workspace.choose import Choice, Pools, contradicts, listed
from datasheet_lsp.workspace.evidence import Rank
from datasheet_lsp.workspace.globs import scope_patterns
from datasheet_lsp.workspace.peek import stem_of
from datasheet_lsp.workspace.scopes import Claim, quote, relative
from datasheet_lsp.workspace.types import Context, FoundSvd

MAX_REASONS = 4


class Draft:
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


def settle(claim: Claim, pools: Pools) -> Draft:
    """Chooses the SVD of a claim."""
    root = pools.root
    telling = sorted(claim.evidence, key=lambda one: -one.rank)
    shown = [one for one in telling if one.rank > Rank.MENTION] or telling
    reasons = [f"because {quote(one, root)}" for one in shown[:MAX_REASONS]]
    if claim.svd is not None:
        svd = FoundSvd(claim.svd, (stem_of(claim.svd.name),), member=claim.member)
        return Draft(claim.folder, claim.device, svd, reasons)
    choice = pools.choose(claim.device or "", claim.folder, claim.core)
    if choice.svd is None and not choice.tied:
        only = only_svd(pools)
        if only is not None and not contradicts(claim.full_name, only):
            why = f"{only.label} is the only SVD here, and its name is no other device's"
            choice = Choice(only, why)
    draft = Draft(claim.folder, claim.device, choice.svd, reasons)
    draft.claim, draft.choice = claim, choice
    if choice.why:
        reasons.append(choice.why)
    return draft


def only_svd(pools: Pools) -> FoundSvd | None:
    """The SVD of the workspace where there is one alone; copies of it do not count."""
    distinct = {svd.label.casefold(): svd for svd in reversed(pools.workspace)}
    return next(iter(distinct.values())) if len(distinct) == 1 else None


def only_reason(only: FoundSvd, claims: Sequence[Claim], root: Path) -> str:
    """Why the only SVD is used without a device to compare it with."""
    reason = f"because {relative(only.path, root)} is the only SVD in the workspace"
    if not claims:
        return f"{reason}, and nothing names another device"
    folders = listed(sorted({relative(claim.folder, root) for claim in claims}))
    return f"{reason}, and nothing outside of {folders} names another device"


def merge(drafts: Iterable[Draft]) -> list[Draft]:
    """One draft for each SVD, or for each device without one."""
    merged: dict[tuple[str, str], Draft] = {}
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


def contexts_of(drafts: Sequence[Draft], root: Path) -> list[Context]:
    """The contexts, each with a name of its own and the code it is for."""
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
