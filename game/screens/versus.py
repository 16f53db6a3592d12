"""Two designs of a level side by side: both machines at the same moment, what differs, and which figure moved."""

from __future__ import annotations

import pygame

from engine.model import Design, Level
from game.comparing import Pair, Reports, moved_rows, what_differs
from game.panels.kit import Action
from game.panels.sheet import Sheet
from game.panels.versus import VersusModel, changes_height, paint_changes, paint_rows
from game.playback import Playback
from game.said import said
from game.screens.base import Context
from game.screens.page import Page
from game.theme import EDGE, PANEL, SKY, TEXT_2, TEXT_3
from game.view.camera import Camera
from game.view.differences import differences_of
from game.view.scene import Scene
from game.view.still import BoardView

MANY_CHANGES = 12


class _Side:
    """One machine with its board."""

    def __init__(self, level: Level, design: Design) -> None:
        self.design = design
        # The plain engine is there at once, and shows the same.
        self.playback = Playback(level, design, engine="plain")
        self.view = BoardView()
        self.place = pygame.Rect(0, 0, 0, 0)
        """Where the board was drawn last."""


class Versus(Page):
    """Compare any two of a level's designs."""

    def __init__(self, context: Context, pair: Pair) -> None:
        super().__init__(context)
        self.pair = pair
        self.chosen = [pair.first, pair.second]
        self.reports = Reports(pair.level, "auto" if context.engine_ready else "plain")
        self.sides = [_Side(pair.level, pair.designs[i][1]) for i in self.chosen]
        self.changes: tuple[str, ...] = ()
        self.playing = True
        self._study()

    def close(self) -> None:
        self.reports.close()

    def act(self, action: Action) -> None:
        match action:
            case ("turn", int(side), int(way)):
                self.chosen[side] = (self.chosen[side] + way) % len(self.pair.designs)
                self.sides[side] = _Side(self.pair.level, self.pair.designs[self.chosen[side]][1])
                for other in self.sides:
                    other.playback.seek(0)
                self._study()
            case ("swap",):
                self.chosen.reverse()
                self.sides.reverse()
                self._study()
            case ("play",):
                self.playing = not self.playing
            case _:
                self.context.ask(*action)

    def key(self, event: pygame.event.Event) -> None:
        if event.key == pygame.K_SPACE and self.focus is None:
            self.act(("play",))
        else:
            super().key(event)

    def update(self, seconds: float) -> None:
        """Both machines go on together; when neither can, both begin anew."""
        super().update(seconds)
        running = [side.playback for side in self.sides if side.playback.simulation is not None]
        for playback in running:
            playback.playing = self.playing and playback.halted is None
            playback.update(seconds)
        if self.playing and running and all(playback.halted for playback in running):
            for playback in running:
                playback.seek(0)

    def _study(self) -> None:
        first, second = (side.design for side in self.sides)
        self.changes = what_differs(first, second)
        self._marks = differences_of(first, second), differences_of(second, first, new=True)

    # --- drawing -----------------------------------------------------------------------------------------

    def paint(self, sheet: Sheet) -> None:
        px, bounds = sheet.px, sheet.bounds
        top = round(px(52) * self.theme.font_scale)
        sheet.surface.fill(PANEL, (0, 0, bounds.width, top))
        sheet.hairline(0, top - 1, bounds.width)
        side = top - px(12)
        sheet.icon_button("back", pygame.Rect(px(8), px(6), side, side), "back", ("back",), tip="Back (Esc)")
        title = f"{self.pair.level.title}: two designs"
        buttons = (("play", "pause" if self.playing else "play", ("play",)), ("swap", "swap", ("swap",)))
        right = bounds.width - px(12)
        for name, words, action in buttons:
            rect = pygame.Rect(right - px(84), px(8), px(84), top - px(16))
            sheet.button(name, rect, words, action)
            right = rect.left - px(8)
        left = px(20) + side
        sheet.text(title, left, top // 2, size=15, face="semibold", width=min(right - px(8) - left, bounds.width // 2))
        # The machines are what it is about: they have half of what there is, and the figures scroll.
        low = min(max(bounds.height * 2 // 5, px(240)), px(420), (bounds.height - top) * 45 // 100)
        boards = pygame.Rect(0, top, bounds.width, bounds.height - top - low)
        half = boards.width // 2
        self._board(sheet, 0, pygame.Rect(0, boards.top, half, boards.height))
        self._board(sheet, 1, pygame.Rect(half, boards.top, boards.width - half, boards.height))
        sheet.surface.fill(EDGE, (half, boards.top, max(1, px(1)), boards.height))
        sheet.hairline(0, boards.bottom, bounds.width)
        self._figures(sheet, pygame.Rect(0, boards.bottom, bounds.width, low))

    def _board(self, sheet: Sheet, k: int, area: pygame.Rect) -> None:
        px, side = sheet.px, self.sides[k]
        head = round(px(40) * self.theme.font_scale)
        middle = area.top + head // 2
        name = self.pair.designs[self.chosen[k]][0]
        sheet.text("AB"[k], area.left + px(16), middle, size=15, face="semibold", colour=(TEXT_2, SKY)[k], width=px(20))
        x = area.left + px(40)
        if len(self.pair.designs) > 2:
            for words, way in (("‹", -1), ("›", 1)):
                rect = pygame.Rect(x, middle - px(13), px(26), px(26))
                sheet.button(f"{'AB'[k]}{words}", rect, words, ("turn", k, way), tip="Another design")
                x += px(30)
        sheet.text(name, x + px(6), middle, size=13, face="medium", width=area.right - x - px(16))
        view = pygame.Rect(area.left, area.top + head, area.width, area.height - head)
        side.place = view
        if view.height < px(40):
            return
        columns, rows = self.pair.level.board.size
        camera = Camera(columns, rows, (view.x, view.y, view.width, view.height), scale=self.theme.scale)
        camera.fit()
        playback = side.playback
        scene = Scene(
            self.pair.level,
            side.design,
            playback.netlist,
            playback.time_ns,
            playback.packets(),
            playback.state(),
            differences=self._marks[k],
            pace=playback.pace,
            clock=self.seconds,
            theme=self.theme,
        )
        side.view.draw(sheet.surface, camera, scene, budget_ms=8)
        if playback.simulation is None:
            words = said(side.playback.problems[0]) if side.playback.problems else "nothing can run"
            sheet.text(words, view.centerx, view.bottom - px(16), size=12, align="centre", colour=TEXT_2)

    def _figures(self, sheet: Sheet, area: pygame.Rect) -> None:
        px = sheet.px
        first, second = (side.design for side in self.sides)
        rows = moved_rows(*self.reports.of(first, second))
        model = VersusModel("", ("A", "B"), rows, self.changes)
        pad = px(24)
        beside = area.width >= px(940)
        width = min(px(460), (area.width - 3 * pad) // 2) if beside else area.width - 2 * pad
        left, room = (width + 3 * pad, area.width - width - 4 * pad) if beside else (pad, width)
        table = px(28) + px(22) * (max(len(rows), 1) + 1)
        told = px(44) + changes_height(self.theme, model, room, MANY_CHANGES)
        top = self.scrolling(sheet, area.inflate(0, -px(8)), max(table, told) if beside else table + told)
        paint_rows(sheet, pad, top + px(20), width, model)
        y = top if beside else top + table
        sheet.text("from A to B", left, y + px(20), size=12, colour=TEXT_3, width=room)
        paint_changes(sheet, left, y + px(36), room, model, MANY_CHANGES)
        self.scrolled(sheet)
        sheet.bounds = sheet.surface.get_rect()
