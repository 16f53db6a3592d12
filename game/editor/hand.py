"""What the player's hand holds and points at on one board: the state that all of its tools share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from engine.catalog import CORES
from engine.model import Design, Level, SettingValue
from engine.speeds import speed_changes
from game.editor.edits import Tile
from game.editor.history import History
from game.view.camera import Camera
from game.view.hits import Hits
from game.view.layout import Notch, make_layout
from game.view.scene import GhostWire, Item, shield_index, shield_name

Pos = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Mods:
    """Keys held during an event."""

    shift: bool = False
    ctrl: bool = False
    alt: bool = False


@dataclass(slots=True)
class PartHand:
    """A part in the hand, to be placed."""

    core: str
    settings: dict[str, SettingValue] = field(default_factory=dict)


@dataclass(slots=True)
class PasteHand:
    """A blueprint in the hand."""

    blueprint: Design


@dataclass(slots=True)
class WireHand:
    """A wire in the hand: from an output, or backwards from an input."""

    element: str
    port: str
    backwards: bool
    via: list[Tile] = field(default_factory=list)
    port_choice: int = 0
    """How often Tab was pressed: which of the wires that may be meant under the mouse is."""
    over: str | None = None
    """The element under the mouse; on another one Tab begins anew."""


@dataclass(slots=True)
class ShieldHand:
    """A shield in the hand, to be laid from tile to tile; ``start`` is where it begins, once that is known."""

    start: Tile | None = None
    pos: Pos = (0.0, 0.0)
    """Where the mouse was then, in tiles: what is nearest to it is the track."""


class Hand:
    """The hand of the player on one board.

    ``speed`` is the ticks per word that a new wire gets (the last one set), ``detents`` demand rates by wire for the
    wheel. ``on_sound`` is told the names of sounds, ``on_say`` what is to be said. Everything else is read by the
    workbench after each event.
    """

    def __init__(self, level: Level, history: History, camera: Camera) -> None:
        self.level = level
        self.history = history
        self.camera = camera
        self.selection: set[Item] = set()
        self.hand: PartHand | PasteHand | WireHand | ShieldHand | None = None
        self.hover: Item | None = None
        self.hover_port: Notch | None = None
        self.pos: Pos = (0.0, 0.0)
        self.reason: str | None = None
        self.box: tuple[Pos, Pos] | None = None
        self.brush = False
        self.speed: int | None = None if level.new_wire_speed == 0 else round(100 / level.new_wire_speed)
        self.detents: dict[int, int] = {}
        self.on_sound: Callable[[str], None] = lambda _: None
        self.on_say: Callable[[str], None] = lambda _: None
        self._hits: Hits | None = None
        self._hits_of: Design | None = None
        self._ghost: tuple[tuple[Any, ...], tuple[GhostWire, ...]] | None = None
        self._stopped_before: dict[int, int] = {}
        self._roll_label = ""
        self._roll_left: float | None = None
        """Seconds until a roll of the wheel is over; None while the wheel is at rest."""
        self._detent_left = 0.0
        """Seconds for which the rate that is asked still holds the wheel."""

    # --- what is where -----------------------------------------------------------------------------------

    @property
    def design(self) -> Design:
        return self.history.design

    def hits(self) -> Hits:
        """What is under the mouse, for the design shown."""
        if self._hits is None or self._hits_of is not self.design:
            if self._hits is None or self._hits_of is None or speed_changes(self._hits_of, self.design) is None:
                self._hits = Hits(make_layout(self.level, self.design))
            else:  # everything has kept its place
                self._hits.layout = replace(self._hits.layout, design=self.design)
            self._hits_of = self.design
            cores = {core.id for core in self.design.cores} | {pad.id for pad in self.level.pads}
            count = len(self.design.wires)
            if isinstance(self.hand, WireHand) and self.hand.element not in cores:
                self.hand = None  # what it began at is gone
            cores |= {shield_name(i) for i in range(len(self.design.shields))}
            self.selection = {i for i in self.selection if (i in cores if isinstance(i, str) else i < count)}
        return self._hits

    def _is_core(self, item: Item | None) -> bool:
        return isinstance(item, str) and any(core.id == item for core in self.design.cores)

    def selected_shields(self) -> set[int]:
        """Indices of the shields that are selected."""
        return {i for item in self.selection if (i := shield_index(item)) is not None}

    def selected_cores(self) -> set[str]:
        """Cores (not pads) that are selected."""
        return {item for item in self.selection if isinstance(item, str) and self._is_core(item)}

    def selected_wires(self) -> set[int]:
        return {item for item in self.selection if isinstance(item, int)}

    def subjects(self, useful: Callable[[Item], bool] = lambda item: True) -> set[Item]:
        """What a key acts on: what is under the mouse, if the key has a use for it, else the selection."""
        here = self.hover
        found = {here} if here is not None and here not in self.selection and useful(here) else self.selection
        return {item for item in found if useful(item)}

    def wires_meant(self) -> list[int]:
        """The wires that a key acts on."""
        return sorted(item for item in self.subjects(lambda item: isinstance(item, int)) if isinstance(item, int))


def default_settings(core: str) -> dict[str, SettingValue]:
    """Settings of a fresh part: the least that the catalogue allows where it has no default."""
    found: dict[str, SettingValue] = {}
    for setting in CORES[core].settings:
        if setting.default is not None:
            continue
        if setting.kind == "choice":
            found[setting.name] = setting.choices[0]
        elif setting.kind == "lanes":
            found[setting.name] = setting.low
        elif setting.kind == "int":
            found[setting.name] = max(setting.low, 2 if core in ("repeat", "hold") else setting.low)
        elif setting.kind == "limits":
            found[setting.name] = [1]
        elif setting.kind == "sums":
            found[setting.name] = ["w0"]
    return found
