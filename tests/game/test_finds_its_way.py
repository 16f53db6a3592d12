"""What somebody who has never played looks for, misses or loses, and where the screen now helps."""

from __future__ import annotations

import re

import pygame
import pytest

from game.pictures import house
from game.screens import shown
from game.screens.result import Result
from game.screens.stage import scene
from game.screens.workbench import Workbench
from game.theme import SKY
from game.view.marks import middle_of
from tests.game.player import Player

IN_STEP = "first-light-02-in-step"
JAM = "first-light-06-the-jam"


def said(player: Player) -> str:
    """The line at the bottom of the board."""
    player.frames()
    return " ".join(written.words for written in player.bench.toast_card.written)


# --- ports -----------------------------------------------------------------------------------------------------


def test_free_ports_of_the_part_under_the_mouse_are_bright(player: Player) -> None:
    bench = player.open(IN_STEP)
    name = player.place("add", (7, 2))
    player.frames(40)  # the board has opened
    player.move(player.tile(7, 0))
    player.frames(2)
    out = player.port(name, "out")
    assert player.surface.get_at(out)[:3] != SKY
    player.move(player.tile(7, 2))
    player.frames(2)
    assert scene(bench).offers == name
    assert player.surface.get_at(out)[:3] == SKY
    for port in ("a", "b"):  # rings: an input is empty
        assert player.surface.get_at(player.port(name, port))[:3] != SKY


@pytest.mark.parametrize("away", [(13, 0), (-8, 6), (8, -10)])
def test_a_press_within_the_circle_of_a_port_draws_a_wire(player: Player, away: tuple[int, int]) -> None:
    bench = player.open(IN_STEP)
    name = player.place("add", (7, 2))
    x, y = player.port(name, "out")
    player.drag((x + away[0], y + away[1]), player.tile(13, 2))
    assert [(w.source, w.to) for w in bench.session.design.wires] == [(f"{name}.out", ["out.value"])]
    assert tuple(bench.session.design.cores[0].at) == (7, 2)


def test_the_coach_leads_from_the_output_of_the_adder(player: Player) -> None:
    bench = player.open(IN_STEP)
    name = player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port(name, "a"))
    player.move((5, 5))  # away from the board
    player.frames(40)
    player.frames(2)
    assert "the adder's output" in said(player)
    assert scene(bench).offers == name
    assert player.surface.get_at(player.port(name, "out"))[:3] == SKY


def test_a_part_that_is_dragged_onto_another_one_says_how_a_wire_begins(player: Player) -> None:
    bench = player.open(IN_STEP)
    name = player.place("add", (7, 2), b=10)
    player.drag(player.tile(7, 2), player.tile(10, 2), player.tile(13, 2))
    assert not bench.session.design.wires
    assert f"This moves {name}" in said(player) and "A wire begins at a port" in said(player)


# --- the board keeps its place ---------------------------------------------------------------------------------

LEVELS = ("01-ignition", "02-in-step", "03-side-by-side", "04-three-inside", "05-two-roads")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("how", ["edit", "click", "key"])
def test_only_who_shuts_the_brief_moves_the_board(player: Player, level: str, how: str) -> None:
    bench = player.open(f"first-light-{level}")
    assert bench.briefing.open
    view = bench.camera.x, bench.camera.y, bench.camera.step
    if how == "edit":
        a, out = bench.level.pads[0], next(pad for pad in bench.level.pads if pad.core == "sink")
        player.drag(player.tile(*a.at), player.tile(*out.at))
        assert bench.session.design.wires
    elif how == "click":
        player.click(player.zone("brief.close"))
    else:
        player.key("escape")
    player.frames(3)
    assert not bench.briefing.open
    left = bench.camera.x, bench.camera.y, bench.camera.step
    player.key("f")
    fitted = bench.camera.x, bench.camera.y, bench.camera.step
    assert left == (view if how == "edit" else fitted)
    bench.camera.fit()
    assert bench.camera.step == fitted[2] >= view[2]


# --- Enter, and the score --------------------------------------------------------------------------------------


def solve(player: Player) -> Workbench:
    """The second level in step, scored."""
    player.app.show("campaign")
    bench = player.open(IN_STEP)
    name = player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port(name, "a"))
    player.wire(player.port(name, "out"), player.tile(13, 2))
    for wire in (0, 1):
        player.speed(wire, "5ns")
    player.settle()
    assert bench.session.report is not None and bench.session.report.medal == "gold"
    return bench


def enter(player: Player) -> None:
    player.key("return", unicode="\r")


