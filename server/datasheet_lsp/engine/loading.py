"""Loading an embedding model. Only the embedder process imports this module's libraries."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.models import EmbedModel, RerankModel
from datasheet_lsp.engine.places import cache_folder

BATCH = 32
"""Texts that go through the model at once."""


class Encoder(Protocol):
    """A loaded model."""

    dimension: int
    max_tokens: int

    def encode(self, texts: Sequence[str]) -> bytes:
        """The vectors of the texts, 32-bit floats, one after another."""
        ...

    def tokens(self, text: str) -> list[tuple[int, int]]:
        """Where each token of a text begins and ends; none for a model that does not tell."""
        ...


class CrossEncoder(Protocol):
    """A loaded reranker."""

    max_tokens: int

    def score(self, query: str, texts: Sequence[str]) -> bytes:
        """The scores of the texts for the query, 32-bit floats, one after another."""
        ...


def offline() -> None:
    """See to it that no library looks for anything outside of this machine."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"):
        os.environ[name] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    # Threads that wait for each other sleep: spinning makes a query take up to forty times as long
    # where something else wants the processors too.
    os.environ.setdefault("GOMP_SPINCOUNT", "0")


def load(model: EmbedModel, threads: int) -> Encoder:
    """The model, ready to use; ``threads`` 0 leaves their number to the library.

    Raises:
        EngineError: it cannot be loaded; the text says why and what to do.
    """
    if model.kind == "gguf":
        _need(model.name, "llama_cpp", "llm")
    else:
        _need(model.name, "sentence_transformers", "embed")
    if model.code and importlib.util.find_spec("einops") is None:
        raise EngineError(f"{model.name} needs einops, which is not installed: pip install einops.")
    with _sentences(model.name, model.path):
        return _Gguf(model, threads) if model.kind == "gguf" else _Sentence(model, threads)


def load_reranker(model: RerankModel, threads: int) -> CrossEncoder:
    """The reranker, ready to use; ``threads`` 0 leaves their number to the library.

    Raises:
        EngineError: it cannot be loaded; the text says why and what to do.
    """
    _need(model.name, "sentence_transformers", "embed")
    with _sentences(model.name, model.path):
        return _Cross(model, threads)


