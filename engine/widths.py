"""How many words the packets on a wire have, and how many values, as far as the design so far tells.

The same rules as in :mod:`engine.wiring`, asked backwards from one wire of a design that is still growing. Where
packets have lanes, how words lie in them is found by :mod:`engine.forms` for the whole design at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.forms import find_forms
from engine.handles import Line
from engine.model import ThreadSpec, WireSpec
from engine.netlist import Form, WordPick, values_of
from engine.parts import Part, has_lanes
from engine.tokens import DEFAULT_WORDS, make_warps, token_width

_Forms = dict[tuple[str, str], tuple[int, tuple[Form, ...]]]


@dataclass(slots=True, eq=False)
class _RoughIn:
    """An input as :func:`engine.forms.find_forms` looks at it."""

    name: str
    picks: tuple[WordPick, ...] | None
    immediate: tuple[int, ...] | None
    wires: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _RoughOut:
    offset: int
    width: int
    name: str = ""
    wires: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Rough:
    """A node of a design that is not finished."""

    kind: str
    id: str
    is_float: bool
    params: dict[str, Any]
    inputs: list[_RoughIn] = field(default_factory=list)
    outputs: list[_RoughOut] = field(default_factory=list)
    result_width: int = 0


@dataclass(slots=True, eq=False)
class _RoughWire:
    source: int
    source_port: int
    words: tuple[int, ...]
    target: int


def _attach(end: _RoughIn, wire: int, width: int, wires: Sequence[_RoughWire]) -> None:
    """Let a wire end at an input, unless one of another width does; words chosen beyond its own are left out."""
    if end.wires and len(wires[end.wires[0]].words) != width:
        return
    if end.picks is None:
        end.picks = tuple(WordPick(False, word) for word in range(width))
    end.picks = tuple(pick for pick in end.picks if pick.constant or pick.value < width)
    end.wires.append(wire)


class Widths:
    """Widths among ``parts`` by name and wires ``into`` each input, "add1.a"; both may grow."""

    def __init__(
        self, parts: Mapping[str, Part], into: Mapping[str, Sequence[Line]], threads: ThreadSpec | None
    ) -> None:
        self.parts, self.into, self.threads = parts, into, threads
        self.rank = len(threads.block) if threads else 1

    def of_wire(self, spec: WireSpec) -> int:
        """Tracks of a wire, one for each value that it carries; 1 while its words are unknown."""
        return self.of_wires([spec])[0]

    def of_wires(self, specs: Sequence[WireSpec]) -> list[int]:
        """Tracks of several wires."""
        lanes = has_lanes(self.parts.values())
        forms = self._forms() if lanes else None
        return [self._values(spec, forms) if forms else self._words(spec) for spec in specs]

    def _words(self, spec: WireSpec) -> int:
        core, port, words = spec.start
        return len(words) if words else self._width(core, port, frozenset()) or 1

    # --- lanes -----------------------------------------------------------------------------------------------

    def _values(self, spec: WireSpec, forms: _Forms) -> int:
        core, port, words = spec.start
        lanes, found = forms.get((core, port), (1, ()))
        chosen = [found[word] for word in words if word < len(found)] if words else list(found)
        return sum(size for _, size in values_of(chosen, lanes)) or 1

    def _forms(self) -> _Forms:
        """(lanes, forms of the words) of what stands at each output, by core and port."""
        lines = list(dict.fromkeys(line for lines in self.into.values() for line in lines))
        rough: dict[tuple[str, str], tuple[_Rough, int]] = {}
        inputs: dict[tuple[str, str], tuple[_Rough, _RoughIn]] = {}
        nodes: list[_Rough] = []
        for part in self.parts.values():
            for node, ins, outs in self._rough(part):
                nodes.append(node)
                inputs.update({(part.id, name): (node, end) for name, end in zip(ins, node.inputs, strict=True)})
                rough.update({(part.id, name): (node, k) for k, name in enumerate(outs)})
        place = {id(node): n for n, node in enumerate(nodes)}
        wires: list[_RoughWire] = []
        for line in lines:
            core, port, words = line.spec.start
            node, out = rough[core, port]
            offset, width = node.outputs[out].offset, node.outputs[out].width
            chosen = [word for word in words if word < width] if words else range(width)
            if not chosen or any(end not in inputs for end in line.spec.ends):
                continue
            target = inputs[line.spec.ends[0]][0]
            wire = _RoughWire(place[id(node)], out, tuple(offset + word for word in chosen), place[id(target)])
            node.outputs[out].wires.append(len(wires))
            for end in line.spec.ends:
                _attach(inputs[end][1], len(wires), len(wire.words), wires)
            wires.append(wire)
        found = find_forms(nodes, wires, self._token_forms())
        return {
            key: (
                1 if node.kind == "switch" and k == 2 else found.lanes[place[id(node)]],
                found.forms[place[id(node)]][node.outputs[k].offset :][: node.outputs[k].width],
            )
            for key, (node, k) in rough.items()
        }

    def _token_forms(self) -> tuple[Form, ...]:
        for part in self.parts.values():
            if part.core.name == "threads" and part.pad and self.threads:
                words = tuple(part.pad.words or DEFAULT_WORDS)
                return make_warps(self.threads, words, part.settings["lanes"]).forms
        return ()

    def _rough(self, part: Part) -> Iterator[tuple[_Rough, list[str], list[str]]]:
        """The nodes of a part, with the names of their ports; widths that are unknown are 0."""
        ins, outs = [port.name for port in part.inputs], [port.name for port in part.outputs]
        sides = [""] if part.core.name != "shared" else list(dict.fromkeys(name.split(".")[0] + "." for name in ins))
        for side in sides:
            kind = part.core.name if not side else "shared.write" if side.startswith("write") else "shared.read"
            params = {**part.settings, "append": part.settings.get("append", False)}
            node = _Rough("repeat" if kind == "hold" else kind, part.id, part.is_float, params)
            mine = [name for name in ins if name.startswith(side)], [name for name in outs if name.startswith(side)]
            for name in mine[0]:
                choice, fixed = part.choices.get(name), part.immediates.get(name)
                node.inputs.append(_RoughIn(name, choice, fixed))
            width = offset = 0
            for name in mine[1]:
                if name == "order":
                    node.outputs.append(_RoughOut(width, 1))
                    width += 1
                    continue
                width = self._width(part.id, name, frozenset()) or 0
                node.outputs.append(_RoughOut(offset, width))
                if kind not in ("switch", "deal"):
                    offset += width
            node.result_width = width if kind in ("switch", "deal") else offset
            yield node, *mine

    # --- words -----------------------------------------------------------------------------------------------

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
