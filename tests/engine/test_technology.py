"""Figures of the technology file and of wires."""

from __future__ import annotations

from math import exp

import pytest

from engine.catalog import CORES
from engine.encodings import ENCODINGS
from engine.errors import UsageError
from engine.technology import technologies, technology

N45 = technology("n45")


def test_every_figure_has_a_source() -> None:
    figures = {f"event_fj.{k}" for k in N45.event_aj} | {f"standing_uw.{k}" for k in N45.standing_nw}
    figures |= {"dvfs.safe_millitick", "dvfs.leakage_ppm", "dvfs.level_shifter_fj"}
    figures |= {f"encoding.{name}" for name in N45.codecs if name != "raw"}
    figures |= {"calm_lines.safe_percent"}
    figures |= {f"tunnelling.{k}" for k in ("wall_nw", "retention_ticks", "thin_oxide")}
    figures |= {f"heat.{k}_k_per_w" for k in ("sink", "side")} | {f"heat.{k}" for k in ("settling_ns", "leakage_ppm")}
    figures |= {"heat.slower_ppm_per_k", "heat.limit_k", "gating.wire", "gating.core", "gating.far_pad"}
    figures |= {f"crosstalk.{k}" for k in ("parts", "shield_fj", "noise_uv", "margin_uv_per_mv", "margin_from_mv")}
    assert set(N45.sources) == figures
    assert all(
        source.startswith(("Horowitz 2014", "After Horowitz 2014", "Chosen for play", "Alpha-power law"))
        for source in N45.sources.values()
    )


def test_every_encoding_has_its_figures_and_raw_costs_nothing() -> None:
    assert set(N45.codecs) == set(ENCODINGS)
    raw = N45.codecs["raw"]
    assert (raw.encoder_ticks, raw.decoder_ticks, raw.word_aj, raw.leakage_nw) == (0, 0, 0, 0)
    secded = N45.codecs["secded"]
    assert (secded.encoder_ticks + secded.decoder_ticks, secded.word_aj, secded.leakage_nw) == (200, 300_000, 40_000)


def test_walls_follow_their_formulas() -> None:
    walls = N45.tunnelling
    assert list(walls.wall_nw) == list(walls.retention_ticks) == list(range(40, 101, 5))
    for gap in walls.wall_nw:
        x = (100 - gap) / 20
        assert walls.wall_nw[gap] == round(5000 * (exp(x) - 1))
        assert walls.retention_ticks[gap] == (round(40_000 * exp(-x)) if x else 0)
    assert [walls.retention_ticks[gap] // 10 / 10 for gap in (80, 65, 50, 40)] == [147.1, 69.5, 32.8, 19.9]
    leaks = [(5000 + walls.wall_nw[gap]) / 1000 for gap in (80, 65, 50, 40)]
    assert leaks == pytest.approx([13.6, 28.8, 60.9, 100.4], abs=0.05)
    assert 150 * walls.thin_leakage_percent == 100 * (420 - 150)


def test_drive_goes_with_lines_and_width() -> None:
    full = N45.wire(5, 1, 100).drive_nw
    assert N45.wire(5, 1, 100, lines=48).drive_nw == full * 3 // 2
    assert N45.wire(5, 1, 100, gap=50).drive_nw == full // 2
    assert N45.wire(5, 1, 100, lines=46, gap=65).toggle_aj == N45.wire(5, 1, 100).toggle_aj


def test_every_operation_of_the_catalogue_has_a_figure() -> None:
    ops = {core.op for core in CORES.values() if core.op not in (None, "reduce")}
    assert ops <= set(N45.event_aj)


def test_floats_have_their_own_figures_where_they_differ() -> None:
    assert (N45.operation_aj("add", False), N45.operation_aj("add", True)) == (100_000, 900_000)
    assert N45.operation_aj("compare", True) == N45.operation_aj("compare", False) == 60_000


def test_float_and_integer_mac_are_their_parts_together() -> None:
    e = N45.event_aj
    assert e["mac"] == e["mul"] + e["add"] and e["float_mac"] == e["float_mul"] + e["float_add"]


@pytest.mark.parametrize(
    ("length", "words", "every", "figures"),
    [
        (1, 1, 100, (25_000, 160_000, 5_000)),
        (11, 1, 400, (275_000, 440_000, 55_000)),
        (11, 3, 400, (275_000, 1_320_000, 165_000)),
        (2, 1, 0, (50_000, 0, 10_000)),
        (1, 1, 30, (25_000, 533_333, 5_000)),  # 533333.3
        (1, 1, 1_000_000, (25_000, 16, 5_000)),
        (1, 1, 320_000, (25_000, 50, 5_000)),
        (1, 1, 640_000, (25_000, 25, 5_000)),
        (1, 1, 128_000, (25_000, 125, 5_000)),
        (3, 1, 10, (75_000, 4_800_000, 15_000)),
    ],
)
def test_drive_goes_with_length_words_and_speed(
    length: int, words: int, every: int, figures: tuple[int, int, int]
) -> None:
    assert N45.wire(length, words, every) == figures


def test_only_the_serial_multiplier_leaks_less() -> None:
    assert {core: N45.core_leakage_nw(core) for core in CORES if N45.core_leakage_nw(core) != 150_000} == {
        "mul.serial": 37_500
    }


def test_an_unknown_technology_is_refused_with_a_hint() -> None:
    assert "n45" in technologies()
    with pytest.raises(UsageError, match="did you mean 'n45'"):
        technology("n54")
