"""Chapter 1, "GPU puzzles": machines with lanes for pooling, convolution and matmul, for whoever comes back later."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design


@design("gpu-puzzles-09-pooling", "wide")
def pooling_wide(b: Builder) -> None:
    """All eight words come in one packet, and the word you miss is in the lane below: a + up(a + up(a)), and the lanes
    below the first are the cut at 0."""
    b.pad("threads", lanes=8)
    fork = b.place("relay", (1, 6), "fork")
    before = b.place("shuffle", (1, 5), "before", pattern="up", k=1)
    pair = b.place("add", (2, 6), "pair")
    further = b.place("shuffle", (3, 6), "further", pattern="up", k=1)
    total = b.place("add", (4, 6), "sum")
    b.wire("threads.token", "a.at", every_ns=5.5)
    b.wire("a.value", fork.in_, every_ns=8)
    b.wire(fork.out, before.in_, every_ns=5.5)
    b.wire(fork.out, pair.a, every_ns=5.5)
    b.wire(before.out, pair.b, every_ns=5.5)
    b.wire(pair.out, further.in_, every_ns=8)
    b.wire(fork.out, total.a, via=[(1, 7), (4, 7)], every_ns=5.5)
    b.wire(further.out, total.b, every_ns=8)
    b.wire(total.out, "out.value", every_ns=8)
    b.wire("a.at", "out.at", via=[(0, 3), (23, 3)], every_ns=8)


@design("gpu-puzzles-11-convolution", "wide")
def convolution_wide(b: Builder) -> None:
    """One warp has all six words, and each tap is a word for all lanes: b0·a + down(b1·a + down(b2·a)). What comes from
    beyond the end is 0."""
    b.pad("t", lanes=8)
    words = b.place("guard", (0, 8), "words", limits=[6], mode="mark")
    taps = b.place("guard", (3, 1), "taps", limits=[3], mode="mark")
    fork = b.place("relay", (1, 6), "fork")
    apart = b.place("unpack", (6, 1), "apart", drop=True)
    deal = b.place("deal", (6, 2), "deal", n=3)
    last = b.place("mul", (2, 6), "last")
    down = b.place("shuffle", (3, 6), "down", pattern="down", k=1)
    middle = b.place("mac", (4, 6), "middle")
    again = b.place("shuffle", (5, 6), "again", pattern="down", k=1)
    first = b.place("mac", (6, 6), "first")
    for start, end in (
        ("t.token", words.in_),
        (words.out, "a.at"),
        ("t.token", taps.in_),
        (taps.out, "b.at"),
        ("a.value", fork.in_),
    ):
        b.wire(start, end, every_ns=2.4)
    b.wire(fork.out, last.a, every_ns=5)
    b.wire(fork.out, middle.a, via=[(1, 5), (4, 5)], every_ns=3)
    b.wire(fork.out, first.a, via=[(1, 7), (6, 7)], every_ns=4)
    b.wire("b.value", apart.in_, every_ns=5)
    b.wire(apart.out, deal.in_, every_ns=0.6)
    b.wire(deal.o0, first.b, every_ns=1)
    b.wire(deal.o1, middle.b, every_ns=1.6)
    b.wire(deal.o2, last.b, every_ns=1)
    b.wire(last.out, down.in_, every_ns=2.4)
    b.wire(down.out, middle.c, every_ns=2.4)
    b.wire(middle.out, again.in_, every_ns=2.4)
    b.wire(again.out, first.c, every_ns=2.4)
    b.wire(first.out, "out.value", every_ns=5.8)
    b.wire("a.at", "out.at", via=[(0, 9), (23, 9)], every_ns=5)


@design("gpu-puzzles-14a-matmul", "wide")
def matmul_wide(b: Builder) -> None:
    """Warps of four, two steps: lanes that want the same word of a or b share the access; each keeps its own sum."""
    b.pad("t", lanes=4)
    inside = b.place("guard", (0, 13), "inside", limits=[2, 2])
    steps = b.place("repeat", (2, 13), "steps", times=2, append=True)
    times = b.place("mul", (8, 6), "times")
    total = b.place("accumulate", (10, 6), "sum", n=2)
    b.wire("t.token", inside.in_, every_ns=2.8)
    b.wire(inside.out, steps.in_, every_ns=4.1)
    b.wire("steps.out[0,2]", "a.at", every_ns=2.1)
    b.wire("steps.out[2,1]", "b.at", every_ns=2.1)
    b.wire("a.value", times.a, every_ns=2.1)
    b.wire("b.value", times.b, every_ns=2.1)
    b.wire(times.out, total.in_, every_ns=2.1)
    b.wire(total.out, "out.value", every_ns=4.1)
    b.wire(inside.out, "out.at", length=52, every_ns=4.1)
