"""The language model: a GGUF file in a process of its own, or a server on this machine."""

from datasheet_lsp.engine.language.blocking import (
    AnyModel,
    BlockingLanguageModel,
    open_language_model,
)
from datasheet_lsp.engine.language.files import (
    LanguageModelFile,
    LoopbackServer,
    find_language_model,
    list_language_models,
)
from datasheet_lsp.engine.language.frames import Finished, Message
from datasheet_lsp.engine.language.memory import Plan, most_context, parts, plan
from datasheet_lsp.engine.language.model import LanguageModel, LanguageOptions
from datasheet_lsp.engine.language.openai import ServerModel

__all__ = [
    "AnyModel",
    "BlockingLanguageModel",
    "Finished",
    "LanguageModel",
    "LanguageModelFile",
    "LanguageOptions",
    "LoopbackServer",
    "Message",
    "Plan",
    "ServerModel",
    "find_language_model",
    "list_language_models",
    "most_context",
    "open_language_model",
    "parts",
    "plan",
]
