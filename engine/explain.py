"""Why something waits, as a chain of sentences down to the root.

A wait is explained by walking from an element to what it waits for until a root is reached: something that does
not wait for anybody. :func:`why` does this for any element at any moment; :func:`explain_deadlock` starts from
an output that is not complete.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.faults import sentence
from engine.machine import NodeView, PacketView, StateView
from engine.model import Deadlock, WaitStep
from engine.netlist import Netlist, Node
from engine.units import ns_from_ticks

MAX_STEPS = 64
"""A chain of waits is cut here; a machine has at most a few dozen cores in a row."""

_DROPPING = ("gate", "guard", "take", "skip")


@dataclass(frozen=True, slots=True)
class Cause:
    """A chain of waits. ``root`` is the element at its end; ``ring`` tells that it bit its own tail."""

    chain: list[WaitStep]
    root: str
    ring: bool
    meaning: str


def why(netlist: Netlist, state: StateView, node: int) -> Cause:
    """Why does this node not go on? Follow the waits from ``node`` to their root."""
    walker = _Walker(netlist, state)
    return walker.walk(node)


def why_wire(netlist: Netlist, state: StateView, wire: int) -> Cause:
    """Why does this wire's head wait (or, where it is empty, why does nothing come)?"""
    walker = _Walker(netlist, state)
    if netlist.wires[wire].every_ticks == 0:
        return walker.stopped(wire, [])
    if state.wires[wire].packets:
        return walker.walk(netlist.wires[wire].target)
    return walker.walk(netlist.wires[wire].source)


def explain_deadlock(netlist: Netlist, state: StateView) -> Deadlock:
    """Nothing can move any more: who waits for whom, from an output that is not complete to the root."""
    outputs = [
        i
        for i, node in enumerate(netlist.nodes)
        if node.kind in ("store", "sink") and any(port.wires for port in node.inputs)
    ]
    causes = [why(netlist, state, i) for i in outputs] or [Cause([], "", False, "no output is wired")]
    # A stopped wire explains a standstill better than a ring that it caused: prefer the plainest root.
    cause = min(causes, key=lambda c: (c.ring, len(c.chain)))
    return Deadlock(
        message=sentence(netlist, cause.meaning),
        root=cause.root,
        ring=cause.ring,
        chain=cause.chain,
        time_ns=ns_from_ticks(max(state.tick, 0)),
    )


