"""Where play stops: at the next firing of an element, at a value on a wire, at a launch.

They are looked for in what the machine says that it does (:mod:`engine.log`), so none is missed at any pace.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.log import INDEX, TICK, WHAT, WORDS, Log, What
from engine.netlist import Netlist


@dataclass
class Breakpoints:
    """``elements``: pads and cores by name; ``values``: (name of a wire, word); ``launches``: how many have counted."""

    elements: set[str] = field(default_factory=set)
    values: set[tuple[str, int]] = field(default_factory=set)
    launches: set[int] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.elements or self.values or self.launches)

    def met(self, netlist: Netlist, log: Log, completions: NDArray[np.int64], before: int) -> tuple[int, str] | None:
        """The first tick after the last look at which one is met, and which; None where none is.

        ``log`` is what has happened since, ``completions`` the ticks of all launches that have counted, of which
        ``before`` were known.
        """
        found: list[tuple[int, str]] = []
        if self.launches:
            for n in range(before + 1, len(completions) + 1):
                if n in self.launches:
                    found.append((int(completions[n - 1]), f"launch {n}"))
                    break
        if self.elements and len(log):
            watched = [i for i, node in enumerate(netlist.nodes) if netlist.elements[node.element].id in self.elements]
            fired = log[(log[:, WHAT] == What.FIRED) & np.isin(log[:, INDEX], watched)]
            if len(fired):
                first = fired[np.argmin(fired[:, TICK])]
                found.append((int(first[TICK]), netlist.elements[netlist.nodes[int(first[INDEX])].element].id))
        entered = log[log[:, WHAT] == What.ENTERED] if self.values and len(log) else log[:0]
        for wire, value in sorted(self.values):
            numbers = [i for i, other in enumerate(netlist.wires) if other.id == wire]
            hits = entered[np.isin(entered[:, INDEX], numbers) & (entered[:, WORDS] == value)]
            if len(hits):
                found.append((int(hits[:, TICK].min()), f"{value} on {wire}"))
        return min(found) if found else None
