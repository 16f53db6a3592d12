"""The version before, while C is held: what it looked like, and what the last step has done to its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.model import Design
from game.comparing import Reports, moved_rows, what_differs
from game.livescore import Scored
from game.panels.versus import VersusModel
from game.view.differences import Differences, differences_of

if TYPE_CHECKING:
    from game.screens.workbench import Workbench


class Before:
    """The last step of the design on the board, worked out once."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.reports = Reports(bench.level, bench.session.engine)
        self._of: tuple[Design, Design] | None = None
        self._differences = Differences()
        self._changes: tuple[str, ...] = ()

    @property
    def designs(self) -> tuple[Design, Design]:
        """The version before, and what is on the board; the same object twice where there is none before."""
        history = self.bench.session.history
        return history.previous, history.design

    def keep(self, scored: Scored) -> None:
        """A final figure has come: its design may soon be the one before."""
        if scored.report is not None:
            self.reports.keep(scored.design, scored.report)

    def differences(self) -> Differences:
        """Marks for the board of the version before."""
        self._study()
        return self._differences

    def model(self) -> VersusModel:
        """The figures of both, and what differs."""
        self._study()
        before, now = self.designs
        self.reports.engine = self.bench.session.engine
        rows = moved_rows(*self.reports.of(before, now))
        label = self.bench.session.history.undo_label
        title = f"Before “{label}”" if label else "The version before"
        return VersusModel(title, ("before", "now"), rows, self._changes, "Shift C: any two designs side by side")

    def _study(self) -> None:
        before, now = self.designs
        if self._of is None or self._of[0] is not before or self._of[1] is not now:
            self._of = (before, now)
            self._differences = differences_of(before, now)
            self._changes = what_differs(before, now)

    def close(self) -> None:
        """End the thread."""
        self.reports.close()
