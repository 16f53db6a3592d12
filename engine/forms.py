"""How many lanes the packets of a machine have, and how each of their words lies in them ("Lanes" in docs/model.md).

Both are found before a machine runs, from where packets are made, through wires, choices and cores. A word is linear as
long as that is certain for every packet: it is then one value on one track, whatever the number of lanes.

:func:`find_forms` works on nodes and wires that know words only (of a netlist, or of anything with the same
attributes).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.netlist import MAX_VALUES, Form, values_of
from engine.problems import listed

Forms = tuple[Form, ...]

_UNKNOWN = "?"
"""The form of a word of which no packet has been followed yet."""

Seen = Any
"""A form, or :data:`_UNKNOWN`."""

ONE_LANE = ("stream", "unpack", "reduce", "sink")
"""Kinds whose results are scalars."""

_BY_PACKET = {"mux": 0, "accumulate": 1, "join": 2}
"""Inputs whose word decides about whole packets."""

_PASSING = ("relay", "buffer", "gate", "guard", "take", "skip", "deal", "barrier")
_LINEAR = {"add": 1, "sub": -1}


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong with lanes: a code of :data:`engine.problems.CODES`, the node, its input (−1: none), a sentence."""

    code: str
    node: int
    port: int
    text: str


@dataclass(slots=True)
class LaneForms:
    """Lanes and forms of everything. Per node, per node and input, per wire; forms of the words of each.

    Where ``mistakes`` is not empty the rest is a guess.
    """

    lanes: list[int]
    forms: list[Forms]
    port_lanes: list[list[int]]
    port_forms: list[list[Forms]]
    wire_lanes: list[int]
    wire_forms: list[Forms]
    mistakes: list[Mistake] = field(default_factory=list)


def find_forms(nodes: Sequence[Any], wires: Sequence[Any], token_forms: Forms = ()) -> LaneForms:
    """The lanes and forms of a machine; ``token_forms`` are those of the words of its tokens.

    Of a node are read kind, params, is_float, inputs (wires, picks, immediate), outputs (wires, offset, width) and
    result_width; of a wire source, source_port, words and target.
    """
    return _Search(nodes, wires, token_forms).found()


def joined(a: Seen, b: Seen) -> Seen:
    """The form of a word that is sometimes of one form and sometimes of the other."""
    if a == _UNKNOWN:
        return b
    return a if b in (a, _UNKNOWN) else None


def _wrap(value: int) -> int:
    return ((value + 2**31) & 0xFFFFFFFF) - 2**31


