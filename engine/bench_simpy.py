"""The benchmark's machines in SimPy, tick for tick the same runs. Needs the package ``simpy``.

Written as SimPy wants it: a process for what goes on by itself, a container for places, a store for a queue. (A model
that lets places go when a packet is fetched, and starts copies one after the other, needs a fifth of the time and comes
to other ticks. The comparison is of engines that agree, as tests/bench/test_speed.py shows.)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from engine.bench_models import Model
from engine.netlist import Netlist, Node, Wire

if TYPE_CHECKING:
    import simpy

Process = Generator[Any, Any, None]

_RULES: dict[str, Callable[..., int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "mul.serial": operator.mul,
    "xor": operator.xor,
    "max": max,
    "shl": operator.lshift,
    "relay": lambda a: a,
    "buffer": lambda a: a,
}


class _Belt:
    """A wire: an entrance that is busy for one word's time, L + 1 places, and a head that waits to be taken."""

    def __init__(self, env: simpy.Environment, wire: Wire) -> None:
        import simpy

        self.env, self.every, self.transit = env, wire.every_ticks, wire.length * wire.every_ticks
        self.entrance = simpy.Container(env, 1, init=1)
        self.places = simpy.Container(env, wire.capacity, init=wire.capacity)
        self.moving = simpy.Store(env)
        self.head: int | None = None
        self.arrival, self.departure = env.event(), env.event()
        self.entries = self.toggles = self.bits = 0
        env.process(self._move())

    def enter(self, word: int) -> Process:
        """Wait for the entrance and for a place, then start."""
        yield self.entrance.get(1)
        yield self.places.get(1)
        self.entries += 1
        self.toggles += ((self.bits ^ word) & 0xFFFFFFFF).bit_count()
        self.bits = word
        self.env.process(self._free_entrance())
        self.env.process(self._carry(word))

    def take(self) -> int:
        """Take the head, which must have arrived."""
        word, self.head = self.head, None
        assert word is not None
        self.arrival = self.env.event()
        departure, self.departure = self.departure, self.env.event()
        departure.succeed()
        return word

    def _free_entrance(self) -> Process:
        yield self.env.timeout(self.every)
        yield self.entrance.put(1)

    def _carry(self, word: int) -> Process:
        yield self.env.timeout(self.transit)
        yield self.moving.put(word)

    def _move(self) -> Process:
        while True:
            self.head = yield self.moving.get()
            self.arrival.succeed()
            yield self.departure
            # The next one closes up by a tile, and so does the last: only then is a place free at the start.
            yield self.env.timeout(self.every)
            yield self.places.put(1)


class SimpyModel:
    """One run of a model. ``firings`` are per node."""

    def __init__(self, model: Model) -> None:
        import simpy

        self._net: Netlist = model.netlist
        self._env = env = simpy.Environment()
        self.belts = [_Belt(env, wire) for wire in self._net.wires]
        self.firings = [0] * len(self._net.nodes)
        words = model.workload.inputs(0, 64)
        for index, node in enumerate(self._net.nodes):
            if node.kind == "stream":
                name = self._net.arrays[node.params["array"]].name
                env.process(self._make(index, node, words[name].ravel().tolist()))
                continue
            results, room = simpy.Store(env), simpy.Container(env, node.room, init=node.room)
            env.process(self._fire(index, node, results, room))
            env.process(self._hand_out(node, results, room))

    def run(self, until: int) -> None:
        """Work through all ticks up to and including ``until``."""
        self._env.run(until + 1)

    def _copies(self, node: Node, word: int) -> Any:
        """Every wire takes its copy as soon as it can."""
        env = self._env
        return env.all_of([env.process(self.belts[w].enter(word)) for w in node.outputs[0].wires])

    def _make(self, index: int, node: Node, words: list[int]) -> Process:
        env = self._env
        while True:
            for word in words:
                made = env.now
                self.firings[index] += 1
                yield self._copies(node, word)
                yield env.timeout(max(0, made + node.interval_ticks - env.now))

    def _fire(self, index: int, node: Node, results: simpy.Store, room: simpy.Container) -> Process:
        env = self._env
        belts = [self.belts[port.wires[0]] for port in node.inputs if port.wires]
        given = [port.immediate[0] for port in node.inputs if port.immediate]
        while True:
            for belt in belts:
                if belt.head is None:
                    yield belt.arrival
            if node.outputs:
                yield room.get(1)
            words = [belt.take() for belt in belts]
            self.firings[index] += 1
            if node.outputs:
                env.process(self._work(node, results, _RULES[node.kind](*words, *given)))
            yield env.timeout(node.interval_ticks)

    def _work(self, node: Node, results: simpy.Store, word: int) -> Process:
        yield self._env.timeout(node.latency_ticks)
        yield results.put(word)

    def _hand_out(self, node: Node, results: simpy.Store, room: simpy.Container) -> Process:
        while True:
            word = yield results.get()
            yield self._copies(node, word)
            yield room.put(1)
