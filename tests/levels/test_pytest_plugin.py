"""The pytest plugin, in a pytest of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.levels.test_check import BEST, LEVEL, LEVEL_FILE, Change, write

ROOT = Path(__file__).resolve().parents[2]


def run_pytest(folder: Path, *args: str) -> str:
    """The output of pytest on a folder, with the plugin loaded as an installed one is."""
    installed = any(e.value == "levels.pytest_plugin" for e in entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "levels.pytest_plugin"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", *plugin, *args, "."],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.stdout + done.stderr


def outcomes(output: str) -> dict[str, str]:
    return dict(re.findall(r"^(\S+\.yaml::\S+) (PASSED|FAILED|SKIPPED)", output, re.MULTILINE))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, {})
    (tmp_path / "data.yaml").write_text("not: a level\nperwatt-like: 1\n")
    (tmp_path / "broken.yaml").write_text("a: [\n")
    return tmp_path


def test_one_item_per_claim(folder: Path) -> None:
    found = outcomes(run_pytest(folder))
    assert found == {
        f"{LEVEL_FILE}::{name}": "PASSED"
        for name in ("schema", "reference[naive]", "reference[best]", "wrong[half]", "medals", "levers")
    }


@pytest.mark.parametrize(
    ("change", "failing", "message"),
    [
        ({"05-double.wrong-half.yaml": BEST}, {"wrong[half]"}, "05-double.wrong-half.yaml passes"),
        ({LEVEL_FILE: LEVEL + "medals: {bronze: 1, silver: 2, gold: 3}\n"}, {"medals"}, "the references now give"),
        ({LEVEL_FILE: ("{id: a, core: stream", "{id: a, array: zz, core: stream")}, {"schema"}, "zz"),
        ({LEVEL_FILE: ("goal: speed", "gaol: speed")}, {"schema"}, "did you mean 'goal'?"),
    ],
)
def test_the_claim_that_does_not_hold_fails(folder: Path, change: Change, failing: set[str], message: str) -> None:
    write(folder, change)
    output = run_pytest(folder)
    assert {name.split("::")[1] for name, how in outcomes(output).items() if how == "FAILED"} == failing
    assert message in output
    assert "Traceback" not in output


def test_the_plugin_imports_pytest_and_the_standard_library_only() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import levels.pytest_plugin; print(*set(sys.modules) - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert {name for name in done.stdout.split() if name.partition(".")[0] not in sys.stdlib_module_names} <= {
        "levels",
        "levels.pytest_plugin",
    }


def test_other_yaml_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "late.yaml").write_text("#" * 5000 + "\nperwatt: 1\nkernel: {}\n")
    (tmp_path / "inner.yaml").write_text("x:\n  perwatt: 1\n  kernel: {}\n")
    assert "no tests ran" in run_pytest(tmp_path)
