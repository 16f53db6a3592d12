"""Sleep against a state machine that goes tick by tick, and against what can be worked out by hand."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from engine.elaborate import check_design, elaborate
from engine.explain import why
from engine.live import LiveScore
from engine.log import INDEX, PORT, READY, TICK, WHAT, Log, What
from engine.machine import Machine, Options, Stop
from engine.model import Design, Level, Report
from engine.netlist import Netlist
from engine.plain import PlainMachine
from engine.simulation import Simulation, simulate
from engine.technology import technology
from tests.draft import scramble
from tests.engine.machines import core, design, level, streams, wire
from tests.graphs import gated, graph

# --- tick by tick -----------------------------------------------------------------------------------------------


@dataclass
class Clockwork:
    """A node or wire that counts its idle ticks one by one."""

    after: int
    idle: int = 0
    asleep: bool = False
    slept: list[int] = field(default_factory=list)
    woken: list[int] = field(default_factory=list)

    def tick(self, t: int, idle: bool, needed: bool) -> None:
        """What it is from tick t to t + 1."""
        if not idle or needed:
            if self.asleep:
                self.woken.append(t)
            self.idle, self.asleep = 0, False
        else:
            self.asleep = self.idle >= self.after
            self.idle += 1
            if self.asleep:
                self.slept.append(t)


def clockworks(net: Netlist, log: Log, end: int) -> tuple[dict[int, Clockwork], dict[int, Clockwork]]:
    """All nodes and wires that may sleep, from what happened in a run up to and with tick ``end``."""
    by_tick: dict[int, list[Any]] = defaultdict(list)
    for row in log:
        by_tick[int(row[TICK])].append(row)
    queues: list[list[tuple[int, int]]] = [[] for _ in net.nodes]  # results: (ready, port)
    taken, gone = [0] * len(net.wires), [0] * len(net.wires)  # copies that have entered; results that are gone
    held: list[list[int]] = [[] for _ in net.wires]  # entry ticks
    last_exit, pending = [-(10**9)] * len(net.wires), [0] * len(net.wires)
    next_fire, wanted = [0] * len(net.nodes), [False] * len(net.nodes)
    nodes = {i: Clockwork(n.gate.sleep_after) for i, n in enumerate(net.nodes) if n.gate and n.kind != "collect"}
    wires = {i: Clockwork(w.gate.sleep_after) for i, w in enumerate(net.wires) if w.gate and w.every_ticks}
    for i, node in enumerate(net.nodes):
        if node.kind == "delay" and node.outputs[0].wires:
            queues[i] = [(0, -1)] * node.params["slots"]
            for w in node.outputs[0].wires:
                pending[w] += node.params["slots"]

    def leads(node: int, port: int) -> list[int]:
        outputs = net.nodes[node].outputs
        return [w for k, out in enumerate(outputs) if port in (-1, k) for w in out.wires]

    def request(w: int, ahead: int) -> int:
        spec = net.wires[w]
        if not held[w]:
            return 10**9
        arrival = max(held[w][0] + spec.transit_ticks, last_exit[w] + spec.every_ticks)
        return max(held[w][0], arrival - min(ahead, spec.length) * spec.every_ticks)

    for t in range(end + 1):
        for row in by_tick.get(t, ()):
            what, i = int(row[WHAT]), int(row[INDEX])
            if what == What.ENTERED:
                held[i].append(t)
                pending[i] -= 1
                taken[i] += 1
            elif what == What.LEFT:
                held[i].pop(0)
                last_exit[i] = t
            elif what == What.FIRED:
                next_fire[i], wanted[i] = t + net.nodes[i].interval_ticks, False
            elif what == What.MADE:
                queues[i].append((int(row[READY]), int(row[PORT])))
                for w in leads(i, int(row[PORT])):
                    pending[w] += 1
            elif what == What.GONE:
                for w in leads(i, queues[i].pop(0)[1]):
                    gone[w] += 1
        for w, clockwork in wires.items():
            gate = net.wires[w].gate
            assert gate
            source = net.wires[w].source
            queue = queues[source]
            stands = bool(queue) and queue[0][0] <= t and w in leads(source, queue[0][1]) and taken[w] == gone[w]
            clockwork.tick(t, not held[w], stands or (gate.ahead > 0 and pending[w] > 0))
        for n, clockwork in nodes.items():
            gate = net.nodes[n].gate
            assert gate
            ports = [port.wires for port in net.nodes[n].inputs if port.wires]
            idle = not queues[n] and t >= next_fire[n]
            if not queues[n] and ports:
                wanted[n] |= all(min(request(w, gate.ahead) for w in port) <= t for port in ports)
            clockwork.tick(t, idle, wanted[n])
    return nodes, wires


SIMPLE = ("stream", "unary", "binary", "relay", "buffer", "deal", "take", "delay")


def sleepers(number: int) -> tuple[Machine, Netlist, list[Log]]:
    rng = random.Random(scramble(61, number))
    case = graph(rng, size=rng.randint(2, 8), only=SIMPLE)
    net = gated(rng, case.net)
    machine = PlainMachine(net, case.truth, Options(period_search=False))
    logs: list[Log] = []
    machine.watch(lambda log: logs.append(log.copy()))
    return machine, net, logs


@pytest.mark.parametrize("number", range(60))
def test_sleep_is_that_of_a_machine_that_goes_tick_by_tick(number: int) -> None:
    machine, net, logs = sleepers(number)
    rng = random.Random(number)
    if machine.run(rng.randint(200, 6000)) in (Stop.WINDOW, Stop.EXTENSION):
        machine.run(machine.now)  # the rest of the tick
    start, now = max(machine.window.start_tick, 0), machine.now
    found = machine.counters()
    nodes, wires = clockworks(net, np.concatenate(logs) if logs else np.zeros((0, 11), np.int64), now)
    for machines, rows in ((nodes, found.node_sleep), (wires, found.wire_sleep)):
        for i, clockwork in machines.items():
            slept, wakes, _ = rows[i].tolist()
            assert slept == sum(start <= t < now for t in clockwork.slept), (i, number)
            assert wakes == sum(t >= start for t in clockwork.woken), (i, number)


# --- machines ---------------------------------------------------------------------------------------------------


def burst(
    gate: bool = True, *, rest_ns: float = 92, words: int = 8, speed_ns: float = 1, **given: Any
) -> tuple[Level, Design]:
    """s + 1 in bursts of 8 words at 1 ns: 12 tiles, a core, and 3 tiles to the sink."""
    made = streams(words, physics={"gating": {}}, standby_uw=10, **given)
    made = made.model_copy(update={"kernel": made.kernel.model_copy(update={"truth": "out[i] = s[i] + 1"})})
    made.pads[0].every_ns = made.pads[1].every_ns = 1
    made.pads[0].burst = (8, rest_ns)
    wires = [
        wire("s.value", "x.a", (0, 4), (12, 4), every_ns=speed_ns),
        wire("x.out", "out.value", (12, 4), (15, 4), every_ns=speed_ns),
    ]
    settings = {"gate": True} if gate else {}
    return made, design([core("x", "add", (12, 4), b=1, **settings)], [{**w, **settings} for w in wires])


def row(report: Report, name: str) -> Any:
    assert report.gating is not None
    return next(each for each in report.gating if each.id == name)


def test_gating_pays_for_bursts() -> None:
    on, off = simulate(*burst()), simulate(*burst(False))
    assert on.verdict == off.verdict == "pass" and off.gating == []
    assert on.metrics and off.metrics and on.energy_exact and off.energy_exact
    assert on.metrics.efficiency_launches_per_nj > 2.5 * off.metrics.efficiency_launches_per_nj
    assert on.energy_exact.total == sum(on.energy_exact.by_cause.values())
    assert on.energy_exact.by_cause["wake-up"] == on.metrics.launches * (1500 + 400 * 15) * 1000 * 100
    assert off.energy_exact.by_cause["wake-up"] == 0


def test_a_period_of_a_gated_machine_by_hand() -> None:
    """The wire's clock wakes in 2 ns, the core in 3: each is asleep from 1 ns after its last word to the next one."""
    report = simulate(*burst())
    first = row(report, "s.value → x.a")
    assert report.steady and report.window and first.wakes == report.metrics.launches  # type: ignore[union-attr]
    # A word stands for 2 ns until the wire is awake: 7 more at 1 ns, then 92 ns and the interval.
    period = 2 + 7 + 93
    assert report.steady.period_ns == period
    # It wakes for the first word; the last one enters 9 ns later, and the core takes it 12 ns after that and what its
    # own waking and that of the wire behind it have put off.
    assert first.mean_sleep_ns is not None and first.margin == pytest.approx(first.mean_sleep_ns / 2.5)
    asleep = period - (2 + 7 + 12 + 3 + 2) - 1
    assert first.mean_sleep_ns == asleep and first.asleep == pytest.approx(asleep / period)
    assert report.metrics and report.metrics.latency_ns.median == 24 + 2 + 3 + 2


