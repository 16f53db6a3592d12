"""The netlist as a graph: loops that can never start, and where data decides which way packets go."""

from __future__ import annotations

from collections.abc import Sequence

from engine.catalog import CORES
from engine.netlist import Node, Wire
from engine.problems import Problems, listed

# --- loops -------------------------------------------------------------------------------------------------


def check_loops(nodes: Sequence[Node], wires: Sequence[Wire], problems: Problems) -> None:
    """Note every loop in which each core waits for the one before it, so that nothing can ever move.

    An input counts if its core's first firing needs it and it has no other wire. A delay's input does not count: its
    first words are there at the start.
    """
    successors: list[list[int]] = [[] for _ in nodes]
    waits = [0] * len(nodes)
    for wire in wires:
        node = nodes[wire.target]
        if any(_needed(node, p) and len(node.inputs[p].wires) == 1 for p in wire.ports):
            successors[wire.source].append(wire.target)
            waits[wire.target] += 1
    # Nearly every machine is free of such loops, and a sort that uses up all nodes proves it.
    ready = [n for n, count in enumerate(waits) if not count]
    for n in ready:
        for successor in successors[n]:
            waits[successor] -= 1
            if not waits[successor]:
                ready.append(successor)
    if len(ready) < len(nodes):
        _name_loops(nodes, successors, problems)


def _needed(node: Node, port: int) -> bool:
    """Whether the first firing of a node needs a packet at this input."""
    match node.kind:
        case "delay":
            return False
        case "mux":
            if port == 0:
                return True
            cond = node.inputs[0].immediate
            return cond is not None and port == (1 if cond[0] else 2)
        case "collect":
            return port == 0
        case "barrier":
            return port == 0 or not node.params["ahead"]
        case _:
            return True


def _name_loops(nodes: Sequence[Node], successors: list[list[int]], problems: Problems) -> None:
    import networkx as nx  # only for a design that cannot run

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(nodes)))
    graph.add_edges_from((n, successor) for n, following in enumerate(successors) for successor in sorted(following))
    for component in sorted(nx.strongly_connected_components(graph), key=min):
        first = min(component)
        if len(component) == 1 and not graph.has_edge(first, first):
            continue
        ways = [nx.shortest_path(graph, n, first) for n in graph.successors(first) if n in component]
        loop = [first, *min(ways, key=len)[:-1]]
        names = [nodes[n].id for n in loop]
        text = f"{names[0]} waits for itself" if len(names) == 1 else f"{listed(names)} wait for each other in a ring"
        problems.add(
            "loop-without-token",
            ("wires",),
            f"{text}: no first packet can ever come; put a delay into the loop, whose init is the first packet",
        )


# --- data dependence -----------------------------------------------------------------------------------------

Taint = tuple[bool, ...]
"""Per word of a result: may it depend on what the arrays hold."""


def depends_on_data(nodes: Sequence[Node], wires: Sequence[Wire]) -> bool:
    """Whether array data can decide which way packets go, how many there are, or which are masked.

    Data begins at streams and loads and is followed word by word, through shared memories as a whole, to the
    conditions of gate, switch and mux, the limited words of guard, and ``last`` of accumulate. Conservative: a
    word that data *might* reach counts.
    """
    deciding = [(node, words) for node in nodes for words in [_deciding(node)] if words]
    if not deciding:
        return False
    taint = _follow(nodes, wires)
    return any(
        tainted and (only is None or only[i])
        for node, (port, only) in deciding
        for i, tainted in enumerate(_seen(node, port, wires, taint))
    )


def _deciding(node: Node) -> tuple[int, Taint | None] | None:
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
        case _:
            return None


def _follow(nodes: Sequence[Node], wires: Sequence[Wire]) -> list[Taint]:
    """The taint of every node's result: the least fixed point."""
    taint: list[Taint] = [(False,) * node.result_width for node in nodes]
    stored: set[int] = set()  # shared memories that hold data
    readers: dict[int, list[int]] = {}
    for n, node in enumerate(nodes):
        if node.kind == "shared.read":
            readers.setdefault(node.params["memory"], []).append(n)
    todo = dict.fromkeys(range(len(nodes)))  # an ordered set
    while todo:
        n = next(iter(todo))
        del todo[n]
        node = nodes[n]
        if node.kind == "shared.write":
            memory = node.params["memory"]
            if memory not in stored and any(any(_seen(node, p, wires, taint)) for p in (0, 1)):
                stored.add(memory)
                todo.update(dict.fromkeys(readers.get(memory, ())))
        now = _result(node, wires, taint, stored)
        if now != taint[n]:
            taint[n] = now
            todo.update((wires[w].target, None) for port in node.outputs for w in port.wires)
    return taint


def _packet(port: int, node: Node, wires: Sequence[Wire], taint: list[Taint]) -> Taint:
    """Per word of the packets that come to an input, over all its wires."""
    packets = [[taint[wires[w].source][i] for i in wires[w].words] for w in node.inputs[port].wires]
    if not packets:
        return (False,) * node.inputs[port].width
    return tuple(any(word) for word in zip(*packets, strict=True))


def _seen(node: Node, port: int, wires: Sequence[Wire], taint: list[Taint]) -> Taint:
    """Per word that the core sees at an input."""
    packet = _packet(port, node, wires, taint)
    picks = node.inputs[port].picks
    return tuple(not pick.constant and packet[pick.value] for pick in picks) if picks else packet


def _result(node: Node, wires: Sequence[Wire], taint: list[Taint], stored: set[int]) -> Taint:
    def seen(port: int) -> Taint:
        return _seen(node, port, wires, taint)

    match node.kind:
        case "stream":
            return (True,)
        case kind if kind in ("threads", "counter") or not any(port.wires for port in node.inputs):
            return (False,) * node.result_width
        case "load":
            return (True, *_packet(0, node, wires, taint))
        case "store" | "shared.write":
            return _packet(0, node, wires, taint)
        case "shared.read":
            return (node.params["memory"] in stored or any(seen(0)), *_packet(0, node, wires, taint))
        case "sink":
            return ()
        case "address":
            words = seen(0)
            return tuple(
                any(k and words[i] for i, k in enumerate(factors) if i < len(words))
                for _, factors in node.params["words"]
            )
        case "repeat" if node.params["append"]:
            return (*seen(0), False)
        case "tuple":
            return tuple(word for port in range(len(node.inputs)) for word in seen(port))
        case "mux":
            return tuple(any(pair) for pair in zip(seen(1), seen(2), strict=True))
        case "collect":
            return tuple(any(word) for word in zip(*(seen(p) for p in range(len(node.inputs))), strict=True))
        case _ if CORES[node.kind].family in ("arithmetic", "reduction"):
            return (any(any(seen(p)) for p in range(len(node.inputs))),)
        case _:
            return seen(0)
