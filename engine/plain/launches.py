"""Launches that are under way, with their words; and the window that is measured (docs/model.md, "The window")."""

from __future__ import annotations

from typing import Any

from engine.machine import WindowInfo
from engine.netlist import Netlist

CHUNK = 64
"""Launches that are drawn together."""

MAX_CHUNKS = 8
"""Chunks kept: the pads run at most 256 launches apart."""

KEPT_LATENCIES = 4096


class Launch:
    """A launch that has been issued and not let go. Rows of words are by array; ``stored`` has None where unwritten."""

    __slots__ = ("accesses", "done", "dropped", "expected", "inputs", "issued", "left", "packets", "stored", "sunk")

    def __init__(self, issued: int, left: int, arrays: int) -> None:
        self.issued = issued
        self.left = left
        """Output words that have not been written."""
        self.packets = 0
        self.done = -1
        """Latest tick at which a word written so far counts."""
        self.dropped = -1
        """The last node whose firing lost a packet of this launch."""
        self.accesses = [0] * arrays
        self.inputs: dict[int, list[int]] = {}
        self.expected: dict[int, list[int]] = {}
        self.stored: dict[int, list[int | None]] = {}
        self.sunk: dict[int, int] = {}

    def copy(self) -> Launch:
        """A copy; rows of drawn words are shared, since they do not change."""
        twin = Launch(self.issued, self.left, 0)
        twin.packets, twin.done, twin.dropped = self.packets, self.done, self.dropped
        twin.accesses = self.accesses.copy()
        twin.inputs, twin.expected = self.inputs, self.expected
        twin.stored = {array: words.copy() for array, words in self.stored.items()}
        twin.sunk = self.sunk.copy()
        return twin


class Draws:
    """Rows of words of one launch, drawn in chunks from ``Workload.inputs`` or ``Workload.expected``."""

    def __init__(self, draw: Any, netlist: Netlist) -> None:
        self.draw, self.names = draw, [a.name for a in netlist.arrays]
        self.chunks: dict[int, Any] = {}

    def row(self, array: int, launch: int) -> list[int]:
        """The words of an array in a launch, flat."""
        number = launch // CHUNK
        if number not in self.chunks:
            if len(self.chunks) == MAX_CHUNKS:
                del self.chunks[min(self.chunks)]
            self.chunks[number] = self.draw(number * CHUNK, CHUNK)
        row: list[int] = self.chunks[number][self.names[array]][launch % CHUNK].tolist()
        return row


class Window:
    """The window, what is measured in it, and the search for the period (Brent 1980)."""

    def __init__(self, netlist: Netlist, search: bool) -> None:
        self.warmup, self.measured = netlist.warmup, netlist.measured
        self.info = WindowInfo()
        self.searching = search
        self.reference: tuple[Any, ...] | None = None
        self.reference_tick = self.reference_launches = 0
        self.comparisons, self.until_replaced = 0, 1
        self.latencies: list[int] = []
        self.latency_worst = 0
        self.accesses = [0] * len(netlist.arrays)

    def copy(self) -> Window:
        """A copy of its own."""
        twin: Window = object.__new__(Window)
        twin.__dict__.update(self.__dict__)
        info = self.info
        twin.info = WindowInfo(**{name: getattr(info, name) for name in info.__slots__})
        twin.latencies, twin.accesses = self.latencies.copy(), self.accesses.copy()
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

    def nominal_end(self, issued: int, completed: int) -> None:
        """The warm-up's nominal end: ``issued`` and ``completed`` are numbers of launches."""
        self.info.in_flight = issued - self.warmup
        self.set(issued - 1, max(self.measured, 20 * self.info.in_flight))

    def compare(self, t: int, completed: int, issued: int, state: tuple[Any, ...]) -> bool:
        """Compare with the reference; True if a period was found, and the window is now a number of periods."""
        if self.reference is not None:
            if state == self.reference:
                p = completed - self.reference_launches
                self.info.period_launches, self.info.period_ticks = p, t - self.reference_tick
                self.searching, self.reference = False, None
                self.set(issued - 1, -(-self.measured // p) * p)
                return True
            self.comparisons += 1
            if self.comparisons < self.until_replaced:
                return False
            self.comparisons, self.until_replaced = 0, 2 * self.until_replaced
        self.reference, self.reference_tick, self.reference_launches = state, t, completed
        return False

    def count(self, t: int, number: int, launch: Launch) -> None:
        """Launch ``number`` counts now."""
        if self.segment(number) != 1:
            return
        latency = t - launch.issued
        self.latency_worst = max(self.latency_worst, latency)
        if len(self.latencies) < KEPT_LATENCIES:
            self.latencies.append(latency)
        self.accesses = [max(pair) for pair in zip(self.accesses, launch.accesses, strict=True)]
