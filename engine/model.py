"""Level, design and report: the three documents that everything else exchanges.

These are plain pydantic models, without YAML: :mod:`levels` reads and writes files, :mod:`engine` runs them.
The field descriptions are the documentation of the file formats; ``perwatt schema`` prints them.

A document that satisfies its model is well formed on its own. What needs the other document or the catalogue
(ports, tracks, missing inputs) is checked by :mod:`engine.elaborate`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from engine.units import MIN_EVERY_TICKS, every_ticks_from_speed, ns_from_ticks, ticks_from_ns

FORMAT = 1
"""The version of the file formats; the key ``perwatt`` of every file."""

SCORE_VERSION = 1
"""Raised whenever the same design and level may get another score."""

MAX_ARRAY_WORDS = 65_536
"""Words of one array in one launch."""

DEFAULT_BANKS = 8
"""Banks of a shared memory in a level with lanes that says nothing else."""

MAX_THREADS = 65_536
"""Threads of one launch, over all blocks."""

ID_PATTERN = r"^[a-z0-9][a-z0-9-]{0,63}$"
ELEMENT_PATTERN = r"^[A-Za-z_][A-Za-z0-9_]{0,31}$"
FILE_PATTERN = r"^[a-z0-9][a-z0-9._-]{0,99}\.yaml$"

ElementId = Annotated[str, Field(pattern=ELEMENT_PATTERN)]
FileName = Annotated[str, Field(pattern=FILE_PATTERN)]
Tile = tuple[Annotated[int, Field(ge=0, le=255)], Annotated[int, Field(ge=0, le=255)]]
"""A board position: [column, row] from the top left."""

Number = int | float
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
EveryNs = Annotated[float, Field(ge=0.1, le=10_000, allow_inf_nan=False)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=False, populate_by_name=True, strict=False)


# --- Level -----------------------------------------------------------------------------------------------


class DataSpec(_Model):
    """How an input array's words are drawn, afresh for every launch."""

    kind: Literal["distinct", "any", "permutation"] = Field(
        "distinct",
        description="distinct: no two words of the array are equal, none is zero; any: words may repeat; "
        "permutation: the numbers low … high, each once",
    )
    low: int = Field(1, ge=-(2**31), le=2**31 - 1, description="least value, included")
    high: int = Field(99, ge=-(2**31), le=2**31 - 1, description="greatest value, included")
    scale: float = Field(
        1.0, gt=0, le=1e6, allow_inf_nan=False, description="float arrays: each integer is multiplied by this"
    )

    @model_validator(mode="after")
    def _range(self) -> DataSpec:
        if self.low > self.high:
            raise ValueError(f"low is {self.low} and high is {self.high}: low must not be above high")
        return self


class ArraySpec(_Model):
    """An array of the kernel. With ``data`` it is an input; without, an output that the machine must write."""

    shape: list[Annotated[int, Field(ge=1, le=4096)]] = Field(min_length=1, max_length=4)
    dtype: Literal["int32", "float32"] = "int32"
    memory: Literal["near", "far"] = Field("near", description="near: on-chip SRAM; far: VRAM")
    every_ns: EveryNs | None = Field(None, description="least time between two accesses; default 4 for near, 1 for far")
    line: Literal[1, 4, 8] = Field(
        1, description="words that one access moves, neighbours in row-major order; it is paid whole"
    )
    data: DataSpec | None = Field(None, description="how the input is drawn; leave out for an output")

    @model_validator(mode="after")
    def _bounded(self) -> ArraySpec:
        if self.words > MAX_ARRAY_WORDS:
            raise ValueError(f"shape makes {self.words} words; an array has at most {MAX_ARRAY_WORDS}: make it smaller")
        return self

    @property
    def words(self) -> int:
        """Number of words of the array in one launch."""
        n = 1
        for length in self.shape:
            n *= length
        return n


class KernelSpec(_Model):
    """The ground truth: arrays, and either equations in index notation or the name of a known kernel."""

    arrays: dict[ElementId, ArraySpec] = Field(min_length=1, max_length=16)
    truth: str | None = Field(None, max_length=8000, description="one equation per line, out[i] = …")
    named: str | None = Field(None, pattern=ID_PATTERN, description="a kernel known to Perwatt, e.g. matmul")
    tolerance: float = Field(1e-5, ge=0, le=1, allow_inf_nan=False, description="float outputs: allowed relative error")

    @model_validator(mode="after")
    def _one_truth(self) -> KernelSpec:
        if (self.truth is None) == (self.named is None):
            raise ValueError("give exactly one of truth (equations) and named (a known kernel)")
        return self


