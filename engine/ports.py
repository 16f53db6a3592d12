"""Checks of wired parts: does every input get the words that it takes, from one place."""

from __future__ import annotations

from engine.errors import Path
from engine.model import Level
from engine.parts import Part
from engine.problems import Problems, listed, plural
from engine.wiring import Wiring


def check_ports(level: Level, parts: dict[str, Part], wiring: Wiring, problems: Problems) -> None:
    """Note what is wrong at the ports of all parts, and outputs that nothing writes."""
    checks = _PortChecks(level, wiring, problems)
    for part in parts.values():
        if part.wired:
            checks.part(part)
        elif part.pad is None and part.sound and not part.dangling:
            problems.add(
                "unused-core",
                part.path,
                f"{part.id} has no wire: it does nothing and leaks, so wire it or remove it",
                "warning",
            )
    written = [part for part in parts.values() if part.core.name in ("store", "sink")]
    for index, (name, array) in enumerate(level.kernel.arrays.items()):
        pads = [part for part in written if part.array == index]
        if array.data is None and not any(part.wired or part.dangling for part in pads):
            what = listed([part.id for part in pads], "or")
            problems.add(
                "output-unwired",
                ("wires",),
                f"no wire leads to {what}: the output {name} would never be written and no launch could complete",
            )


