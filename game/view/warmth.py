"""Temperatures of a board as its picture needs them: the steady ones, and the way there from cold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engine.heat import Grid, draws, later
from engine.model import CoreHeat, HeatReport
from engine.technology import Heat
from engine.units import TICKS_PER_NS

STEP_NS, STEPS = 25, 40
"""The picture warms up in steps of so many ns; after so many of them it is that of the steady state."""


@dataclass(frozen=True, eq=False)
class HeatFigures:
    """Temperatures of a run: by tile in µK, of cores by id; and how the board came there from cold.

    The way there is for the eye alone: nothing in a machine depends on it.
    """

    tiles: Grid
    cores: Mapping[str, CoreHeat]
    heat: Heat
    _steps: list[Grid] = field(default_factory=list)

    @classmethod
    def of(cls, report: HeatReport, heat: Heat) -> HeatFigures:
        """Those of a report."""
        tiles = np.round(np.array(report.tiles) * 1e6).astype(np.int64)
        return cls(tiles, {core.id: core for core in report.cores}, heat)

    @cached_property
    def _power(self) -> Grid:
        return draws(self.tiles, self.heat)

    def at(self, step: int) -> Grid:
        """µK by tile after ``step`` steps from cold."""
        if step >= STEPS:
            return self.tiles
        while len(self._steps) <= step:
            before = self._steps[-1] if self._steps else None
            if before is None:
                self._steps.append(np.zeros_like(self.tiles))
            else:
                self._steps.append(later(before, self._power, STEP_NS * TICKS_PER_NS, self.heat))
        return self._steps[step]


FADE_S = 2.0
"""Seconds of the player's time in which the picture goes the way up: at the machine's pace it would take minutes."""


def heat_step(shown_s: float) -> int:
    """Which step of the way up a picture is in that has been shown for so long."""
    return int(min(shown_s / FADE_S, 1.0) * STEPS)
