"""One level being played: its designs, what is on the board, the machine on show, and what is known about it.

Nothing here draws, and nothing needs a screen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from engine.errors import InvalidError, Problem
from engine.model import Design, Level, Report
from engine.simulation import EngineName
from game.aside import Aside
from game.background import Background
from game.describe_level import bound_reason, bound_text
from game.editor.history import History
from game.insight import Insight, Trace, study
from game.livescore import BackgroundScore, Scored
from game.playback import Playback
from game.shell.account import best_known
from game.shell.places import level_path
from game.view.scene import Bottleneck, Figures, figures_of
from levels.autosave import Autosave
from levels.files import load_design_file, load_level_file
from levels.lookup import sibling
from levels.names import clean_name, free_name, number_of
from levels.refusals import refusal
from levels.shelf import Item, Shelf

SHELF_S = 5.0
"""Seconds after which the shelf is asked again for a place that it refused."""

CALM_S = 1.0
"""Edits closer together than this count as one when the score's change is told."""

JAM_SHARE = 0.3

STUDY_S = 0.25
"""So long must an edit have stood before its graph is studied and its run is traced: longer than from one notch of a
turning wheel to the next, whose score comes first."""

DROP_S = 1.0
"""A study that has taken longer is given up for that of a newer edit."""

SCORE_S = 0.004
"""So long does the frame of an edit wait for its score. Most come in this time, and so with the edit itself."""


@dataclass
class Score:
    """What the score box shows. ``change`` is against the figure before the last edits; ``stale`` while it is old."""

    figure: Scored | None = None
    base: float | None = None
    stale: bool = True

    @property
    def efficiency(self) -> float:
        return self.figure.figure.efficiency if self.figure else 0.0

    @property
    def change(self) -> float | None:
        if self.base is None or self.figure is None or not self.efficiency:
            return None
        return self.efficiency - self.base


@dataclass
class Tab:
    """A design on the shelf with its past."""

    item: Item
    history: History
    saved: Design
    homeless: bool = False
    """Whether the disk has refused it a place on the shelf so far: it is kept in memory until it gets one."""
    named: str = field(init=False)
    """The name in the design when the item last got its name from there."""

    def __post_init__(self) -> None:
        self.named = self.history.design.name


Histories = dict[tuple[str, str], History]
"""The past of every design that was shown since the program began, by level and key."""


@dataclass(frozen=True)
class Deleted:
    """A design that was deleted: what the trash calls it, its tab, and what was shown in its place.

    ``filler`` is the tab that was made because it had been the last one.
    """

    item: Item
    tab: Tab
    shown: Design
    filler: Tab | None