class ThreadSpec(_Model):
    """The grid of threads, as on a GPU: ``grid`` blocks of ``block`` threads, both [row, column] or [n]."""

    block: list[Annotated[int, Field(ge=1, le=1024)]] = Field(min_length=1, max_length=3)
    grid: list[Annotated[int, Field(ge=1, le=1024)]] = Field(min_length=1, max_length=3)

    @model_validator(mode="after")
    def _same_rank(self) -> ThreadSpec:
        if len(self.block) != len(self.grid):
            raise ValueError(
                f"block has {len(self.block)} dimensions and grid has {len(self.grid)}: give both the same"
            )
        if self.threads_per_block * self.blocks > MAX_THREADS:
            raise ValueError(
                f"block times grid makes {self.threads_per_block * self.blocks} threads; "
                f"a launch has at most {MAX_THREADS}: make one of them smaller"
            )
        return self

    @property
    def threads_per_block(self) -> int:
        n = 1
        for length in self.block:
            n *= length
        return n

    @property
    def blocks(self) -> int:
        n = 1
        for length in self.grid:
            n *= length
        return n


class BoardSpec(_Model):
    """The tile grid: ``size`` is [columns, rows]; ``blocked`` are rectangles [column, row, width, height]."""

    size: tuple[Annotated[int, Field(ge=2, le=256)], Annotated[int, Field(ge=1, le=256)]]
    tracks: int = Field(8, ge=1, le=32, description="words that may cross one tile edge, both directions")
    blocked: list[
        tuple[
            Annotated[int, Field(ge=0, le=255)],
            Annotated[int, Field(ge=0, le=255)],
            Annotated[int, Field(ge=1, le=256)],
            Annotated[int, Field(ge=1, le=256)],
        ]
    ] = Field(default_factory=list, max_length=256)


class PadSpec(_Model):
    """A pad at the board's edge, placed by the level."""

    id: ElementId
    core: Literal["threads", "stream", "load", "store", "sink"]
    at: Tile
    array: ElementId | None = Field(None, description="the pad's array; default: the array of the same name")
    words: list[str] | None = Field(
        None, min_length=1, max_length=6, description="threads: the words of a token, e.g. [block, local]"
    )
    every_ns: EveryNs | None = Field(None, description="least time between two words (threads: tokens)")
    burst: tuple[Annotated[int, Field(ge=1, le=4096)], EveryNs] | None = Field(
        None, description="stream: [words, rest in ns]: after so many words, silence"
    )


class LaunchSpec(_Model):
    """How long a run is, at least."""

    warmup: int = Field(4, ge=1, le=10_000)
    measured: int = Field(12, ge=1, le=1_000_000)


class LimitSpec(_Model):
    """Limits that a passing design must keep. All are enforced."""

    time_us: float = Field(1000, gt=0, le=20_000, allow_inf_nan=False, description="a run is cut off here")
    throughput_per_us: float | None = Field(None, gt=0, allow_inf_nan=False, description="at least")
    latency_ns: float | None = Field(None, gt=0, allow_inf_nan=False, description="median, at most")
    power_mw: float | None = Field(None, gt=0, allow_inf_nan=False, description="at most")
    accesses: dict[ElementId, Count] = Field(
        default_factory=dict,
        description="memory accesses per launch, by array, at most; masked ones are free. An access moves one line",
    )
    words: dict[ElementId, Count] = Field(
        default_factory=dict, description="words read or written per launch, by array, at most: live lanes"
    )
    words_per_thread: dict[ElementId, Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]] = Field(
        default_factory=dict, description="the same, divided by the threads of a launch"
    )
    slots: Count | None = Field(None, description="slots and shared words in the whole design, at most")
    footprint: int | None = Field(None, ge=1, le=1_000_000_000, description="tiles, at most")
    cores: Count | None = Field(None, description="cores placed, at most")


class MedalSpec(_Model):
    """Launches/nJ from which a medal is won; written by ``perwatt check --bless``."""

    bronze: float = Field(gt=0, allow_inf_nan=False)
    silver: float = Field(gt=0, allow_inf_nan=False)
    gold: float = Field(gt=0, allow_inf_nan=False)


class ReferenceSpec(_Model):
    """The level's own machines: what a player would build first, and a good one."""

    naive: FileName
    best: FileName
    wide: FileName | None = Field(None, description="one with lanes, where a level made without them allows some")


class WrongSpec(_Model):
    """A design that must fail, and how."""

    design: FileName
    verdict: Literal["fault", "deadlock", "timeout", "limit", "invalid"]
    where: str | None = Field(None, max_length=64, description="the core, pad, wire or limit that is named")
    code: str | None = Field(None, max_length=64, description="the fault's code, e.g. wrong-value")


MODULES = ("dvfs", "crosstalk", "encoding", "tunnelling", "heat", "gating")
"""Modules of physics that a level can switch on."""


CoreSupply = Literal["voltage_mv", "clock_ticks"]
WireSupply = Literal["voltage_mv"]


def _core_supply() -> list[CoreSupply]:
    return ["voltage_mv", "clock_ticks"]


def _wire_supply() -> list[WireSupply]:
    return ["voltage_mv"]


def _once(names: list[str]) -> list[str]:
    """Refuse a list that names something twice."""
    for i, name in enumerate(names):
        if name in names[:i]:
            raise ValueError(f"'{name}' stands here twice: name it once")
    return names


Once = AfterValidator(_once)
"""For lists of what a level offers."""


