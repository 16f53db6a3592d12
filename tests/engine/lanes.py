"""Small machines with lanes for tests, and what their cores make, packet by packet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.log import FLAGS, INDEX, LAUNCH, MASKED, PORT, THREAD, WHAT, WORDS, Log, What
from engine.machine import FaultInfo, Stop
from engine.netlist import Array, Netlist
from engine.plain import PlainMachine
from tests.engine.netlists import NodeSpec, WireSpec, Words, array, make, node, wire


class Made(NamedTuple):
    """A packet as a core made it: values stored, live mask (of a scalar 1 or 0), stack, the output where it leaves."""

    values: tuple[int, ...]
    live: int
    stack: tuple[int, ...] = ()
    port: int = -1
    thread: int = -1


def machine(net: Netlist, **draws: Callable[[int, int], int]) -> PlainMachine:
    return PlainMachine(net, Words(net, **draws), None)  # type: ignore[arg-type]


def warps(
    *cores: NodeSpec,
    wires: list[WireSpec],
    lanes: int = 4,
    block: int = 8,
    blocks: int = 1,
    arrays: list[Array] | None = None,
    **rest: Any,
) -> Netlist:
    """A threads pad ``t`` (words: number, block, number in the block), which hands out warps, and some cores.

    The machine needs an output: unless ``arrays`` has one, each thread stores its number by ``out`` (wired here).
    """
    tokens = [(b * block + k, b, k) for b in range(blocks) for k in range(block)]
    nodes = [node("t", "threads", lanes=lanes), *cores]
    arrays = list(arrays or [])
    if not any(a.is_output for a in arrays):
        nodes.append(node("out", "store", array="out"))
        wires = [*wires, wire("t.token[0]", "out.at", "out.value")]
        arrays.append(array("out", block * blocks, output=True))
    return make(nodes, wires, arrays, tokens=tokens, block=block, **rest)


def number(launch: int, place: int) -> int:
    """What the store ``out`` of :func:`warps` expects."""
    return place


def made(net: Netlist, core: str, launches: int = 1, **draws: Callable[[int, int], int]) -> list[Made]:
    """All packets of the first launches that a core made; the machine must not fault."""
    draws.setdefault("out", number)
    m = machine(net, **draws)
    rows: list[Log] = []
    m.watch(rows.append)
    m.run(200_000)
    assert m.fault is None, m.fault
    return _made(net, rows, core, launches)


def _made(net: Netlist, rows: list[Log], core: str, launches: int) -> list[Made]:
    index = next(i for i, n in enumerate(net.nodes) if n.id == core)
    found = []
    for row in (row for part in rows for row in part.tolist()):
        if row[WHAT] == What.MADE and row[INDEX] == index and row[LAUNCH] < launches:
            flags = row[FLAGS]
            depth = flags >> 40 & 3
            order = net.nodes[index].kind == "switch" and row[PORT] == 2
            lanes = 1 if order else net.nodes[index].lanes
            found.append(
                Made(
                    tuple(row[WORDS : WORDS + net.nodes[index].result_values]),
                    flags >> 8 & 255 if lanes > 1 else int(not flags & MASKED),
                    tuple(flags >> 16 + 8 * k & 255 for k in range(depth)),
                    row[PORT],
                    row[THREAD],
                )
            )
    return found


def fired(net: Netlist, core: str, **draws: Callable[[int, int], int]) -> list[int]:
    """The ticks at which a core fired."""
    draws.setdefault("out", number)
    m = machine(net, **draws)
    rows: list[Log] = []
    m.watch(rows.append)
    m.run(200_000)
    index = next(i for i, n in enumerate(net.nodes) if n.id == core)
    return [row[0] for part in rows for row in part.tolist() if row[WHAT] == What.FIRED and row[INDEX] == index]


def fault(net: Netlist, **draws: Callable[[int, int], int]) -> FaultInfo:
    """The fault that the machine must end in."""
    draws.setdefault("out", number)
    m = machine(net, **draws)
    assert m.run() is Stop.FAULT, m.now
    assert m.fault is not None
    return m.fault


def passes(net: Netlist, **draws: Callable[[int, int], int]) -> PlainMachine:
    """The machine after its window, which it must reach."""
    draws.setdefault("out", number)
    m = machine(net, **draws)
    assert m.run() is Stop.WINDOW, m.fault or m.now
    return m
