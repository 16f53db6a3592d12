"""Technology files: what each event and each standing part of a machine costs.

``assets/technology/<name>.toml`` gives every figure with its source; here they become whole attojoules and
nanowatts, rounded once. Nothing else in the engine knows a figure of energy or power.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from engine.errors import UsageError, nearest
from engine.units import TICKS_PER_NS, aj_from_fj, nw_from_uw


class WireFigures(NamedTuple):
    """What a wire costs: aJ per toggled bit over its whole length; standing nW of drive and of leakage."""

    toggle_aj: int
    drive_nw: int
    leakage_nw: int


@dataclass(frozen=True, slots=True)
class Technology:
    """The figures of one technology file: ``event_aj`` and ``standing_nw`` by name, and where each is from.

    ``sources`` has keys such as ``"event_fj.add"``.
    """

    name: str
    title: str
    event_aj: Mapping[str, int]
    standing_nw: Mapping[str, int]
    sources: Mapping[str, str]

    def operation_aj(self, op: str, is_float: bool) -> int:
        """aJ of one operation ``op`` (a key of the catalogue) on int32 or float32 words."""
        if is_float and f"float_{op}" in self.event_aj:
            return self.event_aj[f"float_{op}"]
        return self.event_aj[op]

    def core_leakage_nw(self, core: str) -> int:
        """Leakage of a core of this type, nW, without its slots."""
        own = f"core_{core.replace('.', '_')}"
        return self.standing_nw[own if own in self.standing_nw else "core"]

    def wire(self, length: int, words: int, every_ticks: int) -> WireFigures:
        """Figures of a wire of ``length`` tile steps and ``words`` words; ``every_ticks`` is 0 when stopped.

        Drive is k × length × speed × words, with the speed 100 / every_ticks tiles/ns, rounded once (half up).
        """
        full_nw = self.standing_nw["drive"] * length * words * TICKS_PER_NS
        return WireFigures(
            self.event_aj["switching"] * length,
            (2 * full_nw + every_ticks) // (2 * every_ticks) if every_ticks else 0,
            self.standing_nw["wire"] * length * words,
        )


@cache
def technologies() -> tuple[str, ...]:
    """Names of all technology files, sorted."""
    folder = resources.files("assets") / "technology"
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml")))


@cache
def technology(name: str) -> Technology:
    """The technology called ``name``. Raises UsageError if there is none."""
    if name not in technologies():
        meant = nearest(name, technologies())
        hint = f"did you mean '{meant}'?" if meant else f"there are: {', '.join(technologies())}"
        raise UsageError(f"there is no technology '{name}': {hint}")
    text = (resources.files("assets") / "technology" / f"{name}.toml").read_text(encoding="utf-8")
    data: dict[str, Any] = tomllib.loads(text)
    return Technology(
        data["name"],
        data["title"],
        {key: aj_from_fj(figure["value"]) for key, figure in data["event_fj"].items()},
        {key: nw_from_uw(figure["value"]) for key, figure in data["standing_uw"].items()},
        {f"{part}.{key}": data[part][key]["source"] for part in ("event_fj", "standing_uw") for key in data[part]},
    )
