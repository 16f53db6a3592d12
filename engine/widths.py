"""How many words the packets on a wire have, as far as the design so far tells.

The same rules as in :mod:`engine.wiring`, asked backwards from one wire of a design that is still growing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.handles import Line
from engine.model import WireSpec
from engine.parts import Part
from engine.tokens import DEFAULT_WORDS, token_width


class Widths:
    """Widths among ``parts`` by name and wires ``into`` each input, "add1.a"; both may grow. ``rank`` is the grid's."""

    def __init__(self, parts: Mapping[str, Part], into: Mapping[str, Sequence[Line]], rank: int) -> None:
        self.parts, self.into, self.rank = parts, into, rank

    def of_wire(self, spec: WireSpec) -> int:
        """Words on a wire; 1 while unknown."""
        core, port, words = spec.start
        return len(words) if words else self._width(core, port, frozenset()) or 1

    def _width(self, core: str, port: str, asked: frozenset[str]) -> int | None:
        """Words of the packets at an output, None while unknown; ``asked`` are cores on the way back to it."""
        if core in asked:
            return None
        part, asked = self.parts[core], asked | {core}
        side, dot, name = port.rpartition(".")
        if name in ("at", "done"):  # an echo: the packet as it came
            return self._packet_width(part, f"{side}{dot}at", asked)
        match part.core.name:
            case "threads":
                assert part.pad
                return token_width(tuple(part.pad.words or DEFAULT_WORDS), self.rank)
            case "address":
                return len(part.settings["words"])
            case "tuple":
                return sum(self._seen_width(part, port.name, asked) or 0 for port in part.inputs)
            case "repeat":
                width = self._seen_width(part, "in", asked)
                return width and width + part.settings["append"]
            case "delay":
                init = part.settings["init"]
                return self._seen_width(part, "in", asked) or (len(init) if isinstance(init, tuple) else None)
        if next(out for out in part.outputs if out.name == port).width == "one":
            return 1
        wide = (self._seen_width(part, port.name, asked) for port in part.inputs if port.width != "one")
        return next((width for width in wide if width), None)

    def _seen_width(self, part: Part, port: str, asked: frozenset[str]) -> int | None:
        """Words that a core sees at an input: those of the port's choice, or of the packet."""
        if port in part.choices:
            return len(part.choices[port])
        return self._packet_width(part, port, asked)

    def _packet_width(self, part: Part, port: str, asked: frozenset[str]) -> int | None:
        if port in part.immediates:
            return len(part.immediates[port])
        for line in self.into.get(f"{part.id}.{port}", ()):
            core, output, words = line.spec.start
            width = len(words) if words else self._width(core, output, asked)
            if width:
                return width
        return None
