"""What passes the ends of wires and what cores do over time, from the logs of machines: for the lanes of probes.

Recorded in a thread of its own (:class:`game.background.Background`), in arrays. No pygame here.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidError
from engine.log import ANY, FLAGS, INDEX, LAUNCH, MASKED, READY, TICK, WHAT, WORDS, Log, What
from engine.machine import Stop
from engine.model import Design, Level
from engine.netlist import Node, Wire
from engine.simulation import EngineName, Simulation
from engine.truth import Workload

MOST_ROWS = 2_000_000
"""Rows that are recorded of all lanes together; what comes later is not shown."""
NEVER = 2**62
STEP_TICKS = (1_000, 1_000_000)
"""The machine runs on by so much at a time: at first, and at most."""
STEP_SECONDS = 0.02
"""A step that takes less than this may be longer next time."""
TELL_SECONDS = 0.2
"""After so long what there is so far is told, and a newer wish is looked for."""

_ENDS = (Stop.FAULT, Stop.DEADLOCK, Stop.TIMEOUT)
_MOVES = (What.ENTERED, What.LEFT)
_DOINGS = (What.FIRED, What.MADE, What.GONE)

Item = int | str
"""A wire by its number, a pad or core by its name."""


@dataclass(frozen=True, eq=False)
class Wave:
    """Packets at the end of a wire, in order, as arrays of the same length.

    at
        The tick from which the packet could be taken.
    taken, gone
        The tick in which it was, and when the wire's time per word is over after that; NEVER while it waits.
    words
        (packets, words) int32 patterns.
    launch
        Its launch, −1 where it matches any.
    masked
        Whether it is masked.
    """

    at: NDArray[np.int64]
    taken: NDArray[np.int64]
    gone: NDArray[np.int64]
    words: NDArray[np.int32]
    launch: NDArray[np.int64]
    masked: NDArray[np.bool_]

    def index_at(self, tick: int) -> int | None:
        """The packet that is at the end of the wire at ``tick``."""
        k = int(np.searchsorted(self.at, tick, side="right")) - 1
        return k if k >= 0 and tick < self.gone[k] else None


@dataclass(frozen=True, eq=False)
class States:
    """When a pad or core is busy (an interval per firing) and blocked, as arrays of (start, end); else it is starved.

    While it is blocked it may fire, and is busy as well: then it counts as blocked.
    """

    busy: NDArray[np.int64]
    blocked: NDArray[np.int64]

    def state_at(self, tick: int) -> str:
        """Its state at ``tick``, as "States" in docs/model.md."""
        for name, spans in (("blocked", self.blocked), ("busy", self.busy)):
            k = int(np.searchsorted(spans[:, 0], tick, side="right")) - 1
            if k >= 0 and tick < spans[k, 1]:
                return name
        return "starved"


@dataclass(frozen=True, eq=False)
class Recording:
    """What a run of ``design`` showed from tick 0 to tick ``until``, by item."""

    design: Design
    waves: Mapping[Item, Wave | States]
    until: int


@dataclass(frozen=True)
class Wish:
    """What is to be recorded. Wishes of one design and the same items go on where the last one ended."""

    design: Design
    items: tuple[Item, ...]
    until: int


class Recorder:
    """Runs machines and keeps what there is to be seen of some wires and cores; for a thread of its own."""

    def __init__(self, level: Level, engine: EngineName) -> None:
        self._level, self._engine = level, engine
        self._workload = Workload(level, 0)
        self._wish: Wish | None = None
        self._simulation: Simulation | None = None
        self._parts: list[Log] = []
        self._stop: Stop | None = None
        self._nodes: dict[Item, tuple[int, int]] = {}
        """Per core its node, and how many results that holds at the start."""

    def work(self, wish: Wish) -> Iterator[Recording]:
        """Record until ``wish.until`` or the run's end; where that takes long, what there is so far comes as well."""
        before = self._wish
        if before is None or before.design is not wish.design or before.items != wish.items:
            self._begin(wish)
        self._wish = wish
        if self._simulation is None:
            return
        machine, step = self._simulation.machine, STEP_TICKS[0]
        told = begun = time.monotonic()
        while machine.now < wish.until and self._stop not in _ENDS and not self._full:
            self._stop = machine.run(min(wish.until, max(machine.now, 0) + step))
            now = time.monotonic()
            if now - begun < STEP_SECONDS:
                step = min(2 * step, STEP_TICKS[1])
            if now - told > TELL_SECONDS:
                yield self._recording(wish)
                told = now
            begun = time.monotonic()
        yield self._recording(wish)

    @property
    def _full(self) -> bool:
        return sum(map(len, self._parts)) > MOST_ROWS

    def _begin(self, wish: Wish) -> None:
        self._parts, self._stop = [], None
        try:
            self._simulation = Simulation(self._level, wish.design, engine=self._engine, workload=self._workload)
        except InvalidError:
            self._simulation = None
            return
        machine, net = self._simulation.machine, self._simulation.netlist
        state = machine.state()
        self._nodes = {}
        for item in wish.items:
            # The ports of a shared memory are nodes of their own; there is no one state of all.
            nodes = [i for i, node in enumerate(net.nodes) if net.elements[node.element].id == item]
            if len(nodes) == 1:
                self._nodes[item] = nodes[0], len(state.nodes[nodes[0]].results)
        wires = np.array([item for item in wish.items if isinstance(item, int)], np.int64)
        cores = np.array([node for node, _ in self._nodes.values()], np.int64)

        def take(log: Log) -> None:
            moves = np.isin(log[:, WHAT], _MOVES) & np.isin(log[:, INDEX], wires)
            doings = np.isin(log[:, WHAT], _DOINGS) & np.isin(log[:, INDEX], cores)
            rows = log[moves | doings]
            if len(rows):
                self._parts.append(rows)

        machine.watch(take)

    def _recording(self, wish: Wish) -> Recording:
        assert self._simulation is not None
        net, machine = self._simulation.netlist, self._simulation.machine
        if len(self._parts) > 1:
            self._parts = [np.concatenate(self._parts)]
        rows = self._parts[0] if self._parts else np.zeros((0, WORDS + 1), np.int64)
        of_wires = np.isin(rows[:, WHAT], _MOVES)
        waves: dict[Item, Wave | States] = {}
        for item in wish.items:
            if isinstance(item, int):
                waves[item] = _wave(rows[of_wires & (rows[:, INDEX] == item)], net.wires[item])
            elif item in self._nodes:
                node, held = self._nodes[item]
                waves[item] = _states(rows[~of_wires & (rows[:, INDEX] == node)], net.nodes[node], held)
        # A machine that hangs stays as it is; after a fault there is nothing.
        return Recording(wish.design, waves, NEVER if self._stop is Stop.DEADLOCK else machine.now)


