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
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.errors import UsageError, nearest
from engine.units import TICKS_PER_NS, aj_from_fj, nw_from_uw


class WireFigures(NamedTuple):
    """What a wire costs: aJ per toggled bit over its whole length; standing nW of drive and of leakage."""

    toggle_aj: int
    drive_nw: int
    leakage_nw: int


@dataclass(frozen=True, slots=True)
class Supply:
    """What a voltage does ("Physics: voltage and clock" in docs/model.md).

    safe_millitick
        Safe period of a core's clock by voltage in mV, in thousandths of a tick; its keys are all voltages there are.
    leakage_ppm
        Leakage by voltage, in millionths of that at ``nominal_mv``.
    shifter_aj
        Energy per word of a level shifter.
    """

    nominal_mv: int
    step_mv: int
    safe_millitick: Mapping[int, int]
    leakage_ppm: Mapping[int, int]
    shifter_aj: int

    @property
    def lowest_mv(self) -> int:
        """The least voltage."""
        return min(self.safe_millitick)

    @property
    def highest_mv(self) -> int:
        """The greatest voltage."""
        return max(self.safe_millitick)

    def dynamic(self, energy: int, mv: int) -> int:
        """An energy at the nominal voltage as it is at ``mv``: C V², rounded half up."""
        nominal = self.nominal_mv**2
        return (2 * energy * mv**2 + nominal) // (2 * nominal)

    def leakage_nw(self, nw: int, mv: int, times: int = 1) -> int:
        """Leakage at the nominal voltage as it is at ``mv``, of a process that leaks ``times`` as much; half up."""
        return (nw * times * self.leakage_ppm[mv] + 500_000) // 1_000_000


@dataclass(frozen=True, slots=True)
class Crosstalk:
    """What lines side by side do to each other ("Physics: crosstalk" in docs/model.md).

    parts
        Equal parts of the energy of a toggled bit: one to ground, one for each side neighbour and each face.
    shield_aj
        Energy per toggled line and tile for each face on a shield, at the nominal voltage.
    noise_uv
        Noise per tile that one neighbour makes, at the nominal voltage.
    margin_uv_per_mv, margin_from_mv
        A quiet line holds its value against so much noise per mV that its supply is above ``margin_from_mv``.
    """

    parts: int
    shield_aj: int
    noise_uv: int
    margin_uv_per_mv: int
    margin_from_mv: int

    def margin_uv(self, mv: int) -> int:
        """The noise that a quiet line of this voltage bears."""
        return self.margin_uv_per_mv * max(0, mv - self.margin_from_mv)


@dataclass(frozen=True, slots=True)
class Codec:
    """Encoder and decoder of a wire ("Physics: encodings" in docs/model.md): energy and leakage are per word."""

    encoder_ticks: int
    decoder_ticks: int
    word_aj: int
    leakage_nw: int


@dataclass(frozen=True, slots=True)
class Tunnelling:
    """What thin walls and thin oxide do ("Physics: tunnelling" in docs/model.md).

    wall_nw, retention_ticks
        By gap in percent, its keys being all gaps there are: leakage through the walls per tile and word beyond that of
        the full gap; how long a set line lasts, 0 where for ever.
    thin_safe_percent, thin_clock_ticks, thin_leakage_percent
        Of a core with thin oxide: its safe period, its clock where none can be set, and its leakage through the oxide
        beyond that of the standard one, in percent of the leakage of the core.
    """

    wall_nw: Mapping[int, int]
    retention_ticks: Mapping[int, int]
    thin_safe_percent: int
    thin_clock_ticks: int
    thin_leakage_percent: int


