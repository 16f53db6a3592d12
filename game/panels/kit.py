"""What all panels are made of: a canvas that notes what it drew where, zones that act, and a cached picture.

A panel is drawn from a model, a frozen value; while the model, the place and the zone under the mouse stay the same,
the picture is kept. Zones carry a name, by which tests find them, and an action: a tuple that the screen understands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pygame

from game.text import fitted, line, wrapped
from game.theme import (
    BOARD,
    EDGE,
    PANEL,
    PANEL_2,
    SKY,
    TEXT,
    TEXT_2,
    TEXT_3,
    YELLOW,
    Colour,
    Theme,
    mix,
)
from game.view.glyphs import GLYPHS, glyph
from game.view.sprites import rounded_mask, tinted

Action = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Zone:
    """A place that can be clicked; ``rect`` is on the screen. ``drag``: the action follows the mouse while held."""

    name: str
    rect: pygame.Rect
    action: Action
    tip: str = ""
    drag: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """A text that was drawn, where, and the rectangle that it had to keep to. For checks of the layout."""

    words: str
    rect: pygame.Rect
    bounds: pygame.Rect


@dataclass(frozen=True, slots=True)
class Typed:
    """The field that is being typed, and what is wrong with it. The field itself is drawn over its zone."""

    name: str
    wrong: str = ""


class Canvas:
    """Draws one panel onto a surface of its own, in coordinates of the panel."""

    def __init__(self, size: tuple[int, int], theme: Theme, hover: str | None, ground: Colour | None = PANEL) -> None:
        self.theme = theme
        self.hover = hover
        self.surface = pygame.Surface(size, pygame.SRCALPHA, 32) if ground is None else pygame.Surface(size)
        if ground is not None:
            self.surface.fill(ground)
        self.bounds = self.surface.get_rect()
        self.zones: list[Zone] = []
        self.written: list[Written] = []
        self.cut: list[tuple[pygame.Rect, str]] = []

    def px(self, length: float) -> int:
        return self.theme.px(length)

    def text(
        self,
        words: str,
        x: int,
        middle: int,
        *,
        size: float = 13,
        face: str = "text",
        colour: Colour = TEXT,
        width: int | None = None,
        align: str = "left",
    ) -> pygame.Rect:
        """A line whose vertical middle is ``middle``, cut to ``width`` pixels; returns where it stands.

        Where it is cut, the whole of it is said when the mouse rests there: see :meth:`told`."""
        room = width if width is not None else (self.bounds.width - x if align == "left" else x)
        shown = fitted(self.theme, face, size, words, max(room, 0))
        picture = line(self.theme, face, size, shown, colour)
        rect = picture.get_rect()
        rect.centery = middle
        if align == "right":
            rect.right = x
        elif align == "centre":
            rect.centerx = x
        else:
            rect.left = x
        self.surface.blit(picture, rect)
        if shown:
            self.written.append(Written(shown, rect.copy(), self.bounds.copy()))
        if shown and shown != words:
            self.cut.append((rect.copy(), words))
        return rect

    def told(self) -> list[Zone]:
        """All zones. A text that was cut adds its words to the tip of the zone that it stands in, or has its own."""
        zones = list(self.zones)
        own: list[Zone] = []
        for n, (rect, words) in enumerate(self.cut):
            k = next((k for k in range(len(zones) - 1, -1, -1) if zones[k].rect.collidepoint(rect.center)), None)
            if k is None:
                own.append(Zone(f"cut.{n}", rect, ("nothing",), words))
            elif words not in zones[k].tip:
                zones[k] = replace(zones[k], tip=f"{words}. {zones[k].tip}" if zones[k].tip else words)
        return own + zones

    def paragraph(
        self, words: str, x: int, top: int, width: int, *, size: float = 13, colour: Colour = TEXT_2, most: int = 40
    ) -> int:
        """Wrapped text; returns its lower edge."""
        height = self.line_height(size)
        for part in wrapped(self.theme, "text", size, words, width)[:most]:
            self.text(part, x, top + height // 2, size=size, colour=colour, width=width)
            top += height
        return top

    def line_height(self, size: float) -> int:
        return round(self.theme.px(size) * self.theme.font_scale * 1.4)

    def head(self, words: str, x: int, middle: int, right: str = "") -> None:
        """A heading of a group, with a figure at the right edge."""
        edge = self.bounds.width - x
        if right:
            edge = self.text(right, edge, middle, size=12, face="mono", align="right", colour=TEXT).left - self.px(8)
        self.text(words, x, middle, size=12, face="semibold", colour=TEXT, width=edge - x)

    def rule(self, y: int, x: int = 0) -> None:
        self.surface.fill(EDGE, (x, y, self.bounds.width - 2 * x, max(1, self.px(1))))

    def upright(self, x: int) -> None:
        self.surface.fill(EDGE, (x, 0, max(1, self.px(1)), self.bounds.height))

    def box(self, rect: pygame.Rect, colour: Colour, radius: float = 4, opacity: float = 1.0) -> None:
        """A rectangle with round corners."""
        if rect.width > 0 and rect.height > 0:
            self.surface.blit(
                tinted(rounded_mask(rect.width, rect.height, self.theme.px(radius)), colour, opacity), rect
            )

    def frame(self, rect: pygame.Rect, colour: Colour, radius: float = 4) -> None:
        pygame.draw.rect(self.surface, colour, rect, max(1, self.px(1)), border_radius=self.px(radius))

    def zone(self, name: str, rect: pygame.Rect, action: Action, tip: str = "", drag: bool = False) -> bool:
        """Make ``rect`` act; whether the mouse is on it."""
        self.zones.append(Zone(name, rect.copy(), action, tip, drag))
        return self.hover == name

    def button(
        self,
        name: str,
        rect: pygame.Rect,
        words: str,
        action: Action,
        *,
        tip: str = "",
        on: bool = False,
        main: bool = False,
        enabled: bool = True,
        size: float = 13,
    ) -> None:
        """A button with words. ``on`` for a switch that is on; ``main`` for the one that matters most."""
        lit = self.zone(name, rect, action, tip) if enabled else False
        if main:
            ground = mix(YELLOW, (255, 255, 255), 0.25) if lit else YELLOW
            colour = BOARD
            if not enabled:
                ground, colour = PANEL_2, TEXT_3
        else:
            ground = mix(PANEL_2, EDGE, 0.55) if lit or on else PANEL_2
            colour = TEXT if enabled and (on or lit) else TEXT_2 if enabled else mix(TEXT_3, PANEL, 0.4)
        self.box(rect, ground)
        if on and not main:
            self.surface.fill(
                SKY, (rect.left + self.px(6), rect.bottom - self.px(2), rect.width - self.px(12), self.px(2))
            )
        self.text(
            words,
            rect.centerx,
            rect.centery,
            size=size,
            face="semibold" if main else "medium",
            colour=colour,
            width=rect.width - self.px(6),
            align="centre",
        )

    def field(
        self, name: str, rect: pygame.Rect, text: str, *, tip: str = "", mono: bool = True, hint: str = ""
    ) -> None:
        """A field at rest with ``text``, or else ``hint``; clicking it asks for ("type", name)."""
        lit = self.zone(name, rect, ("type", name), tip)
        self.box(rect, mix(PANEL_2, EDGE, 0.5) if lit else PANEL_2)
        face, colour = ("mono" if mono else "text", TEXT) if text else ("text", TEXT_2)
        self.text(
            text or hint, rect.left + self.px(8), rect.centery, face=face, colour=colour, width=rect.width - self.px(16)
        )

    def icon_button(
        self,
        name: str,
        rect: pygame.Rect,
        icon: str,
        action: Action,
        *,
        tip: str = "",
        on: bool = False,
        enabled: bool = True,
    ) -> None:
        """A button with one of our own icons (:func:`draw_icon`)."""
        lit = self.zone(name, rect, action, tip) if enabled else False
        if lit or on:
            self.box(rect, mix(PANEL_2, EDGE, 0.55) if lit else PANEL_2)
        colour = SKY if on else TEXT if enabled else mix(TEXT_3, PANEL, 0.5)
        draw_icon(self.surface, icon, rect, colour, self.theme)

    def sign(self, name: str, rect: pygame.Rect, colour: Colour = TEXT) -> None:
        """The sign of a core in the middle of ``rect``."""
        if name in GLYPHS:
            side = min(rect.width, rect.height)
            picture = glyph(name, side, colour)
            self.surface.blit(picture, picture.get_rect(center=rect.center))


def draw_icon(surface: pygame.Surface, icon: str, rect: pygame.Rect, colour: Colour, theme: Theme) -> None:
    """Icons of the transport and the top bar, drawn in the middle of ``rect``."""
    u = theme.px(16) / 16
    cx, cy = rect.center

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(cx + (x - 8) * u, cy + (y - 8) * u) for x, y in points]

    def bar(x: float) -> None:
        left, top = at((x, 3))[0]
        surface.fill(colour, (round(left), round(top), max(1, round(2 * u)), round(10 * u)))

    def right(x: float, width: float = 6) -> None:
        pygame.draw.polygon(surface, colour, at((x, 3), (x + width, 8), (x, 13)))

    def left(x: float, width: float = 6) -> None:
        pygame.draw.polygon(surface, colour, at((x + width, 3), (x, 8), (x + width, 13)))

    thick = max(1, round(1.75 * u))
    match icon:
        case "play":
            pygame.draw.polygon(surface, colour, at((4, 2), (14, 8), (4, 14)))
        case "pause":
            for x in (4.0, 9.5):
                a, b = at((x, 3))[0]
                surface.fill(colour, (round(a), round(b), max(1, round(3 * u)), round(10 * u)))
        case "step":
            bar(4)
            right(8)
        case "step-back":
            left(2)
            bar(10)
        case "next":
            right(2, 5)
            right(7, 5)
            bar(12)
        case "previous":
            bar(2)
            left(4, 5)
            left(9, 5)
        case "start":
            bar(3)
            left(6, 7)
        case "fault":
            pygame.draw.polygon(surface, colour, at((8, 2), (14, 8), (8, 14), (2, 8)))
        case "undo" | "redo":
            points = ((5, 3), (2, 6), (5, 9)), ((2, 6), (10, 6), (13, 8), (13, 10), (10, 12.5), (6, 12.5))
            for stroke in points:
                shape = stroke if icon == "undo" else tuple((16 - x, y) for x, y in stroke)
                pygame.draw.lines(surface, colour, False, at(*shape), thick)
        case "plus":
            pygame.draw.lines(surface, colour, False, at((8, 3), (8, 13)), thick)
            pygame.draw.lines(surface, colour, False, at((3, 8), (13, 8)), thick)
        case "back":
            pygame.draw.lines(surface, colour, False, at((10, 3), (5, 8), (10, 13)), thick)
        case "close":
            pygame.draw.lines(surface, colour, False, at((4, 4), (12, 12)), thick)
            pygame.draw.lines(surface, colour, False, at((12, 4), (4, 12)), thick)
        case "copy":
            for x, y in ((2.5, 2.5), (6, 6)):
                a, b = at((x, y))[0]
                pygame.draw.rect(surface, colour, (a, b, 8 * u, 8 * u), thick)
        case "bin":
            pygame.draw.lines(surface, colour, False, at((3, 4.5), (13, 4.5)), thick)
            pygame.draw.lines(surface, colour, False, at((4.5, 4.5), (5, 13.5), (11, 13.5), (11.5, 4.5)), thick)
            pygame.draw.lines(surface, colour, False, at((6.5, 2.5), (9.5, 2.5)), thick)
        case "search":
            pygame.draw.circle(surface, colour, at((7, 7))[0], 4 * u, thick)
            pygame.draw.lines(surface, colour, False, at((10, 10), (13.5, 13.5)), thick)


class Panel:
    """One rectangle of the screen with a picture that is kept while what it shows stays the same."""

    ground: Colour | None = PANEL

    def __init__(self) -> None:
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.zones: list[Zone] = []
        self.written: list[Written] = []
        self._key: tuple[Any, ...] | None = None
        self._picture: pygame.Surface | None = None

    def paint(self, canvas: Canvas, model: Any) -> None:
        """Draw ``model``: what a panel is."""
        raise NotImplementedError

    def draw(
        self, surface: pygame.Surface, rect: pygame.Rect, theme: Theme, model: Any, mouse: tuple[float, float]
    ) -> None:
        """Draw the panel at ``rect``; an empty rectangle hides it."""
        self.rect = rect
        if rect.width < theme.px(16) or rect.height < theme.px(16):
            self.zones, self.written, self._key = [], [], None
            return
        zone = self.zone_at(mouse)
        key = (tuple(rect), theme, model, zone.name if zone else None)
        if key != self._key or self._picture is None:
            canvas = Canvas(rect.size, theme, zone.name if zone else None, self.ground)
            self.paint(canvas, model)
            self.zones = [Zone(z.name, z.rect.move(rect.topleft), z.action, z.tip, z.drag) for z in canvas.told()]
            self.written = [
                Written(w.words, w.rect.move(rect.topleft), w.bounds.move(rect.topleft)) for w in canvas.written
            ]
            self._key, self._picture = key, canvas.surface
        surface.blit(self._picture, rect)

    def zone_at(self, pos: tuple[float, float]) -> Zone | None:
        """The zone under a position, the one drawn last first."""
        for zone in reversed(self.zones):
            if zone.rect.collidepoint(pos):
                return zone
        return None
