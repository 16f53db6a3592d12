"""The brief over the board: opened once by itself, moved out of the way of the board, or the board out of its way.

The board never moves when the card goes with the first edit: it is fitted beside it from the start. Whoever shuts the
card gets the room that it took, unless the view has been moved; F fits the board anew at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from game.panels.cards import LINE, low
from game.screens import shown

if TYPE_CHECKING:
    from game.screens.workbench import Workbench
    from game.view.camera import View

MARGIN = 0.25
"""Tiles between the card and the board that is fitted beside it."""

LEAST = 0.6
"""The share of its size that the board keeps beside the card; else the card lies on it, clear of the pads."""


class Briefing:
    """The brief of one workbench."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.hints = 0
        """Hints that were asked for."""
        self.first = not self._seen()
        """Whether the card stands there by itself, and goes with the first edit."""
        self.open = self.first
        self.at: tuple[int, int] | None = None
        """Where the player has put the card, from the corner of the board's region; None where it stands by itself."""
        self._grip: tuple[float, float] = (0.0, 0.0)
        self._fitted: tuple[float, float, int] | None = None

    def _levels(self) -> list[object]:
        """Levels whose brief has opened by itself."""
        seen = self.bench.context.progress.setting("briefs")
        return seen if isinstance(seen, list) else []

    def _seen(self) -> bool:
        return self.bench.level.id in self._levels()

    def settings(self) -> dict[str, object]:
        """What is to be kept: from now on the level's brief opens only when it is asked for."""
        return {} if self._seen() else {"briefs": [*self._levels(), self.bench.level.id]}

    def update(self) -> None:
        """A card that opened by itself goes with the first edit, unless the player has done something with it."""
        tools, history = self.bench.tools, self.bench.session.history
        if self.first and history.undo_label is not None and tools.hand is None and not history.in_gesture:
            self.first = False
            if not self.open or self.hints or self.at is not None:
                return
            self.open = False

    def toggle(self) -> None:
        self.first = False
        if self.open:
            self.close()
        else:
            self.open = True
            self._make_room()

    def hint(self) -> None:
        """One hint more."""
        self.hints += 1
        self.open = True
        self._make_room()

    def close(self) -> bool:
        """Shut the card; whether it was open. A board that was fitted beside it takes its room."""
        was, self.open = self.open, False
        self.first = self.first and not was
        camera = self.bench.camera
        if was and self._fitted == (camera.x, camera.y, camera.step):
            self.fit()
        return was

    # --- where it stands ---------------------------------------------------------------------------------

    def place(self) -> pygame.Rect:
        """Where the card stands on the screen."""
        bench = self.bench
        board, theme = bench.regions.board, bench.context.theme
        pads = [bench.tile_on_screen(pad.at) for pad in bench.level.pads]
        rect = bench.brief_card.place(theme, board, shown.brief(bench), pads)
        if self.at is not None:
            rect.topleft = board.left + self.at[0], board.top + self.at[1]
            rect.clamp_ip(board)
        return rect

    def grip(self, pos: tuple[float, float]) -> None:
        """The card is taken at ``pos``."""
        rect = self.bench.brief_card.rect
        self._grip = pos[0] - rect.left, pos[1] - rect.top

    def drag(self, pos: tuple[float, float]) -> None:
        """The card follows the mouse, within the board's region."""
        board, rect = self.bench.regions.board, self.bench.brief_card.rect.copy()
        rect.topleft = round(pos[0] - self._grip[0]), round(pos[1] - self._grip[1])
        rect.clamp_ip(board)
        self.at = rect.left - board.left, rect.top - board.top

    # --- the board beside it -----------------------------------------------------------------------------

    def fit(self) -> None:
        """Fit the board into its region: beside the open card, if it stays large or pads would be hidden."""
        camera, board, theme = self.bench.camera, self.bench.regions.board, self.bench.context.theme
        if low(theme, board):
            camera.fit((board.x, board.y, board.width, max(board.height - theme.px(LINE), 1)), MARGIN)
        else:
            camera.fit()
        if self.open and self.at is None:
            self._fit_beside()
        self._fitted = camera.x, camera.y, camera.step

    def _fit_beside(self) -> None:
        camera, board = self.bench.camera, self.bench.regions.board
        columns, rows = self.bench.level.board.size
        # Its size does not depend on where it stands.
        card = self.bench.brief_card.place(self.bench.context.theme, board, shown.brief(self.bench))
        gap = card.left - board.left
        if not card.inflate(2 * gap, 2 * gap).colliderect(self._whole(columns, rows)):
            return
        plain, step, x, y = camera.tile, camera.step, camera.x, camera.y
        right = (card.right + gap, board.top, board.right - card.right - gap, board.height)
        chips = self.bench.context.theme.px(40)  # they stand below
        below = (board.left, card.bottom, board.width, board.bottom - chips - card.bottom)
        found: list[tuple[int, View]] = []
        for view in (right, below):
            if camera.fit(view, MARGIN):
                found.append((camera.tile, view))
        camera.step, camera.x, camera.y = step, x, y
        pads = [self.bench.tile_on_screen(pad.at) for pad in self.bench.level.pads]
        hides = self.place().collidelist(pads)
        tile, best = max(found, key=lambda f: f[0], default=(0, right))
        if tile >= plain * LEAST or (found and hides >= 0):
            camera.fit(best, MARGIN)

    def _whole(self, columns: int, rows: int) -> pygame.Rect:
        first = self.bench.tile_on_screen((0, 0))
        return first.union(self.bench.tile_on_screen((columns - 1, rows - 1)))

    def _make_room(self) -> None:
        """The card has opened or grown: where it hides pads the board goes out of its way, if the player has not moved
        it himself."""
        camera = self.bench.camera
        hides = self.place().collidelist([self.bench.tile_on_screen(pad.at) for pad in self.bench.level.pads]) >= 0
        if hides and self._fitted == (camera.x, camera.y, camera.step):
            self.fit()
