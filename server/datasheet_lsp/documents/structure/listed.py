"""What register lists say, filled into the registers that are described, or added to them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from datasheet_lsp.documents.structure.headings import plain
from datasheet_lsp.documents.structure.names import plain_name
from datasheet_lsp.documents.structure.registers import Draft, contains
from datasheet_lsp.documents.structure.reglists import ListRow

_PAGE = re.compile(r"\s+on page\s+\S+$")


def add_listed(drafts: list[Draft], rows: Sequence[ListRow], chapter_of: Sequence[int]) -> None:
    """Fills what register lists say into the registers, and adds those only they have.

    ``chapter_of`` has the chapter of each section; a list counts in its own chapter first.
    """
    lists = _Lists(drafts, chapter_of)
    # Names that stand for one register first: they tell where the others are.
    ordered = sorted(rows, key=lists.ambiguous)
    left = [row for row in ordered if not lists.by_name(row)]
    left = [row for row in left if not lists.by_title(row)]
    left = [row for row in left if not lists.by_place(row)]
    for row in left:
        lists.add(row)


class _Lists:
    def __init__(self, drafts: list[Draft], chapter_of: Sequence[int]) -> None:
        self._drafts = drafts
        self._chapter_of = chapter_of
        self._named: dict[tuple[int, str], list[Draft]] = {}
        self._anywhere: dict[str, list[Draft]] = {}
        self._chapters: dict[int, list[Draft]] = {}
        for draft in drafts:
            self._enter(draft)

    def _enter(self, draft: Draft) -> None:
        chapter = self._chapter_of[draft.section]
        self._named.setdefault((chapter, bare_key(draft.name)), []).append(draft)
        self._anywhere.setdefault(plain_name(draft.name), []).append(draft)
        self._chapters.setdefault(chapter, []).append(draft)

    def ambiguous(self, row: ListRow) -> bool:
        """Whether several registers of the list's chapter have this name."""
        chapter = self._chapter_of[row.section]
        return len(self._named.get((chapter, bare_key(row.name)), ())) > 1

    def by_name(self, row: ListRow) -> bool:
        """Fills in the register of this name, in the list's chapter or the only one at all."""
        chapter = self._chapter_of[row.section]
        found = self._named.get((chapter, bare_key(row.name)), [])
        if len(found) > 1:
            # Two headings with one name: a slip of the manual, one of them is at another place.
            found = [d for d in found if self._agrees(d, row, chapter)] or found
        if not found:
            found = self._anywhere.get(plain_name(row.name), [])
            same = len(found) == 1 and found[0].offset is not None
            if not same or found[0].offset != row.offset:
                return False
        for draft in found:
            _fill(draft, row)
        return True

    def _agrees(self, draft: Draft, row: ListRow, chapter: int) -> bool:
        if draft.offset is None:
            return True
        if row.offset is not None:
            return row.offset == draft.offset
        base = self._base(chapter)
        return not row.addresses or base is None or row.addresses[0] - base == draft.offset

    def by_title(self, row: ListRow) -> bool:
        """Fills in the register whose heading is what the list says of it."""
        title = plain(_PAGE.sub("", row.title))
        if len(title) < 8:
            return False
        for draft in self._chapters.get(self._chapter_of[row.section], ()):
            if draft.listed:
                continue
            own = plain(draft.title)
            same = own == title and (not draft.name or contains(draft.name, _first(row.name)))
            begins = not draft.name and len(own) > 14 and title.startswith(own)
            if same or begins:
                draft.name = row.name
                _fill(draft, row)
                return True
        return False

    def by_place(self, row: ListRow) -> bool:
        """Fills in the register at the same offset, where its name is spelled otherwise."""
        chapter = self._chapter_of[row.section]
        offset = row.offset
        if offset is None:
            base = self._base(chapter)
            if base is None or not row.addresses:
                return False
            offset = row.addresses[0] - base
        found = [
            d
            for d in self._chapters.get(chapter, ())
            if d.offset == offset
            and not d.listed
            and d.section != row.section
            # GPIOA_MODER is one of GPIOx_MODER, not another spelling of it.
            and d.name.partition("_")[2] != row.name.partition("_")[2]
        ]
        if len(found) != 1:
            return False
        draft = found[0]
        key = bare_key(draft.name)
        if sum(bare_key(d.name) == key for d in self._chapters[chapter]) > 1:
            draft.name = row.name
        _fill(draft, row)
        return True

    def _base(self, chapter: int) -> int | None:
        """The base address most registers of a chapter agree on, of those with both places."""
        bases = Counter(
            d.addresses[0] - d.offset
            for d in self._chapters.get(chapter, ())
            if d.offset is not None and d.addresses
        )
        if not bases:
            return None
        base, count = bases.most_common(1)[0]
        return base if count >= 2 and count * 2 > bases.total() else None

    def add(self, row: ListRow) -> None:
        """A register that only the list has."""
        chapter = self._chapter_of[row.section]
        known = [d for d in self._named.get((chapter, bare_key(row.name)), ()) if d.listed]
        if known:
            for draft in known:
                _fill(draft, row)
            return
        draft = Draft(row.name, "", row.section, row.place)
        draft.tables.append(row.table)
        _fill(draft, row)
        self._drafts.append(draft)
        self._enter(draft)


def _fill(draft: Draft, row: ListRow) -> None:
    draft.listed = True
    if not draft.title or draft.title == draft.name:
        draft.title = _PAGE.sub("", row.title)
    if draft.offset is None:
        draft.offset = row.offset
    if not draft.addresses:
        draft.addresses = row.addresses
    if not draft.reset_given and row.reset_given:
        draft.reset, draft.reset_given = row.reset, True
    if not draft.fields and row.fields:
        draft.fields.extend(row.fields)


def _first(name: str) -> str:
    """The first name of a range, without its number: NVIC_ISER0-NVIC_ISER7 -> NVIC_ISER."""
    return re.sub(r"\d+\s*(?:[-–]|to\b).*$", "", name)


def bare_key(name: str) -> str:
    """A printed name for comparing within a chapter: width prefix and peripheral's name off."""
    name = re.sub(r"^R(?:8|16|32)_", "", name)
    name = re.sub(r"\(.*", "", name)
    left, sign, right = name.partition("_")
    if sign and right and left.isalnum() and (left.isupper() or left[:-1].isupper()):
        # USART_BRR in the list, R32_USART1_BRR in the heading.
        left = re.sub(r"(?:\d+|x)$", "", left)
        name = f"{left}_{right}"
    return plain_name(name)
