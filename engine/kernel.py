# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
# (The jitted functions have no annotations: numba infers their types, and every argument is a record array.)
"""The compiled engine: the event loop of docs/model.md over the record arrays of :mod:`engine.program`.

All jitted code is in this file, since numba's cache does not see an edit in another one. There is one entry,
:func:`advance`; helpers that are called for every event are inlined into it and take no references
(``forceinline``, ``_nrt=False``: record arrays passed to plain helpers cost ten times as much), those of rare cores
are called.

How it runs: every node has at most two pending events, a hand-out and a firing, in a timing wheel. A tick takes its
bucket, hands out, then visits the nodes that may fire in their order (a set of bits), then lets launches go. A visit
that finds nothing to do is harmless, so an event may be early; it is never late.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from engine import program
from engine.encodings import ENCODINGS
from engine.jit_cache import cached_in
from engine.log import LIVE, WORDS, Watcher, What, fault_row, in_order, log_width
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
from engine.netlist import LOOKAHEAD, MAX_SPLITS, Netlist
from engine.program import (
    ARRIVAL,
    CELL,
    CHUNK,
    DATA_RING,
    EPOCH,
    FAULTS,
    FIRE_BITS,
    KINDS,
    PAGE,
    SLOTS,
    SUM,
    TAKEN,
    TAKEN_PORTS,
    build,
    mark_late,
    slow_lines,
)
from engine.program_lanes import FOLDS, in_values
from engine.program_lanes import LANES_OF_LINEAR as LINEAR_BITS
from engine.program_lanes import SCALAR as SCALAR_BIT
from engine.program_view import counters_of, fault_of, late_words_of, pending_after, state_of, window_of
from engine.truth import Workload

F = TypeVar("F", bound=Callable[..., Any])


_INNER = {"_nrt": False, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of what is not called from Python; without its wrappers it compiles in half the time."""


def hot(function: F) -> F:
    """Inlined wherever it is called."""
    inlined: F = njit(forceinline=True, **_INNER)(function)
    return inlined


def rare(function: F) -> F:
    """Called: for what few machines have or what happens seldom."""
    called: F = njit(**_INNER)(function)
    return called


def entry(function: F) -> F:
    """Called from Python, and kept on disk where there is a private folder for it."""
    with cached_in(numba.config) as cache:
        compiled: F = njit(_nrt=False, error_model="numpy", no_cfunc_wrapper=True, cache=cache, nogil=True)(function)
    return compiled


@intrinsic
def popcount(_context: Any, _value: Any) -> Any:
    """Number of set bits of an int32."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.zext(builder.ctpop(args[0]), ir.IntType(64))

    return types.int64(types.int32), code


@intrinsic
def ones(_context: Any, _value: Any) -> Any:
    """Number of set bits of a uint64."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), code


@intrinsic
def highest(_context: Any, _value: Any) -> Any:
    """Position of the highest set bit of a uint64 that is not 0."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.sub(ir.Constant(ir.IntType(64), 63), builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1)))

    return types.int64(types.uint64), code


@intrinsic
def lowest(_context: Any, _value: Any) -> Any:
    """Position of the lowest set bit of a uint64 that is not 0."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), code


@intrinsic
def unlikely(_context: Any, _value: Any) -> Any:
    """Whether an int32 is not 0, which it seldom is: what hangs on it stays out of the way of the rest."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        bit = ir.IntType(1)
        expect = builder.module.declare_intrinsic("llvm.expect", [bit], ir.FunctionType(bit, [bit, bit]))
        return builder.call(expect, [builder.icmp_signed("!=", args[0], ir.Constant(ir.IntType(32), 0)), bit(0)])

    return types.boolean(types.int32), code


@intrinsic
def as_float(_context: Any, _value: Any) -> Any:
    """The float32 of an int32 pattern."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.FloatType())

    return types.float32(types.int32), code


@intrinsic
def as_bits(_context: Any, _value: Any) -> Any:
    """The int32 pattern of a float32."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(32))

    return types.int32(types.float32), code


# Constants are numpy numbers where they are arguments: Python's would be literal types, each compiled by itself.
u64, i64 = np.uint64, np.int64
NEVER, ZERO = np.int64(program.NEVER), np.int64(0)
ONE, ALL_BITS = np.uint64(1), np.uint64(2**64 - 1)
LOW32 = 0xFFFFFFFF
RING = LOOKAHEAD - 1
DATA = DATA_RING - 1
ANY, MASKED, VALUE_MASKED = 1, 2, 4
SCALAR, SCALAR_LIVE, LANES_OF_LINEAR = SCALAR_BIT, SCALAR_BIT | LINEAR_BITS, LINEAR_BITS
REDUCE_ANY, REDUCE_ALL, REDUCE_COUNT, REDUCE_FIRST = (FOLDS[op] for op in ("any", "all", "count", "first"))
DEPTH = 24
COUNTED, ENTERED, LEFT, FIRED, MADE, GONE = (np.int64(what) for what in What if what is not What.FAULT)

ADD, SUB, MUL, MUL_SERIAL, MAC = (KINDS[k] for k in ("add", "sub", "mul", "mul.serial", "mac"))
DIV, MOD, MIN, MAX, ABS, NEG, EXP = (KINDS[k] for k in ("div", "mod", "min", "max", "abs", "neg", "exp"))
AND, OR, XOR, SHL, SHR = (KINDS[k] for k in ("and", "or", "xor", "shl", "shr"))
COMPARE, SELECT, ADDRESS, RELAY, BUFFER = (KINDS[k] for k in ("compare", "select", "address", "relay", "buffer"))
GATE, SWITCH, GUARD, TUPLE = (KINDS[k] for k in ("gate", "switch", "guard", "tuple"))
LOAD, STORE, SINK = (KINDS[k] for k in ("load", "store", "sink"))
MUX, TAKE, SKIP, DEAL, COLLECT = (KINDS[k] for k in ("mux", "take", "skip", "deal", "collect"))
DELAY, REPEAT, COUNTER, ACCUMULATE, SCAN = (KINDS[k] for k in ("delay", "repeat", "counter", "accumulate", "scan"))
SHUFFLE, REDUCE, JOIN = (KINDS[k] for k in ("shuffle", "reduce", "join"))
PACK, UNPACK, COMPACT = (KINDS[k] for k in ("pack", "unpack", "compact"))
SHARED_WRITE, SHARED_READ, BARRIER = (KINDS[k] for k in ("shared.write", "shared.read", "barrier"))
THREADS = KINDS["threads"]

MIXED, OPEN_GROUP, OUTSIDE, UNWRITTEN, TWICE, NO_LAUNCH, WRONG, EXTRA = range(1, 9)
BY_ZERO, NOT_FINITE, SHARED_OUTSIDE, NOT_WRITTEN, GIVEN_BACK, OVERWRITE, RACE, LOST = range(9, 17)
DEEP_SPLIT, OTHER_HALF, LANE_TWICE, NOT_SPLIT, LANES_MISSING = range(17, 22)
ODD, TOO_WRONG = (np.int64(k) for k in range(22, len(FAULTS)))

LATE, LINED, LEAKY, COUPLED = 1, 2, 4, 8
"""Bits of ``aside`` of a wire; of a node LATE: its results may be late, LINED: a wire with lines ends there."""
NOISE, STRAY = i64(Cause.NOISE), i64(Cause.STRAY)
GRAY, INVERT, INVERT_4, WITH_PARITY, SECDED, NO_OPPOSITES, NO_LONE_BITS = range(1, len(ENCODINGS))
_numbers = [0, 1]
while len(_numbers) < 48:
    _numbers.append(_numbers[-1] + _numbers[-2])
FIBONACCI = np.array(_numbers, np.uint64)
COLUMNS = np.array([c for c in range(128) if bin(c).count("1") == 3][:32] + [2**k for k in range(7)], np.int64)
CHECKS = np.array([sum(1 << line for line in range(39) if COLUMNS[line] >> k & 1) for k in range(7)], np.uint64)
"""Columns of the check matrix of secded, by line, and its rows, as sets of lines."""
EVEN_LINES = np.uint64(0x155555555555)

# What advance returns.
UNTIL, WINDOW, EXTENSION, FAULT, IDLE, NEED_DATA, NEED_SPACE, TICK, LOG_FULL = range(9)


# fmt: off
# (Argument lists are long here; one argument a line would hide the code.)

# --- pending events: two wheels of 4096 slots and a list for what lies beyond -------------------------------


@hot
def link(run, events, heads, bits, e, t):
    """Put event ``e``, which is not pending, at tick ``t``."""
    base = run[0].base
    epoch = t >> EPOCH
    if epoch == base:
        slot = t & (SLOTS - 1)
    elif epoch - base < SLOTS:
        slot = SLOTS + (epoch & (SLOTS - 1))
    else:
        slot = 2 * SLOTS
    head = heads[u64(slot)]
    event = events[u64(e)]
    event.due = t
    event.next = head
    event.prev = -1 - slot
    if head >= 0:
        events[u64(head)].prev = e
    heads[u64(slot)] = e
    if slot < 2 * SLOTS:
        bits[u64(slot >> 6)] |= ONE << u64(slot & 63)


@hot
def schedule(run, events, heads, bits, e, t):
    """Make event ``e`` pending at tick ``t`` at the latest."""
    event = events[u64(e)]
    due = event.due
    if due <= t:
        return
    if due != NEVER:
        after, before = event.next, event.prev
        if after >= 0:
            events[u64(after)].prev = before
        if before >= 0:
            events[u64(before)].next = after
        else:
            slot = -1 - before
            heads[u64(slot)] = after
            if after < 0 and slot < 2 * SLOTS:
                bits[u64(slot >> 6)] &= ALL_BITS ^ (ONE << u64(slot & 63))
    link(run, events, heads, bits, e, t)


@rare
def schedule_later(run, events, heads, bits, e, t):
    """:func:`schedule`, called: where it is not worth its code."""
    schedule(run, events, heads, bits, e, t)


@rare
def turn_wheel(run, events, heads, bits):
    """Bring the next events of the outer wheel into the inner one, which is empty; False when there are none."""
    s = run[0]
    place = (s.base + 1) & (SLOTS - 1)
    w = place >> 6
    mask = ALL_BITS << u64(place & 63)
    found = False
    for _ in range(SLOTS // 64 + 1):
        seen = bits[SLOTS // 64 + w] & mask
        if seen != u64(0):
            slot = (w << 6) | lowest(seen)
            s.base += (slot - s.base) & (SLOTS - 1)
            found = True
            break
        mask = ALL_BITS
        w = (w + 1) & (SLOTS // 64 - 1)
    if not found:
        e = heads[2 * SLOTS]
        if e < 0:
            return False
        base = NEVER
        while e >= 0:
            base = min(base, events[e].due >> EPOCH)
            e = events[e].next
        s.base = base
    slot = SLOTS + (s.base & (SLOTS - 1))
    e = heads[slot]
    heads[slot] = -1
    bits[slot >> 6] &= ALL_BITS ^ (ONE << u64(slot & 63))
    while e >= 0:
        after = events[e].next
        link(run, events, heads, bits, e, events[e].due)
        e = after
    e = heads[2 * SLOTS]
    heads[2 * SLOTS] = -1
    while e >= 0:
        after = events[e].next
        link(run, events, heads, bits, e, events[e].due)
        e = after
    return True


@hot
def next_due(run, events, heads, bits):
    """The tick of the next pending event, NEVER if there is none."""
    while True:
        base = run[0].base
        start = run[0].now + 1
        w = (start & (SLOTS - 1)) >> 6
        if start >> EPOCH > base:
            w = SLOTS // 64
        elif start >> EPOCH < base:
            w = 0
        while w < SLOTS // 64:
            seen = bits[u64(w)]
            if seen != u64(0):
                return (base << EPOCH) | (w << 6) | lowest(seen)
            w += 1
        if not turn_wheel(run, events, heads, bits):
            return NEVER


# --- packets and time ---------------------------------------------------------------------------------------


@hot
def segment(run, launch):
    """Segment of launches: 0 before the window, 1 in it, 2 in its extension, 3 after it."""
    s = run[0]
    number = 0
    if launch >= s.first:
        number += 1
    if launch > s.last:
        number += 1
    if launch > s.ext:
        number += 1
    return number


@hot
def account(nodes, packets, n, t):
    """Book how node ``n`` spent its time since the last booking: blocked, busy, or (the rest) starved."""
    node = nodes[u64(n)]
    mark = node.mark
    if t > mark:
        node.mark = t
        end = t
        idle = node.last + node.interval
        if node.length > 0:
            ready = packets[u64(node.queue + node.head)].time
            if ready < t:
                end = max(ready, mark)
                node.blocked += t - end
        if idle > mark:
            node.busy += min(idle, end) - mark


@hot
def mix(z):
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014)."""
    z = (z ^ (z >> u64(30))) * u64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> u64(27))) * u64(0x94D049BB133111EB)
    return z ^ (z >> u64(31))


@hot
def fired(counts, n):
    """How often a node has fired, or, of a wire w at nodes + w, how many packets have entered."""
    return counts[4 * n].a + counts[4 * n + 1].a + counts[4 * n + 2].a + counts[4 * n + 3].a


@rare
def jitter(nodes, counts, n):
    """Ticks by which the latency of this firing grows; ``counts`` does not hold it yet."""
    latency = nodes[n].latency
    z = mix(u64(nodes[n].jitter) + u64(0x9E3779B97F4A7C15) * u64(fired(counts, n) + 1))
    return ((latency + 1) * np.int64(z >> u64(32))) >> 32


@rare
def digest(wires, packets, words, digests, lanes, stride, w, t):
    """Add the departure of the head of wire ``w`` to the wire's digest."""
    p = wires[w].ring + wires[w].head
    pk = packets[p]
    g = u64(0x9E3779B97F4A7C15)
    masked = u64(1) if pk.flags & MASKED else u64(0)
    d = mix(digests[w] + g * u64(t + 1))
    if lanes is not None and lanes.wires[w].lanes > 1:
        masked = u64(lanes.packets[p].live)
    d = mix(d + g * u64(pk.launch + 2) + masked)
    for i in range(wires[w].width):
        d = mix(d + g + u64(np.int64(words[p * stride + i]) & LOW32))
    if lanes is not None and lanes.wires[w].lanes > 1:
        stack = i64(lanes.packets[p].stack)
        for k in range(stack >> DEPTH):
            d = mix(d + g + u64((stack >> (8 * k)) & LANES_OF_LINEAR))
    digests[w] = d


@rare
def note(run, log, what, index, t, ready, launch, flags):
    """A row of the log without a packet."""
    s = run[0]
    at = s.logged * (WORDS + s.stride)
    s.logged += 1
    log[at], log[at + 1], log[at + 2], log[at + 3], log[at + 4] = t, what, index, ready, launch
    for k in range(5, WORDS + s.stride):
        log[at + k] = 0
    log[at + 8] = flags


@rare
def note_packet(run, packets, words, log, lanes, what, index, t, ready, p, width, port):
    """A row of the log with packet ``p`` and ``width`` of its words."""
    s, pk = run[0], packets[p]
    note(run, log, what, index, t, ready, i64(pk.launch), i64(pk.flags & (ANY | MASKED)))
    at = (s.logged - 1) * (WORDS + s.stride)
    if lanes is not None:
        there = lanes.packets[p]
        if not there.live & SCALAR:
            log[at + 8] |= i64(there.live) << 8 | i64(there.stack) << 16
    log[at + 5], log[at + 6], log[at + 7], log[at + 9] = pk.block, pk.thread, pk.barriers, port
    for k in range(width):
        log[at + WORDS + k] = words[p * s.stride + k]


@hot
def word(wires, words, ports, picks, stride, port, k):
    """Word ``k`` that a core sees at ``port`` (an index into ``ports``)."""
    seen = ports[u64(port)]
    pick = picks[u64(seen.pick + k)]
    position = pick.position
    if position < 0:
        return pick.value
    wire = wires[u64(seen.chosen)]
    return words[u64((wire.ring + wire.head) * stride + position)]


@hot
def enter(run, nodes, wires, packets, words, ids, counts, events, heads, bits, launches, log, physics, lanes, w, p, t):
    """Packet ``p``, the oldest result of a node, enters wire ``w``."""
    s, wire, pk = run[0], wires[u64(w)], packets[u64(p)]
    stride, held, length, last_bits, width = s.stride, wire.held, wire.length, wire.bits, wire.width
    flags, launch, block, thread, barriers = pk.flags, pk.launch, pk.block, pk.thread, pk.barriers
    place = wire.head + held
    if place > length:
        place -= length + 1
    q = wire.ring + place
    masked = flags & wire.mask_bit
    copy = packets[u64(q)]
    copy.time = t
    copy.launch = launch
    copy.block = block
    copy.thread = thread
    copy.barriers = barriers
    copy.flags = (flags & ANY) | (MASKED if masked else 0)
    toggled = 0
    chosen = wire.words
    if lanes is None:
        for i in range(width):
            value = words[u64(p * stride + ids[u64(chosen + i)])]
            words[u64(q * stride + i)] = value
            if not masked:
                changed = value ^ words[u64(last_bits + i)]
                toggled += popcount(changed)
                words[u64(last_bits + i)] = value
                if physics is not None and wire.aside & COUPLED:
                    physics.field.rose[u64(q * stride + i)] = u64(i64(changed & value) & LOW32)
                    physics.field.fell[u64(q * stride + i)] = u64(i64(changed & ~value) & LOW32)
    else:
        source, there = lanes.packets[u64(p)], lanes.packets[u64(q)]
        live = source.value if wire.mask_bit == VALUE_MASKED else source.live
        there.live, there.stack = live, source.stack
        for i in range(width):
            value = words[u64(p * stride + ids[u64(chosen + i)])]
            words[u64(q * stride + i)] = value
            if live & ids[u64(chosen + width + i)]:
                toggled += popcount(value ^ words[u64(last_bits + i)])
                words[u64(last_bits + i)] = value
    count = counts[u64(4 * (s.nodes + w) + segment(run, launch))]
    count.a += 1
    if physics is not None and wire.aside & LINED:
        toggled = 0
    count.b += toggled
    wire.entries += 1
    wire.last_entry = t
    wire.held = held + 1
    s.last_active = t
    if not flags & ANY:
        launches[u64(launch & RING)].packets += 1
    if physics is not None and wire.gated:
        physics.gates[u64(s.nodes + w)].asked -= 1
    if physics is not None and wire.aside:
        copy.port = p
        physics.entered[u64(s.entered)] = w
        s.entered += 1
    if unlikely(s.log):
        note_packet(run, packets, words, log, lanes, ENTERED, i64(w), i64(t), i64(t), i64(q), i64(width), ZERO)
    if held == 0:
        ready = max(t + wire.transit, wire.last_exit + wire.every)
        wire.head_ready = ready
        n = wire.target
        node = nodes[u64(n)]
        if node.simple:
            missing = node.missing - 1
            ready = max(node.ready_at, ready)
            node.missing = missing
            node.ready_at = ready
            if missing == 0:
                if node.always and node.length >= node.room:
                    node.waiting = 1
                else:
                    schedule(run, events, heads, bits, s.nodes + n, ready)
        else:
            # A barrier takes arrivals at any time.
            after = -NEVER if node.kind == BARRIER else node.last + node.interval
            schedule(run, events, heads, bits, s.nodes + n, max(ready, after))


@hot
def pop(run, wires, packets, words, events, heads, bits, launches, digests, log, physics, lanes, w, t):
    """The head of wire ``w`` leaves."""
    s, wire = run[0], wires[u64(w)]
    if physics is not None and wire.aside & LINED:
        unsettle(physics, w)
    if unlikely(s.digests):
        digest(wires, packets, words, digests, lanes, s.stride, w, t)
    if unlikely(s.log):
        p = i64(wire.ring + wire.head)
        note_packet(run, packets, words, log, lanes, LEFT, i64(w), i64(t), i64(t), p, i64(wire.width), ZERO)
    head, held, ring, every = wire.head, wire.held - 1, wire.ring, wire.every
    pk = packets[u64(ring + head)]
    if not pk.flags & ANY:
        launches[u64(pk.launch & RING)].packets -= 1
    wire.waits += t - wire.head_ready
    wire.last_exit = t
    head += 1
    if head > wire.length:
        head = np.int64(0)
    wire.head = head
    wire.held = held
    if held > 0:
        wire.head_ready = max(packets[u64(ring + head)].time + wire.transit, t + every)
    if wire.blocked:
        wire.blocked = 0
        schedule(run, events, heads, bits, i64(wire.source), t + every)


@hot
def make(run, nodes, packets, words, counts, launches, arrays, data, pool, tokens, log, lanes, n, t):
    """Source ``n`` makes its next word."""
    s, node = run[0], nodes[n]
    launch = node.launch
    record = launches[launch & RING]
    if launch >= s.issued:
        s.issued = launch + 1
        record.packets = 0
        record.words_left = s.output_words
        record.sources_left = s.sources
        record.dropper = -1
        record.done = -1
        record.issued = t
        for i in range(s.arrays):
            pool[s.pool_access + (launch & RING) * s.arrays + i] = 0
            if lanes is not None:
                lanes.words[(launch & RING) * s.arrays + i] = 0
    account(nodes, packets, n, t)
    p = node.queue
    pk = packets[p]
    pk.time = t
    pk.launch = launch
    pk.barriers = 0
    pk.flags = 0
    pk.port = -1
    if node.kind == THREADS:
        width = node.width
        at = node.made * (width + 2)
        if lanes is not None:
            there = lanes.packets[p]
            there.live, there.stack = lanes.tokens[node.made if len(lanes.tokens) > 1 else 0], 0
        for i in range(width):
            words[p * s.stride + i] = tokens[at + i]
        pk.block = tokens[at + width]
        pk.thread = tokens[at + width + 1]
    else:
        array = arrays[node.a]
        words[p * s.stride] = data[np.int64(array.data) * DATA_RING + (launch & DATA) * array.words + node.made]
        pk.block = -1
        pk.thread = -1
        if lanes is not None:
            lanes.packets[p].live, lanes.packets[p].stack = SCALAR_LIVE, 0
    record.packets += 1
    node.made += 1
    if node.made == node.b:
        node.made = 0
        node.launch = launch + 1
        record.sources_left -= 1
        s.check_gone = 1
    node.burst += 1
    node.head = 0
    node.length = 1
    node.last = t
    node.firings += 1
    s.events += 1
    s.last_active = t
    if lanes is not None:
        spend_plainly(run, lanes, n, launch, i64(lanes.packets[p].live), t)
    count = counts[4 * n + segment(run, launch)]
    count.a += 1
    count.b += 1
    if unlikely(s.log):
        note(run, log, FIRED, i64(n), i64(t), i64(t), i64(launch), i64(LIVE))
        note_packet(run, packets, words, log, lanes, MADE, i64(n), i64(t), i64(t), i64(p), i64(node.width), i64(-1))


