"""Lines and boxes drawn on a page, sorted into ruled lines, fills and pictures.

The input is what ``Page.get_cdrawings`` gives: a list of paths with their items, in points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from datasheet_lsp.documents.page import Rule
from datasheet_lsp.documents.pdf.boxes import cluster, framed, grow, join
from datasheet_lsp.model.document import Box

# A filled rectangle up to this thickness is a line. Points, as all that follows.
THICK = 2.6
# What is off the axis by less is still a line along it.
_SLANT = 0.6
_WHITE = 0.985
# Parts of a drawing this near belong together.
_NEAR = 14.0
_SMALLEST_PICTURE = 10.0
# What covers more of the page than this share is its background.
_BACKGROUND = 0.9
# A drawing takes in the lines and boxes that touch it, but none that go over most of the page.
_TOUCH = 1.5
_LONG = 0.6
# A frame that a drawing fills to this share is part of it.
_FRAME = 0.25

_Segment = tuple[float, float, float]
"""Position across, start and end along."""


class Drawings:
    """The drawings of one page.

    ``fills`` are the filled boxes, ``parts`` the boxes of what is neither line nor filled box,
    ``images`` the boxes of images that are no thin line.
    """

    def __init__(
        self,
        paths: Iterable[dict[str, Any]],
        images: Iterable[Box],
        width: float,
        height: float,
    ) -> None:
        self.fills: list[Box] = []
        self.parts: list[Box] = []
        self.images: list[Box] = []
        self.paths = 0
        self._width = width
        self._height = height
        self._across: list[_Segment] = []
        self._down: list[_Segment] = []
        self._white: list[tuple[bool, _Segment]] = []
        self._behind: list[Box] = []
        for path in paths:
            self.paths += 1
            self._path(path)
        for box in images:
            if box[3] - box[1] <= THICK or box[2] - box[0] <= THICK:
                self._outline(box, False)
            else:
                self.images.append(box)

    def _path(self, path: dict[str, Any]) -> None:
        kind = path["type"]
        items = path["items"]
        stroked = "s" in kind and path.get("stroke_opacity", 1) > 0
        if stroked:
            white = _is_white(path.get("color"))
            other = False
            for item in items:
                if item[0] == "l":
                    (x0, y0), (x1, y1) = item[1], item[2]
                    if -_SLANT < y1 - y0 < _SLANT:
                        self._line(True, (y0 + y1) / 2, x0, x1, white)
                    elif -_SLANT < x1 - x0 < _SLANT:
                        self._line(False, (x0 + x1) / 2, y0, y1, white)
                    else:
                        other = True
                elif item[0] == "re":
                    self._outline(item[1], white)
                else:
                    other = True
            if other and not white:
                self.parts.append(path["rect"])
        if "f" in kind and path.get("fill_opacity", 1) > 0:
            white = _is_white(path.get("fill"))
            other = False
            for item in items:
                if item[0] == "re":
                    self._filled(item[1], white)
                else:
                    other = True
            if other and not white and not stroked:
                x0, y0, x1, y1 = box = path["rect"]
                if min(x1 - x0, y1 - y0) <= THICK and all(map(_is_straight, items)):
                    self._filled(box, white)
                else:
                    self.parts.append(box)

    def _line(self, across: bool, at: float, a: float, b: float, white: bool) -> None:
        segment = (at, a, b) if a <= b else (at, b, a)
        if white:
            self._white.append((across, segment))
        elif across:
            self._across.append(segment)
        else:
            self._down.append(segment)

    def _outline(self, box: Box, white: bool) -> None:
        x0, y0, x1, y1 = box
        if y1 - y0 <= THICK:
            self._line(True, (y0 + y1) / 2, x0, x1, white)
        elif x1 - x0 <= THICK:
            self._line(False, (x0 + x1) / 2, y0, y1, white)
        else:
            self._line(True, y0, x0, x1, white)
            self._line(True, y1, x0, x1, white)
            self._line(False, x0, y0, y1, white)
            self._line(False, x1, y0, y1, white)

    def _filled(self, box: Box, white: bool) -> None:
        x0, y0, x1, y1 = box
        wide = x1 - x0
        high = y1 - y0
        if high <= THICK:
            self._line(True, (y0 + y1) / 2, x0, x1, white)
            if wide > THICK:
                return
        if wide <= THICK:
            self._line(False, (x0 + x1) / 2, y0, y1, white)
        elif not white:
            (self._behind if self._is_background(box) else self.fills).append(box)

    def _is_background(self, box: Box) -> bool:
        x0, y0, x1, y1 = box
        return (x1 - x0) * (y1 - y0) > _BACKGROUND * self._width * self._height

    def backgrounds(self) -> list[Box]:
        """Boxes on which white text can be seen."""
        return [*self.fills, *self._behind, *self.parts, *self.images]

    def rules(self) -> list[Rule]:
        """Ruled lines with their pieces put together, horizontal ones first."""
        for across, (at, a, b) in self._white:
            # A white line is seen, and separates cells, on a shaded box alone.
            x, y = ((a + b) / 2, at) if across else (at, (a + b) / 2)
            if any(f[0] - 1 <= x <= f[2] + 1 and f[1] - 1 <= y <= f[3] + 1 for f in self.fills):
                (self._across if across else self._down).append((at, a, b))
        self._white = []
        return [
            *[Rule(a, at, b, at) for at, a, b in join(self._across)],
            *[Rule(at, a, at, b) for at, a, b in join(self._down)],
        ]

    def pictures(self, rules: Sequence[Rule], text: bool) -> list[Box]:
        """The boxes of pictures: images, and drawings with the lines and boxes they hang on.

        An image as large as the page is a picture only where the page has no ``text``.
        """
        images = [b for b in self.images if not (text and self._is_background(b))]
        drawn = cluster(self.parts, _NEAR)
        if drawn:
            wide, high = _LONG * self._width, _LONG * self._height
            near = [
                *[(r.x0, r.y0, r.x1, r.y1) for r in rules if r.x1 - r.x0 < wide],
                *[f for f in self.fills if f[2] - f[0] < wide],
            ]
            drawn = grow(drawn, [b for b in near if b[3] - b[1] < high], _TOUCH)
        drawn = [
            framed(b, rules, _FRAME)
            for b in drawn
            if max(b[2] - b[0], b[3] - b[1]) >= _SMALLEST_PICTURE
        ]
        return cluster([*drawn, *images], 1.0)


def _is_straight(item: tuple[Any, ...]) -> bool:
    """Whether a part of a path is a line: some programs draw these as curves without a bend."""
    if item[0] != "c":
        return bool(item[0] == "l")
    xs = [float(point[0]) for point in item[1:]]
    ys = [float(point[1]) for point in item[1:]]
    return min(max(xs) - min(xs), max(ys) - min(ys)) < _SLANT


def _is_white(colour: Sequence[float] | None) -> bool:
    return bool(colour) and len(colour) != 4 and min(colour) >= _WHITE  # type: ignore[arg-type]
