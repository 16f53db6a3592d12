"""What every engine offers: the interface between the two engines and everything that uses them.

:class:`Machine` is implemented by :class:`engine.plain.PlainMachine` and
:class:`engine.kernel.CompiledMachine`. All figures are raw: ticks, counts, bit patterns as signed 32-bit
integers. :mod:`engine.score` turns them into metrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from engine.log import Watcher
from engine.netlist import Netlist
from engine.truth import Workload

SEGMENTS = 4
"""Launches before the window, in it, in its extension, and after it."""

KEPT_LATENCIES = 4096
"""Launches of a window whose latency is kept, from its first on."""


KEPT_LATE = 64
"""Words with late bits that are told of a run: the first ones."""


class Stop(Enum):
    """Why :meth:`Machine.run` returned."""

    UNTIL = "until"  # the next event lies after the asked tick
    WINDOW = "window"  # the window's last launch has counted
    EXTENSION = "extension"  # the last launch of the window's extension has counted
    FAULT = "fault"
    DEADLOCK = "deadlock"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class FaultInfo:
    """A fault as the engine saw it.

    code is one of the codes in ``docs/cores.md``. ``node`` is the faulting node. ``launch``, ``block`` and
    ``thread`` are of the firing's joined header (launch -1 where that is ``any``), ``port`` is an index of the
    node's inputs and ``words`` what the core sees there (with lanes: the values, word behind word). ``lane`` is the
    first lane of a packet of several in which there is a fault. Unused numbers are -1, unused tuples empty,
    ``expected`` and ``got`` 0.

    ===========================  ====  ========================================================================
    code                         port  the rest
    ===========================  ====  ========================================================================
    mixed-launches               the   first that differs; launch, block and thread of the first packet,
                                       other: the launch at port
    open-group                   the   one taken from; other: packets in the group; index: (its launch,)
    outside                      0     index: the coordinates
    unwritten, written-twice     0     index: the flat index
    no-launch                    0     (1 at arrive)
    wrong-value                  1     index: the flat index; expected, got (sink: port 0)
    extra-word                   0     other: words of this launch before it; got
    divide-by-zero               1
    not-finite                   -1    got: the result's bits (inf as float32; NaN as 0x7FC00000)
    shared-outside               0     index: (cell,)
    read-before-write,           0     index: (cell,)
    given-back
    overwrite, race              0     index: (cell,); other, other_node: thread and node that wrote
    burnt-out                    -1    got: µK above the ambient temperature; found after a run, by no engine
    parity-error, uncorrectable  the   where the wire ends that other is
    lost-words                   -1    launch; other: words missing; other_node: the last dropping node
    deep-split                   0     other: splits before it
    other-half                   1     other: the thread there (of the header: that at true)
    lane-twice                   1     lane: the first that is in both halves
    not-split                    the   input at which it came
    lanes-missing                the   input of the half (0 of two); lane: the first that is in no half
    ===========================  ====  ========================================================================
    """

    code: str
    tick: int
    node: int
    port: int = -1
    launch: int = -1
    block: int = -1
    thread: int = -1
    words: tuple[int, ...] = ()
    index: tuple[int, ...] = ()
    expected: int = 0
    got: int = 0
    other: int = -1
    other_node: int = -1
    lane: int = -1


class Cause(IntEnum):
    """What made bits of a word wrong; only late bits are those of a core."""

    LATE_LINES = 0
    LATE_BITS = 1
    NOISE = 2
    STRAY = 3


@dataclass(frozen=True, slots=True, order=True)
class LateWord:
    """A word of which bits came late, or were spoilt otherwise, in the order in which such words are told: by tick,
    cause, number.

    ``tick`` is that of the firing or entry at which bits came late, else that of the firing that takes the word, or
    would take it. ``index`` is that of the wire or node, ``word`` a position in its packet or result, ``bits`` a mask
    of its bits, or of the wire's lines, that are wrong, ``launch`` the packet's, -1 where that is ``any``.
    """

    tick: int
    cause: Cause
    index: int
    word: int
    bits: int
    launch: int


@dataclass(slots=True)
class WindowInfo:
    """The window as far as it is known. ``first`` … ``last`` are launches, ``extended_last`` ends segment 2."""

    known: bool = False
    first: int = 0
    last: int = 0
    extended_last: int = 0
    in_flight: int = 0
    start_tick: int = -1
    """c(first - 1), -1 until it has counted."""
    period_launches: int = 0
    """0 while none has been found."""
    period_ticks: int = 0


@dataclass(slots=True)
class Counters:
    """Counters of a run, as copies. ``n`` nodes, ``w`` wires; int64.

    By segment of launches (see "Energy" and "The window" in docs/model.md): firings, live (4, n); entries,
    toggles, coupling in aJ (4, w). By time since the window's start (or tick 0 before it), up to now: node_firings,
    busy, blocked, starved (n,), starved_by_port (n, most inputs), wire_entries, wire_waits (w,) - the latter the sum of
    d(k) - a(k) over the packets that left. ``accesses`` (arrays,): most lines that the array's loads and stores moved
    per launch, as it stands when the launch counts, over the counted launches of the window (segment 1); ``words``
    likewise: most words (live lanes).
    ``latencies``: ticks, of the first :data:`KEPT_LATENCIES` launches counted in the window, in order;
    ``latency_worst``: of all. node_sleep (n, 3), wire_sleep (w, 3), by time as well: ticks asleep, wakings, and words
    that had to wait for one; without rows where nothing may sleep. ``corrections`` (w,): words that
    decoders mended, since the start, of those that were taken; ``longest`` (w,): the most ticks that a live word was
    under way, a(k) − e(k), on a wire whose lines leak; None where no wire's lines are looked at.

    Of a wide machine (``Netlist.wide``), by segment, (4, n); else None, as they follow from the others:
    ``lanes``: live lanes of all firings. ``controls``: how often control is paid: a shared memory's cycles, else a
    firing once unless the core's rule says otherwise (pack, unpack, compact). ``work``: how often the operation is
    paid: a pad's lines, a shared memory's words, else as ``Node.once`` and ``per_lane`` say. ``cycles``: how often the
    interval is held: a pad's lines and a shared memory's cycles, at least 1; else 1 unless the core's rule says more.
    ``words`` is None without them as well.
    """

    firings: NDArray[np.int64]
    live: NDArray[np.int64]
    entries: NDArray[np.int64]
    toggles: NDArray[np.int64]
    node_firings: NDArray[np.int64]
    busy: NDArray[np.int64]
    blocked: NDArray[np.int64]
    starved: NDArray[np.int64]
    starved_by_port: NDArray[np.int64]
    wire_entries: NDArray[np.int64]
    wire_waits: NDArray[np.int64]
    accesses: NDArray[np.int64]
    latency_worst: int
    latencies: NDArray[np.int64]
    node_sleep: NDArray[np.int64]
    wire_sleep: NDArray[np.int64]
    coupling: NDArray[np.int64]
    words: NDArray[np.int64] | None = None
    lanes: NDArray[np.int64] | None = None
    controls: NDArray[np.int64] | None = None
    work: NDArray[np.int64] | None = None
    cycles: NDArray[np.int64] | None = None
    corrections: NDArray[np.int64] | None = None
    longest: NDArray[np.int64] | None = None


BY_LAUNCH = ("firings", "live", "entries", "toggles", "coupling", "lanes", "controls", "work", "cycles")
"""Counters that are kept by segment of launches; the last four may be None."""


@dataclass(frozen=True, slots=True)
class PacketView:
    """One packet: its words (bit patterns) and header.

    Of a packet of several ``lanes``, ``words`` are all values stored, ``live`` is its mask (bit l for lane l) and
    ``stack`` the masks before its splits, the oldest first; a scalar has 0 and (), and ``masked`` says all.
    """

    words: tuple[int, ...]
    launch: int
    any: bool
    block: int
    thread: int
    barriers: int
    masked: bool
    lanes: int = 1
    live: int = 0
    stack: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WireView:
    """A wire now: its packets, head first, as (packet, e(k), a(k) as far as known), and its last entry and exit."""

    packets: tuple[tuple[PacketView, int, int], ...]
    last_entry: int
    last_exit: int


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node now: results, oldest first, as (packet, ready tick, index of the port it leaves at or -1 for all);
    the wires that have already taken the oldest; packets in slots or chambers; and its group count."""

    results: tuple[tuple[PacketView, int, int], ...]
    taken: tuple[int, ...]
    slots: tuple[PacketView, ...]
    count: int
    group_launch: int
    last_firing: int


