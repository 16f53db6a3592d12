"""Edits: pure functions from a design to the next one.

None changes the design that it is given. What cannot be done raises :class:`Refused` with the reason, which is what the
ghost under the cursor says. Positions are (column, row).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from engine.builder import Builder
from engine.errors import PerwattError
from engine.model import WIRE_PHYSICS, CoreSpec, Design, Level, SettingValue, WireSpec
from engine.parts import parts_allowed
from engine.units import MIN_EVERY_TICKS
from game.view.layout import ports_of_core

Tile = tuple[int, int]

MAX_EVERY_TICKS = 1_000_000

NICE = tuple(digit * 10**power for power in range(1, 6) for digit in (1, 2, 4, 5))
"""Periods in ticks that the wheel does not skip: 1, 2, 4, 5 ns and so on, which are the speeds 1, 1/2, 1/4, 1/5."""


class Refused(Exception):
    """The edit cannot be done; the text says why."""


def _builder(level: Level, design: Design) -> Builder:
    try:
        return Builder.of(level, design)
    except PerwattError as error:
        raise Refused(str(error)) from None


def place(
    level: Level, design: Design, core: str, at: Tile, settings: Mapping[str, SettingValue] | None = None
) -> tuple[Design, str]:
    """Put a core on a free tile; returns the design and the new core's name."""
    _check_parts(level, design, [core])
    builder = _builder(level, design)
    try:
        handle = builder.place(core, at, **(settings or {}))
    except PerwattError as error:
        raise Refused(str(error)) from None
    return builder.design(), str(handle)


def put(
    level: Level, design: Design, core: str, at: Tile, settings: Mapping[str, SettingValue] | None = None
) -> tuple[Design, str]:
    """Like :func:`place`; a core that stands on the tile gives way to the new one, which takes over its wires and,
    where none are given, its numbers. Refused where the new core has no port for one of the wires."""
    pad = next((pad.id for pad in level.pads if pad.at == at), None)
    if pad is not None:
        raise Refused(f"the pad {pad} is here, and pads stay")
    old = next((spec for spec in design.cores if spec.at == at), None)
    if old is None:
        return place(level, design, core, at, settings)
    given = dict(settings or {})
    if old.core == core and all(old.set.get(key) == value for key, value in given.items()):
        raise Refused(f"{old.id} is here already")
    inputs, outputs = ({port.name for port in ports} for ports in ports_of_core(core, given))
    for wire in design.wires:
        ends = [(wire.start[1], outputs)] if wire.start[0] == old.id else []
        ends += [(port, inputs) for name, port in wire.ends if name == old.id]
        missing = next((port for port, ports in ends if port not in ports), None)
        if missing is not None:
            raise Refused(f"{old.id} is here, and {core} has no {missing} for its wire. Remove one of them first")
    given |= {key: value for key, value in old.set.items() if key in inputs and key not in given}
    rest, name = place(level, delete(design, [old.id]), core, at, given)
    new = next(spec for spec in rest.cores if spec.id == name)

    def renamed(port: str) -> str:
        element, rest = port.split(".", 1)
        return f"{name}.{rest}" if element == old.id else port

    cores = [new if spec is old else spec for spec in design.cores]
    wires = [
        wire.model_copy(update={"source": renamed(wire.source), "to": [renamed(end) for end in wire.to]})
        if old.id in (wire.start[0], *(name for name, _ in wire.ends))
        else wire
        for wire in design.wires
    ]
    return design.model_copy(update={"cores": cores, "wires": wires}), name


def _check_parts(level: Level, design: Design, wanted: Sequence[str]) -> None:
    """Refuse more cores than the level offers."""
    for core in dict.fromkeys(wanted):
        allowed = parts_allowed(level, core)
        used = sum(spec.core == core for spec in design.cores)
        if allowed is not None and used + wanted.count(core) > allowed:
            left, many = max(allowed - used, 0), wanted.count(core)
            if many > 1 and left:
                raise Refused(f"only {left} {core} left, and this needs {many}")
            if not allowed:
                raise Refused(f"this level has no {core}")
            raise Refused(f"no {core} left: {'its only one is' if allowed == 1 else f'all {allowed} are'} in use")