def test_break_even_of_wires_cores_and_far_pads() -> None:
    """What a waking takes over the power that sleep saves: 2.5 ns / v, 11.1 ns, 3.7 ns, whatever length and volts."""
    report = simulate(*burst(speed_ns=2))
    assert row(report, "s.value → x.a").break_even_ns == pytest.approx(5)
    assert row(report, "x").break_even_ns == pytest.approx(1500 / 135)
    assert row(simulate(*burst()), "x.out → out.value").break_even_ns == pytest.approx(2.5)
    assert row(simulate(*far()), "m").break_even_ns == pytest.approx(20_000 / 5400)


@pytest.mark.parametrize("rest_ns, pays", [(92, True), (6, False)])
def test_margin_says_whether_sleep_pays(rest_ns: float, pays: bool) -> None:
    """Only the first wire sleeps; what it sleeps is compared with what a waking takes."""
    made, plan = burst(False, rest_ns=rest_ns)
    gated_plan = plan.model_copy(deep=True)
    gated_plan.wires[1].gate, gated_plan.wires[1].sleep_after = True, 0
    on, off = simulate(made, gated_plan), simulate(made, plan)
    margin = row(on, "x.out → out.value").margin
    assert margin is not None and (margin > 1) is pays
    assert on.energy_exact and off.energy_exact and on.metrics and off.metrics

    def drive(report: Report) -> float:
        assert report.energy_exact and report.metrics
        spent = sum(report.energy_exact.by_element["x.out → out.value"].get(c, 0) for c in ("drive", "wake-up"))
        return spent / report.metrics.launches

    assert (drive(on) < drive(off)) is pays


