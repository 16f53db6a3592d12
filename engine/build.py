"""The nodes, wires and elements of a netlist, made from parts and wires that have passed all checks.

What ``Node.params`` holds, by kind (a kind that is not listed has none):

=================  =====================================================================================
load, store, sink  ``array``: index into ``Netlist.arrays``
stream             ``array``; ``burst``: (words, rest in ticks), or None
compare            ``op``: lt, le, eq, ne, ge, gt
address            ``words``: per result word (constant, (k0 … k5)), factors of the input's words
guard              ``limits``: per word n, or −1 for null; ``mode``: drop or mark
repeat             ``times``, ``group``, ``append``: bool. hold {n} is times n, group 1, no append
take, skip         ``n``, ``of``
counter            ``start``, ``n``, ``step``
deal, collect      ``n``
delay              ``slots``, ``every``; ``init``: bit patterns, one per word of the packet
buffer             ``slots``
shared.write/read  ``memory``: index into ``Netlist.memories``; ``port_name``: "write", "write2", "read", …
barrier            ``n``, ``ahead``; ``has_arrive``: bool, whether arrive has a wire
accumulate         ``op``: add, mul, min, max, and, or, xor; ``n``, ``ways``
switch             ``keep``: bool
pack               ``n``, ``every``
unpack             ``drop``: bool
shuffle            ``pattern``: up, down or xor; ``k``; ``fill``: bit patterns, one per word
compact            ``n``, ``every``
reduce             ``op``: add, min, max, and, or, any, all, count, first
scan               ``op``, ``n``
=================  =====================================================================================

**Ports.** A node has all input and output ports of its core, in the catalogue's order, open ones too. The node of a
shared memory's port has the memory's id and the bare names at, value and done.

**Results.** A result's words: load: the value, then the echo; shared.read: the same; store and shared.write: the echo;
address: one word per sum; tuple: its inputs one behind the other; repeat with append: the packet, then the pass;
all other cores that pass packets on: the words that the core *sees* at its input; arithmetic and reduction: one word.
An *echo* is the packet as it came on the wire (of an immediate: its words), before the port's own choice of words:
``at: {words: [0, '0']}`` on a packet of 3 words reads [w0, 0] and echoes 3 words. Value and echo are separate output
ports with offsets 0 and 1; the outputs of switch and deal share offset 0. A switch whose output order has a wire has
the order word behind those of the packet.

A node none of whose inputs has a wire never fires (sources excepted).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engine.board import Board
from engine.catalog import SLEEP_AFTER
from engine.coupled import Layout, coupled
from engine.encodings import CROSSTALK_CODES, LINES
from engine.model import Level
from engine.netlist import (
    WINDOW_EVENTS,
    Array,
    Element,
    Gate,
    InPort,
    Memory,
    Netlist,
    Node,
    OutPort,
    Stretch,
    Wire,
    WordPick,
)
from engine.pads import pad_figures
from engine.parts import Part
from engine.technology import Technology, technology
from engine.tokens import DEFAULT_WORDS, Warps, make_tokens, no_tokens
from engine.units import NOMINAL_MV, TICKS_PER_CYCLE, aj_from_fj, nw_from_uw, ticks_from_ns
from engine.wiring import Link, Wiring
from engine.words import nodes_led_by_data

_STORAGE = ("repeat", "hold", "buffer", "delay", "barrier")
_SERIES = {"add": 1, "mul": 3}


@lru_cache(maxsize=32)
def _identity(width: int) -> tuple[WordPick, ...]:
    return tuple(WordPick(False, i) for i in range(width))


class Build:
    """A checked design on its way to a netlist."""

    def __init__(
        self, level: Level, board: Board, parts: list[Part], wiring: Wiring, layout: Layout | None = None
    ) -> None:
        self.level = level
        self.board = board
        self.wiring = wiring
        self.technology: Technology = technology(level.technology)
        self.supply = self.technology.supply
        self.dvfs = level.physics.dvfs
        self.leakage = self.dvfs.leakage if self.dvfs else 1
        self.control_aj = (
            self.technology.event_aj["control"] if level.control_fj is None else aj_from_fj(level.control_fj)
        )
        self.parts = parts
        self.tokens: Warps | None = None
        """The tokens, where they are warps."""
        self.tunnelling = self.technology.tunnelling
        self.clocked = self.dvfs is not None or level.physics.heat is not None
        """Whether a core's clock may be too fast, or fall."""
        self.memories: list[Memory] = []
        self.slots = 0
        self.elements: list[Element] = []
        self.nodes: list[Node] = []
        self._inputs: dict[tuple[int, int], tuple[int, int]] = {}
        self._outputs: dict[tuple[int, int], tuple[int, int]] = {}
        """From (part, port of the part) to (node, port of the node)."""
        for part in parts:
            self._part(part)
        self.wires = self._wires([link for link in wiring.links if link is not None])
        self.stretches: tuple[Stretch, ...] = ()
        if layout is not None and level.physics.crosstalk is not None:
            self.wires, self.stretches = coupled(level.physics.crosstalk, self.technology, layout, self.wires)

    def netlist(self) -> Netlist:
        level = self.level
        arrays = tuple(
            Array(
                name,
                tuple(a.shape),
                a.data is not None,
                a.data is None,
                a.dtype == "float32",
                a.line,
                a.memory == "far",
            )
            for name, a in level.kernel.arrays.items()
        )
        source = next((pad for pad in level.pads if pad.core == "threads"), None)
        grid = level.threads
        tokens = make_tokens(grid, tuple(source.words or DEFAULT_WORDS)) if source and grid else no_tokens()
        if self.tokens:
            tokens = self.tokens.values, self.tokens.block, self.tokens.thread
        return Netlist(
            nodes=tuple(self.nodes),
            wires=self.wires,
            elements=tuple(self.elements),
            arrays=arrays,
            memories=tuple(self.memories),
            tokens=tokens[0],
            token_block=tokens[1],
            token_thread=tokens[2],
            threads_per_block=grid.threads_per_block if grid else 0,
            blocks=grid.blocks if grid else 0,
            standby_nw=nw_from_uw(level.standby_uw),
            tolerance=level.kernel.tolerance,
            warmup=level.launches.warmup,
            measured=level.launches.measured,
            time_limit_ticks=ticks_from_ns(level.limits.time_us * 1000),
            data_dependent=bool(nodes_led_by_data(self.nodes, self.wires, self.memories)),
            footprint_tiles=self.board.footprint,
            slots=self.slots,
            window_events=WINDOW_EVENTS,
            technology=self.technology.name,
            physics=level.physics.modules,
            token_live=self.tokens.live if self.tokens else None,
            size=level.board.size,
            stretches=self.stretches,
        )

    # --- nodes -------------------------------------------------------------------------------------------

    def _part(self, part: Part) -> None:
        if part.pad is not None:
            self._pad(part)
        elif part.core.name == "shared":
            self._shared(part)
        else:
            self._core(part)

    def _node(
        self,
        part: Part,
        ports: tuple[range, range] | None = None,
        *,
        kind: str = "",
        latency: int,
        interval: int,
        room: int = 0,
        op_aj: int = 0,
        op_cause: str = "compute",
        params: dict[str, Any] | None = None,
    ) -> None:
        """Add one node; ``ports`` are the part's ports that it has, all of them unless given."""
        ins, outs = ports or (range(len(part.inputs)), range(len(part.outputs)))
        outputs: list[OutPort] = []
        shares = part.core.name in ("switch", "deal")
        width = offset = 0
        for out in outs:
            name = part.outputs[out].name.rpartition(".")[2]
            if name == "order":  # a word of its own, where anyone takes it
                outputs.append(OutPort(name, tuple(part.out_wires[out]), width, 1))
                width += bool(part.out_wires[out])
                continue
            width = self.wiring.out_width(part, out) or 0
            outputs.append(OutPort(name, tuple(part.out_wires[out]), offset, width))
            if not shares:
                offset += width
        index = len(self.nodes)
        self._outputs.update({(part.index, out): (index, i) for i, out in enumerate(outs)})
        self._inputs.update({(part.index, port): (index, i) for i, port in enumerate(ins)})
        self.nodes.append(
            Node(
                id=part.id,
                kind=kind or part.core.name,
                element=part.index,
                at=part.at,
                inputs=tuple(self._input(part, port) for port in ins),
                outputs=tuple(outputs),
                result_width=width if shares else offset,
                latency_ticks=latency,
                interval_ticks=interval,
                room=room or max(1, -(-latency // interval)),
                is_float=part.is_float,
                control_aj=0 if part.pad else self.dynamic(self.control_aj, part),
                op_aj=self.dynamic(op_aj, part),
                op_cause=op_cause,
                params=params or {},
                voltage_mv=part.voltage_mv,
                clock_ticks=part.clock_ticks,
                safe_millitick=self._safe_millitick(part) if self.clocked and not part.pad else 0,
                gate=self._gate(part),
            )
        )

    def _safe_millitick(self, part: Part) -> int:
        """The shortest safe period of a part's clock."""
        safe = self.supply.safe_millitick[part.voltage_mv]
        return safe * self.tunnelling.thin_safe_percent // 100 if part.thin_oxide else safe

    def _gate(self, part: Part) -> Gate | None:
        """How a core or far pad sleeps; a core wakes within three of its own cycles."""
        if part.gate is None:
            return None
        figures = self.technology.wakening["far_pad" if part.pad else "core"]
        ticks = figures.ticks if part.pad else figures.ticks * part.clock_ticks // TICKS_PER_CYCLE
        causes = ("memory",) if part.pad else ("leakage", "tunnelling")
        return Gate(*part.gate, ticks, self.dynamic(figures.aj, part), figures.keeps_percent, causes)

    def dynamic(self, aj: int, part: Part) -> int:
        """Energy of an event at the part's voltage."""
        return self.supply.dynamic(aj, part.voltage_mv)

    def _input(self, part: Part, port: int) -> InPort:
        full = part.inputs[port].name
        name, wires = full.rpartition(".")[2], part.in_wires[port]
        if not wires:
            return InPort(name, immediate=part.immediates.get(full))
        choice = part.choices.get(full)
        return InPort(name, tuple(wires), choice or _identity(self.wiring.packet_width(part, port) or 0))

    def _pad(self, part: Part) -> None:
        assert part.pad is not None
        figures = pad_figures(self.level, part.pad)
        params: dict[str, Any] = {"array": part.array}
        if part.pad.core == "threads":
            params = {"lanes": part.settings["lanes"]} if part.settings["lanes"] > 1 else {}
        if part.pad.core == "stream":
            params["burst"] = figures.burst
        self._node(
            part,
            latency=figures.latency,
            interval=figures.interval,
            op_aj=figures.access_aj,
            op_cause="compute" if part.pad.core == "threads" else "memory",
            params=params,
        )
        standing = {"memory": figures.standing_nw} if figures.standing_nw and part.wired else {}
        self.elements.append(Element(part.id, part.core.name, part.at, standing))

    def _core(self, part: Part) -> None:
        core, name = part.core, part.core.name
        settings = part.settings
        latency, interval = core.latency * part.clock_ticks, core.interval * part.clock_ticks
        width = self.wiring.seen_width(part, 0) or 0
        slots, room = 0, 0
        match name:
            case "relay":
                room = 2
            case "buffer" | "delay":
                slots = room = settings["slots"]
            case "repeat":
                slots = settings["group"]
            case "hold":
                slots = 1
            case "pack":
                slots = settings["n"]
            case "barrier" if part.in_wires[1]:
                room = 2
            case "barrier":
                slots, room = 2 * settings["n"], settings["n"]
            case "accumulate" | "scan":
                latency = interval = _SERIES.get(settings["op"], 1) * part.clock_ticks
        self.slots += slots
        self._node(
            part,
            kind="repeat" if name == "hold" else name,
            latency=latency,
            interval=interval,
            room=room,
            op_aj=self.operation_aj(part) * self._operations(part, width),
            op_cause="storage" if name in _STORAGE else "compute",
            params=_params(part, width),
        )
        self._standing(part, slots * width)

    def operation_aj(self, part: Part) -> int:
        """aJ of one operation of a core, at the nominal voltage."""
        op, name = part.core.op, part.core.name
        if op is None or (name == "barrier" and part.in_wires[1]):
            return 0
        if op == "reduce":
            kind = part.settings["op"]
            op = "minmax" if kind in ("min", "max") else kind if kind in ("add", "mul") else "logic"
        return self.technology.operation_aj(op, part.is_float)

    def _operations(self, part: Part, width: int) -> int:
        """Operations of a live firing of a core without lanes; ``width`` is that of its first input."""
        if part.core.op == "slot":
            return width
        if part.core.name == "guard":
            return sum(limit >= 0 for limit in part.settings["limits"])
        return len(part.settings["words"]) if part.core.name == "address" else 1

    def _shared(self, part: Part) -> None:
        settings = part.settings
        memory = len(self.memories)
        made = Memory(
            part.index,
            settings["words"],
            settings["pages"],
            settings["reads"],
            self.level.bank_count,
            settings["row"],
            settings["pad"],
        )
        self.memories.append(made)
        names = [port.name for port in part.inputs]
        outs = [port.name for port in part.outputs]
        for i, full in enumerate(names):
            side, _, port = full.partition(".")
            if port != "at":
                continue
            write = side.startswith("write")
            first = outs.index(f"{side}.done" if write else f"{side}.value")
            self._node(
                part,
                (range(i, i + 1 + write), range(first, first + 2 - write)),
                kind="shared.write" if write else "shared.read",
                latency=part.core.latency * part.clock_ticks,
                interval=part.core.interval * part.clock_ticks,
                op_aj=self.technology.event_aj["shared_word"],
                op_cause="storage",
                params={"memory": memory, "port_name": side},
            )
        words = (made.place(made.words - 1) + 1) * made.pages
        self.slots += words
        self._standing(part, words)

    def _standing(self, part: Part, slot_words: int) -> None:
        self.elements.append(Element(part.id, part.core.name, part.at, self.standing(part, slot_words)))

    def standing(self, part: Part, slot_words: int, lanes: int = 1) -> dict[str, int]:
        """What a core of ``lanes`` lanes and its slots draw, nW by cause."""
        leakage = self.technology.core_leakage_nw(part.core.name, lanes)
        standing = {"leakage": self._leakage(leakage, part)}
        if part.thin_oxide:
            more = leakage * self.tunnelling.thin_leakage_percent // 100
            standing["tunnelling"] = self.supply.dynamic(more, part.voltage_mv)
        if slot_words:
            standing["storage"] = self._leakage(self.technology.standing_nw["slot"] * slot_words, part)
        return standing

    def _leakage(self, nw: int, part: Part) -> int:
        """Leakage at the part's voltage; what slots draw is leakage as well."""
        return self.supply.leakage_nw(nw, part.voltage_mv, self.leakage)

    # --- wires -------------------------------------------------------------------------------------------

    def _wires(self, links: list[Link]) -> tuple[Wire, ...]:
        wires: list[Wire] = []
        seen: dict[str, int] = {}
        for link in links:
            source, out = self._outputs[link.source.index, link.out]
            offset, width = self.nodes[source].outputs[out].offset, link.width or 0
            chosen = range(width) if link.chosen is None else link.chosen
            ends = [self._inputs[link.target.index, port] for port in link.ports]
            every = link.spec.every_ticks or 0
            mv = link.spec.voltage_mv or NOMINAL_MV
            encoding, gap = link.spec.encoding or "raw", link.spec.gap or 100
            codec, length, words = self.technology.codecs[encoding], len(link.tiles) - 1, len(chosen)
            figures = self.technology.wire(length, width, every, mv, self.leakage, LINES[encoding], gap)
            codec_nw = self.supply.leakage_nw(codec.leakage_nw * words, mv, self.leakage)
            name = f"{link.spec.source.replace(' ', '')} → {', '.join(link.spec.to)}"
            seen[name] = seen.get(name, 0) + 1
            wires.append(
                Wire(
                    id=name if seen[name] == 1 else f"{name} #{seen[name]}",
                    source=source,
                    source_port=out,
                    words=tuple(offset + word for word in chosen),
                    target=ends[0][0],
                    ports=tuple(port for _, port in ends),
                    tiles=link.tiles,
                    every_ticks=every,
                    toggle_aj=figures.toggle_aj,
                    drive_nw=figures.drive_nw,
                    leakage_nw=figures.leakage_nw + codec_nw,
                    voltage_mv=mv,
                    safe_millitick=self._safe_time(mv, encoding) if self.dvfs else 0,
                    gate=self._wire_gate(link, len(link.tiles) - 1, width, mv),
                    shifter_aj=self.supply.shifter_aj * words if mv != link.target.voltage_mv else 0,
                    encoding=encoding,
                    encoder_ticks=codec.encoder_ticks,
                    decoder_ticks=codec.decoder_ticks,
                    encode_aj=self.supply.dynamic(codec.word_aj * words, mv),
                    raw_receiver=link.spec.receiver == "raw",
                    gap=gap,
                    retention_ticks=self.tunnelling.retention_ticks[gap],
                    wall_nw=self.supply.dynamic(self.tunnelling.wall_nw[gap] * length * words, mv),
                )
            )
        return tuple(wires)

    def _wire_gate(self, link: Link, length: int, width: int, mv: int) -> Gate | None:
        """How a wire sleeps."""
        if not link.spec.gate:
            return None
        figures = self.technology.wakening["wire"]
        after = SLEEP_AFTER.default if link.spec.sleep_after is None else link.spec.sleep_after
        wake_aj = self.supply.dynamic(figures.aj * length * width, mv)
        return Gate(after, link.spec.ahead or 0, figures.ticks, wake_aj, figures.keeps_percent, ("drive",))

    def _safe_time(self, mv: int, encoding: str) -> int:
        """The shortest safe time per word of a wire, in thousandths of a tick."""
        safe = self.supply.safe_millitick[mv] // 2
        if encoding in CROSSTALK_CODES and self.level.physics.crosstalk:
            return safe * self.technology.calm_percent // 100
        return safe


def _params(part: Part, width: int) -> dict[str, Any]:
    """``Node.params`` of a core that is no pad and no shared memory; ``width`` is that of its first input."""
    settings: Mapping[str, Any] = part.settings
    match part.core.name:
        case "hold":
            return {"times": settings["n"], "group": 1, "append": False}
        case "delay":
            init = settings["init"]
            return {**settings, "init": init if isinstance(init, tuple) else (init,) * width}
        case "shuffle":
            fill = settings["fill"]
            return {**settings, "fill": fill if isinstance(fill, tuple) else (fill,) * width}
        case "barrier":
            return {**settings, "has_arrive": bool(part.in_wires[1])}
        case _:
            return dict(settings)
