"""What a run tells while it goes on: the messages of the indexer process, and of a run in place."""

from __future__ import annotations

import msgspec


class RunStarted(msgspec.Struct, tag=True, frozen=True):
    """The files are known. ``to_do`` may have to be read; ``size`` is of these, in bytes."""

    files: int
    to_do: int
    size: int


class DocumentStarted(msgspec.Struct, tag=True, frozen=True):
    """A file is being read, the ``number``-th of ``of``; ``size`` in bytes."""

    path: str
    number: int
    of: int
    size: int


class PageDone(msgspec.Struct, tag=True, frozen=True):
    """Page ``page`` of ``pages`` of the file in work has been read."""

    path: str
    page: int
    pages: int


class DocumentDone(msgspec.Struct, tag=True, frozen=True):
    """A document stands in the index. ``undecided`` says why it belongs to no device.

    ``read`` is False where its content was known already.
    """

    path: str
    title: str
    pages: int
    chunks: int
    seconds: float
    devices: tuple[str, ...] = ()
    undecided: str = ""
    read: bool = True


class FileDropped(msgspec.Struct, tag=True, frozen=True):
    """A file is no longer there or wanted, and its document no longer in the index."""

    path: str


class ProblemFound(msgspec.Struct, tag=True, frozen=True):
    """Something is wrong with a file, or, where ``path`` is "", with the run as a whole."""

    path: str
    message: str
    first_page: int | None = None
    last_page: int | None = None


class Filling(msgspec.Struct, frozen=True):
    """``done`` of ``of`` have what they need; ``rate`` is so many a second in this run."""

    done: int
    of: int
    rate: float

    @property
    def seconds_left(self) -> float:
        """How long the rest takes at this rate; 0 where no rate is known."""
        return (self.of - self.done) / self.rate if self.rate else 0.0


class VectorsProgress(Filling, tag=True, frozen=True):
    """``done`` of ``of`` chunks have a vector; ``rate`` is chunks a second in this run, 0 at first.

    Comes once the keyword rows of all documents stand.
    """


class Filled(msgspec.Struct, frozen=True):
    """What came of giving each of ``of`` something: ``done`` have it, ``linked`` without a model.

    ``stopped`` says why it ended before its time, "" where all have it.
    """

    done: int = 0
    of: int = 0
    linked: int = 0
    seconds: float = 0.0
    cancelled: bool = False
    stopped: str = ""


class VectorsFinished(Filled, tag=True, frozen=True):
    """No more vectors are made in this run; ``of`` chunks there are, ``done`` have one.

    ``embedded`` texts went through the model, ``linked`` chunks have the vector of a text that was
    known already. ``stopped`` says why it ended before its time, "" where all chunks have vectors.
    ``missing`` says what is not installed where that is why there are none: no fault.
    """

    embedded: int = 0
    missing: str = ""


class QuestionsProgress(Filling, tag=True, frozen=True):
    """``done`` of ``of`` passages of documents have their questions; ``rate`` is as of vectors.

    Comes once the vectors stand, where questions are wanted.
    """


class QuestionsFinished(Filled, tag=True, frozen=True):
    """The language model is asked no more in this run; as of vectors.

    ``asked`` texts it was asked about, ``linked`` passages have what is known of the same text.
    """

    asked: int = 0


class RunFinished(msgspec.Struct, tag=True, frozen=True):
    """The run has ended. ``stopped`` says why before its time, "" where all was done.

    ``unchanged`` files were not touched; ``pages`` and ``seconds`` are of this run.
    """

    indexed: int = 0
    unchanged: int = 0
    dropped: int = 0
    failed: int = 0
    pages: int = 0
    chunks: int = 0
    seconds: float = 0.0
    cancelled: bool = False
    stopped: str = ""


Event = (
    RunStarted
    | DocumentStarted
    | PageDone
    | DocumentDone
    | FileDropped
    | ProblemFound
    | VectorsProgress
    | VectorsFinished
    | QuestionsProgress
    | QuestionsFinished
    | RunFinished
)