class DvfsSpec(_Model):
    """Voltage and clock: what a design may set, of which elements ("Physics: voltage and clock" in docs/model.md)."""

    cores: Annotated[list[CoreSupply], Once] = Field(
        default_factory=_core_supply, max_length=2, description="what can be set of a core"
    )
    wires: Annotated[list[WireSupply], Once] = Field(
        default_factory=_wire_supply, max_length=1, description="what can be set of a wire"
    )
    leakage: int = Field(
        1, ge=1, le=100, description="cores and wires leak so many times as much: a process of low thresholds"
    )


CrosstalkSetting = Literal["track"]


def _crosstalk_settings() -> list[CrosstalkSetting]:
    return ["track"]


class CrosstalkSpec(_Model):
    """Crosstalk: wires side by side pull on each other ("Physics: crosstalk" in docs/model.md)."""

    wires: Annotated[list[CrosstalkSetting], Once] = Field(
        default_factory=_crosstalk_settings, max_length=1, description="what can be set of a wire"
    )
    shields: Count | None = Field(None, description="how many shields may be laid; null: any number")
    switching: int = Field(1, ge=1, le=100, description="wires take so many times the energy to switch")


EncodingName = Literal["gray", "bus-invert", "bus-invert-4", "parity", "secded", "no-opposites", "no-lone-bits"]


def _encodings() -> list[EncodingName]:
    return ["gray", "bus-invert", "bus-invert-4", "parity", "secded", "no-opposites", "no-lone-bits"]


class EncodingSpec(_Model):
    """Codes for the words on wires ("Physics: encodings" in docs/model.md)."""

    offered: Annotated[list[EncodingName], Once] = Field(
        default_factory=_encodings, min_length=1, max_length=7, description="what a wire's encoding can be, beside raw"
    )
    raw_receiver: bool = Field(False, description="whether a design may leave out the decoder at a wire's end")


WireWalls = Literal["gap"]
CoreOxide = Literal["oxide"]


def _wire_walls() -> list[WireWalls]:
    return ["gap"]


def _core_oxide() -> list[CoreOxide]:
    return ["oxide"]


class TunnellingSpec(_Model):
    """Thin walls and thin oxide ("Physics: tunnelling" in docs/model.md): what a design may set, of which elements."""

    wires: Annotated[list[WireWalls], Once] = Field(
        default_factory=_wire_walls, max_length=1, description="what can be set of a wire"
    )
    cores: Annotated[list[CoreOxide], Once] = Field(
        default_factory=_core_oxide, max_length=1, description="what can be set of a core"
    )


Sleeper = Literal["wires", "cores", "pads"]


def _sleepers() -> list[Sleeper]:
    return ["wires", "cores", "pads"]


class GatingSpec(_Model):
    """Gating: what is idle may sleep ("Physics: gating" in docs/model.md)."""

    offered: Annotated[list[Sleeper], Once] = Field(
        default_factory=_sleepers, min_length=1, max_length=3, description="what may sleep; pads: those of far memory"
    )


class HeatSpec(_Model):
    """Heat: what is close together and busy gets hot, leaks more and slows down ("Physics: heat" in docs/model.md)."""


class PhysicsSpec(_Model):
    """What of the physics a level switches on; what is not named is off."""

    dvfs: DvfsSpec | None = Field(None, description="voltage and clock of cores, voltage of wires")
    crosstalk: CrosstalkSpec | None = Field(None, description="coupling of wires side by side, shields, tracks: {}")
    encoding: EncodingSpec | None = Field(None, description="codes for the words on wires")
    tunnelling: TunnellingSpec | None = Field(None, description="gaps between the lines of wires, oxide of cores")
    heat: HeatSpec | None = Field(None, description="temperatures of tiles, and what they do to cores: {}")
    gating: GatingSpec | None = Field(None, description="idle wires, cores and far pads that sleep: {}")

    @property
    def modules(self) -> tuple[str, ...]:
        """Names of the modules that are on."""
        return tuple(name for name in MODULES if getattr(self, name) is not None)


