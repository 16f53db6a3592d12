"""What a level's physics lets one set of cores and of wires, as fields and choices of the inspector."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine.catalog import (
    AHEAD,
    CLOCK,
    GATE,
    SLEEP_AFTER,
    SUPPLY_SETTINGS,
    VOLTAGE,
    Setting,
)
from engine.model import Level, PadSpec, WireSpec
from levels.physics import core_choices, pad_choices, wire_choices

UNITS = {VOLTAGE.name: "mV", CLOCK.name: "ticks", "gap": "%", SLEEP_AFTER.name: "ticks"}

LABELS = {GATE.name: "sleeps", SLEEP_AFTER.name: "after", AHEAD.name: "wakes ahead"}


@dataclass(frozen=True, slots=True)
class Offered:
    """A setting as the inspector shows it; it is a field of :class:`engine.model.WireSpec` or in the settings of a core
    or pad."""

    setting: Setting
    label: str

    @property
    def name(self) -> str:
        return self.setting.name

    @property
    def unit(self) -> str:
        if self.name == AHEAD.name:  # a wire has one firing that can wake it, a core as many tiles as words come along
            return "0 or 1" if self.setting.high == 1 else "tiles"
        return UNITS.get(self.name, "")

    @property
    def default(self) -> str:
        """What holds where nothing is set."""
        return "" if self.setting.default is None else str(self.setting.default)


def of_cores(level: Level, core: str = "") -> list[Offered]:
    """What can be set of every core, or of those of one type."""
    return [_offered(SUPPLY_SETTINGS[name]) for name in core_choices(level, core)]


def of_pad(level: Level, pad: PadSpec) -> list[Offered]:
    """What can be set of a pad: how it sleeps, if it is one of far memory."""
    return [_offered(SUPPLY_SETTINGS[name]) for name in pad_choices(level, pad)]


def of_wires(level: Level) -> list[Offered]:
    """What can be set of every wire, beside its speed."""
    settings = _wire_settings(level)
    found = [_offered(settings[name]) for name in wire_choices(level)]
    encoding = level.physics.encoding
    if encoding and encoding.raw_receiver:  # no search tries it: it only ever spoils words
        after = next(i for i, one in enumerate(found) if one.name == "encoding") + 1
        found.insert(after, _offered(settings["receiver"]))
    return found


def _offered(setting: Setting) -> Offered:
    return Offered(setting, LABELS.get(setting.name, setting.name.partition("_")[0]))


def _wire_settings(level: Level) -> dict[str, Setting]:
    """Fields of wires as settings, with what this level allows."""
    last, encoding = level.board.tracks - 1, level.physics.encoding
    found = (
        VOLTAGE,
        Setting("track", "int", "lowest track, from north or west", None, 0, last),
        Setting(
            "encoding", "choice", "code of its words", "raw", choices=("raw", *(encoding.offered if encoding else ()))
        ),
        Setting("receiver", "choice", "its far end", "decoder", choices=("decoder", "raw")),
        Setting("gap", "int", "gap between its lines", 100, 40, 100, step=5),
        GATE,
        SLEEP_AFTER,
        Setting("ahead", "int", "1: the firing that makes a word wakes it", 0, 0, 1),
    )
    return {setting.name: setting for setting in found}


def in_common(wires: Collection[WireSpec], offered: Offered) -> str:
    """What some wires have set, as a field shows it: empty where they differ, or all are as they come."""
    found = {getattr(wire, offered.name) for wire in wires}
    only = next(iter(found)) if len(found) == 1 else None
    if isinstance(only, bool):
        return "yes" if only else "no"
    return "" if only is None else str(only)
