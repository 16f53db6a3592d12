"""Copy and paste: blueprints and whole designs, always as text, through the system's clipboard where there is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.errors import InvalidError
from game import clipboard
from game.editor import edits
from game.said import said
from levels.textform import PREFIX, decode, encode

if TYPE_CHECKING:
    from game.screens.workbench import Workbench


class Clips:
    """Copy and paste on one workbench."""

    def __init__(self, bench: Workbench, leave_tab: Callable[[], None]) -> None:
        self.bench = bench
        self._leave_tab = leave_tab

    def copy(self) -> None:
        """The selection, or with nothing selected the whole design, as text."""
        bench = self.bench
        blueprint = bench.tools.copy() or bench.session.design
        try:
            text = encode(blueprint)
        except InvalidError as invalid:
            bench.say(f"That cannot be copied: {said(invalid.problems[0])}", "bad")
            return
        clipboard.put(text)
        what = (
            "The design"
            if blueprint is bench.session.design
            else f"{len(blueprint.cores)} core{'s' if len(blueprint.cores) != 1 else ''}"
        )
        bench.say(f"{what} copied, as text too")

    def cut(self) -> None:
        if self.bench.tools.selected_cores():
            self.copy()
            self.bench.tools.remove()

    def paste(self) -> None:
        """A blueprint into the hand; a whole design of this level opens beside the others."""
        bench = self.bench
        text = clipboard.get()
        if not text.strip():
            bench.say("There is nothing to paste: Ctrl+C copies what is selected")
            return
        try:
            design = decode(text)
        except InvalidError as invalid:
            if text.lstrip().startswith(PREFIX):
                bench.say(f"That cannot be pasted: {said(invalid.problems[0])}", "bad")
            else:
                bench.say("There is no design in the clipboard: Ctrl+C copies what is selected", "bad")
            return
        pads = {pad.id for pad in bench.level.pads}
        whole = any({w.start[0], w.ends[0][0]} & pads for w in design.wires)
        if whole and design.level == bench.level.id:
            self._leave_tab()
            bench.session.new_tab(design, design.name or "pasted")
            return
        blueprint = edits.copy(design, {core.id for core in design.cores})
        if not blueprint.cores:
            bench.say("There are no cores in that text")
            return
        bench.tools.take_blueprint(blueprint)

    def duplicate(self) -> None:
        blueprint = self.bench.tools.copy()
        if blueprint:
            self.bench.tools.take_blueprint(blueprint)
