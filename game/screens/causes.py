"""The card that says why something waits: the chain down to its root, folded to a few lines."""

from __future__ import annotations

from engine.faults import sentence
from engine.model import WaitStep
from engine.netlist import Netlist
from engine.simulation import Simulation
from engine.waits import usual_cause
from game.panels.cards import WhyModel
from game.view.scene import Chain, Item

MAX_STEPS = 5


def why_card(simulation: Simulation, item: Item) -> tuple[WhyModel, Chain] | None:
    """Why ``item`` waits from now on, and what to light up; None where the machine has no such element."""
    netlist = simulation.netlist
    if isinstance(item, int):
        cause, share = usual_cause(simulation, wire=item)
        wire = netlist.wires[item]
        name = f"{_element(netlist, wire.source)} → {_element(netlist, wire.target)}"
    else:
        nodes = [n for n in range(len(netlist.nodes)) if _element(netlist, n) == item]
        if not nodes:
            return None
        cause, share = usual_cause(simulation, node=nodes[0])
        name = item
    steps = list(cause.chain)
    if steps and steps[-1].element != cause.root and not cause.ring:
        steps.append(WaitStep(element=cause.root, message=cause.meaning))
    if len(steps) > MAX_STEPS:
        folded = len(steps) - MAX_STEPS + 1
        head, tail = steps[:2], steps[-(MAX_STEPS - 3) :]
        middle = steps[2].model_copy(update={"message": f"… and {folded} more like it"})
        steps = [*head, middle, *tail]
    items = [_item(netlist, step.element) for step in steps]
    rows = tuple(
        (
            "ROOT" if i == len(steps) - 1 and not cause.ring else str(i + 1),
            sentence(netlist, step.message),
            items[i],
        )
        for i, step in enumerate(steps)
    )
    meaning = cause.meaning
    if cause.ring:
        meaning += ": a ring. A buffer in it may break it"
    elif steps and meaning == steps[-1].message:
        meaning = f"Nothing before {steps[-1].element} can be faster" if len(steps) > 1 else "Nothing is in its way"
    title = f"Why does {name} wait?" if len(steps) > 1 else name
    if share < 0.995:
        title += f" ({share:.0%} of the time)"
    model = WhyModel(title, rows, f"→ {sentence(netlist, meaning)}")
    return model, Chain(tuple(i for i in items if i is not None))


def _element(netlist: Netlist, node: int) -> str:
    return netlist.elements[netlist.nodes[node].element].id


def _item(netlist: Netlist, name: str) -> Item | None:
    """The element that a step of a chain names."""
    for i, wire in enumerate(netlist.wires):
        if wire.id == name:
            return i
    for i, node in enumerate(netlist.nodes):
        if node.id == name:
            return _element(netlist, i)
    return None
