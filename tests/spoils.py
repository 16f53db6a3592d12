"""Ways to spoil a machine in one place: a wrong count, a stopped wire, a constant in place of a word, …"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from engine.netlist import InPort, Netlist, WordPick

Spoil = Callable[[Any, Netlist], "Netlist | None"]


def _with_node(net: Netlist, index: int, **changes: Any) -> Netlist:
    nodes = list(net.nodes)
    nodes[index] = replace(nodes[index], **changes)
    return replace(net, nodes=tuple(nodes))


def _stop(rng: Any, net: Netlist) -> Netlist | None:
    index = rng.randrange(len(net.wires))
    wires = list(net.wires)
    wires[index] = replace(wires[index], every_ticks=0, drive_nw=0)
    return replace(net, wires=tuple(wires))


def _number(rng: Any, net: Netlist) -> Netlist | None:
    """Another count in a core."""
    fit = [
        (i, name)
        for i, node in enumerate(net.nodes)
        for name in ("n", "of", "every", "times", "group", "ahead", "ways")
        if name in node.params and node.kind not in ("deal", "collect")
    ]
    if not fit:
        return None
    index, name = rng.choice(fit)
    node = net.nodes[index]
    params = dict(node.params)
    params[name] = max(params[name] + rng.choice([-1, 1, 1, 2]), params.get("slots", 0) if name == "every" else 1)
    if "of" in params and params["n"] > params["of"]:
        params["of"] = params["n"]
    room = params["n"] if node.kind == "barrier" and not params["has_arrive"] else node.room
    return _with_node(net, index, params=params, room=room)


def _immediate(rng: Any, net: Netlist) -> Netlist | None:
    fit = [(i, k) for i, n in enumerate(net.nodes) for k, p in enumerate(n.inputs) if p.immediate]
    if not fit:
        return None
    index, k = rng.choice(fit)
    inputs = list(net.nodes[index].inputs)
    inputs[k] = replace(inputs[k], immediate=(rng.choice([0, 1, -1, 7, inputs[k].immediate[0] ^ 1]),))
    return _with_node(net, index, inputs=tuple(inputs))


def _swap(rng: Any, net: Netlist) -> Netlist | None:
    """Two wires of the same width start at each other's outputs."""
    fit = [i for i, w in enumerate(net.wires) if len(w.words) == 1]
    if len(fit) < 2:
        return None
    a, b = rng.choice(fit), rng.choice(fit)
    wires = list(net.wires)
    first, second = wires[a], wires[b]
    wires[a] = replace(first, source=second.source, source_port=second.source_port, words=second.words)
    wires[b] = replace(second, source=first.source, source_port=first.source_port, words=first.words)
    nodes = list(net.nodes)
    for index, node in enumerate(nodes):
        outs = []
        for k, out in enumerate(node.outputs):
            found = sorted(i for i, w in enumerate(wires) if (w.source, w.source_port) == (index, k))
            outs.append(replace(out, wires=tuple(found)))
        nodes[index] = replace(node, outputs=tuple(outs))
    return replace(net, wires=tuple(wires), nodes=tuple(nodes))


def _pick(rng: Any, net: Netlist) -> Netlist | None:
    """A port takes a constant in place of a word."""
    fit = [(i, k) for i, n in enumerate(net.nodes) for k, p in enumerate(n.inputs) if p.wires]
    index, k = rng.choice(fit)
    port: InPort = net.nodes[index].inputs[k]
    picks = list(port.picks)
    picks[rng.randrange(len(picks))] = WordPick(True, rng.choice([0, 1, 2, 99, -1]))
    inputs = list(net.nodes[index].inputs)
    inputs[k] = replace(port, picks=tuple(picks))
    return _with_node(net, index, inputs=tuple(inputs))


def _guard(rng: Any, net: Netlist) -> Netlist | None:
    fit = [i for i, n in enumerate(net.nodes) if n.kind == "guard"]
    if not fit:
        return None
    index = rng.choice(fit)
    params = dict(net.nodes[index].params)
    if rng.random() < 0.5:
        params["mode"] = "drop" if params["mode"] == "mark" else "mark"
    else:
        params["limits"] = tuple(rng.choice([-1, 1, 2]) for _ in params["limits"])
    return _with_node(net, index, params=params)


def _array(rng: Any, net: Netlist) -> Netlist | None:
    """An output array has one word more or less."""
    fit = [i for i, a in enumerate(net.arrays) if a.is_output]
    index = rng.choice(fit)
    arrays = list(net.arrays)
    shape = arrays[index].shape
    arrays[index] = replace(arrays[index], shape=(*shape[:-1], max(1, shape[-1] + rng.choice([-1, 1]))))
    return replace(net, arrays=tuple(arrays))


def _memory(rng: Any, net: Netlist) -> Netlist | None:
    if not net.memories:
        return None
    index = rng.randrange(len(net.memories))
    memory = net.memories[index]
    if rng.random() < 0.5:
        memory = replace(memory, reads=max(1, memory.reads + rng.choice([-1, 1, 2])))
    else:
        memory = replace(memory, words=max(1, memory.words - 1))
    memories = list(net.memories)
    memories[index] = memory
    return replace(net, memories=tuple(memories))


def _no_barrier(rng: Any, net: Netlist) -> Netlist | None:
    fit = [i for i, n in enumerate(net.nodes) if n.kind == "barrier" and not n.params["has_arrive"]]
    if not fit:
        return None
    index = rng.choice(fit)
    node = net.nodes[index]
    return _with_node(net, index, kind="relay", inputs=node.inputs[:1], params={}, room=2)


def spoil(rng: Any, net: Netlist, ways: Sequence[str]) -> tuple[str, Netlist | None]:
    """One of ``ways``, half the time the first that can be: the rare ones stand in front."""
    order = list(ways)
    if rng.random() < 0.5:
        rng.shuffle(order)
    for how in order:
        spoiled = SPOILS[how](rng, net)
        if spoiled is not None:
            return how, spoiled
    return "", None


SPOILS: dict[str, Spoil] = {
    "memory": _memory,
    "no barrier": _no_barrier,
    "guard": _guard,
    "number": _number,
    "immediate": _immediate,
    "stop": _stop,
    "swap": _swap,
    "pick": _pick,
    "array": _array,
}
