"""Chapter 3, "Thin ice": the machines of level 11, about what sleeps when it is idle."""

from __future__ import annotations

from engine.builder import Builder
from engine.handles import Line
from levels.house.registry import design

SLEEP = "physics-11-sleep"


def gated(line: Line, ahead: int | None = None) -> None:
    """Let a wire sleep when it is idle; with ``ahead`` it is woken by the firing that makes its word."""
    line.spec.gate, line.spec.ahead = True, ahead


def _burst(
    b: Builder,
    column: int = 8,
    road: bool = True,
    cores: bool = True,
    leave: bool = True,
    ahead: int = 3,
    serial: bool = False,
    every_ns: float = 5,
    factor: int = 7,
) -> None:
    """factor·((a ^ 85) + 37) in three cores from ``column`` on. What sleeps: the ``road`` of the burst with the wires
    between cores, the two fast ``cores``, the ``serial`` one and the wire by which the words ``leave``; fast cores
    wake when a word is ``ahead`` tiles away."""
    nap = ({"gate": True} | ({"ahead": ahead} if ahead else {})) if cores else {}
    mixed = b.place("xor", (column, 2), "mixed", b=85, **nap)
    more = b.place("add", (column + 1, 2), "more", b=37, **({**nap, "ahead": 1} if cores and ahead else nap))
    times = b.place("mul.serial", (column + 2, 2), "seven", b=factor, **({"gate": True} if serial else {}))
    lines = [
        b.wire("a.value", mixed.a, every_ns=1),
        b.wire(mixed.out, more.a, every_ns=1),
        b.wire(more.out, times.a, every_ns=1),
    ]
    last = b.wire(times.out, "out.value", every_ns=every_ns)
    if road:
        for line in lines:
            gated(line, 1 if ahead else None)
    if leave:
        gated(last)


@design(SLEEP, "naive")
def sleep_naive(b: Builder) -> None:
    """The three cores are near the right pad, and nothing sleeps: between two bursts everything runs for nothing."""
    _burst(b, 14, road=False, cores=False, leave=False, every_ns=8)


@design(SLEEP, "best")
def sleep_best(b: Builder) -> None:
    """The fast road is as long as it takes to hold a burst. It sleeps, and so do its cores, which wake while the word
    is still on its way, and the slow road behind the multiplier, which the burst has left long before the next. The
    multiplier leaks too little to be put to sleep."""
    _burst(b)


@design(SLEEP, "without-road")
def sleep_without_road(b: Builder) -> None:
    """The fast wires run on through the silence."""
    _burst(b, road=False)


@design(SLEEP, "without-cores")
def sleep_without_cores(b: Builder) -> None:
    """The cores are never cut off from their supply."""
    _burst(b, cores=False)


@design(SLEEP, "without-exit")
def sleep_without_exit(b: Builder) -> None:
    """The slow road runs on through the silence."""
    _burst(b, leave=False)


@design(SLEEP, "without-near")
def sleep_without_near(b: Builder) -> None:
    """The cores stand where they do in the naive machine: six tiles more at full speed."""
    _burst(b, 14)


@design(SLEEP, "wrong-late")
def sleep_late(b: Builder) -> None:
    """The cores wake when the word is there and not before, one after the other, and the limit is missed."""
    _burst(b, ahead=0)


@design(SLEEP, "wrong-all-asleep")
def sleep_all_asleep(b: Builder) -> None:
    """The multiplier sleeps as well: it saves less than waking it costs, and wakes late."""
    _burst(b, serial=True)


@design(SLEEP, "wrong-no-room")
def sleep_no_room(b: Builder) -> None:
    """The cores stand so near to the pad that the road cannot hold a burst: the next one waits."""
    _burst(b, 3)


@design(SLEEP, "wrong-eight")
def sleep_eight(b: Builder) -> None:
    """Eight times."""
    _burst(b, factor=8)