class Level(_Model):
    """A level file."""

    perwatt: Literal[1] = Field(description="version of the format")
    id: str = Field(pattern=ID_PATTERN, description="<chapter>-<nn>-<slug>, unique")
    title: str = Field(min_length=1, max_length=60)
    chapter: str = Field(pattern=ID_PATTERN)
    brief: str = Field(max_length=2000, description="Markdown, at most 60 words")
    field_note: str = Field("", max_length=4000, description="shown after the launch")
    signed: str = Field("", max_length=80, description="who left the pad here")
    teaches: list[str] = Field(default_factory=list, max_length=12)
    hints: list[str] = Field(default_factory=list, max_length=4)
    goal: Literal["efficiency", "limit", "speed"] = Field(
        "efficiency",
        description="efficiency: an idea is needed; limit: a limit is the real goal; speed: the wires' speeds are",
    )
    requires: list[str] = Field(default_factory=list, description="ids of levels to solve first")
    pace: float = Field(10, gt=0, le=1e5, allow_inf_nan=False, description="first play speed, ns per second")
    kernel: KernelSpec
    threads: ThreadSpec | None = None
    board: BoardSpec
    pads: list[PadSpec] = Field(min_length=1, max_length=32)
    parts: dict[str, Count] | None = Field(
        None, description="how many of each core may be placed; '*' is the rest; no map: everything"
    )
    physics: PhysicsSpec = Field(default_factory=PhysicsSpec)
    lanes: Literal[1, 2, 4, 8] = Field(1, description="lanes of a packet, at most; 1: packets are scalars")
    banks: int | None = Field(
        None,
        ge=0,
        le=64,
        description="banks of a shared memory; 0: its ports never wait for each other; null: 8 with lanes, else 0",
    )
    technology: str = Field("n45", pattern=ID_PATTERN)
    control_fj: float | None = Field(
        None, ge=0, le=1e6, allow_inf_nan=False, description="energy of a firing's control; null: the technology's"
    )
    standby_uw: float = Field(ge=0, le=1e6, allow_inf_nan=False, description="the chip's own power, always on")
    launches: LaunchSpec = Field(default_factory=LaunchSpec)
    limits: LimitSpec = Field(default_factory=LimitSpec)
    tools: list[Literal["match", "why", "brush", "relay"]] | None = None
    new_wire_speed: float = Field(1, ge=0, le=10, allow_inf_nan=False)
    start: FileName | None = None
    medals: MedalSpec | None = None
    reference: ReferenceSpec | None = None
    wrong: dict[str, WrongSpec] = Field(default_factory=dict)
    levers: dict[str, FileName] = Field(
        default_factory=dict, description="best reference with one idea undone, by the idea's name"
    )

    @model_validator(mode="after")
    def _lines_of_scalars(self) -> Level:
        lines = [name for name in ("crosstalk", "encoding", "tunnelling") if name in self.physics.modules]
        if lines and self.lanes > 1:
            raise ValueError(
                f"lanes is {self.lanes} and physics has {' and '.join(lines)}: lines are those of words, and packets "
                "of lanes have fewer words than values; leave one of both out"
            )
        return self

    @property
    def bank_count(self) -> int:
        """Banks of a shared memory; 0: every port reads or writes a word in each cycle, whatever the others do."""
        if self.banks is not None:
            return self.banks
        return DEFAULT_BANKS if self.lanes > 1 else 0

    @property
    def number(self) -> str:
        """The level's number within its chapter, ``"08b"``."""
        match = re.match(rf"{re.escape(self.chapter)}-(\d+[a-z]?)-", self.id)
        return match.group(1) if match else ""


# --- Design ----------------------------------------------------------------------------------------------


class WordChoice(_Model):
    """Which words of the packet a port takes: numbers choose words, strings are constants."""

    words: list[Annotated[int, Field(ge=0, le=15)] | str] = Field(min_length=1, max_length=6)

    @field_validator("words")
    @classmethod
    def _constants(cls, words: list[int | str]) -> list[int | str]:
        for word in words:
            if isinstance(word, str) and not re.fullmatch(r"-?\d{1,10}", word):
                raise ValueError(f"'{word}' is not a whole number: a constant is written as a string, '10'")
        return words


PortCounts = dict[str, Annotated[int, Field(ge=0, le=64)]]
"""How many ports of each kind a shared memory has: {write: 1, read: 2}."""

SettingValue = WordChoice | PortCounts | bool | int | float | str | list[int | float | str | None]


CORE_PHYSICS = ("voltage_mv", "clock_ticks", "oxide", "gate", "sleep_after", "ahead")
"""What physics lets be set of a core or pad."""


def _given(settings: Any) -> Any:
    """Settings without those of physics that are null, which are not set: as with those of a wire."""
    if not isinstance(settings, dict):
        return settings
    return {key: value for key, value in settings.items() if value is not None or key not in CORE_PHYSICS}


class CoreSpec(_Model):
    """A core of a design. ``set`` holds its settings and, by port name, immediates and word choices.

    Where the level offers them, ``voltage_mv``, ``clock_ticks`` and ``oxide`` are settings of every core.
    """

    id: ElementId
    core: str = Field(min_length=1, max_length=32)
    at: Tile
    set: dict[str, SettingValue] = Field(default_factory=dict)

    @field_validator("set", mode="before")
    @classmethod
    def _set(cls, given: Any) -> Any:
        return _given(given)


_SOURCE = re.compile(r"^(?P<core>[A-Za-z_]\w*)\.(?P<port>[a-z][a-z0-9_.]*)(?:\[(?P<words>[0-9, ]+)\])?$")
_TARGET = re.compile(r"^(?P<core>[A-Za-z_]\w*)\.(?P<port>[a-z][a-z0-9_.]*)$")


