"""What differs between two designs, edit by edit.

An edit is what a player would feel as one: a core placed, removed, moved, exchanged or set otherwise, a wire
drawn, removed, led another way or given another speed or voltage. Wires that only follow an edited core (its own
wires, when it goes or comes; their paths, when it moves) are not counted again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.units import NOMINAL_MV, ns_from_ticks

if TYPE_CHECKING:
    from engine.model import Design, Report, WireSpec

FIGURES = (
    ("launches/nJ", "efficiency_launches_per_nj", True),
    ("launches/µs", "throughput_launches_per_us", True),
    ("mW", "power_mw", False),
    ("tiles", "footprint_tiles", False),
    ("cores", "cores", False),
    ("wire tiles", "wire_tiles", False),
)
"""Figures of two runs that are compared: unit, name in the report, and whether more is better."""

_SLEEP = (("gate", False), ("sleep_after", 100), ("ahead", 0))
"""Settings of a wire's sleep, and what they are where they are not set."""


@dataclass(frozen=True, slots=True)
class Change:
    """One edit that leads from the first design to the second. ``what`` is a core, a pad, a wire or a shield."""

    kind: str
    what: str
    message: str


@dataclass(frozen=True, slots=True)
class Moved:
    """One figure of two runs; None where a run has none. ``more`` tells whether more of it is better."""

    unit: str
    before: float | None
    after: float | None
    more: bool

    @property
    def better(self) -> bool | None:
        """Whether the second run is better in this figure; None where they are equal or one has none."""
        if self.before is None or self.after is None or self.before == self.after:
            return None
        return (self.after > self.before) == self.more


def moved(a: Report, b: Report) -> list[Moved]:
    """The figures of two runs: those of :data:`FIGURES`, latency, and energy per launch by cause."""
    rows = []
    for unit, key, more in FIGURES:
        x, y = (getattr(r.metrics, key) if r.metrics else None for r in (a, b))
        rows.append(Moved(unit, x, y, more))
    x, y = (r.metrics.latency_ns.median if r.metrics else None for r in (a, b))
    rows.append(Moved("latency ns", x, y, False))
    for cause in a.energy_pj or b.energy_pj or {}:
        x, y = (r.energy_pj[cause] / r.metrics.launches if r.energy_pj and r.metrics else None for r in (a, b))
        if x or y:
            rows.append(Moved(f"{cause} pJ/launch", x, y, False))
    return rows


def differences(a: Design, b: Design) -> list[Change]:
    """The edits from ``a`` to ``b``: cores, pads, wires, shields; by name, so that order in the file is no edit.

    Wires are told apart by their two ends. Several wires between the same ends are compared in file order.
    """
    return [*_cores(a, b), *_pads(a, b), *_wires(a, b), *_shields(a, b)]


def _cores(a: Design, b: Design) -> Iterator[Change]:
    old, new = {c.id: c for c in a.cores}, {c.id: c for c in b.cores}
    for name, core in old.items():
        if name not in new:
            yield Change("core removed", name, f"the {core.core} {name} at {_tile(core.at)} is gone")
            continue
        other = new[name]
        if core.core != other.core:
            yield Change("core exchanged", name, f"{name} is now {other.core}; it was {core.core}")
        if core.at != other.at:
            yield Change("core moved", name, f"{name} moves from {_tile(core.at)} to {_tile(other.at)}")
        yield from _settings(name, core.set, other.set)
    for name, core in new.items():
        if name not in old:
            yield Change("core placed", name, f"a {core.core} {name} stands at {_tile(core.at)}")


def _pads(a: Design, b: Design) -> Iterator[Change]:
    for name in [*a.pads, *(n for n in b.pads if n not in a.pads)]:
        yield from _settings(name, a.pads.get(name, {}), b.pads.get(name, {}))


