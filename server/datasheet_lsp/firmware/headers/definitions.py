"""Which definition of a macro holds, by the conditions it stands under."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from datasheet_lsp.firmware.headers.chips import names_chip
from datasheet_lsp.firmware.headers.conditions import holds
from datasheet_lsp.firmware.headers.facts import Macro
from datasheet_lsp.firmware.headers.flags import Flags
from datasheet_lsp.firmware.headers.scan import FileFacts

PREDEFINED = {
    "__GNUC__": "12", "__GNUC_MINOR__": "2", "__STDC__": "1", "__STDC_VERSION__": "201710",
    "__STDC_HOSTED__": "1", "__CHAR_BIT__": "8", "__SIZEOF_POINTER__": "4", "__SIZEOF_INT__": "4",
    "__SIZEOF_LONG__": "4", "__ORDER_LITTLE_ENDIAN__": "1234", "__BYTE_ORDER__": "1234",
    "__ILP32__": "1", "__ELF__": "1",
}  # fmt: skip
# Those of other compilers and of assembly: this is C or C++, as GCC or clang compile it.
_ABSENT = frozenset(
    ("__CC_ARM", "__ICCARM__", "__IAR_SYSTEMS_ICC__", "__TASKING__", "__CSMC__", "__TI_ARM__",
     "__TMS470__", "__ASSEMBLER__", "__ASSEMBLY__", "_ASMLANGUAGE", "__ICCRISCV__", "__ghs__",
     "__ARMCC_VERSION", "__ICCARM_INTRINSICS_VERSION__", "DOXYGEN", "__DOXYGEN__",
     "_MSC_VER", "_WIN32", "WIN32", "__APPLE__", "__linux__", "__GHS__", "__RENESAS__", "__CCRX__",
     "__GNUG__", "__cplusplus", "__MWERKS__", "SWIG", "__INTELLISENSE__", "__LINT__", "lint")
)  # fmt: skip
MAX_CHAIN = 40


class Files:
    """The files that one file includes, all of them, in the order they are read.

    ``further`` are those included under a condition that may hold, ``sources`` gives the files in
    which functions of a header are likely to be: ``uart.c`` for ``uart.h``.
    """

    def __init__(self) -> None:
        self.facts: list[FileFacts] = []
        self.further: list[FileFacts] = []
        self.symbols: Mapping[str, int] = {}
        self.missing: list[str] = []
        self.sources: Callable[[FileFacts], Sequence[FileFacts]] = lambda header: ()


class Definitions:
    """The macros of a file and of the headers it includes. A base of :class:`Headers`."""

    own: FileFacts
    files: Files
    chips: tuple[str, ...]
    flags: Flags
    _macros: dict[str, Macro | None]
    _alternatives: dict[str, list[Macro]]
    _states: dict[tuple[str, int], tuple[bool, bool | None]]
    _chosen: dict[str, Macro]
    _busy: set[object]

    @property
    def _tiers(self) -> tuple[Sequence[FileFacts], ...]:
        """The files in the order they are read, then those that may be."""
        return (*self.files.facts, self.own), self.files.further

    def _with(self, name: str) -> Iterator[tuple[FileFacts, tuple[int, ...]]]:
        for tier in self._tiers:
            some = False
            for facts in tier:
                numbers = facts.defined(name)
                if numbers:
                    some = True
                    yield facts, numbers
            if some:
                return

    def forget(self) -> None:
        """Forgets what was concluded: more files have come."""
        self._macros.clear()
        self._alternatives.clear()
        self._states.clear()

    # -- macros -----------------------------------------------------------------------------

    def macro(self, name: str) -> Macro | None:
        """The definition of a macro that holds where the file uses it."""
        if name in self._chosen:
            return self._chosen[name]
        if name not in self._macros:
            self._macros[name] = self._find(name)
        return self._macros[name]

    def _find(self, name: str) -> Macro | None:
        best: list[Macro] = []
        possible: list[Macro] = []
        sure = False
        for facts, numbers in self._with(name):
            for n in numbers:
                closed, certain = self.state(facts, facts.condition_of(n))
                if closed:
                    best.append(facts.macro(name, n))
                    sure = sure or certain is True
                elif certain is None:
                    possible.append(facts.macro(name, n))
        if name in self.flags.defines and not best:
            return Macro(name, None, self.flags.defines[name], "", 0)
        if best:
            meant = best[-1]
            others = possible + best[:-1]
        elif possible:
            meant, others = possible[0], possible[1:]
        else:
            text = PREDEFINED.get(name)
            return None if text is None else Macro(name, None, text, "", 0)
        different = [m for m in others if (m.body, m.parameters) != (meant.body, meant.parameters)]
        if different:
            self._alternatives[name] = different
        return meant

    def alternatives(self, name: str) -> Sequence[Macro]:
        """Other definitions of ``name`` that may hold instead, as far as is known."""
        self.macro(name)
        return self._alternatives.get(name, ())

    # -- conditions -------------------------------------------------------------------------

    def state(self, facts: FileFacts, condition: int) -> tuple[bool, bool | None]:
        """Whether a condition holds with unknown macros undefined, and whether it surely does."""
        if not condition:
            return True, True
        key = (facts.path, condition)
        known = self._states.get(key)
        if known is not None:
            return known
        if key in self._busy or len(self._busy) > MAX_CHAIN:
            return False, None
        self._busy.add(key)
        try:
            self._states[key] = result = self._state(facts, condition)
        finally:
            self._busy.discard(key)
        return result

    def _state(self, facts: FileFacts, number_: int) -> tuple[bool, bool | None]:
        condition = facts.conditions[number_ - 1]
        closed, certain = self.state(facts, condition.parent)
        if certain is False:
            return False, False

        def defined(name: str) -> bool | None:
            return self.defined(name, facts, number_)

        asked = [*((text, False) for text in facts.failed(condition)), (condition.held, True)]
        for text, wanted in asked:
            if text is None:
                continue
            if closed:
                closed = holds(text, self.macro, defined, closed=True) is wanted
            sure = holds(text, self.macro, defined, closed=False)
            if sure is None:
                certain = None
            elif sure is not wanted:
                return False, False
        return closed, certain

    def defined(self, name: str, asking: FileFacts, condition: int) -> bool | None:
        """Whether ``name`` is defined, apart from definitions inside ``condition`` itself."""
        if name in self.flags.defines:
            return True
        open_ = False
        for facts, numbers in self._with(name):
            for n in numbers:
                at = facts.condition_of(n)
                if facts is asking and facts.inside(at, condition):
                    continue
                closed, certain = self.state(facts, at)
                if closed and certain is not False:
                    return True
                open_ = open_ or certain is None
        if name in PREDEFINED:
            return True
        if name in _ABSENT:
            return False
        if names_chip(name, self.chips):
            return True
        if self.flags.complete and not open_:
            return False
        return None
