"""The mouse grammar, by presses, moves and releases at screen positions."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from engine.model import Design, Level
from game.editor.history import History
from game.editor.tools import Mods, PartHand, Tools, WireHand
from game.shell.places import SANDBOX, level_path
from game.view.camera import Camera
from levels import load_level
from levels.files import load_level_file

NONE = Mods()


def sandbox() -> Level:
    """A large board with all parts."""
    return load_level_file(level_path(SANDBOX)).level


class Hand:
    """A mouse over one level."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.history = History(Design(perwatt=1, level=level.id))
        self.camera = Camera(level.board.size[0], level.board.size[1], (0, 0, 1200, 800))
        self.camera.fit()
        self.tools = Tools(level, self.history, self.camera)

    @property
    def design(self) -> Design:
        return self.history.design

    def at(self, column: float, row: float) -> tuple[float, float]:
        return self.camera.to_screen(column + 0.5, row + 0.5)

    def drag(self, start: tuple[float, float], *to: tuple[float, float], button: int = 1, mods: Mods = NONE) -> None:
        here = self.at(*start)
        self.tools.motion(here)
        self.tools.press(button, here, mods)
        for point in to:
            there = self.at(*point)
            self.tools.motion(there, (there[0] - here[0], there[1] - here[1]))
            here = there
        self.tools.release(button, here, mods)

    def click(self, column: float, row: float, button: int = 1, mods: Mods = NONE) -> None:
        self.drag((column, row), button=button, mods=mods)


@pytest.fixture
def hand() -> Hand:
    return Hand(load_level("first-light-02-in-step"))


def build(hand: Hand) -> None:
    hand.tools.take("add", {"b": 10})
    hand.click(6, 2)
    hand.drag((0, 2), (3, 2), (6, 2))
    hand.drag((6.45, 2), (9, 2), (13, 2))


def test_level_two_is_wired_by_the_mouse(hand: Hand) -> None:
    build(hand)
    assert [(c.id, c.at, c.set) for c in hand.design.cores] == [("add1", (6, 2), {"b": 10})]
    assert [(w.source, w.to) for w in hand.design.wires] == [("a.value", ["add1.a"]), ("add1.out", ["out.value"])]
    assert [w.every_ticks for w in hand.design.wires] == [100, 100]


def test_each_gesture_is_one_entry_and_all_of_them_can_be_undone(hand: Hand) -> None:
    build(hand)
    labels = []
    while label := hand.tools.undo():
        labels.append(label)
    assert labels == ["wire", "wire", "place"]
    assert hand.design == Design(perwatt=1, level=hand.level.id)


def test_moving_takes_the_wires_along_and_undo_in_mid_drag_takes_it_back(hand: Hand) -> None:
    build(hand)
    before = hand.design
    hand.drag((6, 2), (6, 3), (8, 4))
    assert hand.design.cores[0].at == (8, 4)
    hand.tools.undo()
    assert hand.design == before
    hand.tools.press(1, hand.at(6, 2), NONE)
    hand.tools.motion(hand.at(7, 4))
    assert hand.design.cores[0].at == (7, 4)
    assert hand.tools.undo() == "gesture"
    hand.tools.release(1, hand.at(7, 4), NONE)
    assert hand.design == before


def test_the_wheel_turns_the_wire_under_it_and_the_immediate_of_a_core(hand: Hand) -> None:
    build(hand)
    hand.tools.wheel(1, hand.at(3, 2), NONE)
    assert hand.design.wires[0].every_ticks == 91
    hand.tools.wheel(-1, hand.at(3, 2), NONE)
    assert hand.design.wires[0].every_ticks == 100
    hand.tools.wheel(1, hand.at(3, 2), Mods(shift=True))
    assert hand.design.wires[0].every_ticks == 99
    hand.tools.wheel(-2, hand.at(6, 2), NONE)
    assert hand.design.cores[0].set == {"b": 8}
    hand.tools.wheel(1, hand.at(6, 2), Mods(shift=True))
    assert hand.design.cores[0].set == {"b": 18}
    step = hand.camera.step
    hand.tools.wheel(-1, hand.at(3, 0), NONE)
    assert hand.camera.step == step - 1


