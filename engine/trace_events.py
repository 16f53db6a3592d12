"""A machine's run in the trace event format, for Perfetto and chrome://tracing.

A process per kind of core and pad, and one for the wires; a thread per node and wire. A node's slices are firings,
named after their launch so that viewers colour them by it, and the times in which it is ``blocked`` or ``starved``. A
wire's slices are words at its end, with a ``blocked`` part in them as long as nobody takes them. An arrow (flow) leads
from the node that gave a word to the word on its wire. Counters: launches counted, and in flight.

The format has microseconds only: one of them is a nanosecond of the machine, so that ticks of 10 ps come out exactly.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from typing import Any

from engine.follow import BLOCKED, BUSY, Follower, NodeTrack, WireTrack
from engine.machine import PacketView
from engine.netlist import Netlist, values_of
from engine.version import VERSION
from engine.words import float_words

_NAMES = ("starved", "busy", "blocked")
_COLOURS = {"busy": "good", "blocked": "terrible", "starved": "grey"}
"""Names of colours that chrome://tracing knows."""


class TraceEventWriter:
    """Writes what a :class:`~engine.follow.Follower` tells; text goes to ``write`` piece by piece.

    Call :meth:`attach` with the follower before anything is told, and :meth:`close` in the end.
    """

    def __init__(self, netlist: Netlist, title: str, write: Callable[[str], object]) -> None:
        self.netlist, self.title, self.write = netlist, title, write
        self._floats = float_words(netlist.nodes, netlist.wires)
        self._follower: Follower | None = None
        self._places: dict[int, tuple[int, int]] = {}
        """Process and thread per node, and per wire as −1 − wire."""
        self._states: dict[int, tuple[int, int, int, int]] = {}
        """Per node, of the slice that is open: state, since, firings at its start, launch."""
        self._words: dict[int, tuple[PacketView, int, int]] = {}
        """Per wire, of the slice that is open: packet, since, end of its blocked part (since: there is none yet)."""
        self._counted = (-1, -1)
        self._flows = 0
        self._any = False

    def attach(self, follower: Follower) -> None:
        """Write the head of the file, with the names of all processes and threads."""
        net = self.netlist
        self._follower = follower
        about = {"title": self.title, "version": f"Perwatt {VERSION}", "time": "1 microsecond is 1 ns of the machine"}
        self.write(f'{{"displayTimeUnit":"ns","otherData":{json.dumps(about)},"traceEvents":[')
        kinds: dict[str, list[int]] = {"launches": []}
        for i in follower.nodes:
            kinds.setdefault(net.elements[net.nodes[i].element].kind, []).append(i)
        kinds["wires"] = [-1 - w for w in follower.wires]
        for pid, (kind, members) in enumerate(kinds.items(), 1):
            self._name("process", kind, pid, 0, pid)
            for tid, member in enumerate(members, 1):
                name = net.nodes[member].id if member >= 0 else net.wires[-1 - member].id
                self._places[member] = (pid, tid)
                self._name("thread", name, pid, tid, tid)

    def _name(self, what: str, name: str, pid: int, tid: int, order: int) -> None:
        for key, value in (("name", {"name": name}), ("sort_index", {"sort_index": order})):
            self._event({"ph": "M", "name": f"{what}_{key}", "pid": pid, "tid": tid, "args": value})

    def _event(self, event: dict[str, Any], *ticks: tuple[str, int]) -> None:
        """Write an event; times are given in ticks and written as exact decimals."""
        text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        times = "".join(f',"{name}":{tick // 100}.{tick % 100:02d}' for name, tick in ticks)
        self.write(f"{',' if self._any else ''}\n{text[:-1]}{times}}}")
        self._any = True

    # --- what is told -------------------------------------------------------------------------------------

    def at(self, tick: int, nodes: Sequence[NodeTrack], wires: Sequence[WireTrack]) -> None:
        """See :class:`engine.follow.Listener`."""
        follower = self._follower
        assert follower is not None
        counted = follower.counted, follower.issued - follower.counted
        if counted != self._counted:
            self._counted = counted
            for name, value in zip(("counted", "in flight"), counted, strict=True):
                self._event({"ph": "C", "name": name, "pid": 1, "args": {"launches": value}}, ("ts", tick))
        for node in nodes:
            state, before = node.state(tick), self._states.get(node.index)
            if before is None or before[0] != state or (state == BUSY and before[2] != node.fired):
                self._end_state(node.index, tick)
                self._states[node.index] = (state, tick, node.fired, node.launch)
        for wire in wires:
            self._look(wire, tick)

    def _look(self, wire: WireTrack, tick: int) -> None:
        packet, before = wire.shown(tick), self._words.get(wire.index)
        if before is not None:
            if wire.last is before[0] and before[2] < wire.last_exit:
                before = self._words[wire.index] = (before[0], before[1], wire.last_exit)
            if packet is before[0]:
                return
            self._end_word(wire.index, tick)
        if packet is not None:
            self._words[wire.index] = (packet, tick, tick)
            self._arrow(wire, packet)

    def _end_state(self, node: int, tick: int) -> None:
        state, since, _, launch = self._states.pop(node, (BLOCKED, tick, 0, 0))
        if since < tick:
            name = _NAMES[state]
            called = f"launch {launch}" if state == BUSY and launch >= 0 else name
            self._slice(node, called, name, since, tick, {})

    def _end_word(self, w: int, tick: int) -> None:
        packet, since, blocked = self._words.pop(w)
        if since < tick:
            self._slice(-1 - w, self._text(w, packet), "word", since, tick, _args(packet))
            if since < min(blocked, tick):
                self._slice(-1 - w, "blocked", "blocked", since, min(blocked, tick), {})

    def _text(self, w: int, packet: PacketView) -> str:
        wire = self.netlist.wires[w]
        forms = wire.forms or (0,) * len(wire.words)
        told = []
        for (place, size), form, is_float in zip(values_of(forms, wire.lanes), forms, self._floats[w], strict=True):
            values = [f"{_float(v):.6g}" if is_float else str(v) for v in packet.words[place : place + size]]
            if size > 1:
                told.append(f"[{' '.join(v if packet.live >> k & 1 else '–' for k, v in enumerate(values))}]")
            else:
                told.append(f"{values[0]} {'+' if form > 0 else '−'} {abs(form)}·lane" if form else values[0])
        return ", ".join(told)

    def _slice(self, member: int, name: str, category: str, since: int, until: int, args: dict[str, Any]) -> None:
        pid, tid = self._places[member]
        event: dict[str, Any] = {"ph": "X", "name": name, "cat": category, "pid": pid, "tid": tid}
        if category in _COLOURS:
            event["cname"] = _COLOURS[category]
        if args:
            event["args"] = args
        self._event(event, ("ts", since), ("dur", until - since))

    def _arrow(self, wire: WireTrack, packet: PacketView) -> None:
        """A flow from the giving node, when the word entered, to the wire, when it is at its end."""
        entry = wire.held[0][0] if wire.held and wire.held[0][1] is packet else wire.last_entry
        assert self._follower is not None
        ends = self.netlist.wires[wire.index].source, -1 - wire.index
        if ends[0] not in self._places or entry < self._follower.start:
            return
        self._flows += 1
        arrival = self._words[wire.index][1]
        for phase, member, tick in (("s", ends[0], entry), ("f", ends[1], arrival)):
            pid, tid = self._places[member]
            event: dict[str, Any] = {
                "ph": phase,
                "name": "word",
                "cat": "flow",
                "id": self._flows,
                "pid": pid,
                "tid": tid,
            }
            if phase == "f":
                event["bp"] = "e"
            self._event(event, ("ts", tick))

    def close(self) -> None:
        """End what is open, and the document."""
        follower = self._follower
        assert follower is not None and follower.end is not None
        for node in sorted(self._states):
            self._end_state(node, follower.end)
        for w in sorted(self._words):
            packet, since, _ = self._words[w]
            if follower.wires[w].blocked(follower.end):
                self._words[w] = (packet, since, follower.end)
            self._end_word(w, follower.end)
        self.write("\n]}\n")


def _args(packet: PacketView) -> dict[str, Any]:
    """What a viewer tells of a word."""
    args: dict[str, Any] = {"launch": "any" if packet.any else packet.launch, "words": list(packet.words)}
    for name, value in (("block", packet.block), ("thread", packet.thread)):
        if value >= 0:
            args[name] = value
    if packet.lanes > 1:
        args["live"] = [lane for lane in range(packet.lanes) if packet.live >> lane & 1]
    return args | ({"masked": True} if packet.masked else {})


def _float(word: int) -> float:
    value: float = struct.unpack("<f", struct.pack("<i", word))[0]
    return value
