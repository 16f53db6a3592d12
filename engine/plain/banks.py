"""The banks of a shared memory ("Banks" in docs/model.md): how long an access takes, and which waits for which."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.netlist import Memory
from engine.plain.packets import Moving


class Banks(Moving):
    """The banks of one memory. ``free`` is the tick from which each may be used."""

    moving = ("free", "waits")

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.free = [0] * memory.banks
        self.waits: dict[int, tuple[int, tuple[int, ...]]] = {}
        """Nodes that wait for banks: since when, and for which ones."""

    def cycles(self, cells: Iterable[int]) -> dict[int, int]:
        """How many cycles an access to some cells takes each bank; equal cells are one."""
        places = {self.memory.place(cell) for cell in cells}
        needed: dict[int, int] = {}
        for place in places:
            bank = place % self.memory.banks
            needed[bank] = needed.get(bank, 0) + 1
        return needed

    def try_at(self, t: int, node: int, banks: Iterable[int]) -> int:
        """The tick at which a node may try (again) to use some banks: ``t`` if it may now.

        It waits for all of them to be free; and where another node that has waited longer for one of them (ties: the
        first) could have its own now, it lets that go first and tries again a tick later.
        """
        banks = tuple(banks)
        busy = max((self.free[bank] for bank in banks), default=0)
        since = self.waits[node][0] if node in self.waits else t
        if busy <= t:
            rivals = (
                other
                for other, (waiting_since, wanted) in self.waits.items()
                if (waiting_since, other) < (since, node)
                and not set(wanted).isdisjoint(banks)
                and all(self.free[bank] <= t for bank in wanted)
            )
            if next(rivals, None) is None:
                return t
            busy = t + 1
        self.waits[node] = since, banks
        return busy

    def take(self, t: int, node: int, cycles: dict[int, int], interval: int) -> None:
        """A node uses banks from now on, each for its own number of cycles."""
        self.waits.pop(node, None)
        for bank, count in cycles.items():
            self.free[bank] = t + count * interval

    def leave(self, node: int) -> None:
        """A node waits for something else now."""
        self.waits.pop(node, None)

    def key(self, t: int) -> tuple[Any, ...]:
        """The state for the period search."""
        waits = sorted((node, t - since) for node, (since, _) in self.waits.items())
        return tuple([max(free - t, 0) for free in self.free]), tuple(waits)
