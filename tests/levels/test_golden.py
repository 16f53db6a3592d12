"""The exact scores of the references are those on record."""

from __future__ import annotations

import pytest

from engine.model import SCORE_VERSION
from tests.golden import changed_scores, row, stored


@pytest.fixture(scope="module")
def record() -> dict[str, dict[str, object]]:
    version, references = stored()
    assert version == SCORE_VERSION, "write the scores of this version: python -m tests.golden"
    return references


def test_every_reference_is_on_record(record: dict[str, dict[str, object]]) -> None:
    from levels import campaign

    wanted = {f"{entry.id} {role}" for entry in campaign() for role in ("naive", "best")}
    assert record.keys() == wanted, "write the scores of new levels: python -m tests.golden"


def test_scores_have_not_changed(record: dict[str, dict[str, object]]) -> None:
    from levels import find_level

    now = {name: row(find_level(name.split()[0]), name.split()[1]) for name in record}
    moved = changed_scores(record, now)
    assert moved == [], "the same designs have other scores: raise SCORE_VERSION, then python -m tests.golden"
    edited = [name for name in record if record[name] != now[name]]
    assert edited == [], "levels or designs were edited: python -m tests.golden"


def test_the_rule_for_the_score_version() -> None:
    same = {"energy": 1, "level_hash": "a", "design_hash": "b"}
    assert changed_scores({"x": same}, {"x": same}) == []
    assert changed_scores({"x": same}, {"x": {**same, "energy": 2}}) == ["x"]
    assert changed_scores({"x": same}, {"x": {**same, "energy": 2, "design_hash": "c"}}) == []
