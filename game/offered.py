"""What a level's physics lets one set of cores and of wires, as fields and choices of the inspector."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine.catalog import (
    AHEAD,
    CLOCK,
    CORES,
    GATE,
    GATE_SETTINGS,
    SLEEP_AFTER,
    SLEEPLESS,
    SUPPLY_SETTINGS,
    VOLTAGE,
    Setting,
)
from engine.model import Level, PadSpec, WireSpec
from engine.pads import is_far

UNITS = {VOLTAGE.name: "mV", CLOCK.name: "ticks", "gap": "%", SLEEP_AFTER.name: "ticks"}

GATE_LABELS = {GATE.name: "sleeps", SLEEP_AFTER.name: "after", AHEAD.name: "wakes ahead"}


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
    physics = level.physics
    names = [*(physics.dvfs.cores if physics.dvfs else ()), *(physics.tunnelling.cores if physics.tunnelling else ())]
    found = [Offered(SUPPLY_SETTINGS[name], name.partition("_")[0]) for name in names]
    sleep = physics.gating is not None and "cores" in physics.gating.offered and core not in SLEEPLESS
    return found + (_sleep() if sleep else [])


def of_pad(level: Level, pad: PadSpec) -> list[Offered]:
    """What can be set of a pad: how it sleeps, if it is one of far memory."""
    gating = level.physics.gating
    return _sleep() if gating and "pads" in gating.offered and pad.core in CORES and is_far(level, pad) else []


def _sleep() -> list[Offered]:
    return [Offered(one, GATE_LABELS[one.name]) for one in GATE_SETTINGS]


def of_wires(level: Level) -> list[Offered]:
    """What can be set of every wire, beside its speed."""
    physics = level.physics
    found = []
    if physics.dvfs and physics.dvfs.wires:
        found.append(Offered(VOLTAGE, "voltage"))
    if physics.crosstalk and physics.crosstalk.wires:
        last = level.board.tracks - 1
        found.append(Offered(Setting("track", "int", "lowest track, from north or west", None, 0, last), "track"))
    if physics.encoding:
        codes = ("raw", *physics.encoding.offered)
        found.append(Offered(Setting("encoding", "choice", "code of its words", "raw", choices=codes), "encoding"))
        if physics.encoding.raw_receiver:
            ends = ("decoder", "raw")
            found.append(Offered(Setting("receiver", "choice", "its far end", "decoder", choices=ends), "receiver"))
    if physics.tunnelling and physics.tunnelling.wires:
        found.append(Offered(Setting("gap", "int", "gap between its lines", 100, 40, 100, step=5), "gap"))
    if physics.gating and "wires" in physics.gating.offered:
        ahead = Setting("ahead", "int", "1: the firing that makes a word wakes it", 0, 0, 1)
        found += [Offered(one, GATE_LABELS[one.name]) for one in (GATE, SLEEP_AFTER, ahead)]
    return found


def in_common(wires: Collection[WireSpec], offered: Offered) -> str:
    """What some wires have set, as a field shows it: empty where they differ, or all are as they come."""
    found = {getattr(wire, offered.name) for wire in wires}
    only = next(iter(found)) if len(found) == 1 else None
    if isinstance(only, bool):
        return "yes" if only else "no"
    return "" if only is None else str(only)