def test_every_enter_does_something(player: Player) -> None:
    bench = solve(player)
    enter(player)
    result = player.app.screen
    assert isinstance(result, Result) and result._now < result.flight.seconds
    player.click((640, 700))
    enter(player)  # at rest now: the next level
    assert player.app.screen is not result
    player.app.show("result", result.launch)
    flying = player.app.screen
    assert isinstance(flying, Result)
    enter(player)  # the first one shows the end of the launch
    assert player.app.screen is flying and flying._now >= flying.flight.seconds
    enter(player)  # and the next one goes on, however soon
    assert player.app.screen is not flying
    assert bench is not player.app.screen


def test_the_first_enter_after_improve_launches(player: Player) -> None:
    bench = solve(player)
    for _ in range(2):
        enter(player)
        result = player.app.screen
        assert isinstance(result, Result)
        player.frames(2)
        zone = result.zone("improve")
        assert zone is not None
        player.click(zone.rect.center)
        player.frames()
        assert player.app.screen is bench
    enter(player)
    assert isinstance(player.app.screen, Result)


def test_an_enter_that_is_held_launches_once_and_leaves_nothing(player: Player) -> None:
    solve(player)
    for _ in range(20):
        player.post(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="\r", scancode=0)
        player.frames(2)
    result = player.app.screen
    assert isinstance(result, Result) and result._now < result.flight.seconds
    player.post(pygame.KEYUP, key=pygame.K_RETURN, mod=0, scancode=0)
    enter(player)
    assert player.app.screen is result and result._now >= result.flight.seconds


def test_a_known_score_never_starts_again(player: Player) -> None:
    bench = solve(player)
    known = shown.score(bench).value
    bench.session.playback.pace = 100
    bench.moments._celebrated.clear()  # as if it were the first result of the design
    bench.session.playback.seek(0)
    bench.session.playback.playing = False
    player.frames()
    bench.session.playback.playing = True
    values = set()
    for _ in range(240):
        player.frames()
        values.add(shown.score(bench).value)
        if bench.moments.first_s is not None:
            values.add("celebrated")
    assert values == {known, "celebrated"}


# --- ports that touch ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("aside", [-9, -3, 3, 9])
@pytest.mark.parametrize("drag", [False, True])
def test_between_ports_that_touch_words_run_from_output_to_input(player: Player, aside: int, drag: bool) -> None:
    bench = player.open(IN_STEP)
    name = player.place("add", (1, 2), b=10)
    y = player.port("a", "value")[1]
    edge = round(bench.camera.to_screen(1, 0)[0])
    place = (edge + aside, y)
    if drag:
        player.drag(place, (place[0] + (8 if aside < 0 else -8), y + 1))
    else:
        player.click(place)
    assert [(w.source, w.to) for w in bench.session.design.wires] == [("a.value", [f"{name}.a"])]
    assert bench.tools.hand is None
    # The output can still be led elsewhere.
    player.key("z", ctrl=True)
    player.drag(place, player.tile(13, 2))
    assert [(w.source, w.to) for w in bench.session.design.wires] == [("a.value", ["out.value"])]


# --- the number of a new part ----------------------------------------------------------------------------------


def test_the_coach_waits_for_the_number_that_the_level_asks_for(player: Player) -> None:
    bench = player.open(IN_STEP)
    player.place("add", (7, 2))
    for turned in range(1, 11):
        player.wheel(1, player.tile(7, 2))
        assert bench.session.design.cores[0].set == {"b": turned}
        player.frames(60)  # the wheel rests
        assert ("left pad to the adder" in said(player)) == (turned == 10)


# --- the brush -------------------------------------------------------------------------------------------------


