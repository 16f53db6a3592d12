"""Why an element waits, found in the background: what holds for most of the time from a moment on, and since when.

No pygame here. The machine of an answer is one of its own, so that the one on show may go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.explain import Cause, why, why_wire
from engine.machine import StateView
from engine.model import Design, Level
from engine.netlist import Netlist
from engine.simulation import EngineName, Simulation
from engine.truth import Workload
from engine.units import ns_from_ticks
from engine.waits import began, usual_cause, with_room


@dataclass(frozen=True, slots=True)
class Question:
    """Why does ``item`` (a pad's or core's id, or the number of a wire) wait, from ``tick`` on?"""

    design: Design
    item: str | int
    tick: int
    engine: EngineName


@dataclass(frozen=True, slots=True)
class Answer:
    """``share`` of the time for which the cause holds, ``began`` the tick at which it first did, both where known."""

    question: Question
    cause: Cause
    share: float = 1.0
    began: int | None = None


def subject(netlist: Netlist, item: str | int) -> dict[str, int] | None:
    """An item as a node or wire of the machine, None where there is none."""
    if isinstance(item, int):
        return {"wire": item} if 0 <= item < len(netlist.wires) else None
    nodes = (n for n, node in enumerate(netlist.nodes) if netlist.elements[node.element].id == item)
    found = next(nodes, None)
    return None if found is None else {"node": found}


def at_once(netlist: Netlist, state: StateView, question: Question) -> Answer | None:
    """The chain of waits at this very moment: what can be told within a frame."""
    found = subject(netlist, question.item)
    if found is None:
        return None
    if "wire" in found:
        return Answer(question, why_wire(netlist, state, found["wire"]))
    return Answer(question, why(netlist, state, found["node"]))


def answers(level: Level, workload: Workload, question: Question) -> Iterator[Answer]:
    """For :class:`game.background.Background`: what holds for most of the time; then the same and when it began."""
    simulation = Simulation(level, question.design, engine=question.engine, seed=workload.seed, workload=workload)
    found = subject(simulation.netlist, question.item)
    if found is None:
        return
    simulation.run_until(ns_from_ticks(question.tick))
    cause, share = usual_cause(simulation, **found)
    answer = Answer(question, with_room(simulation.netlist, cause), share)
    yield answer
    yield replace(answer, began=began(simulation, cause, **found))
