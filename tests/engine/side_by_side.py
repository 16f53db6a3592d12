"""Wires side by side on a board with crosstalk: each from its own stream to its own sink."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.model import Design, Level

ANY = {"kind": "any", "low": -(2**31), "high": 2**31 - 1}


def board(count: int, length: int, data: Any = ANY, words: int = 16, measured: int = 40, **physics: Any) -> Level:
    """A level with ``count`` streams on the left and as many sinks on the right, ``length`` + 2 columns apart."""
    names = range(count)
    arrays = {f"s{i}": {"shape": [words], "data": data} for i in names} | {f"q{i}": {"shape": [words]} for i in names}
    return Level.model_validate(
        {
            "perwatt": 1,
            "id": "side-01-by-side",
            "title": "Side by side",
            "chapter": "side",
            "brief": "",
            "kernel": {"arrays": arrays, "truth": "\n".join(f"q{i}[k] = s{i}[k]" for i in names)},
            "board": {"size": [length + 3, max(2 * count, 2)], "tracks": 2 * count + 2},
            "pads": [{"id": f"s{i}", "core": "stream", "at": [0, 2 * i], "every_ns": 1} for i in names]
            + [{"id": f"q{i}", "core": "sink", "at": [length + 2, 2 * i], "every_ns": 1} for i in names],
            "standby_uw": 100,
            "physics": {"crosstalk": {}, "dvfs": {}, **physics},
            "launches": {"warmup": 2, "measured": measured},
        }
    )


def wire(i: int, row: int, length: int, start: int = 1, **more: Any) -> dict[str, Any]:
    """A wire that runs along ``row`` from column ``start`` for ``length`` tiles."""
    y, end = 2 * i, start + length
    last = more.pop("last", end + 1)
    path = [[0, y], [start, y], [start, row], [end, row], [end, y], [last, y]]
    return {"from": f"s{i}.value", "to": f"q{i}.value", "path": path, "every_ns": 1, **more}


def design(wires: Sequence[Mapping[str, Any]], **more: Any) -> Design:
    """A design of such wires."""
    return Design.model_validate({"perwatt": 1, "level": "side-01-by-side", "wires": list(wires), **more})
