"""Every code that a check of a level's board or of a design may give, and the list that collects them.

The table is the contract: codes are stable, a test demands a file in ``tests/corpus/boards`` for each of them, and
:meth:`Problems.add` refuses a code that is not listed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from engine.errors import Path, Problem, nearest

CODES: dict[str, str] = {
    # the level
    "unknown-technology": "no technology file has this name",
    "blocked-outside": "a blocked rectangle that leaves the board",
    "not-on-edge": "a pad that is not at the board's edge",
    "unknown-array": "an array that the kernel does not have",
    "array-role": "a pad that cannot work with this array",
    "pad-key": "a key that belongs to another kind of pad",
    "no-grid": "a threads pad, or a limit by thread, in a level without threads",
    "many-threads-pads": "more than one threads pad",
    "unknown-word": "a word that a token cannot have",
    "no-output-pad": "an output array that no pad writes",
    # cores and their settings
    "unknown-core": "a core that does not exist",
    "pad-as-core": "a pad in the place of a core",
    "part-not-allowed": "a core that the level does not offer",
    "too-many-parts": "more cores of a kind than the level offers",
    "duplicate-id": "two elements of one name",
    "other-level": "a design made for another level",
    "unknown-pad": "settings of a pad that the level does not have",
    "off-board": "a core or pad outside the board",
    "blocked-tile": "a core or pad on a blocked tile",
    "overlap": "two elements on one tile",
    "unknown-setting": "a setting or port that the core does not have",
    "bad-setting": "a setting with a value that is not allowed",
    "missing-setting": "a setting that has no default",
    "not-offered": "a setting that this level does not offer, such as a voltage, a track or a shield",
    "no-effect": "a setting that does nothing without another one",
    "bad-immediate": "an immediate that the port cannot take",
    "unused-choice": "words chosen at a port without a wire",
    # wires
    "unknown-element": "a wire to or from something that is not there",
    "unknown-port": "a port that the core does not have",
    "port-direction": "an input used as an output, or the reverse",
    "repeated-port": "a wire that ends twice at one port",
    "split-wire": "a wire that ends at several ports of a shared memory which work apart",
    "path-end": "a path that does not begin or end at its core",
    "path-zero": "a path without length",
    "path-bend": "a path that is not laid along rows and columns",
    "path-off-board": "a path that leaves the board",
    "path-crosses": "a path over a core, a pad or a blocked tile",
    "tracks": "more words across a tile edge than it has tracks",
    "track-taken": "a named track that is taken, or not there",
    # words and ports
    "no-such-word": "a chosen word that the packet does not have",
    "repeated-word": "a word that is chosen twice for one wire",
    "packet-width": "a packet with more or fewer words than the port takes",
    "uneven-wires": "wires of different widths at one port or at ports that must be alike",
    "packet-too-wide": "a packet of more than six words, or of more values than it can store",
    "lanes-differ": "packets of different numbers of lanes that meet",
    "takes-scalars": "packets of several lanes where only scalars are taken",
    "split-predicate": "a word that decides about whole packets and differs from lane to lane",
    "wire-and-immediate": "a port with a wire and an immediate",
    "shared-wire": "a wire that serves several ports, beside another wire at one of them",
    "missing-input": "an input without a wire and without an immediate",
    "only-immediates": "a core that no packet ever reaches",
    "unused-core": "a core without any wire",
    # the whole
    "output-unwired": "an output array that no wire leads to",
    "word-kind": "an int32 word where a float32 is taken, or the reverse",
    "loop-without-token": "a loop in which every core waits for the next",
}
"""What each code means, in a few words."""


MAX_SUGGESTIONS = 100
"""Unknown words for which one file gets a "did you mean"."""

MAX_LISTED = 40
"""Names listed in one message."""


class Problems(list[Problem]):
    """Problems found so far."""

    suggestions = 0
    """How many :meth:`suggest` has made."""

    def add(self, code: str, path: Path, message: str, severity: Literal["error", "warning"] = "error") -> None:
        """Note one problem; ``code`` must be listed in :data:`CODES`."""
        assert code in CODES, code
        self.append(Problem(code, message, path, severity=severity))

    @property
    def fatal(self) -> bool:
        """Whether one of them is an error."""
        return any(p.severity == "error" for p in self)

    def suggest(self, word: str, allowed: Iterable[str]) -> str:
        """:func:`suggest` for one of the first unknown words; for further ones without looking for what is alike."""
        self.suggestions += 1
        return suggest(word, allowed, look=self.suggestions <= MAX_SUGGESTIONS)


def plural(n: int, word: str) -> str:
    """``"1 word"``, ``"3 words"``."""
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def listed(words: Iterable[str], last: str = "and") -> str:
    """``"a, b and c"``."""
    words = list(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else "none"


def without_gate(name: str) -> str:
    """That ``sleep_after`` or ``ahead`` stands where nothing sleeps."""
    return f"{name} does nothing without gate, so it never sleeps: add gate: true, or leave {name} out"


MEANT = {"volts": "voltage_mv", "volt": "voltage_mv", "mv": "voltage_mv", "sleep": "gate", "sleeps": "gate"}
"""Names that people give to settings of physics, and those that they have."""


def suggest(word: str, allowed: Iterable[str], *, look: bool = True) -> str:
    """What to try in place of an unknown ``word``: the most alike of the ``allowed`` ones, or all of them.

    Looking for what is alike takes time in proportion to the number of words; ``look`` False leaves it out.
    """
    allowed = list(allowed)
    meant = MEANT.get(word.lower())
    if meant not in allowed:
        meant = nearest(word, allowed) if look else None
    if meant is not None:
        return f"did you mean '{meant}'?"
    if len(allowed) > MAX_LISTED:
        return f"there are {', '.join(allowed[:MAX_LISTED])} and {len(allowed) - MAX_LISTED} more"
    return f"there {'is' if len(allowed) == 1 else 'are'} {listed(allowed)}"
