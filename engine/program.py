"""A netlist as flat record arrays: what the compiled event loop runs.

:func:`build` gives the arrays of a machine at time 0. The loop in :mod:`engine.kernel` sees only these; all meaning
is in the record types here. Positions are indices into other arrays: ``ids`` holds all lists (wires of a port, words of
a wire), ``pool`` all memory of stateful cores, ``packets`` and ``words`` the rings of wires, queues and slots.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.catalog import CORES
from engine.encodings import ENCODINGS, PARITY, UNCORRECTABLE, start_lines
from engine.machine import KEPT_LATE
from engine.netlist import LOOKAHEAD, Netlist, Node, Wire
from engine.program_field import FieldArrays, can_flip, field_arrays
from engine.program_lanes import Lanes, in_values, lane_bits, lanes_of
from engine.units import MIN_EVERY_TICKS

Array = NDArray[Any]

NEVER = 2**62
"""A tick that does not come; −NEVER is before all ticks."""

DATA_RING = 2 * LOOKAHEAD
"""Launches whose data is kept; those in use span at most LOOKAHEAD, and data comes in chunks."""
CHUNK = 64

EPOCH = 12
SLOTS = 1 << EPOCH
"""Slots of each of the two wheels, of ticks and of epochs of 2 ** EPOCH ticks; one list is for what lies beyond."""
FIRE_BITS = 2 * SLOTS // 64 + 1
"""Where the bits of nodes that may fire in this tick begin in ``bits``."""

TAKEN, TAKEN_PORTS, TAKEN_END = 0, 16, 32
"""Places in ``ids`` of the wires that a firing takes from, and of their ports, for cores that choose."""
SCRATCH = 8
"""Words at the start of ``words`` for a result that has no room."""

CELL = 6
"""Numbers of a cell of shared memory: generation, word, thread, barriers, node; with lanes its warp's first thread."""
PAGE = 5
"""Numbers of a page: launch + 1, block, reads, written cells, generation."""
SUM = 6
"""Numbers of a sum: values, has a live one, word, block (−2 where they differ), thread (likewise), barriers. With
lanes: live mask for has a live one, stack for the word; the words of the lanes follow."""
ARRIVAL = 3
"""Numbers per launch and block at a barrier with arrive: launch + 1, arrivals, passed."""

REDUCTIONS = ("add", "mul", "min", "max", "and", "or", "xor")
RELATIONS = ("lt", "le", "eq", "ne", "ge", "gt")
KINDS = {
    kind: number
    for number, kind in enumerate(
        [
            *("add", "sub", "mul", "mul.serial", "mac", "div", "mod", "min", "max", "abs", "neg", "exp"),
            *("and", "or", "xor", "shl", "shr", "compare", "select"),
            *("address", "relay", "buffer", "gate", "switch", "guard", "tuple", "load", "store", "sink"),
            *("mux", "take", "skip", "deal", "collect", "delay", "repeat", "counter"),
            *("accumulate", "scan", "shared.write", "shared.read", "barrier"),
            *("shuffle", "reduce", "join", "pack", "unpack", "compact", "threads", "stream"),
        ]
    )
}
"""Numbers of the kinds: arithmetic first, then what needs no memory of its own, then what does, then what speaks of
lanes, then sources."""

assert set(CORES) - {"hold", "shared"} | {"shared.write", "shared.read"} == set(KINDS)

DECODED = ("", PARITY, UNCORRECTABLE)
"""Faults of decoders."""

FAULTS = (
    *("", "mixed-launches", "open-group", "outside", "unwritten", "written-twice", "no-launch", "wrong-value"),
    *("extra-word", "divide-by-zero", "not-finite", "shared-outside", "read-before-write", "given-back"),
    *("overwrite", "race", "lost-words", "deep-split", "other-half", "lane-twice", "not-split", "lanes-missing"),
    *DECODED[1:],
)
"""Codes by the number that the loop uses."""

_CHOOSING = {"mux", "collect", "repeat", "counter", "accumulate", "barrier", "shared.write", "join", "unpack"}
"""Kinds that do not take from all their ports at every firing, or that wait for more than packets and room."""
_MAY_DROP = {"gate", "guard", "take", "skip", "deal", "switch", "accumulate", "barrier", "pack", "unpack", "compact"}


