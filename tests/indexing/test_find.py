"""Documents of a workspace: papers anywhere, texts where they are about the hardware."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasheet_lsp.indexing.find import find_files
from datasheet_lsp.workspace import Context
from datasheet_lsp.workspace.settings import DocumentsSettings

FILES = """
rm.pdf  vendor/sdk/ds.PDF  README.md  LICENSE.txt  CMakeLists.txt  src/main.c  package.json
docs/notes.md  docs/errata.html  board/pinout.csv  reports/board.xlsx  Errata_A.txt
docs/~$open.docx  notes/todo.md  data/errata.json  build/manual.pdf  .git/docs/x.pdf
""".split()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return tmp_path


def keys(root: Path, **more: object) -> list[str]:
    given = more.pop("given", ())
    contexts = more.pop("contexts", ())
    settings = DocumentsSettings(**more)  # type: ignore[arg-type]
    return [f.key for f in find_files(root, settings, contexts, given).files]  # type: ignore[arg-type]


FOUND = [
    "Errata_A.txt",
    "board/pinout.csv",
    "docs/errata.html",
    "docs/notes.md",
    "reports/board.xlsx",
    "rm.pdf",
    "vendor/sdk/ds.PDF",
]


def test_papers_and_hardware_texts_are_found(root: Path) -> None:
    assert keys(root) == FOUND


def test_manuals_that_git_ignores_are_found_all_the_same(root: Path) -> None:
    (root / ".gitignore").write_text("*.pdf\n*.PDF\nreports/\n")
    assert keys(root) == [key for key in FOUND if not key.startswith("reports/")]


def test_the_settings_add_and_leave_out(root: Path) -> None:
    found = keys(root, include=("data/*.json", "README.md"), exclude=("*.pdf", "docs/"))
    assert found == [
        "Errata_A.txt",
        "README.md",
        "board/pinout.csv",
        "data/errata.json",
        "reports/board.xlsx",
        "vendor/sdk/ds.PDF",
    ]


def test_what_is_named_is_not_left_out(root: Path) -> None:
    assert "rm.pdf" in keys(root, include=("rm.pdf",), exclude=("*.pdf",))


def test_without_the_search_only_what_is_named_is_taken(root: Path) -> None:
    context = Context("A", documents=(root / "rm.pdf",))
    named = {"STM32F407": ("docs/*.md",)}
    found = keys(root, search=False, devices=named, contexts=(context,))
    assert found == ["docs/notes.md", "rm.pdf"]


def test_a_pattern_that_fits_nothing_is_told(root: Path) -> None:
    found = find_files(root, DocumentsSettings(include=("manuals/*.pdf",)))
    assert found.problems == ['The settings have the document "manuals/*.pdf", which fits no file.']


def test_a_folder_full_of_pages_is_taken_in_part_and_told(root: Path) -> None:
    for number in range(400):
        (root / "docs" / f"page{number}.html").write_text("x")
    found = find_files(root, DocumentsSettings())
    assert len(found.files) < 320
    assert "documents.exclude" in found.problems[0]


def test_files_elsewhere_have_their_whole_path(root: Path, tmp_path_factory: object) -> None:
    other = root.parent / "other.pdf"
    other.write_text("x")
    assert keys(root, search=False, given=(other,)) == [other.as_posix()]
