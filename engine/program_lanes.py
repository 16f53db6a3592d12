"""What only wide machines have in their program: lanes, masks, lines, banks ("Lanes" in docs/model.md).

Values are what a packet stores: one for a linear word, one a lane for the others. :func:`in_values` writes a netlist in
values instead of words, so that all that only passes packets on needs no code of its own; :class:`Lanes` is the one
argument of the loop that has the rest, None in machines that are not wide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.catalog import CORES
from engine.netlist import LOOKAHEAD, Form, InPort, Netlist, Node, Wire, WordPick, values_of

Array = NDArray[Any]

LANES_OF_LINEAR = 255
"""Lanes of a linear word, as bits."""
SCALAR = 256
"""Beside the mask of a scalar, which stands for all lanes."""
SCALAR_LIVE = SCALAR | LANES_OF_LINEAR


def _record(**columns: str) -> np.dtype[Any]:
    return np.dtype([(name, kind) for kind, names in columns.items() for name in names.split()], align=True)


LANE_PACKET = _record(i4="live value stack")
"""More of a packet's header. ``live``: bit l for lane l; of a scalar SCALAR, or SCALAR_LIVE; ``value``: the same for
the value of a load, whose echo may be masked where it is not; ``stack``: masks before its splits, 8 bits each, the
oldest lowest, and their number from bit 24 on."""

LANE_NODE = _record(
    i8="fired since wanted",
    i4="lanes breadth full whole bits vector own own_effort own_clean several once per_lane limit a b c d "
    "rows kept block first most made",
)
"""More of a node. ``fired``: its last firing (``NODE.last`` is that tick, later by the intervals that it held more than
one); ``lanes``: of its results; ``breadth``: the most of inputs and results; ``full``, ``whole``: masks of a result and
of what meets in it, with all lanes live; ``bits``: place in ``ids`` of the lanes of each value of a result, as bits;
``vector``: it works by the rules of lanes; ``own``, ``own_effort``, ``own_clean``: its results, what its firings cost,
and which of their values are 0, are as its kind says; ``several``: a firing may make several results; ``limit``:
results that it may hold, where the ring has more places; ``a`` … ``d``: settings of its kind; ``rows``, ``kept``,
``block``, ``first``, ``most``: lanes that wait for their packet, which of them are live, their block and first thread,
and the most barriers of the group; of a barrier ``rows`` are the threads in its chamber. ``since``, ``wanted``: from
when on a port of a shared memory has waited for banks (−1: it does not), and for which, as bits. ``made``: how many
results its last firing has made, where it may make several and physics looks at them."""

LANE_MEMORY = _record(i4="banks row pad at")
"""A shared memory: its banks, 0 for none, where its cells lie in them, and the place of its banks in ``free``."""

LANE_WIRE = _record(i4="lanes pick spread cast")
"""More of a wire. ``pick``, ``spread``, ``cast``: those of the port at its end for its packets, where others end there
as well; else ``pick`` is −1. The lanes of each value, as bits, stand in ``ids`` behind the values' positions."""

LANE_PORT = _record(i4="words lanes bits spread cast cast_n")
"""More of an input port: its words, the lanes of its packets, and place in ``ids`` of those of each value. ``spread``:
picks of each word in each lane of the core (``breadth``), word by word; ``cast``, ``cast_n``: picks of what goes into
the result, where it is passed on. A pick's ``value`` is added to that of the packet: the step of a linear word."""

LANE_COUNT = _record(i8="lanes controls work cycles")
"""More counters of a node, by segment; see :class:`engine.machine.Counters`."""

SCRATCH_VALUES = 64
"""Places for values in the making."""


class Lanes(NamedTuple):
    """What only wide machines have: one argument of the loop.

    ``packets`` … ``ports``: the records above. ``counts``: LANE_COUNT of each node and segment. ``lines``: words of a
    line of each array. ``words``: words moved by launch (of a ring) and array, then the most by array. ``tokens``:
    live masks of the tokens of a launch. ``block``: threads of a block. ``memories``: LANE_MEMORY; ``free``: from when
    on each of their banks is free. ``scratch``: values in the making, of no meaning between firings.
    """

    packets: Array
    nodes: Array
    wires: Array
    ports: Array
    counts: Array
    lines: Array
    words: Array
    tokens: Array
    block: Array
    memories: Array
    free: Array
    scratch: Array

    def moving(self) -> tuple[Array, ...]:
        """What changes while the machine runs: for snapshots."""
        return self.packets, self.nodes, self.ports, self.counts, self.words, self.free


# --- a netlist in values --------------------------------------------------------------------------------------

_PASSING = {
    **dict.fromkeys(("relay", "buffer", "gate", "switch", "guard", "repeat", "take", "skip", "deal", "delay"), (0,)),
    "barrier": (0,),
    "mux": (1, 2),
    "join": (0, 1),
}
"""Ports whose words become the result's, by kind; of collect and tuple all."""


