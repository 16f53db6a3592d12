"""The screens around the workbench, by posted events: where they lead, how they fit, and that nothing fells them."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pygame
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from engine.model import Hazard
from game.app import App, theme_of
from game.pictures import STAGES, house, launched, make
from game.screens.campaign import Campaign
from game.screens.page import Page
from game.screens.registry import SCREENS
from game.screens.result import Result
from game.screens.settings import Settings
from game.screens.title import Title
from game.screens.workbench import Workbench

ROOT = Path(__file__).resolve().parents[2]
FRAME = 1 / 60
TWO_ROADS = "first-light-05-two-roads"


class Guest:
    """Presses zones by name, at the place where they are shown."""

    def __init__(self, data: Path, size: tuple[int, int] = (1280, 720), **settings: Any) -> None:
        self.app = App(SCREENS, data=data, size=size)
        for key, value in settings.items():
            self.app.progress.put_setting(key, value)
        self.app.context.theme = theme_of(self.app.progress)

    @property
    def page(self) -> Page:
        assert isinstance(self.app.screen, Page)
        return self.app.screen

    def frame(self, count: int = 1) -> None:
        for _ in range(count):
            self.app.frame(FRAME)

    def show(self, name: str, *arguments: object) -> Page:
        self.app.show(name, *arguments)
        self.frame()
        return self.page

    def click(self, name: str) -> None:
        zone = self.page.zone(name)
        assert zone is not None, f"there is no {name}: {[z.name for z in self.page.zones]}"
        assert zone.rect.height > 0, f"{name} is out of sight"
        place = {"pos": zone.rect.center, "button": 1}
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, place))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, place))
        self.frame(2)

    def key(self, key: int, mod: int = 0) -> None:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=""))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, mod=mod))
        self.frame(2)


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    made = Guest(tmp_path)
    yield made
    made.app.close()


def launch_of(guest: Guest, level: str, *roles: str) -> Result:
    """Launch these designs, and show the result of the last one, all that is made in the background included."""
    last = [launched(guest.app, level, role) for role in roles][-1]
    page = guest.show("result", last)
    assert isinstance(page, Result)
    assert page.wait(60)
    guest.frame()
    return page


# --- where the screens lead ------------------------------------------------------------------------------------


def test_from_the_title_to_a_level_and_back_by_mouse(guest: Guest) -> None:
    guest.show("title")
    guest.click("campaign")
    assert isinstance(guest.app.screen, Campaign)
    guest.click("level first-light-02-in-step")
    guest.click("play")
    assert isinstance(guest.app.screen, Workbench)
    assert guest.app.screen.level.id == "first-light-02-in-step"
    guest.key(pygame.K_ESCAPE)
    while isinstance(guest.app.screen, Workbench):
        guest.key(pygame.K_ESCAPE)
    assert isinstance(guest.app.screen, Campaign)
    guest.click("back")
    assert isinstance(guest.app.screen, Title)


def test_from_the_title_to_a_level_by_keys_alone(guest: Guest) -> None:
    guest.show("title")
    guest.key(pygame.K_DOWN)
    guest.key(pygame.K_DOWN)
    guest.key(pygame.K_RETURN)
    assert isinstance(guest.app.screen, Campaign)
    guest.key(pygame.K_RIGHT)
    guest.key(pygame.K_RIGHT)
    guest.key(pygame.K_RETURN)
    assert isinstance(guest.app.screen, Workbench)
    assert guest.app.screen.level.id == "first-light-02-in-step"


def test_a_closed_level_cannot_be_played_until_its_door_is_open(guest: Guest) -> None:
    guest.show("campaign")
    guest.click("level first-light-06-the-jam")
    assert guest.page.zone("play") is None
    guest.click("level first-light-06-the-jam")
    assert isinstance(guest.app.screen, Campaign)
    guest.app.progress.put_setting("open_all", True)
    guest.app.screen.enter()
    guest.frame()
    guest.click("play")
    assert isinstance(guest.app.screen, Workbench)


def test_continue_leads_to_the_level_that_was_played_last(guest: Guest) -> None:
    guest.show("title")
    guest.click("continue")
    assert isinstance(guest.app.screen, Workbench)
    assert guest.app.screen.level.id == "first-light-01-ignition"
    launched(guest.app, "first-light-01-ignition", "best")
    guest.show("title")
    guest.app.progress.put_setting("last_level", "first-light-03-side-by-side")
    guest.show("title")
    guest.click("continue")
    assert isinstance(guest.app.screen, Workbench)
    assert guest.app.screen.level.id == "first-light-03-side-by-side"


def test_the_sandbox_has_all_parts_and_is_no_level_of_the_campaign(guest: Guest) -> None:
    from levels.lookup import campaign

    guest.show("title")
    guest.click("sandbox")
    assert isinstance(guest.app.screen, Workbench)
    level = guest.app.screen.level
    assert level.parts is None and level.board.size[0] * level.board.size[1] >= 2000
    assert level.id not in {entry.id for entry in campaign()}


def test_next_leads_on_and_leaves_the_campaign_below(guest: Guest) -> None:
    guest.show("title")
    guest.app.show("campaign")
    guest.app.show("workbench", "first-light-01-ignition")
    page = launch_of(guest, "first-light-01-ignition", "best")
    assert page.next_level == "first-light-02-in-step"
    guest.click("next")
    assert isinstance(guest.app.screen, Workbench)
    assert guest.app.screen.level.id == "first-light-02-in-step"
    assert guest.app.depth == 3
    while isinstance(guest.app.screen, Workbench):
        guest.key(pygame.K_ESCAPE)
    assert isinstance(guest.app.screen, Campaign)


def test_from_the_result_to_the_campaign_that_lies_below(guest: Guest) -> None:
    for below in ((), ("campaign",)):
        guest.show("title")
        for name in below:
            guest.app.show(name)
        guest.app.show("workbench", "first-light-01-ignition")
        launch_of(guest, "first-light-01-ignition", "best")
        guest.click("campaign")
        assert isinstance(guest.app.screen, Campaign)
        guest.click("back")
        assert isinstance(guest.app.screen, Title)


def test_show_me_selects_the_place_on_the_workbench(guest: Guest) -> None:
    level = "first-light-01-ignition"
    guest.app.show("workbench", level, house(level, "naive")[1])
    page = launch_of(guest, level, "naive")
    assert page.account.items
    item = page.account.items[0]
    guest.click("show 0")
    assert isinstance(guest.app.screen, Workbench)
    assert guest.app.screen.tools.selection == {item.element if item.wire is None else item.wire}
    assert guest.app.context.look_at is None


def test_a_failure_is_told_with_its_place(guest: Guest) -> None:
    guest.show("title")
    page = launch_of(guest, TWO_ROADS, "wrong-sign")
    words = " ".join(w.words for w in page.written)
    fault = page.launch.report.fault
    assert fault is not None and fault.expected is not None and fault.got is not None
    assert "Expected" in words and f"{fault.expected:g}" in words and f"{fault.got:g}".replace("-", "−") in words
    assert page.account.ending is not None
    guest.click("show")
    assert guest.app.context.look_at == fault.core


def test_a_standstill_is_told_as_a_chain(guest: Guest) -> None:
    page = launch_of(guest, "first-light-08-spring-cleaning", "wrong-stopped")
    deadlock = page.launch.report.deadlock
    assert deadlock is not None
    words = " ".join(w.words for w in page.written)
    assert all(step.message in words for step in deadlock.chain)
    assert isinstance(page._failed.place, int)  # the wire that is stopped, by its number
    assert "No buffer breaks it: the wire is stopped." in words


def test_levels_in_the_data_folder_are_chapters_of_their_own(tmp_path: Path) -> None:
    from levels.lookup import find_level

    folder = tmp_path / "levels" / "7-mine"
    folder.mkdir(parents=True)
    text = find_level("first-light-01-ignition").read_text()
    text = text.replace("id: first-light-01-ignition", "id: mine-01-ignition").replace(
        "chapter: first-light", "chapter: mine"
    )
    (folder / "01-ignition.yaml").write_text(text.split("reference:")[0])
    guest = Guest(tmp_path, (1280, 2000))
    guest.show("campaign")
    guest.click("level mine-01-ignition")
    guest.click("play")
    assert isinstance(guest.app.screen, Workbench)
    assert guest.app.screen.level.id == "mine-01-ignition"
    guest.app.close()


def test_quit_ends_the_game(guest: Guest) -> None:
    guest.show("title")
    guest.click("quit")
    assert not guest.app.running


# --- the launch ------------------------------------------------------------------------------------------------


def test_the_launch_can_be_skipped_and_is_still_with_reduced_motion(tmp_path: Path) -> None:
    guest = Guest(tmp_path)
    page = launch_of(guest, TWO_ROADS, "naive", "best")
    assert page.flight.model(page._now).rockets
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F5, mod=0, unicode=""))
    guest.frame()
    assert not page.flight.model(page._now).rockets
    assert page.flight.crossed(page._now) == 3
    guest.app.close()
    calm = Guest(tmp_path / "calm", reduced_motion=True)
    page = launch_of(calm, TWO_ROADS, "best")
    assert not page.flight.model(page._now).rockets
    before = pygame.image.tobytes(calm.app.window, "RGB")
    calm.frame(30)
    assert pygame.image.tobytes(calm.app.window, "RGB") == before
    calm.app.close()


def test_enter_that_is_still_held_skips_and_does_not_leave(guest: Guest) -> None:
    guest.show("title")
    page = launch_of(guest, "first-light-01-ignition", "best")
    for _ in range(30):  # the key repeats, and does not go up
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode=""))
        guest.frame()
    assert guest.app.screen is page
    assert not page.flight.model(page._now).rockets
    guest.frame(60)
    assert guest.app.screen is page
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.K_RETURN, mod=0))
    guest.key(pygame.K_RETURN)
    assert isinstance(guest.app.screen, Workbench)


def test_every_rocket_flies_as_high_as_its_own_launch_is_lean(guest: Guest) -> None:
    page = launch_of(guest, TWO_ROADS, "best")
    flight, report = page.flight, page.launch.report
    assert report.metrics
    assert len(flight.rockets) >= 12
    late = flight.rockets[len(flight.rockets) // 2 :]
    mean = len(late) / sum(1 / e for e in late)
    assert mean == pytest.approx(report.metrics.efficiency_launches_per_nj, rel=0.05)
    heights = [flight.altitude(e) for e in sorted(flight.rockets)]
    assert heights == sorted(heights)
    assert flight.landed(flight.seconds) == [flight.altitude(e) for e in flight.rockets]


def test_a_launch_is_recorded_once_with_its_cards(guest: Guest) -> None:
    from game.discoveries import CARDS

    level = "first-light-01-ignition"
    first = launched(guest.app, level, "naive")
    assert first.solved and not first.runs
    second = launched(guest.app, level, "best")
    assert not second.solved and len(second.runs) == 1
    assert second.best_before == first.report.metrics.efficiency_launches_per_nj  # type: ignore[union-attr]
    assert second.cards and {c.id for c in second.cards} <= {card.id for card, _ in CARDS}
    assert not {c.id for c in launched(guest.app, level, "best").cards}
    assert len(guest.app.progress.runs(level)) == 3


def test_a_level_without_medals_references_and_crowd_has_a_result(guest: Guest) -> None:
    from engine.simulation import simulate
    from game.shell.launching import launch

    level, design = house("first-light-01-ignition", "best")
    bare = {"id": "mine-01-x", "medals": None, "reference": None, "field_note": "", "levers": {}, "wrong": {}}
    level = level.model_copy(update=bare)
    design = design.model_copy(update={"level": level.id})
    launched = launch(guest.app.progress, level, design, simulate(level, design))
    page = guest.show("result", launched)
    assert isinstance(page, Result) and page.wait(60)
    guest.frame(2)
    words = " ".join(w.words for w in page.written)
    assert "Solved" in words and "no machines were made here to compare with" in words
    assert page.flight.crossed(page._now) == 0


def test_a_machine_that_works_by_luck_is_told_so(guest: Guest) -> None:
    page = launch_of(guest, "first-light-01-ignition", "best")
    assert page.account.hazard is None
    hazard = Hazard(
        message="with delays varied (seed 2): out takes a word of another launch. At out.value wires meet.",
        seed=2,
        reason="out takes a word of another launch.",
        kind="fan-in",
        place="out",
        time_ns=3.0,
    )
    page.account = replace(page.account, hazard=hazard)
    guest.frame()
    assert "seed 2" in " ".join(w.words for w in page.written)


# --- settings --------------------------------------------------------------------------------------------------


def test_settings_count_at_once(guest: Guest) -> None:
    guest.show("settings")
    guest.click("more ui_scale")
    assert guest.app.context.theme.scale == 1.25
    guest.click("turn reduced_motion")
    assert guest.app.context.theme.reduced_motion
    guest.click("less volume_machine")
    assert guest.app.context.sounds.volumes["machine"] == pytest.approx(0.4)
    for _ in range(12):
        guest.page.press("more ui_scale")  # does nothing once it is not offered any more
        guest.frame(2)
    assert guest.app.progress.setting("ui_scale") == 300
    assert guest.app.context.theme.scale == 2.0
    assert "200 %" in " ".join(w.words for w in guest.page.written)  # the window allows no more, and is said to
    assert guest.page.zone("less ui_scale") is not None  # and there is a way back


def test_a_key_is_bound_and_one_that_is_taken_is_refused(guest: Guest) -> None:
    from game.keys import Bindings
    from game.screens.shown import bindings_of

    page = guest.show("settings")
    assert isinstance(page, Settings)
    page.press("bind why")
    guest.key(pygame.K_j)
    bindings = Bindings(bindings_of(guest.app.progress.setting("keys")))
    assert bindings.meaning(pygame.K_j, ctrl=False, shift=False) == "why"
    page.press("bind match")
    guest.key(pygame.K_j)
    assert "already means" in page._said
    assert guest.app.progress.setting("keys") == {"why": ["j"]}
    page.press("defaults")
    guest.frame()
    assert {zone.name for zone in page.zones} == {"yes", "no"}
    guest.click("no")
    assert guest.app.progress.setting("keys") == {"why": ["j"]}
    page.press("defaults")
    guest.key(pygame.K_ESCAPE)  # back by one level: the question
    assert guest.app.screen is page and guest.app.progress.setting("keys") == {"why": ["j"]}
    page.press("defaults")
    guest.frame()
    guest.click("yes")
    assert guest.app.progress.setting("keys") == {}


def test_a_slider_is_dragged_within_one_frame(guest: Guest) -> None:
    page = guest.show("settings")
    assert isinstance(page, Settings) and page.desk is not None
    for key, sizes in (("volume_interface", False), ("ui_scale", True)):
        slider = page.desk.element(f"slide {key}")
        handle, end = slider.sliding_button.rect.center, slider.right_button.rect.midleft
        before = page.value(key)
        drag = [(pygame.MOUSEBUTTONDOWN, handle), (pygame.MOUSEMOTION, end)]
        for kind, place in drag:
            pygame.event.post(pygame.event.Event(kind, pos=place, button=1, rel=(0, 0), buttons=(1, 0, 0), touch=False))
        guest.frame()
        # A size counts when the handle is let go: the handle would move away under the mouse.
        assert page.value(key) == (before if sizes else slider.value_range[1])
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=end, button=1))
        guest.frame(2)
        assert page.value(key) == slider.value_range[1]


def test_a_list_opens_and_its_words_are_chosen(guest: Guest) -> None:
    guest.show("title")
    page = guest.show("settings")
    assert isinstance(page, Settings) and page.desk is not None
    guest.click("choose frame_rate")
    words = page.desk.element("choose frame_rate").current_state.options_selection_list
    place = next(item["button_element"].rect.center for item in words.item_list if item["text"] == "90")
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        pygame.event.post(pygame.event.Event(kind, pos=place, button=1))
    guest.frame(2)
    assert guest.app.progress.setting("frame_rate") == 90
    guest.click("choose frame_rate")
    guest.key(pygame.K_ESCAPE)
    assert guest.app.screen is page  # the list is shut, no more
    guest.key(pygame.K_ESCAPE)
    assert isinstance(guest.app.screen, Title)


def test_settings_by_keys_alone(guest: Guest) -> None:
    page = guest.show("settings")
    for _ in range(60):
        guest.key(pygame.K_TAB)
        if page.focus == "turn trackpad":
            break
    guest.key(pygame.K_SPACE)
    assert guest.app.progress.setting("trackpad") is True
    for _ in range(6):
        guest.key(pygame.K_TAB)
    zone = page.zone(page.focus or "")
    assert zone is not None and zone.rect.height > 0  # the column follows the focus
    before = page.offset
    guest.key(pygame.K_PAGEDOWN)
    assert page.offset > before


def test_the_column_follows_every_notch_of_the_wheel(guest: Guest) -> None:
    page = guest.show("settings")
    pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=(300, 500), rel=(0, 0), buttons=(0, 0, 0)))
    for _ in range(3):
        pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-1, flipped=False))
    guest.frame(60)
    far = page.offset
    assert far > 0
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-1, flipped=False))
    guest.frame(60)
    assert page.offset - far == pytest.approx(far / 3, abs=3)


def test_every_key_has_a_meaning_in_words() -> None:
    from game.keys import DEFAULTS
    from game.shell.keys_said import MEANINGS

    assert set(MEANINGS) == set(DEFAULTS)


def test_settings_of_any_kind_in_the_file_are_survived(guest: Guest) -> None:
    for key in ("ui_scale", "frame_rate", "volume_machine", "keys", "last_level", "open_all"):
        for value in (None, "x", [1], {"why": 3}, -(10**9), True):
            guest.app.progress.put_setting(key, value)
            for name in ("title", "campaign", "settings"):
                guest.show(name)


# --- how the screens fit ---------------------------------------------------------------------------------------


def overlapping(page: Page) -> list[tuple[str, str]]:
    """Texts that lie over each other, by more than a line's spare room."""
    found = []
    for a, b in combinations(page.written, 2):
        shared = a.rect.clip(b.rect)
        if shared.width > 2 and shared.height > min(a.rect.height, b.rect.height) // 3:
            found.append((a.words, b.words))
    return found


