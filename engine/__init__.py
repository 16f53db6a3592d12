"""The machine: levels and designs in, reports out. No screen, no files, no wall clock, no global random state.

``from engine import simulate, Simulation``: both are imported on first use, so that ``import engine.model``
stays cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.simulation import Simulation as Simulation
    from engine.simulation import simulate as simulate

__all__ = ["Simulation", "simulate"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from engine import simulation

        return getattr(simulation, name)
    raise AttributeError(f"module 'engine' has no attribute '{name}'")
