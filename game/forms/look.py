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
    Colour,
    Theme,
    mix,
)

LIT = mix(PANEL_2, EDGE, 0.55)
"""Under the mouse, as in :meth:`game.panels.kit.Canvas.button`."""

FACES = {
    "inter": ("Inter-Regular.otf", "Inter-SemiBold.otf"),
    "inter-medium": ("Inter-Medium.otf", "Inter-SemiBold.otf"),
    "mono": ("JetBrainsMono-Regular.ttf", "JetBrainsMono-SemiBold.ttf"),
}
"""Regular and bold file of each face."""


def look(theme: Theme) -> dict[str, Any]:
    """pygame_gui's theme. Classes: ``@words`` and ``@value`` for entries, ``@wrong`` for what cannot be taken."""
    px = theme.px

    def font(face: str, size: float) -> dict[str, str]:
        folder = resources.files("assets").joinpath("fonts")
        regular, bold = (str(folder.joinpath(name)) for name in FACES[face])
        pixels = str(theme.pixels(size))
        return {"name": face, "size": pixels, "regular_path": regular, "bold_path": bold, "italic_path": regular}

    def colours(**names: Colour) -> dict[str, str]:
        return {name: "#{:02X}{:02X}{:02X}".format(*colour) for name, colour in names.items()}

    flat = {"shadow_width": "0", "border_width": "0", "shape": "rounded_rectangle", "shape_corner_radius": str(px(4))}
    line = str(px(1))
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
    return {
        "defaults": {"colours": quiet, "font": font("inter-medium", 13), "misc": flat},
        "text_entry_line": {
            "colours": entry,
            "font": font("inter", 13),
            "misc": {**flat, "border_width": line, "padding": f"{px(6)},{px(1)}"},
        },
        "@value": {"font": font("mono", 13)},
        "@wrong": {"font": font("mono", 13), "colours": {**entry, **colours(normal_border=VERMILLION_TEXT)}},
        "@small": {"font": font("inter-medium", 12)},
        "@key": {"font": font("mono", 12)},
        "tool_tip": {"misc": {"rect_width": str(px(360))}},
        "tool_tip.text_box": {
            "colours": colours(dark_bg=PANEL, normal_border=EDGE, normal_text=TEXT),
            "font": font("inter", 12),
            "misc": {**flat, "border_width": line, "padding": f"{px(8)},{px(5)}", "line_spacing": "1.2"},
        },
    }
