"""Hostile designs: within the bounds of the format, and still told in little time and memory."""

from __future__ import annotations

import pytest

from engine.elaborate import check_design
from engine.problems import MAX_LISTED, MAX_SUGGESTIONS, Problems, suggest
from tests.engine.machines import core, design, streams, wire


def test_an_unlisted_code_is_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError):
        Problems().add("made-up", (), "…")


def test_endless_paths_are_not_laid_out() -> None:
    """8000 wires of 255 thousand tile steps each would be two thousand million tiles."""
    board = streams(size=(256, 256))
    board.pads[1].at = (255, 4)
    there_and_back = [(0, 4), (255, 4)] * 511 + [(0, 4), (255, 4)]
    long = wire("s.value", "out.value", *there_and_back)
    problems = check_design(board, design([], [long] * 40))
    assert {p.code for p in problems} == {"path-crosses", "tracks"}
    assert [p.where for p in problems if p.code == "tracks"] == ["wires[4].path"]


def test_thousands_of_unknown_names_get_few_suggestions() -> None:
    cores = [core(f"core_number_{n}", "relay", (n % 14 + 1, n // 14 % 4)) for n in range(500)]
    wires = [wire(f"core_numbr_{n}.out", "out.value", (1, 4), (15, 4)) for n in range(500)]
    problems = [p for p in check_design(streams(), design(cores, wires)) if p.code == "unknown-element"]
    assert len(problems) == 500
    assert sum("did you mean" in p.message for p in problems) == MAX_SUGGESTIONS
    assert max(len(p.message) for p in problems) < 1000


def test_long_lists_are_cut() -> None:
    names = [f"n{i}" for i in range(MAX_LISTED + 5)]
    assert suggest("zebra", names).endswith(", n39 and 5 more")
    assert suggest("zebra", names[:3]) == "there are n0, n1 and n2"
    assert suggest("zebra", names[:1]) == "there is n0"
    assert suggest("n44x", names) == "did you mean 'n44'?"
