"""The smallest buffers that would break a deadlock, found by running the machine with them.

A buffer is put on a wire as a player would put it: the wire is cut in two and the buffer stands between. The machine
is run again, on the same data; where it then reaches the end of what is scored, or the time limit, the deadlock is
broken. Tried are the wires that are full in the ring of waits, and those of the rings that show up behind it. Where one
buffer is too small there are several in series; where the level has none, the wires are made longer instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from engine.builder import Builder
from engine.errors import UsageError
from engine.explain import Cause, why
from engine.machine import Machine, Stop
from engine.machines import make_machine
from engine.model import AddedBuffer, Deadlock, Design, Level
from engine.netlist import InPort, Netlist, Node, OutPort, Wire, WordPick
from engine.simulation import Simulation
from engine.technology import technology
from engine.units import TICKS_PER_CYCLE, TICKS_PER_NS
from engine.wait_words import counted

MAX_SLOTS = 64
"""Slots of the largest buffer in the catalogue."""

MAX_ROOM = 2048
"""Words of room that are tried on a wire at most."""

MAX_RUNS = 160
"""The search ends after so many runs."""

MAX_WIRES = 6
"""At most so many wires are given room at once."""

ENOUGH_EVENTS, ENOUGH_TIMES = 60_000, 4
"""A run with more events than this, and so many times those that led to the deadlock, moves: the deadlock is broken."""

EVENTS_PER_SLOT = 4
"""So many events of each core and wire may pass for every slot of room before it is full."""

_SLICE_TICKS = 100_000

Widen = Callable[[Netlist, Mapping[int, int]], Netlist]
"""Gives wires room for so many words."""


def with_buffers(netlist: Netlist, slots: Mapping[int, int]) -> Netlist:
    """The same machine with a buffer of so many slots on each of these wires; more than 64 are several in series.

    The wire keeps its number behind the buffer, and its tiles on both sides; one of a single step grows by one. What
    the buffer costs is left out: this is for asking whether a machine moves, not for scores.
    """
    nodes, wires = list(netlist.nodes), list(netlist.wires)
    for number, count in sorted(slots.items()):
        for each in in_series(count):
            _cut(nodes, wires, number, each, technology(netlist.technology).event_aj["control"])
    return replace(netlist, nodes=tuple(nodes), wires=tuple(wires))


def in_series(slots: int) -> list[int]:
    """Slots of the buffers that together have so many."""
    return [MAX_SLOTS] * (slots // MAX_SLOTS) + ([slots % MAX_SLOTS] if slots % MAX_SLOTS else [])


def with_tiles(netlist: Netlist, tiles: Mapping[int, int]) -> Netlist:
    """The same machine with these wires longer by so many tiles, each of which holds a word; costs are left out."""
    wires = list(netlist.wires)
    for number, count in tiles.items():
        wires[number] = replace(wires[number], tiles=wires[number].tiles + (wires[number].tiles[-1],) * count)
    return replace(netlist, wires=tuple(wires))


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
        inputs=(InPort("in", (first,), picks, lanes=wire.lanes, forms=wire.forms),),
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
        lanes=wire.lanes,
        forms=wire.forms,
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
    netlist = simulation.netlist
    result = _look(simulation, deadlock, with_buffers)
    if result.room is None:
        return deadlock.model_copy(update={"buffers": [], "cure": _no_buffer(netlist, deadlock, result)})
    then = f", and then comes a fault: {result.fault}" if result.fault else ""
    refused = _refused(simulation, result.room)
    if refused:
        longer = _look(simulation, deadlock, with_tiles).room
        return deadlock.model_copy(update={"buffers": [], "cure": f"{refused}: {_lengthen(simulation, longer)}{then}"})
    parts = [f"{_listed(slots)} on {netlist.wires[w].id}" for w, slots in result.room.items()]
    many = "a buffer of " if len(parts) == 1 and max(result.room.values()) <= MAX_SLOTS else "buffers of "
    buffers = [AddedBuffer(wire=netlist.wires[w].id, slots=slots) for w, slots in result.room.items()]
    text = f"{many}{' and '.join(parts)} would break it{then}"
    return deadlock.model_copy(update={"buffers": buffers, "cure": text})


def _listed(slots: int) -> str:
    """4; 64 and 31 in series; 15 of 64 and one of 40 in series."""
    each = in_series(slots)
    if len(each) == 1:
        return str(slots)
    if len(each) <= 2:
        return f"{each[0]} and {each[1]} in series"
    full = each.count(MAX_SLOTS)
    rest = f" and one of {each[-1]}" if each[-1] < MAX_SLOTS else ""
    return f"{MAX_SLOTS} ({full} of them{rest}) in series"


@dataclass(frozen=True, slots=True)
class _Result:
    """Room by wire that breaks a deadlock, None where none was found; the fault that comes then, or came instead.

    ``tried`` are the wires that were given room, ``most`` how much; ``all`` is False where the search was cut short.
    """

    room: dict[int, int] | None
    fault: str
    tried: tuple[int, ...]
    most: int
    all: bool


def _look(simulation: Simulation, deadlock: Deadlock, widen: Widen) -> _Result:
    """The least room that breaks a deadlock: within one buffer on each wire, else with much more."""
    for most in (MAX_SLOTS, MAX_ROOM):
        search = _Search(simulation, widen, most)
        found, fault = search.smallest(), search.fault
        if found is None and fault and deadlock.kind == "roads":
            # Nothing makes a sound machine of it, but room is what is missing first.
            search = _Search(simulation, widen, most, beyond_tick=round(deadlock.time_ns * TICKS_PER_NS))
            found, fault = search.smallest(), search.fault or fault
        elif found is not None:
            fault = ""
        if found is not None or fault:
            break
    return _Result(found, fault, tuple(search.tried), most, not search.cut)


def _no_buffer(netlist: Netlist, deadlock: Deadlock, result: _Result) -> str:
    if result.fault:
        return f"no buffer breaks it: with more room the machine goes on, to a fault ({result.fault})"
    if not result.all:
        names = ", ".join(netlist.wires[w].id for w in result.tried)
        return f"no buffer was found that breaks it: up to {result.most:,} words of room were tried on {names}"
    if deadlock.kind == "loop":
        return "no buffer breaks it: it is not room that is missing, but a word"
    if deadlock.kind == "page":
        return "no buffer breaks it: the block waits for its own page"
    return f"no buffer breaks it: with room for {result.most:,} words more the same wait comes back"


def _refused(simulation: Simulation, room: Mapping[int, int]) -> str:
    """Why the level does not allow such buffers; "" where it does."""
    level, placed = simulation.level, [core.core for core in simulation.design.cores].count("buffer")
    if level.parts is not None:
        allowed = level.parts.get("buffer", level.parts.get("*", 0))
        if not allowed:
            return "this level has no buffer"
        if placed + sum(len(in_series(slots)) for slots in room.values()) > allowed:
            return f"this level has no more than {counted(allowed, 'buffer')}"
    most, needed = level.limits.slots, simulation.netlist.slots + total_of(room)
    if most is not None and needed > most:
        return f"this level allows {counted(most, 'slot')}, and {needed} are needed"
    return ""


def _lengthen(simulation: Simulation, tiles: Mapping[int, int] | None) -> str:
    """Longer wires in place of buffers. Two ways between the same tiles differ by an even number."""
    if tiles is None:
        return "change the order of work"
    even = {w: n + n % 2 for w, n in tiles.items()}
    parts = [f"{simulation.netlist.wires[w].id} longer by {counted(n, 'tile')}" for w, n in even.items()]
    text = f"{' and '.join(parts)} would break it"
    try:
        builder = Builder.of(simulation.level, simulation.design)
        for w, n in even.items():
            builder.reroute(builder.lines[w], length=builder.lines[w].length + n)
    except UsageError:
        text += ", but there is no way for it as things stand: move cores, or change the order of work"
    return text


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
    """Runs of one machine with more room here and there, at most ``most`` words on a wire.

    A fault after ``beyond_tick`` is no obstacle. ``cut`` tells that not all could be tried, ``tried`` on which wires.
    """

    def __init__(self, simulation: Simulation, widen: Widen, most: int, beyond_tick: int | None = None) -> None:
        self.simulation = simulation
        self.widen = widen
        self.most = most
        self.tried: list[int] = []
        self.cut = False
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
            limit = self.most if best is None else total_of(best) - 1
            slots = self._least({}, wire, limit)
            if slots is not None:
                best = {wire: slots}
        if best is not None:
            return best
        for count in range(2, len(wires) + 1):
            for some in combinations(wires, count):
                if self._moves(dict.fromkeys(some, self.most)):
                    return self._shrink(dict.fromkeys(some, self.most))
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
            self.cut = self.cut or len(wires) > MAX_WIRES
            self.tried = wires = wires[:MAX_WIRES]
            slots = dict.fromkeys(wires, self.most)
            if self._moves(slots):
                return wires
            machine = self._run(slots)
            if self._stop is not Stop.DEADLOCK:
                return None
            if len(wires) == MAX_WIRES:
                self.cut = True
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
            self.cut = self.cut or self.runs >= MAX_RUNS
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
        netlist = self.widen(simulation.netlist, slots)
        enough = self.enough
        if self.most > MAX_SLOTS:
            enough += (
                EVENTS_PER_SLOT * total_of(slots) * (len(simulation.netlist.nodes) + len(simulation.netlist.wires))
            )
        machine = make_machine(netlist, simulation.workload, simulation.options, simulation.engine)
        self._stop = Stop.UNTIL
        while self._stop is Stop.UNTIL and machine.events < enough:
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
