"""Questions that lean on what was said before: made whole, or answered by it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from datasheet_lsp.answer.asked import COMMON
from datasheet_lsp.answer.names import Names
from datasheet_lsp.answer.subject import TOKEN
from datasheet_lsp.answer.types import Turn
from datasheet_lsp.search.names import family, squash

_INSTEAD = re.compile(
    r"^\s*(?:and|what about|how about|same|now|ok|okay|then|but|or|also|und)\b.*|"
    r".*\b(?:instead|too|as well|likewise|the same for)\b.*",
    re.IGNORECASE,
)
_PAGE = re.compile(
    r"\b(?:which|what) (?:page|document|manual|section|chapter|source)\b|\bwhere (?:is|does|did) "
    r"(?:that|it|this) (?:say|said|written|stand|come from|from)\b|\bsources?\s*\?|\bcite\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:it|its|that|this|these|those|they|them|there|the (?:same|first|second|last|previous|"
    r"above))\b|\bwhy\s*\?|\bmore\b|\bexplain\b|\bgo on\b|\bcontinue\b",
    re.IGNORECASE,
)
_SHORT = 7
_STAYS = re.compile(
    r"\b(?:explain|shorter|longer|again|summar\w+|translate|in (?:german|french|english|detail)|"
    r"more detail|rephrase|why is that|what does that mean|go on|continue|example|code)\b",
    re.IGNORECASE,
)


class Followed(msgspec.Struct, frozen=True):
    """A question as it stands by itself.

    ``keeps`` tells that the passages of the last answer do, ``places`` that only their places are
    asked for.
    """

    question: str
    keeps: bool = False
    places: bool = False


def whole(question: str, history: Sequence[Turn], names: Names | None) -> Followed:
    """``question`` with what it leaves open filled in from the last turn."""
    if not history:
        return Followed(question)
    last = history[-1]
    before = last.asked or last.question
    words = re.findall(r"\w+", question)
    if _PAGE.search(question) and len(words) <= _SHORT + 5 and not _names_in(question, names):
        return Followed(before, keeps=True, places=True)
    own = _names_in(question, names)
    old = _names_in(before, names)
    if own and _INSTEAD.match(question) and _only_names(question, own):
        changed = _exchanged(before, old, own)
        if changed != before:
            return Followed(changed)
        return Followed(f"{before} {' '.join(own)}")
    if not own and _STAYS.search(question):
        return Followed(f"{before}: {question}", keeps=True)
    if (
        len(words) <= _SHORT * 2
        and not own
        and (_BACK.search(question) or _INSTEAD.match(question))
    ):
        about = " ".join(old) or before
        return Followed(f"{question} ({about})")
    if own and _INSTEAD.match(question) and len(words) <= _SHORT and old:
        return Followed(f"{question} ({before})")
    return Followed(question)


def _names_in(text: str, names: Names | None) -> list[str]:
    """The words of ``text`` that name something of the device, or look as if."""
    found = []
    for match in TOKEN.finditer(text):
        word = match[0]
        if word[0].isdigit() or word in COMMON or len(word) < 2:
            continue
        known = names is not None and names.read(word).is_name
        looks = bool(re.search(r"\d|_|->|\.", word)) or (word.isupper() and len(word) > 1)
        if looks or (known and not word.islower()):
            found.append(word)
    return found


def _only_names(question: str, own: Sequence[str]) -> bool:
    """Whether a question says little besides names: "and for USART3?"."""
    rest = question
    for word in own:
        rest = rest.replace(word, " ")
    left = [w for w in re.findall(r"[a-z]+", rest.lower()) if w not in COMMON]
    ordinary = {"about", "same", "instead", "too", "also", "well", "then", "now", "ok", "but", "on"}
    return not [w for w in left if w not in ordinary]


def _exchanged(before: str, old: Sequence[str], own: Sequence[str]) -> str:
    """The question before with names exchanged for new ones of the same kind."""
    text = before
    for new in own:
        kin = [w for w in old if w != new and _kind(w) == _kind(new)]
        kin = kin or [w for w in old if w != new and _shape(w) == _shape(new)]
        if kin:
            text = re.sub(rf"(?<!\w){re.escape(kin[0])}(?!\w)", new, text)
            continue
        for word in old:
            # USART3 for the USART2 of USART2_BRR, CR1 for its BRR.
            joint = re.search(r"->|\.|_", word)
            if joint is None:
                continue
            head, tail = word[: joint.start()], word[joint.end() :]
            if _kind(head) == _kind(new):
                text = text.replace(word, f"{new}{joint[0]}{tail}")
            elif not re.search(r"->|\.|_", new):
                text = text.replace(word, f"{head}{joint[0]}{new}")
            else:
                text = text.replace(word, new)
            break
        else:
            if len(own) == 1 and len(old) == 1:
                text = text.replace(old[0], new)
    return text


def _kind(word: str) -> str:
    return squash(family(word))


def _shape(word: str) -> str:
    """Letters and digits of a name by their kind: PA9 and PC13 are alike."""
    return re.sub(r"\d+", "9", re.sub(r"[A-Za-z]", "A", word))
