"""How a run ended, and what it counted in its window."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from engine import faults
from engine.explain import explain_deadlock
from engine.machine import BY_LAUNCH, Counters, Machine, Stop
from engine.model import Deadlock, Fault, Window
from engine.netlist import Netlist
from engine.score import Measured, measure
from engine.units import ns_from_ticks

if TYPE_CHECKING:
    from engine.heated import Warmth
    from engine.steady import Jump, Sample

SETTLE_TICKS = 200
"""After a window the machine runs on in steps of this length until the window's packets are gone."""

DOUBLING_TOLERANCE = 0.01
"""Where twice the window changes the score by this or more, the longer one counts."""


class Outcome:
    """How a run ended, with copies of what it counted, so that the machine may go on."""

    def __init__(self, stop: Stop, machine: Machine, netlist: Netlist) -> None:
        self.stop = stop
        self.netlist = netlist
        self.final = True
        self.completed = machine.completed
        self.tick = max(machine.now, 0)
        self.events = machine.events
        self.engine = type(machine).__name__.removesuffix("Machine").lower()
        self.window: Window | None = None
        self.measured: Measured | None = None
        self.counters: Counters | None = None
        self.fault: Fault | None = None
        self.deadlock: Deadlock | None = None
        self.sample: Sample | None = None
        """Periods of the steady state, where they were looked at one after the other."""
        self.jump: Jump | None = None
        """What was not simulated, of a long run."""
        self.lines = machine.counters() if netlist.lined else None
        """Where lines of wires are looked at, the counters at the stop."""
        self.closest: list[int] = machine.closest().tolist() if netlist.noisy else []
        """By stretch, the largest overlap of words, in levels with crosstalk."""
        self.warmth: Warmth | None = None
        """Temperatures, in levels with heat."""
        if stop is Stop.FAULT:
            assert machine.fault
            self.fault = faults.explain_fault(netlist, machine.fault, machine.late_words())
        elif stop is Stop.DEADLOCK:
            self.deadlock = explain_deadlock(netlist, machine.state())
        self._machine = machine

    def measure(self, kind: Literal["period", "nominal", "doubled"], extended: bool) -> None:
        """Take the figures of the window that has just ended."""
        machine, info = self._machine, self._machine.window
        last = info.extended_last if extended else info.last
        start, end = info.start_tick, int(machine.completions()[last])
        counters = settled(machine, last, (end - start) // 2)
        self.take(counters, kind, (info.first, last), (start, end), extended)

    def take(
        self,
        counters: Counters,
        kind: Literal["period", "nominal", "doubled"],
        launches: tuple[int, int],
        ticks: tuple[int, int],
        extended: bool = False,
    ) -> None:
        """The window's figures: its counters, its first and last launch, its start and end."""
        info, (first, last), (start, end) = self._machine.window, launches, ticks
        self.counters = counters
        self.measured = measure(self.netlist, counters, last - first + 1, end - start, extended)
        self._extended = extended
        self.window = Window(
            kind=kind,
            first_launch=first,
            last_launch=last,
            start_ns=ns_from_ticks(start),
            end_ns=ns_from_ticks(end),
            in_flight=info.in_flight,
            period_launches=info.period_launches or None,
            period_ns=ns_from_ticks(info.period_ticks) if info.period_launches else None,
        )

    def again_with(self, netlist: Netlist) -> None:
        """The same counts with the energies and powers of another netlist."""
        self.netlist = netlist
        if self.measured and self.counters:
            launches, ticks = self.measured.launches, self.measured.ticks
            self.measured = measure(netlist, self.counters, launches, ticks, self._extended)


def settled(machine: Machine, last: int, ticks: int) -> Counters:
    """The counters at the end of a window that has just ended with launch ``last``, and what its packets cost later.

    The machine runs on until no packet of the window's launches is left, at most for ``ticks``. What happens to a
    launch's packets after it counted (masked words that no one stores, words that are dropped) is charged to it as
    well; a design must not hide its costs there. A fault now comes after the run's end.
    """
    counters, limit = machine.counters(), machine.now + ticks
    while machine.oldest <= last and machine.now < limit:
        if machine.run(min(limit, machine.now + SETTLE_TICKS)) is not Stop.UNTIL:
            break
    later = machine.counters()
    return replace(counters, **{name: getattr(later, name) for name in BY_LAUNCH})


def first_outcome(stop: Stop, machine: Machine, netlist: Netlist) -> Outcome:
    """How a run stands that has just stopped for the first time; not final where twice the window is to be compared."""
    first = Outcome(stop, machine, netlist)
    if stop is Stop.WINDOW:
        period = bool(machine.window.period_launches)
        first.measure("period" if period else "nominal", extended=False)
        first.final = period
    return first


def final_outcome(first: Outcome, machine: Machine, netlist: Netlist) -> Outcome:
    """Run on from an outcome that is not final, and judge."""
    stop = machine.run()
    if stop is Stop.EXTENSION:
        longer = Outcome(stop, machine, netlist)
        longer.measure("doubled", extended=True)
        assert first.measured and longer.measured
        change = abs(longer.measured.efficiency / first.measured.efficiency - 1)
        if change >= DOUBLING_TOLERANCE:
            return longer
    elif stop is not Stop.TIMEOUT:
        return Outcome(stop, machine, netlist)
    first.final = True
    return first
