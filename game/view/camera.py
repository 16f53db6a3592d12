"""Where on the screen a tile is: zoom in fixed steps, pan, and back again."""

from __future__ import annotations

from dataclasses import dataclass

from game.theme import TILE_STEPS

View = tuple[int, int, int, int]
"""A rectangle on the screen: x, y, width, height."""


@dataclass(slots=True)
class Camera:
    """A view of a board of ``columns`` × ``rows`` tiles through the rectangle ``view`` (x, y, width, height).

    ``x`` and ``y`` are the board position (in tiles, fractions allowed) at the middle of the view. Tile (c, r)
    covers c … c + 1, its middle is at c + 0.5.
    """

    columns: int
    rows: int
    view: View
    x: float = 0.0
    y: float = 0.0
    step: int = TILE_STEPS.index(32)
    scale: float = 1.0

    @property
    def tile(self) -> int:
        """Pixels per tile now."""
        return max(4, round(TILE_STEPS[self.step] * self.scale))

    def to_screen(self, column: float, row: float) -> tuple[float, float]:
        """Screen position of a board position."""
        vx, vy, vw, vh = self.view
        return vx + vw / 2 + (column - self.x) * self.tile, vy + vh / 2 + (row - self.y) * self.tile

    def to_board(self, sx: float, sy: float) -> tuple[float, float]:
        """Board position under a screen position."""
        vx, vy, vw, vh = self.view
        return self.x + (sx - vx - vw / 2) / self.tile, self.y + (sy - vy - vh / 2) / self.tile

    def tile_at(self, sx: float, sy: float) -> tuple[int, int] | None:
        """The tile under a screen position, None outside the board."""
        column, row = self.to_board(sx, sy)
        c, r = int(column // 1), int(row // 1)
        return (c, r) if 0 <= c < self.columns and 0 <= r < self.rows else None

    def zoom(self, steps: int, sx: float, sy: float) -> bool:
        """Zoom by whole steps, keeping the board position under (sx, sy) where it is; False at the limit."""
        new = min(max(self.step + steps, 0), len(TILE_STEPS) - 1)
        if new == self.step:
            return False
        column, row = self.to_board(sx, sy)
        self.step = new
        after_column, after_row = self.to_board(sx, sy)
        self.x += column - after_column
        self.y += row - after_row
        self._keep_in_sight()
        return True

    def pan(self, dx: float, dy: float) -> None:
        """Move the board by screen pixels."""
        self.x -= dx / self.tile
        self.y -= dy / self.tile
        self._keep_in_sight()

    def fit(self, into: View | None = None, margin: float = 1.0) -> bool:
        """The largest step at which the board and so many tiles of margin fit, centred; whether they do.

        ``into`` is a part of the view: the board is then centred there.
        """
        vx, vy, vw, vh = self.view
        x, y, width, height = into or self.view
        self.step, fits = 0, False
        for i in range(len(TILE_STEPS)):
            pixels = max(4, round(TILE_STEPS[i] * self.scale))
            if (self.columns + 2 * margin) * pixels <= width and (self.rows + 2 * margin) * pixels <= height:
                self.step, fits = i, True
        self.x = self.columns / 2 - (x + width / 2 - vx - vw / 2) / self.tile
        self.y = self.rows / 2 - (y + height / 2 - vy - vh / 2) / self.tile
        return fits

    def look_at(self, columns: tuple[float, float], rows: tuple[float, float]) -> None:
        """Fit a part of the board."""
        _, _, vw, vh = self.view
        width, height = columns[1] - columns[0] + 2, rows[1] - rows[0] + 2
        self.step = 0
        for i in range(len(TILE_STEPS)):
            pixels = max(4, round(TILE_STEPS[i] * self.scale))
            if width * pixels <= vw and height * pixels <= vh:
                self.step = i
        self.x, self.y = sum(columns) / 2, sum(rows) / 2
        self._keep_in_sight()

    def _keep_in_sight(self) -> None:
        # The middle of the view never leaves the board, so the board cannot be lost.
        self.x = min(max(self.x, 0.0), float(self.columns))
        self.y = min(max(self.y, 0.0), float(self.rows))
