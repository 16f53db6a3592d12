"""How far elements are from trouble that depends on the run, in sentences for the inspector.

What can be told without a run (voltage and clock) is in :mod:`game.supply`.
"""

from __future__ import annotations

from engine.model import CoreHeat
from game.supply import Margin
from game.text import number


def heat_margin(core: CoreHeat) -> Margin:
    """Kelvin that are left before a core's clock falls, and before it burns out."""
    left = f"{number(core.limit_k)} K left before it burns out"
    if core.clock_ticks > core.set_ticks:
        return Margin(f"Its clock has fallen from {core.set_ticks} to {core.clock_ticks} ticks; {left}.", False)
    if core.slack_k is None:
        return Margin(f"It is set too fast, and the warmer it is the more of its bits are late; {left}.", False)
    return Margin(f"{number(core.slack_k)} K left before its clock falls, {left}.", core.slack_k >= 0)
