"""The moments of the first ten minutes, by posted events: what is shown and heard, and what reduced motion leaves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pygame
import pytest

from engine.truth import Workload
from game.pictures import house
from game.screens.moments import FIRST_S, FLASH_S, OPENING_S, way_of_result
from game.screens.shown import score
from game.sound import Sounds
from game.view.scene import Moment
from tests.game.player import FRAME, Player


class Heard:
    """A player with an ear: what was played, by name."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, **settings: object) -> None:
        self.names: list[str] = []
        self.hums: list[tuple[float, float]] = []
        monkeypatch.setattr(Sounds, "play", lambda _, name: self.names.append(name))
        monkeypatch.setattr(Sounds, "hum", lambda _, *levels: self.hums.append(levels))
        self.player = Player(folder, (1280, 720), settings)

    def take(self) -> list[str]:
        taken, self.names[:] = self.names[:], []
        return taken


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Heard]:
    found = Heard(tmp_path, monkeypatch)
    yield found
    found.player.close()


@pytest.fixture
def still(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Heard]:
    found = Heard(tmp_path, monkeypatch, reduced_motion=True)
    yield found
    found.player.close()


def moment(player: Player) -> Moment:
    return player.bench.moments.moment()


def laid(player: Player, speed: str = "") -> None:
    """The first level's wire from pad to pad."""
    player.drag(player.tile(0, 2), player.tile(5, 2), player.tile(11, 2))
    if speed:
        player.speed(0, speed)
        player.settle()


def until_a_result(player: Player, count: int = 1) -> None:
    playback = player.bench.session.playback
    for _ in range(2000):
        if len(playback.completions()) >= count:
            return
        player.frames()
    raise AssertionError("no result")


def test_the_board_draws_itself_and_a_pad_shows_its_first_word(heard: Heard) -> None:
    player = heard.player
    bench = player.open("first-light-01-ignition")
    assert 0 < moment(player).opened < 0.2
    opened = []
    while bench.clock < OPENING_S + 2 * FRAME:
        player.frames()
        opened.append(moment(player).opened)
    assert opened == sorted(opened) and opened[-1] == 1.0
    seen = []
    for _ in range(120):
        player.frames()
        seen.append(dict(moment(player).words))
    expected = {"a": str(int(Workload(bench.level, 0).inputs(0, 1)["a"].reshape(-1)[0]))}
    assert {} in seen and seen[-45:] == [expected] * 45  # it blinks for less than two seconds, and stays
    laid(player)
    assert moment(player).words == {}


def test_pads_and_tiles_tick_and_a_stopped_wire_is_laid_low(heard: Heard) -> None:
    player = heard.player
    player.open("first-light-01-ignition")
    heard.take()
    player.move(player.tile(0, 2))
    player.frames()
    assert heard.take() == ["tile"]
    player.frames(3)
    assert heard.take() == []
    player.post(pygame.MOUSEBUTTONDOWN, pos=player.tile(0, 2), button=1)
    for column in range(1, 6):
        player.move(player.tile(column, 2))
        player.frames()
    assert heard.take().count("tile") >= 5
    (ghost,) = player.bench.tools.ghost_wires()
    assert ghost.note == "5 tiles · 0.8 pJ per word at match"
    player.move(player.tile(11, 2))
    player.frames()
    (ghost,) = player.bench.tools.ghost_wires()
    assert ghost.note.startswith("11 tiles · 1.76 pJ per word at match · ") and ghost.note.endswith("out.value")
    assert player.bench.tools.fits()["out", "value"]
    player.post(pygame.MOUSEBUTTONUP, pos=player.tile(11, 2), button=1)
    player.frames(5)
    sounds = heard.take()
    assert "laid" in sounds and "stall" not in sounds


def test_the_machine_hums_by_its_power_and_only_while_it_plays(heard: Heard) -> None:
    player = heard.player
    player.open("first-light-01-ignition")
    laid(player, "20ns")
    player.frames(2)
    slow = heard.hums[-1]
    player.speed(0, "1ns")
    player.settle()
    player.frames(2)
    fast = heard.hums[-1]
    assert 0 < slow[0] < fast[0] <= 1
    player.key("space")
    player.frames(2)
    assert heard.hums[-1] == (0.0, 0.0)


def test_a_result_closes_the_ring_and_rings_a_bell(heard: Heard) -> None:
    player = heard.player
    player.open("first-light-01-ignition")
    laid(player, "4ns")
    heard.take()
    until_a_result(player)
    assert "arrive" in heard.take()
    now = moment(player)
    assert now.launches == 1 and now.since_s is not None and now.since_s < 2 * FRAME
    player.frames(6)
    later = moment(player)
    assert later.launches == 1 and later.since_s is not None and later.since_s > now.since_s


def test_the_first_result_of_a_design_is_celebrated_once(heard: Heard) -> None:
    player = heard.player
    bench = player.open("first-light-02-in-step")
    player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port("add1", "a"))
    player.wire(player.port("add1", "out"), player.tile(13, 2))
    player.settle()
    heard.take()
    until_a_result(player)
    assert "first-launch" in heard.take()
    assert moment(player).lit == (0, 1)
    shares, figures, flown = [], [], 0.0
    while bench.moments.first_s is not None:
        shares.append(moment(player).lit_share)
        figures.append(score(bench).value)
        flown = max([flown, *(share for _, share, _ in bench.rockets)])
        player.frames()
    assert shares == sorted(shares) and shares[-1] == 1.0
    assert len(set(figures)) == 1  # a known score does not start again
    assert len(shares) == pytest.approx(FIRST_S / FRAME, abs=3)
    assert flown > 0.9  # its own rocket is up when all is over
    player.key("home")
    player.key("space")
    until_a_result(player)
    assert bench.moments.first_s is None


