"""The façade: reports that add up, verdicts that say why, machines that can be stopped and wound back."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine import Simulation, simulate
from engine.builder import Builder
from engine.errors import InvalidError, UsageError
from engine.machine import Stop
from engine.model import Design, Level, Report, causes_with
from levels import load_design, load_level
from levels.lookup import campaign, find_level

ENGINES = ("plain", "compiled")


def ignition(speed: float = 0.25, standby: float | None = None) -> tuple[Level, Design]:
    level = load_level("first-light-01-ignition")
    if standby is not None:
        level = level.model_copy(update={"standby_uw": standby})
    builder = Builder(level)
    builder.wire("a.value", "out.value", speed=speed)
    return level, builder.design()


def jam(role: str) -> tuple[Level, Design]:
    level = load_level("first-light-06-the-jam")
    assert level.reference
    name = getattr(level.reference, role)
    return level, load_design(find_level(level.id).parent / name)


@pytest.mark.parametrize("engine", ENGINES)
def test_ignition_by_hand(engine: str) -> None:
    """11 tiles at a word every 4 ns: 250 launches/µs; 440 µW of drive, 55 µW of leakage, 500 µW of standby."""
    level, design = ignition()
    report = simulate(level, design, engine=engine)  # type: ignore[arg-type]
    assert report.verdict == "pass"
    assert report.engine == engine
    assert report.metrics and report.window and report.energy_exact and report.energy_pj
    assert report.metrics.throughput_launches_per_us == 250
    assert report.window.kind == "period"
    assert (report.window.period_launches, report.window.period_ns) == (1, 4.0)
    launches, ns = report.metrics.launches, report.window.end_ns - report.window.start_ns
    assert ns == 4 * launches
    exact = report.energy_exact.by_cause
    ticks = round(ns * 100)
    assert exact["drive"] == 440_000 * ticks
    assert exact["leakage"] == 55_000 * ticks
    assert exact["standby"] == 500_000 * ticks
    assert exact["switching"] % (25_000 * 11 * 100) == 0  # whole bits over 11 tiles
    assert (
        report.metrics.latency_ns.median == report.metrics.latency_ns.worst == 44 + 1
    )  # 11 tiles, one cycle at the sink


@pytest.mark.parametrize("entry", campaign(), ids=lambda e: e.id)
def test_energy_adds_up_exactly_on_every_reference(entry: object) -> None:
    level = load_level(entry.id)  # type: ignore[attr-defined]
    if level.reference is None:
        pytest.skip("no reference yet")
    for name in (level.reference.naive, level.reference.best):
        report = simulate(level, load_design(find_level(level.id).parent / name))
        exact = report.energy_exact
        assert exact and report.metrics and report.window and report.energy_pj
        by_element: dict[str, int] = dict.fromkeys(causes_with(level.physics.modules), 0)
        for parts in exact.by_element.values():
            for cause, energy in parts.items():
                by_element[cause] += energy
        assert by_element == exact.by_cause
        assert sum(exact.by_cause.values()) == exact.total
        # The three figures of the score box divide to each other as shown: (launches/µs) ÷ mW = launches/nJ.
        m = report.metrics
        assert m.throughput_launches_per_us / m.power_mw == pytest.approx(m.efficiency_launches_per_nj, rel=1e-12)
        assert m.efficiency_launches_per_nj == float(Fraction(m.launches * 10**11, exact.total))
        for element in report.elements:
            if element.kind != "wire":
                ns = element.busy_ns + element.starved_ns + element.blocked_ns
                assert ns == pytest.approx(report.window.end_ns - report.window.start_ns)


def test_a_report_is_the_same_twice_and_survives_json() -> None:
    level, design = jam("naive")
    first, second = simulate(level, design), simulate(level, design)
    assert first == second
    assert Report.model_validate_json(first.model_dump_json()) == first


def test_the_seed_changes_the_data_and_so_the_switching() -> None:
    level, design = ignition()
    energies = {simulate(level, design, seed=s).energy_exact.by_cause["switching"] for s in range(4)}  # type: ignore[union-attr]
    assert len(energies) > 1


@pytest.mark.parametrize("level_id", ["first-light-01-ignition", "first-light-03-side-by-side", "gpu-puzzles-10-dot"])
def test_the_chance_of_the_data_averages_out(level_id: str) -> None:
    """Energy of switching depends on the words; a score does not change by 1 % with them, nor in a longer run."""
    level = load_level(level_id)
    assert level.reference
    design = load_design(find_level(level_id).parent / level.reference.best)
    runs = [simulate(level, design, seed=seed) for seed in range(4)]
    assert all(run.metrics and run.events >= 10_000 for run in runs)
    scores = [run.metrics.efficiency_launches_per_nj for run in runs if run.metrics]
    assert max(scores) / min(scores) < 1.01
    longer = simulate(level, design, launches=10 * runs[0].metrics.launches)  # type: ignore[union-attr]
    assert longer.metrics
    assert abs(longer.metrics.efficiency_launches_per_nj / scores[0] - 1) < 0.01


def test_more_launches_can_be_asked_for() -> None:
    level, design = ignition()
    report = simulate(level, design, launches=20_000)
    assert report.metrics and report.metrics.launches >= 20_000
    # The level's time limit is for the level's own number of launches.
    short = level.model_copy(update={"limits": level.limits.model_copy(update={"time_us": 20})})
    assert simulate(short, design, launches=20_000).verdict == "pass"
    with pytest.raises(UsageError, match="at least 1"):
        simulate(level, design, launches=0)


def test_a_design_that_cannot_be_built_is_invalid_with_its_problems() -> None:
    level, design = ignition()
    empty = design.model_copy(update={"wires": []})
    report = simulate(level, empty)
    assert report.verdict == "invalid"
    assert [p["code"] for p in report.problems] == ["output-unwired"]
    with pytest.raises(InvalidError):
        Simulation(level, empty)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_stopped_wire_is_named_as_the_root(engine: str) -> None:
    level, design = ignition(speed=0)
    report = simulate(level, design, engine=engine)  # type: ignore[arg-type]
    assert report.verdict == "deadlock"
    assert report.deadlock
    assert report.deadlock.message == "The wire a → out is stopped."
    assert report.deadlock.root == "a.value → out.value"
    assert not report.deadlock.ring


def test_a_wrong_value_names_place_expected_and_got() -> None:
    level = load_level("first-light-02-in-step")
    builder = Builder(level)
    builder.place("add", (6, 2), b=11)
    builder.wire("a.value", "add1.a", speed=1)
    builder.wire("add1.out", "out.value", speed=1)
    report = simulate(level, builder.design())
    assert report.verdict == "fault"
    fault = report.fault
    assert fault and fault.code == "wrong-value"
    assert (fault.core, fault.launch, fault.index) == ("out", 0, [0])
    assert fault.got == fault.expected + 1  # type: ignore[operator]
    assert fault.message == f"out[0] of launch 0: expected {fault.expected}, got {fault.got}."


def test_limits_are_judged_and_take_the_medal() -> None:
    level, design = ignition()
    level = level.model_copy(
        update={"limits": level.limits.model_copy(update={"throughput_per_us": 251.0, "footprint": 12})}
    )
    report = simulate(level, design)
    assert report.verdict == "limit"
    assert [(x.limit, x.ok) for x in report.limits] == [("throughput", False), ("footprint", True)]
    assert report.medal is None


@pytest.mark.parametrize(
    ("score", "medal"), [(10.0, "gold"), (9.99, "silver"), (5.0, "silver"), (2.0, "bronze"), (1.9, None)]
)
def test_a_medal_is_won_from_the_written_number_on(score: float, medal: str | None) -> None:
    from engine import score as scores
    from engine.model import MedalSpec

    level = load_level("first-light-01-ignition")
    level = level.model_copy(update={"medals": MedalSpec(bronze=2.0, silver=5.0, gold=10.0)})
    assert scores.medal(level, score) == medal


@pytest.mark.parametrize("engine", ENGINES)
def test_stepping_and_winding_back_end_in_the_same_report(engine: str) -> None:
    level, design = jam("naive")
    straight = Simulation(level, design, engine=engine).report()  # type: ignore[arg-type]
    stepped = Simulation(level, design, engine=engine)  # type: ignore[arg-type]
    for ns in (3.0, 10.25, 33.0):
        assert stepped.run_until(ns) is Stop.UNTIL
    held = stepped.snapshot()
    state = stepped.state()
    stepped.run_until(80.0)
    for _ in range(20):
        stepped.step()
    assert stepped.state() != state
    stepped.restore(held)
    assert stepped.state() == state
    assert stepped.report() == straight


def test_jitter_finds_a_machine_that_works_by_luck() -> None:
    level, design = jam("best")
    assert simulate(level, design, jitter=3).hazard is None


def test_the_jam_is_traced_to_the_divider() -> None:
    from engine.explain import why_wire

    level, design = jam("naive")
    simulation = Simulation(level, design)
    simulation.run_until(200)
    first = next(i for i, w in enumerate(simulation.netlist.wires) if simulation.netlist.nodes[w.source].id == "a")
    cause = why_wire(simulation.netlist, simulation.state(), first)
    root = next(c.id for c in design.cores if c.core == "div")
    assert cause.root == root
    assert not cause.ring
    assert len(cause.chain) > 2
    assert cause.reason == f"{root} takes a word every 12 ns"
    assert cause.meaning == "nothing before this point can be faster than 0.083 words per ns"


def test_too_little_room_on_the_short_road_is_a_ring_of_waits() -> None:
    """The sum of four words is wanted beside each of them, but the short road holds two and the pad one."""
    level = load_level("first-light-02-in-step").model_copy(update={"parts": None})
    b = Builder(level)
    b.place("add", (1, 2))
    b.place("accumulate", (5, 1), op="add", n=4)
    b.place("hold", (5, 3), n=4)
    b.wire("a.value", "add1.a", speed=1)
    b.wire("a.value", "accumulate1.in", speed=1)
    b.wire("accumulate1.out", "hold1.in", speed=1)
    b.wire("hold1.out", "add1.b", speed=1)
    b.wire("add1.out", "out.value", speed=1)
    report = simulate(level, b.design())
    assert report.verdict == "deadlock"
    assert report.deadlock
    assert report.deadlock.ring
    assert (report.deadlock.kind, report.deadlock.root) == ("roads", "a.value → add1.a")
    assert report.deadlock.message == "add1, hold1, accumulate1 and a wait for each other."
    assert report.deadlock.meaning == "The short road is full: it holds 2 words, and the other needs more."
    assert [step.message for step in report.deadlock.chain] == [
        "out waits at value for a word from add1",
        "add1 has 2 words at a and waits at b for a word from hold1",
        "hold1 waits at in for a word from accumulate1",
        "accumulate1 has 3 of 4 and waits at in for a word from a",
        "a holds a word that it cannot hand on to add1: a → add1 is full (2 of 2)",
        "and so the ring is closed",
    ]


@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_launch_costs_after_it_counted_is_charged_to_it(engine: str) -> None:
    """Beside the road, copies of all four words crawl along seven tiles to a gate that drops them, long after."""
    level = load_level("first-light-02-in-step").model_copy(update={"parts": None})
    b = Builder(level)
    b.place("add", (2, 2), b=10)
    b.place("gate", (7, 0), cond=0)
    b.wire("a.value", "add1.a", speed=1)
    b.wire("add1.out", "out.value", speed=1)
    b.wire("a.value", "gate1.in", every_ns=5)
    report = simulate(level, b.design(), engine=engine)  # type: ignore[arg-type]
    assert report.verdict == "pass"
    assert report.metrics and report.energy_exact
    per_firing = 1200 * 1000 * 100  # 1200 fJ in 1e-20 J
    assert report.energy_exact.by_element["gate1"]["control"] == report.metrics.launches * 4 * per_firing