class WireSpec(_Model):
    """A wire: from an output port to one or more input ports of one core, along corners of a path.

    ``every_ticks`` is the machine's unit and None when the wire is stopped. Files say ``every_ns`` or
    ``speed`` (a number or "1/3"; 0 is stopped).
    """

    source: str = Field(alias="from", description="core.port, with chosen words: t.token[0,2]")
    to: list[str] = Field(min_length=1, max_length=6, description="core.port, or several ports of one core")
    path: list[Tile] = Field(min_length=2, max_length=1024, description="corners, both ends included")
    every_ticks: int | None = Field(ge=MIN_EVERY_TICKS, le=1_000_000)
    voltage_mv: int | None = Field(None, description="mV, where the level offers it; default: 900")
    track: int | None = Field(
        None,
        ge=0,
        le=999,
        description="lowest track, from north or west, where the level offers it; default: free ones",
    )
    encoding: Literal["raw"] | EncodingName | None = Field(
        None, description="code of its words, where offered; raw, the default, is none"
    )
    receiver: Literal["raw"] | None = Field(
        None, description="raw: no decoder at its end, the core gets lines 0 to 31; only where the level offers it"
    )
    gate: bool | None = Field(None, description="whether it sleeps when it is idle, where offered; default: no")
    sleep_after: int | None = Field(None, ge=0, le=100_000, description="ticks of idleness before it; default: 100")
    ahead: int | None = Field(
        None, ge=0, le=1, description="1: the firing that makes a word wakes it, not the word; default: 0"
    )
    gap: int | None = Field(
        None, ge=40, le=100, multiple_of=5, description="gap between lines in percent, where offered; default: 100"
    )

    @model_validator(mode="before")
    @classmethod
    def _speed(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        value = dict(value)
        given = [k for k in ("every_ns", "speed", "every_ticks") if k in value]
        if len(given) != 1:
            found = " and ".join(given) if given else "neither"
            raise ValueError(
                f"a wire needs one speed: give every_ns (ns per word) or speed (tiles/ns, 0 is stopped); found {found}"
            )
        if isinstance(value.get("to"), str):
            value["to"] = [value["to"]]
        if "every_ns" in value:
            value["every_ticks"] = _ticks(value.pop("every_ns"))
        elif "speed" in value:
            value["every_ticks"] = parse_speed(value.pop("speed"))
        return value

    @field_validator("encoding")
    @classmethod
    def _encoding(cls, name: str | None) -> str | None:
        return None if name == "raw" else name

    @field_validator("source")
    @classmethod
    def _source(cls, text: str) -> str:
        if not _SOURCE.match(text):
            raise ValueError(f"'{text}' is not an output: write core.port or core.port[0,2]")
        return text

    @field_validator("to")
    @classmethod
    def _to(cls, texts: list[str]) -> list[str]:
        cores = set()
        for text in texts:
            match = _TARGET.match(text)
            if not match:
                raise ValueError(f"'{text}' is not an input: write core.port")
            cores.add(match["core"])
        if len(cores) > 1:
            raise ValueError("a wire ends at one core; it may end at several ports of it")
        return texts

    @property
    def label(self) -> str:
        """What messages call it, by both its ends: a wire's source may have many."""
        return f"the wire from {self.source} to {' and '.join(self.to)}"

    @property
    def start(self) -> tuple[str, str, tuple[int, ...] | None]:
        """(core, port, chosen words or None for all of them)."""
        match = _SOURCE.match(self.source)
        assert match
        words = match["words"]
        return match["core"], match["port"], tuple(int(w) for w in words.split(",")) if words else None

    @property
    def ends(self) -> list[tuple[str, str]]:
        """(core, port) for each port that the wire ends at."""
        return [tuple(text.split(".", 1)) for text in self.to]  # type: ignore[misc]


def _ticks(every_ns: Any) -> int:
    if isinstance(every_ns, bool) or not isinstance(every_ns, int | float) or not 0.1 <= every_ns <= 10_000:
        raise ValueError(f"every_ns is {every_ns!r}: give 0.1 to 10000 ns per word; a stopped wire has speed 0")
    ticks = ticks_from_ns(every_ns)
    if abs(ns_from_ticks(ticks) - every_ns) > 1e-9:
        raise ValueError(f"every_ns is {every_ns}: a tick is 0.01 ns, so at most two decimals")
    return ticks


def parse_speed(speed: Any) -> int | None:
    """Ticks per word of a speed in tiles/ns as written by a person: 0.25, "1/3"; None for 0 (stopped).

    Raises ValueError with what is allowed.
    """
    try:
        if isinstance(speed, bool):
            raise ValueError
        value = Fraction(str(speed).replace(" ", "")) if isinstance(speed, str) else Fraction(str(speed))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"speed is {speed!r}: give tiles per ns as 0.25 or '1/4', or 0 for stopped") from None
    ticks = every_ticks_from_speed(value) if value >= 0 else 1
    if ticks is not None and not MIN_EVERY_TICKS <= ticks <= 1_000_000:
        raise ValueError(f"speed is {speed!r}: a wire runs at 0.0001 to 10 tiles per ns, or 0 for stopped")
    return ticks


class ShieldSpec(_Model):
    """A grounded track between wires, in levels with crosstalk."""

    path: list[Tile] = Field(min_length=2, max_length=1024, description="corners, both ends included")
    track: int = Field(ge=0, le=999, description="from the north or west, from 0")


