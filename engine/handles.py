"""What a builder gives out: handles of cores, their ports, and wires."""

from __future__ import annotations

from engine.board import Tile
from engine.encodings import tracks_of
from engine.model import WireSpec


class PortRef:
    """A port of a handle, and, of an output, the words chosen there: ``t.token``, ``t.token[0, 2]``, ``s.read.at``.

    A trailing underscore is dropped, for ports whose name is a word of Python: ``relay.in_``.
    """

    __slots__ = ("core", "name", "words")

    def __init__(self, core: str, name: str, words: tuple[int, ...] = ()) -> None:
        self.core, self.name, self.words = core, name.rstrip("_"), words

    def __getattr__(self, name: str) -> PortRef:
        if name.startswith("_"):
            raise AttributeError(name)
        return PortRef(self.core, f"{self.name}.{name}")

    def __getitem__(self, words: int | tuple[int, ...]) -> PortRef:
        return PortRef(self.core, self.name, words if isinstance(words, tuple) else (words,))

    def __str__(self) -> str:
        chosen = f"[{','.join(map(str, self.words))}]" if self.words else ""
        return f"{self.core}.{self.name}{chosen}"


class Handle:
    """A placed core or a pad: its ports are its attributes, ``add.a``, or its items, ``add["a"]``."""

    __slots__ = ("id",)

    def __init__(self, name: str) -> None:
        self.id = name

    def __getattr__(self, name: str) -> PortRef:
        if name.startswith("_"):
            raise AttributeError(name)
        return PortRef(self.id, name)

    def __getitem__(self, name: str) -> PortRef:
        return PortRef(self.id, name)

    def __str__(self) -> str:
        return self.id


class Line:
    """A wire of the builder. ``words`` is the width that it is counted with."""

    __slots__ = ("spec", "tiles", "words")

    def __init__(self, spec: WireSpec, tiles: tuple[Tile, ...], words: int) -> None:
        self.spec, self.tiles, self.words = spec, tiles, words

    @property
    def tracks(self) -> int:
        """Tracks that it takes on every edge of its way."""
        return tracks_of(self.words, self.spec.encoding or "raw", self.spec.gap or 100)

    @property
    def length(self) -> int:
        """Tile steps."""
        return len(self.tiles) - 1

    @property
    def source(self) -> str:
        """Id of the core or pad that the wire comes from."""
        return self.spec.start[0]

    @property
    def target(self) -> str:
        """Id of the core or pad that it leads to."""
        return self.spec.ends[0][0]

    def __str__(self) -> str:
        return f"{self.spec.source} → {', '.join(self.spec.to)}"
