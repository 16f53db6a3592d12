"""Pictures of a machine: a PNG of one moment, or a GIF that shows one period and begins again.

Nothing here needs a screen. What is drawn is what the game draws: :mod:`game.view.still`.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pygame
from numpy.typing import NDArray
from PIL import Image

from engine.model import Design, Level, Report
from engine.simulation import EngineName, Simulation
from game.plate import plate
from game.theme import PACKET, Theme
from game.view.camera import Camera
from game.view.motion import whole_breaths
from game.view.scene import Scene, figures_of
from game.view.still import BoardView

MAX_SIDE = 7680
MAX_PIXELS = 60_000_000
"""Pixels of all frames of a GIF together."""

LEAST_FRAME_MS = 20
"""Viewers slow down GIFs whose frames are shorter."""

FRAME_MS = 40
MAX_FRAMES = 250
LONGEST_S, SHORTEST_S = 12.0, 1.0
FAULT_NS = 40.0
"""What a GIF of a machine that fails shows: so long before the end."""

PALETTE = 256


@dataclass(frozen=True, slots=True)
class Film:
    """Frames of a looping picture: begin and length in ns of the machine, number and duration of the frames."""

    begin_ns: float
    length_ns: float
    frames: int
    frame_ms: int


class Studio:
    """Takes pictures of one machine that has been run, from a report of that run."""

    def __init__(
        self,
        level: Level,
        design: Design,
        report: Report,
        *,
        size: tuple[int, int],
        overlay: str | None = None,
        engine: EngineName = "auto",
        ui_scale: float = 1.0,
    ) -> None:
        """Raises InvalidError if the design cannot be built. ``overlay`` is one of :data:`game.view.scene.OVERLAYS`."""
        pygame.font.init()
        self._simulation = Simulation(level, design, engine=engine, seed=report.seed)
        self._start = self._simulation.snapshot()
        self.report = report
        self.surface = pygame.Surface(size, depth=32)
        self.camera = Camera(*level.board.size, (0, 0, *size), scale=ui_scale)
        self.camera.fit()
        self._view = BoardView()
        fault = report.fault.core if report.fault else None
        self._scene = Scene(
            level,
            design,
            self._simulation.netlist,
            figures=figures_of(report, level.technology),
            overlay=overlay,
            fault=fault,
            theme=Theme(ui_scale),
        )

    @property
    def moment(self) -> float:
        """A telling moment in ns: where the window begins, or where the machine stopped."""
        return self.report.window.start_ns if self.report.window else self.report.time_ns

    def picture(self, ns: float, loop: tuple[float, float] | None = None) -> pygame.Surface:
        """The board at a moment; after the end of the run, at its end. The surface is overwritten by the next call."""
        simulation = self._simulation
        if ns < simulation.now_ns:
            simulation.restore(self._start)
        simulation.run_until(ns)
        ns = min(ns, max(simulation.now_ns, 0.0)) if simulation.now_ns < ns - 0.005 else round(ns, 2)
        seconds = (ns - loop[0]) / loop[1] * whole_breaths(loop[1] / self._scene.level.pace) if loop else 0.0
        fault = self.report.fault
        wrong = (fault.core, fault.port) if fault and fault.port and ns >= fault.time_ns - 0.005 else None
        scene = replace(
            self._scene,
            time_ns=ns,
            packets=simulation.packets(ns),
            state=simulation.state(),
            loop_ns=loop,
            clock=seconds,
            wrong=wrong,
        )
        self._view.draw(self.surface, self.camera, scene)
        return self.surface

    def film(self) -> Film:
        """One period; without one, one launch; of a machine that fails, the time before."""
        window = self.report.window
        if window is None:
            length = min(FAULT_NS, max(self.report.time_ns, 1.0))
            begin = self.report.time_ns - length
        else:
            begin = window.start_ns
            launches = window.last_launch - window.first_launch + 1
            length = window.period_ns or (window.end_ns - window.start_ns) / launches
        seconds = min(max(length / self._scene.level.pace, SHORTEST_S), LONGEST_S)
        width, height = self.surface.get_size()
        most = max(2, min(MAX_FRAMES, MAX_PIXELS // (width * height)))
        frames = min(max(round(seconds * 1000 / FRAME_MS), 2), most)
        # A GIF counts in hundredths of a second.
        frame_ms = max(LEAST_FRAME_MS, round(seconds * 100 / frames) * 10)
        return Film(begin, length, frames, frame_ms)

    def frames(self, film: Film) -> Iterator[NDArray[np.uint8]]:
        """All frames as (height, width, 3) arrays, with the score on a plate in the corner where there is room."""
        loop = (film.begin_ns, film.length_ns)
        score = plate(self._scene.theme, self._scene.level, self.report)
        width, height = self.surface.get_size()
        gap = self._scene.theme.px(12)
        corner = score.get_rect(bottomright=(width - gap, height - gap))
        for k in range(film.frames):
            picture = self.picture(film.begin_ns + film.length_ns * k / film.frames, loop)
            if 3 * corner.width <= width and 3 * corner.height <= height:
                picture.blit(score, corner)
            yield pixels_of(picture)


def pixels_of(surface: pygame.Surface) -> NDArray[np.uint8]:
    """A copy of a surface's pixels, (height, width, 3)."""
    width, height = surface.get_size()
    return np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8).reshape(height, width, 3)


