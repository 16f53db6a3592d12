"""Names of designs, and what their folders are called: a name is never part of a path."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection

NAME_LENGTH = 80
"""Characters of a design's name, as in :class:`engine.model.Design`."""
UNNAMED = "design"
KEY = re.compile(r"(\d{3,9})-([a-z0-9-]{1,32})-([0-9a-f]{8})")
"""A design's folder: running number, slug and hash of its first name."""

# Marks that turn the direction of the text around them, and characters that no file may hold.
_HIDDEN = re.compile("[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
_COUNT = re.compile(r" \d{1,9}\Z")


def clean_name(text: str) -> str:
    """The name that a design gets from any text: one line of at most 80 characters without invisible ones.

    ``clean_name(clean_name(text)) == clean_name(text)``.
    """
    visible = (
        c for c in " ".join(text.split()) if unicodedata.category(c) not in ("Cc", "Cs") and not _HIDDEN.match(c)
    )
    name = " ".join(unicodedata.normalize("NFC", "".join(visible)).split())[:NAME_LENGTH].strip()
    return name if any(unicodedata.category(c)[0] in "LNPS" for c in name) else UNNAMED


def free_name(text: str, taken: Collection[str]) -> str:
    """The name made from ``text``, or the first of "name 2", "name 3", … that is not taken, in whatever case."""
    folded = {name.casefold() for name in taken}
    name = wanted = clean_name(text)
    count = 1
    while name.casefold() in folded:
        count += 1
        end = f" {count}"
        name = _COUNT.sub("", wanted)[: NAME_LENGTH - len(end)].rstrip() + end
    return name


def key_of(name: str) -> str:
    """A folder's name for a design, with the number still to be given: ``000-three-taps-1a2b3c4d``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:32].strip("-") or UNNAMED
    return f"000-{slug}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def number_of(key: str) -> int:
    return int(key.split("-", 1)[0])


def generated_name(design_hash: str) -> str:
    """The name of a machine that nobody named, always the same for the same machine: "quiet heron 3f"."""
    number = int.from_bytes(hashlib.sha256(design_hash.encode()).digest()[:4], "big")
    number, first = divmod(number, len(_FIRST))
    number, second = divmod(number, len(_SECOND))
    return f"{_FIRST[first]} {_SECOND[second]} {number % 256:02x}"


_FIRST = re.findall(
    r"\w+",
    "amber brisk calm clear cool copper dawn deep dry early even faint fleet glad grey keen late lean light lone mild "
    "narrow neat pale plain quick quiet sharp slow spare still swift",
)
_SECOND = re.findall(
    r"\w+",
    "aspen birch brook cedar comet cove crane delta dune ember fern finch fjord glade grove heron kite lark linden "
    "marsh maple mesa moth otter pine plover reed ridge swan tern willow wren",
)
