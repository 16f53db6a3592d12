"""What each key means, in words: for the list in the settings, and in groups for the card behind ``?``."""

from __future__ import annotations

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    "play": "Play or pause; a bend while a wire is drawn",
    "launch": "Launch: record the run",
    "step": "One event forward",
    "step-back": "One event back",
    "tick": "One ns forward",
    "tick-back": "One ns back",
    "launch-next": "To the next launch",
    "launch-back": "To the launch before",
    "start": "To the start",
    "live-end": "To the live end",
    "slower": "Slower",
    "faster": "Faster",
    "fault": "To the fault",
    "pipette": "Take what is under the mouse into the hand",
    "pan-left": "Look to the left",
    "pan-right": "Look to the right",
    "pan-up": "Look up",
    "pan-down": "Look down",
    "fit": "Fit the board; again: the selection",
    "match": "Match the selection",
    "match-all": "Match everything",
    "brush": "Speed brush",
    "halve": "Half the speed",
    "double": "Double the speed",
    "stop": "Stop the wire, or let it run",
    "reroute": "Another way for this wire",
    "next": "Next port; otherwise next design",
    "why": "Why is this waiting?",
    "follow": "Follow the packet under the mouse",
    "breakpoint": "Breakpoint here",
    "probe": "Probe what is under the mouse; again: no longer",
    "launches": "Colours by launch",
    "overlay-1": "Overlay: stalls",
    "overlay-2": "Overlay: utilisation",
    "overlay-3": "Overlay: power",
    "overlay-4": "Overlay: bottleneck",
    "overlay-5": "Overlay: launches",
    "overlay-6": "Overlay: tracks",
    "overlay-7": "Overlay: coupling",
    "overlay-8": "Overlay: heat",
    "overlay": "Overlay off, or the last one",
    "compare": "Hold: the version before",
    "versus": "Two designs side by side",
    "undo": "Undo",
    "redo": "Redo",
    "copy": "Copy",
    "cut": "Cut",
    "paste": "Paste",
    "duplicate": "Duplicate",
    "remove": "Remove",
    "select-all": "Select everything",
    "mirror": "Mirror what is in the hand",
    "search": "Search for a part",
    "find": "Find on the board by name",
    "panels": "Hide or show the panels",
    "plots": "Hide or show the plots",
    "picture": "Save a picture",
    "loop": "Save the loop as a GIF",
    "brief": "Brief and hints",
    "back": "Back",
    **{f"slot-{n}": f"Part {n} of the palette" for n in range(1, 10)},
}

GROUPS: tuple[tuple[str, tuple[tuple[tuple[str, ...], str], ...]], ...] = (
    (
        "Run",
        (
            (("play",), "play, pause"),
            (("step", "step-back"), "one event on, back"),
            (("tick", "tick-back"), "one ns on, back"),
            (("launch-next", "launch-back"), "next launch, the one before"),
            (("start", "live-end"), "to the start, to the end"),
            (("slower", "faster"), "slower, faster"),
            (("fault",), "to the fault"),
            (("launch",), "launch: record the run"),
        ),
    ),
    (
        "Wires",
        (
            (("halve", "double"), "half, double the speed"),
            (("stop",), "stop, or run again"),
            (("match", "match-all"), "match these, all"),
            (("brush",), "hold and drag: paint a speed"),
            (("reroute",), "another way"),
            (("play",), "while drawing: bend here"),
            (("next",), "while drawing: next port"),
        ),
    ),
    (
        "Parts and designs",
        (
            (("slot-1", "slot-9"), "take a part into the hand"),
            (("search",), "search parts"),
            (("pipette",), "take what is under the mouse"),
            (("copy", "paste"), "copy, paste"),
            (("cut", "duplicate"), "cut, duplicate"),
            (("mirror",), "mirror what is in the hand"),
            (("remove",), "remove"),
            (("undo", "redo"), "undo, redo"),
            (("select-all",), "select everything"),
            (("next",), "next design"),
        ),
    ),
    (
        "Understand",
        (
            (("why",), "why is this waiting?"),
            (("overlay-1", "overlay-8"), "overlays: stalls, use, power …"),
            (("overlay",), "overlay off, or the last one"),
            (("probe",), "probe: its words as a lane"),
            (("breakpoint",), "stop here"),
            (("follow",), "follow a packet"),
            (("launches",), "colours by launch"),
            (("compare", "versus"), "version before, side by side"),
        ),
    ),
    (
        "Look",
        (
            (("pan-up", "pan-left", "pan-down", "pan-right"), "move the view"),
            (("fit",), "fit the board, the selection"),
            (("find",), "find by name"),
            (("panels", "plots"), "panels, plots: hide or show"),
            (("picture", "loop"), "save a picture, a GIF"),
            (("brief",), "brief, hints, this card"),
            (("back",), "one step back"),
        ),
    ),
)
"""What the card of keys tells: groups of (meanings, words)."""

MOUSE = (
    ("left", "draw, place, select, drag"),
    ("right", "remove; drop what is held"),
    ("middle", "drag: move the view"),
    ("wheel", "turn a wire or core; else zoom"),
    ("Ctrl+wheel", "zoom, wherever it is"),
    ("Alt+click", "on a wire: branch it"),
    ("Shift", "finer; place more than one"),
)


def key_name(key: str) -> str:
    """A key as it is printed: ``ctrl+shift+z`` as "Ctrl+Shift+Z"."""
    names = {"escape": "Esc", "return": "Enter", "delete": "Del"}
    parts = key.split("+") if key != "+" else ["+"]
    return "+".join(names.get(part, part.capitalize() if len(part) > 1 else part.upper()) for part in parts)
