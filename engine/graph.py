"""The netlist as a graph: loops that can never start."""

from __future__ import annotations

from collections.abc import Sequence

from engine.netlist import Node, Wire
from engine.problems import Problems, listed


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
