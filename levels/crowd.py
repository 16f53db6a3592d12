"""The house's machines of a level: made figures to compare one's own with, in a small file beside the level.

``08-shared.crowd.json`` beside ``08-shared.yaml`` holds what 200 variations of the level's own designs scored. They
are made by ``python -m levels.house crowd``, and whoever shows them says so.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path as FilePath

MAX_BYTES = 256 * 1024
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Machine:
    """What a machine scored: launches/nJ, launches/µs, mW, tiles."""

    efficiency: float
    throughput: float
    power: float
    footprint: int


@dataclass(frozen=True, slots=True)
class Crowd:
    """The house's machines of one version of a level, from the least efficient on."""

    level_hash: str
    score_version: int
    machines: tuple[Machine, ...]


def crowd_path(level: FilePath) -> FilePath:
    """Where the crowd of a level file lies."""
    return level.with_name(f"{level.stem}.crowd.json")


def read_crowd(level: FilePath, level_hash: str) -> Crowd | None:
    """The crowd beside a level file; None where there is none, or it is of another version of the level or score."""
    from engine.model import SCORE_VERSION

    try:
        with crowd_path(level).open("rb") as stream:
            tree = json.loads(stream.read(MAX_BYTES))
        machines = tuple(Machine(float(e), float(t), float(p), int(f)) for e, t, p, f in tree["machines"])
        crowd = Crowd(tree["level_hash"], tree["score_version"], machines)
        told = tree["format"]
    except (OSError, ValueError, TypeError, KeyError):
        return None
    sound = all(m.efficiency > 0 and m.throughput > 0 and m.power > 0 and m.footprint > 0 for m in machines)
    same = (told, crowd.level_hash, crowd.score_version) == (FORMAT, level_hash, SCORE_VERSION)
    return crowd if sound and same else None


def crowd_text(level: str, crowd: Crowd) -> str:
    """The file's text: one machine to a line, four significant digits."""
    rows = [f"  [{m.efficiency:.4g}, {m.throughput:.4g}, {m.power:.4g}, {m.footprint}]" for m in crowd.machines]
    head = {
        "format": FORMAT,
        "level": level,
        "made": "by the house: variations of the level's own designs, launches/nJ, launches/us, mW, tiles",
        "level_hash": crowd.level_hash,
        "score_version": crowd.score_version,
    }
    lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    return "{\n" + "\n".join(lines) + '\n "machines": [\n' + ",\n".join(rows) + "\n ]\n}\n"
