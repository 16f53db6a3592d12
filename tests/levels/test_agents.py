"""The environment for agents: Gymnasium's own checker, determinism, masks, rewards."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import levels.agents  # noqa: E402
from engine.energy_bound import energy_limit  # noqa: E402
from engine.errors import UsageError  # noqa: E402
from engine.live import LiveScore  # noqa: E402
from engine.simulation import simulate  # noqa: E402
from levels.agents.env import FLOOR, PerwattEnv  # noqa: E402
from levels.agents.moves import VERBS, Bench, Move, Moves  # noqa: E402
from levels.agents.views import CODES, observe, space  # noqa: E402
from tests.engine.test_limits_of_physics import everything, plan  # noqa: E402
from tests.levels.searching import load  # noqa: E402

LEVELS = [
    ("first-light/01", "empty"),
    ("first-light/02", "naive"),
    ("gpu-puzzles/09", "best"),
    ("gpu-puzzles/14b", "naive"),
]


@pytest.fixture
def strict() -> Iterator[None]:
    """Every warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize(("level", "start"), LEVELS)
def test_gymnasiums_checker_has_nothing_to_say(strict: None, level: str, start: str) -> None:
    env = gymnasium.make(levels.agents.ID, level=level, start=start, render_mode="ansi")
    check_env(env.unwrapped)


def random_walk(level: str, start: str, steps: int, seed: int, masked: bool = True) -> list[Any]:
    """All that an agent gets that draws its actions."""
    env = gymnasium.make(levels.agents.ID, level=level, start=start, max_steps=40, data_seed=None)
    env.action_space.seed(seed)
    seen = [env.reset(seed=seed)]
    for _ in range(steps):
        action = env.action_space.sample(seen[-1][-1]["action_mask"] if masked else None)
        seen.append(env.step(action))
        assert env.observation_space.contains(seen[-1][0])
        if seen[-1][2] or seen[-1][3]:
            seen.append(env.reset())
    return seen


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize(("level", "start"), LEVELS)
def test_random_agents_run(strict: None, level: str, start: str, masked: bool) -> None:
    random_walk(level, start, 60, 1, masked)


