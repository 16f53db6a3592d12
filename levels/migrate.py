"""From an older version of the file formats to the present one.

A migration turns the plain tree of version n into that of version n + 1; what a file holds on disk is never
touched by it. To change a format: raise :data:`engine.model.FORMAT`, add a migration for each kind of document,
and put a file of the old version into the corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from engine.errors import InvalidError
from levels.codes import problem, show

Kind = Literal["level", "design"]
Migration = Callable[[dict[str, Any]], dict[str, Any]]

CURRENT = 1
"""The version that is read and written; equal to :data:`engine.model.FORMAT`, which a test holds."""

MIGRATIONS: Mapping[Kind, Mapping[int, Migration]] = {"level": {}, "design": {}}
"""For each kind of document, by the version that it starts from: the step to the next version."""


def migrate(
    tree: dict[str, Any],
    kind: Kind,
    file: str = "",
    *,
    current: int = CURRENT,
    migrations: Mapping[Kind, Mapping[int, Migration]] = MIGRATIONS,
) -> dict[str, Any]:
    """The tree in the form of version ``current``; the tree given is not changed.

    A tree without a usable version is returned as it is: validation will say what is wrong with it. Raises
    :class:`engine.errors.InvalidError` for a version that is newer, or that no migration starts from.
    """
    version = tree.get("perwatt")
    if isinstance(version, bool) or not isinstance(version, int) or version == current:
        return tree
    if version > current:
        message = f"found version {show(version)}; this Perwatt reads up to {current}: update Perwatt"
        raise InvalidError([problem("newer-format", message, ("perwatt",), file=file)])
    while version < current:
        step = migrations[kind].get(version)
        if step is None:
            message = f"found version {show(version)}, which never was; write {current}"
            raise InvalidError([problem("unknown-format", message, ("perwatt",), file=file)])
        version += 1
        tree = {**step(dict(tree)), "perwatt": version}
    return tree
