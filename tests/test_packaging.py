"""What is installed, and that the gate and the README mean the same command."""

from __future__ import annotations

import os
import re
import shlex
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """A wheel of this tree."""
    from hatchling.builders.wheel import WheelBuilder

    target = tmp_path_factory.mktemp("wheel")
    [path] = WheelBuilder(str(ROOT)).build(directory=str(target), versions=["standard"])
    return zipfile.ZipFile(path)


def test_the_wheel_carries_all_data(wheel: zipfile.ZipFile) -> None:
    packed = set(wheel.namelist())
    for package in ("engine", "levels", "game", "assets"):
        for path in (ROOT / package).rglob("*"):
            name = path.relative_to(ROOT).as_posix()
            if path.is_file() and "__pycache__" not in name:
                assert name in packed


def test_the_wheel_carries_nothing_else(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"engine", "levels", "game", "assets"}


def test_the_command_and_the_plugin_are_declared(wheel: zipfile.ZipFile) -> None:
    [name] = [n for n in wheel.namelist() if n.endswith("entry_points.txt")]
    text = wheel.read(name).decode()
    assert "perwatt = game.cli:main" in text
    assert re.search(r"\[pytest11\]\s+perwatt = levels\.pytest_plugin", text)


def readme_commands() -> list[str]:
    """The one-line commands of the README's first section."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    setup = text.split("\n## ")[1]
    return [line.strip() for line in setup.splitlines() if line.startswith("    ")]


def test_the_readme_begins_with_the_two_set_up_commands() -> None:
    unix = [c for c in readme_commands() if c.startswith("python3 ")]
    windows = [c for c in readme_commands() if c.startswith("py ")]
    assert len(unix) == len(windows) == 2
    assert "pip install ." in unix[0]
    assert unix[1].endswith("python -m tests")


def test_ci_calls_the_readmes_command_and_nothing_else() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK) or os.name == "nt"
    lines = [line for line in script.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    unix = [c for c in readme_commands() if c.startswith("python3 ")]
    assert lines[-1] == unix[1]


def test_every_step_of_the_gate_is_run_by_this_python() -> None:
    import sys

    from tests.__main__ import steps

    names = [name for name, _ in steps()]
    assert names == ["style", "layout", "types", "import rules", "tests"]
    assert all(Path(command[0]).parent == Path(sys.executable).parent for _, command in steps())
    assert "--strict" in shlex.join(steps()[2][1]) or "strict = true" in (ROOT / "pyproject.toml").read_text()


DISTRIBUTIONS = {
    "yaml": "pyyaml",
    "ruamel": "ruamel.yaml",
    "pygame": "pygame-ce",
    "PIL": "pillow",
    "i18n": "pygame_gui",
    "llvmlite": "numba",
    "annotated_types": "pydantic",
    "pydantic_core": "pydantic",
}
"""What a module's distribution is called where the name differs, or what brings the module along."""


def test_what_is_imported_is_installed() -> None:
    import ast
    import sys
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[<>=;\s\[]", text)[0].lower() for text in project["dependencies"]}
    for extra, texts in project["optional-dependencies"].items():
        if extra != "dev":
            declared |= {re.split(r"[<>=;\s\[]", text)[0].lower() for text in texts}
    imported: dict[str, str] = {}
    for package in ("engine", "levels", "game"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
                imported |= {name.partition(".")[0]: path.name for name in names}
    own = {"engine", "levels", "game", "assets", "tests", "pytest", "simpy"}
    wanted = {DISTRIBUTIONS.get(m, m) for m in imported.keys() - own - sys.stdlib_module_names}
    assert wanted - declared == set()
