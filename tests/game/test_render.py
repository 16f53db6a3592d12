"""perwatt render: pictures of running machines, and loops that close."""

from __future__ import annotations

import io
import os
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game.theme import PACKET
from tests.game.conftest import Perwatt

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


def test_a_png_of_a_moment(perwatt: Perwatt, folder: Path) -> None:
    answer = perwatt("render", "first-light/05", "best", "-o", "a.png", "--size", "800x450", "--time", 42.5)
    assert answer.code == 0 and "t = 42.50 ns" in answer.out
    with Image.open(folder / "a.png") as picture:
        assert picture.size == (800, 450)
        assert PACKET in {colour for _, colour in picture.convert("RGB").getcolors(1 << 20)}
    again = perwatt("render", "first-light/05", "best", "-o", "b.png", "--size", "800x450", "--time", 42.5)
    assert again.code == 0
    assert (folder / "a.png").read_bytes() == (folder / "b.png").read_bytes()
    later = perwatt("render", "first-light/05", "best", "-o", "c.png", "--size", "800x450", "--time", 42.9)
    assert later.code == 0
    assert (folder / "a.png").read_bytes() != (folder / "c.png").read_bytes()


def test_a_gif_of_one_period(perwatt: Perwatt, folder: Path) -> None:
    answer = perwatt("render", "first-light/02", "best", "-o", "a.gif", "--size", "480x270")
    assert answer.code == 0 and "one period" in answer.out
    with Image.open(folder / "a.gif") as film:
        assert film.info["loop"] == 0
        palettes, frames = set(), []
        for k in range(film.n_frames):
            film.seek(k)
            assert film.info["duration"] >= 20
            palettes.add(bytes(film.palette.palette) if film.palette else b"")
            frames.append(np.asarray(film.convert("RGB")).copy())
    assert len(palettes) == 1
    assert len(frames) >= 8
    assert all((a != b).any() for a, b in pairwise(frames))
    assert all((frame == PACKET).all(axis=2).any() for frame in frames)


def test_a_loop_ends_where_it_begins() -> None:
    from engine.simulation import simulate
    from game.export import Studio, pixels_of
    from levels import find_level, load_design, load_level

    level = load_level(find_level("first-light/02"))
    design = load_design(Path(__file__).parents[2] / "levels/0-first-light/02-in-step.naive.yaml")
    report = simulate(level, design, engine="plain")
    assert report.window and report.window.period_ns
    studio = Studio(level, design, report, size=(640, 360), engine="plain")
    film = studio.film()
    assert film.length_ns == report.window.period_ns
    loop = (film.begin_ns, film.length_ns)
    first = pixels_of(studio.picture(film.begin_ns, loop))
    between = pixels_of(studio.picture(film.begin_ns + film.length_ns * 0.43, loop))
    last = pixels_of(studio.picture(film.begin_ns + film.length_ns, loop))
    # Words differ from period to period, and at this zoom they are not written: only places count.
    assert (first == last).all()
    assert (first != between).any()


