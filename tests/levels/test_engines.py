"""Both engines on every design of the campaign: the first 200 ns, to the last bit."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from engine.elaborate import elaborate
from engine.errors import InvalidError
from engine.machine import Options
from engine.truth import Workload
from levels.files import load_design, load_level
from tests.differential import Mismatch, compare
from tests.graphs import Case

CAMPAIGN = Path(__file__).resolve().parents[2] / "levels"
TICKS = 20_000


def test_the_engines_agree_on_the_campaign() -> None:
    compared = 0
    for path in sorted(CAMPAIGN.glob("[0-9]*/*.*.yaml")):
        level = load_level(path.with_name(path.name.split(".")[0] + ".yaml"))
        try:
            net = elaborate(level, load_design(path))
        except InvalidError:
            continue  # a wrong design that is meant not to be built
        net = replace(net, time_limit_ticks=min(net.time_limit_ticks, TICKS))
        rng = random.Random(path.name)
        options = Options(jitter_seed=rng.choice([None, None, 7]), digests=True)
        try:
            compare(Case(net, Workload(level, 1), options, len(net.elements)), rng)
        except Mismatch as found:
            raise AssertionError(f"{path.name}: {found}") from found
        compared += 1
    assert compared >= 100
