"""Loops that can start and loops that cannot."""

from __future__ import annotations

from typing import Any

import pytest

from engine.elaborate import check_design
from engine.model import Design, Level
from tests.engine.machines import core, design, streams, wire


def loop(*cores: dict[str, Any], back: str, first: str = "sum.a") -> Design:
    """A stream into ``first``, ``sum`` to the sink, and ``sum`` → ``r`` → ``back``."""
    return design(
        [*cores, core("r", "relay", (8, 6))],
        [
            wire("s.value", first, (0, 4), (6, 4)),
            wire("sum.out", "out.value", (6, 4), (15, 4)),
            wire("sum.out", "r.in", (6, 4), (7, 4), (7, 6), (8, 6)),
            wire("r.out", back, (8, 6), (8, 7), (6, 7), (6, 4)),
        ],
    )


def codes(machine: Design, board: Level | None = None) -> list[str]:
    return [p.code for p in check_design(board or streams(), machine)]


def test_an_adder_that_waits_for_its_own_sum_never_starts() -> None:
    assert codes(loop(core("sum", "add", (6, 4)), back="sum.b")) == ["loop-without-token"]


def test_a_delay_gives_a_loop_its_first_packet() -> None:
    machine = design(
        [core("sum", "add", (6, 4)), core("d", "delay", (6, 6), slots=1, every=8)],
        [
            wire("s.value", "sum.a", (0, 4), (6, 4)),
            wire("sum.out", "d.in", (6, 4), (7, 4), (7, 6), (6, 6)),
            wire("d.out", "sum.b", (6, 6), (5, 6), (5, 5), (6, 5), (6, 4)),
            wire("sum.out", "out.value", (6, 4), (15, 4)),
        ],
    )
    assert codes(machine) == []


def test_a_port_with_two_wires_starts_with_the_one_from_outside() -> None:
    assert codes(loop(core("sum", "relay", (6, 4)), first="sum.in", back="sum.in")) == []


@pytest.mark.parametrize(("cond", "found"), [(1, []), (0, ["loop-without-token"])])
def test_a_mux_waits_for_the_side_that_its_immediate_chooses(cond: int, found: list[str]) -> None:
    assert codes(loop(core("sum", "mux", (6, 4), cond=cond), back="sum.b")) == found


def test_collect_waits_for_its_first_input_only() -> None:
    assert codes(loop(core("sum", "collect", (6, 4), n=2), first="sum.i0", back="sum.i1")) == []
    assert codes(loop(core("sum", "collect", (6, 4), n=2), first="sum.i1", back="sum.i0")) == ["loop-without-token"]


@pytest.mark.parametrize(("ahead", "found"), [(1, []), (0, ["loop-without-token"])])
def test_a_barrier_lets_rounds_pass_before_the_first_arrival(ahead: int, found: list[str]) -> None:
    bar = core("sum", "barrier", (6, 4), n=4, ahead=ahead)
    assert codes(loop(bar, first="sum.in", back="sum.arrive")) == found


def test_every_loop_is_named_once_in_the_order_of_its_wires() -> None:
    machine = design(
        [core(f"{a}{n}", "add", (3 + 4 * (a == "y"), n)) for a in "xy" for n in (1, 3)],
        [
            wire("s.value", "out.value", (0, 4), (15, 4)),
            *(
                w
                for a, x in (("x", 3), ("y", 7))
                for w in (
                    wire(f"{a}3.out", [f"{a}1.a", f"{a}1.b"], (x, 3), (x, 1)),
                    wire(f"{a}1.out", [f"{a}3.a", f"{a}3.b"], (x, 1), (x + 1, 1), (x + 1, 3), (x, 3)),
                )
            ),
        ],
    )
    found = check_design(streams(), machine)
    assert [p.message.split(":")[0] for p in found] == [
        "x1 and x3 wait for each other in a ring",
        "y1 and y3 wait for each other in a ring",
    ]
