"""Cards come from what a machine does: each is found somewhere in the campaign, and none everywhere."""

from __future__ import annotations

from functools import cache

import pytest

from engine import simulate
from engine.elaborate import elaborate
from game.discoveries import CARDS, Card, Evidence, discover
from levels import load_design, load_level
from levels.lookup import campaign, find_level


@cache
def found(level_id: str) -> tuple[str, ...]:
    """Cards of a level's best reference, built after its naive one."""
    level = load_level(level_id)
    assert level.reference
    folder = find_level(level_id).parent
    naive, best = load_design(folder / level.reference.naive), load_design(folder / level.reference.best)
    evidence = Evidence(level, best, elaborate(level, best), simulate(level, best), naive, simulate(level, naive))
    return tuple(card.id for card in discover(evidence))


def test_at_least_sixteen_ideas_are_in_the_campaign_and_none_is_in_every_level() -> None:
    by_level = {entry.id: set(found(entry.id)) for entry in campaign()}
    everywhere = set.intersection(*by_level.values())
    assert len(set.union(*by_level.values())) >= 16
    assert everywhere == set()


@pytest.mark.parametrize(
    ("level_id", "card"),
    [
        ("first-light-01-ignition", "rate-matching"),
        ("first-light-05-two-roads", "slack-matching"),
        ("first-light-06-the-jam", "strength-reduction"),
        ("first-light-07-breathing", "elastic-buffer"),
        ("first-light-08-spring-cleaning", "dead-code"),
        ("first-light-09-merry-go-round", "loop-initiation"),
        ("first-light-10-pack-light", "reduce-first"),
        ("gpu-puzzles-08-shared", "needless-barrier"),
        ("gpu-puzzles-09b-pooling-over-blocks", "line-buffer"),
        ("gpu-puzzles-14a-matmul", "stationary-weights"),
        ("gpu-puzzles-14b-matmul-tiles", "interleaving"),
    ],
)
def test_the_level_that_teaches_an_idea_gives_its_card(level_id: str, card: str) -> None:
    assert card in found(level_id)


def test_a_card_is_given_once_and_in_the_books_order() -> None:
    level_id = "first-light-08-spring-cleaning"
    level = load_level(level_id)
    assert level.reference
    best = load_design(find_level(level_id).parent / level.reference.best)
    evidence = Evidence(level, best, elaborate(level, best), simulate(level, best))
    first = [card.id for card in discover(evidence)]
    assert first
    assert discover(evidence, known=first) == []
    order = [card.id for card, _ in CARDS]
    assert first == sorted(first, key=order.index)


def test_the_book_has_room_for_twenty_four_and_no_card_twice() -> None:
    cards: list[Card] = [card for card, _ in CARDS]
    assert 16 <= len(cards) <= 24
    assert len({card.id for card in cards}) == len({card.name for card in cards}) == len(cards)
