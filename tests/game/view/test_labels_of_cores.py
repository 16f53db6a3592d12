"""Where the label of a core goes: not onto a road that fills its tile."""

from __future__ import annotations

from engine.elaborate import elaborate
from game.view.cores import core_pieces
from game.view.layout import make_layout
from levels import load_design, load_level
from levels.lookup import designs_beside, find_level


def test_a_road_of_eight_values_has_no_room_for_words_beside_it() -> None:
    source = find_level("wide-roads/12")
    level, design = load_level(source), load_design(designs_beside(source)["best"])
    layout = make_layout(level, design, elaborate(level, design))
    near = {piece.body.id: piece.near for piece in core_pieces(layout, [(255, 255, 255)] * len(design.wires))}
    assert near["place_a"] == "above"
    assert near["place_b"] == "", "a road of eight values runs above, and a wire begins below"
