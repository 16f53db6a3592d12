"""Events per second of the engines, of SimPy and of a C loop, on three machines.

An event is a firing or a delivery. All run in interleaved rounds, since the speed of a computer changes from minute
to minute; figures are medians, ratios are medians of the rounds' ratios. The C loop (``tests/bench/loop.c``) is only
there in a checkout, and where there is a compiler; SimPy and the plain engine only run on request.
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

import numpy as np

from engine import program as layout
from engine.bench_models import MODELS, Model
from engine.bench_simpy import SimpyModel
from engine.kernel import NEED_DATA, NEED_SPACE, UNTIL, CompiledMachine
from engine.machine import Options, Stop
from engine.netlist import LOOKAHEAD

LOOP = Path(__file__).parent.parent / "tests" / "bench" / "loop.c"
SHORT, LONG = 100_000, 10_000_000
SIMPY_EVENTS, PLAIN_EVENTS = 20_000, 60_000
OPTIONS = Options(period_search=False)


def run_bench(peers: bool, rounds: int = 5, long: int = LONG) -> dict[str, Any]:
    """The figures of ``perwatt bench``: for each model events per second and ns per event of short and long runs.

    With ``peers`` also ``times_simpy``, ``times_python`` (the plain engine) and ``of_c``, where these can run; those
    that cannot, or were not asked for, are None. ``long`` is the number of events of the long runs.
    """
    library = compile_loop() if peers else None
    return {
        "format": 1,
        "models": {name: measure(make(), peers, rounds, long, library) for name, make in MODELS.items()},
    }


def measure(model: Model, peers: bool, rounds: int, long: int, library: Any) -> dict[str, float | None]:
    """The figures of one model."""
    pace = ticks_per_event(model)
    runners: dict[str, Callable[[], float]] = {
        "short": lambda: _rate_compiled(model, int(SHORT * pace), repeat=5),
        "long": lambda: _rate_compiled(model, int(long * pace)),
    }
    if library:
        runners["c"] = lambda: rate_c(library, model, int(SHORT * 10 * pace))
        runners["beside_c"] = lambda: _rate_compiled(model, int(SHORT * 10 * pace))
    if peers and _has("simpy"):
        runners["simpy"] = lambda: rate_simpy(model, int(SIMPY_EVENTS * pace))
    if peers and _has("engine.plain"):
        runners["plain"] = lambda: _rate_plain(model, int(PLAIN_EVENTS * pace))
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


def ticks_per_event(model: Model) -> float:
    """Ticks of the machine's time per event, once it is under way. Also compiles the loop, if that is still to do."""
    machine = CompiledMachine(model.netlist, model.workload, OPTIONS)
    machine.run(20_000)
    before = machine.events
    machine.run(220_000)
    return 200_000 / (machine.events - before)


def _rate_compiled(model: Model, ticks: int, repeat: int = 1) -> float:
    """Events per second over ``ticks``, from the start; the best of ``repeat`` runs, so that short ones are not all noise."""
    best = 0.0
    for _ in range(repeat):
        machine = CompiledMachine(model.netlist, model.workload, OPTIONS)
        begin = time.process_time()
        stop = machine.run(ticks)
        best = max(best, machine.events / (time.process_time() - begin))
        assert stop is Stop.UNTIL, (stop, machine.fault)
    return best


def _rate_plain(model: Model, ticks: int) -> float:
    from engine.plain import PlainMachine

    machine = PlainMachine(model.netlist, model.workload, OPTIONS)
    begin = time.process_time()
    machine.run(ticks)
    return machine.events / (time.process_time() - begin)


def rate_simpy(model: Model, ticks: int) -> float:
    """Events per second of SimPy."""
    peer = SimpyModel(model)
    begin = time.process_time()
    peer.run(ticks)
    return peer.events / (time.process_time() - begin)


def rate_c(library: Any, model: Model, ticks: int) -> float:
    """Events per second of the C loop."""
    machine = CLoop(library, model)
    begin = time.process_time()
    machine.run(ticks)
    return machine.events / (time.process_time() - begin)


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
            arrays = p.values()[:21]
            pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
            status = self._library.advance(*pointers, ctypes.c_int64(len(p.completions)), ctypes.c_int64(until))
            if status == NEED_DATA:
                self._fill(int(self._run["filled"]))
            elif status == NEED_SPACE:
                p.completions = np.resize(p.completions, 2 * len(p.completions))
            elif status == UNTIL:
                self._run["now"] = until
                return Stop.UNTIL
            else:
                raise RuntimeError(f"the C loop stopped with {status} at tick {self.now}")


def compile_loop() -> Any:
    """The C loop as a library, or None where its source or a compiler is missing."""
    compiler = shutil.which("cc")
    if compiler is None or not LOOP.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.h").write_text(header(), encoding="utf-8")
        target = Path(folder) / "loop.so"
        subprocess.run(
            [compiler, "-O2", "-std=gnu11", "-shared", "-fPIC", "-I", folder, "-o", str(target), str(LOOP)],
            check=True,
            capture_output=True,
        )
        return ctypes.CDLL(str(target))


def header() -> str:
    """The record types of :mod:`engine.program` as C structs, and the constants that the loop needs."""
    kinds = {"i4": "int32_t", "i8": "int64_t", "u8": "uint64_t", "f8": "double"}
    lines = [f"#define LOOKAHEAD {LOOKAHEAD}"]
    lines += [f"#define {name} {getattr(layout, name)}" for name in ("DATA_RING", "SLOTS", "FIRE_BITS")]
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