def far(**settings: Any) -> tuple[Level, Design]:
    """A word of far memory now and then."""
    arrays = {"s": {"shape": [4], "data": {}}, "m": {"shape": [4], "data": {}, "memory": "far"}, "out": {"shape": [4]}}
    made = level(
        arrays,
        [
            {"id": "s", "core": "stream", "at": [0, 4], "every_ns": 200},
            {"id": "m", "core": "load", "at": [8, 0]},
            {"id": "out", "core": "sink", "at": [15, 4]},
        ],
        physics={"gating": {}},
        kernel={"arrays": arrays, "truth": "out[i] = m[2]"},
    )
    plan = design(
        [core("k", "select", (4, 4), a=2, b=2)],
        [
            wire("s.value", "k.cond", (0, 4), (4, 4)),
            wire("k.out", "m.at", (4, 4), (4, 0), (8, 0)),
            wire("m.value", "out.value", (8, 0), (9, 0), (9, 4), (15, 4)),
        ],
        pads={"m": {"gate": True, **settings}},
    )
    return made, plan


def test_a_far_pad_sleeps() -> None:
    on = simulate(*far())
    assert on.verdict == "pass" and on.energy_exact and on.metrics
    pad = row(on, "m")
    # 200 ns between words, less 5 of waking, 40 of the access, and 1 before it falls asleep; the next word comes later
    # by the time in which it waited for the pad.
    assert pad.mean_sleep_ns == 200 - 5 - 40 - 1
    ticks = on.energy_exact.by_element["(chip)"]["standby"] // 1_000_000
    slept = round(pad.asleep * ticks)
    accesses = on.metrics.launches * 4 * 48_000_000 * 100
    assert on.energy_exact.by_element["m"]["memory"] == 6_000_000 * ticks - 5_400_000 * slept + accesses


def test_looking_ahead_hides_the_waking() -> None:
    made, plan = burst()
    late = simulate(made, plan)
    plan = plan.model_copy(deep=True)
    plan.cores[0].set["ahead"] = 3
    plan.wires[1].ahead = 1
    ready = simulate(made, plan)
    assert late.metrics and ready.metrics
    # The core's three cycles pass while the word is on its way; the wire's two are longer than the core takes: 1 ns.
    assert late.metrics.latency_ns.median - ready.metrics.latency_ns.median == 4
    assert row(ready, "x").delayed == 0 and row(late, "x").delayed == row(late, "x").wakes


def test_a_core_wakes_within_three_of_its_own_cycles() -> None:
    made, plan = burst()
    made = made.model_copy(update={"physics": made.physics.model_validate({"gating": {}, "dvfs": {}})})
    plan = plan.model_copy(deep=True)
    plan.cores[0].set |= {"voltage_mv": 600, "clock_ticks": 180}
    net = elaborate(made, plan)
    gate = next(node.gate for node in net.nodes if node.id == "x")
    assert gate and gate.wake_ticks == 540
    assert gate.wake_aj == round(1500_000 * (600 / 900) ** 2)