WIRE_PHYSICS = ("voltage_mv", "track", "encoding", "receiver", "gap", "gate", "sleep_after", "ahead")
"""What physics lets be set of a wire; left out where it is not set."""


class Design(_Model):
    """A design file: a player's machine for one level."""

    perwatt: Literal[1] = Field(description="version of the format")
    level: str = Field(pattern=ID_PATTERN)
    name: str = Field("", max_length=80)
    note: str = Field("", max_length=2000)
    pads: dict[ElementId, dict[str, SettingValue]] = Field(
        default_factory=dict, description="settings, immediates and word choices of the level's pads"
    )
    cores: list[CoreSpec] = Field(default_factory=list, max_length=1000)
    wires: list[WireSpec] = Field(default_factory=list, max_length=3000)
    shields: list[ShieldSpec] = Field(default_factory=list, max_length=1000, description="where the level offers them")

    @field_validator("pads", mode="before")
    @classmethod
    def _pads(cls, pads: Any) -> Any:
        return {name: _given(given) for name, given in pads.items()} if isinstance(pads, dict) else pads


# --- Report ----------------------------------------------------------------------------------------------

Verdict = Literal["pass", "fault", "deadlock", "timeout", "limit", "invalid"]
CAUSES = ("compute", "control", "drive", "switching", "memory", "storage", "leakage", "standby")
"""Where energy goes, in the order of every table and plot."""

PHYSICS_CAUSES = {
    "dvfs": ("shifting",),
    "crosstalk": ("coupling",),
    "encoding": ("encoding",),
    "tunnelling": ("tunnelling",),
    "gating": ("wake-up",),
}
"""Further causes of energy by the module of physics that brings them; where it is off there is no such cause."""


def causes_with(modules: Iterable[str]) -> tuple[str, ...]:
    """All causes of energy of a machine with these modules of physics, in order."""
    return (*CAUSES, *(cause for module in modules for cause in PHYSICS_CAUSES.get(module, ())))


class Latency(_Model):
    """From a launch's first firing at a pad to its completion, over the window, ns."""

    median: float
    worst: float


class Metrics(_Model):
    efficiency_launches_per_nj: float
    throughput_launches_per_us: float
    power_mw: float
    latency_ns: Latency
    footprint_tiles: int
    cores: int
    wire_tiles: int
    launches: int = Field(description="launches in the window")


class Fault(_Model):
    """What went wrong, where and when. ``message`` is the sentence for a person."""

    code: str
    message: str
    core: str
    port: str | None = None
    packet: list[Number] | None = None
    launch: int | None = None
    block: int | None = None
    index: list[int] | None = None
    expected: Number | None = None
    got: Number | None = None
    time_ns: float
    others: list[str] = Field(default_factory=list, description="other elements that the fault names")


WaitKind = Literal["pad", "core", "wire", "stopped", "loop", "full", "roads", "page", "barrier", "ahead"]
"""What is at the root of a wait: a pad, core or wire at its own pace; a stopped wire; a loop in which a word takes long
to come round, or has none; a loop with every place taken; two roads that meet and hold unequal numbers of words; a page
of a shared memory that is not given back; a barrier that is not complete; a pad that may not run further ahead."""


class WaitStep(_Model):
    """One link in a chain of waits."""

    element: str
    message: str
    wire: str | None = Field(None, description="the wire over which it waits")


class AddedBuffer(_Model):
    """A buffer that would break a deadlock: how many slots (more than 64: of several in series), and on which wire."""

    wire: str
    slots: int


class Deadlock(_Model):
    """Why nothing can move: the chain (or ring) of waits from an unfinished output to its root."""

    message: str
    root: str
    kind: WaitKind = "ahead"
    meaning: str = Field("", description="what the root means for those that wait")
    ring: bool
    chain: list[WaitStep]
    time_ns: float
    buffers: list[AddedBuffer] | None = Field(
        None, description="the smallest buffers that break it, found by running; empty: none does; null: not looked for"
    )
    cure: str = Field("", description="the buffers in a sentence, or why none helps")


class Window(_Model):
    """What the metrics were taken over."""

    kind: Literal["period", "nominal", "doubled"]
    first_launch: int
    last_launch: int
    start_ns: float
    end_ns: float
    in_flight: int
    period_launches: int | None = None
    period_ns: float | None = None
    final: bool = Field(True, description="False: the nominal window's figure; the doubled one may follow")


class ElementReport(_Model):
    """One pad, core or wire over the window. Shares of time are 0 … 1."""

    id: str
    kind: str = Field(description="the core's type, or 'wire'")
    events: int = Field(description="firings, or words that entered the wire")
    utilisation: float = Field(description="busy share; of a wire, its rate over its speed")
    busy_ns: float
    starved_ns: float
    blocked_ns: float
    starved_port: str | None = None
    rate_per_ns: float
    energy_pj: dict[str, float]


class LimitReport(_Model):
    """A limit of the level, what was allowed and what was found."""

    limit: str
    allowed: float
    found: float
    ok: bool