@pytest.mark.parametrize("scale", [100, 200])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (3840, 2160)])
def test_every_text_fits_at_every_size(tmp_path: Path, size: tuple[int, int], scale: int) -> None:
    guest = Guest(tmp_path, size, ui_scale=scale)
    for name, stage in STAGES.items():
        if name in ("workbench", "probes"):
            continue
        stage(guest.app)
        guest.frame(2)
        page = guest.page
        while True:
            for written in page.written:
                assert "…" not in written.words, (name, written)
                assert written.bounds.contains(written.rect), (name, written)
            assert overlapping(page) == [], name
            before = page.offset
            page.scroll(page._scrolled.height // 2)
            guest.frame()
            if page.offset == before:
                break
    guest.app.close()


# --- nonsense --------------------------------------------------------------------------------------------------


def nonsense(rng: random.Random, size: tuple[int, int]) -> pygame.event.Event:
    place = (rng.randrange(-50, size[0] + 50), rng.randrange(-50, size[1] + 50))
    keys = (
        pygame.K_TAB,
        pygame.K_RETURN,
        pygame.K_SPACE,
        pygame.K_UP,
        pygame.K_DOWN,
        pygame.K_LEFT,
        pygame.K_RIGHT,
        pygame.K_PAGEDOWN,
        pygame.K_PAGEUP,
        pygame.K_a,
        pygame.K_LSHIFT,
        pygame.K_F5,
        0,
    )
    match rng.randrange(7):
        case 0:
            return pygame.event.Event(pygame.MOUSEMOTION, pos=place, rel=(1, 1), buttons=(0, 0, 0))
        case 1:
            return pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=place, button=rng.randrange(1, 6))
        case 2:
            return pygame.event.Event(pygame.MOUSEBUTTONUP, pos=place, button=rng.randrange(1, 6))
        case 3:
            return pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=rng.randrange(-30, 31), flipped=False)
        case 4:
            return pygame.event.Event(
                pygame.KEYDOWN, key=rng.choice(keys), mod=rng.choice((0, pygame.KMOD_SHIFT)), unicode=""
            )
        case 5:
            return pygame.event.Event(pygame.WINDOWFOCUSLOST)
        case _:
            w, h = rng.choice(((1, 1), (640, 360), (1280, 720), (300, 900), (1000, 200)))
            return pygame.event.Event(pygame.VIDEORESIZE, w=w, h=h, size=(w, h))


