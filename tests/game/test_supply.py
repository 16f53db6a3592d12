"""Voltage and clock in the inspector: what is offered, what is typed, and margins that tell of errors before a run."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.model import Design, Level, PhysicsSpec
from engine.simulation import simulate
from game.describe import describe
from game.editor import edits
from game.entries import typed
from game.panels.inspector import Inspector, InspectorModel
from game.panels.kit import Canvas
from game.rows import Entry, Note, SafeRegion, Subject
from game.supply import core_region, margin, wire_region
from game.theme import GREEN, GREEN_TEXT, VERMILLION, Theme
from levels import load_design, load_level
from levels.lookup import designs_beside, find_level
from tests.game.player import Player

LEVELS = ["physics-01-less-pressure", "physics-02-the-sweet-spot", "physics-03-only-the-slow-one"]


def reference(level: str, role: str = "best") -> tuple[Level, Design]:
    path = find_level(level)
    return load_level(path), load_design(designs_beside(path)[role])


def entries(level: Level, design: Design, *selection: Any) -> dict[str, Entry]:
    rows = describe(level, design, selection).rows
    return {row.name: row for row in rows if isinstance(row, Entry)}


def test_fields_are_there_where_the_level_offers_them() -> None:
    level, design = reference(LEVELS[0])
    core, wire = entries(level, design, "seven"), entries(level, design, 0)
    assert (core["set.seven.voltage_mv"].text, core["set.seven.clock_ticks"].text) == ("700", "125")
    assert wire["wire.0.voltage_mv"].text == "500"
    several = entries(level, design, "seven", 0, 1)
    assert (several["wire.all.voltage_mv"].text, several["supply.voltage_mv"].text) == ("500", "700")
    bare = level.model_copy(update={"physics": Level.model_fields["physics"].get_default(call_default_factory=True)})
    for selection in (["seven"], [0], ["seven", 0]):
        rows = describe(bare, design, selection).rows
        assert not any(isinstance(row, SafeRegion) for row in rows)
        assert not any(isinstance(row, Entry) and ("volt" in row.label or "clock" in row.label) for row in rows)


def test_the_plot_of_what_is_safe_has_a_scale_and_says_where_it_is_cut() -> None:
    short = SafeRegion(((800, 90_000), (900, 80_000), (1000, 70_000)), 900, 80)
    for region, top in ((short, "2 ns"), (replace(short, curve=((800, 400_000), *short.curve[1:])), "2 ns and more")):
        canvas = Canvas((280, 300), Theme(), None)
        Inspector().paint(canvas, InspectorModel(Subject("a", "", "", (region,))))
        assert {top, "0"} <= {written.words for written in canvas.written}


def test_what_is_typed_becomes_an_edit() -> None:
    level, design = reference(LEVELS[0])

    def after(name: str, text: str, *selection: Any) -> Design:
        found = typed(level, design, name, text, selection)
        assert found is not None
        return found[0]

    assert after("set.seven.voltage_mv", "725").cores[0].set["voltage_mv"] == 725
    assert "clock_ticks" not in after("set.seven.clock_ticks", "").cores[0].set
    assert [w.voltage_mv for w in after("wire.1.voltage_mv", "600").wires] == [500, 600]
    assert [w.voltage_mv for w in after("wire.all.voltage_mv", "", 0, 1).wires] == [None, None]
    assert after("supply.voltage_mv", "800", "seven").cores[0].set["voltage_mv"] == 800
    with pytest.raises(ValueError, match="500 to 1300 in steps of 25"):
        after("wire.0.voltage_mv", "710")
    with pytest.raises(ValueError, match="500 to 1300"):
        after("set.seven.voltage_mv", "1400")


def test_supplies_are_pasted_along() -> None:
    level, best = reference(LEVELS[1])
    blueprint = edits.copy(best, {"mixed", "less"})
    pasted, _ = edits.paste(level, best.model_copy(update={"cores": [], "wires": []}), blueprint, (2, 1))
    assert [core.set for core in pasted.cores] == [core.set for core in blueprint.cores]
    assert [wire.voltage_mv for wire in pasted.wires] == [625]


def test_the_margin_is_told_with_what_would_be_safe() -> None:
    level, design = reference(LEVELS[0])
    region = core_region(level, design.cores[0])
    assert region and region.safe
    assert margin(region).text == "Safe: 3.41 % slower than need be, no step down left."
    level, design = reference(LEVELS[0], "wrong-one-step-less")
    region = core_region(level, design.cores[0])
    assert region and not region.safe
    assert margin(region).text == (
        "4.42 % too fast for 675 mV: one bit may be late; two from 20 % on. Safe with 1.31 ns, or with 700 mV."
    )
    notes = [row for row in describe(level, design, ["seven"]).rows if isinstance(row, Note) and row.tone == "bad"]
    assert [note.text for note in notes] == [margin(region).text]
    wire = wire_region(level, design.wires[0])
    assert wire and wire.safe and dict(wire.curve)[900] == 40_000


@pytest.mark.parametrize(("role", "colour"), [("best", GREEN_TEXT), ("wrong-one-step-less", VERMILLION)])
def test_the_region_is_drawn_with_the_point_on_it(role: str, colour: Any, tmp_path: Path) -> None:
    player = Player(tmp_path, (1920, 1080))
    try:
        bench = player.open(LEVELS[0])
        bench.session.new_tab(reference(LEVELS[0], role)[1])
        player.frames(3)
        bench.tools.selection = {"seven"}
        player.frames(3)
        panel = bench.regions.inspector
        picture = player.surface.subsurface(panel)
        seen = {tuple(picture.get_at((x, y)))[:3] for x in range(panel.width) for y in range(panel.height // 2)}
        assert {tuple(GREEN)[:3], tuple(colour)[:3]} <= seen
        player.click(player.zone("set.seven.voltage_mv"))
        player.frames(2)
    finally:
        player.close()


def test_margins_tell_before_a_run_what_fails() -> None:
    """Random supplies on the levels with dvfs: a machine passes where no margin is below 0, and else it does not."""
    rng = random.Random(4)
    right = errors = 0
    for number in range(50):
        level, design = reference(LEVELS[number % 3])
        design = design.model_copy(deep=True)
        for _ in range(rng.choice([1, 1, 2])):
            core = rng.choice(design.cores)
            core.set["voltage_mv"] = rng.choice([600, 650, 700, 800, 900, 1000, 1200, 1300])
            if rng.random() < 0.5:
                core.set["clock_ticks"] = rng.randint(60, 260)
        regions = [core_region(level, core) for core in design.cores]
        regions += [wire_region(level, wire) for wire in design.wires]
        assert all(regions)
        safe = all(region.safe for region in regions if region)
        report = simulate(level, design, bound=False)
        right += safe == (report.verdict == "pass")
        errors += not safe
    assert 10 <= errors <= 40
    assert right >= 48


def test_thin_oxide_and_codes_against_crosstalk_widen_the_safe_region() -> None:
    level, made = reference(LEVELS[0])
    both = level.model_copy(
        update={"physics": PhysicsSpec.model_validate({"dvfs": {}, "crosstalk": {}, "encoding": {}})}
    )
    core, wire = made.cores[0], made.wires[0]
    usual, thin = core_region(level, core), core_region(level, core.model_copy(update={"set": {"oxide": "thin"}}))
    assert usual and thin and [least for _, least in thin.curve] == [least * 80 // 100 for _, least in usual.curve]
    coded = wire.model_copy(update={"encoding": "no-opposites"})
    raw, calm, alone = wire_region(both, wire), wire_region(both, coded), wire_region(level, coded)
    assert raw and calm and alone and raw.curve == alone.curve
    assert [least for _, least in calm.curve] == [least * 60 // 100 for _, least in raw.curve]
