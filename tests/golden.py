"""The exact scores of all reference designs: ``python -m tests.golden`` writes them anew.

The rule for the score version: when a score changes while level and design stay as they are (their hashes say so), a
stored score means something else from now on, and ``engine.model.SCORE_VERSION`` is raised first. When a level or a
design was edited, the file is written anew and nothing else happens.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from engine.model import SCORE_VERSION
from engine.simulation import simulate
from levels import campaign, load_design, load_level
from levels.lookup import sibling

FILE = Path(__file__).parent / "golden.json"

Row = dict[str, Any]


def row(level_file: Path, role: str) -> Row:
    """What must not change: a reference's energy (1e-20 J), window (launches and ticks) and hashes."""
    level = load_level(level_file)
    assert level.reference is not None
    report = simulate(level, load_design(sibling(level_file, getattr(level.reference, role))))
    assert report.verdict == "pass", f"{level_file.name}, {role}: {report.verdict}"
    assert report.energy_exact is not None
    assert report.window is not None
    window = report.window
    return {
        "energy": report.energy_exact.total,
        "launches": window.last_launch - window.first_launch + 1,
        "ticks": round((window.end_ns - window.start_ns) * 100),
        "level_hash": report.level_hash,
        "design_hash": report.design_hash,
    }


def rows() -> dict[str, Row]:
    """All references' rows, by "id role"."""
    return {f"{e.id} {role}": row(e.path, role) for e in campaign() for role in ("naive", "best")}


def stored() -> tuple[int, dict[str, Row]]:
    """The score version and the rows of the file."""
    document = json.loads(FILE.read_text(encoding="utf-8"))
    return document["score_version"], document["references"]


def changed_scores(old: dict[str, Row], new: dict[str, Row]) -> list[str]:
    """References whose score is another although neither level nor design changed."""
    hashes = ("level_hash", "design_hash")
    return [
        name
        for name in old.keys() & new.keys()
        if old[name] != new[name] and all(old[name][h] == new[name][h] for h in hashes)
    ]


def main() -> int:
    """Write the file, unless the score version has first to be raised."""
    new = rows()
    if FILE.exists():
        version, old = stored()
        moved = sorted(changed_scores(old, new))
        if moved and version == SCORE_VERSION:
            print(
                f"raise SCORE_VERSION in engine/model.py first: other scores for the same designs: {', '.join(moved)}"
            )
            return 1
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(new[name])}" for name in new)
    FILE.write_text(f'{{"score_version": {SCORE_VERSION}, "references": {{\n{lines}\n}}}}\n', encoding="utf-8")
    print(f"wrote {len(new)} scores")
    return 0


if __name__ == "__main__":
    sys.exit(main())
