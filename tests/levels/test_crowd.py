"""The house's machines: one file beside each level, of its present version, the same whenever it is made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.fingerprint import level_hash
from engine.simulation import simulate
from levels.crowd import Crowd, Machine, crowd_path, crowd_text, read_crowd
from levels.files import load_design_file, load_level_file
from levels.house.__main__ import main
from levels.house.crowd import make_crowd, varied
from levels.lookup import campaign, designs_beside, find_level

LEVELS = campaign()


@pytest.mark.parametrize("entry", LEVELS, ids=[entry.id for entry in LEVELS])
def test_every_level_has_its_crowd(entry: Any) -> None:
    crowd = read_crowd(entry.path, level_hash(load_level_file(entry.path).level))
    assert crowd is not None, f"run python -m levels.house crowd {entry.id}"
    assert len(crowd.machines) == 200
    scores = [m.efficiency for m in crowd.machines]
    assert scores == sorted(scores)
    # Efficiency is throughput over power, to the digits that are kept.
    assert all(m.throughput / m.power == pytest.approx(m.efficiency, rel=2e-3) for m in crowd.machines)
    kept = {f"{score:.4g}" for score in scores}
    for role in ("naive", "best"):
        design = load_design_file(designs_beside(entry.path)[role]).design
        metrics = simulate(load_level_file(entry.path).level, design).metrics
        assert metrics is not None
        # Both stand in the crowd; where they do not, the engine counts otherwise than when it was made.
        assert f"{metrics.efficiency_launches_per_nj:.4g}" in kept, f"run python -m levels.house crowd {entry.id}"
    assert "house" in json.loads(crowd_path(entry.path).read_text())["made"]


def test_no_crowd_is_left_over() -> None:
    mine = {crowd_path(entry.path) for entry in LEVELS}
    for folder in {entry.path.parent for entry in LEVELS}:
        assert set(folder.glob("*.crowd.json")) <= mine


def test_it_comes_out_the_same_again_and_holds_the_references() -> None:
    path = find_level("first-light-02-in-step")
    made = make_crowd(path, size=12)
    assert made == make_crowd(path, size=12)
    whole = read_crowd(path, made.level_hash)
    assert whole is not None
    assert {f"{m.efficiency:.4g}" for m in made.machines} <= {f"{m.efficiency:.4g}" for m in whole.machines}


def test_a_variation_keeps_places_and_stopped_wires() -> None:
    from random import Random

    base = load_design_file(designs_beside(find_level("first-light-10-pack-light"))["best"]).design
    before = base.model_copy(deep=True)
    base.wires[0].every_ticks = before.wires[0].every_ticks = None
    for seed in range(40):
        other = varied(base, Random(seed))
        assert base == before
        assert [(c.id, c.at) for c in other.cores] == [(c.id, c.at) for c in base.cores]
        assert [w.path for w in other.wires] == [w.path for w in base.wires]
        assert other.wires[0].every_ticks is None
        assert all(w.every_ticks is None or 10 <= w.every_ticks <= 20_000 for w in other.wires)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"format": 1}',
        '{"format": 2, "level_hash": "h", "score_version": 1, "machines": []}',
        '{"format": 1, "level_hash": "other", "score_version": 1, "machines": []}',
        '{"format": 1, "level_hash": "h", "score_version": 99, "machines": []}',
        '{"format": 1, "level_hash": "h", "score_version": 1, "machines": [[1, 2, 3]]}',
        '{"format": 1, "level_hash": "h", "score_version": 1, "machines": [[0, 2, 3, 4]]}',
        '{"format": 1, "level_hash": "h", "score_version": 1, "machines": [["x", 2, 3, 4]]}',
    ],
)
def test_a_file_that_is_no_crowd_of_this_level_gives_none(tmp_path: Path, text: str) -> None:
    level = tmp_path / "01-x.yaml"
    assert read_crowd(level, "h") is None
    crowd_path(level).write_text(text)
    assert read_crowd(level, "h") is None


def test_what_is_written_is_read(tmp_path: Path) -> None:
    crowd = Crowd("h", 1, (Machine(1.5, 250.0, 166.7, 12), Machine(2.0, 0.5, 0.25, 3)))
    level = tmp_path / "01-x.yaml"
    crowd_path(level).write_text(crowd_text("x", crowd))
    assert read_crowd(level, "h") == crowd


def test_unknown_level_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crowd", "first-light-99-nowhere"]) == 2
    assert "first-light-99-nowhere" in capsys.readouterr().err
