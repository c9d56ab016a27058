"""An environment with MineRL's `reset` and `step` as a `games.Game`."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from optimus_gym.core.errors import BadValue, reason_of, shown
from optimus_gym.worlds.malmo.client.observed_reports import observed_picture, observed_report
from optimus_gym.worlds.malmo.dialects import MINERL_0_4, MINERL_1_0, MINESTUDIO, Dialect
from optimus_gym.worlds.malmo.framing import WireFault
from optimus_gym.worlds.malmo.games import WireMoment
from optimus_gym.worlds.malmo.missions import Mission
from optimus_gym.worlds.malmo.wire_actions import FUNCTIONS, NO_BOX, WireAction

_CAMERA: Final = "camera"
_BOXES: Final = ("voxels", "mobs")


class EnvGame:
    """An environment of MineRL 0.4.4, MineRL 1.0 or MineStudio, or one like them, as a game.

    The environment's own mission begins each episode: only the seed is passed on. A tick is carried out when
    its outcome is received.

    Args:
        env: the environment: `reset()`, `step(action)`, and `seed(number)` of its own or of its `env`.
        closes: whether `close` closes the environment.

    Attributes:
        dialect: the dialect whose actions the environment has.
        crafts: whether the environment crafts, smelts, equips and places by name.

    Raises:
        BadValue: the object is no such environment.
    """

    def __init__(self, env: Any, closes: bool = True) -> None:
        lacking = [name for name in ("reset", "step") if not callable(getattr(env, name, None))]
        if lacking:
            raise BadValue(
                f"env: expected an environment with MineRL's reset and step, got a "
                f"{type(env).__name__} without {', '.join(lacking)}"
            )
        self._env = env
        self._closes = closes
        self._seeder = _seeder(env)
        self._still = _still_action(env)
        self.dialect = _dialect_with(self._still)
        self.crafts = "nearbyCraft" in self._still
        self._action = WireAction()

    def begin(self, mission: Mission, seed: int | None) -> WireMoment:
        """Begin an episode of the environment's own mission, with a seed.

        Raises:
            WireFault: the environment raised an error, or returned something else than MineRL's do.
        """
        self._action = WireAction()
        if seed is not None:
            self._call(self._seeder, seed)
        told = self._call(self._env.reset)
        observation, info = told if isinstance(told, tuple) and len(told) == 2 else (told, {})
        return self._moment(observation, info, 0.0, done=False)

    def send(self, action: WireAction) -> None:
        """Keep the action of the next tick."""
        self._action = action

    def receive(self) -> WireMoment:
        """Carry out the tick, and return its outcome.

        Raises:
            WireFault: the environment raised an error, or returned something else than MineRL's do.
        """
        told = self._call(self._env.step, self._filled(self._action))
        if not isinstance(told, tuple) or len(told) not in (4, 5):
            raise WireFault(f"step: expected a tuple of 4 or 5 entries, got {shown(told)}")
        observation, reward, *ends, info = told
        return self._moment(observation, info, float(reward), any(bool(end) for end in ends))

    def _call(self, method: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return method(*arguments)
        except Exception as error:  # the environment is a stranger's: any error means a broken game
            raise WireFault(f"{type(error).__name__}: {reason_of(error)}") from error

    def _filled(self, action: WireAction) -> dict[str, Any]:
        """Return an action as the environment's; what the environment lacks is left out."""
        made = dict(self._still)
        for key in action.keys:
            if key in made:
                made[key] = 1
        if _CAMERA in made:
            made[_CAMERA] = np.array([action.pitch, action.yaw], np.float32)
        if "chat" in made:
            made["chat"] = action.chat
        for key in _BOXES:
            if key in made:
                made[key] = np.array(getattr(action, key), np.int32)
        for word, item in action.functions:
            for key in ("craft", "nearbyCraft") if word == "craft" else (FUNCTIONS[word],):
                if key in made and item in self._values(key):
                    made[key] = item
                    break
        return made

    def _values(self, key: str) -> tuple[str, ...]:
        """Return the items that a function of the environment takes."""
        space = self._env.action_space.spaces[key]
        return tuple(str(value) for value in getattr(space, "values", ()))

    def _moment(self, observation: Any, info: Any, reward: float, done: bool) -> WireMoment:
        """Return what an observation shows and tells."""
        if not isinstance(observation, Mapping) or not isinstance(info, Mapping):
            raise WireFault(f"expected an observation by name, got {shown(observation)}")
        if "error" in info:
            raise WireFault(f"the environment broke down: {shown(info['error'])}")
        told = {**info, **observation}
        for key in _BOXES:
            # MineStudio's info keeps the answers of earlier steps.
            if getattr(self._action, key) == NO_BOX:
                told.pop(key, None)
        report = observed_report(told, self.dialect.old_names)
        return WireMoment(observed_picture(told), report, reward, done)

    def close(self) -> None:
        """Close the environment, if it is to be closed; may be called twice."""
        if self._closes:
            self._closes = False
            self._call(self._env.close)


def _seeder(env: Any) -> Callable[[int], Any]:
    """Return the method that seeds an environment's next episode; MineStudio's is that of its `env`."""
    for owner in (env, getattr(env, "env", None), getattr(env, "unwrapped", None)):
        seeder = getattr(owner, "seed", None)
        if callable(seeder):
            found: Callable[[int], Any] = seeder
            return found
    raise BadValue(f"env: expected an environment with a method seed, got a {type(env).__name__}")


def _still_action(env: Any) -> dict[str, Any]:
    """Return the environment's action that does nothing, by key."""
    space = getattr(env, "action_space", None)
    for owner, name in ((env, "noop_action"), (space, "no_op"), (space, "noop")):
        maker = getattr(owner, name, None)
        if callable(maker):
            made = maker()
            if isinstance(made, Mapping) and _CAMERA in made and "forward" in made:
                return dict(made)
            break
    raise BadValue(
        "env: expected an environment whose actions have keys and camera by name (MineStudio: "
        f'action_type="env"), got a {type(env).__name__}'
    )


def _dialect_with(still: Mapping[str, Any]) -> Dialect:
    """Return the dialect that has an environment's keys."""
    if "chat" in still:
        return MINESTUDIO
    return MINERL_1_0 if "inventory" in still else MINERL_0_4
