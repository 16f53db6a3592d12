"""Codes for the words on a wire, against what is known of them from elsewhere."""

from __future__ import annotations

import random
from itertools import combinations, pairwise
from math import comb

import pytest

from engine.encodings import ENCODINGS, LINES, PARITY, UNCORRECTABLE, decode, encode, hit, start_lines

TOP = 2**32


def words(count: int, seed: int = 1) -> list[int]:
    """Words of any pattern, the ends of the range, and small ones of both signs."""
    rng = random.Random(seed)
    ends = [0, 1, 2, 3, TOP - 1, TOP - 2, 2**31, 2**31 - 1, 0x55555555, 0xAAAAAAAA]
    fibonacci = [1, 2]
    while fibonacci[-1] < TOP:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    near = [f + d for f in fibonacci[:-1] for d in (-1, 0, 1)]
    return ends + [w % TOP for w in near] + [rng.randrange(TOP) for _ in range(count)]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_is_sent_comes_out(encoding: str) -> None:
    lines = start_lines(encoding)
    for word in words(3000):
        lines = encode(encoding, word, lines)
        assert 0 <= lines < 1 << LINES[encoding]
        assert decode(encoding, lines) == (word, False, "")


def test_gray_toggles_one_line_per_count() -> None:
    assert all((encode("gray", n) ^ encode("gray", n + 1)).bit_count() == 1 for n in range(2**14))
    for n in words(500):
        assert (encode("gray", n) ^ encode("gray", (n + 1) % TOP)).bit_count() == 1, "the wrap-around as well"


# --- bus-invert -----------------------------------------------------------------------------------------------


def expected_toggles(lines: int) -> float:
    """Mean of the smaller of k and lines − k, k of lines lines differing at random."""
    return sum(comb(lines, k) * min(k, lines - k) for k in range(lines + 1)) / 2**lines


