"""The whole picture of the board: :func:`draw_board` for one picture, :class:`BoardView` for many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pygame

from engine.model import Design, Level
from engine.netlist import Netlist
from engine.speeds import speed_changes
from game.view.board import BoardCache, origin_of
from game.view.camera import Camera
from game.view.differences import draw_differences, draw_different_wires
from game.view.layout import Layout, make_layout
from game.view.legend import draw_legend
from game.view.marks import draw_highlights, draw_marks
from game.view.moments import draw_moment
from game.view.motion import draw_arrivals
from game.view.overlays import DIMMED, overlay_pieces
from game.view.packets import draw_packets
from game.view.scene import PHYSICS_OVERLAYS, Scene
from game.view.stages import draw_moving
from game.view.wires import draw_ticks
from game.view.zoom import Zoom


class BoardView:
    """Draws scenes, remembering what two of them have in common. The picture does not depend on what was before,
    except while the time budget of a call leaves chunks to the next one."""

    def __init__(self) -> None:
        self._cache = BoardCache()
        self._layout: Layout | None = None
        self._of: tuple[Level, Design, Netlist | None] | None = None
        self._overlay_of: tuple[Any, ...] | None = None
        self._overlay_made: Sequence[Any] = ()

    def layout(self, level: Level, design: Design, netlist: Netlist | None = None) -> Layout:
        """Where everything stands, made anew when the design or its netlist is another object."""
        of = self._of
        if self._layout is None or of is None or of[0] is not level or of[1] is not design or of[2] is not netlist:
            kept = self._layout
            alike = of is not None and of[0] is level and (of[2] is None) == (netlist is None)
            if kept is not None and of is not None and alike and speed_changes(of[1], design) is not None:
                self._layout = replace(kept, design=design)
            else:
                self._layout = make_layout(level, design, netlist)
            self._of = (level, design, netlist)
        return self._layout

    def _overlay(self, layout: Layout, scene: Scene) -> Sequence[Any]:
        of = (layout, scene.overlay, scene.figures, scene.bottleneck, scene.flows, scene.heat_step)
        if self._overlay_of is None or any(a is not b for a, b in zip(of, self._overlay_of, strict=True)):
            self._overlay_of = of
            self._overlay_made = overlay_pieces(layout, scene)
        return self._overlay_made

    def draw(self, surface: pygame.Surface, camera: Camera, scene: Scene, budget_ms: float | None = None) -> bool:
        """Draw a scene into the camera's view; False if chunks of the board had to be left to the next call."""
        layout = self.layout(scene.level, scene.design, scene.netlist)
        zoom = Zoom.of(camera)
        clip = surface.get_clip()
        surface.set_clip(pygame.Rect(camera.view).clip(clip))
        veiled = scene.overlay in DIMMED or scene.chain is not None
        complete = self._cache.draw(
            surface,
            camera,
            layout,
            scene.theme,
            veiled=veiled,
            above=self._overlay(layout, scene),
            figures=scene.figures,
            placing=scene.placing,
            budget_ms=budget_ms,
        )
        origin = origin_of(camera)
        if zoom.ticks and not veiled:
            draw_ticks(surface, origin, zoom, layout, scene)
        left, top = camera.to_board(*camera.view[:2])
        right, bottom = camera.to_board(camera.view[0] + camera.view[2], camera.view[1] + camera.view[3])
        seen = [b for b in layout.bodies.values() if left - 1 <= b.at[0] <= right and top - 1 <= b.at[1] <= bottom]
        if not veiled:
            draw_moving(surface, origin, zoom, layout, scene, seen)
        draw_highlights(surface, origin, zoom, layout, scene, self._overlay_made if veiled else ())
        if scene.differences is not None:
            draw_different_wires(surface, origin, zoom, layout, scene.differences)
        if not scene.flows and scene.overlay not in PHYSICS_OVERLAYS:  # their figures stand where packets go
            draw_packets(surface, origin, zoom, layout, scene)
            if not veiled:
                draw_arrivals(surface, origin, zoom, layout, scene)
        draw_marks(surface, origin, zoom, layout, scene)
        if scene.differences is not None:
            draw_differences(surface, origin, zoom, layout, scene.theme, scene.differences)
        draw_moment(surface, origin, zoom, layout, scene)
        draw_legend(surface, camera, scene)
        surface.set_clip(clip)
        return complete


def draw_board(surface: pygame.Surface, camera: Camera, scene: Scene) -> None:
    """Draw one picture: the same surface, camera and scene always give the same pixels."""
    BoardView().draw(surface, camera, scene)
