"""What can be said about every word of a machine before it runs: data or not, int32 or float32.

A mark is followed from the words where it is made, word by word through wires, choices and cores, and through shared
memories as a whole. Two questions are asked in this way: which words may depend on what the arrays hold
(:func:`nodes_led_by_data`), and which are whole numbers and which floats (:func:`check_kinds`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from engine.catalog import CORES
from engine.netlist import Memory, Node, Wire
from engine.parts import LOGIC_OPS
from engine.problems import Problems

Mark = tuple[bool, ...]
"""Per word: has it the mark."""

Made = Callable[[Node], bool | None]
"""Whether the words that a core makes itself have the mark; None: if anything that it takes has it."""


class Marks:
    """The least set of marked words that agrees with ``made`` and with what cores pass on."""

    def __init__(self, nodes: Sequence[Node], wires: Sequence[Wire], made: Made) -> None:
        self.wires = wires
        self.made = made
        self.results: list[Mark] = [(False,) * node.result_width for node in nodes]
        self._memories: set[int] = set()
        """Shared memories that hold a marked word."""
        readers: dict[int, list[int]] = {}
        for n, node in enumerate(nodes):
            if node.kind == "shared.read":
                readers.setdefault(node.params["memory"], []).append(n)
        todo, waiting = deque(range(len(nodes))), set(range(len(nodes)))
        while todo:
            n = todo.popleft()
            waiting.discard(n)
            node, following = nodes[n], []
            if node.kind == "shared.write" and self._stores(node):
                following += readers.get(node.params["memory"], [])
            now = self._result(node)
            if now != self.results[n]:
                self.results[n] = now
                following += [wires[w].target for port in node.outputs for w in port.wires]
            todo.extend(f for f in dict.fromkeys(following) if f not in waiting)
            waiting.update(following)

    def _stores(self, node: Node) -> bool:
        """Whether this write is the first to bring a mark into its memory."""
        memory = node.params["memory"]
        if memory in self._memories:
            return False
        ports = (0, 1) if self.made(node) is None else (1,)
        if any(any(self.seen(node, port)) for port in ports):
            self._memories.add(memory)
            return True
        return False

    def packet(self, node: Node, port: int) -> Mark:
        """Per word of the packets that come to an input, over all its wires."""
        packets = [
            [self.results[self.wires[w].source][i] for i in self.wires[w].words] for w in node.inputs[port].wires
        ]
        if not packets:
            return (False,) * node.inputs[port].width
        return tuple(any(word) for word in zip(*packets, strict=True))

    def seen(self, node: Node, port: int) -> Mark:
        """Per word that the core sees at an input."""
        packet, picks = self.packet(node, port), node.inputs[port].picks
        return tuple(not pick.constant and packet[pick.value] for pick in picks) if picks else packet

    def _any(self, node: Node) -> bool:
        return any(any(self.seen(node, port)) for port in range(len(node.inputs)))

    def _result(self, node: Node) -> Mark:
        made = self.made(node)
        match node.kind:
            case "threads" | "stream" | "counter":
                return (bool(made),) * node.result_width
            case _ if not any(port.wires for port in node.inputs):
                return (False,) * node.result_width
            case "load":
                return (bool(made), *self.packet(node, 0))
            case "store" | "shared.write":
                return self.packet(node, 0)
            case "shared.read":
                by_address = made is None and any(self.seen(node, 0))
                return (by_address or node.params["memory"] in self._memories, *self.packet(node, 0))
            case "sink":
                return ()
            case "address" if made is None:
                return tuple(any(self._used(node, factors)) for _, factors in node.params["words"])
            case "repeat" if node.params["append"]:
                return (*self.seen(node, 0), bool(made))
            case "tuple":
                return tuple(word for port in range(len(node.inputs)) for word in self.seen(node, port))
            case "select" if made is False:
                return (any(self.seen(node, 1) + self.seen(node, 2)),)
            case "mux" | "join":
                a, b = (1, 2) if node.kind == "mux" else (0, 1)
                return tuple(any(pair) for pair in zip(self.seen(node, a), self.seen(node, b), strict=True))
            case "switch" if node.result_width > len(words := self.seen(node, 0)):
                return (*words, made is None and any(self.seen(node, 1)))
            case "collect":
                sides = [self.seen(node, port) for port in range(len(node.inputs))]
                return tuple(any(word) for word in zip(*sides, strict=True))
            case _ if CORES[node.kind].family in ("arithmetic", "reduction"):
                return ((self._any(node) if made is None else made),) * node.result_width
            case _:
                return self.seen(node, 0)

    def _used(self, node: Node, factors: Sequence[int]) -> list[bool]:
        """The marks of those words of an address that a sum uses."""
        return [word for word, factor in zip(self.seen(node, 0), factors, strict=False) if factor]


# --- data ----------------------------------------------------------------------------------------------------


def nodes_led_by_data(nodes: Sequence[Node], wires: Sequence[Wire], memories: Sequence[Memory]) -> list[int]:
    """Nodes at which array data can decide which way packets go, how many there are, which are masked, or how long an
    access takes.

    Looked at are the conditions of gate, switch and mux, the limited words of guard, ``last`` of accumulate, and the
    addresses of several lanes and at banks. Conservative: a word that data *might* reach counts.
    """
    deciding = [(i, node, words) for i, node in enumerate(nodes) for words in [_deciding(node, memories)] if words]
    if not deciding:
        return []
    marks = Marks(nodes, wires, _is_data)
    return [
        n
        for n, node, (port, only) in deciding
        if any(marked and (only is None or only[i]) for i, marked in enumerate(marks.seen(node, port)))
    ]


def _is_data(node: Node) -> bool | None:
    if node.kind in ("threads", "counter", "repeat"):
        return False
    return True if node.kind in ("stream", "load") else None


def _deciding(node: Node, memories: Sequence[Memory]) -> tuple[int, Mark | None] | None:
    """(input, which of its words) that decide about packets; None for a node without."""
    match node.kind:
        case "gate" | "switch":
            return 1, None
        case "mux":
            return 0, None
        case "guard":
            return 0, tuple(limit >= 0 for limit in node.params["limits"])
        case "accumulate" if node.inputs[1].wires:
            return 1, None
        case "load" | "store" if node.breadth > 1:
            return 0, None
        case "shared.read" | "shared.write" if memories[node.params["memory"]].banks:
            return 0, None
        case _:
            return None


# --- int32 and float32 -----------------------------------------------------------------------------------------


def check_kinds(nodes: Sequence[Node], wires: Sequence[Wire], problems: Problems) -> None:
    """Note every input that gets a float32 word and works on int32, or the reverse.

    Bitwise cores may take and give either. A word that may be both (where wires meet) is let pass.
    """
    if not any(node.is_float for node in nodes):
        return
    ints, floats = Marks(nodes, wires, _is_int), Marks(nodes, wires, _is_float)
    wrong: list[tuple[Node, int, bool]] = []
    for node in nodes:
        for p, port in enumerate(node.inputs):
            if port.wires:
                words = zip(_takes_floats(node, p), ints.seen(node, p), floats.seen(node, p), strict=True)
                found = {
                    is_float for takes, is_int, is_float in words if takes == (not is_float) and is_int != is_float
                }
                wrong += [(node, p, is_float) for is_float in found]
    # A wrong dtype makes all that follows look wrong: those are mended first, one report for each core.
    first = {node.id: (node, p, is_float) for node, p, is_float in reversed(wrong) if _computes(node)}
    for node, p, is_float in reversed(first.values()) if first else wrong:
        _report(node, p, wires, nodes, is_float, problems)


def _computes(node: Node) -> bool:
    """Whether a core works on numbers of its ``dtype``: not bit by bit, and not on words of any kind."""
    core = CORES.get(node.kind)
    return core is not None and core.floats and not (core.op == "reduce" and node.params["op"] in LOGIC_OPS)


def _is_float(node: Node) -> bool | None:
    return node.is_float and node.kind != "compare"


def _is_int(node: Node) -> bool | None:
    if node.kind in ("threads", "counter", "repeat", "address", "compare", "mod"):
        return True
    return not node.is_float and (node.kind in ("stream", "load") or _computes(node))


def _takes_floats(node: Node, port: int) -> tuple[bool | None, ...]:
    """Per word at an input, whether a float32 is taken there; None: either."""
    name, width = node.inputs[port].name, node.inputs[port].width
    if name == "at" or node.kind == "mod":
        return (False,) * width
    if node.kind == "guard":
        return tuple(False if limit >= 0 else None for limit in node.params["limits"])
    if node.kind == "address":
        used = [any(factors[w] for _, factors in node.params["words"]) for w in range(width)]
        return tuple(False if use else None for use in used)
    if node.kind in ("load", "store", "sink") or (_computes(node) and name != "last"):
        return (node.is_float,)
    return (None,) * width


def _report(
    node: Node, port: int, wires: Sequence[Wire], nodes: Sequence[Node], is_float: bool, problems: Problems
) -> None:
    wire = node.inputs[port].wires[0]
    source = nodes[wires[wire].source]
    start = _port(source, source.outputs[wires[wire].source_port].name)
    end = _port(node, node.inputs[port].name)
    got, takes = ("float32", "int32") if is_float else ("int32", "float32")
    hint = f"set dtype: {got} for {node.id}, or wire" if _computes(node) and node.kind != "exp" else "wire"
    problems.add(
        "word-kind",
        ("wires", wire, "to"),
        f"{end} gets a word of {got} from {start} and takes {takes}: {hint} it from a word of {takes}",
    )


def _port(node: Node, name: str) -> str:
    """A port as a person writes it; a shared memory's has the name of its side."""
    side = node.params.get("port_name")
    return f"{node.id}.{side}.{name}" if side else f"{node.id}.{name}"


def float_words(nodes: Sequence[Node], wires: Sequence[Wire]) -> list[Mark]:
    """Per wire and word, whether it is a float32 for certain; all others are read as int32."""
    if not any(node.is_float for node in nodes):
        return [(False,) * len(wire.words) for wire in wires]
    ints, floats = Marks(nodes, wires, _is_int).results, Marks(nodes, wires, _is_float).results
    return [tuple(floats[w.source][i] and not ints[w.source][i] for i in w.words) for w in wires]
