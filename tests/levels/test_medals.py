"""The rule for medals."""

from __future__ import annotations

from fractions import Fraction

import pytest

from levels.medals import medals_by_rule


@pytest.mark.parametrize(
    ("naive", "best", "bronze", "silver", "gold"),
    [(98.1, 204.0, 113.6, 152.2, 196.7), (0.166, 0.315, 0.1887, 0.2438, 0.3051), (1.0, 1024.0, 4.0, 64.0, 724.1)],
)
def test_rule(naive: float, best: float, bronze: float, silver: float, gold: float) -> None:
    medals = medals_by_rule(naive, best)
    assert (medals.bronze, medals.silver, medals.gold) == (bronze, silver, gold)


def test_four_digits_half_to_even() -> None:
    # With r = 1 every medal is the naive score itself; both of these are exact halves in binary.
    assert medals_by_rule(1000.5, 1000.5).gold == 1000
    assert medals_by_rule(1001.5, 1001.5).gold == 1002


def test_medals_lie_between_the_references() -> None:
    for i in range(1, 200):
        naive, best = float(Fraction(i, 7)), float(Fraction(i, 7) * Fraction(100 + i, 100))
        medals = medals_by_rule(naive, best)
        assert naive * 0.9999 <= medals.bronze <= medals.silver <= medals.gold <= best * 1.0001
