"""The models of a machine and its memory, worded for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

ORIGINS = {
    "setting": "named by [model] path",
    "folder": "in the folder for models",
    "demo": "of the demo-llm extra",
}


def size_text(count: float) -> str:
    """Bytes in units of a thousand: "4.4 GB", "98 MB"."""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


def engine_rows(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Labelled lines for embedder, language model and memory; the keys of ``doctor --json``."""
    return [
        ("embedder", _embedder(facts)),
        ("model", _model(facts)),
        ("memory", memory_text(facts["memory"], facts["model"])),
    ]


def _embedder(facts: Mapping[str, Any]) -> str:
    embedder = facts["embedder"]
    if embedder is not None:
        return f"{embedder['name']} ({embedder['dimension']} dimensions)"
    if facts["embedder_problem"]:
        return f"none, search is by words alone. {facts['embedder_problem']}"
    return "switched off: search is by words alone"


def _model(facts: Mapping[str, Any]) -> str:
    model = facts["model"]
    if model is None:
        if facts["model_problem"]:
            return f"none, answers are plans and passages. {facts['model_problem']}"
        return "switched off: answers are plans and passages"
    if "url" in model:
        return f"{model['name'] or 'the first one'} of the server at {model['url']}"
    said = f"{model['name']}, {size_text(model['size'])}, context {model['context']:,} tokens"
    return said + ("" if model["template"] else ", no chat template of its own (ChatML is used)")


def memory_text(memory: Mapping[str, Any], model: Mapping[str, Any] | None) -> str:
    """What fits beside what, and what is done or to be done about it."""
    has = f"{size_text(memory['total'])}: " if memory["total"] else ""
    parts = [f"{name} {memory[name] / 1e9:.1f}" for name in ("embedder", "model") if memory[name]]
    if not parts:
        return f"{has}no model takes any".strip()
    rest = f"system, editor and server {memory['rest'] / 1e9:.1f}"
    said = f"{has}{' + '.join(parts)} + {rest}"
    if memory["together"]:
        return f"{said} fit together"
    if memory["unload_embedder"]:
        return f"{said} do not fit together: the embedder is ended while the model runs"
    said = f"{said} do not fit"
    if model is None or "most_context" not in model:
        return said
    if model["most_context"] >= 1024:
        return f"{said}: with [model] context = {model['most_context']} the model would"
    return f"{said}: take a smaller model, or one with fewer bits for each weight"


def language_lines(models: Sequence[Mapping[str, Any]], used: str | None) -> list[str]:
    """The language models of a machine, each with what it takes; ``used`` is the path of one."""
    lines = []
    for model in models:
        needs = model["needs"]
        mark = "used" if model["path"] == used else "    "
        lines += [
            f"{mark}  {model['name']}  {size_text(model['size'])}, context {model['context']:,} of "
            f"{model['trained']:,} tokens, {ORIGINS[model['origin']]}",
            f"      {model['path']}",
            f"      takes about {size_text(needs['sum'])} of memory (weights "
            f"{size_text(needs['weights'])}, {model['context']:,} tokens of context "
            f"{size_text(needs['cache'])}, work {size_text(needs['work'] + needs['libraries'])})",
        ]
    return lines
