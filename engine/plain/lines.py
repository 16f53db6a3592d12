"""Wires whose words are looked at line by line: with an encoding, with walls so thin that lines lose what they hold, or
with wires beside them that flip their lines.

See "Physics: encodings", "Physics: tunnelling" and "Physics: crosstalk" in docs/model.md.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from engine.encodings import Received, decode, encode, hit, start_lines
from engine.machine import Cause
from engine.netlist import Node, Wire
from engine.plain.packets import Packet, Words
from engine.plain.road import Road
from engine.plain.values import wrap

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine

WORD = 2**32 - 1


class LineRoad(Road):
    """A wire in motion of whose packets the lines are kept.

    ``driven`` are the lines of the word that was sent last, whatever became of it. ``flights`` holds per packet, head
    first, (driven lines, lines as late bits left them) of its words, None of a masked one. What else happens on the
    way is worked out once the head is available, before anyone sees it (:meth:`settle`): then the head in ``queue`` is
    as it is received, ``spoilt`` the code of the fault that its decoder found, ``mended`` how many of its words it
    mended, and ``marks`` are (cause, lines of each word) of what was wrong.
    """

    __slots__ = (
        *("corrections", "driven", "encoding", "flights", "longest", "marks", "mended", "raw_receiver", "retention"),
    )
    moving: tuple[str, ...] = (
        *Road.moving,
        "driven",
        "flights",
        "unsettled",
        "spoilt",
        "mended",
        "marks",
        "corrections",
        "longest",
    )

    def __init__(self, machine: PlainMachine, index: int, wire: Wire, source: Node, fan_in: bool) -> None:
        super().__init__(machine, index, wire, source, fan_in)
        self.encoding, self.raw_receiver, self.retention = wire.encoding, wire.raw_receiver, wire.retention_ticks
        self.driven: Words = (start_lines(wire.encoding),) * len(wire.words)
        self.flights: deque[tuple[Words, Words] | None] = deque()
        self.marks: tuple[tuple[Cause, Words], ...] = ()
        self.mended = self.corrections = self.longest = 0
        self.unsettled = True

    def enter(self, t: int, packet: Packet, late: Words | None = None) -> None:
        """See :meth:`Road.enter`."""
        super().enter(t, packet, late)
        if packet.masked:
            self.flights.append(None)

    def send(self, t: int, packet: Packet, late: Words | None) -> tuple[Packet, int]:
        """See :meth:`Road.send`."""
        words = [word & WORD for word in packet.words]
        before = self.driven
        driven = tuple([encode(self.encoding, word, old) for word, old in zip(words, before, strict=True)])
        got = driven
        if late:
            got = tuple([hit(self.encoding, *each) for each in zip(driven, words, late, strict=True)])
        if self.late_lines:
            stuck = self.late_lines.masks(sum(self.entries), driven, before)
            self.machine.note_late(t, Cause.LATE_LINES, self.index, stuck, packet)
            got = tuple([new & ~mask | old & mask for new, old, mask in zip(got, before, stuck, strict=True)])
        self.driven = driven
        self.flights.append((driven, got))
        toggled = sum((new ^ old).bit_count() for new, old in zip(driven, before, strict=True))
        if self.machine.field:
            rising = tuple([new & ~old for new, old in zip(driven, before, strict=True)])
            falling = tuple([old & ~new for new, old in zip(driven, before, strict=True)])
            self.machine.field.entered(self.index, t, packet.launch, rising, falling)
        return packet.carry(tuple([wrap(self._decoded(lines).word) for lines in got])), toggled

    def settle(self) -> None:
        """The head has become available: from now on it is what will be received."""
        self.unsettled = False
        flight = self.flights[0]
        if flight is None:
            return
        driven, lines = flight
        packet, entry = self.queue[0]
        if self.machine.field:
            flips = self.machine.field.flips(self.index, entry, driven)
            noisy = tuple([line ^ mask for line, mask in zip(lines, flips, strict=True)])
            self._mark(Cause.NOISE, lines, noisy)
            lines = noisy
        if self.retention:
            lost = (self.head_at - entry) // self.retention
            kept = tuple([_without_highest(line, lost) for line in lines])
            self._mark(Cause.STRAY, lines, kept)
            lines = kept
        found = [self._decoded(line) for line in lines]
        self.spoilt = next((each.fault for each in found if each.fault), "")
        self.mended = sum(each.corrected for each in found)
        self.queue[0] = packet.carry(tuple([wrap(each.word) for each in found])), entry

    def _mark(self, cause: Cause, before: Words, after: Words) -> None:
        if before != after:
            self.marks = (*self.marks, (cause, tuple([a ^ b for a, b in zip(before, after, strict=True)])))

    def _decoded(self, lines: int) -> Received:
        return Received(lines & WORD) if self.raw_receiver else decode(self.encoding, lines)

    def tell(self, t: int) -> None:
        """See :meth:`Road.tell`."""
        packet, entry = self.queue[0]
        if self.retention and not packet.masked:
            self.longest = max(self.longest, self.head_at - entry)
        for cause, masks in self.marks:
            self.machine.note_late(t, cause, self.index, masks, packet)

    def leave(self, t: int) -> None:
        """See :meth:`Road.leave`."""
        super().leave(t)
        self.flights.popleft()
        self.corrections += self.mended
        self.unsettled, self.spoilt, self.mended, self.marks = True, "", 0, ()

    def key(self, t: int, completed: int) -> tuple[Any, ...]:
        """See :meth:`Road.key`: what has waited for long loses more."""
        key = super().key(t, completed)
        return (*key, tuple([entry - t for _, entry in self.queue])) if self.retention else key


def _without_highest(lines: int, count: int) -> int:
    """Lines without the highest ``count`` that are set."""
    for _ in range(count):
        if not lines:
            break
        lines ^= 1 << lines.bit_length() - 1
    return lines
