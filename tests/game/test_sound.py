"""Every sound is short, within its level, and the same on every machine."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from game.sound import PEAK, RATE, RECIPES, Sounds, samples


@pytest.mark.parametrize("name", RECIPES)
def test_levels_and_lengths(name: str) -> None:
    wave = samples(name)
    assert wave.dtype == np.int16
    assert 0.002 <= len(wave) / RATE <= 1.5
    assert 0 < np.abs(wave).max() <= PEAK * 32767 + 1
    assert abs(int(wave[-1])) < 0.2 * np.abs(wave).max()  # it ends without a click
    assert hashlib.sha256(samples(name).tobytes()).digest() == hashlib.sha256(wave.tobytes()).digest()


def test_medals_are_one_chord() -> None:
    assert [RECIPES[f"medal-{m}"][0] for m in ("bronze", "silver", "gold")] == [0.7] * 3


def test_without_a_device_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    sounds = Sounds()
    for name in RECIPES:
        sounds.play(name)
    sounds.ready = False
    sounds.play("place")
