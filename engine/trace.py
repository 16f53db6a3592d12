"""Recording a run: from a machine to a trace, as much of it as is asked for, in bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.elements import meant
from engine.errors import UsageError
from engine.follow import Follower, Listener
from engine.machine import Machine, Stop
from engine.netlist import Netlist

SLICE_TICKS = 2_000
"""A run that is to end with a launch goes on by so much at a time."""
AFTER_DEADLOCK_TICKS = 1_000
"""A machine that hangs is shown for so long after the last thing that happened."""
_ENDS = (Stop.FAULT, Stop.DEADLOCK, Stop.TIMEOUT)


class Writer(Listener, Protocol):
    """A trace in some format."""

    def attach(self, follower: Follower) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Chosen:
    """The nodes and wires that a trace shows, as indices of the netlist."""

    nodes: tuple[int, ...]
    wires: tuple[int, ...]


def choose(netlist: Netlist, names: Sequence[str]) -> Chosen:
    """What ``names`` stand for; all of the machine where there are none.

    Names as in :func:`engine.elements.meant`; a core or pad is shown with the wires at its ports. Raises UsageError.
    """
    if not names:
        return Chosen(tuple(range(len(netlist.nodes))), tuple(range(len(netlist.wires))))
    nodes: set[int] = set()
    wires: set[int] = set()
    for name in names:
        try:
            found = meant(netlist, name)
        except UsageError as error:
            raise UsageError(f"--only: {error}") from None
        own = set(found.nodes)
        nodes |= own
        wires |= {*found.wires, *(w for w, x in enumerate(netlist.wires) if x.source in own or x.target in own)}
    return Chosen(tuple(sorted(nodes)), tuple(sorted(wires)))


def record(
    machine: Machine,
    writer: Writer,
    chosen: Chosen,
    *,
    start: int = 0,
    until: int | None = None,
    launches: int | None = None,
) -> tuple[Stop, Follower]:
    """Run ``machine``, which stands at its start, and write what happens from tick ``start`` on.

    It ends at tick ``until`` or with the tick in which ``launches`` more have counted, whichever comes first, and where
    the run ends. Returns why the machine stopped (UNTIL: it could go on), and the follower with what was told last.
    """
    stop = _run(machine, start - 1) if start > 0 else Stop.UNTIL
    follower = Follower(machine, writer, chosen.nodes, chosen.wires, launches)
    writer.attach(follower)
    while stop not in _ENDS and follower.end is None and (until is None or machine.now < until):
        # After a stop within a tick the machine stands in it: what is left of it comes next.
        target = max(machine.now, 0) + SLICE_TICKS
        stop = _run(machine, target if until is None else min(until, target))
    end = machine.now if until is None else min(until, machine.now)
    if stop is Stop.DEADLOCK:
        end = machine.now + AFTER_DEADLOCK_TICKS if until is None else until
    follower.finish(end)
    writer.close()
    return stop, follower


def _run(machine: Machine, until: int) -> Stop:
    """Run up to ``until``, over the ends of the window and its extension."""
    while True:
        stop = machine.run(until)
        if stop is Stop.UNTIL or stop in _ENDS:
            return stop
