"""Random machines of cores in rows, forks and joins: every packet is as good as the next, so their pace is exact."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from engine.builder import Builder
from engine.elaborate import elaborate
from engine.handles import PortRef
from engine.machine import Options, Stop
from engine.model import Design, Level
from engine.netlist import Netlist
from engine.plain import PlainMachine
from tests.engine.roads import level
from tests.graphs import Truth

CORES = ("relay", "relay", "add", "mul", "mul", "mul", "buffer")
EVERY_NS = (0.5, 0.8, 1.0, 1.0, 1.3, 1.7)


def wide(rng: Random) -> Level:
    """A board with room for long detours; pads and words at random."""
    return level(
        words=rng.choice([1, 2, 5, 8]),
        board={"size": [40, 15]},
        pads=[
            {"id": "a", "core": "stream", "at": [0, 7], "every_ns": rng.choice([0.7, 1, 1, 2])},
            {"id": "out", "core": "sink", "at": [39, 7], "every_ns": rng.choice([0.5, 1, 1.5])},
        ],
    )


class Ladder:
    """Rows of cores from left to right; ``forks`` of them split in two that meet again."""

    def __init__(self, rng: Random, forks: int, rungs: int = 3) -> None:
        self.rng = rng
        self.b = Builder(wide(rng))
        self.column = 1
        self.wires: list[tuple[PortRef, PortRef]] = []
        self.last: PortRef = self.b.pad("a").value
        for _ in range(rungs):
            if forks > 0 and rng.random() < 0.6:
                forks -= 1
                self.fork()
            else:
                self.row(1, 7)
        self.wire(self.last, self.b.pad("out").value)
        for start, end in self.wires:
            line = self.b.wire(start, end, every_ns=rng.choice(EVERY_NS))
            if rng.random() < 0.4:
                self.b.reroute(line, length=line.length + 2 * rng.randint(1, 5))

    @property
    def level(self) -> Level:
        return self.b.level

    def wire(self, start: PortRef, end: PortRef) -> None:
        """Note a wire: all cores are placed before the first is laid."""
        self.wires.append((start, end))

    def row(self, cores: int, line: int) -> None:
        for _ in range(cores):
            kind = self.rng.choice(CORES)
            settings = {
                "add": {"b": 1},
                "mul": {"b": 3},
                "mul.serial": {"b": 3},
                "buffer": {"slots": self.rng.randint(1, 6)},
            }
            core = self.b.place(kind, (self.column, line), **settings.get(kind, {}))
            self.wire(self.last, core["in" if kind in ("relay", "buffer") else "a"])
            self.last = core.out
            self.column += self.rng.randint(1, 2)

    def fork(self) -> None:
        start, left = self.last, self.column
        ends = []
        for line in (5, 9):
            self.column, self.last = left, start
            self.row(self.rng.randint(0, 3), line)
            ends.append((self.last, self.column))
        self.column = max(column for _, column in ends)
        join = self.b.place("add", (self.column, 7))
        self.wire(ends[0][0], join.a)
        self.wire(ends[1][0], join.b)
        self.last = join.out
        self.column += self.rng.randint(1, 2)


def pace(machine: Level, design: Design) -> tuple[Fraction, Netlist]:
    """Ticks per launch in the steady state of a run of the plain engine, exact; and the netlist."""
    net = replace(elaborate(machine, design), time_limit_ticks=2_000_000, warmup=40)
    truth = Truth(net, lambda array, launch: np.arange(net.arrays[array].words, dtype=np.int32) + launch, {})
    plain = PlainMachine(net, truth, Options())
    assert plain.run() is Stop.WINDOW
    window = plain.window
    assert window.period_launches
    return Fraction(window.period_ticks, window.period_launches), net
