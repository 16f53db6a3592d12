"""The score in the background: after every edit the level is run again, and the newest edit wins."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from engine.live import Figure, LiveScore
from engine.model import Design, Level, Report
from engine.simulation import EngineName


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
        self._changed = threading.Condition()
        self._wanted: tuple[int, Design] | None = None
        self._found: list[Scored] = []
        self._version = 0
        self._busy = False
        self._closing = False
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._work, name="live score", daemon=True)
        self._thread.start()

    def submit(self, design: Design) -> int:
        """Ask for the score of ``design``; returns the number of this edit."""
        with self._changed:
            self._version += 1
            self._wanted = (self._version, design)
            self._changed.notify_all()
            return self._version

    def poll(self, seconds: float = 0.0) -> Scored | None:
        """The newest figure since the last call, or None; may wait ``seconds`` for one.

        Raises what went wrong in the thread.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._found or self._error, seconds)
            if self._error:
                error, self._error = self._error, None
                raise error
            found, self._found = self._found, []
        return found[-1] if found else None

    @property
    def busy(self) -> bool:
        """Whether a newer figure is still to come."""
        with self._changed:
            return self._busy or self._wanted is not None

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is left to do; False if that takes longer than ``seconds``. For tests and pictures."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._busy and self._wanted is None, seconds)

    def close(self) -> None:
        """End the thread when its present run is over."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wanted is not None or self._closing)
                if self._closing or self._wanted is None:
                    return
                version, design = self._wanted
                self._wanted = None
                self._busy = True
            try:
                self._score(version, design)
            except Exception as error:  # shown by the next poll, in the player's thread
                with self._changed:
                    self._error = error
            finally:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()

    def _score(self, version: int, design: Design) -> None:
        figure = self._live.edit(design)
        if figure.verdict == "invalid":
            self._tell(Scored(version, design, figure))
            return
        if not figure.final:
            self._tell(Scored(version, design, figure))
            with self._changed:
                if self._wanted is not None:
                    return  # overtaken: the longer run would be for nothing
            figure = self._live.finish()
        self._tell(Scored(version, design, figure, self._live.report(bound=False)))

    def _tell(self, scored: Scored) -> None:
        with self._changed:
            self._found.append(scored)
            self._changed.notify_all()
