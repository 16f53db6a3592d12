"""The steady state: what repeats in every period, and long runs that jump over whole periods.

Where a machine's state repeats ("The window" in docs/model.md), each later period brings the same firings at the same
distances in time; only the words differ, and with them the toggled bits. A long run is therefore simulated with
periods left out of its middle: what is left is the same run, with the window, the time limit and the ticks after the
window moved forward by as much. What a left-out period holds is added exactly; its toggles are a mean.

The error of that mean comes from batches: stretches of time of whole periods, or where these are long of equal parts
of a period, each compared with its like. Two stretches whose packets have no launch in common are independent, since
every launch's words are drawn by themselves; a batch is so long that only neighbours have one. The variance of a sum
over many periods is then that of the batches and twice the covariance of neighbours, without a remainder.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from engine.machine import BY_LAUNCH, KEPT_LATENCIES, Counters, Machine, Options, Stop
from engine.machines import EngineName, make_machine
from engine.model import SteadyState
from engine.netlist import WINDOW_EVENTS, Netlist
from engine.outcome import Outcome, final_outcome, first_outcome, settled
from engine.truth import Workload
from engine.units import EXACT_PER_AJ, EXACT_PER_PJ
from engine.words import nodes_led_by_data

BATCHES = 64
"""Batches of a sample: about 20 degrees of freedom, so that two standard errors hold 19 of 20 deviations."""

LEAST_BATCHES = 16
"""A sample of fewer batches says too little about its own error."""

LEAST_TURNS = 4
"""So often each part of a long period is seen at least."""

SEARCH_TICKS = 1000
"""A long run is looked at after so many ticks at least, and then whenever it has become longer by a quarter."""

_BY_DATA = ("switching", "coupling")
"""Causes of energy that depend on the words."""
_BY_TIME = (
    *("node_firings", "busy", "blocked", "starved", "starved_by_port", "wire_entries", "wire_waits"),
    *("node_sleep", "wire_sleep"),
)


@dataclass(frozen=True, slots=True)
class Batches:
    """``turns`` stretches of ``each`` periods, and each of these in ``parts`` batches."""

    turns: int
    each: int
    parts: int

    @property
    def periods(self) -> int:
        """Periods of all batches."""
        return self.turns * self.each


@dataclass(frozen=True, slots=True)
class Sample:
    """What ``periods`` periods in a row held.

    events
        Firings and deliveries in each period.
    growth
        By how much each counter of :class:`engine.machine.Counters` grows in each period, toggles and what is kept
        per launch left out; those by segment are summed over the segments.
    toggles, coupling
        Toggled bits, and aJ of coupling, of each wire, in all periods of the sample.
    variance
        aJ²: by how much the variance of the energy of switching and coupling of many periods grows with each.
    """

    periods: int
    events: int
    growth: dict[str, NDArray[np.int64]]
    toggles: tuple[int, ...]
    variance: float
    coupling: tuple[int, ...] = ()

    def skipped_coupling(self, periods: int) -> list[int]:
        """The aJ of coupling per wire of ``periods`` further periods: the sample's mean, rounded half up."""
        return [(2 * periods * aj + self.periods) // (2 * self.periods) for aj in self.coupling]

    def skipped_toggles(self, periods: int) -> list[int]:
        """Toggled bits of each wire in ``periods`` further periods: the mean, rounded to whole bits, halves up."""
        return [(2 * periods * bits + self.periods) // (2 * self.periods) for bits in self.toggles]

    def mean_error(self, periods: int) -> float:
        """Standard error of the mean switching energy over ``periods`` periods, aJ per period."""
        return sqrt(self.variance / periods)

    def skipped_error(self, periods: int) -> float:
        """Standard error of the switching energy of ``periods`` further periods, aJ, against what they would take.

        Both the sample and the further periods have chance in them: σ² n²/k + σ² n.
        """
        return sqrt(self.variance * periods * (periods + self.periods) / self.periods)


@dataclass(frozen=True, slots=True)
class Jump:
    """Launches of a window that were left out, and the standard error of its switching energy for that (aJ)."""

    launches: int
    error: float


@dataclass(frozen=True, slots=True)
class _Plan:
    """A window of ``simulated`` + ``skipped`` periods of ``launches`` and ``ticks``; the sample is after ``begin``."""

    simulated: int
    skipped: int
    launches: int
    ticks: int
    batches: Batches
    begin: int


def long_run(netlist: Netlist, workload: Workload, options: Options, engine: EngineName) -> Outcome:
    """The outcome of a run, with whole periods left out where there are many.

    All figures are those of the whole run, the toggles and what follows from them a mean; see :attr:`Outcome.jump`.
    A fault that only the data of a left-out launch would show is not seen.
    """
    machine = make_machine(netlist, workload, options, engine)
    stop, before = _search(machine)
    plan = _plan(machine, before) if stop is None else None
    jumped = _jump(netlist, workload, options, engine, plan) if plan else None
    return jumped or _finish(machine, stop, before)


def sampled_run(machine: Machine) -> Outcome:
    """The outcome of a whole run of a machine at tick 0, with a sample of its window where that has enough periods."""
    return _finish(machine, *_search(machine))


def _finish(machine: Machine, stop: Stop | None, before: int) -> Outcome:
    """Run on to the end after :func:`_search`."""
    sample = None
    if stop is None:
        batches = _batches_in_window(machine, before)
        sample = take_sample(machine, batches) if batches else None
        stop = machine.run()
    outcome = first_outcome(stop, machine, machine.netlist)
    if not outcome.final:
        outcome = final_outcome(outcome, machine, machine.netlist)
    outcome.sample = sample
    return outcome


def steady_state(outcome: Outcome) -> SteadyState:
    """What a report tells of the steady state of a run that was measured."""
    window, measured = outcome.window, outcome.measured
    assert window and measured
    switching = sum(measured.by_cause.get(cause, 0) for cause in _BY_DATA) / EXACT_PER_PJ / measured.launches
    jumped = outcome.jump.launches if outcome.jump else 0
    if not window.period_launches:
        return SteadyState(
            reason=_why_none(outcome.netlist, outcome.completed),
            switching_pj_per_launch=switching,
            launches_simulated=measured.launches,
        )
    periods, sample = measured.launches // window.period_launches, outcome.sample
    exact = {cause: energy for cause, energy in measured.by_cause.items() if energy and cause not in _BY_DATA}
    # Packets that were not gone when the run ended leave a part of a period.
    whole = not any(energy % periods for energy in exact.values())
    error = sample.mean_error(sample.periods if jumped else periods) if sample else None
    return SteadyState(
        period_launches=window.period_launches,
        period_ns=window.period_ns,
        energy_exact_per_period={cause: energy // periods for cause, energy in exact.items()} if whole else None,
        switching_pj_per_launch=switching,
        switching_error_pj=_pj(error) / window.period_launches if error is not None else None,
        launches_simulated=measured.launches - jumped,
        launches_jumped=jumped,
        window_error_pj=_pj(outcome.jump.error) if outcome.jump else 0.0,
    )


def _pj(attojoules: float) -> float:
    return attojoules * EXACT_PER_AJ / EXACT_PER_PJ


def _why_none(netlist: Netlist, launches: int) -> str:
    """Why a machine has no period."""
    if netlist.errs:
        return "something is faster than is safe, so chance decides what its words are"
    if not netlist.data_dependent:
        return f"its state was not seen to repeat in {launches} launches"
    led = list(
        dict.fromkeys(netlist.nodes[n].id for n in nodes_led_by_data(netlist.nodes, netlist.wires, netlist.memories))
    )
    if not led:
        return "which way packets go depends on the data"
    others = f" and {len(led) - 1} more" if len(led) > 1 else ""
    return f"what {led[0]}{others} does with packets depends on the data"


def _search(machine: Machine) -> tuple[Stop | None, int]:
    """Run until a period is found (None) or the run stops; and a tick before that."""
    while True:
        before = machine.now
        stop = machine.run(before + max(SEARCH_TICKS, before // 4))
        if stop is not Stop.UNTIL:
            return stop, before
        if machine.window.period_launches:
            return None, before


def _plan(machine: Machine, before: int) -> _Plan | None:
    """How many periods to simulate; None where leaving out the others is not worth it."""
    info, begin = machine.window, machine.now
    tau, periods = info.period_ticks, (info.last - info.first + 1) // info.period_launches
    # Only for the size of the sample: nearly the events of a period.
    events = machine.events * tau / begin
    batches = _batches(machine)
    batches = replace(batches, each=max(batches.each, ceil(WINDOW_EVENTS / (events * batches.turns))))
    # The sample begins where the search ended, and the shorter run must find the period as well.
    simulated = max(batches.periods + (begin - before) // tau + 3, -(-info.first // info.period_launches))
    skipped = min(periods - simulated, (machine.netlist.time_limit_ticks - begin) // tau)
    if skipped < simulated:
        return None
    return _Plan(simulated, skipped, info.period_launches, tau, batches, begin)


def _batches(machine: Machine) -> Batches:
    """Batches so long that only neighbours have a launch in common.

    A stretch's packets are of the launches that are not let go at its begin, of the one before, whose bits are still on
    the wires, and of those issued in it.
    """
    launches, period = machine.issued - machine.oldest + 2, machine.window.period_launches
    parts = min(max(period // launches, 1), BATCHES // LEAST_TURNS)
    return Batches(turns=-(-BATCHES // parts), each=-(-launches // period), parts=parts)


def _batches_in_window(machine: Machine, before: int) -> Batches | None:
    """Batches in what is left of a window of whole periods; None where they are too few."""
    info, batches = machine.window, _batches(machine)
    periods = (info.last - info.first + 1) // info.period_launches
    left = periods - (machine.now - before) // info.period_ticks - 3
    turns = min(batches.turns, left // batches.each)
    if turns < LEAST_TURNS or turns * batches.parts < LEAST_BATCHES:
        return None
    return replace(batches, turns=turns, each=left // turns)


def _jump(netlist: Netlist, workload: Workload, options: Options, engine: EngineName, plan: _Plan) -> Outcome | None:
    """Simulate without the skipped periods and add them; None where the sample does not allow it."""
    skipped, launches, ticks = plan.skipped, plan.skipped * plan.launches, plan.skipped * plan.ticks
    shorter = replace(
        netlist,
        measured=plan.simulated * plan.launches,
        window_events=0,
        time_limit_ticks=netlist.time_limit_ticks - ticks,
    )
    machine = make_machine(shorter, workload, options, engine)
    machine.run(plan.begin)
    sample = take_sample(machine, plan.batches)
    stop = machine.run()
    if stop is Stop.FAULT or stop is Stop.DEADLOCK:
        return Outcome(stop, machine, netlist)
    if sample is None:
        return None
    outcome = Outcome(stop, machine, netlist)
    outcome.completed += launches
    outcome.tick += ticks
    outcome.events += skipped * sample.events
    if stop is Stop.WINDOW:
        info = machine.window
        assert (info.period_launches, info.period_ticks) == (plan.launches, plan.ticks)
        start, end = info.start_tick, machine.now + ticks
        counters = settled(machine, info.last, (end - start) // 2)
        if machine.fault:
            return Outcome(Stop.FAULT, machine, netlist)
        outcome.take(
            _stretched(counters, sample, plan),
            "period",
            (info.first, info.last + launches),
            (start, end),
        )
        outcome.sample = sample
        outcome.jump = Jump(launches, sample.skipped_error(skipped))
    return outcome


def take_sample(machine: Machine, batches: Batches) -> Sample | None:
    """Let a machine that is in its steady state go on for these batches.

    None where the run ends within them, where the window has not begun well before their end, where an event is still
    charged to a launch before the window in the last turn, so that later periods might hold more, or where turns
    are not alike: such a machine goes by its data unseen, and has no period after all.
    """
    span, begin, parts = batches.each * machine.window.period_ticks, machine.now + 1, batches.parts
    marks: list[tuple[int, Counters]] = []
    for i in range(batches.turns * parts + 1):
        until = begin + i * span // parts
        stop = machine.run(until)
        if stop is Stop.EXTENSION:
            stop = machine.run(until)
        if stop is not Stop.UNTIL:
            return None
        marks.append((machine.events, machine.counters()))
    (first_events, _), (_, former), (last_events, last) = marks[0], marks[-1 - parts], marks[-1]
    if not 0 <= machine.window.start_tick < begin + (batches.turns - 2) * span:
        return None
    by_launch = _exact(last)
    if any((getattr(former, name)[0] != getattr(last, name)[0]).any() for name in (*by_launch, "toggles", "coupling")):
        return None
    turns = [np.concatenate([getattr(mark, name).sum(axis=0) for name in by_launch]) for _, mark in marks[::parts]]
    if np.diff(np.diff(turns, axis=0), axis=0).any() or ((turns[-1] - turns[-2]) % batches.each).any():
        return None
    growth = {}
    for name in (*by_launch, *_BY_TIME):
        difference = getattr(last, name) - getattr(former, name)
        growth[name] = (difference.sum(axis=0) if name in by_launch else difference) // batches.each
    prices = np.array([wire.toggle_aj for wire in machine.netlist.wires], np.int64)
    by_wire = [mark.toggles.sum(axis=0) for _, mark in marks]
    coupling = [mark.coupling.sum(axis=0) for _, mark in marks]
    spent = [int(toggles @ prices + aj.sum()) for toggles, aj in zip(by_wire, coupling, strict=True)]
    energies = np.array([after - before for before, after in pairwise(spent)], float)
    return Sample(
        periods=batches.periods,
        events=(last_events - first_events) // batches.periods,
        growth=growth,
        toggles=tuple((by_wire[-1] - by_wire[0]).tolist()),
        coupling=tuple((coupling[-1] - coupling[0]).tolist()),
        variance=_variance(energies.reshape(batches.turns, parts)) / batches.each,
    )


def _exact(counters: Counters) -> list[str]:
    """Counters by segment of launches that a period holds exactly: all that there are but those that hang on words."""
    by_words = ("toggles", "coupling")
    return [name for name in BY_LAUNCH if name not in by_words and getattr(counters, name) is not None]


def _variance(energies: NDArray[np.float64]) -> float:
    """By how much the variance of a sum grows with each row, where only neighbouring batches are correlated.

    The batches of a column are alike. A covariance below 0 is taken as 0: the error is rather too great than too small.
    """
    apart = (energies - energies.mean(axis=0)).reshape(-1)
    sum_of_squares = float(apart @ apart) + 2 * max(float(apart[1:] @ apart[:-1]), 0.0)
    return sum_of_squares / (len(energies) - 1)


def _stretched(counters: Counters, sample: Sample, plan: _Plan) -> Counters:
    """The counters of the whole window from those of its simulated periods."""
    skipped = plan.skipped
    changed: dict[str, NDArray[np.int64]] = {}
    for name in _exact(counters):
        changed[name] = getattr(counters, name).copy()
        changed[name][1] += skipped * sample.growth[name]
    changed["toggles"] = counters.toggles.copy()
    changed["toggles"][1] += np.array(sample.skipped_toggles(skipped), np.int64)
    changed["coupling"] = counters.coupling.copy()
    changed["coupling"][1] += np.array(sample.skipped_coupling(skipped), np.int64)
    for name in _BY_TIME:
        changed[name] = getattr(counters, name) + skipped * sample.growth[name]
    kept = min(len(counters.latencies) + skipped * plan.launches, KEPT_LATENCIES)
    changed["latencies"] = np.resize(counters.latencies[: plan.launches], kept)
    return replace(counters, **changed)  # type: ignore[arg-type]
