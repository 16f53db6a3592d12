"""What a machine shows of itself: counters, its state, its packets for drawing. Only here are there arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.machine import SEGMENTS, Counters, NodeView, PacketArrays, PacketView, StateView, WireView
from engine.plain.core import Core
from engine.plain.field import Field
from engine.plain.lines import LineRoad
from engine.plain.packets import NEVER, Effort, Packet
from engine.plain.road import Road
from engine.plain.shared import Pages
from engine.plain.vectors import Vector
from engine.plain.window import Window


def counters(now: int, cores: list[Core], roads: list[Road], window: Window, field: Field | None) -> Counters:
    """See :class:`engine.machine.Counters`."""
    efforts = np.array([core.efforts for core in cores], np.int64).reshape(len(cores), -1, SEGMENTS)
    wide = {name: efforts[:, k].T.copy() for k, name in enumerate(Effort._fields)} if efforts.size else {}
    ports = max((len(core.ports) for core in cores), default=0)
    return Counters(
        firings=_columns([c.firings for c in cores]),
        live=_columns([c.live_firings for c in cores]),
        entries=_columns([r.entries for r in roads]),
        toggles=_columns([r.toggles for r in roads]),
        node_firings=_numbers([c.fired - c.fired_before for c in cores]),
        busy=_numbers([c.busy for c in cores]),
        blocked=_numbers([c.blocked for c in cores]),
        starved=_numbers([c.starved for c in cores]),
        starved_by_port=np.array(
            [c.starved_by_port + [0] * (ports - len(c.ports)) for c in cores], dtype=np.int64
        ).reshape(len(cores), ports),
        wire_entries=_numbers([r.entered for r in roads]),
        wire_waits=_numbers([r.waits for r in roads]),
        accesses=_numbers(window.accesses),
        latency_worst=window.latency_worst,
        latencies=_numbers(window.latencies),
        node_sleep=_sleep(now, cores),
        wire_sleep=_sleep(now, roads),
        coupling=_columns(field.coupling if field else [[0] * 4 for _ in roads]),
        **_of_lines(roads),
        words=_numbers(window.words) if wide else None,
        **wide,
    )


def _sleep(now: int, parts: Sequence[Core] | Sequence[Road]) -> NDArray[np.int64]:
    """Slept ticks, wakings and delayed words of each part; without rows where none may sleep."""
    if all(part.gate is None for part in parts):
        return np.zeros((0, 3), np.int64)
    rows = [
        (part.asleep(now) + part.gate.slept, part.gate.wakes, part.gate.delayed) if part.gate else (0, 0, 0)
        for part in parts
    ]
    return np.array(rows, np.int64)


def state(now: int, cores: list[Core], roads: list[Road], memories: list[Pages]) -> StateView:
    """See :class:`engine.machine.StateView`."""
    nodes = []
    for core in cores:
        outs = core.outs[core.queue[0].port] if core.queue else []
        nodes.append(
            NodeView(
                results=tuple((_view(r.packet), r.ready, r.port) for r in core.queue),
                taken=tuple(road.index for k, road in enumerate(outs) if core.taken >> k & 1),
                slots=tuple(_view(packet) for packet in core.slots()),
                count=core.count,
                group_launch=core.group,
                last_firing=core.last_fire,
            )
        )
    wires = tuple(
        WireView(
            tuple(
                (_view(packet), entry, road.head_at if k == 0 else entry + road.transit)
                for k, (packet, entry) in enumerate(road.queue)
            ),
            max(road.last_in, -1),
            max(road.last_out, -1),
        )
        for road in roads
    )
    free = (-1, -1, 0, 0)
    pages = tuple(
        tuple((p.launch, p.block, p.reads, len(p.cells)) if p else free for p in memory.pages) for memory in memories
    )
    return StateView(now, tuple(nodes), wires, pages)


def packets(tick: int, roads: list[Road]) -> PacketArrays:
    """See :meth:`engine.machine.Machine.packets`."""
    found: list[tuple[int, float, int, int, bool, int]] = []
    for road in roads:
        ahead = float(NEVER)
        for packet, entry in road.queue:
            ahead = max(min((tick - entry - road.encoder) / road.every, road.length, ahead - 1), 0.0)
            live = packet.live if isinstance(packet, Vector) else 255 * (not packet.masked)
            found.append((road.index, ahead, packet.words[0], packet.launch, packet.masked, live))
    columns = list(zip(*found, strict=True)) or [()] * 6
    return PacketArrays(
        wire=np.array(columns[0], dtype=np.int32),
        position=np.array(columns[1], dtype=np.float32),
        value=np.array(columns[2], dtype=np.int32),
        launch=np.array(columns[3], dtype=np.int32),
        masked=np.array(columns[4], dtype=np.bool_),
        live=np.array(columns[5], dtype=np.uint8),
    )


def settle(now: int, roads: list[Road]) -> None:
    """What is at a wire's end is shown as it will be received, whether a core has looked at it or not."""
    for road in roads:
        if road.unsettled and road.head_at <= now:
            road.settle()


def _of_lines(roads: list[Road]) -> dict[str, NDArray[np.int64]]:
    """What wires with lines count; nothing where there are none."""
    if not any(isinstance(road, LineRoad) for road in roads):
        return {}
    found = [(road.corrections, road.longest) if isinstance(road, LineRoad) else (0, 0) for road in roads]
    return {"corrections": _numbers([c for c, _ in found]), "longest": _numbers([t for _, t in found])}


def _view(p: Packet) -> PacketView:
    lanes = (p.lanes, p.live, p.stack) if isinstance(p, Vector) else ()
    return PacketView(p.words, p.launch, p.any, p.block, p.thread, p.barriers, p.masked, *lanes)


def _numbers(values: Sequence[int]) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)


def _columns(by_part: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Counters per part, by segment: as (segments, parts)."""
    return np.array(by_part, dtype=np.int64).reshape(len(by_part), 4).T.copy()
