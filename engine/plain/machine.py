"""The plain engine: a heap of ticks, and at each of them the four steps of docs/model.md over the nodes concerned.

A node registers every tick at which it may act; a tick without a cause is never worked through.
"""

from __future__ import annotations

from array import array
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.log import ANY, LIVE, MASKED, Watcher, What, fault_row, in_order, log_width
from engine.machine import (
    KEPT_LATE,
    Cause,
    Counters,
    FaultInfo,
    LateWord,
    Options,
    PacketArrays,
    StateView,
    Stop,
    WindowInfo,
)
from engine.netlist import Netlist
from engine.plain.barriers import Arrival, Chamber, LaneArrival, LaneChamber
from engine.plain.coalesce import LaneLoad, LaneStore
from engine.plain.core import Core
from engine.plain.cores import Address, Arithmetic, Gate, Guard, Mux, Passing, Switch, Tuple
from engine.plain.divergence import Join, LaneSwitch
from engine.plain.field import Field
from engine.plain.gather import Compact, Pack, Reduce, Shuffle, Unpack
from engine.plain.groups import Accumulate, Collect, Counter, Deal, Delay, Repeat, Scan, Take
from engine.plain.lanes import (
    LaneAccumulate,
    LaneAddress,
    LaneArithmetic,
    LaneCollect,
    LaneCounter,
    Laned,
    LaneDeal,
    LaneDelay,
    LaneGate,
    LaneGuard,
    LaneMux,
    LanePassing,
    LaneRepeat,
    LaneScan,
    LaneTake,
    LaneTuple,
)
from engine.plain.late import GOLDEN, MASK, chance, mix
from engine.plain.launches import Draws, Launch
from engine.plain.lines import LineRoad
from engine.plain.memory import Load, Sink, Source, Store
from engine.plain.packets import CoreFault, Moving, Packet, Words
from engine.plain.road import Road
from engine.plain.shared import LaneSharedRead, LaneSharedWrite, Pages, SharedRead, SharedWrite
from engine.plain.values import ARITHMETIC
from engine.plain.vectors import Vector
from engine.plain.views import counters, packets, settle, state
from engine.plain.window import Window
from engine.truth import Workload

_KINDS = {
    "threads": Source,
    "stream": Source,
    "load": Load,
    "store": Store,
    "sink": Sink,
    "address": Address,
    "relay": Passing,
    "gate": Gate,
    "switch": Switch,
    "mux": Mux,
    "guard": Guard,
    "repeat": Repeat,
    "take": Take,
    "skip": Take,
    "counter": Counter,
    "deal": Deal,
    "collect": Collect,
    "tuple": Tuple,
    "buffer": Passing,
    "delay": Delay,
    "shared.write": SharedWrite,
    "shared.read": SharedRead,
    "accumulate": Accumulate,
    "scan": Scan,
} | dict.fromkeys(ARITHMETIC, Arithmetic)
"""Behaviours by kind, but for barriers, which are two."""

_WITH_LANES: dict[str, type[Laned]] = {
    "load": LaneLoad,
    "store": LaneStore,
    "address": LaneAddress,
    "relay": LanePassing,
    "gate": LaneGate,
    "switch": LaneSwitch,
    "join": Join,
    "mux": LaneMux,
    "guard": LaneGuard,
    "repeat": LaneRepeat,
    "take": LaneTake,
    "skip": LaneTake,
    "counter": LaneCounter,
    "deal": LaneDeal,
    "collect": LaneCollect,
    "tuple": LaneTuple,
    "buffer": LanePassing,
    "delay": LaneDelay,
    "shared.write": LaneSharedWrite,
    "shared.read": LaneSharedRead,
    "accumulate": LaneAccumulate,
    "scan": LaneScan,
    "pack": Pack,
    "unpack": Unpack,
    "shuffle": Shuffle,
    "compact": Compact,
    "reduce": Reduce,
} | dict.fromkeys(ARITHMETIC, LaneArithmetic)
"""Behaviours of nodes with lanes, where they are others."""

_LOG_ROWS = 4096
"""Rows that are logged before the watcher is called."""


