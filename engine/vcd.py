"""A machine's run as a value change dump (IEEE 1364-2005, clause 18), for waveform viewers.

One unit of time is a tick of 10 ps. Below the level there is a scope per pad and core in ``cores`` (a shared memory has
one per port in it) and per wire in ``wires``:

- a core's ``busy``, ``blocked`` and ``starved`` (one of them is 1), ``results`` in its queue and ``firings`` so far;
- a wire's ``valid`` (a word is at its end, and for the wire's time per word after it was taken), ``blocked`` (it could
  be taken and is not), the word as ``value``, or ``word0`` and so on, kept until the next one comes, its ``launch`` (x
  where it matches any), its ``block`` and ``thread`` where there are threads, ``masked``, how many packets the wire has
  ``held``, and how many have ``passed`` so far;
- of packets of several lanes a word that differs from lane to lane as ``value_lane0`` and so on, a linear one as its
  base; ``thread`` is the first one, and ``live`` the lanes that are live, lane 0 the lowest bit;
- ``launches`` counted and ``issued``, and ``fault``.

int32 words are vectors of 32 bits, float32 words are reals.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable, Sequence

from engine.follow import BLOCKED, BUSY, STARVED, Follower, NodeTrack, WireTrack
from engine.netlist import Netlist
from engine.version import VERSION
from engine.words import float_words

_FIRST, _CODES = 33, 94
"""Identifier codes are made of the printable characters from ! to ~."""

Value = int | float | None
"""Of a variable; None: unknown."""


class _Scope:
    """A scope being declared: names in it are used once."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def name(self, text: str) -> str:
        """``text`` as an identifier that is new here."""
        plain = re.sub(r"[^A-Za-z0-9_$]+", "_", text.replace("→", "to")).strip("_") or "_"
        plain = plain if not plain[0].isdigit() else f"_{plain}"
        name, number = plain, 2
        while name in self.names:
            name, number = f"{plain}_{number}", number + 1
        self.names.add(name)
        return name


