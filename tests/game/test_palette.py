"""Palettes: the same meanings, readable on their ground, and told apart with each of the three colour deficiencies."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game import palette
from levels.store import Progress
from tests.game.conftest import Perwatt
from tests.game.view.conftest import brightness

# Machado, Oliveira and Fernandes 2009, at full severity, on linear RGB.
DEFICIENCIES = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def rgb(text: str) -> tuple[int, int, int]:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def contrast(a: str, b: str) -> float:
    """As WCAG 2 has it, 1 … 21."""
    high, low = sorted((brightness(rgb(a)), brightness(rgb(b))), reverse=True)
    return (high + 0.05) / (low + 0.05)


def seen(colour: str, deficiency: str) -> np.ndarray:
    """A colour as somebody with a deficiency sees it, in CIELAB."""
    share = np.array(rgb(colour)) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(DEFICIENCIES[deficiency]) @ linear, 0, 1) if deficiency else linear
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(np.maximum(to_xyz @ linear / (0.9505, 1.0, 1.089), 1e-6))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("name", palette.NAMES)
def test_texts_can_be_read_on_their_grounds(name: str) -> None:
    table = palette.table(name)
    assert table.keys() == palette.table(palette.NAMES[0]).keys()
    for ground in ("board", "panel"):
        assert contrast(table["text"], table[ground]) >= 12
        assert contrast(table["text-2"], table[ground]) >= 6.5
        assert contrast(table["text-3"], table[ground]) >= 4.5
        for accent in ("sky", "green-text", "vermillion-text", "orange", "yellow", "purple", "blue-text"):
            assert contrast(table[accent], table[ground]) >= 4.0, (accent, ground)
    # On a button that is yellow the words are of the board's colour.
    assert contrast(table["board"], table["yellow"]) >= 4.0
    if name == "high contrast":
        dark = palette.table("dark")
        for text in ("text", "text-2", "text-3", "edge", "grid", "wire-stopped", "wire-slow"):
            assert contrast(table[text], table["board"]) > contrast(dark[text], dark["board"])


@pytest.mark.parametrize("name", palette.NAMES)
def test_packets_stand_out_most_and_power_rises_evenly(name: str) -> None:
    table = palette.table(name)
    against = {key: contrast(text, table["board"]) for key, text in table.items() if key != "ramp"}
    assert against["packet"] == max(against.values())
    ranks = [against[key] for key in ("grid-line", "grid", "wire-stopped", "wire-slow", "packet")]
    assert ranks == sorted(ranks)
    light = [brightness(rgb(step)) for step in table["ramp"].split()]
    steps = [b - a for a, b in pairwise(light)]
    assert all(step > 0 for step in steps) or all(step < 0 for step in steps)


@pytest.mark.parametrize("name", palette.NAMES)
@pytest.mark.parametrize("deficiency", ["", *DEFICIENCIES])
def test_what_is_compared_side_by_side_differs_in_everybodys_eyes(name: str, deficiency: str) -> None:
    table = palette.table(name)
    stalls = ("green", "sky", "vermillion")
    gains = ("green-text", "vermillion-text")
    kinds = ("packet", "blue-text", "purple")
    for group in (stalls, gains, kinds):
        for a, b in combinations(group, 2):
            apart = float(np.linalg.norm(seen(table[a], deficiency) - seen(table[b], deficiency)))
            assert apart >= 12, (a, b, deficiency, apart)


def test_the_choice_is_made_before_anything_is_drawn() -> None:
    words = (
        "from game import palette; palette.choose({}); from game import theme; palette.choose(0); "
        "print(palette.chosen(), theme.BOARD, theme.LIGHT)"
    )

    def said(choice: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", words.format(choice)],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[2],
            timeout=60,
        )
        return done.stdout.strip().splitlines()[-1]

    assert said("2") == f"light {rgb(palette.table('light')['board'])} True"
    assert said("1") == f"high contrast {rgb(palette.table('high contrast')['board'])} False"
    for junk in ("'light'", "7", "None", "-1", "True"):
        assert said(junk) == f"dark {rgb(palette.table('dark')['board'])} False"


def test_a_players_palette_is_in_the_picture(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "a.png"
    progress = Progress(data)
    progress.put_setting("palette", 2)
    progress.close()
    command = ["play", "first-light/01", "--data", str(data), "--screenshot", str(out), "--size", "640x360"]
    words = f"from game.cli import app; app({command!r})"
    subprocess.run([sys.executable, "-c", words], check=True, cwd=Path(__file__).parents[2], timeout=120)
    with Image.open(out) as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    assert (pixels.sum(axis=2) > 600).mean() > 0.6


def test_perwatt_play_still_takes_pictures(perwatt: Perwatt, folder: Path) -> None:
    assert perwatt("play", "first-light/01", "--screenshot", "a.png", "--size", "640x360").code == 0