class PlainMachine:
    """A netlist in motion; see :class:`engine.machine.Machine`."""

    def __init__(self, netlist: Netlist, workload: Workload, options: Options | None = None) -> None:
        options = options or Options()
        self.netlist = netlist
        self.arrays = netlist.arrays
        self.jitter_seed = options.jitter_seed
        self.chance_seed = workload.seed if netlist.physics else 0
        self.now = -1
        self.events = 0
        self.completed = self.issued = 0
        self.oldest = 0
        """The oldest launch not let go."""
        self.fault: FaultInfo | None = None
        self.last_happening = -1
        self.digest_of: list[int] | None = [0] * len(netlist.wires) if options.digests else None

        self.watched = False
        """What happens is to be noted."""
        self._watcher: Watcher | None = None
        self._log: list[list[int]] = []
        self._log_width = log_width(netlist)

        self._late: list[LateWord] = []
        self._ended: Stop | None = None
        self._midway = False
        """Step 1 of the tick ``now`` is done, the others are not."""
        self._stops = 0
        """How often a run has stopped at the end of the window or of its extension."""
        self._ticks: list[int] = []
        self._nodes = len(netlist.nodes)
        self._due: dict[int, list[int]] = {}
        """By tick: nodes that may hand out, and (+ number of nodes) that may fire."""
        self._firing: list[int] = []
        self._completions = array("q")
        self._launches: dict[int, Launch] = {}
        self._output_words = sum(a.words for a in netlist.arrays if a.is_output)
        self._inputs = Draws(workload.inputs, netlist)
        self._expected = Draws(workload.expected, netlist)
        by_chance = netlist.data_dependent or netlist.errs
        search = options.period_search and not by_chance and options.jitter_seed is None
        self._window = Window(netlist, search)
        self.window: WindowInfo = self._window.info
        self.segment = self._window.segment

        fan_in = {w for node in netlist.nodes for port in node.inputs if len(port.wires) > 1 for w in port.wires}
        self.field = Field(self, netlist) if netlist.noisy else None
        """Crosstalk; None where it is off."""
        self.roads = [
            (LineRoad if wire.has_lines else Road)(self, w, wire, netlist.nodes[wire.source], w in fan_in)
            for w, wire in enumerate(netlist.wires)
        ]
        self.memories = [Pages(self, memory) for memory in netlist.memories]
        self.cores = [self._core(index) for index in range(len(netlist.nodes))]
        self._sources = [core for core in self.cores if isinstance(core, Source) and core.is_wired]
        barriers = [core for core in self.cores if isinstance(core, Arrival)]
        self._remembering: list[Pages | Arrival] = [*self.memories, *barriers]
        self._counting: list[Core | Road] = [*self.cores, *self.roads]
        gates = [part.gate for part in self._counting if part.gate is not None]
        self._moving: list[Moving] = [*self.cores, *self.roads, *self.memories, *gates]
        for core in self.cores:
            for result in core.queue:
                core.foresee(0, result)
            if core.queue or core in self._sources:
                self.wake_out(0, core.index)

    def _core(self, index: int) -> Core:
        node = self.netlist.nodes[index]
        if node.kind == "barrier":
            barriers = (LaneChamber, LaneArrival) if node.vector else (Chamber, Arrival)
            return barriers[bool(node.inputs[1].wires)](self, index, node, self.roads)
        kinds = _KINDS | _WITH_LANES if node.vector else _KINDS
        return kinds[node.kind](self, index, node, self.roads)

    # --- what cores and roads call ------------------------------------------------------------------------

    def _wake_tick(self, t: int) -> list[int]:
        codes = self._due.get(t)
        if codes is None:
            codes = self._due[t] = []
            heappush(self._ticks, t)
        return codes

    def wake_out(self, t: int, node: int) -> None:
        """Let a node hand out at tick t > now."""
        self._wake_tick(t).append(node)

    def wake_fire(self, t: int, node: int) -> None:
        """Let a node try to fire at tick t > now."""
        self._wake_tick(t).append(node + self._nodes)

    def wake_fire_from(self, firing: int, node: int) -> None:
        """The node that is firing makes way for another: in this tick if that has its turn later, else in the next."""
        if node > firing:
            heappush(self._firing, node)
        else:
            self.wake_fire(self.now + 1, node)

    def issue(self, launch: int, t: int) -> None:
        """A source makes its first word of a launch."""
        if launch == self.issued:
            self.issued += 1
            self._launches[launch] = Launch(t, self._output_words, len(self.arrays))

    def hold(self, launch: int, change: int) -> None:
        """Count packets of a launch."""
        self._launches[launch].packets += change

    def inputs(self, array: int, launch: int) -> list[int]:
        """The words of an input array."""
        rows = self._launches[launch].inputs
        if array not in rows:
            rows[array] = self._inputs.row(array, launch)
        return rows[array]

    def expected(self, array: int, launch: int) -> list[int]:
        """The words that an output array must have."""
        rows = self._launches[launch].expected
        if array not in rows:
            rows[array] = self._expected.row(array, launch)
        return rows[array]

    def stored(self, array: int, launch: int) -> list[int | None]:
        """The words that an output array has, None where unwritten: to be changed by a store."""
        return self._launches[launch].stored.setdefault(array, [None] * self.arrays[array].words)

    def sunk(self, array: int, launch: int) -> int:
        """How many words of an array have come to its sink."""
        return self._launches[launch].sunk.get(array, 0)

    def sink(self, array: int, launch: int) -> None:
        """Count one."""
        self._launches[launch].sunk[array] = self.sunk(array, launch) + 1

    def access(self, array: int, launch: int, lines: int = 1, words: int = 1) -> None:
        """Count an access to an array."""
        entry = self._launches[launch]
        entry.accesses[array] += lines
        entry.words[array] += words

    def word_done(self, launch: int, at: int, words: int = 1) -> None:
        """Output words have been written, and count at tick ``at``."""
        entry = self._launches[launch]
        entry.left -= words
        entry.done = max(entry.done, at)
        if entry.left == 0 and launch == self.completed:
            self._wake_tick(entry.done)

    def jitter(self, node: int, firing: int, latency: int) -> int:
        """Ticks added to the latency of a node's firing."""
        assert self.jitter_seed is not None
        high = chance(self.jitter_seed + GOLDEN * (4 * node + 1), GOLDEN * (firing + 1)) >> 32
        return (latency + 1) * high >> 32

    def digest(self, wire: int, t: int, packet: Packet) -> None:
        """Add a departure to a wire's digest."""
        assert self.digest_of is not None
        d = mix(self.digest_of[wire] + GOLDEN * (t + 1) & MASK)
        live, stack = (packet.live, packet.stack) if isinstance(packet, Vector) else (packet.masked, ())
        d = mix(d + GOLDEN * (packet.launch + 2) + live & MASK)
        for word in packet.words + stack:
            d = mix(d + GOLDEN + (word & 0xFFFFFFFF) & MASK)
        self.digest_of[wire] = d

    def note_late(self, t: int, cause: Cause, index: int, masks: Words, packet: Packet) -> None:
        """Keep which bits of a packet's words are wrong, of the first ones and of all in the same tick."""
        if len(self._late) < KEPT_LATE or self._late[-1].tick == t:
            launch = -1 if packet.any else packet.launch
            self._late += [LateWord(t, cause, index, k, bits, launch) for k, bits in enumerate(masks) if bits]

    def late_words(self) -> tuple[LateWord, ...]:
        """See :meth:`engine.machine.Machine.late_words`."""
        return tuple(sorted(self._late)[:KEPT_LATE])

    def note_packet(self, what: What, index: int, t: int, ready: int, packet: Packet, port: int = 0) -> None:
        """Log a happening with a packet; without its words where it is only gone."""
        flags = ANY * packet.any | MASKED * packet.masked
        if isinstance(packet, Vector):
            flags |= packet.live << 8 | len(packet.stack) << 40
            for k, mask in enumerate(packet.stack):
                flags |= mask << 16 + 8 * k
        head = [t, what, index, ready, packet.launch, packet.block, packet.thread, packet.barriers, flags, port]
        self._note(head if what is What.GONE else [*head, *packet.words])

    def note_firing(self, node: int, t: int, ready: int, launch: int, live: bool) -> None:
        """Log a firing."""
        self._note([t, What.FIRED, node, ready, launch, 0, 0, 0, LIVE * live])

    def _note(self, row: list[int]) -> None:
        self._log.append(row + [0] * (self._log_width - len(row)))

    def check_lost(self, core: Core, launch: int, drops: bool) -> None:
        """After a firing: a launch that lacks words and can no longer get them is a fault."""
        entry = self._launches.get(launch)
        if entry is None:  # let go, though a group of it is open
            return
        if drops:
            entry.dropped = core.index
        if entry.packets == 0 and entry.left and all(s.launch > launch for s in self._sources):
            fault = CoreFault("lost-words", other=entry.left, other_node=entry.dropped)
            fault.header = Packet((), launch, False, -1, -1, 0, False)
            raise fault

    # --- running ------------------------------------------------------------------------------------------

    def run(self, until: int | None = None) -> Stop:
        """See :meth:`engine.machine.Machine.run`."""
        called_at = self.now
        while True:
            stop = self._next_tick(until, called_at)
            if stop is not None or len(self._log) > _LOG_ROWS:
                self._tell()
            if stop is not None:
                return stop

    def step(self) -> Stop:
        """See :meth:`engine.machine.Machine.step`."""
        called_at, midway = self.now, self._midway
        while True:
            stop = self._next_tick(None, called_at)
            if stop is not None or midway or self.last_happening > called_at:
                self._tell()
                return stop or Stop.UNTIL

    def _next_tick(self, until: int | None, called_at: int) -> Stop | None:
        """Work through one tick; why it stopped, None if it can go on."""
        if self._ended:
            return self._ended
        if self._midway:
            if until is not None and until < self.now:
                return Stop.UNTIL
            return self._window_stop() or self._work(self.now)
        if not self._ticks:
            self.now = max(self.last_happening, called_at)
            self._ended = Stop.DEADLOCK
            return self._ended
        t = self._ticks[0]
        limit = self.netlist.time_limit_ticks
        if until is not None and until < t and until <= limit:
            self.now = max(self.now, until)
            return Stop.UNTIL
        if t > limit:
            self.now = max(self.now, limit)
            self._ended = Stop.TIMEOUT
            return self._ended
        heappop(self._ticks)
        self.now = t
        self._midway = True
        if self._count_launches(t):
            self._look_at_window(t)
            stop = self._window_stop()
            if stop:
                return stop
        return self._work(t)

    def _work(self, t: int) -> Stop | None:
        """Steps 2 to 4 of a tick."""
        self._midway = False
        cores, nodes = self.cores, self._nodes
        codes = self._due.pop(t)
        fires = {code - nodes for code in codes if code >= nodes}
        for node in sorted({code for code in codes if code < nodes}):
            if cores[node].hand_out(t):
                fires.add(node)
        self._firing = firing = sorted(fires)
        last = -1
        while firing:
            node = heappop(firing)
            if node == last:
                continue
            last = node
            try:
                cores[node].fire(t)
            except CoreFault as fault:
                head = fault.header
                assert head is not None
                launch = -1 if head.any else head.launch
                self.fault = FaultInfo(
                    fault.code, t, node, fault.port, launch, head.block, head.thread, fault.words, **fault.more
                )
                self._ended = Stop.FAULT
                if self.watched:
                    self._log.append(fault_row(self.fault, self._log_width))
                return self._ended
        self._let_go(t)
        return None

    def _count_launches(self, t: int) -> bool:
        """Step 1; whether any launch counted."""
        before = self.completed
        while True:
            entry = self._launches.get(self.completed)
            if entry is None or entry.left:
                break
            if entry.done > t:
                if self.completed > before:
                    self._wake_tick(entry.done)
                break
            self._window.count(t, self.completed, entry)
            self._completions.append(t)
            if self.watched:
                self._note([t, What.COUNTED, -1, t, self.completed])
            self.completed += 1
            self.last_happening = t
            if self.completed == self.window.first and self.window.known:
                self._start_window(t)
        return self.completed > before

    def _look_at_window(self, t: int) -> None:
        """Launches have counted: the warm-up may be over, the state may be one that was there before."""
        window = self._window
        info = window.info
        if not info.known and self.completed >= window.warmup:
            window.nominal_end(self.issued, self.completed)
            if self.completed == info.first:
                self._start_window(t)
        if not info.known or not window.searching:
            return
        if self.completed > info.last:
            window.searching, window.reference = False, None
        elif window.compare(t, self.completed, self.issued, self.events, self._key(t)):
            for part in self._counting:
                part.forget_window()
            if self.field:
                self.field.forget_window()
            if self.completed == info.first:
                self._start_window(t)

    def _start_window(self, t: int) -> None:
        self.window.start_tick = t
        for part in self._counting:
            part.start_time_anew(t)

    def _window_stop(self) -> Stop | None:
        info = self.window
        if not info.known or self._stops == 2 or self.completed <= (info.extended_last if self._stops else info.last):
            return None
        self._stops += 1
        return Stop.WINDOW if self._stops == 1 else Stop.EXTENSION

    def _key(self, t: int) -> tuple[Any, ...]:
        """The state relative to now ("State" in docs/model.md)."""
        n = self.completed
        launches = [self._launches[k] for k in range(n, self.issued)]
        return (
            tuple([core.key(t, n) for core in self.cores]),
            tuple([road.key(t, n) for road in self.roads]),
            tuple([memory.key(t, n) for memory in self.memories]),
            tuple([(launch.left, max(launch.done - t, 0)) for launch in launches]),
        )

    def _let_go(self, t: int) -> None:
        """Step 4."""
        gone = False
        while self.oldest < self.completed:
            launch = self.oldest
            if self._launches[launch].packets or any(s.launch <= launch for s in self._sources):
                break
            gone = True
            del self._launches[launch]
            self.oldest += 1
            for part in self._remembering:
                part.forget(launch)
        if gone:
            self.last_happening = t
            for source in self._sources:
                source.look_again(t)

    # --- being watched ------------------------------------------------------------------------------------

    def watch(self, watcher: Watcher | None) -> None:
        """See :meth:`engine.machine.Machine.watch`."""
        self._watcher, self.watched = watcher, watcher is not None

    def _tell(self) -> None:
        """Give the watcher what has been logged."""
        if self._watcher and self._log:
            rows, self._log = in_order(np.array(self._log, np.int64)), []
            self._watcher(rows)

    # --- looking ------------------------------------------------------------------------------------------

    def counters(self) -> Counters:
        """See :class:`engine.machine.Counters`."""
        for core in self.cores:
            core.account(max(self.now, 0))
        return counters(max(self.now, 0), self.cores, self.roads, self._window, self.field)

    def completions(self) -> NDArray[np.int64]:
        """Ticks c(L) of all counted launches, in order."""
        return np.array(self._completions, dtype=np.int64)

    def closest(self) -> NDArray[np.int64]:
        """See :meth:`engine.machine.Machine.closest`."""
        return np.array(self.field.closest if self.field else [], dtype=np.int64)

    def digests(self) -> NDArray[np.uint64]:
        """Digest per wire, if asked for; see :meth:`engine.machine.Machine.digests`."""
        return np.array(self.digest_of or [], dtype=np.uint64)

    def state(self) -> StateView:
        """See :class:`engine.machine.StateView`."""
        settle(self.now, self.roads)
        return state(self.now, self.cores, self.roads, self.memories)

    def packets(self, tick: int) -> PacketArrays:
        """See :meth:`engine.machine.Machine.packets`."""
        settle(self.now, self.roads)
        return packets(tick, self.roads)

    # --- going back ---------------------------------------------------------------------------------------

    def snapshot(self) -> object:
        """A copy of the state, for :meth:`restore` on this machine."""
        return (
            (self.now, self.events, self.completed, self.issued, self.oldest, self.fault, self.last_happening),
            (self._ended, self._midway, self._stops),
            self._ticks.copy(),
            {t: codes.copy() for t, codes in self._due.items()},
            self._completions[:],
            self._late.copy(),
            self.digest_of and self.digest_of.copy(),
            {number: launch.copy() for number, launch in self._launches.items()},
            self._window.copy(),
            [part.save() for part in self._moving],
            self.field.save() if self.field else None,
        )

    def restore(self, snapshot: object) -> None:
        """Go back, or forward, to a snapshot of this machine; it can be used again."""
        assert isinstance(snapshot, tuple)
        numbers, run, ticks, due, completions, late, digests, launches, window, parts, field = snapshot
        self.now, self.events, self.completed, self.issued, self.oldest, self.fault, self.last_happening = numbers
        self._ended, self._midway, self._stops = run
        self._ticks = ticks.copy()
        self._due = {t: codes.copy() for t, codes in due.items()}
        self._completions = completions[:]
        self._late = late.copy()
        self.digest_of = digests and digests.copy()
        self._launches = {number: launch.copy() for number, launch in launches.items()}
        self._window = window.copy()
        self.window = self._window.info
        self.segment = self._window.segment
        for part, saved in zip(self._moving, parts, strict=True):
            part.load(saved)
        if self.field:
            self.field.load(field)
