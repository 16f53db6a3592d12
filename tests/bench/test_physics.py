"""What physics costs the compiled engine: its chapter's machines with all modules on against the same ones without.

A ratio of processor time for each event, taken in turns in one run.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

pytest.importorskip("numba")

from engine.catalog import SUPPLY_SETTINGS
from engine.elaborate import elaborate
from engine.kernel import CompiledMachine
from engine.machine import Options
from engine.model import MODULES, Design, Level, PhysicsSpec
from engine.simulation import with_launches
from engine.truth import Workload
from levels import load_design, load_level

CHAPTER = Path(__file__).parents[2] / "levels" / "3-physics"
ALL = PhysicsSpec.model_validate({module: {} for module in MODULES})
OF_WIRES = ("voltage_mv", "encoding", "receiver", "gap", "track", "gate", "sleep_after", "ahead")
LAUNCHES, ROUNDS = 2000, 3
LEAST = 0.4


def bare(design: Design) -> Design:
    """The design without anything that only physics knows."""
    wires = [wire.model_copy(update=dict.fromkeys(OF_WIRES)) for wire in design.wires]
    cores = [core.model_copy(update={"set": plain(core.set)}) for core in design.cores]
    pads = {pad: plain(settings) for pad, settings in design.pads.items()}
    return design.model_copy(update={"wires": wires, "cores": cores, "pads": pads, "shields": []})


def plain(settings: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in settings.items() if name not in SUPPLY_SETTINGS}


def seconds_per_event(level: Level, design: Design) -> float:
    netlist = with_launches(elaborate(level, design), LAUNCHES)
    machine = CompiledMachine(netlist, Workload(level), Options(period_search=False))
    machine.run(1000)
    events, start = machine.events, time.process_time()
    machine.run()
    return (time.process_time() - start) / (machine.events - events)


def test_with_all_modules_on_the_engine_keeps_two_fifths_of_its_speed() -> None:
    """On each of the chapter's references, which use one or two modules in earnest."""
    ratios = {}
    for path in sorted(CHAPTER.glob("*.best.yaml")):
        level, design = load_level(path.with_name(path.name.replace(".best", ""))), load_design(path)
        on, off = level.model_copy(update={"physics": ALL}), level.model_copy(update={"physics": PhysicsSpec()})
        pairs = [(seconds_per_event(on, design), seconds_per_event(off, bare(design))) for _ in range(ROUNDS)]
        ratios[path.name] = min(b for _, b in pairs) / min(a for a, _ in pairs)
    print({name: round(ratio, 2) for name, ratio in ratios.items()})
    assert len(ratios) >= 12
    assert min(ratios.values()) >= LEAST, ratios