class _Walker:
    def __init__(self, netlist: Netlist, state: StateView) -> None:
        self.netlist = netlist
        self.state = state

    def walk(self, node: int) -> Cause:
        chain: list[WaitStep] = []
        seen: list[int] = []
        while len(chain) < MAX_STEPS:
            if node in seen:
                names = [self.netlist.nodes[i].id for i in seen[seen.index(node) :]]
                chain.append(WaitStep(element=self.netlist.nodes[node].id, message="and so the ring is closed"))
                who = "wait for each other" if len(names) > 1 else "waits for itself"
                return Cause(chain, self.netlist.nodes[node].id, True, f"{_listed(names)} {who}")
            seen.append(node)
            found = self._step(node, chain)
            if isinstance(found, Cause):
                return found
            node = found
        return Cause(chain, self.netlist.nodes[node].id, False, "the chain of waits goes on beyond this")

    def stopped(self, wire: int, chain: list[WaitStep]) -> Cause:
        w = self.netlist.wires[wire]
        chain.append(WaitStep(element=w.id, message=f"the wire {self._wire_name(wire)} is stopped"))
        return Cause(chain, w.id, False, f"the wire {self._wire_name(wire)} is stopped")

    # One link: what does this node wait for? The next node, or the root.
    def _step(self, index: int, chain: list[WaitStep]) -> int | Cause:
        node, view = self.netlist.nodes[index], self.state.nodes[index]
        held = self._held_copy(node, view)
        if held is not None:
            wire = self.netlist.wires[held]
            if wire.every_ticks == 0:
                chain.append(WaitStep(element=node.id, message=f"{node.id} holds a word that it cannot hand on"))
                return self.stopped(held, chain)
            inside = len(self.state.wires[held].packets)
            if inside < wire.capacity:
                chain.append(WaitStep(element=node.id, message=f"{node.id} hands words to {self._wire_name(held)}"))
                return Cause(
                    chain,
                    wire.id,
                    False,
                    f"{self._wire_name(held)} takes a word every {ns_from_ticks(wire.every_ticks):g} ns",
                )
            chain.append(
                WaitStep(
                    element=node.id,
                    message=f"{node.id} holds a word that it cannot hand on: {self._wire_name(held)} is full "
                    f"({inside} of {wire.capacity})",
                )
            )
            return wire.target
        if view.results:
            ready = view.results[0][1]
            if ready > self.state.tick:
                chain.append(WaitStep(element=node.id, message=f"{node.id} is at work"))
                return self._root_at_work(node, chain)
        missing = self._missing_port(node, view)
        if missing is None:
            return self._root_inside(index, chain)
        port = node.inputs[missing]
        stopped = [w for w in port.wires if self.netlist.wires[w].every_ticks == 0]
        running = [w for w in port.wires if self.netlist.wires[w].every_ticks]
        if not running:
            chain.append(WaitStep(element=node.id, message=f"{node.id} waits for a word at {port.name}"))
            return self.stopped(stopped[0], chain)
        on_the_way = [w for w in running if self.state.wires[w].packets]
        if on_the_way:
            wire_id = self.netlist.wires[on_the_way[0]].id
            chain.append(
                WaitStep(
                    element=node.id,
                    message=f"{node.id} waits at {port.name} for a word that is on its way on "
                    f"{self._wire_name(on_the_way[0])}",
                )
            )
            return Cause(chain, wire_id, False, f"a word is still on its way on {self._wire_name(on_the_way[0])}")
        source = self.netlist.wires[running[0]].source
        chain.append(
            WaitStep(
                element=node.id,
                message=f"{node.id} waits at {port.name} for a word from {self.netlist.nodes[source].id}",
            )
        )
        return source

    def _held_copy(self, node: Node, view: NodeView) -> int | None:
        """A wire that has not yet taken its copy of a finished result."""
        if not view.results or view.results[0][1] > self.state.tick:
            return None
        leaves_at = view.results[0][2]
        waiting = [
            w for p, port in enumerate(node.outputs) if leaves_at in (-1, p) for w in port.wires if w not in view.taken
        ]
        # The stopped one among several is the one to blame.
        return min(waiting, key=lambda w: (self.netlist.wires[w].every_ticks != 0, w), default=None)

    def _missing_port(self, node: Node, view: NodeView) -> int | None:
        """The first port at which this node needs a packet and has none; None if all are there."""
        wanted = range(len(node.inputs))
        if node.kind == "collect":
            wanted = range(view.count, view.count + 1)
        elif node.kind == "mux":
            cond = self._head(node, 0)
            if cond is None and node.inputs[0].wires:
                return 0
            word = node.inputs[0].immediate[0] if node.inputs[0].immediate else self._word(node, 0, cond)
            wanted = range(1, 2) if word else range(2, 3)
        elif node.kind == "barrier" and node.params.get("has_arrive"):
            wanted = range(1)
        for p in wanted:
            if node.inputs[p].wires and self._head(node, p) is None:
                return p
        return None

    def _head(self, node: Node, port: int) -> PacketView | None:
        best: tuple[int, PacketView] | None = None
        for w in node.inputs[port].wires:
            packets = self.state.wires[w].packets
            if packets:
                packet, _, available = packets[0]
                if available <= self.state.tick and (best is None or available < best[0]):
                    best = (available, packet)
        return best[1] if best else None

    def _word(self, node: Node, port: int, packet: PacketView | None) -> int:
        pick = node.inputs[port].picks[0]
        return pick.value if pick.constant or packet is None else packet.words[pick.value]

    def _root_at_work(self, node: Node, chain: list[WaitStep]) -> Cause:
        every = ns_from_ticks(node.interval_ticks)
        return Cause(chain, node.id, False, f"{node.id} takes a word every {every:g} ns")

    def _root_inside(self, index: int, chain: list[WaitStep]) -> Cause:
        """All inputs are there and nothing is held: the reason lies in the core itself."""
        node, view = self.netlist.nodes[index], self.state.nodes[index]
        if node.kind in ("threads", "stream"):
            if not any(port.wires for port in node.outputs):
                text = f"{node.id} has no wire"
            else:
                text = f"{node.id} has a word every {ns_from_ticks(node.interval_ticks):g} ns"
        elif node.kind == "barrier":
            text = self._barrier(index)
        elif node.kind == "shared.write":
            pages = self.state.pages[node.params["memory"]]
            held = ", ".join(
                f"block {block} of launch {launch} has had {reads} of its reads" for launch, block, reads, _ in pages
            )
            text = f"{node.id} has no free page: {held}"
        elif (view.last_firing >= 0 and self.state.tick < view.last_firing + node.interval_ticks) or node.kind in (
            "store",
            "sink",
        ):
            return self._root_at_work(node, chain)
        else:
            text = f"{node.id} has all that it needs"
        chain.append(WaitStep(element=node.id, message=text))
        return Cause(chain, node.id, False, text)

    def _barrier(self, index: int) -> str:
        node, view = self.netlist.nodes[index], self.state.nodes[index]
        need = node.params["n"]
        if node.params.get("has_arrive"):
            return f"{node.id} waits until {need} packets of the block have arrived"
        text = f"{node.id} has {len(view.slots)} of {need}"
        if view.slots:
            inside = view.slots[0]
            text += f" of block {inside.block} of launch {inside.launch}"
        droppers = self._droppers(index)
        if droppers:
            text += f"; the others were dropped at {_listed(droppers)}"
        return text

    def _droppers(self, index: int) -> list[str]:
        """Cores upstream that may drop packets."""
        seen, todo, found = {index}, [index], []
        while todo:
            for port in self.netlist.nodes[todo.pop()].inputs:
                for w in port.wires:
                    source = self.netlist.wires[w].source
                    if source not in seen:
                        seen.add(source)
                        todo.append(source)
                        if self.netlist.nodes[source].kind in _DROPPING:
                            found.append(source)
        return [self.netlist.nodes[i].id for i in sorted(found)]

    def _wire_name(self, wire: int) -> str:
        w = self.netlist.wires[wire]
        return f"{self.netlist.nodes[w.source].id} → {self.netlist.nodes[w.target].id}"


def _listed(names: list[str]) -> str:
    unique = list(dict.fromkeys(names))
    return unique[0] if len(unique) == 1 else ", ".join(unique[:-1]) + " and " + unique[-1]
