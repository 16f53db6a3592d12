"""The two engines against each other on random machines: ``python -m tests.differential --count 20000 --seed 1``.

Graph k of a run is made from the seed and k alone, so ``--only k`` repeats it. Where the engines disagree, the graph is
made again with fewer and fewer moves, and the smallest that still disagrees is printed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from engine.log import Log, log_width
from engine.machine import Machine, Stop
from tests.draft import scramble
from tests.graphs import Case, graph

Make = Callable[..., Machine]
ENDS = (Stop.FAULT, Stop.DEADLOCK, Stop.TIMEOUT, Stop.EXTENSION)


class Mismatch(AssertionError):
    """The engines disagree; the message says where first."""


@dataclass(frozen=True)
class Result:
    """How a graph's run ended, for the count of the mix."""

    stop: str
    fault: str
    launches: int
    events: int
    period: bool
    late: bool


def plain(*arguments: Any) -> Machine:
    """A machine on the plain engine."""
    from engine.plain import PlainMachine

    return PlainMachine(*arguments)


def compiled(*arguments: Any) -> Machine:
    """A machine on the compiled engine."""
    from engine.kernel import CompiledMachine

    return CompiledMachine(*arguments)


ENGINES: tuple[Make, Make] = (plain, compiled)


def view(machine: Machine) -> dict[str, Any]:
    """Everything that a machine shows of itself now."""
    return {
        "now": machine.now,
        "events": machine.events,
        "completed": machine.completed,
        "issued": machine.issued,
        "fault": machine.fault,
        "late_words": machine.late_words(),
        "closest": machine.closest(),
        "window": machine.window,
        "state": machine.state(),
        "counters": machine.counters(),
        "completions": machine.completions(),
        "digests": machine.digests(),
        "packets": machine.packets(max(machine.now, 0)),
    }