def delete(design: Design, cores: Collection[str], wires: Collection[int] = ()) -> Design:
    """Without these cores, their wires, and these wires."""
    gone = set(cores)
    return design.model_copy(
        update={
            "cores": [core for core in design.cores if core.id not in gone],
            "wires": [
                wire
                for i, wire in enumerate(design.wires)
                if i not in wires and wire.start[0] not in gone and wire.ends[0][0] not in gone
            ],
        }
    )


def move(level: Level, design: Design, cores: Collection[str], by: Tile) -> Design:
    """These cores ``by`` columns and rows. Wires inside the group move along; others find a new way to it."""
    if by == (0, 0) or not cores:
        return design
    moved = set(cores)
    shifted = [
        core.model_copy(update={"at": (core.at[0] + by[0], core.at[1] + by[1])}) if core.id in moved else core
        for core in design.cores
    ]
    if any(not (0 <= c.at[0] < level.board.size[0] and 0 <= c.at[1] < level.board.size[1]) for c in shifted):
        raise Refused("that is off the board")
    kept: dict[int, WireSpec] = {}
    loose: list[int] = []
    for i, wire in enumerate(design.wires):
        at_start, at_end = wire.start[0] in moved, wire.ends[0][0] in moved
        if at_start and at_end:
            path = [(x + by[0], y + by[1]) for x, y in wire.path]
            kept[i] = wire.model_copy(update={"path": path})
        elif at_start or at_end:
            loose.append(i)
        else:
            kept[i] = wire
    base = design.model_copy(update={"cores": shifted, "wires": []})
    return _lay_again(level, base, design.wires, kept, loose)


def _lay_again(
    level: Level, base: Design, wires: Sequence[WireSpec], kept: Mapping[int, WireSpec], loose: Sequence[int]
) -> Design:
    """``base`` with the ``kept`` wires where they fit, and all others on new ways, in the old order."""
    builder = _builder(level, base)
    laid: dict[int, Any] = {}
    rest = list(loose)
    for i, wire in kept.items():
        try:
            laid[i] = builder.wire(wire.source, wire.to, path=wire.path, every_ns=1)
        except PerwattError:
            rest.append(i)  # something stands in the way now
    for i in sorted(rest):
        wire = wires[i]
        try:
            laid[i] = builder.wire(wire.source, wire.to, every_ns=1)
        except PerwattError as error:
            raise Refused(str(error)) from None
    routed = [
        wires[i].model_copy(update={"path": list(laid[i].spec.path)})
        if wires[i].path != laid[i].spec.path
        else wires[i]
        for i in range(len(wires))
    ]
    return base.model_copy(update={"wires": routed})


def connect(
    level: Level,
    design: Design,
    source: str,
    target: str,
    *,
    every_ticks: int | None,
    via: Sequence[Tile] = (),
) -> Design:
    """A wire from ``core.port`` (with words where chosen) to ``core.port``. An immediate there gives way."""
    core, port = target.split(".", 1)
    settings = _settings_of(design, core)
    if port in settings and not isinstance(settings[port], dict):
        design = set_value(design, core, port, None)
    builder = _builder(level, design)
    try:
        builder.wire(source, target, via=via, speed=0 if every_ticks is None else None, every_ns=_ns(every_ticks))
    except PerwattError as error:
        raise Refused(str(error)) from None
    return builder.design()


def _ns(every_ticks: int | None) -> float | None:
    return None if every_ticks is None else every_ticks / 100


def reroute(level: Level, design: Design, wire: int, via: Sequence[Tile] = ()) -> Design:
    """Another way for a wire: by ``via``, or, without, the shortest."""
    builder = _builder(level, design)
    try:
        builder.reroute(builder.lines[wire], via=via)
    except PerwattError as error:
        raise Refused(str(error)) from None
    return _with_path(design, wire, list(builder.lines[wire].spec.path))


DETOURS = (1, 2)
"""Tiles aside that another way may lead by."""


