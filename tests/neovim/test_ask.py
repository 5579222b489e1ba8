""":DatasheetAsk in a real, headless Neovim against the real server; its model is made up."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.assist.vectors import PYTHONPATH, indexed
from tests.lsp.writer import SERVE
from tests.neovim.test_neovim import run

HOW = "how is the baud rate of UART1 divided?"
LOOK = """
status()
local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')
end
local function holds(part)
  assert(vim.wait(30000, function() return text():find(part, 1, true) ~= nil end, 20),
    part .. ' is not shown: ' .. text())
end
-- The whole answer, once it is there.
local function whole(part)
  holds(part)
  assert(vim.wait(30000, function() return not text():find('s: stop', 1, true) end, 20), text())
  return text()
end
local function key(name)
  vim.api.nvim_feedkeys(vim.keycode(name), 'xt', false)
end
"""


@pytest.fixture
def main(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)
    folder = tmp_path / "firmware"
    folder.mkdir()
    return indexed(folder, "[search]\nmode = 'keyword'\n")


def asked(tmp_path: Path, main: Path, body: str) -> Any:
    return run(tmp_path, main, LOOK + body, cmd=[sys.executable, "-c", SERVE])


def test_the_answer_stands_in_a_window(tmp_path: Path, main: Path) -> None:
    shown, windows = asked(
        tmp_path,
        main,
        f"""
        vim.cmd('DatasheetAsk {HOW}')
        local shown = whole('The divider of the baud rate is in UART1.BRR')
        key('q')
        return {{ shown, #vim.api.nvim_list_wins() }}
        """,
    )
    assert "[1] chip.svd" in shown and windows == 1


def test_a_citation_leads_to_its_place(tmp_path: Path, main: Path) -> None:
    name, line = asked(
        tmp_path,
        main,
        f"""
        vim.cmd('DatasheetAsk {HOW}')
        whole('chip.svd')
        vim.fn.search('\\\\[1\\\\]', 'w')
        key('<CR>')
        assert(vim.wait(10000, function() return vim.fn.expand('%:t') == 'chip.svd' end, 20))
        return {{ vim.fn.expand('%:t'), vim.fn.getline('.') }}
        """,
    )
    assert name == "chip.svd" and line.strip() in ("<register>", "<peripheral>")


def test_it_is_written_as_it_comes_and_stopped(tmp_path: Path, main: Path) -> None:
    shown, later = asked(
        tmp_path,
        main,
        f"""
        vim.cmd('DatasheetAsk {HOW} forever')
        holds('wxxrdss')
        holds('s: stop')
        vim.cmd.DatasheetStop()
        holds('(stopped)')
        local shown = text()
        vim.wait(500)
        return {{ shown, text() }}
        """,
    )
    assert shown == later and "s: stop" not in shown


def test_without_the_model_and_further(tmp_path: Path, main: Path) -> None:
    first, title = asked(
        tmp_path,
        main,
        f"""
        vim.cmd('DatasheetAsk! {HOW}')
        local first = whole('[1]')
        vim.ui.input = function(_, done) done('which page?') end
        key('f')
        whole('chip.svd')
        local title = vim.api.nvim_win_get_config(0).title[1][1]
        return {{ first, title }}
        """,
    )
    assert "UART1" in first and "The divider of the baud rate is in" not in first
    assert title == " which page? "


def test_lines_are_explained(tmp_path: Path, main: Path) -> None:
    shown, title = asked(
        tmp_path,
        main,
        """
        vim.cmd('%DatasheetExplain')
        local shown = whole('chip.svd')
        return { shown, vim.api.nvim_win_get_config(0).title[1][1] }
        """,
    )
    assert "UART1.BRR [1]" in shown and title.strip().startswith("Lines 1 to ")
