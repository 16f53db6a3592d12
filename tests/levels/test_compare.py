"""Counting edits between designs."""

from __future__ import annotations

import pytest

from engine.model import Design
from levels.compare import differences

BASE = {
    "perwatt": 1,
    "level": "x",
    "cores": [
        {"id": "sum", "core": "add", "at": [4, 1], "set": {"b": 1}},
        {"id": "keep", "core": "guard", "at": [2, 1], "set": {"limits": [4]}},
    ],
    "wires": [
        {"from": "a.value", "to": "keep.in", "path": [[0, 1], [2, 1]], "every_ns": 1},
        {"from": "keep.out", "to": "sum.a", "path": [[2, 1], [4, 1]], "every_ns": 1},
        {"from": "sum.out", "to": "out.value", "path": [[4, 1], [8, 1]], "every_ns": 1},
    ],
}


def made(**changes: object) -> Design:
    return Design.model_validate({**BASE, **changes})


def kinds(other: Design) -> list[str]:
    return [change.kind for change in differences(made(), other)]


CORES, WIRES = BASE["cores"], BASE["wires"]
assert isinstance(CORES, list)
assert isinstance(WIRES, list)


@pytest.mark.parametrize(
    ("other", "edits"),
    [
        (made(), []),
        (made(name="another", note="text"), []),
        (made(wires=WIRES[::-1], cores=CORES[::-1]), []),
        (made(cores=[{**CORES[0], "set": {"b": 2}}, CORES[1]]), ["setting"]),
        (made(cores=[{**CORES[0], "core": "sub"}, CORES[1]]), ["core exchanged"]),
        (made(pads={"a": {"other": 0}}), ["setting"]),
        (made(wires=[*WIRES[:2], {**WIRES[2], "every_ns": 2}]), ["speed"]),
        (made(wires=[*WIRES[:2], {**WIRES[2], "voltage_mv": 700}]), ["voltage"]),
        (made(wires=[*WIRES[:2], {**WIRES[2], "track": 0}]), ["track"]),
        (made(shields=[{"path": [[1, 1], [3, 1]], "track": 1}]), ["shield laid"]),
        (made(wires=[*WIRES[:2], {**WIRES[2], "path": [[4, 1], [4, 0], [8, 0], [8, 1]]}]), ["wire led"]),
        (made(wires=WIRES[:2]), ["wire removed"]),
        # The wires of a core that goes do not count; the wire that closes the gap does.
        (
            made(
                cores=CORES[:1],
                wires=[{"from": "a.value", "to": "sum.a", "path": [[0, 1], [4, 1]], "every_ns": 1}, WIRES[2]],
            ),
            ["core removed", "wire drawn"],
        ),
        # Nor do the paths of wires that follow a moved core.
        (
            made(
                cores=[{**CORES[0], "at": [5, 1]}, CORES[1]],
                wires=[
                    WIRES[0],
                    {**WIRES[1], "path": [[2, 1], [5, 1]]},
                    {**WIRES[2], "path": [[5, 1], [8, 1]]},
                ],
            ),
            ["core moved"],
        ),
        # A wire that is led to another port is one edit, with its new speed two.
        (made(wires=[*WIRES[:1], {**WIRES[1], "to": "sum.b"}, WIRES[2]]), ["wire led"]),
        (made(wires=[*WIRES[:1], {**WIRES[1], "to": "sum.b", "every_ns": 2}, WIRES[2]]), ["wire led", "speed"]),
    ],
)
def test_edits(other: Design, edits: list[str]) -> None:
    assert kinds(other) == edits


def test_several_wires_of_the_same_ends_are_told_apart() -> None:
    twice = [*WIRES, WIRES[2]]
    assert kinds(made(wires=twice)) == ["wire drawn"]


def test_there_and_back_have_as_many_edits() -> None:
    other = made(cores=CORES[:1], wires=WIRES[2:])
    assert len(differences(made(), other)) == len(differences(other, made()))


def test_sleep_of_a_wire_is_an_edit() -> None:
    before = made(wires=WIRES)
    after = made(wires=[{**WIRES[0], "gate": True, "sleep_after": 50}, *WIRES[1:]])
    assert [change.kind for change in differences(before, after)] == ["gate", "sleep_after"]
    assert differences(before, made(wires=[{**WIRES[0], "gate": False, "ahead": 0}, *WIRES[1:]])) == []
