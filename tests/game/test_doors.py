"""Which levels are open, charts' arithmetic, and the launch's flight."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pygame
import pytest

from engine.model import MedalSpec
from game.panels.charts import Histogram, Scale, draw_histogram, written
from game.panels.sheet import Sheet
from game.screens.flight import FIRST_S, Flight
from game.shell.doors import after, chapters, open_levels, to_continue, what_opens
from game.theme import Theme
from levels.lookup import Entry, campaign

pygame.font.init()
LEVELS = campaign()
FIRST = [e.id for e in LEVELS if e.chapter_slug == "first-light"]
PUZZLES = {e.number.lstrip("0"): e.id for e in LEVELS if e.chapter_slug == "gpu-puzzles"}


def test_at_first_two_levels_are_open() -> None:
    assert open_levels(LEVELS, ()) == set(FIRST[:2])


@pytest.mark.parametrize("chapter", ["wide-roads", "physics"])
def test_wide_roads_and_thin_ice_open_with_the_second_chapter(chapter: str) -> None:
    road = [e.id for e in LEVELS if e.chapter_slug == chapter]
    assert not set(road) & open_levels(LEVELS, FIRST[:1])
    assert set(road) & open_levels(LEVELS, FIRST[:2]) == set(road[:2])
    assert what_opens(LEVELS, road[0], FIRST[:1]).startswith("It opens when you have solved")


def test_whoever_is_stuck_can_go_round() -> None:
    assert FIRST[2] in open_levels(LEVELS, FIRST[:1])
    assert set(FIRST[1:4]) & open_levels(LEVELS, [FIRST[0], FIRST[2]]) == set(FIRST[1:4])


def test_all_levels_can_be_reached_whatever_is_solved_first() -> None:
    for pick in (0, -1):
        solved: list[str] = []
        while len(solved) < len(LEVELS):
            ahead = [e.id for e in LEVELS if e.id in open_levels(LEVELS, solved) and e.id not in solved]
            assert ahead, f"nothing is open after {solved}"
            solved.append(ahead[pick])


def test_a_closed_level_says_how_many_others_open_it_and_which() -> None:
    """Whoever does what is said, and no less, finds it open."""
    numbers = {f"{e.number.lstrip('0')} {e.title}": e.id for e in LEVELS}
    for solved in ([], FIRST[:1], FIRST[:3], [*FIRST[:3], PUZZLES["1"]], [*FIRST, *(PUZZLES[n] for n in "1234")]):
        for entry in LEVELS:
            words = what_opens(LEVELS, entry.id, solved)
            if entry.id in open_levels(LEVELS, solved):
                assert words == ""
                continue
            named = [numbers[name] for name in numbers if name in words]
            assert named and set(named) <= open_levels(LEVELS, solved) - set(solved), words
            if "more levels" not in words:
                assert any(entry.id in open_levels(LEVELS, [*solved, name]) for name in named)
            else:
                count = int(words.split(" more levels")[0].rpartition(" ")[2])
                assert count >= 2
                done = set(solved)
                for _ in range(count):
                    assert entry.id not in open_levels(LEVELS, done)
                    doors = [e for e in LEVELS if e.id in open_levels(LEVELS, done) and e.id not in done]
                    done.add(
                        next((e.id for e in reversed(doors) if e.chapter_slug == entry.chapter_slug), doors[-1].id)
                    )
                assert entry.id in open_levels(LEVELS, done)
    assert what_opens(LEVELS, "no-such-level", []) == ""


def test_puzzles_open_by_two_and_three() -> None:
    basis = FIRST[:2]
    assert PUZZLES["1"] not in open_levels(LEVELS, FIRST[:1])
    now = open_levels(LEVELS, basis)
    assert {PUZZLES["1"], PUZZLES["2"], PUZZLES["3"]} <= now and PUZZLES["4"] not in now
    now = open_levels(LEVELS, [*basis, PUZZLES["1"], PUZZLES["3"]])
    assert {PUZZLES[n] for n in "4567"} <= now and PUZZLES["8"] not in now
    now = open_levels(LEVELS, [*basis, PUZZLES["1"], PUZZLES["3"], PUZZLES["4"], PUZZLES["5"], PUZZLES["7"]])
    assert PUZZLES["8"] in now and PUZZLES["9"] not in now


def test_nothing_that_is_open_ever_closes() -> None:
    solved: list[str] = []
    before: set[str] = set()
    for entry in LEVELS:
        now = open_levels(LEVELS, solved)
        assert before <= now
        before = now
        solved.append(entry.id)
    assert open_levels(LEVELS, (), all_open=True) == {entry.id for entry in LEVELS}


def test_a_pack_of_its_own_is_a_road() -> None:
    pack = [Entry(f"mine-0{n}-x", 7, "mine", f"0{n}", "x", f"7-mine/0{n}-x.yaml", Path()) for n in (1, 2, 3)]
    assert {"mine-01-x", "mine-02-x"} <= open_levels([*LEVELS, *pack], ())
    assert [slug for slug, _ in chapters([*LEVELS, *pack])][-1] == "mine"
    assert open_levels([], ()) == set()


def test_where_to_go_on() -> None:
    def name(entry: Entry | None) -> str | None:
        return entry and entry.id

    assert name(to_continue(LEVELS, ())) == FIRST[0]
    assert name(to_continue(LEVELS, FIRST[:1])) == FIRST[1]
    assert name(to_continue(LEVELS, FIRST[:1], last=FIRST[0])) == FIRST[0]
    assert name(to_continue(LEVELS, FIRST[:1], last="a level that is gone")) == FIRST[1]
    assert name(to_continue(LEVELS, FIRST[:1], last=FIRST[2])) == FIRST[2]
    assert name(after(LEVELS, FIRST[0], FIRST[:1])) == FIRST[1]
    assert name(after(LEVELS, FIRST[1], FIRST[1:2])) == FIRST[2]
    assert after(LEVELS, FIRST[0], [e.id for e in LEVELS]) is None
    assert to_continue([], ()) is None


def test_the_share_of_the_house_that_is_beaten() -> None:
    def share(now: float, lower: bool = False) -> float:
        return Histogram("", "", [1, 2, 3, 4], [], now, lower).share_beaten

    assert share(5) == 1 and share(0.5) == 0 and share(2) == 0.375
    assert share(0.5, True) == 1 and share(3, True) == 0.375
    assert Histogram("", "", [5.033], [], 5.03312).share_beaten == 0.5  # kept with four digits


@pytest.mark.parametrize("values", [[5.0], [1, 2], [0.003, 900], [125.0, 125.0], [1e-6, 1e6]])
def test_an_axis_holds_its_values_and_has_ticks(values: list[float]) -> None:
    axis = Scale.over(values, 100, 500)
    places = [axis.at(v) for v in sorted(values)]
    assert all(100 < p < 500 for p in places) and places == sorted(places)
    ticks = axis.ticks(5)
    assert 2 <= len(ticks) <= 5
    assert all(a < b for a, b in pairwise(ticks)) and all(axis.low <= t <= axis.high for t in ticks)


def test_whole_numbers_are_written_whole() -> None:
    assert (written(31), written(31.0), written(4.5)) == ("31", "31", "4.50")


def test_the_long_rocket_passes_the_lines_one_by_one() -> None:
    flight = Flight(MedalSpec(bronze=100, silver=150, gold=200), 170, 0)
    counts = [flight.crossed(FIRST_S * k / 200) for k in range(300)]
    assert counts[0] == 0 and counts[-1] == 2
    assert all(b - a in (0, 1) for a, b in pairwise(counts))
    assert Flight(None, 5, 0).crossed(9) == 0
    failed = Flight(MedalSpec(bronze=1, silver=2, gold=3), 0, 2, failed=True)
    assert failed.crossed(9) == 0 and failed.model(0).tipped


def test_waste_is_told_by_the_best_that_is_known() -> None:
    flight = Flight(MedalSpec(bronze=100, silver=150, gold=200), 50, 0, beyond=210)
    assert flight.waste(210) == 0
    assert 0 < flight.waste(200) < flight.waste(50) < 1
    proved = Flight(MedalSpec(bronze=100, silver=150, gold=200), 50, 0, beyond=210, limit=300)
    assert proved.waste(300) == 0
    assert flight.waste(200) < proved.waste(200)
    assert proved.waste(30) == proved.waste(3) == 1


def test_nobody_is_better_than_those_who_are_all_alike() -> None:
    surface = pygame.Surface((400, 240))
    sheet = Sheet(surface, Theme(), None)
    draw_histogram(sheet, pygame.Rect(0, 0, 400, 240), Histogram("Footprint", "tiles", [31.0] * 5, [], 31.0))
    words = {written.words for written in sheet.written}
    assert "like all 5 machines made by the computer" in words
    draw_histogram(sheet, pygame.Rect(0, 0, 400, 240), Histogram("Footprint", "tiles", [31.0, 40.0], [], 31.0))
    assert "better than 25 % of 2 machines made by the computer" in {written.words for written in sheet.written}
