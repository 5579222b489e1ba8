"""Notices that the editor that started the server is gone."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable

POLL_SECONDS = 0.5
"""How often it is asked where the system cannot tell by itself."""


def is_running(pid: int) -> bool:
    """Whether a process ``pid`` exists on this machine, as far as this process can see."""
    if pid <= 0:
        return False
    if sys.platform == "win32":
        import ctypes

        synchronize, timed_out = 0x0010_0000, 0x102
        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(synchronize, False, pid)
        if not handle:
            return False
        try:
            return bool(kernel.WaitForSingleObject(handle, 0) == timed_out)
        finally:
            kernel.CloseHandle(handle)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


async def watch(pid: int, on_gone: Callable[[], None]) -> None:
    """Calls ``on_gone`` once the process ``pid`` has ended.

    A number that means no process here is not watched: a client in another container, or on the
    other end of a remote connection, gives its own.
    """
    if not is_running(pid):
        return
    handle = -1
    if hasattr(os, "pidfd_open"):
        try:
            handle = os.pidfd_open(pid)
        except OSError:
            handle = -1
    if handle < 0:
        while is_running(pid):
            await asyncio.sleep(POLL_SECONDS)
    else:
        loop = asyncio.get_running_loop()
        gone = asyncio.Event()
        loop.add_reader(handle, gone.set)
        try:
            await gone.wait()
        finally:
            loop.remove_reader(handle)
            os.close(handle)
    on_gone()
