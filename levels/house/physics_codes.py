"""Chapter 3, "Thin ice": the machines of levels 7 and 8, about codes that switch less."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

# --- 07 One bit at a time ----------------------------------------------------------------------------------

ONE_BIT = "physics-07-one-bit-at-a-time"


def _three(
    b: Builder,
    index: str | None = None,
    signed: str | None = None,
    data: str | None = None,
    into: str | None = None,
    at: tuple[int, int] = (28, 4),
    core: str = "xor",
) -> None:
    """Random words mixed with the count at ``at``, and signed ones straight across; ``index`` … are the wires' codes,
    ``data`` that of the mixed words."""
    mixed = b.place(core, at, "mixed")
    b.wire("t.token", mixed.a, every_ns=1, encoding=index)
    b.wire("w.value", mixed.b, every_ns=1, encoding=into)
    b.wire(mixed.out, "out.value", every_ns=1, encoding=data)
    b.wire("s.value", "signed.value", every_ns=1, encoding=signed)


@design(ONE_BIT, "naive")
def bit_naive(b: Builder) -> None:
    """All wires raw and in step with the pads, and the mixer near the right pads."""
    _three(b, at=(26, 4))


@design(ONE_BIT, "best")
def bit_best(b: Builder) -> None:
    """Gray on the count, of which one line changes at a time, and on signed numbers, whose upper lines then stand
    still. The random words stay raw: gray would gain nothing there and take the time of one more decoder."""
    _three(b, "gray", "gray")


@design(ONE_BIT, "without-index")
def bit_without_index(b: Builder) -> None:
    """The count is sent as it is."""
    _three(b, signed="gray")


@design(ONE_BIT, "without-signed")
def bit_without_signed(b: Builder) -> None:
    """Signed numbers are sent as they are: with each change of sign 25 lines change."""
    _three(b, "gray")


@design(ONE_BIT, "without-place")
def bit_without_place(b: Builder) -> None:
    """The mixer stands two tiles to the left: two tiles less for the count, four more for random words."""
    _three(b, "gray", "gray", at=(26, 4))


@design(ONE_BIT, "wrong-gray-everywhere")
def bit_gray_everywhere(b: Builder) -> None:
    """Gray on the mixed words as well: no line less, and one decoder too many for the limit."""
    _three(b, "gray", "gray", "gray")


@design(ONE_BIT, "wrong-high")
def bit_high(b: Builder) -> None:
    """The mixer stands above the count's road: a detour, and the limit is missed."""
    _three(b, "gray", "gray", at=(28, 3))


@design(ONE_BIT, "wrong-and")
def bit_and(b: Builder) -> None:
    """And in place of exclusive or."""
    _three(b, "gray", "gray", core="and")


# --- 08 Upside down ----------------------------------------------------------------------------------------

UPSIDE_DOWN = "physics-08-upside-down"


def _across(
    b: Builder, random: str | None = None, signed: str | None = None, counted: str | None = None, raw: str = ""
) -> None:
    """Three wires straight across, with their codes; the one that ends at ``raw`` has no decoder."""
    for start, end, code in (
        ("r.value", "random", random),
        ("s.value", "signed", signed),
        ("t.token", "counted", counted),
    ):
        b.wire(start, f"{end}.value", every_ns=1, encoding=code, receiver="raw" if end == raw else None)


@design(UPSIDE_DOWN, "naive")
def upside_naive(b: Builder) -> None:
    """All wires raw, in step with the pads."""
    _across(b)


@design(UPSIDE_DOWN, "best")
def upside_best(b: Builder) -> None:
    """Random words by bytes. Signed numbers as a whole: their upper lines change all together, and one line tells. The
    count is left alone."""
    _across(b, "bus-invert-4", "bus-invert")


@design(UPSIDE_DOWN, "without-random")
def upside_without_random(b: Builder) -> None:
    """Random words are sent as they are."""
    _across(b, signed="bus-invert")


@design(UPSIDE_DOWN, "without-signed")
def upside_without_signed(b: Builder) -> None:
    """Signed numbers are sent as they are."""
    _across(b, "bus-invert-4")


@design(UPSIDE_DOWN, "without-bytes")
def upside_without_bytes(b: Builder) -> None:
    """Random words are inverted as a whole or not at all."""
    _across(b, "bus-invert", "bus-invert")


@design(UPSIDE_DOWN, "without-restraint")
def upside_without_restraint(b: Builder) -> None:
    """The count has an encoder as well, which never has anything to do."""
    _across(b, "bus-invert-4", "bus-invert", "bus-invert")


@design(UPSIDE_DOWN, "wrong-no-decoder")
def upside_no_decoder(b: Builder) -> None:
    """The random words have no decoder: what was sent upside down arrives upside down."""
    _across(b, "bus-invert-4", "bus-invert", raw="random")


@design(UPSIDE_DOWN, "wrong-signed-raw")
def upside_signed_raw(b: Builder) -> None:
    """The signed numbers have no decoder."""
    _across(b, "bus-invert-4", "bus-invert", raw="signed")
