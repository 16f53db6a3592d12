"""Lanes for netlists that tests make by hand or at random: as elaboration does it, without a level."""

from __future__ import annotations

from dataclasses import replace

from engine.forms import Forms, find_forms
from engine.lanes import widened
from engine.netlist import Netlist
from engine.tokens import warps_of


def has_lanes(net: Netlist) -> bool:
    """Whether packets of several lanes are made anywhere."""
    return any(node.kind in ("pack", "compact") or node.params.get("lanes", 1) > 1 for node in net.nodes)


def laned(net: Netlist) -> Netlist:
    """The machine with lanes and forms; its tokens become warps where its threads pad has ``lanes``.

    Raises ValueError with what is wrong with its lanes.
    """
    if not has_lanes(net):
        return net
    token_forms: Forms = ()
    threads = next((node for node in net.nodes if node.kind == "threads" and node.params.get("lanes", 1) > 1), None)
    if threads is not None:
        tokens = net.tokens, net.token_block, net.token_thread
        warps = warps_of(tokens, net.threads_per_block, threads.params["lanes"])
        token_forms = warps.forms
        net = replace(
            net, tokens=warps.values, token_block=warps.block, token_thread=warps.thread, token_live=warps.live
        )
    found = find_forms(net.nodes, net.wires, token_forms)
    if found.mistakes:
        raise ValueError("; ".join(f"{m.code}: {m.text}" for m in found.mistakes))
    wires = [replace(w, lanes=found.wire_lanes[i], forms=found.wire_forms[i]) for i, w in enumerate(net.wires)]
    return replace(net, nodes=tuple(widened(net.nodes, found)), wires=tuple(wires))
