"""Cures that were tried: against machines in which the estimate is wrong."""

from __future__ import annotations

from typing import Any

from engine.advice import advised
from engine.builder import Builder
from engine.causes import causes
from engine.changes import Change, changed
from engine.elaborate import elaborate
from engine.simulation import simulate
from tests.engine.roads import level, two_roads


NARROW = [(0, 0, 16, 4), (0, 6, 16, 3), (6, 5, 10, 1)]
"""Blocked is all but two rows, one of them half: the road between has no way for a detour."""


def detour(**blocked: Any) -> Builder:
    """A stream and a sink in one row, and a wire of 19 tiles, two rows below and back."""
    b = Builder(level(board={"size": [16, 9], **blocked}, standby_uw=10))
    b.wire("a.value", "out.value", every_ns=1, length=19)
    return b


def test_a_way_is_short_only_where_it_is_free() -> None:
    b = detour()
    report = simulate(b.level, b.design())
    found = advised(b.level, b.design(), report)
    assert found
    [item] = found.energy
    assert item.message == "a → out takes 19 tiles where 15 do"
    assert item.cure.startswith("take the short way (tried: +")

    b = detour(blocked=[[8, 3, 1, 3]])
    assert b.lines[0].length == 19  # the way round
    report = simulate(b.level, b.design())
    estimate = causes(elaborate(b.level, b.design()), report)
    assert estimate and "where 15 would reach" in estimate.energy[0].message
    found = advised(b.level, b.design(), report)
    assert found and found.energy == [] and found.first == ""


def test_what_is_told_is_what_was_measured() -> None:
    b = detour()
    before = simulate(b.level, b.design())
    found = advised(b.level, b.design(), before)
    assert found and found.energy[0].change == Change("short", wire=0)
    after = simulate(b.level, changed(b.level, b.design(), found.energy[0].change)[0])
    assert before.metrics and after.metrics
    gain = after.metrics.efficiency_launches_per_nj / before.metrics.efficiency_launches_per_nj - 1
    assert found.energy[0].gain == gain
    assert f"(tried: +{100 * gain:.1f} %)" in found.energy[0].cure


def test_room_comes_from_what_the_level_has() -> None:
    """A short road is given a longer wire where there is a way, a buffer where there is one to have, or neither."""
    b, _ = two_roads()
    cores = {"mul": 9, "sub": 9, "max": 9, "add": 9}
    for parts, blocked, what in (
        (None, [], "longer"),
        (None, NARROW, "buffer"),
        ({**cores, "*": 0}, NARROW, None),
    ):
        pads = {"parts": parts, "board": b.level.board.model_copy(update={"blocked": blocked})}
        of = b.level.model_copy(update=pads)
        found = advised(of, b.design(), simulate(of, b.design()))
        assert found and found.time[0].kind == "roads"
        change = found.time[0].change
        assert (change.what if change else None) == what, found.time[0].cure
        assert what == "buffer" or "buffer" not in found.time[0].cure
