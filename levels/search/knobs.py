"""What can be turned in a design: speeds and roads of wires, settings and immediates, makes of cores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from pydantic import ValidationError

from engine.catalog import CORES, VOLTAGE
from engine.elaborate import check_design
from engine.elements import matching, plain_name
from engine.errors import UsageError
from engine.model import WIRE_PHYSICS, CoreSpec, Design, Level, Tile, WireSpec
from engine.parts import allowed
from engine.problems import suggest
from levels.search.values import Value, parse_values
from levels.validate import refusal

Kind = Literal["every_ns", "speed", "every_ticks", "wire", "core", "set", "road"]
Point = tuple[Value, ...]
"""A value for each knob, in the order of the knobs."""

UNSET: dict[str, tuple[Value, ...]] = {"encoding": ("raw",), "track": ("free",), "receiver": ("decoder",)}
"""Words for what is not set of a wire."""

SPEEDS = ("every_ns", "speed", "every_ticks")


@dataclass(frozen=True, slots=True)
class Knob:
    """One thing that can be turned. ``name`` is what a person calls it.

    ``places`` are numbers of wires, or of cores, in the design, all turned alike; a pad's id for its settings.
    ``setting`` is the name in ``set``, of the kind ``set``, or of what physics sets of a wire, of the kind ``wire``;
    ``roads`` are the paths that a road's values 0, 1, … mean.
    """

    name: str
    kind: Kind
    places: tuple[int | str, ...]
    setting: str = ""
    roads: tuple[tuple[Tile, ...], ...] = ()


def turned(design: Design, knobs: Sequence[Knob], point: Point) -> Design:
    """The design with each knob at its value. What is not turned is shared with ``design``.

    Raises ValueError for a value that no design file may have there; what the machine refuses is left to
    :func:`engine.elaborate.elaborate`.
    """
    wires, cores, pads = list(design.wires), list(design.cores), dict(design.pads)
    touched = False
    for knob, value in zip(knobs, point, strict=True):
        for place in knob.places:
            if isinstance(place, str):
                pads[place] = _checked_core({**pads.get(place, {}), knob.setting: value}).set
                touched = True
            elif knob.kind in ("core", "set"):
                cores[place] = _turned_core(cores[place], knob, value)
                touched = True
            elif knob.kind == "road":
                assert isinstance(value, int)
                wires[place] = wires[place].model_copy(update={"path": list(knob.roads[value])})
            elif knob.kind == "wire":
                wires[place] = _turned_wire(wires[place], knob.setting, value)
            else:
                ticks = every_ticks(knob.kind, value)
                if wires[place].every_ticks != ticks:
                    wires[place] = wires[place].model_copy(update={"every_ticks": ticks})
    update: dict[str, Any] = {"wires": wires}
    if touched:  # otherwise the very same cores say that nothing but wires has changed
        update |= {"cores": cores, "pads": pads}
    return design.model_copy(update=update)


def _turned_core(core: CoreSpec, knob: Knob, value: Value) -> CoreSpec:
    if knob.kind == "core":
        return core.model_copy(update={"core": str(value)})
    return core.model_copy(update={"set": _checked_core({**core.set, knob.setting: value}).set})


def _turned_wire(wire: WireSpec, setting: str, value: Value | None) -> WireSpec:
    given: Any = None if value in UNSET.get(setting, ()) else list(value) if isinstance(value, tuple) else value
    tree = {**wire.model_dump(by_alias=True), setting: given}
    if why := refusal(WireSpec, tree, setting):
        raise ValueError(why)
    return WireSpec.model_validate(tree)


def _checked_core(given: dict[str, Any]) -> CoreSpec:
    return CoreSpec.model_validate({"id": "x", "core": "x", "at": (0, 0), "set": given})


@lru_cache(maxsize=4096)
def every_ticks(form: str, value: Value) -> int | None:
    """Ticks per word of a wire for a value in one of the forms of a design file; None is stopped. Raises ValueError."""
    given = {"from": "a.b", "to": ["c.d"], "path": [(0, 0), (0, 1)], form: value}
    try:
        return WireSpec.model_validate(given).every_ticks
    except ValidationError as error:
        raise ValueError("; ".join(e["msg"].removeprefix("Value error, ") for e in error.errors())) from None


# --- names -------------------------------------------------------------------------------------------------


def wire_name(wire: WireSpec) -> str:
    """What a wire is called on a command line: ``a.value->sum.a``, with commas where it ends at several ports."""
    return plain_name(f"{wire.source}->{','.join(wire.to)}")


def parse_setting(text: str, level: Level, design: Design) -> tuple[Knob, list[Value]]:
    """The knob and the values that ``NAME=VALUES`` means.

    NAME is ``WIRE.every_ns``, ``WIRE.speed``, or ``WIRE.`` and what physics sets of wires, ``voltage_mv``, ``encoding``
    (``raw`` is none), ``gate`` … (``a.value->sum.a``; ``*`` stands for anything, all wires that fit are set alike),
    ``CORE.core`` for its make, else ``CORE.SETTING`` or ``PAD.PORT`` as in a
    design's ``set``.
    Raises UsageError with what there is instead.
    """
    name, equals, values = text.partition("=")
    name = name.strip()
    place, dot, what = name.rpartition(".")
    if not equals or not dot or not place or not what:
        raise UsageError(f"'{text}' is no setting: write NAME=VALUES, such as 'a.value->sum.a.every_ns=1,2,4'")
    try:
        found = parse_values(values)
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from None
    if what in WIRE_PHYSICS and any(mark in place for mark in ("->", "→", "*")):
        return _wire_knob(name, what, _wires(place, design), found, design), found
    if what in ("every_ns", "speed"):
        knob = Knob(name, what, _wires(place, design))  # type: ignore[arg-type]
        for value in found:
            try:
                every_ticks(what, value)
            except ValueError as error:
                raise UsageError(f"{name}: {error}") from None
        return knob, found
    # Ports of shared memories have dots themselves, w0.at: the element ends at the first one.
    element, _, what = name.partition(".")
    return _element_knob(name, element, what, found, level, design), found


def _wire_knob(name: str, what: str, places: tuple[int, ...], values: list[Value], design: Design) -> Knob:
    for value in values:
        try:
            _turned_wire(design.wires[places[0]], what, value)
        except ValueError as error:
            raise UsageError(f"{name} is {value}: {error}") from None
        if what == "voltage_mv" and value not in range(VOLTAGE.low, VOLTAGE.high + 1, VOLTAGE.step):
            raise UsageError(f"{name} is {value}: give {allowed(VOLTAGE)}")
    return Knob(name, "wire", places, what)


def _wires(pattern: str, design: Design) -> tuple[int, ...]:
    names = [wire_name(wire) for wire in design.wires]
    found = matching(pattern, names)
    if not found:
        raise UsageError(f"there is no wire '{pattern}': {suggest(plain_name(pattern), names)}")
    return found


def _element_knob(name: str, element: str, what: str, values: list[Value], level: Level, design: Design) -> Knob:
    pads = {pad.id for pad in level.pads}
    cores = {core.id: i for i, core in enumerate(design.cores)}
    if element not in pads and element not in cores:
        raise UsageError(
            f"there is no core or pad '{element}': {suggest(element, [*pads, *cores])}; "
            "of a wire there are every_ns and speed"
        )
    if what == "core":
        if element in pads:
            raise UsageError(f"{element} is a pad, whose make is the level's: name a core of the design")
        makes = [kind.name for kind in CORES.values() if kind.family != "pad"]
        for value in values:
            if value not in makes:
                raise UsageError(f"{name}: there is no core '{value}': {suggest(str(value), makes)}")
        return Knob(name, "core", (cores[element],))
    knob = Knob(name, "set", (element if element in pads else cores[element],), what)
    _check_name(knob, values[0], level, design)
    return knob


def _check_name(knob: Knob, value: Value, level: Level, design: Design) -> None:
    """Raise UsageError if the element has no such setting; a value that it refuses is a result of the sweep."""
    try:
        problems = check_design(level, turned(design, [knob], (value,)))
    except ValueError:
        return
    for problem in problems:
        if problem.code == "unknown-setting" and problem.path[-1:] == (knob.setting,):
            raise UsageError(f"{knob.name}: {problem.message}")