def _record(**columns: str) -> np.dtype[Any]:
    return np.dtype(
        [(name, kind) for kind, names in columns.items() for name in names.split()],
        align=True,
    )


RUN = _record(
    f8="tolerance",
    u8="seed",
    i8="now events completed issued oldest last_active resume stop due base limit warmup measured first last ext "
    "window in_flight start_tick period period_ticks search ref_completed ref_tick ref_events least_events since power "
    "time_start "
    "filled space waiting_sources check_gone logged log_rows latencies latency_worst data_changed "
    "fault f_node f_port f_launch f_block f_thread f_index f_expected f_got f_other f_other_node f_cell "
    "x_launch x_any x_block x_thread x_barriers x_masked x_yield x_live x_check x_index x_value late "
    "x_mask x_value_mask x_lanes x_controls x_work x_cycles x_mark x_stack "
    "x_sides x_taken x_results x_first x_first_block x_most x_rows x_whole_thread x_whole_stack x_wait f_lane",
    i4="nodes wires arrays sources stride jitter digests probe output_words pool_access pool_best first_source tag log "
    "entered made",
)
"""The run itself: one record. ``due`` is the number of nodes that may hand out in this tick; ``log`` says that what
happens is logged, ``logged`` is how many rows there are, ``log_rows`` how many there may be for another tick to fit in;
``entered`` and ``made`` are how many wires and nodes :class:`Physics` lists for this tick's end; ``late`` is how many
rows ``late_words`` has; ``x_…`` are what the rules of rare cores hand back."""

NODE = _record(
    i8="latency interval last ready_at mark busy blocked starved_before firings make_at rest extra",
    u8="jitter",
    i4="kind simple always is_float missing waiting room queue head length left in_start in_n port_start port_n "
    "out_start out_n out_ports width a b c d count group group_any turn slots launch made burst aside fresh gated "
    "foresees",
)
"""A node. ``in_start``/``in_n``: its wires in ``ids``; ``out_ports``: (start, n) per port in ``ids``; ``queue``,
``head``, ``length``: the ring of results in ``packets``; ``left``: copies of the oldest not yet taken; ``missing``:
wires without a packet, ``ready_at``: when the others let it fire; ``a`` … ``d``: settings of the kind;
``aside``: bit 0: physics looks at its results at the end of the tick in which they are made (bits may be late, as
``chance`` says); ``fresh``: then the place of the first of them, + 1; bit 1: a wire with lines ends there; ``gated``:
it may sleep; ``foresees``: a wire that it leads to wakes when a result is made."""

WIRE = _record(
    i8="every transit last_entry last_exit head_ready entries waits",
    i4="source target length held head ring width words taken blocked mask_bit port bits fan aside gated",
)
"""A wire. ``ring``, ``head``, ``held``: its packets; ``words``: positions in the source's result, in ``ids``;
``length``: how many it holds at most, less one; ``aside``: physics looks at its packets at the end of the tick in which
they enter: bit 0: bits may be late, in it or at its source; bit 1: its lines are looked at; bit 2: they lose charge."""

CHANCE = _record(u8="start", i8="overshoot", i4="lines count")
"""How bits of node n (at n) or wire w (at nodes + w) come late: the seed of their chance, by how many millionths too
fast; ``count``: lines of a word; ``lines``: those of a wire's words, the slowest first, ``count`` for each word, in
``ids``."""

LINED = _record(
    u8="start",
    i8="retention corrections longest",
    i4="bits width encoding raw_receiver settled marked fault mended",
)
"""A wire whose lines are looked at: ``start``: lines of each of ``width`` words that are driven at tick 0, which are
at ``bits``; ``encoding``: its place in ENCODINGS; ``raw_receiver``: no decoder. Of its head: ``settled``: it is as it
will be received, with ``marked`` where that is not what entered, the ``fault`` that its decoder found (a place in
DECODED) and so many words ``mended``."""

PACKET = _record(i8="time", i4="launch block thread barriers flags port")
"""Header of a packet. ``time``: entry or ready tick; flags: 1 any, 2 masked, 4 masked for a load's value; ``port``: of
a result, where it leaves; on a wire that has ``aside``, the place of the result that it is a copy of."""

