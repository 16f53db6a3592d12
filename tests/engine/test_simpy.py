"""SimPy as a witness: where it can model a machine, every departure is the same, to the tick and the bit."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.machine import Machine, Stop
from tests.differential import ENGINES, Make
from tests.draft import scramble
from tests.graphs import Case, graph
from tests.simpy_machine import KINDS, SimpyMachine
from tests.spoils import SPOILS

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
MOVES = ("stream", "binary", "unary", "ternary", "compare", "relay", "joined", "buffer")


def known_case(seed: int) -> Case:
    """A random machine of what SimPy covers."""
    rng = random.Random(scramble(seed, 7))
    while True:
        case = graph(rng, only=MOVES)
        fits = all(node.kind in KINDS and not node.is_float for node in case.net.nodes)
        if fits and all(len(port.wires) < 2 for node in case.net.nodes for port in node.inputs):
            case.net = replace(case.net, time_limit_ticks=10**9)
            if seed % 8 == 0:
                case.net = SPOILS["stop"](rng, case.net) or case.net
            case.truth.horizon = 600
            return case


def digest(departures: list[tuple[int, tuple[int, tuple[int, ...]]]]) -> int:
    """As :meth:`engine.machine.Machine.digests` defines it."""

    def mix(z: int) -> int:
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        return z ^ z >> 31

    d = 0
    for tick, (launch, words) in departures:
        d = mix(d + GOLDEN * (tick + 1) & MASK)
        d = mix(d + GOLDEN * (launch + 2) & MASK)
        for word in words:
            d = mix(d + GOLDEN + word % 2**32 & MASK)
    return d


def run_until(machine: Machine, tick: int) -> Stop:
    """Up to ``tick``, past the ends of the window."""
    while (stop := machine.run(tick)) in (Stop.WINDOW, Stop.EXTENSION):
        pass
    return stop


@pytest.mark.parametrize("engine", [0, 1], ids=["plain", "compiled"])
@pytest.mark.parametrize("seed", range(40))
def test_simpy_sees_the_same_departures(seed: int, engine: int) -> None:
    case = known_case(seed)
    make: Make = ENGINES[engine]
    machine = make(case.net, case.truth, case.options)
    witness = SimpyMachine(case.net, case.truth)
    for tick in (500, 3_000, 20_000):
        stop = run_until(machine, tick)
        witness.run(tick)
        assert stop in (Stop.UNTIL, Stop.DEADLOCK), machine.fault
        seen = [digest(belt.departures) for belt in witness.belts]
        assert machine.digests().tolist() == seen, f"at {tick}"


def test_the_machines_compared_are_worth_it() -> None:
    """Forks, joins, stopped wires and backpressure occur, and the machines are not small."""
    cases = [known_case(seed) for seed in range(40)]
    assert sorted(case.cores for case in cases)[20] >= 8
    assert sum(not w.every_ticks for case in cases for w in case.net.wires) >= 5
    assert all("fan-out" in case.notes for case in cases)
    assert sum(any(len({w for p in n.inputs for w in p.wires}) > 1 for n in case.net.nodes) for case in cases) >= 30
