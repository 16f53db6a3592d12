"""Two hundred machines of the house: variations of a level's own designs, run and measured.

Each takes one of the designs that pass (naive, best, and best with an idea undone), gives some of its wires other
speeds, and some of its multipliers the other make. What does not pass is not counted. The draw is the same every time.
"""

from __future__ import annotations

from pathlib import Path as FilePath
from random import Random

from engine.fingerprint import level_hash
from engine.model import SCORE_VERSION, Design
from engine.units import MIN_EVERY_TICKS
from levels.crowd import Crowd, Machine
from levels.files import load_design_file, load_level_file
from levels.lookup import sibling
from levels.search.task import Job, Scorer

SIZE = 200
TRIES = 4_000
MAKES = {"mul": "mul.serial", "mul.serial": "mul"}
SLOWEST_TICKS = 20_000


def make_crowd(path: FilePath, size: int = SIZE, tries: int = TRIES) -> Crowd:
    """The crowd of the level in the file ``path``: ``size`` machines, or fewer if ``tries`` draws give no more."""
    level = load_level_file(path).level
    names = [level.reference.naive, level.reference.best, *level.levers.values()] if level.reference else []
    bases = [load_design_file(sibling(path, name)).design for name in dict.fromkeys(names)]
    random = Random(f"crowd of {level.id}")
    scorer = Scorer(Job.of(level, bases[0], ())) if bases else None
    machines: list[Machine] = []
    seen: set[str] = set()
    for attempt in range(tries if bases else 0):
        if len(machines) == size or scorer is None:
            break
        # The designs themselves come first, each as it is.
        design = bases[attempt] if attempt < len(bases) else varied(bases[random.randrange(len(bases))], random)
        allowed = level.parts is None or all(c.core in level.parts or level.parts.get("*") for c in design.cores)
        text = design.model_dump_json(include={"pads", "cores", "wires"})
        if text in seen or not allowed:
            continue
        seen.add(text)
        score = scorer.score_design(design)
        if score.verdict == "pass" and score.efficiency and score.throughput and score.power and score.footprint:
            machines.append(Machine(score.efficiency, score.throughput, score.power, score.footprint))
    machines.sort(key=lambda m: (m.efficiency, m.throughput, -m.footprint))
    return Crowd(level_hash(level), SCORE_VERSION, tuple(machines))


def varied(base: Design, random: Random) -> Design:
    """A copy with other speeds on some wires (a quarter to four times the time per word) and other makes."""
    design = base.model_copy(deep=True)
    share, spread = random.uniform(0.1, 1.0), random.uniform(0.3, 2.0)
    overall = 2 ** random.uniform(-spread, spread) if random.random() < 0.3 else 1.0
    for wire in design.wires:
        if wire.every_ticks and random.random() < share:
            ticks = round(wire.every_ticks * overall * 2 ** random.uniform(-spread, spread))
            wire.every_ticks = min(max(ticks, MIN_EVERY_TICKS), SLOWEST_TICKS)
    for core in design.cores:
        if core.core in MAKES and random.random() < 0.25:
            core.core = MAKES[core.core]
    return design
