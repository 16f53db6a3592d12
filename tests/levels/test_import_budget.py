"""Reading files imports little, and hostile files are refused before the engine is imported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = ROOT / "tests" / "corpus" / "files"
HEAVY = {"numba", "networkx", "numpy", "ruamel", "rich", "typer", "pygame", "sqlite3"}
READING = {
    *("engine", "engine.errors", "engine.model", "engine.problems", "engine.units"),
    *("levels", "levels.codes", "levels.files", "levels.lookup", "levels.migrate", "levels.reader", "levels.validate"),
    "levels.textform",
}

PROBE = """
import json, sys
def peak():
    # Not getrusage: its figure begins with that of the process that started this one.
    try:
        status = open("/proc/self/status").read()
    except OSError:
        return 0
    return int(status.split("VmHWM:")[1].split()[0])
from pathlib import Path
before = peak()
{code}
ours = [name for name in sys.modules if name.split(".")[0] in ("engine", "levels")]
print(json.dumps({{"all": sorted(name.split(".")[0] for name in sys.modules), "ours": ours, "kb": peak() - before}}))
"""


def run(code: str) -> tuple[set[str], set[str], int]:
    """Modules (top names), our modules, and kB of memory that ``code`` costs in a fresh Python."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(code=code)], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    return set(found["all"]), set(found["ours"]), found["kb"]


def test_import_levels_imports_nothing_else() -> None:
    modules, ours, _ = run("import levels")
    assert ours == {"levels"}
    assert not modules & (HEAVY | {"pydantic", "yaml"})


def test_listing_the_campaign_needs_no_models() -> None:
    modules, _, _ = run("from levels import campaign, find_level\ncampaign()")
    assert not modules & (HEAVY | {"pydantic"})


def test_reading_a_level_and_a_design_imports_the_models_only() -> None:
    modules, ours, _ = run(
        "from levels import load_design, load_level\n"
        f"load_level({str(FILES / 'ok-bom.level.yaml')!r})\nload_design({str(FILES / 'ok-minimal.design.yaml')!r})"
    )
    assert not modules & HEAVY
    assert ours <= READING


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("nesting", "b'[' * 1_000_000"),
        ("aliases", "b'a: &a [x]\\nb: [' + b'*a,' * 80_000 + b']'"),
        ("keys", "b''.join(b'k%d: 1\\n' % i for i in range(25_000))"),
        ("scalar", "b'perwatt: 1\\ncores: ' + b'x' * 1_000_000"),
        ("unknown keys", "b'cores: []\\n' + b''.join(b'k%d: 1\\n' % i for i in range(9_000))"),
        ("wrong cores", "b'perwatt: 1\\nlevel: x\\ncores:\\n' + b'  - {at: [x, y]}\\n' * 3_900"),
        ("shapes", f"Path({str(FILES / 'shape-of-a-billion.level.yaml')!r}).read_bytes()"),
        ("zip bomb", "b'PW1:' + base64.b64encode(zlib.compress(b' ' * 180_000_000, 9))"),
    ],
)
def test_hostile_files_are_refused_in_little_memory_before_the_engine_is_imported(
    name: str, make: str, tmp_path: Path
) -> None:
    path = tmp_path / "hostile.yaml"
    maker = f"import base64, zlib\nfrom pathlib import Path\nPath({str(path)!r}).write_bytes({make})"
    subprocess.run([sys.executable, "-c", maker], check=True, timeout=60)
    level = name == "shapes"
    ref = f"Path({str(path)!r}).read_text()" if name == "zip bomb" else repr(str(path))
    modules, ours, kb = run(
        "from engine.errors import InvalidError\n"
        "from levels import load_design, load_level\n"
        f"try:\n    {'load_level' if level else 'load_design'}({ref})\n"
        "except InvalidError as error:\n    assert str(error)\n"
        "else:\n    raise SystemExit('was not refused')"
    )
    assert not modules & HEAVY
    assert ours <= READING
    assert kb <= 50_000
    assert kb or sys.platform != "linux"
