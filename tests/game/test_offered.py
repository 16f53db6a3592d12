"""What a level's physics lets one set, in the inspector: rows, and what is typed or clicked in them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

from engine.model import Design, GateReport, Level, WireReach
from game.describe import describe
from game.entries import typed
from game.margins import gate_margin, reach_margin
from game.rows import Choice, Entry
from tests.engine.machines import core, design, streams, wire

ALL = {
    "dvfs": {},
    "crosstalk": {},
    "encoding": {"offered": ["gray", "secded"], "raw_receiver": True},
    "tunnelling": {},
    "gating": {},
}


def machine(physics: dict[str, Any]) -> tuple[Level, Design]:
    made = design(
        [core("add", "add", (6, 4), b=1), core("bar", "barrier", (9, 4), n=2)],
        [
            wire("s.value", "add.a", (0, 4), (6, 4)),
            wire("add.out", "bar.in", (6, 4), (9, 4)),
            wire("bar.out", "out.value", (9, 4), (15, 4)),
        ],
    )
    return streams(physics=physics), made


def fields(level: Level, made: Design, *selection: Any) -> dict[str, Entry | Choice]:
    rows = describe(level, made, selection).rows
    return {row.name: row for row in rows if isinstance(row, Entry | Choice)}


def test_wires_offer_what_each_module_brings() -> None:
    level, made = machine(ALL)
    found = fields(level, made, 0)
    names = ("voltage_mv", "track", "encoding", "receiver", "gap", "gate", "sleep_after", "ahead")
    assert [name for name in found if name.startswith("wire.0.")] == [f"wire.0.{name}" for name in names]
    codes, sleeps = found["wire.0.encoding"], found["wire.0.gate"]
    assert isinstance(codes, Choice) and (codes.options, codes.current) == (("raw", "gray", "secded"), "raw")
    assert isinstance(sleeps, Choice) and (sleeps.options, sleeps.current) == (("no", "yes"), "no")
    several = fields(level, made, 0, 1)
    assert {f"wire.all.{name}" for name in names} <= set(several)
    for module in ALL:
        bare = fields(*machine({k: v for k, v in ALL.items() if k != module}), 0)
        assert len(bare) < len(found), module
    assert not [name for name in fields(*machine({}), 0) if name.startswith("wire.")]


def test_fields_tell_their_units() -> None:
    level, made = machine(ALL)
    wires, cores = fields(level, made, 0), fields(level, made, "add")
    units = {name: row.unit for name, row in {**wires, **cores}.items() if isinstance(row, Entry)}
    assert units["wire.0.ahead"] == "0 or 1" and units["set.add.ahead"] == "tiles"
    assert units["wire.0.sleep_after"] == "ticks" and units["wire.0.gap"] == "%"


def test_cores_offer_what_they_can() -> None:
    level, made = machine(ALL)
    names = ("voltage_mv", "clock_ticks", "oxide", "gate", "sleep_after", "ahead")
    assert {f"set.add.{name}" for name in names} <= set(fields(level, made, "add"))
    barrier = fields(level, made, "bar")
    assert "set.bar.oxide" in barrier and "set.bar.gate" not in barrier


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("encoding", "gray", "encoding", "gray"),
        ("encoding", "raw", "encoding", None),
        ("receiver", "raw", "receiver", "raw"),
        ("receiver", "decoder", "receiver", None),
        ("gap", "65", "gap", 65),
        ("gap", "100", "gap", None),
        ("gap", "", "gap", None),
        ("track", "3", "track", 3),
        ("gate", "yes", "gate", True),
        ("gate", "no", "gate", None),
        ("ahead", "1", "ahead", 1),
    ],
)
def test_what_is_set_of_wires(name: str, text: str, field: str, value: object) -> None:
    level, made = machine(ALL)

    def after(where: str, selection: Collection[Any] = ()) -> Design:
        found = typed(level, made, f"wire.{where}.{name}", text, selection)
        assert found is not None
        return Design.model_validate(found[0].model_dump(by_alias=True))

    assert [getattr(w, field) for w in after("1").wires] == [None, value, None]
    assert [getattr(w, field) for w in after("all", {0, 2}).wires] == [value, None, value]


@pytest.mark.parametrize(
    ("name", "text", "word"), [("gap", "63", "steps of 5"), ("track", "8", "0 to 7"), ("ahead", "2", "0 to 1")]
)
def test_what_cannot_be_set_is_told(name: str, text: str, word: str) -> None:
    level, made = machine(ALL)
    with pytest.raises(ValueError, match=word):
        typed(level, made, f"wire.0.{name}", text, ())


def test_settings_of_cores_and_of_several() -> None:
    level, made = machine(ALL)
    one = typed(level, made, "set.add.gate", "yes", ())
    assert one and one[0].cores[0].set["gate"] is True
    both = typed(level, made, "supply.oxide", "thin", {"add", "bar"})
    assert both and [c.set["oxide"] for c in both[0].cores] == ["thin", "thin"]


def test_margins_are_told_in_sentences() -> None:
    little = WireReach(id="w", word=0, margin_mv=360, reach_mv=324, spare_mv=36)
    much = little.model_copy(update={"reach_mv": 384, "spare_mv": -24, "word": 1})
    assert reach_margin(little).good and reach_margin(little).text.startswith("36.0 mV left")
    assert not reach_margin(much).good and "of word 1 may flip" in reach_margin(much).text
    gate = GateReport(id="w", wakes=3, asleep=0.4, mean_sleep_ns=20, break_even_ns=2.5, margin=8, delayed=0)
    assert gate_margin(gate).good and "2.50 ns pay" in gate_margin(gate).text
    wasted = gate.model_copy(update={"margin": 0.5, "delayed": 4})
    assert not gate_margin(wasted).good and "4 words waited" in gate_margin(wasted).text
    assert not gate_margin(gate.model_copy(update={"break_even_ns": None, "margin": None})).good
    assert gate_margin(gate.model_copy(update={"mean_sleep_ns": None})).good