def test_the_brush_paints_what_a_stroke_crosses_wherever_it_begins(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    source, sink = (0, 2), (15, 6)
    player.wire(player.tile(*source), player.tile(*sink))
    assert len(bench.session.design.wires) == 1
    view = bench.camera.x, bench.camera.y, bench.camera.step
    bench.tools.speed = 250
    player.key("v")
    bench.camera.x, bench.camera.y = bench.camera.to_board(*player.on_wire(0))
    bench.camera.step += 4  # a wire is as thin at any zoom
    player.frames()
    x, y = player.on_wire(0)
    player.drag((x - 47, y + 49), (x + 53, y - 47))  # one motion, from free ground to free ground
    assert [wire.every_ticks for wire in bench.session.design.wires] == [250]
    assert bench.tools.box is None and bench.tools.selection <= {0}
    player.key("z", ctrl=True)
    assert bench.session.design.wires[0].every_ticks != 250  # the stroke is one entry
    bench.camera.x, bench.camera.y, bench.camera.step = view
    player.frames()
    player.drag(player.tile(*source), player.on_wire(0))  # begun on a pad it paints as well
    assert [wire.every_ticks for wire in bench.session.design.wires] == [250]


# --- cards and figures -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("look_at", [(8, 2.5), (0, 0), (4, 0), (0, 4), (8, 0)])
def test_the_why_card_hides_nothing_of_its_chain(player: Player, look_at: tuple[float, float]) -> None:
    player.app.show("workbench", JAM, house(JAM, "naive")[1])
    player.frames(2)
    bench = player.bench
    player.settle()
    bench.session.playback.playing = bench.session.wants_to_play = False
    bench.session.playback.seek(20_000)
    player.frames()
    bench.reasons.ask(0)
    bench.reasons.wait(20)
    bench.camera.x, bench.camera.y = look_at
    player.frames(2)
    assert bench.why is not None and bench.why_card.rect.width
    middles = [middle_of(bench.tools.hits().layout, item) for item in bench.why[1].items]
    beads = [bench.camera.to_screen(*middle) for middle in middles if middle]
    assert len(beads) >= 4
    assert not any(bench.why_card.rect.collidepoint(bead) for bead in beads)


def test_the_receipt_adds_up(player: Player) -> None:
    solve(player)
    enter(player)
    result = player.app.screen
    assert isinstance(result, Result) and result.wait(30)
    player.frames(2)
    words = [written.words for written in result.written]
    assert "Everything else" in words
    (total,) = (float(found.split()[0]) for found in words if found.endswith("pJ per launch"))
    parts = [float(found.split()[0]) for found in words if re.fullmatch(r"[\d.]+ pJ", found)]
    assert len(parts) >= 2 and sum(parts) == pytest.approx(total, rel=0.01)


def test_the_energy_of_a_wire_is_called_its_share(player: Player) -> None:
    bench = solve(player)
    player.click(player.on_wire(1))
    player.frames(2)
    words = [written.words.lower() for written in bench.inspector.written]
    assert "its share of a launch" in words and "energy of a launch" not in words


# --- a part on a part ------------------------------------------------------------------------------------------


def test_a_part_that_is_put_on_another_one_takes_over_its_wires(player: Player) -> None:
    bench = player.open("sandbox")
    name = player.place("add", (6, 4), b=10)
    after = player.place("sub", (9, 4), b=1)
    player.wire(player.port(name, "out"), player.port(after, "a"))
    before = bench.session.design
    assert len(before.wires) == 1
    player.click(player.zone("part.mul"))
    player.click(player.tile(6, 4))
    design = bench.session.design
    (new,) = (core for core in design.cores if tuple(core.at) == (6, 4))
    assert (new.core, new.set, len(design.cores)) == ("mul", {"b": 10}, 2)
    assert [(wire.source, wire.to) for wire in design.wires] == [(f"{new.id}.out", [f"{after}.a"])]
    assert design.wires[0].path == before.wires[0].path
    player.click(player.tile(6, 6), button=3)
    player.key("z", ctrl=True)  # one entry
    assert bench.session.design == before


def test_a_part_that_does_not_fit_says_why(player: Player) -> None:
    bench = player.open("sandbox")
    name = player.place("sub", (6, 4), b=10)
    after = player.place("add", (9, 4))
    player.wire(player.port(name, "out"), player.port(after, "b"))
    before = bench.session.design
    player.key("e")
    player.type("relay")
    player.click(player.tile(9, 4))
    assert bench.session.design == before
    assert f"{after} is here, and relay has no b for its wire" in said(player)
    player.click(player.tile(*bench.level.pads[0].at))
    assert bench.session.design == before and "pads stay" in said(player)


# --- what stands on the board ----------------------------------------------------------------------------------


def test_pads_tell_their_rate_at_a_small_zoom(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    player.frames(60)
    pad = bench.level.pads[0]
    assert bench.camera.tile < 32 and pad.at[0] == 0 and pad.every_ns == 2
    tile = bench.tile_on_screen(pad.at)
    name = max(bench.context.theme.font("medium", 11).size(pad.id)[0], 1) + 8
    # Beside the name stands the rate: something is lit where a name alone would not reach.
    before = pygame.Rect(tile.left - name - 30, tile.top, 30, tile.height)
    lit = [
        player.surface.get_at((x, y))
        for x in range(before.left, before.right)
        for y in range(before.top, before.bottom)
        if sum(player.surface.get_at((x, y))[:3]) > 300
    ]
    assert len(lit) > 20
