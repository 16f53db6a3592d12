"""The theme that pygame_gui draws with: our colours, type and measures, at one UI scale."""

from __future__ import annotations

from importlib import resources
from typing import Any

from game.theme import (
    BOARD,
    EDGE,
    PANEL,
    PANEL_2,
    SKY,
    TEXT,
    TEXT_2,
    TEXT_3,
    VERMILLION_TEXT,
    YELLOW,
    Colour,
    Theme,
    mix,
)

LIT = mix(PANEL_2, EDGE, 0.55)
"""Under the mouse, as in :meth:`game.panels.kit.Canvas.button`."""

FACES = {
    "inter": "Inter-Regular.otf",
    "inter-medium": "Inter-Medium.otf",
    "inter-semibold": "Inter-SemiBold.otf",
    "mono": "JetBrainsMono-Regular.ttf",
}


def look(theme: Theme) -> dict[str, Any]:
    """pygame_gui's theme. Classes: ``@words`` and ``@value`` for entries, ``@wrong`` for what cannot be taken."""
    px = theme.px

    def font(face: str, size: float) -> dict[str, str]:
        path = str(resources.files("assets").joinpath("fonts", FACES[face]))
        return {"name": face, "size": str(theme.pixels(size)), "regular_path": path}

    def colours(**names: Colour) -> dict[str, str]:
        return {name: "#{:02X}{:02X}{:02X}".format(*colour) for name, colour in names.items()}

    quiet = colours(
        normal_bg=PANEL_2,
        hovered_bg=LIT,
        active_bg=LIT,
        selected_bg=LIT,
        disabled_bg=PANEL_2,
        dark_bg=PANEL_2,
        disabled_dark_bg=PANEL_2,
        normal_text=TEXT_2,
        hovered_text=TEXT,
        active_text=TEXT,
        selected_text=TEXT,
        disabled_text=mix(TEXT_3, PANEL, 0.4),
        normal_border=EDGE,
        hovered_border=EDGE,
        active_border=EDGE,
        selected_border=SKY,
        disabled_border=EDGE,
        text_cursor=SKY,
        link_text=SKY,
        link_hover=TEXT,
        link_selected=TEXT,
    )
    entry = colours(
        dark_bg=BOARD, normal_text=TEXT, normal_border=SKY, selected_bg=mix(SKY, BOARD, 0.6), selected_text=TEXT
    )

    def block(face: str = "inter-medium", size: float = 13, **more: Any) -> dict[str, Any]:
        """A flat block; ``colours`` and ``misc`` on top."""
        return {
            "font": font(face, size),
            "colours": more.get("colours", {}),
            "misc": {
                "shadow_width": "0",
                "border_width": "0",
                "shape": "rounded_rectangle",
                "shape_corner_radius": str(px(4)),
                **more.get("misc", {}),
            },
        }

    # pygame_gui hands no more than colours from its defaults down to the elements.
    line, pill = str(px(1)), {"shape_corner_radius": str(px(14))}
    knob = {"text_horiz_alignment_padding": str(px(5)), **pill}
    field = {"border_width": line, "padding": f"{px(6)},{px(1)}"}
    # Round corners are drawn at four times the size: too slow for windows, lists and tips.
    large = {"shape": "rectangle"}
    item = {**large, "text_horiz_alignment": "left", "text_horiz_alignment_padding": str(px(8))}
    handle = mix(SKY, PANEL_2, 0.35)
    return {
        "defaults": {"colours": quiet},
        "button": block(),
        "@small": block(size=12),
        "@key": block("mono", 12),
        "@main": block(
            colours=colours(
                normal_bg=YELLOW,
                hovered_bg=mix(YELLOW, (255, 255, 255), 0.25),
                active_bg=YELLOW,
                normal_text=BOARD,
                hovered_text=BOARD,
                active_text=BOARD,
            )
        ),
        "@on": block(
            size=15,
            colours=colours(
                normal_bg=handle, hovered_bg=SKY, active_bg=SKY, normal_text=TEXT, hovered_text=TEXT, active_text=TEXT
            ),
            misc={**knob, "text_horiz_alignment": "right"},
        ),
        "@off": block(size=15, misc={**knob, "text_horiz_alignment": "left"}),
        "text_entry_line": block("inter", colours=entry, misc=field),
        "@value": block("mono", colours=entry, misc=field),
        "@wrong": block("mono", colours={**entry, **colours(normal_border=VERMILLION_TEXT)}, misc=field),
        "horizontal_slider": block(misc={"sliding_button_width": str(px(12))}),
        "horizontal_slider.@arrow_button": block(size=15),
        "horizontal_slider.#sliding_button": block(colours=colours(normal_bg=handle, hovered_bg=SKY, active_bg=SKY)),
        "horizontal_slider.#left_button": {"misc": {"text_horiz_alignment_method": "rect"}},
        "horizontal_slider.#right_button": {"misc": {"text_horiz_alignment_method": "rect"}},
        "drop_down_menu": block(misc={"open_button_width": str(px(28))}),
        "drop_down_menu.button": block("mono", colours=colours(normal_text=TEXT)),
        "drop_down_menu.#expand_button": block(size=9),
        "drop_down_menu.selection_list.button": block("mono", misc=item),
        "selection_list": block(
            colours=colours(dark_bg=PANEL_2, normal_border=EDGE),
            misc={"list_item_height": str(px(28)), "border_width": line, **large},
        ),
        "selection_list.button": block(misc=item),
        "vertical_scroll_bar": block(colours=colours(dark_bg=PANEL), misc={"enable_arrow_buttons": "0"}),
        "vertical_scroll_bar.button": block(),
        "vertical_scroll_bar.#sliding_button": block(
            colours=colours(normal_bg=EDGE, hovered_bg=TEXT_3, active_bg=TEXT_2)
        ),
        "window": block(
            colours=colours(dark_bg=PANEL, normal_border=EDGE),
            misc={"border_width": line, "enable_title_bar": "0", **large},
        ),
        "@heading": block(
            "inter-semibold",
            15,
            colours=colours(dark_bg=PANEL, normal_text=TEXT),
            misc={"text_horiz_alignment": "left", "text_horiz_alignment_padding": "0"},
        ),
        "@plain": block(
            "inter", colours=colours(dark_bg=PANEL, normal_text=TEXT_2), misc={"padding": "0,0", "line_spacing": "1.3"}
        ),
        "tool_tip": {"misc": {"rect_width": str(px(360))}},
        "tool_tip.text_box": block(
            "inter",
            12,
            colours=colours(dark_bg=PANEL, normal_border=EDGE, normal_text=TEXT),
            misc={"border_width": line, "padding": f"{px(8)},{px(5)}", "line_spacing": "1.2", **large},
        ),
    }