PORT = _record(i4="wires n chosen given pick width first_wire_width")
"""An input port. ``chosen``: the wire whose head it takes; ``given``: 0 open, 1 wired, 2 immediate."""

PICK = _record(i4="position value")
"""A word that a port sees: position in the packet, or −1 and a constant; of lanes see
:data:`engine.program_lanes.LANE_PORT`."""

PAIR = _record(i8="a b")
"""Counters by segment: firings and live ones of a node, entries and toggled bits of a wire."""

EVENT = _record(i8="due", i4="next prev")
"""Pending events: hand-out of node n at n, its firing at nodes + n, the next launch to count at 2 × nodes."""

LAUNCH = _record(i8="done issued", i4="packets words_left sources_left dropper")
ARRAY = _record(i4="rank d0 d1 d2 d3 words data expected stored is_input is_float")


GATE = _record(i8="since slept wakes delayed usable refused counted after wait", i4="asked ahead begun tiles")
"""How a node or wire sleeps (:class:`engine.plain.gates.Sleep`). ``since``: of a node, when its last result was gone;
``usable``: from when on it is awake, and ``refused`` the same once a word had to wait for it; ``counted``: from when on
sleep is counted; ``after``, ``wait``, ``ahead`` as in :class:`engine.netlist.Gate`; ``asked`` > 0: it is needed,
``begun`` of that at tick 0; ``tiles``: length of a wire, whether it sleeps or not."""


class Physics(NamedTuple):
    """What only machines with physics have: one argument of the loop. Parts of a module that is off have length 0 or 1.

    ``chance``: CHANCE of nodes, then wires. ``wrong`` says for each of ``words`` in the queue of a node that may be
    late which bits are wrong once handed out, and of the words last driven on wires what they are; words on wires are
    as they will be received. A row of ``late_words`` is one of :class:`engine.machine.LateWord`. ``entered`` and
    ``made``: wires that packets entered and nodes that made results in this tick, of those with ``aside``; empty
    between ticks.

    ``lined``: LINED of wires. ``driven`` and ``got``, for each of ``words`` on wires with lines: the lines that were
    driven, and those as late bits left them; ``driven`` holds at a wire's ``bits`` the last ones. ``marks``: lines of
    the head's words that were spoilt at its settling, by wire, cause (noise, strays) and word. ``field``: crosstalk.

    ``gates``: of nodes, then wires; without rows where none may sleep.
    """

    chance: Array
    wrong: Array
    late_words: Array
    entered: Array
    made: Array
    lined: Array
    driven: Array
    got: Array
    marks: Array
    field: FieldArrays
    gates: Array

    def moving(self) -> tuple[Array, ...]:
        """What changes while the machine runs, between ticks: for snapshots."""
        own = self.wrong, self.late_words, self.lined, self.driven, self.got, self.marks, self.gates
        return (*own, *self.field.moving())

    def begin(self) -> None:
        """Back to tick 0."""
        self.wrong.fill(0)
        self.field.begin()
        for name in ("corrections", "longest", "settled", "marked", "fault", "mended"):
            self.lined[name] = 0
        for row in self.lined:
            self.driven[row["bits"] : row["bits"] + row["width"]] = row["start"]
        for name in ("since", "slept", "wakes", "delayed", "counted"):
            self.gates[name] = 0
        self.gates["usable"] = self.gates["refused"] = -NEVER
        self.gates["asked"] = self.gates["begun"]


@dataclass(slots=True)
class Program:
    """All arrays of a machine. ``data`` is a ring of DATA_RING launches, ``stored`` one of LOOKAHEAD.

    ``physics`` is None where no module of physics is on, ``lanes`` in machines that are not wide; the loop is then
    compiled without what hangs on it.
    """

    run: Array
    nodes: Array
    wires: Array
    packets: Array
    words: Array
    ids: Array
    ports: Array
    picks: Array
    counts: Array
    by_port: Array
    events: Array
    heads: Array
    bits: Array
    launches: Array
    arrays: Array
    data: Array
    stored: Array
    stored_tag: Array
    pool: Array
    tokens: Array
    completions: Array
    latencies: Array
    digests: Array
    reference: Array
    log: Array
    physics: Physics | None
    lanes: Lanes | None

    def values(self) -> tuple[Any, ...]:
        """The arrays in the order in which the loop takes them."""
        return tuple(getattr(self, f.name) for f in fields(self))