def test_long_runs_have_the_sleep_of_every_period() -> None:
    made, plan = burst()
    short, long = simulate(made, plan), simulate(made, plan, launches=5000)
    whole = simulate(made, plan, launches=5000, full=True)
    assert long.steady and long.steady.launches_jumped
    assert long.gating == whole.gating
    assert long.energy_exact and whole.energy_exact
    for cause in ("drive", "leakage", "wake-up"):
        assert long.energy_exact.by_cause[cause] == whole.energy_exact.by_cause[cause]
    assert row(long, "x").mean_sleep_ns == row(short, "x").mean_sleep_ns


@pytest.mark.parametrize("change", ["core", "pad", "wire", "shared"])
def test_what_cannot_sleep_is_told(change: str) -> None:
    made, plan = burst()
    if change == "pad":
        plan = plan.model_copy(update={"pads": {"out": {"gate": True}}})
    elif change == "shared":
        plan = plan.model_copy(deep=True)
        plan.cores[0].core = "barrier"
        plan.cores[0].set = {"n": 4, "gate": True}
        plan.wires[0].to, plan.wires[1].source = ["x.in"], "x.out"
    else:
        offered = ["wires"] if change == "core" else ["cores"]
        made = made.model_copy(update={"physics": made.physics.model_validate({"gating": {"offered": offered}})})
    found = [problem for problem in check_design(made, plan) if problem.severity == "error"]
    assert {problem.code for problem in found} == {"not-offered"}
    assert "sleep" in found[0].message or "far memory" in found[0].message


def test_without_gating_a_report_has_no_key_of_it() -> None:
    report = simulate(*burst(False))
    assert "gating" in report.model_dump()
    made = streams(4).model_copy(update={"kernel": burst()[0].kernel})
    report = simulate(made, burst(False)[1])
    assert report.verdict == "pass"
    assert "gating" not in report.model_dump()
    assert report.energy_exact and "wake-up" not in report.energy_exact.by_cause


def test_who_waits_for_what_sleeps_is_told_that_it_wakes() -> None:
    made, plan = burst()
    simulation = Simulation(made, plan)
    net = simulation.netlist
    simulation.run_until(101)  # the first burst has found all awake: the second one begins at 100
    assert why(net, simulation.state(), net.wires[0].source).reason == "s → x wakes up"
    while simulation.now_ns < 116:  # the window may begin or end on the way
        simulation.run_until(116)
    assert why(net, simulation.state(), net.wires[0].target).reason == "x wakes up"


def test_the_live_score_knows_sleep() -> None:
    """Edits of speeds alone keep the machine: it begins awake again; a stopped wire neither sleeps nor wakes."""
    made, plan = burst()
    made = made.model_copy(update={"physics": made.physics.model_validate({"gating": {}, "heat": {}})})
    cool = made.model_copy(update={"physics": made.physics.model_validate({"gating": {}})})
    for there in (cool, made):
        live = LiveScore(there)
        for ticks in (100, 200, None, 150, 100):
            edited = plan.model_copy(deep=True)
            edited.wires[0].every_ticks = ticks
            live.edit(edited)
            figure, fresh = live.finish(), simulate(there, edited)
            assert figure.verdict == fresh.verdict
            if fresh.energy_exact:
                assert figure.measured and figure.measured.by_element == fresh.energy_exact.by_element
                assert live.report().gating == fresh.gating


def test_heat_and_sleep_together() -> None:
    """What sleeps is cooler, and leaks by its temperature for as long as it is awake, and a tenth of that asleep."""
    made, plan = burst()
    hot = made.model_copy(update={"physics": made.physics.model_validate({"gating": {}, "heat": {}})})
    on, off = simulate(hot, plan), simulate(hot, burst(False)[1])
    assert on.heat and off.heat and on.heat.cores[0].kelvin < off.heat.cores[0].kelvin
    assert on.energy_exact and on.window
    ticks = round((on.window.end_ns - on.window.start_ns) * 100)
    slept = round(row(on, "x").asleep * ticks)
    nw = technology("n45").heat.leakage_nw(150_000, round(on.heat.cores[0].kelvin * 1e6))
    assert on.energy_exact.by_element["x"]["leakage"] == nw * ticks - (nw - (nw * 10 + 50) // 100) * slept
