"""Machines that work by luck: those that fail when delays vary, where it begins, and what lets it.

The words of a launch are the same whatever the delays, as long as no core's result depends on which packet comes first.
Where wires meet at a port, or ports share cells, it may. A run with varied delays that fails is compared with the
nominal one wire by wire, packet by packet; from the place of the failure the differences are followed upstream to the
first core that made another packet from the same ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.log import BARRIERS, BLOCK, FLAGS, INDEX, LAUNCH, LIVE, THREAD, TICK, WHAT, WORDS, Log, What
from engine.machine import FaultInfo, Machine, Options, Stop
from engine.machines import EngineName, make_machine
from engine.model import Hazard
from engine.netlist import Netlist
from engine.outcome import Outcome
from engine.truth import Workload
from engine.units import ns_from_ticks

AHEAD_TICKS = 2_000
"""The nominal run goes on by so much at a time until it has done what the other one did."""

_Ints = NDArray[np.int64]


def find_hazard(netlist: Netlist, workload: Workload, engine: EngineName, runs: int) -> Hazard | None:
    """Run a machine with ``runs`` jitter seeds; how and where the first that fails does so, or None.

    A fault or a deadlock is a failure; that a varied run is slow is none.
    """
    for seed in range(1, runs + 1):
        options = Options(jitter_seed=seed)
        stop = make_machine(netlist, workload, options, engine).run()
        if stop is Stop.FAULT or stop is Stop.DEADLOCK:
            varied = _Record(make_machine(netlist, workload, options, engine))
            varied.machine.run()
            varied.add_refused()
            nominal = _Record(make_machine(netlist, workload, Options(), engine))
            nominal.catch_up(varied)
            return _hazard(netlist, seed, Outcome(stop, varied.machine, netlist), nominal, varied)
    return None


class _Record:
    """What enters and leaves the wires of a machine, as far as it has run."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.entered: list[list[_Ints]] = [[] for _ in machine.netlist.wires]
        self.left: list[_Ints] = []
        machine.watch(self._take)

    def _take(self, log: Log) -> None:
        self.left.append(log[log[:, WHAT] == What.LEFT][:, [TICK, INDEX]])
        rows = log[log[:, WHAT] == What.ENTERED]
        for wire in np.unique(rows[:, INDEX]).tolist():
            self.entered[wire].append(rows[rows[:, INDEX] == wire])

    def add_refused(self) -> None:
        """A faulty firing takes nothing: add what it would have taken where wires meet."""
        fault, wires = self.machine.fault, self.machine.state().wires
        for port in self.machine.netlist.nodes[fault.node].inputs if fault else ():
            heads = [(wires[w].packets[0][2], w) for w in port.wires if wires[w].packets]
            if fault and len(port.wires) > 1 and heads and min(heads)[0] <= fault.tick:
                self.left.append(np.array([[fault.tick, min(heads)[1]]], np.int64))

    def catch_up(self, other: _Record) -> None:
        """Run until as many packets have entered each wire as in ``other``, if that happens before long."""
        machine, wanted = self.machine, [sum(map(len, parts)) for parts in other.entered]
        limit = 4 * other.machine.now + 10 * AHEAD_TICKS
        while machine.now < limit:
            stop = machine.run(machine.now + AHEAD_TICKS)
            counts = [sum(map(len, parts)) for parts in self.entered]
            done = all(have >= want for have, want in zip(counts, wanted, strict=True))
            if done or stop in (Stop.FAULT, Stop.DEADLOCK, Stop.TIMEOUT):
                break

    def packets(self, wire: int) -> Log:
        """The rows of the packets that entered a wire, in order."""
        parts = self.entered[wire]
        return np.concatenate(parts) if parts else np.zeros((0, WORDS), np.int64)

    def served(self, wires: Iterable[int]) -> _Ints:
        """(tick, wire) of what left these wires, in order."""
        rows = np.concatenate(self.left) if self.left else np.zeros((0, 2), np.int64)
        return rows[np.isin(rows[:, 1], list(wires))]


@dataclass(frozen=True, slots=True)
class _Split:
    """Where two runs part: at tick ``tick`` of the varied one, with the packet of this number, from 1."""

    tick: int
    number: int


@dataclass(frozen=True, slots=True)
class _Meeting:
    """A port at which wires meet: where the two runs part there, and over which wires that packet comes."""

    split: _Split
    port: str
    nominal: int
    varied: int


