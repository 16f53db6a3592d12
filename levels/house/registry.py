"""Which machines there are: a recipe for each design file of a level, by the level's id and the file's role."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path as FilePath
from pkgutil import iter_modules

from engine.builder import Builder
from engine.model import Design
from levels import house
from levels.files import load_level_file
from levels.lookup import campaign, find_level

Recipe = Callable[[Builder], object]
"""Draws a machine on an empty board. Its docstring says why the machine is as it is."""

_RECIPES: dict[str, dict[str, Recipe]] = {}


def design(level: str, role: str) -> Callable[[Recipe], Recipe]:
    """Register a function as the recipe for ``<level>.<role>.yaml``; ``level`` is an id, ``role`` as in ``naive``."""

    def register(recipe: Recipe) -> Recipe:
        roles = _RECIPES.setdefault(level, {})
        assert role not in roles, f"{level} has two recipes for {role}"
        roles[role] = recipe
        return recipe

    return register


def recipes() -> dict[str, dict[str, Recipe]]:
    """{level id: {role: recipe}}, in the campaign's order. Every other module of this package holds some."""
    for module in iter_modules(house.__path__):
        if module.name != "__main__":
            import_module(f"levels.house.{module.name}")
    place = {entry.id: n for n, entry in enumerate(campaign())}
    return dict(sorted(_RECIPES.items(), key=lambda item: place.get(item[0], len(place))))


def design_path(level: str, role: str) -> FilePath:
    """Where the design stands: beside its level. Raises :class:`engine.errors.InvalidError` for an unknown level."""
    path = find_level(level)
    return path.with_name(f"{path.stem}.{role}.yaml")


def make(level: str, role: str) -> Design:
    """The design that the recipe draws. Raises :class:`engine.errors.InvalidError` where the level cannot be read."""
    recipe = recipes()[level][role]
    builder = Builder(load_level_file(find_level(level)).level, role.replace("-", " "), _note(recipe))
    recipe(builder)
    return builder.design()


def _note(recipe: Recipe) -> str:
    assert recipe.__doc__, f"{recipe} has no docstring, from which the design's note is made"
    return " ".join(recipe.__doc__.split())
