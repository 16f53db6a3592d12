"""The large machine of the benchmarks: 400 cores and 1,000 wires, on which 5,000 packets move."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.machine import PacketArrays
from engine.model import Design, Level

PACKETS = 5_000
COLUMNS, ROWS = 25, 16
"""Of cores: 400."""
WIRES = 1_000
STEP_X, STEP_Y = 5, 4
"""Tiles from core to core."""
FULL_NS = 300.0
"""From this moment on the machine is full: at least :data:`PACKETS` packets are on its wires, and most of them move."""


def large_level() -> Level:
    """A level with a board for the cores of :func:`large_design`.""" ""
    size = (COLUMNS * STEP_X + 8, ROWS * STEP_Y + 1)
    return Level.model_validate(
        {
            "perwatt": 1,
            "id": "bench-01-large",
            "title": "Large",
            "chapter": "bench",
            "brief": "Measured, not played.",
            "kernel": {
                "arrays": {
                    "a": {"shape": [8], "data": {"kind": "distinct", "low": 1, "high": 99}},
                    "out": {"shape": [8]},
                },
                "truth": "out[t] = a[t]",
            },
            "board": {"size": size},
            "pads": [
                {"id": "a", "core": "stream", "at": [0, 2], "every_ns": 1},
                {"id": "out", "core": "sink", "at": [size[0] - 1, 2 + (ROWS - 1) * STEP_Y], "every_ns": 1},
            ],
            "standby_uw": 0,
        }
    )


def large_design() -> Design:
    """A mesh: every core takes from its left and its upper neighbour, many also from the one between them.

    All words of a launch are equal, and each core makes the same word of them, so that the sink gets what it expects.
    """
    one = (("relay", "in", {}), ("buffer", "in", {"slots": 4}), ("abs", "a", {}), ("max", "a", {"b": 0}))
    two = ("max", "min", "and", "or")
    places = [(4 + c * STEP_X, 2 + r * STEP_Y) for r in range(ROWS) for c in range(COLUMNS)]
    diagonals = WIRES - 2 - (COLUMNS - 1) * ROWS - COLUMNS * (ROWS - 1)
    cores: list[dict[str, Any]] = []
    wires: list[dict[str, Any]] = [_wire("a.value", "c0.in", (0, places[0][1]), places[0])]
    for i, place in enumerate(places):
        column, row = i % COLUMNS, i // COLUMNS
        before = [i - 1] * (column > 0) + [i - COLUMNS] * (row > 0)
        if len(before) < 2:
            kind, port, settings = one[i % 4]
            ports: tuple[str, ...] = (port,)
        elif diagonals and i % 3:
            diagonals -= 1
            before.append(i - COLUMNS - 1)
            kind, ports, settings = "select", ("a", "b", "cond"), {}
        else:
            kind, ports, settings = two[i % 4], ("a", "b"), {}
        cores.append({"id": f"c{i}", "core": kind, "at": place, "set": settings})
        wires += [_wire(f"c{k}.out", f"c{i}.{port}", places[k], place) for k, port in zip(before, ports, strict=False)]
    wires.append(_wire(f"c{len(places) - 1}.out", "out.value", places[-1], (COLUMNS * STEP_X + 7, places[-1][1])))
    return Design.model_validate({"perwatt": 1, "level": "bench-01-large", "cores": cores, "wires": wires})


def _wire(source: str, to: str, start: tuple[int, int], end: tuple[int, int]) -> dict[str, Any]:
    """One word per ns; over two corners where the ends lie in neither one row nor one column."""
    (x, y), (u, v) = start, end
    corners = [] if x == u or y == v else [(x, y + 2), (u, y + 2)]
    return {"from": source, "to": to, "path": [start, *corners, end], "every_ticks": 100}


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
