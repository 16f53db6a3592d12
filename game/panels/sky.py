"""The sky strip: altitude is efficiency, on a logarithmic scale that puts Orbit near 55 % and Stars near 85 %."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

import pygame

from engine.model import MedalSpec
from game.panels.kit import Canvas, Panel
from game.text import number
from game.theme import BOARD, EDGE, LIGHT, ORANGE, PACKET, TEXT, TEXT_2, TEXT_3, YELLOW, mix

ORBIT, STARS = 0.55, 0.85
FLIGHT_S = 0.7
LANE = 22
"""Pixels at the right that the rockets have for themselves."""
NAMES = (("Stars", "gold"), ("Moon", "silver"), ("Orbit", "bronze"))


def altitude(efficiency: float, medals: MedalSpec | None) -> float:
    """Share of the strip's height, 0 … 1. Smooth and rising everywhere; without medals 1 launch/nJ is half way."""
    if efficiency <= 0:
        return 0.0
    if medals is None:
        return 1 / (1 + 1 / efficiency)
    x, low, high = log(efficiency), log(medals.bronze), log(medals.gold)
    slope = (STARS - ORBIT) / max(high - low, 1e-6)
    if x < low:
        return ORBIT * exp(max((x - low) * slope / ORBIT, -50.0))
    if x <= high:
        return ORBIT + (x - low) * slope
    return 1 - (1 - STARS) * exp(max(-(x - high) * slope / (1 - STARS), -50.0))


def waste(efficiency: float, limit: float) -> float:
    """How much of a launch's energy was for nothing: 0 at the limit, 1 at a tenth of it, on a logarithmic scale."""
    return min(max(log(limit / efficiency) / log(10), 0.0), 1.0) if efficiency > 0 and limit > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Rocket:
    """A launch in flight: the altitude that it will reach, how long it has flown (0 … 1), and its waste 0 … 1."""

    reach: float
    flown: float
    waste: float


@dataclass(frozen=True, slots=True)
class SkyModel:
    medals: tuple[float, float, float] | None
    score: float
    stale: bool
    best: float
    rockets: tuple[Rocket, ...]
    beyond: float | None = None
    tipped: bool = False
    limit: float | None = None
    """Launches/nJ that no machine passes, proved; drawn once Stars are reached."""
    ring: tuple[int, float] | None = None
    """The line that has just been won, 1 … 3 from below, and how much of its ringing is over, 0 … 1."""


