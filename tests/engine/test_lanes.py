"""What lanes cost, from level and design on: tracks, energies, leakage, slots. Figures are worked out by hand.

A board of 12 × 7; words go from the left edge to the right. Technology n45: an add 100 fJ, a logic operation 20 fJ, a
slot 100 fJ and 5 µW per value, a core 90 µW + 60 µW per lane, drive 160 µW per tile and value at 1 tile/ns, wires 5 µW.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.builder import Builder
from engine.elaborate import check_design, elaborate, retime
from engine.model import Level, Report
from engine.netlist import Netlist, Node
from engine.simulation import simulate


def level(**rest: Any) -> Level:
    return Level.model_validate(
        {
            "perwatt": 1,
            "id": "lanes-01-warps",
            "title": "Warps",
            "chapter": "lanes",
            "brief": "Lanes.",
            "kernel": {
                "arrays": {"a": {"shape": [16], "data": {}}, "out": {"shape": [16]}},
                "truth": "out[i] = a[i] + 1",
            },
            "threads": {"block": [8], "grid": [2]},
            "board": {"size": [12, 7], "tracks": 16},
            "pads": [
                {"id": "t", "core": "threads", "at": [0, 1], "words": ["index", "block"]},
                {"id": "a", "core": "load", "at": [0, 3]},
                {"id": "out", "core": "store", "at": [11, 3]},
            ],
            "standby_uw": 1000,
            "lanes": 8,
            **rest,
        }
    )


def plus_one(lanes: int, *chain: tuple[str, dict[str, Any]], **rest: Any) -> Builder:
    """t → a → add 1 → the cores of ``chain`` → out; the address goes round them."""
    b = Builder(level(**rest))
    t, a, out = b.pad("t", lanes=lanes), b.pad("a"), b.pad("out")
    b.wire(t.token[0], a["at"])
    source = a["value"]
    for k, (core, settings) in enumerate([("add", {"b": 1}), *chain]):
        placed = b.place(core, (2 + 2 * k, 3), f"c{k}", **settings)
        b.wire(source, placed["in" if core in ("relay", "buffer", "shuffle", "barrier") else "a"])
        source = placed["out"]
    b.wire(source, out["value"])
    b.wire(a["at"], out["at"])
    return b


def net(lanes: int, *chain: tuple[str, dict[str, Any]], **rest: Any) -> Netlist:
    b = plus_one(lanes, *chain, **rest)
    return elaborate(b.level, b.design())


def node(machine: Netlist, name: str) -> Node:
    return next(n for n in machine.nodes if n.id == name)


def standing(machine: Netlist, name: str) -> dict[str, int]:
    return next(e.standing_nw for e in machine.elements if e.id == name)


# --- tracks and wires --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
def test_an_address_is_one_track_and_a_value_one_per_lane(lanes: int) -> None:
    machine = net(lanes)
    assert [w.tracks for w in machine.wires] == [1, 1, lanes, lanes] or [w.tracks for w in machine.wires] == [
        1,
        lanes,
        lanes,
        1,
    ]
    value = next(w for w in machine.wires if w.id.startswith("a.value"))
    assert value.drive_nw == 160_000 * value.length * lanes
    assert value.leakage_nw == 5_000 * value.length * lanes
    assert value.toggle_aj == 25_000 * value.length


def test_a_builder_counts_values_and_finds_ways_for_them() -> None:
    b = plus_one(8)
    assert sorted(line.words for line in b.lines) == [1, 1, 8, 8]
    b.set("t", lanes=2)
    assert sorted(line.words for line in b.lines) == [1, 1, 2, 2]


def test_values_need_tracks() -> None:
    """Eight lanes of a value do not fit where there are seven tracks; two lanes do."""
    b = plus_one(8)
    narrow = b.level.model_copy(update={"board": b.level.board.model_copy(update={"tracks": 7})})
    found = check_design(narrow, b.design())
    assert {p.code for p in found} == {"tracks"} and found[0].message.startswith("8 words cross the edge of [0, 3]")
    b.set("t", lanes=2)
    assert check_design(narrow, b.design()) == []


def test_another_speed_costs_as_much_as_elaboration_says() -> None:
    b = plus_one(4)
    machine = elaborate(b.level, b.design())
    design = b.design()
    design.wires[1].every_ticks = 250
    assert retime(machine, 1, 250).wires == elaborate(b.level, design).wires


# --- cores ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lanes", "uw"), [(1, 150), (2, 210), (4, 330), (8, 570)])
def test_a_core_leaks_90_and_60_per_lane(lanes: int, uw: int) -> None:
    assert standing(net(lanes), "c0") == {"leakage": uw * 1000}


def test_a_slow_multiplier_leaks_a_quarter() -> None:
    assert standing(net(4, ("mul.serial", {"b": 1})), "c1") == {"leakage": 82_500}


def test_control_is_the_levels() -> None:
    assert node(net(4), "c0").control_aj == 1_200_000
    assert node(net(4, control_fj=6000), "c0").control_aj == 6_000_000
    assert node(net(1, control_fj=6000), "c0").control_aj == 6_000_000


def test_slots_keep_values() -> None:
    """Three slots of four values: 12 × 5 µW, and an access is four words. Of the address it is one word."""
    machine = net(4, ("buffer", {"slots": 3}))
    assert standing(machine, "c1") == {"leakage": 330_000, "storage": 60_000}
    c1 = node(machine, "c1")
    assert (c1.op_aj, c1.once, c1.per_lane) == (100_000, 4, 0)
    assert machine.slots == 3
    b = plus_one(4)
    b.insert("buffer", next(line for line in b.lines if str(line).startswith("a.at")), "r", slots=3)
    machine = elaborate(b.level, b.design())
    assert standing(machine, "r")["storage"] == 15_000 and node(machine, "r").once == 1


def test_a_barrier_keeps_warps() -> None:
    """Blocks of 8 threads are two warps of four: two chambers of two packets of four values."""
    machine = net(4, ("barrier", {}))
    assert standing(machine, "c1")["storage"] == 4 * 4 * 5_000
    assert machine.slots == 4


def test_a_reduction_takes_as_many_cycles_as_halves() -> None:
    for lanes, ticks in ((2, 100), (4, 200), (8, 300)):
        b = plus_one(lanes)
        r, k = b.place("reduce", (5, 5), "r", op="max"), b.place("relay", (7, 5), "k")
        b.wire("a.value", r["in"])
        b.wire(r["out"], k["in"])
        r_node = node(elaborate(b.level, b.design()), "r")
        assert (r_node.latency_ticks, r_node.interval_ticks, r_node.lanes, r_node.breadth) == (ticks, 100, 1, lanes)
        assert (r_node.op_aj, r_node.once, r_node.per_lane, r_node.lane_aj) == (80_000, -1, 1, 200_000)


# --- whole runs ------------------------------------------------------------------------------------------------------


def run(lanes: int, **rest: Any) -> Report:
    b = plus_one(lanes, **rest)
    report = simulate(b.level, b.design(), bound=False)
    assert report.verdict == "pass", report.fault or report.problems
    return report


def test_control_is_shared_by_lanes_and_operations_are_not() -> None:
    """16 words a launch: 16, 8, 4 and 2 firings of 6000 fJ; 16 adds of 100 fJ always."""
    for lanes in (1, 2, 4, 8):
        report = run(lanes, control_fj=6000)
        assert report.metrics is not None and report.energy_pj is not None
        launches = report.metrics.launches
        assert report.energy_pj["control"] / launches == pytest.approx(16 / lanes * 6, abs=1e-9)
        assert report.energy_pj["compute"] / launches == pytest.approx(1.6, abs=1e-9)


def test_lanes_of_1_are_the_machine_without_lanes() -> None:
    """The setting spelt out, or a level that allows more, changes nothing."""
    plain = run(1)
    b = Builder(level(lanes=1))
    reference = plus_one(1).design()
    reference.pads = {}
    same = simulate(b.level, reference, bound=False)
    assert same.energy_exact == plain.energy_exact
    assert same.window == plain.window


def test_a_ragged_block_counts_its_threads_only() -> None:
    """Blocks of 6 in warps of 4: 12 words in 4 packets, 12 operations."""
    report = run(
        4,
        control_fj=6000,
        threads={"block": [6], "grid": [2]},
        kernel={"arrays": {"a": {"shape": [12], "data": {}}, "out": {"shape": [12]}}, "truth": "out[i] = a[i] + 1"},
    )
    assert report.metrics is not None and report.energy_pj is not None
    assert report.energy_pj["control"] / report.metrics.launches == pytest.approx(4 * 6, abs=1e-9)
    assert report.energy_pj["compute"] / report.metrics.launches == pytest.approx(12 * 0.1, abs=1e-9)
