"""Sleep of what is idle ("Physics: gating" in docs/model.md).

There is no event of falling asleep: how long a node or wire slept is worked out when it is needed, or someone looks.
"""

from __future__ import annotations

from engine.netlist import Gate
from engine.plain.packets import NEVER, Moving


class Sleep(Moving):
    """Whether a node or wire that may sleep does.

    ``asked`` > 0: it is needed, and awake or waking; of a wire, by how many results that are made and have not entered.
    ``gone``: of a node, when its last result was gone. ``counted``: from when on sleep is counted.
    """

    __slots__ = ("asked", "counted", "delayed", "gone", "refused", "slept", "spec", "usable", "wakes")
    moving = ("asked", "counted", "delayed", "gone", "refused", "slept", "usable", "wakes")

    def __init__(self, spec: Gate) -> None:
        self.spec = spec
        self.asked = self.gone = self.counted = 0
        self.slept = self.wakes = self.delayed = 0
        self.usable = self.refused = -NEVER

    def wake(self, needed: int, idle_since: int) -> None:
        """It is needed for the first time since it has become idle."""
        if needed - idle_since > self.spec.sleep_after:
            self.slept += self.asleep(needed, idle_since)
            self.wakes += 1
            self.usable = needed + self.spec.wake_ticks

    def asleep(self, now: int, idle_since: int) -> int:
        """How long it has slept until now since it became idle, as far as that counts."""
        return max(0, now - max(idle_since + self.spec.sleep_after, self.counted))

    def refuses(self, t: int) -> bool:
        """Whether it is not awake yet; a word that comes too early is counted once."""
        if self.usable <= t:
            return False
        if self.refused != self.usable:
            self.refused = self.usable
            self.delayed += 1
        return True

    def start_time_anew(self, t: int) -> None:
        """The window begins."""
        self.counted = t
        self.slept = self.wakes = self.delayed = 0

    def key(self, t: int, idle_since: int | None) -> tuple[int, int, int]:
        """The state for the period search; ``idle_since`` is None where it is not idle."""
        age = 0 if idle_since is None else min(t - idle_since, self.spec.sleep_after + 1)
        return self.asked, age, max(self.usable - t, 0)
