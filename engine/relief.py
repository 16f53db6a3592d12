"""The smallest buffers that would break a deadlock, found by running the machine with them.

A buffer is put on a wire as a player would put it: the wire is cut in two and the buffer stands between. The machine
is run again, on the same data; where it then reaches the end of what is scored, or the time limit, the deadlock is
broken. Tried are the wires that are full in the ring of waits, and those of the rings that show up behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from engine.explain import Cause, why
from engine.machine import Machine, Stop
from engine.machines import make_machine
from engine.model import AddedBuffer, Deadlock, Design, Level
from engine.netlist import InPort, Netlist, Node, OutPort, Wire, WordPick
from engine.simulation import Simulation
from engine.technology import technology
from engine.units import TICKS_PER_CYCLE, TICKS_PER_NS

MAX_SLOTS = 64
"""Slots of the largest buffer in the catalogue."""

MAX_RUNS = 160
"""The search ends after so many runs."""

MAX_WIRES = 6
"""At most so many wires are given room at once."""

ENOUGH_EVENTS, ENOUGH_TIMES = 60_000, 4
"""A run with more events than this, and so many times those that led to the deadlock, moves: the deadlock is broken."""

_SLICE_TICKS = 100_000


def with_buffers(netlist: Netlist, slots: Mapping[int, int]) -> Netlist:
    """The same machine with a buffer of so many slots on each of these wires.

    The wire keeps its number behind the buffer, and its tiles on both sides; one of a single step grows by one. What
    the buffer costs is left out: this is for asking whether a machine moves, not for scores.
    """
    nodes, wires = list(netlist.nodes), list(netlist.wires)
    for number, count in sorted(slots.items()):
        _cut(nodes, wires, number, count, technology(netlist.technology).event_aj["control"])
    return replace(netlist, nodes=tuple(nodes), wires=tuple(wires))


def _cut(nodes: list[Node], wires: list[Wire], number: int, slots: int, control_aj: int) -> None:
    wire, first, width = wires[number], len(wires), len(wires[number].words)
    tiles = wire.tiles if wire.length > 1 else (*wire.tiles, wire.tiles[-1])
    middle = max(1, (len(tiles) - 1) // 2)
    picks = tuple(WordPick(False, w) for w in range(width))
    source = nodes[wire.source]
    buffer = Node(
        id=f"buffer on {source.id}",
        kind="buffer",
        element=source.element,
        at=tiles[middle],
        inputs=(InPort("in", (first,), picks),),
        outputs=(OutPort("out", (number,), 0, width),),
        result_width=width,
        latency_ticks=TICKS_PER_CYCLE,
        interval_ticks=TICKS_PER_CYCLE,
        room=slots,
        is_float=source.is_float,
        control_aj=control_aj,
        op_aj=0,
        op_cause="storage",
        params={"slots": slots},
    )
    outputs = list(source.outputs)
    port = outputs[wire.source_port]
    outputs[wire.source_port] = replace(port, wires=tuple(first if w == number else w for w in port.wires))
    nodes[wire.source] = replace(source, outputs=tuple(outputs))
    wires.append(replace(wire, target=len(nodes), ports=(0,), tiles=tiles[: middle + 1]))
    wires[number] = replace(wire, source=len(nodes), source_port=0, words=tuple(range(width)), tiles=tiles[middle:])
    nodes.append(buffer)


def relieve(simulation: Simulation, deadlock: Deadlock) -> Deadlock:
    """``deadlock``, in which ``simulation`` ended, with the smallest buffers that break it, or why none does.

    The least total of slots is sought on one wire of the ring, then on two and more of them, within a bounded number of
    runs. The simulation itself, which stands at the deadlock, is not moved.
    """
    if not deadlock.ring:
        return deadlock.model_copy(update={"buffers": [], "cure": _no_ring(deadlock)})
    search = _Search(simulation)
    found = search.smallest()
    fault = search.fault
    if found is None and fault and deadlock.kind == "roads":
        # Nothing makes a sound machine of it, but room is what is missing first.
        search = _Search(simulation, beyond_tick=round(deadlock.time_ns * TICKS_PER_NS))
        found = search.smallest()
    netlist = simulation.netlist
    if found is None:
        if deadlock.kind == "loop":
            text = "no buffer breaks it: it is not room that is missing, but a word"
        elif deadlock.kind == "page":
            text = "no buffer breaks it: the block waits for its own page"
        elif fault:
            text = f"no buffer breaks it: with more room the machine goes on, to a fault ({fault})"
        else:
            text = "no buffer breaks it: the same wait comes back however much room there is"
        return deadlock.model_copy(update={"buffers": [], "cure": text})
    parts = [f"{slots} on {netlist.wires[w].id}" for w, slots in found.items()]
    many = "a buffer of " if len(parts) == 1 else "buffers of "
    text = f"{many}{' and '.join(parts)} would break it"
    if fault and search.fault:
        text += f", and then comes a fault: {search.fault}"
    buffers = [AddedBuffer(wire=netlist.wires[w].id, slots=slots) for w, slots in found.items()]
    return deadlock.model_copy(update={"buffers": buffers, "cure": text})


def cured(level: Level, design: Design, deadlock: Deadlock, seed: int = 0) -> Deadlock:
    """As :func:`relieve`, for a machine that is run to its deadlock first."""
    simulation = Simulation(level, design, seed=seed)
    simulation.machine.run()
    return relieve(simulation, deadlock)


def _no_ring(deadlock: Deadlock) -> str:
    if deadlock.kind == "stopped":
        return "no buffer breaks it: the wire is stopped"
    if deadlock.kind == "barrier":
        return "no buffer breaks it: what the barrier waits for never comes"
    return "no buffer breaks it: nobody waits in a ring"


class _Search:
    """Runs of one machine with more room here and there. A fault after ``beyond_tick`` is no obstacle."""

    def __init__(self, simulation: Simulation, beyond_tick: int | None = None) -> None:
        self.simulation = simulation
        self.beyond_tick = beyond_tick
        self.runs = 0
        self.enough = max(ENOUGH_EVENTS, ENOUGH_TIMES * simulation.machine.events)
        self.fault = ""
        self._known: dict[tuple[tuple[int, int], ...], bool] = {}

    def smallest(self) -> dict[int, int] | None:
        """Slots by wire; None where no buffers were found that break it."""
        wires = self._candidates()
        if wires is None:
            return None
        best: dict[int, int] | None = None
        for wire in wires:
            limit = MAX_SLOTS if best is None else total_of(best) - 1
            slots = self._least({}, wire, limit)
            if slots is not None:
                best = {wire: slots}
        if best is not None:
            return best
        for count in range(2, len(wires) + 1):
            for some in combinations(wires, count):
                if self._moves(dict.fromkeys(some, MAX_SLOTS)):
                    return self._shrink(dict.fromkeys(some, MAX_SLOTS))
        return None

    def _candidates(self) -> list[int] | None:
        """Wires that let it move once they are roomy: those of the ring, and of rings behind it; None without any."""
        wires: list[int] = []
        machine = self._run({})
        while len(wires) <= MAX_WIRES:
            more = [w for w in self._full(machine) if w not in wires]
            if not more:
                return None
            wires += more
            wires = wires[:MAX_WIRES]
            slots = dict.fromkeys(wires, MAX_SLOTS)
            if self._moves(slots):
                return wires
            machine = self._run(slots)
            if self._stop is not Stop.DEADLOCK or len(wires) == MAX_WIRES:
                return None
        return None

    def _full(self, machine: Machine) -> list[int]:
        """Full wires in the rings of waits, by their numbers in the machine as it was."""
        netlist, state = machine.netlist, machine.state()
        count, found = len(self.simulation.netlist.wires), dict[int, None]()
        for index, node in enumerate(netlist.nodes):
            if node.kind in ("store", "sink", "threads", "stream"):
                cause: Cause = why(netlist, state, index)
                if cause.ring:
                    found.update(dict.fromkeys(w for w in cause.full if w < count))
        return list(found)

    def _least(self, others: Mapping[int, int], wire: int, limit: int) -> int | None:
        """The fewest slots on ``wire``, beside others, with which it moves: by halves, as more room never hurts."""
        if limit < 1 or not self._moves({**others, wire: limit}):
            return None
        low, high = 0, limit
        while high - low > 1:
            middle = (low + high) // 2
            if self._moves({**others, wire: middle}):
                high = middle
            else:
                low = middle
        return high

    def _shrink(self, slots: dict[int, int]) -> dict[int, int]:
        """Fewer slots on each in turn; then the least total, as far as the bound on runs allows."""
        for wire in slots:
            others = {w: n for w, n in slots.items() if w != wire}
            slots[wire] = self._least(others, wire, slots[wire]) or slots[wire]
        for total in range(len(slots), total_of(slots)):
            for parts in _shares(total, len(slots)):
                if self.runs >= MAX_RUNS:
                    return slots
                tried = dict(zip(slots, parts, strict=True))
                if self._moves(tried):
                    return tried
        return slots

    def _moves(self, slots: Mapping[int, int]) -> bool:
        key = tuple(sorted(slots.items()))
        if key not in self._known:
            self._known[key] = self.runs < MAX_RUNS and self._beyond(self._run(slots))
        return self._known[key]

    def _beyond(self, machine: Machine) -> bool:
        if machine.fault is not None:
            self.fault = machine.fault.code
            return self.beyond_tick is not None and machine.fault.tick > self.beyond_tick
        return self._stop is not Stop.DEADLOCK

    def _run(self, slots: Mapping[int, int]) -> Machine:
        self.runs += 1
        simulation = self.simulation
        netlist = with_buffers(simulation.netlist, slots)
        machine = make_machine(netlist, simulation.workload, simulation.options, simulation.engine)
        self._stop = Stop.UNTIL
        while self._stop is Stop.UNTIL and machine.events < self.enough:
            self._stop = machine.run(max(machine.now, 0) + _SLICE_TICKS)
        return machine


def total_of(slots: Mapping[int, int]) -> int:
    """Slots of all buffers."""
    return sum(slots.values())


def _shares(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to split a total into so many parts of at least one."""
    if parts == 1:
        yield (total,)
        return
    for first in range(1, total - parts + 2):
        for rest in _shares(total - first, parts - 1):
            yield (first, *rest)