@pytest.mark.parametrize("name", ["title", "campaign", "result", "failure", "settings"])
def test_nonsense_never_raises(tmp_path: Path, name: str) -> None:
    guest = Guest(tmp_path)
    STAGES[name](guest.app)
    guest.frame()
    page, rng = guest.page, random.Random(name)
    for n in range(400):
        pygame.event.post(nonsense(rng, guest.app.context.size))
        if n % 4 == 0:
            for event in pygame.event.get():
                guest.app.dispatch(event)
            guest.app.context.go = [r for r in guest.app.context.go if r == ("theme",)]  # stay here
            guest.app.frame(rng.choice((0.0, FRAME, 3.0)))
            assert guest.app.screen is page
    guest.app.close()


# --- start and pictures ----------------------------------------------------------------------------------------


def test_the_first_frame_waits_for_nothing_heavy() -> None:
    code = (
        "import sys, tempfile, pathlib\n"
        "from game.app import App\n"
        "from game.screens.registry import SCREENS\n"
        "app = App(SCREENS, data=pathlib.Path(tempfile.mkdtemp()))\n"
        "app.show('title'); app.frame(0.016)\n"
        "print('loaded', *[m for m in ('numba', 'networkx', 'ruamel', 'PIL', 'typer', 'engine.kernel', 'engine.plain',"
        " 'game.screens.workbench') if m in sys.modules])\n"
        "app.show('workbench', 'first-light-01-ignition'); app.frame(0.016)\n"
        "print('loaded', *[m for m in ('pygame_gui', 'i18n') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert [line for line in done.stdout.splitlines() if line.startswith("loaded")] == ["loaded", "loaded"]


def test_after_warming_up_nothing_is_left_to_compile() -> None:
    from engine import kernel
    from game.shell.warm import warm_up

    assert warm_up()
    assert kernel.advance.signatures and kernel.draw.signatures  # type: ignore[attr-defined]


def test_pictures_of_all_screens_are_small(tmp_path: Path) -> None:
    for path in make(tmp_path):
        assert path.read_bytes()[:4] == b"\x89PNG"
        assert 2_000 < path.stat().st_size < 120_000
    assert {p.stem for p in tmp_path.iterdir()} == set(STAGES)


def test_the_house_has_the_machines_of_the_pictures() -> None:
    level, design = house(TWO_ROADS, "best")
    assert design.level == level.id
