"""The overlay of coupling: which words lie side by side, and how far the quiet lines of each wire are from flipping."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import pygame

from engine.coupled import track_of
from engine.model import WireReach
from engine.netlist import Netlist, Stretch
from game.theme import GREEN, ORANGE, TEXT_3, VERMILLION, VERMILLION_TEXT, Colour, Theme, mix
from game.view.flags import flags
from game.view.roads import place
from game.view.wires import wire_piece
from game.view.zoom import Zoom

if TYPE_CHECKING:
    from game.view.layout import Layout
    from game.view.scene import Scene

AMPLE = 0.5
"""The part of its margin that a wire has to spare where it is drawn in the calmest colour."""


def spare_colour(reach: WireReach | None) -> Colour:
    """Vermillion where lines may flip, else from orange to green by what is left of the margin."""
    if reach is None:
        return TEXT_3
    if reach.spare_mv < 0:
        return VERMILLION
    return mix(ORANGE, GREEN, min(reach.spare_mv / max(reach.margin_mv, 1e-9) / AMPLE, 1.0))


def spare_text(reach: WireReach) -> str:
    """What a wire has to spare, in mV with its sign."""
    return f"{reach.spare_mv:+.0f} mV".replace("-", "−")


class Rung(NamedTuple):
    """Two words side by side at one tile edge: a line from track to track, in tiles; ``near``: with nothing between."""

    ax: float
    ay: float
    bx: float
    by: float
    colour: Colour
    near: bool

    @property
    def boxes(self) -> Iterator[tuple[float, float, float, float]]:
        """The rectangle that it may touch."""
        left, top, right, bottom = *map(min, self[:2], self[2:4]), *map(max, self[:2], self[2:4])
        yield left - 0.2, top - 0.2, right + 0.2, bottom + 0.2

    def draw(self, surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, theme: Theme) -> None:
        ends = [
            (origin[0] + round(x * zoom.tile), origin[1] + round(y * zoom.tile))
            for x, y in ((self.ax, self.ay), (self.bx, self.by))
        ]
        wide = max(1, round(zoom.units(3 if self.near else 1)))
        pygame.draw.line(surface, self.colour, ends[0], ends[1], wide)


def coupling_pieces(layout: Layout, scene: Scene) -> list[Any]:
    """Wires in the colour of what they have to spare, rungs where words are side by side, and the figures."""
    found = scene.figures.coupling if scene.figures else {}
    pieces: list[Any] = []
    for wire, road in enumerate(layout.roads):
        if road is not None and wire in found:
            pieces.append(wire_piece(layout, road, spare_colour(found[wire])))
    if scene.netlist is not None:
        for stretch in scene.netlist.stretches:
            worst = min((found[w] for w in stretch.wires if w in found), key=lambda r: r.spare_mv, default=None)
            pieces += _rungs(scene.netlist, stretch, layout.level.board.tracks, spare_colour(worst))
    told = sorted((w for w in found if w < len(layout.roads) and layout.roads[w]), key=lambda w: found[w].spare_mv)
    colours = {w: VERMILLION_TEXT if found[w].spare_mv < 0 else spare_colour(found[w]) for w in told}
    return pieces + flags(layout, [(w, spare_text(found[w]), colours[w]) for w in told], 16, scene.theme)


def _rungs(netlist: Netlist, stretch: Stretch, tracks: int, colour: Colour) -> Iterator[Rung]:
    """One for each tile edge of a stretch, in the middle of it."""
    one, other = (netlist.wires[w] for w in stretch.wires)
    for k in range(stretch.tiles):
        a, b = (stretch.starts[0] + k, stretch.starts[1] + k)
        (px, py), (qx, qy) = one.tiles[a], one.tiles[a + 1]
        mx, my = (px + qx) / 2 + 0.5, (py + qy) / 2 + 0.5
        ends = []
        for wire, edge, word in ((one, a, stretch.words[0]), (other, b, stretch.words[1])):
            beside = place(track_of(wire, edge, word), tracks)
            ends.append((mx, my + beside) if py == qy else (mx + beside, my))
        yield Rung(*ends[0], *ends[1], colour, stretch.share == 64)
