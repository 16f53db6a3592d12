"""With every module of physics on, no machine goes below the energy limit or beyond the bound on throughput."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.energy_bound import energy_limit
from engine.model import Design, Level
from engine.simulation import simulate
from engine.units import EXACT_PER_PJ
from tests.engine.machines import core, design, level, wire

CODES = ["gray", "bus-invert", "bus-invert-4", "parity", "secded", "no-opposites", "no-lone-bits"]


def everything(**more: Any) -> Level:
    """s[i] + far[i] on a board with all modules on."""
    arrays = {
        "s": {"shape": [8], "data": {}},
        "far": {"shape": [8], "data": {}, "memory": "far"},
        "out": {"shape": [8]},
    }
    modules: dict[str, Any] = {"dvfs": {}, "crosstalk": {}, "encoding": {}, "tunnelling": {}, "heat": {}, "gating": {}}
    return level(
        arrays,
        [
            {"id": "t", "core": "threads", "at": [0, 2], "words": ["local"], "every_ns": 4},
            {"id": "s", "core": "load", "at": [6, 0], "every_ns": 2},
            {"id": "far", "core": "load", "at": [6, 8], "every_ns": 1},
            {"id": "out", "core": "store", "at": [15, 4], "every_ns": 2},
        ],
        threads={"block": [8], "grid": [1]},
        physics=more.pop("physics", modules),
        standby_uw=100,
        limits={"time_us": 60},
        kernel={"arrays": arrays, "truth": "out[i] = s[i] + far[i]"},
        **more,
    )


def plan(rng: random.Random) -> Design:
    """The sum with settings by chance, safe in the cold."""

    def sleep(most: int) -> dict[str, Any]:
        if rng.random() < 0.5:
            return {}
        return {"gate": True, "sleep_after": rng.choice([0, 50, 100]), "ahead": rng.randint(0, most)}

    mv = rng.choice([900, 900, 700, 1100, 500])
    clock = {500: 400, 700: 140, 900: 100, 1100: 70}[mv] + rng.randint(0, 5)
    thin = {"oxide": "thin"} if rng.random() < 0.3 else {}
    pads = {name: each for name in ("far",) if (each := sleep(3))}
    wires = []
    for w in (
        wire("t.token", "s.at", (0, 2), (6, 2), (6, 0)),
        wire("t.token", "far.at", (0, 2), (0, 8), (6, 8)),
        wire("t.token", "out.at", (0, 2), (0, 1), (15, 1), (15, 4)),
        wire("s.value", "x.a", (6, 0), (10, 0), (10, 4)),
        wire("far.value", "x.b", (6, 8), (10, 8), (10, 4)),
        wire("x.out", "out.value", (10, 4), (15, 4)),
    ):
        w = {**w, "every_ns": rng.choice([2, 4])} | sleep(1)
        if rng.random() < 0.4:
            w["gap"] = rng.choice([90, 75, 60])
        if rng.random() < 0.4:
            w["encoding"] = rng.choice(CODES)
        w["voltage_mv"] = rng.choice([700, 900, 1000])
        wires.append(w)
    settings = {"voltage_mv": mv, "clock_ticks": clock, **thin}
    return design([core("x", "add", (10, 4), **settings, **sleep(2))], wires, pads=pads)


@pytest.mark.parametrize("number", range(24))
def test_no_machine_is_below_the_limits(number: int) -> None:
    made, found = everything(), simulate(everything(), plan(random.Random(number)))
    limit = energy_limit(made)
    assert found.problems == [] and found.verdict in ("pass", "fault"), found.problems
    if found.verdict == "fault":
        assert found.fault and "on the wire" in found.fault.message  # stray bits, or noise
        return
    assert found.energy_exact and found.metrics and found.bound and found.energy_limit
    assert found.energy_exact.total == sum(found.energy_exact.by_cause.values())
    assert found.energy_exact.total >= limit.total * found.metrics.launches and found.energy_limit.binding
    assert found.metrics.throughput_launches_per_us <= found.bound.launches_per_us * (1 + 1e-12)
    assert set(found.energy_exact.by_cause) >= {"shifting", "coupling", "encoding", "tunnelling", "wake-up"}


def test_most_of_these_machines_pass() -> None:
    verdicts = [simulate(everything(), plan(random.Random(number))).verdict for number in range(24)]
    assert verdicts.count("pass") >= 12, verdicts


def test_sleep_lowers_the_limit_of_what_may_sleep() -> None:
    off, on = energy_limit(everything(physics={})), energy_limit(everything(physics={"gating": {}}))
    wires = energy_limit(everything(physics={"gating": {"offered": ["wires"]}}))
    assert off.by_cause == wires.by_cause
    access = 8 * 48_000 / 1000
    standing = off.by_cause["memory"] / EXACT_PER_PJ - access - 8 * 5 * 2
    asleep = on.by_cause["memory"] / EXACT_PER_PJ - access - 8 * 5 * 2
    assert asleep == pytest.approx(standing / 10) and standing > 0
    assert on.by_cause["drive"] == off.by_cause["drive"]
    assert on.by_cause["leakage"] < off.by_cause["leakage"]
