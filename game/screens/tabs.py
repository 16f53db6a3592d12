"""The designs of a level in their tabs: new ones, copies, deleting and bringing back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.errors import PerwattError
from levels.refusals import refusal
from levels.shelf import Item

if TYPE_CHECKING:
    from game.screens.workbench import Workbench

DELETED_S = 12.0


class Tabs:
    """The tabs of one workbench."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench

    def leave(self) -> None:
        """Finish what is in hand, and save: another design comes, or this one goes somewhere."""
        bench = self.bench
        bench.commit_field()
        bench.tools.settle()
        bench.session.save()

    def new(self) -> None:
        self.leave()
        self.bench.session.new_tab()

    def copy(self) -> None:
        self.leave()
        self.bench.session.duplicate_tab()

    def delete(self) -> None:
        self.leave()
        bench = self.bench
        try:
            name = bench.session.delete_tab()
        except OSError as error:
            bench.say(f"The design could not be deleted: {refusal(error)}", "bad")
            return
        bench.say(f"Deleted {name}; Ctrl+Z brings it back", "", ("tab.restore",), "Undo", seconds=DELETED_S)

    def restore(self) -> None:
        """Bring back the design that was deleted last."""
        self.leave()
        self._restored(self.bench.session.restore_tab)

    def bring_back(self, item: Item) -> None:
        """Bring back a design that was deleted some time ago."""
        self.leave()
        self._restored(lambda: self.bench.session.restore(item))

    def _restored(self, restore: Callable[[], str | None]) -> None:
        bench = self.bench
        try:
            name = restore()
        except (OSError, PerwattError) as error:
            bench.say(f"The design could not be brought back: {refusal(error)}", "bad")
            return
        if name:
            bench.say(f"{name} is back", "good")
