"""A child process that is spoken to over its pipes, within an asyncio loop."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import Sequence
from typing import Any

import msgspec

from datasheet_lsp import wire


async def spawn(command: Sequence[str]) -> Process:
    """Start Python with the arguments ``command``; its standard error goes nowhere."""
    options: dict[str, Any] = {}
    if sys.platform == "win32":
        options["creationflags"] = subprocess.CREATE_NO_WINDOW
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        **options,
    )


async def send(process: Process, message: msgspec.Struct) -> None:
    """Hand over a message; nothing happens where the process has ended."""
    assert process.stdin is not None
    try:
        process.stdin.write(wire.encode(message))
        await process.stdin.drain()
    except (BrokenPipeError, ConnectionResetError):
        pass  # it has ended: whoever reads from it is told


def kill(process: Process) -> None:
    """End it at once, if it runs."""
    if process.returncode is None:
        try:
            process.kill()
        except ProcessLookupError:
            pass


async def end(process: Process, seconds: float) -> None:
    """Close its input and wait for its end; it is killed where that takes longer."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        kill(process)
        await process.wait()


def how(process: Process) -> str:
    """How it ended: ``signal 9`` or ``exit code 3``."""
    code = process.returncode
    if code is not None and code < 0:
        return f"signal {-code}"
    return f"exit code {code}"