def in_values(net: Netlist) -> Netlist:
    """The netlist with values for words: widths, positions, picks and immediates; a machine without lanes as it is."""
    if not any(node.forms or any(port.forms for port in node.inputs) for node in net.nodes):
        return net
    nodes = []
    for node in net.nodes:
        inputs = tuple(_port_in_values(net, port) for port in node.inputs)
        params = node.params
        if node.kind == "delay":
            params = {**params, "init": _repeated(params["init"], node.forms, node.lanes)}
        nodes.append(replace(node, inputs=inputs, result_width=node.result_values, params=params))
    wires = []
    for wire in net.wires:
        source = net.nodes[wire.source]
        places = values_of(source.forms, source.lanes)
        words = tuple(at for word in wire.words for at in range(places[word][0], sum(places[word])))
        wires.append(replace(wire, words=words))
    return replace(net, nodes=tuple(nodes), wires=tuple(wires))


def _port_in_values(net: Netlist, port: InPort) -> InPort:
    if port.wires:
        rows = _rows(net.wires[port.wires[0]], port, port.forms, port.lanes)
        return replace(port, picks=tuple(WordPick(at < 0, value if at < 0 else at) for at, value in rows))
    if port.immediate is not None:
        return replace(port, immediate=_repeated(port.immediate, port.forms, port.lanes))
    return port


def _repeated(words: Sequence[int], forms: Sequence[Form], lanes: int) -> tuple[int, ...]:
    """Constants as values."""
    return tuple(word for word, form in zip(words, forms, strict=True) for _ in range(lanes if form is None else 1))


def _cast_forms(node: Node, number: int) -> tuple[Form, ...]:
    """The forms in which what is seen at a port goes into the result; () where it does not."""
    port = node.inputs[number]
    if node.kind == "tuple":
        first = sum(before.width for before in node.inputs[:number])
        return node.forms[first : first + port.width]
    if node.kind == "collect" or number in _PASSING.get(node.kind, ()):
        return node.forms[: port.width]
    return ()


Row = tuple[int, int]
"""A pick: the position of a value and what is added to it, or −1 and a constant."""


def _wrapped(value: int) -> int:
    """The low 32 bits as a signed number."""
    return (value + 2**31) % 2**32 - 2**31


def _rows(wire: Wire | None, port: InPort, forms: Sequence[Form], lanes: int) -> list[Row]:
    """The values of a port's words in some forms, for packets of ``wire`` (None: an immediate)."""
    found: list[Row] = []
    places = values_of(wire.forms, wire.lanes) if wire else ()
    for word, form in enumerate(forms):
        for lane in range(lanes if form is None else 1):
            if wire is None:
                found.append((-1, (port.immediate or ())[word]))
                continue
            pick = port.picks[word]
            if pick.constant:
                found.append((-1, pick.value))
                continue
            step, at = wire.forms[pick.value], places[pick.value][0]
            found.append((at + lane, 0) if step is None else (at, _wrapped(step * lane)))
    return found


def _echo_rows(node: Node, wire: Wire | None, port: InPort) -> list[Row]:
    """The packet as it came, in the forms of the echo."""
    forms = node.forms[1:] if node.kind in ("load", "shared.read") else node.forms
    if wire is None:
        return _rows(None, port, forms, node.lanes)
    packet = tuple(WordPick(False, k) for k in range(len(wire.words)))
    return _rows(wire, replace(port, picks=packet), forms, node.lanes)


# --- the arrays -----------------------------------------------------------------------------------------------


