"""Shields by the mouse: laid, chosen, moved to another track, removed; and wires on the machine's own tracks."""

from __future__ import annotations

import pytest

from engine.elaborate import elaborate
from engine.model import Level
from game.describe import describe
from game.editor.edits import Refused
from game.editor.hand import ShieldHand
from game.entries import typed
from game.panels.palette import parts_of
from game.rows import Entry
from game.view.layout import make_layout
from game.view.marks import middle_of
from game.view.roads import place, track_at
from game.view.scene import shield_index, shield_name
from tests.engine.machines import core, design, level, wire
from tests.game.test_tools import Hand

TRACKS = 8


def two_streams(shields: int | None = 2) -> Level:
    """Two streams into two sinks, rows 2 and 4 of a board of 12 × 7."""
    arrays = {name: {"shape": [8], "data": {}} for name in ("s", "t")} | {name: {"shape": [8]} for name in ("o", "p")}
    pads = [
        {"id": "s", "core": "stream", "at": [0, 2]},
        {"id": "t", "core": "stream", "at": [0, 4]},
        {"id": "o", "core": "sink", "at": [11, 2]},
        {"id": "p", "core": "sink", "at": [11, 4]},
    ]
    made = level(arrays, pads, size=(12, 7), tracks=TRACKS, physics={"crosstalk": {"shields": shields}})
    return made.model_copy(update={"kernel": made.kernel.model_copy(update={"truth": "o[i] = s[i]\np[i] = t[i]"})})


@pytest.fixture
def hand() -> Hand:
    return Hand(two_streams())


def at_track(column: float, row: int, track: int) -> tuple[float, float]:
    """On this track of the edges of a row."""
    return column, row + place(track, TRACKS)


def test_tracks_lie_in_order_and_are_found_again() -> None:
    places = [place(track, TRACKS) for track in range(TRACKS)]
    assert places == sorted(places) and sum(places) == pytest.approx(0)
    assert [track_at(p, TRACKS) for p in places] == list(range(TRACKS))
    assert track_at(-5, TRACKS) == 0 and track_at(5, TRACKS) == TRACKS - 1


def test_a_drag_lays_a_shield_on_the_track_under_the_mouse(hand: Hand) -> None:
    hand.tools.take("shield")
    assert isinstance(hand.tools.hand, ShieldHand)
    hand.drag(at_track(2, 2, 5), (4, 2), (8, 2))
    assert [(s.path, s.track) for s in hand.design.shields] == [([(2, 2), (8, 2)], 5)]
    assert hand.tools.hand is None and hand.tools.selection == {"shield 1"}
    assert shield_index(shield_name(4)) == 4 and shield_index("add1") is None
    hand.tools.undo()
    assert not hand.design.shields and not hand.tools.hits().layout.shields


def test_shields_are_chosen_and_removed_like_wires(hand: Hand) -> None:
    for track in (5, 2):
        hand.tools.take("shield")
        hand.drag(at_track(2, 2, track), (8, 2))
    hand.click(*at_track(5, 2, 2))
    assert hand.tools.selection == {"shield 2"}
    place_of = middle_of(hand.tools.hits().layout, "shield 2")
    assert place_of == pytest.approx((5.5, 2.5 + place(2, TRACKS)))
    hand.tools.remove()
    assert [s.track for s in hand.design.shields] == [5]
    hand.click(*at_track(5, 2, 5), button=3)
    assert not hand.design.shields
    hand.tools.undo()
    assert [s.track for s in hand.design.shields] == [5]


def test_no_more_than_the_level_offers_and_none_on_a_track_that_is_taken(hand: Hand) -> None:
    said: list[str] = []
    hand.tools.on_say = said.append
    for track in (5, 5, 2, 1):
        hand.tools.take("shield")
        hand.drag(at_track(2, 2, track), (8, 2))
    assert [s.track for s in hand.design.shields] == [5, 2]
    assert len(said) == 2 and "taken by shield 1" in said[0] and "offers 2" in said[1]


def test_the_palette_and_the_inspector_tell_of_shields(hand: Hand) -> None:
    assert [(p.core, p.left) for p in parts_of(hand.level, hand.design)][-1] == ("shield", 2)
    assert "shield" not in [p.core for p in parts_of(two_streams(0), hand.design)]
    hand.tools.take("shield")
    hand.drag(at_track(2, 2, 5), (8, 2))
    assert parts_of(hand.level, hand.design)[-1].left == 1
    rows = describe(hand.level, hand.design, {"shield 1"}).rows
    assert any(isinstance(row, Entry) and row.text == "5" for row in rows)
    found = typed(hand.level, hand.design, "shield.0", "3", set())
    assert found and found[0].shields[0].track == 3
    with pytest.raises(Refused, match="0 to 7"):
        typed(hand.level, hand.design, "shield.0", "9", set())


def test_wires_are_drawn_on_the_tracks_that_the_machine_gives_them() -> None:
    made = two_streams()
    both = design(
        [core("r", "relay", (6, 2))],
        [
            wire("s.value", "r.in", (0, 2), (6, 2)),
            {**wire("r.out", "o.value", (6, 2), (11, 2)), "track": 6},
            wire("t.value", "p.value", (0, 4), (11, 4)),
        ],
        shields=[{"path": [[1, 2], [5, 2]], "track": 3}],
    )
    netlist = elaborate(made, both)
    layout = make_layout(made, both, netlist)
    for road, built in zip(layout.roads, netlist.wires, strict=True):
        assert road is not None and built.coupling is not None
        track = built.coupling.tracks[0][0]
        assert road.centre[0][1] - built.tiles[0][1] - 0.5 == pytest.approx(place(track, TRACKS))
    assert layout.shields[0] is not None and layout.used[(1, 2), (2, 2)] == 2
