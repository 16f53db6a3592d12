"""Speeds and numbers: turned by the wheel, halved and doubled, stopped and restored. One roll is one entry."""

from __future__ import annotations

from engine.catalog import CORES
from engine.model import CoreSpec, Design, SettingValue
from game.editor import edits
from game.editor.hand import Hand
from game.view.layout import ports_of_core

ROLL_S = 0.6
"""A roll of the wheel is over when the wheel has rested so long."""

DETENT_S = 0.3
"""So long does the rate that is asked hold the wheel: what is left of a spin does not carry a wire past it."""


class Speeds(Hand):
    """Turns the speeds of wires and the numbers of cores."""

    def roll(self, wires: set[int], notches: int, fine: bool = False) -> None:
        """Turn the speed of wires; one that is stopped starts at its slowest useful speed."""
        if self._detent_left > 0 and not fine:
            return
        speeds: dict[int, int | None] = {}
        clicked = False
        for wire in wires:
            every = self.design.wires[wire].every_ticks
            if every is None:
                if notches > 0:
                    speeds[wire] = self._stopped_before.pop(wire, 2000)
                continue
            detent = self.detents.get(wire)
            speeds[wire] = edits.notch(every, notches, fine, detent)
            clicked |= speeds[wire] == detent and every != detent
        if speeds:
            self._roll(edits.set_speeds(self.design, speeds), f"speed of {', '.join(map(str, sorted(wires)))}")
            self._remember(speeds)
            self._detent_left = DETENT_S if clicked else 0.0
            self.on_sound("detent" if clicked else "notch")

    def _roll_core(self, core: str, steps: int) -> None:
        """Turn a core's number; an input that has neither wire nor number begins at 0."""
        spec = next(c for c in self.design.cores if c.id == core)
        key = main_number(spec.core, spec.set) or self._free_input(spec)
        value = spec.set.get(key, _default(spec.core, key)) if key else None
        if key is None or not isinstance(value, int | None) or isinstance(value, bool):
            self.on_sound("refused")
            self.on_say(f"{spec.core} has no number for the wheel")
            return
        low, high = _bounds(spec.core, key)
        now = (value or 0) + steps
        self._roll(edits.set_value(self.design, core, key, min(max(now, low), high)), f"set {core}.{key}")
        self.on_sound("notch")

    def _free_input(self, spec: CoreSpec) -> str | None:
        """The input that the wheel gives a number: the last free one, as wires come to the first; None for a core of
        one input, which computes nothing from a number alone."""
        inputs, _ = ports_of_core(spec.core, spec.set)
        wired = {port for wire in self.design.wires for name, port in wire.ends if name == spec.id}
        free = [port.name for port in inputs if port.name not in wired and port.name not in spec.set]
        return free[-1] if free and len(inputs) > 1 else None

    def _roll(self, design: Design, label: str) -> None:
        """One notch: a roll of the wheel is one entry of the history, as long as it goes on."""
        if self._roll_left is None or self._roll_label != label:
            self.settle()
            self.history.begin()
        self._roll_left, self._roll_label = ROLL_S, label
        self.history.preview(design)

    @property
    def rolling(self) -> bool:
        """Whether a roll of the wheel is under way."""
        return self._roll_left is not None

    def settle(self) -> None:
        """The roll of the wheel under way is over."""
        if self._roll_left is not None:
            self._roll_left = None
            self.history.commit(self._roll_label)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._detent_left = max(self._detent_left - seconds, 0.0)
        if self._roll_left is not None:
            self._roll_left -= seconds
            if self._roll_left <= 0:
                self.settle()

    def _set_speeds(self, speeds: dict[int, int | None], label: str = "speed") -> None:
        if not speeds:
            return
        self.settle()
        self.history.do(edits.set_speeds(self.design, speeds), label)
        self._remember(speeds)

    def _remember(self, speeds: dict[int, int | None]) -> None:
        """A new wire gets the speed that was set last."""
        last = self.design.wires[next(iter(speeds))].every_ticks
        if last is not None:
            self.speed = last

    def scale_speeds(self, factor: float) -> None:
        """``[`` and ``]``: half or double the speed of what a key acts on."""
        speeds: dict[int, int | None] = {}
        for wire in self.wires_meant():
            every = self.design.wires[wire].every_ticks
            if every is not None:
                speeds[wire] = round(every / factor)
        self._set_speeds(speeds)

    def stop_or_restore(self) -> None:
        """``0``: stop the wires that a key acts on; where all are stopped, let them run as before."""
        wires = self.wires_meant()
        running = [w for w in wires if self.design.wires[w].every_ticks is not None]
        for wire in running:
            self._stopped_before[wire] = self.design.wires[wire].every_ticks or 100
        speeds: dict[int, int | None] = (
            dict.fromkeys(running) if running else {w: self._stopped_before.get(w, self.speed or 100) for w in wires}
        )
        self._set_speeds(speeds, "stop" if running else "restore")


def main_number(core: str, settings: dict[str, SettingValue]) -> str | None:
    """What the wheel turns on a core: its only immediate, else its first whole number."""
    inputs, _ = ports_of_core(core, settings)
    immediates = [port.name for port in inputs if isinstance(settings.get(port.name), int)]
    if immediates:
        return immediates[0]
    for setting in CORES[core].settings:
        if setting.kind == "int":
            return setting.name
    return None


def _default(core: str, key: str) -> object:
    """What a setting is while it is not given; None for an input."""
    return next((setting.default for setting in CORES[core].settings if setting.name == key), None)


def _bounds(core: str, key: str) -> tuple[int, int]:
    for setting in CORES[core].settings:
        if setting.name == key:
            return setting.low, setting.high
    return -(2**31), 2**31 - 1
