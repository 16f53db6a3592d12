"""What lanes change in a netlist: forms, values on tracks, and what a core of several lanes costs.

:func:`engine.forms.find_forms` says how words lie in packets; here nodes and wires that know words only get it, with
the energies and powers that follow ("Lanes" in docs/model.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from engine.build import Build
from engine.errors import Path
from engine.forms import Forms, LaneForms, Mistake, find_forms
from engine.netlist import Node, values_of
from engine.problems import Problems, plural
from engine.tokens import DEFAULT_WORDS, make_warps

SLOTS = ("repeat", "buffer", "delay", "barrier", "pack")
"""Kinds that hold packets in slots."""


def spread_lanes(build: Build, problems: Problems) -> None:
    """Give a machine its lanes, and lay its tracks; note what is wrong with them."""
    threads = next((part for part in build.parts if part.core.name == "threads" and part.settings["lanes"] > 1), None)
    token_forms: Forms = ()
    if threads is not None:
        assert threads.pad is not None and build.level.threads is not None
        words = tuple(threads.pad.words or DEFAULT_WORDS)
        build.tokens = make_warps(build.level.threads, words, threads.settings["lanes"])
        token_forms = build.tokens.forms
    found = find_forms(build.nodes, build.wires, token_forms)
    for mistake in found.mistakes:
        problems.add(mistake.code, _place(build, mistake), mistake.text)
    _reach(build, found, problems)
    build.nodes = widened(build.nodes, found)
    links = [link for link in build.wiring.links if link is not None]
    wires = [replace(w, lanes=found.wire_lanes[i], forms=found.wire_forms[i]) for i, w in enumerate(build.wires)]
    build.wiring.lay({link.index: wire.tracks for link, wire in zip(links, wires, strict=True)})
    if problems.fatal:
        return
    for i, wire in enumerate(wires):
        figures = build.technology.wire(wire.length, wire.tracks, wire.every_ticks, wire.voltage_mv, build.leakage)
        shifter = wire.shifter_aj // max(1, len(wire.words)) * wire.tracks
        wires[i] = replace(wire, drive_nw=figures.drive_nw, leakage_nw=figures.leakage_nw, shifter_aj=shifter)
    build.wires = tuple(wires)
    for n, node in enumerate(build.nodes):
        part = build.parts[node.element]
        if not node.vector or part.pad is not None:
            continue
        latency = node.latency_ticks
        if node.kind == "reduce":
            latency = max(1, int(math.log2(node.breadth))) * part.clock_ticks
        build.nodes[n] = replace(
            node,
            latency_ticks=latency,
            room=max(node.room, -(-latency // node.interval_ticks)),
            op_aj=node.op_aj if node.kind.startswith("shared.") else build.dynamic(build.operation_aj(part), part),
            lane_aj=build.dynamic(build.technology.event_aj["shuffle"], part) if node.kind == "reduce" else 0,
        )
        if node.kind == "barrier" and not node.params["has_arrive"]:
            build.slots += _slots(node) - 2 * node.params["n"]
        element = build.elements[node.element]
        if part.core.name != "shared":
            standing = build.standing(part, _slots(node) * _values(node, found.port_forms[n]), node.breadth)
            build.elements[node.element] = replace(element, standing_nw=standing)
        else:
            standing = build.standing(part, 0, node.breadth)
            most = max(element.standing_nw["leakage"], standing["leakage"])
            build.elements[node.element] = replace(element, standing_nw={**element.standing_nw, "leakage": most})


def _reach(build: Build, found: LaneForms, problems: Problems) -> None:
    """A warning of each shuffle in which no lane has another to take words from."""
    for node, lanes in zip(build.nodes, found.lanes, strict=True):
        if node.kind != "shuffle":
            continue
        k, part = int(node.params["k"]), build.parts[node.element]
        xor = node.params["pattern"] == "xor"
        if not found.mistakes and not (any(lane ^ k < lanes for lane in range(lanes)) if xor else k < lanes):
            cure = f"set k to {lanes - 1} at most" if lanes > 1 else "shuffle packets of several lanes"
            problems.add(
                "no-effect",
                (*part.path, "set", "k"),
                f"{node.id}: k is {k} and packets have {plural(lanes, 'lane')}, so every lane gets fill: {cure}",
                "warning",
            )


def widened(nodes: Sequence[Node], found: LaneForms) -> list[Node]:
    """The nodes with lanes and forms, and how often each works in a firing."""
    made = []
    for n, node in enumerate(nodes):
        inputs = tuple(
            replace(port, lanes=found.port_lanes[n][p], forms=found.port_forms[n][p])
            for p, port in enumerate(node.inputs)
        )
        node = replace(node, inputs=inputs, lanes=found.lanes[n], forms=found.forms[n])
        if node.vector:
            once, per_lane = _works(node)
            node = replace(node, once=once, per_lane=per_lane)
        made.append(node)
    return made


def _works(node: Node) -> tuple[int, int]:
    """(once, per_lane) of a node with lanes: see :class:`engine.netlist.Node`."""
    match node.kind:
        case "reduce":
            return -1, 1
        case "pack" | "unpack":
            return 1, 0
        case "compact" | "accumulate" | "scan":
            return 0, 1
        case "shuffle":
            return 0, node.result_width
        case "guard":
            limited = [f for f, n in zip(node.inputs[0].forms, node.params["limits"], strict=True) if n >= 0]
            return len(limited) - limited.count(None), limited.count(None)
        case "address":
            return len(node.forms) - node.forms.count(None), node.forms.count(None)
        case _ if node.kind in SLOTS:
            return _values(node, [port.forms for port in node.inputs]), 0
        case _:
            return (0, 1) if node.forms[:1] == (None,) else (1, 0)


def _values(node: Node, forms: Sequence[Forms]) -> int:
    """Values of a packet that a node keeps in a slot."""
    return sum(size for _, size in values_of(forms[0], node.lanes if node.kind != "pack" else 1))


def _slots(node: Node) -> int:
    """Slots of a core, of packets (pack: of scalars)."""
    match node.kind:
        case "repeat":
            return int(node.params["group"])
        case "buffer" | "delay":
            return int(node.params["slots"])
        case "barrier":
            return 0 if node.params["has_arrive"] else 2 * -(-int(node.params["n"]) // node.lanes)
        case "pack":
            return int(node.params["n"])
        case _:
            return 0


def _place(build: Build, mistake: Mistake) -> Path:
    """Where a mistake stands in the design."""
    node = build.nodes[mistake.node]
    wires = node.inputs[mistake.port].wires if mistake.port >= 0 else ()
    if not wires:
        return build.parts[node.element].path
    links = [link for link in build.wiring.links if link is not None]
    return "wires", links[wires[0]].index, "to"
