"""The compiled engine: the numbers worked out by hand for the plain one, and what only this engine has.

Random machines are compared in test_differential.py; speed in tests/bench.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

import tests.engine.test_plain as by_hand
import tests.engine.test_plain_cores as by_hand_cores
import tests.engine.test_plain_values as by_hand_values
from engine import jit_cache
from engine.bench_models import mesh, pipeline, tree
from engine.kernel import CompiledMachine, advance
from engine.machine import Machine, Options, Stop
from engine.netlist import LOOKAHEAD, Netlist
from engine.plain import PlainMachine
from engine.program import DATA_RING
from tests.differential import case_of, difference, view
from tests.engine.netlists import Words, array, make, node, wire

# --- the same numbers by hand -------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (by_hand, by_hand_cores, by_hand_values):
        monkeypatch.setattr(module, "PlainMachine", CompiledMachine, raising=False)


def _again(module: ModuleType) -> dict[str, Any]:
    """The tests of ``module``, without those that look into the plain engine's private parts."""
    tests = {name: test for name, test in vars(module).items() if name.startswith("test_")}
    return {name: test for name, test in tests.items() if not any(n.startswith("_") for n in test.__code__.co_names)}


globals().update(_again(by_hand) | _again(by_hand_cores) | _again(by_hand_values))


# --- helpers ------------------------------------------------------------------------------------------------


def machine(net: Netlist, options: Options | None = None, engine: Any = CompiledMachine) -> Any:
    """A machine whose sinks expect three times its stream's words."""
    return engine(net, Words(net, out=lambda launch, k: 3 * (100 * launch + k + 1)), options)


def tripled(every: int = 100, length: int = 3, words: int = 4, **more: Any) -> Netlist:
    return make(
        [node("a", "stream", array="a"), node("m", "mul", b=3), node("out", "sink", array="out")],
        [wire("a.value", "m.a"), wire("m.out", "out.value", length=length, every=every)],
        [array("a", words), array("out", words, output=True)],
        **more,
    )


def same(a: Machine, b: Machine) -> None:
    assert difference(view(a), view(b), "") is None


# --- far events ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("every", "length"), [(4096, 1), (5000, 2), (100_000, 3), (1_000_000, 40)])
def test_events_beyond_the_wheels(every: int, length: int) -> None:
    """Transits of one epoch (4096 ticks), of many, and beyond the outer wheel (16.8 million ticks)."""
    net = tripled(every, length, time_limit=400_000_000, warmup=1, measured=2)
    ours, plain = machine(net), machine(net, engine=PlainMachine)
    assert ours.run() is plain.run()
    assert ours.completions().tolist()[0] == 400 + 3 * every + every * length + 100
    same(ours, plain)


def test_a_tick_between_far_events() -> None:
    """A stop long before the next event, and then again, changes nothing."""
    net = tripled(100_000, 3, time_limit=10_000_000)
    whole, pieces = machine(net), machine(net)
    for until in (1, 4095, 4096, 50_000, 299_999, 300_400, 300_401):
        assert pieces.run(until) is Stop.UNTIL
        assert pieces.now == until
    assert whole.run() is pieces.run()
    same(whole, pieces)


# --- long runs ----------------------------------------------------------------------------------------------


def test_data_and_completions_beyond_their_first_room() -> None:
    """More launches than the ring of data and the first array of completions hold."""
    count = 3 * DATA_RING
    ours = machine(tripled(words=1, measured=count, time_limit=10**9), Options(period_search=False))
    assert ours.run() is Stop.WINDOW
    ticks = ours.completions()
    assert len(ticks) > count
    assert set(np.diff(ticks).tolist()) == {100}


def sizes(machine: CompiledMachine) -> dict[str, int]:
    """Bytes of each array of a machine without physics."""
    arrays = zip(machine._program.__slots__, machine._program.values(), strict=True)
    return {name: array.nbytes for name, array in arrays if array is not None}


def test_memory_does_not_grow_with_launches() -> None:
    """But for 8 bytes a launch."""
    ours = machine(tripled(words=1, measured=10**6, time_limit=10**9), Options(period_search=False))
    ours.run(1_000_000)
    before = sizes(ours)
    launches = ours.completed
    ours.run(4_000_000)
    after = sizes(ours)
    assert ours.completed > 3 * launches
    assert after.pop("completions") <= 8 * 2 * (ours.completed + LOOKAHEAD)
    del before["completions"]
    assert before == after


# --- going back and starting again --------------------------------------------------------------------------


def test_going_back_over_forgotten_data() -> None:
    """A snapshot holds no data: the words of its launches come again when the ring has gone over them."""
    ours = machine(tripled(words=1, measured=10**6, time_limit=10**9), Options(period_search=False))
    ours.run(100_000)
    kept = ours.snapshot()
    ours.run(300_000)
    first = view(ours)
    ours.restore(kept)
    assert ours.now == 100_000
    ours.run(300_000)
    assert difference(first, view(ours), "") is None