class _Lists:
    """Lists behind each other in one int32 array."""

    def __init__(self, start: int) -> None:
        self.all: list[int] = [0] * start

    def add(self, values: Any) -> int:
        at = len(self.all)
        self.all.extend(values)
        return at


class _Pool:
    """Room for stateful cores, all 0 at first but for the headers of shared memories."""

    def __init__(self) -> None:
        self.size = 0
        self.headers: dict[int, tuple[int, int, int]] = {}

    def add(self, size: int) -> int:
        at = self.size
        self.size += size
        return at

    def array(self) -> Array:
        made = np.zeros(max(self.size, 1), np.int32)
        for at, header in self.headers.items():
            made[at : at + len(header)] = header
        return made


def _starts(sizes: list[int], first: int = 0) -> list[int]:
    return list(accumulate(sizes, initial=first))


def build(
    net: Netlist, *, jitter_seed: int | None, digests: bool, period_search: bool, chance_seed: int = 0
) -> Program:
    """The arrays of ``net`` at time 0, before its first data has come."""
    in_words, net = net, in_values(net)
    n, w = len(net.nodes), len(net.wires)
    ids = _Lists(TAKEN_END)
    pool = _Pool()
    nodes, wires = np.zeros(n, NODE), np.zeros(w, WIRE)
    run = np.zeros(1, RUN)
    arrays, data_words = _arrays(net)
    widths = [node.result_width for node in net.nodes] + [len(x.words) for x in net.wires]
    widths += [node.inputs[0].width for node in net.nodes if node.kind in ("counter", "unpack")]
    stride = max([1, *widths])
    rooms = [node.room + _more_room(node) for node in net.nodes]
    slots = [_slots(node) for node in net.nodes]
    lead = -(-SCRATCH // stride)
    queue_at = _starts(rooms, lead)
    slot_at = _starts(slots, queue_at[-1])
    ring_at = _starts([_ring(x) for x in net.wires], slot_at[-1])
    ports, picks = _ports(net, nodes, ids)
    blocks = int(net.token_block.max(initial=-1)) + 2
    memories = [_memory(pool, m.words, m.pages, blocks) for m in net.memories]
    output_words = sum(a.words for a in net.arrays if a.is_output)
    sources = [i for i, x in enumerate(net.nodes) if x.kind in ("threads", "stream") and x.outputs[0].wires]
    for i, node in enumerate(net.nodes):
        _settings(net, node, nodes[i], ids, pool, memories, blocks, w)
    pool_access, pool_best = pool.add(LOOKAHEAD * len(net.arrays)), pool.add(len(net.arrays))

    nodes["kind"] = [KINDS[x.kind] for x in net.nodes]
    nodes["latency"] = [x.latency_ticks for x in net.nodes]
    nodes["interval"] = [x.interval_ticks for x in net.nodes]
    nodes["is_float"] = [x.is_float for x in net.nodes]
    nodes["room"] = rooms
    nodes["width"] = [x.result_width for x in net.nodes]
    nodes["queue"] = queue_at[:-1]
    nodes["slots"] = slot_at[:-1]
    nodes["last"] = -NEVER
    nodes["group"] = nodes["group_any"] = -1
    nodes["make_at"] = NEVER
    nodes["make_at"][sources] = 0
    if jitter_seed is not None:
        nodes["jitter"] = [_mix(jitter_seed + _G * (4 * i + 1)) for i in range(n)]

    wires["source"] = [x.source for x in net.wires]
    wires["target"] = [x.target for x in net.wires]
    wires["every"] = [x.every_ticks for x in net.wires]
    wires["length"] = [x.capacity - 1 for x in net.wires]
    wires["transit"] = [x.transit_ticks for x in net.wires]
    wires["width"] = [len(x.words) for x in net.wires]
    wires["words"] = [ids.add((*x.words, *(_lanes_of_wire(x) if net.wide else ()))) for x in net.wires]
    wires["ring"] = ring_at[:-1]
    wires["last_entry"] = wires["last_exit"] = -NEVER
    wires["mask_bit"] = [4 if net.nodes[x.source].kind == "load" and x.source_port == 0 else 2 for x in net.wires]
    wires["port"] = [min(x.ports) for x in net.wires]
    wires["fan"] = [len(net.nodes[x.target].inputs[x.ports[0]].wires) > 1 for x in net.wires]
    wires["gated"] = [x.gate is not None for x in net.wires]
    nodes["gated"] = [x.gate is not None for x in net.nodes]
    ahead = [x.gate is not None and x.gate.ahead > 0 for x in net.wires]
    nodes["foresees"] = [any(ahead[w] for port in x.outputs for w in port.wires) for x in net.nodes]
    lines = [ids.add(_lines(wire, k, chance_seed)) for k, wire in enumerate(net.wires)] if net.physics else []
    mark_late(net, nodes, wires)
    packet_count = ring_at[-1]
    lanes = None
    if net.wide:
        lanes, rows = lanes_of(in_words, packet_count, ids, len(picks), KINDS)
        picks = np.concatenate([picks, np.array(rows, PICK).reshape(-1)])
    wires["bits"] = packet_count * stride + np.arange(w) * stride

    run["tolerance"] = net.tolerance
    run["seed"] = (jitter_seed or 0) % 2**64
    run["jitter"] = jitter_seed is not None
    run["digests"] = digests
    run["nodes"], run["wires"], run["arrays"], run["sources"] = n, w, len(net.arrays), len(sources)
    run["stride"] = stride
    run["now"] = run["last_active"] = run["start_tick"] = -1
    run["limit"], run["warmup"], run["measured"] = net.time_limit_ticks, net.warmup, net.measured
    run["least_events"] = net.window_events
    run["first"] = run["last"] = run["ext"] = NEVER
    run["search"] = period_search and not (net.data_dependent or net.errs) and jitter_seed is None
    run["output_words"] = output_words
    run["pool_access"], run["pool_best"] = pool_access, pool_best
    run["f_node"] = run["f_lane"] = -1

    program = Program(
        run=run,
        nodes=nodes,
        wires=wires,
        packets=np.zeros(packet_count, PACKET),
        words=np.zeros((packet_count + w) * stride, np.int32),
        ids=np.array(ids.all, np.int32),
        ports=ports,
        picks=picks,
        counts=np.zeros(4 * (n + w), PAIR),
        by_port=np.zeros(len(ports) + 1, np.int64),
        events=np.zeros(2 * n + 1, EVENT),
        heads=np.full(2 * SLOTS + 1, -1, np.int32),
        bits=np.zeros(FIRE_BITS + n // 64 + 1, np.uint64),
        launches=np.zeros(LOOKAHEAD, LAUNCH),
        arrays=arrays,
        data=np.empty(DATA_RING * data_words + 1, np.int32),
        stored=np.empty(LOOKAHEAD * output_words + 1, np.int32),
        stored_tag=np.zeros(LOOKAHEAD * output_words + 1, np.int32),
        pool=pool.array(),
        tokens=_tokens(net),
        completions=np.empty(4 * LOOKAHEAD, np.int64),
        latencies=np.empty(4096, np.int64),
        digests=np.zeros(w if digests else 1, np.uint64),
        reference=np.empty(_state_size(net, sum(rooms) + sum(slots), blocks), np.int64),
        log=np.empty(1, np.int64),
        physics=_physics(net, chance_seed, lines, wires["bits"], stride) if net.physics else None,
        lanes=lanes,
    )
    program.events["due"] = NEVER
    _begin(program, net)
    return program


def _ring(wire: Wire) -> int:
    """Places for a wire's packets: for as many as it holds at its fastest, so that it can be given another speed."""
    return max(wire.capacity, wire.length + 1 - -wire.codec_ticks // MIN_EVERY_TICKS)


def _physics(net: Netlist, seed: int, lines: list[int], bits: Array, stride: int) -> Physics:
    """What only machines with physics have; ``lines`` and ``bits`` are where the order of lines of each wire is, and
    its last words.
    """
    elements: list[tuple[int, int, Node | Wire]]
    elements = [*((0, r, x) for r, x in enumerate(net.nodes)), *((1, r, x) for r, x in enumerate(net.wires))]
    chance = np.zeros(len(elements), CHANCE)
    chance["start"] = [(seed + _G * (4 * r + kind + 1)) & _MASK for kind, r, _ in elements]
    chance["overshoot"] = [x.overshoot_ppm for _, _, x in elements]
    chance["count"] = [x.lines if isinstance(x, Wire) else 32 for _, _, x in elements]
    chance["lines"][len(net.nodes) :] = lines
    words = int(bits.max(initial=0)) + stride
    has_lines = any(wire.has_lines for wire in net.wires)
    lined = np.zeros(len(net.wires) if has_lines else 0, LINED)
    if has_lines:
        lined["start"] = [start_lines(wire.encoding) for wire in net.wires]
        lined["retention"] = [wire.retention_ticks for wire in net.wires]
        lined["bits"], lined["width"] = bits, [len(wire.words) for wire in net.wires]
        lined["encoding"] = [ENCODINGS.index(wire.encoding) for wire in net.wires]
        lined["raw_receiver"] = [wire.raw_receiver for wire in net.wires]
    physics = Physics(
        chance=chance,
        wrong=np.zeros(words, np.int32),
        late_words=np.zeros(_late_rows(net), np.int64),
        entered=np.zeros(len(net.wires), np.int32),
        made=np.zeros(len(net.nodes), np.int32),
        lined=lined,
        driven=np.zeros(words if has_lines else 0, np.uint64),
        got=np.zeros(words if has_lines else 0, np.uint64),
        marks=np.zeros((len(lined), 2, stride), np.uint64),
        field=field_arrays(net, words, [_ring(wire) for wire in net.wires]),
        gates=_gates(net),
    )
    physics.begin()
    return physics


def _gates(net: Netlist) -> Array:
    """How nodes and wires sleep."""
    if "gating" not in net.physics:
        return np.zeros(0, GATE)
    gates = np.zeros(len(net.nodes) + len(net.wires), GATE)
    specs = [*(node.gate for node in net.nodes), *(wire.gate for wire in net.wires)]
    for e, spec in enumerate(specs):
        if spec:
            gates[e]["after"], gates[e]["ahead"], gates[e]["wait"] = spec.sleep_after, spec.ahead, spec.wake_ticks
    gates["tiles"][len(net.nodes) :] = [wire.length for wire in net.wires]
    for node in net.nodes:
        if node.kind == "delay":
            for w in node.outputs[0].wires:
                gates["begun"][len(net.nodes) + w] = node.params["slots"] * (gates["ahead"][len(net.nodes) + w] > 0)
    return gates


def _lines(wire: Wire, number: int, seed: int) -> list[int]:
    """The order of lines of a wire, with room for it where nothing is late until it gets another speed."""
    width = len(wire.words)
    return slow_lines(seed, number, width, wire.lines) if wire.overshoot_ppm else [-1] * (wire.lines * width)


def slow_lines(seed: int, wire: int, width: int, count: int) -> list[int]:
    """For each word of a wire its ``count`` lines, the slowest first: a hash decides ("Physics" in docs/model.md)."""
    place = _mix(seed + _G * (4 * wire + 3))
    hashes = [_mix(place + _G * (line + 1)) for line in range(count * width)]
    return [
        line for k in range(width) for line in sorted(range(count), key=lambda line: (hashes[count * k + line], line))
    ]


def mark_late(net: Netlist, nodes: Array, wires: Array) -> None:
    """Mark the nodes and wires at which bits may be late or spoilt."""
    if net.physics:
        nodes["aside"] = [node.overshoot_ppm > 0 for node in net.nodes]
        late = [wire.overshoot_ppm > 0 or net.nodes[wire.source].overshoot_ppm > 0 for wire in net.wires]
        lined = [
            wire.encoding != "raw" or wire.retention_ticks > 0 or noisy
            for wire, noisy in zip(net.wires, can_flip(net), strict=True)
        ]
        wires["aside"] = [
            late_one + 2 * lines + 4 * (wire.retention_ticks > 0) + 8 * (wire.coupling is not None)
            for late_one, lines, wire in zip(late, lined, net.wires, strict=True)
        ]
        for lines, wire in zip(lined, net.wires, strict=True):
            if lines:
                nodes["aside"][wire.target] |= 2


LATE_WORD = 6


def _late_rows(net: Netlist) -> tuple[int, int]:
    """Rows for late words: those kept, and all of one tick more."""
    opened = sum(node.result_width * (1 + max(node.room, 1)) for node in net.nodes)
    return KEPT_LATE + opened + 3 * sum(len(wire.words) for wire in net.wires), LATE_WORD


_G = 0x9E3779B97F4A7C15
_MASK = 2**64 - 1


def _mix(z: int) -> int:
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014)."""
    z &= _MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
    return z ^ (z >> 31)


def _more_room(node: Node) -> int:
    """Places in the ring of results beyond those that the rule counts: for all results but one of a firing."""
    if node.kind == "switch" and node.vector:
        return 2
    return node.kind == "compact"


def _lanes_of_wire(wire: Wire) -> list[int]:
    return lane_bits(wire.forms or (0,) * len(wire.words), wire.lanes)


def _slots(node: Node) -> int:
    match node.kind:
        case "repeat":
            return int(node.params["group"])
        case "counter" | "pack" | "unpack" | "compact":
            return 1
        case "barrier" if not node.inputs[1].wires:
            return int(node.params["n"])
    return 0


def _arrays(net: Netlist) -> tuple[Array, int]:
    """Records of the arrays, and the words of a launch in the data ring (expected words of outputs included)."""
    rows, data, stored = [], 0, 0
    for a in net.arrays:
        shape = (*a.shape, 1, 1, 1, 1)[:4]
        rows.append((len(a.shape), *shape, a.words, data, data, stored, a.is_input, a.is_float))
        data += a.words
        stored += a.words if a.is_output else 0
    return np.array(rows, ARRAY) if rows else np.zeros(1, ARRAY), data


def _ports(net: Netlist, nodes: Array, ids: _Lists) -> tuple[Array, Array]:
    rows: list[tuple[int, ...]] = []
    picks: list[tuple[int, int]] = []
    columns: dict[str, list[int]] = {
        name: [] for name in ("port_start", "port_n", "in_start", "in_n", "out_start", "out_n", "out_ports", "missing")
    }
    simple, always = [], []
    for node in net.nodes:
        columns["port_start"].append(len(rows))
        columns["port_n"].append(len(node.inputs))
        fan = False
        taken: dict[int, None] = {}
        for port in node.inputs:
            first, raw = (port.wires[0], len(net.wires[port.wires[0]].words)) if port.wires else (-1, port.width)
            given = 1 if port.wires else 2 if port.immediate is not None else 0
            rows.append((ids.add(port.wires), len(port.wires), first, given, len(picks), port.width, raw))
            if port.wires:
                picks += [(-1, p.value) if p.constant else (p.value, 0) for p in port.picks]
            else:
                picks += [(-1, value) for value in port.immediate or ()]
            fan |= len(port.wires) > 1
            taken.update(dict.fromkeys(port.wires))
        columns["in_start"].append(ids.add(taken))
        columns["in_n"].append(len(taken))
        columns["missing"].append(len(taken) or 1)
        starts = [(ids.add(port.wires), len(port.wires)) for port in node.outputs]
        columns["out_start"].append(starts[0][0] if starts else 0)
        columns["out_n"].append(sum(n for _, n in starts))
        columns["out_ports"].append(ids.add(x for pair in starts for x in pair))
        simple.append(not fan and node.kind not in _CHOOSING)
        always.append(columns["out_n"][-1] > 0 and node.kind not in _MAY_DROP)
    for name, values in columns.items():
        nodes[name] = values
    nodes["simple"], nodes["always"] = simple, always
    return np.array(rows, PORT) if rows else np.zeros(1, PORT), np.array([*picks, (-1, 0)], PICK)


def _memory(pool: _Pool, words: int, pages: int, blocks: int) -> int:
    """Place of a shared memory in the pool: its header of 3, then pages, cells, and blocks that gave a page back."""
    at = pool.add(3 + pages * PAGE + pages * words * CELL + LOOKAHEAD * blocks)
    pool.headers[at] = (words, pages, blocks)
    return at


def _settings(
    net: Netlist, node: Node, row: Any, ids: _Lists, pool: _Pool, memories: list[int], blocks: int, wires: int
) -> None:
    """The settings a … d of one node, and its place in the pool in ``turn`` where it needs none for itself."""
    p = node.params
    match node.kind:
        case "threads" | "stream":
            if node.kind == "stream":
                burst = p.get("burst")
                row["a"] = p["array"]
                row["d"], row["rest"] = burst or (0, 0)
                row["b"] = net.arrays[p["array"]].words
            else:
                row["b"] = len(net.tokens)
        case "load" | "store":
            row["a"] = p["array"]
        case "sink":
            row["a"] = p["array"]
            row["b"] = pool.add(LOOKAHEAD)
        case "compare":
            row["a"] = RELATIONS.index(p["op"])
        case "address":
            sums = p["words"]
            row["a"] = ids.add(x for constant, factors in sums for x in (_int32(constant), *_factors(factors)))
        case "guard":
            row["a"] = ids.add(p["limits"])
            row["b"] = p["mode"] == "mark"
        case "repeat":
            row["a"], row["b"], row["c"] = p["times"], p["group"], p["append"]
        case "take" | "skip":
            row["a"], row["b"] = p["of"], p["n"]
        case "counter":
            row["a"], row["b"], row["c"] = p["n"], p["start"], p["step"]
        case "deal" | "collect":
            row["a"] = p["n"]
        case "delay":
            row["a"], row["b"], row["c"] = p["every"], p["every"] - p["slots"], ids.add(p["init"])
        case "accumulate" | "scan":
            ways = p.get("ways", 1)
            row["a"], row["b"], row["c"] = p["n"], ways, KINDS[p["op"]]
            row["d"] = pool.add(ways * (SUM + (node.lanes if node.vector else 0)))
        case "shared.write" | "shared.read":
            row["a"] = memories[p["memory"]]
            row["b"] = net.memories[p["memory"]].reads
        case "barrier":
            row["a"], row["b"] = p["n"], p["ahead"]
            row["c"] = pool.add(LOOKAHEAD * blocks * ARRIVAL) if node.inputs[1].wires else -1
            row["d"] = blocks


def _int32(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


def _factors(factors: Any) -> list[int]:
    return ([_int32(k) for k in factors] + [0] * 6)[:6]


def _tokens(net: Netlist) -> Array:
    """Words, block and thread of each token, in a row each."""
    if not len(net.tokens):
        return np.zeros(1, np.int32)
    rows = np.column_stack([net.tokens, net.token_block, net.token_thread])
    return np.ascontiguousarray(rows, dtype=np.int32).reshape(-1)


def _state_size(net: Netlist, packets: int, blocks: int) -> int:
    """An upper bound on the numbers that describe the state (see "The window" in docs/model.md)."""
    on_wires = sum(_ring(x) for x in net.wires)
    pages = sum(m.pages for m in net.memories)
    arrivals = sum(LOOKAHEAD * blocks * 3 for x in net.nodes if x.kind == "barrier" and x.inputs[1].wires)
    of_nodes = (32 + sum(m.banks for m in net.memories)) * len(net.nodes)
    return of_nodes + 8 * (packets + on_wires) + 8 * len(net.wires) + 4 * pages + arrivals + 1024


def _begin(program: Program, net: Netlist) -> None:
    """What is there at tick 0: the sources' first words are due, and delays hold their init packets."""
    nodes, packets, words = program.nodes, program.packets, program.words
    stride = int(program.run["stride"][0])
    due = []
    for i, node in enumerate(net.nodes):
        if node.kind in ("threads", "stream") and node.outputs[0].wires:
            due.append(i)
        elif node.kind == "delay" and node.outputs[0].wires:
            due.append(i)
            count = node.params["slots"]
            at = int(nodes["queue"][i])
            packets[at : at + count] = (0, 0, -1, -1, 0, 1, -1)
            if program.lanes is not None:
                full = program.lanes.nodes["full"][i]
                program.lanes.packets[at : at + count] = (full, full, 0)
            for k in range(at, at + count):
                words[k * stride : k * stride + node.result_width] = node.params["init"]
            nodes["length"][i] = count
    for i in due:
        head = int(program.heads[0])
        program.events[i] = (0, head, -1)
        if head >= 0:
            program.events["prev"][head] = i
        program.heads[0] = i
    if due:
        program.bits[0] = 1
