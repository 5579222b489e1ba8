"""The part of an indexing run that comes after the keyword rows: which model makes the vectors."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Collection
from pathlib import Path

from datasheet_lsp.engine import BlockingEmbedder, EngineError, find_model
from datasheet_lsp.index import Index
from datasheet_lsp.indexing.events import ProblemFound, VectorsFinished
from datasheet_lsp.indexing.run import OnEvent
from datasheet_lsp.indexing.vectors import fill_vectors
from datasheet_lsp.search.functions import functions
from datasheet_lsp.workspace.settings import EmbedSettings

SWITCH = "DATASHEET_EMBED"
"""An environment variable: "off" makes no vectors, whatever the settings say."""

INSTALL = "pip install 'datasheet-lsp[embed]'"


def make_vectors(
    index: Index,
    root: Path,
    settings: EmbedSettings,
    devices: Collection[str],
    on_event: OnEvent,
    cancelled: Callable[[], bool],
) -> VectorsFinished | None:
    """Give all chunks their vectors, those of ``devices`` first; None where none are wanted.

    Where there is no model, or it does not work, the keyword rows stand as they are. The process of
    the model has ended when this returns.
    """
    if not is_wanted(settings) or not index.size():
        return None
    missing = what_is_missing(settings)
    if missing:
        finished = VectorsFinished(of=index.size(), missing=missing)
        on_event(finished)
        return finished
    try:
        model = find_model(settings.model, root, settings.dimensions, inside=root)
    except EngineError as error:
        # Without a word about a model in the settings it is no fault that there is none.
        missing, stopped = ("", str(error)) if settings.model else (str(error), "")
        finished = VectorsFinished(of=index.size(), missing=missing, stopped=stopped)
        on_event(finished)
    else:
        with BlockingEmbedder(model, threads=settings.threads, idle_seconds=0) as embedder:
            finished = fill_vectors(
                index,
                embedder,
                on_event,
                cancelled,
                devices=devices,
                phrases=functions().wordings,
            )
    if finished.stopped:
        on_event(ProblemFound("", finished.stopped))
    return finished


def is_wanted(settings: EmbedSettings) -> bool:
    """Whether vectors are to be made and searched at all."""
    return settings.enabled and os.environ.get(SWITCH, "").lower() != "off"


def what_is_missing(settings: EmbedSettings) -> str:
    """Which package is not installed that vectors need, and how to get it; "" where all are."""
    wanted = ["sqlite_vec"]
    # A model that is named may be one for llama.cpp: what that needs is said when it is loaded.
    wanted += [] if settings.model else ["sentence_transformers"]
    absent = [name.replace("_", "-") for name in wanted if importlib.util.find_spec(name) is None]
    if not absent:
        return ""
    return f"Search is by words alone: search by meaning needs {' and '.join(absent)} ({INSTALL})."
