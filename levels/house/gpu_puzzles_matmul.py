"""Chapter 1, "GPU puzzles": the machines of levels 14a and 14b, about matrix products."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

# --- 14b Matmul, 8 × 8 in tiles ----------------------------------------------------------------------------

TILES = "gpu-puzzles-14b-matmul-tiles"


@design(TILES, "naive")
def tiles_naive(b: Builder) -> None:
    """As the textbook has it: every thread brings one word of either tile to shared memory, waits for the others, and
    takes its three products. A second barrier keeps the next tile out until this one has been read."""
    b.pad("a", other=0)
    b.pad("b", other=0)
    walk = b.place("repeat", (2, 15), "walk", times=3, group=9, append=True)
    at_a = b.place("address", (2, 10), "at_a", words=["w0", "3*w4 + w3"])
    rim_a = b.place("guard", (2, 7), "rim_a", limits=[8, 8], mode="mark")
    at_b = b.place("address", (6, 2), "at_b", words=["3*w4 + w2", "w1"])
    rim_b = b.place("guard", (8, 2), "rim_b", limits=[8, 8], mode="mark")
    empty = b.place("barrier", (6, 13), "empty", n=9, ahead=1)
    cell = b.place("address", (9, 10), "cell", words=["3*w0 + w1", "3*w0 + w1 + 9"])
    tile = b.place("shared", (12, 7), "tile", words=18, reads=54, ports={"write": 2, "read": 2})
    both = b.place("tuple", (12, 10), "both")
    full = b.place("barrier", (12, 13), "full", n=9)
    step = b.place("repeat", (15, 13), "step", times=3, append=True)
    pick = b.place("address", (15, 10), "pick", words=["3*w0 + w2", "3*w2 + w1 + 9"])
    times = b.place("mul", (18, 7), "times")
    three = b.place("accumulate", (21, 7), "three", n=3)
    tiles = b.place("accumulate", (24, 7), "tiles", n=3, ways=9)
    rim = b.place("guard", (28, 15), "rim", limits=[8, 8], mode="mark")

    b.wire("t.token", walk.in_)
    b.wire(walk.out, at_a.in_)
    b.wire(at_a.out, rim_a.in_)
    b.wire(rim_a.out, "a.at")
    b.wire(walk.out, at_b.in_)
    b.wire(at_b.out, rim_b.in_)
    b.wire(rim_b.out, "b.at")
    b.wire(walk.out[2, 3], empty.in_)

    b.wire(empty.out, full.in_)
    b.wire(empty.out, cell.in_)
    b.wire(cell.out[0], tile.write.at)
    b.wire(cell.out[1], tile.write2.at)
    b.wire("a.value", tile.write.value)
    b.wire("b.value", tile.write2.value)
    b.wire(tile.write.done, both.a)
    b.wire(tile.write2.done, both.b)
    b.wire(both.out, full.arrive)

    b.wire(full.out, step.in_)
    b.wire(step.out, pick.in_)
    b.wire(pick.out[0], tile.read.at)
    b.wire(pick.out[1], tile.read2.at)
    b.wire(tile.read.value, times.a)
    b.wire(tile.read2.value, times.b)
    b.wire(times.out, three.in_)
    b.wire(three.out, tiles.in_)
    b.wire(three.out, empty.arrive)

    b.wire("t.token[0,1]", rim.in_)
    b.wire(rim.out, "out.at")
    b.wire(tiles.out, "out.value")