def test_any_key_skips_the_celebration(heard: Heard) -> None:
    player = heard.player
    bench = player.open("first-light-01-ignition")
    laid(player, "4ns")
    until_a_result(player)
    assert bench.moments.first_s is not None
    player.key("f2")
    assert bench.moments.first_s is None and moment(player).lit == ()


def test_an_undo_flashes_what_it_changed(heard: Heard) -> None:
    player = heard.player
    bench = player.open("first-light-01-ignition")
    laid(player, "4ns")
    player.key("z", ctrl=True)
    assert "undo" in heard.take()
    flash = moment(player).flash
    assert flash is not None and set(flash.otherwise) == {0}
    player.frames(round(FLASH_S / FRAME) + 1)
    assert moment(player).flash is None
    player.key("z", ctrl=True)
    assert not bench.session.design.wires
    flash = moment(player).flash
    assert flash is not None and len(flash.wires) == 1
    player.key("y", ctrl=True)
    flash = moment(player).flash
    assert flash is not None and flash.only == {0}


def test_in_step_is_said_when_the_detent_is_met(heard: Heard) -> None:
    player = heard.player
    bench = player.open("first-light-01-ignition")
    laid(player, "4.1ns")
    heard.take()
    for _ in range(40):
        player.wheel(1, player.tile(5, 2))
        player.frames(14)
        if bench.session.design.wires[0].every_ticks == 400:
            break
    assert "detent" in heard.take()
    assert bench.toast is not None and bench.toast[0].text == "In step"


def test_a_line_of_the_sky_rings_when_it_is_won(heard: Heard) -> None:
    player = heard.player
    bench = player.open("first-light-01-ignition")
    laid(player)
    seen = []
    for speed in ("20ns", "4ns"):
        player.speed(0, speed)
        for _ in range(3000):
            player.frames()
            if bench.session.report is not None:
                break
        for _ in range(60):
            seen.append(bench.moments.ring())
            player.frames()
    assert "medal-gold" in heard.take()
    rings = [ring for ring in seen if ring is not None]
    assert seen[:60] == [None] * 60
    assert rings and {line for line, _ in rings} == {3} and seen[-1] is None
    assert [share for _, share in rings] == sorted(share for _, share in rings)


def test_a_new_idea_slides_in_once_and_a_launch_keeps_it(heard: Heard) -> None:
    player = heard.player
    bench = player.open("first-light-01-ignition")
    laid(player)
    player.speed(0, "4ns")
    said = []
    for _ in range(3000):
        player.frames()
        if bench.toast is not None and bench.toast[0].text not in said:
            said.append(bench.toast[0].text)
        if any(text.startswith("Rate matching") for text in said):
            break
    assert any(text.startswith("Rate matching") for text in said)
    assert "card" in heard.take()
    assert bench.context.progress.discoveries() == []  # only a launch counts
    for speed in ("5ns", "4ns"):
        player.speed(0, speed)
        player.frames(200)
        assert bench.ideas.wait(60)
        player.frames(200)
    assert "card" not in heard.take()


def test_too_slow_a_wire_is_told_in_amber(heard: Heard) -> None:
    player = heard.player
    player.open("first-light-01-ignition")
    laid(player, "8ns")
    player.frames(300)
    written = player.bench.toast_card.written
    assert "a waits: the wire takes a word every 8" in " ".join(w.words for w in written)


def test_a_jam_offers_a_key_at_its_head_and_the_key_answers(heard: Heard) -> None:
    player = heard.player
    bench = player.open("first-light-06-the-jam")
    bench.session.new_tab(house("first-light-06-the-jam", "naive")[1], "naive")
    player.move(player.tile(3, 0))
    player.settle()
    assert moment(player).ask is None
    player.frames(150)
    asked = moment(player).ask
    report = bench.session.report
    assert asked is not None and report is not None
    waits = [e.blocked_ns for e in report.elements if e.kind == "wire"]
    assert waits[asked] == max(waits)
    bench.tools.selection = set()
    player.key("y")
    assert bench.why is not None and moment(player).ask is None


def test_reduced_motion_leaves_what_informs(still: Heard) -> None:
    player = still.player
    player.open("first-light-01-ignition")
    assert moment(player).opened == 1.0
    assert [bool(moment(player).words) for _ in range(30) if player.frames() is None] == [True] * 30
    laid(player, "4ns")
    until_a_result(player)
    now = moment(player)
    assert now.lit == (0,) and now.lit_share == 1.0
    assert now.launches == 1
    player.key("z", ctrl=True)
    assert moment(player).flash is None


def test_the_way_of_a_result_leads_from_a_source_to_a_sink(heard: Heard) -> None:
    player = heard.player
    bench = player.open("first-light-05-two-roads")
    bench.session.new_tab(house("first-light-05-two-roads", "best")[1], "best")
    player.settle()
    until_a_result(player, 3)
    way = way_of_result(bench.session.playback)
    wires = bench.session.design.wires
    assert wires[way[0]].start[0] == "a" and wires[way[-1]].ends[0][0] == "out"
    assert all(wires[v].ends[0][0] == wires[w].start[0] for v, w in pairwise(way))
