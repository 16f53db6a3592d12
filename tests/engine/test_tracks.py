"""Tracks of wires and shields, and the stretches where words lie side by side."""

from __future__ import annotations

from engine.stretches import FAR, NEAR, Ribbon, Side, faces_on_shields, sides
from engine.tracks import Conflict, Lane, lay

ROW = tuple((x, 0) for x in range(6))
BACK = ROW[::-1]


def test_the_lowest_place_that_is_free_along_the_whole_path() -> None:
    short = ROW[2:4]
    found, conflicts = lay([Lane(short, 2), Lane(ROW, 1), Lane(ROW, 2), Lane(ROW[:3], 1)], 6)
    assert not conflicts
    assert found[0] == [(0, 1)]
    assert found[1] == [(2,)] * 5
    assert found[2] == [(3, 4)] * 5
    assert found[3] == [(0,)] * 2


def test_named_tracks_come_first_whatever_the_order() -> None:
    found, conflicts = lay([Lane(ROW), Lane(ROW, track=0), Lane(ROW, track=2), Lane(BACK)], 4)
    assert not conflicts
    assert [tracks[0] for tracks in found] == [(1,), (0,), (2,), (3,)]


def test_a_track_that_is_taken_or_not_there() -> None:
    _, conflicts = lay([Lane(ROW[:3], track=1), Lane(ROW[1:], track=1), Lane(ROW, 2, track=3)], 4)
    assert conflicts == [Conflict(1, ((1, 0), (2, 0)), 0), Conflict(2, ((0, 0), (1, 0)), None)]


def test_where_no_place_is_free_everywhere_each_straight_run_has_its_own() -> None:
    corner = (*ROW[:4], (3, 1), (3, 2))
    found, _ = lay([Lane(ROW[:4], track=0), Lane(((3, 0), (3, 1)), track=1), Lane(corner, 1)], 2)
    assert found[2] == [(1,), (1,), (1,), (0,), (0,)]
    twice = (*ROW, *BACK[1:])
    found, conflicts = lay([Lane(twice)], 2)
    assert found == [[(0,)] * 5 + [(1,)] * 5] and not conflicts


def test_single_tracks_are_the_last_resort() -> None:
    found, conflicts = lay([Lane(ROW[:2], track=1), Lane(ROW[:2], 2)], 3)
    assert found[1] == [(0, 2)] and not conflicts


def ribbon(tiles: tuple[tuple[int, int], ...], track: int, words: int = 1) -> Ribbon:
    return Ribbon(tiles, [tuple(range(track, track + words))] * (len(tiles) - 1), words)


def test_stretches_are_as_long_as_two_words_go_the_same_way() -> None:
    assert sides([ribbon(ROW, 0), ribbon(ROW[1:4], 1)], []) == [Side((0, 1), (0, 0), (1, 0), 2, NEAR)]
    assert sides([ribbon(ROW, 0), ribbon(BACK, 1)], []) == []
    down = (*ROW[:3], (2, 1), (2, 2))
    assert sides([ribbon(down, 0), ribbon(down[1:], 1)], []) == [Side((0, 1), (0, 0), (1, 0), 3, NEAR)]


def test_across_an_empty_track_less_and_across_a_shield_or_a_wire_nothing() -> None:
    far = [ribbon(ROW, 0), ribbon(ROW, 2)]
    assert sides(far, []) == [Side((0, 1), (0, 0), (0, 0), 5, FAR)]
    shield = (ROW[1:3], [(1,)])
    assert sides(far, [shield]) == [Side((0, 1), (0, 0), (0, 0), 1, FAR), Side((0, 1), (0, 0), (2, 2), 3, FAR)]
    assert sides([*far, ribbon(BACK, 1)], []) == []
    assert sides([ribbon(ROW, 0), ribbon(ROW, 3)], []) == []
    assert faces_on_shields(ribbon(ROW, 0, 2), [shield, (ROW, [(2,)] * 5)]) == (0 + 1, 5)


def test_words_of_one_packet_lie_beside_each_other_and_extra_lines_shield() -> None:
    assert sides([ribbon(ROW, 0, 3)], []) == [
        Side((0, 0), (0, 1), (0, 0), 5, NEAR),
        Side((0, 0), (1, 2), (0, 0), 5, NEAR),
    ]
    # Two words with more than 32 lines: the third track has what does not fit.
    coded = Ribbon(ROW, [(0, 1, 2)] * 5, 2)
    assert sides([coded, ribbon(ROW, 3)], []) == [Side((0, 0), (0, 1), (0, 0), 5, NEAR)]


def test_two_words_to_a_track_face_those_at_their_places() -> None:
    thin = Ribbon(ROW, [(0, 1)] * 5, 3, per_track=2)
    assert sides([thin], []) == [Side((0, 0), (0, 2), (0, 0), 5, NEAR)]
