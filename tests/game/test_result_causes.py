"""What the result screen tells of standstills and of lost time, and where its buttons lead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import simulate
from engine.builder import Builder
from engine.model import Design, Level
from game.pictures import house
from game.screens.result import Result
from game.screens.workbench import Workbench
from game.shell.launching import Launch
from levels import load_level
from tests.game.test_shell import Guest, launch_of, overlapping

JAM = "first-light-06-the-jam"


def short_road(level: Level) -> Design:
    """All four words are wanted beside their sum, and the short road holds two of them: it comes to a standstill."""
    b = Builder(level)
    for core, at, n in (("add", (1, 2), {}), ("accumulate", (5, 1), {"n": 4}), ("hold", (5, 3), {"n": 4})):
        b.place(core, at, **n)
    for start, end in (
        ("a.value", "add1.a"),
        ("a.value", "accumulate1.in"),
        ("accumulate1.out", "hold1.in"),
        ("hold1.out", "add1.b"),
        ("add1.out", "out.value"),
    ):
        b.wire(start, end, speed=1)
    return b.design()


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    made = Guest(tmp_path, (1280, 2000))
    yield made
    made.app.close()


def test_a_ring_of_waits_is_told_with_the_buffer_that_breaks_it(guest: Guest) -> None:
    guest.show("title")
    level = load_level("first-light-02-in-step").model_copy(update={"parts": None})
    design = short_road(level)
    page = guest.show("result", Launch(level, design, simulate(level, design)))
    assert isinstance(page, Result)
    assert page.wait(60)
    guest.frame()
    words = " ".join(w.words for w in page.written)
    assert "A buffer of 1 on a.value → add1.a would break it, and then comes a fault: wrong-value." in words
    assert "The short road is full" in words
    guest.click("step 3")
    assert guest.app.context.look_at == "a"
    page = guest.show("result", Launch(level, design, simulate(level, design)))
    assert isinstance(page, Result)
    assert page.wait(60)
    guest.frame()
    guest.click("cure 0")
    assert guest.app.context.look_at == 0


def test_lost_time_is_told_in_order_with_its_place(guest: Guest) -> None:
    guest.app.show("workbench", JAM, house(JAM, "naive")[1])
    page = launch_of(guest, JAM, "naive")
    words = " ".join(w.words for w in page.written)
    assert "96.0 ns per launch, a allows 8.00" in words
    assert "eighth works once per 12.00 ns" in words
    guest.click("show Lost time 0")
    assert isinstance(guest.app.screen, Workbench)
    assert guest.app.screen.tools.selection == {"eighth"}


@pytest.mark.parametrize("name", ["standstill", "jam"])
@pytest.mark.parametrize("scale", [100, 200])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_losses_and_cures_fit(tmp_path: Path, size: tuple[int, int], scale: int, name: str) -> None:
    guest = Guest(tmp_path, size, ui_scale=scale)
    guest.show("title")
    if name == "jam":
        page = launch_of(guest, JAM, "naive")
    else:
        level = load_level("first-light-02-in-step").model_copy(update={"parts": None})
        design = short_road(level)
        shown = guest.show("result", Launch(level, design, simulate(level, design)))
        assert isinstance(shown, Result)
        page = shown
        assert page.wait(60)
    while True:
        guest.frame(2)
        for written in page.written:
            assert "…" not in written.words, written
            assert written.bounds.contains(written.rect), written
        assert overlapping(page) == []
        before = page.offset
        page.scroll(page._scrolled.height // 2)
        guest.frame()
        if page.offset == before:
            break
    guest.app.close()
