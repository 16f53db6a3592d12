"""What a command costs as a whole process, against importing its libraries, in the same run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

resource = pytest.importorskip("resource")
pytest.importorskip("numba")

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = "import numpy, numba, networkx, pydantic"


@pytest.fixture(autouse=True)
def kept_bytecode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python keeps compiled modules, as it does for everyone: a setting against it would tell of the compiler only."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path))


def cpu_seconds(*command: str) -> float:
    """Processor time of a process and what it starts: less shaken by other work than the wall clock."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = (sys.executable, *command)
    subprocess.run(command, cwd=ROOT, env=os.environ, stdout=subprocess.DEVNULL, check=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def compared(*command: str) -> float:
    """Best of five against the best of five, in turns; the first of each fills the folder of compiled modules."""
    pairs = [(cpu_seconds(*command), cpu_seconds("-c", LIBRARIES)) for _ in range(5)]
    return min(p[0] for p in pairs) / min(p[1] for p in pairs)


def test_a_run_costs_little_more_than_its_libraries() -> None:
    assert compared("-m", "game.cli", "run", "gpu-puzzles/01", "best") <= 1.5


def test_help_costs_a_fraction_of_it() -> None:
    assert compared("-m", "game.cli", "--help") <= 0.6