def _hazard(netlist: Netlist, seed: int, outcome: Outcome, nominal: _Record, varied: _Record) -> Hazard:
    splits: dict[int, _Split] = {}
    for number in range(len(netlist.wires)):
        split = _first_difference(nominal.packets(number), varied.packets(number))
        if split:
            splits[number] = split
    failure = outcome.fault or outcome.deadlock
    assert failure
    node, wire = _source_of_it(netlist, varied.machine.fault, splits)
    found = Hazard(message="", seed=seed, reason=failure.message, kind="core", place="", time_ns=failure.time_ns)
    if node is None:
        assert outcome.deadlock
        found.place = outcome.deadlock.root
    else:
        found.place = netlist.elements[netlist.nodes[node].element].id
    if wire is not None:
        found.wires, found.word = [netlist.wires[wire].id], splits[wire].number
        found.time_ns = ns_from_ticks(splits[wire].tick)
    meeting = _meeting(netlist, node, nominal, varied) if node is not None else None
    if meeting:
        found.kind, found.port, found.word = "fan-in", meeting.port, meeting.split.number
        found.wires = [netlist.wires[w].id for w in (meeting.varied, meeting.nominal)]
        found.time_ns = ns_from_ticks(meeting.split.tick)
    elif node is not None and _remembers(netlist, node):
        found.kind = "memory"
    cause = _cause(found)
    if not splits and _same_fault(nominal.machine.fault, varied.machine.fault):
        found.kind, cause = "later", "Delays that do not vary bring it as well, after the launches that were measured."
    found.message = f"with delays varied (seed {seed}): {found.reason} {cause}"
    return found


def _same_fault(one: FaultInfo | None, other: FaultInfo | None) -> bool:
    return one is not None and other is not None and replace(one, tick=0) == replace(other, tick=0)


def _first_difference(one: Log, other: Log) -> _Split | None:
    """The first packet on a wire that is another; ticks do not count."""
    count = min(len(one), len(other))
    columns = [LAUNCH, BLOCK, THREAD, BARRIERS, *range(WORDS, one.shape[1])] if count else []
    differ = (one[:count, columns] != other[:count, columns]).any(axis=1)
    differ |= ((one[:count, FLAGS] ^ other[:count, FLAGS]) & ~LIVE) != 0
    if not differ.any():
        return None
    first = int(differ.argmax())
    return _Split(int(other[first, TICK]), first + 1)


def _source_of_it(
    netlist: Netlist, fault: FaultInfo | None, splits: dict[int, _Split]
) -> tuple[int | None, int | None]:
    """The node that made other packets from the same ones, and the wire on which the first of them is.

    Followed upstream from the faulty node, or in a deadlock from the first difference of all; each step goes back in
    time. Without a difference before the faulty node, it is that node.
    """
    begin = splits.keys() & _inputs(netlist, fault.node) if fault else splits.keys()
    if not begin:
        return (fault.node if fault else None), None
    wire = _earliest(splits, begin)
    while True:
        node = netlist.wires[wire].source
        before = {w for w in splits.keys() & _inputs(netlist, node) if splits[w].tick < splits[wire].tick}
        if not before:
            return node, wire
        wire = _earliest(splits, before)


def _earliest(splits: dict[int, _Split], wires: Iterable[int]) -> int:
    return min(wires, key=lambda w: (splits[w].tick, w))


def _inputs(netlist: Netlist, node: int) -> set[int]:
    """Wires that end at a node, or where it is a port of a shared memory at any port of that."""
    memory = netlist.nodes[node].params.get("memory")
    members = [n for n in netlist.nodes if n.params.get("memory") == memory] if memory is not None else []
    return {wire for each in members or [netlist.nodes[node]] for port in each.inputs for wire in port.wires}


def _remembers(netlist: Netlist, node: int) -> bool:
    """Whether a node reads what others write: a port of a shared memory, or a load of an output."""
    params = netlist.nodes[node].params
    return "memory" in params or (netlist.nodes[node].kind == "load" and netlist.arrays[params["array"]].is_output)


def _meeting(netlist: Netlist, node: int, nominal: _Record, varied: _Record) -> _Meeting | None:
    """The port of a node at which wires meet and are served in another order, the first in time."""
    found = []
    for port in netlist.nodes[node].inputs:
        if len(port.wires) < 2:
            continue
        one, other = nominal.served(port.wires), varied.served(port.wires)
        count = min(len(one), len(other))
        differ = np.flatnonzero(one[:count, 1] != other[:count, 1])
        if len(differ):
            first = int(differ[0])
            split = _Split(int(other[first, 0]), first + 1)
            found.append(_Meeting(split, port.name, int(one[first, 1]), int(other[first, 1])))
    return min(found, key=lambda meeting: meeting.split.tick, default=None)


def _cause(hazard: Hazard) -> str:
    """What lets it happen, in a sentence."""
    if hazard.kind == "fan-in":
        varied, nominal = hazard.wires
        return (
            f"At {hazard.place}.{hazard.port} wires meet, and words are taken as they come: word {hazard.word} comes "
            f"over {varied}, and over {nominal} where delays do not vary."
        )
    if hazard.kind == "memory":
        where = f": word {hazard.word} of {hazard.wires[0]} is another" if hazard.wires else ""
        return f"{hazard.place} is written and read in whatever order words come{where}."
    if hazard.wires:
        return f"It begins at {hazard.place}: word {hazard.word} of {hazard.wires[0]} is another."
    return f"It begins at {hazard.place}."
