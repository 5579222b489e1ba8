"""The documents of a workspace, and which of them a word on the command line means."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from datasheet_lsp.cli.chip import roots_of
from datasheet_lsp.cli.errors import CliError
from datasheet_lsp.index import Index, StoredDocument
from datasheet_lsp.workspace.settings import Settings, read_settings

_MOST_LISTED = 6
_MOST_NEAR = 3


class Found(msgspec.Struct):
    """A document. ``file`` is None when it is gone, ``stored`` when it is not in the index.

    ``stored`` is what the index has of the file as it is now; ``outdated`` tells that it has
    another state of it.
    """

    library: Library
    file: Path | None
    stored: StoredDocument | None
    outdated: bool = False

    @property
    def name(self) -> str:
        """The path as the index has it, else the file's name."""
        if self.stored is None:
            return self.file.name if self.file is not None else ""
        if self.file is not None:
            real = os.path.realpath(self.file)
            for name in self.stored.files:
                if os.path.realpath(self.library.root / name) == real:
                    return name
        return label(self.stored)


class Library:
    """The workspace around a path with its settings and its index, which may not be there.

    A context manager; nothing is written.
    """

    def __init__(self, path: Path) -> None:
        self.root, self.settings, self.index_path = workspace_of(path)
        self.index: Index | None = None
        self.documents: list[StoredDocument] = []
        if self.index_path.is_file():
            self.index = Index(self.index_path)
            self.documents = self.index.documents()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the index."""
        if self.index is not None:
            self.index.close()

    def file_of(self, document: StoredDocument) -> Path | None:
        """The first of the document's files that is there."""
        paths = (self.root / name for name in document.files)
        return next((path for path in paths if path.is_file()), None)

    def at(self, file: Path) -> list[StoredDocument]:
        """The documents that the index has of a file: several for a pack."""
        real = os.path.realpath(file)
        return [
            document
            for document in self.documents
            if any(os.path.realpath(self.root / name) == real for name in document.files)
        ]

    def password(self, file: Path) -> str | None:
        """The password that the settings have for a file."""
        from datasheet_lsp.indexing.find import key_of
        from datasheet_lsp.indexing.job import password_of

        return password_of(file, key_of(file, self.root), self.settings.documents.password)


def workspace_of(path: Path) -> tuple[Path, Settings, Path]:
    """The workspace around a path: its root, its settings, and where its index lies.

    The nearest with an index, else the nearest.
    """
    found: list[tuple[Path, Settings, Path]] = []
    for root, _ in roots_of(path):
        settings, _ = read_settings(root)
        found.append((root, settings, root / Path(settings.index.path).expanduser()))
        if found[-1][2].is_file():
            return found[-1]
    return found[0]


def find_document(text: str) -> Found:
    """The document that ``text`` means, seen from the current folder.

    A file that is there comes before an id, an id before a name. The library is to be closed.

    Raises:
        CliError: nothing, or several; the text says what may have been meant.
    """
    file = Path(os.path.abspath(text))
    if file.is_file():
        return _of_file(file)
    library = Library(Path())
    try:
        stored = _named(text, library)
    except CliError:
        library.close()
        raise
    file_now = library.file_of(stored)
    current = file_now is None or _sha256(file_now) == stored.sha256
    return Found(library, file_now, stored, outdated=not current)


def _of_file(file: Path) -> Found:
    """A file with what the index of its workspace, or of the current folder's, has of it."""
    libraries = [Library(file)]
    here = Library(Path())
    if here.root != libraries[0].root:
        libraries.append(here)
    else:
        here.close()
    try:
        for library in libraries:
            found = library.at(file)
            if found:
                current = _sha256(file) == found[0].sha256
                libraries.remove(library)
                return Found(library, file, found[0], outdated=not current)
        return Found(libraries.pop(0), file, None)
    finally:
        for library in libraries:
            library.close()


def _sha256(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise CliError(f"{file} cannot be read: {error.strerror or error}.") from None


def _named(text: str, library: Library) -> StoredDocument:
    documents = library.documents
    if not documents:
        if library.index is not None and library.index.problem:
            raise CliError(library.index.problem)
        raise CliError(
            f"{text} is no file, and no document is indexed in {library.root}: "
            "datasheet-lsp index does it."
        )
    if text.isascii() and text.isdigit():
        for document in documents:
            if document.id == int(text):
                return document
    wanted = _plain(text)
    for fits in (_exact, _stem, _part, _words):
        found = [each for each in documents if any(fits(wanted, name) for name in _names(each))]
        if len(found) == 1:
            return found[0]
        if found:
            raise CliError(f"{text} may be {_listed(found)}: name one by its id.")
    raise CliError(f"no document is called {text}.{_near(wanted, documents)}")


def _plain(text: str) -> str:
    return " ".join(text.replace("\\", "/").casefold().split())


def _names(document: StoredDocument) -> list[str]:
    """The paths and the title with the revision, ready to compare."""
    return [_plain(name) for name in (*document.files, f"{document.title} {document.revision}")]


def _exact(wanted: str, name: str) -> bool:
    return name == wanted or name.endswith(f"/{wanted}")


def _stem(wanted: str, name: str) -> bool:
    return name.rpartition("/")[2].rpartition(".")[0] == wanted


def _part(wanted: str, name: str) -> bool:
    return bool(wanted) and wanted in name


def _words(wanted: str, name: str) -> bool:
    words = re.findall(r"\w+", wanted.replace("_", " "))
    return bool(words) and all(word in name for word in words)


def _listed(documents: Sequence[StoredDocument]) -> str:
    said = [f"{each.id} ({label(each)})" for each in documents[:_MOST_LISTED]]
    more = len(documents) - len(said)
    if more > 0:
        said.append(f"{more} more")
    return ", ".join(said[:-1]) + f" or {said[-1]}"


def label(document: StoredDocument) -> str:
    """A document as it is listed: file, or title without one."""
    return document.files[0] if document.files else document.title


def _near(wanted: str, documents: Sequence[StoredDocument]) -> str:
    from rapidfuzz import fuzz, process

    names: dict[str, str] = {}
    for document in documents:
        for name in _names(document):
            names.setdefault(name, label(document))
            names.setdefault(name.rpartition("/")[2], label(document))
    near = process.extract(wanted, list(names), scorer=fuzz.WRatio, limit=8, score_cutoff=60)
    found = list(dict.fromkeys(names[name] for name, _, _ in near))[:_MOST_NEAR]
    if not found:
        return f" There {'is' if len(documents) == 1 else 'are'} {_all(documents)}."
    return f" Did you mean {' or '.join(found)}?"


def _all(documents: Sequence[StoredDocument]) -> str:
    names = [label(each) for each in documents[:_MOST_LISTED]]
    more = len(documents) - len(names)
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")
