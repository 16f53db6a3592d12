"""Events per second of the engines, of SimPy and of a C loop, on three machines.

An event is a firing or a delivery; seconds are the process's own. All run in interleaved rounds, since the speed of a
computer changes from minute to minute; figures are medians, ratios are medians of the rounds' ratios. The C loop
(``tests/bench/loop.c``) is only there in a checkout, and where there is a compiler; the peers only run on request.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from engine import program as layout
from engine.bench_models import MODELS, Model
from engine.bench_simpy import SimpyModel
from engine.kernel import UNTIL, CompiledMachine
from engine.machine import Machine, Options, Stop
from engine.netlist import LOOKAHEAD

LOOP = Path("tests") / "bench" / "loop.c"
SHORT, MIDDLE, LONG = 100_000, 1_000_000, 10_000_000
"""Events of the compiled engine's runs: short and long ones, and those beside the C loop."""
PEER = 30_000
"""Events of the runs of SimPy and of the plain engine."""
OPTIONS = Options(period_search=False)


def run_bench(peers: bool, rounds: int = 5, long: int = LONG) -> dict[str, Any]:
    """The figures of ``perwatt bench``: for each model events per second and ns per event of short and long runs.

    With ``peers`` also ``times_simpy``, ``times_python`` (the plain engine) and ``of_c``, where these can run; those
    that cannot, or were not asked for, are None. ``long`` is the number of events of the long runs.
    """
    library = compile_loop() if peers else None
    models = {name: measure(make(), peers, rounds, long, library) for name, make in MODELS.items()}
    return {"format": 1, "models": models}


def measure(model: Model, peers: bool, rounds: int, long: int, library: Any) -> dict[str, float | None]:
    """The figures of one model."""
    short, middle, far, peer = (ticks_for(model, events) for events in (SHORT, MIDDLE, long, PEER))
    runners: dict[str, Callable[[], float]] = {
        "short": lambda: rate_compiled(model, short, repeat=5),
        "long": lambda: rate_compiled(model, far),
    }
    if library:
        runners["c"] = lambda: rate_c(library, model, middle)
        runners["beside_c"] = lambda: rate_compiled(model, middle)
    if peers and _has("simpy"):
        runners["simpy"] = lambda: rate_simpy(model, peer)
    if peers and _has("engine.plain"):
        runners["plain"] = lambda: rate_plain(model, peer)
    rates: dict[str, list[float]] = {name: [] for name in runners}
    for _ in range(rounds):
        for name, run in runners.items():
            rates[name].append(run())

    def ratio(over: str, under: str) -> float | None:
        if under not in rates:
            return None
        return median(a / b for a, b in zip(rates[over], rates[under], strict=True))

    return {
        "events_per_s": median(rates["long"]),
        "times_simpy": ratio("long", "simpy"),
        "times_python": ratio("long", "plain"),
        "of_c": ratio("beside_c", "c"),
        "ns_per_event_100k": 1e9 / median(rates["short"]),
        "ns_per_event_10m": 1e9 / median(rates["long"]),
    }