def flat(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: flat(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [flat(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def test_the_same_seed_gives_the_same() -> None:
    first = flat(random_walk("gpu-puzzles/09", "best", 50, 7))
    assert first == flat(random_walk("gpu-puzzles/09", "best", 50, 7))
    assert first != flat(random_walk("gpu-puzzles/09", "best", 50, 8))


def test_every_number_is_one_move() -> None:
    level, _ = load("first-light/02")
    moves = Moves(level, 3, 4)
    read = [moves.read(n) for n in range(moves.count)]
    assert [moves.number(move) for move in read] == list(range(moves.count))
    assert {move.what for move in read} == set(VERBS) - {"physics", "shield"}
    for wrong in (-1, moves.count):
        with pytest.raises(UsageError):
            moves.read(wrong)
    bare = Moves(load("first-light/01")[0], 3, 4)
    assert "place" not in {bare.read(n).what for n in range(bare.count)}, "there are no cores on this level"


def test_all_that_physics_lets_be_set_is_a_move_and_is_seen() -> None:
    level = everything()
    moves = Moves(level, 2, 8)
    some = [*range(10), *range(10, moves.count, 7)]
    read = [moves.read(n) for n in some]
    assert [moves.number(move) for move in read] == some
    assert {move.what for move in read} == set(VERBS)
    settings = {"voltage_mv", "track", "encoding", "gap", "gate", "sleep_after", "ahead"}
    assert {name for name, _ in moves.wire_options} == settings
    assert {"voltage_mv", "clock_ticks", "oxide", "gate"} <= {name for name, _ in moves.options["add"]}
    assert ("gate", True) in moves.pad_options["far"] and not moves.pad_options["s"]

    bench = Bench(moves, plan(random.Random(2)))
    live = LiveScore(level)
    live.edit(bench.design())
    before = observe(bench, live.finish(), None)
    assert space(moves).contains(before) and before["wires"][5, 0] >= 0
    made = {"voltage_mv": 1000, "encoding": "secded", "gap": 75, "gate": True, "track": 3}
    for name, value in made.items():
        bench.make(Move("physics", (5, moves.wire_options.index((name, value)))))
    bench.make(Move("set", (4, moves.options["add"].index(("gate", True)))))
    bench.make(Move("set", (moves.pads.index("far"), bench.options(moves.pads.index("far")).index(("gate", True)))))
    bench.make(Move("shield", (5, 6)))
    design = bench.design()
    assert {name: getattr(design.wires[5], name) for name in made} == made
    assert design.cores[0].set["gate"] is True and design.pads["far"]["gate"] is True
    assert [shield.path for shield in design.shields] == [design.wires[5].path]
    live.edit(design)
    figure = live.finish()
    seen = observe(bench, figure, None)
    assert space(moves).contains(seen) and bench.mask()[moves.number(Move("shield", (5, 0)))]
    assert seen["wire_physics"][5, :5].tolist() == pytest.approx([1.0, CODES.index("secded"), 0.75, 0.5, 1])
    assert seen["element_physics"][4, 3] == 1 and seen["shields"].sum() == 6
    assert figure.verdict == "pass"
    assert seen["wire_physics"][5, 5] > 0 and seen["element_physics"][4, 4] > 0 and seen["element_physics"][4, 5] > 0
    bench.make(Move("shield", (5, 6)))
    assert bench.design().shields == []


def act(env: PerwattEnv, what: str, *detail: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
    return env.step(env.moves.number(Move(what, detail)))


def test_an_agent_that_knows_how_solves_a_level() -> None:
    """a → add → out: the reward of all moves together is what the machine is worth."""
    env = PerwattEnv("first-light/02")
    _, info = env.reset(seed=0)
    assert (info["verdict"], info["score"]) == ("invalid", FLOOR)
    [add] = [k for k, kind in enumerate(env.moves.kinds) if kind.name == "add"]
    tile = 2 * env.moves.columns + 7
    total = 0.0
    ten = env.moves.options["add"].index(("b", 10))
    moves = [("place", add, tile), ("connect", 0, 0, 2, 0), ("set", 2, ten), ("connect", 2, 0, 1, 0), ("match",)]
    for what, *detail in moves:
        assert info["action_mask"][env.moves.number(Move(what, tuple(detail)))] == 1  # type: ignore[arg-type]
        seen, reward, ended, cut, info = act(env, what, *detail)  # type: ignore[arg-type, misc]
        assert (ended, cut, info["refused"]) == (False, False, "")
        total += reward
    assert info["verdict"] == "pass"
    report = simulate(env.level, env.design, bound=False)
    assert report.metrics
    assert info["efficiency"] == report.metrics.efficiency_launches_per_nj
    limit = energy_limit(env.level).launches_per_nj
    assert limit
    assert info["score"] == math.log(info["efficiency"] / limit) == pytest.approx(total + FLOOR)
    assert seen["figures"][0] == pytest.approx(math.log(info["efficiency"]))
    assert seen["energy"].sum() == pytest.approx(1)
    assert seen["board"][1, 2, 7] > 0
    assert (seen["wires"][:2, 0] == [0, 2]).all()
    _, reward, _, _, info = act(env, "remove", 0)
    assert (info["verdict"], info["score"]) == ("invalid", FLOOR)
    assert reward == pytest.approx(-total)
    _, reward, ended, cut, _ = act(env, "finish")
    assert (reward, ended, cut) == (0.0, True, False)


def test_what_is_refused_changes_nothing() -> None:
    env = PerwattEnv("first-light/02", start="best", max_steps=30)
    first, info = env.reset()
    for number in range(env.moves.starts["place"], env.moves.starts["connect"], 97):
        assert info["action_mask"][number] == 0, "the level has one adder, and it is placed"
    seen, reward, _, _, info = act(env, "place", 0, 0)
    assert info["refused"]
    assert reward == 0
    assert flat(seen) == flat(first)


@pytest.mark.parametrize(("level", "start"), [("first-light/02", "best"), ("gpu-puzzles/09", "naive")])
def test_what_the_mask_leaves_out_would_be_refused(level: str, start: str) -> None:
    env = PerwattEnv(level, start=start)  # type: ignore[arg-type]
    _, info = env.reset()
    out = np.flatnonzero(info["action_mask"] == 0)
    draw = np.random.default_rng(0)
    for number in draw.choice(out, min(len(out), 200), replace=False):
        assert env.step(number)[4]["refused"], env.decode(int(number))


def test_most_of_what_the_mask_lets_through_is_done() -> None:
    env = PerwattEnv("gpu-puzzles/09", start="naive")
    _, info = env.reset()
    allowed = np.flatnonzero(info["action_mask"])
    draw = np.random.default_rng(0)
    refused = 0
    for number in draw.choice(allowed, 100, replace=False):
        env.reset()
        refused += bool(env.step(number)[4]["refused"])
    assert refused < 30


def test_an_episode_is_cut_off() -> None:
    env = PerwattEnv("first-light/01", max_steps=2)
    env.reset()
    assert act(env, "speed", 0, 0)[3] is False
    assert act(env, "speed", 0, 0)[3] is True


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"start": "worst"}, "empty"),
        ({"start": "start"}, "has no design"),
        ({"max_cores": 0}, "max_cores"),
        ({"render_mode": "human"}, "ansi"),
    ],
)
def test_wrong_use_is_told(options: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        PerwattEnv("first-light/01", **options)
    with pytest.raises(UsageError, match="max_wires"):
        PerwattEnv("gpu-puzzles/14b", start="naive", max_wires=4)


def test_without_gymnasium_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [n for n in sys.modules if n.partition(".")[0] == "gymnasium"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(ImportError, match=r"perwatt\[gym\]"):
        levels.agents.register()
