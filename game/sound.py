"""Sounds, all made here by numpy: gentle, short, and in tune with each other (a pentatonic set on A).

Without a sound device everything here does nothing. At most six sounds play at once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache

import numpy as np
import pygame
from numpy.typing import NDArray

RATE = 44_100
PEAK = 10 ** (-12 / 20)
"""-12 dB of full scale."""

CHANNELS = 6

LOOPS = ("hum", "beat")
"""Sounds that go on: whole periods of all their tones, on channels of their own. Together they beat."""

Wave = NDArray[np.float64]

A3, A4, CS5, E5, A5, B5, E6 = 220.0, 440.0, 554.37, 659.26, 880.0, 987.77, 1318.51


def _time(seconds: float) -> Wave:
    return np.arange(int(RATE * seconds)) / RATE


def _sine(hertz: float | Wave, seconds: float) -> Wave:
    t = _time(seconds)
    if isinstance(hertz, float):
        return np.sin(2 * np.pi * hertz * t)
    return np.sin(2 * np.pi * np.cumsum(hertz) / RATE)


def _fade(wave: Wave, attack: float = 0.002, power: float = 2.0) -> Wave:
    """A short attack, then a fall to silence at the end."""
    n = len(wave)
    shape = (1 - np.arange(n) / n) ** power
    rise = max(1, min(n, int(RATE * attack)))
    shape[:rise] *= np.arange(rise) / rise
    return wave * shape


def _noise(seconds: float) -> Wave:
    """White noise that is the same every time: integers hashed, so that no generator's state is touched."""
    n = np.arange(int(RATE * seconds), dtype=np.uint64)
    n = (n + np.uint64(0x9E3779B9)) * np.uint64(0xBF58476D1CE4E5B9)
    n ^= n >> np.uint64(27)
    n *= np.uint64(0x94D049BB133111EB)
    return (n >> np.uint64(40)).astype(np.float64) / 2**23 - 1


def _low_pass(wave: Wave, start: float, end: float | None = None) -> Wave:
    """One pole, its corner moving from ``start`` to ``end`` hertz."""
    corner = np.linspace(start, start if end is None else end, len(wave))
    share = 1 - np.exp(-2 * np.pi * corner / RATE)
    out = np.empty_like(wave)
    level = 0.0
    for i, (x, a) in enumerate(zip(wave.tolist(), share.tolist(), strict=True)):
        level += a * (x - level)
        out[i] = level
    return out


def _mix(*parts: tuple[float, Wave, float]) -> Wave:
    """Parts of (start in seconds, wave, level) laid over each other."""
    n = max(int(start * RATE) + len(wave) for start, wave, _ in parts)
    out = np.zeros(n)
    for start, wave, level in parts:
        at = int(start * RATE)
        out[at : at + len(wave)] += level * wave
    return out


def _click(hertz: float, seconds: float = 0.003) -> Wave:
    return _fade(_low_pass(_noise(seconds), hertz), 0.0005)


def _bell(hertz: float, seconds: float) -> Wave:
    return _fade(_mix((0, _sine(hertz, seconds), 1), (0, _sine(hertz * 2.01, seconds), 0.2)), 0.003, 3)


def _chord(*notes: float) -> Wave:
    return _mix(*((0.0, _bell(note, 0.6), 1 / len(notes)) for note in notes))


