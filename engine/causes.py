"""What a machine loses, and what to change first: time and energy.

Time: between what a launch took and what the pads allow stands first what sets the bound on throughput
(:mod:`engine.bounds`), then, were that out of the way, the next, and so on until the pads set the pace. Energy: wires
faster than what comes along, ways longer than they need be, cores that do nothing, and what burns while all wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from engine.bounds import Bound, Demand, Mark, WireDemand, demand, short_roads, throughput_bound
from engine.changes import Change
from engine.counts import Counts, Firings, packets_per_launch
from engine.model import Report
from engine.netlist import Netlist, Node, Wire
from engine.relief import with_buffers
from engine.units import EXACT_PER_AJ, EXACT_PER_PJ, MIN_EVERY_TICKS
from engine.wait_words import counted, number, wire_name

MIN_SHARE = 0.01
"""What is less than this share of a launch's energy or time is not worth a line."""

MAX_LAYERS = 16
"""After so many obstacles the rest is told as one."""

PADDING = "leave out a cell after each row (row and pad), or let lanes take cells of different banks"
"""The cure of bank conflicts."""

PADS = ("threads", "stream", "load", "store", "sink")


@dataclass(frozen=True, slots=True)
class LostEnergy:
    """One avoidable item: ``pj`` per launch, at ``element``; ``wire`` is its number where it is one.

    ``change`` is the cure as a machine can make it, ``gain`` the share by which it raised the score where it was tried.
    """

    kind: Literal["too-fast", "detour", "idle", "waiting", "lines", "conflicts"]
    element: str
    pj: float
    message: str
    cure: str
    wire: int | None = None
    change: Change | None = None
    gain: float | None = None


@dataclass(frozen=True, slots=True)
class LostTime:
    """One obstacle: ``ns`` per launch that are saved once it and all before it in the order are out of the way.

    ``elements`` are names of cores, pads and wires, the one to change first. ``kind`` as of a bound; ``uneven`` is what
    the bound does not explain. ``change`` and ``gain`` as of :class:`LostEnergy`.
    """

    kind: Literal["node", "wire", "loop", "roads", "uneven"]
    elements: tuple[str, ...]
    ns: float
    message: str
    cure: str
    wire: int | None = None
    pj: float = 0.0
    """What standby and leakage cost in that time, per launch."""
    change: Change | None = None
    gain: float | None = None


@dataclass(frozen=True, slots=True)
class Causes:
    """``period_ns`` is what a launch took, ``least_ns`` what the pads allow, set by the pad ``least_by``."""

    period_ns: float
    least_ns: float
    least_by: str
    time: list[LostTime]
    energy: list[LostEnergy]
    first: str
    """What to change first, in a sentence; empty where nothing stands out."""


def causes(netlist: Netlist, report: Report, most: int = 3) -> Causes | None:
    """What loses time and energy, at most ``most`` items of each; None for a run that was not measured.

    Items of time lie between ``period_ns`` and ``least_ns``, in the order in which they have to go, and add up. Items
    of energy are estimates of what one change alone would save, largest first, and do not.
    """
    if report.metrics is None or report.window is None or report.energy_exact is None:
        return None
    counts = counts_of(netlist, report)
    period = Fraction(_ticks(report), report.metrics.launches)
    least, pad = pads_allow(netlist, counts)
    time = _with_energy(report, lost_time(netlist, counts, period, least))
    energy = lost_energy(netlist, report, most, time)
    return Causes(float(period) / 100, float(least) / 100, pad, time[:most], energy, _first(time, energy))


def counts_of(netlist: Netlist, report: Report) -> Counts:
    """Packets per launch: from the graph, or where data decides about them from the run that is reported."""
    counts = packets_per_launch(netlist)
    if counts.exact or report.metrics is None:
        return counts
    events = {element.id: element.events for element in report.elements}
    launches = report.metrics.launches
    members = [sum(other.element == node.element for other in netlist.nodes) for node in netlist.nodes]
    return Counts(
        tuple(
            Fraction(events[node.id], launches) if members[i] == 1 else counts.firings[i]
            for i, node in enumerate(netlist.nodes)
        ),
        tuple(Fraction(events[wire.id], launches) for wire in netlist.wires),
        exact=True,
        nodes=counts.nodes,
    )


