"""What a picture of the board is made of: plain values, nothing that draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Literal

from engine.machine import PacketArrays, StateView
from engine.model import Design, Level, Report, WireReach
from engine.netlist import Netlist
from engine.technology import technology
from game.theme import Theme
from game.view.warmth import HeatFigures, heat_step

if TYPE_CHECKING:
    from game.view.differences import Differences
    from game.view.layout import Notch

OVERLAYS = ("stalls", "utilisation", "power", "bottleneck", "launches", "tracks")
"""Names of the overlays of every level."""

PHYSICS_OVERLAYS = ("coupling", "heat")
"""Those of modules of physics, in levels that have the module."""

MODULE_OF = {"coupling": "crosstalk", "heat": "heat"}


def overlays_of(level: Level) -> tuple[str, ...]:
    """Names of the overlays of a level, in the order of their keys."""
    return (*OVERLAYS, *(name for name in PHYSICS_OVERLAYS if MODULE_OF[name] in level.physics.modules))


FLOW_PACE = 400.0
"""ns per second from which packets would only flicker: wires are then shaded by their rate."""

Item = str | int
"""What can be selected or under the mouse: a pad's or core's id, the number of a wire, or a shield's name."""

SHIELD = "shield"


def shield_name(index: int) -> str:
    """A shield's name by its place in the design, as problems tell it: "shield 2" is the second one. No core can have
    such a name."""
    return f"{SHIELD} {index + 1}"


def shield_index(item: object) -> int | None:
    """A shield's place by its name; None for whatever else."""
    if not isinstance(item, str) or not item.startswith(f"{SHIELD} "):
        return None
    return int(item.removeprefix(f"{SHIELD} ")) - 1


Base = Literal["decimal", "hex", "binary"]


@dataclass(frozen=True, slots=True)
class Figure:
    """How one element fares. Shares of time 0 … 1; ``power_uw`` over all causes; ``port`` starves most."""

    busy: float = 0.0
    starved: float = 0.0
    blocked: float = 0.0
    rate: float = 0.0
    power_uw: float = 0.0
    port: str | None = None
    energy_share: float = 0.0


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of pads and cores by id, and of wires in the design's order."""

    cores: Mapping[str, Figure]
    wires: Sequence[Figure]
    heat: HeatFigures | None = None
    coupling: Mapping[int, WireReach] = field(default_factory=dict)


def figures_of(report: Report, of: str) -> Figures | None:
    """The figures of a run's window; None where the run has none. ``of`` is the level's technology.

    What may flip is told of a run that has failed as well, which has no window.
    """
    coupling = dict(enumerate(report.crosstalk.wires if report.crosstalk else ()))
    heat = HeatFigures.of(report.heat, technology(of).heat) if report.heat else None
    if report.window is None:
        return Figures({}, (), heat, coupling) if coupling or heat else None
    span = max(report.window.end_ns - report.window.start_ns, 1e-9)
    total = sum((report.energy_pj or {}).values()) or 1.0
    cores: dict[str, Figure] = {}
    wires: list[Figure] = []
    for element in report.elements:
        energy = sum(element.energy_pj.values())
        time = max(element.busy_ns + element.starved_ns + element.blocked_ns, 1e-9)
        figure = Figure(
            element.busy_ns / time,
            element.starved_ns / time,
            element.blocked_ns / time,
            element.rate_per_ns,
            energy / span * 1000,
            element.starved_port,
            energy / total,
        )
        if element.kind == "wire":
            wires.append(figure)
        else:
            cores[element.id] = figure
    return Figures(cores, wires, heat, coupling)


@dataclass(frozen=True, slots=True)
class Ghost:
    """A core that is not yet placed; ``reason`` says why it cannot be."""

    core: str
    at: tuple[int, int]
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class GhostWire:
    """A wire in the hand: all corners so far. ``note`` stands at its end."""

    path: tuple[tuple[float, float], ...]
    note: str = ""
    fits: bool = True


