"""The first screen: a machine at work in the background, and where to go."""

from __future__ import annotations

import pygame

from game.panels.kit import Action
from game.panels.sheet import Sheet
from game.panels.showpiece import Showpiece
from game.screens.base import Context
from game.screens.page import Page
from game.text import number
from game.theme import BOARD, PANEL, PANEL_2, TEXT, TEXT_2, TEXT_3, YELLOW, mix
from game.view.board import OUTSIDE

SHOWN = "gpu-puzzles-14b-matmul-tiles"
BEGIN_NS = 250.0
DIM = 0.5


class Title(Page):
    """Continue, campaign, sandbox, settings, quit."""

    first = "continue"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.machine = Showpiece(SHOWN, pace=12, begin_ns=BEGIN_NS)
        self._drawn = False
        self._next: tuple[str, str] | None = None
        self._fresh = True

    def enter(self) -> None:
        super().enter()
        from game.shell.doors import to_continue
        from levels.lookup import campaign

        solved = self.context.progress.bests()
        last = self.context.progress.setting("last_level")
        entry = to_continue(campaign(), solved, last)
        self._next = (entry.id, entry.title) if entry else None
        self._fresh = not solved and last is None

    def update(self, seconds: float) -> None:
        super().update(seconds)
        if self._drawn:
            self.machine.start()
        if not self.theme.reduced_motion:
            self.machine.update(seconds)

    def escape(self) -> None:
        """Nothing: leaving is a choice of its own."""

    def act(self, action: Action) -> None:
        match action:
            case ("workbench", str() as level):
                self.play(level)
            case _:
                self.context.ask(*action)

    def paint(self, sheet: Sheet) -> None:
        self._drawn = True
        px, bounds = sheet.px, sheet.bounds
        theme = self.theme
        narrow = bounds.height < px(560) * theme.font_scale
        left = min(px(96), bounds.width // 12)
        width = min(px(300) * max(1, theme.font_scale), bounds.width - 2 * left)
        width = round(width)
        row = round(px(40) * theme.font_scale)
        gap = px(6 if narrow else 10)
        choices: list[tuple[str, str, tuple[object, ...]]] = []
        if self._next:
            name, title = self._next
            choices.append(("continue", "Begin" if self._fresh else f"Continue: {title}", ("workbench", name)))
        choices += [
            ("campaign", "Campaign", ("campaign",)),
            ("sandbox", "Sandbox", ("workbench", "sandbox")),
            ("settings", "Settings", ("settings",)),
            ("quit", "Quit", ("quit",)),
        ]
        head = sheet.line_height(28 if narrow else 48) + sheet.line_height(14) + px(12 if narrow else 36)
        height = head + len(choices) * (row + gap)
        spare = bounds.height - height
        top = self.scrolling(sheet, bounds, height + 2 * px(12)) + px(12)
        top = max(spare // 2 - (0 if narrow else px(24)), top) if spare > 2 * px(12) else top
        beside = left + width + px(48)
        sheet.surface.fill(mix(OUTSIDE, BOARD, DIM))
        shown = bounds.width - beside >= px(360)
        if shown:
            place = pygame.Rect(beside, 0, bounds.width - beside, bounds.height)
            shown = self.machine.draw(sheet.surface, place, theme, dim=DIM)
        y = sheet.words("Perwatt", left, top, size=28 if narrow else 48, face="semibold", width=width)
        y = sheet.words("Launches per joule. Waste nothing.", left, y, size=14, colour=TEXT_2, width=width)
        y += px(12 if narrow else 36)
        for name, words, action in choices:
            place = pygame.Rect(left, y, width, row)
            lit = sheet.zone(name, place, action)
            if name == self.first:
                sheet.box(place, YELLOW, 4)
                colour = BOARD
            else:
                sheet.box(place, PANEL_2 if lit else PANEL, 4, 0.9)
                colour = TEXT if lit else TEXT_2
            sheet.text(
                words,
                left + px(16),
                place.centery,
                size=15,
                face="semibold" if name == self.first else "medium",
                colour=colour,
                width=width - px(32),
            )
            y += row + gap
        self.scrolled(sheet)
        edge = bounds.right - px(24)
        if shown and self.machine.efficiency and not narrow:
            low = bounds.bottom - px(24) - sheet.line_height(12)
            figure = f"{number(self.machine.efficiency)} launches/nJ"
            low2 = low - sheet.line_height(15)
            sheet.words(figure, edge, low2, size=15, face="mono", colour=TEXT, width=bounds.width // 2, align="right")
            sheet.words(
                f"{self.machine.title}, from the end of the campaign",
                edge,
                low,
                size=12,
                colour=TEXT_2,
                width=bounds.width // 2,
                align="right",
            )
        if not self.context.engine_ready:
            low = bounds.bottom - px(10) - sheet.line_height(12)
            if y < low:
                sheet.words("The engine is warming up", left, low, size=12, colour=TEXT_3, width=width)
