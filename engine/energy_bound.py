"""The least energy that any machine for a level takes per launch, in its steady state: a proven limit.

It holds for every machine that is right for all data that the level may draw. Each part below is the least of its
kind, and no event is counted in two parts, so their sum is a lower limit (``docs/model.md``, "Limits").

*Memory.* A word that an output depends on (:mod:`engine.dependence`) is read in every launch, and every output word is
written: an access each, where no stream or sink does it for nothing. A far array's pad draws its power all the time.

*Time.* A pad does so many accesses, words or tokens at its pace; a launch takes at least the longest of these times.
Standing power is paid over it, and more for a slower machine: standby, and the leakage of what must be there.

*Arithmetic.* Where an output word equals no word of an input, before and after a change of a word of that input, it is
no copy. So not all ways from the input's pads lead over pads alone (which copy words, or take them as addresses, which
words outside every array cannot be): a wire leads from one of its pads to a core. Such a wire carries every word that
the pad hands out, and a core takes one packet from a wire per firing. So it fires as often as there are words (with
several pads, for its share of those), which costs control each time; and it, or a core that it hands the word on to,
computes with the word. The cheapest operation that the level offers counts, shared among all words that it may take.

*Wires.* A word that moves by a tile takes the drive constant, whatever the wire's speed: power goes with speed, and a
launch lasts at least as long as its words need. So only words × tiles count. What a launch's outputs depend on is tied
together by packets that follow one another from tile to tile, from a source by the memory pads to the outputs: on
every line between two columns or rows of the board that has pads of one group on both sides, a word crosses. Next to a
memory pad there are more: an address and a value for every read, a value and an address for every write.

*Lanes.* Where a level has lanes, a packet holds n words: a token is n threads; an access to a line moves as many
different words as the line has, and as there are lanes; a firing takes n words of a wire, for one control; an address
may be linear and so one value for all, and what is stored may be uniform. What is read differs from word to word: each
is a value of its own on its way from the pad, and is computed with by a lane of its own.

*Voltage and clock.* Where a level lets them be set, energies, leakage and cycles are those of the lowest voltage and
the fastest clock, whether or not they go together.

*Gating.* Where a level lets cores or far pads sleep, they draw all the time only what they draw asleep. Drive stays as
it is: words enter a wire T apart and stay for L T, so that it is awake for T at least for each, which takes the drive
constant. Waking takes more.

*Heat* makes cores leak more and clocks slower, *codes* take more lines and energy, *coupling* is a sum of squares: what
is above stays least of its kind.

*Switching* counts as nothing: bits that change could be saved by an order or a code that this cannot rule out.

A window that is not a whole number of periods may begin with launches that are half done, or lie within one burst of a
stream, so that its figure can be better than the steady state's; the limit is that of the steady state.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.catalog import CORES, CoreType
from engine.dependence import Dependence, dependence
from engine.fingerprint import level_hash
from engine.model import CAUSES, Level, PadSpec, Sleeper
from engine.pads import pad_figures
from engine.technology import Technology, technology
from engine.units import (
    EXACT_PER_AJ,
    EXACT_PER_PJ,
    MIN_CLOCK_TICKS,
    NOMINAL_MV,
    TICKS_PER_CYCLE,
    TICKS_PER_NS,
    aj_from_fj,
    nw_from_uw,
)

MAX_PACKET_WORDS = 6
KEPT = 64
"""Levels of which the limit is kept."""


@dataclass(frozen=True, slots=True)
class EnergyLimit:
    """The least energy per launch, by cause, in 1e-20 J; and the least ticks per launch that it is reckoned with."""

    by_cause: Mapping[str, int]
    ticks: Fraction

    @property
    def total(self) -> int:
        """Energy per launch in 1e-20 J; 0 where nothing is proved."""
        return sum(self.by_cause.values())

    @property
    def launches_per_nj(self) -> float | None:
        """The most that any machine reaches; None where nothing is proved."""
        return 1000 * EXACT_PER_PJ / self.total if self.total else None


_known: OrderedDict[str, EnergyLimit] = OrderedDict()


def energy_limit(level: Level) -> EnergyLimit:
    """The limit of ``level``; it depends on nothing else. Raises InvalidError where the kernel is wrong."""
    key = level_hash(level)
    if key not in _known:
        _known[key] = _Limit(level).found
        if len(_known) > KEPT:
            _known.popitem(last=False)
    return _known[key]


@dataclass(frozen=True, slots=True)
class _Terminal:
    """Something that a launch's packets must get to, at one of these pads.

    ``words`` are the words next to the pads, going in or out, per launch; ``lanes`` those side by side at least.
    """

    pads: tuple[PadSpec, ...]
    words: int
    lanes: int


class _Limit:
    """The parts of a level's limit."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.technology: Technology = technology(level.technology)
        self.supply = self.technology.supply
        dvfs = level.physics.dvfs
        cores, wires = (dvfs.cores, dvfs.wires) if dvfs else ((), ())
        self.leakage = dvfs.leakage if dvfs else 1
        self.core_mv = self.supply.lowest_mv if "voltage_mv" in cores else NOMINAL_MV
        self.wire_mv = self.supply.lowest_mv if "voltage_mv" in wires else NOMINAL_MV
        walls = level.physics.tunnelling
        self.gap = min(self.technology.tunnelling.wall_nw) if walls and walls.wires else 100
        self.cycle = MIN_CLOCK_TICKS if "clock_ticks" in cores else TICKS_PER_CYCLE
        if dvfs is None and walls and walls.cores:
            self.cycle = self.technology.tunnelling.thin_clock_ticks
        self.needs: Dependence = dependence(level)
        self.figures = {pad.id: pad_figures(level, pad) for pad in level.pads}
        self.sources = [pad for pad in level.pads if pad.core in ("threads", "stream")]
        self.inputs = [name for name, read in self.needs.read.items() if read and self._readers(name)]
        self.outputs = [name for name, spec in level.kernel.arrays.items() if spec.data is None]
        self.ticks = self._ticks()
        energy = dict.fromkeys(CAUSES, Fraction(0))
        for part in (self._standby(), self._memory(), self._arithmetic(), self._wires()):
            for cause, exact in part.items():
                energy[cause] += exact
        self.found = EnergyLimit({cause: int(exact) for cause, exact in energy.items()}, self.ticks)

    # --- pads ----------------------------------------------------------------------------------------------

    def _pads(self, array: str, *kinds: str) -> tuple[PadSpec, ...]:
        return tuple(pad for pad in self.level.pads if pad.core in kinds and (pad.array or pad.id) == array)

    def _readers(self, array: str) -> tuple[PadSpec, ...]:
        return self._pads(array, "load", "stream")

    def _writers(self, array: str) -> tuple[PadSpec, ...]:
        return self._pads(array, "store", "sink")

    def _emitted(self, pad: PadSpec) -> int:
        """Words, or tokens of as many lanes as the level allows, of a source in a launch."""
        if pad.core == "threads":
            threads = self.level.threads
            return -(-threads.threads_per_block // self.level.lanes) * threads.blocks if threads else 0
        return self.level.kernel.arrays[pad.array or pad.id].words

    def _source_ticks(self, pad: PadSpec) -> Fraction:
        """How long a source takes for a launch."""
        figures, words = self.figures[pad.id], self._emitted(pad)
        rest = Fraction(words * figures.burst[1], figures.burst[0]) if figures.burst else 0
        return words * figures.interval + Fraction(rest)

    def _least_aj(self, aj: int) -> Fraction:
        """Least energy of a core's event, before it is rounded."""
        if self.core_mv == NOMINAL_MV:
            return Fraction(aj)
        return max(Fraction(0), Fraction(aj * self.core_mv**2, NOMINAL_MV**2) - Fraction(1, 2))

    def _asleep_nw(self, nw: int, what: Sleeper, figure: str) -> int:
        """Least power of something that draws ``nw`` awake."""
        gating = self.level.physics.gating
        if gating is None or what not in gating.offered:
            return nw
        return (nw * self.technology.wakening[figure].keeps_percent + 50) // 100

    # --- parts ---------------------------------------------------------------------------------------------

    def _ticks(self) -> Fraction:
        """Ticks per launch, at least: of a source, whichever, and of all arrays that have to be read and written."""
        times = [min((self._source_ticks(pad) for pad in self.sources), default=Fraction(0))]
        for name in self.inputs:
            pads = self._readers(name)
            if len(pads) == 1 and pads[0].core == "stream":
                times.append(self._source_ticks(pads[0]))
            else:
                times.append(self.needs.read[name] / self._pace(name, pads))
        for name in self.outputs:
            times.append(self.level.kernel.arrays[name].words / self._pace(name, self._writers(name)))
        return max(times)

    def _per_line(self, array: str) -> int:
        """Different words of an access to a line, at most."""
        return min(self.level.kernel.arrays[array].line, self.level.lanes)

    def _pace(self, array: str, pads: Sequence[PadSpec]) -> Fraction:
        """Words per tick of some pads of an array together."""
        pace = Fraction(0)
        for pad in pads:
            if pad.core == "stream":
                pace += self._emitted(pad) / self._source_ticks(pad)
            elif pad.core == "sink":
                pace += Fraction(1, self.figures[pad.id].interval)
            else:
                pace += Fraction(self._per_line(array), self.figures[pad.id].interval)
        return pace

    def _standby(self) -> dict[str, Fraction]:
        return {"standby": nw_from_uw(self.level.standby_uw) * self.ticks}

    def _memory(self) -> dict[str, Fraction]:
        energy = Fraction(0)
        for name in (*self.inputs, *self.outputs):
            spec = self.level.kernel.arrays[name]
            pads = self._readers(name) if spec.data else self._writers(name)
            figures = [self.figures[pad.id] for pad in pads]
            accesses = -(-(self.needs.read[name] if spec.data else spec.words) // self._per_line(name))
            energy += accesses * min(f.access_aj for f in figures) * EXACT_PER_AJ
            standing = min(f.standing_nw for f in figures)
            energy += self._asleep_nw(standing, "pads", "far_pad") * self.ticks
        return {"memory": energy}

    def _arithmetic(self) -> dict[str, Fraction]:
        """Control and operations of the firings that take what is read, and the leakage of the cores that do."""
        firings, words = 0, 0
        for name in self.inputs:
            computed = self.needs.computed[name]
            if not computed or self._may_be_address(name):
                continue
            readers = self._readers(name)
            # An output that was written may be read again: that pad, too, may lead to the core.
            pads = len(readers) + sum(len(self._pads(output, "load")) for output in self.outputs)
            firings = max(firings, self.needs.read[name] if pads == 1 else -(-computed // pads))
            words += computed if not self._may_be_zero(name) else 0
        offered = [core for core in CORES.values() if core.family != "pad" and _offered(self.level, core)]
        if not firings or not offered:
            return {}
        firings = -(-firings // self.level.lanes)
        # A core fires once in a cycle: fewer cores take longer.
        leaking = self.supply.leakage_nw(
            min(self.technology.core_leakage_nw(core.name) for core in offered), self.core_mv, self.leakage
        )
        fj = self.level.control_fj
        control = self.technology.event_aj["control"] if fj is None else aj_from_fj(fj)
        shares = [share for core in offered if (share := self._share_aj(core)) is not None]
        return {
            "control": firings * self._least_aj(control) * EXACT_PER_AJ,
            "compute": words * min(shares, default=Fraction(0)) * EXACT_PER_AJ,
            "leakage": self._asleep_nw(leaking, "cores", "core") * max(self.ticks, Fraction(firings * self.cycle)),
        }

    def _share_aj(self, core: CoreType) -> Fraction | None:
        """aJ per word that a core computes with; None where it only passes words on."""
        if core.op is None or core.op in ("slot", "lane", "shuffle") or core.name == "counter":
            return None
        keys = ("add", "mul", "minmax", "logic") if core.op == "reduce" else (core.op,)
        least = min(self.technology.operation_aj(key, is_float) for key in keys for is_float in (False, True))
        words = MAX_PACKET_WORDS if core.name in ("address", "guard") else max(2, len(core.inputs))
        return self._least_aj(least) / words

    def _may_be_address(self, name: str) -> bool:
        """Whether all words of an input are indices of some array, so that pads alone could compute with them."""
        spec = self.level.kernel.arrays[name]
        assert spec.data is not None
        longest = max(length for array in self.level.kernel.arrays.values() for length in array.shape)
        return spec.dtype == "int32" and spec.data.low >= 0 and spec.data.high < longest

    def _may_be_zero(self, name: str) -> bool:
        """Whether a word may be 0: then a switch tells something about it for nothing."""
        data = self.level.kernel.arrays[name].data
        assert data is not None
        return data.kind != "distinct" and data.low <= 0 <= data.high

    # --- wires ---------------------------------------------------------------------------------------------

    def _wires(self) -> dict[str, Fraction]:
        groups = list(self._groups())
        every = [terminal for group in groups for terminal in group]
        places = [pad.at for terminal in every for pad in terminal.pads]
        spans = [
            (axis, line, any(_divided(group, axis, line) for group in groups))
            for axis in (0, 1)
            for line in range(self.level.board.size[axis] - 1)
        ]
        # Words next to pads are counted with the pads.
        between = sum(
            crossed and not any(at[axis] in (line, line + 1) for at in places) for axis, line, crossed in spans
        )
        distinct = {tuple(pad.id for pad in terminal.pads): terminal for terminal in every}.values()
        words, lanes = sum(terminal.words for terminal in distinct), sum(terminal.lanes for terminal in distinct)
        if any(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a in places for b in places):
            words, lanes = words // 2, lanes // 2  # a step between neighbours counts for both
        # Drive is rounded to whole nW for each wire: one nW of each tile's leakage covers that.
        leaking = self.supply.leakage_nw(self.technology.standing_nw["wire"], self.wire_mv, self.leakage) - 1
        # Leakage at another voltage is rounded for each wire as well.
        leaking -= self.wire_mv != NOMINAL_MV
        # Lines with a smaller gap are thinner; what leaks between them is not counted.
        drive = Fraction(self.technology.standing_nw["drive"] * self.wire_mv**2 * self.gap, NOMINAL_MV**2 * 100)
        return {
            "drive": (between + words) * drive * TICKS_PER_NS,
            "leakage": (between + lanes) * leaking * self.ticks,
        }

    def _groups(self) -> Iterator[list[_Terminal]]:
        """Inputs, outputs and a source that a launch's packets tie together."""
        left = list(self.inputs)
        while left:
            names, outputs = [left.pop(0)], set[str]()
            for name in names:
                outputs |= self.needs.reached[name]
                more = [other for other in left if self.needs.reached[other] & outputs]
                names += more
                left = [other for other in left if other not in more]
            group = [self._input(name) for name in names]
            group += [self._output(name) for name in self.outputs if name in outputs]
            if not any(pad.core == "stream" for name in names for pad in self._readers(name)) and self.sources:
                group.append(_Terminal(tuple(self.sources), min(self._emitted(pad) for pad in self.sources), 1))
            yield group

    def _input(self, name: str) -> _Terminal:
        pads, read = self._readers(name), self.needs.read[name]
        if any(pad.core == "stream" for pad in pads):
            return _Terminal(pads, read, 1)
        return _Terminal(pads, read + -(-read // self.level.lanes), 2)

    def _output(self, name: str) -> _Terminal:
        """Writes: a value each, and an address where it is not always the same."""
        pads, varying = self._writers(name), self.needs.varying[name]
        words = self.level.kernel.arrays[name].words
        if any(pad.core == "sink" for pad in pads) or words == 1:
            return _Terminal(pads, words, 1)
        addresses = varying if len(pads) == 1 else max(0, varying - len(pads))
        words, addresses = (-(-n // self.level.lanes) for n in (words, addresses))
        return _Terminal(pads, words + addresses, 1 + (addresses > 0))


def _offered(level: Level, core: CoreType) -> bool:
    return level.parts is None or level.parts.get(core.name, level.parts.get("*", 0)) > 0


def _divided(group: Sequence[_Terminal], axis: int, line: int) -> bool:
    """Whether a line between two columns (axis 0) or rows has terminals on both sides, wherever their pads may be."""
    before = any(all(pad.at[axis] <= line for pad in terminal.pads) for terminal in group)
    behind = any(all(pad.at[axis] > line for pad in terminal.pads) for terminal in group)
    return before and behind
