"""Crosstalk: energy and noise of words side by side, flips past the margin, and how they are foreseen."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from engine.builder import Builder
from engine.crosstalk import reaches, worst
from engine.elaborate import elaborate
from engine.fingerprint import design_hash
from engine.kernel import CompiledMachine
from engine.machine import Cause, Machine, Options, Stop
from engine.model import Design, Level
from engine.netlist import Coupling, Netlist
from engine.plain import PlainMachine
from engine.plain.field import Field
from engine.score import measure
from engine.simulation import simulate
from engine.steady import long_run, sampled_run
from engine.truth import Workload
from engine.units import EXACT_PER_AJ
from levels.textform import decode, encode
from levels.trees import design_tree
from tests.engine.side_by_side import board, design, wire

ENGINES = (PlainMachine, CompiledMachine)
PART = 5000
"""aJ: a fifth of the energy of a toggled bit and tile."""


class Segments:
    """Of a machine only where launches are charged."""

    def segment(self, launch: int) -> int:
        return 1


def pair(length: int = 10, **more: Any) -> Netlist:
    """Two wires beside each other for their whole length but for the first and last tile, or more of those given."""
    net = elaborate(board(2, length), design([wire(i, 0, length, **more) for i in range(2)]))
    assert len(net.stretches) == 1
    return net


def field(net: Netlist) -> Field:
    return Field(Segments(), net)  # type: ignore[arg-type]


def coupling(net: Netlist, number: int) -> Coupling:
    found = net.wires[number].coupling
    assert found is not None
    return found


# --- energy ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("up", "down", "units"), [(1, 0, -1), (0, 1, 1), (2, 0, 0), (0, 2, 0), (0, 0, 0)])
def test_a_pair_of_lines_takes_the_square_of_the_difference_of_their_changes(up: int, down: int, units: int) -> None:
    """½·C·(Δ − Δ')², shared by both: 0, 1 or 4 units together with what each takes of quiet faces, 1 unit each."""
    net = pair()
    both = field(net)
    entry = 100 * (net.stretches[0].starts[0] - net.stretches[0].starts[1])
    both.entered(0, 0, 0, (1,), (0,))
    both.entered(1, entry, 0, (up,), (down,))
    tiles = net.stretches[0].tiles
    alone = field(net)
    alone.entered(0, 0, 0, (1,), (0,))
    alone.entered(1, entry + 1000, 0, (up,), (down,))
    for w in range(2):
        assert both.coupling[w][1] - alone.coupling[w][1] == units * PART * tiles
    face = PART * tiles * (1 + (up | down) % 2)
    assert face + 2 * units * PART * tiles in (0, PART * tiles, 2 * PART * tiles, 4 * PART * tiles)


def test_a_word_by_itself() -> None:
    """Of lines 0 rising, 1 falling, 3 rising: sides 1 + 4 + 1 + 1 + 1, faces two each, the shield's price."""
    shield = {"path": [[1, 0], [6, 0]], "track": 0}
    net = elaborate(board(1, 10), design([wire(0, 0, 10, track=1)], shields=[shield]))
    own = field(net)
    own.entered(0, 0, 0, (0b1001,), (0b0010,))
    length = net.wires[0].length
    assert own.coupling[0][1] == (8 + 2 * 3) * PART * length + 3 * 3000 * 5
    assert net.wires[0].toggle_aj == PART * length


def test_random_words_cost_what_they_cost_without_crosstalk() -> None:
    """400 fJ per tile on average: neither the level's scale nor the price of random words changes."""
    level = board(3, 12, measured=100)
    plain = level.model_copy(update={"physics": level.physics.model_copy(update={"crosstalk": None})})
    made = design([wire(i, 2, 12) for i in range(3)])
    figures = []
    for each in (level, plain):
        net = elaborate(each, made)
        machine = PlainMachine(net, Workload(each, 1), Options(period_search=False))
        machine.run(60_000)
        counters = machine.counters()
        energy = sum(int(counters.toggles[:, w].sum()) * x.toggle_aj for w, x in enumerate(net.wires))
        energy += int(counters.coupling.sum())
        figures.append(energy / int(sum(counters.entries[:, w].sum() * x.length for w, x in enumerate(net.wires))))
    assert figures[0] == pytest.approx(400_000, rel=0.02)
    assert figures[1] == pytest.approx(400_000, rel=0.02)


@pytest.mark.parametrize("times", [1, 3])
def test_the_energy_of_coupling_is_in_the_report_and_adds_up(times: int) -> None:
    level = board(3, 6, crosstalk={"switching": times})
    report = simulate(level, design([wire(i, 0, 6) for i in range(3)]), engine="plain")
    assert report.verdict == "pass" and report.energy_exact is not None
    by_cause = report.energy_exact.by_cause
    assert by_cause["coupling"] > 0 and sum(by_cause.values()) == report.energy_exact.total
    toggles = by_cause["switching"] // EXACT_PER_AJ // (PART * times)
    assert by_cause["coupling"] / by_cause["switching"] == pytest.approx(4, rel=0.1)
    assert toggles > 0


# --- meeting --------------------------------------------------------------------------------------------------


def test_overlap_falls_with_the_time_between_two_words() -> None:
    net = pair()
    lead = 100 * (net.stretches[0].starts[0] - net.stretches[0].starts[1])
    for apart, overlap in ((0, 64), (25, 48), (-50, 32), (99, 0), (100, 0)):
        meeting = field(net)
        meeting.entered(0, 1000, 0, (1,), (0,))
        meeting.entered(1, 1000 + lead + apart, 0, (2,), (0,))
        assert meeting.closest == [overlap]


def test_words_that_move_on_the_same_lines_never_push() -> None:
    net = pair()
    lead = 100 * (net.stretches[0].starts[0] - net.stretches[0].starts[1])
    meeting = field(net)
    for tick, mine, theirs in ((1000, 1, 1), (2000, 6, 6)):
        meeting.entered(0, tick, 0, (mine,), (0,))
        meeting.entered(1, tick + lead, 0, (theirs,), (0,))
    assert meeting.closest == [0]
    meeting.entered(0, 3000, 0, (0,), (6,))
    meeting.entered(1, 3000 + lead, 0, (6,), (0,))  # opposite ways, but no line is quiet
    assert meeting.closest == [0]


def test_words_of_unequal_speed_stay_together_until_the_faster_one_has_passed() -> None:
    """At 100 and 125 ticks per tile for 100 / 25 tiles."""
    net = elaborate(board(2, 10), design([wire(0, 0, 10), wire(1, 0, 10, every_ns=1.25)]))
    stretch = net.stretches[0]
    assert stretch.tiles >= 8
    fields = field(net)
    fields.entered(0, 1000, 0, (1,), (0,))
    fields.entered(1, 1000 + 100 * stretch.starts[0] - 125 * stretch.starts[1], 0, (0,), (1,))
    alone = field(net)
    alone.entered(0, 1000, 0, (1,), (0,))
    assert fields.coupling[0][1] - alone.coupling[0][1] == 4 * PART


# --- noise ----------------------------------------------------------------------------------------------------


def test_noise_is_signed_and_a_line_flips_past_the_margin_alone() -> None:
    """A line of 31 tiles bears its side neighbours at 900 mV to 30 tiles; a rising and a falling one cancel."""
    for length, pushed in ((27, 0), (28, 0b010)):
        net = elaborate(board(1, length), design([wire(0, 0, length)]))
        assert net.wires[0].length == length + 2 + 0
        noisy = field(net)
        noisy.entered(0, 0, 0, (0b101,), (0,))
        assert coupling(net, 0).side_uv == 6000 * net.wires[0].length
        expected = pushed if 2 * coupling(net, 0).side_uv > 360_000 else 0
        assert noisy.flips(0, 0, (0b101,)) == (expected,)
    noisy.entered(0, 100, 0, (0b10000,), (0b100,))
    assert noisy.flips(0, 100, (0b10001,)) == (0,)
    noisy.entered(0, 200, 0, (0,), (0b10001,))
    assert noisy.flips(0, 200, (0,)) == (0,), "what is low is held low by falling neighbours"


def test_margins() -> None:
    level = board(1, 5)
    for mv, margin in ((900, 360), (800, 288), (700, 216), (600, 144), (500, 72)):
        net = elaborate(level, design([wire(0, 0, 5, voltage_mv=mv, every_ns=10)]))
        assert coupling(net, 0).margin_uv == 1000 * margin


# --- two remedies ---------------------------------------------------------------------------------------------


def long_neighbours(encoding: str | None = None, **more: Any) -> tuple[Level, Design]:
    """Four streams in a column whose wires share all but their first and last tiles."""
    wires = [{**wire(i, 3, 16), **({"encoding": encoding} if encoding else {})} for i in range(4)]
    return board(4, 16, measured=60, encoding={"offered": ["no-lone-bits"]}), design(wires, **more)


def run(level: Level, made: Design, engine: Any = PlainMachine, seed: int = 0, **options: Any) -> Machine:
    machine: Machine = engine(elaborate(level, made), Workload(level, seed), Options(**options))
    if machine.run() is Stop.WINDOW:
        machine.run()
    return machine


def test_raw_fails_and_different_remedies_pass_at_different_cost() -> None:
    level, raw = long_neighbours()
    failed = simulate(level, raw, engine="plain")
    assert failed.verdict == "fault" and failed.fault is not None and failed.fault.code == "wrong-value"
    assert "flipped: the noise of" in failed.fault.message and "its own lines was above 360 mV" in failed.fault.message
    assert len(failed.fault.others) == 1 and "→" in failed.fault.others[0]
    apart = [{**wire(i, 3, 16), "track": 2 * i} for i in range(4)]
    shields = [{"path": [[1, 3], [17, 3]], "track": 2 * i + 1} for i in range(3)]
    remedies = design(apart, shields=shields), design(apart), long_neighbours("no-lone-bits")[1]
    reports = [simulate(level, made, engine="plain") for made in remedies]
    assert [r.verdict for r in reports] == ["pass"] * 3
    shielded, spaced, coded = (r.energy_exact.total for r in reports if r.energy_exact)
    assert spaced < shielded < coded


def test_what_is_left_out_of_a_long_run_is_a_mean_with_an_error() -> None:
    """Coupling depends on the words, as switching does; launches, ticks and all other energy are exact."""
    net = replace(elaborate(board(3, 8), design([wire(i, 0, 8) for i in range(3)])), measured=3000, window_events=0)
    net = replace(net, time_limit_ticks=20_000_000)
    workload = Workload(board(3, 8), 2)
    jumped = long_run(net, workload, Options(), "compiled")
    whole = sampled_run(CompiledMachine(net, workload, Options()))
    assert jumped.jump and jumped.measured and whole.measured
    ours, full = jumped.measured.by_cause, whole.measured.by_cause
    assert (jumped.measured.launches, jumped.measured.ticks) == (whole.measured.launches, whole.measured.ticks)
    by_data = ("switching", "coupling")
    assert {c: e for c, e in ours.items() if c not in by_data} == {c: e for c, e in full.items() if c not in by_data}
    off = sum(ours[c] - full[c] for c in by_data) / EXACT_PER_AJ
    assert jumped.jump.error > 0 and abs(off) < 4 * jumped.jump.error
    assert ours["coupling"] == pytest.approx(full["coupling"], rel=0.02)


# --- foreseen -------------------------------------------------------------------------------------------------


def random_design(rng: random.Random, phases: bool) -> tuple[Level, Design]:
    length = rng.randint(11, 20)
    level = board(4, length, measured=60)
    volts = rng.choice([800, 825, 850, 875, 900, 925, 950])
    wires = []
    for i in range(4):
        start = rng.randint(1, 3) if phases else 1
        more = {"voltage_mv": volts} if volts != 900 else {}
        wires.append(wire(i, 3, length - start + 1, start, **more))
    return level, design(wires)


def test_pass_or_fail_is_foreseen_from_the_spare_margin_alone() -> None:
    right, failed = 0, 0
    for number in range(50):
        rng = random.Random(1000 + number)
        level, made = random_design(rng, phases=number % 2 == 1)
        machine = run(level, made, seed=number)
        passes = machine.fault is None
        net = machine.netlist
        spare = min(r.spare_uv for r in worst(net, machine.closest().tolist()))
        right += (spare >= 0) == passes
        failed += not passes
        if not passes:
            assert spare < 0, "what is said to be safe never fails"
            assert machine.late_words() and machine.late_words()[0].cause is Cause.NOISE
    assert right >= 48 and 10 <= failed <= 40, (right, failed)


def test_reach_by_hand() -> None:
    level, made = long_neighbours()
    net = elaborate(level, made)
    middle = reaches(net)[1]
    length = net.wires[1].length
    tiles = [net.stretches[number].tiles for number, _ in middle.faces]
    assert middle.reach_uv == 2 * 6000 * length + 6000 * sum(tiles)
    assert middle.margin_uv == 360_000 and middle.spare_uv == 360_000 - middle.reach_uv
    coded = elaborate(*long_neighbours("no-lone-bits"))
    assert reaches(coded)[1].side_uv == 6000 * coded.wires[1].length
    report = simulate(level, design([wire(i, 3, 16, track=2 * i) for i in range(4)]), engine="plain")
    assert report.crosstalk is not None and len(report.crosstalk.wires) == 4
    assert all(w.spare_mv >= 0 for w in report.crosstalk.wires)


def test_designs_with_shields_and_tracks_come_back_from_text_and_builder() -> None:
    level = board(2, 6)
    shields = [{"path": [[1, 1], [7, 1]], "track": 1}]
    made = design([wire(0, 1, 6, track=0), wire(1, 1, 6, track=2)], shields=shields)
    assert decode(encode(made)) == made
    again = Builder.of(level, made)
    assert again.design() == made
    again.shield([1, 3], [4, 3], track=5)
    assert len(again.design().shields) == 2 and len(made.shields) == 1
    plain = design([wire(0, 1, 6), wire(1, 1, 6)])
    assert design_hash(made) != design_hash(plain)
    assert not {"shields", "track"} & set(design_tree(plain) | design_tree(plain)["wires"][0])
    assert elaborate(level, made).stretches == () and elaborate(level, plain).stretches


def test_a_machine_that_passes_by_its_phases_is_told_to_work_by_luck() -> None:
    """Words that keep out of each other's way meet when delays vary."""
    level = board(4, 18)
    for pad in level.pads:
        pad.every_ns = 4
    cores = [{"id": f"m{i}", "core": "mul", "at": [2, 2 * i], "set": {"b": 1}} for i in range(4)]
    wires: list[dict[str, Any]] = []
    for i in range(4):
        y = 2 * i
        wires.append({"from": f"s{i}.value", "to": f"m{i}.a", "path": [[0, y], [2, y]], "every_ns": 1})
        path = [[2, y], [4, y], [4, 3], [17, 3], [17, y], [20, y]]
        wires.append({"from": f"m{i}.out", "to": f"q{i}.value", "path": path, "every_ns": 1})
    report = simulate(level, design(wires, cores=cores), jitter=3)
    assert report.verdict == "pass" and report.crosstalk and all(w.spare_mv >= 0 for w in report.crosstalk.wires)
    assert report.hazard and "flipped: the noise of" in report.hazard.reason


def test_off_is_absent() -> None:
    level = board(2, 5)
    off = level.model_copy(update={"physics": level.physics.model_copy(update={"crosstalk": None})})
    report = simulate(off, design([wire(i, 0, 5) for i in range(2)]), engine="plain")
    assert report.energy_exact and "coupling" not in report.energy_exact.by_cause
    assert "crosstalk" not in report.model_dump()
    net = elaborate(off, design([wire(i, 0, 5) for i in range(2)]))
    assert not net.stretches and all(w.coupling is None for w in net.wires)


# --- order ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_the_order_of_simultaneous_entries_changes_nothing(engine: Any) -> None:
    """Pads and wires in other orders: the same lines flip, the same energy by wire."""
    level, _ = long_neighbours()
    wires = [wire(i, 3, 16, track=i) for i in range(4)]
    seen = []
    for seed in range(6):
        order = random.Random(seed).sample(range(4), 4)
        pads = [level.pads[i] for i in order] + [level.pads[4 + i] for i in reversed(order)]
        shuffled = level.model_copy(update={"pads": pads})
        machine = run(shuffled, design([wires[i] for i in order[::-1]]), engine, period_search=False)
        net = machine.netlist
        counters = machine.counters()
        measured = measure(net, counters, 1, 1, False)
        energy = {w.id: measured.by_element[w.id].get("coupling", 0) for w in net.wires}
        total = {w.id: int(counters.coupling[:, k].sum()) for k, w in enumerate(net.wires)}
        marks = sorted((m.tick, net.wires[m.index].id, m.bits) for m in machine.late_words())
        closest = sorted(
            (tuple(sorted(net.wires[w].id for w in s.wires)), int(c))
            for s, c in zip(net.stretches, machine.closest(), strict=True)
        )
        seen.append((machine.now, energy, total, marks, closest))
    assert seen[0][3] and all(each == seen[0] for each in seen)


@pytest.mark.parametrize("engine", ENGINES)
def test_going_back_gives_the_same(engine: Any) -> None:
    level, made = long_neighbours()
    machine: Machine = engine(elaborate(level, made), Workload(level, 3), Options(period_search=False))
    machine.run(900)
    kept = machine.snapshot()
    ends = []
    for _ in range(2):
        for tick in range(950, 2200, 130):
            machine.run(tick)
        ends.append(
            (machine.counters().coupling.tolist(), machine.closest().tolist(), machine.late_words(), machine.now)
        )
        machine.restore(kept)
    assert ends[0] == ends[1]