@dataclass(frozen=True, slots=True)
class StateView:
    """Everything that moves, in a neutral form: for explanations, pictures and for comparing engines.

    A value: it stays as it is when the machine moves on. ``nodes`` and ``wires`` in the netlist's order; the compiled
    engine makes each of them when it is first looked at.
    ``pages``: per shared memory, per page: (launch, block, reads, written cells), launch -1 when free.
    ``firings`` and ``exits``: ``last_firing`` of all nodes and ``last_exit`` of all wires, from the engine that has
    them at hand; ask :meth:`last_firings` and :meth:`last_exits`.
    """

    tick: int
    nodes: Sequence[NodeView]
    wires: Sequence[WireView]
    pages: tuple[tuple[tuple[int, int, int, int], ...], ...] = ()
    firings: NDArray[np.int64] | None = field(default=None, compare=False, repr=False)
    exits: NDArray[np.int64] | None = field(default=None, compare=False, repr=False)

    def last_firings(self) -> NDArray[np.int64]:
        """The tick at which each node fired last, -1 before; do not change it."""
        if self.firings is not None:
            return self.firings
        return np.array([node.last_firing for node in self.nodes], np.int64)

    def last_exits(self) -> NDArray[np.int64]:
        """The tick at which a packet left each wire last, -1 before; do not change it."""
        return self.exits if self.exits is not None else np.array([wire.last_exit for wire in self.wires], np.int64)


