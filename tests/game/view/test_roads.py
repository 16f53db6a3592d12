"""Where wires run: on their tracks, from body to body, each word on a line of its own."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from engine.route import assign, tiles_of
from game.view.layout import DATA, PREDICATE, TOKEN, make_layout
from game.view.roads import Road, Way, Ways, offset, pitch, roads_of
from game.view.shapes import HALF
from levels import load_design, load_level
from tests.game.view.conftest import CAMPAIGN, load

DESIGNS = sorted(path for path in CAMPAIGN.rglob("*.best.yaml"))


def untrimmed(paths: list[tuple[list[tuple[int, int]], int]], tracks: int = 8) -> list[Road]:
    roads = roads_of([Way(*path) for path in paths], tracks, lambda tile, direction, beside: 0.0)
    assert all(road is not None for road in roads)
    return [road for road in roads if road is not None]


@pytest.mark.parametrize("tracks", [1, 2, 7, 8, 12, 32])
def test_every_track_has_its_place_in_the_tile(tracks: int) -> None:
    places = [offset(track, tracks) for track in range(tracks)]
    assert places[0] == 0
    assert max(map(abs, places)) <= 0.5
    assert min([b - a for a, b in pairwise(sorted(places))], default=1) == pytest.approx(pitch(tracks)) or tracks == 1


def test_lines_lie_on_the_tracks_that_the_router_assigns() -> None:
    paths = [([(0, 2), (6, 2)], 2), ([(0, 2), (6, 2)], 1), ([(3, 0), (3, 5)], 1)]
    laid = assign([(tiles_of(path), words) for path, words in paths])
    for road, chosen in zip(untrimmed(paths), laid, strict=True):
        across = 1 if road.start[0] else 0
        found = sorted(line[0][across] % 1 for line in road.lines)
        assert found == pytest.approx(sorted(0.5 + offset(track, 8) for track in chosen[0]))


def test_lines_of_a_wire_do_not_cross_each_other() -> None:
    (road,) = untrimmed([([(0, 0), (5, 0), (5, 4), (2, 4), (2, 7), (8, 7)], 4)])
    for a, b in combinations(road.lines, 2):
        assert len(a) == len(b) == 6
        for first in pairwise(a):
            for second in pairwise(b):
                assert not crossing(first, second)


def crossing(first: tuple[tuple[float, float], ...], second: tuple[tuple[float, float], ...]) -> bool:
    """Whether two axis-parallel segments cross or touch."""
    (ax, ay), (bx, by) = first
    (cx, cy), (dx, dy) = second
    x = min(ax, bx) <= max(cx, dx) and min(cx, dx) <= max(ax, bx)
    y = min(ay, by) <= max(cy, dy) and min(cy, dy) <= max(ay, by)
    return x and y


def test_what_is_no_path_has_no_road() -> None:
    assert roads_of([Way([(0, 0), (3, 2)], 1), Way([(1, 1), (1, 1)], 1)], 8, lambda *_: 0.0) == [None, None]


@pytest.mark.parametrize("path", DESIGNS, ids=lambda path: path.name)
def test_wires_of_the_campaign_run_from_body_to_body(path: object) -> None:
    level = load_level(str(path).replace(".best", ""))
    layout = make_layout(level, load_design(str(path)))
    for wire, road in zip(layout.design.wires, layout.roads, strict=True):
        assert road is not None
        for (core, _), (x, y) in ((wire.start[:2], road.centre[0]), (wire.ends[0], road.centre[-1])):
            column, row = layout.bodies[core].at
            away = max(abs(x - column - 0.5), abs(y - row - 0.5))
            assert HALF * 0.5 <= away <= 0.5
    for notch in layout.notches:
        column, row = layout.bodies[notch.element].at
        assert max(abs(notch.x - column - 0.5), abs(notch.y - row - 0.5)) <= 0.5


def test_positions_run_along_the_wire_at_an_even_pace() -> None:
    roads = untrimmed([([(0, 0), (4, 0), (4, 3)], 1), ([(9, 9), (9, 2)], 1)])
    ways = Ways(roads)
    for wire, length in enumerate((7, 7)):
        position = np.linspace(0, length, 71, dtype=np.float32)
        x, y, level = ways.locate(np.full(71, wire, np.int32), position)
        steps = np.hypot(np.diff(x), np.diff(y))
        assert (x[0], y[0]) == pytest.approx(roads[wire].centre[0])
        assert (x[-1], y[-1]) == pytest.approx(roads[wire].centre[-1])
        # Where a step goes round the corner it is shorter.
        assert np.sort(steps)[2:] == pytest.approx(0.1, rel=1e-3)
        assert set(level.tolist()) == ({True, False} if wire == 0 else {False})


def test_words_are_known_by_what_makes_them() -> None:
    level = load_level(CAMPAIGN / "1-gpu-puzzles/09b-pooling-over-blocks.yaml")
    layout = make_layout(level, load_design(CAMPAIGN / "1-gpu-puzzles/09b-pooling-over-blocks.best.yaml"))
    by_source = {wire.start[:2]: kind for wire, kind in zip(layout.design.wires, layout.kinds, strict=True)}
    assert by_source["threads", "token"] == TOKEN
    assert by_source["a", "value"] == DATA
    assert by_source["a", "at"] == TOKEN


def test_a_comparison_makes_predicates_through_relays_too() -> None:
    made = load("05-two-roads", "best")
    design = made.design.model_copy(deep=True)
    design.cores[0].core = "compare"
    design.cores[1].core = "relay"
    design.wires[1].to = ["less.in"]
    layout = make_layout(made.level, design)
    assert layout.kinds[1] == layout.kinds[2] == PREDICATE
    assert layout.kinds[0] == DATA
