"""Answers off the event loop, which owns the language model's process: streamed, cancelled, kept.

An answer takes seconds to minutes. Searching and composing are done in a thread; each piece of text
comes back to the event loop as it is written.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from datasheet_lsp.lsp.models import Models
from datasheet_lsp.lsp.searching import Searching

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from datasheet_lsp.answer.types import Generate, Turn
    from datasheet_lsp.assist.ask import Asker
    from datasheet_lsp.assist.library import Library
    from datasheet_lsp.engine.language import AnyModel, LanguageModelFile, LoopbackServer
    from datasheet_lsp.lsp.project import Project
    from datasheet_lsp.workspace.settings import Settings

Value = TypeVar("Value")

AT_ONCE = 3
"""Answers that are worked on; the others wait. The language model takes one after another."""

MOST_CONVERSATIONS = 20
MOST_TURNS = 10

Emit = Callable[[str, str], None]
"""Is given a kind of event and its text, on the event loop; "read" is how much of the prompt is."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked. ``device`` is the chip, "any" all; ``llm`` False leaves the model out."""

    question: str
    device: str | None = None
    hints: tuple[str, ...] = ()
    llm: bool = True


class Writer(NamedTuple):
    """The language model. ``alone`` tells that there is no room for the embedder beside it."""

    model: AnyModel
    generate: Generate
    alone: bool


class Heard(threading.local):
    """Whom the thread at hand tells how much of a prompt is read, on the event loop."""

    read: Callable[[int, int], None] | None = None