class _Search:
    def __init__(self, nodes: Sequence[Any], wires: Sequence[Any], token_forms: Forms) -> None:
        self.nodes, self.wires, self.token_forms = nodes, wires, token_forms
        self.lanes = [0] * len(nodes)
        self._spread(self._lanes_of, self.lanes)
        self.lanes = [n or 1 for n in self.lanes]
        self.forms: list[tuple[Seen, ...]] = [(_UNKNOWN,) * self._width(node) for node in nodes]
        self._spread(self._forms_of, self.forms)
        self.forms = [tuple(0 if form == _UNKNOWN else form for form in forms) for forms in self.forms]

    def _spread(self, rule: Any, values: list[Any]) -> None:
        """Apply a rule node by node until nothing changes; what follows a change is looked at again."""
        todo, waiting = deque(range(len(self.nodes))), set(range(len(self.nodes)))
        while todo:
            n = todo.popleft()
            waiting.discard(n)
            now = rule(n)
            if now != values[n]:
                values[n] = now
                following = [self.wires[w].target for port in self.nodes[n].outputs for w in port.wires]
                todo.extend(f for f in dict.fromkeys(following) if f not in waiting)
                waiting.update(following)

    @staticmethod
    def _width(node: Any) -> int:
        return int(node.result_width)

    # --- lanes -------------------------------------------------------------------------------------------

    def _lanes_of(self, n: int) -> int:
        node = self.nodes[n]
        if node.kind in ("threads", "pack", "compact"):
            return int(node.params.get("lanes" if node.kind == "threads" else "n", 1))
        if node.kind in ONE_LANE:
            return 1
        if node.kind == "barrier":
            return self.port_lanes(node, 0)  # arrivals do not meet what passes
        return max([0, *[self.port_lanes(node, p) for p in range(len(node.inputs))]])

    def wire_lanes(self, wire: Any) -> int:
        """Lanes of a wire's packets; 0 while unknown. Order words are scalars."""
        source = self.nodes[wire.source]
        if source.kind == "switch" and wire.source_port == 2:
            return 1
        lanes: int = self.lanes[wire.source]
        return lanes

    def port_lanes(self, node: Any, port: int) -> int:
        """Lanes of the packets that come to an input; 0 while unknown, and where it has no wire."""
        return max([0, *[self.wire_lanes(self.wires[w]) for w in node.inputs[port].wires]])

    # --- forms -------------------------------------------------------------------------------------------

    def packet(self, node: Any, port: int) -> tuple[Seen, ...]:
        """Per word of the packets that come to an input, over all its wires."""
        found = node.inputs[port]
        if not found.wires:
            return (0,) * len(found.immediate or ())
        packets = [[self.forms[self.wires[w].source][i] for i in self.wires[w].words] for w in found.wires]
        return tuple(_all_joined(word) for word in zip(*packets, strict=True))

    def seen(self, node: Any, port: int) -> tuple[Seen, ...]:
        """Per word that the core sees at an input."""
        found, packet = node.inputs[port], self.packet(node, port)
        if not found.wires:
            return packet
        # A choice that the packet does not have is told elsewhere.
        return tuple(
            0 if pick.constant else packet[pick.value] if pick.value < len(packet) else _UNKNOWN for pick in found.picks
        )

    def _forms_of(self, n: int) -> tuple[Seen, ...]:
        node = self.nodes[n]
        width = self._width(node)
        if self.lanes[n] == 1:
            return (0,) * width
        forms = self._result(node, width)
        return forms + (0,) * (width - len(forms))

    def _result(self, node: Any, width: int) -> tuple[Seen, ...]:
        """Forms of a result; what is left out (an order word, the number of a pass) is uniform."""
        match node.kind:
            case "threads":
                return self.token_forms
            case "counter":
                return (0,)
            case "pack" | "compact" | "shuffle" | "accumulate" | "scan" | "join":
                return (None,) * width  # of join: its halves may have other bases
            case "load" | "shared.read":
                at = self.seen(node, 0)
                lone = node.kind == "load" and not (node.inputs[1].wires or node.inputs[1].immediate)
                return (_uniform(at) if lone or node.kind != "load" else None, *self.packet(node, 0))
            case "store" | "shared.write":
                return self.packet(node, 0)
            case "mux":
                return tuple(joined(*pair) for pair in zip(self.seen(node, 1), self.seen(node, 2), strict=False))
            case "collect":
                sides_of = [self.seen(node, port) for port in range(len(node.inputs))]
                return tuple(_all_joined(word) for word in zip(*sides_of, strict=False))
            case "tuple":
                return tuple(word for port in range(len(node.inputs)) for word in self.seen(node, port))
            case "delay":
                return tuple(joined(0, word) for word in self.seen(node, 0))
            case "address":
                return tuple(self._sum(self.seen(node, 0), factors) for _, factors in node.params["words"])
            case "switch" | "repeat":
                return self.seen(node, 0)
            case _ if node.kind in _PASSING:
                return self.seen(node, 0)
            case _:
                return (self._arithmetic(node),)

    @staticmethod
    def _sum(words: Sequence[Seen], factors: Sequence[int]) -> Seen:
        used = [(word, factor) for word, factor in zip(words, factors, strict=False) if factor]
        if any(word is None for word, _ in used):
            return None
        if any(word == _UNKNOWN for word, _ in used):
            return _UNKNOWN
        return _wrap(sum(word * factor for word, factor in used))

    def _arithmetic(self, node: Any) -> Seen:
        # In a machine in the making some inputs have nothing yet.
        words = [(self.seen(node, port) or (_UNKNOWN,))[0] for port in range(len(node.inputs))]
        if any(word is None for word in words):
            return None
        if _UNKNOWN in words:
            return _UNKNOWN
        if not node.is_float:
            if node.kind in _LINEAR:
                return _wrap(words[0] + _LINEAR[node.kind] * words[1])
            fixed = [port.immediate[0] if port.immediate else None for port in node.inputs]
            if node.kind in ("mul", "mul.serial") and fixed != [None, None]:
                return _wrap(words[0] * fixed[1] if fixed[1] is not None else words[1] * (fixed[0] or 0))
            if node.kind == "shl" and fixed[1] is not None:
                return _wrap(words[0] << (fixed[1] & 31))
        return _uniform(words)

    # --- the outcome -------------------------------------------------------------------------------------

    def found(self) -> LaneForms:
        """Everything, with what is wrong."""
        return LaneForms(
            self.lanes,
            self.forms,
            [[self.port_lanes(node, p) or 1 for p in range(len(node.inputs))] for node in self.nodes],
            [[self.seen(node, p) for p in range(len(node.inputs))] for node in self.nodes],
            [self.wire_lanes(wire) for wire in self.wires],
            [tuple(self.forms[wire.source][word] for word in wire.words) for wire in self.wires],
            [mistake for n, node in enumerate(self.nodes) for mistake in self._mistakes(n, node)],
        )

    def _mistakes(self, n: int, node: Any) -> Iterable[Mistake]:
        """What is wrong at a node, its inputs first."""
        wrong = self._meeting(n, node)
        if wrong is None:
            wrong = self._by_packet(n, node)
        return [*([wrong] if wrong else []), *self._too_wide(n, node)]

    def _meeting(self, n: int, node: Any) -> Mistake | None:
        """Packets of unlike numbers of lanes that meet, or of a number that the core does not take."""
        lanes = [self.port_lanes(node, p) for p in range(len(node.inputs))]
        for p, port in enumerate(node.inputs):
            here = sorted({self.wire_lanes(self.wires[w]) for w in port.wires})
            if len(here) > 1:
                text = f"{node.id}: the wires at {port.name} carry packets of {listed(map(str, here))} lanes"
                return Mistake("lanes-differ", n, p, f"{text}: make them alike")
        wide = [p for p in range(len(lanes)) if lanes[p] > 1]
        for p in wide[1:]:
            if lanes[p] != lanes[wide[0]]:
                at, other = node.inputs[wide[0]].name, node.inputs[p].name
                text = f"{node.id}: {lanes[wide[0]]} lanes at {at}, {lanes[p]} at {other}"
                why = "packets that meet have the same number of lanes, or one of them is a scalar"
                return Mistake("lanes-differ", n, p, f"{text}: {why}")
        if wide and node.kind in ("pack", "sink"):
            how = "they are packed already" if node.kind == "pack" else "unpack them, or store them by address"
            text = f"{node.id} takes scalars and gets packets of {lanes[0]} lanes: {how}"
            return Mistake("takes-scalars", n, 0, text)
        if node.kind == "compact" and lanes[0] > self.lanes[n]:
            text = f"{node.id} gathers lanes in packets of {self.lanes[n]} and gets packets of {lanes[0]}"
            return Mistake("lanes-differ", n, 0, f"{text}: set n to at least {lanes[0]}")
        return None

    def _by_packet(self, n: int, node: Any) -> Mistake | None:
        """A word that decides about whole packets and is not the same in all lanes."""
        port = _BY_PACKET.get(node.kind)
        if port is None or self.lanes[n] == 1 or all(form == 0 for form in self.seen(node, port)):
            return None
        text = f"{node.id}: the word at {node.inputs[port].name} differs from lane to lane"
        why = {
            "mux": "a mux goes by whole packets: use select, or switch and join",
            "accumulate": "a group ends for all lanes at once: take a word that is the same in all",
            "join": "it names the sides of a whole packet: wire the port order of the switch to it",
        }[node.kind]
        return Mistake("split-predicate", n, port, f"{text}, and {why}")

    def _too_wide(self, n: int, node: Any) -> Iterable[Mistake]:
        for out in node.outputs:
            forms = self.forms[n][out.offset : out.offset + out.width]
            size = sum(values for _, values in values_of(forms, self.lanes[n]))
            if out.wires and size > MAX_VALUES:
                each = f"{self.lanes[n]} for each word that differs from lane to lane"
                text = f"{node.id}.{out.name} would give packets of {size} values, {each}: a packet stores at most"
                yield Mistake(
                    "packet-too-wide", n, -1, f"{text} {MAX_VALUES}, so carry fewer words to it, or use fewer lanes"
                )


def _all_joined(words: Iterable[Seen]) -> Seen:
    form: Seen = _UNKNOWN
    for word in words:
        form = joined(form, word)
    return form


def _uniform(words: Iterable[Seen]) -> Seen:
    """The form of a word that is made from ``words`` and is no sum of them."""
    words = list(words)
    if any(word not in (0, _UNKNOWN) for word in words):
        return None
    return _UNKNOWN if _UNKNOWN in words else 0
