"""The language model's process: ``python -m datasheet_lsp.engine.language.child``.

It takes its orders from its standard input and answers on what was its standard output; what a
library prints goes nowhere. When its input closes it ends at once, whatever it is doing.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import BinaryIO, Literal, Protocol

import msgspec

from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.language import frames
from datasheet_lsp.engine.language.brief import brief
from datasheet_lsp.wire.child import memory, sender, take_over

Work = frames.Generate | frames.Count | frames.Measure

NICENESS = 5
"""Below the editor, so that typing does not stutter while a text is written."""


class Model(Protocol):
    """A loaded model."""

    context: int
    trained: int
    template: Literal["model", "chatml"]

    def count(self, text: str) -> int: ...  # noqa: D102

    def measure(self, messages: Sequence[frames.Message]) -> int: ...  # noqa: D102

    def generate(  # noqa: D102
        self,
        order: frames.Generate,
        stopping: Callable[[], bool],
        show: Callable[[str], None],
        read: Callable[[int, int], None],
    ) -> frames.Finished: ...


def load(order: frames.Load) -> Model:
    """The model, ready to use. Raises EngineError."""
    from datasheet_lsp.engine.language.llama import LlamaModel

    return LlamaModel(order)


class Orders:
    """What is to be done, as the listening thread hears of it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._changed = threading.Condition()
        self._work: deque[Work] = deque()
        self._cancelled: set[int] = set()
        self._current = 0
        self._stop = False

    def listen(self) -> None:
        """Take orders until the input closes, then end the process."""
        while True:
            try:
                order = frames.read_order(self._stream)
            except Exception:
                order = None
            if order is None:
                os._exit(0)
            with self._changed:
                if isinstance(order, frames.Cancel):
                    self._cancel(order.id)
                elif not isinstance(order, frames.Load):
                    self._work.append(order)
                self._changed.notify()

    def next(self) -> Work:
        """The work to do now. Waits until there is some."""
        with self._changed:
            while not self._work:
                self._changed.wait()
            work = self._work.popleft()
            self._current, self._stop = work.id, work.id in self._cancelled
            self._cancelled.discard(work.id)
            return work

    def stopping(self) -> bool:
        """Whether the work that was taken last is not wanted any more."""
        return self._stop

    def _cancel(self, number: int) -> None:
        if number == self._current:
            self._stop = True
        elif any(work.id == number for work in self._work):
            self._cancelled.add(number)


def main() -> None:
    """Load the model and do what is asked until the input closes."""
    source, stream = take_over()
    if hasattr(os, "nice"):
        os.nice(NICENESS)

    send = sender(stream)
    first = frames.read_order(source)
    if not isinstance(first, frames.Load):
        os._exit(0)
    orders = Orders(source)
    threading.Thread(target=orders.listen, daemon=True).start()
    begin = time.monotonic()
    try:
        model = load(first)
    except EngineError as error:
        send(frames.Failed(0, str(error)))
        os._exit(1)
    except Exception as error:
        why = brief(error, 300)
        said = f"{first.path} cannot be loaded ({type(error).__name__}: {why})."
        send(frames.Failed(0, said))
        os._exit(1)
    seconds = time.monotonic() - begin
    send(frames.Loaded(model.context, model.trained, model.template, seconds, memory()))
    while True:
        work = orders.next()
        if orders.stopping():
            send(frames.Finished(work.id, "cancelled"))
            continue
        try:
            send(_do(model, work, orders.stopping, send))
        except EngineError as error:
            send(frames.Failed(work.id, str(error)))
        except Exception as error:
            why = brief(error, 300)
            send(
                frames.Failed(
                    work.id, f"The language model failed ({type(error).__name__}: {why})."
                )
            )


def _do(
    model: Model,
    work: Work,
    stopping: Callable[[], bool],
    send: Callable[[frames.Reply], None],
) -> frames.Reply:
    """The last reply to the work."""
    if isinstance(work, frames.Count):
        return frames.Counted(work.id, [model.count(text) for text in work.texts])
    if isinstance(work, frames.Measure):
        return frames.Counted(work.id, [model.measure(work.messages)])
    number = work.id
    finished = model.generate(
        work,
        stopping,
        lambda text: send(frames.Token(number, text)),
        lambda done, total: send(frames.Reading(number, done, total)),
    )
    return msgspec.structs.replace(finished, memory=memory())


if __name__ == "__main__":
    main()
