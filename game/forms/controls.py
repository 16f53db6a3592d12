"""Sliders, switches, menus, buttons and what scrolls: pygame_gui's, at our sizes and under our names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pygame
from pygame_gui import UI_HORIZONTAL_SLIDER_MOVED
from pygame_gui.elements import UIButton, UIDropDownMenu, UIHorizontalSlider, UIScrollingContainer

from game.forms.entry import kind

if TYPE_CHECKING:
    from game.forms.desk import Desk


class Button(UIButton):
    """A button with words; ``on`` while it waits for something."""

    def __init__(
        self, desk: Desk, name: str, rect: pygame.Rect, words: str, within: Any = None, look: str = "@small"
    ) -> None:
        self.name = name
        super().__init__(rect, words, desk, within, object_id=kind(look))

    @property
    def on(self) -> bool:
        return bool(self.is_selected)

    @on.setter
    def on(self, on: bool) -> None:
        if on != self.is_selected:
            (self.select if on else self.unselect)()


class Switch(UIButton):
    """On or off: a knob at the right or the left, full or hollow."""

    def __init__(self, desk: Desk, name: str, rect: pygame.Rect, on: bool, within: Any = None) -> None:
        self.name = name
        super().__init__(rect, "", desk, within, object_id=kind("@off"))
        self.turn(on)

    def turn(self, on: bool) -> None:
        """Show it on or off."""
        self.change_object_id(kind("@on" if on else "@off"))
        self.set_text("●" if on else "○")


class Slider(UIHorizontalSlider):
    """A whole number from ``low`` to ``high`` in steps, with a button for a step at each end.

    ``value`` follows the handle step by step; a press beside the handle brings it there.
    """

    def __init__(
        self,
        desk: Desk,
        name: str,
        rect: pygame.Rect,
        value: int,
        steps: tuple[int, int, int],
        within: Any = None,
    ) -> None:
        self.name = name
        low, high, self.step = steps
        super().__init__(rect, value, (low, high), desk, within, click_increment=self.step)

    @property
    def value(self) -> int:
        return int(self.current_value)

    @property
    def held(self) -> bool:
        """Whether the handle is in the hand: the value may change again at once."""
        return self.sliding_button is not None and bool(self.sliding_button.held)

    def rebuild(self) -> None:
        self.default_button_width = self.relative_rect.height
        self.left_arrow_text, self.right_arrow_text = "−", "+"
        super().rebuild()

    def set_current_value(self, value: float, warn: bool = True) -> None:
        low, high = self.value_range
        super().set_current_value(min(max(round((value - low) / self.step) * self.step + low, low), high), warn)
        self._mark_ends()

    def _mark_ends(self) -> None:
        low, high = self.value_range
        for button, more in ((self.left_button, self.value > low), (self.right_button, self.value < high)):
            if button is not None and more != button.is_enabled:
                (button.enable if more else button.disable)()

    def _update_data_and_fire_events_when_moved(self) -> None:
        low, high = self.value_range
        share = self.scroll_position / max(self.scrollable_width, 1)
        value = round(share * (high - low) / self.step) * self.step + low
        if value != self.current_value:  # the handle stays in the hand, between two steps
            self.current_value = value
            self._mark_ends()
            pygame.event.post(pygame.event.Event(UI_HORIZONTAL_SLIDER_MOVED, ui_element=self, value=value))

    def _at(self, place: int) -> None:
        self.scroll_position = place
        self.sliding_button.set_relative_position((place + self.arrow_button_width, 0))

    def update(self, time_delta: float) -> None:
        held = self.grabbed_slider
        super().update(time_delta)
        if held and not self.grabbed_slider:
            self.set_current_value(self.current_value)

    def process_event(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.is_enabled:
            if self.hover_point(*event.pos):
                middle = event.pos[0] - self.rect.left - self.arrow_button_width - self.sliding_button_width // 2
                self._at(min(max(middle, 0), self.right_limit_position))
                self._update_data_and_fire_events_when_moved()
                return bool(self.sliding_button.process_event(event))
            return False
        return bool(super().process_event(event))


class Menu(UIDropDownMenu):
    """One of several words."""

    def __init__(
        self, desk: Desk, name: str, rect: pygame.Rect, words: list[str], chosen: str, within: Any = None
    ) -> None:
        self.name = name
        super().__init__(words, chosen, rect, desk, within)

    def shut(self) -> bool:
        """Shut the list of words; whether it was open."""
        if self.current_state is not self.menu_states["expanded"]:
            return False
        self.current_state.should_transition = True
        self.update(0.0)
        return True


class Scroller(UIScrollingContainer):
    """A column that is taller than its view. ``offset``: pixels that are out of sight above."""

    def __init__(self, desk: Desk, rect: pygame.Rect, height: int) -> None:
        self.bar = desk.theme.px(12)
        super().__init__(rect, desk, allow_scroll_x=False)
        self.set_scrollable_area_dimensions((rect.width, height))
        if self.vert_scroll_bar is not None:
            self.vert_scroll_bar.scroll_wheel_speed = desk.theme.px(48)

    @property
    def offset(self) -> int:
        return -int(self.scrollable_container.relative_rect.top)

    def scroll_to(self, offset: int) -> None:
        """Show the column from ``offset`` on, at once, as far as there is something."""
        bar, height = self.vert_scroll_bar, self.scrollable_container.rect.height
        if bar is not None and self.vert_scroll_bar_active:
            bar.set_scroll_from_start_percentage(offset / height)
            self.update(0.0)

    def _check_scroll_bars(self) -> tuple[bool, bool]:
        across, down = super()._check_scroll_bars()
        self.scroll_bar_width = self.bar if down else 0
        return across, down
