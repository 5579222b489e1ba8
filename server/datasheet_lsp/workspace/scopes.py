"""From what project files say to which device which folder is for."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from datasheet_lsp.workspace import names
from datasheet_lsp.workspace.choose import contradicts, listed
from datasheet_lsp.workspace.evidence import Rank
from datasheet_lsp.workspace.evidence.file import last_part
from datasheet_lsp.workspace.peek import stem_of, suffix_of, svd_names
from datasheet_lsp.workspace.types import Evidence, FoundSvd, Problem

MAX_DEVICES = 4
"""Where one kind of file names more devices at one place, it lists them and chooses none."""

Report = Callable[[Problem], None]


class Claim(msgspec.Struct):
    """That a folder is for a device, or for the device of an SVD file, with what says so."""

    folder: Path
    device: str | None
    evidence: list[Evidence]
    svd: Path | None = None
    member: str | None = None
    core: str | None = None

    @property
    def full_name(self) -> str:
        """The device with its core, where the chip has several."""
        device = self.device or ""
        return f"{device}_{self.core}" if self.core else device

    @property
    def mentioned_only(self) -> bool:
        """Whether nothing but names of files speaks of the device."""
        return all(one.rank <= Rank.MENTION for one in self.evidence)


def quote(evidence: Evidence, root: Path) -> str:
    """``blinky.ioc line 12 says Mcu.CPN=STM32F407VGT6``."""
    where = relative(evidence.path, root)
    if evidence.line is not None:
        where += f" line {evidence.line}"
    verb = "" if evidence.says.startswith(("defines ", "names ")) else "says "
    return f"{where} {verb}{evidence.says}"


def relative(path: Path, root: Path) -> str:
    """The path as seen from the workspace, with ``/``."""
    try:
        return os.fspath(path.relative_to(root)).replace(os.sep, "/")
    except ValueError:
        return os.fspath(path)


def by_folder(
    evidence: Iterable[Evidence], root: Path, code_folders: Iterable[str]
) -> dict[Path, list[Evidence]]:
    """The evidence by the folder it speaks for, outer folders first.

    What lies in a folder without code (cmake/, MDK-ARM/) speaks for the nearest one above that
    has some; a build's included files for the whole workspace if none has.
    """
    with_code: set[Path] = set()
    for name in code_folders:
        folder = Path(name)
        while folder not in with_code:
            with_code.add(folder)
            if folder == root or folder.parent == folder:
                break
            folder = folder.parent
    scopes: dict[Path, list[Evidence]] = {}
    for one in evidence:
        folder = one.folder
        if folder not in with_code and folder.is_relative_to(root):
            above = [f for f in (folder, *folder.parents) if f in with_code]
            if above and above[0].is_relative_to(root):
                folder = above[0]
            elif _INCLUDED.search(one.path.name):
                folder = root
        scopes.setdefault(folder, []).append(one)
    return dict(sorted(scopes.items(), key=lambda item: (len(item[0].parts), item[0])))


_INCLUDED = re.compile(r"\.(cmake|mk)$|^Makefile\.", re.IGNORECASE)


def claims_of(
    folder: Path, evidence: Sequence[Evidence], root: Path, report: Report
) -> list[Claim]:
    """What the evidence of one folder claims: several where it is for several devices."""
    files, rest = _svd_files(folder, evidence, root, report)
    claims = _devices(folder, rest, root, report)
    cores = {e.core for e in rest if e.core}
    if len(cores) == 1:
        for claim in claims:
            claim.core = next(iter(cores))
    if not files:
        return claims
    return [_joined(claim, claims, root, report) for claim in files]


def inherited(claims: Sequence[Claim]) -> list[Claim]:
    """The claims without those of inner folders that say less than the folder around them.

    An inner ``-DSTM32F4`` below a project for the STM32F407 and the STM32F103 means the former.
    """
    kept: list[Claim] = []
    for claim in claims:  # outer folders come first
        around = [c for c in kept if c.folder != claim.folder and _holds(c.folder, claim.folder)]
        nearest = max((len(c.folder.parts) for c in around), default=0)
        around = [c for c in around if len(c.folder.parts) == nearest]
        fuller = [c for c in around if _says_more(c, claim)]
        if fuller and len(fuller) == len(around):
            continue
        if len(fuller) == 1:
            claim.device, claim.svd, claim.member = (
                fuller[0].device,
                fuller[0].svd,
                fuller[0].member,
            )
        kept.append(claim)
    return kept


def _holds(outer: Path, inner: Path) -> bool:
    return inner.is_relative_to(outer)


def _says_more(outer: Claim, inner: Claim) -> bool:
    if inner.svd is not None or not outer.device or not inner.device:
        return False
    fuller = names.detail(outer.device) >= names.detail(inner.device)
    return fuller and names.agree(outer.device, inner.device)


def _svd_files(
    folder: Path, evidence: Sequence[Evidence], root: Path, report: Report
) -> tuple[list[Claim], list[Evidence]]:
    """Claims for the SVD files named that exist, and the other evidence.

    A file that is not there still says the device by its name.
    """
    claims: dict[str, Claim] = {}
    rest: list[Evidence] = []
    for one in evidence:
        if one.svd is None:
            rest.append(one)
            continue
        path = _existing(one.svd, (one.folder, folder, root))
        if path is not None and suffix_of(path.name):
            key = os.path.normcase(path)
            if key in claims:
                claims[key].evidence.append(one)
            else:
                claims[key] = Claim(folder, None, [one], svd=path)
            continue
        stem = stem_of(last_part(one.svd))
        hint = ""
        if names.is_part(stem):
            rest.append(msgspec.structs.replace(one, svd=None, device=stem, rank=Rank.DEBUG))
            hint = f"; an SVD for {stem} is looked for instead"
        if "${" not in one.svd:
            what = "is not there" if path is None else "is no SVD file or pack"
            message = f"{quote(one, root)}, which {what}{hint}."
            report(Problem(one.path, one.line, message))
    return list(claims.values()), rest


def _existing(written: str, bases: Iterable[Path]) -> Path | None:
    for base in bases:
        path = Path(os.path.normpath(base / written))
        try:
            if path.is_file():
                return path
        except (OSError, ValueError):
            return None
    return None


def _devices(folder: Path, evidence: Sequence[Evidence], root: Path, report: Report) -> list[Claim]:
    """One claim for each device that the most telling kind of file names."""
    ranked = sorted((e for e in evidence if e.device), key=lambda e: -e.rank)
    claims: list[Claim] = []
    decided = 0
    for rank in dict.fromkeys(e.rank for e in ranked):
        claims = _merged(folder, [e for e in ranked if e.rank == rank])
        if len(claims) > (1 if rank <= Rank.MENTION else MAX_DEVICES):
            if rank > Rank.MENTION:
                first = claims[0].evidence[0]
                devices = listed([claim.device or "" for claim in claims])
                message = (
                    f"{relative(first.path, root)} names {len(claims)} devices ({devices}), so "
                    "it does not say which one this folder is for. Name it in datasheet.toml."
                )
                report(Problem(first.path, first.line, message))
            claims = []
            continue
        decided = rank
        break
    lower = [e for e in ranked if e.rank < decided]
    for claim in claims:
        _refine(claim, lower)
    for one in lower:
        against = [c for c in claims if not names.agree(one.device or "", c.device or "")]
        if len(against) == len(claims) and one.rank >= Rank.DEFINE and one.folder == folder:
            message = (
                f"{quote(one, root)}, but {quote(claims[0].evidence[0], root)}: "
                f"{claims[0].device} is taken."
            )
            report(Problem(one.path, one.line, message))
    return claims


def _merged(folder: Path, evidence: Sequence[Evidence]) -> list[Claim]:
    """Claims of evidence of one rank: names that may mean one device are one claim."""
    claims: list[Claim] = []
    for one in sorted(evidence, key=lambda e: -names.detail(e.device or "")):
        for claim in claims:
            if names.agree(one.device or "", claim.device or ""):
                claim.evidence.append(one)
                break
        else:
            claims.append(Claim(folder, one.device, [one]))
    return claims


def _refine(claim: Claim, lower: Sequence[Evidence]) -> None:
    """Adds what agrees from less telling files, and takes a fuller name from there."""
    agreeing = [e for e in lower if names.agree(e.device or "", claim.device or "")]
    mentioned = _merged(claim.folder, [e for e in agreeing if e.rank <= Rank.MENTION])
    for one in agreeing:
        if one.rank <= Rank.MENTION and len(mentioned) > 1:
            continue
        device = one.device or ""
        if not names.agree(device, claim.device or ""):
            continue  # it agreed with the short name, but not with the fuller one found since
        claim.evidence.append(one)
        if names.detail(device) > names.detail(claim.device or ""):
            claim.device = device


def _joined(claim: Claim, devices: Sequence[Claim], root: Path, report: Report) -> Claim:
    """A claim for an SVD file with the device that other evidence names for the folder."""
    assert claim.svd is not None
    pack = suffix_of(claim.svd.name) == ".pack"
    found = FoundSvd(claim.svd, () if pack else svd_names(claim.svd) or ())
    for other in devices:
        if pack or not contradicts(other.full_name, found):
            claim.device = other.device
            claim.evidence += other.evidence
            claim.member = other.device if pack else None
            return claim
    for other in devices:
        one = claim.evidence[0]
        message = (
            f"{quote(one, root)}, but {quote(other.evidence[0], root)}: "
            f"{claim.svd.name} is used as it is named by its path."
        )
        report(Problem(one.path, one.line, message))
    return claim
