"""A machine as a SimPy model: a third engine for what SimPy can express well.

Covers sources, fork and join, wires with spacing, capacity and backpressure, cores with latency, interval and room,
and sinks: everything but fan-in, groups, masks and memories. It is written the way SimPy wants it, with processes
and resources in place of the formulas of docs/model.md, so that the formulas themselves are put to the test.
"""

from __future__ import annotations

import operator
from collections.abc import Generator
from typing import Any

import simpy

from engine.netlist import Netlist, Node, Wire
from tests.graphs import Truth
from tests.words import Words, compute

PASSING = ("relay", "buffer", "tuple")
COMPUTING = ("add", "sub", "mul", "mul.serial", "min", "max", "and", "or", "xor", "shl", "shr", "abs", "neg")
KINDS = frozenset({"threads", "stream", "sink", "compare", "select", "mac", *PASSING, *COMPUTING})
"""What it knows."""

Process = Generator[simpy.Event, Any, Any]
Load = tuple[int, Words]
"""A packet: its launch and its words."""


class Belt:
    """A wire: an entrance that is busy for one word's time, a belt with L + 1 places, and an exit."""

    def __init__(self, env: simpy.Environment, wire: Wire) -> None:
        self.env, self.wire = env, wire
        self.entrance = simpy.Container(env, 1, init=1)
        self.places = simpy.Container(env, wire.capacity, init=wire.capacity)
        self.moving: simpy.Store = simpy.Store(env)
        self.head: Load | None = None
        self.arrived = env.event()
        self.taken = env.event()
        self.departures: list[tuple[int, Load]] = []
        if wire.every_ticks:
            env.process(self._exit())

    def enter(self, load: Load) -> Process:
        """Wait until the packet may start, and start it."""
        if not self.wire.every_ticks:
            yield self.env.event()
        yield self.entrance.get(1)
        yield self.places.get(1)
        self.env.process(self._reopen())
        self.env.process(self._carry(load))

    def _reopen(self) -> Process:
        yield self.env.timeout(self.wire.every_ticks)
        yield self.entrance.put(1)

    def _carry(self, load: Load) -> Process:
        yield self.env.timeout(self.wire.length * self.wire.every_ticks)
        yield self.moving.put(load)

    def _exit(self) -> Process:
        while True:
            self.head = yield self.moving.get()
            self.arrived.succeed()
            yield self.taken
            # What follows closes up by one tile, and the place at the start is free when the last of it has moved.
            yield self.env.timeout(self.wire.every_ticks)
            yield self.places.put(1)

    def take(self) -> Load:
        """Take the head, which must be there."""
        load, self.head = self.head, None
        assert load is not None
        self.departures.append((int(self.env.now), load))
        self.arrived = self.env.event()
        taken, self.taken = self.taken, self.env.event()
        taken.succeed()
        return load


class SimpyMachine:
    """Runs ``net`` up to a tick; ``belts[w].departures`` are what left wire w, and when."""

    def __init__(self, net: Netlist, truth: Truth) -> None:
        self.net, self.truth = net, truth
        self.env = simpy.Environment()
        self.belts = [Belt(self.env, wire) for wire in net.wires]
        for node in net.nodes:
            if not node.inputs:
                if any(out.wires for out in node.outputs):
                    self.env.process(self._source(node))
            else:
                results: simpy.Store = simpy.Store(self.env)
                room = simpy.Container(self.env, node.room, init=node.room)
                self.env.process(self._fire(node, results, room))
                self.env.process(self._hand_out(node, results, room))

    def run(self, until: int) -> None:
        """Work through every tick up to and including ``until``."""
        self.env.run(until + 1)

    def _copies(self, node: Node, load: Load) -> simpy.Event:
        """Every wire takes its copy as soon as it can."""
        launch, words = load
        return self.env.all_of(
            [
                self.env.process(self.belts[w].enter((launch, tuple(words[k] for k in self.net.wires[w].words))))
                for out in node.outputs
                for w in out.wires
            ]
        )

    def _source(self, node: Node) -> Process:
        launch = made = 0
        burst = node.params.get("burst")
        while True:
            if node.kind == "threads":
                rows = [tuple(map(int, row)) for row in self.net.tokens]
            else:
                rows = [(int(word),) for word in self.truth.data(node.params["array"], launch)]
            for words in rows:
                stands = self.env.now
                yield self._copies(node, (launch, words))
                made += 1
                if burst and made % burst[0] == 0:
                    yield self.env.timeout(node.interval_ticks + burst[1])
                else:
                    yield self.env.timeout(max(0, stands + node.interval_ticks - self.env.now))
            launch += 1

    def _fire(self, node: Node, results: simpy.Store, room: simpy.Container) -> Process:
        wanted = any(out.wires for out in node.outputs)
        wires = list(dict.fromkeys(w for port in node.inputs for w in port.wires))
        while True:
            for w in wires:
                if self.belts[w].head is None:
                    yield self.belts[w].arrived
            if wanted:
                yield room.get(1)
            loads = {w: self.belts[w].take() for w in wires}
            launch = loads[wires[0]][0]
            if wanted:
                self.env.process(self._work(node, results, (launch, self._result(node, loads))))
            yield self.env.timeout(node.interval_ticks)

    def _result(self, node: Node, loads: dict[int, Load]) -> Words:
        seen: list[Words] = []
        for port in node.inputs:
            if port.wires:
                words = loads[port.wires[0]][1]
                seen.append(tuple(p.value if p.constant else words[p.value] for p in port.picks))
            else:
                seen.append(port.immediate or ())
        if node.kind in PASSING:
            return tuple(word for words in seen for word in words)
        if node.kind == "compare":
            relation = getattr(operator, node.params["op"])
            return (int(relation(seen[0][0], seen[1][0])),)
        return (compute(node.kind, False, tuple(words[0] for words in seen)),)

    def _work(self, node: Node, results: simpy.Store, load: Load) -> Process:
        yield self.env.timeout(node.latency_ticks)
        yield results.put(load)

    def _hand_out(self, node: Node, results: simpy.Store, room: simpy.Container) -> Process:
        while True:
            load = yield results.get()
            yield self._copies(node, load)
            yield room.put(1)
