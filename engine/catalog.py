"""Every core type, one entry each: the single source for the palette, the schema, the checks and the docs.

``perwatt cores`` and ``docs/cores.md`` are made from :data:`CORES`. The ``rule`` of an entry is the exact
contract from which both engines are written, together with ``docs/model.md``; latencies and intervals are in
cycles of 100 ticks, energies are keys of the technology file (:mod:`engine.technology`).

A new core is one entry here, one behaviour in each engine, one icon and one test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engine.units import MAX_CLOCK_TICKS, MIN_CLOCK_TICKS, NOMINAL_MV, TICKS_PER_CYCLE

Width = Literal["one", "any", "rank"]
"""Words at a port: one; any number (all its wires alike); or as many as the pad's array has dimensions."""


@dataclass(frozen=True, slots=True)
class Port:
    """A port of a core. ``required`` inputs need a wire or an immediate."""

    name: str
    width: Width = "one"
    required: bool = True


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a core. ``default`` None means that it must be given.

    kind ``int`` is bounded by low … high, ``choice`` by choices, ``limits`` is a list of whole numbers or null,
    ``sums`` a list of small sums of the input's words (``"3*w0 + w1 + 2"``), ``ports`` a map of port counts.
    An ``int`` is low, low + step, …  ``lanes`` is 1, 2, 4 or 8 from ``low`` on, and at most what the level allows.
    """

    name: str
    kind: Literal["int", "bool", "choice", "ints", "limits", "sums", "ports", "lanes"]
    doc: str
    default: Any = None
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    step: int = 1


@dataclass(frozen=True, slots=True)
class CoreType:
    """One core type. ``op`` is the key of its operation energy, charged per firing that is not masked."""

    name: str
    family: Literal["pad", "arithmetic", "steering", "storage", "reduction"]
    summary: str
    rule: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    settings: tuple[Setting, ...] = ()
    latency: int = 1
    interval: int = 1
    op: str | None = None
    floats: bool = False
    """Whether the core has a setting ``dtype`` and works on float32 words as well."""
    faults: tuple[str, ...] = ()
    lanes: bool = False
    """Whether it is there for packets of several lanes: other levels do not offer it."""


VOLTAGE = Setting("voltage_mv", "int", "supply voltage in mV", NOMINAL_MV, 500, 1300, step=25)
CLOCK = Setting(
    "clock_ticks", "int", "clock period in ticks of 10 ps", TICKS_PER_CYCLE, MIN_CLOCK_TICKS, MAX_CLOCK_TICKS
)
GATE = Setting("gate", "bool", "whether it sleeps when it is idle", False)
SLEEP_AFTER = Setting("sleep_after", "int", "ticks of idleness after which it sleeps", 100, 0, 100_000)
AHEAD = Setting("ahead", "int", "tiles before its end at which a word wakes it", 0, 0, 1000)
OXIDE = Setting("oxide", "choice", "thickness of the gates' oxide", "standard", choices=("standard", "thin"))
SUPPLY_SETTINGS = {setting.name: setting for setting in (VOLTAGE, CLOCK, OXIDE, GATE, SLEEP_AFTER, AHEAD)}
"""Settings of every core, where a level offers them ("Physics" in docs/model.md)."""

GATE_SETTINGS = (GATE, SLEEP_AFTER, AHEAD)
"""Those of cores and far pads that may sleep."""

SLEEPLESS = ("shared", "barrier")
"""Cores that keep what others wait for, and cannot sleep."""

_AB = (Port("a"), Port("b"))
_OUT = (Port("out"),)
_IN_ANY = (Port("in", "any"),)
_OUT_ANY = (Port("out", "any"),)
_LANES = "See 'Lanes' in model.md. "
_REDUCE_OPS = ("add", "mul", "min", "max", "and", "or", "xor")


def _arithmetic(
    name: str,
    summary: str,
    rule: str,
    *,
    inputs: tuple[Port, ...] = _AB,
    latency: int = 1,
    interval: int = 1,
    op: str | None = None,
    floats: bool = True,
    settings: tuple[Setting, ...] = (),
    faults: tuple[str, ...] = (),
) -> CoreType:
    return CoreType(
        name,
        "arithmetic",
        summary,
        rule,
        inputs,
        _OUT,
        settings,
        latency,
        interval,
        op or name,
        floats,
        faults,
    )


_TYPES: tuple[CoreType, ...] = (
    # --- pads: placed by the level, no control energy, no leakage ---------------------------------------
    CoreType(
        "threads",
        "pad",
        "Hands out one token per thread, or per warp of threads.",
        "A source. Tokens leave block by block, row-major inside a block, launch after launch. See 'Sources' in "
        "model.md. Latency 0, room 1, interval every_ns (default 2 ns). With lanes n > 1 a token is a warp: n "
        "consecutive threads of a block; the lanes of a block's last warp that are no threads are masked.",
        (),
        (Port("token", "any"),),
        (Setting("lanes", "lanes", "threads in a warp", 1, 1, 8),),
    ),
    CoreType(
        "stream",
        "pad",
        "Hands out an input array word by word, in row-major order.",
        "A source of packets of one word, without block or thread. Latency 0, room 1, interval every_ns (default "
        "1 ns). With burst [w, rest]: after each w words the next one stands ready at l + every + rest, l being "
        "the tick in which the last word of the burst has left.",
        (),
        (Port("value"),),
    ),
    CoreType(
        "load",
        "pad",
        "Reads a word of an array: the address goes in, the word and the address come out.",
        "Result: value (1 word) and at (the echo: the packet's words as they came to the port's picks). Interval: "
        "the array's pace; latency 2 cycles near, 40 cycles far; room max(1, ceil(latency / interval)). An index "
        "is checked per dimension. Masked: nothing is read or paid and nothing counted as an access; the value "
        "is 0 and masked, or, where the port other is given, that word and live; the echo stays masked. If at "
        "and a wired other are of different launches: mixed-launches. The array's launch is the packet's. With lanes "
        "the pad works once for each line of the array that live lanes touch, an interval each. See 'Lines' in "
        "model.md.",
        (Port("at", "rank"), Port("other", required=False)),
        (Port("value"), Port("at", "rank")),
        faults=("outside", "unwritten", "no-launch", "mixed-launches"),
    ),
    CoreType(
        "store",
        "pad",
        "Writes a word of an output array.",
        "Takes at and value together. The word is in memory, and counts, one latency after the firing (latency "
        "and interval as for load). Result, only if done is wired: the echo of at. If either is masked nothing "
        "is written or paid. Checked at the firing, in this order: no-launch, mixed-launches, outside, "
        "written-twice, wrong-value. With lanes as load, and two live lanes that write one word are written-twice.",
        (Port("at", "rank"), Port("value")),
        (Port("done", "rank"),),
        faults=("no-launch", "mixed-launches", "outside", "written-twice", "wrong-value"),
    ),
    CoreType(
        "sink",
        "pad",
        "Takes an output array word by word, in row-major order within each launch.",
        "The k-th live word of a launch must be word k of its array. Latency 1 cycle (the word counts then), "
        "interval every_ns (default 1 ns), no result. Masked words are taken and ignored. Checked in this order: "
        "no-launch, extra-word, wrong-value.",
        (Port("value"),),
        (),
        faults=("no-launch", "extra-word", "wrong-value"),
    ),
    # --- arithmetic ---------------------------------------------------------------------------------------
    _arithmetic("add", "Adds its two inputs.", "out = a + b; int32 wraps.", op="add"),
    _arithmetic("sub", "Subtracts b from a.", "out = a − b; int32 wraps.", op="add"),
    _arithmetic("mul", "Multiplies: three cycles, one per cycle.", "out = a × b; int32 wraps.", latency=3, op="mul"),
    _arithmetic(
        "mul.serial",
        "Multiplies slowly: eight cycles, one at a time, half the energy, a quarter of the leakage.",
        "out = a × b; int32 wraps.",
        latency=8,
        interval=8,
        op="mul_serial",
    ),
    _arithmetic(
        "mac",
        "Multiplies and adds: a × b + c.",
        "out = a × b + c; int32 wraps; float32 is rounded twice, after the product and after the sum.",
        inputs=(Port("a"), Port("b"), Port("c")),
        latency=3,
        op="mac",
    ),
    _arithmetic(
        "div",
        "Divides: twelve cycles, one at a time.",
        "int32: floor(a / b) as numpy's //, and INT_MIN // −1 = INT_MIN. float32: a / b.",
        latency=12,
        interval=12,
        op="div",
        faults=("divide-by-zero",),
    ),
    _arithmetic(
        "mod",
        "Remainder of a by b, with the sign of b: twelve cycles, one at a time.",
        "a − b × floor(a / b) as numpy's %; x mod −1 = 0.",
        latency=12,
        interval=12,
        op="div",
        floats=False,
        faults=("divide-by-zero",),
    ),
    _arithmetic("min", "The smaller of its inputs.", "out = a if a <= b else b.", op="minmax"),
    _arithmetic("max", "The larger of its inputs.", "out = a if a >= b else b.", op="minmax"),
    _arithmetic("abs", "Absolute value.", "|a|; |INT_MIN| = INT_MIN.", inputs=(Port("a"),), op="add"),
    _arithmetic("neg", "Changes the sign.", "−a; int32 wraps.", inputs=(Port("a"),), op="add"),
    _arithmetic(
        "exp",
        "Exponential of a float: eight cycles, one per two cycles.",
        "float32 only; the polynomial of 'Floats' in model.md.",
        inputs=(Port("a"),),
        latency=8,
        interval=2,
        op="exp",
        faults=("not-finite",),
    ),
    _arithmetic("and", "Bitwise and.", "a & b.", op="logic", floats=False),
    _arithmetic("or", "Bitwise or.", "a | b.", op="logic", floats=False),
    _arithmetic("xor", "Bitwise exclusive or.", "a ^ b.", op="logic", floats=False),
    _arithmetic("shl", "Shifts a left by b bits.", "a << (b mod 32); int32 wraps.", op="logic", floats=False),
    _arithmetic(
        "shr",
        "Shifts a right by b bits, keeping the sign.",
        "a >> (b mod 32), arithmetic.",
        op="logic",
        floats=False,
    ),
    _arithmetic(
        "compare",
        "Compares a with b: 1 or 0.",
        "The int32 word 1 where the relation holds, else 0.",
        op="compare",
        settings=(Setting("op", "choice", "the relation", choices=("lt", "le", "eq", "ne", "ge", "gt")),),
    ),
    _arithmetic(
        "select",
        "Takes both values and passes a where cond is true, else b.",
        "out = a if cond ≠ 0 else b. All three inputs are taken.",
        inputs=(Port("cond"), Port("a"), Port("b")),
        op="logic",
        floats=False,
    ),
    CoreType(
        "address",
        "arithmetic",
        "Makes an address from a token: up to three small sums of its words.",
        "words: a list of sums c + k·w + …, w0 … w5 being the input's words, k and c whole numbers (written "
        "'3*w0 + w1 + 2'). Result: one word per sum, int32 wraps. Operation energy: per sum.",
        (Port("in", "any"),),
        (Port("out", "any"),),
        (Setting("words", "sums", "the sums, one per result word"),),
        op="address",
    ),
    # --- steering: the word passes unchanged ------------------------------------------------------------
    CoreType(
        "relay",
        "steering",
        "Passes a packet on: branch here, or change speed.",
        "Room 2.",
        _IN_ANY,
        _OUT_ANY,
    ),
    CoreType(
        "gate",
        "steering",
        "Passes a packet where cond is true, and drops it where it is not.",
        "Takes in and cond together. Passes if cond ≠ 0 or either is masked; else drops both (no result).",
        (Port("in", "any"), Port("cond")),
        _OUT_ANY,
    ),
    CoreType(
        "switch",
        "steering",
        "Sends a packet out at true or at false, by cond; with lanes, each lane to its side.",
        "Takes in and cond together; the port is chosen by cond's word, masked or not. With lanes, keep or a wire at "
        "order: live lanes with cond ≠ 0 leave at true, the others at false, both with the mask before the split on "
        "their stack; an empty side is not sent, but for a packet that came empty, which leaves at false. keep: both "
        "sides are always sent. order: a scalar per firing: 1 only true, 2 only false, 3 both. Results are made in the "
        "order true, false, order. See 'Divergence' in model.md.",
        (Port("in", "any"), Port("cond")),
        (Port("true", "any"), Port("false", "any"), Port("order")),
        (Setting("keep", "bool", "send both sides always, empty ones too; a join behind it needs order", False),),
        faults=("deep-split",),
    ),
    CoreType(
        "join",
        "steering",
        "Puts the halves of a split packet together again.",
        "See 'Divergence' in model.md. With order wired: takes an order word and the packets of the sides that it "
        "names, so that packets leave as they came to the switch. Else: a whole packet (live mask = top of its stack) "
        "passes when it comes, the earlier first (ties: true); a half waits for its other half at the head of the "
        "other input. Live masks are united, each lane's words come from its half, the stack is popped. Scalars are "
        "always whole, and pass as they are. Behind a switch with keep it needs order: an empty half would "
        "be left over.",
        (Port("true", "any"), Port("false", "any"), Port("order", required=False)),
        _OUT_ANY,
        faults=("other-half", "lane-twice", "not-split", "lanes-missing"),
        lanes=True,
    ),
    CoreType(
        "pack",
        "steering",
        "Packs n scalars into one packet of n lanes, in the order in which they come.",
        _LANES + "Counted group of every packets (default n); at its end an open packet leaves, its other lanes "
        "masked. A masked scalar fills a masked lane. The first thread is kept where the scalars are consecutive "
        "threads of a block. Every scalar is a firing; control is paid once per packet that leaves. Operation energy: "
        "per live scalar.",
        _IN_ANY,
        _OUT_ANY,
        (
            Setting("n", "lanes", "lanes of a packet", low=2, high=8),
            Setting("every", "int", "scalars in a group; default: n", 0, 0, 65536),
        ),
        op="lane",
        faults=("open-group",),
        lanes=True,
    ),
    CoreType(
        "unpack",
        "steering",
        "Sends the lanes of a packet one by one, as scalars.",
        _LANES + "The packet is taken at the first firing and kept until its last lane has been sent; every lane is a "
        "firing. Masked lanes leave as masked scalars, or with drop not at all (a packet without live lanes is then "
        "taken by a firing without result). Control is paid once per packet. Operation energy: per live lane.",
        _IN_ANY,
        _OUT_ANY,
        (Setting("drop", "bool", "leave masked lanes out", False),),
        op="lane",
        lanes=True,
    ),
    CoreType(
        "shuffle",
        "steering",
        "Moves words between lanes: up, down, or lanes exchanged by xor.",
        _LANES + "Lane l gets the words of lane l − k (up), l + k (down) or l xor k; where that is no lane, or a "
        "masked one, the word fill. The live mask stays. Operation energy: per live lane and word.",
        _IN_ANY,
        _OUT_ANY,
        (
            Setting("pattern", "choice", "which lane a lane takes", choices=("up", "down", "xor")),
            Setting("k", "int", "distance", 1, 1, 7),
            Setting("fill", "ints", "the word(s) where there is no lane to take", 0),
        ),
        op="shuffle",
        lanes=True,
    ),
    CoreType(
        "compact",
        "steering",
        "Gathers the live lanes of packets into full packets.",
        _LANES + "Counted group of every packets of at most n lanes (empty ones count). Live lanes are kept in order; "
        "each n of them leave as a packet, and at the group's end the rest. Results have no block, no thread and no "
        "stack. Control is paid per packet in and per packet out. Operation energy: per live lane.",
        _IN_ANY,
        _OUT_ANY,
        (
            Setting("n", "lanes", "lanes of a packet", low=2, high=8),
            Setting("every", "int", "packets in a group", low=1, high=65536),
        ),
        op="lane",
        faults=("open-group",),
        lanes=True,
    ),
    CoreType(
        "mux",
        "steering",
        "Takes the next packet from a or from b, as cond says.",
        "Needs a packet at cond; where its word is ≠ 0 takes it and one from a, else it and one from b. The other "
        "port is not looked at. a and b have the same width.",
        (Port("cond"), Port("a", "any"), Port("b", "any")),
        _OUT_ANY,
    ),
    CoreType(
        "guard",
        "steering",
        "Keeps what is inside the limits; drops or marks the rest.",
        "limits: one entry per word of the packet, a whole number n (word must be 0 … n − 1) or null. Inside, or "
        "already masked: passes. Outside: mode drop gives no result; mode mark gives the packet masked, all its "
        "words 0. Operation energy: per limited word.",
        _IN_ANY,
        _OUT_ANY,
        (
            Setting("limits", "limits", "upper limit of each word, not included; null: any"),
            Setting("mode", "choice", "what happens outside", "drop", choices=("drop", "mark")),
        ),
        op="guard",
    ),
    CoreType(
        "repeat",
        "steering",
        "Sends each packet, or each group of packets as a sequence, several times.",
        "A group is `group` packets. First pass: each packet is taken, kept in a slot, and sent. Then the kept "
        "ones are sent again, in order, times − 1 more passes; meanwhile nothing is taken. Every sending is a "
        "firing. append: the number of the pass, 0 … times − 1, is added as a last word (0 where masked). Operation "
        "energy: slot access per word of the input, each firing. A packet of another launch in an open group: "
        "open-group.",
        _IN_ANY,
        _OUT_ANY,
        (
            Setting("times", "int", "how often each group is sent", low=1, high=1024),
            Setting("group", "int", "packets in a group", 1, 1, 64),
            Setting("append", "bool", "add the number of the pass as a word", False),
        ),
        op="slot",
        faults=("open-group",),
    ),
    CoreType(
        "hold",
        "steering",
        "Sends each packet n times.",
        "repeat with times = n, group 1, without append.",
        _IN_ANY,
        _OUT_ANY,
        (Setting("n", "int", "how often", low=1, high=1024),),
        op="slot",
    ),
    CoreType(
        "take",
        "steering",
        "Of every `of` packets passes the first n and drops the rest.",
        "Counted group of `of` packets.",
        _IN_ANY,
        _OUT_ANY,
        (
            Setting("n", "int", "how many pass", low=1, high=4096),
            Setting("of", "int", "of how many", low=1, high=4096),
        ),
        faults=("open-group",),
    ),
    CoreType(
        "skip",
        "steering",
        "Of every `of` packets drops the first n and passes the rest.",
        "Counted group of `of` packets.",
        _IN_ANY,
        _OUT_ANY,
        (
            Setting("n", "int", "how many are dropped", low=1, high=4096),
            Setting("of", "int", "of how many", low=1, high=4096),
        ),
        faults=("open-group",),
    ),
    CoreType(
        "counter",
        "steering",
        "For each trigger, counts: start, start + step, … n words.",
        "The trigger is taken at the first firing; each firing sends one word; the next trigger is taken when all "
        "n have been sent. int32 wraps. Launch, block, thread and mask are the trigger's (masked: words 0).",
        (Port("go", "any"),),
        _OUT,
        (
            Setting("start", "int", "first word", 0, -(2**31), 2**31 - 1),
            Setting("n", "int", "how many words", low=1, high=4096),
            Setting("step", "int", "difference", 1, -(2**31), 2**31 - 1),
        ),
        op="counter",
    ),
    CoreType(
        "deal",
        "steering",
        "Deals packets to its outputs o0, o1, … in turn.",
        "Counted group of n packets.",
        _IN_ANY,
        (),
        (Setting("n", "int", "number of outputs", low=2, high=6),),
        faults=("open-group",),
    ),
    CoreType(
        "collect",
        "steering",
        "Takes one packet from each of its inputs i0, i1, … in turn: the inverse of deal.",
        "Counted group of n packets. Looks only at the input whose turn it is.",
        (),
        _OUT_ANY,
        (Setting("n", "int", "number of inputs", low=2, high=6),),
        faults=("open-group",),
    ),
    CoreType(
        "tuple",
        "steering",
        "Joins its inputs into one packet, word behind word: makes a token.",
        "Result: the words of a, then b, … of those ports that are wired or have an immediate; at most 6 words.",
        (
            Port("a", "any"),
            Port("b", "any"),
            Port("c", "any", False),
            Port("d", "any", False),
            Port("e", "any", False),
            Port("f", "any", False),
        ),
        _OUT_ANY,
    ),
    # --- storage ----------------------------------------------------------------------------------------
    CoreType(
        "buffer",
        "storage",
        "Holds up to `slots` packets, first in first out.",
        "A pipeline of latency and interval 1 cycle with room `slots`. Operation energy: slot access per word.",
        _IN_ANY,
        _OUT_ANY,
        (Setting("slots", "int", "packets it can hold", low=1, high=64),),
        op="slot",
    ),
    CoreType(
        "delay",
        "storage",
        "Shifts a stream back by `slots` packets; the first ones of each group are `init`.",
        "A buffer of room `slots` that holds `slots` init packets, ready, at time 0. Counted group of `every` "
        "packets (every ≥ slots). The i-th packet of a group (from 0) is taken and passed on if i < every − slots; "
        "in place of the last `slots` ones an init packet is passed on. An init packet has the word(s) init, no "
        "block and no thread, barriers 0, is live, and matches any launch (flag any).",
        _IN_ANY,
        _OUT_ANY,
        (
            Setting("slots", "int", "how far back", low=1, high=64),
            Setting("every", "int", "packets in a group", low=1, high=4096),
            Setting("init", "ints", "the word(s) of an init packet", 0),
        ),
        op="slot",
        faults=("open-group",),
    ),
    CoreType(
        "shared",
        "storage",
        "A memory for the threads of a block, in pages: each block has its own.",
        "ports {write: n, read: m}: write ports (inputs write.at, write.value, output write.done; the second is "
        "write2.…) and read ports (input read.at, outputs read.value, read.at). Each port fires by itself: latency "
        "2 cycles, interval 1. In a level with banks a port waits until the banks that it needs are free, and an "
        "access takes as many cycles as it needs distinct places in one bank, at most: control is paid for each, the "
        "operation per distinct word. See 'Shared memory' and 'Banks' in model.md.",
        (),
        (),
        (
            Setting("words", "int", "cells of a page", low=1, high=4096),
            Setting("pages", "int", "pages", 1, 1, 4),
            Setting(
                "reads",
                "int",
                "reads after which a block gives its page back; default: its threads",
                0,
                0,
                65536,
            ),
            Setting("ports", "ports", "numbers of ports", {"write": 1, "read": 1}),
            Setting("row", "int", "with banks: cells after which `pad` unused ones follow; 0: never", 0, 0, 4096),
            Setting("pad", "int", "with banks: unused cells after each row", 0, 0, 64),
        ),
        latency=2,
        op="shared_word",
        faults=(
            "no-launch",
            "mixed-launches",
            "shared-outside",
            "read-before-write",
            "given-back",
            "overwrite",
            "race",
        ),
    ),
    CoreType(
        "barrier",
        "storage",
        "A lock chamber: holds the packets of a block until all have come.",
        "n packets of one block and launch (default: threads per block). See 'Barrier' in model.md. Operation "
        "energy: slot access per word, on entry.",
        (Port("in", "any"), Port("arrive", "any", False)),
        _OUT_ANY,
        (
            Setting("n", "int", "packets of a block in a round; default: its threads", 0, 0, 1024),
            Setting("ahead", "int", "with arrive: rounds that pass without arrivals", 0, 0, 64),
        ),
        op="slot",
        faults=("no-launch",),
    ),
    # --- reduction --------------------------------------------------------------------------------------
    CoreType(
        "reduce",
        "reduction",
        "Reduces the lanes of a packet to one scalar.",
        _LANES + "Live lanes are folded by halves: lane l with lane l + n/2, then n/4, … to one; a masked lane leaves "
        "its partner as it is. any, all: 1 where a word, or every word, of the live lanes is ≠ 0. count: their number. "
        "first: the lowest one's word. Without live lanes: masked. Launch, block and barriers are the packet's, "
        "without thread. Latency log2 n cycles (at least 1), interval 1. Operation energy: live lanes − 1 operations, "
        "and a move per live lane.",
        (Port("in"),),
        _OUT,
        (
            Setting(
                "op",
                "choice",
                "how lanes become one",
                "add",
                choices=("add", "min", "max", "and", "or", "any", "all", "count", "first"),
            ),
        ),
        op="reduce",
        floats=True,
        faults=("not-finite",),
        lanes=True,
    ),
    CoreType(
        "accumulate",
        "reduction",
        "Reduces every n values to one; `ways` sums take turns.",
        "A group is n × ways values; value k goes to sum k mod ways, whose result leaves with its n-th value. With "
        "last wired, n does not count: the value whose last word is ≠ 0 closes the group, and sum 0 leaves at this "
        "firing, the sums 1 … ways − 1 at further firings that take nothing. The first live value of a sum is taken "
        "as it is, each further one is folded in: op(sum, value). Masked values count and add nothing; a sum without "
        "live values leaves masked, word 0. Latency and interval as the op's core (add 1/1, mul 3/3).",
        (Port("in"), Port("last", required=False)),
        _OUT,
        (
            Setting("op", "choice", "how two values become one", "add", choices=_REDUCE_OPS),
            Setting("n", "int", "values per sum", 1, 1, 65536),
            Setting("ways", "int", "sums that take turns", 1, 1, 64),
        ),
        op="reduce",
        floats=True,
        faults=("open-group", "mixed-launches", "not-finite"),
    ),
    CoreType(
        "scan",
        "reduction",
        "Running reduction: sends the sum so far with every value; starts afresh after n.",
        "Counted group of n values. Each firing folds its value in (as accumulate does) and sends the sum; masked "
        "while no live value has come.",
        (Port("in"),),
        _OUT,
        (
            Setting("op", "choice", "how two values become one", "add", choices=_REDUCE_OPS),
            Setting("n", "int", "values per group", low=1, high=65536),
        ),
        op="reduce",
        floats=True,
        faults=("open-group", "not-finite"),
    ),
)

CORES: dict[str, CoreType] = {core.name: core for core in _TYPES}
"""All core types by name, pads first, in the order of palette and docs."""

PAD_TYPES = tuple(core.name for core in _TYPES if core.family == "pad")


def shared_port_names(ports: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """Prefixes of a shared memory's write and read ports: (["write", "write2"], ["read"])."""

    def names(word: str) -> list[str]:
        return [word if i == 0 else f"{word}{i + 1}" for i in range(ports.get(word, 1))]

    return names("write"), names("read")


def ports_of(core: CoreType, settings: Mapping[str, Any]) -> tuple[tuple[Port, ...], tuple[Port, ...]]:
    """(inputs, outputs) of a core with these resolved ``settings`` (deal, collect and shared depend on them)."""
    if core.name == "deal":
        return core.inputs, tuple(Port(f"o{i}", "any") for i in range(settings["n"]))
    if core.name == "collect":
        return tuple(Port(f"i{i}", "any") for i in range(settings["n"])), core.outputs
    if core.name == "shared":
        writes, reads = shared_port_names(settings["ports"])
        inputs: list[Port] = []
        outputs: list[Port] = []
        for name in writes:
            inputs += [Port(f"{name}.at"), Port(f"{name}.value")]
            outputs.append(Port(f"{name}.done"))
        for name in reads:
            inputs.append(Port(f"{name}.at"))
            outputs += [Port(f"{name}.value"), Port(f"{name}.at")]
        return tuple(inputs), tuple(outputs)
    return core.inputs, core.outputs