def difference(a: Any, b: Any, where: str) -> str | None:
    """The first place in which ``a`` and ``b`` differ, in words, or None."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = np.asarray(a), np.asarray(b)
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"{where}: {a.dtype} {a.shape} and {b.dtype} {b.shape}"
        if a.tobytes() == b.tobytes():
            return None
        place = tuple(int(k) for k in np.argwhere(a != b)[0])
        return f"{where}[{', '.join(map(str, place))}]: {a[place]} and {b[place]}"
    if isinstance(a, Sequence) and isinstance(b, Sequence) and not isinstance(a, str):
        a, b = tuple(a), tuple(b)
    if type(a) is not type(b):
        return f"{where}: {a!r} and {b!r}"
    if is_dataclass(a) and not isinstance(a, type):
        parts = ((f.name, getattr(a, f.name), getattr(b, f.name)) for f in fields(a) if f.compare)
        return next((d for n, x, y in parts if (d := difference(x, y, f"{where}.{n}"))), None)
    if isinstance(a, dict):
        return next((d for key in a if (d := difference(a[key], b[key], f"{where}.{key}"))), None)
    if isinstance(a, tuple):
        for k, (x, y) in enumerate(zip(a, b, strict=False)):
            if found := difference(x, y, f"{where}[{k}]"):
                return found
        return None if len(a) == len(b) else f"{where}: {len(a)} and {len(b)} of them"
    return None if a == b else f"{where}: {a!r} and {b!r}"


def expect_same(a: Any, b: Any, where: str) -> None:
    """Raise Mismatch where ``a`` and ``b`` differ."""
    found = difference(a, b, where)
    if found:
        raise Mismatch(found)


class Logs:
    """What a machine tells of itself, gathered."""

    def __init__(self, machine: Machine) -> None:
        self.width = log_width(machine.netlist)
        self.parts: list[Log] = []
        machine.watch(self.parts.append)

    def taken(self) -> Log:
        """The rows since the last call, in one."""
        rows = np.concatenate([np.zeros((0, self.width), np.int64), *self.parts])
        self.parts.clear()
        return rows


def finish(machine: Machine) -> tuple[Stop, list[dict[str, Any]]]:
    """Run through the window and its extension; what is to be seen at each stop."""
    seen = []
    while True:
        stop = machine.run()
        seen.append({"stop": stop.value} | view(machine))
        if stop in ENDS:
            return stop, seen


def compare(case: Case, rng: random.Random, make: tuple[Make, Make] | None = None) -> Result:
    """Run a graph on both engines: whole, in pieces, by steps, and again from a snapshot. Raises Mismatch."""
    a, b = ((engine(case.net, case.truth, case.options)) for engine in make or ENGINES)
    logs = Logs(a), Logs(b)
    for machine in _pieces(case, rng, a, b):
        expect_same(view(a), view(b), f"at {machine.now}")
        expect_same(logs[0].taken(), logs[1].taken(), f"log until {machine.now}")
    kept = (a.snapshot(), b.snapshot()) if rng.random() < 0.3 else None
    moment = a.now
    stop, seen = finish(a)
    expect_same(seen, finish(b)[1], "end")
    expect_same(logs[0].taken(), logs[1].taken(), "log until the end")
    if kept:
        for machine, snapshot in zip((a, b), kept, strict=True):
            machine.restore(snapshot)
            expect_same(moment, machine.now, "restored now")
            expect_same(seen, finish(machine)[1], f"{type(machine).__name__} after going back to {moment}")
        expect_same(logs[0].taken(), logs[1].taken(), "log after going back")
    return Result(
        stop.value,
        a.fault.code if a.fault else "",
        a.completed,
        a.events,
        a.window.period_launches > 0,
        bool(a.late_words()),
    )


def _pieces(case: Case, rng: random.Random, a: Machine, b: Machine) -> Iterator[Machine]:
    """Bring both to the same moments, by run and by step."""
    how = rng.random()
    limit = case.net.time_limit_ticks
    if how < 0.5:
        for until in sorted(int(limit * rng.random() ** 3) for _ in range(rng.randint(1, 3))):
            stops = a.run(until), b.run(until)
            expect_same(*stops, f"stop before {until}")
            yield a
    elif how < 0.65:
        for _ in range(rng.choice([3, 30, 100])):
            stops = a.step(), b.step()
            expect_same(*stops, f"stop of a step to {a.now}")
            expect_same(a.now, b.now, "now after a step")
            if stops[0] is not Stop.UNTIL:
                return
            if rng.random() < 0.1:
                yield a
        yield a
    elif how < 0.75:
        first, second = (a, b) if rng.random() < 0.5 else (b, a)
        for _ in range(rng.choice([3, 30, 100])):
            stop = first.step()
            if stop in (Stop.DEADLOCK, Stop.TIMEOUT):
                expect_same(stop, second.run(), f"stop at {first.now}")
                break
            ran = second.run(first.now)
            if ran is Stop.DEADLOCK and stop is Stop.UNTIL:
                stop = first.step()  # a step ends before it is seen that nothing follows
            expect_same(stop, ran, f"stop at {first.now}")
            if rng.random() < 0.1:
                yield a
        yield a


def case_of(seed: int, number: int, size: int | None = None) -> Case:
    """Graph ``number`` of a run."""
    return graph(random.Random(scramble(seed, number)), size)


def check(seed: int, number: int, size: int | None = None, make: tuple[Make, Make] | None = None) -> Result:
    """Compare on graph ``number`` of a run."""
    return compare(case_of(seed, number, size), random.Random(scramble(seed, number, 1)), make)


def smallest(seed: int, number: int) -> tuple[int | None, str]:
    """The fewest moves with which the graph still makes the engines disagree, and the message."""
    for size in range(20):
        try:
            check(seed, number, size)
        except Exception as error:
            return size, f"{type(error).__name__}: {error}"
    return None, ""


def describe(case: Case) -> str:
    """A machine in text, node by node."""
    net = case.net
    lines = [f"{case.options} warmup {net.warmup} measured {net.measured} limit {net.time_limit_ticks}"]
    lines += [f"  array {i} {a.name} {a.shape} {'out' if a.is_output else 'in'}" for i, a in enumerate(net.arrays)]
    lines += [f"  {memory}" for memory in net.memories]
    for i, node in enumerate(net.nodes):
        timing = f"latency {node.latency_ticks} interval {node.interval_ticks} room {node.room}"
        lines.append(f"{i} {node.kind} {node.params} {timing}{' float' if node.is_float else ''}")
        for port in node.inputs:
            if port.immediate is not None:
                lines.append(f"    {port.name} = {port.immediate}")
            elif port.wires:
                picks = [f"const {p.value}" if p.constant else p.value for p in port.picks]
                lines.append(f"    {port.name} <- wires {port.wires} picks {picks}")
        for k, out in enumerate(node.outputs):
            for w in out.wires:
                wire = net.wires[w]
                ends = ", ".join(f"{net.nodes[wire.target].inputs[p].name}" for p in wire.ports)
                lines.append(
                    f"    {out.name} ({k}) -> wire {w} words {wire.words} L {wire.length} T {wire.every_ticks} "
                    f"-> {wire.target} {net.nodes[wire.target].kind}.{ends}"
                )
    return "\n".join(lines)


def _job(job: tuple[int, int]) -> tuple[int, Result | None, set[str], set[str], int, str]:
    seed, number = job
    try:
        case = case_of(seed, number)
    except Exception as error:
        return number, None, set(), set(), 0, f"the generator: {type(error).__name__}: {error}"
    try:
        result = compare(case, random.Random(scramble(seed, number, 1)))
    except Exception as error:
        return number, None, case.notes, case.kinds, case.cores, f"{type(error).__name__}: {error}"
    return number, result, case.notes, case.kinds, case.cores, ""


def sound(case_notes: set[str], result: Result) -> bool:
    """Whether the values are as found without time: no wrong word in a graph that nothing spoils and nothing races."""
    fair = "fan-in" not in case_notes and not any(n.startswith("spoiled") for n in case_notes)
    return not (fair and result.fault == "wrong-value")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first graph")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="one graph, with its description and, where it fails, the whole error")
    given = parser.parse_args(arguments)
    if given.only is not None:
        print(describe(case_of(given.seed, given.only)))
        print(check(given.seed, given.only))
        return 0
    return _long_run(given.count, given.seed, given.first, given.jobs)


def _long_run(count: int, seed: int, first: int, jobs: int) -> int:
    start = shown = time.monotonic()
    stops: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    notes: Counter[str] = Counter()
    cores: list[int] = []
    failed: list[tuple[int, str]] = []
    unsound: list[int] = []
    events = launches = periods = done = 0
    work = ((seed, number) for number in range(first, first + count))
    with multiprocessing.Pool(jobs) as pool:
        for number, result, has, made, size, error in pool.imap_unordered(_job, work, chunksize=8):
            done += 1
            notes.update(has)
            kinds.update(made)
            cores.append(size)
            if result is None:
                failed.append((number, error))
                print(f"\ngraph {number}: {error}", flush=True)
                if len(failed) >= 20:
                    pool.terminate()
                    break
            else:
                stops[result.fault or result.stop] += 1
                events += result.events
                launches += result.launches
                periods += result.period
                if not sound(has, result):
                    unsound.append(number)
            if time.monotonic() - shown > 5:
                shown = time.monotonic()
                rate = done / (shown - start)
                print(f"\r{done} of {count} graphs, {rate:.1f} a second, {len(failed)} differ ", end="", flush=True)
    print(f"\n{done} graphs, {launches} launches, {events} events, {periods} with a period, {len(failed)} differ")
    print(f"ends: {dict(stops.most_common())}")
    print(f"cores: median {sorted(cores)[len(cores) // 2]}; values wrong without a reason: {unsound[:20]}")
    print(f"has: {dict(notes.most_common())}")
    print(f"kinds: {dict(kinds.most_common())}")
    for number, _ in failed[:3]:
        size, error = smallest(seed, number)
        if size is not None:
            print(f"\n--- graph {number} with {size} moves: {error}\n{describe(case_of(seed, number, size))}")
    return 1 if failed or unsound else 0


if __name__ == "__main__":
    sys.exit(main())
