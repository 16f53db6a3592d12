"""The palette: the parts of the level by family, with how many are left, and a search."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from engine.catalog import CORES
from engine.model import Design, Level
from engine.parts import parts_allowed
from game.editor import shields
from game.panels.kit import Canvas, Panel, Typed
from game.said import plain
from game.theme import EDGE, PANEL, PANEL_2, SKY, TEXT, TEXT_2, TEXT_3, mix
from game.view.scene import SHIELD

FAMILIES = {
    "arithmetic": "Math",
    "steering": "Steering",
    "storage": "Memory",
    "reduction": "Reduce",
    "ground": "Ground",
}

SHIELD_SUMMARY = "A grounded track between wires: no word beside it couples through it."


@dataclass(frozen=True, slots=True)
class Part:
    """A row: ``left`` of ``allowed`` (None: without bound); ``slot`` is its key, 1 … 9, or 0."""

    core: str
    family: str
    left: int | None
    allowed: int | None
    slot: int
    summary: str

    @property
    def count(self) -> str:
        """How many are left, in the same words in wide and narrow rows."""
        return "∞" if self.allowed is None else f"{self.left}/{self.allowed}"


@dataclass(frozen=True, slots=True)
class PaletteModel:
    parts: tuple[Part, ...]
    hand: str | None
    search: str
    narrow: bool
    scroll: int = 0
    typed: Typed | None = None
    wire: str = ""
    """The speed of a new wire in tiles/ns; 0 where it is stopped at first."""


def parts_of(level: Level, design: Design, search: str = "") -> tuple[Part, ...]:
    """The parts that a level offers and whose name or summary holds ``search``, by family."""
    found = []
    used: dict[str, int] = {}
    for spec in design.cores:
        used[spec.core] = used.get(spec.core, 0) + 1
    slot = 0
    wanted = search.strip().lower()
    for family in FAMILIES:
        for core in CORES.values():
            if core.family != family:
                continue
            allowed = parts_allowed(level, core.name)
            if allowed == 0:
                continue
            slot += 1
            if wanted and wanted not in core.name.lower() and wanted not in core.summary.lower():
                continue
            left = None if allowed is None else allowed - used.get(core.name, 0)
            found.append(Part(core.name, family, left, allowed, slot if slot <= 9 else 0, plain(core.summary)))
    most = shields.allowed(level)
    if most != 0 and (not wanted or wanted in SHIELD or wanted in SHIELD_SUMMARY):
        left = None if most is None else most - len(design.shields)
        found.append(Part(SHIELD, "ground", left, most, slot + 1 if slot < 9 else 0, SHIELD_SUMMARY))
    return tuple(found)


class Palette(Panel):
    """The palette. ``overflow`` is how many pixels of it are out of sight below."""

    def __init__(self) -> None:
        super().__init__()
        self.overflow = 0

    def paint(self, canvas: Canvas, model: PaletteModel) -> None:
        px = canvas.px
        width = canvas.bounds.width
        canvas.upright(width - px(1))
        y = px(12) - model.scroll
        if not model.narrow:
            y += px(40)
        y = self._wire(canvas, y, model)
        if not model.parts and model.search:
            text = "no part of that name"
            canvas.text(
                text,
                width // 2 if model.narrow else px(16),
                y + px(14),
                size=12,
                colour=TEXT_3,
                align="centre" if model.narrow else "left",
                width=width - px(8),
            )
        family = ""
        for part in model.parts:
            if part.family != family:
                family = part.family
                if model.narrow:
                    y += px(6)
                else:
                    y += px(8)
                    canvas.text(FAMILIES[family].upper(), px(16), y + px(8), size=11, face="medium", colour=TEXT_3)
                    y += px(22)
            y = self._narrow_row(canvas, part, y, model) if model.narrow else self._row(canvas, part, y, model)
        self.overflow = max(0, y + model.scroll + px(12) - canvas.bounds.height)
        if not model.narrow:
            canvas.surface.fill(PANEL, (0, 0, width - px(1), px(50)))
            rect = pygame.Rect(px(12), px(12), width - px(24), px(28))
            canvas.field("search", rect, model.search, mono=False, hint="search parts", tip="Search parts (E or /)")

    def _wire(self, canvas: Canvas, y: int, model: PaletteModel) -> int:
        """What a new wire is like: it is no part that is taken, but drawn from port to port."""
        px, pace = canvas.px, "stopped" if model.wire == "0" else f"{model.wire} tiles/ns"
        rect = pygame.Rect(
            px(8), y, px(47) if model.narrow else canvas.bounds.width - px(17), px(40 if model.narrow else 28)
        )
        tip = f"New wires: {pace}. Drag from port to port; the wheel turns them, with Shift finely"
        canvas.zone("part.wire", rect, ("nothing",), tip)
        sign = pygame.Rect(rect.left + px(12 if model.narrow else 8), 0, px(22 if model.narrow else 18), max(px(2), 1))
        sign.centery = rect.top + px(14)
        canvas.surface.fill(mix(TEXT_2, PANEL, 0.3), sign)
        for x in (sign.left, sign.right):
            pygame.draw.circle(canvas.surface, TEXT_2, (x, sign.centery), px(3))
        if model.narrow:
            words, middle = model.wire, rect.bottom - px(8)
            canvas.text(
                words, rect.centerx, middle, size=11, face="mono", align="centre", colour=TEXT_2, width=rect.width
            )
            return y + px(46)
        left = rect.left + px(34)
        right = canvas.text(pace, rect.right - px(8), rect.centery, size=12, align="right", colour=TEXT_2).left
        canvas.text("new wires", left, rect.centery, colour=TEXT_2, width=right - left - px(4))
        return y + px(32)

    def _row(self, canvas: Canvas, part: Part, y: int, model: PaletteModel) -> int:
        px = canvas.px
        rect = pygame.Rect(px(8), y, canvas.bounds.width - px(17), px(28))
        out = part.left is not None and part.left <= 0
        lit = self._zone(canvas, part, rect)
        if part.core == model.hand:
            canvas.box(rect, mix(PANEL_2, SKY, 0.18))
            canvas.frame(rect, SKY)
        elif lit:
            canvas.box(rect, PANEL_2)
        colour = TEXT_3 if out else TEXT
        canvas.sign(
            part.core,
            pygame.Rect(rect.left + px(8), rect.top + px(6), px(16), px(16)),
            mix(colour, PANEL, 0.55) if out else TEXT,
        )
        right = canvas.text(
            part.count,
            rect.right - px(8),
            rect.centery,
            size=12,
            face="mono",
            align="right",
            colour=TEXT_3 if out else TEXT_2,
        ).left
        left = rect.left + px(34)
        canvas.text(part.core, left, rect.centery, colour=colour if not out else TEXT_3, width=right - left - px(4))
        return y + px(30)

    def _narrow_row(self, canvas: Canvas, part: Part, y: int, model: PaletteModel) -> int:
        px = canvas.px
        rect = pygame.Rect(px(8), y, px(47), px(40))
        out = part.left is not None and part.left <= 0
        lit = self._zone(canvas, part, rect)
        canvas.box(
            rect, mix(PANEL_2, SKY, 0.18) if part.core == model.hand else mix(PANEL_2, EDGE, 0.5) if lit else PANEL_2
        )
        if part.core == model.hand:
            canvas.frame(rect, SKY)
        canvas.sign(
            part.core, pygame.Rect(rect.left + px(13), rect.top + px(4), px(20), px(20)), TEXT_3 if out else TEXT
        )
        canvas.text(
            part.count,
            rect.centerx,
            rect.bottom - px(8),
            size=11,
            face="mono",
            align="centre",
            colour=TEXT_3 if out else TEXT_2,
            width=rect.width,
        )
        return y + px(44)

    def _zone(self, canvas: Canvas, part: Part, rect: pygame.Rect) -> bool:
        if rect.bottom < canvas.px(50) and rect.height <= canvas.px(28):
            return False
        key = f" ({part.slot})" if part.slot else ""
        return canvas.zone(f"part.{part.core}", rect, ("take", part.core), f"{part.core}{key}: {part.summary}")
