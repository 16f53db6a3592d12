"""Killed at random moments of saving, or saving two at a time: see :mod:`tests.levels.kills`.

PERWATT_KILLS sets how many processes each test kills; 100 by default.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("PERWATT_KILLS", "100"))

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the victims are forked")


def run(kind: str, data: Path, seed: int = 1) -> dict[str, int]:
    command = [sys.executable, "-m", "tests.levels.kills", kind, str(KILLS), str(seed), str(data)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60 + KILLS, check=False)
    assert done.returncode == 0, done.stderr
    counts: dict[str, int] = json.loads(done.stdout)
    return counts


def test_a_killed_save_leaves_the_last_state_or_the_one_before(tmp_path: Path) -> None:
    counts = run("saves", tmp_path)
    # The kills met saves at work: temporary files were left, and cleared later.
    assert counts["left over"] > 0
    assert counts["saves"] > 0


def test_a_killed_change_of_the_shelf_loses_no_design(tmp_path: Path) -> None:
    assert run("moves", tmp_path)["acts"] > 0


def test_a_killed_record_loses_no_run_that_was_recorded(tmp_path: Path) -> None:
    counts = run("runs", tmp_path)
    assert counts["runs"] > 0
    assert counts["journals"] > 0


def test_two_processes_save_the_same_design_and_record_runs(tmp_path: Path) -> None:
    assert run("together", tmp_path) == {"versions": 120, "runs": 120}
