"""Conversations as text: a model's own template, else ChatML; and text that is no command."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from datasheet_lsp.engine.language.frames import Message

MARKERS = (
    "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|begin_of_text|>", "<|end_of_text|>",
    "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|system|>", "<|user|>",
    "<|assistant|>", "<|end|>", "<start_of_turn>", "<end_of_turn>", "[INST]", "[/INST]", "<<SYS>>",
    "<</SYS>>", "<s>", "</s>", "<bos>", "<eos>", "<think>", "</think>",
)  # fmt: skip
"""What common templates put between messages."""

CHATML_STOP = "<|im_end|>"

Render = Callable[[list[dict[str, str]]], str]


def marker_pattern(special: Iterable[str] = ()) -> re.Pattern[str]:
    """Finds markers of templates, the usual and a model's ``special`` ones, within a text."""
    known = {*MARKERS, *(each for each in special if len(each) > 2)}
    return re.compile(
        "|".join(re.escape(each) for each in sorted(known, key=lambda t: (-len(t), t)))
    )


_usual = marker_pattern()


def defuse(message: Message, pattern: re.Pattern[str] = _usual) -> Message:
    """The message with a blank in each marker, so that its text cannot pass for another message."""
    content = pattern.sub(lambda found: f"{found[0][0]} {found[0][1:]}", message.content)
    return Message(message.role, content)


def as_text(messages: Sequence[Message], render: Render | None) -> tuple[str, bool]:
    """The conversation up to where the assistant speaks, and whether it is in ChatML of ours.

    A template that refuses the messages gets them once more in the form that all take: what the
    system says at the head of the user's first message, and no two of one role in a row.
    """
    if render is not None:
        for form in (list, plain_form):
            try:
                return render([_mapping(each) for each in form(messages)]), False
            except Exception:  # whatever a template does
                continue
    return chatml(messages), True


def chatml(messages: Sequence[Message]) -> str:
    """The form that is used where a model has none of its own."""
    said = "".join(f"<|im_start|>{m.role}\n{m.content}<|im_end|>\n" for m in messages)
    return f"{said}<|im_start|>assistant\n"


def plain_form(messages: Sequence[Message]) -> list[Message]:
    """Without a system message, user and assistant in turn, the user first."""
    made: list[Message] = []
    for each in messages:
        role = "user" if each.role == "system" else each.role
        if made and made[-1].role == role:
            made[-1] = Message(role, f"{made[-1].content}\n\n{each.content}")
        else:
            made.append(Message(role, each.content))
    return made


def _mapping(message: Message) -> dict[str, str]:
    return {"role": message.role, "content": message.content}
