"""Every level of the campaign holds what it claims, whenever and in whatever order it is checked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from levels import campaign
from levels.check import check_level
from levels.check_many import check_levels, stray_designs
from levels.lookup import campaign_root

LEVELS = campaign()
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("entry", LEVELS, ids=[entry.id for entry in LEVELS])
def test_the_level_holds_what_it_claims(entry: Any) -> None:
    found = check_level(entry.path)
    assert found.id == entry.id
    assert [str(p) for p in found.problems] == []
    assert all(wrong.as_expected for wrong in found.wrong)


def test_no_design_is_left_over() -> None:
    assert stray_designs(campaign_root(), [entry.path for entry in LEVELS]) == []


def test_required_levels_exist_and_come_before() -> None:
    from levels import load_level

    ids = [entry.id for entry in LEVELS]
    for n, entry in enumerate(LEVELS):
        assert set(load_level(entry.path).requires) <= set(ids[:n]), entry.id


def test_a_check_says_the_same_again_in_any_order_under_any_hash_seed() -> None:
    chosen = [str(entry.path) for entry in LEVELS[::7]]

    def answers(paths: list[str], seed: str) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-m", "game.cli", "check", "--json", "-j", "1", *paths],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            timeout=300,
        )
        return {level["id"]: level for level in json.loads(done.stdout)["levels"]}

    assert answers(chosen, "1") == answers(chosen[::-1], "2")


def test_processes_change_nothing() -> None:
    files = [entry.path for entry in LEVELS[1::8]]
    assert check_levels(files, jobs=1) == check_levels(files, jobs=2)
