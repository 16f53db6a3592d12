"""Forms: a line is typed, selected, copied and pasted; tips are plain text; nothing is looked up in files."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import i18n
import pygame
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from game import clipboard
from game.forms.desk import Desk
from game.forms.entry import MAX_LENGTH, Entry
from game.theme import Theme

WINDOW = pygame.Rect(0, 0, 1280, 720)
PLACE = pygame.Rect(100, 100, 160, 28)


@pytest.fixture
def desk() -> Iterator[Desk]:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(WINDOW.size)
    yield Desk(WINDOW.size, Theme())
    pygame.display.quit()


def entry(desk: Desk, text: str = "") -> Entry:
    found = Entry(desk, "speed.0", text)
    found.put(PLACE, WINDOW)
    desk.update(0.02)
    return found


def press(desk: Desk, key: int, unicode: str = "", mod: int = 0) -> None:
    """A key as SDL tells of it: going down, then the text that it makes."""
    desk.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=unicode))
    if unicode and not mod & pygame.KMOD_CTRL:
        desk.handle(pygame.event.Event(pygame.TEXTINPUT, text=unicode))


def write(desk: Desk, text: str) -> None:
    for letter in text:
        press(desk, ord(letter), letter)


def mouse(desk: Desk, kind: int, x: int) -> None:
    desk.handle(pygame.event.Event(kind, pos=(x, PLACE.centery), button=1, rel=(0, 0), buttons=(1, 0, 0)))


def shown(field: Entry) -> str:
    """What the element has laid out for drawing."""
    return "".join(chunk.text for row in field.drawable_shape.text_box_layout.layout_rows for chunk in row.items)


def test_the_first_letter_replaces_all_and_every_letter_counts_once(desk: Desk) -> None:
    field = entry(desk, "12")
    write(desk, "7a")
    assert (field.text, shown(field)) == ("7a", "7a")
    press(desk, pygame.K_HOME)
    press(desk, pygame.K_RIGHT)
    press(desk, pygame.K_DELETE)
    write(desk, "é")
    press(desk, pygame.K_BACKSPACE)
    assert field.text == "7"
    desk.handle(pygame.event.Event(pygame.TEXTINPUT, text="日"))  # an input method sends text without keys
    assert field.text == "7日"


def test_the_key_that_opens_a_field_is_not_typed_into_it(desk: Desk) -> None:
    opens = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_e, mod=0, unicode="e")
    field = entry(desk)
    desk.heard(opens)
    desk.handle(pygame.event.Event(pygame.TEXTINPUT, text="e"))
    write(desk, "ee")
    assert field.text == "ee"


def test_selection_and_clipboard(desk: Desk) -> None:
    field = entry(desk, "one two")
    press(desk, pygame.K_c, "\x03", pygame.KMOD_LCTRL)
    assert clipboard.get() == "one two"
    press(desk, pygame.K_END)
    press(desk, pygame.K_v, "\x16", pygame.KMOD_LCTRL)
    assert field.text == "one twoone two"
    for _ in range(3):
        press(desk, pygame.K_LEFT, mod=pygame.KMOD_LSHIFT)
    press(desk, pygame.K_x, "\x18", pygame.KMOD_LCTRL)
    assert (field.text, clipboard.get()) == ("one twoone ", "two")
    press(desk, pygame.K_a, "\x01", pygame.KMOD_LCTRL)
    clipboard.put("a\nb\x07c" + 300 * "x")
    press(desk, pygame.K_v, "\x16", pygame.KMOD_LCTRL)
    assert field.text == ("abc" + 300 * "x")[:MAX_LENGTH] == shown(field)


def test_a_drag_within_one_frame_selects_what_it_passed(desk: Desk) -> None:
    field = entry(desk, "0.25 tiles")
    mouse(desk, pygame.MOUSEBUTTONDOWN, PLACE.left + 2)
    mouse(desk, pygame.MOUSEMOTION, PLACE.left + 60)
    mouse(desk, pygame.MOUSEBUTTONUP, PLACE.right - 4)
    assert sorted(field.select_range) == [0, len(field.text)]
    mouse(desk, pygame.MOUSEBUTTONDOWN, PLACE.right - 4)
    mouse(desk, pygame.MOUSEBUTTONUP, PLACE.right - 4)
    write(desk, "!")
    assert field.text == "0.25 tiles!"


def test_what_cannot_be_taken_is_marked_until_it_changes(desk: Desk) -> None:
    field = entry(desk, "nonsense")
    field.refuse("write 0.25")
    assert field.wrong and sorted(field.select_range) == [0, 8]
    write(desk, "1")
    assert (field.text, field.wrong, shown(field)) == ("1", "", "1")


def test_any_keys_and_clicks_leave_what_is_shown_the_same_as_what_is_meant(desk: Desk) -> None:
    draw = random.Random(7)
    field = entry(desk, "start")
    surface = pygame.Surface(WINDOW.size)
    keys = [pygame.K_LEFT, pygame.K_RIGHT, pygame.K_HOME, pygame.K_END, pygame.K_BACKSPACE, pygame.K_DELETE]
    letters = [pygame.K_a, pygame.K_c, pygame.K_v, pygame.K_x]
    for _ in range(400):
        match draw.randrange(5):
            case 0:
                press(desk, draw.choice(keys), mod=draw.choice((0, pygame.KMOD_LSHIFT, pygame.KMOD_LCTRL)))
            case 1:
                press(desk, draw.choice(letters), "\x01", pygame.KMOD_LCTRL)
            case 2:
                mouse(desk, draw.choice((pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP)), draw.randrange(90, 270))
            case _:
                write(desk, draw.choice(("W", "0.5", "−1", "é日")))
        if not field.is_focused:
            desk.set_focus_set(field.get_focus_set())
        if draw.random() < 0.3:
            desk.update(0.02)
            desk.draw_ui(surface)
        assert shown(field) == field.text
        assert 0 <= field.edit_position <= len(field.text) <= MAX_LENGTH


def test_tips_are_plain_text_and_stay_on_the_screen(desk: Desk) -> None:
    for words, place in (("<b>a</b> & <img src='x'>", (1279, 719)), ("common.yes %{x} ../../x.y " * 20, (0, 0))):
        desk.tip(words, place)
        desk.update(0.02)
        tip = desk._tip
        assert tip is not None and WINDOW.contains(tip.rect)
        said = " ".join(c.text.strip() for row in tip.text_block.text_box_layout.layout_rows for c in row.items)
        assert said.split() == words.split()
    desk.tip("", (0, 0))
    assert desk._tip is None


def test_nothing_that_is_said_is_looked_up_in_files(desk: Desk) -> None:
    assert i18n.load_path == []
