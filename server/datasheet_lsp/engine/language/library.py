"""llama.cpp as a library: found, quiet, and what it says when it fails."""

from __future__ import annotations

import ctypes
import importlib.util
import os
from typing import Any

from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.language.brief import brief

_ERROR = 4
"""``GGML_LOG_LEVEL_ERROR`` of ``ggml.h``."""

_MOST_LINES = 3


class Library:
    """The module ``llama_cpp`` with its log in hand.

    Raises:
        EngineError: it is not installed, or cannot be loaded.
    """

    def __init__(self) -> None:
        if importlib.util.find_spec("llama_cpp") is None:
            raise EngineError(
                "A language model needs llama-cpp-python, which is not installed: "
                "pip install 'datasheet-lsp[llm]'."
            )
        # Threads that wait for each other sleep: spinning, as is usual, makes a text take up to
        # twenty times as long where something else wants the processors too.
        os.environ.setdefault("GOMP_SPINCOUNT", "0")
        # Else a failed assertion has a debugger print the stack, which takes seconds.
        os.environ["GGML_NO_BACKTRACE"] = "1"
        try:
            from llama_cpp import llama_cpp as functions
        except Exception as error:
            why = brief(error, 300)
            raise EngineError(
                f"llama-cpp-python cannot be used here ({type(error).__name__}: {why}): install it "
                "anew."
            ) from error
        self.functions: Any = functions
        self._errors: list[str] = []
        # Kept, since llama.cpp calls it for as long as the process lives.
        self._log = functions.llama_log_callback(self._hear)
        functions.llama_log_set(self._log, ctypes.c_void_p(0))
        functions.llama_backend_init()

    def why(self) -> str:
        """The last errors it logged, in brackets with a blank before; "" where there are none."""
        said, self._errors = self._errors[-_MOST_LINES:], []
        return f" ({'; '.join(said)[:300]})" if said else ""

    def _hear(self, level: int, text: bytes, _data: object) -> None:
        if level == _ERROR:
            line = brief(text.decode("utf-8", "replace"))
            if line and line not in self._errors:
                self._errors.append(line)


def set_fields(struct: Any, **values: object) -> None:
    """Set the fields that this version of llama.cpp has; what it lacks it does not need."""
    for name, value in values.items():
        if hasattr(struct, name):
            setattr(struct, name, value)


def usual_threads() -> int:
    """How many threads are used where the settings do not say.

    Of many processors, half: commonly two of them share one core, and memory is what limits.
    """
    try:
        processors = len(os.sched_getaffinity(0))
    except AttributeError:
        processors = os.cpu_count() or 1
    return processors if processors <= 4 else max(4, processors // 2)
