"""What is under a screen position: wires by distance, ports by a wide circle, cores by their tile."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from game.view.board import origin_of
from game.view.camera import Camera
from game.view.layout import Layout, Notch

WIRE_RADIUS = 6
PORT_RADIUS = 14
"""Pixels at UI scale 100 %, at any zoom."""


class Hits:
    """Finds elements of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        wires, segments = [], []
        for w, road in enumerate(layout.roads):
            if road is None:
                continue
            for line in road.lines:
                for (ax, ay), (bx, by) in pairwise(line):
                    wires.append(w)
                    segments.append((min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)))
        # Shields come after the wires.
        for k, shield in enumerate(layout.shields):
            for (ax, ay), (bx, by) in pairwise(shield.centre if shield else ()):
                wires.append(len(layout.roads) + k)
                segments.append((min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)))
        self._wires = np.array(wires, np.int32)
        self._segments = np.array(segments, np.float64).reshape(-1, 4)
        self._ports = np.array([(n.x, n.y) for n in layout.notches], np.float64).reshape(-1, 2)

    def core_at(self, camera: Camera, pos: tuple[float, float]) -> str | None:
        """Id of the pad or core on the tile under ``pos``."""
        tile = camera.tile_at(*pos)
        return None if tile is None else self.layout.at.get(tile)

    def wires_at(self, camera: Camera, pos: tuple[float, float], radius: float = WIRE_RADIUS) -> list[int]:
        """Numbers of the wires within ``radius``, the nearest first."""
        return [w for w in self._lines_at(camera, pos, radius) if w < len(self.layout.roads)]

    def shield_at(self, camera: Camera, pos: tuple[float, float], radius: float = WIRE_RADIUS) -> int | None:
        """Index of the shield within ``radius``, where no wire is nearer."""
        found = self._lines_at(camera, pos, radius)
        return found[0] - len(self.layout.roads) if found and found[0] >= len(self.layout.roads) else None

    def _lines_at(self, camera: Camera, pos: tuple[float, float], radius: float) -> list[int]:
        if not len(self._wires):
            return []
        ox, oy = origin_of(camera)
        x, y = (pos[0] - ox) / camera.tile, (pos[1] - oy) / camera.tile
        left, top, right, bottom = self._segments.T
        distance = np.hypot(x - np.clip(x, left, right), y - np.clip(y, top, bottom)) * camera.tile
        near = np.flatnonzero(distance <= radius * camera.scale)
        best: dict[int, float] = {}
        for k in near.tolist():
            w = int(self._wires[k])
            best[w] = min(best.get(w, np.inf), float(distance[k]))
        return sorted(best, key=lambda w: (round(best[w], 3), w))

    def wire_at(
        self, camera: Camera, pos: tuple[float, float], radius: float = WIRE_RADIUS, after: int | None = None
    ) -> int | None:
        """The nearest wire within ``radius``; with ``after``, a wire found before, the next one, round and round."""
        found = self.wires_at(camera, pos, radius)
        if not found:
            return None
        return found[(found.index(after) + 1) % len(found)] if after in found else found[0]

    def port_at(self, camera: Camera, pos: tuple[float, float], radius: float = PORT_RADIUS) -> Notch | None:
        """The nearest port within ``radius``; where several are equally near, one of the tile under ``pos``."""
        if not len(self._ports):
            return None
        ox, oy = origin_of(camera)
        x, y = (pos[0] - ox) / camera.tile, (pos[1] - oy) / camera.tile
        distance = np.hypot(self._ports[:, 0] - x, self._ports[:, 1] - y) * camera.tile
        own = self.core_at(camera, pos)
        order = sorted(
            np.flatnonzero(distance <= radius * camera.scale).tolist(),
            # Ports of neighbours lie close to each other: a pixel in one's own body counts for more.
            key=lambda k: (float(distance[k]) + (0 if self.layout.notches[k].element == own else 6 * camera.scale), k),
        )
        return self.layout.notches[order[0]] if order else None
