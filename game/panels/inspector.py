"""The inspector: draws the rows that :mod:`game.describe` makes."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10

import pygame

from game.panels.kit import Canvas, Panel, Typed
from game.rows import Causes, Choice, Entry, Head, Held, Note, Press, Row, Shares, Subject, Value
from game.supply import SafeRegion
from game.text import code_lines, number
from game.theme import (
    BOARD,
    CAUSE_COLOURS,
    GREEN,
    GREEN_TEXT,
    ORANGE,
    PANEL,
    SKY,
    TEXT,
    TEXT_2,
    TEXT_3,
    VERMILLION,
    VERMILLION_TEXT,
    Colour,
    mix,
)

TONES: dict[str, Colour] = {
    "": TEXT,
    "good": GREEN_TEXT,
    "bad": VERMILLION_TEXT,
    "warm": ORANGE,
    "blocked": VERMILLION_TEXT,
    "code": TEXT,
}


@dataclass(frozen=True, slots=True)
class InspectorModel:
    subject: Subject
    typed: Typed | None = None
    scroll: int = 0


def _round_up(ticks: float) -> float:
    """The next of 1, 1.5, 2, 2.5 … 9.5 times a power of ten, as the end of a scale."""
    step = 10.0 ** floor(log10(max(ticks, 1.0))) / 2
    return ceil(max(ticks, 1.0) / step) * step


class Inspector(Panel):
    """The inspector. ``overflow`` is how many pixels of it are out of sight below."""

    def __init__(self) -> None:
        super().__init__()
        self.overflow = 0

    def paint(self, canvas: Canvas, model: InspectorModel) -> None:
        px, width = canvas.px, canvas.bounds.width
        canvas.upright(0)
        pad = px(16)
        y = px(14) - model.scroll
        subject = model.subject
        left = pad
        if subject.sign:
            canvas.sign(subject.sign, pygame.Rect(pad, y + px(2), px(20), px(20)))
            left += px(30)
        canvas.text(subject.title, left, y + px(12), size=15, face="semibold", width=width - left - pad)
        y += px(30)
        if subject.sentence:
            y = canvas.paragraph(subject.sentence, pad, y, width - 2 * pad, size=12)
        y += px(10)
        for row in subject.rows:
            y = self._row(canvas, row, y, model.typed)
        self.overflow = max(0, y + model.scroll + px(12) - canvas.bounds.height)

    def _row(self, canvas: Canvas, row: Row, y: int, typed: Typed | None) -> int:
        px, pad = canvas.px, canvas.px(16)
        inner = canvas.bounds.width - 2 * pad
        label_width = px(96)
        match row:
            case Head(label, right):
                y += px(8)
                canvas.head(label, pad, y + px(12), right)
                return y + px(28)
            case Value(label, value, tone):
                rect = canvas.text(
                    value,
                    pad + inner,
                    y + px(12),
                    face="mono",
                    size=12,
                    align="right",
                    colour=TONES[tone],
                    width=inner - px(60),
                )
                canvas.text(label, pad, y + px(12), colour=TEXT_2, size=12, width=max(rect.left - pad - px(8), 0))
                return y + px(24)
            case Entry(name, label, text, hint, unit):
                canvas.text(label, pad, y + px(15), colour=TEXT_2, size=12, width=label_width - px(6))
                rect = pygame.Rect(pad + label_width, y, inner - label_width - (px(62) if unit else 0), px(28))
                canvas.field(name, rect, text, hint=hint)
                if unit:
                    canvas.text(unit, rect.right + px(8), rect.centery, size=12, colour=TEXT_3)
                y += px(34)
                if typed and typed.name == name and typed.wrong:
                    y = canvas.paragraph(
                        typed.wrong, pad + label_width, y - px(4), inner - label_width, size=12, colour=VERMILLION_TEXT
                    ) + px(4)
                return y
            case Held(label, text):
                canvas.text(label, pad, y + px(15), colour=TEXT_2, size=12, width=label_width - px(6))
                left = pad + label_width + px(8)
                canvas.text(text, left, y + px(14), face="mono", size=12, width=pad + inner - left)
                return y + px(34)
            case Choice(name, label, options, current):
                canvas.text(label, pad, y + px(15), colour=TEXT_2, size=12, width=label_width - px(6))
                x, room = pad + label_width, inner - label_width
                columns = min(len(options), 4 if max(map(len, options)) <= 4 else 2)
                widest = max(canvas.theme.font("medium", 12).size(option)[0] for option in options) + px(8)
                while columns > 1 and (room - (columns - 1) * px(4)) // columns < widest:
                    columns -= 1
                if widest > room:  # below the label, over the whole width
                    x, room, y = pad, inner, y + px(28)
                each = (room - (columns - 1) * px(4)) // columns
                for i, option in enumerate(options):
                    column, line = i % columns, i // columns
                    rect = pygame.Rect(x + column * (each + px(4)), y + line * px(32), each, px(28))
                    canvas.button(
                        f"{name}={option}", rect, option, ("choose", name, option), on=option == current, size=12
                    )
                return y + px(32) * (-(-len(options) // columns)) + px(2)
            case Note(text, tone):
                if tone == "code":
                    for part in code_lines(canvas.theme, 12, text, inner):
                        canvas.text(part, pad, y + px(11), face="mono", size=12, width=inner)
                        y += canvas.line_height(12)
                    return y + px(5)
                colour = TONES[tone] if tone else TEXT_2
                return canvas.paragraph(text, pad, y + px(2), inner, size=12, colour=colour) + px(6)
            case Press(name, label, action, main):
                canvas.button(f"inspect.{name}", pygame.Rect(pad, y + px(6), inner, px(30)), label, action, main=main)
                return y + px(40)
            case Shares(busy, starved, blocked):
                return self._shares(canvas, y, busy, starved, blocked)
            case Causes(parts):
                return self._causes(canvas, y, parts)
            case SafeRegion():
                return self._region(canvas, y, row)

    def _shares(self, canvas: Canvas, y: int, busy: float, starved: float, blocked: float) -> int:
        px, pad = canvas.px, canvas.px(16)
        inner = canvas.bounds.width - 2 * pad
        bar = pygame.Rect(pad, y + px(2), inner, px(8))
        x = float(bar.left)
        for share, kind in ((busy, "busy"), (starved, "starved"), (blocked, "blocked")):
            part = pygame.Rect(round(x), bar.top, round(x + inner * share) - round(x), bar.height)
            x += inner * share
            if part.width <= 0:
                continue
            if kind == "busy":
                canvas.surface.fill(GREEN, part)
            elif kind == "starved":
                pygame.draw.rect(canvas.surface, SKY, part, max(1, px(1)))
            else:
                canvas.surface.fill(mix(VERMILLION, PANEL, 0.55), part)
                canvas.surface.set_clip(part)
                for k in range(part.left - part.height, part.right, px(5)):
                    pygame.draw.line(
                        canvas.surface, VERMILLION, (k, part.bottom), (k + part.height, part.top), max(1, px(1))
                    )
                canvas.surface.set_clip(None)
        y += px(16)
        for label, share, colour in (
            ("busy", busy, GREEN_TEXT),
            ("starved", starved, SKY),
            ("blocked", blocked, VERMILLION_TEXT),
        ):
            canvas.text(label, pad, y + px(10), size=12, colour=TEXT_2)
            shown = colour if share >= 0.005 else TEXT_3
            canvas.text(f"{share:.0%}", pad + inner, y + px(10), size=12, face="mono", align="right", colour=shown)
            y += px(21)
        return y

    def _region(self, canvas: Canvas, y: int, region: SafeRegion) -> int:
        """Periods over voltages: what is safe is filled, from 0 up to twice the greater of the point and the middle; a
        curve that goes beyond is cut there, and the scale says so."""
        px, pad = canvas.px, canvas.px(16)
        box = pygame.Rect(pad, y + px(2), canvas.bounds.width - 2 * pad, px(84))
        lowest, highest = region.curve[0][0], region.curve[-1][0]
        top = _round_up(2 * max(region.ticks, dict(region.curve)[900] / 1000))

        def at(mv: int, ticks: float) -> tuple[int, int]:
            x = box.left + (mv - lowest) * (box.width - 1) / (highest - lowest)
            return round(x), round(box.bottom - 1 - min(ticks / top, 1) * (box.height - 1))

        line = [at(mv, safe / 1000) for mv, safe in region.curve]
        canvas.surface.fill(mix(BOARD, PANEL, 0.5), box)
        pygame.draw.polygon(canvas.surface, mix(GREEN, PANEL, 0.75), [*line, box.topright, box.topleft])
        pygame.draw.lines(canvas.surface, GREEN, False, line, max(1, px(2)))
        point, colour = at(region.mv, region.ticks), GREEN_TEXT if region.safe else VERMILLION
        pygame.draw.line(canvas.surface, TEXT_3, (box.left, point[1]), point, max(1, px(1)))
        pygame.draw.line(canvas.surface, TEXT_3, (point[0], box.bottom - 1), point, max(1, px(1)))
        pygame.draw.circle(canvas.surface, colour, point, px(5))
        pygame.draw.circle(canvas.surface, TEXT, point, px(5), max(1, px(1)))
        beyond = " and more" if max(safe for _, safe in region.curve) > 1000 * top else ""
        canvas.text(f"{top / 100:g} ns{beyond}", box.left + px(4), box.top + px(9), size=11, colour=TEXT_2)
        canvas.text("0", box.left + px(4), box.bottom - px(8), size=11, colour=TEXT_2)
        y = box.bottom + px(10)
        canvas.text(f"{lowest} mV", box.left, y, size=11, colour=TEXT_3)
        here = f"{region.ticks / 100:g} ns at {region.mv} mV"
        canvas.text(here, box.centerx, y, size=11, colour=colour, align="centre")
        canvas.text(f"{highest} mV", box.right, y, size=11, colour=TEXT_3, align="right")
        return y + px(14)

    def _causes(self, canvas: Canvas, y: int, parts: tuple[tuple[str, float], ...]) -> int:
        px, pad = canvas.px, canvas.px(16)
        inner = canvas.bounds.width - 2 * pad
        total = sum(pj for _, pj in parts) or 1.0
        x = float(pad)
        for cause, pj in parts:
            width = inner * pj / total
            canvas.surface.fill(CAUSE_COLOURS[cause], (round(x), y + px(2), round(x + width) - round(x), px(8)))
            x += width
        y += px(16)
        for cause, pj in parts:
            canvas.surface.fill(CAUSE_COLOURS[cause], (pad, y + px(6), px(8), px(8)))
            canvas.text(cause, pad + px(16), y + px(10), size=12, colour=TEXT_2)
            canvas.text(number(pj), pad + inner, y + px(10), size=12, face="mono", align="right", colour=TEXT)
            y += px(21)
        return y