def _with_energy(report: Report, time: list[LostTime]) -> list[LostTime]:
    assert report.energy_exact
    standing = sum(report.energy_exact.by_cause.get(cause, 0) for cause in ("standby", "leakage"))
    per_ns = standing / EXACT_PER_PJ / (_ticks(report) / 100)
    return [replace(item, pj=item.ns * per_ns) for item in time]


def _ticks(report: Report) -> int:
    assert report.window
    return round((report.window.end_ns - report.window.start_ns) * 100)


# --- Time ------------------------------------------------------------------------------------------------


def pads_allow(netlist: Netlist, counts: Counts) -> tuple[Fraction, str]:
    """Ticks per launch that the pads need for their words at their own pace, and the slowest of them."""
    found = [(Fraction(0), "")]
    for node, firings, known in zip(netlist.nodes, counts.firings, counts.nodes, strict=True):
        if node.kind in PADS:
            ticks = firings * node.interval_ticks * known.mean_cycles
            if node.params.get("burst"):
                words, rest = node.params["burst"]
                ticks += firings * rest / words
            found.append((ticks, node.id))
    return max(found, key=lambda entry: entry[0])


def lost_time(netlist: Netlist, counts: Counts, period: Fraction, least: Fraction) -> list[LostTime]:
    """What stands between ``period`` and ``least`` ticks per launch, in the order in which it has to go.

    What saves less than 1 % is left out.
    """
    if period <= least * (1 + Fraction(MIN_SHARE)):
        return []
    items: list[LostTime] = []
    bound = throughput_bound(netlist, counts)
    now = bound.ticks_per_launch or period
    uneven = [_uneven(period, now)] if period > now * (1 + Fraction(MIN_SHARE)) else []
    machine, found = netlist, counts
    together: list[Bound] = []
    for _ in range(MAX_LAYERS):
        if now <= least * (1 + Fraction(MIN_SHARE)):
            break
        together.append(bound)
        freed = _without(machine, found, bound)
        if freed is None:
            items.append(_item(netlist, counts, together, now - least, least))
            break
        machine, found = freed
        bound = throughput_bound(machine, found)
        then = max(bound.ticks_per_launch or least, least)
        if then < now:
            items.append(_item(netlist, counts, together, now - then, least))
            together, now = [], then
    return [item for item in [*items, *uneven] if item.ns * 100 >= period * MIN_SHARE]


def _uneven(period: Fraction, bound: Fraction) -> LostTime:
    return LostTime(
        "uneven",
        (),
        float(period - bound) / 100,
        f"a launch takes {_ns(period)} ns, where rates and room alone would allow {_ns(bound)}",
        "the words do not come evenly: see which core waits for which, with why",
    )


def _without(netlist: Netlist, counts: Counts, bound: Bound) -> tuple[Netlist, Counts] | None:
    """The machine without the obstacle that sets the bound; None where it cannot be thought away."""
    match bound.kind:
        case "wire":
            wires = list(netlist.wires)
            for w in bound.wires:
                if wires[w].every_ticks <= MIN_EVERY_TICKS:
                    return None
                wires[w] = replace(wires[w], every_ticks=MIN_EVERY_TICKS)
            return replace(netlist, wires=tuple(wires)), counts
        case "node":
            nodes = list(netlist.nodes)
            for n in bound.nodes:
                if nodes[n].kind in PADS or nodes[n].interval_ticks <= 1:
                    return None
                nodes[n] = replace(nodes[n], interval_ticks=1, room=max(nodes[n].room, nodes[n].latency_ticks))
            return replace(netlist, nodes=tuple(nodes)), counts
        case "roads":
            missing = short_roads(netlist, counts)
            if not missing:
                return None
            return with_buffers(netlist, missing), _with_buffers(counts, sorted(missing))
        case _:
            return None