@dataclass(frozen=True, slots=True)
class Heat:
    """How tiles heat up, and what that does ("Physics: heat" in docs/model.md). Temperatures in µK above the ambient.

    sink_k_per_w, side_k_per_w
        Resistance from a tile to the sink, and to each neighbour.
    settling_ticks
        Time constant of a tile against the sink.
    slower_ppm_per_k
        How much a core's safe period grows with each kelvin.
    doubling_ppm
        Leakage by temperature, in millionths: at 0, 1, … of equal parts of ``doubling_uk``, at which it has doubled.
    limit_uk
        Where a core burns out.
    """

    ambient_c: int
    sink_k_per_w: int
    side_k_per_w: int
    settling_ticks: int
    slower_ppm_per_k: int
    doubling_uk: int
    doubling_ppm: tuple[int, ...]
    limit_uk: int

    def leakage_nw(self, nw: int, uk: int) -> int:
        """Leakage of the ambient temperature as it is ``uk`` above that, up to the limit: linear between the table's
        entries, rounded half up."""
        doublings, rest = divmod(min(uk, self.limit_uk), self.doubling_uk)
        part = self.doubling_uk // len(self.doubling_ppm)
        k, beyond = divmod(rest, part)
        low, high = (*self.doubling_ppm, 2_000_000)[k : k + 2]
        factor = low * part + (high - low) * beyond
        return ((nw * factor << doublings + 1) + 1_000_000 * part) // (2_000_000 * part)

    def safe_millitick(self, cold: int, uk: int) -> int:
        """A safe period of the ambient temperature as it is ``uk`` above that, in thousandths of a tick, rounded up."""
        return cold - -cold * self.slower_ppm_per_k * uk // 10**12

    def most_uk(self, cold: int, ticks: int) -> int:
        """The temperature up to which a period of ``ticks`` is safe; below 0 where it never is."""
        return (1000 * ticks - cold) * 10**12 // (cold * self.slower_ppm_per_k)


class Wakening(NamedTuple):
    """What waking takes: ticks, aJ at the nominal voltage, and the percentage of power that is drawn asleep."""

    ticks: int
    aj: int
    keeps_percent: int