def test_frames_times_pixels_are_bounded() -> None:
    from engine.simulation import simulate
    from game.export import LEAST_FRAME_MS, MAX_PIXELS, Studio
    from levels import find_level, load_design, load_level

    level = load_level(find_level("first-light/07"))
    design = load_design(Path(__file__).parents[2] / "levels/0-first-light/07-breathing.best.yaml")
    report = simulate(level, design, engine="plain")
    for size in ((320, 180), (3840, 2160)):
        film = Studio(level, design, report, size=size, engine="plain").film()
        assert 2 <= film.frames <= max(2, MAX_PIXELS // (size[0] * size[1]))
        assert film.frame_ms >= LEAST_FRAME_MS and film.frame_ms % 10 == 0


def test_a_machine_that_fails_is_shown_where_it_fails(perwatt: Perwatt, folder: Path) -> None:
    wrong = Path(__file__).parents[2] / "levels/0-first-light/05-two-roads.wrong-sign.yaml"
    assert perwatt("render", "first-light/05", wrong, "-o", "a.png", "--size", "640x360").code == 0
    assert perwatt("render", "first-light/05", wrong, "-o", "a.gif", "--size", "320x180").code == 0


def test_the_help_lists_every_overlay(perwatt: Perwatt) -> None:
    from game.view.scene import OVERLAYS, PHYSICS_OVERLAYS

    words = re.findall(r"\w+", perwatt("render", "--help").out)
    assert {*OVERLAYS, *PHYSICS_OVERLAYS} <= set(words)


def test_every_overlay_that_is_offered_exists(perwatt: Perwatt, folder: Path) -> None:
    from game.view.scene import OVERLAYS

    pictures = set()
    for overlay in OVERLAYS:
        answer = perwatt(
            "render", "first-light/05", "naive", "-o", "o.png", "--size", "400x225", "--overlay", overlay, "--force"
        )
        assert answer.code == 0, answer.err
        pictures.add((folder / "o.png").read_bytes())
    assert len(pictures) == len(OVERLAYS)


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("-o", "a.bmp"), ".png"),
        (("-o", "a.png", "--size", "10x10"), "64"),
        (("-o", "a.png", "--size", "wide"), "1920x1080"),
        (("-o", "a.png", "--overlay", "powder"), "power"),
        (("-o", "a.gif", "--time", 3), "PNG"),
        (("-o", "there.png"), "--force"),
    ],
)
def test_wrong_use_is_told(perwatt: Perwatt, folder: Path, args: tuple[object, ...], word: str) -> None:
    (folder / "there.png").write_bytes(b"mine")
    answer = perwatt("render", "first-light/05", "best", *args)
    assert answer.code == 2
    assert word in answer.err
    assert [path.name for path in folder.glob("*") if path.is_file()] == ["there.png"]
    assert (folder / "there.png").read_bytes() == b"mine"


def test_a_gif_keeps_the_colours_that_matter() -> None:
    from game.export import gif

    rng = np.random.default_rng(3)
    noise = rng.integers(0, 90, (40, 40, 3)).astype(np.uint8)
    frames = []
    for k in range(3):
        frame = noise.copy()
        frame[k, k] = PACKET
        frames.append(frame)
    told: list[str] = []
    made = gif(iter(frames), 20, told.append)
    assert len(told) == 2 * len(frames)
    with Image.open(io.BytesIO(made)) as film:
        for k in range(3):
            film.seek(k)
            assert film.convert("RGB").getpixel((k, k)) == PACKET


def test_the_drawing_can_be_measured(perwatt: Perwatt, monkeypatch: pytest.MonkeyPatch) -> None:
    from functools import partial

    from game.bench import play, render

    for module in (play, render):
        monkeypatch.setattr(module, "measure", partial(module.measure, frames=2))
    document = perwatt("bench", "--render", "--json").json
    assert (document["packets"], document["cores"], document["wires"]) == (5000, 400, 1000)
    assert {"still", "panning", "overlay stalls", "playing 10 ns/s", "playing, stalls", "playing, zooming"} <= document[
        "scenes"
    ].keys()
    for found in document["scenes"].values():
        assert 0 < found["median_ms"] <= found["p95_ms"]


def test_the_live_score_can_be_measured(perwatt: Perwatt, monkeypatch: pytest.MonkeyPatch) -> None:
    from functools import partial

    from game.bench import live

    monkeypatch.setattr(live, "measure", partial(live.measure, notches=3))
    document = perwatt("bench", "first-light/02", "--live", "--json").json
    assert document["levels"].keys() == {"first-light-02-in-step"}
    found = document["levels"]["first-light-02-in-step"]
    for kind in ("first", "final", "frame"):
        assert 0 < found[kind]["median_ms"] <= found[kind]["p95_ms"]
    assert found["first"]["median_ms"] <= found["final"]["median_ms"]


def test_the_start_can_be_measured(perwatt: Perwatt, monkeypatch: pytest.MonkeyPatch) -> None:
    from functools import partial

    from game.bench import start

    monkeypatch.setattr(start, "measure", partial(start.measure, rounds=1))
    assert perwatt("bench", "--start", "--json").json["screens"]["title"]["wall_s"] > 0


@pytest.mark.parametrize("options", [("--live", "--start"), ("first-light/02",), ("first-light/02", "--render")])
def test_one_thing_is_measured_at_a_time(perwatt: Perwatt, options: tuple[str, ...]) -> None:
    answer = perwatt("bench", *options)
    assert answer.code == 2 and ("choose one" in answer.err or "with --live or --start" in answer.err)
