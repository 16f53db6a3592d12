"""What the inspector says, and what may be typed into it."""

from __future__ import annotations

import pytest

from engine.catalog import CORES
from engine.elaborate import elaborate
from engine.model import CoreSpec, Design, MedalSpec, WordChoice
from game.describe import describe
from game.editor.edits import Refused
from game.editor.hand import default_settings
from game.entries import every_text, parse_every, parse_setting, parse_words, typed, words_text
from game.panels.sky import altitude
from game.rows import Choice, Entry, Value
from game.text import number
from levels import load_design, load_level
from levels.lookup import designs_beside, find_level


@pytest.mark.parametrize(
    ("text", "ticks"),
    [
        ("0.25", 400),
        ("1/4", 400),
        ("4ns", 400),
        ("4 ns", 400),
        ("0,25", 400),
        ("1/3", 300),
        ("0", None),
        ("stop", None),
    ],
)
def test_speeds_are_written_in_three_ways(text: str, ticks: int | None) -> None:
    assert parse_every(text) == ticks


@pytest.mark.parametrize("text", ["", "fast", "-1", "1/0", "ns", "0.01ns", "99999ns", "11", "1e9", "nan"])
def test_other_speeds_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\d"):
        parse_every(text)


def test_a_speed_is_told_by_both_halves() -> None:
    assert every_text(400) == "0.250 · a word every 4 ns"
    assert every_text(None) == "stopped"


def test_words_go_through_text() -> None:
    for words in ([0], [2, 0], [1, "10"], ["-3"]):
        assert parse_words(words_text(words)) == words
    assert parse_words(" all ") is None
    with pytest.raises(ValueError, match="word numbers"):
        parse_words("first")


def test_every_setting_of_every_core_can_be_shown_and_typed() -> None:
    level = load_level("gpu-puzzles-08-shared")
    for kind in CORES.values():
        if kind.family == "pad":
            continue
        core = CoreSpec(id="x", core=kind.name, at=(3, 3), set=default_settings(kind.name))
        design = Design(perwatt=1, level=level.id, cores=[core])
        subject = describe(level, design, {"x"})
        shown = {row.name for row in subject.rows if isinstance(row, Entry | Choice)}
        for setting in kind.settings:
            if setting.kind == "ports":
                assert {"ports.x.write", "ports.x.read"} <= shown
            else:
                assert f"set.x.{setting.name}" in shown
        for row in subject.rows:
            if isinstance(row, Entry) and row.text:
                typed(level, design, row.name, row.text, set())
            elif isinstance(row, Choice):
                for option in row.options:
                    assert typed(level, design, row.name, option, set()) is not None


def test_what_is_typed_becomes_a_setting() -> None:
    level = load_level("gpu-puzzles-08-shared")
    core = CoreSpec(id="x", core="guard", at=(3, 3), set=default_settings("guard"))
    design = Design(perwatt=1, level=level.id, cores=[core])

    def after(name: str, text: str) -> Design:
        found = typed(level, design, name, text, set())
        assert found is not None
        return found[0]

    assert after("set.x.limits", "8, ·").cores[0].set["limits"] == [8, None]
    assert after("set.x.mode", "mark").cores[0].set["mode"] == "mark"
    assert after("pick.x.in", "0, =7").cores[0].set["in"] == WordChoice(words=[0, "7"])
    assert after("name.x", "edge").cores[0].id == "edge"
    with pytest.raises(Refused):
        after("name.x", "not a name")
    with pytest.raises(ValueError, match="whole number"):
        after("set.x.limits", "many")
    slots = next(s for s in CORES["buffer"].settings if s.name == "slots")
    with pytest.raises(ValueError, match="1 to 64"):
        parse_setting(slots, "65")


def test_altitude_rises_everywhere_and_lines_stand_where_they_should() -> None:
    for ratio in (1.05, 1.6, 20.0):
        medals = MedalSpec(bronze=100, silver=100 * ratio**0.5, gold=100 * ratio)
        assert altitude(100, medals) == pytest.approx(0.55)
        assert altitude(100 * ratio, medals) == pytest.approx(0.85)
        heights = [altitude(x, medals) for x in (0, 1, 50, 99, 100, 101, 104, 100 * ratio, 300 * ratio)]
        assert heights == sorted(heights)
        assert heights[0] >= 0 and heights[-1] <= 1


def test_numbers_have_three_digits() -> None:
    assert [number(x) for x in (0, 1234.5, 123.4, 12.34, 1.234, 0.1234, 0.01234, -2.5)] == [
        "0",
        "1234",
        "123",
        "12.3",
        "1.23",
        "0.123",
        "0.0123",
        "−2.50",
    ]


def test_the_words_of_a_token_are_counted_and_explained() -> None:
    level = load_level("gpu-puzzles-01-map")
    rows = describe(level, Design(perwatt=1, level=level.id), {"threads"}).rows
    shown = [(row.label, row.value) for row in rows if isinstance(row, Value)]
    assert ("0  local", "place in the block") in shown and ("1  block", "which block") in shown
    level = load_level("gpu-puzzles-07-blocks-2d")
    rows = describe(level, Design(perwatt=1, level=level.id), {"threads"}).rows
    labels = [row.label for row in rows if isinstance(row, Value)]
    assert [x for x in labels if x[0].isdigit()] == ["0  block.row", "1  block.col", "2  local.row", "3  local.col"]


def test_a_wire_of_lanes_says_how_many_and_how_many_values_it_carries() -> None:
    source = find_level("wide-roads/12")
    level, design = load_level(source), load_design(designs_beside(source)["best"])
    netlist = elaborate(level, design)

    def told(start: str) -> dict[str, str]:
        index = next(i for i, wire in enumerate(design.wires) if wire.source == start)
        rows = describe(level, design, [index], netlist=netlist).rows
        return {row.label: row.value for row in rows if isinstance(row, Value)}

    wide, scalar = told("a.value"), told("apart.out")
    assert (wide["lanes"], wide["values per packet"]) == ("8", "8")
    assert told("t.token")["values per packet"] != "8"  # linear words are one value each
    assert not {"lanes", "values per packet"} & set(scalar)
