"""The rule for medals: from the two reference designs, never by hand.

With r = best / naive (launches/nJ), a medal stands at naive × r^x: bronze at x = 0.2, silver at 0.6, gold at 0.95,
so that gold needs the idea and not the last per cent. Four significant digits, halves to even.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal

from engine.model import MedalSpec

SHARES = {"bronze": Decimal("0.2"), "silver": Decimal("0.6"), "gold": Decimal("0.95")}
DIGITS = 4

# Decimal powers are rounded correctly and alike everywhere; those of floats depend on the C library.
_EXACT = Context(prec=40)
_WRITTEN = Context(prec=DIGITS, rounding=ROUND_HALF_EVEN)


def medals_by_rule(naive: float, best: float) -> MedalSpec:
    """The medals of a level whose references score ``naive`` and ``best``, both above 0, in launches/nJ."""
    low, high = Decimal(naive), Decimal(best)
    ratio = _EXACT.divide(high, low)

    def at(share: Decimal) -> float:
        return float(_WRITTEN.plus(_EXACT.multiply(low, _EXACT.power(ratio, share))))

    return MedalSpec(**{name: at(share) for name, share in SHARES.items()})
