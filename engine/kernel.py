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
from engine.netlist import LOOKAHEAD, Netlist
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
COUNTED, ENTERED, LEFT, FIRED, MADE, GONE = (np.int64(what) for what in What if what is not What.FAULT)

ADD, SUB, MUL, MUL_SERIAL, MAC = (KINDS[k] for k in ("add", "sub", "mul", "mul.serial", "mac"))
DIV, MOD, MIN, MAX, ABS, NEG, EXP = (KINDS[k] for k in ("div", "mod", "min", "max", "abs", "neg", "exp"))
AND, OR, XOR, SHL, SHR = (KINDS[k] for k in ("and", "or", "xor", "shl", "shr"))
COMPARE, SELECT, ADDRESS, RELAY, BUFFER = (KINDS[k] for k in ("compare", "select", "address", "relay", "buffer"))
GATE, SWITCH, GUARD, TUPLE = (KINDS[k] for k in ("gate", "switch", "guard", "tuple"))
LOAD, STORE, SINK = (KINDS[k] for k in ("load", "store", "sink"))
MUX, TAKE, SKIP, DEAL, COLLECT = (KINDS[k] for k in ("mux", "take", "skip", "deal", "collect"))
DELAY, REPEAT, COUNTER, ACCUMULATE, SCAN = (KINDS[k] for k in ("delay", "repeat", "counter", "accumulate", "scan"))
SHARED_WRITE, SHARED_READ, BARRIER = (KINDS[k] for k in ("shared.write", "shared.read", "barrier"))
THREADS = KINDS["threads"]

MIXED, OPEN_GROUP, OUTSIDE, UNWRITTEN, TWICE, NO_LAUNCH, WRONG, EXTRA = range(1, 9)
BY_ZERO, NOT_FINITE, SHARED_OUTSIDE, NOT_WRITTEN, GIVEN_BACK, OVERWRITE, RACE, LOST, ODD, TOO_WRONG = range(
    9, len(FAULTS)
)

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
def digest(wires, packets, words, digests, stride, w, t):
    """Add the departure of the head of wire ``w`` to the wire's digest."""
    p = wires[w].ring + wires[w].head
    pk = packets[p]
    g = u64(0x9E3779B97F4A7C15)
    masked = u64(1) if pk.flags & MASKED else u64(0)
    d = mix(digests[w] + g * u64(t + 1))
    d = mix(d + g * u64(pk.launch + 2) + masked)
    for i in range(wires[w].width):
        d = mix(d + g + u64(np.int64(words[p * stride + i]) & LOW32))
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
def note_packet(run, packets, words, log, what, index, t, ready, p, width, port):
    """A row of the log with packet ``p`` and ``width`` of its words."""
    s, pk = run[0], packets[p]
    note(run, log, what, index, t, ready, i64(pk.launch), i64(pk.flags & (ANY | MASKED)))
    at = (s.logged - 1) * (WORDS + s.stride)
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
def enter(run, nodes, wires, packets, words, ids, counts, events, heads, bits, launches, log, physics, w, p, t):
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
        note_packet(run, packets, words, log, ENTERED, i64(w), i64(t), i64(t), i64(q), i64(width), ZERO)
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
def pop(run, wires, packets, words, events, heads, bits, launches, digests, log, physics, w, t):
    """The head of wire ``w`` leaves."""
    s, wire = run[0], wires[u64(w)]
    if physics is not None and wire.aside & LINED:
        unsettle(physics, w)
    if unlikely(s.digests):
        digest(wires, packets, words, digests, s.stride, w, t)
    if unlikely(s.log):
        p = i64(wire.ring + wire.head)
        note_packet(run, packets, words, log, LEFT, i64(w), i64(t), i64(t), p, i64(wire.width), ZERO)
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
def make(run, nodes, packets, words, counts, launches, arrays, data, pool, tokens, log, n, t):
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
        for i in range(width):
            words[p * s.stride + i] = tokens[at + i]
        pk.block = tokens[at + width]
        pk.thread = tokens[at + width + 1]
    else:
        array = arrays[node.a]
        words[p * s.stride] = data[np.int64(array.data) * DATA_RING + (launch & DATA) * array.words + node.made]
        pk.block = -1
        pk.thread = -1
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
    count = counts[4 * n + segment(run, launch)]
    count.a += 1
    count.b += 1
    if unlikely(s.log):
        note(run, log, FIRED, i64(n), i64(t), i64(t), i64(launch), i64(LIVE))
        note_packet(run, packets, words, log, MADE, i64(n), i64(t), i64(t), i64(p), i64(node.width), i64(-1))


