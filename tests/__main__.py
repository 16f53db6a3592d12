"""The whole gate in one command: ``python -m tests``.

Every step runs even when one before it failed, so that one run shows everything. Exit code 1 if any failed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _script(name: str) -> str:
    """A console script of this environment, which need not be on PATH."""
    return shutil.which(name, path=str(Path(sys.executable).parent)) or name


def steps() -> list[tuple[str, list[str]]]:
    """What the gate runs: (what it checks, command)."""
    python = sys.executable
    return [
        ("style", [python, "-m", "ruff", "check", "."]),
        ("layout", [python, "-m", "ruff", "format", "--check", "."]),
        ("types", [python, "-m", "mypy"]),
        ("import rules", [_script("lint-imports"), "--no-cache"]),
        # Last, so that its summary stands at the end. -v takes back the -q of pyproject.toml.
        ("tests", [python, "-m", "pytest", "-v", "--no-header", "-n", "2", "--durations=10"]),
    ]


def main() -> int:
    failed = []
    for name, command in steps():
        print(f"== {name}: {' '.join([Path(command[0]).name, *command[1:]])}", flush=True)
        start = time.perf_counter()
        try:
            code = subprocess.run(command, cwd=ROOT, check=False).returncode
        except OSError as error:
            print(f"{command[0]} does not start: {error}. Is this the environment that the README makes?")
            code = 1
        print(f"== {name}: {'good' if code == 0 else 'FAILED'}, {time.perf_counter() - start:.0f} s\n", flush=True)
        if code:
            failed.append(name)
    print("The gate holds." if not failed else f"The gate fails: {', '.join(failed)}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
