"""The slowest cycle of a graph whose edges take time and hold tokens: the maximum cycle ratio, exact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from math import lcm
from typing import Literal, NamedTuple

# fmt: off
EdgeKind = Literal[
    "interval", "pattern", "latency", "room", "fork", "pace", "carry", "closing", "group", "page", "lookahead"
]
# fmt: on
"""Where an inequality comes from; ``closing``: a wire takes a word when one has left at its end."""


class Label(NamedTuple):
    """What an edge is of; -1 for no node, no wire."""

    kind: EdgeKind
    node: int = -1
    wire: int = -1


@dataclass(frozen=True, slots=True)
class Edge:
    """φ(after) ≥ φ(before) + delay − λ·tokens; delay in ticks, tokens in launches."""

    before: int
    after: int
    delay: Fraction | int
    tokens: Fraction | int
    label: Label

    @property
    def kind(self) -> EdgeKind:
        """See :data:`EdgeKind`."""
        return self.label.kind

    @property
    def node(self) -> int:
        """Index of its node, -1 without."""
        return self.label.node

    @property
    def wire(self) -> int:
        """Index of its wire, -1 without."""
        return self.label.wire


class Graph:
    """Events, numbered from 0, and edges between them, column by column: there may be a hundred thousand."""

    def __init__(self) -> None:
        self.events = 0
        self.before: list[int] = []
        self.after: list[int] = []
        self.delay: list[Fraction | int] = []
        self.tokens: list[Fraction | int] = []
        self.label: list[Label] = []

    def event(self) -> int:
        """A new event."""
        self.events += 1
        return self.events - 1

    def add(self, before: int, after: int, delay: Fraction | int, tokens: Fraction | int, label: Label) -> None:
        """One edge; see :class:`Edge`."""
        self.before.append(before)
        self.after.append(after)
        self.delay.append(delay)
        self.tokens.append(tokens)
        self.label.append(label)

    def extend(
        self, before: Iterable[int], after: Sequence[int], delay: int, tokens: Iterable[int], label: Label
    ) -> None:
        """One edge per event of ``after``, alike but for their tokens."""
        self.before.extend(before)
        self.after.extend(after)
        self.delay.extend(repeat(delay, len(after)))
        self.tokens.extend(tokens)
        self.label.extend(repeat(label, len(after)))

    def edge(self, number: int) -> Edge:
        """The edge of this number."""
        return Edge(
            self.before[number], self.after[number], self.delay[number], self.tokens[number], self.label[number]
        )

    def sort(self) -> None:
        """Bring the edges into the order of their last events along the edges without tokens, which form no cycle.

        Then one round of a search for longest paths settles all that happens within a launch.
        """
        onward: list[list[int]] = [[] for _ in range(self.events)]
        waits = [0] * self.events
        for before, after, tokens in zip(self.before, self.after, self.tokens, strict=True):
            if not tokens:
                onward[before].append(after)
                waits[after] += 1
        place = [self.events] * self.events  # of those on or behind a cycle without tokens
        ready = [event for event, count in enumerate(waits) if not count]
        for number, event in enumerate(ready):
            place[event] = number
            for after in onward[event]:
                waits[after] -= 1
                if not waits[after]:
                    ready.append(after)
        order = sorted(range(len(self)), key=[place[after] for after in self.after].__getitem__)
        self.before = [self.before[n] for n in order]
        self.after = [self.after[n] for n in order]
        self.delay = [self.delay[n] for n in order]
        self.tokens = [self.tokens[n] for n in order]
        self.label = [self.label[n] for n in order]

    def __len__(self) -> int:
        return len(self.before)


_ZERO = Fraction(0)


def critical_cycle(graph: Graph, at_least: Fraction = _ZERO) -> tuple[Fraction | None, list[Edge]]:
    """The greatest delay over tokens of all cycles, in ticks per launch, and a cycle that has it.

    (``at_least``, []) without a cycle above that ratio; (None, cycle) for a cycle without tokens, round which nothing
    can ever move.

    From a ratio λ on, a cycle is sought whose delay − λ·tokens is positive, by Bellman and Ford's longest paths; its
    own ratio is the next λ, until there is none (Lawler 1976). Exact: weights are whole numbers. Sorts the graph.
    """
    graph.sort()
    parts = lcm(*{tokens.denominator for tokens in graph.tokens})
    ticks = lcm(*{delay.denominator for delay in graph.delay})
    tokens = [int(number * parts) for number in graph.tokens]
    delays = [int(number * ticks) for number in graph.delay]
    top, bottom = (at_least * ticks / parts).as_integer_ratio()
    best: list[int] = []
    for number, (before, after) in enumerate(zip(graph.before, graph.after, strict=True)):
        if before == after and delays[number] * bottom > top * tokens[number]:
            # A cycle of one edge: a good start for free.
            if tokens[number] <= 0:
                return None, [graph.edge(number)]
            best, top, bottom = [number], delays[number], tokens[number]
    phases = [0] * graph.events
    while True:
        weights = [delay * bottom - top * token for delay, token in zip(delays, tokens, strict=True)]
        cycle = _positive_cycle(graph, weights, phases)
        if not cycle:
            return Fraction(top * parts, bottom * ticks), [graph.edge(number) for number in best]
        best = cycle
        total, places = sum(delays[number] for number in cycle), sum(tokens[number] for number in cycle)
        if places <= 0:
            return None, [graph.edge(number) for number in cycle]
        # Phases are in units of 1 / bottom: keep them as a start for the next search.
        phases = [phase * places // bottom for phase in phases]
        top, bottom = total, places


def slower_cycle(graph: Graph, ratio: Fraction) -> list[Edge]:
    """Some cycle whose delay over tokens is above ``ratio``, [] if there is none. The graph should be sorted."""
    parts = lcm(*{tokens.denominator for tokens in graph.tokens})
    ticks = lcm(*{delay.denominator for delay in graph.delay})
    top, bottom = (ratio * ticks / parts).as_integer_ratio()
    weights = [
        int(delay * ticks) * bottom - top * int(tokens * parts)
        for delay, tokens in zip(graph.delay, graph.tokens, strict=True)
    ]
    return [graph.edge(number) for number in _positive_cycle(graph, weights, [0] * graph.events)]


def _positive_cycle(graph: Graph, weights: Sequence[int], phases: list[int]) -> list[int]:
    """Numbers of the edges of a cycle of positive weight, [] if there is none. Changes ``phases``."""
    parent = [-1] * graph.events
    while True:
        changed = False
        for number, (before, after, weight) in enumerate(zip(graph.before, graph.after, weights, strict=True)):
            phase = phases[before] + weight
            if phase > phases[after]:
                phases[after] = phase
                parent[after] = number
                changed = True
        if not changed:
            return []
        cycle = _cycle_of_parents(graph, parent)
        if cycle:
            return cycle


def _cycle_of_parents(graph: Graph, parent: Sequence[int]) -> list[int]:
    seen = [0] * len(parent)
    for start in range(len(parent)):
        event = start
        while parent[event] >= 0 and not seen[event]:
            seen[event] = start + 1
            event = graph.before[parent[event]]
        if parent[event] >= 0 and seen[event] == start + 1:
            cycle = []
            first = event
            while True:
                cycle.append(parent[event])
                event = graph.before[parent[event]]
                if event == first:
                    return cycle[::-1]
    return []
