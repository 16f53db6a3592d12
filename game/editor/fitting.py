"""Which port a wire means that is let go on the body of an element, and which way round the wire runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from game.view.layout import DATA, PREDICATE, TOKEN

POOR, TURNED, OTHER_KIND, ODD = 4, 3, 2, 1
"""What counts against a wire: a port that is seldom wanted, not being drawn that way, words of another kind, and the
result of a comparison where any word goes."""

_TAKES = {"at": (TOKEN,), "cond": (PREDICATE,), "last": (PREDICATE,), "other": (DATA,)}
_SELDOM = frozenset({"other", "done", "last"})

KindOf = Callable[[str, str], int | None]
"""The kind of the packets at an output (element, port); None where it may be any."""


class End(NamedTuple):
    """One end of a wire."""

    element: str
    port: str


class Ends(NamedTuple):
    """A wire: where its words come from and where they go."""

    source: End
    target: End


def cost(ends: Ends, kind_of: KindOf) -> int:
    """How little sense a wire makes: 0 for the best."""
    side = ends.target.port.rpartition(".")[2]
    found = sum(POOR for name in (ends.source.port, side) if name in _SELDOM)
    kind = kind_of(*ends.source)
    if kind is not None:
        wanted = _TAKES.get(side, (DATA, PREDICATE) if side == "value" else (DATA, TOKEN, PREDICATE))
        found += OTHER_KIND if kind not in wanted else ODD if kind == PREDICATE and side not in _TAKES else 0
    return found


def ways(
    start: End,
    backwards: bool,
    there: str,
    ports_here: tuple[list[str], list[str]],
    ports_there: tuple[list[str], list[str]],
    kind_of: KindOf,
) -> list[Ends]:
    """All wires that a line from ``start`` to the body of ``there`` may mean, the likeliest first.

    ``ports_here`` and ``ports_there`` are the inputs without a wire and the outputs of both elements. A line that was
    begun at an input runs ``backwards``: to it. The other way round is taken as well, from or to any port of the
    element where the line begins, and comes first only where the line as it was drawn makes no sense.
    """
    as_drawn = _lines(start, backwards, there, ports_there)
    turned: list[Ends] = []
    if start.element != there:
        own = ports_here[0 if not backwards else 1]
        turned = [ends for port in own for ends in _lines(End(start.element, port), not backwards, there, ports_there)]
    ranked = [(cost(ends, kind_of), n, ends) for n, ends in enumerate(as_drawn)]
    ranked += [(cost(ends, kind_of) + TURNED, n + 100, ends) for n, ends in enumerate(turned)]
    ranked.sort(key=lambda found: found[:2])
    # Tab goes through the ports of the way that is taken, not through both ways.
    return [ends for _, _, ends in ranked if (ends in as_drawn) == (ranked[0][2] in as_drawn)]


def _lines(start: End, backwards: bool, there: str, ports: tuple[list[str], list[str]]) -> list[Ends]:
    if backwards:
        return [Ends(End(there, port), start) for port in ports[1]]
    return [Ends(start, End(there, port)) for port in ports[0]]
