""":DatasheetSearch in a real, headless Neovim against the real server."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import run as command
from tests.lsp.projects import line_of, one_chip, svd
from tests.manuals import manual
from tests.neovim.test_neovim import run

SETTINGS = "[index]\nautomatic = false\n[embed]\nenabled = false\n"
LOOK = """
status()
local function shown()
  float()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end
local function to(text)
  assert(vim.fn.search(text, 'w') > 0, text .. ' is not shown')
end
local function key(name)
  vim.api.nvim_feedkeys(vim.keycode(name), 'xt', false)
end
"""


@pytest.fixture
def main(tmp_path: Path) -> Path:
    """The C file of a project with a manual and a text, both indexed."""
    folder = tmp_path / "firmware"
    (folder / "docs").mkdir(parents=True)
    (folder / "datasheet.toml").write_text(SETTINGS)
    file = one_chip(folder)
    manual(folder / "manual.pdf")
    text = "# Errata\n\nOf the ALPHA.\n\n## Receiver\n\nA character during wake-up is lost.\n"
    (folder / "docs" / "ALPHA_errata.md").write_text(text)
    done = command("index", folder=folder)
    assert done.returncode == 0, done.stderr
    return file


def searched(tmp_path: Path, main: Path, body: str) -> Any:
    program = shutil.which("datasheet-lsp", path=str(Path(sys.executable).parent))
    assert program is not None
    return run(tmp_path, main, LOOK + body, cmd=[program, "serve"])


def test_hits_are_shown_with_their_places_and_the_scope(tmp_path: Path, main: Path) -> None:
    lines = searched(tmp_path, main, "vim.cmd('DatasheetSearch UART1_BRR')\nreturn shown()")
    assert lines[0].startswith("Searched for ALPHA (the device of main.c): 3 of 3 documents.")
    text = "\n".join(lines)
    assert "Baud rate register (UART1_BRR)" in text
    assert "   ALPHA reference manual Rev 3, p. 3" in lines


def test_enter_opens_the_text_at_its_heading(tmp_path: Path, main: Path) -> None:
    name, row, windows = searched(
        tmp_path,
        main,
        """
        vim.cmd('DatasheetSearch character lost at wake-up')
        shown()
        to('> Receiver')
        key('<CR>')
        return { vim.fn.expand('%:t'), vim.fn.line('.'), #vim.api.nvim_list_wins() }
        """,
    )
    assert (name, row, windows) == ("ALPHA_errata.md", 5, 1)


def test_enter_opens_the_svd_at_the_register(tmp_path: Path, main: Path) -> None:
    name, row = searched(
        tmp_path,
        main,
        """
        vim.api.nvim_win_set_cursor(0, { 3, 12 })
        vim.cmd.DatasheetSearch()
        shown()
        to('UART1 > BRR')
        key('<CR>')
        return { vim.fn.expand('%:t'), vim.fn.line('.') }
        """,
    )
    assert (name, row - 1) == ("chip.svd", line_of(svd("ALPHA", 0x40001000), "BRR"))


def test_enter_opens_the_page_of_a_manual_as_a_picture(tmp_path: Path, main: Path) -> None:
    name, size = searched(
        tmp_path,
        main,
        """
        local opened
        vim.ui.open = function(path) opened = path end
        vim.cmd('DatasheetSearch UART1_BRR')
        shown()
        to('ALPHA reference manual Rev 3, p. 3')
        key('<CR>')
        assert(vim.wait(30000, function() return opened ~= nil end, 50), 'nothing was opened')
        return { opened, vim.fn.getfsize(opened) }
        """,
    )
    assert name.endswith(".png") and size > 1_000


def test_the_scope_is_lifted_and_q_closes(tmp_path: Path, main: Path) -> None:
    lines, windows = searched(
        tmp_path,
        main,
        """
        vim.cmd('DatasheetSearch UART1_BRR')
        shown()
        key('a')
        assert(vim.wait(10000, function()
          return vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] == 'Searched in all 3 documents.'
        end, 20))
        local lines = shown()
        key('q')
        return { lines, #vim.api.nvim_list_wins() }
        """,
    )
    assert lines[0] == "Searched in all 3 documents." and windows == 1


def test_what_cannot_be_searched_is_said(tmp_path: Path, main: Path) -> None:
    told = searched(
        tmp_path,
        main,
        """
        local told
        vim.notify = function(text) told = text end
        vim.api.nvim_win_set_cursor(0, { 1, 0 })
        vim.cmd.DatasheetSearch()
        assert(vim.wait(10000, function() return told ~= nil end, 20))
        return told
        """,
    )
    assert told.startswith("datasheet-lsp: Nothing is asked")
