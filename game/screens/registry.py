"""All screens by name, each imported when it is first shown: the first frame waits for none of the others."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from game.screens.base import Context, Screen

_PLACES = {
    "title": ("title", "Title"),
    "campaign": ("campaign", "Campaign"),
    "workbench": ("workbench", "Workbench"),
    "result": ("result", "Result"),
    "settings": ("settings", "Settings"),
    "versus": ("versus", "Versus"),
}


class _Factory:
    """Makes a screen; imports its module on the first call."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def __call__(self, context: Context, *arguments: object) -> Screen:
        screen: Screen = getattr(import_module(f"game.screens.{self._module}"), self._name)(context, *arguments)
        return screen


SCREENS = {name: _Factory(*place) for name, place in _PLACES.items()}
