"""Edits are pure, and every sequence of them can be undone to the start and redone to the end."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.elaborate import check_design
from engine.model import Design, Level
from game.editor import edits
from game.editor.edits import Refused
from game.editor.history import History

CORES = ("add", "mul", "relay", "buffer", "max", "tuple")
GEOMETRY = ("overlap", "path-", "off-board", "blocked-tile", "tracks", "duplicate-id", "too-many")


def sandbox(parts: dict[str, int] | None = None) -> Level:
    return Level.model_validate(
        {
            "perwatt": 1,
            "id": "mine-01-sandbox",
            "title": "Sandbox",
            "chapter": "mine",
            "brief": "",
            "kernel": {
                "arrays": {"a": {"shape": [4], "data": {}}, "out": {"shape": [4]}},
                "truth": "out[t] = a[t]",
            },
            "board": {"size": [14, 9], "blocked": [[6, 0, 2, 3]]},
            "pads": [
                {"id": "a", "core": "stream", "at": [0, 4]},
                {"id": "out", "core": "sink", "at": [13, 4]},
            ],
            "parts": parts,
            "standby_uw": 100,
        }
    )


def empty(level: Level) -> Design:
    return Design(perwatt=1, level=level.id)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["place", "delete", "move", "connect", "speed", "value", "rename", "paste", "mirror", "branch", "reroute"]
        ),
        st.integers(0, 2**20),
        st.integers(0, 13),
        st.integers(0, 8),
        st.booleans(),
    ),
    max_size=14,
)


def apply(level: Level, design: Design, step: tuple[str, int, int, int, bool]) -> Design:
    """One random edit; a refused one leaves the design as it is."""
    kind, n, x, y, flag = step
    ids = [core.id for core in design.cores]
    some = set(ids[n % len(ids) :][: 1 + n % 3]) if ids else set()
    try:
        match kind:
            case "place":
                core = CORES[n % len(CORES)]
                given_settings: dict[str, Any] = {"slots": 1 + n % 8} if core == "buffer" else {}
                return edits.place(level, design, core, (x, y), given_settings)[0]
            case "delete" if ids:
                return edits.delete(design, some if flag else (), {n % max(1, len(design.wires))})
            case "move" if ids:
                return edits.move(level, design, some, (x - 6, y - 4))
            case "connect" if ids:
                sources = ["a.value", *(f"{i}.out" for i in ids)]
                targets = ["out.value", *(f"{i}.{p}" for i in ids for p in ("a", "b", "in"))]
                via = [(x, y)] if flag else []
                return edits.connect(
                    level, design, sources[n % len(sources)], targets[(n >> 5) % len(targets)], every_ticks=100, via=via
                )
            case "speed" if design.wires:
                return edits.set_speeds(design, {n % len(design.wires): None if flag else 10 + n % 3000})
            case "value" if ids:
                return edits.set_value(design, ids[n % len(ids)], "b", None if flag else n)
            case "rename" if ids:
                return edits.rename(level, design, ids[n % len(ids)], f"core{n % 50}")
            case "paste" if ids:
                return edits.paste(level, design, edits.copy(design, some), (x, y))[0]
            case "mirror" if ids:
                return edits.paste(level, design, edits.mirror(edits.copy(design, some), flag), (x, y))[0]
            case "branch" if design.wires:
                return edits.branch(level, design, n % len(design.wires))[0]
            case "reroute" if design.wires:
                return edits.reroute(level, design, n % len(design.wires), [(x, y)] if flag else [])
    except Refused as refused:
        assert str(refused)
    return design


def geometry(level: Level, design: Design) -> list[str]:
    return [p.message for p in check_design(level, design) if p.code.startswith(GEOMETRY)]


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(STEPS, st.lists(st.integers(0, 3), max_size=14))
def test_undo_all_gives_the_start_and_redo_all_the_end(steps: list[Any], gestures: list[int]) -> None:
    level = sandbox()
    history = History(empty(level))
    start = history.design.model_copy(deep=True)
    frozen: list[tuple[Design, Design]] = []
    for i, step in enumerate(steps):
        before = history.design
        after = apply(level, before, step)
        frozen.append((after, after.model_copy(deep=True)))
        assert geometry(level, after) == []
        how = gestures[i] if i < len(gestures) else 0
        if how == 0:
            history.do(after, step[0])
        elif how == 1:
            history.begin()
            history.preview(before)
            history.preview(after)
            history.commit(step[0])
        elif how == 2:
            history.preview(after)
            assert history.undo() == "gesture"
            assert history.design == before
        else:
            history.preview(after)
            history.cancel()
            assert history.design == before
    end = history.design.model_copy(deep=True)
    while history.undo() is not None:
        pass
    assert history.design == start
    while history.redo() is not None:
        pass
    assert history.design == end
    # No edit changed a design that had been handed out.
    assert all(shown == copied for shown, copied in frozen)


def two_adders(level: Level) -> Design:
    design, _ = edits.place(level, empty(level), "add", (3, 4), {"b": 1})
    design, _ = edits.place(level, design, "add", (9, 4), {"b": 2})
    design = edits.connect(level, design, "a.value", "add1.a", every_ticks=100)
    design = edits.connect(level, design, "add1.out", "add2.a", every_ticks=200)
    return edits.connect(level, design, "add2.out", "out.value", every_ticks=None)


def test_moving_a_core_takes_its_wires_along_and_keeps_their_speeds() -> None:
    level = sandbox()
    design = edits.move(level, two_adders(level), {"add1"}, (0, -2))
    assert next(c.at for c in design.cores if c.id == "add1") == (3, 2)
    assert [w.every_ticks for w in design.wires] == [100, 200, None]
    assert design.wires[0].path[-1] == (3, 2)
    assert design.wires[2] is two_adders(level).wires[2] or design.wires[2] == two_adders(level).wires[2]


def test_what_does_not_fit_says_why() -> None:
    level = sandbox({"add": 2, "*": 0})
    design = two_adders(level)
    with pytest.raises(Refused, match="no add left: all 2 are in use"):
        edits.place(level, design, "add", (5, 6))
    with pytest.raises(Refused, match="this level has no mul"):
        edits.place(level, design, "mul", (5, 6))
    with pytest.raises(Refused, match="off the board"):
        edits.move(level, design, {"add1"}, (-9, 0))
    with pytest.raises(Refused, match="there is already an element called out"):
        edits.rename(level, design, "add1", "out")
    with pytest.raises(Refused, match="nothing to paste"):
        edits.paste(level, design, edits.copy(design, ()), (1, 1))


def test_a_wire_takes_the_place_of_an_immediate() -> None:
    level = sandbox()
    design = edits.connect(level, two_adders(level), "a.value", "add2.b", every_ticks=100)
    assert next(c.set for c in design.cores if c.id == "add2") == {}
    assert [w.to for w in design.wires][-1] == ["add2.b"]


@pytest.mark.parametrize(
    ("every", "notches", "fine", "detent", "expected"),
    [
        (400, 1, False, None, 364),
        (400, -1, False, None, 440),
        (50, 1, False, None, 45),
        (12, 1, False, None, 11),
        (400, 1, True, None, 396),
        (400, -1, True, None, 404),
        (42, 1, True, None, 41),
        (430, 3, False, 415, 415),
        (430, 1, True, 429, 429),
        (520, 1, False, None, 500),
        (520, 1, True, None, 515),
        (430, 2, False, 387, 387),
        (400, 1, False, 400, 364),
        (10, 5, False, None, 10),
        (398, -1, False, 400, 400),
        (1_000_000, -1, False, None, 1_000_000),
    ],
)
def test_the_wheel(every: int, notches: int, fine: bool, detent: int | None, expected: int) -> None:
    assert edits.notch(every, notches, fine, detent) == expected


def test_mirroring_twice_is_nothing() -> None:
    level = sandbox()
    blueprint = edits.copy(two_adders(level), {"add1", "add2"})
    assert edits.mirror(edits.mirror(blueprint)) == blueprint
    assert edits.mirror(edits.mirror(blueprint, rows=True), rows=True) == blueprint
