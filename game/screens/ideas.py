"""Ideas that a machine uses for the first time slide in on the workbench; a launch writes them into the book."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.model import Design, Level, Report
from game.background import Background
from game.livescore import Scored
from game.screens import shown
from game.shell.launching import cards_of, design_before
from game.shell.places import SANDBOX

if TYPE_CHECKING:
    from game.discoveries import Card
    from game.screens.workbench import Workbench

CALM_S = 0.8
"""So long must a design have stood: while the wheel turns nothing slides in."""

CARD_S = 6.0


@dataclass(frozen=True)
class _Wish:
    level: Level
    design: Design
    report: Report
    before: Design | None
    known: tuple[str, ...]


class Ideas:
    """The ideas of one workbench. Each is told once."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self._scored: Scored | None = None
        self._told: set[str] = set()
        self._cards: list[Card] = []
        self._worker: Background[_Wish, tuple[Card, ...]] | None = None

    def keep(self, scored: Scored) -> None:
        """A final figure has come."""
        passed = scored.report is not None and scored.report.verdict == "pass"
        self._scored = scored if passed and self.bench.level.id != SANDBOX else None

    def update(self) -> None:
        """Look for ideas once a design has stood for a while, and tell of one when nothing else is said."""
        bench, scored = self.bench, self._scored
        stood = bench.session.clock - bench.session.edited_at >= CALM_S
        if scored is not None and scored.design is bench.session.design and stood:
            self._scored = None
            self._look(scored)
        for cards in self._worker.poll() if self._worker is not None else ():
            self._cards += [card for card in cards if card.id not in self._told]
            self._told |= {card.id for card in cards}
        if self._cards and bench.toast is None and bench.moments.first_s is None:
            card = self._cards.pop(0)
            bench.context.sounds.play("card")
            bench.say(f"{card.name}: {card.text}", "good", seconds=CARD_S)

    def _look(self, scored: Scored) -> None:
        level, progress, report = self.bench.level, self.bench.context.progress, scored.report
        assert report is not None
        known = {found.card for found in progress.discoveries()} | self._told
        earlier = progress.runs(level.id, shown.hash_of(level))
        before = design_before(progress, level, report, earlier)
        if self._worker is None:
            self._worker = Background(_find, "ideas")
        self._worker.submit(_Wish(level, scored.design, report, before, tuple(sorted(known))))

    def wait(self, seconds: float) -> bool:
        """Wait for what is looked for. For tests."""
        return self._worker is None or self._worker.wait(seconds)

    def close(self) -> None:
        """End the thread."""
        if self._worker is not None:
            self._worker.close()


def _find(wish: _Wish) -> Iterator[tuple[Card, ...]]:
    yield cards_of(wish.level, wish.design, wish.report, wish.before, wish.known)
