"""Questions to a workspace: answered with its devices, its index and its language model."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from datasheet_lsp.answer.ask import Asking, ask
from datasheet_lsp.answer.library import Library as Answers
from datasheet_lsp.answer.plan.model import Plan
from datasheet_lsp.answer.settings import PREAMBLE, AnswerSettings
from datasheet_lsp.answer.types import Answer, Event, Generate, Turn, silent
from datasheet_lsp.assist.library import Library, NoIndex
from datasheet_lsp.assist.search import keep, now
from datasheet_lsp.documents.tokens import TokenizerError, load_counter
from datasheet_lsp.model import Device
from datasheet_lsp.querylog import Entry, LoggedChunk
from datasheet_lsp.render.style import MARKDOWN, Style

if TYPE_CHECKING:
    from pathlib import Path

    from datasheet_lsp.assist.session import LoadedContext
    from datasheet_lsp.workspace.settings import Settings


class Asker:
    """Answers questions about one workspace. Everything here blocks.

    ``library`` is what its index has, None where there is to be none; ``loaded`` gives the devices
    that are in memory, the one in use first. ``generate`` is the language model.
    """

    def __init__(
        self,
        settings: Settings,
        library: Library | None,
        loaded: Callable[[], Sequence[Device]] = tuple,
        *,
        generate: Generate | None = None,
        model: str = "",
        context: int = 0,
        style: Style = MARKDOWN,
        near: bool = True,
    ) -> None:
        self.settings = settings
        self.library = library
        self.loaded = loaded
        self.generate = generate
        self.model = model
        self.context = context or settings.model.context
        self.style = style
        self.near = near
        self.notes: list[str] = []
        self.contexts: Sequence[LoadedContext] = ()
        self._count = _counter(settings)
        self._answers: Answers | None = None
        self._of: tuple[object, ...] = ()

    def ask(
        self,
        question: str,
        *,
        device: str | None = None,
        hints: Sequence[str] = (),
        history: Sequence[Turn] = (),
        on_event: Event = silent,
    ) -> Answer:
        """The answer, kept in the log of questions where that is wanted.

        The library is locked only while it is looked at anew: a search need not wait for a model.
        """
        answers, note = self._refreshed()
        loaded = self.loaded()
        if device is None and len(loaded) == 1:
            device = answers.device(loaded[0].name)
        asking = Asking(
            answers,
            planner=self._plan,
            generate=self.generate,
            settings=answer_settings(self.settings),
            model=self.model,
            context=self.context,
            style=self.style,
            near=self.near,
        )
        answer = ask(
            question, asking, device=device, hints=hints, history=history, on_event=on_event
        )
        if note and answer.route != "device":
            answer.notes = (*answer.notes, note)
        if self.settings.log.queries and self.library is not None:
            keep(self.settings, self.library, entry_of(answer, self.settings))
        return answer

    def devices(self) -> list[str]:
        """The names of the devices that can be asked about."""
        return list(self._refreshed()[0].devices)

    def has(self, device: str) -> bool:
        """Whether a device is known here."""
        return self._refreshed()[0].device(device) is not None

    def _refreshed(self) -> tuple[Answers, str]:
        """What is there now, and why there is no index if there is none."""
        loaded = self.loaded()
        note = ""
        searcher = None
        devices: Mapping[str, Device] = {device.name: device for device in loaded}
        if self.library is not None:
            try:
                with self.library.lock:
                    self.library.refresh()
                    searcher, indexed = self.library.searcher, self.library.devices
            except NoIndex as error:
                note = str(error)
            else:
                devices = ChainMap(dict(devices), indexed)  # type: ignore[arg-type]
        identity = (id(searcher), *(id(device) for device in loaded))
        if self._answers is None or identity != self._of:
            self._answers = Answers(devices, searcher, self._count)
            self._of = identity
        return self._answers, note

    def _plan(self, question: str, device: str) -> Plan | None:
        from datasheet_lsp.answer.plan import plan_for_question

        assert self._answers is not None
        searcher = self._answers.searcher
        index = searcher.index if searcher is not None else None
        return plan_for_question(question, self._answers.devices[device], index)


def _counter(settings: Settings) -> Callable[[str], int]:
    from pathlib import Path

    given = settings.documents.tokenizer
    try:
        return load_counter(Path(given).expanduser() if given else None)
    except TokenizerError:
        return load_counter()


def answer_settings(settings: Settings) -> AnswerSettings:
    """The settings of an answer as the user's settings have them."""
    given = settings.answer
    names = {name for name in AnswerSettings.__struct_fields__ if hasattr(given, name)}
    values = {name: getattr(given, name) for name in names}
    values["preamble"] = given.preamble or PREAMBLE
    mode = settings.search.mode if settings.embed.enabled else "keyword"
    return AnswerSettings(**values, mode=mode)


def answer_json(answer: Answer, file_of: Callable[[str], Path] | None = None) -> dict[str, Any]:
    """The answer as plain data; passages and citations with the address of their file."""
    data: dict[str, Any] = msgspec.to_builtins(answer)
    data["prompt"] = [{"role": role, "text": text} for role, text in answer.prompt]
    for each in (*data["chunks"], *data["citations"]):
        file = each["file"]
        path = file_of(file) if file_of is not None and file else None
        each["uri"] = path.as_uri() if path is not None and path.is_file() else None
    return data


def prompt_text(answer: Answer) -> str:
    """The whole prompt as one text."""
    return "\n\n".join(f"[{role}]\n{text}" for role, text in answer.prompt)


def entry_of(answer: Answer, settings: Settings) -> Entry:
    """What the log keeps of an answer."""
    return Entry(
        time=now(),
        query=answer.question,
        kind="answer",
        device=answer.device,
        mode=answer.route,
        chunks=tuple(
            LoggedChunk(
                chunk=piece.chunks[0] if piece.chunks else 0,
                file=piece.file,
                page=piece.first_page,
                heading=" > ".join(piece.heading_path),
                score=piece.score,
            )
            for piece in answer.chunks
        ),
        notes=answer.notes,
        seconds=dict(answer.timings),
        answer=answer.text,
        prompt=prompt_text(answer),
        model=answer.model,
    )
