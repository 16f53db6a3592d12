"""Chapter 3, "Thin ice": the machines of level 12 and its twin 12b, about hurry and calm."""

from __future__ import annotations

from typing import NamedTuple

from engine.builder import Builder
from levels.house.registry import design

HURRY, CALM = "physics-12-hurry-up-and-sleep", "physics-12b-take-your-time"


class Pace(NamedTuple):
    """mV and clock of the cores, ticks per word of the wires, and what sleeps."""

    mv: int
    clock: int
    ticks: int
    pad: bool = False
    wires: bool = True
    cores: bool = True


QUICK = Pace(700, 121, 121)
SLOW = Pace(500, 361, 361)


def _sixteen(b: Builder, pace: Pace, factor: int = 5) -> None:
    """Count to sixteen at each go, load, and 5·(7·a + 30) + 11 in two macs; a wire wakes with the word that is made
    for it, a core when one is three tiles away."""
    nap = {"gate": True, "ahead": 3} if pace.cores else {}
    near = nap | {"ahead": 1} if nap else {}
    supply = {"voltage_mv": pace.mv, "clock_ticks": pace.clock}
    if pace.pad:
        b.pad("a", gate=True, sleep_after=0, ahead=3)
    count = b.place("counter", (3, 2), "count", n=16, **supply, **nap)
    first = b.place("mac", (6, 2), "first", b=7, c=30, **supply, **nap)
    second = b.place("mac", (7, 2), "second", b=factor, c=11, **supply, **near)
    for start, end in (
        ("go.token", count.go),
        (count.out, "a.at"),
        ("a.value", first.a),
        (first.out, second.a),
        (second.out, "out.value"),
    ):
        line = b.wire(start, end, every_ns=pace.ticks / 100, voltage_mv=pace.mv)
        if pace.wires:
            line.spec.gate, line.spec.ahead = True, 1


# --- 12 Hurry up and sleep ---------------------------------------------------------------------------------


@design(HURRY, "naive")
def hurry_naive(b: Builder) -> None:
    """Slow and steady: the lowest voltage, a word every 20 ns, and nobody ever sleeps, least of all the far pad."""
    _sixteen(b, Pace(500, 361, 2000, wires=False, cores=False))


@design(HURRY, "best")
def hurry_best(b: Builder) -> None:
    """Everything at 700 mV and as fast as that allows: after 80 ns all words are out of the far pad, and it sleeps, as
    do all others. More voltage would save less time than it costs."""
    _sixteen(b, QUICK._replace(pad=True))


@design(HURRY, "without-hurry")
def hurry_without_hurry(b: Builder) -> None:
    """The twin's machine: 500 mV, and asleep when the words are through. They keep the far pad awake for longer."""
    _sixteen(b, SLOW._replace(pad=True))


@design(HURRY, "without-pad")
def hurry_without_pad(b: Builder) -> None:
    """Everything sleeps but the far pad."""
    _sixteen(b, QUICK)


@design(HURRY, "without-wires")
def hurry_without_wires(b: Builder) -> None:
    """The wires run on for 400 ns."""
    _sixteen(b, QUICK._replace(pad=True, wires=False))


@design(HURRY, "without-cores")
def hurry_without_cores(b: Builder) -> None:
    """The cores leak on for 400 ns."""
    _sixteen(b, QUICK._replace(pad=True, cores=False))


@design(HURRY, "wrong-crawl")
def hurry_crawl(b: Builder) -> None:
    """The wire behind the pad takes a word every 26 ns: too slow for sixteen in 400."""
    hurry_best(b)
    b.lines[2].spec.every_ticks = 2600


@design(HURRY, "wrong-hasty")
def hurry_hasty(b: Builder) -> None:
    """A clock a tick too fast for 700 mV."""
    hurry_best(b)
    b.set("second", clock_ticks=120)


@design(HURRY, "wrong-six")
def hurry_six(b: Builder) -> None:
    """Six times."""
    _sixteen(b, QUICK._replace(pad=True), factor=6)


# --- 12b Take your time ------------------------------------------------------------------------------------


@design(CALM, "naive")
def calm_naive(b: Builder) -> None:
    """As fast as 900 mV allow, and then asleep, as with a far pad, which is not here."""
    _sixteen(b, Pace(900, 80, 80))


@design(CALM, "best")
def calm_best(b: Builder) -> None:
    """500 mV, at which sixteen words still need less than half of the time; then wires and cores sleep."""
    _sixteen(b, SLOW)


@design(CALM, "without-calm")
def calm_without_calm(b: Builder) -> None:
    """The twin's machine: 700 mV, and all the sooner asleep."""
    _sixteen(b, QUICK)


@design(CALM, "without-wires")
def calm_without_wires(b: Builder) -> None:
    """The wires run on for 400 ns."""
    _sixteen(b, SLOW._replace(wires=False))


@design(CALM, "without-cores")
def calm_without_cores(b: Builder) -> None:
    """The cores leak on for 400 ns."""
    _sixteen(b, SLOW._replace(cores=False))


@design(CALM, "wrong-crawl")
def calm_crawl(b: Builder) -> None:
    """The wire behind the pad takes a word every 26 ns: too slow for sixteen in 400."""
    calm_best(b)
    b.lines[2].spec.every_ticks = 2600


@design(CALM, "wrong-hasty")
def calm_hasty(b: Builder) -> None:
    """A clock a tick too fast for 500 mV."""
    calm_best(b)
    b.set("second", clock_ticks=360)


@design(CALM, "wrong-six")
def calm_six(b: Builder) -> None:
    """Six times."""
    _sixteen(b, SLOW, factor=6)
