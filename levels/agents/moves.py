"""What an agent can do: a numbered list of the builder's commands for one level, the same in every state."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.builder import Builder
from engine.catalog import CORES, CoreType, Port, Setting
from engine.errors import InvalidError, UsageError
from engine.model import Design, Level
from engine.parts import parts_allowed
from levels.physics import Choices, core_choices, pad_choices, wire_choices

PORTS_OUT, PORTS_IN = 4, 6
"""Ports of an element that can be connected: its first ones."""

OPTIONS = 64
"""Settings with a value that an element can be given."""

SPEEDS_NS = (0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 100)
"""Times per word that a wire can be given."""

VERBS = ("finish", "match", "place", "connect", "speed", "set", "remove", "physics", "shield")
"""Physics sets a wire to one of its options, as set does an element; shield lays a shield along a wire's way, on a
track, or takes it away. Levels without such settings have no such moves."""

Option = tuple[str, Any]
"""A setting and a value; None takes back what was set."""


@dataclass(frozen=True, slots=True)
class Move:
    """A command in words: ``what`` is one of :data:`VERBS`, ``detail`` what it is done to, by number."""

    what: str
    detail: tuple[int, ...] = ()


class Moves:
    """All commands on a level with at most so many cores and wires.

    Elements are numbered: pads in the level's order, then ``max_cores`` places for cores. Wires are numbered in the
    order in which they were laid.
    """

    def __init__(self, level: Level, max_cores: int, max_wires: int) -> None:
        self.level = level
        self.columns, self.rows = level.board.size
        self.max_cores, self.max_wires = max_cores, max_wires
        self.pads = [pad.id for pad in level.pads]
        self.elements = len(self.pads) + max_cores
        self.kinds = [kind for kind in CORES.values() if kind.family != "pad" and offered(level, kind.name)]
        self.options = {kind.name: _options(level, kind) for kind in CORES.values()}
        self.pad_options = {pad.id: _spread(pad_choices(level, pad)) for pad in level.pads}
        self.wire_options = _spread(wire_choices(level))
        crosstalk = level.physics.crosstalk
        self.shields = crosstalk is not None and crosstalk.shields != 0
        tiles = self.columns * self.rows
        self.shapes: dict[str, tuple[int, ...]] = {
            "finish": (1,),
            "match": (1,),
            "place": (len(self.kinds), tiles),
            "connect": (self.elements, PORTS_OUT, self.elements, PORTS_IN),
            "speed": (max_wires, len(SPEEDS_NS)),
            "set": (
                self.elements,
                max(map(len, self.options.values()), default=0) if level.physics.modules else OPTIONS,
            ),
            "remove": (max_cores + max_wires,),
            "physics": (max_wires, len(self.wire_options)),
            "shield": (max_wires, level.board.tracks if self.shields else 0),
        }
        self.sizes = {verb: math.prod(self.shapes[verb]) for verb in VERBS}
        ends = np.cumsum(list(self.sizes.values()))
        self.starts: dict[str, int] = dict(zip(VERBS, [0, *ends[:-1].tolist()], strict=True))
        self.count = int(ends[-1])

    def read(self, number: int) -> Move:
        """The command with this number."""
        if not 0 <= number < self.count:
            raise UsageError(f"there is no action {number}: they are 0 to {self.count - 1}")
        verb = next(v for v in reversed(VERBS) if number >= self.starts[v] and self.sizes[v])
        place = np.unravel_index(number - self.starts[verb], self.shapes[verb])
        return Move(verb, tuple(int(i) for i in place))

    def number(self, move: Move) -> int:
        """The number of a command: the inverse of :meth:`read`."""
        place = move.detail or (0,)
        return self.starts[move.what] + int(np.ravel_multi_index(place, self.shapes[move.what]))


def offered(level: Level, core: str) -> int:
    """How many cores of this type may be placed."""
    allowed = parts_allowed(level, core)
    return 1000 if allowed is None else allowed


class Bench:
    """A builder with numbered elements and wires, on which moves are made."""

    def __init__(self, moves: Moves, design: Design | None) -> None:
        self.moves = moves
        self.builder = Builder.of(moves.level, design) if design else Builder(moves.level, "agent")
        self.cores: list[str | None] = [core.id for core in design.cores] if design else []
        lacking = moves.max_cores - len(self.cores)
        if lacking < 0 or len(self.builder.lines) > moves.max_wires:
            raise UsageError(
                f"the design has {len(self.cores)} cores and {len(self.builder.lines)} wires: give max_cores and "
                "max_wires no less than that"
            )
        self.cores += [None] * lacking

    @property
    def names(self) -> list[str | None]:
        """The elements by number; None where there is none."""
        return [*self.moves.pads, *self.cores]

    def design(self) -> Design:
        """The machine as it stands. Raises UsageError where wires overfill a tile edge."""
        return self.builder.design()

    def make(self, move: Move) -> None:
        """Make a move; finish does nothing here. Raises UsageError, and changes nothing, where it is refused."""
        builder, detail = self.builder, move.detail
        match move.what:
            case "match":
                try:
                    builder.match()
                except InvalidError as error:
                    raise UsageError(str(error)) from error
            case "place":
                self._place(self.moves.kinds[detail[0]], divmod(detail[1], self.moves.columns)[::-1])
            case "connect":
                start, out, end, into = detail
                if len(builder.lines) >= self.moves.max_wires:
                    raise UsageError(f"there are {self.moves.max_wires} wires already: remove one")
                source = _port(self.name(start), self._ports(start)[1], out)
                builder.wire(source, _port(self.name(end), self._ports(end)[0], into))
            case "speed":
                builder.speed(self._line(detail[0]), every_ns=SPEEDS_NS[detail[1]])
            case "set":
                options = self.options(detail[0])
                if detail[1] >= len(options):
                    raise UsageError(f"{self.name(detail[0])} has no such setting")
                name, value = options[detail[1]]
                builder.set(self.name(detail[0]), **{name: value})
            case "remove":
                self._remove(detail[0])
            case "physics":
                name, value = self.moves.wire_options[detail[1]]
                builder.physics(self._line(detail[0]), **{name: value})
            case "shield":
                self._shield(self._line(detail[0]), detail[1])

    def _place(self, kind: CoreType, tile: tuple[int, ...]) -> None:
        if None not in self.cores:
            raise UsageError(f"there are {self.moves.max_cores} cores already: remove one")
        if not self._left(kind.name):
            raise UsageError(f"the level has no more {kind.name}")
        slot = self.cores.index(None)
        first = {s.name: _values(self.moves.level, s)[0] for s in kind.settings if s.default is None}
        self.cores[slot] = self.builder.place(kind.name, tile, **first).id

    def _remove(self, number: int) -> None:
        slot = number - self.moves.max_wires
        if slot < 0:
            self.builder.remove(self._line(number))
            return
        name = self.cores[slot]
        if name is None:
            raise UsageError(f"there is no core number {slot}")
        self.builder.remove(name)
        self.cores[slot] = None

    def _shield(self, line: Any, track: int) -> None:
        there = [shield for shield in self.builder.shields if shield.path == line.spec.path and shield.track == track]
        if there:
            self.builder.unshield(there[0])
        else:
            self.builder.shield(*line.spec.path, track=track)

    def name(self, element: int) -> str:
        """The id of an element. Raises UsageError where there is none."""
        name = self.names[element]
        if name is None:
            raise UsageError(f"there is no element number {element}")
        return name

    def options(self, element: int) -> list[Option]:
        """What an element can be set to."""
        name = self.names[element]
        if name is None:
            return []
        core = self.builder.core(name)
        if core:
            return self.moves.options[core.core]
        options = self.moves.options[self.moves.level.pads[element].core] + self.moves.pad_options[name]
        return options[: self.moves.shapes["set"][1]]

    def _ports(self, element: int) -> tuple[tuple[Port, ...], tuple[Port, ...]]:
        return self.builder.ports(self.name(element))

    def _line(self, number: int) -> Any:
        if number >= len(self.builder.lines):
            raise UsageError(f"there is no wire number {number}")
        return self.builder.lines[number]

    def _left(self, kind: str) -> int:
        placed = [self.builder.core(name) for name in self.cores if name]
        return offered(self.moves.level, kind) - sum(core is not None and core.core == kind for core in placed)

    def mask(self) -> NDArray[np.int8]:
        """1 for every move that makes sense here: ports, elements and wires exist, tiles are free, parts are left.

        The builder may still refuse one: a wire may find no way, a setting may not fit its core's other ones.
        """
        moves, builder = self.moves, self.builder
        mask = np.zeros(moves.count, np.int8)
        parts = {verb: self._part(mask, verb) for verb in VERBS}
        parts["finish"][:] = 1
        parts["match"][:] = bool(builder.lines)
        free = np.zeros(moves.columns * moves.rows, np.int8)
        free[[x + y * moves.columns for x, y in builder.free_tiles()]] = 1
        if None in self.cores:
            for k, kind in enumerate(moves.kinds):
                if self._left(kind.name) > 0:
                    parts["place"][k] = free
        if len(builder.lines) < moves.max_wires:
            self._mask_connect(parts["connect"])
        laid = len(builder.lines)
        parts["speed"][:laid] = 1
        parts["physics"][:laid] = 1
        parts["shield"][:laid] = 1
        for e, name in enumerate(self.names):
            if name is not None:
                parts["set"][e, : len(self.options(e))] = 1
        parts["remove"][:laid] = 1
        parts["remove"][moves.max_wires :] = [name is not None for name in self.cores]
        return mask

    def _part(self, mask: NDArray[np.int8], verb: str) -> NDArray[np.int8]:
        """The part of a mask that is a verb's, as an array with its shape: a view."""
        shape, start = self.moves.shapes[verb], self.moves.starts[verb]
        return mask[start : start + self.moves.sizes[verb]].reshape(shape)

    def _mask_connect(self, mask: NDArray[np.int8]) -> None:
        there = [e for e, name in enumerate(self.names) if name is not None]
        outs = {e: min(len(self._ports(e)[1]), PORTS_OUT) for e in there}
        ins = {e: min(len(self._ports(e)[0]), PORTS_IN) for e in there}
        for start in there:
            for end in there:
                mask[start, : outs[start], end, : ins[end]] = 1


