"""Probed wires: which ones, and what passes their ends, recorded in the background from the machine's log.

A lane is kept by the name of its wire, so it outlives edits, undo and a change to another design of the level; where
the design on the board has no such wire, the lane stays and shows nothing. No pygame here.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidError
from engine.log import ANY, FLAGS, INDEX, LAUNCH, MASKED, TICK, WHAT, WORDS, Log, What
from engine.machine import Stop
from engine.model import Design, Level
from engine.netlist import Wire
from engine.simulation import EngineName, Simulation
from engine.truth import Workload
from game.background import Background

MOST_LANES = 16
MOST_PACKETS = 1_000_000
"""Packets that are recorded of all lanes together; what comes later is not shown."""
NEVER = 2**62
STEP_TICKS = (1_000, 1_000_000)
"""The machine runs on by so much at a time: at first, and at most."""
STEP_SECONDS = 0.02
"""A step that takes less than this may be longer next time."""
TELL_SECONDS = 0.2
"""After so long what there is so far is told, and a newer wish is looked for."""

_ENDS = (Stop.FAULT, Stop.DEADLOCK, Stop.TIMEOUT)


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
class Recording:
    """Waves by the names of their wires, of a run of ``design`` from tick 0 to tick ``until``."""

    design: Design
    waves: Mapping[str, Wave]
    until: int


@dataclass(frozen=True)
class _Wish:
    """What is to be recorded. Wishes of one design and the same wires go on where the last one ended."""

    design: Design
    wires: tuple[int, ...]
    until: int


def names_of(design: Design) -> list[str]:
    """Names of a design's wires, in order, no two the same: ``a.value → sum.a``."""
    seen: Counter[str] = Counter()
    names = []
    for wire in design.wires:
        name = f"{wire.source.replace(' ', '')} → {', '.join(wire.to)}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return names


class Recorder:
    """Runs machines and keeps what passes the ends of some wires; for a thread of its own."""

    def __init__(self, level: Level, engine: EngineName) -> None:
        self._level, self._engine = level, engine
        self._workload = Workload(level, 0)
        self._wish: _Wish | None = None
        self._simulation: Simulation | None = None
        self._parts: list[Log] = []
        self._stop: Stop | None = None

    def work(self, wish: _Wish) -> Iterator[Recording]:
        """Record until ``wish.until`` or the run's end; where that takes long, what there is so far comes as well."""
        before = self._wish
        if before is None or before.design is not wish.design or before.wires != wish.wires:
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
        return sum(map(len, self._parts)) > 2 * MOST_PACKETS

    def _begin(self, wish: _Wish) -> None:
        self._parts, self._stop = [], None
        try:
            self._simulation = Simulation(self._level, wish.design, engine=self._engine, workload=self._workload)
        except InvalidError:
            self._simulation = None
            return
        chosen = np.array(wish.wires)

        def take(log: Log) -> None:
            moves = (log[:, WHAT] == What.ENTERED) | (log[:, WHAT] == What.LEFT)
            rows = log[moves & np.isin(log[:, INDEX], chosen)]
            if len(rows):
                self._parts.append(rows)

        self._simulation.machine.watch(take)

    def _recording(self, wish: _Wish) -> Recording:
        assert self._simulation is not None
        net, machine = self._simulation.netlist, self._simulation.machine
        if len(self._parts) > 1:
            self._parts = [np.concatenate(self._parts)]
        names = names_of(wish.design)
        waves = {}
        for w in wish.wires:
            rows = self._parts[0] if self._parts else np.zeros((0, WORDS + 1), np.int64)
            rows = rows[rows[:, INDEX] == w]
            waves[names[w]] = _wave(rows, net.wires[w])
        # A machine that hangs stays as it is; after a fault there is nothing.
        return Recording(wish.design, waves, NEVER if self._stop is Stop.DEADLOCK else machine.now)