def lanes_of(net: Netlist, packets: int, ids: Any, picks: int, kinds: Mapping[str, int]) -> tuple[Lanes, list[Row]]:
    """What only wide machines have, and more picks, which follow the ``picks`` that there are.

    Lists are added to ``ids`` with its method ``add``; those of wires stand there right behind the positions already.
    """
    rows: list[Row] = []

    def place(new: list[Row]) -> int:
        rows.extend(new)
        return picks + len(rows) - len(new)

    count = len(net.nodes)
    nodes, wires = np.zeros(count, LANE_NODE), np.zeros(len(net.wires), LANE_WIRE)
    wires["pick"] = -1
    ports = np.zeros(max(1, sum(len(node.inputs) for node in net.nodes)), LANE_PORT)
    at = 0
    for i, node in enumerate(net.nodes):
        row = nodes[i]
        row["fired"] = -1
        row["lanes"], row["breadth"], row["vector"] = node.lanes, node.breadth, node.vector
        row["full"] = (1 << node.lanes) - 1 if node.lanes > 1 else SCALAR_LIVE
        meets = max([port.lanes for port in node.inputs], default=1)
        row["whole"] = (1 << meets) - 1 if meets > 1 else SCALAR_LIVE
        row["own"] = node.vector and node.kind in _OWN
        row["own_effort"] = (node.vector and node.kind in _OWN_EFFORT) or node.kind in _SHARED
        row["since"] = -1
        row["own_clean"] = node.vector and node.kind in _OWN_CLEAN
        row["several"] = node.vector and node.kind in _SEVERAL
        row["block"] = row["first"] = -1
        _settings(node, row, ids, kinds, place)
        row["bits"] = ids.add(lane_bits(node.forms or (0,) * node.result_width, node.lanes))
        row["once"], row["per_lane"], row["limit"] = node.once, node.per_lane, node.room
        for number, port in enumerate(node.inputs):
            forms, lanes = _cast_forms(node, number), node.breadth
            words = port.width
            entry = ports[at]
            at += 1
            entry["words"], entry["lanes"] = words, port.lanes
            entry["bits"] = ids.add(lane_bits(port.forms or (0,) * words, port.lanes))
            many = len(port.wires) > 1
            for w in reversed(port.wires) if port.wires else (None,):
                wire = None if w is None else net.wires[w]
                if wire is None and port.immediate is None:
                    continue
                view = place(_rows(wire, port, (None,) * words, lanes)) if port.forms else 0
                cast_rows = _rows(wire, port, forms, lanes) if forms else []
                if node.kind in _ECHOING and number == 0:
                    cast_rows = _echo_rows(node, wire, port)
                entry["spread"], entry["cast"], entry["cast_n"] = view, place(cast_rows), len(cast_rows)
                if many and w is not None:
                    seen = place(_rows(wire, port, port.forms, port.lanes)) if port.forms else -1
                    wires[w]["pick"], wires[w]["spread"], wires[w]["cast"] = seen, view, entry["cast"]
    for w, wire in enumerate(net.wires):
        wires[w]["lanes"] = wire.lanes
    live = net.token_live
    made = Lanes(
        packets=np.zeros(packets, LANE_PACKET),
        nodes=nodes,
        wires=wires,
        ports=ports,
        counts=np.zeros(4 * count, LANE_COUNT),
        lines=np.array([array.line for array in net.arrays] or [1], np.int32),
        words=np.zeros((LOOKAHEAD + 1) * max(1, len(net.arrays)), np.int32),
        tokens=np.full(1, SCALAR_LIVE, np.int32) if live is None else live.astype(np.int32),
        block=np.array([net.threads_per_block], np.int32),
        memories=_memories(net),
        free=np.zeros(1 + sum(memory.banks for memory in net.memories), np.int64),
        scratch=np.zeros(SCRATCH_VALUES, np.int64),
    )
    return made, rows


_ECHOING = ("load", "store", "shared.write", "shared.read")
_OWN = {"gate", "guard", "load", "store", "shuffle", "reduce", "switch", "join", "pack", "unpack", "compact"}
_OWN_CLEAN = {"load", "switch", "pack", "compact"}
_SEVERAL = {"switch", "compact"}
_OWN |= {name for name, core in CORES.items() if core.family == "arithmetic"}
_OWN_EFFORT = {"load", "store", "pack", "unpack", "compact"}
_SHARED = {"shared.write", "shared.read"}
PATTERNS = ("up", "down", "xor")
FOLDS = {"any": 100, "all": 101, "count": 102, "first": 103}
"""Numbers of reductions that are no operation of two words; others have those of the operation's kind."""


def _kept_rows(port: InPort) -> list[Row]:
    """Picks of each word in each lane of a packet that is kept as a port sees it."""
    found = []
    for (at, _), form in zip(values_of(port.forms, port.lanes), port.forms, strict=True):
        found += [(at + lane, 0) if form is None else (at, _wrapped(form * lane)) for lane in range(port.lanes)]
    return found


def _settings(node: Node, row: Any, ids: Any, kinds: Mapping[str, int], place: Callable[[list[Row]], int]) -> None:
    """The settings a … d of a node with lanes."""
    p = node.params
    match node.kind:
        case "load" | "store":
            row["a"] = all(form == 0 for form in node.inputs[0].forms)
        case "shared.write" | "shared.read":
            row["d"] = p["memory"]
        case "switch":
            row["a"] = bool(p.get("keep"))
        case "pack" | "compact":
            row["a"] = p["every"]
        case "unpack":
            row["a"] = p["drop"]
            row["b"] = place(_kept_rows(node.inputs[0]))
        case "shuffle":
            row["a"], row["b"] = PATTERNS.index(p["pattern"]), p["k"]
            row["c"] = ids.add(p["fill"])
        case "reduce":
            row["a"] = FOLDS.get(p["op"], kinds.get(p["op"], 0))


def _memories(net: Netlist) -> Array:
    made, at = np.zeros(max(1, len(net.memories)), LANE_MEMORY), 0
    for row, memory in zip(made, net.memories, strict=False):
        row["banks"], row["row"], row["pad"], row["at"] = memory.banks, memory.row, memory.pad, at
        at += memory.banks
    return made


def lane_bits(forms: Sequence[Form], lanes: int) -> list[int]:
    """For each value of a packet its lane as a bit; of a linear word all lanes."""
    bits = [1 << lane for lane in range(lanes)]
    return [bit for form in forms for bit in (bits if form is None else [LANES_OF_LINEAR])]
