"""The maximum cycle ratio against all cycles of a graph."""

from __future__ import annotations

import random
from fractions import Fraction

import networkx as nx

from engine.cycles import Edge, Graph, Label, critical_cycle


def _edge(before: int, after: int, delay: int | Fraction, tokens: int | Fraction) -> Edge:
    return Edge(before, after, delay, tokens, Label("carry"))


def _critical(events: int, edges: list[Edge], at_least: Fraction = Fraction(0)) -> tuple[Fraction | None, list[Edge]]:
    graph = Graph()
    for _ in range(events):
        graph.event()
    for edge in edges:
        graph.add(edge.before, edge.after, edge.delay, edge.tokens, edge.label)
    return critical_cycle(graph, at_least)


def _by_all_cycles(edges: list[Edge]) -> Fraction | None:
    """The greatest ratio, by looking at every simple cycle; None for one without tokens, 0 without cycles."""
    graph: nx.DiGraph[int] = nx.DiGraph((edge.before, edge.after) for edge in edges)
    of = {(edge.before, edge.after): edge for edge in edges}
    best = Fraction(0)
    for cycle in nx.simple_cycles(graph):
        around = [of[pair] for pair in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
        tokens = sum(edge.tokens for edge in around)
        if not tokens:
            return None
        best = max(best, sum((edge.delay for edge in around), Fraction(0)) / tokens)
    return best


def test_random_graphs_against_all_their_cycles() -> None:
    rng = random.Random(11)
    stuck = found = 0
    for _ in range(300):
        size = rng.randint(2, 7)
        pairs = rng.sample([(a, b) for a in range(size) for b in range(size)], rng.randint(2, min(size * size, 14)))
        edges = [
            _edge(
                a,
                b,
                rng.randint(1, 40) * rng.choice([1, Fraction(1, 2)]),
                Fraction(rng.randint(0, 4), rng.randint(1, 6)),
            )
            for a, b in pairs
        ]
        expected = _by_all_cycles(edges)
        ratio, cycle = _critical(size, edges)
        assert ratio == expected
        if ratio:
            assert sum(e.delay for e in cycle) == ratio * sum(e.tokens for e in cycle)
            assert all(a.after == b.before for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True))
            found += 1
        stuck += ratio is None
    assert found > 100
    assert stuck > 20


def test_without_cycles_nothing_bounds() -> None:
    assert _critical(3, [_edge(0, 1, 5, 0), _edge(1, 2, 5, 0)]) == (0, [])
    assert _critical(0, []) == (0, [])


def test_only_what_is_above_a_ratio_counts() -> None:
    ring = [_edge(0, 1, 5, 1), _edge(1, 0, 4, 2)]
    assert _critical(2, ring, Fraction(2)) == (3, [ring[1], ring[0]]) or _critical(2, ring, Fraction(2)) == (3, ring)
    assert _critical(2, ring, Fraction(3)) == (3, [])
    assert _critical(2, ring, Fraction(7, 2)) == (Fraction(7, 2), [])
