"""The resolved machine: what both engines run.

:func:`engine.elaborate.elaborate` turns a level and a design into a :class:`Netlist`; from here on there are no
names to look up, no settings to default, no units to convert. A netlist is data only: every behaviour stands
in the engines, twice (:mod:`engine.plain` and :mod:`engine.kernel`), as ``docs/model.md`` and the rules in
:mod:`engine.catalog` say.

Order matters and is part of the contract: ``nodes`` are the pads in the level's order, then the design's
cores in file order (a shared memory gives one node per port, writes first); ``wires`` are in file order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.encodings import LINES
from engine.units import NOMINAL_MV, TICKS_PER_CYCLE

LANE_KINDS = ("pack", "unpack", "shuffle", "reduce", "compact", "join")
"""Kinds that speak of lanes, whatever number of them they get."""

NO_BLOCK = -1
"""Block number of a packet that belongs to no block; likewise for a thread."""

LOOKAHEAD = 256
"""A pad starts no launch this far beyond the oldest launch that is not yet finished and gone."""


MAX_LANES = 8
"""Lanes of a packet at most; their number is 1, 2, 4 or 8."""

MAX_VALUES = 16
"""Values that one packet stores at most."""

MAX_SPLITS = 3
"""How often a packet may be split before its halves are joined again."""

Form = int | None
"""How a word lies in a packet of n lanes: the step of a linear word (lane l holds base + step × l; one value, the base;
0: the same in all lanes), or None where every lane has a value of its own (n values). A scalar's words have form 0."""

WINDOW_EVENTS = 10_000
"""What levels ask for as ``Netlist.window_events``: half a millisecond of the compiled engine."""


def values_of(forms: Sequence[Form], lanes: int) -> tuple[tuple[int, int], ...]:
    """Per word of a packet the place and the number of its values: words stand one behind the other."""
    places, place = [], 0
    for form in forms:
        size = lanes if form is None else 1
        places.append((place, size))
        place += size
    return tuple(places)


def wire_values(wire: Wire, source: Node) -> tuple[int, ...]:
    """Places of a wire's values among those of its source's results."""
    places = values_of(source.forms or (0,) * source.result_width, source.lanes)
    return tuple(start + k for start, size in [places[word] for word in wire.words] for k in range(size))