@pytest.mark.parametrize(("encoding", "groups", "worst"), [("bus-invert", 1, 16), ("bus-invert-4", 4, 16)])
def test_bus_invert_toggles_as_the_binomial_sum_says(encoding: str, groups: int, worst: int) -> None:
    rng = random.Random(3)
    lines, toggles = start_lines(encoding), []
    for _ in range(20_000):
        new = encode(encoding, rng.randrange(TOP), lines)
        toggles.append((new ^ lines).bit_count())
        lines = new
    theory = groups * expected_toggles(32 // groups + 1)
    assert sum(toggles) / len(toggles) == pytest.approx(theory, abs=0.06)
    assert theory == pytest.approx({1: 14.19, 4: 13.08}[groups], abs=0.005)
    assert max(toggles) <= worst


def test_bus_invert_takes_the_better_of_two() -> None:
    for a, b in pairwise(words(2000)):
        before = encode("bus-invert", a, 0)
        plain, inverse = b, b ^ TOP - 1 | TOP
        sent = encode("bus-invert", b, before)
        costs = (plain ^ before).bit_count(), (inverse ^ before).bit_count()
        assert sent == (plain if costs[0] <= costs[1] else inverse)
        assert costs[0] != costs[1], "33 lines are odd in number"
    assert encode("bus-invert-4", 0xFF, 0) == 1 << 32, "a byte of ones costs one line"
    assert encode("bus-invert-4", 0x0F, 0) == 0x0F


# --- codes that find errors -----------------------------------------------------------------------------------


def test_parity_finds_every_odd_number_of_flips_and_no_even_one() -> None:
    for word in words(50):
        lines = encode("parity", word)
        for one in range(33):
            assert decode("parity", lines ^ 1 << one).fault == PARITY
        for one, two in combinations(range(33), 2):
            assert decode("parity", lines ^ 1 << one ^ 1 << two).fault == ""


def test_secded_mends_every_flip_and_finds_every_two() -> None:
    for word in words(20):
        lines = encode("secded", word)
        for one in range(39):
            assert decode("secded", lines ^ 1 << one) == (word, True, "")
        for one, two in combinations(range(39), 2):
            got = decode("secded", lines ^ 1 << one ^ 1 << two)
            assert got.fault == UNCORRECTABLE and not got.corrected


def test_secded_miscorrects_three_in_five_triples() -> None:
    rng, wrong = random.Random(2), 0
    for _ in range(5000):
        word = rng.randrange(TOP)
        flips = sum(1 << line for line in rng.sample(range(39), 3))
        wrong += decode("secded", encode("secded", word) ^ flips).corrected
    assert wrong / 5000 == pytest.approx(0.61, abs=0.03)


def test_secded_is_a_linear_code_of_distance_four() -> None:
    """The sum of two code words is one; the lightest has four ones. Its columns are odd in weight and all differ."""
    units = [encode("secded", 1 << bit) for bit in range(32)]
    for word in words(200):
        total = 0
        for bit in range(32):
            total ^= units[bit] if word >> bit & 1 else 0
        assert total == encode("secded", word)
    checks = [unit >> 32 for unit in units]
    assert len(set(checks)) == 32 and {check.bit_count() for check in checks} == {3} and checks == sorted(checks)


# --- codes against crosstalk ----------------------------------------------------------------------------------


def neighbours(lines: int) -> list[tuple[int, int]]:
    return [(lines >> i & 1, lines >> i + 1 & 1) for i in range(45)]


def test_no_opposites_leaves_out_a_pattern_at_every_pair_of_neighbours() -> None:
    """Opposite motion goes from 01 to 10 or back: where one of them never is, it cannot be."""
    seen: list[set[tuple[int, int]]] = [set() for _ in range(45)]
    for word in words(4000):
        for i, pair in enumerate(neighbours(encode("no-opposites", word))):
            seen[i].add(pair)
    for i, pairs in enumerate(seen):
        assert {(0, 1), (1, 0)} - pairs == {(0, 1) if i % 2 == 0 else (1, 0)}


def test_no_lone_bits_has_no_line_that_differs_from_both_neighbours() -> None:
    for word in words(4000):
        lines = encode("no-lone-bits", word)
        assert all(lines >> i & 7 not in (0b010, 0b101) for i in range(44))


@pytest.mark.parametrize(
    ("encoding", "opposite", "pushed"), [("raw", 3.88, 0.94), ("no-opposites", 0, 1.26), ("no-lone-bits", 1.73, 0)]
)
def test_moves_against_each_other_and_quiet_lines_that_are_pushed_from_both_sides(
    encoding: str, opposite: float, pushed: float
) -> None:
    rng, count = random.Random(5), 6000
    found = [0, 0]
    before = start_lines(encoding)
    for _ in range(count):
        now = encode(encoding, rng.randrange(TOP), before)
        up, down = now & ~before, before & ~now
        found[0] += (up & down << 1).bit_count() + (down & up << 1).bit_count()
        quiet = (1 << LINES[encoding]) - 1 & ~(up | down)
        pressed = quiet & now & down << 1 & down >> 1 | quiet & ~now & up << 1 & up >> 1
        found[1] += pressed.bit_count()
        before = now
    assert found[0] / count == pytest.approx(opposite, abs=0.1 if opposite else 0)
    assert found[1] / count == pytest.approx(pushed, abs=0.06 if pushed else 0)


def test_the_crosstalk_codes_add_up_their_fibonacci_numbers() -> None:
    """Any lines, code word or not, give a word: the numbers of the lines that are set, modulo 2 ** 32."""
    rng = random.Random(7)
    numbers = [1, 1]
    while len(numbers) < 47:
        numbers.append(numbers[-1] + numbers[-2])
    for _ in range(500):
        lines = rng.randrange(2**46)
        chosen = [i for i in range(46) if lines >> i & 1]
        turned = [i for i in range(46) if (lines >> i & 1) != (i % 2 == 0)]
        assert decode("no-lone-bits", lines).word == sum(numbers[i] for i in chosen) % TOP
        assert decode("no-opposites", lines).word == sum(numbers[i + 1] for i in turned) % TOP


# --- late bits in front of an encoder -------------------------------------------------------------------------


def test_a_late_bit_makes_the_word_wrong_where_no_check_bit_tells() -> None:
    for encoding in ENCODINGS:
        before = start_lines(encoding)
        for word in words(200):
            lines = encode(encoding, word, before)
            got = decode(encoding, hit(encoding, lines, word, 2**31))
            if encoding == "secded":
                assert got == (word, True, "")
            elif encoding == "parity":
                assert got.fault == PARITY
            else:
                assert got == (word ^ 2**31, False, "")
            before = lines
