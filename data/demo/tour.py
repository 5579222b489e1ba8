"""Runs the tour of tour.txt and prints what an editor would show.

Each step is the command line a user could type. Ends with 1 when a step fails.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.panel import Panel
from rich.syntax import Syntax

HERE = Path(__file__).resolve().parent
MARK = "@"


def find(file: str, code: str) -> tuple[int, int]:
    """Line and column, both from 1, of the character after the mark in ``code``.

    Raises ``SystemExit`` when the file has no such line.
    """
    before, _, after = code.partition(MARK)
    for number, line in enumerate((HERE / file).read_text(encoding="utf-8").splitlines(), 1):
        if (column := line.find(before + after)) >= 0:
            return number, column + len(before) + 1
    raise SystemExit(f"tour.txt: {file} has no line with: {before + after}")


def run(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """One run of the command, in the demo's folder."""
    command = [sys.executable, "-m", "datasheet_lsp.cli.main", *arguments]
    environment = {**os.environ, "PYTHONUTF8": "1"}
    return subprocess.run(
        command, cwd=HERE, env=environment, capture_output=True, text=True, encoding="utf-8"
    )


def show_hover(console: Console, file: str, code: str) -> bool:
    """The code with a mark below the place, then the hover there as an editor renders it."""
    line, column = find(file, code)
    place = f"{file}:{line}:{column}"
    console.print(f"[dim]$ datasheet-lsp hover {place}[/dim]")
    done = run(["hover", place, "--json"])
    text = (HERE / file).read_text(encoding="utf-8").splitlines()[line - 1]
    console.print(Syntax(text.strip(), "c", background_color="default"))
    indent = len(text) - len(text.lstrip())
    console.print(" " * (column - 1 - indent) + "^", style="bold")
    markdown = json.loads(done.stdout).get("markdown") if done.returncode == 0 else None
    if not markdown:
        console.print(f"[red]nothing is shown here[/red] {escape(done.stderr.strip())}")
        return False
    console.print(Panel(Markdown(markdown), expand=False))
    return True


def show_command(console: Console, arguments: list[str]) -> bool:
    """The command and what it prints."""
    console.print(f"[dim]$ datasheet-lsp {escape(shlex.join(arguments))}[/dim]")
    done = run(arguments)
    console.print(done.stdout.rstrip(), markup=False, highlight=False)
    if done.returncode:
        console.print(f"[red]ended with {done.returncode}[/red] {escape(done.stderr.strip())}")
    return done.returncode == 0


def main() -> int:
    """Runs all steps; returns how many failed, at most 1."""
    console = Console(width=None if sys.stdout.isatty() else 110)
    failed = steps = 0
    begin = time.perf_counter()
    for line in (HERE / "tour.txt").read_text(encoding="utf-8").splitlines():
        verb, _, rest = line.partition(" ")
        if not line or line.startswith("#"):
            continue
        if verb[0].isupper():
            console.print()
            console.rule(escape(line), align="left")
            continue
        if verb == "hover":
            good = show_hover(console, *rest.split(" ", 1))
        else:
            good = show_command(console, shlex.split(line))
        steps += 1
        failed += not good
    seconds = time.perf_counter() - begin
    console.print(f"\n{steps} steps, {failed} failed, {seconds:.1f} s", highlight=False)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
