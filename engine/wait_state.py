"""What can be read off a machine at one moment: what is held, full, missing or on its way.

This is what :mod:`engine.explain` walks by; the rules are those of docs/model.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.machine import NodeView, PacketView, StateView
from engine.netlist import Netlist, Node


@dataclass(frozen=True, slots=True)
class Look:
    """A machine and its state."""

    netlist: Netlist
    state: StateView

    def arrived(self, wire: int) -> bool:
        """Whether the first word of a wire stands at its end."""
        packets = self.state.wires[wire].packets
        return bool(packets) and packets[0][2] <= self.state.tick

    def held(self, node: Node, view: NodeView, asked: int | None) -> int | None:
        """A wire that has not yet taken its copy of a finished result; ``asked`` only where no other waits."""
        if not view.results or view.results[0][1] > self.state.tick:
            return None
        leaves_at = view.results[0][2]
        waiting = [
            w for p, port in enumerate(node.outputs) if leaves_at in (-1, p) for w in port.wires if w not in view.taken
        ]
        # The stopped one among several is the one to blame, then one that is full: it waits for somebody.
        return min(
            waiting,
            key=lambda w: (self.netlist.wires[w].every_ticks != 0, w == asked, not self.jammed(w), w),
            default=None,
        )

    def jammed(self, wire: int) -> bool:
        """Whether a wire takes no word because of what follows it, not because of its own pace."""
        found, view = self.netlist.wires[wire], self.state.wires[wire]
        inside = len(view.packets)
        closing = view.last_exit >= 0 and view.last_exit + found.every_ticks > self.state.tick
        if inside < found.capacity and not (inside == found.capacity - 1 and closing):
            return False
        if not view.packets:
            return False
        return not self.on_free_run(wire)

    def on_free_run(self, wire: int) -> bool:
        """Whether the first word is still under way and was never held up by the one before it."""
        _, entered, available = self.state.wires[wire].packets[0]
        found = self.netlist.wires[wire]
        return available > self.state.tick and available <= entered + found.transit_ticks

    def missing(self, node: Node, view: NodeView) -> int | None:
        """The first port at which this node needs a packet and has none; None if all are there."""
        wanted = range(len(node.inputs))
        if node.kind == "collect":
            wanted = range(view.count, view.count + 1)
        elif node.kind == "mux":
            cond = self.head(node, 0)
            if cond is None and node.inputs[0].wires:
                return 0
            word = node.inputs[0].immediate[0] if node.inputs[0].immediate else self._word(node, 0, cond)
            wanted = range(1, 2) if word else range(2, 3)
        elif node.kind == "join":
            return self._missing_half(node)
        elif node.kind == "barrier" and node.params.get("has_arrive"):
            if self.head(node, 0) is None:
                return 0
            # The head waits for arrivals: it is at arrive that something is missing.
            return None if self.within_interval(node, view) else 1
        for p in wanted:
            if node.inputs[p].wires and self.head(node, p) is None:
                return p
        return None

    def _missing_half(self, node: Node) -> int | None:
        """Where a join lacks a packet: at order, at a side that the order word names, or of a half the other one."""
        true, false, order = (self.head(node, port) for port in range(3))
        if node.inputs[2].wires:
            if order is None:
                return 2
            sides = self._word(node, 2, order)
            return next((port for port, half in enumerate((true, false)) if sides >> port & 1 and half is None), None)
        if true is None or false is None:
            there = true or false
            if there is None:
                return 0
            return int(false is None) if there.stack and there.live != there.stack[-1] else None
        return None

    def sideless(self, node: Node) -> int | None:
        """The order word of a join for which it waits for ever, as it names no side; None for any other."""
        order = self.head(node, 2)
        word = 3 if order is None else self._word(node, 2, order)
        return None if word & 3 else word

    def threads_inside(self, view: NodeView) -> int:
        """Threads in a barrier's chamber ("Barrier" in docs/model.md)."""
        return sum(_threads(packet, self.netlist.threads_per_block) for packet in view.slots)

    def head(self, node: Node, port: int) -> PacketView | None:
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

    @staticmethod
    def sending(node: Node, view: NodeView) -> bool:
        """Whether a repeat or counter sends what it keeps, and so takes nothing."""
        group: int = node.params.get("group", 1)
        return len(view.slots) >= group

    def no_page(self, node: Node) -> bool:
        """Whether every page of a memory is held, and none by the block that wants to write."""
        pages, head = self.state.pages[node.params["memory"]], self.head(node, 0)
        return head is not None and all(
            page[0] >= 0 and (page[0], page[1]) != (head.launch, head.block) for page in pages
        )

    def within_interval(self, node: Node, view: NodeView) -> bool:
        """Whether the node fired too short ago to fire again."""
        return view.last_firing >= 0 and self.state.tick < view.last_firing + node.interval_ticks

    def still(self) -> bool:
        """Whether nothing is on its way or at work: only then may what is not there never come."""
        now = self.state.tick
        return (
            all(available <= now for wire in self.state.wires for _, _, available in wire.packets[:1])
            and all(ready <= now for view in self.state.nodes for _, ready, _ in view.results[:1])
            and not any(map(self.within_interval, self.netlist.nodes, self.state.nodes))
        )


def _threads(packet: PacketView, per_block: int) -> int:
    if packet.lanes == 1:
        return 1
    if packet.stack or packet.thread < 0:
        return packet.live.bit_count()
    return min(packet.lanes, per_block - packet.thread % per_block)
