"""Packets, results and faults, and how what moves is copied. Names follow docs/model.md."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from engine.netlist import NO_BLOCK
from engine.plain.values import BadValue

NEVER = 1 << 60
"""A tick that does not come; its negative: a tick before all others."""

ALL, NO_RESULT, WAIT = -1, -2, -3
"""Where a firing's result leaves, when not at one port: at all, at none, or "the rule does not allow it yet"."""

Words = tuple[int, ...]


class Packet:
    """A packet. Never changed once made, so copies share it."""

    __slots__ = ("any", "barriers", "block", "launch", "masked", "thread", "words")

    def __init__(
        self, words: Words, launch: int, any: bool, block: int, thread: int, barriers: int, masked: bool
    ) -> None:
        self.words = words
        self.launch = launch
        self.any = any
        self.block = block
        self.thread = thread
        self.barriers = barriers
        self.masked = masked

    def carry(self, words: Words) -> Packet:
        """A packet with this header and other words."""
        return Packet(words, self.launch, self.any, self.block, self.thread, self.barriers, self.masked)

    def mask(self, masked: bool, words: Words) -> Packet:
        """A packet with this header but for the mask, and other words."""
        return Packet(words, self.launch, self.any, self.block, self.thread, self.barriers, masked)

    def header(self, completed: int) -> tuple[int, ...]:
        """What two states must have in common, with the launch counted from the last one that has counted."""
        return self.launch - completed, self.any, self.block, self.masked


_DIFFER = -2
"""Block (or thread) of packets that have different ones: none, and so it stays, whatever else is joined."""


def common(a: int, b: int) -> int:
    """The block (or thread) that two joined packets share: of those that have one."""
    return b if a == NO_BLOCK else a if b in (a, NO_BLOCK) else _DIFFER


def join(packets: list[Packet]) -> Packet:
    """The joined header of ``packets``, at least one, without words ("Joining headers" in docs/model.md)."""
    launches = [p.launch for p in packets if not p.any]
    launch = launches[0] if launches else max([p.launch for p in packets])
    block = thread = NO_BLOCK
    barriers = 0
    masked = False
    for p in packets:
        block, thread = common(block, p.block), common(thread, p.thread)
        barriers = max(barriers, p.barriers)
        masked = masked or p.masked
    return Packet((), launch, not launches, max(block, NO_BLOCK), max(thread, NO_BLOCK), barriers, masked)


class Result:
    """A result in the queue. ``live_port``: the port where copies are live in all lanes (-1: none).

    ``late``: per word, the bits that are wrong where it is handed out; None: none are. The packet has the true words.
    """

    __slots__ = ("late", "live_port", "packet", "port", "ready")

    def __init__(self, packet: Packet, ready: int, port: int, live_port: int = -1, late: Words | None = None) -> None:
        self.packet, self.ready, self.port, self.live_port, self.late = packet, ready, port, live_port, late


class Effort(NamedTuple):
    """What a firing costs beyond that it is one; see :class:`engine.machine.Counters`."""

    lanes: int
    controls: int
    work: int
    cycles: int


class CoreFault(Exception):
    """A firing that is a fault; ``port`` is an index of the core's inputs, ``more`` fields of FaultInfo."""

    def __init__(self, code: str, port: int = -1, **more: Any) -> None:
        super().__init__(code)
        self.code, self.port, self.more = code, port, more
        self.header: Packet | None = None
        self.words: Words = ()

    @classmethod
    def of(cls, bad: BadValue) -> CoreFault:
        """The fault that an operation without a result is."""
        return cls(bad.code, bad.port, got=bad.got)


class Moving:
    """Something whose state is the values of its fields ``moving``: numbers, packets, and flat containers."""

    __slots__ = ()
    moving: tuple[str, ...] = ()

    def save(self) -> tuple[Any, ...]:
        """A copy of the state."""
        return tuple(_copy(getattr(self, name)) for name in self.moving)

    def load(self, saved: tuple[Any, ...]) -> None:
        """Go back to a copied state."""
        for name, value in zip(self.moving, saved, strict=True):
            setattr(self, name, _copy(value))


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, list | dict | deque | set) else value


def forget_window(counts: list[int]) -> None:
    """Add what segments 1 and 2 held to segment 0."""
    counts[0] += counts[1] + counts[2]
    counts[1] = counts[2] = 0
