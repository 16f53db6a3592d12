"""Where stalls begin: who waits for whom over a run, from its figures alone, as steps from the nearest root.

A root is something that others wait for and that waits for nobody itself for a good part of the time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from game.view.layout import Layout
from game.view.scene import Figure, Figures, Item

GOOD_PART = 0.1
"""Shares of time below this are no wait."""

FARTHEST = 4
"""Steps beyond this look alike."""


def stall_steps(layout: Layout, figures: Figures) -> Mapping[Item, int]:
    """Steps from the nearest root, 0 … :data:`FARTHEST`, of everything that waits or is waited for.

    What waits in a ring without a root is 0, and so is all where nothing waits.
    """
    waits = {item: found for item in _items(layout, figures) if (found := _waits_for(layout, figures, item))}
    waited_by: dict[Item, list[Item]] = {}
    for item, found in waits.items():
        for other in found:
            waited_by.setdefault(other, []).append(item)
    steps: dict[Item, int] = {item: 0 for item in waited_by if item not in waits}
    queue = deque(steps)
    while queue:
        item = queue.popleft()
        for waiting in waited_by.get(item, ()):
            if waiting not in steps:
                steps[waiting] = min(steps[item] + 1, FARTHEST)
                queue.append(waiting)
    return {item: steps.get(item, 0) for item in {**waits, **waited_by}}


def _items(layout: Layout, figures: Figures) -> list[Item]:
    return [*(name for name in layout.bodies if name in figures.cores), *range(len(layout.design.wires))]


def _waits_for(layout: Layout, figures: Figures, item: Item) -> list[Item]:
    if isinstance(item, int):
        figure = _wire(figures, item)
        return [layout.design.wires[item].ends[0][0]] if figure.blocked >= GOOD_PART else []
    figure = figures.cores[item]
    if max(figure.blocked, figure.starved) < GOOD_PART:
        return []
    if figure.blocked >= figure.starved:
        out = [w for w, wire in enumerate(layout.design.wires) if wire.start[0] == item]
        full: list[Item] = [w for w in out if _wire(figures, w).blocked >= GOOD_PART]
        # Where no wire's head waits, the core waits for the slowest of its wires to take the next word.
        return full or list(sorted(out, key=lambda w: -(layout.design.wires[w].every_ticks or 1 << 40))[:1])
    return [
        wire.start[0]
        for wire in layout.design.wires
        if any(end[0] == item and (figure.port is None or end[1] == figure.port) for end in wire.ends)
    ]


def _wire(figures: Figures, wire: int) -> Figure:
    return figures.wires[wire] if wire < len(figures.wires) else Figure()