def _port(element: str, ports: tuple[Port, ...], number: int) -> str:
    if number >= len(ports):
        raise UsageError(f"{element} has no port number {number}")
    return f"{element}.{ports[number].name}"


# --- what a setting can be ---------------------------------------------------------------------------------


def numbers(level: Level) -> list[int]:
    """Whole numbers that may matter on a level: small ones, and those of its kernel, shapes and threads."""
    found = [0, 1, 2, 3, 4, 8]
    found += [int(n) for n in re.findall(r"\d{1,5}", level.kernel.truth or "")]
    found += [n for array in level.kernel.arrays.values() for n in array.shape]
    found += [*level.threads.block, *level.threads.grid] if level.threads else []
    return list(dict.fromkeys([*found, 5, 6, 10, 16, 32, 64]))[:20]


def _values(level: Level, setting: Setting) -> list[Any]:
    """Values of a setting, at least one."""
    rank = len(level.threads.block) if level.threads else 1
    match setting.kind:
        case "int":
            found = [*([] if setting.default is None else [setting.default]), *numbers(level)]
            return list(dict.fromkeys(n for n in found if setting.low <= n <= setting.high)) or [setting.low]
        case "lanes":
            return [n for n in (1, 2, 4, 8) if setting.low <= n <= max(setting.low, min(setting.high, level.lanes))]
        case "bool":
            return [False, True]
        case "choice":
            return list(setting.choices)
        case "limits":
            return [[n] * rank for n in numbers(level) if n > 0] + [[n] for n in numbers(level) if n > 0 and rank > 1]
        case "sums":
            sums = [
                "w0",
                "w0 + 1",
                "w0 - 1",
                *(f"{n}*w0" for n in (2, 4)),
                "w0 + w1",
                *(f"{n}*w0 + w1" for n in (2, 3, 4, 8)),
            ]
            return [[one] for one in sums]
        case "ints":
            return [0, 1]
        case "ports":
            return [{"write": w, "read": r} for w in (1, 2) for r in (1, 2, 3)]


