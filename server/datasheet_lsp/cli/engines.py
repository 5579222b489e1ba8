"""What is known of the models without starting one: which are used, what they take, what fits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datasheet_lsp.engine.language import LanguageModelFile
    from datasheet_lsp.workspace import Settings


def engine_facts(root: Path, settings: Settings) -> dict[str, Any]:
    """The keys ``embedder``, ``model`` and ``memory`` of ``doctor --json``.

    The first two are None where there is none, with the reason in ``embedder_problem`` and
    ``model_problem``.
    """
    from datasheet_lsp.engine import EngineError, find_model
    from datasheet_lsp.engine.language import LoopbackServer, find_language_model, plan
    from datasheet_lsp.engine.memory import available, needed

    facts: dict[str, Any] = {
        "embedder": None,
        "embedder_problem": "",
        "model": None,
        "model_problem": "",
        "memory": None,
    }
    embedder = model = None
    if settings.embed.enabled:
        try:
            embedder = find_model(
                settings.embed.model, root, settings.embed.dimensions, inside=root
            )
            facts["embedder"] = {
                "name": embedder.name,
                "path": embedder.path,
                "dimension": embedder.dimension,
                "needs": needed(embedder),
            }
        except EngineError as error:
            facts["embedder_problem"] = str(error)
    context = settings.model.context
    if settings.model.enabled:
        try:
            found = find_language_model(settings.model, root)
            if isinstance(found, LoopbackServer):
                facts["model"] = {"name": found.name, "url": found.url, "context": context}
            else:
                model = found
                facts["model"] = model_facts(model, context)
        except EngineError as error:
            facts["model_problem"] = str(error)
    fits = plan(model, context, embedder)
    facts["memory"] = {
        "total": fits.memory,
        "available": available(),
        "model": fits.model,
        "embedder": fits.embedder,
        "rest": fits.rest,
        "alone": fits.alone,
        "together": fits.together,
        "unload_embedder": fits.unload_embedder,
    }
    return facts


def model_facts(model: LanguageModelFile, context: int) -> dict[str, Any]:
    """A language model of this machine as plain data; sizes in bytes."""
    from datasheet_lsp.engine.language import most_context, parts

    needs = parts(model, context)
    return {
        "name": model.name,
        "path": model.path,
        "origin": model.origin,
        "architecture": model.architecture,
        "size": model.size,
        "context": min(context, model.trained),
        "trained": model.trained,
        "most_context": most_context(model),
        "template": model.template,
        "needs": {
            "sum": needs.sum,
            "weights": needs.weights,
            "cache": needs.cache,
            "work": needs.work,
            "libraries": needs.libraries,
        },
    }


def listed_languages(facts: dict[str, Any], context: int) -> tuple[list[dict[str, Any]], list[str]]:
    """The language models of this machine, with the one of ``engine_facts``; what is wrong."""
    from datasheet_lsp.engine import EngineError
    from datasheet_lsp.engine.language import list_language_models

    found = list_language_models()
    wrong = [str(each) for each in found if isinstance(each, EngineError)]
    models = [model_facts(m, context) for m in found if not isinstance(m, EngineError)]
    used = facts["model"]
    if used and "path" in used and used["path"] not in [each["path"] for each in models]:
        models.insert(0, used)
    if facts["model_problem"]:
        wrong.append(facts["model_problem"])
    return models, wrong