def _with_buffers(counts: Counts, wires: list[int]) -> Counts:
    """Counts of a machine with buffers on these wires: each fires as often as packets come along."""
    more = tuple(counts.packets[w] for w in wires)
    return replace(
        counts,
        firings=counts.firings + more,
        packets=counts.packets + more,
        nodes=counts.nodes + tuple(Firings(int(packets)) for packets in more),
    )


def _item(netlist: Netlist, counts: Counts, together: list[Bound], ticks: Fraction, least: Fraction) -> LostTime:
    """One item of obstacles that have to go together, as each alone would do as well."""
    names: list[str] = []
    wire = None
    for bound in together:
        wires = [w for w in bound.wires if w < len(netlist.wires)]
        nodes = [netlist.nodes[n].id for n in bound.nodes if n < len(netlist.nodes)]
        if bound.kind == "roads":
            missing = short_roads(netlist, counts)
            wires.sort(key=lambda w: -missing.get(w, 0))
        names += [netlist.wires[w].id for w in wires] if bound.kind in ("wire", "roads") else nodes
        if wire is None and wires and bound.kind in ("wire", "roads"):
            wire = wires[0]
    first = together[0]
    message = first.sentence
    if len(together) > 1:
        message += f" (and {number(len(together) - 1)} more beside it)"
    change = None
    if first.kind == "wire" and first.wires[0] < len(netlist.wires):
        change = Change("speed", wire=first.wires[0], every_ticks=_asked(counts, first.wires[0], least))
    elif first.kind == "roads":
        change = Change("longer")
    elif first.kind == "node" and counts.nodes[first.nodes[0]].mean_cycles > 1:
        change = _padding(netlist, netlist.nodes[first.nodes[0]])
    return LostTime(
        first.kind,
        tuple(dict.fromkeys(names)),
        float(ticks) / 100,
        message,
        _cure(netlist, counts, first, least),
        wire,
        change=change,
    )


def _asked(counts: Counts, wire: int, least: Fraction) -> int:
    """Ticks per word of a wire that does not hold up launches of ``least`` ticks."""
    asked = least / counts.packets[wire] if counts.packets[wire] and least else Fraction(0)
    return max(int(asked), MIN_EVERY_TICKS)


def _cure(netlist: Netlist, counts: Counts, bound: Bound, least: Fraction) -> str:
    match bound.kind:
        case "wire":
            wire = bound.wires[0]
            if wire >= len(netlist.wires):
                return "speed up the wire that lacked room as well"
            every = _asked(counts, wire, least)
            return f"speed up {wire_name(netlist, wire)}: a word every {every / 100:g} ns"
        case "roads":
            wire, lack = max(short_roads(netlist, counts).items(), key=lambda item: item[1], default=(-1, 0))
            if lack and wire < len(netlist.wires):
                tiles = counted(lack + lack % 2, "tile")
                return f"give {wire_name(netlist, wire)} {tiles} more, or a buffer of {lack}"
            return "give the short road more room: a longer way, or a buffer"
        case "loop" if any(netlist.nodes[n].kind == "shared.write" for n in bound.nodes):
            return "give the memory another page, or let a block read its words faster"
        case "loop":
            return "shorten the loop, speed up its wires, or let more words go round"
    node = netlist.nodes[bound.nodes[0]]
    if node.kind in PADS:
        return f"ask less of {node.id}: every word that it need not give or take saves its time"
    if counts.nodes[bound.nodes[0]].mean_cycles > 1 and _padding(netlist, node):
        return PADDING
    return f"do it with less than {node.kind}, or with two of them side by side (deal and collect)"


def _ns(ticks: Fraction) -> str:
    return f"{float(ticks) / 100:.3g}"


# --- Energy ----------------------------------------------------------------------------------------------