def another_way(level: Level, design: Design, wire: int) -> Design:
    """The next way for a wire: the shortest, then others by a corner or a little aside, and at their end the shortest
    again. Raises Refused where there is none."""
    spec = design.wires[wire]
    (ax, ay), (bx, by) = spec.path[0], spec.path[-1]
    middle = ((ax + bx) // 2, (ay + by) // 2)
    corners = [(ax, by), (bx, ay)]
    aside = [(middle[0] + dx * n, middle[1] + dy * n) for n in DETOURS for dx, dy in ((0, -1), (0, 1), (-1, 0), (1, 0))]
    found: list[tuple[int, list[Tile], Design]] = []
    refused = None
    for via in ([], *([tile] for tile in (*corners, *aside))):
        if any(tile in ((ax, ay), (bx, by)) for tile in via):
            continue
        try:
            other = reroute(level, design, wire, via)
        except Refused as no:
            refused = refused or no
            continue
        path = [(x, y) for x, y in other.wires[wire].path]
        if all(path != known for _, known, _ in found):
            length = sum(abs(x - u) + abs(y - v) for (x, y), (u, v) in pairwise(path))
            found.append((length, path, other))
    if not found:
        raise refused or Refused("there is no way for this wire")
    found.sort(key=lambda way: way[:2])
    here = [(x, y) for x, y in spec.path]
    at = next((k for k, (_, path, _) in enumerate(found) if path == here), -1)
    return found[(at + 1) % len(found)][2]


def _with_path(design: Design, wire: int, path: list[Tile]) -> Design:
    wires = list(design.wires)
    wires[wire] = wires[wire].model_copy(update={"path": path})
    return design.model_copy(update={"wires": wires})


def branch(level: Level, design: Design, wire: int) -> tuple[Design, str]:
    """A relay in the middle of a wire, from which a new one may start; returns its name."""
    _check_parts(level, design, ["relay"])
    builder = _builder(level, design)
    try:
        handle = builder.insert("relay", builder.lines[wire])
    except PerwattError as error:
        raise Refused(str(error)) from None
    return builder.design(), str(handle)


def set_speeds(design: Design, speeds: Mapping[int, int | None]) -> Design:
    """Wires at these ticks per word (clipped to what a wire can do; None: stopped)."""
    wires = list(design.wires)
    for i, every in speeds.items():
        value = None if every is None else min(max(every, MIN_EVERY_TICKS), MAX_EVERY_TICKS)
        if wires[i].every_ticks != value:
            wires[i] = wires[i].model_copy(update={"every_ticks": value})
    return design.model_copy(update={"wires": wires})


def set_wires(design: Design, indices: Collection[int], name: str, value: int | str | None) -> Design:
    """Wires with this value of a setting, a field of :class:`engine.model.WireSpec`; None: as they come."""
    wires = list(design.wires)
    for i in indices:
        wires[i] = wires[i].model_copy(update={name: value})
    return design.model_copy(update={"wires": wires})


def notch(every_ticks: int, notches: int, fine: bool = False, detent: int | None = None) -> int:
    """Ticks per word after rolling the wheel by ``notches`` (up is faster).

    A notch is 10 %, with ``fine`` 1 %, and at least one tick. One that would pass ``detent`` or, unless it is fine, a
    period of :data:`NICE`, stops on it; on ``detent`` the rest of the roll is spent.
    """
    every = every_ticks
    share = 1.01 if fine else 1.1
    for _ in range(abs(notches)):
        after = min(round(every / share), every - 1) if notches > 0 else max(round(every * share), every + 1)
        stops = [after, *(() if fine else NICE), *(() if detent is None else (detent,))]
        way = [stop for stop in stops if 0 < (stop - every) * (1 if after > every else -1) <= abs(after - every)]
        every = min(max(min(way, key=lambda stop: abs(stop - every)), MIN_EVERY_TICKS), MAX_EVERY_TICKS)
        if every == detent:
            break
    return every


def set_value(design: Design, element: str, key: str, value: SettingValue | None) -> Design:
    """A setting or immediate of a core or pad; None takes it back."""
    settings = dict(_settings_of(design, element))
    if value is None:
        settings.pop(key, None)
    else:
        settings[key] = value
    for i, core in enumerate(design.cores):
        if core.id == element:
            cores = list(design.cores)
            cores[i] = core.model_copy(update={"set": settings})
            return design.model_copy(update={"cores": cores})
    pads = dict(design.pads)
    if settings:
        pads[element] = settings
    else:
        pads.pop(element, None)
    return design.model_copy(update={"pads": pads})


def _settings_of(design: Design, element: str) -> Mapping[str, SettingValue]:
    for core in design.cores:
        if core.id == element:
            return core.set
    return design.pads.get(element, {})


def rename(level: Level, design: Design, old: str, new: str) -> Design:
    """A core under another name, its wires with it."""
    taken = {core.id for core in design.cores} | {pad.id for pad in level.pads}
    if new == old:
        return design
    if new in taken:
        raise Refused(f"there is already an element called {new}")
    try:
        cores = [CoreSpec(id=new, core=c.core, at=c.at, set=dict(c.set)) if c.id == old else c for c in design.cores]
    except ValueError:
        raise Refused("a name has letters, digits and _, begins with a letter, and is at most 32 long") from None

    def renamed(port: str) -> str:
        core, rest = port.split(".", 1)
        return f"{new}.{rest}" if core == old else port

    wires = [
        w.model_copy(update={"source": renamed(w.source), "to": [renamed(t) for t in w.to]})
        if old in (w.start[0], w.ends[0][0])
        else w
        for w in design.wires
    ]
    return design.model_copy(update={"cores": cores, "wires": wires})


def copy(design: Design, cores: Collection[str]) -> Design:
    """A blueprint: these cores and the wires among them, as a design of its own."""
    wanted = set(cores)
    return design.model_copy(
        update={
            "pads": {},
            "cores": [c for c in design.cores if c.id in wanted],
            "wires": [w for w in design.wires if w.start[0] in wanted and w.ends[0][0] in wanted],
        }
    )


def origin(blueprint: Design) -> Tile:
    """The upper left corner of a blueprint's cores."""
    return (
        min((c.at[0] for c in blueprint.cores), default=0),
        min((c.at[1] for c in blueprint.cores), default=0),
    )


def paste(level: Level, design: Design, blueprint: Design, at: Tile) -> tuple[Design, list[str]]:
    """The blueprint's cores and wires with its upper left core corner at ``at``; returns the new names.

    Everything fits or nothing is placed.
    """
    if not blueprint.cores:
        raise Refused("there is nothing to paste")
    _check_parts(level, design, [core.core for core in blueprint.cores])
    left, top = origin(blueprint)
    dx, dy = at[0] - left, at[1] - top
    builder = _builder(level, design)
    names: dict[str, str] = {}
    try:
        for core in blueprint.cores:
            spot = (core.at[0] + dx, core.at[1] + dy)
            names[core.id] = str(builder.place(core.core, spot, **core.set))
        for wire in blueprint.wires:
            source, to = _renamed(wire.source, names), [_renamed(end, names) for end in wire.to]
            path = [(x + dx, y + dy) for x, y in wire.path]
            every, stopped = _ns(wire.every_ticks), 0 if wire.every_ticks is None else None
            physics = wire.model_dump(include=set(WIRE_PHYSICS) - {"track"})
            try:
                builder.wire(source, to, path=path, speed=stopped, every_ns=every, **physics)
            except PerwattError:
                builder.wire(source, to, speed=stopped, every_ns=every, **physics)
    except PerwattError as error:
        raise Refused(str(error)) from None
    return builder.design(), list(names.values())


def _renamed(port: str, names: Mapping[str, str]) -> str:
    core, rest = port.split(".", 1)
    return f"{names[core]}.{rest}"


def mirror(blueprint: Design, rows: bool = False) -> Design:
    """A blueprint turned left to right, or with ``rows`` upside down, in the same place."""
    if not blueprint.cores:
        return blueprint
    axis = 1 if rows else 0
    places = [c.at[axis] for c in blueprint.cores] + [t[axis] for w in blueprint.wires for t in w.path]
    total = min(places) + max(places)

    def turned(tile: Tile) -> Tile:
        return (tile[0], total - tile[1]) if rows else (total - tile[0], tile[1])

    return blueprint.model_copy(
        update={
            "cores": [c.model_copy(update={"at": turned(c.at)}) for c in blueprint.cores],
            "wires": [w.model_copy(update={"path": [turned(t) for t in w.path]}) for w in blueprint.wires],
        }
    )


def choose_words(design: Design, wire: int, words: Sequence[int] | None) -> Design:
    """A wire that sends these words of its source's packets; None: all of them."""
    core, port, _ = design.wires[wire].start
    source = f"{core}.{port}" + (f"[{','.join(map(str, words))}]" if words else "")
    wires = list(design.wires)
    wires[wire] = wires[wire].model_copy(update={"source": source})
    return design.model_copy(update={"wires": wires})
