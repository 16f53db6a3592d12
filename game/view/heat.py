"""The overlay of heat: how warm each tile is, which cores are the hottest, and which are slower for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import pygame

from engine.model import CoreHeat
from game.text import number
from game.theme import TEXT, VERMILLION_TEXT, Theme, ramp
from game.view.overlay_marks import CoreMark, Note, spaced
from game.view.zoom import Zoom

if TYPE_CHECKING:
    from game.view.layout import Layout
    from game.view.scene import Scene

FULL_K = 100.0
"""Kelvin above the ambient temperature at the bright end of the ramp: where cores burn out."""

HOTTEST = 3
"""Cores that are told with their temperature, and all that are slower for it."""


class WarmTile(NamedTuple):
    """A tile in the colour of its temperature, ``share`` 0 … 1 of the ramp."""

    x: int
    y: int
    share: float

    @property
    def boxes(self) -> Iterator[tuple[float, float, float, float]]:
        """The rectangle that it may touch."""
        yield self.x, self.y, self.x + 1, self.y + 1

    def draw(self, surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, theme: Theme) -> None:
        left, top = origin[0] + self.x * zoom.tile, origin[1] + self.y * zoom.tile
        veil = pygame.Surface((zoom.tile, zoom.tile))
        veil.fill(ramp(self.share))
        veil.set_alpha(150)
        surface.blit(veil, (left, top))


def warmth_text(core: CoreHeat) -> str:
    """A core's temperature, and its clock where that is slower than asked for."""
    warm = f"{number(core.kelvin)} K"
    return warm if core.clock_ticks <= core.set_ticks else f"{warm}, clock {core.clock_ticks} for {core.set_ticks}"


def heat_pieces(layout: Layout, scene: Scene) -> list[Any]:
    """Tiles and cores in the colour of their temperature at the scene's moment."""
    found = scene.figures.heat if scene.figures else None
    if found is None:
        return []
    grid = found.at(scene.heat_step) / 1e6
    pieces: list[Any] = [
        WarmTile(x, y, round(float(grid[y, x]) / FULL_K, 2)) for y in range(grid.shape[0]) for x in range(grid.shape[1])
    ]
    for body in layout.bodies.values():
        if body.id in found.cores:
            x, y = body.at
            pieces.append(CoreMark(body, "heat", (round(min(float(grid[y, x]) / FULL_K, 1.0) * 100),)))
    hot = sorted((core for core in found.cores.values() if core.id in layout.bodies), key=lambda core: -core.kelvin)
    told = hot[:HOTTEST] + [core for core in hot[HOTTEST:] if core.clock_ticks > core.set_ticks]
    notes = []
    for core in told:
        x, y = layout.bodies[core.id].at
        colour = VERMILLION_TEXT if core.clock_ticks > core.set_ticks else TEXT
        notes.append(Note(x + 0.5, y + 0.5, warmth_text(core), colour, 24, 0.5))
    return pieces + spaced(notes, scene.theme)
