"""Keys by meaning: one table of defaults, which a player may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pygame

DEFAULTS: Mapping[str, tuple[str, ...]] = {
    "play": ("space",),
    "launch": ("return",),
    "step": (".",),
    "step-back": (",",),
    "tick": ("shift+.",),
    "tick-back": ("shift+,",),
    "launch-next": ("n",),
    "launch-back": ("p",),
    "start": ("home",),
    "live-end": ("end",),
    "slower": ("-",),
    "faster": ("=",),
    "fault": ("g",),
    "pipette": ("q",),
    "pan-left": ("a", "left"),
    "pan-right": ("d", "right"),
    "pan-up": ("w", "up"),
    "pan-down": ("s", "down"),
    "fit": ("f",),
    "match": ("m",),
    "match-all": ("ctrl+m",),
    "brush": ("v",),
    "halve": ("[",),
    "double": ("]",),
    "stop": ("0",),
    "reroute": ("r",),
    "next": ("tab",),
    "why": ("y",),
    "follow": ("k",),
    "breakpoint": ("b",),
    "probe": ("t",),
    "launches": ("l",),
    "overlay-1": ("f1",),
    "overlay-2": ("f2",),
    "overlay-3": ("f3",),
    "overlay-4": ("f4",),
    "overlay-5": ("f5",),
    "overlay-6": ("f6",),
    "overlay-7": ("f7",),
    "overlay-8": ("f8",),
    "overlay": ("`",),
    "compare": ("c",),
    "versus": ("shift+c",),
    "undo": ("ctrl+z",),
    "redo": ("ctrl+shift+z", "ctrl+y"),
    "copy": ("ctrl+c",),
    "cut": ("ctrl+x",),
    "paste": ("ctrl+v",),
    "duplicate": ("ctrl+d",),
    "remove": ("x", "delete"),
    "select-all": ("ctrl+a",),
    "mirror": ("h",),
    "search": ("e", "/"),
    "find": ("ctrl+f",),
    "panels": ("h",),
    "plots": ("shift+h",),
    "picture": ("f12",),
    "loop": ("shift+f12",),
    "brief": ("shift+/", "?"),
    "back": ("escape",),
    **{f"slot-{n}": (str(n),) for n in range(1, 10)},
}
"""Keys by meaning, as ``ctrl+shift+z``. ``h`` with a blueprint in the hand mirrors it; else it hides the panels."""

CONTEXT = frozenset({"mirror"})
"""Meanings that share a key with another one, and are chosen by what is in the hand."""


@dataclass
class Bindings:
    """The table in use: ``changed`` holds what the player has set."""

    changed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def keys(self, meaning: str) -> tuple[str, ...]:
        return self.changed.get(meaning, DEFAULTS[meaning])

    def meaning(self, key: int, *, ctrl: bool, shift: bool) -> str | None:
        """What a key means; with Shift also what it means without, unless it has a meaning of its own."""
        name = pygame.key.name(key)
        if not name:
            return None
        prefix = "ctrl+" if ctrl else ""
        wanted = [prefix + "shift+" + name, prefix + name] if shift else [prefix + name]
        for text in wanted:
            for meaning in DEFAULTS:
                if meaning not in CONTEXT and text in self.keys(meaning):
                    return meaning
        return None