class Asking:
    """The answers of a server, and the conversations they belong to."""

    def __init__(self, models: Models, searching: Searching) -> None:
        self._models = models
        self._searching = searching
        self._loop = asyncio.get_running_loop()
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._numbers = itertools.count(1)
        self._conversations: dict[str, list[Turn]] = {}
        self._guard = threading.Lock()
        self._askers: dict[tuple[str, bool], tuple[object, Asker]] = {}
        self._heard = Heard()
        self._found: dict[str, tuple[object, LanguageModelFile | LoopbackServer, bool]] = {}

    async def ask(
        self,
        project: Project,
        question: Question,
        device: str | None,
        conversation: str | None,
        emit: Emit,
    ) -> dict[str, Any]:
        """The answer as plain data. ``device`` is the one in use at the place of the question.

        Raises SearchError for a device that is unknown; may be cancelled.
        """
        history = list(self._conversations.get(conversation or "", ()))

        def hear(kind: str, text: str) -> None:
            from datasheet_lsp.answer.types import Cancelled

            if self._searching.cancelled():
                raise Cancelled
            self._loop.call_soon_threadsafe(emit, kind, text)

        session = project.session
        assert session is not None

        def work() -> tuple[dict[str, Any], Turn]:
            from datasheet_lsp.assist.ask import answer_json
            from datasheet_lsp.assist.svd_lines import lead_to_svd

            self._heard.read = lambda done, total: emit("read", f"{100 * done // max(1, total)}%")
            asker, note = self._asker(project, question.llm)
            answer = asker.ask(
                question.question,
                device=_device(asker, question.device, device),
                hints=question.hints,
                history=history,
                on_event=hear,
            )
            if note and answer.route != "device":
                answer.notes = (*answer.notes, note)
            library = asker.library
            data = answer_json(answer, library.file_of if library is not None else None)
            lead_to_svd(data, session.contexts)
            turn = Turn(answer.question, answer.text, answer.device, answer.chunks, answer.asked)
            return data, turn

        from datasheet_lsp.answer.types import Turn

        async with self._turn:
            data, turn = await self._searching.run(work)
        name = conversation or f"conversation-{next(self._numbers)}"
        self._keep(name, [*history, turn])
        data["conversation"] = name
        return data

    def drop(self, project: Project) -> None:
        """Forgets what is kept for a project that is gone."""
        with self._guard:
            for key in [key for key in self._askers if key[0] == project.key]:
                del self._askers[key]

    def forget(self) -> None:
        """Looks for the language model anew at the next question."""
        with self._guard:
            self._found.clear()

    def _keep(self, name: str, turns: Sequence[Turn]) -> None:
        self._conversations.pop(name, None)
        self._conversations[name] = list(turns[-MOST_TURNS:])
        while len(self._conversations) > MOST_CONVERSATIONS:
            del self._conversations[next(iter(self._conversations))]

    def _asker(self, project: Project, llm: bool) -> tuple[Asker, str]:
        """What answers for a project, and why without a language model where one is wanted."""
        from datasheet_lsp.assist.ask import Asker
        from datasheet_lsp.assist.library import NoIndex

        session = project.session
        assert session is not None
        settings = session.settings
        library: Library | None = None
        with contextlib.suppress(NoIndex):
            library = self._searching.library(project.key, session)
        writer, note = self._writer(settings, project) if llm else (None, "")
        identity = (id(session), id(library), settings, writer.model if writer else None)
        with self._guard:
            kept = self._askers.get((project.key, llm))
            if kept is not None and kept[0] == identity:
                return kept[1], note
            if writer is not None and writer.alone:
                # It cannot help with searching beside the embedder.
                answer = msgspec.structs.replace(settings.answer, subqueries=False, rewrite=False)
                settings = msgspec.structs.replace(settings, answer=answer)
            asker = Asker(
                settings,
                library,
                lambda: [loaded.device for loaded in session.contexts],
                generate=writer.generate if writer is not None else None,
                model=writer.model.name if writer is not None else "",
                context=writer.model.context if writer is not None else 0,
                near=writer is None or not writer.alone,
            )
            self._askers[project.key, llm] = (identity, asker)
            return asker, note

    def _writer(self, settings: Settings, project: Project) -> tuple[Writer | None, str]:
        from datasheet_lsp.engine import EngineError
        from datasheet_lsp.engine.language import BlockingLanguageModel, LanguageOptions

        wanted = settings.model
        if not wanted.enabled:
            return None, ""
        try:
            file, alone = self._find(settings, project)
            model = self._do(self._models.language(file, LanguageOptions.of(wanted)))
        except EngineError as error:
            return None, str(error) if wanted.path or wanted.url else ""
        blocking = BlockingLanguageModel.within(model, self._loop)

        def generate(
            messages: Sequence[tuple[str, str]],
            *,
            max_tokens: int,
            json_schema: Mapping[str, Any] | None = None,
            temperature: float | None = None,
            stop: Sequence[str] = (),
        ) -> Iterator[str]:
            from datasheet_lsp.answer.types import Cancelled
            from datasheet_lsp.engine.embedder import Interrupted
            from datasheet_lsp.engine.language import Message

            if alone:
                self._do(self._models.unload())
            try:
                yield from blocking.generate(
                    [Message(role, text) for role, text in messages],  # type: ignore[arg-type]
                    json_schema=dict(json_schema) if json_schema is not None else None,
                    max_tokens=max_tokens,
                    temperature=temperature,
                    stop=stop,
                    cancelled=self._searching.cancelled,
                    on_reading=self._heard.read,
                )
            except Interrupted:
                raise Cancelled from None

        return Writer(model, generate, alone), ""

    def _find(
        self, settings: Settings, project: Project
    ) -> tuple[LanguageModelFile | LoopbackServer, bool]:
        """The language model, looked for once; whether it leaves no room for the embedder."""
        from datasheet_lsp.engine.language import find_language_model

        wanted = (settings.model, settings.embed)
        with self._guard:
            kept = self._found.get(project.key)
        if kept is not None and kept[0] == wanted:
            return kept[1], kept[2]
        file = find_language_model(settings.model, project.root)
        alone = _alone(file, settings, project)
        with self._guard:
            self._found[project.key] = (wanted, file, alone)
        return file, alone

    def _do(self, work: Coroutine[Any, Any, Value]) -> Value:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


def _device(asker: Asker, asked: str | None, here: str | None) -> str | None:
    """The device that is asked about; raises SearchError where it is unknown."""
    from datasheet_lsp.assist.search import ANY, SearchError

    if asked is None:
        return here
    if asked.casefold() == ANY:
        return None
    if not asker.has(asked):
        known = ", ".join(sorted(asker.devices()))
        there = f"; there is {known}" if known else ""
        raise SearchError(f"nothing is known of the device {asked}{there}.")
    return asked


def _alone(file: LanguageModelFile | LoopbackServer, settings: Settings, project: Project) -> bool:
    """Whether the embedder has to go while the language model runs."""
    from datasheet_lsp.engine import EngineError, find_model
    from datasheet_lsp.engine.language import LoopbackServer, plan

    if isinstance(file, LoopbackServer) or not settings.embed.enabled:
        return False
    embed = settings.embed
    try:
        embedder = find_model(embed.model, project.root, embed.dimensions, inside=project.root)
    except EngineError:
        return False
    return plan(file, settings.model.context, embedder).unload_embedder
