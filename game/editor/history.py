"""Undo and redo over whole designs.

A design is a value that no edit changes in place, so an entry of the history is just the design before, the
design after and a label; designs share whatever an edit left alone. One gesture of the player (a drag, a roll of
the wheel) is one entry: previews during the gesture replace each other and leave no trace when it is cancelled.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.model import Design

MAX_ENTRIES = 10_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One step: what the player did, and the design before and after it."""

    label: str
    before: Design
    after: Design


class History:
    """The design on the board, its past and its undone future."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._past: list[Entry] = []
        self._future: list[Entry] = []
        self._before_gesture: Design | None = None
        self.version = 0
        """Grows with every change of :attr:`design`, previews included: cheap to compare."""

    @property
    def design(self) -> Design:
        """What is on the board now, the preview of a gesture included. Do not change it in place."""
        return self._design

    @property
    def in_gesture(self) -> bool:
        return self._before_gesture is not None

    @property
    def gesture_start(self) -> Design:
        """The design before the gesture under way; outside a gesture, what is on the board."""
        return self._before_gesture or self._design

    @property
    def previous(self) -> Design:
        """The design before the last step; what is on the board where there is none."""
        return self._past[-1].before if self._past else self.gesture_start

    @property
    def undo_label(self) -> str | None:
        """What undo would take back."""
        return self._past[-1].label if self._past else None

    @property
    def redo_label(self) -> str | None:
        """What redo would do again."""
        return self._future[-1].label if self._future else None

    def do(self, design: Design, label: str) -> None:
        """One step at once. A gesture under way is kept as a step of its own first."""
        if self.in_gesture:
            self.commit(label)
        self._enter(Entry(label, self._design, design))
        self._show(design)

    def begin(self) -> None:
        """Start a gesture. One that is under way is cancelled: it was never finished."""
        self.cancel()
        self._before_gesture = self._design

    def preview(self, design: Design) -> None:
        """Show where the gesture stands. Outside a gesture this starts one."""
        if not self.in_gesture:
            self._before_gesture = self._design
        self._show(design)

    def commit(self, label: str) -> bool:
        """End the gesture as one step; False, and no entry, if it changed nothing."""
        before, self._before_gesture = self._before_gesture, None
        if before is None or before is self._design or before == self._design:
            if before is not None:
                self._design = before
            return False
        self._enter(Entry(label, before, self._design))
        return True

    def cancel(self) -> None:
        """End the gesture as if it had not begun."""
        before, self._before_gesture = self._before_gesture, None
        if before is not None:
            self._show(before)

    def undo(self) -> str | None:
        """Take the last step back and return its label; in mid-gesture, cancel the gesture instead."""
        if self.in_gesture:
            self.cancel()
            return "gesture"
        if not self._past:
            return None
        entry = self._past.pop()
        self._future.append(entry)
        self._show(entry.before)
        return entry.label

    def redo(self) -> str | None:
        """Do the last undone step again and return its label; nothing in mid-gesture."""
        if self.in_gesture or not self._future:
            return None
        entry = self._future.pop()
        self._past.append(entry)
        self._show(entry.after)
        return entry.label

    def _enter(self, entry: Entry) -> None:
        if entry.before is entry.after or entry.before == entry.after:
            return
        self._past.append(entry)
        del self._past[:-MAX_ENTRIES]
        self._future.clear()

    def _show(self, design: Design) -> None:
        self._design = design
        self.version += 1
