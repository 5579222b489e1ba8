"""The plan of the house holds: imports, rooms, sizes, and nothing of one machine in the files."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from tests.support import ROOT

PACKAGE = ROOT / "server" / "datasheet_lsp"


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


@cache
def imports(path: Path) -> tuple[str, ...]:
    """All modules that ``path`` imports anywhere, relative ones made absolute."""
    package = ("datasheet_lsp", *path.relative_to(PACKAGE).parts[:-1])
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            base += [node.module] if node.module else []
            found.append(".".join(base))
            found += [".".join([*base, alias.name]) for alias in node.names]
    return tuple(found)


@cache
def allowed() -> dict[str, set[str]]:
    """Room -> rooms it may import, as the table of docs/architecture.md says."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| .* \|([^|]*)\|$", text, re.M)
    return {room: set(re.findall(r"`(\w+)`", may)) for room, may in rows}


def tracked() -> Iterator[Path]:
    """The files git knows, or, outside a clone, none."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    if done.returncode:
        pytest.skip("what is in the repository is asked of git, and this is no git checkout")
    for name in done.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            yield ROOT / name


def test_every_room_is_on_the_plan() -> None:
    rooms = {room_of(path) for path in modules()} - {""}
    assert rooms <= set(allowed())


def test_plan_has_no_circle() -> None:
    left = {room: set(may) for room, may in allowed().items()}
    while left:
        free = {room for room, may in left.items() if not may & set(left)}
        assert free, f"a circle among {sorted(left)}"
        for room in free:
            del left[room]


def test_imports_go_the_way_of_the_plan() -> None:
    wrong = []
    for path in modules():
        room = room_of(path)
        if not room:
            continue
        for name in imports(path):
            target = name.split(".")[1] if name.startswith("datasheet_lsp.") else room
            if (PACKAGE / target).is_dir() and target not in allowed()[room] | {room}:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("library", "homes"),
    [
        ("pygls", {"lsp"}),
        ("lsprotocol", {"lsp"}),
        ("apsw", {"index"}),
        ("sqlite3", {"index"}),
        ("lxml", {"svd", "documents", "workspace"}),  # Keil and Eclipse projects are XML too
        ("tree_sitter", {"firmware"}),
        ("tree_sitter_c", {"firmware"}),
    ],
)
def test_library_is_imported_in_its_room_alone(library: str, homes: set[str]) -> None:
    users = {
        room_of(path)
        for path in modules()
        for name in imports(path)
        if name.split(".")[0] == library
    }
    assert users <= homes


def test_sql_is_in_the_index_alone() -> None:
    statement = re.compile(
        r"\s*(SELECT .+ FROM |INSERT (OR \w+ )?INTO |UPDATE \w+ SET |DELETE FROM "
        r"|CREATE (\w+ )?TABLE |PRAGMA )",
        re.S,
    )
    wrong = []
    for path in modules():
        if room_of(path) == "index":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if statement.match(node.value):
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not wrong


HEAVY = ("torch", "sentence_transformers", "llama_cpp", "pymupdf", "fitz", "onnxruntime", "numpy")


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("datasheet_lsp.lsp.server", HEAVY),
        ("datasheet_lsp.assist.hover", (*HEAVY, "pygls", "lsprotocol", "apsw")),
        ("datasheet_lsp.cli.main", (*HEAVY, "pygls", "lsprotocol", "apsw", "lxml", "rich")),
    ],
)
def test_module_does_not_load_what_it_can_do_without(module: str, absent: tuple[str, ...]) -> None:
    code = f"import sys, {module}; print([m for m in {absent!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_no_file_of_ours_is_too_long() -> None:
    too_long = {}
    for path in tracked():
        if path.suffix in (".py", ".lua"):
            limit = 650 if path.is_relative_to(ROOT / "tests") else 450
            count = len(path.read_text(encoding="utf-8").splitlines())
            if count > limit:
                too_long[str(path.relative_to(ROOT))] = count
    assert too_long == {}


def test_no_file_names_this_machine_or_a_registry() -> None:
    patterns = [
        r"(?<![\w.~-])/(?:work|root)/",
        r"\bpypi\.o[r]g\b",
        r"\bpythonhoste[d]\.org\b",
        r"\bregistry\.npmj[s]\.org\b",
        r"\bdeb\.debia[n]\.org\b",
        r"--(?:extra-)?index-ur[l]\b",
    ]
    machine = re.compile("|".join(patterns).encode())
    wrong = []
    for path in tracked():
        if path == Path(__file__).resolve() or path.suffix == ".pdf":
            continue
        for number, line in enumerate(path.read_bytes().splitlines(), 1):
            if machine.search(line):
                wrong.append(f"{path.relative_to(ROOT)}:{number}: {line.decode(errors='replace')}")
    assert not wrong, "\n".join(wrong)


def test_shipped_schema_is_what_the_settings_say() -> None:
    from datasheet_lsp.workspace import settings_schema

    shipped = PACKAGE / "workspace" / "datasheet.schema.json"
    assert json.loads(shipped.read_text(encoding="utf-8")) == settings_schema()


def test_schema_is_a_valid_one() -> None:
    from datasheet_lsp.workspace import settings_schema

    jsonschema.Draft7Validator.check_schema(settings_schema())


def test_licence_is_the_whole_agpl() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.split()[:6] == "GNU AFFERO GENERAL PUBLIC LICENSE Version".split()
    assert "13. Remote Network Interaction" in text and "END OF TERMS AND CONDITIONS" in text
    assert 'license = "AGPL-3.0-or-later"' in (ROOT / "pyproject.toml").read_text()


def test_changelog_names_the_version() -> None:
    from datasheet_lsp import __version__

    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[(Unreleased|{re.escape(__version__)})\]", text, re.M)


def test_every_pin_of_torch_and_the_dependencies_is_exact() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==", 1) for line in lines if line and not line.startswith("#"))
    assert pins["torch"] == "2.13.0"
    assert not {"pip", "setuptools", "datasheet-lsp"} & {name.casefold() for name in pins}
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = re.search(r"^dependencies = \[(.*?)^\]", text, re.M | re.S)
    assert block
    for name in re.findall(r'"([\w-]+)', block[1]):
        assert name.casefold() in {pin.casefold() for pin in pins}, name
