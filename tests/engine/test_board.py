"""Paths, tracks and tiles."""

from __future__ import annotations

import pytest

from engine.board import Board, expand
from engine.elaborate import check_design, elaborate
from engine.model import BoardSpec
from engine.parts import parse_sum
from tests.engine.machines import core, design, streams, wire


def test_expand_fills_in_the_tiles_between_corners() -> None:
    assert expand(((0, 2), (2, 2), (2, 0), (1, 0))) == ((0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))
    assert expand(((3, 3), (3, 3))) == ((3, 3),)
    assert expand(((0, 0), (1, 1))) is None


def test_tracks_count_both_directions_and_a_wires_own_return() -> None:
    board = Board(BoardSpec(size=(6, 3), tracks=3))
    assert board.lay(((0, 0), (1, 0), (2, 0)), 2) == []
    assert board.lay(((2, 0), (1, 0)), 1) == []
    assert board.lay(((0, 0), (1, 0), (0, 0)), 1) == [((0, 0), (1, 0))]
    assert board.crossing == {((0, 0), (1, 0)): 4, ((1, 0), (2, 0)): 3}
    assert board.lay(((0, 0), (1, 0)), 1) == []  # told already, for the wire before
    assert board.footprint == 3


def test_blocked_rectangles() -> None:
    board = Board(BoardSpec(size=(6, 4), blocked=[(1, 1, 2, 3), (5, 0, 1, 1)]))
    assert board.blocked == {(1, 1), (2, 1), (1, 2), (2, 2), (1, 3), (2, 3), (5, 0)}


def test_exactly_full_tracks_are_allowed() -> None:
    machine = design(
        [core("j", "tuple", (3, 4)), core("r", "relay", (9, 4))],
        [
            wire("s.value", ["j.a", "j.b", "j.c"], (0, 4), (3, 4)),
            wire("j.out", "r.in", (3, 4), (9, 4)),
            wire("r.out[2]", "out.value", (9, 4), (15, 4)),
        ],
    )
    assert check_design(streams(tracks=3), machine) == []
    assert [p.code for p in check_design(streams(tracks=2), machine)] == ["tracks"]


def test_a_wire_may_lead_from_a_core_to_itself() -> None:
    machine = design(
        [core("d", "delay", (6, 6), slots=2, every=8)],
        [
            wire("s.value", "out.value", (0, 4), (15, 4)),
            wire("d.out", "d.in", (6, 6), (7, 6), (7, 7), (6, 7), (6, 6)),
        ],
    )
    net = elaborate(streams(), machine)
    assert net.wires[1].source == net.wires[1].target == 2 and net.wires[1].length == 4
    assert net.footprint_tiles == 16 + 4


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3*w0 + w1 + 2", (2, (3, 1, 0, 0, 0, 0))),
        (" -w5*4 - 7 ", (-7, (0, 0, 0, 0, 0, -4))),
        ("w2+w2-1*w2", (0, (0, 0, 1, 0, 0, 0))),
        ("0", (0, (0, 0, 0, 0, 0, 0))),
        (12, (12, (0, 0, 0, 0, 0, 0))),
        ("+2147483647", (2147483647, (0, 0, 0, 0, 0, 0))),
    ],
)
def test_sums_are_read(text: object, found: object) -> None:
    assert parse_sum(text) == found


@pytest.mark.parametrize(
    "text",
    ["", "w6", "w", "w0 w1", "1 2", "2w0", "w0*w1", "2*w0*3", "w0 +", "--w0", "w0 ** 2", "(w0)", "2147483648", "1.5",
     True, None, ["w0"], "w0+" * 60],
)  # fmt: skip
def test_other_texts_are_no_sums(text: object) -> None:
    with pytest.raises(ValueError, match=r"sum|read|int32"):
        parse_sum(text)