def _options(level: Level, kind: CoreType) -> list[Option]:
    """Settings, immediates and choices of words of a type of core: at most :data:`OPTIONS`."""
    found: list[Option] = []
    for setting in kind.settings:
        found += [(setting.name, value) for value in _values(level, setting)]
    if kind.floats and any(array.dtype == "float32" for array in level.kernel.arrays.values()):
        found += [("dtype", "int32"), ("dtype", "float32")]
    if core_settings := core_choices(level, kind.name) if kind.family != "pad" else {}:
        # Physics comes on top of what there is without it.
        return found[:OPTIONS] + _ports_options(level, kind)[: max(0, OPTIONS - len(found))] + _spread(core_settings)
    found += _ports_options(level, kind)
    return found[:OPTIONS]


def _spread(choices: Choices) -> list[Option]:
    """Every setting with every value."""
    return [(name, value) for name, values in choices.items() for value in values]


def _ports_options(level: Level, kind: CoreType) -> list[Option]:
    # Value by value, so that where there are too many every port has its share.
    return [(port.name, value) for value in _port_values(level) for port in kind.inputs]


def _port_values(level: Level) -> Iterable[Any]:
    yield None
    for word in range(3):
        yield {"words": [word]}
    yield {"words": [0, 1]}
    yield {"words": [1, 0]}
    yield from numbers(level)