def _settings(name: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    for key in [*old, *(k for k in new if k not in old)]:
        before, after = old.get(key), new.get(key)
        if before != after:
            message = f"{name}: {key} is {_value(after)}; it was {_value(before)}"
            yield Change("setting", name, message)


def _wires(a: Design, b: Design) -> Iterator[Change]:
    placed = {c.id for c in a.cores} ^ {c.id for c in b.cores}
    at_a, at_b = {c.id: c.at for c in a.cores}, {c.id: c.at for c in b.cores}
    moved = {name for name, at in at_a.items() if at_b.get(name) not in (at, None)}
    old, new = _by_ends(a), _by_ends(b)
    for ends, wire in old.items():
        if (other := new.get(ends)) is not None:
            yield from _led(wire, other, bool(_touched(wire) & moved))
    gone = [w for ends, w in old.items() if ends not in new and not _touched(w) & placed]
    come = [w for ends, w in new.items() if ends not in old and not _touched(w) & placed]
    for wire in gone:
        # A wire that keeps one of its ends was led elsewhere: one edit, not two.
        other = next((w for w in come if w.source == wire.source or w.to == wire.to), None)
        if other is None:
            yield Change("wire removed", name(wire), f"the wire {name(wire)} is gone")
            continue
        come.remove(other)
        yield Change("wire led", name(wire), f"the wire {name(wire)} is now {name(other)}")
        yield from _turned(wire, other)
    for wire in come:
        yield Change("wire drawn", name(wire), f"a wire {name(wire)} is drawn")


def _led(wire: WireSpec, other: WireSpec, follows: bool) -> Iterator[Change]:
    """Edits between two wires of the same ends; ``follows``: one of its cores moved, and its path with it."""
    if wire.path != other.path and not follows:
        length, after = _length(wire), _length(other)
        how = f"is {after} tiles long; it was {length}" if length != after else "takes another way"
        yield Change("wire led", name(wire), f"the wire {name(wire)} {how}")
    yield from _turned(wire, other)


def _turned(old: WireSpec, wire: WireSpec) -> Iterator[Change]:
    """Another speed or voltage of a wire."""
    if wire.every_ticks != old.every_ticks:
        message = f"the wire {name(wire)} carries {_speed(wire)}; it was {_speed(old)}"
        yield Change("speed", name(wire), message)
    if wire.voltage_mv != old.voltage_mv:
        message = f"the wire {name(wire)} runs at {_volts(wire)}; it was {_volts(old)}"
        yield Change("voltage", name(wire), message)
    for what, usual in (("track", "none set"), ("encoding", "raw"), ("receiver", "decoder"), ("gap", 100), *_SLEEP):
        before, after = (usual if (v := getattr(w, what)) is None else v for w in (old, wire))
        if before != after:
            unit = " %" if what == "gap" else ""
            yield Change(
                what, name(wire), f"the {what} of the wire {name(wire)} is {after}{unit}; it was {before}{unit}"
            )


def _shields(a: Design, b: Design) -> Iterator[Change]:
    for kind, these, others, what in (
        ("shield removed", a.shields, b.shields, "the shield {} is gone"),
        ("shield laid", b.shields, a.shields, "a shield {} is laid"),
    ):
        rest = list(others)
        for shield in these:
            if shield in rest:
                rest.remove(shield)
                continue
            where = f"from {_tile(shield.path[0])} to {_tile(shield.path[-1])} on track {shield.track}"
            yield Change(kind, where, what.format(where))


def name(wire: WireSpec) -> str:
    """What a person calls a wire: ``a.value → sum.a, sum.b``."""
    return f"{wire.source} → {', '.join(wire.to)}"


def _touched(wire: WireSpec) -> set[str]:
    """The cores and pads at a wire's ends."""
    return {wire.start[0], *(core for core, _ in wire.ends)}


def _by_ends(design: Design) -> dict[tuple[str, tuple[str, ...], int], WireSpec]:
    found: dict[tuple[str, tuple[str, ...], int], WireSpec] = {}
    for wire in design.wires:
        n = 0
        while (ends := (wire.source, tuple(sorted(wire.to)), n)) in found:
            n += 1
        found[ends] = wire
    return found


def _length(wire: WireSpec) -> int:
    """Tile steps along the corners of the path."""
    return sum(abs(x - u) + abs(y - v) for (x, y), (u, v) in zip(wire.path, wire.path[1:], strict=False))


def _speed(wire: WireSpec) -> str:
    return "nothing" if wire.every_ticks is None else f"a word every {ns_from_ticks(wire.every_ticks):g} ns"


def _volts(wire: WireSpec) -> str:
    return f"{wire.voltage_mv or NOMINAL_MV} mV"


def _tile(at: tuple[int, int]) -> str:
    return f"[{at[0]}, {at[1]}]"


def _value(value: Any) -> str:
    if value is None:
        return "not set"
    if hasattr(value, "words"):
        return f"words {value.words}"
    return repr(value) if isinstance(value, str) else str(value)