@pytest.mark.parametrize("until", [700, 60_000])
@pytest.mark.parametrize("every", [0, 40, 730])
def test_another_speed_is_another_machine(until: int, every: int) -> None:
    """A machine that is given another speed starts again and runs as one built with it, whatever it did before."""
    ours, fresh = machine(tripled(words=1)), machine(tripled(every, words=1))
    ours.run(until)
    ours.retime(1, every)
    assert ours.now == -1
    assert ours.run() is fresh.run()
    same(ours, fresh)


def test_a_state_stays_when_the_machine_moves_on() -> None:
    ours, plain = machine(tripled()), machine(tripled(), engine=PlainMachine)
    for m in (ours, plain):
        m.run(1_234)
    kept = ours.state()
    ours.run(2_000)
    assert difference(kept, plain.state(), "") is None
    assert difference(ours.state(), plain.state(), "") is not None
    assert kept.nodes[-1] == kept.nodes[len(kept.nodes) - 1] and kept.nodes[:1] == tuple(kept.nodes)[:1]


def test_reset_after_a_fault() -> None:
    net = tripled()
    ours = CompiledMachine(net, Words(net, out=lambda launch, k: 3 * (100 * launch + k + 1) + (launch == 2)))  # type: ignore[arg-type]
    assert ours.run() is Stop.FAULT
    fault = ours.fault
    assert fault and (fault.code, fault.launch, fault.got, fault.expected) == ("wrong-value", 2, 603, 604)
    ours.reset()
    assert ours.fault is None
    assert ours.run(500) is Stop.UNTIL
    assert ours.run() is Stop.FAULT
    assert ours.fault == fault


@pytest.mark.parametrize("number", range(40))
def test_random_machines_start_again(number: int) -> None:
    """After a reset nothing is left of the run before: not in slots, sums, pages, arrivals or counters."""
    case = case_of(11, number)
    ours, fresh = (CompiledMachine(case.net, case.truth, case.options) for _ in range(2))  # type: ignore[arg-type]
    ours.run()
    ours.run()
    ours.reset()
    assert ours.run() is fresh.run()
    same(ours, fresh)


# --- the benchmark's machines -------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [pipeline(), mesh(3), tree(4)], ids=lambda model: str(model.name))
def test_benchmark_models_on_both_engines(model: Any) -> None:
    ours, plain = (engine(model.netlist, model.workload, Options()) for engine in (CompiledMachine, PlainMachine))
    assert ours.run(30_000) is plain.run(30_000) is Stop.UNTIL
    assert ours.completed > 1
    same(ours, plain)


# --- floats -------------------------------------------------------------------------------------------------


def test_mac_rounds_twice() -> None:
    """(1 + 2^-12)^2 - (1 + 2^-11) is 2^-24 in one rounding; the product alone rounds to 1 + 2^-11 (ties to even)."""
    factor, addend = np.float32(1 + 2**-12), np.float32(-(1 + 2**-11))
    pattern = {"a": int(factor.view(np.int32)), "c": int(addend.view(np.int32))}
    net = make(
        [
            node("a", "stream", array="a"),
            node("m", "mac", b=pattern["a"], c=pattern["c"], is_float=True),
            node("out", "sink", array="out"),
        ],
        [wire("a.value", "m.a"), wire("m.out", "out.value")],
        [array("a", 1, is_float=True), array("out", 1, output=True, is_float=True)],
        tolerance=0.0,
    )
    words = Words(net, a=lambda launch, k: pattern["a"], out=lambda launch, k: 0)
    assert CompiledMachine(net, words).run() is Stop.WINDOW  # type: ignore[arg-type]


# --- compiled code ------------------------------------------------------------------------------------------


def test_one_signature() -> None:
    """Machines without physics share one compiled loop, those with it another: each costs seconds at the start."""
    machine(tripled(), Options(jitter_seed=3, digests=True)).run()
    model = mesh(2)
    CompiledMachine(model.netlist, model.workload).run(1000)
    with_physics = replace(tripled(), physics=("dvfs",))
    machine(with_physics).run()
    of_physics = [signature[-1] for signature in advance.signatures]  # type: ignore[attr-defined]
    assert sorted(str(kind) == "none" for kind in of_physics) == [False, True]


def test_the_cache_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that others can enter, or that is a link, is not used: pickles lie there."""
    monkeypatch.setattr(jit_cache, "user_cache_path", lambda *_a, **_k: tmp_path / "perwatt")
    folder = jit_cache.private_folder()
    assert folder is not None
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    folder.parent.chmod(0o755)
    assert jit_cache.private_folder() is None
    folder.parent.chmod(0o700)
    assert jit_cache.private_folder() == folder
    moved = folder.with_name("elsewhere")
    folder.rename(moved)
    folder.symlink_to(moved)
    assert jit_cache.private_folder() is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs owners of files")
def test_the_cache_belongs_to_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit_cache, "user_cache_path", lambda *_a, **_k: tmp_path / "perwatt")
    assert jit_cache.private_folder() is not None
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    assert jit_cache.private_folder() is None


def test_without_numba_the_import_fails_cleanly() -> None:
    """Callers fall back to the plain engine on ImportError."""
    code = "import sys; sys.modules['numba'] = None\ntry:\n import engine.kernel\nexcept ImportError: print('clean')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "clean\n"
