"""``perwatt trace``: what happens in a run, written for viewers of waveforms or for Perfetto."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, redirect_stdout, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import UsageError, nearest
from engine.follow import Follower
from engine.machine import Machine, Options, Stop
from engine.machines import make_machine
from engine.netlist import Netlist
from engine.plain import PlainMachine
from engine.trace import Chosen
from engine.truth import Workload
from game.commands.compiling import announce
from game.commands.load import board_problems, level_and_design, writable
from game.commands.output import command, print_problems, say
from levels.codes import clean
from levels.writing import is_stream

FORMATS = {"vcd": ".vcd", "perfetto": ".json"}
"""Formats, and how their files end."""
STDOUT = Path("/dev/stdout")
"""What ``-o -`` means, on every system."""
LAUNCHES = 20
"""Launches shown where nothing else is asked for."""
SHORT_EVENTS = 15_000
"""What the plain engine does in the time in which the compiled one is loaded."""
STEP_TICKS = 10_000
"""How often the events are counted."""


@command
def trace(
    level_ref: str,
    design_ref: str,
    out: Path | None,
    *,
    packs: Sequence[Path] | None,
    format: str | None,
    start: float,
    until: float | None,
    launches: int | None,
    only: Sequence[str],
    seed: int,
    engine: str,
    force: bool,
) -> int:
    """Run the design and write the trace, piece by piece."""
    from engine.units import ticks_from_ns

    if out == Path("-"):
        out = STDOUT
    kind = _format(out, format)
    if engine not in ("auto", "plain", "compiled"):
        raise UsageError(f"--engine is '{clean(engine, 40)}': give auto, plain or compiled")
    if until is not None and launches is not None:
        raise UsageError("--until and --launches both say where the trace ends: give one of them")
    if until is not None and until <= start:
        raise UsageError(f"--until {until:g} ns is not after --from {start:g} ns")
    level, design = level_and_design(level_ref, design_ref, packs)
    out = writable(out or Path(f"{level.level.id}{FORMATS[kind]}"), force)
    problems = board_problems(level, design)
    if any(p.severity == "error" for p in problems):
        print_problems(problems)
        return 1
    from engine.elaborate import elaborate
    from engine.heated import in_its_heat
    from engine.simulation import with_launches
    from engine.trace import choose
    from levels.writing import replacing

    workload = Workload(level.level, seed)
    netlist = in_its_heat(elaborate(level.level, design.design), workload, engine)  # type: ignore[arg-type]
    if launches is not None:
        # The launches are counted from the start of the trace on: what comes before takes its time as well.
        netlist = with_launches(netlist, launches)
        netlist = replace(netlist, time_limit_ticks=netlist.time_limit_ticks + ticks_from_ns(start))
    job = _Job(
        netlist,
        workload,
        kind,
        f"{level.level.id}, {design.design.name}, seed {seed}",
        choose(netlist, only),
        ticks_from_ns(start),
        None if until is None else ticks_from_ns(until),
        LAUNCHES if until is None and launches is None else launches,
    )
    size = 0
    with replacing(out) as stream:

        def write(text: str) -> None:
            nonlocal size
            data = text.encode()
            size += len(data)
            stream.write(data)

        stop, follower = job.run(write, engine)
        if follower.machine.now < job.start:
            raise UsageError(f"--from {start:g} ns: the run has ended before, {_end(stop, follower)}")
    _tell(out, size, job, stop, follower)
    return 0


def _format(out: Path | None, given: str | None) -> str:
    """The format that the arguments ask for. Raises UsageError."""
    if given is not None:
        if given not in FORMATS:
            meant = nearest(given, FORMATS)
            hint = f"did you mean '{meant}'?" if meant else f"there are: {', '.join(FORMATS)}"
            raise UsageError(f"there is no format '{clean(given, 40)}': {hint}")
        return given
    for name, suffix in FORMATS.items():
        if out is not None and out.suffix.lower() == suffix:
            return name
    if out is None or is_stream(out):
        return "vcd"
    raise UsageError(f"{out.name}: the name tells what is made: end it in .vcd or .json, or give --format")


# --- running ---------------------------------------------------------------------------------------------


class _TooLong(Exception):
    """The run is one for the compiled engine."""


class _ShortMachine(PlainMachine):
    """A plain machine that gives up when a run turns out to be long."""

    def run(self, until: int | None = None) -> Stop:
        if self.events > SHORT_EVENTS:
            raise _TooLong
        if until is None or until - self.now <= STEP_TICKS:
            return super().run(until)
        stop = super().run(self.now + STEP_TICKS)
        return self.run(until) if stop is Stop.UNTIL else stop


@dataclass(frozen=True)
class _Job:
    """What is to be traced. Times in ticks."""

    netlist: Netlist
    workload: Workload
    kind: str
    title: str
    chosen: Chosen
    start: int
    until: int | None
    launches: int | None

    def run(self, write: Callable[[str], None], engine: str) -> tuple[Stop, Follower]:
        """Write the trace. ``auto`` tries the plain engine first and starts again where the run is long.

        What is written cannot be taken back, so that of a first try is kept until it has been enough: it is short.
        """
        if engine == "auto":
            kept: list[str] = []
            with suppress(_TooLong):
                found = self._record(kept.append, _ShortMachine(self.netlist, self.workload))
                write("".join(kept))
                return found
        if engine != "plain":
            announce()
        return self._record(write, make_machine(self.netlist, self.workload, Options(), engine))  # type: ignore[arg-type]

    def _record(self, write: Callable[[str], None], machine: Machine) -> tuple[Stop, Follower]:
        from engine.trace import Writer, record
        from engine.trace_events import TraceEventWriter
        from engine.vcd import VcdWriter

        made = VcdWriter if self.kind == "vcd" else TraceEventWriter
        writer: Writer = made(self.netlist, self.title, write)
        return record(machine, writer, self.chosen, start=self.start, until=self.until, launches=self.launches)


# --- telling ---------------------------------------------------------------------------------------------


def _tell(out: Path, size: int, job: _Job, stop: Stop, follower: Follower) -> None:
    """What was written, and how the run ended if it did."""
    from engine.units import ns_from_ticks

    cores = len({job.netlist.nodes[i].element for i in follower.nodes})
    counted = follower.counted - follower.first
    parts = [
        f"{ns_from_ticks(follower.start):.2f} to {ns_from_ticks(follower.end or 0):.2f} ns",
        _number(counted, "launch", "launches"),
        f"{_number(cores, 'core and pad', 'cores and pads')}, {_number(len(follower.wires), 'wire', 'wires')}",
        f"{max(1, round(size / 1024))} kB",
    ]
    # Where the trace itself goes to standard output, nothing else may.
    with redirect_stdout(sys.stderr) if out == STDOUT else nullcontext():
        say(f"wrote {out}: {', '.join(parts)}")
        if stop in (Stop.FAULT, Stop.DEADLOCK, Stop.TIMEOUT) and (follower.end or 0) >= follower.machine.now:
            say(f"  the run ends there, {_end(stop, follower)}")


def _number(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _end(stop: Stop, follower: Follower) -> str:
    """How a run ended, with the sentence that says why."""
    from engine.explain import explain_deadlock
    from engine.faults import explain_fault
    from engine.units import ns_from_ticks

    machine = follower.machine
    when = f"at {ns_from_ticks(machine.now):.2f} ns"
    if stop is Stop.FAULT and machine.fault:
        return f"{when} with a fault: {explain_fault(machine.netlist, machine.fault, machine.late_words()).message}"
    if stop is Stop.DEADLOCK:
        return f"{when} with a deadlock: {explain_deadlock(machine.netlist, machine.state()).message}"
    return f"{when}: the time is up"
