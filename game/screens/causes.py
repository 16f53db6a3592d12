"""The card that says why something waits: at once for this moment, soon for most of the time, and when it began."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from engine.explain import fold
from engine.faults import sentence
from engine.model import WaitStep
from engine.netlist import Netlist
from game.background import Background
from game.panels.cards import WhyModel
from game.screens.shown import has_tool
from game.view.scene import Chain, Item
from game.waits import Answer, Question, answers, at_once

if TYPE_CHECKING:
    from game.screens.workbench import Workbench


class Reasons:
    """Asks why, and keeps the workbench's card: its text follows the answers and edits as they come."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self._asked: Question | None = None
        self._work: Background[Question, Answer] | None = None

    def ask(self, item: Item) -> None:
        """Why does ``item`` wait, from the moment shown on?"""
        session = self.bench.session
        playback = session.playback
        netlist, state = playback.netlist, playback.state()
        self._asked = Question(session.design, item, playback.tick, session.engine)
        answer = at_once(netlist, state, self._asked) if netlist and state else None
        if answer is None or netlist is None:
            self.bench.why = None
            return
        self._show(netlist, answer)
        if self._work is None:
            work = partial(answers, session.level, playback.seed, self.bench.context.aside)
            self._work = Background(work, "why")
        self._work.submit(self._asked)

    def update(self) -> None:
        """Take what has been found; ask again where the machine is another one now."""
        bench, asked = self.bench, self._asked
        found = self._work.poll() if self._work else []
        if bench.why is None or asked is None:
            return
        design = bench.session.design
        if asked.design is not design:
            if not bench.session.shows_design:
                return
            same = len(asked.design.wires) == len(design.wires) or isinstance(asked.item, str)
            if same and bench.session.playback.simulation is not None:
                self.ask(asked.item)
            else:
                bench.why = None
            return
        netlist = bench.session.playback.netlist
        for answer in found:
            if answer.question is asked and netlist is not None:
                self._show(netlist, answer)

    def wait(self, seconds: float) -> None:
        """Wait for the answers. For tests and pictures."""
        if self._work is not None:
            self._work.wait(seconds)
        self.update()

    def close(self) -> None:
        """End the thread."""
        if self._work is not None:
            self._work.close()

    def _show(self, netlist: Netlist, answer: Answer) -> None:
        self.bench.why = why_card(netlist, answer, self._matching(answer))

    def _matching(self, answer: Answer) -> str:
        """What the button says that brings all wires in step; empty where it would do nothing."""
        bench, kind = self.bench, answer.cause.kind
        if kind not in ("pad", "core", "wire", "stopped") or not has_tool(bench, "match"):
            return ""
        insight, wires = bench.session.insight, bench.session.design.wires
        if insight.design is not bench.session.design:
            return ""
        off = [w for w, ticks in insight.detents.items() if w not in insight.marks and wires[w].every_ticks != ticks]
        if not off:
            return ""
        if kind in ("pad", "core") and answer.cause.every_ticks:
            return f"Match all to {100 / answer.cause.every_ticks:.2g}"
        return "Match all" if kind == "wire" else ""


def why_card(netlist: Netlist, answer: Answer, matching: str = "") -> tuple[WhyModel, Chain]:
    """The card of an answer, and what to light up: beads on what its lines name, and the whole way in between."""
    cause, item = answer.cause, answer.question.item
    steps = fold(cause.chain)
    items = [_item(netlist, step.element) for step in steps]
    last = len(steps) - 1
    rows = tuple(
        (
            "ROOT" if i == last and not cause.ring else str(i + 1),
            sentence(netlist, step.message),
            items[i],
        )
        for i, step in enumerate(steps)
    )
    if isinstance(item, int):
        wire = netlist.wires[item]
        name = f"{_element(netlist, wire.source)} → {_element(netlist, wire.target)}"
    else:
        name = item
    title = f"Why does {name} wait?" if len(steps) > 1 else name
    if answer.share < 0.995:
        title += f" ({answer.share:.0%} of the time)"
    buffer = f"{answer.cure[:1].upper()}{answer.cure[1:]}." if answer.cure else ""
    # What is lacking for full pace is not what is lacking for any: where a buffer is known to do, that alone is told.
    meaning = (
        f"→ {buffer}" if answer.wires else f"→ {sentence(netlist, cause.meaning or cause.reason)} {buffer}".rstrip()
    )
    if cause.ring:
        meaning = f"{sentence(netlist, 'they wait for each other' if len(cause.chain) > 2 else cause.reason)} {meaning}"
    buttons: list[tuple[str, tuple[str | int, ...]]] = [("Show the wire", ("show", wire)) for wire in answer.wires[:1]]
    if matching:
        buttons.append((matching, ("match-all",)))
    if answer.began is not None:
        began = f"{answer.began / 100:.{1 if answer.began % 10 == 0 else 2}f} ns"
        buttons.append((f"Show when it began: {began}", ("seek-to", answer.began)))
    model = WhyModel(title, rows, meaning, tuple(buttons))
    return model, Chain(tuple(i for i in items if i is not None), _way(netlist, cause.chain, item))


def _way(netlist: Netlist, chain: list[WaitStep], item: Item) -> tuple[Item, ...]:
    names = [name for step in chain for name in (step.element, step.wire) if name]
    return tuple(dict.fromkeys([item, *(i for i in (_item(netlist, name) for name in names) if i is not None)]))


def _element(netlist: Netlist, node: int) -> str:
    return netlist.elements[netlist.nodes[node].element].id


def _item(netlist: Netlist, name: str) -> Item | None:
    """The element that a step of a chain names."""
    for i, wire in enumerate(netlist.wires):
        if wire.id == name:
            return i
    for i, node in enumerate(netlist.nodes):
        if node.id == name:
            return _element(netlist, i)
    return None