def lost_energy(
    netlist: Netlist, report: Report, most: int = 3, time: list[LostTime] | None = None
) -> list[LostEnergy]:
    """The ``most`` largest avoidable items of a run that was measured, largest first; see :func:`causes`."""
    if report.metrics is None or report.window is None or report.energy_exact is None:
        return []
    ticks, launches = _ticks(report), report.metrics.launches
    counts = counts_of(netlist, report)
    asked = demand(netlist, counts)
    if time is None:
        time = lost_time(netlist, counts, Fraction(ticks, launches), pads_allow(netlist, counts)[0])
    items = [
        *_too_fast(netlist, asked, ticks, launches),
        *_detours(netlist, report, launches),
        *_idle(report, launches),
        *_waiting(report, asked, ticks, launches, time),
        *_part_lines(netlist, report, launches),
        *_conflicts(netlist, report, launches),
    ]
    least = report.energy_exact.total / launches / EXACT_PER_PJ * MIN_SHARE
    worst = sorted((item for item in items if item.pj >= least), key=lambda item: -item.pj)[:most]
    return [_with_purpose(netlist, counts, item) if item.kind == "detour" else item for item in worst]


def _too_fast(netlist: Netlist, asked: Demand, ticks: int, launches: int) -> Iterator[LostEnergy]:
    """Wires faster than what is asked of them: the drive above the demand rate."""
    for i, (wire, need) in enumerate(zip(netlist.wires, asked.wires, strict=True)):
        if not wire.every_ticks or not need.every_ticks or need.every_ticks <= wire.every_ticks:
            continue
        if need.mark is not Mark.NONE:
            continue  # loops and bursts are fast for a reason
        extra = wire.drive_nw * (need.every_ticks - wire.every_ticks) / need.every_ticks
        yield LostEnergy(
            "too-fast",
            wire.id,
            extra * ticks / launches / EXACT_PER_PJ,
            f"{wire_name(netlist, i)} is ready for a word every {wire.every_ticks / 100:g} ns and gets one every "
            f"{_every(need)} ns",
            f"slow it to {100 / need.every_ticks:.3g}: a word every {need.every_ticks / 100:g} ns",
            i,
            Change("speed", wire=i, every_ticks=need.every_ticks),
        )


def _every(need: WireDemand) -> str:
    assert need.every is not None
    return f"{float(need.every) / 100:.3g}"


def _detours(netlist: Netlist, report: Report, launches: int) -> Iterator[LostEnergy]:
    """Wires longer than the way from core to core: what the tiles beyond that cost."""
    assert report.energy_exact
    for i, wire in enumerate(netlist.wires):
        direct = _direct(wire)
        if wire.length <= direct:
            continue
        total = sum(report.energy_exact.by_element.get(wire.id, {}).values())
        extra = total * (wire.length - direct) / wire.length
        yield LostEnergy(
            "detour",
            wire.id,
            extra / launches / EXACT_PER_PJ,
            f"{wire_name(netlist, i)} takes {wire.length} tiles where {direct} would reach",
            "take the short way",
            i,
            Change("short", wire=i),
        )


def _with_purpose(netlist: Netlist, counts: Counts, item: LostEnergy) -> LostEnergy:
    """A detour whose words the machine needs is to keep them elsewhere."""
    assert item.wire is not None
    wire = netlist.wires[item.wire]
    if not _must_hold(netlist, counts, item.wire, _direct(wire)):
        return item
    return replace(
        item,
        cure="keep its words in a buffer: this road must hold so many",
        change=Change("short", wire=item.wire, slots=wire.length - _direct(wire)),
    )


def _must_hold(netlist: Netlist, counts: Counts, index: int, length: int) -> bool:
    """Whether the machine would be slower with a wire of that length: then the detour has a purpose."""
    wires = list(netlist.wires)
    wires[index] = replace(wires[index], tiles=wires[index].tiles[: length + 1])
    now = throughput_bound(netlist, counts)
    return throughput_bound(replace(netlist, wires=tuple(wires)), counts).rate < now.rate


def _direct(wire: Wire) -> int:
    (x0, y0), (x1, y1) = wire.tiles[0], wire.tiles[-1]
    return max(1, abs(x1 - x0) + abs(y1 - y0))