@hot
def hand_out(
    run, nodes, wires, packets, words, ids, counts, events, heads, bits, launches, arrays, data, pool, tokens, log,
    physics, lanes, n, t
):
    """Step 2 for node ``n``: hand out what is ready; a source makes words."""
    s, node = run[0], nodes[u64(n)]
    source = node.kind >= THREADS
    while True:
        if node.length == 0:
            if not source:
                break
            if node.make_at > t:
                schedule(run, events, heads, bits, n, node.make_at)
                break
            if node.made == 0 and node.launch >= s.oldest + LOOKAHEAD:
                node.waiting = 1
                s.waiting_sources += 1
                break
            make(run, nodes, packets, words, counts, launches, arrays, data, pool, tokens, log, lanes, n, t)
            if physics is not None and node.foresees:
                foresee(run, nodes, wires, ids, physics, n, i64(-1), i64(1), t)
        p = node.queue + node.head
        pk = packets[u64(p)]
        time, port = pk.time, pk.port
        if time > t:
            schedule(run, events, heads, bits, n, time)
            break
        if port < 0:
            start, count = node.out_start, node.out_n
        else:
            at = node.out_ports + 2 * port
            start, count = ids[u64(at)], ids[u64(at + 1)]
        left = node.left
        if left == 0:
            left = count
        again = NEVER
        for i in range(count):
            w = ids[u64(start + i)]
            wire = wires[u64(w)]
            every = wire.every
            if wire.taken == 0 and every > 0:
                held, length = wire.held, wire.length
                if held <= length:
                    may = wire.last_entry + every
                    if held == length:
                        may = max(may, wire.last_exit + every)
                    if physics is not None and wire.gated:
                        may = max(may, wire_usable(run, wires, physics, i64(w), t))
                    if may <= t:
                        enter(
                            run, nodes, wires, packets, words, ids, counts, events, heads, bits, launches, log,
                            physics, lanes, w, p, t
                        )
                        wire.taken = 1
                        left -= 1
                    else:
                        again = min(again, may)
                else:
                    wire.blocked = 1
        if left > 0:
            node.left = left
            if again < NEVER:
                schedule(run, events, heads, bits, n, again)
            break
        node.left = 0
        for i in range(count):
            wires[u64(ids[u64(start + i)])].taken = 0
        account(nodes, packets, n, t)
        if not pk.flags & ANY:
            launches[u64(pk.launch & RING)].packets -= 1
        if unlikely(s.log):
            note_packet(run, packets, words, log, lanes, GONE, i64(n), i64(t), i64(t), i64(p), ZERO, ZERO)
        if physics is not None and node.gated:
            physics.gates[u64(n)].since = t
        head = node.head + 1
        node.head = 0 if head == node.room else head
        node.length -= 1
        if source:
            node.make_at = max(node.last + node.interval, t)
            if node.burst == node.d:
                node.make_at = t + node.interval + node.rest
                node.burst = 0
        elif node.waiting:
            node.waiting = 0
            if node.simple and node.ready_at > t:
                schedule(run, events, heads, bits, s.nodes + n, node.ready_at)
            else:
                bits[u64(FIRE_BITS + (n >> 6))] |= ONE << u64(n & 63)


# --- sleep --------------------------------------------------------------------------------------------------


@rare
def wake_up(physics, e, needed, idle_since):
    """Node or wire ``e`` is needed at tick ``needed``, for the first time since it has become idle."""
    gate = physics.gates[e]
    if needed - idle_since > gate.after:
        gate.slept += max(ZERO, needed - max(idle_since + gate.after, gate.counted))
        gate.wakes += 1
        gate.usable = needed + gate.wait


@rare
def refuses(gate, t):
    """Whether it is not awake yet; a word that comes too early is counted once."""
    if gate.usable <= t:
        return False
    if gate.refused != gate.usable:
        gate.refused = gate.usable
        gate.delayed += 1
    return True


@rare
def expect(run, wires, physics, w, t):
    """Something will enter wire ``w``, as is known at tick t."""
    e = i64(run[0].nodes) + w
    if physics.gates[e].asked == 0 and wires[w].held == 0:
        wake_up(physics, e, t, max(ZERO, wires[w].last_exit))
    physics.gates[e].asked += 1


@rare
def foresee(run, nodes, wires, ids, physics, n, port, count, t):
    """``count`` results are made that leave node ``n`` at a port (−1: at all): wires that look ahead wake."""
    node = nodes[n]
    start, number = i64(node.out_start), i64(node.out_n)
    if port >= 0:
        at = node.out_ports + 2 * port
        start, number = i64(ids[at]), i64(ids[at + 1])
    for i in range(start, start + number):
        w = i64(ids[i])
        if wires[w].gated and wires[w].every > 0 and physics.gates[i64(run[0].nodes) + w].ahead > 0:
            for _ in range(count):
                expect(run, wires, physics, w, t)


@rare
def wire_usable(run, wires, physics, w, t):
    """From when on wire ``w``, at whose start a result stands, may be entered as far as its sleep goes."""
    gate = physics.gates[i64(run[0].nodes) + w]
    if gate.asked == 0:
        expect(run, wires, physics, w, t)
    return gate.usable if refuses(gate, t) else -NEVER


@rare
def look(run, nodes, wires, packets, words, ids, ports, picks, physics, n, t):
    """Note whether node ``n`` is needed by now, and since when."""
    node, gate = nodes[n], physics.gates[n]
    if gate.asked or node.length > 0 or node.turn:
        return
    kind, first = node.kind, i64(node.port_start)
    only = first + node.count if kind == COLLECT else -1
    skipped = -1
    needed = -NEVER
    for port in range(first, first + i64(node.port_n)):
        if port == skipped or (only >= 0 and port != only):
            continue
        deciding = kind == MUX and port == first
        if deciding and ports[port].given == 1:
            w = earliest(wires, ids, ports[port].wires, ports[port].n, t)
            if w < 0:
                return
            ports[port].chosen = w
            if wires[w].aside & LINED and physics.lined[w].settled == 0:
                settle(run, wires, packets, words, physics, w)
        if deciding:
            skipped = first + 2 if word(wires, words, ports, picks, i64(run[0].stride), port, ZERO) != 0 else first + 1
        if ports[port].given != 1:
            continue
        request = NEVER
        for i in range(ports[port].n):
            w = i64(ids[ports[port].wires + i])
            wire = wires[w]
            if wire.held > 0:
                ahead = ZERO if deciding else i64(min(gate.ahead, physics.gates[i64(run[0].nodes) + w].tiles))
                request = min(request, max(packets[wire.ring + wire.head].time, wire.head_ready - ahead * wire.every))
        needed = max(needed, request)
    if -NEVER < needed <= t:
        gate.asked = 1
        wake_up(physics, n, needed, max(ZERO, max(gate.since, node.last + node.interval)))


@rare
def node_asleep(run, nodes, wires, packets, words, ids, ports, picks, events, heads, bits, physics, n, t):
    """Whether node ``n``, whose packets are there, is not awake yet; then it is tried again."""
    gate = physics.gates[n]
    look(run, nodes, wires, packets, words, ids, ports, picks, physics, n, t)
    if not refuses(gate, t):
        return False
    schedule_later(run, events, heads, bits, run[0].nodes + n, gate.usable)
    return True


@entry
def look_all(run, nodes, wires, packets, words, ids, ports, picks, physics, t):
    """:func:`look` at all nodes."""
    for n in range(len(nodes)):
        if nodes[n].gated:
            look(run, nodes, wires, packets, words, ids, ports, picks, physics, n, t)


# --- values -------------------------------------------------------------------------------------------------


@rare
def exponential(x):
    """exp(x) in float32, every operation rounded once (Cody and Waite's reduction; see "Floats" in docs/model.md)."""
    f = np.float32
    if not np.isfinite(x):
        return f(0.0) if x < f(0.0) else x
    n = np.floor(f(x * f(1.44269504)) + f(0.5))
    if n > f(127.0):
        return f(np.inf)
    if n < f(-126.0):
        return f(0.0)
    r = f(f(x - f(n * f(0.693359375))) - f(n * f(-2.12194440e-4)))
    p = f(1.0 / 720.0)
    p = f(f(p * r) + f(1.0 / 120.0))
    p = f(f(p * r) + f(1.0 / 24.0))
    p = f(f(p * r) + f(1.0 / 6.0))
    p = f(f(p * r) + f(0.5))
    p = f(f(p * r) + f(1.0))
    p = f(f(p * r) + f(1.0))
    return f(p * as_float(np.int32((np.int64(n) + 127) << 23)))


@hot
def finite(bits):
    """The float32 pattern as the low half of a number, with the fault that it is in the high one."""
    number = np.int64(bits) & LOW32
    if number & 0x7F800000 == 0x7F800000:
        if number & 0x007FFFFF:
            number = 0x7FC00000
        number |= NOT_FINITE << 32
    return number