def test_a_stopped_wire_starts_at_the_first_notch() -> None:
    hand = Hand(load_level("first-light-01-ignition"))
    hand.drag((0, 2), (5, 2), (11, 2))
    assert hand.design.wires[0].every_ticks is None
    hand.tools.wheel(1, hand.at(5, 2), NONE)
    assert hand.design.wires[0].every_ticks == 2000
    hand.tools.detents = {0: 387}
    seen: list[int | None] = []
    while hand.design.wires[0].every_ticks != 387:
        hand.tools.wheel(1, hand.at(5, 2), NONE)
        seen.append(hand.design.wires[0].every_ticks)
    assert len(seen) <= 20
    assert {1000, 500, 400} <= set(seen)  # the speeds 1/10, 1/5 and 1/4 are not skipped
    hand.tools.wheel(3, hand.at(5, 2), NONE)
    assert hand.design.wires[0].every_ticks == 387  # the rest of the spin is spent
    hand.tools.wheel(1, hand.at(5, 2), Mods(shift=True))
    assert hand.design.wires[0].every_ticks == 383
    hand.tools.wheel(-3, hand.at(5, 2), NONE)
    assert hand.design.wires[0].every_ticks == 387  # from the other side as well, whatever comes in one event
    hand.tools.wait(0.4)
    hand.tools.wheel(-1, hand.at(5, 2), NONE)
    assert hand.design.wires[0].every_ticks == 400


def test_the_first_notch_over_a_new_core_counts_from_0_at_its_free_input(hand: Hand) -> None:
    hand.tools.take("add")
    hand.click(6, 2)
    assert hand.tools.selection == {"add1"}
    hand.tools.wheel(1, hand.at(6, 2), NONE)
    assert hand.design.cores[0].set == {"b": 1}
    hand.tools.wheel(1, hand.at(6, 2), Mods(shift=True))
    assert hand.design.cores[0].set == {"b": 11}
    hand.tools.undo()
    hand.drag((0, 2), (6, 2))
    assert hand.design.wires[0].to == ["add1.a"]
    hand.tools.wheel(1, hand.at(6, 2), NONE)
    assert hand.design.cores[0].set == {"b": 1}


def test_a_core_without_a_number_says_so() -> None:
    hand = Hand(load_level("first-light-05-two-roads"))
    said: list[str] = []
    hand.tools.on_say = said.append
    hand.tools.take("relay")
    hand.click(6, 4)
    before = hand.design
    hand.tools.wheel(1, hand.at(6, 4), NONE)
    assert hand.design == before
    assert said == ["relay has no number for the wheel"]


def test_a_key_acts_on_the_selection_where_it_has_no_use_for_what_is_under_the_mouse(hand: Hand) -> None:
    build(hand)
    hand.click(9, 2)
    assert hand.tools.selection == {1}
    for column in (0, 6):  # a pad, a core
        hand.tools.motion(hand.at(column, 2))
        assert hand.tools.hover in ("a", "add1")
        hand.tools.scale_speeds(0.5)
    assert [w.every_ticks for w in hand.design.wires] == [100, 400]
    hand.tools.motion(hand.at(0, 2))
    hand.tools.remove()
    assert [w.source for w in hand.design.wires] == ["a.value"]


def test_right_unmakes(hand: Hand) -> None:
    build(hand)
    hand.click(9, 2, button=3)
    assert [w.source for w in hand.design.wires] == ["a.value"]
    hand.drag((5, 4), (6, 3), (6, 2), button=3)
    assert hand.design.cores == []
    assert hand.design.wires == []
    assert hand.tools.undo() == "remove"
    assert len(hand.design.cores) == 1
    hand.tools.take("add")
    hand.click(3, 1, button=3)
    assert hand.tools.hand is None


def test_boxes_select_and_ctrl_toggles(hand: Hand) -> None:
    build(hand)
    hand.drag((5, 0), (7, 4))
    assert hand.tools.selection == {"add1"}
    hand.click(9, 2, mods=Mods(ctrl=True))
    assert hand.tools.selection == {"add1", 1}
    hand.tools.remove()
    assert hand.design.cores == []