def _idle(report: Report, launches: int) -> Iterator[LostEnergy]:
    """Cores that never fired in the window: all that they cost."""
    assert report.energy_exact
    for element in report.elements:
        total = sum(report.energy_exact.by_element.get(element.id, {}).values())
        if element.kind == "wire" or element.events or not total:
            continue
        yield LostEnergy(
            "idle",
            element.id,
            total / launches / EXACT_PER_PJ,
            f"{element.id} does nothing, and leaks all the while",
            "remove it",
            change=Change("remove", core=element.id),
        )


def _part_lines(netlist: Netlist, report: Report, launches: int) -> Iterator[LostEnergy]:
    """Lines of which only a part is used: what full lines would not have cost."""
    used = report.lanes.words_per_line if report.lanes else {}
    events = {element.id: element.events for element in report.elements}
    for node in netlist.nodes:
        if node.kind not in ("load", "store") or node.id not in used or report.lanes is None:
            continue
        line = netlist.arrays[node.params["array"]].line
        if used[node.id] >= line:
            continue
        lines = events[node.id] * report.lanes.lines_per_access[node.id]
        yield LostEnergy(
            "lines",
            node.id,
            lines * node.op_aj * EXACT_PER_AJ * (1 - used[node.id] / line) / launches / EXACT_PER_PJ,
            f"{node.id} uses {used[node.id]:.3g} of the {line} words of each line that it moves",
            "let the lanes of a packet ask for neighbouring words"
            if node.breadth > 1
            else "ask for neighbouring words at once, by packets of several lanes",
        )


def _conflicts(netlist: Netlist, report: Report, launches: int) -> Iterator[LostEnergy]:
    """Further cycles of accesses to words in one bank: control for each."""
    for name, more in (report.lanes.conflicts_per_access if report.lanes else {}).items():
        node = next(node for node in netlist.nodes if node.id == name)
        events = next(element.events for element in report.elements if element.id == name)
        if more:
            yield LostEnergy(
                "conflicts",
                name,
                events * more * node.control_aj * EXACT_PER_AJ / launches / EXACT_PER_PJ,
                f"{name} takes {1 + more:.3g} cycles for an access, as lanes need words of one bank",
                PADDING,
                change=_padding(netlist, node),
            )


def _padding(netlist: Netlist, node: Node) -> Change | None:
    """A cell left out after as many as there are banks; None for what is no shared memory with banks."""
    if not node.kind.startswith("shared.") or not netlist.memories[node.params["memory"]].banks:
        return None
    return Change("pad", core=node.id, row=netlist.memories[node.params["memory"]].banks, slots=1)


def _waiting(report: Report, asked: Demand, ticks: int, launches: int, time: list[LostTime]) -> Iterator[LostEnergy]:
    """Time: the chip's lights burn for longer than pads, cores and loops would need. Its cure is that of the time."""
    assert report.energy_exact
    least = float(asked.ticks_per_launch) if asked.ticks_per_launch else 0.0
    now = ticks / launches
    if least <= 0 or now <= least * 1.001:
        return
    by_cause = report.energy_exact.by_cause
    standing = sum(by_cause.get(cause, 0) for cause in ("standby", "leakage"))
    first = time[0] if time else None
    yield LostEnergy(
        "waiting",
        first.elements[0] if first and first.elements else "(chip)",
        standing * (1 - least / now) / launches / EXACT_PER_PJ,
        f"a launch takes {now / 100:.3g} ns, and pads, cores and loops would do it in {least / 100:.3g} ns",
        first.cure if first else "ask why the pad waits: a slow wire, or two roads of unequal room",
        first.wire if first else None,
    )


# --- First -----------------------------------------------------------------------------------------------


def _first(time: list[LostTime], energy: list[LostEnergy]) -> str:
    """What saves most energy: an item of its own, or the time in which all else burns."""
    if time and (not energy or energy[0].kind == "waiting" or time[0].pj >= energy[0].pj):
        return f"{time[0].message}. {time[0].cure[:1].upper()}{time[0].cure[1:]}"
    return f"{energy[0].message}: {energy[0].cure}" if energy else ""