class _PortChecks:
    def __init__(self, level: Level, wiring: Wiring, problems: Problems) -> None:
        self.arrays = list(level.kernel.arrays.items())
        self.lanes = level.lanes
        self.wiring = wiring
        self.add = problems.add

    def part(self, part: Part) -> None:
        for p, port in enumerate(part.inputs):
            if part.in_wires[p]:
                self._wired(part, p)
            elif port.name in part.immediates:
                self._immediate(part, p)
            elif port.required and part.sound and not part.dangling:
                self._missing(part, port.name)
            if port.name in part.choices and not part.in_wires[p]:
                self.add(
                    "unused-choice",
                    self._set_path(part, port.name),
                    f"words are chosen at {part.id}.{port.name}, and no wire ends there: lay one, or remove the choice",
                    "warning",
                )
        if part.inputs and part.sound and not part.dangling and not self._fed(part):
            self.add(
                "only-immediates",
                part.path,
                f"{part.id} ({part.core.name}) takes immediates only: no packet makes it work, so wire an input",
            )
        if part.sound:
            self._alike(part)
            self._settings(part)
        if self.lanes == 1 and part.core.name == "switch" and part.out_wires[2]:
            self.add(
                "not-offered",
                ("wires", part.out_wires[2][0], "from"),
                f"{part.id}.order is for packets of several lanes, and this level has none: remove the wire",
            )

    def _missing(self, part: Part, name: str) -> None:
        place = f"pads: {{{part.id}: {{{name}: …}}}}" if part.pad else f"set: {{{name}: …}}"
        instead = f", or an immediate with {place}" if len(part.inputs) > 1 else ""
        what = f"{part.id} ({part.core.name}) has nothing at {name}"
        self.add("missing-input", part.path, f"{what}: give it a wire{instead}")

    def _set_path(self, part: Part, name: str) -> Path:
        return (*part.path, name) if part.pad else (*part.path, "set", name)

    # --- one port ----------------------------------------------------------------------------------------

    def _wired(self, part: Part, p: int) -> None:
        name, wires = part.inputs[p].name, part.in_wires[p]
        full = f"{part.id}.{name}"
        to = ("wires", wires[-1], "to")
        if name in part.immediates:
            self.add(
                "wire-and-immediate",
                to,
                f"a wire ends at {full}, which has an immediate: remove the wire, or {name} from what {part.id} sets",
            )
        links = [link for link in (self.wiring.links[w] for w in wires) if link is not None]
        if len(wires) > 1:
            shared = next((link for link in links if len(link.ports) > 1), None)
            if shared is not None:
                self.add(
                    "shared-wire",
                    ("wires", shared.index, "to"),
                    f"the wire to {listed(shared.spec.to)} serves several ports, and another wire ends at {full}: "
                    "give each port its own wire",
                )
            widths = {link.width for link in links if link.width is not None}
            if len(widths) > 1:
                self.add(
                    "uneven-wires",
                    to,
                    f"the wires at {full} carry {listed(str(w) for w in sorted(widths))} words: "
                    "all wires at one port carry the same number",
                )
        self._width(part, p)

    def _width(self, part: Part, p: int) -> None:
        """The words that a port gets from its wires, against those that it takes."""
        port = part.inputs[p]
        full = f"{part.id}.{port.name}"
        packet = self.wiring.packet_width(part, p)
        choice = part.choices.get(port.name)
        takes = self._takes(part, p)
        if packet is None:
            return
        if choice:
            beyond = [pick.value for pick in choice if not pick.constant and pick.value >= packet]
            if beyond:
                self.add(
                    "no-such-word",
                    self._set_path(part, port.name),
                    f"{full} chooses word {beyond[0]} of a packet of {plural(packet, 'word')}: "
                    "count from 0, and write constants as strings, '10'",
                )
            if takes not in (None, len(choice)):
                self.add(
                    "packet-width",
                    self._set_path(part, port.name),
                    f"{full} chooses {plural(len(choice), 'word')} and takes {self._amount(part, p)}",
                )
        elif takes is not None and takes != packet:
            wire = part.in_wires[p][0]
            link = self.wiring.links[wire]
            assert link is not None
            source = f"{link.source.id}.{link.source.outputs[link.out].name}"
            example = list(range(takes)) if takes < packet else [*range(packet), *["'0'"] * (takes - packet)]
            words = ", ".join(map(str, example))
            if takes < packet and link.chosen is None and len(link.ports) == 1:
                try_this = f"choose {_number(takes)}, e.g. from: {source}[{words.replace(' ', '')}]"
            else:
                try_this = f"choose at the port, e.g. {port.name}: {{words: [{words}]}}"
            self.add(
                "packet-width",
                ("wires", wire, "to"),
                f"a packet of {plural(packet, 'word')} at {full}, which takes {self._amount(part, p)}: {try_this}",
            )

    def _immediate(self, part: Part, p: int) -> None:
        name = part.inputs[p].name
        found, takes = len(part.immediates[name]), self._takes(part, p)
        if takes not in (None, found):
            self.add(
                "bad-immediate",
                self._set_path(part, name),
                f"{part.id}.{name} has an immediate of {plural(found, 'word')} and takes {self._amount(part, p)}",
            )

    def _takes(self, part: Part, p: int) -> int | None:
        """Words that an input takes; None for any number."""
        width = part.inputs[p].width
        if width == "rank":
            return len(self.arrays[part.array][1].shape)
        return 1 if width == "one" else None

    def _amount(self, part: Part, p: int) -> str:
        takes = self._takes(part, p)
        if part.inputs[p].width != "rank":
            return str(takes)
        return f"{takes} ({self.arrays[part.array][0]} has {plural(takes or 0, 'dimension')})"

    # --- the part as a whole -----------------------------------------------------------------------------

    def _fed(self, part: Part) -> bool:
        """Whether a firing takes a packet from a wire; what is missing is said elsewhere."""
        if part.core.name == "shared":
            return all(
                part.in_wires[p] or not part.has(p) or (port.name.startswith("write") and part.in_wires[p + 1])
                for p, port in enumerate(part.inputs)
                if port.name.endswith(".at")
            )
        if part.core.name == "mux" and "cond" in part.immediates:
            chosen = 1 if part.immediates["cond"][0] else 2
            return bool(part.in_wires[chosen]) or not part.has(chosen)
        if part.core.name == "barrier":
            return bool(part.in_wires[0]) or not part.has(0)
        return any(part.in_wires) or not all(part.has(p) for p, port in enumerate(part.inputs) if port.required)

    def _alike(self, part: Part) -> None:
        """The data inputs of mux, collect and join."""
        if part.core.name not in ("mux", "collect", "join"):
            return
        data = [p for p, port in enumerate(part.inputs) if port.name not in ("cond", "order")]
        widths = {p: self.wiring.seen_width(part, p) for p in data}
        known = {p: width for p, width in widths.items() if width is not None}
        if len(set(known.values())) > 1:
            each = [f"{part.inputs[p].name} {width}" for p, width in known.items()]
            self.add(
                "uneven-wires",
                part.path,
                f"{part.id} ({part.core.name}) gets packets of different widths, in words: {listed(each)}; "
                "they must be alike",
            )

    def _settings(self, part: Part) -> None:
        """Settings that speak of the words of the input."""
        width = self.wiring.seen_width(part, 0) if part.inputs else None
        if width is None:
            return
        where = (*part.path, "set")
        match part.core.name:
            case "guard":
                limits = part.settings["limits"]
                if len(limits) != width:
                    self.add(
                        "bad-setting",
                        (*where, "limits"),
                        f"{part.id}: limits has {_entries(len(limits))} and its packets {plural(width, 'word')}: "
                        "give one for each word, null for a word without limit",
                    )
            case "address":
                used = [w for _, factors in part.settings["words"] for w, k in enumerate(factors) if k]
                if used and max(used) >= width:
                    self.add(
                        "no-such-word",
                        (*where, "words"),
                        f"{part.id}: a sum uses w{max(used)}, and its packets have {plural(width, 'word')}, "
                        f"{'w0' if width == 1 else f'w0 to w{width - 1}'}: bring more words, or use these",
                    )
            case "delay" | "shuffle":
                name = "init" if part.core.name == "delay" else "fill"
                words = part.settings[name]
                if isinstance(words, tuple) and len(words) != width:
                    self.add(
                        "bad-setting",
                        (*where, name),
                        f"{part.id}: {name} has {plural(len(words), 'word')} and its packets {width}: "
                        "give one for each word, or a single number for all",
                    )


def _number(n: int) -> str:
    return "one" if n == 1 else str(n)


def _entries(n: int) -> str:
    return "1 entry" if n == 1 else f"{n} entries"
