"""The environment: an agent builds a machine on a level's board, move by move, and is paid for what each is worth."""

from __future__ import annotations

import math
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces

from engine.energy_bound import energy_limit
from engine.errors import InvalidError, UsageError
from engine.live import Figure, LiveScore
from engine.machines import EngineName
from engine.model import Design
from levels.agents.moves import Bench, Move, Moves
from levels.agents.views import Observation, observe, space
from levels.files import load_design_file, load_level_file
from levels.lookup import find_level, sibling

FLOOR = -10.0
"""Score of a machine that does not pass, and the least of one that does."""

Start = Literal["empty", "start", "naive", "best"]


class PerwattEnv(gymnasium.Env[Observation, np.int64]):
    """Build a machine for ``level`` (a file, an id, or chapter/number).

    Actions are numbers of :class:`levels.agents.moves.Moves`; ``info["action_mask"]`` says which make sense. One that
    the builder refuses changes nothing, and ``info["refused"]`` says why. Observations: :mod:`levels.agents.views`.

    The score of a machine that passes is the natural logarithm of its launches/nJ over the most that any machine
    reaches (proved from the level; over 1 where nothing is proved), at least :data:`FLOOR`; that of any other is
    :data:`FLOOR`. The reward is the change of the score, so the sum over an episode is what the machine is worth more
    than the one at the start. The move ``finish`` ends an episode; ``max_steps`` cut it off.

    An episode begins on an empty board or with one of the level's designs (``start``). With ``data_seed`` None the data
    of the launches is drawn afresh for each episode, from the environment's own generator. The same seed and actions
    give the same everything.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 (Gymnasium's own form)

    def __init__(
        self,
        level: str = "first-light/01",
        *,
        start: Start = "empty",
        max_cores: int = 16,
        max_wires: int = 32,
        max_steps: int = 200,
        data_seed: int | None = 0,
        engine: EngineName = "auto",
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise UsageError(f"render_mode is {render_mode!r}: give ansi or None")
        for name, value in (("max_cores", max_cores), ("max_wires", max_wires), ("max_steps", max_steps)):
            if not 1 <= value <= 1000:
                raise UsageError(f"{name} is {value}: give 1 to 1000")
        path = find_level(level)
        self.level = load_level_file(path).level
        names = {"empty": None, "start": self.level.start}
        if self.level.reference:
            names |= {"naive": self.level.reference.naive, "best": self.level.reference.best}
        if start not in names or (start != "empty" and names[start] is None):
            having = ", ".join(name for name, file in names.items() if file or name == "empty")
            raise UsageError(f"{self.level.id} has no design '{start}': give {having}")
        file = names[start]
        self.start: Design | None = load_design_file(sibling(path, file)).design if file else None
        self.moves = Moves(self.level, max_cores, max_wires)
        self.max_steps = max_steps
        self.data_seed = data_seed
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(self.moves.count)
        self.observation_space = space(self.moves)
        self._engine = engine
        self._limit = energy_limit(self.level).launches_per_nj
        self._live: LiveScore | None = None
        self._bench = Bench(self.moves, self.start)
        self._figure = Figure("invalid")
        self._steps = 0

    @property
    def design(self) -> Design:
        """The machine as it stands. Raises UsageError where wires overfill a tile edge."""
        return self._bench.design()

    @property
    def score(self) -> float:
        """The score of the machine as it stands."""
        if self._figure.verdict != "pass" or self._figure.efficiency <= 0:
            return FLOOR
        return max(FLOOR, math.log(self._figure.efficiency / (self._limit or 1.0)))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin anew; ``options`` may hold a ``design`` to begin with."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(2**31)) if self.data_seed is None else self.data_seed
        if self._live is None or self._live.seed != drawn:
            self._live = LiveScore(self.level, seed=drawn, engine=self._engine)
        self._bench = Bench(self.moves, (options or {}).get("design", self.start))
        self._steps = 0
        self._judge()
        return self._seen(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a move. Raises UsageError for a number that is none."""
        if self._live is None:
            raise UsageError("call reset first")
        move, before, refused = self.moves.read(int(action)), self.score, ""
        self._steps += 1
        if move.what != "finish":
            try:
                self._bench.make(move)
            except UsageError as error:
                refused = str(error)
            else:
                self._judge()
        ended, cut = move.what == "finish", self._steps >= self.max_steps
        return self._seen(), self.score - before, ended, cut and not ended, self._info(refused)

    def render(self) -> str | None:
        """The board as text: P for pads, the first letter of its type for a core, · for wires, # for blocked tiles."""
        if self.render_mode is None:
            return None
        board = self._seen()["board"]
        signs = np.full(board.shape[1:], " ")
        signs[board[3] > 0] = "·"
        signs[board[0] > 0] = "#"
        for pad in self.level.pads:
            signs[pad.at[1], pad.at[0]] = "P"
        for name in self._bench.cores:
            core = self._bench.builder.core(name) if name else None
            if core:
                signs[core.at[1], core.at[0]] = core.core[0]
        rows = ["".join(row).rstrip() for row in signs]
        return "\n".join([*rows, f"{self._figure.verdict} {self._figure.efficiency:.4g} launches/nJ"])

    def decode(self, action: int) -> Move:
        """What an action means."""
        return self.moves.read(int(action))

    def _judge(self) -> None:
        assert self._live is not None
        try:
            self._figure = self._live.edit(self._bench.design())
        except (UsageError, InvalidError):
            self._figure = Figure("invalid")
            return
        if not self._figure.final:
            self._figure = self._live.finish()

    def _seen(self) -> Observation:
        return observe(self._bench, self._figure, self._limit)

    def _info(self, refused: str = "") -> dict[str, Any]:
        figure = self._figure
        problems = [str(problem) for problem in figure.problems[:3]]
        return {
            "action_mask": self._bench.mask(),
            "verdict": figure.verdict,
            "efficiency": figure.efficiency,
            "medal": figure.medal or "",
            "score": self.score,
            "problems": problems,
            "refused": refused,
        }