class Hazard(_Model):
    """How and where a machine that passes failed when delays varied: it works by luck."""

    message: str = Field(description="how it failed, and what let it, in sentences")
    seed: int = Field(description="of the delays with which it failed")
    reason: str = Field(description="the fault or deadlock")
    kind: Literal["fan-in", "memory", "core", "later"] = Field(
        description="what lets it: wires that meet at a port; cells that are written and read; else a core; later: it "
        "is no chance, and only comes after the launches that the score needs"
    )
    place: str = Field(description="the element where the runs part")
    port: str | None = Field(None, description="where wires meet")
    wires: list[str] = Field(
        default_factory=list,
        description="fan-in: over which wire that word came, and over which without varied delays; else the first wire "
        "with another packet",
    )
    word: int | None = Field(None, description="its number, from 1, among those taken at the port or on the wire")
    time_ns: float = Field(description="when the runs part, in the failing one; else when it failed")


class BoundReport(_Model):
    """The most launches that the design's wiring allows, proved without a run: by the slowest cycle of its rhythm."""

    launches_per_us: float = Field(description="no run is faster in its steady state; 0: nothing can move")
    kind: Literal["node", "wire", "loop", "roads"] = Field(
        description="what sets it; roads: two of unequal room that meet"
    )
    elements: list[str] = Field(description="cores, pads, then wires, in the order of the cycle")
    sentence: str = Field(description="what sets it, for a person")
    exact: bool = Field(description="whether the steady rate is proved to be just this")
    loose: str = Field("", description="why the machine may be slower, where it is not exact")
    binding: bool = Field(
        True, description="False: this window was faster, by what was under way before it; no steady state is"
    )


class EnergyLimitReport(_Model):
    """The least energy per launch of any machine for the level, proved ("Limits" in docs/model.md)."""

    launches_per_nj: float
    pj_per_launch: float
    by_cause: dict[str, float] = Field(description="pJ per launch")
    period_ns: float = Field(description="least time per launch, over which standing power is paid")
    within: float | None = Field(
        None, description="energy per launch of the window over the least of a steady state: below 1 if not binding"
    )
    binding: bool = Field(
        True, description="False: this window took less, by what was under way before it; no steady state does"
    )


class SteadyState(_Model):
    """What repeats, and what of a long run was left out ("Long runs" in docs/model.md)."""

    period_launches: int | None = Field(None, description="null where there is no period")
    period_ns: float | None = None
    reason: str | None = Field(None, description="why there is no period")
    energy_exact_per_period: dict[str, int] | None = Field(
        None, description="in units of 1e-20 J, by cause; without switching, which depends on the data"
    )
    switching_pj_per_launch: float = Field(description="mean over the window, with coupling")
    switching_error_pj: float | None = Field(
        None, description="standard error of that mean against all launches to come; null where it is not known"
    )
    launches_simulated: int = Field(description="of the window's launches, those that were simulated")
    launches_jumped: int = Field(0, description="those that were left out, as the same periods over again")
    window_error_pj: float = Field(
        0.0, description="standard error of the window's switching energy against a simulation of every launch"
    )


MemoryKind = Literal["far", "near", "stream"]


class MemoryRoof(_Model):
    """What one kind of memory moves over its pads, and how fast it would let the machine compute."""

    kind: MemoryKind = Field(description="far and near: load and store pads; stream: stream and sink pads")
    bytes: float = Field(description="per launch: whole lines")
    bytes_used: float = Field(description="per launch: the words that were asked for")
    bandwidth_bytes_per_ns: float = Field(description="of its pads together, at their pace")
    intensity: float | None = Field(description="operations per byte; null where no byte moves")
    attainable_per_ns: float | None = Field(description="intensity times bandwidth, operations/ns")


class Roofline(_Model):
    """Operations per byte against the rate that can be reached ("Roofline" in docs/model.md)."""

    operations: float = Field(description="per launch: live lanes of arithmetic, mac twice, accumulate once a value")
    attained_per_ns: float = Field(description="operations per ns in the window")
    peak_per_ns: float = Field(description="operations per ns of all arithmetic cores placed, each always busy")
    memories: list[MemoryRoof] = Field(description="kinds of memory whose pads are wired, slowest first")
    roof_per_ns: float = Field(description="least of the peak and what each memory lets attain")
    limited_by: Literal["peak", "far", "near", "stream"] = Field(description="what the roof is made of")


class LaneReport(_Model):
    """How well lanes, lines and banks are used over the window ("Lanes, lines and banks" in docs/model.md)."""

    occupancy: float | None = Field(description="live lanes over lanes, all cores with lanes; null: there are none")
    occupancy_by_core: dict[str, float] = Field(description="the same by core")
    lines_per_access: dict[str, float] = Field(description="by memory pad, over accesses with a live lane")
    words_per_line: dict[str, float] = Field(description="by memory pad")
    conflicts_per_access: dict[str, float] = Field(description="by shared memory: further cycles of an access")


