"""A GGUF model in llama.cpp. Only the language model's process imports this module's library.

It speaks to llama.cpp's own interface (``llama.h``) and not to the ``Llama`` class above it, which
cannot turn weight repacking off, stop in the middle of a prompt or keep more than one prefix.
"""

from __future__ import annotations

import ctypes
import re
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.language import chat
from datasheet_lsp.engine.language.batch import BATCH
from datasheet_lsp.engine.language.frames import (
    Finished,
    Generate,
    Load,
    Message,
    Reason,
    room_for,
)
from datasheet_lsp.engine.language.library import Library, set_fields, usual_threads
from datasheet_lsp.engine.language.prefixes import KEPT_TOKENS, SLOTS, Prefixes, common
from datasheet_lsp.engine.language.sampling import Sampler
from datasheet_lsp.engine.language.stream import THINK, TextStream

_ABORTED = 2
"""What ``llama_decode`` returns when it was told to stop."""


_PLAIN_READING = 0
"""``LLAMA_LOAD_MODE_NONE`` of ``llama.h``."""


class Stopped(Exception):
    """The text is not wanted any more."""


class LlamaModel:
    """A loaded model.

    Raises:
        EngineError: it cannot be loaded; the text says why and what to do.
    """

    def __init__(self, load: Load) -> None:
        self._library = Library()
        self._functions = functions = self._library.functions
        self._path = load.path
        model_parameters = functions.llama_model_default_params()
        set_fields(model_parameters, use_extra_bufts=load.repack)
        if load.repack:
            # A mapped file would stay in memory beside what is made of it: 9.1 GB for 4.5 GB.
            set_fields(model_parameters, load_mode=_PLAIN_READING)
        self._model = functions.llama_model_load_from_file(load.path.encode(), model_parameters)
        if not self._model:
            raise EngineError(f"{load.path} cannot be loaded{self._library.why()}.")
        if functions.llama_model_has_encoder(self._model):
            raise EngineError(f"{load.path} is no model that goes on with a text.")
        self._vocabulary = functions.llama_model_get_vocab(self._model)
        self._size = int(functions.llama_vocab_n_tokens(self._vocabulary))
        self.trained = int(functions.llama_model_n_ctx_train(self._model))
        self.context = min(load.context, self.trained) if self.trained > 0 else load.context
        self._stopping: Callable[[], bool] = lambda: False
        # Kept, since llama.cpp calls it for as long as the context lives.
        self._abort = functions.ggml_abort_callback(lambda _data: self._stopping())
        self._context = self._start(load)
        memory = functions.llama_get_memory(self._context)
        plain = not any(
            getattr(functions, name)(self._model)
            for name in ("llama_model_is_recurrent", "llama_model_is_hybrid")
            if hasattr(functions, name)
        )
        self._prefixes = Prefixes(functions, memory, plain)
        self._buffer = ctypes.create_string_buffer(256)
        self._bos = self._special_text(functions.llama_vocab_bos(self._vocabulary))
        self._eos = self._special_text(functions.llama_vocab_eos(self._vocabulary))
        self._markers = self._special_texts()
        self._render = self._template()
        self.template: Literal["model", "chatml"] = "model" if self._render else "chatml"

    def count(self, text: str) -> int:
        """How many tokens a text has, as the content of a message."""
        return len(self._tokens(text, special=False, begin=False))

    def measure(self, messages: Sequence[Message]) -> int:
        """How many tokens the messages have as a prompt."""
        return len(self._prompt(messages)[0])

    def generate(
        self,
        order: Generate,
        stopping: Callable[[], bool],
        show: Callable[[str], None],
        read: Callable[[int, int], None] = lambda done, total: None,
    ) -> Finished:
        """Give each piece of the text to ``show``; ``stopping`` is asked often.

        ``read`` is told how many of the new tokens of a long prompt are read, and of how many.

        Raises:
            EngineError: it cannot be done; the text says why.
        """
        begin = time.monotonic()
        tokens, text, chatml = self._prompt(order.messages)
        order.max_tokens = room_for(len(tokens), self.context, order.max_tokens, order.exact)
        self._stopping = stopping
        reason: Reason = "stop"
        count = reused = 0
        prompt_end = begin
        try:
            with Sampler(self._library, self._vocabulary, self._size, order) as sampler:
                head = self._head(order.messages, tokens)
                reused = self._prefixes.reuse(tokens)
                self._decode(tokens[reused:], read)
                self._prefixes.keep(head)
                prompt_end = time.monotonic()
                stop = [*order.stop, chat.CHATML_STOP] if chatml else order.stop
                stream = TextStream(stop, thinking=text.rstrip().endswith(THINK[0]))
                reason, count = self._text(order, sampler, stream, show)
        except Stopped:
            reason = "cancelled"
        finally:
            self._stopping = lambda: False
        end = time.monotonic()
        return Finished(
            order.id, reason, len(tokens), reused, count, max(prompt_end - begin, 0.0), end - begin
        )

    def _text(
        self,
        order: Generate,
        sampler: Sampler,
        stream: TextStream,
        show: Callable[[str], None],
    ) -> tuple[Reason, int]:
        """Token after token; why it ended and how many there were."""
        free = not order.grammar and not order.json_schema
        count = 0
        reason: Reason = "length"
        while count < order.max_tokens:
            if self._stopping():
                raise Stopped
            token = sampler.next(self._context)
            if self._functions.llama_vocab_is_eog(self._vocabulary, token):
                reason = "stop"
                break
            count += 1
            if shown := stream.feed(self._piece(token)):
                show(shown)
            if stream.ended:
                reason = "stop"
                break
            if free and count % 16 == 0 and stream.loops:
                reason = "loop"
                break
            if count < order.max_tokens:
                self._decode([token])
        if shown := stream.finish():
            show(shown)
        return reason, count

    def _start(self, load: Load) -> Any:
        functions = self._functions
        parameters = functions.llama_context_default_params()
        threads = load.threads or usual_threads()
        set_fields(
            parameters,
            n_ctx=self.context + KEPT_TOKENS,
            n_batch=BATCH,
            n_ubatch=BATCH,
            n_seq_max=SLOTS + 1,
            kv_unified=True,
            n_outputs_max=SLOTS + 1,
            n_threads=threads,
            n_threads_batch=threads,
            abort_callback=self._abort,
            no_perf=True,
        )
        context = functions.llama_init_from_model(self._model, parameters)
        if not context:
            raise EngineError(
                f"{load.path} cannot be started with a context of {self.context} tokens"
                f"{self._library.why()}: a smaller [model] context takes less memory."
            )
        return context

    def _decode(
        self, tokens: Sequence[int], read: Callable[[int, int], None] | None = None
    ) -> None:
        """Read tokens after those in work. Raises Stopped, EngineError."""
        work = self._prefixes
        for begin in range(0, len(tokens), BATCH):
            if self._stopping():
                raise Stopped
            batch = list(tokens[begin : begin + BATCH])
            data = (ctypes.c_int32 * len(batch))(*batch)
            result = self._functions.llama_decode(
                self._context, self._functions.llama_batch_get_one(data, len(batch))
            )
            if result == _ABORTED:
                work.cut(len(work.current))
                raise Stopped
            if result != 0:
                work.clear()
                raise EngineError(f"llama.cpp failed (code {result}){self._library.why()}.")
            work.current += batch
            if read is not None and len(tokens) > BATCH:
                read(begin + len(batch), len(tokens))

    def _prompt(self, messages: Sequence[Message]) -> tuple[list[int], str, bool]:
        """The messages as tokens and as text, and whether that is ChatML of ours."""
        safe = [chat.defuse(each, self._markers) for each in messages]
        text, chatml = chat.as_text(safe, self._render)
        begin = not (self._bos and text.startswith(self._bos))
        return self._tokens(text, special=True, begin=begin), text, chatml

    def _head(self, messages: Sequence[Message], tokens: Sequence[int]) -> int:
        """How many tokens come before the last message: likely to be the same another time."""
        if len(messages) < 2:
            return 0
        last = messages[-1]
        other = Message(last.role, "0" if last.content[:1] != "0" else "1")
        return common(tokens, self._prompt([*messages[:-1], other])[0])

    def _tokens(self, text: str, *, special: bool, begin: bool) -> list[int]:
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        tokens = (ctypes.c_int32 * room)()
        count = self._functions.llama_tokenize(
            self._vocabulary, data, len(data), tokens, room, begin, special
        )
        if count < 0:
            raise EngineError("A text could not be cut into tokens.")
        return list(tokens[:count])

    def _piece(self, token: int) -> bytes:
        size = self._functions.llama_token_to_piece(
            self._vocabulary, token, self._buffer, len(self._buffer), 0, False
        )
        if size < 0:
            self._buffer = ctypes.create_string_buffer(-size)
            return self._piece(token)
        return self._buffer.raw[:size]

    def _special_text(self, token: int) -> str:
        if token < 0:
            return ""
        text: bytes = self._functions.llama_vocab_get_text(self._vocabulary, token) or b""
        return text.decode("utf-8", "replace")

    def _special_texts(self) -> re.Pattern[str]:
        vocabulary = self._vocabulary
        control = self._functions.llama_vocab_is_control
        special = [each for each in range(self._size) if control(vocabulary, each)]
        return chat.marker_pattern(self._special_text(each) for each in special)

    def _template(self) -> chat.Render | None:
        raw = self._functions.llama_model_chat_template(self._model, None)
        if not raw:
            return None
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        try:
            form = Jinja2ChatFormatter(raw.decode("utf-8"), self._eos, self._bos)
        except Exception:  # it is no template
            return None

        def render(messages: list[dict[str, str]]) -> str:
            made = form(messages=messages, enable_thinking=False)
            return str(made.prompt)

        return render
