"""The machine against the player's clock: play, pause, step, step back, scrub.

What is shown is a function of (design, time) alone. Time only goes forward in a machine, so going back means going to
a snapshot and running forward again; snapshots are kept at growing distances. The engine alone knows the rules: the
same machine, asked at any frame rate, ends in the same state.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable
from math import inf

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidError, Problem
from engine.live import LiveSimulation
from engine.log import Log, log_width
from engine.machine import PacketArrays, StateView, Stop
from engine.model import Design, Fault, Level
from engine.netlist import Netlist
from engine.simulation import EngineName, Outcome, Simulation
from engine.truth import Workload
from engine.units import ns_from_ticks
from game.breakpoints import Breakpoints

PACES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 400.0, 4_000.0, 1e9)
"""Nanoseconds of the machine in one second of the player; the last is "as fast as it goes"."""

FRAME_SECONDS = 0.008
"""A frame's share for the engine."""

SLICE_SECONDS = 0.002
"""About so long the engine runs between two looks at the clock."""

SLICE_TICKS = (100, 1_000, 10_000_000)
"""What is run then: at least, at first, and at most."""

MAX_SNAPSHOTS = 96

HALTS = (Stop.FAULT, Stop.DEADLOCK, Stop.TIMEOUT)


class Playback:
    """One machine on show. ``tick`` is the moment shown; ``None`` of a simulation means that it cannot be built."""

    def __init__(self, level: Level, design: Design, *, seed: int = 0, engine: EngineName = "auto") -> None:
        self.level = level
        self.seed = seed
        self.engine: EngineName = engine
        self.playing = False
        self.pace = level.pace
        self.engine_bound = False
        """True while the engine cannot keep up with the pace."""
        self.tick = 0
        self.problems: list[Problem] = []
        self.simulation: Simulation | None = None
        self.breakpoints = Breakpoints()
        self.broke_at: str | None = None
        self._live = LiveSimulation(level, seed=seed, workload=Workload(level, seed))
        self._fraction = 0.0
        self._slice = SLICE_TICKS[1]
        self._owed: int | None = None
        self._snapshots: list[tuple[int, object]] = []
        self._stop: Stop = Stop.UNTIL
        self._spacing = 1_000
        self.set_design(design)

    # --- what is shown -----------------------------------------------------------------------------------

    @property
    def time_ns(self) -> float:
        """The moment shown."""
        return ns_from_ticks(self.tick)

    @property
    def halted(self) -> Stop | None:
        """Why the machine cannot go beyond the moment shown, None while it can."""
        return self._stop if self._stop in HALTS else None

    @property
    def netlist(self) -> Netlist | None:
        return self.simulation.netlist if self.simulation else None

    def packets(self) -> PacketArrays | None:
        """Packets on wires at the moment shown."""
        return self.simulation.machine.packets(self.tick) if self.simulation else None

    def state(self) -> StateView | None:
        """Everything that moves, at the last event not after the moment shown."""
        return self.simulation.state() if self.simulation else None

    def fault(self) -> Fault | None:
        """The fault that halted the machine."""
        if self.simulation is None or self._stop is not Stop.FAULT:
            return None
        return Outcome(self._stop, self.simulation.machine, self.simulation.netlist).fault

    def completions(self) -> NDArray[np.int64]:
        """Ticks at which launches counted, up to the moment shown, in order."""
        if self.simulation is None:
            return np.zeros(0, np.int64)
        ticks = self.simulation.machine.completions()
        return ticks[: np.searchsorted(ticks, self.tick, side="right")]

    # --- editing -----------------------------------------------------------------------------------------

    def set_design(self, design: Design) -> None:
        """Show another design at the same moment. One that cannot be built shows nothing that moves.

        Where the run up to that moment takes longer than a frame may, the frames that follow run on: they show how it
        comes about.
        """
        moment = self.tick if self._owed is None else self._owed
        try:
            self.simulation = self._live.of(design, self.engine)
            self.problems = []
        except InvalidError as invalid:
            self.simulation = None
            self.problems = list(invalid.problems)
        self._snapshots = []
        self._stop = Stop.UNTIL
        self._spacing = 1_000
        if self.simulation:
            self._snapshots.append((-1, self.simulation.machine.snapshot()))
            self._run_to(0)
            self._owed = moment
            self.catch_up(FRAME_SECONDS)
        else:
            self.tick, self._owed = moment, None

    def catch_up(self, seconds: float = inf) -> None:
        """After an edit: run on to the moment that was shown before it, for ``seconds`` at most."""
        if self._owed is None:
            return
        deadline = time.perf_counter() + seconds
        while self.tick < self._owed and not self.halted:
            self._advance(self._owed)
            if time.perf_counter() > deadline:
                return
        if self.halted is not Stop.FAULT:  # a fault is shown at its own moment
            self.tick = self._owed
        self._owed = None

    # --- time --------------------------------------------------------------------------------------------

    def update(self, seconds: float) -> None:
        """Let ``seconds`` of the player's time pass. Long absences (a hidden window) count as a tenth of a second."""
        if self._owed is not None:
            self.catch_up(FRAME_SECONDS)
            return
        if not self.playing or self.simulation is None:
            return
        ticks = min(seconds, 0.1) * self.pace * 100 + self._fraction
        whole = int(ticks)
        self._fraction = ticks - whole
        if whole:
            self._play_to(self.tick + whole)

    def _play_to(self, target: int) -> None:
        """Forward to ``target``, or as far as a frame's share of time allows; stops at breakpoints and at a halt."""
        deadline = time.perf_counter() + FRAME_SECONDS
        self.engine_bound, self.broke_at = False, None
        assert self.simulation
        machine = self.simulation.machine
        rows: list[Log] = []
        if self.breakpoints:
            machine.watch(rows.append)
        try:
            while self.tick < target:
                counted = machine.completed
                self._advance(target)
                if self.breakpoints and self._breaks(rows, counted):
                    return
                rows.clear()
                if self.halted:
                    self.playing = False
                    return
                if time.perf_counter() > deadline and self.tick < target:
                    self.engine_bound = True
                    return
        finally:
            machine.watch(None)

    def _breaks(self, rows: list[Log], counted: int) -> bool:
        """Whether a breakpoint was met on the way; play then stops at its moment."""
        assert self.simulation
        machine, netlist = self.simulation.machine, self.simulation.netlist
        log = np.concatenate(rows) if rows else np.zeros((0, log_width(netlist)), np.int64)
        met = self.breakpoints.met(netlist, log, machine.completions(), counted)
        if met is None:
            return False
        machine.watch(None)
        self._go_back_to(met[0])
        self.broke_at = met[1]
        self.playing = False
        return True

    def _advance(self, target: int) -> int:
        """One slice forward, to ``target`` at most; returns where it was to end."""
        goal = min(target, self.tick + self._slice)
        began = time.perf_counter()
        self._run_to(goal)
        spent = time.perf_counter() - began
        least, _, most = SLICE_TICKS
        if spent > SLICE_SECONDS:
            self._slice = max(self._slice // 2, least)
        elif spent < SLICE_SECONDS / 4 and goal < target:
            self._slice = min(self._slice * 2, most)
        return goal

    def seek(self, tick: int) -> None:
        """Show the moment ``tick`` (0 at the earliest), or the halt before it."""
        tick = max(0, tick)
        self.broke_at = self._owed = None
        if self.simulation is None:
            self.tick = tick
            return
        if tick < self.tick or tick < self.simulation.machine.now:
            self._go_back_to(tick)
        self._run_to(tick)

    def step(self) -> None:
        """Forward to the next moment at which anything happens."""
        self.catch_up()
        if self.simulation is None:
            return
        self.playing = False
        stop = self.simulation.step()
        if stop in HALTS:
            self._stop = stop
        self.tick = max(self.tick, self.simulation.machine.now)
        self._keep_snapshot()

    def step_back(self) -> None:
        """Back to the last moment before this one at which anything happened."""
        self.catch_up()
        if self.simulation is None or self.tick == 0:
            return
        self.playing = False
        machine = self.simulation.machine
        here = min(self.tick, machine.now) if machine.now >= 0 else 0
        if self.tick > here:  # shown between two events: the event itself comes first
            self.seek(here)
            return
        back = 200
        while True:
            start = here - back
            self._go_back_to(start)
            last, held = machine.now, machine.snapshot()
            found = False
            while machine.step() not in HALTS and machine.now < here:
                last, held, found = machine.now, machine.snapshot(), True
            if found or start < 0:
                break
            back *= 8  # nothing happened for a while: look further back
        machine.restore(held)
        self._stop = Stop.UNTIL
        self.tick = max(0, last)

    def next_launch(self) -> None:
        """Forward to the moment at which the next launch counts."""
        self.catch_up()
        if self.simulation is None:
            return
        count = len(self.completions())
        machine = self.simulation.machine
        self._search(lambda: machine.completed > count)
        if machine.completed > count:
            self.seek(int(machine.completions()[count]))

    def previous_launch(self) -> None:
        """Back to the last moment before this one at which a launch counted, else to the start."""
        self.catch_up()
        ticks = self.completions()
        earlier = ticks[: np.searchsorted(ticks, self.tick)]
        self.seek(int(earlier[-1]) if len(earlier) else 0)

    def to_halt(self) -> None:
        """Forward to the fault, deadlock or time limit, if one comes within the window that is scored."""
        self._search(lambda: self.halted is not None)

    def _search(self, found: Callable[[], bool]) -> None:
        """Run on, by slices, until ``found`` or the end of what is scored."""
        self.catch_up()
        if self.simulation is None:
            return
        self.playing = False
        machine = self.simulation.machine
        limit = self.simulation.netlist.time_limit_ticks
        while not found() and not self.halted and self.tick < limit:
            window = machine.window
            if window.known and machine.completed > window.extended_last:
                return
            self._advance(limit)

    # --- machinery ---------------------------------------------------------------------------------------

    def _run_to(self, tick: int) -> None:
        """Run the machine to ``tick`` or to its halt, and show that moment."""
        assert self.simulation
        machine = self.simulation.machine
        while machine.now < tick:
            goal = min(tick, max(machine.now, 0) + self._spacing)
            stop = machine.run(goal)
            if stop in HALTS:
                self._stop = stop
                self.tick = max(0, machine.now) if stop is Stop.FAULT else max(self.tick, machine.now, 0)
                return
            if stop is Stop.UNTIL:
                self._keep_snapshot()
                if goal >= tick:
                    break
                if machine.now < goal:  # nothing happened in between
                    self._spacing = max(self._spacing, goal - max(machine.now, 0) + 1_000)
        self.tick = tick

    def _keep_snapshot(self) -> None:
        assert self.simulation
        machine = self.simulation.machine
        if machine.now - self._snapshots[-1][0] >= self._spacing:
            self._snapshots.append((machine.now, machine.snapshot()))
            if len(self._snapshots) > MAX_SNAPSHOTS:
                # Every second one goes: the whole past stays within reach at twice the distance.
                self._snapshots = self._snapshots[:1] + self._snapshots[2::2]
                self._spacing *= 2

    def _go_back_to(self, tick: int) -> None:
        """To the last snapshot not after ``tick``."""
        assert self.simulation
        at = bisect_right([t for t, _ in self._snapshots], tick) - 1
        del self._snapshots[max(at, 0) + 1 :]
        moment, snapshot = self._snapshots[max(at, 0)]
        self.simulation.machine.restore(snapshot)
        self._stop = Stop.UNTIL
        self.tick = max(0, moment)
        if self.simulation.machine.now < tick:
            self._run_to(tick)
