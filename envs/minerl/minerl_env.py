"""The environments `MineRL/<Task>-v0`: a task of MineRL over the embedded world or over a running game."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, WorldFailed, reason_of, shown
from optimus_gym.core.rng import check_seed
from optimus_gym.envs.minerl.action_form import ActionForm, MineRLAction
from optimus_gym.envs.minerl.game_opening import GameGiven, checked_game, opened_game
from optimus_gym.envs.minerl.life_and_place import location_of
from optimus_gym.envs.minerl.minerl_tasks import MineRLTask, minerl_task
from optimus_gym.envs.minerl.observation_form import ObservationForm
from optimus_gym.envs.minerl.possession_rewards import PossessionRewards
from optimus_gym.seeds import drawn_seed
from optimus_gym.worlds.malmo.framing import WireFault
from optimus_gym.worlds.malmo.games import Game, WireMoment
from optimus_gym.worlds.malmo.reports import Worn
from optimus_gym.worlds.malmo.wire_actions import WireAction

MineRLObservation = dict[str, Any]
"""An observation of a task: `pov`, and by task counts, stacks, vitals and statistics."""
_MOST_PIXELS = 4096
_GONE_TICKS = 11
"""Ticks from the tick that throws the snowball to the episode's end (MineRL 0.4.4, BASALT's wrapper)."""


class MineRLEnv(gymnasium.Env[MineRLObservation, MineRLAction]):
    """A task of MineRL 0.4.4 or 1.0: a step is a tick, actions and observations are those of MineRL.

    ## Description
    docs/minerl.md has a table of the tasks and of what differs from MineRL.

    ## Action space
    A `Dict`: each key `Discrete(2)`, `camera` `Box(-180, 180, (2,), float32)`, turns of pitch (positive
    downwards) and yaw in degrees; in MineRL 0.4.4 also functions such as `craft`, each the name of an item or
    "none". `env.action_space.noop()` does nothing. A key that is missing in an action is not pressed.

    ## Observation space
    A `Dict` with `pov` (uint8[height, width, 3]) and, by task, MineRL's other keys.

    ## Reward
    MineRL 0.4.4: the game's. MineRL 1.0: for items held, computed here, since its game gives none.

    ## Episode end
    Terminated when the task's goal is reached, the player dies, or the player ends the episode as the task
    lets him (ESC, a thrown snowball). Truncated when the task's ticks are spent, or the game breaks down
    (`info["error"]`).

    ## Arguments
    task: the task's name, as in the id; set by the id.
    version: "0.4.4" or "1.0"; None: the one of docs/minerl.md's table.
    game: the game that plays: None for the embedded world in this process, "host:port" of a running game of
        the version, or a function without arguments that returns a `worlds.malmo.games.Game`.
    resolution: width and height of `pov`, pixels; None: MineRL's.
    ticks: length of an episode; None: MineRL's.
    render_mode: None or "rgb_array", the picture of the latest observation.

    ## Version history
    v0: free to change until the first release.

    >>> import gymnasium as gym, optimus_gym
    >>> env = gym.make("MineRL/ObtainDiamond-v0")
    >>> sorted(set(env.action_space.noop()) - {"camera"})[:4]
    ['attack', 'back', 'craft', 'equip']

    Raises:
        UnknownName: there is no such task or version.
        BadValue: an argument cannot be used.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": ["rgb_array"],
        "render_fps": 20,
    }

    def __init__(
        self,
        task: str,
        version: str | None = None,
        game: GameGiven = None,
        resolution: tuple[int, int] | None = None,
        ticks: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._arguments: dict[str, Any] = {
            "task": task,
            "version": version,
            "game": game,
            "resolution": resolution,
            "ticks": ticks,
            "render_mode": render_mode,
        }
        self._task = _checked_task(minerl_task(task, version), resolution)
        self._budget = self._task.ticks if ticks is None else check_count("ticks", ticks, 1)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise BadValue(f"render_mode: expected None or 'rgb_array', got {shown(render_mode)}")
        self.render_mode = render_mode
        self._given = checked_game(game)
        self._game: Game | None = None
        self._actions = ActionForm(self._task)
        self._observations = ObservationForm(self._task)
        self._rewards = PossessionRewards(self._task.rewards)
        self._moment: WireMoment | None = None
        self._ticks = 0
        self._left: int | None = None
        self._over = True
        self.action_space = self._actions.space
        self.observation_space = self._observations.space

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self._arguments), ()

    def noop(self) -> dict[str, Any]:
        """Return the action that does nothing."""
        return self._actions.space.noop()

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[MineRLObservation, dict[str, Any]]:
        """Begin an episode; a closed environment opens again.

        Args:
            seed: the land's seed; None draws a training seed.
            options: none are known.

        Raises:
            BadValue: the seed or an option cannot be used; nothing has changed.
            WorldFailed: the game cannot be reached, or breaks down.
        """
        if options:
            raise BadValue(f"options: expected none, got {shown(dict(options))}")
        if seed is not None:
            check_seed(seed)
        super().reset(seed=seed)
        chosen = drawn_seed(self.np_random) if seed is None else int(seed)
        self._over = True
        try:
            if self._game is None:
                self._game = opened_game(self._given, self._task.dialect)
            moment = self._game.begin(self._task.mission, chosen)
        except (WireFault, TimeoutError, WorldFailed) as error:
            self.close()
            raise WorldFailed({0: reason_of(error)}) from error
        self._moment = moment
        self._ticks, self._left, self._over = 0, None, False
        self._rewards.begin()
        return self._observations.observation(moment), self._info(moment)

    def step(
        self, action: MineRLAction
    ) -> tuple[MineRLObservation, float, bool, bool, dict[str, Any]]:
        """Play a tick.

        Raises:
            ResetNeeded: the call comes before the first reset, or after the episode's end or `close`.
            BadValue, UnknownName: the action is malformed; nothing has changed.
        """
        if self._over or self._game is None or self._moment is None:
            raise ResetNeeded("reset the environment before a step: no episode is running")
        wanted = self._actions.wire_action(action)
        try:
            self._game.send(wanted)
            moment = self._game.receive()
        except (WireFault, TimeoutError, WorldFailed) as error:
            return self._broken(self._moment, error)
        thrown = self._is_thrown(wanted, self._moment, moment)
        self._moment = moment
        self._ticks += 1
        earned, reached = self._rewards.earned(moment.report)
        ended = reached or self._task.ends_by_key in wanted.keys or self._is_late(thrown)
        terminated = moment.done or ended
        truncated = not terminated and self._ticks == self._budget
        self._over = terminated or truncated
        reward = moment.reward + earned
        seen = self._observations.observation(moment)
        return seen, reward, terminated, truncated, self._info(moment)

    def _is_thrown(self, action: WireAction, before: WireMoment, after: WireMoment) -> bool:
        """Return whether a tick threw the item that ends the episode.

        MineRL looks for the item's absence. The embedded world throws nothing, so that the use of the item in
        hand counts, too.
        """
        item = self._task.ends_without
        if not item:
            return False
        uses = "use" in action.keys and before.report.worn.get("mainhand", Worn()).item == item
        return uses or all(stack.item != item for stack in after.report.stacks)

    def _is_late(self, thrown: bool) -> bool:
        """Return whether the item that ends the episode was thrown long enough ago."""
        if self._left is not None:
            self._left -= 1
        elif thrown:
            self._left = _GONE_TICKS
        return self._left == 0

    def _broken(
        self, latest: WireMoment, error: Exception
    ) -> tuple[MineRLObservation, float, bool, bool, dict[str, Any]]:
        """End the episode of a game that broke down; the next reset opens a new game."""
        self.close()
        told = {**self._info(latest), "error": reason_of(error)}
        return self._observations.observation(latest), 0.0, False, True, told

    def _info(self, moment: WireMoment) -> dict[str, Any]:
        if not self._task.tells:
            return {}
        report = moment.report
        return {"isGuiOpen": report.screen_open, "location_stats": location_of(report.location)}

    def render(self) -> NDArray[np.uint8] | None:
        """Return a copy of the latest picture (uint8[height, width, 3]); None without a render mode.

        Raises:
            ResetNeeded: the call comes before the first reset.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() shows nothing: make the environment with a render mode")
            return None
        if self._moment is None:
            raise ResetNeeded("reset the environment before its first render")
        return np.array(self._moment.picture[..., :3], np.uint8, order="C")

    def close(self) -> None:
        """Release the game; may be called twice. A reset opens the environment again."""
        game, self._game = self._game, None
        self._over = True
        if game is not None:
            game.close()


def _checked_task(task: MineRLTask, resolution: object) -> MineRLTask:
    """Return the task with pictures of a width and height, or of MineRL's if it is None."""
    if resolution is None:
        return task
    if not isinstance(resolution, tuple | list) or len(resolution) != 2:
        raise BadValue(f"resolution: expected width and height, got {shown(resolution)}")
    width, height = (check_count("resolution", side, 1, _MOST_PIXELS) for side in resolution)
    return task.sized((width, height))
