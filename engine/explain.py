"""Why something waits, as a chain of sentences down to the root.

A wait is explained by walking from an element to what it waits for until a root is reached: something that waits for
nobody, or a ring of waits that closes. Whoever holds a word that it cannot hand on waits for what follows (*down*);
whoever has no word waits for what comes before (*up*). A word that is on its way is nobody's fault: the walk goes on to
who sent it, unless the wire itself sets the pace. :func:`why` and :func:`why_wire` do this for any element at any
moment; :func:`explain_deadlock` starts from an output that is not complete. The sentences are in
:mod:`engine.wait_words`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from engine import wait_words as words
from engine.faults import sentence
from engine.machine import StateView
from engine.model import Deadlock, WaitKind, WaitStep
from engine.netlist import Netlist
from engine.units import ns_from_ticks
from engine.wait_state import Look

MAX_STEPS = 64
"""A chain of waits is cut here; a machine has at most a few dozen cores in a row."""

LINES = 5
"""So many lines of a chain are told; steps in the middle are folded into one."""

Way = Literal["down", "up", "page", "ahead"]


@dataclass(frozen=True, slots=True)
class Cause:
    """A chain of waits, one step per line, the root last (a ring's last step says that it is closed).

    kind, root
        What is at its end, and its name (of a core, pad or wire).
    reason, meaning
        What the root does, and what this means for those that wait.
    full
        Wires that are full, in the order of the chain; of a ring only those in it.
    """

    chain: list[WaitStep]
    root: str
    kind: WaitKind
    reason: str
    meaning: str
    full: tuple[int, ...] = ()
    every_ticks: int = 0
    """Where the root works at a pace of its own: ticks per word."""
    ring: bool = False
    """Whether the chain bites its own tail."""
    holds: int = 0
    """Of a ring: the words that its full wires and the cores between them hold."""

    def lines(self) -> list[WaitStep]:
        """The chain in at most :data:`LINES` lines."""
        return fold(self.chain)


def fold(chain: list[WaitStep]) -> list[WaitStep]:
    """At most :data:`LINES` steps of a chain: what lies in the middle becomes "and 6 like it"."""
    if len(chain) <= LINES:
        return chain
    middle = chain[2 : len(chain) - 2]
    folded = middle[0].model_copy(update={"message": f"and {len(middle)} like it"})
    return [*chain[:2], folded, *chain[-2:]]


def why(netlist: Netlist, state: StateView, node: int) -> Cause:
    """Why does this node not go on? Follow the waits from ``node`` to their root."""
    return _Walk(netlist, state).from_node(node)


def why_wire(netlist: Netlist, state: StateView, wire: int) -> Cause:
    """Why does this wire's head wait (or, where none is at its end, why does nothing come)?"""
    walk, found = _Walk(netlist, state), netlist.wires[wire]
    if not found.every_ticks:
        return walk.stopped(wire)
    name = words.wire_name(netlist, wire)
    if walk.look.arrived(wire):
        message = f"{name}: its first word cannot enter {netlist.nodes[found.target].id}"
        walk.lead, walk.lead_way = WaitStep(element=found.id, message=message), "down"
        return walk.from_node(found.target, "down", wire)
    walk.lead, walk.lead_way = WaitStep(element=found.id, message=f"{name}: no word stands at its end"), "up"
    return walk.from_node(found.source, "up", wire)


def explain_deadlock(netlist: Netlist, state: StateView) -> Deadlock:
    """Nothing can move any more: who waits for whom, from an output that is not complete to the root."""
    outputs = [
        i
        for i, node in enumerate(netlist.nodes)
        if node.kind in ("store", "sink") and any(port.wires for port in node.inputs)
    ]
    causes = [why(netlist, state, i) for i in outputs] or [Cause([], "", "ahead", "no output is wired", "")]
    # A stopped wire explains a standstill better than a ring that it caused: prefer the plainest root.
    cause = min(causes, key=lambda c: (c.ring, len(c.chain)))
    return Deadlock(
        message=sentence(netlist, cause.reason),
        root=cause.root,
        kind=cause.kind,
        meaning=sentence(netlist, cause.meaning) if cause.meaning else "",
        ring=cause.ring,
        chain=cause.chain,
        time_ns=ns_from_ticks(max(state.tick, 0)),
    )


@dataclass(slots=True)
class _Step:
    """A node on the chain: how it waits for the next one, over which wire, and the sentence."""

    node: int
    message: str = ""
    way: Way = "up"
    wire: int | None = None


@dataclass(slots=True)
class _Root:
    kind: WaitKind
    element: str
    reason: str
    step: str | None = None
    """The sentence of the root's own line, where it is not the reason."""
    every_ticks: int = 0


@dataclass
class _Walk:
    netlist: Netlist
    state: StateView
    steps: list[_Step] = field(default_factory=list)
    lead: WaitStep | None = None
    lead_way: Way | None = None
    """Of a wire that is asked about: its own line, and at which of its ends it waits."""

    @cached_property
    def look(self) -> Look:
        """What is to be seen at this moment."""
        return Look(self.netlist, self.state)

    def from_node(self, node: int, way: Way | None = None, wire: int | None = None) -> Cause:
        """Walk from a node, to which ``way`` led over ``wire``: its taker or its giver waits."""
        while len(self.steps) < MAX_STEPS:
            before = next((n for n, step in enumerate(self.steps) if step.node == node), None)
            if before is not None:
                return self._ring(before)
            self.steps.append(_Step(node))
            root = self._next(node, way, wire)
            if root is not None:
                return self._end(root)
            last = self.steps[-1]
            way, wire = last.way, last.wire
            node = self._to(last)
        return self._end(_Root("ahead", self.netlist.nodes[node].id, "the chain of waits goes on beyond this"))

    def stopped(self, wire: int) -> Cause:
        """The chain of a wire that is stopped."""
        return self._end(self._stopped(wire))

    # --- one link ----------------------------------------------------------------------------------------

    def _go(self, way: Way, wire: int, message: str) -> None:
        step = self.steps[-1]
        step.way, step.wire, step.message = way, wire, message

    def _to(self, step: _Step) -> int:
        assert step.wire is not None
        wire = self.netlist.wires[step.wire]
        if step.way == "page":
            return step.wire  # see _page
        return wire.target if step.way in ("down", "ahead") else wire.source

    def _next(self, index: int, way: Way | None, wire: int | None) -> _Root | None:
        """What does this node wait for? Writes the last step, or returns the root."""
        node, view = self.netlist.nodes[index], self.state.nodes[index]
        held = self.look.held(node, view, None if way != "up" else wire)
        source = node.kind in ("threads", "stream")
        if held is not None and (way != "down" or source or len(view.results) >= node.room):
            return self._blocked(index, held)
        if not (node.kind in ("repeat", "counter") and self.look.sending(node, view)):
            missing = self.look.missing(node, view)
            if missing is not None:
                return self._starved(index, missing)
        root = self._inside(index)
        if root is not None:
            return root
        if held is not None:
            return self._blocked(index, held)
        if node.kind == "shared.write" and self.look.no_page(node):
            return self._page(index)
        held_longer = words.at_work(self.netlist, node)
        if held_longer:
            return _Root("pad" if node.kind in ("load", "store") else "core", node.id, held_longer)
        if wire is not None and way == "down":
            return self._pace_of_wire(wire)
        if source:
            return self._ahead(index)
        text = f"{node.id} wakes up" if node.gate else f"{node.id} has all that it needs"
        return _Root("core", node.id, text, every_ticks=node.interval_ticks)

    def _blocked(self, index: int, held: int) -> _Root | None:
        wire, node = self.netlist.wires[held], self.netlist.nodes[index]
        if not wire.every_ticks:
            self._go("down", held, f"{node.id} holds a word that it cannot hand on")
            return self._stopped(held)
        if not self.look.jammed(held):
            self._go("down", held, f"{node.id} hands words to {words.wire_name(self.netlist, held)}")
            return self._pace_of_wire(held)
        inside = len(self.state.wires[held].packets)
        branch = words.branch(self.netlist, index, held)
        fill = f"is full ({inside} of {wire.capacity})" if inside >= wire.capacity else "is jammed"
        name = words.wire_name(self.netlist, held)
        self._go("down", held, f"{node.id} holds a word that it cannot hand on{branch}: {name} {fill}")
        return None

    def _starved(self, index: int, missing: int) -> _Root | None:
        node = self.netlist.nodes[index]
        port = node.inputs[missing]
        running = [w for w in port.wires if self.netlist.wires[w].every_ticks]
        if not running:
            self._go("up", port.wires[0], f"{node.id} waits at {words.port_name(port.name)} for a word")
            return self._stopped(port.wires[0])
        coming = [w for w in running if self.state.wires[w].packets]
        wire = (coming or running)[0]
        if node.kind == "barrier" and missing == 1:
            count = node.params["n"]
            self._go("up", wire, f"{node.id} holds its word back until {count} of the block have come to arrive")
            return None
        what = words.wants(self.netlist, self.state, index, missing)
        if coming and not self.look.on_free_run(wire) and not self.look.arrived(wire):
            self._go("up", wire, f"{node.id} {what} for the next word")
            return self._pace_of_wire(wire)
        source = self.netlist.nodes[self.netlist.wires[wire].source].id
        others = len({self.netlist.wires[w].source for w in running}) - 1
        name = f"{source} or {others} more" if others else source
        on_its_way = ", which is on its way" if coming else ""
        self._go("up", wire, f"{node.id} {what} for a word from {name}{on_its_way}")
        return None

    def _page(self, index: int) -> _Root | None:
        """A write without a free page waits for the reads of the blocks that hold them."""
        node = self.netlist.nodes[index]
        memory = node.params["memory"]
        reads = [
            i
            for i, other in enumerate(self.netlist.nodes)
            if other.kind == "shared.read" and other.params["memory"] == memory
        ]
        text = words.pages(self.netlist, self.state, index)
        starved = [i for i in reads if self.look.missing(self.netlist.nodes[i], self.state.nodes[i]) is not None]
        if not reads:
            return _Root("page", node.id, text)
        self.steps[-1].way, self.steps[-1].wire, self.steps[-1].message = "page", (starved or reads)[0], text
        return None

    def _ahead(self, index: int) -> _Root | None:
        """A pad that may not run further ahead waits for the oldest launch: for whoever has a packet of it."""
        node = self.netlist.nodes[index]
        text = f"{node.id} is as many launches ahead as it may be"
        launches = {
            packets[0][0].launch: w
            for w in reversed(range(len(self.netlist.wires)))
            if (packets := self.state.wires[w].packets)
        }
        if launches and self.netlist.wires[launches[min(launches)]].target not in [s.node for s in self.steps]:
            oldest = min(launches)
            self._go("ahead", launches[oldest], f"{text}: launch {oldest} is not through")
            return None
        return _Root("ahead", node.id, text)

    # --- roots -------------------------------------------------------------------------------------------

    def _stopped(self, wire: int) -> _Root:
        return _Root("stopped", self.netlist.wires[wire].id, words.stopped(self.netlist, wire))

    def _pace_of_wire(self, wire: int) -> _Root:
        found, view = self.netlist.wires[wire], self.state.wires[wire]
        name = words.wire_name(self.netlist, wire)
        text = f"{name} takes a word every {ns_from_ticks(found.every_ticks):g} ns"
        if found.gate and not view.packets and view.last_entry + found.every_ticks <= self.state.tick:
            text = f"{name} wakes up"
        return _Root("wire", found.id, text, every_ticks=found.every_ticks)

    def _inside(self, index: int) -> _Root | None:
        """All inputs are there and nothing is held: the reason may lie in the core itself."""
        node, view, tick = self.netlist.nodes[index], self.state.nodes[index], self.state.tick
        kind: WaitKind = "pad" if node.kind in ("threads", "stream", "load", "store", "sink") else "core"
        if node.kind in ("threads", "stream") and not any(port.wires for port in node.outputs):
            return _Root(kind, node.id, f"{node.id} has no wire")
        busy = words.busy(node, view, tick)
        if busy is not None:
            return _Root(kind, node.id, busy[0], every_ticks=busy[1])
        if node.kind == "join" and (word := self.look.sideless(node)) is not None:
            return _Root(kind, node.id, f"{node.id} got {word} at order, which names no side: 1 true, 2 false, 3 both")
        lacks = node.kind == "barrier" and not node.params.get("has_arrive")
        if lacks and self.look.threads_inside(view) < node.params["n"]:
            return _Root("barrier", node.id, words.barrier(self.netlist, self.state, index))
        return None

    # --- the end -----------------------------------------------------------------------------------------

    def _end(self, root: _Root) -> Cause:
        chain = self._told(self.steps)
        if chain and chain[-1].element == root.element and not chain[-1].message:
            chain.pop()
        chain.append(WaitStep(element=root.element, message=root.step or root.reason))
        way = next((s.way for s in reversed(self.steps) if s.message), self.lead_way)
        every = root.every_ticks
        if self.steps and self.netlist.nodes[self.steps[-1].node].id == root.element:
            every = words.pace(self.netlist.nodes[self.steps[-1].node], every, way)
        return Cause(
            chain,
            root.element,
            root.kind,
            root.reason,
            words.meaning(root.kind, root.element, way, every),
            self._full(self.steps),
            every,
        )

    def _ring(self, first: int) -> Cause:
        ring = self.steps[first:]
        kind, root, meaning = words.ring(self.netlist, self.state, [(s.node, s.way, s.wire) for s in ring])
        names = list(dict.fromkeys(self.netlist.nodes[s.node].id for s in ring))
        holds = words.holds(self.netlist, [(s.node, s.way, s.wire) for s in ring])
        who = "wait for each other" if len(names) > 1 else "waits for itself"
        chain = self._told(self.steps)
        chain.append(WaitStep(element=root, message="and so the ring is closed"))
        return Cause(
            chain, root, kind, f"{words.listed(names)} {who}", meaning, self._full(ring), ring=True, holds=holds
        )

    def _told(self, steps: list[_Step]) -> list[WaitStep]:
        return ([] if self.lead is None else [self.lead]) + [
            WaitStep(
                element=self.netlist.nodes[s.node].id,
                message=s.message,
                wire=None if s.wire is None or s.way == "page" else self.netlist.wires[s.wire].id,
            )
            for s in steps
        ]

    @staticmethod
    def _full(steps: list[_Step]) -> tuple[int, ...]:
        return tuple(dict.fromkeys(s.wire for s in steps if s.way == "down" and s.wire is not None))
