"""Machines of the first chapter, built in code: two roads that meet, and a running sum in a loop."""

from __future__ import annotations

from typing import Any

from engine.builder import Builder
from engine.handles import Line
from engine.model import Level


def level(**changes: Any) -> Level:
    """A small level: eight words of ``a`` per launch to ``out``, on 16 × 9 tiles."""
    words = changes.pop("words", 8)
    truth = changes.pop("truth", "out[t] = a[t]")
    source = {"id": "a", "core": "stream", "at": [0, 4], "every_ns": 1, **changes.pop("a", {})}
    sink = {"id": "out", "core": "sink", "at": [15, 4], "every_ns": 1, **changes.pop("out", {})}
    return Level.model_validate(
        {
            "perwatt": 1,
            "id": "first-light-05-two-roads",
            "title": "Two roads",
            "chapter": "first-light",
            "brief": "",
            "kernel": {
                "arrays": {"a": {"shape": [words], "data": {"kind": "any"}}, "out": {"shape": [words]}},
                "truth": truth,
            },
            "board": {"size": [16, 9]},
            "pads": [source, sink],
            "standby_uw": 6000,
            **changes,
        }
    )


TWO_ROADS = level(truth="out[t] = max(3*a[t] - 20, 0) * 5 + a[t]")


def two_roads(detour: int | None = None, every_ns: float = 1) -> tuple[Builder, Line]:
    """Four cores in a row; ``detour`` is the length of the copy's road. Returns the copy's wire as well."""
    b = Builder(TWO_ROADS)
    a, out = b.pad("a"), b.pad("out")
    mul = b.place("mul", (1, 4), b=3)
    sub = b.place("sub", (2, 4), b=20)
    top = b.place("max", (3, 4), b=0)
    mul2 = b.place("mul", (4, 4), b=5)
    add = b.place("add", (5, 4))
    for start, end in ((a.value, mul.a), (mul.out, sub.a), (sub.out, top.a), (top.out, mul2.a), (mul2.out, add.a)):
        b.wire(start, end, every_ns=every_ns)
    copy = b.wire(a.value, add.b, every_ns=every_ns, length=detour)
    b.wire(add.out, out.value, every_ns=every_ns)
    return b, copy


RUNNING_SUM = level(words=16, truth="out[t] = sum(s, 0:t+1, a[s])")


def running_sum(distance: int = 1, loop_ns: float = 0.5) -> Builder:
    """An adder and a delay ``distance`` tiles apart; the wires between them at ``loop_ns``, the others at 1 ns."""
    b = Builder(RUNNING_SUM)
    add = b.place("add", (5, 4))
    delay = b.place("delay", (5, 4 - distance), slots=1, every=16)
    b.wire("a.value", add.a)
    b.wire(add.out, delay.in_, every_ns=loop_ns)
    b.wire(delay.out, add.b, every_ns=loop_ns)
    b.wire(add.out, "out.value")
    return b
