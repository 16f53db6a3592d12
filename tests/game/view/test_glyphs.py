"""Every core has a sign of its own."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from engine.catalog import CORES
from game.theme import TEXT
from game.view.glyphs import GLYPHS, THICKNESS, UNITS, glyph, glyph_mask, glyph_of


@pytest.mark.parametrize("core", CORES)
def test_every_core_and_pad_has_a_sign(core: str) -> None:
    mask = glyph_mask(core, 48)
    assert mask.max() == 1
    assert 0.02 < mask.mean() < 0.45


@pytest.mark.parametrize("name", GLYPHS)
def test_signs_keep_within_their_grid(name: str) -> None:
    points = [point for stroke in GLYPHS[name] for point in stroke]
    low, high = THICKNESS / 2, UNITS - THICKNESS / 2
    assert all(low <= v <= high for point in points for v in point)


@pytest.mark.parametrize("size", [14, 18])
def test_signs_can_be_told_apart_where_they_are_small(size: int) -> None:
    masks = {core: glyph_mask(core, size) for core in CORES}
    for a, b in combinations(masks, 2):
        difference = float(np.abs(masks[a] - masks[b]).sum()) / float(max(masks[a].sum(), masks[b].sum()))
        assert difference > 0.2, (a, b)


def test_a_setting_that_changes_the_operation_changes_the_sign() -> None:
    compare = CORES["compare"].settings[0]
    assert len({glyph_of("compare", {"op": op}) for op in compare.choices}) == len(compare.choices)
    assert glyph_of("accumulate", {"op": "mul"}) != glyph_of("accumulate", {"op": "add"}) == "accumulate"


def test_edges_are_smooth_and_colours_pure() -> None:
    import pygame

    picture = glyph("xor", 18, TEXT)
    alpha = pygame.surfarray.array_alpha(picture)
    assert len(np.unique(alpha)) > 5
    assert {tuple(c) for c in pygame.surfarray.array3d(picture).reshape(-1, 3).tolist()} == {TEXT}
