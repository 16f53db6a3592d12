"""Tools that are met on the way: what they are called, and how they are used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

TOOLS: Mapping[str, tuple[str, str]] = {
    "match": ("Match", "M sets a wire to the rate that is asked of it, Ctrl+M all wires."),
    "brush": ("Speed brush", "Hold V and drag over wires: all get one speed."),
    "relay": ("Branch", "Press Alt and the left button on a wire: another one starts from there, at a relay."),
    "why": ("Why?", "Point at what waits and press Y: the chain down to its cause."),
}
"""Name and use by the name that levels give them."""


def news(tools: Iterable[str]) -> str:
    """One line about new tools, in the order of the table; "" where there are none."""
    told = set(tools)
    lines = [f"{name}: {use}" for tool, (name, use) in TOOLS.items() if tool in told]
    return f"New. {' '.join(lines)}" if lines else ""