@dataclass(frozen=True, slots=True)
class Chain:
    """Why something waits: elements in the order of the sentences, the last being the root.

    ``way`` is everything on the way to it, wires as well; without it only the elements are lit up.
    """

    items: tuple[Item, ...]
    way: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """What sets the bound on throughput: ids, wire numbers, and the sentence; ``slack`` by wire: times slower."""

    cores: tuple[str, ...]
    wires: tuple[int, ...]
    sentence: str
    slack: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moment:
    """What a moment of the game adds to the board; shares are 0 … 1.

    opened
        How much of the board has appeared, from the left.
    words
        Words that pads are about to hand out, by pad.
    flash
        What an undo or redo has just changed.
    lit, lit_share, dim
        Wires in the order of the way from a source to a sink, how much of that way is lit, and how dark the rest is.
    launches, since_s
        Launches that have counted, and seconds of the player's time since the last one.
    ask
        The wire at whose head a key is offered that says why it waits.
    """

    opened: float = 1.0
    words: Mapping[str, str] = field(default_factory=dict)
    flash: Differences | None = None
    lit: tuple[int, ...] = ()
    lit_share: float = 0.0
    dim: float = 0.0
    launches: int = 0
    since_s: float | None = None
    ask: int | None = None


@dataclass(frozen=True)
class Scene:
    """One moment of one design: the picture is a pure function of this and of the camera.

    time_ns
        The moment. ``packets`` and ``state`` are of it; without them no packets and no stages are drawn.
    figures
        Of a run, for overlays and bars.
    marks
        What Match cannot tell, by wire: "⟳", "≋" or "⇄ 6 short".
    pace
        ns of the machine per second of the player: fast ticks become an even glow.
    clock
        Seconds of the player's time: what breathes and wobbles follows it. Nothing does with reduced motion.
    overlay_s
        Seconds of the player's time for which the overlay has been shown: the one of heat warms up in the first few.
    loop_ns
        (begin, length): travelling ticks are made to repeat after this, for looping pictures.
    hazard
        (element, port or None) at which the machine works by luck.
    wrong
        (element, port) at which a machine that has stopped with a fault holds the packet that is wrong.
    followed
        (wire, position along it in tiles) of the packet that the player follows: its value is shown.
    port
        The port under the mouse: its name and direction are told.
    offers
        An element whose free ports are shown bright: the one under the mouse, or the one from which to go on.
    placing
        Whether something is about to be placed: grid lines are shown.
    ports
        While a wire is in the hand: whether it fits, by (element, port).
    differences
        Between this design and another one, to be marked.
    moment
        What a moment of the game adds: the opening, a first launch, an undo.
    box
        The rectangle of a selection that is being drawn: left, top, right, bottom in tiles.
    """

    level: Level
    design: Design
    netlist: Netlist | None = None
    time_ns: float = 0.0
    packets: PacketArrays | None = None
    state: StateView | None = None
    figures: Figures | None = None
    selection: frozenset[Item] = frozenset()
    hover: Item | None = None
    port: Notch | None = None
    offers: str | None = None
    ghosts: tuple[Ghost, ...] = ()
    ghost_wires: tuple[GhostWire, ...] = ()
    marks: Mapping[int, str] = field(default_factory=dict)
    overlay: str | None = None
    overlay_s: float = inf
    chain: Chain | None = None
    bottleneck: Bottleneck | None = None
    fault: str | None = None
    hazard: tuple[str, str | None] | None = None
    wrong: tuple[str, str] | None = None
    followed: tuple[int, float] | None = None
    pace: float = 10.0
    clock: float = 0.0
    loop_ns: tuple[float, float] | None = None
    placing: bool = False
    ports: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    differences: Differences | None = None
    moment: Moment | None = None
    box: tuple[float, float, float, float] | None = None
    base: Base = "decimal"
    theme: Theme = field(default_factory=Theme)

    @property
    def moves(self) -> bool:
        """Whether the board may move by itself, beside what the machine does."""
        return not self.theme.reduced_motion

    @property
    def heat_step(self) -> int:
        """How far the board has warmed up, for the overlay of heat: to where it ends, but while it fades in."""
        return heat_step(self.overlay_s if self.moves else inf) if self.overlay == "heat" else 0

    @property
    def flows(self) -> bool:
        """Whether wires are shaded by their rate in place of packets."""
        return self.pace > FLOW_PACE and self.figures is not None and self.overlay is None and self.chain is None