class Sky(Panel):
    """The sky strip."""

    ground = mix(BOARD, (0, 0, 0), 0.04 if LIGHT else 0.25)

    def paint(self, canvas: Canvas, model: SkyModel) -> None:
        px, width, height = canvas.px, canvas.bounds.width, canvas.bounds.height
        canvas.upright(0)
        ground = height - px(30)
        space = ground - px(16)
        spec = (
            None
            if model.medals is None
            else MedalSpec(bronze=model.medals[0], silver=model.medals[1], gold=model.medals[2])
        )

        def at(share: float) -> int:
            return round(ground - share * space)

        canvas.surface.fill(EDGE, (px(8), ground, width - px(16), max(1, px(1))))
        canvas.surface.fill(EDGE, (width // 2 - px(10), ground - px(2), px(20), px(2)))
        scored = at(altitude(model.score, spec)) if model.score > 0 else None
        taken = [pygame.Rect(0, 0, 0, 0) if scored is None else pygame.Rect(0, scored - px(2), width, px(4))]
        best = at(altitude(model.best, spec)) if model.best > 0 else None
        if best is not None:
            taken.append(pygame.Rect(px(6), best - px(1), width - px(12), px(3)))
            self._line(canvas, best, TEXT_3, solid=False, dash=3)
        for name, key in NAMES if spec is not None else ():
            limit = getattr(spec, key)
            y = at(altitude(limit, spec))
            won = not model.stale and model.score >= limit
            self._line(canvas, y, YELLOW if won else mix(YELLOW, BOARD, 0.6), solid=won)
            label = f"{name} {number(limit)}"
            if canvas.theme.font("medium", 11).size(label)[0] > width - px(LANE):
                label = name
            self._label(canvas, label, y, TEXT if won else TEXT_2, taken, face="medium")
        if spec is not None and model.beyond is not None and model.score > model.beyond:
            y = at(altitude(model.beyond, spec))
            self._line(canvas, y, PACKET, solid=True)
            self._label(canvas, "Beyond", y, TEXT, taken, face="semibold")
        if spec is not None and model.limit is not None and model.score >= spec.gold and not model.stale:
            self._ceiling(canvas, at(altitude(model.limit, spec)), taken)
        if best is not None:
            self._label(canvas, "best", best, TEXT_3, taken)
        if scored is not None:
            colour = TEXT_3 if model.stale else PACKET
            canvas.surface.fill(colour, (px(2), scored - px(1), width - px(4), max(1, px(2))))
            pygame.draw.polygon(
                canvas.surface, colour, ((px(1), scored - px(5)), (px(7), scored), (px(1), scored + px(5)))
            )
        for rocket in model.rockets:
            self._rocket(canvas, rocket, at, ground)
        if not model.rockets:
            self._body(canvas, width // 2, ground - px(8), TEXT_3, tipped=model.tipped)

    def _label(
        self,
        canvas: Canvas,
        words: str,
        y: int,
        colour: tuple[int, int, int],
        lines: list[pygame.Rect],
        face: str = "text",
    ) -> None:
        """A word at a line: above it, else below, on the left, else on the right; where all of that is taken, by words
        or by ``lines`` that would strike it through, the name of a medal interrupts all but the first line, which is
        the score's; other words are left out.
        """
        px, width = canvas.px, canvas.bounds.width
        wide, height = canvas.theme.font(face, 11).size(words)
        wide = min(wide, width - px(12))
        written = [one.rect for one in canvas.written]
        for struck in (lines, lines[:1]) if face == "medium" else (lines,):
            for left in (px(8), width - px(6) - wide):
                for middle in (max(y - px(10), (height + 1) // 2), y + px(10)):
                    place = pygame.Rect(left, middle - height // 2 + height // 6, wide, height - height // 3)
                    if place.top < 0 or place.collidelist([*written, *struck]) >= 0:
                        continue
                    if place.collidelist(lines) >= 0:
                        canvas.surface.fill(self.ground, place.inflate(px(6), 0))
                    canvas.text(words, left, middle, size=11, face=face, colour=colour, width=wide + px(2))
                    return

    def _ceiling(self, canvas: Canvas, y: int, lines: list[pygame.Rect]) -> None:
        """The proven limit: a line that nothing goes through, as drawings hatch the ground."""
        px, width = canvas.px, canvas.bounds.width
        self._line(canvas, y, TEXT_2, solid=True)
        for x in range(px(8), width - px(10), px(6)):
            pygame.draw.line(canvas.surface, TEXT_3, (x, y - px(1)), (x + px(4), y - px(5)))
        self._label(canvas, "limit", y, TEXT_2, lines)

    def _line(self, canvas: Canvas, y: int, colour: tuple[int, int, int], solid: bool, dash: int = 5) -> None:
        px, width = canvas.px, canvas.bounds.width
        step = width if solid else 2 * px(dash)
        for x in range(px(6), width - px(6), step):
            length = width - px(12) if solid else px(dash)
            canvas.surface.fill(colour, (x, y, min(length, width - px(6) - x), max(1, px(1))))

    def _rocket(self, canvas: Canvas, rocket: Rocket, at: object, ground: int) -> None:
        px = canvas.px
        top = at(rocket.reach)  # type: ignore[operator]
        rise = 1 - (1 - rocket.flown) ** 2
        y = round(ground - px(8) + (top - ground + px(8)) * rise)
        # Beside the names of the medals, where there is room for both.
        named = max((w.rect.right for w in canvas.written if w.rect.left < px(12)), default=0)
        x = min(max(canvas.bounds.width // 2, named + px(8)), canvas.bounds.width - px(7))
        flame = px(8 + 26 * rocket.waste)
        blue = (150, 200, 255)
        for k in range(flame):
            fade = 1 - k / flame
            colour = mix(BOARD, mix(blue, ORANGE, rocket.waste), fade * (1 - rocket.flown * 0.6))
            wide = max(1, round(px(4) * fade))
            if y + px(8) + k < ground:
                canvas.surface.fill(colour, (x - wide // 2, y + px(8) + k, wide, 1))
        self._body(canvas, x, y, mix(YELLOW, PACKET, 0.5), tipped=False)

    def _body(self, canvas: Canvas, x: int, y: int, colour: tuple[int, int, int], tipped: bool) -> None:
        px = canvas.px
        shape = ((0, -8), (4, -2), (4, 6), (-4, 6), (-4, -2))
        points = []
        for a, b in shape:
            dx = px(a) if a >= 0 else -px(-a)
            dy = px(b) if b >= 0 else -px(-b)
            points.append((x + dy, y + dx) if tipped else (x + dx, y + dy))
        pygame.draw.polygon(canvas.surface, colour, points)
