"""How long a frame of the board takes: 5,000 packets, 400 cores and 1,000 wires at 1920 × 1080, without a screen."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from engine.machine import PacketArrays
from engine.model import Design, Level

SIZE = (1920, 1080)
PACKETS = 5_000
COLUMNS, ROWS = 25, 16
"""Of cores: 400."""
WIRES = 1_000
STEP_X, STEP_Y = 4, 4
BUDGET_MS = 4.0
"""What the game gives to missing chunks per frame."""


def large_level() -> Level:
    """A level with a board for the cores of :func:`large_design`."""
    size = (COLUMNS * STEP_X + 8, ROWS * STEP_Y + 1)
    return Level.model_validate(
        {
            "perwatt": 1,
            "id": "bench-01-large",
            "title": "Large",
            "chapter": "bench",
            "brief": "",
            "kernel": {"arrays": {"a": {"shape": [8], "data": {}}, "out": {"shape": [8]}}, "truth": "out[t] = a[t]"},
            "board": {"size": size},
            "pads": [
                {"id": "a", "core": "stream", "at": [0, 1]},
                {"id": "out", "core": "sink", "at": [size[0] - 1, 1]},
            ],
            "standby_uw": 0,
        }
    )


def large_design() -> Design:
    """400 cores of all families in a grid and 1,000 wires of many speeds between them; it need not run."""
    kinds = ("mul", "add", "relay", "buffer", "accumulate", "address", "max", "guard")
    places = [(4 + c * STEP_X, 2 + r * STEP_Y) for r in range(ROWS) for c in range(COLUMNS)]
    cores = [
        {"id": f"c{i}", "core": kinds[i * 7 % len(kinds)], "at": place, "set": {"slots": 4} if i * 7 % 8 == 3 else {}}
        for i, place in enumerate(places)
    ]
    wires: list[dict[str, Any]] = []
    # To the right, down, and then over two columns and one row, until there are enough.
    for dc, dr in ((1, 0), (0, 1), (2, 1)):
        for i, (x, y) in enumerate(places):
            c, r = i % COLUMNS + dc, i // COLUMNS + dr
            if c < COLUMNS and r < ROWS and len(wires) < WIRES:
                u, v = places[r * COLUMNS + c]
                middle = [] if x == u or y == v else [(x, y + 2), (u, y + 2)]
                every = (25, 100, 400, 130, None)[(i + dc) % 5]
                speed = {"speed": 0} if every is None else {"every_ticks": every}
                wires.append(
                    {"from": f"c{i}.out", "to": f"c{r * COLUMNS + c}.a", "path": [(x, y), *middle, (u, v)], **speed}
                )
    return Design.model_validate({"perwatt": 1, "level": "bench-01-large", "cores": cores, "wires": wires})


def packets_at(lengths: np.ndarray, frame: int) -> PacketArrays:
    """Packets spread evenly over wires of these lengths, head first, moving with the frames."""
    n = len(lengths)
    wire = np.sort(np.arange(PACKETS) % n).astype(np.int32)
    rank = np.arange(PACKETS) - np.searchsorted(wire, wire)
    span = lengths[wire]
    position = (span - rank * span / (PACKETS // n) - frame * 0.037 * (1 + wire % 5)) % np.maximum(span, 1)
    order = np.lexsort((-position, wire))
    index = np.arange(PACKETS, dtype=np.int32)
    return PacketArrays(
        wire[order],
        position[order].astype(np.float32),
        index[order] * 37 % 1000,
        index[order] // 400,
        index[order] % 11 == 0,
    )


def measure(frames: int = 120) -> dict[str, dict[str, float]]:
    """Median and 95th percentile of the frame time in ms, by scene. Needs no screen."""
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

    def timed(view: Camera, scene: Scene, change: Callable[[int], None] = lambda frame: None) -> dict[str, float]:
        board = BoardView()
        board.draw(surface, view, scene)
        times = []
        for frame, packets in enumerate(moments):
            change(frame)
            moment = replace(scene, packets=packets, time_ns=frame * 0.3)
            began = perf_counter()
            board.draw(surface, view, moment, budget_ms=BUDGET_MS)
            times.append((perf_counter() - began) * 1000)
        return {"median_ms": median(times), "p95_ms": sorted(times)[int(len(times) * 0.95)]}

    found = {"still": timed(camera(), base)}
    for tile in (12, 32, 64):
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