def _wave(rows: Log, wire: Wire) -> Wave:
    """The wave of a wire whose rows these are, from tick 0 on: a(k) and d(k) as in docs/model.md."""
    entered, left = rows[rows[:, WHAT] == What.ENTERED], rows[rows[:, WHAT] == What.LEFT, TICK]
    known = entered[: len(left) + 1]
    count = len(known)
    taken = np.full(count, NEVER, np.int64)
    taken[: len(left)] = left
    at = known[:, TICK] + wire.every_ticks * wire.length
    at[1:] = np.maximum(at[1:], left[: max(count - 1, 0)] + wire.every_ticks)
    any_ = known[:, FLAGS] & ANY != 0
    return Wave(
        at,
        taken,
        np.where(taken < NEVER, taken + wire.every_ticks, NEVER),
        known[:, WORDS : WORDS + len(wire.words)].astype(np.int32),
        np.where(any_, -1, known[:, LAUNCH]),
        known[:, FLAGS] & MASKED != 0,
    )


class Probes:
    """The lanes of a level, in order, and what is known of them."""

    def __init__(self, level: Level, engine: EngineName) -> None:
        self._level, self._engine = level, engine
        self.lanes: list[tuple[str, ...]] = []
        """By the names that the lane's wire has had, the first one first."""
        self.recording: Recording | None = None
        self._placed: tuple[Design, list[tuple[str, ...]], list[int | None]] | None = None
        self._worker: Background[_Wish, Recording] | None = None
        self._wished: _Wish | None = None

    def places(self, design: Design) -> list[int | None]:
        """For each lane the number of its wire in ``design``, None where it has no such wire."""
        if self._placed is None or self._placed[0] is not design or self._placed[1] != self.lanes:
            numbers = {name: w for w, name in enumerate(names_of(design))}
            places = [next((numbers[n] for n in names if n in numbers), None) for names in self.lanes]
            self._placed = design, list(self.lanes), places
        return self._placed[2]

    def wave(self, lane: int) -> Wave | None:
        """What is known of a lane, of whatever design was recorded last."""
        waves = self.recording.waves if self.recording else {}
        return next((waves[name] for name in self.lanes[lane] if name in waves), None)

    def toggle(self, design: Design, wires: Sequence[int]) -> bool | None:
        """Probe these wires, or, if all are probed already, no longer. True: added; None: there is no room."""
        places, names = self.places(design), names_of(design)
        missing = [w for w in wires if w not in places]
        if not missing:
            self.lanes = [lane for lane, place in zip(self.lanes, places, strict=True) if place not in wires]
            return False
        if len(self.lanes) + len(missing) > MOST_LANES:
            return None
        self.lanes += [(names[w],) for w in missing]
        return True

    def remove(self, lane: int) -> None:
        """Take a lane away."""
        del self.lanes[lane]

    def rename(self, old: str, new: str) -> None:
        """A core has another name: its lanes go by both."""

        def renamed(name: str) -> str:
            start, arrow, ends = name.partition(" → ")
            ports = [start, *ends.split(", ")]
            changed = [new + port[len(old) :] if port.startswith(f"{old}.") else port for port in ports]
            return f"{changed[0]}{arrow}{', '.join(changed[1:])}"

        self.lanes = [tuple(dict.fromkeys((*names, *map(renamed, names)))) for names in self.lanes]

    def update(self, design: Design, until: int, calm: bool) -> None:
        """Ask for what is missing up to tick ``until``, once the design is ``calm``, and take what has come."""
        wires = tuple(sorted({place for place in self.places(design) if place is not None}))
        wished = self._wished
        same = wished is not None and wished.design is design and wished.wires == wires
        if wires and calm and not (same and wished is not None and wished.until >= until):
            # Somewhat further than asked for: while time goes on this comes up again less and less often.
            self._wished = _Wish(design, wires, until + until // 4)
            if self._worker is None:
                self._worker = Background(Recorder(self._level, self._engine).work, "probes")
            self._worker.submit(self._wished)
        if self._worker is not None:
            for found in self._worker.poll():
                self.recording = found

    def use_engine(self, engine: EngineName) -> None:
        """Go over to another engine."""
        self._engine = engine
        self.close()

    def wait(self, seconds: float) -> None:
        """Wait for the background. For tests and pictures."""
        if self._worker is not None:
            self._worker.wait(seconds)

    def close(self) -> None:
        """End the thread; it begins again when something is asked for."""
        if self._worker is not None:
            self._worker.close()
        self._worker = self._wished = None
