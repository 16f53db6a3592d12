"""The committed designs of the campaign are what the house's scripts draw."""

from __future__ import annotations

import pytest

from levels.house.__main__ import main
from levels.house.registry import design_path, make, recipes
from levels.lookup import campaign, designs_beside, find_level
from levels.save import design_text

DESIGNS = [(level, role) for level, roles in recipes().items() for role in roles]


@pytest.mark.parametrize(("level", "role"), DESIGNS)
def test_committed_file_is_what_its_script_draws(level: str, role: str) -> None:
    path = design_path(level, role)
    assert path.read_text(encoding="utf-8") == design_text(make(level, role)), (
        f"{path.name} differs from its recipe: run python -m levels.house {level}"
    )


@pytest.mark.parametrize("level", recipes())
def test_every_design_beside_a_level_has_a_recipe(level: str) -> None:
    assert set(designs_beside(find_level(level))) == set(recipes()[level])


def test_recipes_are_for_levels_of_the_campaign_in_its_order() -> None:
    made = recipes()
    assert list(made) == [entry.id for entry in campaign() if entry.id in made]


def test_unknown_level_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["first-light-99-nowhere"]) == 2
    assert "first-light-99-nowhere" in capsys.readouterr().err