class WireReach(_Model):
    """How far a wire's quiet lines are from flipping: a line flips where its noise is greater than the margin."""

    id: str
    word: int = Field(description="of its packets, from 0: the one with the least to spare")
    margin_mv: float = Field(description="what a quiet line bears")
    reach_mv: float = Field(description="the greatest noise, as words came together in this run")
    spare_mv: float = Field(description="margin less reach; below 0, lines may flip")


class CrosstalkReport(_Model):
    """What words beside each other may do to quiet lines, in levels with crosstalk."""

    wires: list[WireReach]


class CoreHeat(_Model):
    """A core's temperature, in kelvin above the ambient one, and its clock."""

    id: str
    kelvin: float
    clock_ticks: int = Field(description="the period that it runs with")
    set_ticks: int = Field(description="the period that the design asks for")
    slack_k: float | None = Field(description="kelvin left before the clock falls; null where it is set too fast")
    limit_k: float = Field(description="kelvin left before it burns out")


class HeatReport(_Model):
    """Temperatures of the steady state, in kelvin above ``ambient_c``."""

    ambient_c: int
    hottest_k: float = Field(description="of the hottest tile")
    hottest_at: Tile
    cores: list[CoreHeat]
    tiles: list[list[float]] = Field(description="row by row")
    runs: int = Field(description="runs until the clocks were those of the temperatures")


class GateReport(_Model):
    """A core, pad or wire that may sleep, over the window."""

    id: str
    wakes: int = Field(description="how often it was woken")
    asleep: float = Field(description="share of the time")
    mean_sleep_ns: float | None = Field(description="null where it was never woken")
    break_even_ns: float | None = Field(description="sleep that pays for one waking; null where none does")
    margin: float | None = Field(description="mean sleep over that: below 1 it costs more than it saves")
    delayed: int = Field(description="words that had to wait until it was awake")


class EnergyExact(_Model):
    """The window's energy in units of 1e-20 J: Python integers that sum exactly."""

    total: int
    by_cause: dict[str, int]
    by_element: dict[str, dict[str, int]]


class CodecReport(_Model):
    """A wire with an encoding, since the start of the run."""

    id: str
    encoding: str
    corrections: int = Field(description="words that the decoder mended")


class RetentionReport(_Model):
    """A wire whose lines leak, since the start of the run."""

    id: str
    gap: int
    retention_ns: float = Field(description="each time that it passes, a word under way loses a line")
    longest_ns: float = Field(description="the longest that a word was under way")
    spare_ns: float = Field(description="retention less that: where it is above 0, nothing is lost")


PHYSICS_KEYS = ("heat", "gating", "crosstalk", "encoding", "tunnelling")
"""Keys of a report that a module of physics brings: where it is off there are none."""


class Report(_Model):
    """Everything that a run tells."""

    format: Literal[1] = 1
    verdict: Verdict
    level: str
    design: str
    metrics: Metrics | None = None
    medal: Literal["bronze", "silver", "gold"] | None = None
    window: Window | None = None
    energy_pj: dict[str, float] | None = None
    energy_exact: EnergyExact | None = None
    steady: SteadyState | None = None
    heat: HeatReport | None = Field(None, description="in levels with heat")
    crosstalk: CrosstalkReport | None = Field(None, description="in levels with crosstalk")
    encoding: list[CodecReport] | None = Field(None, description="in levels with encoding: wires that have one")
    tunnelling: list[RetentionReport] | None = Field(None, description="in levels with tunnelling: wires that leak")
    gating: list[GateReport] | None = Field(None, description="in levels with gating: what may sleep")
    bound: BoundReport | None = Field(None, description="null where it was not asked for")
    energy_limit: EnergyLimitReport | None = Field(None, description="null where nothing costs energy")
    elements: list[ElementReport] = Field(default_factory=list)
    accesses: dict[str, int] = Field(default_factory=dict, description="per launch, by array (the most): lines")
    words: dict[str, int] = Field(
        default_factory=dict, description="read or written per launch, by array (the most): live lanes"
    )
    words_per_thread: dict[str, float] = Field(
        default_factory=dict, description="the same, divided by the threads of a launch; empty without threads"
    )
    roofline: Roofline | None = Field(None, description="operations and bytes against what the machine could do")
    lanes: LaneReport | None = Field(None, description="null where there are no lanes, no lines and no banks")
    limits: list[LimitReport] = Field(default_factory=list)
    fault: Fault | None = None
    deadlock: Deadlock | None = None
    hazard: Hazard | None = Field(None, description="jitter: how and where the machine failed when delays varied")
    problems: list[dict[str, Any]] = Field(default_factory=list)
    launches_completed: int = 0
    time_ns: float = 0.0
    events: int = 0
    engine: str = Field("", description="plain or compiled")
    engine_version: str = ""
    score_version: int = SCORE_VERSION
    seed: int = 0
    jitter: int | None = None
    level_hash: str = ""
    design_hash: str = ""

    @model_serializer(mode="wrap")
    def _off_is_absent(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        tree: dict[str, Any] = handler(self)
        return {key: value for key, value in tree.items() if value is not None or key not in PHYSICS_KEYS}
