"""Random machines with crosstalk: words of their wires are said to lie side by side, wherever the wires really are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.netlist import Coupling, Netlist, Stretch
from engine.technology import technology


def noisy(rng: Any, net: Netlist) -> Netlist:
    """The machine with stretches between random words of its wires; in some, margins are so small that lines flip."""
    supply = technology(net.technology).supply
    margin = rng.choice([10**9, 10**9, 11_000, 5_000])
    wires = []
    for wire in net.wires:
        unit = supply.dynamic(5000 * wire.length, wire.voltage_mv)
        coupling = Coupling(
            tracks=(),
            side_aj=unit,
            face_aj=2 * unit,
            shield_aj=tuple(rng.choice([0, 0, 3000]) for _ in wire.words),
            side_uv=6000 * wire.length * wire.voltage_mv // 900,
            margin_uv=margin * rng.choice([1, 1, 2]) * wire.length,
        )
        wires.append(replace(wire, toggle_aj=unit, coupling=coupling))
    stretches = {}
    for _ in range(rng.choice([1, 2, 2 * len(wires)])):
        a, b = rng.randrange(len(wires)), rng.randrange(len(wires))
        stretch = _stretch(rng, net, min(a, b), max(a, b))
        if stretch is not None:
            stretches[stretch.wires, stretch.words, stretch.starts] = stretch
    found = tuple(stretches[key] for key in sorted(stretches))
    return replace(net, wires=tuple(wires), stretches=found, physics=(*net.physics, "crosstalk"))


def _stretch(rng: Any, net: Netlist, a: int, b: int) -> Stretch | None:
    """One between two wires, or between two words of one."""
    one, other = net.wires[a], net.wires[b]
    words = rng.randrange(len(one.words)), rng.randrange(len(other.words))
    starts = rng.randrange(one.length), rng.randrange(other.length)
    if a == b:
        if words[0] == words[1]:
            return None
        words, starts = (min(words), max(words)), (starts[0], starts[0])
    most = min(one.length - starts[0], other.length - starts[1])
    uv = 6000 * other.voltage_mv // 900, 6000 * one.voltage_mv // 900
    return Stretch((a, b), words, starts, rng.randint(1, most), rng.choice([64, 64, 16]), rng.choice([5000, 7001]), uv)
