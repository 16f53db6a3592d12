"""Make the compiled engine ready: load it, and compile it where this machine has not done so yet."""

from __future__ import annotations

LEVEL, ROLE = "first-light-01-ignition", "best"


def warm_up() -> bool:
    """Whether the compiled engine can be used now. The first time on a machine this takes half a minute."""
    from engine.errors import PerwattError
    from engine.simulation import Simulation
    from game.shell.places import level_path
    from levels.files import load_design_file, load_level_file
    from levels.lookup import designs_beside

    try:
        path = level_path(LEVEL)
        level = load_level_file(path).level
        machine = Simulation(level, load_design_file(designs_beside(path)[ROLE]).design, engine="compiled")
        # Both of its entries are compiled on their first call.
        machine.run_until(100)
        machine.packets()
    except (PerwattError, KeyError):
        return False
    return True
