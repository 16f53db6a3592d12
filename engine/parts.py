"""Pads and cores with their settings resolved: types checked, defaults filled in, immediates made bit patterns.

A :class:`Part` is one element before it is wired. Settings and ports share one name space, ``set``: what is no
setting of the core is the name of an input port, with an immediate or a choice of words.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.board import MAX_WORDS, Tile
from engine.catalog import (
    AHEAD,
    CLOCK,
    CORES,
    GATE,
    GATE_SETTINGS,
    OXIDE,
    SLEEP_AFTER,
    SLEEPLESS,
    SUPPLY_SETTINGS,
    VOLTAGE,
    CoreType,
    Port,
    Setting,
    ports_of,
)
from engine.errors import Path
from engine.model import Level, PadSpec, WordChoice
from engine.netlist import WordPick
from engine.pads import is_far
from engine.problems import Problems, listed, plural, without_gate
from engine.technology import technology
from engine.units import NOMINAL_MV, TICKS_PER_CYCLE

INT_MIN, INT_MAX = -(2**31), 2**31 - 1

MAX_PORTS = 8
"""Write ports, and read ports, of one shared memory."""

DTYPE = Setting("dtype", "choice", "the words it works on", choices=("int32", "float32"))
LOGIC_OPS = ("and", "or", "xor", "any", "all", "count")
"""Reductions that work bit by bit, or by whole words, whatever the dtype."""


@dataclass(slots=True)
class Part:
    """One element of the machine.

    ``in_wires`` and ``out_wires`` hold wire numbers per port; ``immediates`` and ``choices`` are by port name.
    ``array`` is an index into the kernel's arrays, -1 without one. ``sound`` is False where the settings are wrong,
    ``dangling`` True where a wire meant for the part leads nowhere: what it lacks then is not reported as well.
    """

    index: int
    id: str
    core: CoreType
    at: Tile
    path: Path
    settings: dict[str, Any]
    inputs: tuple[Port, ...] = ()
    outputs: tuple[Port, ...] = ()
    is_float: bool = False
    array: int = -1
    pad: PadSpec | None = None
    immediates: dict[str, tuple[int, ...]] = field(default_factory=dict)
    choices: dict[str, tuple[WordPick, ...]] = field(default_factory=dict)
    in_wires: list[list[int]] = field(default_factory=list)
    out_wires: list[list[int]] = field(default_factory=list)
    voltage_mv: int = NOMINAL_MV
    clock_ticks: int = TICKS_PER_CYCLE
    thin_oxide: bool = False
    gate: tuple[int, int] | None = None
    """(sleep_after, ahead) of what sleeps when it is idle."""
    sound: bool = True
    dangling: bool = False

    @property
    def wired(self) -> bool:
        """Whether any wire begins or ends here."""
        return any(self.in_wires) or any(self.out_wires)

    def has(self, port: int) -> bool:
        """Whether an input has a wire or an immediate."""
        return bool(self.in_wires[port]) or self.inputs[port].name in self.immediates


class PartReader:
    """Makes parts of one level's pads and one design's cores; notes what is wrong with their settings."""

    def __init__(self, level: Level, problems: Problems) -> None:
        self.level = level
        self.problems = problems
        self.arrays = list(level.kernel.arrays)
        self.has_floats = any(a.dtype == "float32" for a in level.kernel.arrays.values())
        self.block = level.threads.threads_per_block if level.threads else None

    def pad(self, index: int, spec: PadSpec, given: Mapping[str, Any]) -> Part:
        """A pad of the level with what the design sets at its ports."""
        part = Part(index, spec.id, CORES[spec.core], spec.at, ("pads", spec.id), {}, pad=spec)
        if spec.core != "threads":
            name = spec.array or spec.id
            part.array = self.arrays.index(name)
            part.is_float = self.level.kernel.arrays[name].dtype == "float32"
        self._settings(part, given, part.path)
        part.gate = self._gate(part, given, part.path)
        self._finish(part, given, part.path)
        return part

    def core(self, index: int, name: str, core: CoreType, at: Tile, path: Path, given: Mapping[str, Any]) -> Part:
        """A core of the design."""
        part = Part(index, name, core, at, path, {})
        where = (*path, "set")
        self._settings(part, given, where)
        if core.name == "shared":
            self._padding(part, given, where)
        part.voltage_mv = self._supply(part, VOLTAGE, given, where)
        part.clock_ticks = self._supply(part, CLOCK, given, where)
        part.thin_oxide = self._oxide(part, given, where)
        part.gate = self._gate(part, given, where)
        if part.thin_oxide and self.level.physics.dvfs is None:
            part.clock_ticks = technology(self.level.technology).tunnelling.thin_clock_ticks
        if core.floats:
            part.is_float = self._dtype(part, given.get("dtype"), where)
        if part.sound:
            self._defaults(part)
            self._relations(part, where)
        if part.sound or core.name not in ("deal", "collect", "shared"):
            self._finish(part, given, where)
        return part

    # --- settings ----------------------------------------------------------------------------------------

    def _settings(self, part: Part, given: Mapping[str, Any], where: Path) -> None:
        """The settings of a core or pad, given or by default."""
        for setting in part.core.settings:
            if setting.name in given:
                part.settings[setting.name] = self._setting(part, setting, given[setting.name], where)
            elif setting.default is None:
                part.sound = False
                self.problems.add(
                    "missing-setting",
                    part.path,
                    f"{part.id} needs {setting.name} ({setting.doc}): set it to {allowed(setting)}",
                )
            else:
                part.settings[setting.name] = setting.default
            self._check_lanes(part, setting, where)

    def _check_lanes(self, part: Part, setting: Setting, where: Path) -> None:
        """Lanes, at most those of the level; without lanes nothing is split."""
        most, value, name = self.level.lanes, part.settings.get(setting.name), part.core.name
        there = part.pad is not None or parts_allowed(self.level, name) != 0
        if setting.kind == "lanes" and isinstance(value, int) and value > most and there:
            self.problems.add(
                "not-offered",
                (*where, setting.name),
                f"{part.id}: {setting.name} is {value}, and packets have {plural(most, 'lane')} at most in this level",
            )
        elif setting.name == "keep" and value and most == 1:
            self.problems.add(
                "not-offered",
                (*where, setting.name),
                f"{part.id}: keep is for packets of several lanes, and this level has none: leave it out",
            )

    def _setting(self, part: Part, setting: Setting, value: Any, where: Path) -> Any:
        try:
            return _READERS[setting.kind](self, setting, value)
        except ValueError as error:
            part.sound = False
            why = f" ({error})" if str(error) else ""
            self.problems.add(
                "bad-setting",
                (*where, setting.name),
                f"{part.id}: {setting.name} is {show(value)}{why}: set it to {allowed(setting)}",
            )
            return None

    def _padding(self, part: Part, given: Mapping[str, Any], where: Path) -> None:
        """row and pad of a shared memory, which only say something where it has banks."""
        for name, other in (("row", "pad"), ("pad", "row")):
            if given.get(name) and not self.level.bank_count:
                part.sound = False
                self.problems.add(
                    "not-offered",
                    (*where, name),
                    f"{part.id}: {name} moves cells to other banks, and in this level a memory has none: leave it out",
                )
            elif given.get(name) and not given.get(other):
                self.problems.add(
                    "no-effect",
                    (*where, name),
                    f"{part.id}: {name} does nothing without {other}, so no cell moves: set {other} as well, "
                    f"or leave {name} out",
                    "warning",
                )

    def _supply(self, part: Part, setting: Setting, given: Mapping[str, Any], where: Path) -> int:
        """A setting that a level with dvfs offers for every core."""
        if setting.name not in given:
            return int(setting.default)
        dvfs = self.level.physics.dvfs
        if dvfs is None or setting.name not in dvfs.cores:
            have = "its cores run at 900 mV and 100 ticks" if dvfs is None else f"it offers {listed(dvfs.cores)}"
            if dvfs is not None and not dvfs.cores:
                have = "it offers none"
            self.problems.add(
                "not-offered",
                (*where, setting.name),
                f"{part.id}: this level does not let you set {setting.name} of a core: {have}, so leave it out",
            )
            return int(setting.default)
        value = self._setting(part, setting, given[setting.name], where)
        return int(setting.default) if value is None else int(value)

    def _oxide(self, part: Part, given: Mapping[str, Any], where: Path) -> bool:
        """Whether a core's oxide is thin: a setting that a level with tunnelling offers."""
        if OXIDE.name not in given:
            return False
        tunnelling = self.level.physics.tunnelling
        if tunnelling is None or OXIDE.name not in tunnelling.cores:
            self.problems.add(
                "not-offered",
                (*where, OXIDE.name),
                f"{part.id}: this level does not let you set {OXIDE.name} of a core: its cores have standard oxide, so "
                "leave it out",
            )
            return False
        return bool(self._setting(part, OXIDE, given[OXIDE.name], where) == "thin")

    def _gate(self, part: Part, given: Mapping[str, Any], where: Path) -> tuple[int, int] | None:
        """How a core or pad sleeps: settings that a level with gating offers."""
        own = {setting.name for setting in part.core.settings}  # a barrier's ahead is another one
        named = [setting for setting in GATE_SETTINGS if setting.name in given and setting.name not in own]
        if not named:
            return None
        gating, why = self.level.physics.gating, ""
        what = "pads" if part.pad else "cores"
        if gating is None or what not in gating.offered:
            why = f"this level does not let {what} sleep"
        elif part.core.name in SLEEPLESS:
            why = f"a {part.core.name} keeps what others wait for and cannot sleep"
        elif part.pad and not is_far(self.level, part.pad):
            why = "only pads of far memory have power to save"
        if why:
            self.problems.add("not-offered", (*where, named[0].name), f"{part.id}: {why}, so leave {named[0].name} out")
            return None
        if GATE.name not in given:
            name = named[0].name
            self.problems.add("no-effect", (*where, name), f"{part.id}: {without_gate(name)}", "warning")
        found = {
            setting.name: self._setting(part, setting, given[setting.name], where)
            if setting in named
            else setting.default
            for setting in GATE_SETTINGS
        }
        if not part.sound or not found[GATE.name]:
            return None
        return int(found[SLEEP_AFTER.name]), int(found[AHEAD.name])

    def _dtype(self, part: Part, given: Any, where: Path) -> bool:
        if given is not None:
            given = self._setting(part, DTYPE, given, where)
        logic = part.settings.get("op") in LOGIC_OPS and part.core.op == "reduce"
        only = "float32" if part.core.name == "exp" else "int32" if logic else None
        if only and given and given != only:
            part.sound = False
            what = f"{part.core.name} with op {part.settings['op']}" if logic else part.core.name
            self.problems.add(
                "bad-setting",
                (*where, "dtype"),
                f"{part.id}: dtype is {given}, and {what} works on {only} only: leave dtype out",
            )
        return (only or given or ("float32" if self.has_floats else "int32")) == "float32"

    def _defaults(self, part: Part) -> None:
        """A barrier's n and a memory's reads are the threads of a block unless given; a pack's groups its lanes."""
        if part.core.name == "pack":
            part.settings["every"] = part.settings["every"] or part.settings["n"]
        name = {"barrier": "n", "shared": "reads"}.get(part.core.name)
        if name is None or part.settings[name]:
            return
        if self.block is None:
            part.sound = False
            self.problems.add(
                "missing-setting",
                part.path,
                f"{part.id} needs {name}: its default is the threads of a block, and this level has no threads: set it",
            )
        else:
            part.settings[name] = self.block

    def _relations(self, part: Part, where: Path) -> None:
        """Settings that bound each other."""
        small, large = {"take": ("n", "of"), "skip": ("n", "of"), "delay": ("slots", "every")}.get(
            part.core.name, ("", "")
        )
        if small and part.settings[small] > part.settings[large]:
            part.sound = False
            self.problems.add(
                "bad-setting",
                (*where, large),
                f"{part.id}: {large} is {part.settings[large]} and {small} is {part.settings[small]}: "
                f"{large} must be at least {small}",
            )

    # --- ports -------------------------------------------------------------------------------------------

    def _finish(self, part: Part, given: Mapping[str, Any], where: Path) -> None:
        """The ports, and what stands in ``set`` for them."""
        part.inputs, part.outputs = ports_of(part.core, part.settings)
        part.in_wires = [[] for _ in part.inputs]
        part.out_wires = [[] for _ in part.outputs]
        if not given:
            return
        settings = {s.name for s in part.core.settings} | ({"dtype"} if part.core.floats else set())
        if part.pad is None:
            settings |= set(SUPPLY_SETTINGS)
        settings |= {setting.name for setting in GATE_SETTINGS}
        ports = {port.name: port for port in part.inputs}
        for name, value in given.items():
            if name in settings:
                continue
            if name in ports:
                self._port(part, name, value, (*where, name))
            else:
                allowed = [*settings_of(part.core), *self._offered(part), *ports]
                hint = self.problems.suggest(name, allowed) if allowed else "it has nothing to set"
                self.problems.add(
                    "unknown-setting",
                    (*where, name),
                    f"{part.id} ({part.core.name}) has no setting and no input '{name}': {hint}",
                )

    def _offered(self, part: Part) -> list[str]:
        """Settings that a core or pad has by the physics of the level."""
        physics, pad = self.level.physics, part.pad
        found: list[str] = []
        if pad is None and physics.dvfs:
            found += physics.dvfs.cores
        if pad is None and physics.tunnelling:
            found += physics.tunnelling.cores
        what = "cores" if pad is None else "pads"
        sleeps = part.core.name not in SLEEPLESS and (pad is None or is_far(self.level, pad))
        if physics.gating and what in physics.gating.offered and sleeps:
            own = settings_of(part.core)
            found += [setting.name for setting in GATE_SETTINGS if setting.name not in own]
        return found

    def _port(self, part: Part, name: str, value: Any, where: Path) -> None:
        kind = self._word_kind(part, name)
        try:
            if isinstance(value, WordChoice):
                part.choices[name] = tuple(
                    WordPick(True, self.bits(int(word), kind)) if isinstance(word, str) else WordPick(False, word)
                    for word in value.words
                )
                return
            words = value if isinstance(value, list) else [value]
            if not 1 <= len(words) <= MAX_WORDS:
                raise ValueError(f"{len(words)} words, of at most {MAX_WORDS}")
            part.immediates[name] = tuple(self.bits(word, kind) for word in words)
            if part.core.name == "join" and name == "order" and not part.immediates[name][0] & 3:
                raise ValueError("it names no side, so give 1 (true), 2 (false) or 3 (both)")
        except ValueError as error:
            part.sound = False
            self.problems.add("bad-immediate", where, f"{part.id}.{name} is {show(value)}: {error}")

    def _word_kind(self, part: Part, port: str) -> bool | None:
        """Whether a port takes floats (True), whole numbers (False), or bare words of 32 bits (None)."""
        if port in ("at", "cond", "last") or port.endswith(".at"):
            return False
        if part.core.floats or part.array >= 0:
            return part.is_float
        return False if part.core.family == "arithmetic" and part.core.name != "select" else None

    def bits(self, word: Any, is_float: bool | None) -> int:
        """The signed 32-bit pattern of a word as written; raises ValueError with what is allowed."""
        if isinstance(word, bool) or not isinstance(word, int | float):
            raise ValueError("give a number, or for a packet of several words a list of them")
        if is_float or (is_float is None and isinstance(word, float) and self.has_floats):
            try:
                packed = struct.pack("<f", word)
            except OverflowError:
                raise ValueError("a float32 is at most about 3.4e38") from None
            pattern: int = struct.unpack("<i", packed)[0]
            if pattern & 0x7F800000 == 0x7F800000:
                raise ValueError("give a finite number")
            return pattern
        if isinstance(word, float):
            raise ValueError("its words are int32, so give a whole number")
        if not INT_MIN <= word <= INT_MAX:
            raise ValueError(f"an int32 is {INT_MIN} to {INT_MAX}")
        return word

    # --- readers by kind of setting, each raising ValueError ------------------------------------------------

    def _int(self, setting: Setting, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not setting.low <= value <= setting.high:
            raise ValueError
        if (value - setting.low) % setting.step:
            raise ValueError
        return value

    def _bool(self, setting: Setting, value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError
        return value

    def _lanes(self, setting: Setting, value: Any) -> int:
        if isinstance(value, bool) or value not in (1, 2, 4, 8) or not setting.low <= value <= setting.high:
            raise ValueError
        return int(value)

    def _choice(self, setting: Setting, value: Any) -> str:
        if not isinstance(value, str) or value not in setting.choices:
            raise ValueError
        return value

    def _ints(self, setting: Setting, value: Any) -> int | tuple[int, ...]:
        if not isinstance(value, list):
            return self.bits(value, None)
        if not 1 <= len(value) <= MAX_WORDS:
            raise ValueError(f"{len(value)} words")
        return tuple(self.bits(word, None) for word in value)

    def _limits(self, setting: Setting, value: Any) -> tuple[int, ...]:
        entries = value if isinstance(value, list) else [value]
        if not 1 <= len(entries) <= MAX_WORDS:
            raise ValueError(f"{len(entries)} entries")
        for entry in entries:
            whole = isinstance(entry, int) and not isinstance(entry, bool)
            if entry is not None and not (whole and 1 <= entry <= INT_MAX):
                raise ValueError(f"{show(entry)} is no limit")
        return tuple(-1 if entry is None else entry for entry in entries)

    def _sums(self, setting: Setting, value: Any) -> tuple[Sum, ...]:
        texts = value if isinstance(value, list) else [value]
        if not 1 <= len(texts) <= MAX_SUMS:
            raise ValueError(f"{len(texts)} sums")
        return tuple(parse_sum(text) for text in texts)

    def _ports_map(self, setting: Setting, value: Any) -> dict[str, int]:
        if not isinstance(value, dict):
            raise ValueError
        for kind, n in value.items():
            if kind not in ("write", "read"):
                raise ValueError(f"there are no {kind} ports")
            if not 1 <= n <= MAX_PORTS:
                raise ValueError(f"{n} {kind} ports")
        return {"write": 1, "read": 1, **value}


_READERS: dict[str, Any] = {
    "int": PartReader._int,
    "lanes": PartReader._lanes,
    "bool": PartReader._bool,
    "choice": PartReader._choice,
    "ints": PartReader._ints,
    "limits": PartReader._limits,
    "sums": PartReader._sums,
    "ports": PartReader._ports_map,
}


def settings_of(core: CoreType) -> list[str]:
    """Names of a core's settings."""
    return [*(s.name for s in core.settings), *(["dtype"] if core.floats else [])]


def show(value: Any) -> str:
    """How a message names a value of ``set``."""
    if isinstance(value, WordChoice):
        return f"{{words: [{', '.join(show(w) for w in value.words)}]}}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(show(v) for v in value)}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{k}: {show(v)}' for k, v in value.items())}}}"
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def allowed(setting: Setting) -> str:
    """What a setting may be, for a person."""
    match setting.kind:
        case "int":
            steps = f" in steps of {setting.step}" if setting.step > 1 else ""
            return f"a whole number, {setting.low} to {setting.high}{steps}"
        case "lanes":
            return listed([str(n) for n in (1, 2, 4, 8) if setting.low <= n <= setting.high], "or")
        case "bool":
            return "true or false"
        case "choice":
            return listed(setting.choices, "or")
        case "ints":
            return f"a word, or a list of 1 to {MAX_WORDS} of them"
        case "limits":
            return f"a list of 1 to {MAX_WORDS} whole numbers from 1, or null for a word without limit, e.g. [8, null]"
        case "sums":
            return f"a list of 1 to {MAX_SUMS} sums, e.g. ['3*w0 + w1 + 2', 'w1']"
        case _:
            return f"a map of 1 to {MAX_PORTS} ports each, e.g. {{write: 1, read: 2}}"


# --- sums of an address core ---------------------------------------------------------------------------------

Sum = tuple[int, tuple[int, ...]]
"""A constant, and the factors of w0 … w5."""

MAX_SUMS = 3

_TERM = re.compile(r"([+-]?)(?:(?:(\d{1,10})\*)?w([0-5])(?:\*(\d{1,10}))?|(\d{1,10}))")


def parse_sum(text: Any) -> Sum:
    """``"3*w0 + w1 + 2"`` as (2, (3, 1, 0, 0, 0, 0)); raises ValueError."""
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if not isinstance(text, str) or not text.strip() or len(text) > 100:
        raise ValueError(f"{show(text)} is no sum")
    constant, factors = 0, [0] * MAX_WORDS
    rest, first = re.sub(r"\s*([-+*])\s*", r"\1", text.strip()), True
    while rest:
        term = _TERM.match(rest)
        if not term or (not first and not term[1]) or (term[2] and term[4]):
            raise ValueError(f"'{text}' cannot be read from '{rest}' on")
        sign = -1 if term[1] == "-" else 1
        if term[5]:
            constant += sign * int(term[5])
        else:
            factors[int(term[3])] += sign * int(term[2] or term[4] or 1)
        rest, first = rest[term.end() :], False
    if not all(INT_MIN <= n <= INT_MAX for n in (constant, *factors)):
        raise ValueError(f"'{text}' has a number beyond int32")
    return constant, tuple(factors)


def parts_allowed(level: Level, core: str) -> int | None:
    """How many of a core a level offers; None: as many as one likes. Cores for lanes are offered where there are lanes,
    or where the level names them."""
    named = level.parts or {}
    if CORES[core].lanes and level.lanes == 1 and core not in named:
        return 0
    return None if level.parts is None else named.get(core, named.get("*", 0))


def has_lanes(parts: Iterable[Part]) -> bool:
    """Whether packets of several lanes are made anywhere."""
    return any(part.core.name in ("pack", "compact") or (part.settings.get("lanes") or 1) > 1 for part in parts)


def has_buffers(level: Level) -> bool:
    """Whether a level offers buffers."""
    return (level.parts is None or level.parts.get("buffer", level.parts.get("*", 0)) > 0) and level.limits.slots != 0