class VcdWriter:
    """Writes what a :class:`~engine.follow.Follower` tells; text goes to ``write`` piece by piece.

    Call :meth:`attach` with the follower before anything is told, and :meth:`close` in the end.
    """

    def __init__(self, netlist: Netlist, title: str, write: Callable[[str], object]) -> None:
        self.netlist, self.title, self.write = netlist, title, write
        self._codes = 0
        self._bits: list[int] = []
        """Width of each variable; 0: a real."""
        self._shown: list[Value] = []
        """What each variable was last written as."""
        self._tick = -1
        self._top: list[int] = []
        self._nodes: dict[int, list[int]] = {}
        self._wires: dict[int, list[int]] = {}
        self._follower: Follower | None = None

    # --- declarations -------------------------------------------------------------------------------------

    def attach(self, follower: Follower) -> None:
        """Write the head of the file: all variables of what is followed."""
        net, write = self.netlist, self.write
        self._follower = follower
        write(f"$version Perwatt {VERSION} $end\n$comment {_comment(self.title)} $end\n$timescale 10 ps $end\n")
        top = _Scope()
        write(f"$scope module {top.name(self.title.split(',')[0])} $end\n")
        self._top = [self._var("integer", 32, "launches"), self._var("integer", 32, "issued")]
        self._top.append(self._var("wire", 1, "fault"))
        if follower.nodes:
            write(f"$scope module {top.name('cores')} $end\n")
            self._declare_nodes(follower.nodes)
            write("$upscope $end\n")
        if follower.wires:
            write(f"$scope module {top.name('wires')} $end\n")
            floats, threads, scope = float_words(net.nodes, net.wires), net.threads_per_block > 0, _Scope()
            for w in follower.wires:
                write(f"$scope module {scope.name(net.wires[w].id)} $end\n")
                self._declare_wire(w, floats[w], threads)
                write("$upscope $end\n")
            write("$upscope $end\n")
        write("$upscope $end\n$enddefinitions $end\n")

    def _declare_nodes(self, indices: Iterable[int]) -> None:
        members: dict[int, list[int]] = {}
        for i in indices:
            members.setdefault(self.netlist.nodes[i].element, []).append(i)
        scope = _Scope()
        for element, nodes in members.items():
            self.write(f"$scope module {scope.name(self.netlist.elements[element].id)} $end\n")
            sides = _Scope()
            for i in nodes:
                node = self.netlist.nodes[i]
                side = len(nodes) > 1
                if side:
                    self.write(f"$scope module {sides.name(node.params.get('port_name', node.id))} $end\n")
                ones = [self._var("wire", 1, name) for name in ("busy", "blocked", "starved")]
                self._nodes[i] = [*ones, self._var("integer", 32, "results"), self._var("integer", 32, "firings")]
                if side:
                    self.write("$upscope $end\n")
            self.write("$upscope $end\n")

    def _declare_wire(self, w: int, floats: Sequence[bool], threads: bool) -> None:
        wire = self.netlist.wires[w]
        variables = [self._var("wire", 1, name) for name in ("valid", "blocked", "masked")]
        variables.append(self._var("wire", wire.capacity.bit_length(), "held"))
        variables += [self._var("integer", 32, name) for name in ("passed", "launch")]
        for k, (is_float, form) in enumerate(zip(floats, wire.forms or (0,) * len(floats), strict=True)):
            name = "value" if len(floats) == 1 else f"word{k}"
            for each in [name] if form is not None else [f"{name}_lane{lane}" for lane in range(wire.lanes)]:
                variables.append(self._var("real", 0, each) if is_float else self._var("wire", 32, each))
        if threads:
            variables += [self._var("integer", 32, name) for name in ("block", "thread")]
        if wire.lanes > 1:
            variables.append(self._var("wire", wire.lanes, "live"))
        self._wires[w] = variables

    def _var(self, kind: str, bits: int, name: str) -> int:
        number = len(self._bits)
        self._bits.append(bits)
        self._shown.append(None)
        span = f" [{bits - 1}:0]" if kind == "wire" and bits > 1 else ""
        self.write(f"$var {kind} {bits or 64} {_code(number)} {name}{span} $end\n")
        return number

    # --- values -------------------------------------------------------------------------------------------

    def at(self, tick: int, nodes: Sequence[NodeTrack], wires: Sequence[WireTrack]) -> None:
        """See :class:`engine.follow.Listener`."""
        follower = self._follower
        assert follower is not None
        changes: list[tuple[int, Value]] = []
        now: list[Value] = [follower.counted, follower.issued, int(follower.faulty)]
        changes += zip(self._top, now, strict=True)
        for node in nodes:
            state = node.state(tick)
            now = [int(state == BUSY), int(state == BLOCKED), int(state == STARVED), len(node.ready), node.fired]
            changes += zip(self._nodes[node.index], now, strict=True)
        for wire in wires:
            changes += zip(self._wires[wire.index], self._of_wire(wire, tick), strict=False)
        self._put(tick, changes)

    def _of_wire(self, wire: WireTrack, tick: int) -> list[Value]:
        """The values of a wire's variables; those of a packet only where one is there."""
        packet = wire.shown(tick)
        now: list[Value] = [int(packet is not None), int(wire.blocked(tick))]
        variables = self._wires[wire.index]
        if packet is None:
            now += [self._shown[variables[2]], len(wire.held), wire.passed]
            return now
        now += [int(packet.masked), len(wire.held), wire.passed, None if packet.any else packet.launch]
        bits = self._bits
        for variable, word in zip(variables[6:], packet.words, strict=False):
            now.append(word if bits[variable] else _float(word))
        if self.netlist.threads_per_block:
            now += [_number(packet.block), _number(packet.thread)]
        if packet.lanes > 1:
            now.append(packet.live)
        return now

    def _put(self, tick: int, changes: list[tuple[int, Value]]) -> None:
        shown, bits, first = self._shown, self._bits, self._tick < 0
        lines: list[str] = []
        for number, value in changes:
            if first or _differ(shown[number], value):
                shown[number] = value
                if not first:
                    lines.append(_change(value, bits[number], number))
        if first:
            lines = ["$dumpvars", *(_change(v, bits[i], i) for i, v in enumerate(shown)), "$end"]
        if lines:
            stamp = [] if tick == self._tick else [f"#{tick}"]
            self._tick = tick
            self.write("\n".join([*stamp, *lines, ""]))

    def close(self) -> None:
        """Write the last moment, so that viewers show all of the time."""
        assert self._follower is not None and self._follower.end is not None
        if self._follower.end > self._tick:
            self.write(f"#{self._follower.end}\n")


def _differ(a: Value, b: Value) -> bool:
    return a != b or type(a) is not type(b)


def _number(value: int) -> Value:
    """A block or thread: unknown where there is none."""
    return value if value >= 0 else None


def _float(word: int) -> float:
    value: float = struct.unpack("<f", struct.pack("<i", word))[0]
    return value


def _code(number: int) -> str:
    """Identifier code of a variable."""
    text = chr(_FIRST + number % _CODES)
    while number >= _CODES:
        number = number // _CODES - 1
        text += chr(_FIRST + number % _CODES)
    return text


def _change(value: Value, bits: int, number: int) -> str:
    code = _code(number)
    if not bits:
        return f"r{0.0 if value is None else value:.9g} {code}"
    if value is None:
        return f"x{code}" if bits == 1 else f"bx {code}"
    assert isinstance(value, int)
    return f"{value}{code}" if bits == 1 else f"b{value & (2**32 - 1):b} {code}"


def _comment(text: str) -> str:
    """Text that does not end a comment."""
    return text.replace("$", "_")