def _need(name: str, package: str, extra: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise EngineError(
            f"{name} needs {package.replace('_', '-')}, which is not installed: "
            f"pip install 'datasheet-lsp[{extra}]'."
        )


@contextmanager
def _sentences(name: str, path: str) -> Iterator[None]:
    """Makes one sentence of whatever goes wrong within."""
    try:
        yield
    except EngineError:
        raise
    except MemoryError as error:
        raise EngineError(f"{name} does not fit into the memory of this machine.") from error
    except Exception as error:
        why = " ".join(str(error).split())[:300]
        raise EngineError(
            f"{name} in {path} cannot be loaded ({type(error).__name__}: {why})."
        ) from error


class _Sentence:
    """A model through sentence-transformers."""

    def __init__(self, model: EmbedModel, threads: int) -> None:
        path = _with_code(model) if model.code else model.path
        import torch
        from sentence_transformers import SentenceTransformer

        if threads:
            torch.set_num_threads(threads)
        self._torch = torch
        self._model: Any = SentenceTransformer(
            path, device="cpu", local_files_only=True, trust_remote_code=bool(model.code)
        )
        self._model.default_prompt_name = None
        self._model.eval()
        self._spec = model
        self.max_tokens = int(self._model.max_seq_length or model.max_tokens)
        self.dimension = len(self.encode(["."])) // 4

    def encode(self, texts: Sequence[str]) -> bytes:
        """The vectors of the texts, 32-bit floats, one after another."""
        torch = self._torch
        with torch.inference_mode():
            made = self._model.encode(
                list(texts),
                batch_size=BATCH,
                convert_to_tensor=True,
                normalize_embeddings=False,
                show_progress_bar=False,
            ).float()
            made = shorten(torch, made, self._spec)
        data: bytes = made.contiguous().cpu().numpy().tobytes()
        return data

    def tokens(self, text: str) -> list[tuple[int, int]]:
        """Where each token of a text begins and ends; none for a model that does not tell."""
        tokenizer = self._model.tokenizer
        if not getattr(tokenizer, "is_fast", False):
            return []
        made = tokenizer(
            text,
            add_special_tokens=False,
            return_offsets_mapping=True,
            return_attention_mask=False,
            return_token_type_ids=False,
            truncation=False,
            verbose=False,
        )
        return [(first, last) for first, last in made["offset_mapping"]]


def shorten(torch: Any, made: Any, model: EmbedModel) -> Any:
    """Vectors as they are stored: cut to the model's ``dimension``, normalised.

    nomic-embed-text-v1.5 is made to be cut after a layer norm (its model card, "Matryoshka").
    """
    if model.dimension < made.shape[-1]:
        if model.layer_norm:
            made = torch.nn.functional.layer_norm(made, normalized_shape=(made.shape[-1],))
        made = made[..., : model.dimension]
    if model.normalise:
        made = torch.nn.functional.normalize(made, p=2, dim=-1)
    return made


class _Cross:
    """A cross-encoder through sentence-transformers."""

    def __init__(self, model: RerankModel, threads: int) -> None:
        import torch
        from sentence_transformers import CrossEncoder as Model

        if threads:
            torch.set_num_threads(threads)
        self._torch = torch
        self._model: Any = Model(
            model.path,
            device="cpu",
            local_files_only=True,
            trust_remote_code=False,
            max_length=model.max_tokens,
            # The logit itself: a sigmoid would make ties of the best.
            activation_fn=torch.nn.Identity(),
        )
        self.max_tokens = model.max_tokens
        self.score("a", ["b"])

    def score(self, query: str, texts: Sequence[str]) -> bytes:
        """The scores of the texts for the query, 32-bit floats, one after another."""
        with self._torch.inference_mode():
            made = self._model.predict(
                [(query, text) for text in texts],
                batch_size=BATCH,
                convert_to_tensor=True,
                show_progress_bar=False,
            ).float()
        if made.dim() > 1:
            # Of two classes the second is that of a text which answers.
            made = made[:, -1]
        data: bytes = made.contiguous().cpu().numpy().tobytes()
        return data


class _Gguf:
    """A model through llama.cpp, without torch."""

    def __init__(self, model: EmbedModel, threads: int) -> None:
        from llama_cpp import Llama

        length = min(model.max_tokens, 8192)
        self._model: Any = Llama(
            model_path=model.path,
            embedding=True,
            n_ctx=length,
            n_batch=length,
            n_ubatch=length,
            n_threads=threads or None,
            n_gpu_layers=0,
            verbose=False,
        )
        self._spec = model
        self.max_tokens = length
        self.dimension = len(self.encode(["."])) // 4

    def encode(self, texts: Sequence[str]) -> bytes:
        """The vectors of the texts, 32-bit floats, one after another."""
        from array import array

        out = array("f")
        for text in texts:
            vector = [float(x) for x in self._model.embed(text, normalize=False, truncate=True)]
            out.extend(_shorten_list(vector, self._spec))
        return out.tobytes()

    def tokens(self, text: str) -> list[tuple[int, int]]:
        """None: a text longer than the model reads is cut."""
        return []


def _shorten_list(vector: list[float], model: EmbedModel) -> list[float]:
    """As ``shorten``, for one vector and without torch."""
    if model.dimension < len(vector):
        if model.layer_norm:
            mean = sum(vector) / len(vector)
            variance = sum((x - mean) ** 2 for x in vector) / len(vector)
            vector = [(x - mean) / (variance + 1e-5) ** 0.5 for x in vector]
        vector = vector[: model.dimension]
    if model.normalise:
        length = sum(x * x for x in vector) ** 0.5 or 1.0
        vector = [x / length for x in vector]
    return vector


def _with_code(model: EmbedModel) -> str:
    """The folder to load: where the config names code of another place, one that names ours.

    The weights are linked, or copied where links cannot be made.
    """
    folder = Path(model.path)
    config = json.loads((folder / "config.json").read_bytes())
    os.environ["HF_MODULES_CACHE"] = str(cache_folder() / "code")
    if not any("--" in str(value) for value in config["auto_map"].values()):
        if Path(model.code) == folder:
            return model.path
    made = cache_folder() / "local" / f"{folder.name}-{model.key}"
    made.mkdir(parents=True, exist_ok=True)
    for source in (*folder.iterdir(), *Path(model.code).glob("*.py")):
        target = made / source.name
        if source.name == "config.json" or target.exists():
            continue
        try:
            target.symlink_to(source, target_is_directory=source.is_dir())
        except OSError:
            if source.is_dir():
                shutil.copytree(source, target)
            else:
                shutil.copy2(source, target)
    config["auto_map"] = {
        name: value.rpartition("--")[2] if isinstance(value, str) else value
        for name, value in config["auto_map"].items()
    }
    (made / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return str(made)