class Session:
    """A level that is open."""

    def __init__(
        self,
        level: str,
        shelf: Shelf,
        *,
        engine: EngineName = "auto",
        design: Design | None = None,
        aside: Aside | None = None,
        kept: Histories | None = None,
        last: str | None = None,
    ) -> None:
        """``kept``: the pasts of designs, which outlive a session; ``last``: the key of the design to be shown."""
        loaded = load_level_file(level_path(level))
        self.level: Level = loaded.level
        self.path = loaded.path
        self.shelf = shelf
        self.engine: EngineName = engine
        self.autosave = Autosave(shelf)
        self.wants_to_play = True
        self.score = Score()
        self.insight = Insight(self.empty())
        self.trace: Trace | None = None
        self.edited_at = 0.0
        self.clock = 0.0
        self.deleted: list[Deleted] = []
        """Designs that were deleted here, the last one last."""
        self._trash: bool | None = None
        self._refused = ""
        self._ask_shelf = 0.0
        self._kept: Histories = {} if kept is None else kept
        self._submitted = -1
        self._shown: Design | None = None
        self._studied: Design | None = None
        self.studies = True
        """Whether edits are studied; not where only frames and scores are measured."""
        self._figures_of: Report | None = None
        self._figures: Figures | None = None
        self._bottleneck: tuple[Insight, Bottleneck] | None = None
        self.best_known: float | None = None
        """Launches/nJ of the house's best machine, once Stars are reached: what lies beyond is nobody's yet."""
        self._house: Background[Level, float | None] | None = None
        self._aside = aside or Aside()
        self.tabs: list[Tab] = []
        self.current = 0
        self._open_shelf(design, last)
        self.playback = Playback(self.level, self.design, engine=engine)
        self._shown = self.design
        self._scorer = BackgroundScore(self.level, engine=engine)
        self._study = self._student()
        self._submit()

    # --- designs -----------------------------------------------------------------------------------------

    @property
    def tab(self) -> Tab:
        return self.tabs[self.current]

    @property
    def history(self) -> History:
        return self.tab.history

    @property
    def design(self) -> Design:
        """What is on the board now."""
        return self.history.design

    def empty(self) -> Design:
        """What a new design of the level starts from."""
        if self.level.start:
            try:
                return load_design_file(sibling(self.path, self.level.start)).design.model_copy(update={"note": ""})
            except InvalidError:
                pass
        return Design(perwatt=1, level=self.level.id)

    def _open_shelf(self, design: Design | None, last: str | None) -> None:
        if design is not None:
            item = Item(self.level.id, "", design.name or "given")
            self.tabs = [Tab(item, History(design), design)]
            return
        for item in self.shelf.designs(self.level.id):
            try:
                self.tabs.append(self._tab(item))
            except InvalidError:
                continue
        if not self.tabs:
            self.new_tab()
        self.current = next((n for n, tab in enumerate(self.tabs) if tab.item.key == last), len(self.tabs) - 1)

    def _tab(self, item: Item) -> Tab:
        """The design with its past, as long as the shelf holds what the past ends with."""
        design = self.shelf.load(item)
        kept = self._kept.get((item.level, item.key))
        if kept is None or kept.design.model_copy(update={"name": design.name}) != design:
            kept = self._kept[item.level, item.key] = History(design)
        return Tab(item, kept, kept.design)

    def new_tab(self, design: Design | None = None, name: str = "first try") -> None:
        """A new design on the shelf, shown at once."""
        design = design or self.empty()
        try:
            self.tabs.append(self._tab(self.shelf.create(design, name)))
        except OSError as error:
            name = free_name(name, [tab.item.name for tab in self.tabs])
            design = design.model_copy(update={"name": name})
            self.tabs.append(Tab(Item(self.level.id, "", name), History(design), design, homeless=True))
            self._refuse(error)
        self.show_tab(len(self.tabs) - 1)

    def _refuse(self, error: OSError) -> None:
        self._refused, self._ask_shelf = refusal(error), self.clock + SHELF_S

    @property
    def unsaved(self) -> str:
        """Why something that was made is not on the disk; nothing where all is."""
        return self.autosave.error or (self._refused if any(tab.homeless for tab in self.tabs) else "")

    def _house_the_homeless(self) -> None:
        """Ask the shelf again for a place for what has none."""
        for tab in self.tabs:
            if tab.homeless and not tab.history.in_gesture:
                try:
                    tab.item = self.shelf.create(tab.history.design, tab.item.name)
                except OSError as error:
                    self._refuse(error)
                    return
                tab.saved, tab.homeless = tab.history.design, False
                self._kept[tab.item.level, tab.item.key] = tab.history

    def duplicate_tab(self) -> None:
        self.new_tab(self.design, self.tab.item.name)

    def show_tab(self, index: int) -> None:
        """Show another design."""
        if self.tabs and 0 <= index < len(self.tabs):
            self.current = index
            self.score.base = None

    def rename_tab(self, name: str) -> None:
        """Give the design that is shown another name: a step like any other, which can be undone."""
        if name.strip():
            self.history.do(self.design.model_copy(update={"name": clean_name(name)}), "rename")
            self._keep()

    def delete_tab(self) -> str:
        """Move the design that is shown to the trash; returns its name. :meth:`restore_tab` brings it back."""
        self.autosave.flush()
        tab, filler = self.tab, None
        trashed = self.shelf.delete(tab.item) if tab.item.key else None
        self._trash = None
        del self.tabs[self.current]
        if not self.tabs:
            self.new_tab()
            filler = self.tab
        self.show_tab(min(self.current, len(self.tabs) - 1))
        if trashed is not None:
            self.deleted.append(Deleted(trashed, tab, self.design, filler))
        return tab.item.name

    @property
    def has_deleted(self) -> bool:
        """Whether designs of the level lie in the trash."""
        if self._trash is None:
            self._trash = self.shelf.has_trash(self.level.id)
        return self._trash

    @property
    def just_deleted(self) -> bool:
        """Whether deleting a design was the last thing that was done."""
        return bool(self.deleted) and self.deleted[-1].shown is self.design

    def restore_tab(self) -> str | None:
        """Bring back, past and all, the design that was deleted last; returns its name."""
        if not self.deleted:
            return None
        last = self.deleted.pop()
        filler = last.filler
        if filler in self.tabs and filler is not None and filler.history.undo_label is filler.history.redo_label:
            # Untouched, and it would have the name.
            self.autosave.flush()
            self.shelf.delete(filler.item)
            self.tabs.remove(filler)
        try:
            return self.restore(last.item)
        finally:
            if not self.tabs:
                self.new_tab()

    def restore(self, trashed: Item) -> str:
        """Take a design out of the trash and show it, in its old place among the tabs; returns its name."""
        tab = self._tab(self.shelf.restore(trashed))
        self._trash = None
        self.tabs.append(tab)
        self.tabs.sort(key=lambda tab: number_of(tab.item.key) if tab.item.key else 0)
        self.show_tab(self.tabs.index(tab))
        return tab.item.name

    # --- what an edit sets in motion ---------------------------------------------------------------------

    def use_engine(self, engine: EngineName) -> None:
        """Go over to another engine, at the same moment."""
        if engine == self.engine:
            return
        self.engine = self.playback.engine = engine
        self.playback.set_design(self.design)
        self._scorer.close()
        self._study.close()
        self._scorer = BackgroundScore(self.level, engine=engine)
        self._study = self._student()
        self._studied = None
        self._submit()

    def _student(self) -> Background[tuple[Design, bool], Insight | Trace]:
        return Background(partial(study, self.level, 0, self.engine, self._aside), "study")

    def _submit(self) -> None:
        self.score.stale = True
        self._submitted = self._scorer.submit(self.design)

    def update(self, seconds: float) -> list[Scored]:
        """Let time pass; returns the final figures that have come."""
        self.clock += seconds
        fresh = self.design is not self._shown
        if fresh:
            self._changed()
        self._keep()
        if self.studies and self._studied is not self.design and self.clock - self.edited_at >= STUDY_S:
            self._studied = self.design
            self._aside.drop(DROP_S)
            self._study.submit((self.design, True))
        self.playback.update(seconds)
        news = []
        scored = self._scorer.poll(SCORE_S if fresh else 0.0)
        if scored is not None and scored.version == self._submitted:
            self.score.figure = scored
            self.score.stale = not (scored.figure.final or scored.figure.verdict == "invalid")
            if not self.score.stale:
                news.append(scored)
        if any(scored.figure.medal == "gold" for scored in news) and self._house is None:
            self._house = Background(_house_best, "house")
            self._house.submit(self.level)
        if self._house is not None:
            for best in self._house.poll():
                self.best_known = best
        for found in self._study.poll():
            if isinstance(found, Insight):
                self.insight = found
            else:
                self.trace = found
        return news

    def _changed(self) -> None:
        if self.clock - self.edited_at > CALM_S or self.score.base is None:
            final = self.score.figure is not None and not self.score.stale
            self.score.base = self.score.efficiency if final and self.score.efficiency else None
        self.edited_at = self.clock
        self._shown = self.design
        self._submit()
        self.playback.set_design(self.design)
        if self.playback.simulation is None:
            self.trace = self._studied = None  # what cannot run leaves no trace of what ran before
        self.playback.playing = self.wants_to_play

    def _keep(self) -> None:
        tab = self.tab
        if self.clock >= self._ask_shelf:
            self._house_the_homeless()
        if self.design.name != tab.named and not self.history.in_gesture:
            tab.named = self.design.name
            if tab.named:
                others = [other.item.name for other in self.tabs if other is not tab]
                tab.item = replace(tab.item, name=free_name(tab.named, others))
        if tab.item.key and tab.saved is not self.design and not self.history.in_gesture:
            tab.saved = self.design
            self.autosave.put(tab.item, self.design)

    def save(self) -> None:
        """Hand the design that is shown to the disk, and wait for it."""
        self.history.cancel()
        self._ask_shelf = 0.0
        self._keep()
        self.autosave.flush()

    def settle(self, seconds: float = 20.0) -> None:
        """Wait for the background. For tests and pictures."""
        self.update(STUDY_S + 0.01)
        self.playback.catch_up()
        self._scorer.wait(seconds)
        self._study.wait(seconds)
        self.update(0.0)

    def close(self) -> None:
        """Save, and end the threads."""
        self.save()
        self.autosave.close()
        self._scorer.close()
        self._study.close()
        if self._house is not None:
            self._house.close()

    # --- reading -----------------------------------------------------------------------------------------

    @property
    def problems(self) -> list[Problem]:
        """What keeps the design from being built."""
        return self.playback.problems

    @property
    def report(self) -> Report | None:
        """The final report of the design on the board, None while there is none."""
        figure = self.score.figure
        return figure.report if figure and not self.score.stale and figure.design is self.design else None

    @property
    def last_report(self) -> Report | None:
        """The last report that fits the wires on the board, even if speeds have changed since."""
        figure = self.score.figure
        if figure is None or figure.report is None or len(figure.design.wires) != len(self.design.wires):
            return None
        return figure.report

    @property
    def jammed(self) -> bool:
        """Whether some wire's head waits for a good part of the time."""
        report = self.report
        if report is None or report.window is None:
            return False
        span = report.window.end_ns - report.window.start_ns
        return any(e.kind == "wire" and e.blocked_ns > JAM_SHARE * span for e in report.elements)

    @property
    def shows_design(self) -> bool:
        """Whether the machine on show is of the design on the board."""
        return self._shown is self.design

    def figures(self, report: Report | None) -> Figures | None:
        """Figures of a report for overlays, made once per report."""
        if report is not self._figures_of:
            self._figures_of = report
            self._figures = figures_of(report, self.level.technology) if report else None
        return self._figures

    @property
    def bottleneck(self) -> Bottleneck | None:
        """What sets the pace, for the overlay; made once per insight."""
        found = self.insight
        if self._bottleneck is None or self._bottleneck[0] is not found:
            words = f"{bound_text(found.bound)}: {bound_reason(found.bound)}" if found.bound else ""
            self._bottleneck = (found, Bottleneck(found.bound_cores, found.bound_wires, words, found.slack))
        return self._bottleneck[1] if found.bound else None


def _house_best(level: Level) -> Iterator[float | None]:
    yield best_known(level)
