"""The window that is measured, and the search for the period ("The window" in docs/model.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.machine import KEPT_LATENCIES, WindowInfo
from engine.netlist import Netlist
from engine.plain.launches import Launch


class Window:
    """The window, what is measured in it, and the search for the period (Brent 1980)."""

    def __init__(self, netlist: Netlist, search: bool) -> None:
        self.warmup, self.measured = netlist.warmup, netlist.measured
        self.window_events, self.time_limit = netlist.window_events, netlist.time_limit_ticks
        self.info = WindowInfo()
        self.searching = search
        self.reference: tuple[Any, ...] | None = None
        self.reference_tick = self.reference_launches = self.reference_events = 0
        self.comparisons, self.until_replaced = 0, 1
        self.latencies: list[int] = []
        self.latency_worst = 0
        self.accesses = [0] * len(netlist.arrays)
        self.words = [0] * len(netlist.arrays)

    def copy(self) -> Window:
        """A copy of its own."""
        twin: Window = object.__new__(Window)
        twin.__dict__.update(self.__dict__)
        twin.info = replace(self.info)
        twin.latencies = self.latencies.copy()
        twin.accesses, twin.words = self.accesses.copy(), self.words.copy()
        return twin

    def segment(self, launch: int) -> int:
        """0 before the window, 1 in it, 2 in its extension, 3 after it."""
        info = self.info
        if not info.known or launch < info.first:
            return 0
        return 1 if launch <= info.last else 2 if launch <= info.extended_last else 3

    def set(self, last_issued: int, launches: int) -> None:
        """The window is the ``launches`` after ``last_issued``; nothing has been measured in it yet."""
        info = self.info
        info.known, info.start_tick = True, -1
        info.first, info.last = last_issued + 1, last_issued + launches
        info.extended_last = info.last + launches
        self.latencies = []
        self.latency_worst = 0
        self.accesses = [0] * len(self.accesses)
        self.words = [0] * len(self.words)

    def nominal_end(self, issued: int, completed: int) -> None:
        """The warm-up's nominal end: ``issued`` and ``completed`` are numbers of launches."""
        self.info.in_flight = issued - self.warmup
        self.set(issued - 1, max(self.measured, 20 * self.info.in_flight))

    def compare(self, t: int, completed: int, issued: int, events: int, state: tuple[Any, ...]) -> bool:
        """Compare with the reference; True if a period was found, and the window is now a number of periods."""
        if self.reference is not None:
            if state == self.reference:
                p = completed - self.reference_launches
                self.info.period_launches, self.info.period_ticks = p, t - self.reference_tick
                self.searching, self.reference = False, None
                self.set(issued - 1, self._periods(t, p, events - self.reference_events) * p)
                return True
            self.comparisons += 1
            if self.comparisons < self.until_replaced:
                return False
            self.comparisons, self.until_replaced = 0, 2 * self.until_replaced
        self.reference, self.reference_tick, self.reference_launches = state, t, completed
        self.reference_events = events
        return False

    def _periods(self, t: int, launches: int, events: int) -> int:
        """Periods in the window: enough launches, then enough events while half of the time left allows it."""
        least = -(-self.measured // launches)
        wanted = -(-self.window_events // events)
        return max(least, min(wanted, (self.time_limit - t) // (2 * self.info.period_ticks)))

    def count(self, t: int, number: int, launch: Launch) -> None:
        """Launch ``number`` counts now."""
        if self.segment(number) != 1:
            return
        latency = t - launch.issued
        self.latency_worst = max(self.latency_worst, latency)
        if len(self.latencies) < KEPT_LATENCIES:
            self.latencies.append(latency)
        self.accesses = [max(pair) for pair in zip(self.accesses, launch.accesses, strict=True)]
        self.words = [max(pair) for pair in zip(self.words, launch.words, strict=True)]
