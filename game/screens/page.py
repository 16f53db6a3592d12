"""What the screens around the workbench share: zones under mouse and keys, a column that scrolls, and Escape.

A page is painted anew in every frame. What can be pressed is what was painted last, found by name in tests.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pygame

from game.panels.kit import Action, Written, Zone
from game.panels.sheet import Sheet
from game.screens.base import Context
from game.shell.places import SANDBOX
from game.text import wrapped
from game.theme import BOARD, EDGE, PANEL_2, SKY, TEXT, TEXT_3, VERMILLION, Theme
from levels.refusals import refusal

TIP_S = 0.45
"""Seconds that the mouse rests before the whole of a text that was cut is said."""
_ARROWS = {pygame.K_LEFT: (-1, 0), pygame.K_RIGHT: (1, 0), pygame.K_UP: (0, -1), pygame.K_DOWN: (0, 1)}


class Page:
    """A screen made of zones. Subclasses paint and act; ``first`` is the zone that Enter presses at first."""

    first: str | None = None

    def __init__(self, context: Context) -> None:
        self.context = context
        self.zones: list[Zone] = []
        self.written: list[Written] = []
        self.mouse: tuple[float, float] = (-1, -1)
        self.focus: str | None = None
        self.offset = 0
        self.seconds = 0.0
        self._held: str | None = None
        self._overflow = 0
        self._scrolled = pygame.Rect(0, 0, 0, 0)
        self._before = 0, 0, 0
        self._rested = 0.0
        self.told: list[str] = []
        """What has happened to the data folder since this screen came up."""

    # --- to be filled in ---------------------------------------------------------------------------------

    def paint(self, sheet: Sheet) -> None:
        """Draw everything, and make the zones."""
        raise NotImplementedError

    def act(self, action: Action) -> None:
        """Do what a zone stands for."""
        raise NotImplementedError

    def escape(self) -> None:
        self.context.ask("back")

    def play(self, level: str, path: Path | None = None) -> None:
        """Go to the workbench with a level, which lies at ``path``, and know next time which level it was."""
        if level != SANDBOX:
            self.context.progress.put_setting("last_level", level)
        self.context.ask("workbench", level if path is None else str(path))

    # --- a screen ----------------------------------------------------------------------------------------

    @property
    def theme(self) -> Theme:
        return self.context.theme

    def enter(self) -> None:
        self._held = None

    def leave(self) -> None:
        pass

    def close(self) -> None:
        """Taken off the stack for good."""

    def resize(self, size: tuple[int, int]) -> None:
        self._held = None

    def update(self, seconds: float) -> None:
        self.seconds += seconds
        self._rested += seconds

    def draw(self, surface: pygame.Surface) -> None:
        sheet = Sheet(surface, self.theme, self._name_at(self.mouse) or self.focus)
        surface.fill(BOARD)
        self._overflow = 0
        self._scrolled = surface.get_rect()
        self.paint(sheet)
        self._tell(sheet)
        self.zones, self.written = sheet.zones, list(sheet.written)
        self._tip(sheet)
        if self.focus and (zone := self.zone(self.focus)):
            gap = self.theme.px(3)
            pygame.draw.rect(
                surface, SKY, zone.rect.inflate(2 * gap, 2 * gap), self.theme.px(2), border_radius=self.theme.px(6)
            )

    def _tell(self, sheet: Sheet) -> None:
        """Along the lower edge: that nothing can be saved, and what has happened to the data folder."""
        self.told += [notice.message for notice in self.context.notices()]
        refused = self.context.progress.refused
        words = list(self.told[-2:])
        if refused is not None:
            words.append(f"Cannot save here: {refusal(refused)}. You can play on; it is saved once that is possible.")
        if not words:
            return
        px, bounds = sheet.px, sheet.bounds
        width = bounds.width - px(48)
        height = sum(sheet.lines(text, width, 12) for text in words) + px(16)
        place = pygame.Rect(bounds.left, bounds.bottom - height, bounds.width, height)
        sheet.box(place, PANEL_2, 0)
        sheet.surface.fill(VERMILLION, (place.left, place.top, place.width, max(px(2), 1)))
        y = place.top + px(8)
        for text in words:
            y = sheet.paragraph(text, px(24), y, width, size=12, colour=TEXT)

    def _tip(self, sheet: Sheet) -> None:
        """The whole of a text that was cut, and the tip of a zone, once the mouse rests there."""
        if self._rested < TIP_S:
            return
        here = next((zone for zone in reversed(sheet.told()) if zone.rect.collidepoint(self.mouse)), None)
        if here is None or not here.tip:
            return
        px, bounds = sheet.px, sheet.surface.get_rect()
        parts = wrapped(self.theme, "text", 12, here.tip, min(px(400), bounds.width - px(40)))
        font, step = self.theme.font("text", 12), sheet.line_height(12)
        card = pygame.Rect(0, 0, max(font.size(part)[0] for part in parts) + px(24), len(parts) * step + px(16))
        card.topleft = round(self.mouse[0]) + px(12), round(self.mouse[1]) + px(16)
        card.clamp_ip(bounds.inflate(-px(8), -px(8)))
        sheet.box(card, PANEL_2)
        sheet.frame(card, EDGE)
        for k, part in enumerate(parts):
            sheet.text(part, card.left + px(12), card.top + px(8) + k * step + step // 2, size=12, width=card.width)

    def handle(self, event: pygame.event.Event) -> None:
        if event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEWHEEL):
            self._rested = 0.0
        match event.type:
            case pygame.MOUSEMOTION:
                self.mouse, self.focus = event.pos, None
            case pygame.MOUSEBUTTONDOWN if event.button == 1:
                self.mouse, self.focus = event.pos, None
                self._held = self._name_at(event.pos)
            case pygame.MOUSEBUTTONUP if event.button == 1:
                self.mouse = event.pos
                held, self._held = self._held, None
                if held is not None and held == self._name_at(event.pos):
                    self.press(held)
            case pygame.MOUSEWHEEL:
                self.scroll(-round(event.y * self.theme.px(48)))
            case pygame.KEYDOWN:
                self.key(event)

    def key(self, event: pygame.event.Event) -> None:
        """A key went down."""
        if event.key == pygame.K_ESCAPE:
            self.escape()
        elif event.key == pygame.K_TAB:
            self._turn(-1 if event.mod & pygame.KMOD_SHIFT else 1)
        elif event.key in _ARROWS:
            self._move(*_ARROWS[event.key])
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            name = self.focus or self.first
            if name:
                self.press(name)
        elif event.key in (pygame.K_PAGEDOWN, pygame.K_PAGEUP):
            way = 1 if event.key == pygame.K_PAGEDOWN else -1
            self.scroll(way * self._scrolled.height * 3 // 4)

    # --- zones -------------------------------------------------------------------------------------------

    def zone(self, name: str) -> Zone | None:
        """The zone of this name, as it was painted last."""
        return next((zone for zone in self.zones if zone.name == name), None)

    def press(self, name: str) -> None:
        """Do what the zone of this name does."""
        if zone := self.zone(name):
            self.act(zone.action)

    def _name_at(self, pos: tuple[float, float]) -> str | None:
        return next((zone.name for zone in reversed(self.zones) if zone.rect.collidepoint(pos)), None)

    def _turn(self, way: int) -> None:
        names = [zone.name for zone in self.zones]
        if names:
            at = names.index(self.focus) + way if self.focus in names else 0 if way > 0 else -1
            self._look_at(names[at % len(names)])

    def _move(self, dx: int, dy: int) -> None:
        here = self.zone(self.focus or "") or self.zone(self.first or "")
        if here is None:
            self._turn(1)
            return
        if self.focus is None and self.first:
            self._look_at(self.first)
            return
        best: tuple[float, str] | None = None
        for zone in self.zones:
            x, y = zone.rect.centerx - here.rect.centerx, zone.rect.centery - here.rect.centery
            ahead, aside = (x * dx + y * dy), abs(x * dy) + abs(y * dx)
            if zone is not here and ahead > 0 and (best is None or ahead + 3 * aside < best[0]):
                best = (ahead + 3 * aside, zone.name)
        if best:
            self._look_at(best[1])

    def _look_at(self, name: str) -> None:
        """Put the focus on a zone and scroll it into sight."""
        self.focus = name
        zone = self.zone(name)
        if zone is None or not self._overflow:
            return
        view = self._scrolled
        if view.left <= zone.rect.centerx < view.right:
            if zone.rect.top < view.top:
                self.scroll(zone.rect.top - view.top - self.theme.px(16))
            elif zone.rect.bottom > view.bottom:
                self.scroll(zone.rect.bottom - view.bottom + self.theme.px(16))

    # --- scrolling ---------------------------------------------------------------------------------------

    def scroll(self, pixels: int) -> None:
        """Scroll down by so many pixels, as far as there is something."""
        self.offset = min(max(self.offset + pixels, 0), self._overflow)

    def scrolling(self, sheet: Sheet, view: pygame.Rect, height: int) -> int:
        """Begin a part that is ``height`` high and seen through ``view``; returns where its upper edge is.

        Draw it, then call :meth:`scrolled`.
        """
        self._scrolled, self._overflow = view, max(0, height - view.height)
        self.offset = min(self.offset, self._overflow)
        sheet.surface.set_clip(view)
        sheet.bounds = pygame.Rect(view.left, view.top - self.offset, view.width, max(height, view.height))
        self._before = len(sheet.zones), len(sheet.written), len(sheet.cut)
        return view.top - self.offset

    def scrolled(self, sheet: Sheet, bar: bool = True) -> None:
        """End the part that scrolls: zones out of sight do nothing by mouse, and a bar shows where one is."""
        view = self._scrolled
        sheet.surface.set_clip(None)
        sheet.bounds = sheet.surface.get_rect()
        zones, texts, cut = self._before
        seen_texts = [replace(w, rect=w.rect.clip(view)) for w in sheet.written[texts:] if w.rect.colliderect(view)]
        sheet.written = sheet.written[:texts] + seen_texts
        sheet.cut[cut:] = [(rect.clip(view), words) for rect, words in sheet.cut[cut:] if rect.colliderect(view)]
        kept = sheet.zones[:zones]
        for zone in sheet.zones[zones:]:
            seen = zone.rect.clip(view)
            # Zones out of sight keep their place for the keys, and no area for the mouse.
            rect = seen if seen.height > 2 else pygame.Rect(zone.rect.left, zone.rect.top, zone.rect.width, 0)
            kept.append(Zone(zone.name, rect, zone.action, zone.tip, zone.drag))
        sheet.zones = kept
        if self._overflow and bar:
            thick = sheet.px(4)
            part = max(view.height * view.height // (view.height + self._overflow), sheet.px(24))
            top = view.top + (view.height - part) * self.offset // self._overflow
            sheet.surface.fill(EDGE, (view.right - thick, view.top, thick, view.height))
            sheet.surface.fill(TEXT_3, (view.right - thick, top, thick, part))
