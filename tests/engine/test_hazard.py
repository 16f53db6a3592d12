"""Machines that work by luck, and where the luck is."""

from __future__ import annotations

import random

import pytest

from engine import simulate
from engine.builder import Builder
from engine.hazard import find_hazard
from engine.model import Design, Hazard, Level
from levels import load_design, load_level
from levels.lookup import find_level
from tests.draft import scramble
from tests.graphs import graph

ENGINES = ("plain", "compiled")


def lanes(merge: str) -> tuple[Level, Design]:
    """Two multipliers take turns and meet at ``merge``: in order as long as both take the same time."""
    level = load_level("first-light-02-in-step")
    quick = [pad.model_copy(update={"every_ns": 1.0}) for pad in level.pads]
    level = level.model_copy(update={"parts": None, "pads": quick})
    b = Builder(level)
    b.place("deal", (4, 2), n=2)
    b.place("mul", (6, 0), b=1)
    b.place("mul", (6, 4), b=1)
    if merge == "add1.a":
        b.place("add", (9, 2), b=10)
        b.wire("a.value", "deal1.in", speed=1)
        b.wire("add1.out", "out.value", speed=1)
    else:
        b.place("add", (2, 2), b=10)
        b.wire("a.value", "add1.a", speed=1)
        b.wire("add1.out", "deal1.in", speed=1)
    b.wire("deal1.o0", "mul1.a", speed=1)
    b.wire("deal1.o1", "mul2.a", speed=1)
    b.wire("mul1.out", merge, speed=1)
    b.wire("mul2.out", merge, speed=1)
    return level, b.design()


def page(every_ns: float) -> tuple[Level, Design]:
    """A cell is written by way of two relays and read over a slow wire, which does not wait for the writing."""
    level = load_level("gpu-puzzles-08-shared")
    b = Builder(level)
    b.place("shared", (4, 5), "page", words=4, pages=3)
    b.place("add", (7, 5), "ten", b=10)
    b.place("relay", (2, 6), "one")
    b.place("relay", (3, 7), "two")
    b.wire("threads.token", "a.at")
    b.words("a.at", 0)
    b.wire("a.value", "one.in")
    b.wire("one.out", "two.in")
    b.wire("two.out", "page.write.value")
    b.wire("a.at", "page.write.at")
    b.words("page.write.at", 1)
    b.wire("a.at", "page.read.at")
    b.words("page.read.at", 1)
    b.wire("page.read.value", "ten.a")
    b.wire("page.read.at[0]", "out.at")
    b.wire("ten.out", "out.value")
    b.speed_all(every_ns=2)
    b.speed(b.find("a.at", "page.read.at")[0], every_ns=every_ns)
    return level, b.design()


def hazard_of(level: Level, design: Design, engine: str = "auto") -> Hazard | None:
    report = simulate(level, design, jitter=4, engine=engine)  # type: ignore[arg-type]
    assert report.verdict == "pass"
    return report.hazard


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("merge", "place"), [("add1.a", "add1"), ("out.value", "out")])
def test_wires_that_meet_are_found_from_the_wrong_word_back(merge: str, place: str, engine: str) -> None:
    """The wrong word is seen at the sink, in one machine two cores after the port that lets it happen."""
    found = hazard_of(*lanes(merge), engine)
    assert found
    assert (found.kind, found.place, found.port) == ("fan-in", place, merge.partition(".")[2])
    assert {wire.partition(" ")[0] for wire in found.wires} == {"mul1.out", "mul2.out"}
    assert found.word
    late, early = found.wires
    assert (
        f"At {merge} wires meet, and words are taken as they come: word {found.word} comes over {late}" in found.message
    )
    assert f"over {early} where delays do not vary." in found.message
    assert found.message.startswith(f"with delays varied (seed {found.seed}): {found.reason}")
    assert found.reason.startswith("out[")


def test_the_first_packet_that_is_another_is_the_first() -> None:
    """Words are dealt in turn, so the first that is out of turn tells which one was overtaken."""
    found = hazard_of(*lanes("add1.a"))
    assert found
    assert found.word
    in_turn = "mul1.out → add1.a" if found.word % 2 else "mul2.out → add1.a"
    assert found.wires[1] == in_turn
    assert found.wires[0] != in_turn


@pytest.mark.parametrize("engine", ENGINES)
def test_a_memory_that_is_read_by_luck_is_found(engine: str) -> None:
    found = hazard_of(*page(4.5), engine)
    assert found
    assert (found.kind, found.place, found.port) == ("memory", "page", None)
    assert "read word 0 of block 0 before anything was written there: is a barrier missing? page is" in found.message


def test_a_long_run_does_not_make_the_varied_ones_long() -> None:
    """These have no period, so none of their launches could be left out."""
    level, design = page(4.5)
    short, long = (simulate(level, design, jitter=1, launches=n) for n in (None, 1_000_000))
    assert short.hazard
    assert short.hazard == long.hazard


def test_enough_time_is_no_luck() -> None:
    assert hazard_of(*page(8)) is None


@pytest.mark.parametrize(
    ("level_id", "role"),
    [
        ("first-light-06-the-jam", "best"),
        ("gpu-puzzles-08-shared", "naive"),
        ("gpu-puzzles-10-dot", "best"),
        ("gpu-puzzles-13-axis-sum", "best"),
    ],
)
def test_sound_machines_have_none(level_id: str, role: str) -> None:
    level = load_level(level_id)
    assert level.reference
    design = load_design(find_level(level_id).parent / getattr(level.reference, role))
    assert hazard_of(level, design) is None


def test_what_comes_later_without_varied_delays_as_well_is_no_luck() -> None:
    """Varied runs have no period and so measure other launches; here the truth of later ones is not known."""
    case = graph(random.Random(scramble(7, 144)))
    found = find_hazard(case.net, case.truth, "compiled", 1)  # type: ignore[arg-type]
    assert found
    assert found.kind == "later"
    assert found.message.endswith("bring it as well, after the launches that were measured.")
