"""What each zoom step shows, and how thick and large it is there."""

from __future__ import annotations

from dataclasses import dataclass

from game.theme import TILE_STEPS
from game.view.camera import Camera

_WIDTH = {32: 2, 48: 2, 64: 3, 96: 3, 128: 4}
_GAP = {32: 2, 48: 2, 64: 3, 96: 4, 128: 5}
_GLYPH = {16: 10, 24: 14, 32: 18, 48: 22, 64: 26, 96: 40, 128: 52}
_PACKET = {16: 3, 24: 5, 32: 6, 48: 10, 64: 11, 96: 13, 128: 16}


@dataclass(frozen=True, slots=True)
class Zoom:
    """One zoom step at one UI scale. ``nominal`` is the step, ``tile`` the pixels that a tile really has."""

    nominal: int
    tile: int
    scale: float

    @classmethod
    def of(cls, camera: Camera) -> Zoom:
        return cls(TILE_STEPS[camera.step], camera.tile, camera.scale)

    def px(self, length: float) -> int:
        """Pixels of a length given at UI scale 100 %, at least 1."""
        return max(1, round(length * self.scale))

    @property
    def wire(self) -> int:
        """Thickness of a wire's line."""
        return self.px(_WIDTH.get(self.nominal, 1))

    @property
    def gap(self) -> int:
        """Free ground on both sides of a wire that another one passes under."""
        return self.px(_GAP.get(self.nominal, 1)) if self.nominal >= 16 else 0

    @property
    def glyph(self) -> int:
        return self.px(_GLYPH.get(self.nominal, 0)) if self.nominal >= 16 else 0

    @property
    def packet(self) -> int:
        return self.px(_PACKET.get(self.nominal, 2))

    @property
    def lines(self) -> bool:
        """Whether every word of a wire has a line of its own."""
        return self.nominal >= 16

    @property
    def notches(self) -> bool:
        return self.nominal >= 32

    @property
    def ticks(self) -> bool:
        return self.nominal >= 32

    @property
    def stages(self) -> bool:
        return self.nominal >= 48

    @property
    def names(self) -> bool:
        return self.nominal >= 48

    @property
    def bars(self) -> bool:
        return self.nominal >= 96

    def units(self, px_at_32: float) -> float:
        """Pixels of a length that grows with the tile, given at tile 32."""
        return px_at_32 * self.tile / 32

    def grown(self, px_at_32: float) -> int:
        """Pixels of a detail that grows slower than the tile, given at tile 32."""
        return max(1, round(px_at_32 * self.scale * float((self.nominal / 32) ** 0.6)))