def _wave(rows: Log, wire: Wire) -> Wave:
    """The wave of a wire whose rows these are, from tick 0 on: a(k) and d(k) as in docs/model.md."""
    entered, gone = rows[rows[:, WHAT] == What.ENTERED], rows[rows[:, WHAT] == What.LEFT]
    left = gone[:, TICK]
    known = entered[: len(left) + 1]
    count = len(known)
    taken = np.full(count, NEVER, np.int64)
    taken[: len(left)] = left
    at = known[:, TICK] + wire.transit_ticks
    at[1:] = np.maximum(at[1:], left[: max(count - 1, 0)] + wire.every_ticks)
    any_ = known[:, FLAGS] & ANY != 0
    # What became of a word on its way is known when it is taken.
    words = known[:, WORDS : WORDS + len(wire.words)].astype(np.int32)
    words[: len(gone)] = gone[:, WORDS : WORDS + len(wire.words)]
    return Wave(
        at,
        taken,
        np.where(taken < NEVER, taken + wire.every_ticks, NEVER),
        words,
        np.where(any_, -1, known[:, LAUNCH]),
        known[:, FLAGS] & MASKED != 0,
    )


def _states(rows: Log, node: Node, held: int) -> States:
    """The states of a node whose rows these are, from tick 0 on; ``held`` results were ready in it then."""
    what, source = rows[:, WHAT], node.kind in ("threads", "stream")
    # What comes to a barrier's arrive is a firing without an interval: nothing is made of it.
    fired = rows[(what == What.FIRED) & (source | (rows[:, READY] > rows[:, TICK])), TICK]
    until = np.append(fired[1:], NEVER)
    busy = np.column_stack((fired, np.minimum(fired + node.interval_ticks, until[: len(fired)])))
    ready = np.concatenate((np.zeros(held, np.int64), rows[what == What.MADE, READY]))
    gone = rows[what == What.GONE, TICK]
    ready = ready[: len(gone) + 1]
    end = np.full(len(ready), NEVER, np.int64)
    end[: len(gone)] = gone
    start = ready.copy()
    start[1:] = np.maximum(ready[1:], gone[: max(len(ready) - 1, 0)])
    blocked = np.column_stack((start, end))
    return States(busy, blocked[end > start])
