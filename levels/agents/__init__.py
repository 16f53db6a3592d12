"""A Gymnasium environment in which an agent builds machines: ``docs/agents.md``.

::

    import gymnasium
    env = gymnasium.make("levels.agents:Perwatt-v0", level="first-light/02")

:mod:`levels.agents.moves` is what an agent can do, :mod:`levels.agents.views` what it sees, and
:mod:`levels.agents.env` the environment. Needs the extra ``perwatt[gym]``.
"""

from __future__ import annotations

ID = "Perwatt-v0"


def register() -> None:
    """Make :data:`ID` known to ``gymnasium.make``; importing this module does it."""
    try:
        from gymnasium.envs.registration import register as make_known
        from gymnasium.envs.registration import registry
    except ImportError as error:
        raise ImportError("agents need Gymnasium: pip install 'perwatt[gym]'") from error
    if ID not in registry:
        make_known(ID, entry_point="levels.agents.env:PerwattEnv")


register()
