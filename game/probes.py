"""Probed wires and cores: which ones, and what is known of them.

A lane is kept by name, so it outlives edits, undo and a change to another design of the level; where the design on the
board has nothing of that name, the lane stays and shows nothing. No pygame here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.model import Design, Level
from engine.simulation import EngineName
from game.background import Background
from game.recorder import Item, Recorder, Recording, States, Wave, Wish

MOST_LANES = 16


def names_of(design: Design) -> list[str]:
    """Names of a design's wires, in order, no two the same: ``a.value → sum.a``."""
    seen: Counter[str] = Counter()
    names = []
    for wire in design.wires:
        name = f"{wire.source.replace(' ', '')} → {', '.join(wire.to)}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return names


class Probes:
    """The lanes of a level, in order, and what is known of them."""

    def __init__(self, level: Level, engine: EngineName) -> None:
        self._level, self._engine = level, engine
        self.lanes: list[tuple[str, ...]] = []
        """By the names that the lane's wire or core has had, the first one first."""
        self.recording: Recording | None = None
        self._waves: dict[str, Wave | States] = {}
        """What was recorded, by name."""
        self._known: tuple[Design, dict[str, Item]] | None = None
        """Items by name of the design that was asked for last."""
        self._worker: Background[Wish, Recording] | None = None
        self._wished: Wish | None = None

    def places(self, design: Design) -> list[Item | None]:
        """For each lane its wire or core in ``design``, None where it has none of that name."""
        if self._known is None or self._known[0] is not design:
            ids = [*(pad.id for pad in self._level.pads), *(core.id for core in design.cores)]
            known: dict[str, Item] = {name: name for name in ids}
            self._known = design, known | {name: w for w, name in enumerate(names_of(design))}
        items = self._known[1]
        return [next((items[n] for n in names if n in items), None) for names in self.lanes]

    def wave(self, lane: int) -> Wave | States | None:
        """What is known of a lane, of whatever design was recorded last."""
        return next((self._waves[name] for name in self.lanes[lane] if name in self._waves), None)

    def toggle(self, design: Design, items: Sequence[Item]) -> bool | None:
        """Probe these, or, if all are probed already, no longer. True: added; None: there is no room."""
        places, names = self.places(design), names_of(design)
        missing = [item for item in items if item not in places]
        if not missing:
            self.lanes = [lane for lane, place in zip(self.lanes, places, strict=True) if place not in items]
            return False
        if len(self.lanes) + len(missing) > MOST_LANES:
            return None
        self.lanes += [(names[item] if isinstance(item, int) else item,) for item in missing]
        return True

    def remove(self, lane: int) -> None:
        """Take a lane away."""
        del self.lanes[lane]

    def rename(self, old: str, new: str) -> None:
        """A core has another name: its lanes go by both."""

        def renamed(name: str) -> str:
            if name == old:
                return new
            start, arrow, ends = name.partition(" → ")
            ports = [start, *ends.split(", ")]
            changed = [new + port[len(old) :] if port.startswith(f"{old}.") else port for port in ports]
            return f"{changed[0]}{arrow}{', '.join(changed[1:])}"

        self.lanes = [tuple(dict.fromkeys((*names, *map(renamed, names)))) for names in self.lanes]

    def update(self, design: Design, until: int, calm: bool) -> None:
        """Ask for what is missing up to tick ``until``, once the design is ``calm``, and take what has come."""
        found = {place for place in self.places(design) if place is not None}
        items = tuple(sorted(found, key=lambda item: (isinstance(item, str), item)))
        wished = self._wished
        same = wished is not None and wished.design is design and wished.items == items
        if items and calm and not (same and wished is not None and wished.until >= until):
            # Somewhat further than asked for: while time goes on this comes up again less and less often.
            self._wished = Wish(design, items, until + until // 4)
            if self._worker is None:
                self._worker = Background(Recorder(self._level, self._engine).work, "probes")
            self._worker.submit(self._wished)
        if self._worker is not None:
            for recording in self._worker.poll():
                names, self.recording = names_of(recording.design), recording
                self._waves = {names[i] if isinstance(i, int) else i: wave for i, wave in recording.waves.items()}

    def use_engine(self, engine: EngineName) -> None:
        """Go over to another engine."""
        self._engine = engine
        self.close()

    def wait(self, seconds: float) -> None:
        """Wait for the background. For tests and pictures."""
        if self._worker is not None:
            self._worker.wait(seconds)

    def close(self) -> None:
        """End the thread; it begins again when something is asked for."""
        if self._worker is not None:
            self._worker.close()
        self._worker = self._wished = None