@hot
def hand_out(
    run, nodes, wires, packets, words, ids, counts, events, heads, bits, launches, arrays, data, pool, tokens, log,
    physics, n, t
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
            make(run, nodes, packets, words, counts, launches, arrays, data, pool, tokens, log, n, t)
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
                            physics, w, p, t
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
            note_packet(run, packets, words, log, GONE, i64(n), i64(t), i64(t), i64(p), ZERO, ZERO)
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
def copy_words(wires, words, ports, picks, stride, port, to):
    """The words that a core sees at ``port`` become a result's words, from place ``to`` of ``words`` on."""
    for k in range(i64(ports[port].width)):
        words[u64(to + k)] = word(wires, words, ports, picks, stride, port, k)


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


@rare
def keep_sum(run, nodes, launches, ports, pool, n, taken, launch, any_, block, thread, barriers, masked):
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
        if pool[at] == 0:
            pool[at + 3], pool[at + 4], pool[at + 5] = -1, -1, 0
            pool[at + 1], pool[at + 2] = 0, 0
        pool[at] += 1
        if not masked:
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
        for i in range(ways):
            pool[node.d + i * SUM], pool[node.d + i * SUM + 1] = 0, 0
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


@rare
def choose(run, nodes, wires, words, ids, ports, picks, n, t):
    """Choose the wires that a firing of ``n`` takes from and list them in ``ids``: how many, −1 if it cannot fire."""
    node = nodes[n]
    kind, first, number = node.kind, i64(node.port_start), i64(node.port_n)
    if node.turn and kind != SHARED_WRITE:
        return 0
    only = first + node.count if kind == COLLECT else -1
    skipped = -1
    taken = 0
    for port in range(first, first + number):
        if port == skipped or (only >= 0 and port != only):
            continue
        given = ports[port].given
        if given == 1:
            w = earliest(wires, ids, ports[port].wires, ports[port].n, t)
            if w < 0:
                return -1
            ports[port].chosen = w
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
def copy_header(packets, p, q, time, barriers):
    """Header of packet ``p`` becomes that of a result at ``q``, ``barriers`` more having been passed."""
    pk, copy = packets[p], packets[q]
    copy.time = time
    copy.launch = pk.launch
    copy.block = pk.block
    copy.thread = pk.thread
    copy.barriers = pk.barriers + barriers
    copy.flags = pk.flags
    copy.port = -1


@hot
def mark_made(run, nodes, physics, n, p):
    """Node ``n`` has made results, the first at place ``p``; physics looks at them at the tick's end, if it has to."""
    s, node = run[0], nodes[n]
    if node.aside & LATE:
        node.fresh = p + 1
        physics.made[u64(s.made)] = n
        s.made += 1


@rare
def open_barrier(run, nodes, wires, packets, words, ids, events, heads, bits, launches, log, physics, n, t):
    """All packets of the full chamber become results."""
    node, stride = nodes[n], run[0].stride
    count = node.count
    node.count = 0
    if node.out_n == 0:
        launches[packets[node.slots].launch & RING].packets -= count
        return
    for i in range(count):
        p, q = node.slots + i, node.queue + i
        copy_header(packets, p, q, t + node.extra, 1)
        for k in range(node.width):
            words[q * stride + k] = words[p * stride + k]
        if unlikely(run[0].log):
            ready = i64(t + node.extra)
            note_packet(run, packets, words, log, MADE, i64(n), i64(t), ready, i64(q), i64(node.width), i64(-1))
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
    n, t
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
            return i64(LOST + physics.lined[w].fault)
    if pk.flags & ANY:
        s.f_port = 1
        return NO_LAUNCH
    at = node.c + ((launch & RING) * node.d + pk.block + 1) * ARRIVAL
    if pool[at] != launch + 1:
        pool[at], pool[at + 1], pool[at + 2] = launch + 1, 0, 0
    pool[at + 1] += 1
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
    pop(run, wires, packets, words, events, heads, bits, launches, digests, log, physics, w, t)
    s.x_launch = launch
    if left_empty(run, launches, launch):
        return LOST
    if earliest(wires, ids, ports[port].wires, ports[port].n, t) >= 0:
        schedule_later(run, events, heads, bits, s.nodes + n, t + 1)
    return 0


@rare
def pass_barrier(
    run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits, launches, pool,
    digests, log, physics, n, t
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
    if s.probe:
        s.probe = 2
        return 0
    if physics is not None and wires[w].aside & LINED:
        tell(run, wires, packets, physics, w, t)
        if physics.lined[w].fault:
            s.f_port, s.f_other = 0, w
            return i64(LOST + physics.lined[w].fault)
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
        copy_header(packets, p, q, t, 0)
    else:
        pool[at + 2] += 1
        q = node.queue + (node.head + node.length) % node.room
        if node.out_n > 0:
            copy_header(packets, p, q, t + delay, 1)
            node.length += 1
            if node.length == 1:
                schedule_later(run, events, heads, bits, n, t + delay)
    if node.c < 0 or node.out_n > 0:
        copy_words(wires, words, ports, picks, i64(s.stride), port, i64(q) * s.stride)
        launches[launch & RING].packets += 1
    if physics is not None and node.c >= 0 and node.out_n > 0:
        mark_made(run, nodes, physics, n, i64(q))
        if node.foresees:
            foresee(run, nodes, wires, ids, physics, n, i64(-1), i64(1), t)
    count = counts[4 * n + segment(run, launch)]
    count.a += 1
    if not pk.flags & MASKED:
        count.b += 1
    if unlikely(s.log):
        live = ZERO if pk.flags & MASKED else i64(LIVE)
        note(run, log, FIRED, i64(n), i64(t), i64(t + delay), i64(launch), live)
        if node.c >= 0 and node.out_n > 0:
            ready = i64(t + delay)
            note_packet(run, packets, words, log, MADE, i64(n), i64(t), ready, i64(q), i64(node.width), i64(-1))
    node.last = t
    node.firings += 1
    s.events += 2
    s.last_active = t
    pop(run, wires, packets, words, events, heads, bits, launches, digests, log, physics, w, t)
    if node.count == node.a and node.c < 0 and node.length == 0:
        open_barrier(run, nodes, wires, packets, words, ids, events, heads, bits, launches, log, physics, n, t)
    s.x_launch = launch
    if left_empty(run, launches, launch):
        return LOST
    return 0


@rare
def visit_barrier(
    run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits, launches, pool,
    digests, log, physics, n, t
):
    """Step 3 for a barrier: open, take an arrival, fire, open. Returns the fault."""
    s, node = run[0], nodes[n]
    if not s.probe:
        if node.c >= 0:
            code = arrive(
                run, nodes, wires, packets, words, ids, ports, counts, events, heads, bits, launches, pool, digests,
                log, physics, n, t
            )
            if code:
                return code
        elif node.count == node.a and node.length == 0:
            open_barrier(run, nodes, wires, packets, words, ids, events, heads, bits, launches, log, physics, n, t)
    code = pass_barrier(
        run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits, launches, pool,
        digests, log, physics, n, t
    )
    if s.probe == 0 and code == 0:
        if node.c < 0 and node.count == node.a:
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


@hot
def visit(
    run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits, launches, arrays,
    data, stored, stored_tag, pool, digests, log, physics, n, t
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
                launches, pool, digests, log, physics, n, t
            )
            if fault:
                s.fault, s.f_node = fault, n
            return
        if node.last + node.interval > t and s.probe == 0:
            schedule_later(run, events, heads, bits, s.nodes + n, node.last + node.interval)
            return
        taken = np.int32(choose(run, nodes, wires, words, ids, ports, picks, n, t))
        take = np.int32(TAKEN)
        if taken < 0:
            again = soonest(wires, ids, node.in_start, node.in_n, t)
            if again < NEVER:
                schedule_later(run, events, heads, bits, s.nodes + n, again)
            return
    full = node.length >= node.room
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
    for i in range(taken):
        w = i64(ids[u64(take + i)])
        wire = wires[u64(w)]
        pk = packets[u64(wire.ring + wire.head)]
        flags, its = pk.flags, pk.launch
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

    # What the firing would do. Nothing changes but words that no result has.
    live = 1 - masked
    yields = node.out_n > 0
    port = -1
    fault = 0
    check = launch if not any_ else np.int32(-1)
    r_launch, r_any, r_block, r_thread, r_barriers, r_masked = launch, any_, block, thread, barriers, masked
    value_masked = masked
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
        copy_words(wires, words, ports, picks, stride, copied, into)
    if kind <= SELECT:
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
                copy_words(wires, words, ports, picks, stride, q, place)
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
                check = r_launch if not r_any else np.int32(-1)
                if kind == REPEAT:
                    for k in range(width - node.c):
                        words[to + k] = words[slot * stride + k]
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
            for k in range(width):
                words[to + k] = ids[node.c + k]
        if kind != MUX and kind != COUNTER and taken > 0 and not any_ and node.group >= 0 and node.group != launch:
            fault = OPEN_GROUP
    else:
        s.x_launch, s.x_any, s.x_block, s.x_thread, s.x_barriers = launch, any_, block, thread, barriers
        s.x_masked, s.x_yield = masked, 1 if yields else 0
        if kind <= SCAN:
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
            fault = look_shared(run, nodes, wires, packets, words, ports, picks, pool, n, to)
            index = s.x_index
            if kind == SHARED_WRITE:
                got = word(wires, words, ports, picks, stride, first + 1, ZERO)
    if port >= 0:
        yields = ids[node.out_ports + 2 * port + 1] > 0
    if yields and full:
        node.waiting = 1
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
                    fault = LOST + physics.lined[w].fault
                    s.f_other = w
                    s.f_port = wires[w].port if node.simple else ids[TAKEN_PORTS + i]
    if mixed >= 0:
        fault = MIXED
    if fault:
        s.fault, s.f_node = fault, n
        s.f_launch = launch if not any_ else -1
        s.f_block, s.f_thread, s.f_index, s.f_got = block, thread, index, got
        return

    # The firing takes place.
    s.events += 1 + taken
    s.last_active = t
    delay = node.latency
    if unlikely(s.jitter):
        delay += jitter(nodes, counts, n)
    at_block = np.int32(-1)
    if kind >= SHARED_WRITE and ports[first].given == 1:
        at_block = packets[wires[ports[first].chosen].ring + wires[ports[first].chosen].head].block
    latest, latest_port = -NEVER, 0
    ready, missing = t + node.interval, 0
    for i in range(taken):
        w = i64(ids[u64(take + i)])
        wire = wires[u64(w)]
        if wire.head_ready > latest:
            latest = wire.head_ready
            latest_port = wire.port if node.simple else ids[TAKEN_PORTS + i]
        pop(run, wires, packets, words, events, heads, bits, launches, digests, log, physics, w, t)
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
    node.last = t
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
                    pool[s.pool_access + (launch & RING) * s.arrays + node.a] += 1
                if kind != LOAD:
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
            keep_kept(nodes, packets, words, launches, stride, n, taken, to)
        elif kind <= SCAN:
            keep_sum(run, nodes, launches, ports, pool, n, taken, launch, any_, block, thread, barriers, masked)
        else:
            keep_shared(run, nodes, events, heads, bits, pool, n, launch, at_block, thread, barriers, masked, got, t)
    if yields:
        pk = packets[u64(r)]
        pk.time = t + delay
        pk.launch, pk.block, pk.thread, pk.barriers = r_launch, r_block, r_thread, r_barriers
        value_masked = value_masked if kind == LOAD else r_masked
        pk.flags = r_any | (MASKED if r_masked else 0) | (VALUE_MASKED if value_masked else 0)
        pk.port = port
        if not r_any:
            launches[u64(r_launch & RING)].packets += 1
        if physics is not None:
            mark_made(run, nodes, physics, n, i64(r))
            if node.foresees:
                foresee(run, nodes, wires, ids, physics, n, i64(port), i64(1), t)
        if unlikely(s.log):
            note_packet(run, packets, words, log, MADE, i64(n), i64(t), i64(t + delay), i64(r), i64(width), i64(port))
        length = node.length
        node.length = length + 1
        if length == 0:
            schedule(run, events, heads, bits, n, t + delay)
    elif taken > 0 and not any_ and (kind < STORE or (kind > SINK and kind < ACCUMULATE)):
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
        schedule_later(run, events, heads, bits, s.nodes + n, t + node.interval)


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
def late_bits(run, nodes, packets, physics, n, event, p, t):
    """Decide which bits of result ``p``, of a firing of node ``n``, will be wrong; ``event`` firings were before it."""
    width, stride = nodes[n].width, run[0].stride
    masked = packets[p].flags & MASKED
    for k in range(width):
        mask = ZERO
        if not masked:
            ranks = late_ranks(physics, n, event, i64(k))
            for rank in range(32):
                mask |= ((ranks >> rank) & 1) << (31 - rank)
            if mask:
                note_late(run, packets, physics, i64(1), n, i64(k), mask, p, t)
        physics.wrong[p * stride + k] = np.int32(mask)


@rare
def late_lines(run, nodes, wires, packets, words, ids, counts, physics, log, w, t):
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
def late_results(run, nodes, packets, counts, physics, n, t):
    """Decide which bits are late of what node ``n`` has made in this tick, from place ``fresh`` on."""
    node = nodes[n]
    first = i64(node.fresh) - 1
    node.fresh = 0
    if node.kind == BARRIER and node.c < 0:
        # All that is in the queue has just left the chamber, and came into it before what is in there now.
        event = fired(counts, n) - node.count - node.length
        for i in range(i64(node.length)):
            late_bits(run, nodes, packets, physics, n, event + i, first + i, t)
    else:
        late_bits(run, nodes, packets, physics, n, fired(counts, n) - 1, first, t)


@hot
def end_tick(run, nodes, wires, packets, words, ids, counts, physics, log, t):
    """At a tick's end: what physics does to that which entered wires and was made in it, which no one has seen yet."""
    s = run[0]
    for i in range(s.entered):
        w = i64(physics.entered[u64(i)])
        aside = wires[u64(w)].aside
        if aside & LINED:
            drive(run, nodes, wires, packets, words, ids, counts, physics, log, w, t)
        elif aside & LATE:
            late_lines(run, nodes, wires, packets, words, ids, counts, physics, log, w, t)
        if aside & COUPLED:
            enter_field(run, wires, packets, physics.field, w, t)
    s.entered = 0
    for i in range(s.made):
        late_results(run, nodes, packets, counts, physics, i64(physics.made[u64(i)]), t)
    s.made = 0


@rare
def end_last_tick(run, nodes, wires, packets, words, ids, counts, physics, log, t):
    """:func:`end_tick`, called: at a fault."""
    end_tick(run, nodes, wires, packets, words, ids, counts, physics, log, t)


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
        if own.noise >= 0:
            silence(field.noise, own.noise + i64(place) * width * own.lines, width * own.lines)
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
                if overlap > field.closest[u64(side.stretch)]:
                    field.closest[u64(side.stretch)] = overlap
                weight = side.tiles * overlap * side.share
                at, to = q * stride + side.word, p * stride + side.word_other
                faces = u64(LOW32)
                up, down = field.rose[u64(at)] & faces, field.fell[u64(at)] & faces
                rising, falling = field.rose[u64(to)] & faces, field.fell[u64(to)] & faces
                opposite = ones((up & falling) | (down & rising))
                alike = ones((up & rising) | (down & falling))
                aj = (opposite - alike) * ((side.pair_aj * weight) >> 12)
                energy += aj
                field.coupling[u64(4 * side.other + segment(run, met.launch))] += aj
                if own.noise >= 0:
                    first = own.noise + ((q - wire.ring) * width + side.word) * own.lines
                    push(field.noise, first, (side.uv * weight) >> 12, rising, falling)
                beside = field.wires[u64(side.other)]
                if beside.noise >= 0:
                    first = beside.noise + ((p - other.ring) * other.width + side.word_other) * beside.lines
                    push(field.noise, first, (side.uv_other * weight) >> 12, up, down)
        field.coupling[u64(mine)] += energy


@rare
def silence(noise, first, count):
    """No noise yet on these lines."""
    for k in range(first, first + count):
        noise[k] = 0


@rare
def push(noise, first, uv, rising, falling):
    """Add what rising and falling lines do to the lines beside them, whose sums begin at ``first``."""
    while rising != u64(0):
        noise[first + lowest(rising)] += uv
        rising &= rising - ONE
    while falling != u64(0):
        noise[first + lowest(falling)] -= uv
        falling &= falling - ONE


@rare
def flips(noise, first, count, side_uv, margin_uv, up, down, lines):
    """Which of ``count`` lines flip, whose sums begin at ``first``; some rose or fell to be as ``lines`` says."""
    found = u64(0)
    for line in range(count):
        bit = ONE << u64(line)
        if (up | down) & bit:
            continue
        beside = (bit >> ONE) | (bit << ONE)
        pushed = noise[first + line] + side_uv * (ones(up & beside) - ones(down & beside))
        if lines & bit:
            pushed = -pushed
        if pushed > margin_uv:
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
        bit = word >= FIBONACCI[47]
        lines = u64(0)
        for k in range(46, 0, -1):
            if k < 46:
                bit = word >= FIBONACCI[k + 1] or (bit and word >= FIBONACCI[k])
            if bit:
                word -= FIBONACCI[k]
                lines |= ONE << u64(k - 1)
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


@rare
def received(row, lines):
    """:func:`decode`, where there is a decoder."""
    return lines & u64(LOW32) if row.raw_receiver else decode(i64(row.encoding), lines)


@rare
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
        value = np.int32(received(row, got) & u64(LOW32))
        if value != words[at] and s.log:
            line = s.logged - 1
            size = WORDS + s.stride
            while log[line * size + 1] != ENTERED or log[line * size + 2] != w:
                line -= 1
            log[line * size + WORDS + i] = value
        words[at] = value
    counts[4 * e + segment(run, i64(pk.launch))].b += toggled


@rare
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
    noisy = len(physics.field.wires) > 0 and physics.field.wires[w].noise >= 0
    for i in range(wire.width):
        at = q * stride + i
        lines = physics.got[at]
        if noisy:
            own = physics.field.wires[w]
            first = own.noise + ((q - wire.ring) * wire.width + i) * own.lines
            up, down = physics.field.rose[at], physics.field.fell[at]
            driven, noise = physics.driven[at], physics.field.noise
            flipped = flips(noise, i64(first), i64(own.lines), own.side_uv, own.margin_uv, up, down, driven)
            physics.marks[w, 0, i] = flipped
            lines ^= flipped
        kept = lines
        for _ in range(lost):
            if kept == u64(0):
                break
            kept ^= ONE << u64(highest(kept))
        physics.marks[w, 1, i] = kept ^ lines
        word = received(row, kept)
        status = np.int32(word >> u64(32))
        if status == 3:
            row.mended += 1
        elif status > 0 and row.fault == 0:
            row.fault = status
        words[at] = np.int32(word & u64(LOW32))


@rare
def settle_heads(run, wires, packets, words, ids, physics, start, count, t):
    """Settle what is available on the wires of a list."""
    for i in range(count):
        w = i64(ids[start + i])
        wire = wires[w]
        if wire.aside & LINED and wire.held > 0 and wire.head_ready <= t and physics.lined[w].settled == 0:
            settle(run, wires, packets, words, physics, w)


@rare
def unsettle(physics, w):
    """The head of wire ``w`` leaves."""
    row = physics.lined[w]
    row.corrections += row.mended
    row.settled = 0
    row.fault = 0
    row.mended = 0


@rare
def tell(run, wires, packets, physics, w, t):
    """Note what was wrong with the head of wire ``w``, which is taken or would be, beyond what came late."""
    wire = wires[w]
    q = i64(wire.ring + wire.head)
    if packets[q].flags & MASKED:
        return
    row = physics.lined[w]
    if row.retention > 0:
        row.longest = max(row.longest, wire.head_ready - packets[q].time)
    for i in range(wire.width):
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
def put_header(packets, reference, writing, k, p, completed):
    pk = packets[p]
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
def same_state(
    run, nodes, wires, packets, words, ids, ports, picks, launches, pool, physics, reference, writing, t
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
            k = put_header(packets, reference, writing, k, p, done)
        for i in range(node.out_n):
            k = put(reference, writing, k, i64(wires[ids[node.out_start + i]].taken))
        if physics is not None and node.gated:
            look(run, nodes, wires, packets, words, ids, ports, picks, physics, n, t)
            idle = node.length == 0 and physics.gates[n].asked == 0
            since = max(ZERO, max(physics.gates[n].since, node.last + node.interval))
            k = put_sleep(physics, reference, writing, k, n, idle, since, t)
        if k < 0:
            return False
        if TAKE <= node.kind <= SCAN or node.kind == BARRIER:
            k = put(reference, writing, k, i64(node.count))
            k = put(reference, writing, k, i64(node.turn))
            k = put(reference, writing, k, i64(node.group - done if node.group >= 0 else NEVER))
            kept = 0
            if node.kind == REPEAT:
                kept = node.b if node.turn else node.count
            elif node.kind == COUNTER:
                kept = 1 if node.turn else 0
            elif node.kind == BARRIER and node.c < 0:
                kept = node.count
            for i in range(kept):
                k = put_header(packets, reference, writing, k, node.slots + i, done)
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
            k = put_header(packets, reference, writing, k, p, done)
            if wire.aside & LEAKY:
                k = put(reference, writing, k, i64(packets[p].time - t))
        if k < 0:
            return False
    for launch in range(done, s.issued):
        k = put(reference, writing, k, i64(launches[launch & RING].words_left))
        k = put(reference, writing, k, i64(max(launches[launch & RING].done - t, 0)))
    return k >= 0


@rare
def begin_window(run, nodes, wires, packets, words, ids, ports, picks, pool, by_port, physics, t):
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
    forget_launches(run, pool)


@rare
def forget_launches(run, pool):
    """What was noted of the launches of another window goes."""
    s = run[0]
    s.latencies = 0
    s.latency_worst = 0
    for a in range(s.arrays):
        pool[s.pool_best + a] = 0


@rare
def forget_coupling(coupling):
    """Another window begins: what was charged to segments 1 and 2 is of before."""
    for i in range(0, len(coupling), 4):
        coupling[i] += coupling[i + 1] + coupling[i + 2]
        coupling[i + 1] = 0
        coupling[i + 2] = 0


@rare
def search_period(
    run, nodes, wires, packets, words, ids, ports, picks, counts, launches, pool, physics, reference, t
):
    """Compare the state; where it repeats, the window becomes whole periods (Brent 1980)."""
    s = run[0]
    writing = s.power == 0
    if writing:
        s.power = 1
    else:
        s.since += 1
        if same_state(
            run, nodes, wires, packets, words, ids, ports, picks, launches, pool, physics, reference, ZERO, t
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
            forget_launches(run, pool)
            for i in range(s.nodes + s.wires):
                for k in range(1, 3):
                    counts[4 * i].a += counts[4 * i + k].a
                    counts[4 * i].b += counts[4 * i + k].b
                    counts[4 * i + k].a = 0
                    counts[4 * i + k].b = 0
            if physics is not None:
                forget_coupling(physics.field.coupling)
            return
        if s.since == s.power:
            s.power *= 2
            s.since = 0
            writing = True
    if writing:
        same_state(
            run, nodes, wires, packets, words, ids, ports, picks, launches, pool, physics, reference, ZERO + 1, t
        )
        s.ref_completed = s.completed
        s.ref_tick = t
        s.ref_events = s.events


@rare
def count_launches(
    run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits, launches, pool,
    completions, latencies, reference, log, physics, t
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
            begin_window(run, nodes, wires, packets, words, ids, ports, picks, pool, by_port, physics, t)
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
            run, nodes, wires, packets, words, ids, ports, picks, counts, launches, pool, physics, reference, t
        )
        if s.period and s.first == s.completed:
            begin_window(run, nodes, wires, packets, words, ids, ports, picks, pool, by_port, physics, t)
    return stop


@entry
def advance(
    until, once, run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits, launches,
    arrays, data, stored, stored_tag, pool, tokens, completions, latencies, digests, reference, log, physics
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
                        launches, pool, completions, latencies, reference, log, physics, t
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
                    pool, tokens, log, physics, n, t
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
                        launches, arrays, data, stored, stored_tag, pool, digests, log, physics, n, t
                    )
                    if s.fault:
                        if physics is not None:
                            end_last_tick(run, nodes, wires, packets, words, ids, counts, physics, log, i64(t))
                        return FAULT
        if s.probe:
            return TICK
        if physics is not None and s.entered + s.made > 0:
            end_tick(run, nodes, wires, packets, words, ids, counts, physics, log, i64(t))
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
def draw(wires, packets, words, stride, tick, starts, roads, wire_of, position, value, launch, masked):
    """Fill in where the packets on all wires stand at ``tick``; returns how many there are (see Machine.packets).

    ``starts``: ticks that a word of a wire spends in its encoder; ``roads``: from there to the end.
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
            self.fault = fault_of(self.netlist, self._program) if stop is Stop.FAULT else None
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
        at, width, count = int(row["lines"]), len(new.words), new.lines
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
        return counters_of(self.netlist, p)

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
        return state_of(self.netlist, self._program)

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
        )
        self._settle()
        columns = made.wire, made.position, made.value, made.launch, made.masked
        draw(p.wires, p.packets, p.words, int(self._run["stride"]), tick, self._starts, self._roads, *columns)
        return made

    def snapshot(self) -> object:
        """See :meth:`engine.machine.Machine.snapshot`."""
        arrays = {name: getattr(self._program, name).copy() for name in _MOVING}
        physics = self._program.physics
        moving = [array.copy() for array in physics.moving()] if physics else []
        return arrays, moving, self.completions(), self._ended, self.fault

    def restore(self, snapshot: object) -> None:
        """See :meth:`engine.machine.Machine.restore`."""
        arrays, moving, completions, self._ended, self.fault = cast(_Snapshot, snapshot)
        filled = int(self._run["filled"])
        for name, saved in arrays.items():
            np.copyto(getattr(self._program, name), saved)
        if self._program.physics:
            for array, saved in zip(self._program.physics.moving(), moving, strict=True):
                np.copyto(array, saved)
        self._program.completions[: len(completions)] = completions
        self._begin_log()
        wanted = int(self._run["filled"])
        if filled != wanted:
            for first in range(int(self._run["oldest"]) // CHUNK * CHUNK, wanted, CHUNK):
                self._fill(first)


_Snapshot = tuple[dict[str, NDArray[Any]], list[NDArray[Any]], NDArray[np.int64], Stop | None, FaultInfo | None]
