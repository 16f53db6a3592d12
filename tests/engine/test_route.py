"""Routes against an independent search on a networkx graph, detours, tracks."""

from __future__ import annotations

import random
from itertools import pairwise

import networkx as nx
import pytest

from engine.errors import UsageError
from engine.route import NoRoute, Tracks, assign, corners, route, tiles_of

Tile = tuple[int, int]


def _graph(columns: int, rows: int, taken: set[Tile], ends: set[Tile]) -> nx.Graph:
    graph = nx.grid_2d_graph(columns, rows)
    graph.remove_nodes_from(taken - ends)
    return graph


def test_random_boards_against_shortest_paths_of_networkx() -> None:
    rng = random.Random(7)
    found = refused = 0
    for _ in range(200):
        columns, rows = rng.randint(2, 14), rng.randint(2, 9)
        tiles = [(x, y) for x in range(columns) for y in range(rows)]
        taken = set(rng.sample(tiles, rng.randint(2, len(tiles) // 2 + 1)))
        start, end = rng.sample(sorted(taken), 2)
        tracks = Tracks((columns, rows), 8)
        graph = _graph(columns, rows, taken, {start, end})
        for here, there in list(graph.edges):
            if rng.random() < 0.1:
                tracks.add([here, there], 7)
                graph.remove_edge(here, there)
        try:
            path = route(tracks, taken, start, end, words=2)
        except NoRoute:
            assert not nx.has_path(graph, start, end)
            refused += 1
            continue
        steps = tiles_of(path)
        assert len(steps) - 1 == nx.shortest_path_length(graph, start, end)
        assert all(graph.has_edge(*step) for step in pairwise(steps))
        best = min(len(corners(p)) for p in _some(nx.all_shortest_paths(graph, start, end)))
        assert len(path) <= best
        assert path == route(tracks, taken, start, end, words=2)
        found += 1
    assert found > 100
    assert refused > 5


def _some(paths):  # type: ignore[no-untyped-def]
    for _, path in zip(range(500), paths, strict=False):
        yield path


def test_of_equal_routes_the_first_steps_go_east_then_south() -> None:
    tracks = Tracks((9, 9), 8)
    assert route(tracks, set(), (1, 1), (4, 5)) == [(1, 1), (4, 1), (4, 5)]
    assert route(tracks, set(), (4, 5), (1, 1)) == [(4, 5), (1, 5), (1, 1)]
    # Round an obstacle in the way, both sides are alike: south comes before north.
    assert route(tracks, {(3, 4)}, (1, 4), (5, 4)) == [(1, 4), (1, 5), (5, 5), (5, 4)]


def test_waypoints_are_passed_in_order_without_crossing() -> None:
    path = route(Tracks((9, 9), 8), {(0, 4), (8, 4)}, (0, 4), (8, 4), via=[(6, 1), (2, 7)])
    tiles = tiles_of(path)
    assert tiles.index((6, 1)) < tiles.index((2, 7))
    assert len(set(tiles)) == len(tiles)


def test_a_waypoint_on_a_core_is_refused() -> None:
    with pytest.raises(NoRoute, match=r"\[3, 3\] cannot be passed"):
        route(Tracks((9, 9), 8), {(3, 3)}, (0, 4), (8, 4), via=[(3, 3)])


@pytest.mark.parametrize("length", [7, 9, 11, 13, 15, 17, 31, 61, 99])
def test_detours_have_exactly_the_length(length: int) -> None:
    taken = {(0, 4), (3, 4), (4, 4), (5, 4)}
    path = route(Tracks((16, 9), 8), taken, (0, 4), (5, 4), length=length)
    tiles = tiles_of(path)
    assert len(tiles) - 1 == length
    assert len(set(tiles)) == len(tiles)
    assert not taken & set(tiles[1:-1])
    if length <= 13:
        assert len(path) == 4


def test_a_length_of_the_wrong_parity_names_the_next_one() -> None:
    with pytest.raises(NoRoute, match="it is 13 or 15") as caught:
        route(Tracks((16, 9), 8), set(), (0, 4), (5, 4), length=14)
    assert caught.value.next_length == 15
    with pytest.raises(NoRoute, match="the shortest way is 5") as caught:
        route(Tracks((16, 9), 8), set(), (0, 4), (5, 4), length=3)
    assert caught.value.next_length == 5


def test_there_is_an_end_to_detours() -> None:
    with pytest.raises(NoRoute, match="no room"):
        route(Tracks((4, 3), 8), set(), (0, 0), (3, 0), length=21)


def test_a_ring_leads_back_to_its_core() -> None:
    ring = route(Tracks((6, 6), 8), {(3, 3)}, (3, 3), (3, 3))
    assert ring == [(3, 3), (4, 3), (4, 4), (3, 4), (3, 3)]
    assert len(tiles_of(route(Tracks((6, 6), 8), {(3, 3)}, (3, 3), (3, 3), length=10))) == 11


def test_routes_keep_to_free_tracks() -> None:
    tracks = Tracks((6, 3), 2)
    straight = route(tracks, set(), (0, 1), (5, 1))
    assert straight == [(0, 1), (5, 1)]
    tracks.add(tiles_of(straight), 1)
    assert route(tracks, set(), (0, 1), (5, 1), words=2) != straight
    assert route(tracks, set(), (0, 1), (5, 1), words=1) == straight
    tracks.remove(tiles_of(straight), 1)
    assert route(tracks, set(), (0, 1), (5, 1), words=2) == straight
    with pytest.raises(NoRoute, match="3 free tracks"):
        route(tracks, set(), (0, 1), (5, 1), words=3)


def test_overfull_edges_are_told() -> None:
    tracks = Tracks((6, 3), 2)
    tracks.add([(1, 1), (1, 2)], 2)
    assert tracks.over() == []
    tracks.add([(1, 2), (1, 1), (2, 1)], 1)
    assert tracks.over() == [((1, 1), (1, 2), 3)]


def test_tracks_are_the_lowest_free_ones_and_straight() -> None:
    wires = [
        (tiles_of([(0, 0), (2, 0)]), 1),
        (tiles_of([(1, 0), (4, 0)]), 2),
        (tiles_of([(0, 0), (4, 0), (4, 2)]), 1),
    ]
    first, second, third = assign(wires)
    assert first == [(0,), (0,)]
    assert second == [(1, 2)] * 3
    assert third == [(3,), (3,), (3,), (3,), (0,), (0,)]
    for wire, tracks in zip(wires, (first, second, third), strict=True):
        assert len(tracks) == len(wire[0]) - 1


def test_no_two_wires_share_a_track_and_none_exceeds_the_load() -> None:
    rng = random.Random(3)
    tracks = Tracks((8, 8), 100)
    wires = []
    for _ in range(60):
        start, end = rng.sample([(x, y) for x in range(8) for y in range(8)], 2)
        words = rng.randint(1, 4)
        tiles = tiles_of(route(tracks, set(), start, end, words=words))
        tracks.add(tiles, words)
        wires.append((tiles, words))
    seen: dict[tuple[Tile, Tile], set[int]] = {}
    for (tiles, words), chosen in zip(wires, assign(wires), strict=True):
        for (here, there), numbers in zip(pairwise(tiles), chosen, strict=True):
            edge = seen.setdefault((min(here, there), max(here, there)), set())
            assert len(set(numbers)) == words
            assert not edge & set(numbers)
            edge.update(numbers)
    assert max(max(numbers) for numbers in seen.values()) < max(tracks.used)


def test_corners_and_tiles_are_inverse() -> None:
    path = [(0, 0), (4, 0), (4, 3), (1, 3)]
    assert corners(tiles_of(path)) == path


@pytest.mark.parametrize("path", [[(0, 0), (1, 1)], [(0, 0), (0, 0)], [(0, 0), (2, 0), (2, 0), (2, 1)]])
def test_what_is_no_path(path: list[Tile]) -> None:
    with pytest.raises(UsageError, match="each leg runs along one column or one row"):
        tiles_of(path)
