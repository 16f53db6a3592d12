"""perwatt bench: real measurements, of short runs."""

from __future__ import annotations

from functools import partial

import pytest

from tests.game.conftest import Perwatt

bench = pytest.importorskip("engine.bench")

KEYS = {"events_per_s", "times_simpy", "times_python", "of_c", "ns_per_event_100k", "ns_per_event_10m"}


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "run_bench", partial(bench.run_bench, rounds=1, long=200_000))


def test_figures_of_three_models(perwatt: Perwatt) -> None:
    models = perwatt("bench", "--json").json["models"]
    assert models.keys() == {"pipeline", "mesh", "tree"}
    for figures in models.values():
        assert figures.keys() == KEYS
        assert figures["events_per_s"] > 0
        assert figures["times_simpy"] is None


def test_the_table_shows_what_was_not_asked_for_as_missing(perwatt: Perwatt) -> None:
    rows = [line.split() for line in perwatt("bench").out.splitlines()]
    assert [row[0] for row in rows[1:]] == ["pipeline", "mesh", "tree"]
    assert all(row[-3:] == ["–", "–", "–"] for row in rows[1:])