def overshoot_ppm(safe_millitick: int, ticks: int) -> int:
    """By how many millionths a period of ``ticks`` is shorter than is safe, rounded down; 0 where it is not."""
    return max(0, safe_millitick * 1000 // ticks - 1_000_000) if ticks else 0


@dataclass(frozen=True, slots=True)
class WordPick:
    """Where one word that a port sees comes from: a word of the packet, or a constant (bit pattern)."""

    constant: bool
    value: int


@dataclass(frozen=True, slots=True)
class InPort:
    """An input port. Exactly one of these holds: it has wires, it has an immediate, it is open (optional).

    ``wires`` are indices into ``Netlist.wires`` in file order (more than one is fan-in). ``picks`` says what
    each of the port's words is, for packets from these wires. ``immediate`` holds signed 32-bit patterns.
    ``lanes`` and ``forms`` (per word; () in a machine without lanes) are those of the words that the core sees. Where
    wires with words of different forms meet, the word is per lane here.
    """

    name: str
    wires: tuple[int, ...] = ()
    picks: tuple[WordPick, ...] = ()
    immediate: tuple[int, ...] | None = None
    lanes: int = 1
    forms: tuple[Form, ...] = ()

    @property
    def width(self) -> int:
        """Words that the core sees at this port; 0 where it is open."""
        return len(self.picks) if self.wires else len(self.immediate or ())


@dataclass(frozen=True, slots=True)
class OutPort:
    """An output port: words ``offset … offset + width`` of the node's result leave here, on ``wires``."""

    name: str
    wires: tuple[int, ...]
    offset: int
    width: int


@dataclass(frozen=True, slots=True)
class Gate:
    """That a node or wire sleeps when it is idle for more than ``sleep_after`` ticks ("Physics: gating").

    It is usable ``wake_ticks`` after it is needed, each waking takes ``wake_aj``. Asleep it keeps ``keeps_percent`` of
    its standing power of these ``causes``.
    """

    sleep_after: int
    ahead: int
    wake_ticks: int
    wake_aj: int
    keeps_percent: int
    causes: tuple[str, ...]

    def saved_nw(self, nw: int) -> int:
        """What is not drawn asleep, of so much standing power; what is kept is rounded half up."""
        return nw - (nw * self.keeps_percent + 50) // 100


@dataclass(frozen=True, slots=True)
class Node:
    """A pad, a core, or one port of a shared memory.

    kind
        Key of ``engine.catalog.CORES``; a shared memory's ports are ``"shared.write"`` and ``"shared.read"``;
        ``hold`` is resolved to ``repeat``.
    element
        Index into ``Netlist.elements``: the core or pad that a person sees. Equal for all ports of a memory.
    result_width
        Words in a result: the widths of all output ports where they differ (value and echo), else of one.
    params
        Settings, resolved, by the names in the catalogue; see there, and :mod:`engine.build` for a table. Arrays are
        given as ``array`` (index into ``Netlist.arrays``); a shared memory's ports share ``memory`` (index into
        ``Netlist.memories``).
        ``words`` of an address: per sum (constant, factors of w0 … w5); ``limits``: -1 where there is none;
        ``init`` of a delay: a tuple of bit patterns; ``burst`` of a stream: (words, rest in ticks) or None.
        ``inputs`` and ``outputs`` are all ports of the core in the catalogue's order, open ones as well; a
        shared memory's port has inputs at, value and output done, or input at and outputs value, at.
    control_aj, op_aj
        Energy of every firing, and of a firing that is not masked, in attojoules; ``op_cause`` says of what.
    lanes, forms
        Lanes of its results, and the form of each of their words (``result_width`` of them; () in a machine without
        lanes). The order words of a switch are scalars all the same; where that output has a wire the order word is
        the last word of the result.
    once, per_lane, lane_aj
        Of a node with lanes (:attr:`vector`): a firing with live lanes works ``once`` + ``per_lane`` × live lanes times
        (``op_aj`` each), and pays ``lane_aj`` for each live lane. Pads and shared memories have rules of their own.
    voltage_mv, clock_ticks, safe_millitick
        Supply and clock period; the shortest safe period in thousandths of a tick, 0 where no clock is too fast.
        Latency, interval and energies are already those of this clock and voltage.
    gate
        How it sleeps; None where it does not.
    """

    id: str
    kind: str
    element: int
    at: tuple[int, int]
    inputs: tuple[InPort, ...]
    outputs: tuple[OutPort, ...]
    result_width: int
    latency_ticks: int
    interval_ticks: int
    room: int
    is_float: bool
    control_aj: int
    op_aj: int
    op_cause: str
    params: dict[str, Any] = field(default_factory=dict)
    voltage_mv: int = NOMINAL_MV
    clock_ticks: int = TICKS_PER_CYCLE
    safe_millitick: int = 0
    gate: Gate | None = None
    lanes: int = 1
    forms: tuple[Form, ...] = ()
    once: int = 1
    per_lane: int = 0
    lane_aj: int = 0

    @property
    def result_values(self) -> int:
        """Values in a result."""
        return sum(self.lanes if form is None else 1 for form in self.forms) or self.result_width

    @property
    def breadth(self) -> int:
        """Lanes that the core has: the most of its inputs and its result."""
        return max(self.lanes, *[port.lanes for port in self.inputs], 1)

    @property
    def splits(self) -> bool:
        """Whether it is a switch that sends order words, or both sides always."""
        return self.kind == "switch" and (bool(self.params.get("keep")) or any(port.wires for port in self.outputs[2:]))

    @property
    def vector(self) -> bool:
        """Whether it works by the rules of lanes: it has several, or its kind or settings speak of them."""
        return self.breadth > 1 or self.kind in LANE_KINDS or self.splits

    @property
    def overshoot_ppm(self) -> int:
        """By how many millionths the clock is too fast, rounded down; 0 where it is safe."""
        return overshoot_ppm(self.safe_millitick, self.clock_ticks)

    def input(self, name: str) -> InPort:
        """The input port called ``name``; raises KeyError."""
        for port in self.inputs:
            if port.name == name:
                return port
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Coupling:
    """What crosstalk adds to a wire ("Physics: crosstalk" in docs/model.md), at the wire's voltage.

    ``tracks``: by edge, those of its words in order, then those of their extra lines. ``side_aj``: over the whole
    length, of side neighbours whose changes differ by one; ``face_aj``: of the faces of a toggled line, its neighbours
    there being quiet; ``shield_aj``: by word, of shields beside a toggled line. ``side_uv``: noise of one side
    neighbour, over the whole length; ``margin_uv``: what a quiet line bears.
    """

    tracks: tuple[tuple[int, ...], ...]
    side_aj: int
    face_aj: int
    shield_aj: tuple[int, ...]
    side_uv: int
    margin_uv: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Two words side by side for ``tiles`` edges, in one direction: of ``wires``, words number ``words``, from
    ``starts`` tiles after the start of each wire. ``share`` is 64 on neighbouring tracks, 16 across an empty one. Per
    tile and at full overlap of neighbours: ``pair_aj`` is the energy of a pair of bits, ``face_uv`` the noise that each
    of the two gets from the other.
    """

    wires: tuple[int, int]
    words: tuple[int, int]
    starts: tuple[int, int]
    tiles: int
    share: int
    pair_aj: int
    face_uv: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire. ``words`` are positions in the source node's result; ``ports`` are the input ports it serves.

    ``every_ticks`` is 0 when stopped. ``toggle_aj`` is the energy of one toggled bit over the whole length,
    ``shifter_aj`` that of every packet in the level shifter at the end. ``safe_millitick`` is the shortest safe
    ``every_ticks`` in thousandths of a tick, 0 where none is too short. Energies are those of the wire's voltage.
    ``lanes`` and ``forms`` are those of its packets and of the words that it carries, () in a machine without lanes.
    ``encode_aj`` is the energy per packet of encoder and decoder, whose leakage is in ``leakage_nw``; ``raw_receiver``:
    there is no decoder. ``retention_ticks``: how long a set line lasts, 0 for ever; ``wall_nw``: leakage through walls.
    """

    id: str
    source: int
    source_port: int
    words: tuple[int, ...]
    target: int
    ports: tuple[int, ...]
    tiles: tuple[tuple[int, int], ...]
    every_ticks: int
    toggle_aj: int
    drive_nw: int
    leakage_nw: int
    voltage_mv: int = NOMINAL_MV
    safe_millitick: int = 0
    shifter_aj: int = 0
    lanes: int = 1
    forms: tuple[Form, ...] = ()
    gate: Gate | None = None
    coupling: Coupling | None = None
    encoding: str = "raw"
    encoder_ticks: int = 0
    decoder_ticks: int = 0
    encode_aj: int = 0
    raw_receiver: bool = False
    gap: int = 100
    retention_ticks: int = 0
    wall_nw: int = 0

    @property
    def lines(self) -> int:
        """Lines of each word."""
        return LINES[self.encoding]

    @property
    def codec_ticks(self) -> int:
        """Ticks that a word spends in encoder and decoder."""
        return self.encoder_ticks + self.decoder_ticks

    @property
    def transit_ticks(self) -> int:
        """Ticks from a packet's entry to the wire's end, where nothing holds it up."""
        return self.length * self.every_ticks + self.codec_ticks

    @property
    def has_lines(self) -> bool:
        """Whether what is received depends on more than the word that was sent and bits that come late."""
        return self.encoding != "raw" or self.retention_ticks > 0 or self.coupling is not None

    @property
    def tracks(self) -> int:
        """Values side by side: one for a linear word, one a lane for the others."""
        return sum(self.lanes if form is None else 1 for form in self.forms) or len(self.words)

    @property
    def overshoot_ppm(self) -> int:
        """By how many millionths the wire is too fast, rounded down; 0 where it is safe."""
        return overshoot_ppm(self.safe_millitick, self.every_ticks)

    @property
    def length(self) -> int:
        """Tile steps, at least 1."""
        return len(self.tiles) - 1

    @property
    def capacity(self) -> int:
        """Packets that the wire holds at most: with those in encoder and decoder it runs at its full rate."""
        return self.length + 1 + (-(-self.codec_ticks // self.every_ticks) if self.every_ticks else 0)


@dataclass(frozen=True, slots=True)
class Element:
    """What a person calls a core or pad, with its standing power in nW by cause (leakage, storage, memory)."""

    id: str
    kind: str
    at: tuple[int, int]
    standing_nw: dict[str, int]


@dataclass(frozen=True, slots=True)
class Memory:
    """A shared memory: cells per page, pages, and after how many reads a block gives its page back.

    Where it has ``banks`` (0: none), cell i is at place i + (i div row) × pad (row 0: at i), in bank place mod banks.
    """

    element: int
    words: int
    pages: int
    reads: int
    banks: int = 0
    row: int = 0
    pad: int = 0

    def place(self, cell: int) -> int:
        """Where a cell is."""
        return cell + cell // self.row * self.pad if self.row else cell


@dataclass(frozen=True, slots=True)
class Array:
    """An array of the kernel as the machine sees it. One access moves ``line`` words, aligned in row-major order."""

    name: str
    shape: tuple[int, ...]
    is_input: bool
    is_output: bool
    is_float: bool
    line: int = 1
    far: bool = False

    @property
    def words(self) -> int:
        n = 1
        for length in self.shape:
            n *= length
        return n


@dataclass(frozen=True, slots=True)
class Netlist:
    """A machine, ready to run.

    tokens
        int32 array (threads of a launch, token words), in the order in which the ``threads`` pad hands them
        out (block by block, row-major inside); shape (0, 0) without threads. With lanes: (warps of a launch, values of
        a packet), by the forms of the pad's node.
    token_block, token_thread
        int32 arrays (threads,): block number and linear thread number *within the launch* of each token; of a warp that
        of its first thread.
    token_live
        int32 array (warps,): the live mask of each warp, bit l for lane l; None where all tokens are scalars.
    data_dependent
        True where the path or number of packets depends on array data: such a machine has no exact period.
    """

    nodes: tuple[Node, ...]
    wires: tuple[Wire, ...]
    elements: tuple[Element, ...]
    arrays: tuple[Array, ...]
    memories: tuple[Memory, ...]
    tokens: NDArray[np.int32]
    token_block: NDArray[np.int32]
    token_thread: NDArray[np.int32]
    threads_per_block: int
    blocks: int
    standby_nw: int
    tolerance: float
    warmup: int
    measured: int
    time_limit_ticks: int
    data_dependent: bool
    footprint_tiles: int
    slots: int
    window_events: int = 0
    """Least firings and deliveries in a window of whole periods, so that the data's chance averages out."""
    technology: str = "n45"
    """Name of the technology file whose figures the nodes and wires have."""
    physics: tuple[str, ...] = ()
    """Modules of physics that are on."""
    token_live: NDArray[np.int32] | None = None
    size: tuple[int, int] = (0, 0)
    """Columns and rows of the board."""
    stretches: tuple[Stretch, ...] = ()
    """Where words couple, in levels with crosstalk."""

    @property
    def wide(self) -> bool:
        """Whether one firing may do more than one thing: lines of several words, banks, or lanes."""
        return (
            any(array.line > 1 for array in self.arrays)
            or any(memory.banks for memory in self.memories)
            or any(node.vector for node in self.nodes)
        )

    @property
    def noisy(self) -> bool:
        """Whether wires side by side act on each other."""
        return "crosstalk" in self.physics

    @property
    def hot(self) -> bool:
        """Whether temperatures have a say in clocks and leakage."""
        return "heat" in self.physics

    @property
    def lined(self) -> bool:
        """Whether the lines of any wire are looked at."""
        return bool(self.physics) and any(wire.has_lines for wire in self.wires)

    @property
    def errs(self) -> bool:
        """Whether anything is so fast that bits come late: then chance is at work, and no period is exact."""
        return bool(self.physics) and (
            any(node.overshoot_ppm for node in self.nodes) or any(wire.overshoot_ppm for wire in self.wires)
        )
