"""The drawn figures of the demo manual: a register's bits, the clock tree."""

from __future__ import annotations

from reportlab.platypus import Flowable

from datasheet_lsp.model import Register


class BitDiagram(Flowable):
    """A register as one or two rows of 16 cells, bit numbers above, names inside."""

    row = 34

    def __init__(self, width: float, register: Register) -> None:
        super().__init__()
        self.register = register
        upper = any(field.msb > 15 for field in register.fields)
        self.starts = (31, 15) if upper else (15,)
        self.width = width
        self.height = self.row * len(self.starts) + 6

    def wrap(self, *_: float) -> tuple[float, float]:
        """Width and height in points."""
        return self.width, self.height

    def draw(self) -> None:
        """Draws the rows from the top."""
        for n, start in enumerate(self.starts):
            self.draw_row(start, self.height - (n + 1) * self.row)

    def draw_row(self, start: int, y: float) -> None:
        """The row whose leftmost bit is ``start``, its lower edge at ``y``."""
        cell = self.width / 16
        self.canv.setFont("Helvetica", 6.5)
        for column in range(16):
            self.canv.drawCentredString((column + 0.5) * cell, y + 22, str(start - column))
        bit = start
        while bit > start - 16:
            field = next((f for f in self.register.fields if f.lsb <= bit <= f.msb), None)
            low = max(field.lsb if field else bit, start - 15)
            x, width = (start - bit) * cell, (bit - low + 1) * cell
            self.canv.rect(x, y, width, 18)
            if field is None:
                self.canv.drawCentredString(x + width / 2, y + 6, "Res.")
            else:
                self.name(field.name, field.width, x, y, width)
            bit = low - 1

    def name(self, name: str, bits: int, x: float, y: float, width: float) -> None:
        """A field's name in its cell, made small enough to fit."""
        text = name if bits == 1 else f"{name}[{bits - 1}:0]"
        size = 6.5
        while size > 3 and self.canv.stringWidth(text, "Helvetica", size) > width - 2:
            size -= 0.25
        self.canv.setFont("Helvetica", size)
        self.canv.drawCentredString(x + width / 2, y + 6, text)
        self.canv.setFont("Helvetica", 6.5)


class ClockTree(Flowable):
    """Oscillators, PLL, the SW multiplexer and the bus dividers."""

    boxes = {
        "HSI\n16 MHz": (0, 105),
        "HSE\n4 to 26 MHz": (0, 40),
        "PLL\n/M xN /P": (105, 72),
        "SW": (200, 72),
        "HPRE\n/1 to /512": (265, 72),
        "PPRE1\n/1 to /16": (365, 110),
        "PPRE2\n/1 to /16": (365, 34),
    }
    lines = (
        ((75, 120), (90, 120), (90, 92), (105, 92)),
        ((75, 55), (90, 55), (90, 82), (105, 82)),
        ((90, 120), (215, 120), (215, 102)),
        ((90, 55), (90, 48), (215, 48), (215, 72)),
        ((180, 87), (200, 87)),
        ((235, 87), (265, 87)),
        ((340, 87), (352, 87), (352, 125), (365, 125)),
        ((352, 87), (352, 49), (365, 49)),
        ((352, 87), (440, 87)),
        ((440, 125), (452, 125)),
        ((440, 49), (452, 49)),
    )
    labels = (
        ("HCLK", 443, 84),
        ("PCLK1", 454, 122),
        ("PCLK2", 454, 46),
        ("SYSCLK", 236, 91),
    )

    def __init__(self, width: float) -> None:
        super().__init__()
        self.width = width
        self.height = 150

    def wrap(self, *_: float) -> tuple[float, float]:
        """Width and height in points."""
        return self.width, self.height

    def draw(self) -> None:
        """Draws boxes, lines and labels."""
        for text, (x, y) in self.boxes.items():
            first, *rest = text.split("\n")
            self.canv.rect(x, y, 75 if rest else 35, 30)
            middle = x + (37.5 if rest else 17.5)
            self.canv.setFont("Helvetica-Bold", 8)
            self.canv.drawCentredString(middle, y + (17 if rest else 12), first)
            self.canv.setFont("Helvetica", 7)
            for line in rest:
                self.canv.drawCentredString(middle, y + 6, line)
        for points in self.lines:
            for start, end in zip(points, points[1:], strict=False):
                self.canv.line(*start, *end)
        for text, x, y in self.labels:
            self.canv.drawString(x, y, text)
