"""Levels and designs in a few words, for tests of the way from a design to a netlist."""

from __future__ import annotations

from typing import Any

from engine.model import Design, Level


def level(
    arrays: dict[str, Any],
    pads: list[dict[str, Any]],
    *,
    size: tuple[int, int] = (16, 9),
    threads: dict[str, Any] | None = None,
    tracks: int = 8,
    standby_uw: float = 1000,
    **more: Any,
) -> Level:
    """A level whose outputs are the ``arrays`` without data."""
    return Level.model_validate(
        {
            "perwatt": 1,
            "id": "tests-01-machine",
            "title": "A machine",
            "chapter": "tests",
            "brief": "For a test.",
            "kernel": {"arrays": arrays, "truth": "out[i] = 0"},
            "threads": threads,
            "board": {"size": size, "tracks": tracks},
            "pads": pads,
            "standby_uw": standby_uw,
            **more,
        }
    )


def streams(words: int = 8, **more: Any) -> Level:
    """One stream ``s`` at [0, 4] and one sink ``out`` at [15, 4]."""
    return level(
        {"s": {"shape": [words], "data": {}}, "out": {"shape": [words]}},
        [{"id": "s", "core": "stream", "at": [0, 4]}, {"id": "out", "core": "sink", "at": [15, 4]}],
        **more,
    )


def core(id: str, core: str, at: tuple[int, int], **settings: Any) -> dict[str, Any]:
    """A core; a trailing underscore in a setting's name is dropped (``in_``), two stand for a point."""
    names = {name.rstrip("_").replace("__", "."): value for name, value in settings.items()}
    return {"id": id, "core": core, "at": at, "set": names}


def wire(source: str, to: str | list[str], *path: tuple[int, int], every_ns: float | None = 1) -> dict[str, Any]:
    """A wire; ``every_ns`` None is a stopped one."""
    speed = {"speed": 0} if every_ns is None else {"every_ns": every_ns}
    return {"from": source, "to": to, "path": path, **speed}


def design(cores: list[dict[str, Any]], wires: list[dict[str, Any]], **more: Any) -> Design:
    return Design.model_validate({"perwatt": 1, "level": "tests-01-machine", "cores": cores, "wires": wires, **more})
