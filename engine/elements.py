"""What names of elements mean, alike for every command: a core or pad, a port, a wire, all wires of a pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from engine.errors import UsageError, nearest
from engine.netlist import Netlist

MOST_TOLD = 40
"""Names that are told where one is not found."""


def plain_name(text: str) -> str:
    """A name as it is compared: ``a.value->sum.a`` for ``a.value → sum.a``, without spaces."""
    return "".join(text.replace("→", "->").split())


def matching(pattern: str, names: Iterable[str]) -> tuple[int, ...]:
    """Which of ``names``, by their numbers, ``pattern`` means; ``*`` in it stands for anything."""
    rule = re.compile(".*".join(re.escape(part) for part in plain_name(pattern).split("*")) + r"\Z")
    return tuple(i for i, name in enumerate(names) if rule.match(plain_name(name)))


@dataclass(frozen=True)
class Meant:
    """Nodes and wires of a netlist, by their numbers: the nodes of an element, or the wires that were named."""

    nodes: tuple[int, ...] = ()
    wires: tuple[int, ...] = ()


def meant(netlist: Netlist, name: str) -> Meant:
    """What ``name`` means: a core or pad (its nodes), ``core.port`` (the wires there), a wire, or wires by a pattern.

    Raises UsageError, with what there is, for any other name.
    """
    wanted = plain_name(name)
    elements = [element.id for element in netlist.elements]
    if wanted in elements:
        element = elements.index(wanted)
        return Meant(nodes=tuple(i for i, node in enumerate(netlist.nodes) if node.element == element))
    wires = [wire.id for wire in netlist.wires]
    ports: dict[str, list[int]] = {}
    for w, wire in enumerate(wires):
        start, _, ends = plain_name(wire).partition("->")
        # What is chosen of a port's words is in brackets behind it.
        for port in {re.sub(r"\[[^]]*\]", "", end) for end in (start, *ends.split(","))}:
            ports.setdefault(port, []).append(w)
    found = matching(wanted, wires) or tuple(ports.get(wanted, ()))
    if found:
        return Meant(wires=found)
    near = nearest(wanted, [*elements, *ports, *map(plain_name, wires)])
    names = [*elements, *wires]
    hint = f"did you mean '{near}'? " if near else ""
    more = f" and {len(names) - MOST_TOLD} more" if len(names) > MOST_TOLD else ""
    there = f"give a pad, core or wire of the design: {', '.join(names[:MOST_TOLD])}{more}"
    raise UsageError(f"there is no '{name[:60]}': {hint}{there}")
