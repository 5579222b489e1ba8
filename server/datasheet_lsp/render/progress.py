"""The course of an index run, worded for people. Values are those of the run's events."""

from __future__ import annotations

from collections.abc import Sequence

from datasheet_lsp.render import words
from datasheet_lsp.render.escape import one_line

_WORTH_A_RATE = 20


def duration(seconds: float) -> str:
    """``0.4 s``, ``8 s``, ``3 min 20 s``, ``2 h 5 min``."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, rest = divmod(whole // 60, 60)
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def rate(pages: int, seconds: float) -> str:
    """``52 pages/s``, "" where nothing was read or no time passed."""
    if not pages or seconds <= 0:
        return ""
    speed = pages / seconds
    return f"{speed:,.0f} pages/s" if speed >= 10 else f"{speed:.1f} pages/s"


def document_line(
    *,
    path: str,
    title: str,
    pages: int,
    chunks: int,
    seconds: float,
    devices: Sequence[str],
    undecided: str,
    read: bool,
) -> str:
    """A document that now stands in the index, in one line.

    ``read`` is False where its content stood there before.
    """
    if not read:
        return f"{one_line(path)}: its content is in the index already"
    said = [words.plural(pages, "page")] if pages else []
    said += [words.plural(chunks, "chunk"), duration(seconds)]
    line = f"{one_line(path)}: {', '.join(said)}"
    if devices:
        return f"{line}, for {', '.join(devices)}"
    return f"{line}; undecided: {one_line(undecided)}" if undecided else line


def dropped_line(path: str) -> str:
    """A file that is no longer in the index."""
    return f"{one_line(path)}: dropped from the index"


def problem_line(path: str, message: str) -> str:
    """What is wrong with a file, or with the run as a whole, in one line.

    A message that begins with the name of the file gets its path in place of it.
    """
    name = path.rpartition("/")[2]
    if name and message.startswith(f"{name} "):
        return one_line(path + message[len(name) :])
    return one_line(f"{path}: {message}" if path else message)


def page_line(path: str, page: int, pages: int) -> str:
    """How far a document is: ``docs/manual.pdf: page 500 of 1,749``."""
    return f"{one_line(path)}: page {page:,} of {pages:,}"


def vectors_line(done: int, of: int, rate: float, seconds_left: float) -> str:
    """How far the vectors are: ``vectors: 500 of 9,812 chunks (36/s, about 4 min left)``."""
    line = f"vectors: {done:,} of {words.plural(of, 'chunk')}"
    return f"{line} ({rate:.0f}/s, {time_left(seconds_left)})" if rate else line


def time_left(seconds: float) -> str:
    """``about 4 min left``, ``less than a minute left``."""
    if seconds < 60:
        return "less than a minute left"
    return f"about {duration(60 * round(seconds / 60))} left"


def vectors_done_line(
    *,
    done: int,
    of: int,
    embedded: int,
    linked: int,
    seconds: float,
    cancelled: bool,
    stopped: str,
    missing: str,
) -> str:
    """What came of the vectors, in one line; "" where there was nothing to do."""
    if missing:
        return one_line(missing)
    made = embedded + linked
    if not made and done >= of:
        return ""
    line = f"vectors: {words.plural(made, 'chunk')}"
    if embedded and seconds > 0:
        line += f" in {duration(seconds)} ({embedded / seconds:.0f}/s)"
    if done < of:
        line += f", {done:,} of {of:,} have one by now"
    return line


def per_minute(rate: float) -> str:
    """``14/min`` for a rate in seconds, "" for none."""
    return f"{60 * rate:.{0 if rate >= 1 / 6 else 1}f}/min" if rate else ""


def questions_line(done: int, of: int, rate: float, seconds_left: float) -> str:
    """How far the questions are: ``questions: 5 of 98 passages (14/min, about 7 min left)``."""
    line = f"questions: {done:,} of {words.plural(of, 'passage')}"
    return f"{line} ({per_minute(rate)}, {time_left(seconds_left)})" if rate else line


def questions_done_line(
    *,
    done: int,
    of: int,
    asked: int,
    linked: int,
    seconds: float,
    cancelled: bool,
    stopped: str,
) -> str:
    """What came of the questions, in one line; "" where there was nothing to do."""
    if not (asked or linked) and done >= of:
        return ""
    line = f"questions: for {words.plural(asked + linked, 'passage')}"
    if asked and seconds > 0:
        line += f" in {duration(seconds)} ({per_minute(asked / seconds)})"
    if done < of:
        line += f", {done:,} of {of:,} have theirs by now"
    return line


def summary_line(
    *,
    indexed: int,
    unchanged: int,
    dropped: int,
    failed: int,
    pages: int,
    chunks: int,
    seconds: float,
    cancelled: bool,
    stopped: str,
) -> str:
    """What came of a run, in one line."""
    if not (indexed or unchanged or dropped or failed):
        done = "nothing was indexed" if cancelled or stopped else "no documents were found"
    else:
        parts = (
            (indexed, "indexed"),
            (unchanged, "unchanged"),
            (dropped, "dropped"),
            (failed, "not readable"),
        )
        done = ", ".join(f"{count:,} {what}" for count, what in parts if count)
    if indexed:
        read = [words.plural(pages, "page")] if pages else []
        read += [words.plural(chunks, "chunk")]
        done += f": {', '.join(read)} in {duration(seconds)}"
        speed = rate(pages, seconds) if pages >= _WORTH_A_RATE else ""
        done += f" ({speed})" if speed else ""
    if cancelled:
        done += "; stopped before the end, the next run goes on"
    elif stopped:
        done += f"; stopped: {one_line(stopped)}"
    return done
