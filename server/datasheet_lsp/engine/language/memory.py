"""How much memory a language model takes, from the head of its file, and beside what it fits.

``docs/benchmarks.md`` has what was measured.
"""

from __future__ import annotations

import msgspec

from datasheet_lsp.engine.language.batch import BATCH
from datasheet_lsp.engine.language.files import LanguageModelFile
from datasheet_lsp.engine.language.prefixes import KEPT_TOKENS
from datasheet_lsp.engine.memory import available, needed, total
from datasheet_lsp.engine.models import EmbedModel

LIBRARIES = 60 << 20
"""What the process takes with llama.cpp and no model."""

SERVER = 150 << 20
"""What the server takes with the devices and the index of a large workspace."""

EDITOR = 2 << 30
"""What is left to the system and the editor."""


class Parts(msgspec.Struct, frozen=True):
    """The memory of the language model's process by its parts, in bytes."""

    weights: int
    cache: int
    work: int
    libraries: int = LIBRARIES

    @property
    def sum(self) -> int:
        """All of them."""
        return self.weights + self.cache + self.work + self.libraries


class Plan(msgspec.Struct, frozen=True):
    """What fits into the memory of a machine, in bytes.

    ``model`` and ``embedder`` are what their processes take at most, 0 where there is none.
    ``alone`` says whether the model fits without the embedder, ``together`` whether with it; both
    leave ``EDITOR`` and ``SERVER`` to the rest.
    """

    memory: int
    model: int
    embedder: int
    alone: bool
    together: bool

    @property
    def rest(self) -> int:
        """What is left to the system, the editor and the server."""
        return EDITOR + SERVER

    @property
    def unload_embedder(self) -> bool:
        """Whether the embedder is to end before the model starts."""
        return bool(self.model and self.embedder) and self.alone and not self.together


def parts(file: LanguageModelFile, context: int) -> Parts:
    """What the process takes at its most with ``context`` tokens."""
    tokens = min(context, file.trained) + KEPT_TOKENS
    return Parts(
        weights=file.size,
        cache=file.token_bytes * tokens,
        work=BATCH * (file.width + file.vocabulary) * 4,
    )


def plan(
    model: LanguageModelFile | None,
    context: int,
    embedder: EmbedModel | None,
    memory: int | None = None,
) -> Plan:
    """What fits into ``memory`` bytes, those of this machine where it is not given.

    Where a machine does not tell its memory, everything is taken to fit.
    """
    memory = total() if memory is None else memory
    of_model = parts(model, context).sum if model is not None else 0
    of_embedder = needed(embedder) if embedder is not None else 0
    room = memory - EDITOR - SERVER if memory else of_model + of_embedder
    return Plan(memory, of_model, of_embedder, of_model <= room, of_model + of_embedder <= room)


def has_plenty(model: LanguageModelFile, context: int) -> bool:
    """Whether so much memory is free now that weights may be laid out anew.

    Then they are the process's own; else they are the file's, and the system may drop them and
    read them again.
    """
    free = available()
    return not free or parts(model, context).sum * 3 // 2 <= free


def shortage(model: LanguageModelFile, context: int) -> str:
    """Why the model cannot be started with the memory that is free now, "" where it can.

    The file's pages may be dropped and read again, so what is the process's own must fit, and the
    weights into the machine.
    """
    needs = parts(model, context)
    own, free = needs.sum - needs.weights, available()
    if free and own > free:
        return (
            f"{model.name} needs {own / 1e9:.1f} GB of memory beside its weights and "
            f"{free / 1e9:.1f} GB are free: end other programs, or make [model] context smaller."
        )
    if total() and needs.weights > total():
        return (
            f"{model.name} has {needs.weights / 1e9:.1f} GB of weights and this machine "
            f"{total() / 1e9:.1f} GB of memory: take a smaller model."
        )
    return ""


def most_context(model: LanguageModelFile, memory: int | None = None) -> int:
    """The most tokens of context, in thousands, with which the model fits alone; 0: with none."""
    memory = total() if memory is None else memory
    room = memory - EDITOR - SERVER - parts(model, 0).sum
    if not memory or not model.token_bytes:
        return model.trained
    return max(min(room // model.token_bytes, model.trained) // 1024 * 1024, 0)
