"""Why an element waits, found in the background: what holds for most of the time from a moment on, and since when.

No pygame here. The machine of an answer is one of its own, aside, so that the one on show may go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.explain import Cause, explain_deadlock, why, why_wire
from engine.machine import StateView, Stop
from engine.model import Design, Level
from engine.netlist import Netlist
from engine.relief import relieve
from engine.simulation import EngineName, Simulation
from engine.units import ns_from_ticks
from engine.waits import began, usual_cause, with_room
from game.aside import Aside


@dataclass(frozen=True, slots=True)
class Question:
    """Why does ``item`` (a pad's or core's id, or the number of a wire) wait, from ``tick`` on?"""

    design: Design
    item: str | int
    tick: int
    engine: EngineName


@dataclass(frozen=True, slots=True)
class Answer:
    """``share`` of the time for which the cause holds, ``began`` the tick at which it first did, both where known.

    Of a machine that stands still ``cure`` says which buffers would break that, on which ``wires``.
    """

    question: Question
    cause: Cause
    share: float = 1.0
    began: int | None = None
    cure: str = ""
    wires: tuple[int, ...] = ()


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


def answers(level: Level, seed: int, aside: Aside, question: Question) -> Iterator[Answer]:
    """For :class:`game.background.Background`: what holds for most of the time; then all that is known."""
    usual = aside.call(mostly, level, seed, question)
    if usual is not None:
        yield replace(usual, question=question)
        yield replace(aside.call(in_full, level, seed, usual), question=question)


def mostly(level: Level, seed: int, question: Question) -> Answer | None:
    """The cause that holds for most of the time from the question's moment on; None where there is no such element."""
    simulation, _ = _at(level, seed, question)
    found = subject(simulation.netlist, question.item)
    if found is None:
        return None
    cause, share = usual_cause(simulation, **found)
    return Answer(question, with_room(level, simulation.netlist, cause), share)


def in_full(level: Level, seed: int, answer: Answer) -> Answer:
    """When it began; and where the machine stands still, the buffers that would break that."""
    simulation, stop = _at(level, seed, answer.question)
    netlist = simulation.netlist
    found = subject(netlist, answer.question.item)
    assert found is not None
    answer = replace(answer, began=began(simulation, answer.cause, **found))
    if stop is not Stop.DEADLOCK:
        return answer
    deadlock = relieve(simulation, explain_deadlock(netlist, simulation.state()))
    wires = tuple(w for w, wire in enumerate(netlist.wires) if wire.id in {b.wire for b in deadlock.buffers or ()})
    return replace(answer, cure=deadlock.cure, wires=wires)


def _at(level: Level, seed: int, question: Question) -> tuple[Simulation, Stop]:
    simulation = Simulation(level, question.design, engine=question.engine, seed=seed)
    return simulation, simulation.run_until(ns_from_ticks(question.tick))
