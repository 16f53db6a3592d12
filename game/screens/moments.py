"""Moments of the first minutes, and of every level after: what they add to the board, and what is heard.

The board draws itself; a pad shows its first word; a result closes the ring of a sink; the first result of a design
lights its way; an undo flashes; the machine hums. With reduced motion only what informs is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log2
from typing import TYPE_CHECKING

from engine.model import Design, Report
from engine.netlist import Netlist
from engine.truth import Workload
from game.editor.hand import WireHand
from game.panels.sky import FLIGHT_S, altitude, waste
from game.playback import Playback
from game.screens import shown
from game.view.badges import value_text
from game.view.differences import Differences, differences_of
from game.view.moments import CLOSE_S, COUNT_S, FADE_S, blinks
from game.view.scene import Moment

if TYPE_CHECKING:
    from game.screens.workbench import Workbench

OPENING_S = 0.4
FLASH_S = 0.12
LINE_S = 0.6
FIRST_S = FLIGHT_S + 0.5
"""The first result of a design: its way is lit for half a second, then the rocket flies."""
DIM = 0.4
BELL_S = 0.125
"""Bells are no closer together than this."""
CLOSE_TOGETHER_S = 0.3
"""Results that come faster keep the ring of their sink closed."""
WAIT_S = 2.0
BLOCKED = 0.3


class Moments:
    """The moments of one workbench."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.first_s: float | None = None
        """Seconds since the first result of a design began to be celebrated; None while none is."""
        self._way: tuple[int, ...] = ()
        self._celebrated: set[int] = set()
        self._flash: tuple[Differences, float] | None = None
        self._won: tuple[int, float] | None = None
        self._seen = 0
        self._belled = -1.0
        self._under: object = None
        self._words: Mapping[str, str] | None = None
        self._noise: tuple[Report | None, float, float] = (None, 0.0, 0.0)

    # --- time --------------------------------------------------------------------------------------------

    def update(self, seconds: float) -> None:
        """Let time pass: hear what arrives, and begin what is due."""
        bench, playback = self.bench, self.bench.session.playback
        if self.first_s is not None:
            flown = self.first_s >= FIRST_S - FLIGHT_S
            self.first_s += seconds
            if not flown and self.first_s >= FIRST_S - FLIGHT_S:
                self._send()
            if self.first_s >= FIRST_S:
                self.first_s = None
        count = len(playback.completions())
        if playback.playing and count > self._seen:
            if bench.clock - self._belled >= BELL_S:
                bench.context.sounds.play("arrive")
                self._belled = bench.clock
            if self._seen == 0:
                self._celebrate()
        self._seen = count
        self._tick()
        self._hum()

    def _celebrate(self) -> None:
        """The first result of a design that was made here."""
        tab, playback = self.bench.session.tab, self.bench.session.playback
        if id(tab) in self._celebrated or tab.history.undo_label is None or playback.netlist is None:
            return
        self._celebrated.add(id(tab))
        self._way = way_of_result(playback)
        self.first_s = 0.0
        self.bench.context.sounds.play("first-launch")

    def _send(self) -> None:
        """The long rocket of the first result."""
        trace, level = self.bench.session.trace, self.bench.level
        if trace is not None and len(trace.joules) and trace.joules[0] > 0:
            efficiency = 1000 / float(trace.joules[0])
            report = self.bench.session.last_report
            limit = report.energy_limit.launches_per_nj if report and report.energy_limit else efficiency
            reach = altitude(efficiency, level.medals)
            self.bench.rockets.append((reach, 0.0, waste(efficiency, limit)))

    def skip(self) -> None:
        """Any key ends the celebration."""
        self.first_s = None

    def changed(self, before: Design, after: Design) -> None:
        """An undo or redo: what it has changed flashes once."""
        if before is not after and not self.bench.context.theme.reduced_motion:
            self._flash = (differences_of(after, before), self.bench.clock)

    def won(self, medals: int) -> None:
        """A medal more: its line in the sky rings."""
        self._won = (medals, self.bench.clock)

    def ring(self) -> tuple[int, float] | None:
        """Which line of the sky rings, and how much of that is over; None where none does."""
        if self._won is None or self.bench.context.theme.reduced_motion:
            return None
        share = (self.bench.clock - self._won[1]) / LINE_S
        return (self._won[0], round(share, 2)) if share < 1 else None

    def leave(self) -> None:
        """The screen is hidden: silence."""
        self.bench.context.sounds.hum(0.0, 0.0)

    # --- what is heard -----------------------------------------------------------------------------------

    def _tick(self) -> None:
        """A soft tick at every tile that a wire in the hand passes, and when the mouse comes to a pad."""
        tools, bench = self.bench.tools, self.bench
        wire = isinstance(tools.hand, WireHand)
        pads = {pad.id for pad in bench.level.pads}
        under = bench.camera.tile_at(*tools.pos) if wire else tools.hover if tools.hover in pads else None
        if under != self._under:
            self._under = under
            if under is not None:
                bench.context.sounds.play("tile")

    def _hum(self) -> None:
        bench, session = self.bench, self.bench.session
        report = session.last_report
        if not session.playback.playing or report is None or report.metrics is None:
            bench.context.sounds.hum(0.0, 0.0)
            return
        if self._noise[0] is not report:
            standby = max(bench.level.standby_uw / 1000, 1e-6)
            # A machine that takes sixteen times what the chip takes anyway is as loud as it gets.
            power = log2(1 + report.metrics.power_mw / standby) / 4
            span = max((report.window.end_ns - report.window.start_ns) if report.window else 0.0, 1e-9)
            wires = [e for e in report.elements if e.kind == "wire"]
            waits = sum(e.blocked_ns > BLOCKED * span for e in wires) / max(len(wires), 1)
            self._noise = (report, round(power, 2), round(waits, 2))
        bench.context.sounds.hum(self._noise[1], self._noise[2])

    # --- what is seen ------------------------------------------------------------------------------------

    def moment(self) -> Moment:
        """What the board shows of all this now."""
        bench = self.bench
        still = bench.context.theme.reduced_motion
        flash = self._flash[0] if self._flash and bench.clock - self._flash[1] < FLASH_S else None
        lit, dim, share = self._way if self.first_s is not None else (), 0.0, 0.0
        if self.first_s is not None:
            rest = FIRST_S - self.first_s
            share = 1.0 if still else min(self.first_s / (FIRST_S - FLIGHT_S), 1.0)
            dim = DIM if still else DIM * min(self.first_s / 0.1, rest / 0.2, 1.0)
        launches, since = self._since(still)
        return Moment(
            opened=1.0 if still else min(bench.clock / OPENING_S, 1.0),
            words=self._first_words(),
            flash=flash,
            lit=lit,
            lit_share=share,
            dim=max(dim, 0.0),
            launches=launches,
            since_s=since,
            ask=self.offered(),
        )

    def _since(self, still: bool) -> tuple[int, float | None]:
        playback = self.bench.session.playback
        done = playback.completions()
        if not len(done) or playback.pace <= 0:
            return 0, None
        second = playback.pace * 100
        since = (playback.tick - int(done[-1])) / second
        if since >= COUNT_S:
            return len(done), None
        if still:
            return len(done), max(since, FADE_S)
        fast = len(done) > 1 and (int(done[-1]) - int(done[-2])) / second < CLOSE_TOGETHER_S
        return len(done), CLOSE_S if fast and since < FADE_S else since

    def _first_words(self) -> Mapping[str, str]:
        """The first word of every pad that has no wire yet, before anything runs: in the first levels only."""
        bench = self.bench
        if bench.level.chapter != "first-light" or bench.session.design.wires or bench.session.playback.tick:
            return {}
        if self._words is None:
            self._words = first_words(bench)
        seen = bench.context.theme.reduced_motion or blinks(bench.clock - OPENING_S)
        return self._words if seen else {}

    def offered(self) -> int | None:
        """The wire that waits most, once something has waited for a while and nobody has asked why."""
        bench, report = self.bench, self.bench.session.report
        if bench.waiting_s <= WAIT_S or bench.asked_why or report is None or not shown.has_tool(bench, "why"):
            return None
        if not bench.session.playback.playing:
            return None
        blocked = [e.blocked_ns for e in report.elements if e.kind == "wire"]
        return max(range(len(blocked)), key=lambda w: blocked[w]) if blocked else None


