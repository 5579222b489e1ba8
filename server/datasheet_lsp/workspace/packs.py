"""The SVDs of CMSIS packs that lie in the workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from datasheet_lsp.workspace.peek import stem_of
from datasheet_lsp.workspace.types import FoundSvd, Problem


def pack_svds(
    packs: Iterable[tuple[Path, bool]], source: str, report: Callable[[Problem], None]
) -> list[FoundSvd]:
    """One entry for each SVD in each pack, under the names of the devices it is for."""
    found: list[FoundSvd] = []
    for path, ignored in packs:
        from datasheet_lsp.svd import SvdError, list_pack

        try:
            devices = list_pack(path)
        except SvdError as error:
            report(Problem(path, None, str(error)))
            continue
        members: dict[str, list[str]] = {}
        for device in devices:
            members.setdefault(device.svd, []).append(device.device)
        for member, named in members.items():
            names = tuple(dict.fromkeys([*named, stem_of(Path(member).name)]))
            found.append(FoundSvd(path, names, source, member, ignored))
    return found