def ticks_for(model: Model, events: int) -> int:
    """Ticks in which the machine comes to about that many events. Compiles the loop, if that is still to be done."""
    machine = CompiledMachine(model.netlist, model.workload, OPTIONS)
    ticks = 1000
    while True:
        machine.run(ticks)
        if machine.events >= events or machine.events > SHORT:
            return ticks * events // machine.events if machine.events > SHORT else ticks
        ticks += max(100, ticks // 50)


def rate_compiled(model: Model, ticks: int, repeat: int = 1) -> float:
    """Events per second from tick 0 to ``ticks``; the best of ``repeat`` runs, since a short one is mostly noise."""
    best = 0.0
    for _ in range(repeat):
        machine = CompiledMachine(model.netlist, model.workload, OPTIONS)
        best = max(best, _rate(machine, ticks))
    return best


def rate_plain(model: Model, ticks: int) -> float:
    """Events per second of the plain engine."""
    from engine.plain import PlainMachine

    return _rate(PlainMachine(model.netlist, model.workload, OPTIONS), ticks)


def rate_c(library: Any, model: Model, ticks: int) -> float:
    """Events per second of the C loop."""
    return _rate(CLoop(library, model), ticks)


def _rate(machine: Machine, ticks: int) -> float:
    begin = time.process_time()
    stop = machine.run(ticks)
    seconds = time.process_time() - begin
    assert stop is Stop.UNTIL, (stop, machine.fault)
    return machine.events / seconds


def rate_simpy(model: Model, ticks: int) -> float:
    """Events per second of SimPy, events being the same as the engine's."""
    peer = SimpyModel(model)
    begin = time.process_time()
    peer.run(ticks)
    seconds = time.process_time() - begin
    machine = CompiledMachine(model.netlist, model.workload, OPTIONS)
    machine.run(ticks)
    return machine.events / seconds


class CLoop(CompiledMachine):
    """The same arrays, moved by the C loop."""

    def __init__(self, library: Any, model: Model) -> None:
        super().__init__(model.netlist, model.workload, OPTIONS)
        self._library = library

    def run(self, until: int | None = None) -> Stop:
        """Work through every tick up to ``until``; raises RuntimeError where it does not get there."""
        assert until is not None
        while True:
            p = self._program
            pointers = [ctypes.c_void_p(array.ctypes.data) for array in p.values()[:ARRAYS_OF_LOOP]]
            status = self._library.advance(*pointers, ctypes.c_int64(len(p.completions)), ctypes.c_int64(until))
            if status == UNTIL:
                self._run["now"] = until
                return Stop.UNTIL
            if not self._provide(status):
                raise RuntimeError(f"the C loop stopped with {status} at tick {self.now}")


ARRAYS_OF_LOOP = 21
"""The C loop takes the first of the program's arrays, up to ``completions``."""


def loop_source() -> Path | None:
    """``tests/bench/loop.c`` of the checkout that the package or the working directory is in, if there is one."""
    for root in (Path(__file__).parent.parent, Path.cwd()):
        if (root / LOOP).exists():
            return root / LOOP
    return None


def compile_loop() -> Any:
    """The C loop as a library, or None where its source or a compiler is missing."""
    compiler, source = shutil.which("cc"), loop_source()
    if compiler is None or source is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.h").write_text(header(), encoding="utf-8")
        target = Path(folder) / "loop.so"
        options = ["-O2", "-std=gnu11", "-shared", "-fPIC", "-I", folder, "-o", str(target)]
        subprocess.run([compiler, *options, str(source)], check=True, capture_output=True)
        return ctypes.CDLL(str(target))


def header() -> str:
    """The record types of :mod:`engine.program` as C structs, and the constants that the loop needs."""
    kinds = {"i4": "int32_t", "i8": "int64_t", "u8": "uint64_t", "f8": "double"}
    lines = [f"#define LOOKAHEAD {LOOKAHEAD}"]
    lines += [f"#define {name} {getattr(layout, name)}" for name in ("DATA_RING", "EPOCH", "SLOTS", "FIRE_BITS")]
    lines += [f"#define K_{kind.upper().replace('.', '_')} {n}" for kind, n in layout.KINDS.items()]
    for name in ("RUN", "NODE", "WIRE", "PACKET", "PORT", "PICK", "PAIR", "EVENT", "LAUNCH", "ARRAY"):
        record = getattr(layout, name)
        members = [f"{kinds[record[field].str[1:]]} {field};" for field in record.names]
        lines.append(f"typedef struct {{ {' '.join(members)} }} {name.capitalize()};")
        lines.append(f'_Static_assert(sizeof({name.capitalize()}) == {record.itemsize}, "{name}");')
    return "\n".join(lines) + "\n"


def _has(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None
