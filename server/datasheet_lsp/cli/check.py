"""``datasheet-lsp check``: the mistakes of a project, for people and for CI."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.assist.findings import Finding
    from datasheet_lsp.cli.chip import Chip
    from datasheet_lsp.firmware import Source
    from datasheet_lsp.model import Lookup
    from datasheet_lsp.render.sarif import Result

DESCRIPTION = """Looks for mistakes in the use of registers in the C files of PATH: a file or a
folder. Ends with 1 where it finds any as bad as --fail-on says, with 0 where it does not."""

_RANKS = {"hint": 0, "information": 1, "warning": 2, "error": 3, "never": 4}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to look at, and how to tell."""
    from datasheet_lsp.cli.choice import add_choice

    parser.add_argument("path", nargs="?", type=Path, default=Path(), metavar="PATH")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--sarif", type=Path, metavar="FILE", help="write SARIF 2.1.0 to FILE")
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "information", "never"),
        default="warning",
        help="what makes the command fail (default: warning)",
    )
    parser.add_argument(
        "--show",
        choices=("error", "warning", "information", "hint"),
        default="warning",
        help="the least that is printed (default: warning); JSON and SARIF have everything",
    )
    add_choice(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the mistakes; 1 where there are any that count."""
    from datasheet_lsp.cli.chip import Chip

    path: Path = arguments.path
    if not path.exists():
        raise CliError(f"{path} is not there.", 2)
    checking = _Checking(path, Chip(path, arguments.svd, arguments.device))
    results = checking.results()
    if arguments.sarif is not None:
        _write_sarif(arguments.sarif, results)
    if arguments.json:
        _print_json(checking, results)
    else:
        _print(checking, results, arguments.show)
    worst = max((_RANKS[one.severity] for one in results), default=-1)
    return int(worst >= _RANKS[arguments.fail_on])


class _Checking:
    """The files of a path and what is wrong in them."""

    def __init__(self, path: Path, chip: Chip) -> None:
        from datasheet_lsp.assist.overview import code_files

        self.chip = chip
        self.files = code_files(Path(os.path.abspath(path)))
        self.checked = 0

    def results(self) -> list[Result]:
        """All mistakes in the order of the files."""
        from datasheet_lsp.assist.diagnostics import diagnose
        from datasheet_lsp.assist.overview import Overview, read_file, scan
        from datasheet_lsp.firmware import Source, tongue_of
        from datasheet_lsp.firmware.accesses import Reader

        session = self.chip.session
        severities = session.settings.diagnostics.severity
        overviews: dict[int, Overview] = {}
        root = session.root
        whole = self.files
        if root is not None:
            from datasheet_lsp.assist.overview import MAX_FILES, code_files

            whole = code_files(root)
            if len(whole) >= MAX_FILES or not set(self.files) <= set(whole):
                whole = []
        found: list[Result] = []
        for path in self.files:
            lookups = self._lookups(path)
            data = read_file(path)
            if not lookups or data is None:
                continue
            self.checked += 1
            source = Source(data[0], tongue_of(path, data[0]))
            overview = None
            if len(lookups) == 1 and whole:
                device = lookups[0].device
                overview = overviews.get(id(device))
                if overview is None:
                    overview = overviews[id(device)] = Overview(device)
                    scan(overview, whole, self._lookups, session.headers.of)
            headers = session.headers.of(path, source, lookups)
            reader = Reader(source, lookups, headers)
            found += [_result(path, source, one) for one in diagnose(reader, severities, overview)]
        return found

    def _lookups(self, path: Path) -> Sequence[Lookup]:
        return self.chip.lookups(path)


def _result(path: Path, source: Source, finding: Finding) -> Result:
    from datasheet_lsp.render.sarif import Result

    line, column = source.position(finding.start)
    end_line, end_column = source.position(finding.end)
    return Result(
        finding.code,
        finding.severity,
        finding.message,
        _shown(path),
        line + 1,
        _units(source, line, column) + 1,
        end_line + 1,
        _units(source, end_line, end_column) + 1,
        source.line(line).decode("utf-8", "replace").strip(),
    )


def _units(source: Source, line: int, column: int) -> int:
    """A byte column in UTF-16 units."""
    text = source.line(line)[:column].decode("utf-8", "replace")
    return len(text.encode("utf-16-le")) // 2


def _shown(path: Path) -> str:
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:
        return path.as_posix()


def _print(checking: _Checking, results: Sequence[Result], least: str) -> None:
    from datasheet_lsp.render.words import plural

    shown = [one for one in results if _RANKS[one.severity] >= _RANKS[least]]
    for one in shown:
        place = f"{one.path}:{one.line}:{one.column}"
        print(f"{place}: {one.severity}: {one.message} [{one.code}]")
    quiet = len(results) - len(shown)
    told = f"{plural(len(shown), 'finding')} in {plural(checking.checked, 'file')}"
    if quiet:
        told += f", {quiet} more with --show information"
    if not checking.checked:
        told += ": no C file here has a device"
    print(told)


def _print_json(checking: _Checking, results: Sequence[Result]) -> None:
    from datasheet_lsp.cli.output import print_json

    print_json({"files": checking.checked, "findings": list(results)})


def _write_sarif(path: Path, results: Sequence[Result]) -> None:
    import msgspec

    from datasheet_lsp import __version__
    from datasheet_lsp.assist.findings import KINDS
    from datasheet_lsp.render.sarif import Rule, sarif

    rules = [Rule(kind.code, kind.severity, kind.title) for kind in KINDS.values()]
    quoted = [msgspec.structs.replace(one, path=quote(one.path)) for one in results]
    data = msgspec.json.format(msgspec.json.encode(sarif(quoted, rules, __version__)), indent=2)
    try:
        path.write_bytes(data + b"\n")
    except OSError as error:
        raise CliError(f"{path} cannot be written: {error.strerror or error}.") from None
