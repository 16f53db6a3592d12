"""Time on the workbench: play, steps, jumps, the pace; and launches, for which a run is scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.model import Design, Report
from game.livescore import Scored
from game.panels.header import medal_count
from game.playback import PACES
from game.said import said
from game.screens import shown
from game.screens.coach import PRAISE_S
from game.shell.launching import launch
from game.shell.places import SANDBOX
from levels.refusals import refusal

if TYPE_CHECKING:
    from game.screens.workbench import Workbench


class Running:
    """Runs the machine of one workbench."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench

    def play(self) -> None:
        session = self.bench.session
        playback = session.playback
        if playback.simulation is None:
            return
        if not playback.playing and playback.halted:
            playback.seek(0)  # again from the start
        playback.playing = not playback.playing
        session.wants_to_play = playback.playing

    def stepped(self, step: Callable[[], None]) -> None:
        """Stop, and take a step."""
        self.bench.session.wants_to_play = False
        self.bench.session.playback.playing = False
        step()

    def seek(self, tick: int) -> None:
        playback = self.bench.session.playback
        if playback.simulation is not None:
            self.stepped(lambda: playback.seek(tick))

    def seek_by(self, ticks: int) -> None:
        self.seek(self.bench.session.playback.tick + ticks)

    def live_end(self) -> None:
        trace = self.bench.session.trace
        if trace is not None:
            self.seek(trace.end)

    def change_pace(self, step: int) -> None:
        playback = self.bench.session.playback
        index = shown.pace_index(playback.pace) + step
        playback.pace = PACES[min(max(index, 0), len(PACES) - 1)]

    def to_fault(self) -> None:
        """Run to the halt, and look at it."""
        playback = self.bench.session.playback
        if playback.simulation is None:
            return
        if self.bench.session.report is not None and not shown.has_fault(self.bench):
            self.bench.say("No fault: there is nothing to go to")
            return
        self.stepped(playback.to_halt)
        if playback.halted is None:
            self.bench.say("No fault within what is scored")
        else:
            self.bench.tools.selection = set()
            self._look_at_fault()

    def halted(self) -> None:
        """The machine has just stopped for good."""
        playback = self.bench.session.playback
        if playback.fault() or playback.tick:  # one that has not begun cannot come to a stand
            self.bench.context.sounds.play("fault" if playback.fault() else "stall")
        self._look_at_fault()

    def _look_at_fault(self) -> None:
        fault = self.bench.session.playback.fault()
        at = shown.place_of(self.bench, fault.core) if fault else None
        if at:
            self.bench.glide_to(at[0] + 0.5, at[1] + 0.5)

    def launch(self) -> None:
        """Record the run, as soon as its final figure is there."""
        bench = self.bench
        bench.tools.settle()
        if bench.session.problems:
            message = said(bench.session.problems[0])
            bench.say(f"Nothing can run: {message}", "bad")
        elif bench.session.report is not None and bench.session.score.figure:
            self._finish(bench.session.design, bench.session.report)
        else:
            bench.launching = True

    def scored(self, scored: Scored) -> None:
        """A final figure has come."""
        bench = self.bench
        bench.before.keep(scored)
        bench.ideas.keep(scored)
        won = medal_count(scored.figure.medal)
        if bench.medal is not None and won > bench.medal:
            bench.context.sounds.play(f"medal-{scored.figure.medal}")
            bench.praise_until = bench.clock + PRAISE_S
            bench.moments.won(won)
        bench.medal = won
        if bench.launching and scored.design is bench.session.design:
            bench.launching = False
            if scored.report is not None:
                self._finish(scored.design, scored.report)

    def _finish(self, design: Design, report: Report) -> None:
        bench = self.bench
        bench.session.save()
        launched = launch(bench.context.progress, bench.level, design, report, keep=bench.level.id != SANDBOX)
        if report.verdict == "pass":
            by_hand = bench.level.number == "02" and bench.level.chapter == "first-light"
            if by_hand and "match" not in bench.context.progress.tools():
                bench.context.progress.unlock("match")
                launched = replace(launched, tools=("match",))
            bench.context.sounds.play("first-launch" if not bench.best else "launch")
        if bench.context.progress.refused is not None:
            why = refusal(bench.context.progress.refused)
            bench.say(
                f"This launch is not recorded yet: {why}. It will be as soon as that is possible", "bad", seconds=12
            )
        bench.context.ask("result", launched)