def test_bends_are_clicked_and_taken_back() -> None:
    hand = Hand(load_level("first-light-03-side-by-side"))
    hand.drag((0, 2), (3, 0))
    assert isinstance(hand.tools.hand, WireHand)
    assert hand.tools.hand.via == [(3, 0)]
    hand.tools.motion(hand.at(9, 0))
    hand.tools.bend()
    assert hand.tools.hand.via == [(3, 0), (9, 0)]
    hand.click(9, 0, button=3)
    assert hand.tools.hand.via == [(3, 0)]
    hand.click(15, 2)
    assert hand.tools.hand is None
    assert (3, 0) in hand.design.wires[0].path


def test_what_is_used_up_says_so(hand: Hand) -> None:
    build(hand)
    hand.tools.take("add")
    hand.tools.motion(hand.at(3, 0))
    assert hand.tools.reason == "no add left: its only one is in use"
    assert [g.reason for g in hand.tools.ghosts()] == ["no add left: its only one is in use"]
    hand.click(3, 0)
    assert len(hand.design.cores) == 1


def test_nonsense_never_raises_and_undoes_to_nothing() -> None:
    rng = random.Random(11)
    for level_id in ("first-light-05-two-roads", "first-light-08-spring-cleaning"):
        hand = Hand(load_level(level_id))
        tools = hand.tools
        for _ in range(1500):
            pos = (rng.uniform(-50, 1250), rng.uniform(-50, 850))
            mods = Mods(*(rng.random() < 0.15 for _ in range(3)))
            match rng.randrange(12):
                case 0 | 1:
                    tools.press(rng.choice((1, 1, 1, 2, 3)), pos, mods)
                case 2 | 3:
                    tools.release(rng.choice((1, 1, 1, 2, 3)), pos, mods)
                case 4 | 5:
                    tools.motion(pos, (rng.uniform(-9, 9), rng.uniform(-9, 9)))
                case 6:
                    tools.wheel(rng.choice((-3, -1, 1, 2)), pos, mods)
                case 7:
                    tools.take(rng.choice(("add", "mul", "relay", "buffer", "select")))
                case 8:
                    rng.choice((tools.undo, tools.redo, tools.cancel, tools.remove, tools.pipette, tools.reroute))()
                case 9:
                    blueprint = tools.copy()
                    if blueprint:
                        tools.take_blueprint(blueprint)
                        tools.mirror(rng.random() < 0.5)
                case 10:
                    rng.choice((tools.stop_or_restore, tools.select_all, tools.bend, tools.next_port))()
                case 11:
                    tools.scale_speeds(rng.choice((0.5, 2.0)))
            tools.ghosts()
            tools.ghost_wires()
        assert not isinstance(tools.hand, PartHand) or tools.hand.core
        while tools.undo():
            pass
        assert hand.design == Design(perwatt=1, level=hand.level.id)


def test_a_fast_mouse_leaves_no_holes() -> None:
    hand = Hand(sandbox())
    hand.tools.take("add", {"b": 10})
    hand.drag((3, 3), (9, 3))
    hand.tools.cancel()
    assert sorted(core.at for core in hand.design.cores) == [(column, 3) for column in range(3, 10)]
    hand.tools.take("add", {"b": 10})
    hand.drag((3, 5), (9, 8))
    hand.tools.cancel()
    slope = [core.at for core in hand.design.cores if core.at[1] > 3]
    assert {column for column, _ in slope} == set(range(3, 10))
    for (ax, ay), (bx, by) in pairwise(slope):
        assert abs(bx - ax) + abs(by - ay) <= 2
    hand.drag((1, 3), (11, 3), button=3)
    assert [core.at for core in hand.design.cores] == slope
    assert hand.tools.undo()
    assert len(hand.design.cores) == len(slope) + 7


def test_a_fast_brush_paints_every_wire_that_it_crosses() -> None:
    hand = Hand(sandbox())
    rows = range(3, 8)
    for row in rows:
        for column in (3, 9):
            hand.tools.take("relay")
            hand.click(column, row)
            hand.tools.cancel()
        hand.drag((3.45, row), (6, row), (9, row))
    assert len(hand.design.wires) == 5
    hand.tools.brush, hand.tools.speed = True, 250
    hand.drag((6, 3), (6, 7))
    assert [wire.every_ticks for wire in hand.design.wires] == [250] * 5
