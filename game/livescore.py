"""The score in the background: after every edit the level is run again, and the newest edit wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.live import Figure, LiveScore
from engine.model import Design, Level, Report
from engine.simulation import EngineName
from game.background import Background


@dataclass(frozen=True, slots=True)
class Scored:
    """A figure for the design of edit number ``version``; ``report`` only with the final figure of a run."""

    version: int
    design: Design
    figure: Figure
    report: Report | None = None


class BackgroundScore:
    """Scores designs in a thread of its own.

    :meth:`submit` never waits; a design that is overtaken before its turn is never run. :meth:`poll` gives what is new.
    """

    def __init__(self, level: Level, *, seed: int = 0, engine: EngineName = "auto") -> None:
        self._live = LiveScore(level, seed=seed, engine=engine)
        self._version = 0
        self._work = Background(self._score, "live score")

    def submit(self, design: Design) -> int:
        """Ask for the score of ``design``; returns the number of this edit."""
        self._version += 1
        self._work.submit((self._version, design))
        return self._version

    def poll(self, seconds: float = 0.0) -> Scored | None:
        """The newest figure since the last call, or None; may wait ``seconds`` for one.

        Raises what went wrong in the thread.
        """
        found = self._work.poll(seconds)
        return found[-1] if found else None

    @property
    def busy(self) -> bool:
        """Whether a newer figure is still to come."""
        return self._work.busy

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is left to do; False if that takes longer than ``seconds``. For tests and pictures."""
        return self._work.wait(seconds)

    def close(self) -> None:
        """End the thread when its present run is over."""
        self._work.close()

    def _score(self, wish: tuple[int, Design]) -> Iterator[Scored]:
        version, design = wish
        figure = self._live.edit(design)
        if figure.verdict == "invalid":
            yield Scored(version, design, figure)
            return
        if not figure.final:
            # Where the design is overtaken it ends here: the longer run would be for nothing.
            yield Scored(version, design, figure)
            figure = self._live.finish()
        yield Scored(version, design, figure, self._live.report(bound=False))