@dataclass(frozen=True, slots=True)
class Technology:
    """The figures of one technology file: ``event_aj`` and ``standing_nw`` by name, and where each is from.

    ``sources`` has keys such as ``"event_fj.add"``.
    """

    name: str
    title: str
    event_aj: Mapping[str, int]
    standing_nw: Mapping[str, int]
    supply: Supply
    codecs: Mapping[str, Codec]
    calm_percent: int
    """Safe time per word of a wire with a code against crosstalk, where that is on, in percent of others'."""
    tunnelling: Tunnelling
    heat: Heat
    wakening: Mapping[str, Wakening]
    """Of a ``wire`` (per tile and word), a ``core`` and a ``far_pad``."""
    crosstalk: Crosstalk
    sources: Mapping[str, str]

    def operation_aj(self, op: str, is_float: bool) -> int:
        """aJ of one operation ``op`` (a key of the catalogue) on int32 or float32 words."""
        if is_float and f"float_{op}" in self.event_aj:
            return self.event_aj[f"float_{op}"]
        return self.event_aj[op]

    def core_leakage_nw(self, core: str, lanes: int = 1) -> int:
        """Leakage of a core of this type and so many lanes, nW, without its slots."""
        own, lane = f"core_{core.replace('.', '_')}", f"core_lane_{core.replace('.', '_')}"
        first = self.standing_nw[own if own in self.standing_nw else "core"]
        return first + (lanes - 1) * self.standing_nw[lane if lane in self.standing_nw else "core_lane"]

    def wire(
        self,
        length: int,
        words: int,
        every_ticks: int,
        mv: int | None = None,
        leakage: int = 1,
        lines: int = 32,
        gap: int = 100,
    ) -> WireFigures:
        """Figures of a wire of ``length`` tile steps and ``words`` words; ``every_ticks`` is 0 when stopped.

        Drive is k × length × speed × words × V² × lines / 32 × gap / 100, with the speed 100 / every_ticks tiles/ns,
        rounded once (half up). ``mv`` is the wire's voltage (None: nominal), ``leakage`` how many times the process
        leaks, ``lines`` how many lines a word has and ``gap`` how much of the full gap lies between them, in percent.
        """
        supply = self.supply
        mv = mv or supply.nominal_mv
        full_nw = self.standing_nw["drive"] * length * words * lines * gap * TICKS_PER_NS * mv**2
        ticks = every_ticks * 3200 * supply.nominal_mv**2
        return WireFigures(
            supply.dynamic(self.event_aj["switching"] * length, mv),
            (2 * full_nw + ticks) // (2 * ticks) if ticks else 0,
            supply.leakage_nw(self.standing_nw["wire"] * length * words, mv, leakage),
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
    codecs = {
        name: Codec(
            codec["encoder_ticks"],
            codec["decoder_ticks"],
            aj_from_fj(codec["word_fj"]),
            nw_from_uw(codec["leakage_uw"]),
        )
        for name, codec in data["encoding"].items()
    }
    return Technology(
        data["name"],
        data["title"],
        {key: aj_from_fj(figure["value"]) for key, figure in data["event_fj"].items()},
        {key: nw_from_uw(figure["value"]) for key, figure in data["standing_uw"].items()},
        _supply(data["dvfs"]),
        {"raw": Codec(0, 0, 0, 0), **codecs},
        data["calm_lines"]["safe_percent"]["value"],
        _tunnelling(data["tunnelling"]),
        _heat(data["heat"]),
        {
            name: Wakening(figure["ticks"], aj_from_fj(figure["wake_fj"]), figure["keeps_percent"])
            for name, figure in data["gating"].items()
        },
        _crosstalk(data["crosstalk"]),
        {
            f"{part}.{key}": figure["source"]
            for part in (
                "event_fj",
                "standing_uw",
                "dvfs",
                "calm_lines",
                "encoding",
                "tunnelling",
                "heat",
                "crosstalk",
                "gating",
            )
            for key, figure in data[part].items()
            if isinstance(figure, dict)
        },
    )


def _supply(data: Mapping[str, Any]) -> Supply:
    def table(name: str) -> Mapping[int, int]:
        values: list[int] = data[name]["values"]
        return MappingProxyType({data["lowest_mv"] + i * data["step_mv"]: value for i, value in enumerate(values)})

    return Supply(
        data["nominal_mv"],
        data["step_mv"],
        table("safe_millitick"),
        table("leakage_ppm"),
        aj_from_fj(data["level_shifter_fj"]["value"]),
    )


def _tunnelling(data: Mapping[str, Any]) -> Tunnelling:
    def table(name: str) -> Mapping[int, int]:
        values: list[int] = data[name]["values"]
        return MappingProxyType({data["lowest_gap"] + i * data["step_gap"]: value for i, value in enumerate(values)})

    thin = data["thin_oxide"]
    return Tunnelling(
        table("wall_nw"),
        table("retention_ticks"),
        thin["safe_percent"],
        thin["clock_ticks"],
        thin["leakage_percent"],
    )


def _heat(data: Mapping[str, Any]) -> Heat:
    kelvin = 10**6
    return Heat(
        data["ambient_c"],
        data["sink_k_per_w"]["value"],
        data["side_k_per_w"]["value"],
        data["settling_ns"]["value"] * TICKS_PER_NS,
        data["slower_ppm_per_k"]["value"],
        data["leakage_ppm"]["doubling_k"] * kelvin,
        tuple(data["leakage_ppm"]["values"]),
        data["limit_k"]["value"] * kelvin,
    )


def _crosstalk(data: Mapping[str, Any]) -> Crosstalk:
    return Crosstalk(
        data["parts"]["value"],
        aj_from_fj(data["shield_fj"]["value"]),
        data["noise_uv"]["value"],
        data["margin_uv_per_mv"]["value"],
        data["margin_from_mv"]["value"],
    )
