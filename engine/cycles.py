"""The slowest cycle of a graph whose edges take time and hold tokens: the maximum cycle ratio, exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Literal

EdgeKind = Literal["interval", "pattern", "latency", "room", "fork", "pace", "carry", "closing", "group", "page"]
"""Where an inequality comes from; ``closing``: a wire takes a word when one has left at its end."""


@dataclass(frozen=True, slots=True)
class Edge:
    """φ(after) ≥ φ(before) + delay − λ·tokens; delay in ticks, tokens in launches."""

    before: int
    after: int
    delay: Fraction
    tokens: Fraction
    kind: EdgeKind
    node: int = -1
    wire: int = -1


def critical_cycle(events: int, edges: Sequence[Edge]) -> tuple[Fraction | None, list[Edge]]:
    """The greatest delay over tokens of all cycles, in ticks per launch, and a cycle that has it.

    (0, []) without a cycle; (None, cycle) for a cycle without tokens, round which nothing can ever move.

    From a ratio λ on, a cycle is sought whose delay − λ·tokens is positive, by Bellman and Ford's longest paths; its
    own ratio is the next λ, until there is none (Lawler 1976). Exact: weights are whole numbers.
    """
    parts = lcm(*(edge.tokens.denominator for edge in edges)) if edges else 1
    ticks = lcm(*(edge.delay.denominator for edge in edges)) if edges else 1
    delays = [int(edge.delay * ticks) for edge in edges]
    tokens = [int(edge.tokens * parts) for edge in edges]
    best: list[int] = []
    top, bottom = 0, 1
    for number, edge in enumerate(edges):  # cycles of one edge: a good start
        if edge.before == edge.after and delays[number] * bottom > top * tokens[number]:
            best, top, bottom = [number], delays[number], tokens[number]
            if bottom <= 0:
                return None, [edge]
    loops = [(e.before, e.after, n) for n, e in enumerate(edges) if e.before != e.after]
    phases = [0] * events
    while True:
        weights = [delay * bottom - top * token for delay, token in zip(delays, tokens, strict=True)]
        cycle = _positive_cycle(events, edges, loops, weights, phases)
        if not cycle:
            return Fraction(top * parts, bottom * ticks), [edges[n] for n in best]
        best = cycle
        total, bottom_now = sum(delays[n] for n in cycle), sum(tokens[n] for n in cycle)
        if bottom_now <= 0:
            return None, [edges[n] for n in cycle]
        # Phases are in units of 1 / bottom: keep them as a start for the next search.
        phases = [phase * bottom_now // bottom for phase in phases]
        top, bottom = total, bottom_now


def _positive_cycle(
    events: int, edges: Sequence[Edge], loops: Sequence[tuple[int, int, int]], weights: Sequence[int], phases: list[int]
) -> list[int]:
    """Numbers of the edges of a cycle of positive weight, [] if there is none. Changes ``phases``."""
    parent = [-1] * events
    while True:
        changed = False
        for before, after, number in loops:
            phase = phases[before] + weights[number]
            if phase > phases[after]:
                phases[after] = phase
                parent[after] = number
                changed = True
        if not changed:
            return []
        cycle = _cycle_of_parents(edges, parent)
        if cycle:
            return cycle


def _cycle_of_parents(edges: Sequence[Edge], parent: Sequence[int]) -> list[int]:
    seen = [0] * len(parent)
    for start in range(len(parent)):
        event = start
        while parent[event] >= 0 and not seen[event]:
            seen[event] = start + 1
            event = edges[parent[event]].before
        if parent[event] >= 0 and seen[event] == start + 1:
            cycle = []
            first = event
            while True:
                cycle.append(parent[event])
                event = edges[parent[event]].before
                if event == first:
                    return cycle[::-1]
    return []
