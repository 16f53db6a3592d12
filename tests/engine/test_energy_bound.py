"""The energy limit: its parts by hand, and machines that come as near to it as machines can."""

from __future__ import annotations

from typing import Any

import pytest

from engine.builder import Builder
from engine.energy_bound import EnergyLimit, energy_limit
from engine.model import Level
from engine.simulation import simulate
from engine.units import pj_from_exact
from tests.engine.roads import level


def parts(limit: EnergyLimit) -> dict[str, float]:
    """pJ per launch of the causes that count."""
    return {cause: round(pj_from_exact(exact), 3) for cause, exact in limit.by_cause.items() if exact}


def zip_level(**changes: Any) -> Level:
    """Four sums of words of two near memories, as the second level of the second chapter."""
    memory = {"shape": [4], "data": {"kind": "distinct", "low": 1, "high": 99}}
    return level(
        kernel={
            "arrays": {"a": memory, "b": memory, "out": {"shape": [4]}} | changes.pop("arrays", {}),
            "truth": changes.pop("truth", "out[i] = a[i] + b[i]"),
        },
        threads={"block": [4], "grid": [1]},
        pads=[
            {"id": "t", "core": "threads", "at": [0, 8]},
            {"id": "a", "core": "load", "at": [0, 4]},
            {"id": "b", "core": "load", "at": [8, 0]},
            {"id": "out", "core": "store", "at": [15, 4]},
        ],
        **{"standby_uw": 2000, **changes},
    )


def test_the_parts_by_hand() -> None:
    found = energy_limit(zip_level(parts={"add": 1}))
    assert found.ticks == 1600
    # Lines between columns, and between rows, with pads on both sides and none next to them; then what is next to pads:
    # four addresses and four values by each load, four values and four addresses by the store, four tokens.
    lines = 11 + 4
    assert parts(found) == {
        "standby": 32.0,
        "memory": 12 * 5,
        "control": 4 * 1.2,
        "compute": 4 * 0.1,
        "drive": pytest.approx((lines + 8 + 8 + 8 + 4) * 0.16),
        "leakage": pytest.approx(16 * 0.150 + (lines + 2 + 2 + 2 + 1) * 16 * 0.004999, abs=1e-3),
    }


def test_far_memory_costs_its_words_and_its_power() -> None:
    near, far = zip_level(), zip_level(arrays={"out": {"shape": [4], "memory": "far"}})
    assert energy_limit(far).ticks == energy_limit(near).ticks == 1600
    assert parts(energy_limit(far))["memory"] - parts(energy_limit(near))["memory"] == pytest.approx(
        4 * (48 - 5) + 6 * 16
    )


def test_a_copy_needs_no_core_and_a_table_of_addresses_none_either() -> None:
    copy = energy_limit(zip_level(truth="out[i] = a[i]"))
    assert "control" not in parts(copy)
    assert parts(copy)["memory"] == 8 * 5
    index = {"shape": [4], "data": {"kind": "any", "low": 0, "high": 3}}
    gather = zip_level(arrays={"b": index}, truth="out[i] = a[b[i]]")
    assert "control" not in parts(energy_limit(gather))


def test_standby_over_the_slowest_pad() -> None:
    slow = level(words=8, out={"every_ns": 5})
    assert energy_limit(slow).ticks == 8 * 500
    assert parts(energy_limit(slow))["standby"] == 6 * 40
    burst = level(a={"burst": [8, 24]})
    assert energy_limit(burst).ticks == 3200


@pytest.mark.parametrize("data", [{"low": 0, "high": 1}, {"low": 1, "high": 99}])
@pytest.mark.parametrize(("across", "words"), [(1, 1), (1, 8), (2, 1), (2, 8), (5, 3), (15, 8)])
def test_the_shortest_wire_at_the_right_speed_is_not_below_the_limit(across: int, words: int, data: Any) -> None:
    """Nothing but a wire between stream and sink: all that is above the limit is words that run side by side."""
    there = level(
        kernel={
            "arrays": {"a": {"shape": [words], "data": {"kind": "any", **data}}, "out": {"shape": [words]}},
            "truth": "out[t] = a[t]",
        },
        board={"size": [across + 1, 2]},
        pads=[
            {"id": "a", "core": "stream", "at": [0, 0], "every_ns": 2},
            {"id": "out", "core": "sink", "at": [across, 0]},
        ],
        standby_uw=0,
    )
    b = Builder(there)
    b.wire("a.value", "out.value", every_ns=2)
    report = simulate(there, b.design())
    assert report.energy_pj and report.metrics
    limit = energy_limit(there)
    total = sum(report.energy_pj.values()) / report.metrics.launches
    assert pj_from_exact(limit.total) <= total
    if words == 1 and across > 1:
        quiet = total - report.energy_pj["switching"] / report.metrics.launches
        assert pj_from_exact(limit.total) == pytest.approx(quiet, rel=1e-3)


def test_it_is_reckoned_once() -> None:
    assert energy_limit(zip_level()) is energy_limit(zip_level())
    assert energy_limit(zip_level(standby_uw=1)) is not energy_limit(zip_level())


def test_without_anything_that_costs_there_is_none() -> None:
    assert EnergyLimit({"standby": 0}, energy_limit(zip_level()).ticks).launches_per_nj is None