@hot
def integer(kind, a, b, c, relation):
    """Result of an arithmetic core on int32 words, as :func:`finite` gives it. ``a`` … ``c`` are int64."""
    if kind == ADD:
        return (a + b) & LOW32
    if kind == SUB:
        return (a - b) & LOW32
    if kind in (MUL, MUL_SERIAL):
        return (a * b) & LOW32
    if kind == MAC:
        return (a * b + c) & LOW32
    if kind in (DIV, MOD):
        if b == 0:
            return np.int64(BY_ZERO) << 32
        return (a // b if kind == DIV else a % b) & LOW32
    if kind == MIN:
        return (a if a <= b else b) & LOW32
    if kind == MAX:
        return (a if a >= b else b) & LOW32
    if kind == ABS:
        return (a if a >= 0 else -a) & LOW32
    if kind == NEG:
        return -a & LOW32
    if kind == AND:
        return a & b & LOW32
    if kind == OR:
        return (a | b) & LOW32
    if kind == XOR:
        return (a ^ b) & LOW32
    if kind == SHL:
        return (a << (b & 31)) & LOW32
    if kind == SHR:
        return (a >> (b & 31)) & LOW32
    if kind == SELECT:
        return (b if a != 0 else c) & LOW32
    return related(relation, a, b)


@hot
def related(relation, a, b):
    """Whether a stands in the relation to b: 1 or 0. NaN is unequal to everything."""
    if relation == 0:
        return np.int64(a < b)
    if relation == 1:
        return np.int64(a <= b)
    if relation == 2:
        return np.int64(a == b)
    if relation == 3:
        return np.int64(a != b)
    if relation == 4:
        return np.int64(a >= b)
    return np.int64(a > b)


@rare
def floating(kind, x, y, z, relation):
    """Result of an arithmetic core on float32 words, as :func:`finite` gives it. The words are patterns."""
    a, b = as_float(np.int32(x)), as_float(np.int32(y))
    if kind == ADD:
        return finite(as_bits(np.float32(a + b)))
    if kind == SUB:
        return finite(as_bits(np.float32(a - b)))
    if kind in (MUL, MUL_SERIAL):
        return finite(as_bits(np.float32(a * b)))
    if kind == MAC:
        return finite(as_bits(np.float32(np.float32(a * b) + as_float(np.int32(z)))))
    if kind == DIV:
        if b == np.float32(0.0):
            return np.int64(BY_ZERO) << 32
        return finite(as_bits(np.float32(a / b)))
    if kind == MIN:
        return finite(np.int32(x if a <= b else y))
    if kind == MAX:
        return finite(np.int32(x if a >= b else y))
    if kind == ABS:
        return finite(np.int32(x & 0x7FFFFFFF))
    if kind == NEG:
        return finite(np.int32(x ^ -0x80000000))
    if kind == EXP:
        return finite(as_bits(exponential(a)))
    if kind == COMPARE:
        return related(relation, a, b)
    return integer(kind, x, y, z, relation)


@hot
def near(expected, got, tolerance):
    """Whether a float32 pattern is near enough to the expected one; NaN never is."""
    e, g = np.float64(as_float(expected)), np.float64(as_float(got))
    return abs(g - e) <= tolerance * max(1.0, abs(e))


@hot
def flat_index(wires, words, ports, picks, array, stride, port):
    """Row-major index that the address at ``port`` names, −1 outside."""
    index = np.int64(0)
    for k in range(i64(array.rank)):
        size = array.d0
        if k == 1:
            size = array.d1
        elif k == 2:
            size = array.d2
        elif k == 3:
            size = array.d3
        i = word(wires, words, ports, picks, stride, port, k)
        if i < 0 or i >= size:
            return np.int64(-1)
        index = index * size + i
    return index


@hot
def copy_words(wires, words, ports, picks, lanes, stride, port, to):
    """The words that a core sees at ``port`` become a result's words, from place ``to`` of ``words`` on."""
    if lanes is None:
        for k in range(i64(ports[port].width)):
            words[u64(to + k)] = word(wires, words, ports, picks, stride, port, k)
    else:
        cast_words(wires, words, ports, picks, lanes, stride, port, to)


@rare
def cast_words(wires, words, ports, picks, lanes, stride, port, to):
    """:func:`copy_words` where packets have lanes: in the forms of the result."""
    seen = lanes.ports[port]
    pick, count = i64(seen.cast), i64(seen.cast_n)
    if count == 0:
        pick, count = i64(ports[port].pick), i64(ports[port].width)
    wire = wires[ports[port].chosen]
    base = i64(wire.ring + wire.head) * stride
    for k in range(count):
        words[u64(to + k)] = value_of(words, picks, base, pick + k)


@hot
def value_of(words, picks, base, pick):
    """What a pick takes out of the packet whose values begin at ``base``, with the step of its lane added."""
    seen = picks[u64(pick)]
    return seen.value if seen.position < 0 else words[u64(base + seen.position)] + seen.value


@hot
def lanes_in(mask):
    """Live lanes of a mask: of a scalar 1 or 0."""
    return popcount(np.int32(mask & LANES_OF_LINEAR)) if mask < SCALAR else i64(1 if mask & LANES_OF_LINEAR else 0)


@hot
def clean(words, ids, at, bits, width, live):
    """Values of lanes that are not live become 0; where none is, all."""
    if live & LANES_OF_LINEAR == 0:
        live = i64(0)
    for k in range(width):
        if not live & ids[u64(bits + k)]:
            words[u64(at + k)] = 0


@hot
def echo_words(wires, words, ports, picks, stride, port, to, count, clear):
    """The packet at ``port`` as it came on its wire, ``count`` words, or that many zeros."""
    if ports[port].given == 1:
        wire = wires[ports[port].chosen]
        p = (wire.ring + wire.head) * stride
        for k in range(count):
            words[to + k] = 0 if clear else words[p + k]
    else:
        for k in range(count):
            words[to + k] = 0 if clear or k >= ports[port].width else picks[ports[port].pick + k].value


# --- rare cores ---------------------------------------------------------------------------------------------


@hot
def joined(one, other):
    """Block or thread of two packets: −1 none, −2 different ones."""
    if other == -1 or one == -2:
        return one
    if one == -1 or one == other:
        return other
    return np.int32(-2)


@rare
def look_sum(run, nodes, wires, words, ports, picks, pool, n, taken, to):
    """What a firing of accumulate or scan would yield: reads ``run.x_…``, and writes them; nothing else changes."""
    s, node = run[0], nodes[n]
    stride = s.stride
    ways = node.b
    way = node.turn
    live, value, block, thread, barriers = 0, 0, -1, -1, 0
    x_any, x_launch = s.x_any, s.x_launch
    group, group_any = node.group, node.group_any
    last = False
    code = np.int64(0)
    into = way
    if taken:
        if not x_any:
            group = x_launch
        elif x_launch > group_any:
            group_any = x_launch
        into = node.count % ways
        if node.kind == ACCUMULATE and ports[node.port_start + 1].given:
            last = word(wires, words, ports, picks, stride, i64(node.port_start) + 1, ZERO) != 0
            s.x_yield = 1 if last else 0
            way = 0
        else:
            way = into
            s.x_yield = 1 if node.kind == SCAN or node.count >= (node.a - 1) * ways else 0
    at = node.d + way * SUM
    if pool[at]:
        live, value = pool[at + 1], pool[at + 2]
        block, thread, barriers = pool[at + 3], pool[at + 4], pool[at + 5]
    if taken:
        at = node.d + into * SUM
        old, old_live, old_value = pool[at], pool[at + 1], pool[at + 2]
        folded = np.int64(old_value)
        if not s.x_masked:
            new = np.int64(word(wires, words, ports, picks, stride, i64(node.port_start), ZERO))
            folded = new
            if old_live:
                if node.is_float:
                    folded = floating(node.c, np.int64(old_value), new, ZERO, ZERO)
                else:
                    folded = integer(node.c, np.int64(old_value), new, ZERO, ZERO)
            elif node.is_float:
                folded = finite(np.int32(new))
            else:
                folded = new & LOW32
            old_live = 1
            code = folded >> 32
        s.x_value = folded & LOW32
        old_block, old_thread, old_barriers = -1, -1, 0
        if old:
            old_block, old_thread, old_barriers = pool[at + 3], pool[at + 4], pool[at + 5]
        if into == way:
            live, value = old_live, folded & LOW32
            block = joined(np.int32(old_block), np.int32(s.x_block))
            thread = joined(np.int32(old_thread), np.int32(s.x_thread))
            barriers = max(old_barriers, s.x_barriers)
    else:
        s.x_yield = 1
    s.x_index = last
    s.x_check = group
    if group >= 0:
        s.x_any, s.x_launch = 0, group
    else:
        s.x_any, s.x_launch = 1, group_any
    s.x_live = 1 if not taken else 1 - s.x_masked
    words[to] = np.int32(value) if live else 0
    s.x_block, s.x_thread, s.x_barriers, s.x_masked = max(block, -1), max(thread, -1), barriers, 1 - live
    return code


@hot
def sum_size(lanes, n):
    """Numbers of a sum of node ``n``: with lanes the word is the stack, and the words of all lanes follow."""
    return i64(SUM) + (i64(lanes.nodes[n].lanes) if lanes.nodes[n].vector else i64(0))


@rare
def keep_lanes_of_sum(run, pool, lanes, n, at, stack):
    """The sums that :func:`look_sums` has left in ``scratch`` are those of the place ``at``, with a stack."""
    pool[at + 1] = run[0].x_mark
    if stack >> DEPTH > pool[at + 2] >> DEPTH:
        pool[at + 2] = stack
    for lane in range(lanes.nodes[n].lanes):
        pool[at + SUM + lane] = np.int32(lanes.scratch[lane])


@rare
def look_sums(run, nodes, wires, words, ports, picks, pool, lanes, n, taken, mask, stack, to):
    """:func:`look_sum` with a sum in each lane; ``mask`` and ``stack`` are what the packets have in common."""
    s, node, wide, scratch = run[0], nodes[n], lanes.nodes[n], lanes.scratch
    stride, first, size, width = i64(s.stride), i64(node.port_start), sum_size(lanes, n), i64(wide.lanes)
    ways, way = node.b, node.turn
    live, block, thread, barriers, pile = ZERO, -1, -1, 0, ZERO
    x_any, x_launch = s.x_any, s.x_launch
    group, group_any = node.group, node.group_any
    last = False
    into = way
    s.x_yield = 1
    if taken:
        if not x_any:
            group = x_launch
        elif x_launch > group_any:
            group_any = x_launch
        into = node.count % ways
        if node.kind == ACCUMULATE and ports[first + 1].given:
            last = word(wires, words, ports, picks, stride, first + 1, ZERO) != 0
            s.x_yield = 1 if last else 0
            way = 0
        else:
            way = into
            s.x_yield = 1 if node.kind == SCAN or node.count >= (node.a - 1) * ways else 0
    at = node.d + way * size
    if pool[at]:
        live, pile = i64(pool[at + 1]), i64(pool[at + 2])
        block, thread, barriers = pool[at + 3], pool[at + 4], pool[at + 5]
    for lane in range(width):
        words[to + lane] = pool[at + SUM + lane] if live >> lane & 1 else 0
    if taken:
        at = node.d + into * size
        base, view = packet_at(wires, ports, stride, first), i64(lanes.ports[first].spread)
        known, old_pile = ZERO, ZERO
        old_block, old_thread, old_barriers = -1, -1, 0
        if pool[at]:
            known, old_pile = i64(pool[at + 1]), i64(pool[at + 2])
            old_block, old_thread, old_barriers = pool[at + 3], pool[at + 4], pool[at + 5]
        for lane in range(width):
            old = i64(pool[at + SUM + lane]) if known >> lane & 1 else ZERO
            folded = old & LOW32
            if mask >> lane & 1:
                new = i64(np.int32(value_of(words, picks, base, view + lane)))
                folded = new & LOW32
                if node.is_float:
                    folded = finite(np.int32(new))
                if folded >> 32 == 0 and known >> lane & 1:
                    if node.is_float:
                        folded = floating(node.c, old, new, ZERO, ZERO)
                    else:
                        folded = integer(node.c, old, new, ZERO, ZERO)
                if folded >> 32:
                    s.f_lane, s.x_value = lane, folded & LOW32
                    s.x_index, s.x_check = last, group
                    return folded >> 32
            scratch[lane] = np.int32(folded)
        lit = mask & LANES_OF_LINEAR if width > 1 else (mask & 1)
        s.x_mark = known | lit
        if into == way:
            live = s.x_mark
            for lane in range(width):
                words[to + lane] = np.int32(scratch[lane]) if live >> lane & 1 else 0
            block = joined(np.int32(old_block), np.int32(s.x_block))
            thread = joined(np.int32(old_thread), np.int32(s.x_thread))
            barriers = max(old_barriers, s.x_barriers)
            pile = stack if stack >> DEPTH > old_pile >> DEPTH else old_pile
    s.x_index = last
    s.x_check = group
    if group >= 0:
        s.x_any, s.x_launch = 0, group
    else:
        s.x_any, s.x_launch = 1, group_any
    s.x_live = 1 if not taken else 1 - s.x_masked
    s.x_block, s.x_thread, s.x_barriers, s.x_masked = max(block, -1), max(thread, -1), barriers, 1 if live == 0 else 0
    s.x_mask, s.x_stack = live, pile
    return ZERO


@rare
def keep_sum(
    run, nodes, launches, ports, pool, lanes, n, taken, launch, any_, block, thread, barriers, masked, stack
):
    """Book a firing of accumulate or scan, with the joined header of what it took."""
    s, node = run[0], nodes[n]
    ways = node.b
    done = False
    if taken:
        if not any_:
            if node.group < 0:
                node.group = launch
                launches[launch & RING].packets += 1
        else:
            node.group_any = max(node.group_any, launch)
        at = node.d + (node.count % ways) * SUM
        if lanes is not None:
            at = node.d + (node.count % ways) * sum_size(lanes, n)
        if pool[at] == 0:
            pool[at + 3], pool[at + 4], pool[at + 5] = -1, -1, 0
            pool[at + 1], pool[at + 2] = 0, 0
        pool[at] += 1
        if lanes is not None and lanes.nodes[n].vector:
            keep_lanes_of_sum(run, pool, lanes, n, at, stack)
        elif not masked:
            pool[at + 1] = 1
            pool[at + 2] = np.int32(s.x_value)
        pool[at + 3] = joined(np.int32(pool[at + 3]), np.int32(block))
        pool[at + 4] = joined(np.int32(pool[at + 4]), np.int32(thread))
        pool[at + 5] = max(pool[at + 5], barriers)
        node.count += 1
        if node.kind == ACCUMULATE and ports[node.port_start + 1].given:
            if s.x_index:
                done = ways == 1
                node.turn = 0 if done else 1
        else:
            done = node.count == node.a * ways
    else:
        done = node.turn == ways - 1
        node.turn += 1
    if done:
        size = i64(SUM)
        if lanes is not None:
            size = sum_size(lanes, n)
        for i in range(ways):
            pool[node.d + i * size], pool[node.d + i * size + 1] = 0, 0
        if node.group >= 0:
            launches[node.group & RING].packets -= 1
        node.count = 0
        node.turn = 0
        node.group = -1
        node.group_any = -1


@hot
def find_page(pool, memory, launch, block):
    """Place of the page of a launch's block, −1 if it has none; and of the first free one, −1 likewise."""
    own, free = np.int64(-1), np.int64(-1)
    at = np.int64(memory) + 3
    for _ in range(pool[memory + 1]):
        if pool[at] == launch + 1 and pool[at + 1] == block:
            own = at
        elif pool[at] == 0 and free < 0:
            free = at
        at += PAGE
    return own, free


@hot
def cell_place(pool, memory, page, cell):
    """Place of a cell of the page at ``page``."""
    number = (page - memory - 3) // PAGE
    return np.int64(memory) + 3 + pool[memory + 1] * PAGE + (number * pool[memory] + cell) * CELL


@hot
def given_place(pool, memory, launch, block):
    """Place of the note that a block gave its page back."""
    after = pool[memory + 1] * PAGE + pool[memory + 1] * pool[memory] * CELL
    return np.int64(memory) + 3 + after + (launch & RING) * pool[memory + 2] + block + 1


@rare
def look_shared(run, nodes, wires, packets, words, ports, picks, pool, n, to):
    """What an access to a shared memory would do: −1 it waits for a page, else its fault; nothing changes."""
    s, node = run[0], nodes[n]
    stride, port = i64(s.stride), i64(node.port_start)
    memory, launch = node.a, s.x_launch
    block = -1
    if ports[port].given == 1:
        wire = wires[ports[port].chosen]
        block = packets[wire.ring + wire.head].block
    at = word(wires, words, ports, picks, stride, port, ZERO)
    s.x_index = at
    if s.x_any:
        return NO_LAUNCH
    if not s.x_masked and (at < 0 or at >= pool[memory]):
        return SHARED_OUTSIDE
    page, free = find_page(pool, memory, launch, block)
    s.x_check = page if page >= 0 else free
    if node.kind == SHARED_WRITE:
        if s.x_check < 0:
            return -1
        if page >= 0 and not s.x_masked:
            cell = cell_place(pool, memory, page, at)
            if pool[cell] == pool[page + 4]:
                s.f_other, s.f_other_node = pool[cell + 2], pool[cell + 4]
                return OVERWRITE
        if s.x_yield:
            echo_words(wires, words, ports, picks, stride, port, to, i64(node.width), ZERO)
        return 0
    if page < 0:
        return GIVEN_BACK if pool[given_place(pool, memory, launch, block)] == launch + 1 else NOT_WRITTEN
    value = np.int32(0)
    if not s.x_masked:
        cell = cell_place(pool, memory, page, at)
        if pool[cell] != pool[page + 4]:
            return NOT_WRITTEN
        writer = pool[cell + 2]
        if (writer < 0 or writer != s.x_thread) and s.x_barriers <= pool[cell + 3]:
            s.f_other, s.f_other_node = writer, pool[cell + 4]
            return RACE
        value = np.int32(pool[cell + 1])
    words[to] = value
    echo_words(wires, words, ports, picks, stride, port, to + 1, i64(node.width) - 1, ZERO)
    return 0


@rare
def keep_shared(run, nodes, events, heads, bits, pool, n, launch, block, thread, barriers, masked, value, t):
    """Book an access that fires, ``block`` being that of its ``at``."""
    s, node = run[0], nodes[n]
    memory, page = node.a, s.x_check
    if node.kind == SHARED_WRITE:
        if pool[page] == 0:
            pool[page], pool[page + 1], pool[page + 2], pool[page + 3] = launch + 1, block, 0, 0
            pool[page + 4] += 1
        if not masked:
            cell = cell_place(pool, memory, page, s.x_index)
            pool[cell], pool[cell + 1], pool[cell + 2] = pool[page + 4], value, thread
            pool[cell + 3], pool[cell + 4] = barriers, n
            pool[page + 3] += 1
        return
    pool[page + 2] += 1
    if pool[page + 2] == node.b:
        pool[page] = 0
        pool[given_place(pool, memory, launch, block)] = launch + 1
        for i in range(s.nodes):
            if nodes[i].kind == SHARED_WRITE and nodes[i].a == memory and nodes[i].turn:
                nodes[i].turn = 0
                schedule_later(run, events, heads, bits, s.nodes + i, t + 1)


@rare
def look_cells(run, nodes, wires, packets, words, ids, ports, picks, pool, lanes, n, mask, stack, to, t):
    """:func:`look_shared` in a wide machine: cells of all live lanes, and banks: −2 where it waits for these.

    ``scratch`` has the cells by lane, then the words to be written; ``x_mark`` are the lanes.
    """
    s, node, wide, scratch = run[0], nodes[n], lanes.nodes[n], lanes.scratch
    stride, first, breadth = i64(s.stride), i64(node.port_start), i64(wide.breadth)
    memory, launch, vector = node.a, s.x_launch, breadth > 1
    live = mask & LANES_OF_LINEAR if vector else mask & 1
    block, is_write = -1, node.kind == SHARED_WRITE
    if ports[first].given == 1:
        wire = wires[ports[first].chosen]
        block = packets[wire.ring + wire.head].block
    base, outside, lowest_lane = packet_at(wires, ports, stride, first), i64(-1), ZERO
    if live:
        lowest_lane = lowest(u64(live))
    for lane in range(breadth):
        if vector:
            cell = np.int32(value_of(words, picks, base, i64(lanes.ports[first].spread) + lane))
        else:
            cell = word(wires, words, ports, picks, stride, first, ZERO)
        scratch[lane] = cell
        if live >> lane & 1 and outside < 0 and (cell < 0 or cell >= pool[memory]):
            outside = i64(lane)
    s.x_mark, s.x_index = live, scratch[lowest_lane]
    s.x_lanes, s.x_controls, s.x_work, s.x_cycles = popcount(np.int32(live)), 1, 0, 1
    for lane in range(breadth):
        scratch[8 + lane] = 0
        if live >> lane & 1:
            new = 1
            for before in range(lane):
                if live >> before & 1 and scratch[before] == scratch[lane]:
                    new = 0
            scratch[8 + lane] = new
            s.x_work += new
    if s.x_any:
        return i64(NO_LAUNCH)
    if outside >= 0:
        s.x_index, s.f_lane = scratch[outside], outside if vector else -1
        return i64(SHARED_OUTSIDE)
    page, free = find_page(pool, memory, launch, block)
    s.x_check = page if page >= 0 else free
    if is_write and s.x_check < 0:
        if not s.probe:
            wide.since = -1
        return i64(-1)
    if lanes.memories[wide.d].banks > 0 and bank_wait(run, nodes, lanes, n, live, t):
        return i64(-2)
    if is_write:
        value_base, value_view = packet_at(wires, ports, stride, first + 1), i64(lanes.ports[first + 1].spread)
        for lane in range(breadth):
            if not live >> lane & 1:
                continue
            if vector:
                scratch[16 + lane] = np.int32(value_of(words, picks, value_base, value_view + lane))
            else:
                scratch[16 + lane] = word(wires, words, ports, picks, stride, first + 1, ZERO)
            fault = ZERO
            if page >= 0:
                at = cell_place(pool, memory, page, scratch[lane])
                if pool[at] == pool[page + 4]:
                    fault, s.f_other, s.f_other_node = i64(OVERWRITE), pool[at + 2], pool[at + 4]
            for before in range(lane):
                if fault == 0 and live >> before & 1 and scratch[before] == scratch[lane]:
                    fault, s.f_other_node = i64(OVERWRITE), n
                    s.f_other = s.x_thread + before if s.x_thread >= 0 else -1
            if fault:
                s.x_index, s.f_lane = scratch[lane], lane if vector else -1
                return fault
        if s.x_yield:
            echo_lanes(run, nodes, wires, words, ids, ports, picks, lanes, n, live, to, ZERO)
        return ZERO
    size = i64(1) if ids[wide.bits] == LANES_OF_LINEAR else breadth
    if page < 0:
        s.f_lane = lowest_lane if vector else -1
        return i64(GIVEN_BACK if pool[given_place(pool, memory, launch, block)] == launch + 1 else NOT_WRITTEN)
    for lane in range(breadth):
        if live >> lane & 1 and pool[cell_place(pool, memory, page, scratch[lane])] != pool[page + 4]:
            s.x_index, s.f_lane = scratch[lane], lane if vector else -1
            return i64(NOT_WRITTEN)
    warp = s.x_thread if vector and stack >> DEPTH == 0 else -1
    for k in range(size):
        words[to + k] = 0
    for lane in range(breadth):
        if not live >> lane & 1:
            continue
        at = cell_place(pool, memory, page, scratch[lane])
        thread = s.x_thread + lane if s.x_thread >= 0 else -1
        alone = (thread >= 0 and pool[at + 2] == thread) or (warp >= 0 and pool[at + 5] == warp)
        if not alone and s.x_barriers <= pool[at + 3]:
            s.x_index, s.f_lane = scratch[lane], lane if vector else -1
            s.f_other, s.f_other_node = pool[at + 2], pool[at + 4]
            return i64(RACE)
        if size > 1:
            words[to + lane] = np.int32(pool[at + 1])
        elif lane == lowest_lane:
            words[to] = np.int32(pool[at + 1])
    echo_lanes(run, nodes, wires, words, ids, ports, picks, lanes, n, live, to, size)
    return ZERO


@rare
def echo_lanes(run, nodes, wires, words, ids, ports, picks, lanes, n, live, to, size):
    """The address as it came goes behind ``size`` values of a result, with 0 where it is masked."""
    node, wide, stride, first = nodes[n], lanes.nodes[n], i64(run[0].stride), i64(nodes[n].port_start)
    count = i64(node.width) - size
    if wide.breadth > 1:
        cast_words(wires, words, ports, picks, lanes, stride, first, to + size)
        clean(words, ids, to + size, wide.bits + size, count, live)
    else:
        echo_words(wires, words, ports, picks, stride, first, to + size, count, ZERO)


@rare
def bank_wait(run, nodes, lanes, n, live, t):
    """Whether an access to the cells in ``scratch`` has to wait for banks; ``x_wait`` is then when it tries again."""
    s, wide, scratch = run[0], lanes.nodes[n], lanes.scratch
    memory = lanes.memories[wide.d]
    wanted, most, busy = ZERO, ZERO, ZERO
    for lane in range(i64(wide.breadth)):
        if scratch[8 + lane]:
            cell = scratch[lane]
            place = cell + cell // memory.row * memory.pad if memory.row > 0 else cell
            scratch[24 + lane] = place % memory.banks
            wanted |= i64(1) << scratch[24 + lane]
            busy = max(busy, lanes.free[memory.at + scratch[24 + lane]])
            count = i64(1)
            for before in range(lane):
                if scratch[8 + before] and scratch[24 + before] == scratch[24 + lane]:
                    count += 1
            most = max(most, count)
    s.x_cycles = max(most, 1)
    s.x_controls = s.x_cycles
    since = wide.since if wide.since >= 0 else t
    if busy <= t:
        busy = t
        for other in range(s.nodes):
            rival = lanes.nodes[other]
            if other == n or rival.since < 0 or nodes[other].a != nodes[n].a:
                continue
            if nodes[other].kind != SHARED_WRITE and nodes[other].kind != SHARED_READ:
                continue
            if (rival.since < since or (rival.since == since and other < n)) and rival.wanted & wanted:
                ready = True
                for bank in range(memory.banks):
                    if rival.wanted >> bank & 1 and lanes.free[memory.at + bank] > t:
                        ready = False
                if ready:
                    busy = t + 1
        if busy <= t:
            return False
    s.x_wait = busy
    if not s.probe:
        wide.since, wide.wanted = since, wanted
    return True


@rare
def keep_cells(
    run, nodes, events, heads, bits, pool, lanes, n, launch, block, thread, barriers, mask, stack, t
):
    """Book an access that :func:`look_cells` has looked at, ``block`` being that of its ``at``."""
    s, node, wide, scratch = run[0], nodes[n], lanes.nodes[n], lanes.scratch
    memory, page, vector = node.a, s.x_check, wide.breadth > 1
    banks = lanes.memories[wide.d]
    if banks.banks > 0:
        wide.since = -1
        for lane in range(i64(wide.breadth)):
            if scratch[8 + lane]:
                count = 0
                for other in range(i64(wide.breadth)):
                    if scratch[8 + other] and scratch[24 + other] == scratch[24 + lane]:
                        count += 1
                lanes.free[banks.at + scratch[24 + lane]] = t + count * node.interval
    if node.kind == SHARED_WRITE:
        if pool[page] == 0:
            pool[page], pool[page + 1], pool[page + 2], pool[page + 3] = launch + 1, block, 0, 0
            pool[page + 4] += 1
        for lane in range(i64(wide.breadth)):
            if s.x_mark >> lane & 1:
                cell = cell_place(pool, memory, page, scratch[lane])
                pool[cell], pool[cell + 1] = pool[page + 4], np.int32(scratch[16 + lane])
                pool[cell + 2] = thread + lane if thread >= 0 else -1
                pool[cell + 3], pool[cell + 4] = barriers, n
                pool[cell + 5] = thread if vector and stack >> DEPTH == 0 else -1
                pool[page + 3] += 1
        return
    pool[page + 2] += threads_of(lanes, i64(mask), i64(stack), i64(thread), i64(wide.breadth))
    if pool[page + 2] >= node.b:
        pool[page] = 0
        pool[given_place(pool, memory, launch, block)] = launch + 1
        for i in range(s.nodes):
            if nodes[i].kind == SHARED_WRITE and nodes[i].a == memory and nodes[i].turn:
                nodes[i].turn = 0
                schedule_later(run, events, heads, bits, s.nodes + i, t + 1)


@hot
def earliest(wires, ids, start, count, t):
    """The wire of a list whose available packet has the least a(k), ties by order; −1 if none is available."""
    best, found = NEVER, np.int64(-1)
    for i in range(count):
        w = ids[start + i]
        if wires[w].held > 0 and wires[w].head_ready <= t and wires[w].head_ready < best:
            best, found = wires[w].head_ready, np.int64(w)
    return found


@hot
def soonest(wires, ids, start, count, t):
    """The next tick after ``t`` at which a packet becomes available on a wire of a list."""
    best = NEVER
    for i in range(count):
        w = ids[start + i]
        if wires[w].held > 0 and t < wires[w].head_ready < best:
            best = wires[w].head_ready
    return best


@hot
def see_wire(ports, lanes, port, w):
    """A port at which several wires end looks at packets of ``w`` in its forms."""
    its = lanes.wires[w]
    if its.pick >= 0:
        ports[port].pick = its.pick
        lanes.ports[port].spread, lanes.ports[port].cast = its.spread, its.cast


@rare
def join_sides(run, nodes, wires, packets, words, ids, ports, picks, lanes, n, t):
    """The inputs that the next firing of a join takes from, as bits; 0 while that cannot be known."""
    first = i64(nodes[n].port_start)
    order = first + 2
    if ports[order].given:
        if ports[order].given == 1:
            w = earliest(wires, ids, ports[order].wires, ports[order].n, t)
            if w < 0:
                return ZERO
            ports[order].chosen = w
            see_wire(ports, lanes, order, w)
        sides = i64(word(wires, words, ports, picks, i64(run[0].stride), order, ZERO)) & 3
        return sides | 4 if sides else ZERO
    came, best, found = ZERO, NEVER, ZERO
    for side in range(2):
        w = earliest(wires, ids, ports[first + side].wires, ports[first + side].n, t)
        if w < 0:
            continue
        came |= i64(1) << side
        there = lanes.packets[wires[w].ring + wires[w].head]
        depth = there.stack >> DEPTH
        top = there.stack >> (8 * (depth - 1)) & LANES_OF_LINEAR if depth > 0 else i64(there.live)
        if (there.live & SCALAR or top == there.live) and wires[w].head_ready < best:
            best, found = wires[w].head_ready, i64(1) << side
    return found if found else (came if came == 3 else ZERO)


@rare
def choose(run, nodes, wires, packets, words, ids, ports, picks, lanes, n, t):
    """Choose the wires that a firing of ``n`` takes from and list them in ``ids``: how many, −1 if it cannot fire."""
    node = nodes[n]
    kind, first, number = node.kind, i64(node.port_start), i64(node.port_n)
    if node.turn and kind != SHARED_WRITE:
        return 0
    only = first + node.count if kind == COLLECT else -1
    skipped = -1
    taken = 0
    sides = i64(7)
    if lanes is not None and kind == JOIN:
        sides = join_sides(run, nodes, wires, packets, words, ids, ports, picks, lanes, n, t)
        run[0].x_sides = sides
    for port in range(first, first + number):
        if port == skipped or (only >= 0 and port != only):
            continue
        if lanes is not None and kind == JOIN and not sides >> (port - first) & 1:
            continue
        given = ports[port].given
        if given == 1:
            w = earliest(wires, ids, ports[port].wires, ports[port].n, t)
            if w < 0:
                return -1
            ports[port].chosen = w
            if lanes is not None:
                see_wire(ports, lanes, port, w)
            new = True
            for i in range(taken):
                if ids[TAKEN + i] == w:
                    new = False
            if new:
                ids[TAKEN + taken] = w
                ids[TAKEN_PORTS + taken] = port - first
                taken += 1
        if kind == MUX and port == first:
            skipped = first + 2 if word(wires, words, ports, picks, i64(run[0].stride), port, ZERO) != 0 else first + 1
    return taken if taken > 0 else -1


@hot
def left_empty(run, launches, launch):
    """Whether ``launch`` has lost words, seen right after a firing that took packets of it."""
    record = launches[u64(launch & RING)]
    if record.packets > 0:
        return False
    run[0].check_gone = 1
    return record.sources_left == 0 and record.words_left > 0


@hot
def copy_header(packets, lanes, p, q, time, barriers):
    """Header of packet ``p`` becomes that of a result at ``q``, ``barriers`` more having been passed."""
    pk, copy = packets[p], packets[q]
    copy.time = time
    copy.launch = pk.launch
    copy.block = pk.block
    copy.thread = pk.thread
    copy.barriers = pk.barriers + barriers
    copy.flags = pk.flags
    copy.port = -1
    if lanes is not None:
        its, there = lanes.packets[p], lanes.packets[q]
        there.live, there.value, there.stack = its.live, its.live, its.stack


@hot
def mark_made(run, nodes, physics, n, p):
    """Node ``n`` has made results, the first at place ``p``; physics looks at them at the tick's end, if it has to."""
    s, node = run[0], nodes[n]
    if node.aside & LATE:
        node.fresh = p + 1
        physics.made[u64(s.made)] = n
        s.made += 1


@hot
def chamber_full(nodes, lanes, n):
    """Whether all threads that a barrier waits for are in its chamber."""
    if lanes is None:
        return nodes[n].count == nodes[n].a
    else:
        return lanes.nodes[n].rows >= nodes[n].a


@rare
def threads_in(packets, lanes, p, count):
    """Threads of packet ``p`` of ``count`` lanes, masked or not; the live lanes of one split or without a thread."""
    return threads_of(lanes, i64(lanes.packets[p].live), i64(lanes.packets[p].stack), i64(packets[p].thread), count)


@rare
def threads_of(lanes, live, stack, thread, count):
    """See :func:`threads_in`; of a header."""
    if live & SCALAR:
        return i64(1)
    if stack >> DEPTH or thread < 0:
        return popcount(np.int32(live))
    block = i64(lanes.block[0])
    return min(count, block - thread % block)


@rare
def arrived(run, lanes, n, launch, live):
    """Count what an arrival at a barrier costs."""
    count = lanes.counts[4 * n + segment(run, launch)]
    count.lanes += lanes_in(live)
    count.controls += 1
    count.cycles += 1


@rare
def open_barrier(run, nodes, wires, packets, words, ids, events, heads, bits, launches, log, physics, lanes, n, t):
    """All packets of the full chamber become results."""
    node, stride = nodes[n], run[0].stride
    count = node.count
    node.count = 0
    if lanes is not None:
        lanes.nodes[n].rows = 0
    if node.out_n == 0:
        launches[packets[node.slots].launch & RING].packets -= count
        return
    for i in range(count):
        p, q = node.slots + i, node.queue + i
        copy_header(packets, lanes, p, q, t + node.extra, 1)
        for k in range(node.width):
            words[q * stride + k] = words[p * stride + k]
        if unlikely(run[0].log):
            ready = i64(t + node.extra)
            note_packet(run, packets, words, log, lanes, MADE, i64(n), i64(t), ready, i64(q), i64(node.width), i64(-1))
    node.head = 0
    node.length = count
    if physics is not None:
        mark_made(run, nodes, physics, n, i64(node.queue))
        if node.foresees:
            foresee(run, nodes, wires, ids, physics, n, i64(-1), i64(count), t)
    schedule_later(run, events, heads, bits, n, t + node.extra)


@rare
def arrive(
    run, nodes, wires, packets, words, ids, ports, counts, events, heads, bits, launches, pool, digests, log, physics,
    lanes, n, t
):
    """A barrier takes one packet at its second port, if there is one. Returns the fault."""
    s, node = run[0], nodes[n]
    port = i64(node.port_start) + 1
    w = earliest(wires, ids, ports[port].wires, ports[port].n, t)
    if w < 0:
        return 0
    ports[port].chosen = w
    pk = packets[wires[w].ring + wires[w].head]
    launch = pk.launch
    if physics is not None and wires[w].aside & LINED:
        tell(run, wires, packets, physics, w, t)
        if physics.lined[w].fault:
            s.f_port, s.f_other = 1, w
            return i64(ODD - 1 + physics.lined[w].fault)
    if pk.flags & ANY:
        s.f_port = 1
        return NO_LAUNCH
    at = node.c + ((launch & RING) * node.d + pk.block + 1) * ARRIVAL
    if pool[at] != launch + 1:
        pool[at], pool[at + 1], pool[at + 2] = launch + 1, 0, 0
    if lanes is None:
        pool[at + 1] += 1
    else:
        pool[at + 1] += threads_in(packets, lanes, i64(wires[w].ring + wires[w].head), i64(lanes.wires[w].lanes))
        arrived(run, lanes, n, i64(launch), i64(lanes.packets[wires[w].ring + wires[w].head].live))
    count = counts[4 * n + segment(run, launch)]
    count.a += 1
    if not pk.flags & MASKED:
        count.b += 1
    if unlikely(s.log):
        live = ZERO if pk.flags & MASKED else i64(LIVE)
        note(run, log, FIRED, i64(n), i64(t), i64(t), i64(launch), live)
    node.firings += 1
    s.events += 2
    s.last_active = t
    pop(run, wires, packets, words, events, heads, bits, launches, digests, log, physics, lanes, w, t)
    s.x_launch = launch
    if left_empty(run, launches, launch):
        return LOST
    if earliest(wires, ids, ports[port].wires, ports[port].n, t) >= 0:
        schedule_later(run, events, heads, bits, s.nodes + n, t + 1)
    return 0


@rare
def pass_barrier(
    run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits, launches, pool,
    digests, log, physics, lanes, n, t
):
    """A barrier takes the packet at its first port, if it may. Returns the fault."""
    s, node = run[0], nodes[n]
    port = i64(node.port_start)
    w = earliest(wires, ids, ports[port].wires, ports[port].n, t)
    if w < 0:
        return 0
    if t < node.last + node.interval and not s.probe:
        schedule_later(run, events, heads, bits, s.nodes + n, node.last + node.interval)
        return 0
    ports[port].chosen = w
    if lanes is not None:
        see_wire(ports, lanes, port, w)
    p = wires[w].ring + wires[w].head
    pk = packets[p]
    any_, launch, block = pk.flags & ANY, pk.launch, pk.block
    at = node.c + ((launch & RING) * node.d + block + 1) * ARRIVAL
    if node.c >= 0:
        if node.out_n > 0 and node.length >= node.room:
            node.waiting = 1
            return 0
        if not any_:
            if pool[at] != launch + 1:
                pool[at], pool[at + 1], pool[at + 2] = launch + 1, 0, 0
            if pool[at + 1] < node.a * (pool[at + 2] // node.a - node.b + 1):
                return 0
    elif not any_:
        first = packets[node.slots]
        if node.count == node.a or (node.count > 0 and (first.block != block or first.launch != launch)):
            return 0
        if lanes is not None and node.count > 0 and lanes.nodes[n].rows >= node.a:
            return 0
    if s.probe:
        s.probe = 2
        return 0
    if physics is not None and wires[w].aside & LINED:
        tell(run, wires, packets, physics, w, t)
        if physics.lined[w].fault:
            s.f_port, s.f_other = 0, w
            return i64(ODD - 1 + physics.lined[w].fault)
    if any_:
        s.f_port = 0
        return NO_LAUNCH
    delay = node.latency
    if unlikely(s.jitter):
        delay += jitter(nodes, counts, n)
    account(nodes, packets, n, t)
    starved = t - s.time_start - node.busy - node.blocked
    by_port[port] += starved - node.starved_before
    node.starved_before = starved
    if node.c < 0:
        q = node.slots + node.count
        node.extra = delay
        node.count += 1
        if lanes is not None:
            lanes.nodes[n].rows += threads_in(packets, lanes, i64(p), i64(lanes.wires[w].lanes))
        copy_header(packets, lanes, p, q, t, 0)
    else:
        if lanes is None:
            pool[at + 2] += 1
        else:
            pool[at + 2] += threads_in(packets, lanes, i64(p), i64(lanes.wires[w].lanes))
        q = node.queue + (node.head + node.length) % node.room
        if node.out_n > 0:
            copy_header(packets, lanes, p, q, t + delay, 1)
            node.length += 1
            if node.length == 1:
                schedule_later(run, events, heads, bits, n, t + delay)
    if node.c < 0 or node.out_n > 0:
        copy_words(wires, words, ports, picks, lanes, i64(s.stride), port, i64(q) * s.stride)
        if lanes is not None and lanes.nodes[n].lanes > 1:
            wide = lanes.nodes[n]
            clean(words, ids, i64(q) * s.stride, i64(wide.bits), i64(node.width), i64(lanes.packets[p].live))
        launches[launch & RING].packets += 1
    if physics is not None and node.c >= 0 and node.out_n > 0:
        mark_made(run, nodes, physics, n, i64(q))
        if node.foresees:
            foresee(run, nodes, wires, ids, physics, n, i64(-1), i64(1), t)
    count = counts[4 * n + segment(run, launch)]
    count.a += 1
    if not pk.flags & MASKED:
        count.b += 1
    if lanes is not None:
        spend(run, nodes, lanes, n, i64(launch), i64(0 if pk.flags & MASKED else 1), i64(lanes.packets[p].live), t)
    if unlikely(s.log):
        live = ZERO if pk.flags & MASKED else i64(LIVE)
        note(run, log, FIRED, i64(n), i64(t), i64(t + delay), i64(launch), live)
        if node.c >= 0 and node.out_n > 0:
            ready = i64(t + delay)
            note_packet(run, packets, words, log, lanes, MADE, i64(n), i64(t), ready, i64(q), i64(node.width), i64(-1))
    node.last = t
    node.firings += 1
    s.events += 2
    s.last_active = t
    pop(run, wires, packets, words, events, heads, bits, launches, digests, log, physics, lanes, w, t)
    if chamber_full(nodes, lanes, n) and node.c < 0 and node.length == 0:
        open_barrier(run, nodes, wires, packets, words, ids, events, heads, bits, launches, log, physics, lanes, n, t)
    s.x_launch = launch
    if left_empty(run, launches, launch):
        return LOST
    return 0


@rare
def visit_barrier(
    run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits, launches, pool,
    digests, log, physics, lanes, n, t
):
    """Step 3 for a barrier: open, take an arrival, fire, open. Returns the fault."""
    s, node = run[0], nodes[n]
    if not s.probe:
        if node.c >= 0:
            code = arrive(
                run, nodes, wires, packets, words, ids, ports, counts, events, heads, bits, launches, pool, digests,
                log, physics, lanes, n, t
            )
            if code:
                return code
        elif chamber_full(nodes, lanes, n) and node.length == 0:
            open_barrier(
                run, nodes, wires, packets, words, ids, events, heads, bits, launches, log, physics, lanes, n, t
            )
    code = pass_barrier(
        run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits, launches, pool,
        digests, log, physics, lanes, n, t
    )
    if s.probe == 0 and code == 0:
        if node.c < 0 and chamber_full(nodes, lanes, n):
            node.waiting = 1
        again = soonest(wires, ids, node.in_start, node.in_n, t)
        if again < NEVER:
            schedule_later(run, events, heads, bits, s.nodes + n, again)
        if node.last == t and earliest(wires, ids, node.in_start, node.in_n, t) >= 0:
            schedule_later(run, events, heads, bits, s.nodes + n, t + node.interval)
    return code


@rare
def keep_kept(nodes, packets, words, launches, stride, n, taken, to):
    """Book a firing of repeat or counter; what it took is kept in its slots, with its header."""
    node = nodes[n]
    size = node.b if node.kind == REPEAT else 1
    if taken:
        kept = node.slots + node.count
        pk = packets[kept]
        if not pk.flags & ANY:
            launches[pk.launch & RING].packets += 1
            if node.group < 0 and node.kind == REPEAT:
                node.group = pk.launch
    if node.kind == COUNTER:
        node.turn += 1
        done = node.turn == node.a
    else:
        if taken:
            for k in range(node.width - node.c):
                words[(node.slots + node.count) * stride + k] = words[to + k]
        node.count += 1
        if node.count == size:
            node.count = 0
            node.turn += 1
        done = node.turn == node.a
    if done:
        for i in range(size):
            pk = packets[node.slots + i]
            if not pk.flags & ANY:
                launches[pk.launch & RING].packets -= 1
        node.turn = 0
        node.group = -1


# --- firing -------------------------------------------------------------------------------------------------


@hot
def loses(kind):
    """Whether a firing of such a core that yields no result loses what it took."""
    return kind < STORE or SINK < kind < ACCUMULATE or SHUFFLE <= kind <= JOIN or kind == UNPACK


@rare
def add_up(wires, words, ids, ports, picks, stride, first, at, to, count, live):
    """The sums of an address core: ``count`` rows of a constant and six factors from ``ids[at]`` on."""
    for k in range(count):
        total = i64(ids[at])
        for i in range(i64(ports[first].width)):
            total += i64(ids[at + 1 + i]) * word(wires, words, ports, picks, stride, first, i)
        words[to + k] = np.int32(total) if live else 0
        at += 7


@hot
def within(words, ids, limits, at, count):
    """Whether the words from ``words[at]`` on are inside the limits in ``ids``; −1 is no limit."""
    for k in range(count):
        limit = ids[limits + k]
        if limit >= 0 and (words[at + k] < 0 or words[at + k] >= limit):
            return False
    return True


# --- lanes --------------------------------------------------------------------------------------------------


@hot
def packet_at(wires, ports, stride, port):
    """Where the values of the packet at ``port`` begin."""
    if ports[port].given != 1:
        return ZERO
    wire = wires[ports[port].chosen]
    return i64(wire.ring + wire.head) * stride


@rare
def spend_plainly(run, lanes, n, launch, live, t):
    """Count a firing that costs what its live lanes cost, of a mask."""
    wide = lanes.nodes[n]
    wide.fired = t
    count, found = lanes.counts[4 * n + segment(run, launch)], lanes_in(live)
    count.lanes += found
    count.controls += 1
    count.work += wide.once + wide.per_lane * found if wide.vector and found else (1 if found else 0)
    count.cycles += 1


@rare
def spend(run, nodes, lanes, n, launch, live, mask, t):
    """Count what a firing costs beyond that it is one; returns the ticks for which it is held beyond an interval."""
    s, wide = run[0], lanes.nodes[n]
    count = lanes.counts[4 * n + segment(run, launch)]
    wide.fired = t
    if wide.vector and not wide.own_effort:
        found = lanes_in(mask)
        count.lanes += found
        count.controls += 1
        count.work += wide.once + wide.per_lane * found if found else 0
        count.cycles += 1
        return ZERO
    if not wide.own_effort:
        count.lanes += live
        count.controls += 1
        count.work += live
        count.cycles += 1
        return ZERO
    count.lanes += s.x_lanes
    count.controls += s.x_controls
    count.work += s.x_work
    count.cycles += s.x_cycles
    return (s.x_cycles - 1) * nodes[n].interval


@rare
def lane_wise(run, nodes, wires, words, ports, picks, lanes, n, mask, to):
    """The words of an arithmetic core, per lane. Returns the fault of the first lane that has one."""
    s, node = run[0], nodes[n]
    kind, stride, first, number = node.kind, i64(s.stride), i64(node.port_start), i64(node.port_n)
    second, third = first + (1 if number > 1 else 0), first + (2 if number > 2 else 0)
    at_a, at_b, at_c = (
        packet_at(wires, ports, stride, first),
        packet_at(wires, ports, stride, second),
        packet_at(wires, ports, stride, third),
    )
    view_a, view_b = i64(lanes.ports[first].spread), i64(lanes.ports[second].spread)
    view_c = i64(lanes.ports[third].spread)
    relation = i64(node.a)
    for lane in range(i64(node.width)):
        value = np.int32(0)
        if mask >> lane & 1:
            a = i64(np.int32(value_of(words, picks, at_a, view_a + lane)))
            b = i64(np.int32(value_of(words, picks, at_b, view_b + lane)))
            c = i64(np.int32(value_of(words, picks, at_c, view_c + lane)))
            result = floating(kind, a, b, c, relation) if node.is_float else integer(kind, a, b, c, relation)
            value = np.int32(result)
            if result >> 32:
                s.f_lane, s.x_value = lane, value
                return result >> 32
        words[u64(to + lane)] = value
    return ZERO


@rare
def add_up_lanes(run, nodes, wires, words, ids, ports, picks, lanes, n, mask, to):
    """The sums of an address core, each of them linear or per lane."""
    node, stride, first = nodes[n], i64(run[0].stride), i64(nodes[n].port_start)
    base, breadth = packet_at(wires, ports, stride, first), i64(lanes.nodes[n].breadth)
    view, count = i64(lanes.ports[first].spread), i64(lanes.ports[first].words)
    at, place = i64(node.a), to
    bits = i64(lanes.nodes[n].bits)
    while place < to + node.width:
        per_lane = ids[bits + place - to] != LANES_OF_LINEAR
        for lane in range(breadth if per_lane else 1):
            total = i64(ids[at])
            for i in range(count):
                total += i64(ids[at + 1 + i]) * value_of(words, picks, base, view + i * breadth + lane)
            words[place] = np.int32(total)
            place += 1
        at += 7


@rare
def lanes_where(wires, words, ports, picks, lanes, stride, port, breadth):
    """The lanes in which a word at ``port`` is not 0, as bits."""
    base, view = packet_at(wires, ports, stride, port), i64(lanes.ports[port].spread)
    found = ZERO
    for lane in range(breadth):
        if np.int32(value_of(words, picks, base, view + lane)) != 0:
            found |= i64(1) << lane
    return found


@rare
def lanes_within(wires, words, ids, ports, picks, lanes, stride, port, breadth, limits):
    """The lanes in which the words at ``port`` are inside the limits in ``ids``, as bits; −1 is no limit."""
    base, view = packet_at(wires, ports, stride, port), i64(lanes.ports[port].spread)
    found = (i64(1) << breadth) - 1
    for k in range(i64(lanes.ports[port].words)):
        limit = ids[limits + k]
        for lane in range(breadth):
            value = np.int32(value_of(words, picks, base, view + k * breadth + lane))
            if limit >= 0 and (value < 0 or value >= limit):
                found &= ~(i64(1) << lane)
    return found


@rare
def shuffle_lanes(run, nodes, wires, words, ids, ports, picks, lanes, n, mask, to):
    """Every lane gets the words of another."""
    wide, stride, first = lanes.nodes[n], i64(run[0].stride), i64(nodes[n].port_start)
    base, breadth, view = packet_at(wires, ports, stride, first), i64(wide.breadth), i64(lanes.ports[first].spread)
    for k in range(i64(lanes.ports[first].words)):
        for lane in range(breadth):
            other = i64(lane)
            if wide.a == 0:
                other = lane - wide.b
            elif wide.a == 1:
                other = lane + wide.b
            else:
                other = lane ^ wide.b
            value = ids[wide.c + k]
            if 0 <= other < breadth and mask >> other & 1:
                value = np.int32(value_of(words, picks, base, view + k * breadth + other))
            words[to + k * breadth + lane] = value if mask & LANES_OF_LINEAR else 0


@rare
def reduce_lanes(run, nodes, wires, words, ports, picks, lanes, n, mask, to):
    """The live lanes of a word become one, by halves. Returns the fault."""
    s, node, wide, stride, first = run[0], nodes[n], lanes.nodes[n], i64(run[0].stride), i64(nodes[n].port_start)
    base, breadth, view = packet_at(wires, ports, stride, first), i64(wide.breadth), i64(lanes.ports[first].spread)
    scratch, op = lanes.scratch, i64(wide.a)
    there = mask & LANES_OF_LINEAR if breadth > 1 else i64(1 if mask & LANES_OF_LINEAR else 0)
    found = lanes_in(mask)
    result, some, every = i64(0), i64(0), i64(1)
    for lane in range(breadth):
        value = i64(np.int32(value_of(words, picks, base, view + lane)))
        scratch[lane] = value
        if there >> lane & 1:
            if value != 0:
                some = i64(1)
            else:
                every = i64(0)
    words[to] = 0
    if found == 0:
        return ZERO
    if op < REDUCE_ANY and node.is_float:
        for lane in range(breadth):
            checked = finite(np.int32(scratch[lane])) if there >> lane & 1 else ZERO
            if checked >> 32:
                s.f_lane, s.x_value = lane, np.int32(checked)
                return checked >> 32
    if op == REDUCE_ANY:
        result = some
    elif op == REDUCE_ALL:
        result = every
    elif op == REDUCE_COUNT:
        result = found
    elif op == REDUCE_FIRST:
        result = scratch[lowest(u64(there))]
    else:
        half = breadth >> 1
        while half > 0:
            for lane in range(half):
                mine, its = there >> lane & 1, there >> (lane + half) & 1
                if its:
                    if mine:
                        folded = ZERO
                        if node.is_float:
                            folded = floating(np.int32(op), scratch[lane], scratch[lane + half], ZERO, ZERO)
                        else:
                            folded = integer(np.int32(op), scratch[lane], scratch[lane + half], ZERO, ZERO)
                        if folded >> 32:
                            s.f_lane, s.x_value = lane, np.int32(folded)
                            return folded >> 32
                        scratch[lane] = np.int32(folded)
                    else:
                        scratch[lane] = scratch[lane + half]
                        there |= i64(1) << lane
            half >>= 1
        result = scratch[0]
    words[to] = np.int32(result)
    return ZERO


@hot
def ring_place(node, k):
    """Place of the result that would be the ``k``-th new one in a node's ring."""
    place = i64(node.head + node.length + k)
    if place >= node.room:
        place -= node.room
    return node.queue + place


@hot
def has_wires(nodes, ids, n, port):
    """Whether anyone takes what leaves at an output."""
    return ids[nodes[n].out_ports + 2 * port + 1] > 0


@rare
def split(run, nodes, wires, packets, words, ids, ports, picks, lanes, n, mask):
    """What a switch with lanes would send; ``x_results`` results lie in its ring then. Returns the fault."""
    s, node, wide = run[0], nodes[n], lanes.nodes[n]
    stride, first, width = i64(s.stride), i64(node.port_start), i64(node.width)
    vector = wide.lanes > 1
    live = mask & LANES_OF_LINEAR if vector else mask & 1
    true = live & lanes_where(wires, words, ports, picks, lanes, stride, first + 1, i64(wide.breadth))
    false = live & ~true
    sent = 3 if wide.a else (1 if true else 0) | (2 if false or not live else 0)
    told = has_wires(nodes, ids, n, 2)
    fault, stack, depth = ZERO, s.x_stack, s.x_stack >> DEPTH
    if vector:
        if depth == MAX_SPLITS:
            fault, s.f_other = i64(DEEP_SPLIT), MAX_SPLITS
        else:
            stack = (stack & 0xFFFFFF) | live << (8 * depth) | (depth + 1) << DEPTH
    made = ZERO
    room = node.length < wide.limit and fault == 0
    for port in range(3):
        if not has_wires(nodes, ids, n, port) or (port < 2 and not sent >> port & 1):
            continue
        if room:
            place = ring_place(node, made)
            at, there = place * stride, lanes.packets[place]
            packets[place].port = port
            side = true if port == 0 else false
            if port == 2:
                for k in range(width):
                    words[at + k] = 0
                there.live, there.stack = SCALAR_LIVE, 0
            else:
                cast_words(wires, words, ports, picks, lanes, stride, first, at)
                there.live, there.stack = side, stack
                if not vector:
                    there.live, there.stack = SCALAR_LIVE if side else SCALAR, 0
            if told:
                words[at + width - 1] = sent
            if vector and port < 2:
                clean(words, ids, at, i64(wide.bits), width, side)
            there.value = there.live
        made += 1
    s.x_results, s.x_yield = made, 1 if made > 0 else 0
    return fault


@rare
def push_several(
    run, nodes, packets, words, events, heads, bits, launches, log, physics, lanes, n, launch, any_, block, thread,
    barriers, t, ready
):
    """The ``x_results`` results that lie in a node's ring become results; all but their masks and ports is common."""
    s, node = run[0], nodes[n]
    for k in range(s.x_results):
        place = ring_place(node, ZERO)
        pk = packets[place]
        pk.time = ready
        pk.launch, pk.block, pk.thread, pk.barriers = launch, block, thread, barriers
        pk.flags = any_ | (0 if lanes.packets[place].live & LANES_OF_LINEAR else MASKED | VALUE_MASKED)
        if not any_:
            launches[launch & RING].packets += 1
        if unlikely(s.log):
            port = i64(pk.port)
            note_packet(run, packets, words, log, lanes, MADE, i64(n), i64(t), ready, place, i64(node.width), port)
        if physics is not None and k == 0:
            lanes.nodes[n].made = s.x_results
            mark_made(run, nodes, physics, n, place)
        node.length += 1
        if node.length == 1:
            schedule_later(run, events, heads, bits, n, ready)


@rare
def unite(run, nodes, wires, packets, words, ids, ports, picks, lanes, n, to):
    """What a join makes of the packets that it takes. Returns the fault."""
    s, node, wide = run[0], nodes[n], lanes.nodes[n]
    stride, first, width, scalar = i64(s.stride), i64(node.port_start), i64(node.width), wide.lanes == 1
    sides, last = s.x_sides & 3, -1
    if sides == 3:
        last = 1
    one = i64(0 if sides & 1 else 1)
    fault, live_b = ZERO, ZERO
    if sides == 3:
        live_b = i64(lanes.packets[packet_at(wires, ports, i64(1), first + 1)].live)
    place = packet_at(wires, ports, i64(1), first + one)
    live_a, its_stack = i64(lanes.packets[place].live), i64(lanes.packets[place].stack)
    live_a = (live_a & 1 if scalar else all_lanes(wide, live_a))
    live_b = (live_b & 1 if scalar else all_lanes(wide, live_b))
    lives, twice = live_a | live_b, live_a & live_b
    s.x_live = 1 if lives else 0
    depth = its_stack >> DEPTH
    if scalar:
        s.x_mask, s.x_stack = SCALAR_LIVE if lives else SCALAR, 0
        if twice:
            fault, s.f_port, s.f_lane = i64(LANE_TWICE), last, 0
        mine = one if live_a or not live_b else i64(1)
        cast_words(wires, words, ports, picks, lanes, stride, first + mine, to)
        s.x_value_mask = s.x_mask
        return fault
    s.x_mask, s.x_value_mask = lives, lives
    top = ZERO
    if depth > 0:
        top = its_stack >> (8 * (depth - 1)) & LANES_OF_LINEAR
        s.x_stack = its_stack & ((i64(1) << (8 * (depth - 1))) - 1) | (depth - 1) << DEPTH
    else:
        s.x_stack = ZERO
        fault, s.f_port = i64(NOT_SPLIT), one
    if sides == 3 and fault == 0:
        other = packet_at(wires, ports, i64(1), first + 1)
        pk, its = packets[other], packets[place]
        if lanes.packets[other].stack >> DEPTH == 0:
            fault, s.f_port = i64(NOT_SPLIT), 1
        elif pk.block != its.block or pk.thread != its.thread or lanes.packets[other].stack != its_stack:
            fault, s.f_port, s.f_other = i64(OTHER_HALF), 1, pk.thread
    if fault == 0 and twice:
        fault, s.f_port, s.f_lane = i64(LANE_TWICE), last, lowest(u64(twice))
    if fault == 0 and top & ~lives:
        fault, s.f_port, s.f_lane = i64(LANES_MISSING), one, lowest(u64(top & ~lives))
    if fault:
        return fault
    for k in range(width):
        words[to + k] = 0
    for side in range(2):
        if not sides >> side & 1:
            continue
        mine = live_a if side == one else live_b
        base, pick = packet_at(wires, ports, stride, first + side), i64(lanes.ports[first + side].cast)
        for k in range(width):
            if mine & ids[wide.bits + k]:
                words[to + k] = value_of(words, picks, base, pick + k)
    return ZERO


@hot
def all_lanes(wide, live):
    """A live mask in a core with lanes: a scalar stands for all."""
    if live & SCALAR:
        return i64(wide.full) if live & LANES_OF_LINEAR else ZERO
    return live


@rare
def gathered_header(run, nodes, n):
    """Header of a packet that pack or compact makes now: that of its group, with the one just taken."""
    s, node = run[0], nodes[n]
    if node.group >= 0:
        s.x_launch, s.x_any = node.group, 0
    elif s.x_any:
        s.x_launch = max(s.x_launch, node.group_any)


@rare
def look_pack(run, nodes, wires, words, ids, ports, picks, lanes, n, mask, to):
    """A scalar takes the next lane of the packet in the slot; whether that leaves then."""
    s, node, wide = run[0], nodes[n], lanes.nodes[n]
    stride, first, width, lane = i64(s.stride), i64(node.port_start), i64(node.width), i64(wide.rows)
    base, pick, at = packet_at(wires, ports, stride, first), i64(ports[first].pick), i64(node.slots) * stride
    live = i64(1) if mask & LANES_OF_LINEAR else ZERO
    for k in range(i64(ports[first].width)):
        words[at + k * wide.lanes + lane] = value_of(words, picks, base, pick + k)
    s.x_mark = wide.kept | live << lane
    leaves = lane + 1 == wide.lanes or node.count + 1 == wide.a
    if lane == 0:
        s.x_first_block, s.x_first = s.x_block, s.x_thread
    else:
        s.x_first_block = joined(np.int32(wide.block), np.int32(s.x_block))
        s.x_first = wide.first
        if s.x_thread != wide.first + lane or s.x_first_block < 0:
            s.x_first = -1
    if leaves:
        for k in range(width):
            words[to + k] = words[at + k] if k % wide.lanes <= lane else 0
        if node.length < wide.limit:
            clean(words, ids, to, i64(wide.bits), width, s.x_mark)
    s.x_lanes, s.x_controls, s.x_work, s.x_cycles = live, 1 if leaves else 0, 0, 1
    if live:
        s.x_work = wide.once + wide.per_lane
    s.x_yield, s.x_mask, s.x_value_mask, s.x_stack = 1 if leaves else 0, s.x_mark, s.x_mark, 0
    s.x_block, s.x_thread = max(s.x_first_block, -1), s.x_first
    s.x_most = s.x_barriers
    s.x_barriers = max(s.x_barriers, wide.most)
    gathered_header(run, nodes, n)


@rare
def look_compact(run, nodes, wires, packets, words, ids, ports, picks, lanes, n, mask):
    """Live lanes go behind those in the slot; ``x_results`` packets of them lie in the ring then."""
    s, node, wide = run[0], nodes[n], lanes.nodes[n]
    stride, first, width, rows = i64(s.stride), i64(node.port_start), i64(node.width), i64(wide.rows)
    base, view, at = packet_at(wires, ports, stride, first), i64(lanes.ports[first].spread), i64(node.slots) * stride
    breadth, size, count = i64(wide.breadth), i64(wide.lanes), i64(lanes.ports[first].words)
    meets = i64(lanes.ports[first].lanes)
    ends = node.count + 1 == wide.a
    found = ZERO
    for lane in range(meets):
        if not mask >> lane & 1:
            continue
        place = rows + found
        for k in range(count):
            value = np.int32(value_of(words, picks, base, view + k * breadth + lane))
            if place < size:
                words[at + k * size + place] = value
            else:
                lanes.scratch[k * size + place - size] = value
        found += 1
    whole, rest = (rows + found) // size, (rows + found) % size
    leaving = whole + (1 if ends and rest > 0 else 0)
    s.x_results = leaving
    if node.length < wide.limit:
        for result in range(leaving):
            place = ring_place(node, result)
            there = lanes.packets[place]
            there.live = (i64(1) << (size if result < whole else rest)) - 1
            there.value, there.stack = there.live, 0
            packets[place].port = -1
            for k in range(width):
                value = words[at + k]
                if result == 1:
                    value = np.int32(lanes.scratch[k])
                words[place * stride + k] = value
            clean(words, ids, place * stride, i64(wide.bits), width, i64(there.live))
    s.x_rows, s.x_mark = (ZERO if ends else rest), whole
    s.x_lanes, s.x_controls, s.x_work, s.x_cycles = found, 1 + leaving, 0, 1
    if found:
        s.x_work = wide.once + wide.per_lane * found
    s.x_yield, s.x_block, s.x_thread, s.x_stack = 1 if leaving > 0 else 0, -1, -1, 0
    s.x_most = s.x_barriers
    s.x_barriers = max(s.x_barriers, wide.most)
    gathered_header(run, nodes, n)


@rare
def look_unpack(run, nodes, wires, words, ids, ports, picks, lanes, n, mask, to):
    """The next lane of the packet taken or kept leaves as a scalar."""
    s, node, wide = run[0], nodes[n], lanes.nodes[n]
    stride, first, width = i64(s.stride), i64(node.port_start), i64(node.width)
    at, meets = i64(node.slots) * stride, i64(lanes.ports[first].lanes)
    live = mask & LANES_OF_LINEAR if meets > 1 else mask & 1
    s.x_whole_thread, s.x_whole_stack = s.x_thread, s.x_stack
    if s.x_taken:
        base, pick, count = packet_at(wires, ports, stride, first), i64(ports[first].pick), i64(ports[first].width)
        for k in range(count):
            words[at + k] = value_of(words, picks, base, pick + k)
        clean(words, ids, at, i64(lanes.ports[first].bits), count, live)
    sent = live if wide.a else (i64(1) << meets) - 1
    s.x_rows = popcount(np.int32(sent))
    s.x_lanes, s.x_controls, s.x_work, s.x_cycles = 0, 1, 0, 1
    if sent == 0:
        s.x_yield = 0
        return
    for _ in range(node.count):
        sent &= sent - 1
    lane = lowest(u64(sent))
    there = live >> lane & 1
    for k in range(width):
        words[to + k] = np.int32(value_of(words, picks, at, wide.b + k * meets + lane)) if there else 0
    s.x_lanes, s.x_controls, s.x_live = there, 1 if s.x_taken else 0, there
    if there:
        s.x_work = wide.once + wide.per_lane
    s.x_mask = SCALAR_LIVE if there else SCALAR
    s.x_value_mask, s.x_stack = s.x_mask, 0
    s.x_thread = s.x_thread + lane if there and s.x_thread >= 0 else -1


@rare
def keep_gathered(run, nodes, packets, words, launches, lanes, n, taken, launch, any_, mask):
    """Book a firing of pack, unpack or compact, ``launch`` being that of what it took or keeps."""
    s, node, wide = run[0], nodes[n], lanes.nodes[n]
    if node.kind == UNPACK:
        node.count += 1
        done = node.count >= s.x_rows
        if taken and not done:
            node.turn = 1
            pk, there = packets[node.slots], lanes.packets[node.slots]
            pk.launch, pk.block, pk.thread, pk.barriers = launch, s.x_block, s.x_whole_thread, s.x_barriers
            pk.flags = any_ | (0 if mask & LANES_OF_LINEAR else MASKED)
            there.live, there.value, there.stack = mask, mask, s.x_whole_stack
        if done:
            node.count = 0
        if not any_:
            launches[launch & RING].packets += (0 if done else 1) - (0 if taken else 1)
        if done:
            node.turn = 0
        return
    if not any_ and node.group < 0:
        node.group = launch
        launches[launch & RING].packets += 1
    node.group_any = max(node.group_any, launch)
    wide.most = max(wide.most, s.x_most)
    node.count += 1
    if node.kind == PACK:
        wide.rows += 1
        wide.kept, wide.block, wide.first = s.x_mark, s.x_first_block, s.x_first
        if s.x_controls:
            wide.rows, wide.kept, wide.block, wide.first = 0, 0, -1, -1
    else:
        if s.x_mark:
            at, stride = i64(node.slots) * s.stride, i64(node.width)
            for k in range(stride):
                words[at + k] = np.int32(lanes.scratch[k])
        wide.rows = s.x_rows
        wide.kept = (1 << s.x_rows) - 1
    if node.count == wide.a:
        if node.group >= 0:
            launches[node.group & RING].packets -= 1
        node.count, node.group, node.group_any = 0, -1, -1
        wide.most = 0


@rare
def look_vector(
    run, nodes, wires, packets, words, ids, ports, picks, arrays, data, stored, stored_tag, lanes, n, launch, any_,
    mask, to
):
    """What a firing of a core with lanes would make, for cores with rules of their own for them. Returns the fault.

    The values go to ``to``, ``x_mask`` is the mask of the result, ``x_yield`` says whether there is one; ``mask`` is
    what the packets have in common.
    """
    s, node, wide = run[0], nodes[n], lanes.nodes[n]
    kind, stride, first, breadth = node.kind, i64(s.stride), i64(node.port_start), i64(wide.breadth)
    some = mask & LANES_OF_LINEAR != 0
    s.x_mask, s.x_value_mask, s.x_yield, s.x_live = mask, mask, 1, 1 if some else 0
    s.x_index, s.x_value, s.f_lane = -1, 0, -1
    fault = ZERO
    if kind <= SELECT:
        if node.width > 1:
            return lane_wise(run, nodes, wires, words, ports, picks, lanes, n, mask, to)
        value = np.int32(0)
        if some:
            a, b, c = i64(word(wires, words, ports, picks, stride, first, ZERO)), ZERO, ZERO
            if node.port_n > 1:
                b = i64(word(wires, words, ports, picks, stride, first + 1, ZERO))
                if node.port_n > 2:
                    c = i64(word(wires, words, ports, picks, stride, first + 2, ZERO))
            relation = i64(node.a)
            result = floating(kind, a, b, c, relation) if node.is_float else integer(kind, a, b, c, relation)
            fault = result >> 32
            value = np.int32(result)
            s.x_value = value
            if fault:
                s.f_lane = lowest(u64(mask & LANES_OF_LINEAR))
        words[u64(to)] = value
    elif kind == ADDRESS:
        add_up_lanes(run, nodes, wires, words, ids, ports, picks, lanes, n, mask, to)
    elif kind == GATE:
        s.x_mask = mask & lanes_where(wires, words, ports, picks, lanes, stride, first + 1, breadth)
        s.x_yield = 0 if some and s.x_mask == 0 else 1
    elif kind == GUARD:
        s.x_mask = mask & lanes_within(wires, words, ids, ports, picks, lanes, stride, first, breadth, i64(node.a))
        s.x_yield = 0 if some and s.x_mask == 0 and node.b == 0 else 1
    elif kind == SHUFFLE:
        shuffle_lanes(run, nodes, wires, words, ids, ports, picks, lanes, n, mask, to)
    elif kind == SWITCH:
        return split(run, nodes, wires, packets, words, ids, ports, picks, lanes, n, mask)
    elif kind == JOIN:
        return unite(run, nodes, wires, packets, words, ids, ports, picks, lanes, n, to)
    elif kind == PACK:
        look_pack(run, nodes, wires, words, ids, ports, picks, lanes, n, mask, to)
    elif kind == UNPACK:
        look_unpack(run, nodes, wires, words, ids, ports, picks, lanes, n, mask, to)
    elif kind == COMPACT:
        look_compact(run, nodes, wires, packets, words, ids, ports, picks, lanes, n, mask)
    elif kind == REDUCE:
        s.x_mask = SCALAR_LIVE if some else SCALAR
        s.x_value_mask, s.x_thread, s.x_stack = s.x_mask, -1, 0
        return reduce_lanes(run, nodes, wires, words, ports, picks, lanes, n, mask, to)
    else:
        return look_lines(
            run, nodes, wires, packets, words, ids, ports, picks, arrays, data, stored, stored_tag, lanes, n, launch,
            any_, mask, to
        )
    return fault


@rare
def look_lines(
    run, nodes, wires, packets, words, ids, ports, picks, arrays, data, stored, stored_tag, lanes, n, launch, any_,
    mask, to
):
    """What a load or store with lanes would do; see :func:`look_vector`. Leaves indices and words in ``scratch``."""
    s, node, wide, scratch = run[0], nodes[n], lanes.nodes[n], lanes.scratch
    stride, first, breadth, array = i64(s.stride), i64(node.port_start), i64(wide.breadth), arrays[node.a]
    is_load, uniform = node.kind == LOAD, wide.a == 1
    if is_load:
        mask = i64(wide.whole)
        if ports[first].given == 1:
            wire = wires[ports[first].chosen]
            mask &= lanes.packets[wire.ring + wire.head].live
        s.x_mask, s.x_value_mask, s.x_live = mask, mask, 1 if mask else 0
    skipped = ZERO
    if is_load:
        skipped = i64(1) if ids[wide.bits] == LANES_OF_LINEAR else breadth
        for lane in range(skipped):
            words[to + lane] = 0
        if ports[first + 1].given:
            s.x_value_mask = wide.whole
            other, view = packet_at(wires, ports, stride, first + 1), i64(lanes.ports[first + 1].spread)
            for lane in range(skipped):
                if not mask >> lane & 1:
                    words[to + lane] = np.int32(value_of(words, picks, other, view + lane))
    if node.width > skipped:
        cast_words(wires, words, ports, picks, lanes, stride, first, to + skipped)
        clean(words, ids, to + skipped, wide.bits + skipped, i64(node.width) - skipped, mask)
    s.x_lanes, s.x_controls, s.x_work, s.x_cycles = 0, 1, 0, 1
    if not mask:
        return ZERO
    if any_:
        return i64(NO_LAUNCH)
    used = mask
    if uniform:
        used = i64(1) << lowest(u64(mask))
    base, view = packet_at(wires, ports, stride, first), i64(lanes.ports[first].spread)
    line, lines = i64(lanes.lines[node.a]), ZERO
    for lane in range(breadth):
        if not used >> lane & 1:
            continue
        index = ZERO
        for k in range(i64(array.rank)):
            size = array.d0
            if k == 1:
                size = array.d1
            elif k == 2:
                size = array.d2
            elif k == 3:
                size = array.d3
            i = np.int32(value_of(words, picks, base, view + k * breadth + lane))
            if i < 0 or i >= size:
                s.f_lane = lane
                return i64(OUTSIDE)
            index = index * size + i
        scratch[lane] = index
        new = 1
        for before in range(lane):
            if used >> before & 1 and scratch[before] // line == index // line:
                new = 0
        lines += new
        s.x_lanes += 1
    s.x_work, s.x_cycles = lines, max(lines, 1)
    kept = i64(array.stored) * LOOKAHEAD + i64(launch & RING) * array.words
    row = i64(array.data) * DATA_RING + i64(launch & DATA) * array.words
    value_base, value_view = ZERO, ZERO
    if not is_load:
        value_base, value_view = packet_at(wires, ports, stride, first + 1), i64(lanes.ports[first + 1].spread)
    if not is_load or not array.is_input:
        for lane in range(breadth):
            if not used >> lane & 1:
                continue
            index = scratch[lane]
            written = stored_tag[kept + index] == s.tag + launch + 1
            fault = 0
            if is_load:
                fault = 0 if written else UNWRITTEN
            else:
                for before in range(lane):
                    if used >> before & 1 and scratch[before] == index:
                        written = True
                fault = TWICE if written else 0
            if fault:
                s.f_lane, s.x_index = lane, index
                return i64(fault)
        if uniform and not is_load and used != mask:
            s.f_lane, s.x_index = lowest(u64(mask ^ used)), scratch[lowest(u64(used))]
            return i64(TWICE)
    for lane in range(breadth):
        if not used >> lane & 1:
            continue
        index = scratch[lane]
        given = data[row + index]
        if not is_load:
            got = np.int32(value_of(words, picks, value_base, value_view + lane))
            scratch[breadth + lane] = got
            if not (near(given, got, s.tolerance) if array.is_float else given == got):
                s.f_lane, s.x_index, s.x_value, s.f_expected = lane, index, got, given
                return i64(WRONG)
            continue
        if not array.is_input:
            given = stored[kept + index]
        if not uniform:
            words[to + lane] = given
            continue
        for k in range(skipped):
            if skipped == 1 or mask >> k & 1:
                words[to + k] = given
    s.x_mark = used
    return ZERO


@rare
def store_lanes(run, nodes, arrays, stored, stored_tag, launches, lanes, n, launch, done):
    """Write the words of a store that :func:`look_lines` has looked at."""
    s, node, scratch = run[0], nodes[n], lanes.scratch
    array, record, breadth = arrays[node.a], launches[launch & RING], i64(lanes.nodes[n].breadth)
    for lane in range(breadth):
        if s.x_mark >> lane & 1:
            at = np.int64(array.stored) * LOOKAHEAD + (launch & RING) * array.words + scratch[lane]
            stored_tag[at] = s.tag + launch + 1
            stored[at] = np.int32(scratch[breadth + lane])
            record.words_left -= 1
    record.done = max(record.done, done)


@rare
def keep_lines(run, nodes, pool, lanes, n, launch):
    """Count the lines and words of an access."""
    s, node = run[0], nodes[n]
    at = (launch & RING) * s.arrays + node.a
    if lanes.nodes[n].own:
        pool[s.pool_access + at] += s.x_work
        lanes.words[at] += s.x_lanes
    else:
        pool[s.pool_access + at] += 1
        lanes.words[at] += 1


@hot
def visit(
    run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits, launches, arrays,
    data, stored, stored_tag, pool, digests, log, physics, lanes, n, t
):
    """Step 3 for node ``n``: fire if it can. Sets ``run.fault`` at a fault."""
    s, node = run[0], nodes[u64(n)]
    kind = node.kind
    stride = i64(s.stride)
    first, width = i64(node.port_start), i64(node.width)
    if physics is not None and node.aside & LINED:
        settle_heads(run, wires, packets, words, ids, physics, i64(node.in_start), i64(node.in_n), i64(t))
    if node.simple:
        if node.missing > 0:
            return
        take, taken = node.in_start, node.in_n
        if node.ready_at > t:
            if s.probe == 0:
                schedule_later(run, events, heads, bits, s.nodes + n, node.ready_at)
                return
            if soonest(wires, ids, take, taken, t) < NEVER:
                return
    else:
        if kind == BARRIER:
            fault = visit_barrier(
                run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits,
                launches, pool, digests, log, physics, lanes, n, t
            )
            if fault:
                s.fault, s.f_node = fault, n
            return
        if node.last + node.interval > t and s.probe == 0:
            schedule_later(run, events, heads, bits, s.nodes + n, node.last + node.interval)
            return
        taken = np.int32(choose(run, nodes, wires, packets, words, ids, ports, picks, lanes, n, t))
        take = np.int32(TAKEN)
        if taken < 0:
            again = soonest(wires, ids, node.in_start, node.in_n, t)
            if again < NEVER:
                schedule_later(run, events, heads, bits, s.nodes + n, again)
            return
    full = node.length >= node.room
    if lanes is not None:
        full = node.length >= lanes.nodes[u64(n)].limit
    if full and node.always:
        node.waiting = 1
        return
    if (
        physics is not None
        and node.gated
        and taken > 0
        and s.probe == 0
        and node_asleep(run, nodes, wires, packets, words, ids, ports, picks, events, heads, bits, physics, n, t)
    ):
        return

    # The joined header of what the firing takes.
    launch, block, thread, barriers = np.int32(-1), np.int32(-1), np.int32(-1), np.int32(0)
    any_, masked, mixed = 1, 0, -1
    mask, stack = ZERO, ZERO
    if lanes is not None:
        mask = i64(lanes.nodes[u64(n)].whole)
        s.f_lane = -1
    for i in range(taken):
        w = i64(ids[u64(take + i)])
        wire = wires[u64(w)]
        pk = packets[u64(wire.ring + wire.head)]
        flags, its = pk.flags, pk.launch
        if lanes is not None:
            there = lanes.packets[u64(wire.ring + wire.head)]
            mask &= there.live
            if there.stack >> DEPTH > stack >> DEPTH:
                stack = i64(there.stack)
        if flags & ANY:
            if any_:
                launch = max(launch, its)
        elif any_:
            any_ = 0
            launch = its
        elif its != launch and mixed < 0:
            mixed = w
        block = joined(block, pk.block)
        thread = joined(thread, pk.thread)
        barriers = max(barriers, pk.barriers)
        masked |= flags & MASKED
    if block < 0:
        block = np.int32(-1)
    if thread < 0:
        thread = np.int32(-1)
    masked >>= 1
    if lanes is not None:
        if taken == 0 and kind == UNPACK:
            pk, there = packets[u64(node.slots)], lanes.packets[u64(node.slots)]
            launch, any_, block, thread, barriers = pk.launch, pk.flags & ANY, pk.block, pk.thread, pk.barriers
            mask, stack = i64(there.live), i64(there.stack)
        masked = 0 if mask & LANES_OF_LINEAR else 1

    # What the firing would do. Nothing changes but words that no result has.
    live = 1 - masked
    yields = node.out_n > 0
    port = -1
    fault = 0
    check = launch if not any_ else np.int32(-1)
    r_launch, r_any, r_block, r_thread, r_barriers, r_masked = launch, any_, block, thread, barriers, masked
    value_masked = masked
    r_live, r_value, r_stack = mask, mask, stack
    r = np.int64(0)
    if not full:
        place = node.head + node.length
        if place >= node.room:
            place -= node.room
        r = np.int64(node.queue + place)
    to = r * stride
    index = np.int64(-1)
    got = np.int32(0)
    copied, into = first, to
    if kind == MUX:
        copied += 1 if word(wires, words, ports, picks, stride, first, ZERO) != 0 else 2
    elif kind == COLLECT:
        copied += node.count
    elif kind == COUNTER:
        # The slot is free: the trigger is kept there.
        into = i64(node.slots) * stride
    if (RELAY <= kind <= GUARD) or (MUX <= kind <= COUNTER and taken > 0):
        copy_words(wires, words, ports, picks, lanes, stride, copied, into)
    if lanes is not None and lanes.nodes[u64(n)].own:
        s.x_launch, s.x_any, s.x_block, s.x_thread, s.x_barriers = launch, any_, block, thread, barriers
        s.x_taken, s.x_stack = taken, stack
        fault = look_vector(
            run, nodes, wires, packets, words, ids, ports, picks, arrays, data, stored, stored_tag, lanes, n, launch,
            any_, mask, to
        )
        yields = yields and s.x_yield == 1
        r_live, r_value, live, got = s.x_mask, s.x_value_mask, s.x_live, np.int32(s.x_value)
        r_masked = 0 if r_live & LANES_OF_LINEAR else 1
        value_masked = 0 if r_value & LANES_OF_LINEAR else 1
        index = s.x_index
        r_thread, r_stack = np.int32(s.x_thread), s.x_stack
        if kind == JOIN:
            mask = r_live
        if kind in (PACK, COMPACT):
            if taken > 0 and not any_ and node.group >= 0 and node.group != launch:
                fault = OPEN_GROUP
            check = np.int32(node.group) if any_ else launch
            if yields:
                r_launch, r_any = np.int32(s.x_launch), s.x_any
                r_block, r_barriers = np.int32(s.x_block), np.int32(s.x_barriers)
    elif kind <= SELECT:
        value = np.int32(0)
        if live:
            a = i64(word(wires, words, ports, picks, stride, first, ZERO))
            b, c = ZERO, ZERO
            if node.port_n > 1:
                b = i64(word(wires, words, ports, picks, stride, first + 1, ZERO))
                if node.port_n > 2:
                    c = i64(word(wires, words, ports, picks, stride, first + 2, ZERO))
            relation = i64(node.a)
            result = floating(kind, a, b, c, relation) if node.is_float else integer(kind, a, b, c, relation)
            fault = result >> 32
            value = got = np.int32(result)
        words[u64(to)] = value
    elif kind <= TUPLE:
        if kind == ADDRESS:
            add_up(wires, words, ids, ports, picks, stride, first, i64(node.a), to, width, live)
        elif kind == TUPLE:
            place = to
            for q in range(first, first + node.port_n):
                copy_words(wires, words, ports, picks, lanes, stride, q, place)
                place += ports[q].width
        elif kind == GATE:
            if live and word(wires, words, ports, picks, stride, first + 1, ZERO) == 0:
                yields = False
        elif kind == SWITCH:
            port = 0 if word(wires, words, ports, picks, stride, first + 1, ZERO) != 0 else 1
        elif kind == GUARD and live and not within(words, ids, i64(node.a), to, width):
            if node.b:
                r_masked = 1
                for k in range(width):
                    words[to + k] = 0
            else:
                yields = False
    elif kind <= SINK:
        array = arrays[node.a]
        if kind == LOAD:
            masked = 0
            if ports[first].given == 1:
                wire = wires[ports[first].chosen]
                masked = (packets[wire.ring + wire.head].flags & MASKED) >> 1
            live = 1 - masked
            r_masked = masked
            value_masked = masked
            words[to] = 0
            if masked and ports[first + 1].given:
                value_masked = 0
                words[to] = word(wires, words, ports, picks, stride, first + 1, ZERO)
        elif kind == STORE:
            got = word(wires, words, ports, picks, stride, first + 1, ZERO)
        else:
            yields = False
            got = word(wires, words, ports, picks, stride, first, ZERO)
        if kind != SINK and width > 0:
            skipped = 1 if kind == LOAD else 0
            echo_words(wires, words, ports, picks, stride, first, to + skipped, width - skipped, i64(masked))
        if live and any_:
            fault = NO_LAUNCH
        elif live:
            row = i64(launch & DATA) * array.words
            kept = i64(array.stored) * LOOKAHEAD + i64(launch & RING) * array.words
            if kind == SINK:
                # Every launch before in this place of the ring has taken all its words.
                index = i64(pool[node.b + (launch & RING)]) - i64(launch // LOOKAHEAD) * array.words
                if index >= array.words:
                    fault = EXTRA
            else:
                index = flat_index(wires, words, ports, picks, array, stride, first)
                if index < 0:
                    fault = OUTSIDE
                elif kind == STORE or not array.is_input:
                    written = stored_tag[kept + index] == s.tag + launch + 1
                    if kind == STORE and written:
                        fault = TWICE
                    elif kind == LOAD and not written:
                        fault = UNWRITTEN
            if fault == 0:
                given = data[i64(array.data) * DATA_RING + row + index]
                if kind == LOAD:
                    words[to] = given if array.is_input else stored[kept + index]
                elif not (near(given, got, s.tolerance) if array.is_float else given == got):
                    fault = WRONG
                    s.f_expected = given
    elif kind <= COUNTER:
        if kind in (REPEAT, COUNTER):
            if taken == 0:
                slot = i64(node.slots + (node.count if kind == REPEAT else 0))
                pk = packets[slot]
                live = 1 if not pk.flags & MASKED else 0
                r_launch, r_any, r_block, r_thread = pk.launch, pk.flags & ANY, pk.block, pk.thread
                r_barriers, r_masked = pk.barriers, 1 - live
                if lanes is not None:
                    mask, r_stack = i64(lanes.packets[slot].live), i64(lanes.packets[slot].stack)
                    r_live = mask
                check = r_launch if not r_any else np.int32(-1)
                if kind == REPEAT:
                    for k in range(width - node.c):
                        words[to + k] = words[slot * stride + k]
            if lanes is not None and kind == COUNTER and taken > 0 and lanes.nodes[u64(n)].vector:
                bits_at = i64(lanes.ports[first].bits)
                clean(words, ids, into, bits_at, i64(ports[first].width), mask)
            if kind == COUNTER:
                words[to] = np.int32(node.b + i64(node.turn) * node.c) if live else 0
            elif node.c:
                words[to + width - 1] = node.turn if live else 0
        elif kind == TAKE:
            yields = yields and node.count < node.b
        elif kind == SKIP:
            yields = yields and node.count >= node.b
        elif kind == DEAL:
            port = node.count
        elif kind == DELAY and node.count >= node.b:
            r_any, r_block, r_thread, r_barriers, r_masked = 1, np.int32(-1), np.int32(-1), np.int32(0), 0
            if lanes is not None:
                r_live, r_stack = i64(lanes.nodes[u64(n)].full), ZERO
            for k in range(width):
                words[to + k] = ids[node.c + k]
        if kind != MUX and kind != COUNTER and taken > 0 and not any_ and node.group >= 0 and node.group != launch:
            fault = OPEN_GROUP
    else:
        s.x_launch, s.x_any, s.x_block, s.x_thread, s.x_barriers = launch, any_, block, thread, barriers
        s.x_masked, s.x_yield = masked, 1 if yields else 0
        if kind <= SCAN:
            if lanes is not None and lanes.nodes[u64(n)].vector:
                code = look_sums(run, nodes, wires, words, ports, picks, pool, lanes, n, taken, mask, stack, to)
                r_live, r_stack = s.x_mask, s.x_stack
                if taken == 0:
                    mask = i64(lanes.nodes[u64(n)].full)
            else:
                code = look_sum(run, nodes, wires, words, ports, picks, pool, n, taken, to)
            fault = code
            got = np.int32(s.x_value)
            yields = yields and s.x_yield == 1
            live = s.x_live
            check = np.int32(s.x_check)
            # A sum that leaves without a value is charged to its group, wired or not.
            if yields or taken == 0:
                r_launch, r_any, r_block = np.int32(s.x_launch), s.x_any, np.int32(s.x_block)
                r_thread, r_barriers, r_masked = np.int32(s.x_thread), np.int32(s.x_barriers), s.x_masked
            if taken > 0 and not any_ and node.group >= 0 and node.group != launch:
                fault = OPEN_GROUP
        else:
            if lanes is None:
                fault = look_shared(run, nodes, wires, packets, words, ports, picks, pool, n, to)
            else:
                fault = look_cells(
                    run, nodes, wires, packets, words, ids, ports, picks, pool, lanes, n, mask, stack, to, t
                )
            index = s.x_index
            if kind == SHARED_WRITE:
                got = word(wires, words, ports, picks, stride, first + 1, ZERO)
    if lanes is not None:
        wide = lanes.nodes[u64(n)]
        if not wide.vector:
            r_live = SCALAR if r_masked else SCALAR_LIVE
            r_value = SCALAR if value_masked else SCALAR_LIVE
        elif r_live != wide.full and wide.lanes > 1 and not wide.own_clean and not full:
            clean(words, ids, to, i64(wide.bits), width, r_live)
    if port >= 0:
        yields = ids[node.out_ports + 2 * port + 1] > 0
    if yields and full:
        node.waiting = 1
        return
    if lanes is not None and fault == -2:
        if s.probe:
            s.probe = 2
        else:
            schedule_later(run, events, heads, bits, s.nodes + n, s.x_wait)
        return
    if fault < 0:
        node.turn = 1
        return
    if s.probe:
        s.probe = 2
        return
    if physics is not None and node.aside & LINED:
        for i in range(taken - 1, -1, -1):
            w = i64(ids[u64(take + i)])
            if wires[w].aside & LINED:
                tell(run, wires, packets, physics, w, i64(t))
                if physics.lined[w].fault:
                    fault = ODD - 1 + physics.lined[w].fault
                    s.f_other = w
                    s.f_port = wires[w].port if node.simple else ids[TAKEN_PORTS + i]
    if mixed >= 0:
        fault = MIXED
    if fault:
        s.fault, s.f_node = fault, n
        s.f_launch = launch if not any_ else -1
        s.f_block, s.f_thread, s.f_index, s.f_got = block, thread, index, got
        if lanes is not None and fault in (MIXED, OPEN_GROUP):
            s.f_lane = -1
        return

    # The firing takes place.
    s.events += 1 + taken
    s.last_active = t
    delay = node.latency
    if unlikely(s.jitter):
        delay += jitter(nodes, counts, n)
    over = ZERO
    if lanes is not None:
        over = spend(run, nodes, lanes, n, i64(r_launch), live, mask, t)
        delay += over
    at_block = np.int32(-1)
    if kind >= SHARED_WRITE and ports[first].given == 1:
        at_block = packets[wires[ports[first].chosen].ring + wires[ports[first].chosen].head].block
    latest, latest_port = -NEVER, 0
    ready, missing = t + over + node.interval, 0
    for i in range(taken):
        w = i64(ids[u64(take + i)])
        wire = wires[u64(w)]
        if wire.head_ready > latest:
            latest = wire.head_ready
            latest_port = wire.port if node.simple else ids[TAKEN_PORTS + i]
        pop(run, wires, packets, words, events, heads, bits, launches, digests, log, physics, lanes, w, t)
        if wire.held > 0:
            ready = max(ready, wire.head_ready)
        else:
            missing += 1
    account(nodes, packets, n, t)
    if physics is not None and node.gated:
        physics.gates[u64(n)].asked = 0
    if taken > 0:
        starved = t - s.time_start - node.busy - node.blocked
        by_port[u64(first + latest_port)] += starved - node.starved_before
        node.starved_before = starved
    node.last = t + over
    node.firings += 1
    count = counts[u64(4 * n + segment(run, r_launch))]
    count.a += 1
    count.b += live
    if unlikely(s.log):
        note(run, log, FIRED, i64(n), i64(t), i64(t + delay), i64(r_launch), i64(LIVE if live else 0))
    if kind >= LOAD:
        if kind <= SINK:
            if live:
                array = arrays[node.a]
                record = launches[launch & RING]
                if kind != SINK:
                    if lanes is None:
                        pool[s.pool_access + (launch & RING) * s.arrays + node.a] += 1
                    else:
                        keep_lines(run, nodes, pool, lanes, n, i64(launch))
                if lanes is not None and kind == STORE and lanes.nodes[u64(n)].vector:
                    store_lanes(run, nodes, arrays, stored, stored_tag, launches, lanes, n, i64(launch), t + delay)
                    if record.words_left == 0 and launch == s.completed:
                        schedule_later(run, events, heads, bits, 2 * s.nodes, record.done)
                elif kind != LOAD:
                    if kind == STORE:
                        at = np.int64(array.stored) * LOOKAHEAD + (launch & RING) * array.words + index
                        stored_tag[at] = s.tag + launch + 1
                        stored[at] = got
                    else:
                        pool[node.b + (launch & RING)] += 1
                    record.words_left -= 1
                    record.done = max(record.done, t + delay)
                    if record.words_left == 0 and launch == s.completed:
                        schedule_later(run, events, heads, bits, 2 * s.nodes, record.done)
        elif kind <= DELAY:
            if kind != MUX:
                node.count += 1
                if node.group < 0 and not any_:
                    node.group = launch
                if node.count == node.a:
                    node.count = 0
                    node.group = -1
        elif kind <= COUNTER:
            if taken > 0:
                pk = packets[node.slots + node.count]
                pk.launch, pk.block, pk.thread, pk.barriers = launch, block, thread, barriers
                pk.flags = any_ | (MASKED if masked else 0)
                if lanes is not None:
                    there = lanes.packets[node.slots + node.count]
                    there.live, there.value, there.stack = mask, mask, stack
            keep_kept(nodes, packets, words, launches, stride, n, taken, to)
        elif kind <= SCAN:
            keep_sum(
                run, nodes, launches, ports, pool, lanes, n, taken, launch, any_, block, thread, barriers, masked, stack
            )
        elif kind <= SHARED_READ:
            if lanes is None:
                keep_shared(
                    run, nodes, events, heads, bits, pool, n, launch, at_block, thread, barriers, masked, got, t
                )
            else:
                keep_cells(
                    run, nodes, events, heads, bits, pool, lanes, n, launch, at_block, thread, barriers, mask, stack, t
                )
        elif lanes is not None and kind >= PACK:
            keep_gathered(run, nodes, packets, words, launches, lanes, n, taken, launch, any_, mask)
    if lanes is not None and yields and lanes.nodes[u64(n)].several:
        push_several(
            run, nodes, packets, words, events, heads, bits, launches, log, physics, lanes, n, r_launch, r_any, r_block,
            r_thread, r_barriers, t, t + delay
        )
    elif yields:
        pk = packets[u64(r)]
        pk.time = t + delay
        pk.launch, pk.block, pk.thread, pk.barriers = r_launch, r_block, r_thread, r_barriers
        value_masked = value_masked if kind == LOAD else r_masked
        pk.flags = r_any | (MASKED if r_masked else 0) | (VALUE_MASKED if value_masked else 0)
        pk.port = port
        if lanes is not None:
            there = lanes.packets[u64(r)]
            there.live, there.value, there.stack = r_live, r_value if kind == LOAD else r_live, r_stack
        if not r_any:
            launches[u64(r_launch & RING)].packets += 1
        if physics is not None:
            mark_made(run, nodes, physics, n, i64(r))
            if node.foresees:
                foresee(run, nodes, wires, ids, physics, n, i64(port), i64(1), t)
        if unlikely(s.log):
            made = i64(t + delay)
            note_packet(run, packets, words, log, lanes, MADE, i64(n), i64(t), made, i64(r), i64(width), i64(port))
        length = node.length
        node.length = length + 1
        if length == 0:
            schedule(run, events, heads, bits, n, t + delay)
    elif taken > 0 and not any_ and loses(kind):
        launches[launch & RING].dropper = n
    if check >= 0 and left_empty(run, launches, check):
        s.fault, s.f_node, s.f_launch = LOST, n, check
        return
    if node.simple:
        node.missing = missing
        node.ready_at = ready
        if missing == 0:
            if node.always and node.length >= node.room:
                node.waiting = 1
            else:
                schedule(run, events, heads, bits, s.nodes + n, ready)
    elif node.turn or soonest(wires, ids, node.in_start, node.in_n, -1) < NEVER:
        schedule_later(run, events, heads, bits, s.nodes + n, t + over + node.interval)


# --- bits that come late ------------------------------------------------------------------------------------


@rare
def late_ranks(physics, e, event, word):
    """Ranks of the lines of a word that are late in an event of node or wire ``e``, as set bits; 0 is the slowest."""
    row = physics.chance[e]
    count = i64(row.count)
    g = u64(0x9E3779B97F4A7C15)
    z = mix(mix(row.start) + g * u64(event + 1))
    found = ZERO
    for rank in range(count):
        beyond = row.overshoot - 200_000 * rank
        if beyond <= 0:
            break
        probability = min(i64(500_000), 125_000 + 4 * beyond)
        drawn = i64(mix(z + g * u64(count * word + rank + 1)) >> u64(32))
        if drawn < (probability << 32) // 1_000_000:
            found |= i64(1) << rank
    return found


@rare
def note_late(run, packets, physics, cause, index, word, mask, p, t):
    """Keep which bits of a word are wrong, of the first ones and of all in the same tick."""
    s, pk, late_words = run[0], packets[p], physics.late_words
    if s.late < KEPT_LATE or late_words[s.late - 1, 0] == t:
        row = late_words[s.late]
        row[0], row[1], row[2], row[3], row[4] = t, cause, index, word, mask
        row[5] = -1 if pk.flags & ANY else pk.launch
        s.late += 1


@rare
def late_bits(run, nodes, packets, ids, physics, lanes, n, event, p, t):
    """Decide which bits of result ``p``, of a firing of node ``n``, will be wrong; ``event`` firings were before it."""
    width, stride = nodes[n].width, run[0].stride
    masked = packets[p].flags & MASKED
    for k in range(width):
        mask = ZERO
        there = not masked
        if lanes is not None and not lanes.packets[p].live & ids[lanes.nodes[n].bits + k]:
            there = False
        if there:
            ranks = late_ranks(physics, n, event, i64(k))
            for rank in range(32):
                mask |= ((ranks >> rank) & 1) << (31 - rank)
            if mask:
                note_late(run, packets, physics, i64(1), n, i64(k), mask, p, t)
        physics.wrong[p * stride + k] = np.int32(mask)


@rare
def late_lines(run, nodes, wires, packets, words, ids, counts, physics, lanes, log, w, t):
    """Invert those bits of the packet that has entered wire ``w`` in this tick that are late at its end.

    The word that was driven before is in ``wrong``, at the place that it has in ``words``.
    """
    s, wire, wrong = run[0], wires[w], physics.wrong
    place = wire.head + wire.held - 1
    q = i64(wire.ring + (place if place <= wire.length else place - wire.length - 1))
    pk = packets[q]
    if pk.flags & MASKED:
        return
    e = i64(s.nodes) + w
    for i in range(wire.width):
        at = q * s.stride + i
        word = words[at]
        mask = ZERO
        if lanes is not None and not lanes.packets[q].live & ids[wire.words + wire.width + i]:
            continue
        if physics.chance[e].overshoot > 0:
            ranks = late_ranks(physics, e, fired(counts, e) - 1, i64(i))
            for rank in range(32):
                if (ranks >> rank) & 1:
                    mask |= i64(1) << ids[physics.chance[e].lines + 32 * i + rank]
            mask &= i64(word ^ wrong[wire.bits + i])
            if mask:
                note_late(run, packets, physics, ZERO, w, i64(i), mask, q, t)
        if nodes[wire.source].aside & LATE:
            mask |= i64(wrong[i64(pk.port) * s.stride + ids[wire.words + i]]) & LOW32
        wrong[wire.bits + i] = word
        words[at] = word ^ np.int32(mask)
        if mask and s.log:
            row = s.logged - 1
            size = WORDS + s.stride
            while log[row * size + 1] != ENTERED or log[row * size + 2] != w:
                row -= 1
            log[row * size + WORDS + i] = words[at]


@rare
def late_results(run, nodes, packets, ids, counts, physics, lanes, n, t):
    """Decide which bits are late of what node ``n`` has made in this tick, from place ``fresh`` on."""
    node = nodes[n]
    first = i64(node.fresh) - 1
    node.fresh = 0
    if node.kind == BARRIER and node.c < 0:
        # All that is in the queue has just left the chamber, and came into it before what is in there now.
        event = fired(counts, n) - node.count - node.length
        for i in range(i64(node.length)):
            late_bits(run, nodes, packets, ids, physics, lanes, n, event + i, first + i, t)
    elif lanes is not None and lanes.nodes[n].several:
        for i in range(i64(lanes.nodes[n].made)):
            place = i64(node.queue) + (first - node.queue + i) % node.room
            late_bits(run, nodes, packets, ids, physics, lanes, n, fired(counts, n) - 1, place, t)
    else:
        late_bits(run, nodes, packets, ids, physics, lanes, n, fired(counts, n) - 1, first, t)


@hot
def end_tick(run, nodes, wires, packets, words, ids, counts, physics, lanes, log, t):
    """At a tick's end: what physics does to that which entered wires and was made in it, which no one has seen yet."""
    s = run[0]
    for i in range(s.entered):
        w = i64(physics.entered[u64(i)])
        aside = wires[u64(w)].aside
        if aside & LINED:
            drive(run, nodes, wires, packets, words, ids, counts, physics, log, w, t)
        elif aside & LATE:
            late_lines(run, nodes, wires, packets, words, ids, counts, physics, lanes, log, w, t)
        if aside & COUPLED:
            enter_field(run, wires, packets, physics.field, w, t)
    s.entered = 0
    for i in range(s.made):
        late_results(run, nodes, packets, ids, counts, physics, lanes, i64(physics.made[u64(i)]), t)
    s.made = 0


@rare
def end_last_tick(run, nodes, wires, packets, words, ids, counts, physics, lanes, log, t):
    """:func:`end_tick`, called: at a fault."""
    end_tick(run, nodes, wires, packets, words, ids, counts, physics, lanes, log, t)


# --- crosstalk ----------------------------------------------------------------------------------------------


@hot
def enter_field(run, wires, packets, field, w, t):
    """The packet that has entered wire ``w`` in this tick acts on what is beside it: energy, noise, overlaps."""
    s, wire, own = run[0], wires[u64(w)], field.wires[u64(w)]
    stride, width = i64(s.stride), i64(wire.width)
    own.seen = t
    place = wire.head + wire.held - 1
    if place > wire.length:
        place -= wire.length + 1
    q = i64(wire.ring + place)
    pk = packets[u64(q)]
    if not pk.flags & MASKED:
        energy = ZERO
        for i in range(width):
            up, down = field.rose[u64(q * stride + i)], field.fell[u64(q * stride + i)]
            moved = up | down
            one = ones(moved ^ (moved << ONE))
            opposite = ones((up & (down << ONE)) | (down & (up << ONE)))
            energy += (one + 4 * opposite) * own.side_aj
            energy += ones(moved) * (own.face_aj + field.shields[u64(own.shield + i)])
        mine = 4 * w + segment(run, pk.launch)
        if own.met >= 0:
            for i in range(width):
                field.meetings[u64(q * stride + i)] = 0
        for r in range(own.beside, own.beside + own.sides):
            side = field.beside[u64(r)]
            other = wires[u64(side.other)]
            here, both = t + side.lead, side.both
            for k in range(other.held - 1, -1, -1):
                place = other.head + k
                if place > other.length:
                    place -= other.length + 1
                p = i64(other.ring + place)
                met = packets[u64(p)]
                there = met.time + side.lead_other
                if there <= here - both:
                    break
                # What entered in this tick and is still to be looked at will find this packet itself.
                unseen = met.time == t and field.wires[u64(side.other)].seen != t
                if there >= here + both or unseen or met.flags & MASKED or (p == q and side.own):
                    continue
                overlap = np.int64(64)
                if there != here:
                    overlap = 64 * (both - abs(here - there)) // both
                weight = side.tiles * overlap * side.share
                at, to = q * stride + side.word, p * stride + side.word_other
                faces = u64(LOW32)
                up, down = field.rose[u64(at)] & faces, field.fell[u64(at)] & faces
                rising, falling = field.rose[u64(to)] & faces, field.fell[u64(to)] & faces
                if overlap > field.closest[u64(side.stretch)] and up | down != rising | falling:
                    field.closest[u64(side.stretch)] = overlap
                opposite = ones((up & falling) | (down & rising))
                alike = ones((up & rising) | (down & falling))
                aj = (opposite - alike) * ((side.pair_aj * weight) >> 12)
                energy += aj
                field.coupling[u64(4 * side.other + segment(run, met.launch))] += aj
                if own.met >= 0:
                    first = own.met + ((q - wire.ring) * width + side.word) * own.room
                    meet(field, first, at, (side.uv * weight) >> 12, rising, falling)
                beside = field.wires[u64(side.other)]
                if beside.met >= 0:
                    first = beside.met + ((p - other.ring) * other.width + side.word_other) * beside.room
                    meet(field, first, to, (side.uv_other * weight) >> 12, up, down)
        field.coupling[u64(mine)] += energy


@hot
def meet(field, first, at, uv, rising, falling):
    """Word ``at``, whose meetings begin at ``first``, meets another one on a face."""
    row = field.met[u64(first + field.meetings[u64(at)])]
    field.meetings[u64(at)] += 1
    row.uv, row.rising, row.falling = uv, rising, falling


@rare
def flips(met, first, count, side_uv, margin_uv, up, down, lines):
    """Which lines of a word flip, where some rose and fell to be as ``lines`` says; its meetings begin at ``first``."""
    faces = ZERO
    for k in range(first, first + count):
        faces += met[k].uv
    found, quiet = u64(0), ~(up | down)
    if faces + 2 * side_uv <= margin_uv:
        return found
    # Of the others only those can flip that enough side neighbours push.
    if faces + side_uv <= margin_uv:
        quiet &= (~lines & (up << ONE) & (up >> ONE)) | (lines & (down << ONE) & (down >> ONE))
    elif faces <= margin_uv:
        quiet &= (~lines & ((up << ONE) | (up >> ONE))) | (lines & ((down << ONE) | (down >> ONE)))
    while quiet != u64(0):
        line = lowest(quiet)
        bit = ONE << u64(line)
        quiet ^= bit
        beside = (bit >> ONE) | (bit << ONE)
        noise = side_uv * (ones(up & beside) - ones(down & beside))
        for k in range(first, first + count):
            noise += met[k].uv * (i64((met[k].rising >> u64(line)) & ONE) - i64((met[k].falling >> u64(line)) & ONE))
        if lines & bit:
            noise = -noise
        if noise > margin_uv:
            found |= bit
    return found


# --- lines of wires -----------------------------------------------------------------------------------------


@rare
def fewer(word, before, bits, flag):
    """A word of ``bits`` bits, or its inverse with a one at ``flag``, whichever toggles fewer lines."""
    inverse = (word ^ ((ONE << u64(bits)) - ONE)) | (ONE << u64(flag))
    return inverse if ones(inverse ^ before) < ones(word ^ before) else word


@rare
def encode(encoding, word, before):
    """The lines of a word; ``before`` are those of the word before on the same wire."""
    if encoding == GRAY:
        return word ^ (word >> ONE)
    if encoding == INVERT:
        return fewer(word, before, i64(32), i64(32))
    if encoding == INVERT_4:
        lines = u64(0)
        for byte in range(4):
            low, flag = u64(8 * byte), u64(32 + byte)
            old = ((before >> low) & u64(255)) | (((before >> flag) & ONE) << u64(8))
            new = fewer((word >> low) & u64(255), old, i64(8), i64(8))
            lines |= ((new & u64(255)) << low) | ((new >> u64(8)) << flag)
        return lines
    if encoding == WITH_PARITY:
        return word | (u64(ones(word) & 1) << u64(32))
    if encoding == SECDED:
        for k in range(7):
            word |= u64(ones(word & CHECKS[k] & u64(LOW32)) & 1) << u64(32 + k)
        return word
    if encoding == NO_OPPOSITES:
        lines = u64(0)
        for k in range(47, 1, -1):
            if word >= FIBONACCI[k]:
                word -= FIBONACCI[k]
                lines |= ONE << u64(k - 2)
        return lines ^ EVEN_LINES
    if encoding == NO_LONE_BITS:
        # Without branches: what the next line is cannot be foretold.
        bit = u64(word >= FIBONACCI[47])
        lines = bit
        word -= FIBONACCI[46] * bit
        for k in range(45, 0, -1):
            bit = u64(word >= FIBONACCI[u64(k + 1)]) | (bit & u64(word >= FIBONACCI[u64(k)]))
            word -= FIBONACCI[u64(k)] & (u64(0) - bit)
            lines = (lines << ONE) | bit
        return lines
    return word


@rare
def decode(encoding, lines):
    """The word of some lines; above its 32 bits 0, the fault of the decoder, or 3 where a line was mended."""
    if encoding == GRAY:
        for shift in (1, 2, 4, 8, 16):
            lines ^= lines >> u64(shift)
        return lines
    if encoding == INVERT:
        return (lines ^ (u64(0) - (lines >> u64(32)))) & u64(LOW32)
    if encoding == INVERT_4:
        for byte in range(4):
            if (lines >> u64(32 + byte)) & ONE:
                lines ^= u64(255) << u64(8 * byte)
        return lines & u64(LOW32)
    if encoding == WITH_PARITY:
        return (lines & u64(LOW32)) | (u64(ones(lines) & 1) << u64(32))
    if encoding == SECDED:
        syndrome = ZERO
        for k in range(7):
            syndrome |= (ones(lines & CHECKS[k]) & 1) << k
        word = lines & u64(LOW32)
        if syndrome == 0:
            return word
        for line in range(39):
            if COLUMNS[line] == syndrome:
                return ((lines ^ (ONE << u64(line))) & u64(LOW32)) | (u64(3) << u64(32))
        return word | (u64(2) << u64(32))
    if encoding >= NO_OPPOSITES:
        first = 2 if encoding == NO_OPPOSITES else 1
        if encoding == NO_OPPOSITES:
            lines ^= EVEN_LINES
        word = u64(0)
        for line in range(46):
            if (lines >> u64(line)) & ONE:
                word += FIBONACCI[line + first]
        return word & u64(LOW32)
    return lines & u64(LOW32)


@hot
def received(row, lines):
    """:func:`decode`, where there is a decoder."""
    return lines & u64(LOW32) if row.raw_receiver else decode(i64(row.encoding), lines)


@hot
def drive(run, nodes, wires, packets, words, ids, counts, physics, log, w, t):
    """Drive the lines of the packet that has entered wire ``w`` in this tick, and decide which are late at its end."""
    s, wire, row = run[0], wires[w], physics.lined[w]
    place = wire.head + wire.held - 1
    q = i64(wire.ring + (place if place <= wire.length else place - wire.length - 1))
    pk = packets[q]
    if pk.flags & MASKED:
        return
    e, toggled, encoding = i64(s.nodes) + w, ZERO, i64(row.encoding)
    noisy = len(physics.field.wires) > 0
    for i in range(wire.width):
        at, last = q * s.stride + i, wire.bits + i
        word, before = u64(i64(words[at]) & LOW32), physics.driven[last]
        lines = encode(encoding, word, before)
        got = lines
        if nodes[wire.source].aside & LATE:
            late = u64(i64(physics.wrong[i64(pk.port) * s.stride + ids[wire.words + i]]) & LOW32)
            # The encoder of a code without check bits gets the wrong word.
            if encoding == GRAY or encoding >= NO_OPPOSITES:
                got = encode(encoding, word ^ late, before)
            else:
                got = lines ^ late
        if physics.chance[e].overshoot > 0:
            ranks = late_ranks(physics, e, fired(counts, e) - 1, i64(i))
            mask = u64(0)
            for rank in range(i64(physics.chance[e].count)):
                if (ranks >> rank) & 1:
                    mask |= ONE << u64(ids[physics.chance[e].lines + physics.chance[e].count * i + rank])
            mask &= lines ^ before
            if mask != u64(0):
                note_late(run, packets, physics, ZERO, w, i64(i), i64(mask), q, t)
            got = (got & ~mask) | (before & mask)
        toggled += ones(lines ^ before)
        physics.driven[last] = lines
        physics.driven[at] = lines
        if noisy:
            physics.field.rose[at] = lines & ~before
            physics.field.fell[at] = before & ~lines
        physics.got[at] = got
        if got == lines and row.raw_receiver == 0:
            continue
        value = np.int32(received(row, got) & u64(LOW32))
        if value != words[at] and s.log:
            line = s.logged - 1
            size = WORDS + s.stride
            while log[line * size + 1] != ENTERED or log[line * size + 2] != w:
                line -= 1
            log[line * size + WORDS + i] = value
        words[at] = value
    counts[4 * e + segment(run, i64(pk.launch))].b += toggled


@hot
def settle(run, wires, packets, words, physics, w):
    """The head of wire ``w`` is available: from now on it is as it will be received."""
    stride, wire, row = i64(run[0].stride), wires[w], physics.lined[w]
    row.settled = 1
    q = i64(wire.ring + wire.head)
    if packets[q].flags & MASKED:
        return
    lost = ZERO
    if row.retention > 0:
        lost = (wire.head_ready - packets[q].time) // row.retention
    noisy = len(physics.field.wires) > 0 and physics.field.wires[w].met >= 0
    for i in range(wire.width):
        at = q * stride + i
        lines = physics.got[at]
        if noisy:
            own = physics.field.wires[w]
            first, count = own.met + ((q - wire.ring) * wire.width + i) * own.room, physics.field.meetings[at]
            up, down, met = physics.field.rose[at], physics.field.fell[at], physics.field.met
            driven = physics.driven[at]
            flipped = flips(met, i64(first), i64(count), own.side_uv, own.margin_uv, up, down, driven) & own.lines
            physics.marks[w, 0, i] = flipped
            lines ^= flipped
            row.marked |= flipped != u64(0)
        kept = lines
        for _ in range(lost):
            if kept == u64(0):
                break
            kept ^= ONE << u64(highest(kept))
        physics.marks[w, 1, i] = kept ^ lines
        row.marked |= kept != lines
        if kept == physics.driven[at] and kept == physics.got[at]:
            continue
        word = received(row, kept)
        status = np.int32(word >> u64(32))
        if status == 3:
            row.mended += 1
        elif status > 0 and row.fault == 0:
            row.fault = status
        words[at] = np.int32(word & u64(LOW32))


@hot
def settle_heads(run, wires, packets, words, ids, physics, start, count, t):
    """Settle what is available on the wires of a list."""
    for i in range(count):
        w = i64(ids[start + i])
        wire = wires[w]
        if wire.aside & LINED and wire.held > 0 and wire.head_ready <= t and physics.lined[w].settled == 0:
            settle(run, wires, packets, words, physics, w)


@hot
def unsettle(physics, w):
    """The head of wire ``w`` leaves."""
    row = physics.lined[w]
    row.corrections += row.mended
    row.settled = 0
    row.marked = 0
    row.fault = 0
    row.mended = 0


@hot
def tell(run, wires, packets, physics, w, t):
    """Note what was wrong with the head of wire ``w``, which is taken or would be, beyond what came late."""
    wire, row = wires[w], physics.lined[w]
    q = i64(wire.ring + wire.head)
    if row.retention > 0 and not packets[q].flags & MASKED:
        row.longest = max(row.longest, wire.head_ready - packets[q].time)
    if row.marked:
        tell_marks(run, wires, packets, physics, w, q, t)


@rare
def tell_marks(run, wires, packets, physics, w, q, t):
    """Note the lines of packet ``q``, the head of wire ``w``, that were spoilt at its settling."""
    for i in range(wires[w].width):
        for cause in range(2):
            mask = physics.marks[w, cause, i]
            if mask != u64(0):
                note_late(run, packets, physics, i64(NOISE + cause), w, i64(i), i64(mask), q, t)


# --- launches, the window, the run --------------------------------------------------------------------------


@hot
def put(reference, writing, k, value):
    """Write a number of the state, or compare it: the next place, or −1 where they differ."""
    if k < 0:
        return k
    if writing:
        reference[k] = value
    elif reference[k] != value:
        return np.int64(-1)
    return k + 1


@hot
def put_header(packets, lanes, reference, writing, k, p, completed):
    pk = packets[p]
    if lanes is not None:
        k = put(reference, writing, k, i64(lanes.packets[p].live))
        k = put(reference, writing, k, i64(lanes.packets[p].stack))
    k = put(reference, writing, k, i64(pk.launch - completed))
    k = put(reference, writing, k, i64(pk.flags))
    return put(reference, writing, k, i64(pk.block))


@hot
def put_sleep(physics, reference, writing, k, e, idle, since, t):
    gate = physics.gates[e]
    k = put(reference, writing, k, i64(gate.asked))
    k = put(reference, writing, k, min(t - since, gate.after + 1) if idle else ZERO)
    return put(reference, writing, k, max(ZERO, gate.usable - t))


@rare
def put_banks(run, nodes, lanes, reference, writing, k, n, t):
    """The banks of the memory of port ``n``, and since when its ports wait for them."""
    memory = lanes.memories[lanes.nodes[n].d]
    if memory.banks == 0:
        return k
    for bank in range(memory.banks):
        k = put(reference, writing, k, max(lanes.free[memory.at + bank] - t, 0))
    for i in range(run[0].nodes):
        if (nodes[i].kind == SHARED_WRITE or nodes[i].kind == SHARED_READ) and nodes[i].a == nodes[n].a:
            since = lanes.nodes[i].since
            k = put(reference, writing, k, t - since if since >= 0 else i64(-1))
    return k


@rare
def same_state(
    run, nodes, wires, packets, words, ids, ports, picks, launches, pool, physics, lanes, reference, writing, t
):
    """Compare the state at tick ``t`` with the reference, or make it the reference (see "The window")."""
    s = run[0]
    done = s.completed
    k = put(reference, writing, ZERO, s.issued - done)
    memory = -1
    for n in range(s.nodes):
        node = nodes[n]
        if node.kind >= THREADS:
            if node.out_n == 0:
                continue
            k = put(reference, writing, k, i64(node.made))
            k = put(reference, writing, k, i64(node.burst if node.d else 0))
            k = put(reference, writing, k, i64(node.launch - done))
            k = put(reference, writing, k, i64(max(node.make_at - t, 0) if node.length == 0 else 0))
        k = put(reference, writing, k, i64(max(node.last + node.interval - t, 0)))
        k = put(reference, writing, k, i64(node.length))
        for i in range(node.length):
            place = node.head + i
            if place >= node.room:
                place -= node.room
            p = node.queue + place
            k = put(reference, writing, k, i64(max(packets[p].time - t, 0)))
            k = put(reference, writing, k, i64(packets[p].port))
            k = put_header(packets, lanes, reference, writing, k, p, done)
        for i in range(node.out_n):
            k = put(reference, writing, k, i64(wires[ids[node.out_start + i]].taken))
        if physics is not None and node.gated:
            look(run, nodes, wires, packets, words, ids, ports, picks, physics, n, t)
            idle = node.length == 0 and physics.gates[n].asked == 0
            since = max(ZERO, max(physics.gates[n].since, node.last + node.interval))
            k = put_sleep(physics, reference, writing, k, n, idle, since, t)
        if k < 0:
            return False
        if TAKE <= node.kind <= SCAN or BARRIER <= node.kind < THREADS:
            k = put(reference, writing, k, i64(node.count))
            k = put(reference, writing, k, i64(node.turn))
            k = put(reference, writing, k, i64(node.group - done if node.group >= 0 else NEVER))
            kept = 0
            if node.kind == REPEAT:
                kept = node.b if node.turn else node.count
            elif node.kind == COUNTER or node.kind == UNPACK:
                kept = 1 if node.turn else 0
            elif node.kind == BARRIER and node.c < 0:
                kept = node.count
            if lanes is not None:
                k = put(reference, writing, k, i64(lanes.nodes[n].rows))
                k = put(reference, writing, k, i64(lanes.nodes[n].kept))
                k = put(reference, writing, k, i64(lanes.nodes[n].block))
            for i in range(kept):
                k = put_header(packets, lanes, reference, writing, k, node.slots + i, done)
            if node.kind == BARRIER and node.c >= 0:
                for launch in range(s.oldest, s.issued):
                    for block in range(node.d):
                        at = node.c + ((launch & RING) * node.d + block) * ARRIVAL
                        used = pool[at] == launch + 1
                        k = put(reference, writing, k, i64(pool[at + 1] if used else 0))
                        k = put(reference, writing, k, i64(pool[at + 2] if used else 0))
        elif (node.kind == SHARED_WRITE or node.kind == SHARED_READ) and node.a != memory:
            memory = node.a
            at = memory + 3
            for _ in range(pool[memory + 1]):
                used = pool[at] > 0
                k = put(reference, writing, k, i64(pool[at] - 1 - done if used else NEVER))
                for i in range(1, 4):
                    k = put(reference, writing, k, i64(pool[at + i] if used else 0))
                at += PAGE
            if lanes is not None:
                k = put_banks(run, nodes, lanes, reference, writing, k, n, t)
    for w in range(s.wires):
        wire = wires[w]
        k = put(reference, writing, k, i64(max(wire.last_entry + wire.every - t, 0)))
        k = put(reference, writing, k, i64(max(wire.last_exit + wire.every - t, 0)))
        k = put(reference, writing, k, i64(wire.held))
        if physics is not None and wire.gated and wire.every > 0:
            idle = wire.held == 0 and physics.gates[s.nodes + w].asked == 0
            k = put_sleep(physics, reference, writing, k, i64(s.nodes) + w, idle, max(ZERO, wire.last_exit), t)
        for i in range(wire.held):
            place = wire.head + i
            if place > wire.length:
                place -= wire.length + 1
            p = wire.ring + place
            ready = packets[p].time + wire.transit - t
            if not wire.fan:
                ready = max(ready, 0)
            elif i == 0:
                ready = wire.head_ready - t
            k = put(reference, writing, k, i64(ready))
            k = put_header(packets, lanes, reference, writing, k, p, done)
            if wire.aside & LEAKY:
                k = put(reference, writing, k, i64(packets[p].time - t))
        if k < 0:
            return False
    for launch in range(done, s.issued):
        k = put(reference, writing, k, i64(launches[launch & RING].words_left))
        k = put(reference, writing, k, i64(max(launches[launch & RING].done - t, 0)))
    return k >= 0


@rare
def begin_window(run, nodes, wires, packets, words, ids, ports, picks, pool, by_port, physics, lanes, t):
    """The counters by time start anew at tick ``t``, the window's start."""
    s = run[0]
    s.start_tick = t
    s.time_start = t
    for n in range(s.nodes):
        account(nodes, packets, n, t)
        node = nodes[n]
        node.busy = 0
        node.blocked = 0
        node.starved_before = 0
        node.firings = 0
        if physics is not None and node.gated:
            look(run, nodes, wires, packets, words, ids, ports, picks, physics, n, t)
    if physics is not None:
        for e in range(len(physics.gates)):
            gate = physics.gates[e]
            gate.counted = t
            gate.slept, gate.wakes, gate.delayed = 0, 0, 0
    for i in range(len(by_port)):
        by_port[i] = 0
    for w in range(s.wires):
        wires[w].entries = 0
        wires[w].waits = 0
    forget_launches(run, pool, lanes)


@rare
def forget_launches(run, pool, lanes):
    """What was noted of the launches of another window goes."""
    s = run[0]
    s.latencies = 0
    s.latency_worst = 0
    for a in range(s.arrays):
        pool[s.pool_best + a] = 0
        if lanes is not None:
            lanes.words[LOOKAHEAD * s.arrays + a] = 0


@rare
def forget_efforts(run, lanes):
    """What segments 1 and 2 held is of before another window."""
    for i in range(run[0].nodes):
        first = lanes.counts[4 * i]
        for k in range(1, 3):
            more = lanes.counts[4 * i + k]
            first.lanes += more.lanes
            first.controls += more.controls
            first.work += more.work
            first.cycles += more.cycles
            more.lanes, more.controls, more.work, more.cycles = 0, 0, 0, 0


@rare
def forget_coupling(coupling):
    """Another window begins: what was charged to segments 1 and 2 is of before."""
    for i in range(0, len(coupling), 4):
        coupling[i] += coupling[i + 1] + coupling[i + 2]
        coupling[i + 1] = 0
        coupling[i + 2] = 0


@rare
def search_period(
    run, nodes, wires, packets, words, ids, ports, picks, counts, launches, pool, physics, lanes, reference, t
):
    """Compare the state; where it repeats, the window becomes whole periods (Brent 1980)."""
    s = run[0]
    writing = s.power == 0
    if writing:
        s.power = 1
    else:
        s.since += 1
        if same_state(
            run, nodes, wires, packets, words, ids, ports, picks, launches, pool, physics, lanes, reference, ZERO, t
        ):
            s.search = 0
            s.period = s.completed - s.ref_completed
            s.period_ticks = t - s.ref_tick
            # Enough launches, then enough events while half of the time left allows it.
            seen = s.events - s.ref_events
            periods = min((s.least_events + seen - 1) // seen, (s.limit - t) // (2 * s.period_ticks))
            size = max((s.measured + s.period - 1) // s.period, periods) * s.period
            s.first = s.issued
            s.last = s.issued - 1 + size
            s.ext = s.last + size
            s.start_tick = -1
            forget_launches(run, pool, lanes)
            for i in range(s.nodes + s.wires):
                for k in range(1, 3):
                    counts[4 * i].a += counts[4 * i + k].a
                    counts[4 * i].b += counts[4 * i + k].b
                    counts[4 * i + k].a = 0
                    counts[4 * i + k].b = 0
            if lanes is not None:
                forget_efforts(run, lanes)
            if physics is not None:
                forget_coupling(physics.field.coupling)
            return
        if s.since == s.power:
            s.power *= 2
            s.since = 0
            writing = True
    if writing:
        same_state(
            run, nodes, wires, packets, words, ids, ports, picks, launches, pool, physics, lanes, reference, ZERO + 1, t
        )
        s.ref_completed = s.completed
        s.ref_tick = t
        s.ref_events = s.events


@rare
def count_launches(
    run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits, launches, pool,
    completions, latencies, reference, log, physics, lanes, t
):
    """Step 1: launches that are done count, in order. Returns WINDOW or EXTENSION where the run stops here, else 0."""
    s = run[0]
    stop = 0
    while s.completed < s.issued:
        record = launches[s.completed & RING]
        if record.words_left > 0:
            break
        if record.done > t:
            schedule_later(run, events, heads, bits, 2 * s.nodes, record.done)
            break
        launch = s.completed
        completions[launch] = t
        if unlikely(s.log):
            note(run, log, COUNTED, i64(-1), i64(t), i64(t), i64(launch), ZERO)
        s.completed += 1
        s.check_gone = 1
        s.last_active = t
        if launch == s.warmup - 1:
            s.window = 1
            s.in_flight = s.issued - 1 - launch
            size = max(s.measured, 20 * s.in_flight)
            s.first = s.issued
            s.last = s.issued - 1 + size
            s.ext = s.last + size
        if launch == s.first - 1:
            begin_window(run, nodes, wires, packets, words, ids, ports, picks, pool, by_port, physics, lanes, t)
        if s.first <= launch <= s.last:
            latency = t - record.issued
            if s.latencies < len(latencies):
                latencies[s.latencies] = latency
            s.latencies += 1
            s.latency_worst = max(s.latency_worst, latency)
            for a in range(s.arrays):
                used = pool[s.pool_access + (launch & RING) * s.arrays + a]
                if used > pool[s.pool_best + a]:
                    pool[s.pool_best + a] = used
                if lanes is not None:
                    best = LOOKAHEAD * s.arrays + a
                    lanes.words[best] = max(lanes.words[best], lanes.words[(launch & RING) * s.arrays + a])
        if launch == s.last:
            s.search = 0
            stop = WINDOW
        if launch == s.ext:
            if stop == 0:
                stop = EXTENSION
            else:
                s.resume = EXTENSION
    if s.window and s.search:
        search_period(
            run, nodes, wires, packets, words, ids, ports, picks, counts, launches, pool, physics, lanes, reference, t
        )
        if s.period and s.first == s.completed:
            begin_window(run, nodes, wires, packets, words, ids, ports, picks, pool, by_port, physics, lanes, t)
    return stop


@entry
def advance(
    until, once, run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits, launches,
    arrays, data, stored, stored_tag, pool, tokens, completions, latencies, digests, reference, log, physics, lanes
):
    """Work through all ticks up to ``until``, or only the next one: why it stopped (UNTIL … TICK).

    ``physics`` is None where no module of physics is on: numba leaves out what hangs on it, in helpers too, and
    compiles the loop once for machines with it and once for those without.
    """
    s = run[0]
    if s.probe:
        t = s.now
    elif s.resume == EXTENSION:
        s.resume = TICK
        return EXTENSION
    while True:
        if s.probe == 0:
            if s.resume:
                s.resume = 0
                t = s.now
            else:
                t = next_due(run, events, heads, bits)
                if t == NEVER:
                    return IDLE
                if t > until:
                    return UNTIL
                # A tick issues two launches at most, and counts fewer than are in flight.
                if s.issued + 2 > s.filled:
                    return NEED_DATA
                if s.completed + LOOKAHEAD > len(completions):
                    return NEED_SPACE
                if s.log and s.logged > s.log_rows:
                    return LOG_FULL
                s.now = t
                slot = t & (SLOTS - 1)
                e = heads[slot]
                heads[slot] = -1
                bits[slot >> 6] &= ALL_BITS ^ (ONE << u64(slot & 63))
                chain = -1
                counting = False
                while e >= 0:
                    event = events[e]
                    after = event.next
                    event.due = NEVER
                    if e < s.nodes:
                        event.next = chain
                        chain = e
                    elif e < 2 * s.nodes:
                        bits[FIRE_BITS + ((e - s.nodes) >> 6)] |= ONE << u64((e - s.nodes) & 63)
                    else:
                        counting = True
                    e = after
                s.due = chain
                if counting:
                    stop = count_launches(
                        run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits,
                        launches, pool, completions, latencies, reference, log, physics, lanes, t
                    )
                    if stop:
                        if s.resume == 0:
                            s.resume = TICK
                        return stop
            n = s.due
            while n >= 0:
                after = events[n].next
                hand_out(
                    run, nodes, wires, packets, words, ids, counts, events, heads, bits, launches, arrays, data,
                    pool, tokens, log, physics, lanes, n, t
                )
                n = after
        for w in range((s.nodes >> 6) + 1):
            seen = bits[FIRE_BITS + w]
            if seen != u64(0):
                bits[FIRE_BITS + w] = u64(0)
                while seen != u64(0):
                    n = (w << 6) | lowest(seen)
                    seen &= seen - ONE
                    visit(
                        run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits,
                        launches, arrays, data, stored, stored_tag, pool, digests, log, physics, lanes, n, t
                    )
                    if s.fault:
                        if physics is not None:
                            end_last_tick(run, nodes, wires, packets, words, ids, counts, physics, lanes, log, i64(t))
                        return FAULT
        if s.probe:
            return TICK
        if physics is not None and s.entered + s.made > 0:
            end_tick(run, nodes, wires, packets, words, ids, counts, physics, lanes, log, i64(t))
        if s.check_gone:
            s.check_gone = 0
            before = s.oldest
            while s.oldest < s.completed:
                record = launches[s.oldest & RING]
                if record.packets > 0 or record.sources_left > 0:
                    break
                s.oldest += 1
            if s.oldest > before and s.waiting_sources > 0:
                for n in range(s.nodes):
                    if nodes[n].kind >= THREADS and nodes[n].waiting:
                        nodes[n].waiting = 0
                        schedule(run, events, heads, bits, n, t + 1)
                s.waiting_sources = 0
        if once:
            return TICK


@entry
def settle_all(run, wires, packets, words, physics, t):
    """Settle all heads that are available at tick ``t``, for whom looks at the machine."""
    for w in range(len(wires)):
        wire = wires[w]
        if wire.aside & LINED and wire.held > 0 and wire.head_ready <= t and physics.lined[w].settled == 0:
            settle(run, wires, packets, words, physics, w)


@entry
def draw(wires, packets, words, of_lanes, stride, tick, starts, roads, wire_of, position, value, launch, masked, live):
    """Fill in where the packets on all wires stand at ``tick``; returns how many there are (see Machine.packets).

    ``starts``: ticks that a word of a wire spends in its encoder; ``roads``: from there to the end. ``of_lanes``: what
    packets have more in a wide machine, else None.
    """
    count = 0
    for w in range(len(wires)):
        wire = wires[w]
        before = np.float64(0.0)
        for i in range(wire.held):
            place = wire.head + i
            if place > wire.length:
                place -= wire.length + 1
            p = wire.ring + place
            pk = packets[p]
            if i == 0:
                x = min(tick - pk.time - starts[w], roads[w]) / wire.every
            else:
                x = min((tick - pk.time - starts[w]) / wire.every, before - 1.0)
            x = max(x, 0.0)
            before = x
            wire_of[count] = w
            position[count] = np.float32(x)
            value[count] = words[p * stride]
            launch[count] = pk.launch
            masked[count] = pk.flags & MASKED != 0
            if of_lanes is None:
                live[count] = 0 if pk.flags & MASKED else LANES_OF_LINEAR
            else:
                live[count] = of_lanes[p].live & LANES_OF_LINEAR
            count += 1
    return count


# fmt: on

_STOPS = {WINDOW: Stop.WINDOW, EXTENSION: Stop.EXTENSION, FAULT: Stop.FAULT}
_BEGIN = ("run", "nodes", "wires", "packets", "words", "events", "heads", "bits")
"""Arrays that are not all 0 at tick 0, or are made for a tick."""
_ZERO = ("counts", "by_port", "launches", "pool", "digests")
_MOVING = (*_BEGIN, *_ZERO, "ids", "ports", "stored", "stored_tag", "latencies", "reference")
_FINAL = (Stop.FAULT, Stop.DEADLOCK, Stop.TIMEOUT)
_LOG_ROWS = 2**14
"""Rows that the log holds before Python takes them, beside room for those of one tick."""


class CompiledMachine:
    """The compiled engine, as :class:`engine.machine.Machine` says. The first one in a process waits for the loop."""

    def __init__(self, netlist: Netlist, workload: Workload, options: Options | None = None) -> None:
        self.netlist = netlist
        self._in_values = in_values(netlist)
        self.options = options or Options()
        self._workload = workload
        self._program = build(
            netlist,
            jitter_seed=self.options.jitter_seed,
            digests=self.options.digests,
            period_search=self.options.period_search,
            chance_seed=workload.seed if netlist.physics else 0,
        )
        self._run = self._program.run[0]
        self._values = self._program.values()
        self._ended: Stop | None = None
        self.fault: FaultInfo | None = None
        self._watcher: Watcher | None = None
        self._measure_roads()
        self._begin_log()
        self._begin = {name: getattr(self._program, name).copy() for name in _BEGIN}
        shared = [int(row["a"]) for row in self._program.nodes if row["kind"] in (SHARED_WRITE, SHARED_READ)]
        self._begin_lanes = [array.copy() for array in self._program.lanes.moving()] if self._program.lanes else []
        self._headers = {at: self._program.pool[at : at + 3].copy() for at in shared}

    @property
    def now(self) -> int:
        """See :class:`engine.machine.Machine`; likewise the following."""
        return int(self._run["now"])

    @property
    def events(self) -> int:
        return int(self._run["events"])

    @property
    def completed(self) -> int:
        return int(self._run["completed"])

    @property
    def issued(self) -> int:
        return int(self._run["issued"])

    @property
    def oldest(self) -> int:
        return int(self._run["oldest"])

    @property
    def window(self) -> WindowInfo:
        return window_of(self._program)

    # --- moving -------------------------------------------------------------------------------------------

    def run(self, until: int | None = None) -> Stop:
        """See :meth:`engine.machine.Machine.run`."""
        stop = self._advance(until, False, self.now)
        self._tell()
        return stop

    def step(self) -> Stop:
        """See :meth:`engine.machine.Machine.step`."""
        active, before = int(self._run["last_active"]), self.now
        rest_of_tick = bool(self._run["resume"])
        stop = self._advance(None, True, before)
        while stop is Stop.UNTIL and int(self._run["last_active"]) == active and not rest_of_tick:
            stop = self._advance(None, True, before)
        self._tell()
        return stop

    def _advance(self, until: int | None, once: bool, before: int) -> Stop:
        """Work up to ``until``, or through the next tick; ``before`` is where the caller's call began."""
        if self._ended:
            return self._ended
        run, limit = self._run, self.netlist.time_limit_ticks
        if until is not None and until < before:
            return Stop.UNTIL
        bound = limit if until is None else min(until, limit)
        while True:
            status = advance(bound, once, *self._values)
            if not self._provide(status):
                break
        if status == TICK:
            return Stop.UNTIL
        stop = _STOPS.get(status)
        if stop is None:
            if not self._pending(bound):
                stop = Stop.DEADLOCK
                run["now"] = max(before, int(run["last_active"]))
            else:
                stop = Stop.UNTIL if bound < limit else Stop.TIMEOUT
                run["now"] = bound
        if stop in _FINAL:
            self._ended = stop
            self.fault = fault_of(self._in_values, self._program) if stop is Stop.FAULT else None
            if self.fault and self._watcher:
                rows, at = self._rows(), int(run["logged"])
                rows[at] = fault_row(self.fault, rows.shape[1])
                run["logged"] += 1
        return stop

    def _pending(self, tick: int) -> bool:
        """Whether an event is pending after ``tick``, as "The window" in docs/model.md says."""
        if pending_after(self._program, tick):
            return True
        run, bits = self._run, self._program.bits
        bits[FIRE_BITS:] = np.uint64(2**64 - 1)
        bits[-1] = np.uint64(2 ** (len(self._program.nodes) % 64) - 1)
        run["probe"], now = 1, int(run["now"])
        run["now"] = tick
        advance(tick, True, *self._values)
        found = int(run["probe"]) == 2
        run["probe"], run["now"] = 0, now
        return found

    def _provide(self, status: int) -> bool:
        """Give the loop what it asks for; False if it asks for nothing."""
        if status == NEED_DATA:
            self._fill(int(self._run["filled"]))
        elif status == NEED_SPACE:
            self._program.completions = np.resize(self._program.completions, 2 * len(self._program.completions))
            self._values = self._program.values()
        elif status == LOG_FULL:
            self._tell()
        else:
            return False
        return True

    def _fill(self, first: int) -> None:
        """Fetch the words of the launches ``first`` … ``first + CHUNK - 1`` into the ring."""
        words = {**self._workload.inputs(first, CHUNK), **self._workload.expected(first, CHUNK)}
        data, slot = self._program.data, first % DATA_RING
        for array, row in zip(self.netlist.arrays, self._program.arrays, strict=False):
            at = int(row["data"]) * DATA_RING + slot * array.words
            data[at : at + CHUNK * array.words] = words[array.name][:, : array.words].reshape(-1)
        self._run["filled"] = first + CHUNK

    # --- being watched ------------------------------------------------------------------------------------

    def watch(self, watcher: Watcher | None) -> None:
        """See :meth:`engine.machine.Machine.watch`."""
        self._watcher = watcher
        self._begin_log()

    def _begin_log(self) -> None:
        """An empty log, with room for as many rows as can come before the loop asks for more, where one is kept."""
        run, net = self._run, self.netlist
        run["log"], run["logged"], run["log_rows"] = self._watcher is not None, 0, _LOG_ROWS
        # In one tick a wire takes and gives one packet; a node fires twice at most and hands out what it holds.
        tick = LOOKAHEAD + 2 * len(net.wires) + 6 * len(net.nodes) + 2 * sum(node.room for node in net.nodes) + 1
        size = (_LOG_ROWS + 1 + tick) * (WORDS + int(run["stride"]))
        if self._watcher and len(self._program.log) < size:
            self._program.log = np.empty(size, np.int64)
            self._values = self._program.values()

    def _rows(self) -> NDArray[np.int64]:
        """The log as rows."""
        size, log = WORDS + int(self._run["stride"]), self._program.log
        return log[: len(log) // size * size].reshape(-1, size)

    def _tell(self) -> None:
        """Give the watcher what has been logged."""
        count = int(self._run["logged"])
        if self._watcher and count:
            rows = in_order(self._rows()[:count, : log_width(self.netlist)])
            self._run["logged"] = 0
            self._watcher(rows)

    def retime(self, wire: int, every_ticks: int, drive_nw: int | None = None) -> None:
        """Give a wire another speed (0: stopped), with the drive that this takes, and start again from tick 0.

        Takes a tenth of the time of a new machine, and keeps the data that has been fetched.
        """
        wires = list(self.netlist.wires)
        old = wires[wire]
        wires[wire] = replace(old, every_ticks=every_ticks, drive_nw=old.drive_nw if drive_nw is None else drive_nw)
        self.netlist = replace(self.netlist, wires=tuple(wires))
        row = self._begin["wires"][wire]
        row["every"], row["transit"] = every_ticks, wires[wire].transit_ticks
        row["length"] = wires[wire].capacity - 1
        self._measure_roads()
        if self._program.physics:
            self._retime_chance(wire)
            self._program.physics.field.retime(self.netlist)
        self.reset()

    def _retime_chance(self, wire: int) -> None:
        """What another speed of a wire does to the bits that come late."""
        begin, program, net = self._begin, self._program, self.netlist
        assert program.physics
        row, new = program.physics.chance[len(net.nodes) + wire], net.wires[wire]
        row["overshoot"] = new.overshoot_ppm
        at, width, count = int(row["lines"]), new.tracks, new.lines
        if new.overshoot_ppm and program.ids[at] < 0:
            program.ids[at : at + count * width] = slow_lines(self._workload.seed, wire, width, count)
        mark_late(net, begin["nodes"], begin["wires"])
        may_search = self.options.period_search and self.options.jitter_seed is None
        begin["run"]["search"] = may_search and not (net.data_dependent or net.errs)

    def reset(self) -> None:
        """Start again from tick 0."""
        filled, tag = int(self._run["filled"]), int(self._run["tag"]) + self.issued + 1
        for name in _BEGIN:
            np.copyto(getattr(self._program, name), self._begin[name])
        for name in _ZERO:
            getattr(self._program, name).fill(0)
        if self._program.physics:
            self._program.physics.begin()
        if self._program.lanes:
            for array, first in zip(self._program.lanes.moving(), self._begin_lanes, strict=True):
                np.copyto(array, first)
        for at, header in self._headers.items():
            self._program.pool[at : at + 3] = header
        if tag > 2**30:
            self._program.stored_tag.fill(0)
            tag = 0
        self._run["tag"] = tag
        self._run["filled"] = filled if filled <= DATA_RING else 0
        self._ended, self.fault = None, None
        self._begin_log()

    # --- looking ------------------------------------------------------------------------------------------

    def _measure_roads(self) -> None:
        """How long words are in the encoder of each wire, and then on their way, for :func:`draw`."""
        wires = self.netlist.wires
        self._starts = np.array([wire.encoder_ticks for wire in wires], np.int64)
        self._roads = np.array([wire.length * wire.every_ticks for wire in wires], np.int64)

    def _settle(self) -> None:
        """What is at a wire's end is shown as it will be received, whether a core has looked at it or not."""
        p = self._program
        if p.physics is not None and len(p.physics.lined):
            settle_all(p.run, p.wires, p.packets, p.words, p.physics, self.now)

    def counters(self) -> Counters:
        """See :meth:`engine.machine.Machine.counters`."""
        p = self._program
        if p.physics is not None and p.nodes["gated"].any():
            now = np.int64(max(self.now, 0))
            look_all(p.run, p.nodes, p.wires, p.packets, p.words, p.ids, p.ports, p.picks, p.physics, now)
        return counters_of(self._in_values, p)

    def completions(self) -> NDArray[np.int64]:
        """See :meth:`engine.machine.Machine.completions`."""
        return self._program.completions[: self.completed].copy()

    def late_words(self) -> tuple[LateWord, ...]:
        """See :meth:`engine.machine.Machine.late_words`."""
        return late_words_of(self._program)

    def closest(self) -> NDArray[np.int64]:
        """See :meth:`engine.machine.Machine.closest`."""
        physics = self._program.physics
        return physics.field.closest.copy() if physics else np.zeros(0, np.int64)

    def digests(self) -> NDArray[np.uint64]:
        """See :meth:`engine.machine.Machine.digests`."""
        return self._program.digests.copy() if self.options.digests else np.zeros(0, np.uint64)

    def state(self) -> StateView:
        """See :meth:`engine.machine.Machine.state`."""
        self._settle()
        return state_of(self._in_values, self._program)

    def packets(self, tick: int) -> PacketArrays:
        """See :meth:`engine.machine.Machine.packets`."""
        p = self._program
        count = int(p.wires["held"].sum())
        made = PacketArrays(
            np.empty(count, np.int32),
            np.empty(count, np.float32),
            np.empty(count, np.int32),
            np.empty(count, np.int32),
            np.empty(count, np.bool_),
            np.empty(count, np.uint8),
        )
        self._settle()
        columns = made.wire, made.position, made.value, made.launch, made.masked, made.live
        of_lanes = None if p.lanes is None else p.lanes.packets
        stride = int(self._run["stride"])
        draw(p.wires, p.packets, p.words, of_lanes, stride, tick, self._starts, self._roads, *columns)
        return made

    def snapshot(self) -> object:
        """See :meth:`engine.machine.Machine.snapshot`."""
        arrays = {name: getattr(self._program, name).copy() for name in _MOVING}
        moving = [array.copy() for array in self._moving_more()]
        return arrays, moving, self.completions(), self._ended, self.fault

    def _moving_more(self) -> list[NDArray[Any]]:
        """What only some machines have, and changes while they run."""
        parts = (self._program.physics, self._program.lanes)
        return [array for part in parts if part is not None for array in part.moving()]

    def restore(self, snapshot: object) -> None:
        """See :meth:`engine.machine.Machine.restore`."""
        arrays, moving, completions, self._ended, self.fault = cast(_Snapshot, snapshot)
        filled = int(self._run["filled"])
        for name, saved in arrays.items():
            np.copyto(getattr(self._program, name), saved)
        for array, kept in zip(self._moving_more(), moving, strict=True):
            np.copyto(array, kept)
        self._program.completions[: len(completions)] = completions
        self._begin_log()
        wanted = int(self._run["filled"])
        if filled != wanted:
            for first in range(int(self._run["oldest"]) // CHUNK * CHUNK, wanted, CHUNK):
                self._fill(first)


_Snapshot = tuple[dict[str, NDArray[Any]], list[NDArray[Any]], NDArray[np.int64], Stop | None, FaultInfo | None]
