"""Rows of the inspector, as plain values: what it tells, offers and asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from game.supply import SafeRegion


@dataclass(frozen=True, slots=True)
class Head:
    """A heading with a figure at the right."""

    label: str
    right: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    label: str
    value: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A field that can be typed into. ``hint`` stands there while it is empty."""

    name: str
    label: str
    text: str
    hint: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """What stands in the place of an entry, as high as it, where there is nothing to be typed."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several words; clicking one asks for ("choose", name, word)."""

    name: str
    label: str
    options: tuple[str, ...]
    current: str


@dataclass(frozen=True, slots=True)
class Note:
    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Shares:
    """Busy, starved and blocked shares of time."""

    busy: float
    starved: float
    blocked: float


@dataclass(frozen=True, slots=True)
class Causes:
    """Energy per launch by cause, pJ."""

    parts: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Press:
    """A button."""

    name: str
    label: str
    action: tuple[Any, ...]
    main: bool = False


Row = Head | Value | Entry | Held | Choice | Note | Shares | Causes | Press | SafeRegion


@dataclass(frozen=True, slots=True)
class Subject:
    """What the inspector shows: a title with a sign, a sentence, and rows."""

    title: str
    sign: str
    sentence: str
    rows: tuple[Row, ...]
