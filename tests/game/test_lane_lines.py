"""What `perwatt run` says of the roofline, and of lanes, lines and banks."""

from __future__ import annotations

from engine import simulate
from game.commands.run import lane_sentences, roof_sentences
from tests.engine import test_divergence, test_shared_lanes
from tests.engine.machines import core, design, streams, wire


def test_the_roofline_in_a_sentence() -> None:
    machine = design(
        [core("add", "add", (5, 4), b=0)],
        [
            wire("s.value", "add.a", (0, 4), (5, 4), every_ns=2),
            wire("add.out", "out.value", (5, 4), (15, 4), every_ns=2),
        ],
    )
    level = streams()
    level.kernel.truth = "out[i] = s[i]"
    report = simulate(level, machine, engine="plain")
    assert roof_sentences(report) == [
        "roofline: 0.5000 operations/ns; its cores 1.000, streams 1.000 (0.1250 per byte × 8.000 bytes/ns) would allow"
    ]
    assert lane_sentences(report) == []


def test_a_machine_of_lanes_without_arithmetic_has_no_roof() -> None:
    level = test_shared_lanes.level()
    report = test_shared_lanes.run(level, test_shared_lanes.transpose(level))
    assert report.roofline
    assert (report.roofline.peak_per_ns, roof_sentences(report)) == (0, ["roofline: no arithmetic, no roof"])


def test_what_is_said_of_lanes() -> None:
    level = test_shared_lanes.level()
    report = test_shared_lanes.run(level, test_shared_lanes.transpose(level))
    said = " / ".join(lane_sentences(report))
    assert said.startswith("lanes: 100 % of them live / ")
    assert "lines per access: a 1.00 (8.00 words of each used), out 1.00 (8.00 words of each used)" in said
    assert "bank conflicts per access: shared1 3.50" in said
    parted = test_divergence.level(test_divergence.FORK)
    said = " / ".join(lane_sentences(test_divergence.run(parted, test_divergence.fork(parted, "8*w0 + 4*w1 + w2"))))
    assert "fewest at mod, 50 %" in said or "fewest at div, 50 %" in said
