"""How long a frame of the board takes: 5,000 packets, 400 cores and 1,000 wires at 1920 × 1080, without a screen."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from game.bench.board import large_design, large_level, packets_at
from game.bench.stage import SIZE
from game.bench.times import Times, times

BUDGET_MS = 4.0
"""What the game gives to missing chunks per frame."""


def measure(frames: int = 120) -> dict[str, Times]:
    """The frame time by scene. Needs no screen."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    import pygame

    from game.theme import TILE_STEPS
    from game.view.camera import Camera
    from game.view.scene import OVERLAYS, Figure, Figures, Scene
    from game.view.still import BoardView

    pygame.font.init()
    level, design = large_level(), large_design()
    surface = pygame.Surface(SIZE, depth=32)
    figures = Figures(
        {
            core.id: Figure(i % 7 / 10, i % 3 / 10, i % 5 / 20, 0.5, i % 90 * 30.0)
            for i, core in enumerate(design.cores)
        },
        [Figure(0.5, 0.2, i % 6 / 8, i % 10 / 10, i % 70 * 20.0) for i in range(len(design.wires))],
    )
    base = Scene(level, design, figures=figures)
    lengths = BoardView().layout(level, design).ways.length
    moments = [packets_at(lengths, frame) for frame in range(frames)]

    def camera(tile: int | None = None) -> Camera:
        view = Camera(*level.board.size, (0, 0, *SIZE))
        view.fit()
        if tile is not None:
            view.step = TILE_STEPS.index(tile)
        return view

    def timed(view: Camera, scene: Scene, change: Callable[[int], None] = lambda frame: None) -> Times:
        board = BoardView()
        board.draw(surface, view, scene)
        found = []
        for frame, packets in enumerate(moments):
            change(frame)
            moment = replace(scene, packets=packets, time_ns=frame * 0.3)
            began = perf_counter()
            board.draw(surface, view, moment, budget_ms=BUDGET_MS)
            found.append(perf_counter() - began)
        return times(found)

    found = {"still": timed(camera(), base)}
    for tile in (16, 32, 64):
        found[f"still at {tile}"] = timed(camera(tile), base)
    for overlay in OVERLAYS:
        found[f"overlay {overlay}"] = timed(camera(), replace(base, overlay=overlay))
    panned = camera(32)
    panned.x, panned.y = 20.0, 15.0
    found["panning"] = timed(panned, base, lambda frame: panned.pan(-14, -6))
    zoomed = camera(12)
    ways = [1, 1, 1, 1, -1, -1, -1, -1]

    def zoom(frame: int) -> None:
        if frame % 8 == 0:
            zoomed.zoom(ways[frame // 8 % len(ways)], 700, 400)

    found["zooming"] = timed(zoomed, base, zoom)
    return found
