"""Which embedding model is used, where it lies and what it is. Nothing is loaded here."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from pathlib import Path
from typing import Any, Literal

import msgspec

from datasheet_lsp.engine import gguf, parts
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.places import DEMO_NAME, demo_folder, demo_zip, models_folder

DEFAULT_NAME = "nomic-embed-text-v1.5"
NOMIC = ("nomic_bert", "nomic-bert")
NOMIC_PREFIXES = ("search_query: ", "search_document: ")
NOMIC_CODE = "nomic-bert-2048"
_USUAL_TOKENS = 512

Origin = Literal["setting", "folder", "demo"]


class EmbedModel(msgspec.Struct, frozen=True, tag="embed"):
    """An embedding model on this machine.

    ``sha256`` is that of its weights; ``dimension`` what its vectors have here, ``full`` what the
    model makes; longer texts than ``max_tokens`` are cut by it. ``prefixes`` are put before a
    query and before a document. ``layer_norm`` is done before vectors are cut, ``normalise`` after
    it. ``code`` is the folder with the model's own code, "" where it needs none.
    """

    kind: Literal["sentence-transformers", "gguf"]
    name: str
    path: str
    sha256: str
    dimension: int
    full: int
    max_tokens: int
    prefixes: tuple[str, str]
    layer_norm: bool
    normalise: bool
    size: int
    origin: Origin = "setting"
    code: str = ""
    modules: str = ""

    @property
    def key(self) -> str:
        """Changes with all that has a part in the vectors, and with nothing else."""
        all_of_it = (
            self.kind,
            self.sha256,
            self.dimension,
            self.max_tokens,
            self.prefixes,
            self.layer_norm,
            self.normalise,
            self.modules,
            parts.VERSION,
        )
        return hashlib.sha256(repr(all_of_it).encode()).hexdigest()[:16]


class RerankModel(msgspec.Struct, frozen=True, tag="rerank"):
    """A cross-encoder on this machine; longer pairs than ``max_tokens`` are cut by it."""

    name: str
    path: str
    sha256: str
    max_tokens: int
    size: int


def find_model(
    name: str = "", base: Path | None = None, dimensions: int = 0, *, inside: Path | None = None
) -> EmbedModel:
    """The model that ``name`` means: a folder or GGUF file, relative to ``base``, or a name.

    Without a name it is nomic-embed-text-v1.5 where it lies in ``models_folder()``, else the one of
    the ``demo`` extra. ``dimensions`` are those of shorter vectors, 0 for the model's own. A model
    ``inside`` this folder, the workspace, has none of its own code run.

    Raises:
        EngineError: there is none that can be used.
    """
    path, origin = _place(name, base or Path())
    model = describe(path, dimensions, origin)
    if model.code and inside is not None and path.resolve().is_relative_to(inside.resolve()):
        if _is_built_in(_json(path / "config.json").get("model_type")):
            return msgspec.structs.replace(model, code="")
        raise EngineError(
            f"{model.name} has code of its own, which is not run from within a workspace: move its "
            f"folder to {models_folder()}."
        )
    return model


def list_models() -> list[EmbedModel | EngineError]:
    """The models of ``models_folder()`` and of the ``demo`` extra; why one cannot be used."""
    found: list[EmbedModel | EngineError] = []
    folder = models_folder()
    places: list[tuple[Path, Origin]] = []
    if folder.is_dir():
        for path in sorted(folder.iterdir()):
            if path.suffix == ".gguf" or (path / "config.json").is_file():
                # The code of a model that lies beside it is no model.
                if path.name != NOMIC_CODE and not _writes(path):
                    places.append((path, "folder"))
    for path, origin in places:
        try:
            found.append(describe(path, 0, origin))
        except EngineError as error:
            found.append(error)
    archive = demo_zip()
    if archive is not None:
        try:
            found.append(describe(demo_folder(archive), 0, "demo"))
        except EngineError as error:
            found.append(error)
    return found


def _place(name: str, base: Path) -> tuple[Path, Origin]:
    if name:
        path = base / Path(name).expanduser()
        if path.exists():
            return path, "setting"
        if (models_folder() / name).exists():
            return models_folder() / name, "folder"
        if name != DEMO_NAME:
            raise EngineError(
                f"The embedding model {name} is not there: [embed] model names the folder of a "
                f"sentence-transformers model, a GGUF file, or one of both in {models_folder()}."
            )
    elif (models_folder() / DEFAULT_NAME).is_dir():
        return models_folder() / DEFAULT_NAME, "folder"
    archive = demo_zip()
    if archive is None:
        raise EngineError(
            f"There is no embedding model: put the folder of {DEFAULT_NAME} into {models_folder()},"
            " or name another one in [embed] model."
        )
    return demo_folder(archive), "demo"


def describe(path: Path, dimensions: int = 0, origin: Origin = "setting") -> EmbedModel:
    """What the model at ``path`` is; its weights are read for their hash.

    Raises:
        EngineError: it is no model that can be used.
    """
    try:
        if path.is_dir():
            model = _folder(path, dimensions, origin)
        else:
            model = _gguf(path, dimensions, origin)
    except OSError as error:
        raise EngineError(f"{path} cannot be read ({error.strerror or error}).") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise EngineError(f"{path} is no embedding model ({error}).") from error
    if not 0 < model.dimension <= model.full:
        raise EngineError(
            f"{model.name} has vectors of {model.full} dimensions: [embed] dimensions cannot be "
            f"{dimensions}."
        )
    return model


def _folder(path: Path, dimensions: int, origin: Origin) -> EmbedModel:
    config = _json(path / "config.json")
    if not isinstance(config, dict):
        raise EngineError(
            f"{path} is no sentence-transformers model: it has no config.json. Put the whole folder"
            " of the model there, with config.json, modules.json, the tokenizer and the weights."
        )
    weights = _weights(path)
    modules = _json(path / "modules.json")
    steps = modules if isinstance(modules, list) else []
    full = int(config.get("hidden_size") or config.get("n_embd") or config.get("dim") or 0)
    details: list[object] = [steps]
    for step in steps:
        inner = _json(path / step["path"] / "config.json") if step.get("path") else None
        details.append(inner)
        if str(step.get("type", "")).endswith(".Dense") and isinstance(inner, dict):
            full = int(inner["out_features"])
            weights += _weights(path / step["path"])
    if not weights:
        raise EngineError(f"{path} has no weights: model.safetensors is missing.")
    nomic = config.get("model_type") in NOMIC
    normal = any(str(step.get("type", "")).endswith(".Normalize") for step in steps)
    text = _json(path / "sentence_bert_config.json")
    longest = config.get("max_position_embeddings") or config.get("n_positions") or _USUAL_TOKENS
    if isinstance(text, dict) and text.get("max_seq_length"):
        longest = text["max_seq_length"]
    return EmbedModel(
        kind="sentence-transformers",
        name=DEMO_NAME if origin == "demo" else path.resolve().name,
        path=str(path.resolve()),
        sha256=_hash(weights),
        dimension=dimensions or full,
        full=full,
        max_tokens=int(longest),
        prefixes=NOMIC_PREFIXES if nomic else _prompts(path),
        layer_norm=nomic,
        normalise=normal or nomic or bool(dimensions),
        size=sum(each.stat().st_size for each in weights),
        origin=origin,
        code=_code(path, config),
        modules=hashlib.sha256(json.dumps(details, sort_keys=True).encode()).hexdigest()[:12],
    )


def find_reranker(name: str, base: Path | None = None) -> RerankModel:
    """The cross-encoder that ``name`` means: a folder, relative to ``base``, or the name of one.

    Its weights are read for their hash. Code of its own is never run.

    Raises:
        EngineError: there is none that can be used.
    """
    path = (base or Path()) / Path(name).expanduser()
    if not path.exists():
        path = models_folder() / name
    try:
        config = _json(path / "config.json")
        weights = _weights(path)
        if not isinstance(config, dict) or not weights:
            raise EngineError(
                f"The reranker {name} is not there: [search] reranker names the folder of a "
                f"sentence-transformers cross-encoder, or one in {models_folder()}, with its "
                "config.json, tokenizer and model.safetensors."
            )
        kinds = [str(each) for each in config.get("architectures") or ()]
        if not any(each.endswith("ForSequenceClassification") for each in kinds):
            raise EngineError(f"{path.name} is no cross-encoder: it does not score pairs of texts.")
        if config.get("auto_map") and not _is_built_in(config.get("model_type")):
            raise EngineError(f"{path.name} has code of its own, which is not run.")
        head = _json(path / "tokenizer_config.json")
        longest = head.get("model_max_length") if isinstance(head, dict) else None
        positions = int(config.get("max_position_embeddings") or _USUAL_TOKENS)
        return RerankModel(
            name=path.resolve().name,
            path=str(path.resolve()),
            sha256=_hash(weights),
            max_tokens=min(positions, int(longest)) if longest else positions,
            size=sum(each.stat().st_size for each in weights),
        )
    except OSError as error:
        raise EngineError(f"{path} cannot be read ({error.strerror or error}).") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise EngineError(f"{path} is no cross-encoder ({error}).") from error


def _gguf(path: Path, dimensions: int, origin: Origin) -> EmbedModel:
    head = gguf.read_head(path)
    architecture = str(head.get("general.architecture", ""))
    full = int(head.get(f"{architecture}.embedding_length", 0))
    nomic = architecture in NOMIC
    return EmbedModel(
        kind="gguf",
        name=path.stem,
        path=str(path.resolve()),
        sha256=_hash([path]),
        dimension=dimensions or full,
        full=full,
        max_tokens=int(head.get(f"{architecture}.context_length", _USUAL_TOKENS)),
        prefixes=NOMIC_PREFIXES if nomic else ("", ""),
        layer_norm=nomic,
        normalise=True,
        size=path.stat().st_size,
        origin=origin,
    )


def _json(path: Path) -> Any:
    """What a JSON file has; None where there is no such file."""
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise EngineError(f"{path} is no JSON ({error}).") from error


def _weights(path: Path) -> list[Path]:
    found = sorted(path.glob("*.safetensors"))
    return found or sorted(path.glob("pytorch_model*.bin"))


def _hash(files: list[Path]) -> str:
    """The SHA-256 of a file; of several that of theirs."""
    digests = []
    for each in files:
        with each.open("rb") as file:
            digests.append(hashlib.file_digest(file, "sha256").hexdigest())
    return (
        digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()
    )


def _prompts(path: Path) -> tuple[str, str]:
    """What the model's makers put before a query and before a document."""
    config = _json(path / "config_sentence_transformers.json")
    prompts = config.get("prompts") if isinstance(config, dict) else None
    if not isinstance(prompts, dict):
        return "", ""

    def first(*names: str) -> str:
        return next((str(prompts[name]) for name in names if prompts.get(name)), "")

    return first("query", "search_query"), first("document", "passage", "search_document")


