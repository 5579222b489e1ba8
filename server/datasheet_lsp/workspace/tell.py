"""What stands in the way of the devices that got no SVD, in words that say what to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from datasheet_lsp.workspace.choose import Pools, contradicts, listed
from datasheet_lsp.workspace.drafts import Draft
from datasheet_lsp.workspace.scopes import quote, relative
from datasheet_lsp.workspace.settings import FILE_NAME
from datasheet_lsp.workspace.types import Evidence, FoundSvd, Problem

MAX_SINGLE = 3
"""More devices without an SVD are told in one sentence."""

MAX_AGAINST = 3

Report = Callable[[Problem], None]


def tell(drafts: Sequence[Draft], pools: Pools, report: Report) -> None:
    """Reports each device without an SVD, and a workspace of which nothing says the device."""
    used = {draft.svd for draft in drafts if draft.svd is not None}
    unused = [svd for svd in pools.workspace if svd not in used]
    missing: list[Draft] = []
    told: set[str] = set()
    for draft in drafts:
        claim = draft.claim
        device = draft.device or ""
        if claim is None or draft.svd is not None or device.casefold() in told:
            continue
        told.add(device.casefold())
        against = [svd for svd in unused if contradicts(claim.full_name, svd)]
        if draft.choice.tied:
            _tied(draft, pools, report)
        elif against and len(against) <= MAX_AGAINST:
            _against(draft, against, pools, report)
        elif not _aside(draft, drafts):
            missing.append(draft)
    _missing(missing, pools, report)
    labels = sorted({svd.label for svd in pools.workspace})
    if not drafts and len(labels) > 1:
        some = min(pools.workspace, key=lambda svd: (len(svd.path.parts), svd.path))
        message = (
            f"{len(labels)} SVDs are here ({listed(labels)}), and nothing says which device this "
            f"is: none is used. Name one in {FILE_NAME}: {_force(some, pools)}"
        )
        report(Problem(pools.root, None, message))


def _tied(draft: Draft, pools: Pools, report: Report) -> None:
    tied = draft.choice.tied
    files = listed([svd.label for svd in tied])
    first, why = _said(draft, pools)
    message = (
        f"{why}, and {len(tied)} SVDs fit {draft.device} equally well ({files}): none is used. "
        f"Name one in {FILE_NAME}: {_force(tied[0], pools)}"
    )
    report(Problem(first.path, first.line, message))


def _against(draft: Draft, against: Sequence[FoundSvd], pools: Pools, report: Report) -> None:
    files = listed(sorted({svd.label for svd in against}))
    first, why = _said(draft, pools)
    message = (
        f"{files} {'is' if len(against) == 1 else 'are'} not used: {why}, which is another "
        f"device. Put the SVD of {draft.device} into the workspace. To use {against[0].label} all "
        f"the same, write into {FILE_NAME}: {_force(against[0], pools)}"
    )
    report(Problem(first.path, first.line, message))


def _aside(draft: Draft, drafts: Sequence[Draft]) -> bool:
    """Whether only a file name speaks of the device, in a folder of a project with another."""
    claim = draft.claim
    if claim is None or not claim.mentioned_only:
        return False
    return any(
        claim.folder.is_relative_to(folder)
        for other in drafts
        for folder in other.folders
        if other is not draft
    )


def _missing(drafts: Sequence[Draft], pools: Pools, report: Report) -> None:
    hint = f'put it into the workspace, or name it in {FILE_NAME}: [[context]] svd = "..."'
    if len(drafts) > MAX_SINGLE:
        devices = listed([draft.device or "" for draft in drafts])
        message = f"No SVD was found for {len(drafts)} devices named here ({devices}): {hint}"
        report(Problem(pools.root, None, message))
        return
    for draft in drafts:
        first, why = _said(draft, pools)
        message = f"No SVD was found for {draft.device} ({why}): {hint}"
        report(Problem(first.path, first.line, message))


def _said(draft: Draft, pools: Pools) -> tuple[Evidence, str]:
    assert draft.claim is not None
    first = draft.claim.evidence[0]
    return first, quote(first, pools.root)


def _force(svd: FoundSvd, pools: Pools) -> str:
    """The setting that makes an SVD be used, on one line."""
    text = f'[[context]] svd = "{relative(svd.path, pools.root)}"'
    return f'{text}, member = "{svd.names[0]}"' if svd.member else text
