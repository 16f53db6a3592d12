"""Older files are brought to the present version, newer ones refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.errors import InvalidError
from engine.model import FORMAT
from levels import load_design, migrate


def _rename_machine(tree: dict[str, Any]) -> dict[str, Any]:
    tree["machine"] = tree.pop("parts")
    return tree


def _split_machine(tree: dict[str, Any]) -> dict[str, Any]:
    tree["cores"] = tree.pop("machine")
    return {**tree, "wires": []}


CHAIN: dict[migrate.Kind, dict[int, migrate.Migration]] = {
    "design": {1: _rename_machine, 2: _split_machine},
    "level": {},
}


def test_versions_agree() -> None:
    assert migrate.CURRENT == FORMAT
    assert all(set(steps) == set(range(1, FORMAT)) for steps in migrate.MIGRATIONS.values())


def test_each_step_is_taken_in_turn_and_the_tree_given_is_kept() -> None:
    old = {"perwatt": 1, "parts": [1]}
    new = migrate.migrate(old, "design", current=3, migrations=CHAIN)
    assert new == {"perwatt": 3, "cores": [1], "wires": []}
    assert old == {"perwatt": 1, "parts": [1]}
    assert migrate.migrate({"perwatt": 2, "machine": []}, "design", current=3, migrations=CHAIN)["cores"] == []
    assert migrate.migrate(new, "design", current=3, migrations=CHAIN) is new


def test_newer_and_unheard_of_versions_are_refused() -> None:
    for version, kind, code in [
        (4, "design", "newer-format"),
        (0, "design", "unknown-format"),
        (1, "level", "unknown-format"),
    ]:
        with pytest.raises(InvalidError) as caught:
            migrate.migrate({"perwatt": version}, kind, "x.yaml", current=3, migrations=CHAIN)  # type: ignore[arg-type]
        (found,) = caught.value.problems
        assert (found.code, found.path, found.file) == (code, ("perwatt",), "x.yaml")


@pytest.mark.parametrize("version", [None, True, "1", 1.5, [1]])
def test_a_version_that_is_no_number_is_left_to_validation(version: object) -> None:
    tree = {"perwatt": version}
    assert migrate.migrate(tree, "level") is tree


def test_loading_an_old_file_migrates_it_and_leaves_it_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def from_zero(tree: dict[str, Any]) -> dict[str, Any]:
        tree["level"] = tree.pop("for")
        return tree

    path = tmp_path / "old.yaml"
    text = "perwatt: 0\nfor: probe-01-map\ncores: []\n"
    path.write_text(text)
    monkeypatch.setattr(migrate.migrate, "__kwdefaults__", {"current": 1, "migrations": {"design": {0: from_zero}}})
    assert load_design(path).level == "probe-01-map"
    assert path.read_text() == text
    path.write_text("perwatt: 0\nfor: Probe\ncores: []\n")
    with pytest.raises(InvalidError, match=r"old\.yaml:1:1: level: found 'Probe'"):
        load_design(path)