@dataclass(slots=True)
class PacketArrays:
    """Packets on wires for drawing: equal-length arrays, wires in order, head first.

    wire (int32), position in tiles from the wire's start (float32), first word (int32 bits), launch (int32),
    masked (bool), live (uint8): bit l for lane l, of a scalar 255 or, where it is masked, 0. Engines give it always;
    None of packets that were made for a picture.
    """

    wire: NDArray[np.int32]
    position: NDArray[np.float32]
    value: NDArray[np.int32]
    launch: NDArray[np.int32]
    masked: NDArray[np.bool_]
    live: NDArray[np.uint8] | None = None


@dataclass(slots=True)
class Options:
    """Options of a run. ``digests`` makes the engine keep a digest of every departure (for comparisons)."""

    jitter_seed: int | None = None
    digests: bool = False
    period_search: bool = True


class Machine(Protocol):
    """A netlist in motion. Time only goes forward; :meth:`restore` goes back exactly."""

    netlist: Netlist

    @property
    def now(self) -> int:
        """The last tick that was worked through, -1 at the start."""
        ...

    @property
    def events(self) -> int:
        """Firings and deliveries so far (a delivery: a packet taken from a wire)."""
        ...

    @property
    def completed(self) -> int:
        """Launches that have counted."""
        ...

    @property
    def issued(self) -> int:
        """Launches whose first word some pad has made."""
        ...

    @property
    def oldest(self) -> int:
        """The oldest launch that has not been let go: of all earlier ones no packet is left."""
        ...

    @property
    def window(self) -> WindowInfo: ...

    @property
    def fault(self) -> FaultInfo | None: ...

    def __init__(self, netlist: Netlist, workload: Workload, options: Options | None = None) -> None: ...

    def run(self, until: int | None = None) -> Stop:
        """Work through every tick up to and including ``until`` (None: no bound but the time limit).

        Returns at the end of the window, and, when called again, at the end of its extension (both within a
        tick, after its step 1: the next call goes on with its step 2; after the extension it goes on without
        end); at a fault, a deadlock or the time limit, after which further calls return the same at once.
        ``now`` is then ``until`` (UNTIL), the tick of the stop, the last tick in which anything happened but
        not before the last call's ``now`` (DEADLOCK), or the time limit (TIMEOUT).
        """
        ...

    def step(self) -> Stop:
        """Work up to and through the next tick in which anything happens; why it stopped (UNTIL: it can go on).

        A launch counts or is let go, a packet is made, taken, or enters a wire, a chamber opens. A packet that comes
        to a wire's end, or an interval that is over, is no happening where nothing takes or fires. After a stop
        within a tick it is the rest of that tick.
        """
        ...

    def watch(self, watcher: Watcher | None) -> None:
        """Give ``watcher`` what happens from now on, as :mod:`engine.log` says; None: no longer.

        It is called with new rows, at least one, when there are many and before :meth:`run` and :meth:`step` return; it
        must leave the machine alone. What is done again after :meth:`restore` is told again.
        """
        ...

    def counters(self) -> Counters: ...

    def completions(self) -> NDArray[np.int64]:
        """Ticks c(L) of all counted launches, in order."""
        ...

    def late_words(self) -> tuple[LateWord, ...]:
        """The first :data:`KEPT_LATE` words with bits that were late or spoilt since the start, in order."""
        ...

    def closest(self) -> NDArray[np.int64]:
        """By stretch of the netlist, the largest overlap since the start, of 64, of two words of which a line of one
        was quiet while that of the other moved: only such can push."""
        ...

    def digests(self) -> NDArray[np.uint64]:
        """Digest per wire over its departures, if asked for.

        For each departure, with mix and G of docs/model.md, modulo 2^64:
        d = mix(d + G * (tick + 1)); d = mix(d + G * (launch + 2) + masked); then for each word d = mix(d + G + word),
        the word as an unsigned 32-bit number; d starts at 0. With lanes: + live mask for + masked; then for each value
        stored, and for each mask on the stack.
        """
        ...

    def state(self) -> StateView: ...

    def packets(self, tick: int) -> PacketArrays:
        """Packets on wires as they stand at ``tick`` (now ≤ tick, before the next event): for drawing.

        Head first x_0 = min(t − e, L·T)/T, then x_j = min((t − e_j)/T, x_{j−1} − 1), e being the tick in which a packet
        leaves the encoder, and no x below 0.
        """
        ...

    def snapshot(self) -> object: ...

    def restore(self, snapshot: object) -> None: ...


@runtime_checkable
class Retimable(Protocol):
    """A machine that can be given other speeds, for a small part of what a new machine costs."""

    def retime(self, wire: int, every_ticks: int, drive_nw: int | None = None) -> None:
        """Give a wire another speed (0: stopped), with the drive that this takes, and start again from tick 0."""
        ...

    def reset(self) -> None:
        """Start again from tick 0."""
        ...