RECIPES: dict[str, tuple[float, Callable[[], Wave]]] = {
    "tile": (0.3, lambda: _click(2500)),
    "place": (0.6, lambda: _mix((0, _fade(_sine(180.0, 0.06)), 1), (0, _click(4000, 0.002), 0.5))),
    "remove": (0.6, lambda: _fade(_sine(np.linspace(180.0, 110.0, int(RATE * 0.09)), 0.09))),
    "connect": (0.5, lambda: _mix((0, _click(2200, 0.006), 1), (0.03, _click(3600, 0.006), 1))),
    "undo": (0.4, lambda: _mix((0, _click(3600, 0.006), 1), (0.03, _click(2200, 0.006), 1))),
    "refused": (0.5, lambda: _fade(_low_pass(_sine(110.0, 0.08), 400))),
    "notch": (0.3, lambda: _click(3000, 0.004)),
    "detent": (0.6, lambda: _mix((0, _click(1500, 0.012), 1), (0.004, _bell(A5, 0.12), 0.25))),
    "arrive": (0.25, lambda: _bell(A5, 0.12)),
    "first-launch": (
        0.9,
        lambda: _mix(
            (0, _low_pass(_noise(0.9), 200, 4000) * np.linspace(0, 1, int(RATE * 0.9)), 0.8), (0.7, _chord(A4, E5), 0.6)
        ),
    ),
    "launch": (0.4, lambda: _fade(_low_pass(_noise(0.15), 900, 3000), 0.03)),
    "medal-bronze": (0.7, lambda: _chord(A4)),
    "medal-silver": (0.7, lambda: _chord(A4, CS5)),
    "medal-gold": (0.7, lambda: _chord(A4, CS5, E5)),
    "beyond": (0.7, lambda: _chord(A4, CS5, E5, B5)),
    "card": (0.5, lambda: _mix((0, _fade(_low_pass(_noise(0.09), 2500), 0.02), 1), (0.08, _bell(E6, 0.4), 0.15))),
    "hum": (0.126, lambda: _mix((0, _sine(55.0, 0.4), 1), (0, _sine(82.5, 0.4), 0.7))),
    "beat": (0.126, lambda: _mix((0, _sine(57.5, 0.4), 1), (0, _sine(85.0, 0.4), 0.7))),
    "laid": (0.5, lambda: _fade(_mix((0, _sine(120.0, 0.08), 1), (0, _click(1200, 0.002), 0.3)))),
    "stall": (0.4, lambda: _fade(_mix((0, _sine(55.0, 0.3), 1), (0, _sine(82.5, 0.3), 0.7)))),
    "fault": (
        0.6,
        lambda: _mix(
            (0, _fade(_sine(140.0, 0.05)), 1),
            (0.11, _fade(_sine(140.0, 0.05)), 1),
            (0.2, _fade(_sine(np.linspace(300.0, 120.0, int(RATE * 0.2)), 0.2)), 0.5),
        ),
    ),
}
"""Level (of the -12 dB peak) and recipe of every sound."""

GROUPS = dict.fromkeys(("arrive", "launch", "stall", "fault", "hum", "beat"), "machine")
"""Volume group by sound; "interface" for all others."""


def samples(name: str) -> NDArray[np.int16]:
    """A sound as 16-bit mono samples at :data:`RATE`; the same on every machine."""
    level, recipe = RECIPES[name]
    wave = recipe()
    peak = float(np.max(np.abs(wave))) or 1.0
    return np.round(wave / peak * level * PEAK * 32767).astype(np.int16)


@lru_cache(maxsize=64)
def _sound(name: str) -> pygame.mixer.Sound:
    mono = samples(name)
    return pygame.mixer.Sound(buffer=np.column_stack((mono, mono)).tobytes())


class Sounds:
    """Plays sounds by name, each in its volume group (0 … 1)."""

    def __init__(self, interface: float = 0.7, machine: float = 0.5) -> None:
        self.volumes = {"interface": interface, "machine": machine}
        self.ready = False
        with suppress(pygame.error):
            if not pygame.mixer.get_init():
                pygame.mixer.init(RATE, -16, 2, 512)
            pygame.mixer.set_num_channels(CHANNELS + len(LOOPS))
            pygame.mixer.set_reserved(len(LOOPS))
            self.ready = True
        self._hums = (0.0, 0.0)

    def play(self, name: str) -> None:
        """Play a sound, unless all channels are busy or its group is silent."""
        volume = self.volumes[GROUPS.get(name, "interface")]
        if not self.ready or volume <= 0:
            return
        channel = pygame.mixer.find_channel()
        if channel:
            channel.set_volume(volume)
            channel.play(_sound(name))

    def hum(self, power: float, waits: float) -> None:
        """The tone of a running machine: ``power`` 0 … 1 is its level, ``waits`` 0 … 1 how much it beats."""
        power = min(max(power, 0.0), 1.0)
        levels = (power, power * min(max(waits, 0.0), 1.0))
        if not self.ready or levels == self._hums:
            return
        for number, (name, level) in enumerate(zip(LOOPS, levels, strict=True)):
            channel = pygame.mixer.Channel(number)
            volume = level * self.volumes[GROUPS[name]]
            if volume <= 0:
                channel.stop()
            elif not channel.get_busy():
                channel.play(_sound(name), loops=-1, fade_ms=200)
            channel.set_volume(volume)
        self._hums = levels
