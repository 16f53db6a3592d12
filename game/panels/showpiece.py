"""A machine of the house on show: loaded in the background, run by the plain engine, drawn like any board."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pygame

from game.theme import BOARD, Theme

if TYPE_CHECKING:
    from engine.model import Design, Level, Report
    from game.playback import Playback
    from game.view.still import BoardView


class Showpiece:
    """The design ``role`` of a level. Nothing is imported, read or run before :meth:`start`."""

    def __init__(self, level: str, role: str = "best", pace: float | None = None, begin_ns: float = 0.0) -> None:
        self.title = ""
        self.efficiency: float | None = None
        self._ref, self._role, self._pace, self._begin = level, role, pace, begin_ns
        self._made: tuple[Level, Design, Playback, Report] | None = None
        self._view: BoardView | None = None
        self._thread: threading.Thread | None = None

    def start(self, wait: bool = False) -> None:
        """Begin to load, once; ``wait`` until it is there."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._load, name="showpiece", daemon=True)
            self._thread.start()
        if wait:
            self._thread.join()

    def _load(self) -> None:
        from engine.errors import InvalidError
        from engine.simulation import simulate
        from game.playback import Playback
        from game.shell.places import level_path
        from levels.files import load_design_file, load_level_file
        from levels.lookup import designs_beside

        try:
            path = level_path(self._ref)
            level = load_level_file(path).level
            design = load_design_file(designs_beside(path)[self._role]).design
        except (InvalidError, KeyError):
            return
        report = simulate(level, design, engine="plain")
        playback = Playback(level, design, engine="plain")
        playback.pace = self._pace or level.pace
        playback.seek(round(self._begin * 100))
        playback.playing = True
        if report.metrics:
            self.efficiency = report.metrics.efficiency_launches_per_nj
        self.title = level.title
        self._made = (level, design, playback, report)

    def update(self, seconds: float) -> None:
        """Let time pass; at its end the machine begins anew."""
        if self._made:
            playback = self._made[2]
            playback.update(seconds)
            if not playback.playing:
                playback.seek(round(self._begin * 100))
                playback.playing = True

    def draw(self, surface: pygame.Surface, rect: pygame.Rect, theme: Theme, dim: float = 0.0, zoom: int = 0) -> bool:
        """Draw the machine in ``rect``, with ``dim`` of its brightness taken away; False while there is none."""
        if self._made is None:
            return False
        from game.view.camera import Camera
        from game.view.scene import Scene
        from game.view.still import BoardView

        level, design, playback, _ = self._made
        if self._view is None:
            self._view = BoardView()
        columns, rows = level.board.size
        camera = Camera(columns, rows, tuple(rect), scale=theme.scale)
        camera.fit()
        if zoom:
            camera.zoom(zoom, rect.centerx, rect.centery)
            camera.x, camera.y = columns / 2, rows / 2
        scene = Scene(
            level,
            design,
            playback.netlist,
            playback.time_ns,
            playback.packets(),
            playback.state(),
            pace=playback.pace,
            theme=theme,
        )
        self._view.draw(surface, camera, scene)
        if dim > 0:
            veil = pygame.Surface(rect.size)
            veil.fill(BOARD)
            veil.set_alpha(round(255 * dim))
            surface.blit(veil, rect)
        return True
