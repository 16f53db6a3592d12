"""How a run ended, and what it counted in its window."""

from __future__ import annotations

from typing import Literal

from engine import faults
from engine.explain import explain_deadlock
from engine.machine import Counters, Machine, Stop
from engine.model import Deadlock, Fault, Window
from engine.netlist import Netlist
from engine.score import Measured, measure
from engine.units import ns_from_ticks

SETTLE_TICKS = 200
"""After a window the machine runs on in steps of this length until the window's packets are gone."""


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
        if stop is Stop.FAULT:
            assert machine.fault
            self.fault = faults.explain_fault(netlist, machine.fault)
        elif stop is Stop.DEADLOCK:
            self.deadlock = explain_deadlock(netlist, machine.state())
        self._machine = machine

    def measure(self, kind: Literal["period", "nominal", "doubled"], extended: bool) -> None:
        """Take the figures of the window that has just ended."""
        machine, info = self._machine, self._machine.window
        last = info.extended_last if extended else info.last
        completions = machine.completions()
        start, end = info.start_tick, int(completions[last])
        self.counters = machine.counters()
        _settle(machine, last, start, end)
        settled = machine.counters()
        for by_launch in ("firings", "live", "entries", "toggles"):
            setattr(self.counters, by_launch, getattr(settled, by_launch))
        self.measured = measure(self.netlist, self.counters, last - info.first + 1, end - start, extended)
        self.window = Window(
            kind=kind,
            first_launch=info.first,
            last_launch=last,
            start_ns=ns_from_ticks(start),
            end_ns=ns_from_ticks(end),
            in_flight=info.in_flight,
            period_launches=info.period_launches or None,
            period_ns=ns_from_ticks(info.period_ticks) if info.period_launches else None,
        )


def _settle(machine: Machine, last: int, start: int, end: int) -> None:
    """Run on from the window's end until no packet of its launches is left, at most half as long as the window was.

    What happens to a launch's packets after it counted (masked words that no one stores, words that are dropped) is
    charged to it as well; a design must not hide its costs there. A fault now comes after the run's end.
    """
    limit = end + (end - start) // 2
    while machine.oldest <= last and machine.now < limit:
        if machine.run(min(limit, machine.now + SETTLE_TICKS)) is not Stop.UNTIL:
            return
