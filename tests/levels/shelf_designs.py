"""Designs for the tests of the data folder, told apart by one number."""

from __future__ import annotations

from engine.model import CoreSpec, Design, WireSpec

LEVEL = "first-light-01-wire"


def design(state: int, name: str = "three taps", level: str = LEVEL, cores: int = 6) -> Design:
    """A design whose ``state`` can be read back from its note and from its first core."""
    return Design(
        perwatt=1,
        level=level,
        name=name,
        note=f"state {state}",
        cores=[CoreSpec(id=f"c{i}", core="add", at=(i, 2), set={"b": state}) for i in range(cores)],
        wires=[
            WireSpec(**{"from": f"c{i}.value", "to": f"c{i + 1}.a", "path": [(i, 2), (i + 1, 2)], "every_ns": 1.25})
            for i in range(cores - 1)
        ],
    )


def state_of(found: Design) -> int:
    state = int(found.note.removeprefix("state "))
    assert found.model_copy(update={"name": ""}) == design(state, "")
    return state
