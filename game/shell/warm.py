"""Make the compiled engine ready: load it, and compile it where this machine has not done so yet."""

from __future__ import annotations

import gc

LEVEL, ROLE = "first-light-01-ignition", "best"


def warm_up() -> bool:
    """Whether the compiled engine can be used now. The first time on a machine this takes half a minute.

    Loads as well what the workbench needs in its first second. All that is loaded stays: it is taken out of the
    garbage collector's sight, whose rounds would else stop a frame for some 50 ms each.
    """
    import game.forms.desk  # noqa: F401  first: a field may be opened long before the engine is made
    from engine.errors import PerwattError
    from engine.simulation import Simulation
    from game.insight import insight
    from game.shell.places import level_path
    from levels.files import load_design_file, load_level_file
    from levels.lookup import designs_beside

    try:
        path = level_path(LEVEL)
        level = load_level_file(path).level
        design = load_design_file(designs_beside(path)[ROLE]).design
        machine = Simulation(level, design, engine="compiled")
        # Both of its entries are compiled on their first call.
        machine.run_until(100)
        machine.packets()
        insight(level, design)
    except (PerwattError, KeyError):
        return False
    finally:
        gc.freeze()
    return True
