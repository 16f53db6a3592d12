"""Heat on the grid of tiles ("Physics: heat" in docs/model.md): from power per tile to temperatures.

Each tile passes heat to the sink and to its neighbours through resistances; the board's edge is insulating. Power is in
nW, temperatures above the ambient one are in whole µK: integers, so that the result is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.jit_cache import cached_in
from engine.technology import Heat

Grid = NDArray[np.int64]
"""A number per tile: rows, columns."""

MAX_SWEEPS = 5_000
SETTLED_UK = 1
"""The steady state is found when no tile changes by more in a sweep."""


def steady(power: Grid, heat: Heat, start: Grid | None = None) -> Grid:
    """Temperatures in µK above the ambient one at which as much heat leaves each tile as comes; ``power`` in nW.

    By Gauss and Seidel's method, tile by tile and row by row, rounded down, from ``start`` or zero on.
    """
    found = np.zeros_like(power) if start is None else start.copy()
    power_of, side, own = _factors(heat)
    _relax()(found, power * power_of, side, own, MAX_SWEEPS, SETTLED_UK)
    return found


def later(before: Grid, power: Grid, ticks: int, heat: Heat) -> Grid:
    """Temperatures ``ticks`` after ``before`` with this power from then on: one implicit step (backward Euler).

    For pictures: nothing in a machine depends on it.
    """
    if ticks <= 0:
        return before.copy()
    power_of, side, own = _factors(heat)
    stored = own * heat.settling_ticks  # a tile's capacity: its conductance to the sink, times the time constant
    found = before.copy()
    given = power * power_of * ticks + before * stored
    _relax()(found, given, side * ticks, own * ticks + stored, MAX_SWEEPS, SETTLED_UK)
    return found


def draws(tiles: Grid, heat: Heat) -> Grid:
    """Power in nW at which tiles have these temperatures, µK, in the steady state: :func:`steady` turned round."""
    power_of, side, own = _factors(heat)
    padded = np.pad(tiles, 1, mode="edge")
    around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    # Beyond the edge lies a copy of the tile itself, to which no heat goes.
    return ((own + 4 * side) * tiles - side * around) // power_of


def _factors(heat: Heat) -> tuple[int, int, int]:
    """(of power, of a neighbour's temperature, of a tile's own beside one of these for each neighbour).

    T (1/R_sink + n/R_side) = P + ΣT_n / R_side, all times R_sink R_side and made whole.
    """
    shared = gcd(heat.sink_k_per_w, heat.side_k_per_w)
    sink, side = heat.sink_k_per_w // shared, heat.side_k_per_w // shared
    return heat.sink_k_per_w * side, 1000 * sink, 1000 * side  # a K/W is a thousandth of a µK/nW


def _sweeps(found: Any, given: Any, side: int, own: int, most: int, settled: int) -> None:
    """Solve found × (own + n × side) = given + side × (sum of the n neighbours), in place."""
    rows, columns = found.shape
    for _ in range(most):
        change = 0
        for y in range(rows):
            for x in range(columns):
                around = 0
                n = 0
                if y > 0:
                    around += found[y - 1, x]
                    n += 1
                if y < rows - 1:
                    around += found[y + 1, x]
                    n += 1
                if x > 0:
                    around += found[y, x - 1]
                    n += 1
                if x < columns - 1:
                    around += found[y, x + 1]
                    n += 1
                new = (given[y, x] + side * around) // (own + n * side)
                change = max(change, abs(new - found[y, x]))
                found[y, x] = new
        if change <= settled:
            return


@cache
def _relax() -> Callable[..., None]:
    """:func:`_sweeps`, compiled where numba can be had."""
    try:
        import numba
        from numba import njit
    except ImportError:
        return _sweeps
    with cached_in(numba.config) as kept:
        return njit(cache=kept)(_sweeps)  # type: ignore[no-any-return]