def first_words(bench: Workbench) -> Mapping[str, str]:
    """The first word of the first launch, by pad."""
    arrays = Workload(bench.level, 0).inputs(0, 1)
    found = {}
    for pad in bench.level.pads:
        words = arrays.get(pad.array or pad.id)
        if pad.core == "stream" and words is not None:
            is_float = bench.level.kernel.arrays[pad.array or pad.id].dtype == "float32"
            found[pad.id] = value_text(int(words.reshape(-1)[0]), is_float)
    return found


def way_of_result(playback: Playback) -> tuple[int, ...]:
    """The wires that the last result came by, from its source to its sink: backwards, always the one used last."""
    netlist, state = playback.netlist, playback.state()
    if netlist is None or state is None:
        return ()
    sinks = [i for i, node in enumerate(netlist.nodes) if _is_output(netlist, i)]
    last = {i: max((state.wires[w].last_exit for w in _inputs(netlist, i)), default=-1) for i in sinks}
    if not last:
        return ()
    node = max(last, key=lambda i: last[i])
    way: list[int] = []
    seen = {node}
    while wires := _inputs(netlist, node):
        wire = max(wires, key=lambda w: (state.wires[w].last_exit, -w))
        way.append(wire)
        node = netlist.wires[wire].source
        if node in seen:
            break
        seen.add(node)
    return tuple(reversed(way))


def _is_output(netlist: Netlist, node: int) -> bool:
    return netlist.nodes[node].kind in ("sink", "store")


def _inputs(netlist: Netlist, node: int) -> list[int]:
    return [w for port in netlist.nodes[node].inputs for w in port.wires]
