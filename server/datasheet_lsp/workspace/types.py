"""The plain values this room hands to the rest of the program."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Problem(msgspec.Struct, frozen=True):
    """Something in the workspace that the engineer should know: one or two sentences.

    ``path`` is the file it is about, None for options of the editor; ``line`` is 1-based.
    """

    path: Path | None
    line: int | None
    message: str

    def __str__(self) -> str:
        if self.path is None:
            return self.message
        return f"{self.path}{f':{self.line}' if self.line else ''}: {self.message}"


class Context(msgspec.Struct, frozen=True):
    """A device and the code it applies to.

    ``svd`` is None where no SVD was found for the device; ``member`` is the SVD within a pack.
    ``code`` has gitignore-like patterns relative to the workspace root, () for every file; a
    later pattern wins, ``!`` takes out. ``reasons`` say why, for people to read.
    """

    name: str
    device: str | None = None
    svd: Path | None = None
    member: str | None = None
    documents: tuple[Path, ...] = ()
    code: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


class FoundSvd(msgspec.Struct, frozen=True):
    """An SVD file, or one SVD of a pack.

    ``names`` are what it may be called: file name, the ``<name>`` inside, a pack's devices.
    ``source`` says who put it there: "workspace", "settings" or the tool that installed it.
    ``ignored`` tells that an ignore file of the workspace leaves it out.
    """

    path: Path
    names: tuple[str, ...]
    source: str = "workspace"
    member: str | None = None
    ignored: bool = False

    @property
    def label(self) -> str:
        """The file's name, with the member for a pack."""
        return f"{self.path.name}/{self.member}" if self.member else self.path.name


class Evidence(msgspec.Struct, frozen=True):
    """One thing a project file says about the chip.

    ``says`` quotes it. It names a ``device``, an ``svd`` file, or (``core``) which processor of a
    chip with several the code is for. Of several kinds of file in one folder the one of the
    highest ``rank`` decides. ``folder`` is the folder it speaks for. ``group`` separates what
    stands side by side in one file, such as the environments of platformio.ini.
    """

    path: Path
    line: int | None
    says: str
    rank: int
    folder: Path
    device: str | None = None
    svd: str | None = None
    core: str | None = None
    group: str = ""


class Discovery(msgspec.Struct, frozen=True):
    """What was found in a workspace, and what was chosen.

    ``inputs`` are the files that were read, ``folders`` those that were listed: when none of
    their times changed, a new search finds the same.
    """

    contexts: tuple[Context, ...] = ()
    svds: tuple[FoundSvd, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    problems: tuple[Problem, ...] = ()
    inputs: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()

    @property
    def candidates(self) -> tuple[FoundSvd, ...]:
        """All SVDs found, chosen or not."""
        return self.svds
