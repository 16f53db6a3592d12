"""Y on the workbench: at once for this moment, then for most of the time, with buttons that do what they say."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from engine.match import match
from engine.model import Design
from game.pictures import house
from game.screens.workbench import Workbench
from tests.game.player import Player

CORPUS = Path(__file__).parent.parent / "corpus" / "waits"
JAM = "first-light-06-the-jam"


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    made = Player(tmp_path)
    yield made
    made.close()


def jammed(player: Player, now_ns: float = 200) -> Workbench:
    player.app.show("workbench", JAM, house(JAM, "naive")[1])
    player.frames(2)
    bench = player.bench
    player.settle()
    bench.session.playback.playing = bench.session.wants_to_play = False
    bench.session.playback.seek(round(now_ns * 100))
    player.frames()
    return bench


def ask(player: Player, wire: int) -> None:
    player.move(player.on_wire(wire))
    player.key("y")


def test_the_answer_is_there_within_a_frame_and_grows(player: Player) -> None:
    bench = jammed(player)
    ask(player, 0)
    assert bench.why is not None
    card, chain = bench.why
    assert [row[0] for row in card.steps] == ["1", "2", "3", "ROOT"]
    assert card.steps[0][1] == "a → three: its first word cannot enter three."
    assert card.steps[-1][1] == "eighth takes a word every 12 ns."
    assert card.meaning == "→ Nothing before this point can be faster than 0.083 words per ns."
    bench.reasons.wait(20)
    card, chain = bench.why
    assert card.title.endswith("% of the time)")
    assert [words for words, _ in card.buttons] == ["Match all to 0.083", "Show when it began: 19.0 ns"]
    assert chain.items == (0, "three", "five", "eighth")
    assert chain.way == (0, "three", 1, "five", 2, "eighth")


def test_show_when_it_began_goes_to_that_moment(player: Player) -> None:
    bench = jammed(player)
    ask(player, 0)
    bench.reasons.wait(20)
    player.frames()
    player.click(player.zone("why.button.1"))
    assert bench.session.playback.tick == 1900
    assert not bench.session.playback.playing
    assert bench.why is not None


def test_match_all_does_so_and_the_card_follows(player: Player) -> None:
    bench = jammed(player)
    ask(player, 0)
    bench.reasons.wait(20)
    player.frames()
    player.click(player.zone("why.button.0"))
    assert bench.session.design.wires == match(bench.level, house(JAM, "naive")[1])[0].wires
    player.settle()
    bench.reasons.wait(20)
    player.frames()
    assert bench.why is not None
    assert not any(words.startswith("Match") for words, _ in bench.why[0].buttons)


def test_a_line_is_a_link_and_the_card_closes(player: Player) -> None:
    bench = jammed(player)
    ask(player, 0)
    player.frames()
    player.click(player.zone("why.3"))
    assert bench.tools.selection == {"eighth"}
    player.click(player.zone("why.close"))
    assert bench.why is None
    bench.reasons.wait(20)
    assert bench.why is None


def test_a_wire_that_is_gone_is_no_longer_asked_about(player: Player) -> None:
    bench = jammed(player)
    ask(player, 0)
    bench.tools.selection = {0}
    player.key("delete")
    player.frames(2)
    assert bench.why is None


def test_a_machine_that_stands_still_tells_what_would_break_it(tmp_path: Path) -> None:
    """A level of the player's own, in which all words are compared with the greatest of them."""
    document = yaml.safe_load((CORPUS / "roads-greatest.yaml").read_text(encoding="utf-8"))
    name = "mine-01-greatest"
    folder = tmp_path / "levels" / "7-mine"
    folder.mkdir(parents=True)
    level = document["level"] | {"id": name, "chapter": "mine", "title": "Greatest", "brief": "Compare."}
    path = folder / "01-greatest.yaml"
    path.write_text(yaml.safe_dump(level), encoding="utf-8")
    player = Player(tmp_path)
    player.app.show("workbench", str(path), Design.model_validate(document["design"] | {"level": name}))
    player.frames(2)
    bench = player.bench
    player.settle()
    bench.session.playback.to_halt()
    player.frames()
    road = next(w for w, wire in enumerate(bench.session.design.wires) if wire.to == ["j.a"])
    bench.tools.selection = {road}
    player.key("y")
    bench.reasons.wait(20)
    assert bench.why is not None, (bench.toast, bench.session.problems, bench.tools.subjects())
    card, chain = bench.why
    assert "They wait for each other." in card.meaning
    assert card.meaning.endswith("A buffer of 4 on a.value → j.a would break it.")
    assert card.buttons[0] == ("Show the wire", ("show", road))
    assert chain.items[-1] == road
    player.frames()
    player.click(player.zone("why.button.0"))
    assert bench.tools.selection == {road}
    player.close()