def _code(path: Path, config: dict[str, Any]) -> str:
    """Where the code is that the config names: with the model, or in a folder beside it.

    "" where it names none, and where it is not there but transformers has its own. Raises
    EngineError where the code is not on this machine.
    """
    named = config.get("auto_map")
    if not isinstance(named, dict) or not named:
        return ""
    files = set()
    homes = {path}
    for value in named.values():
        for each in [value] if isinstance(value, str) else [v for v in value if v]:
            repository, _, rest = str(each).rpartition("--")
            files.add(f"{rest.split('.')[0]}.py")
            if repository:
                homes.add(path.parent / repository.rpartition("/")[2])
    for home in sorted(homes, key=lambda home: home != path):
        if all((home / file).is_file() for file in files):
            return str(home.resolve())
    if _is_built_in(config.get("model_type")):
        return ""
    raise EngineError(
        f"{path.name} needs its code: put {' and '.join(sorted(files))} into {path} (nothing is "
        "ever fetched from the network)."
    )


def _writes(path: Path) -> bool:
    """Whether it is a GGUF file of a language model."""
    try:
        return path.suffix == ".gguf" and not gguf.is_embedder(gguf.read_head(path))
    except (OSError, ValueError):
        return False  # describe says what is wrong


def _is_built_in(kind: object) -> bool:
    """Whether the transformers that is installed knows this kind of model by itself."""
    spec = importlib.util.find_spec("transformers")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        if isinstance(kind, str) and kind.isidentifier():
            return (Path(folder) / "models" / kind / "__init__.py").is_file()
    return False