def png(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG file."""
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def gif(frames: Iterator[NDArray[np.uint8]], frame_ms: int, done: Callable[[str], None] | None = None) -> bytes:
    """A GIF file that repeats for ever, with one palette for all frames. ``done`` is called twice for each frame: when
    it was drawn, and when it was packed."""
    packed = []
    for frame in frames:
        packed.append(_packed(frame))
        if done is not None:
            done("frames")
    palette = _palette(packed)
    nearest: dict[int, int] = {}
    images = []
    for frame in packed:
        colours, inverse = np.unique(frame, return_inverse=True)
        images.append(Image.fromarray(_indices(colours, palette, nearest)[inverse].reshape(frame.shape)))
        images[-1].putpalette(_unpacked(palette).astype(np.uint8).tobytes())
        if done is not None:
            done("frames")
    stream = io.BytesIO()
    images[0].save(
        stream, "GIF", save_all=True, append_images=images[1:], duration=frame_ms, loop=0, disposal=1, optimize=False
    )
    return stream.getvalue()


def _packed(frame: NDArray[np.uint8]) -> NDArray[np.int32]:
    wide = frame.astype(np.int32)
    return wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]


def _unpacked(colours: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.stack([colours >> 16 & 255, colours >> 8 & 255, colours & 255], axis=-1)


def _palette(frames: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    """The most frequent colours of all frames; the packets' own is always among them."""
    colours, counts = np.unique(
        np.concatenate([frame.ravel() for frame in frames[:: max(1, len(frames) // 6)]]), return_counts=True
    )
    own = PACKET[0] << 16 | PACKET[1] << 8 | PACKET[2]
    # Equal counts: the brighter first, so that the choice does not depend on numpy's sorting.
    chosen = colours[np.lexsort((-colours, -counts))][:PALETTE]
    if own in colours and own not in chosen:
        chosen[-1] = own
    result = np.zeros(PALETTE, np.int32)
    result[: len(chosen)] = chosen
    return result


def _indices(colours: NDArray[np.int32], palette: NDArray[np.int32], known: dict[int, int]) -> NDArray[np.uint8]:
    """The nearest palette entry of each colour."""
    new = np.array([c for c in colours.tolist() if c not in known], np.int32)
    table = _unpacked(palette)
    for start in range(0, len(new), 1024):
        part = new[start : start + 1024]
        distance = ((_unpacked(part)[:, None, :] - table[None, :, :]) ** 2).sum(axis=2)
        known.update(zip(part.tolist(), distance.argmin(axis=1).tolist(), strict=True))
    return np.array([known[c] for c in colours.tolist()], np.uint8)
