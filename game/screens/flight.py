"""The launch on the result screen: one long rocket, then one for each launch to the altitude of its own energy.

A pure function of the seconds since it began, so that it can be skipped, and shown still with reduced motion.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.model import MedalSpec
from game.panels.sky import Rocket, SkyModel, altitude, waste

FIRST_S = 1.2
FLIGHT_S = 0.7
EVERY_S = 0.3


@dataclass(frozen=True)
class Flight:
    """``score`` and ``rockets`` in launches/nJ; ``beyond``: the best reference's; ``limit``: no machine passes it."""

    medals: MedalSpec | None
    score: float
    best: float
    rockets: tuple[float, ...] = ()
    beyond: float | None = None
    failed: bool = False
    limit: float | None = None

    @property
    def seconds(self) -> float:
        """How long all of it takes."""
        return 0.0 if self.failed else FIRST_S + EVERY_S * len(self.rockets) + FLIGHT_S

    def altitude(self, efficiency: float) -> float:
        return altitude(efficiency, self.medals)

    def waste(self, efficiency: float) -> float:
        """How long a flame is, 0 … 1."""
        return waste(efficiency, self.limit or max(self.beyond or 0.0, self.score))

    def landed(self, seconds: float) -> list[float]:
        """Altitudes of the launches that have arrived."""
        count = int((seconds - FIRST_S - FLIGHT_S) / EVERY_S) + 1
        return [self.altitude(e) for e in self.rockets[: max(count, 0)]]

    def crossed(self, seconds: float) -> int:
        """Medal lines that the long rocket has passed."""
        if self.medals is None or self.failed:
            return 0
        reach = self.altitude(self.score) * risen(min(seconds / FIRST_S, 1.0))
        lines = (self.medals.bronze, self.medals.silver, self.medals.gold)
        if seconds >= FIRST_S:
            return sum(self.score >= line for line in lines)
        return sum(self.score >= line and reach >= self.altitude(line) for line in lines)

    def model(self, seconds: float) -> SkyModel:
        """What the strip shows."""
        medals = None
        if self.medals:
            medals = (self.medals.bronze, self.medals.silver, self.medals.gold)
        if self.failed:
            return SkyModel(medals, 0.0, True, self.best, (), tipped=True)
        flying = []
        if seconds < FIRST_S:
            flying.append(Rocket(self.altitude(self.score), seconds / FIRST_S, self.waste(self.score)))
        for n, efficiency in enumerate(self.rockets):
            flown = (seconds - FIRST_S - n * EVERY_S) / FLIGHT_S
            if 0 <= flown < 1:
                flying.append(Rocket(self.altitude(efficiency), flown, self.waste(efficiency)))
        done = seconds >= FIRST_S
        crossed = self.crossed(seconds)
        # While it climbs, a line is won when it is passed.
        so_far = self.score if done else (0.0, *(medals or ()))[crossed] if crossed else 0.0
        beyond, limit = (self.beyond, self.limit) if done else (None, None)
        return SkyModel(medals, so_far, False, self.best, tuple(flying), beyond, limit=limit)


def risen(flown: float) -> float:
    """Share of the way up: fast at first."""
    return 1 - (1 - flown) ** 2
