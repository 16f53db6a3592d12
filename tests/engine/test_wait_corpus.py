"""The corpus of machines that stall or stand still: each gives its root cause, at every moment that is looked at.

A file of ``tests/corpus/waits`` holds a level, a design, and under ``expect`` what is known about it: the ``verdict``;
``root`` and ``kind`` of the cause, for whoever is ``ask``\\ ed (a deadlock: of the report as well); ``says``, words of
the chain or of what it means; ``share``, the least share of the time for which the cause holds; ``cure``, the buffers
that break a deadlock (``wire: slots``), or none. Of a fault or an invalid design ``code`` and ``root``, the place.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.explain import Cause
from engine.machine import Stop
from engine.machines import make_machine
from engine.model import Design, Level
from engine.netlist import Netlist
from engine.relief import relieve, with_buffers
from engine.simulation import Simulation, simulate
from engine.waits import usual_cause, with_room

FOLDER = Path(__file__).parent.parent / "corpus" / "waits"
FILES = sorted(FOLDER.glob("*.yaml"))
MOMENTS = (0.0, 0.21, 0.37, 0.66, 0.93)
"""Where in the window it is asked, as shares of it."""


class Example:
    """A file of the corpus."""

    def __init__(self, path: Path) -> None:
        document: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
        self.level = Level.model_validate(document["level"])
        self.design = Design.model_validate(document["design"])
        self.expect: dict[str, Any] = document["expect"]

    def causes(self, moments: list[float]) -> Iterator[tuple[str, float, Cause, float]]:
        """For everything that is to be asked, at these times (ns): the usual cause and its share."""
        for now in moments:
            simulation = Simulation(self.level, self.design)
            simulation.run_until(now)
            for name in self.expect.get("ask", []):
                cause, share = usual_cause(simulation, **subject(simulation.netlist, name))
                yield name, now, with_room(self.level, simulation.netlist, cause), share


def subject(netlist: Netlist, name: str) -> dict[str, int]:
    wires = [i for i, wire in enumerate(netlist.wires) if wire.id == name]
    if wires:
        return {"wire": wires[0]}
    return {"node": next(i for i, node in enumerate(netlist.nodes) if node.id == name)}


def told(cause: Cause) -> str:
    return "\n".join([*(step.message for step in cause.chain), cause.reason, cause.meaning])


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_the_root_cause(path: Path) -> None:
    example = Example(path)
    expect, report = example.expect, simulate(example.level, example.design)
    assert report.verdict == expect["verdict"], report.fault or report.deadlock or report.problems
    if report.fault:
        assert (report.fault.code, report.fault.core) == (expect["code"], expect["root"])
        return
    if report.problems:
        assert [p["code"] for p in report.problems] == [expect["code"]]
        assert expect["root"] in report.problems[0]["message"]
        return
    if report.deadlock:
        assert (report.deadlock.kind, report.deadlock.root) == (expect["kind"], expect["root"])
        moments = [report.deadlock.time_ns]
    else:
        assert report.window
        start, length = report.window.start_ns, report.window.end_ns - report.window.start_ns
        moments = [start + share * length for share in MOMENTS]
    for name, now, cause, share in example.causes(moments):
        assert (cause.kind, cause.root) == (expect["kind"], expect["root"]), f"{name} at {now} ns: {told(cause)}"
        assert share >= expect.get("share", 0.5), f"{name} at {now} ns: {share}"
        assert expect.get("says", "") in told(cause), f"{name} at {now} ns: {told(cause)}"


DEADLOCKS = [path for path in FILES if "cure" in Example(path).expect]


@pytest.mark.parametrize("path", DEADLOCKS, ids=lambda p: p.stem)
def test_the_smallest_buffer(path: Path) -> None:
    """The buffers that are named break it, and one slot less on any of them does not."""
    example = Example(path)
    simulation = Simulation(example.level, example.design)
    deadlock = simulation.report().deadlock
    assert deadlock
    found = relieve(simulation, deadlock)
    assert found.buffers is not None
    assert {added.wire: added.slots for added in found.buffers} == (example.expect["cure"] or {}), found.cure
    numbers = {wire.id: i for i, wire in enumerate(simulation.netlist.wires)}
    slots = {numbers[added.wire]: added.slots for added in found.buffers}

    def ends(slots: dict[int, int]) -> Stop:
        netlist = with_buffers(simulation.netlist, slots)
        return make_machine(netlist, simulation.workload, simulation.options, "auto").run()

    if not slots:
        assert found.cure.startswith("no buffer breaks it")
        return
    assert ends(slots) is Stop.WINDOW
    for wire, count in slots.items():
        fewer = {w: n for w, n in slots.items() if w != wire} | ({wire: count - 1} if count > 1 else {})
        assert ends(fewer) is Stop.DEADLOCK
