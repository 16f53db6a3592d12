"""On the levels of physics pass or fail is foreseen from the margins that the workbench shows, on random designs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.model import Design, Level
from engine.simulation import simulate
from game.entries import typed
from game.margins import beyond
from game.offered import Offered, of_cores, of_wires
from levels import load_design, load_level

CHAPTER = Path(__file__).parents[2] / "levels" / "3-physics"
LEVELS = [path for path in sorted(CHAPTER.glob("*.yaml")) if path.name.count(".") == 1]
NAMES = ("voltage_mv", "clock_ticks", "oxide", "encoding", "gap", "track", "gate")
DESIGNS = 50


def random_value(rng: random.Random, one: Offered, now: int | None) -> str:
    """A value of a setting, not far from what it is where it is a number."""
    setting = one.setting
    if setting.kind == "bool":
        return rng.choice(("yes", "no"))
    if setting.kind == "choice":
        return rng.choice(setting.choices)
    near = now if now is not None else setting.default if setting.default is not None else rng.randint(0, setting.high)
    step = max(setting.step, 1 if setting.high < 100 else 5) if setting.name != "clock_ticks" else 4
    value = int(near) + rng.randint(-4, 4) * step
    return str(min(max(value, setting.low), setting.high))


def random_design(rng: random.Random, level: Level, made: Design) -> Design:
    """The design with a few settings otherwise."""
    for _ in range(rng.randint(1, 3)):
        wires, cores = of_wires(level), of_cores(level)
        if wires and (rng.random() < 0.6 or not cores):
            one, index = rng.choice(wires), rng.randrange(len(made.wires))
            name, now = f"wire.{index}.{one.name}", getattr(made.wires[index], one.name)
        elif cores and made.cores:
            one, core = rng.choice(cores), rng.choice(made.cores)
            name, now = f"set.{core.id}.{one.name}", core.set.get(one.name)
        else:  # nothing is offered but places and speeds
            index = rng.randrange(len(made.wires))
            name, now, one = f"speed.{index}", None, None
        if one is not None and one.name not in NAMES:
            continue
        text = f"{rng.randint(8, 40) / 10}ns" if one is None else random_value(rng, one, now)
        found = typed(level, made, name, text, ())
        assert found is not None
        made = found[0]
    return made


def foreseen(path: Path, number: int) -> tuple[bool, bool, object]:
    """Of a random design: whether a margin is not kept, whether it fails by a fault, and what there is to tell."""
    rng = random.Random(number)
    level = load_level(path)
    start = load_design(path.with_name(path.name.replace(".yaml", f".{rng.choice(('naive', 'best'))}.yaml")))
    while True:
        made = random_design(rng, level, start)
        report = simulate(level, made, bound=False)
        if report.verdict in ("pass", "limit", "fault"):
            break
    found = beyond(level, made, report)
    return bool(found), report.verdict == "fault", (path.name, report.fault and report.fault.message, found)


def test_pass_or_fail_is_foreseen_on_the_levels_of_physics() -> None:
    ends = [foreseen(LEVELS[number % len(LEVELS)], number) for number in range(DESIGNS)]
    right = sum(told == fails for told, fails, _ in ends)
    assert right >= 48, [what for told, fails, what in ends if told != fails]
    assert sum(fails for _, fails, _ in ends) >= 4


@pytest.mark.parametrize(
    "name", ["04-trust-but-verify", "05-long-neighbours", "06-a-shield-costs-a-track", "08-upside-down"]
)
def test_it_is_foreseen_on_each_level_of_noise_and_late_bits(name: str) -> None:
    ends = [foreseen(CHAPTER / f"{name}.yaml", 1000 + number) for number in range(DESIGNS)]
    right = sum(told == fails for told, fails, _ in ends)
    assert right >= 48, [what for told, fails, what in ends if told != fails]


@pytest.mark.parametrize("path", LEVELS, ids=lambda path: path.stem)
def test_references_keep_all_margins(path: Path) -> None:
    level = load_level(path)
    for role in ("naive", "best"):
        made = load_design(path.with_name(f"{path.stem}.{role}.yaml"))
        assert not beyond(level, made, simulate(level, made, bound=False)), role
