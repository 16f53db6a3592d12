"""The benchmark's machines in SimPy, as SimPy would have them: processes and stores. Needs the extra ``simpy``.

Wires with transit, spacing, capacity and backpressure, cores with latency, interval and room, fork and join,
the values, and the same counters as the engine's (firings, entries, toggled bits). It is a peer to compare speed with,
not a third definition: a store frees its place when a packet is fetched, not when it leaves.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Generator
from typing import Any

from engine.bench_models import Model
from engine.netlist import Netlist, Node

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


class SimpyModel:
    """One run. ``events`` are firings and deliveries so far; ``words_out`` the words that came to sinks."""

    def __init__(self, model: Model) -> None:
        import simpy

        net = model.netlist
        self.env = env = simpy.Environment()
        self.events = self.words_out = 0
        self.firings = [0] * len(net.nodes)
        self.entries = [0] * len(net.wires)
        self.toggles = [0] * len(net.wires)
        self._last_word = [0] * len(net.wires)
        self._free_at = [0] * len(net.wires)
        self._belts = [simpy.Store(env, capacity=wire.length) for wire in net.wires]
        self._net: Netlist = net
        words = model.workload.inputs(0, 64)
        for index, node in enumerate(net.nodes):
            if node.kind == "stream":
                env.process(self._source(index, node, words[net.arrays[node.params["array"]].name].ravel().tolist()))
            elif node.kind == "sink":
                env.process(self._sink(index, node))
            else:
                results = simpy.Store(env, capacity=node.room)
                env.process(self._fire(index, node, results))
                env.process(self._hand_out(node, results))

    def run(self, until: int) -> None:
        """Work through all ticks before ``until``."""
        self.env.run(until)

    def _source(self, index: int, node: Node, words: list[int]) -> Generator[Any, Any, None]:
        env = self.env
        while True:
            for word in words:
                made = env.now
                self.firings[index] += 1
                self.events += 1
                yield from self._send(node, word)
                if made + node.interval_ticks > env.now:
                    yield env.timeout(made + node.interval_ticks - env.now)

    def _send(self, node: Node, word: int) -> Generator[Any, Any, None]:
        env = self.env
        for w in node.outputs[0].wires:
            wire = self._net.wires[w]
            if self._free_at[w] > env.now:
                yield env.timeout(self._free_at[w] - env.now)
            yield self._belts[w].put((env.now + wire.length * wire.every_ticks, word))
            self._free_at[w] = env.now + wire.every_ticks
            self.entries[w] += 1
            self.toggles[w] += (self._last_word[w] ^ word).bit_count()
            self._last_word[w] = word

    def _take(self, node: Node) -> Generator[Any, Any, list[int]]:
        env, taken = self.env, []
        for port in node.inputs:
            if port.wires:
                ready, word = yield self._belts[port.wires[0]].get()
                if ready > env.now:
                    yield env.timeout(ready - env.now)
                self.events += 1
                taken.append(word)
            elif port.immediate:
                taken.append(port.immediate[0])
        return taken

    def _fire(self, index: int, node: Node, results: Any) -> Generator[Any, Any, None]:
        env, rule = self.env, _RULES[node.kind]
        while True:
            words = yield from self._take(node)
            yield results.put((env.now + node.latency_ticks, rule(*words)))
            self.firings[index] += 1
            self.events += 1
            yield env.timeout(node.interval_ticks)

    def _hand_out(self, node: Node, results: Any) -> Generator[Any, Any, None]:
        env = self.env
        while True:
            ready, word = yield results.get()
            if ready > env.now:
                yield env.timeout(ready - env.now)
            yield from self._send(node, word)

    def _sink(self, index: int, node: Node) -> Generator[Any, Any, None]:
        while True:
            yield from self._take(node)
            self.firings[index] += 1
            self.events += 1
            self.words_out += 1
            yield self.env.timeout(node.interval_ticks)
