"""What happens in a machine, row by row: what an engine gives to whom watches it (:meth:`Machine.watch`).

A log is an int64 array with a row per happening and the columns below. Both engines give the same rows in the same
order (:func:`in_order`): by tick, then by :class:`What`, then by the number of the wire or node. A tick may be spread
over two calls where a run stops within it; its rows are in order all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.netlist import Netlist

TICK, WHAT, INDEX, READY, LAUNCH, BLOCK, THREAD, BARRIERS, FLAGS, PORT, WORDS = range(11)
"""Columns. INDEX: the wire (entered, left) or node, −1 of a launch. LAUNCH … BARRIERS: the header, as in docs/model.md.

FLAGS: ANY | MASKED; of a firing LIVE where it pays its operation. Of packets of several lanes bits 8 … 15 are the live
mask, 16 … 39 the stack (8 bits a mask, the oldest lowest), 40 … 41 its depth. READY: when a result is ready (made),
when a firing's work is done (fired), else the tick. PORT: where a result leaves, −1 at all. From WORDS on: the
packet's words (signed 32-bit patterns), 0 beyond its width; with lanes all values stored.
"""

ANY, MASKED, LIVE = 1, 2, 4


class What(IntEnum):
    """What happened; their order is that of the rows of one tick."""

    COUNTED = 0
    """A launch counts."""
    ENTERED = 1
    """A packet enters a wire."""
    LEFT = 2
    """A packet leaves a wire: the core at its end takes it."""
    FIRED = 3
    """A node fires. LAUNCH is the one that is charged. A pad's word is a firing, a chamber's opening is none."""
    MADE = 4
    """A result goes into a node's queue."""
    GONE = 5
    """All wires have taken the oldest result of a node."""
    FAULT = 6
    """The run ends with a fault of a node."""


Log = NDArray[np.int64]
Watcher = Callable[[Log], None]
"""Called with new rows, at least one, whenever there are many, and at the end of every run and step."""


def log_width(netlist: Netlist) -> int:
    """Columns of a machine's log: WORDS and the values of its widest packet."""
    widths = [node.result_values for node in netlist.nodes] + [wire.tracks for wire in netlist.wires]
    return WORDS + max([1, *widths])


def in_order(log: Log) -> Log:
    """The rows in their order; what happens more than once in a tick at a node stays as it came."""
    return log[np.lexsort((log[:, INDEX], log[:, WHAT], log[:, TICK]))]


def fault_row(fault: Any, width: int) -> list[int]:
    """The row of a fault, given as :class:`engine.machine.FaultInfo`."""
    head = [fault.tick, What.FAULT, fault.node, fault.tick, fault.launch, fault.block, fault.thread]
    return [*map(int, head), *[0] * (width - len(head))]
