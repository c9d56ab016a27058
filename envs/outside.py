"""The methods that single and vector environments share, besides Gymnasium's own."""

import logging
import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete, Space
from numpy.typing import NDArray

from optimus_gym.core.actions import noop
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Sight
from optimus_gym.envs.config import plain_arguments
from optimus_gym.envs.courses import Progress
from optimus_gym.envs.view import View

RENDER_SIZE = (640, 360)
"""Width and height in pixels of the pictures of `render()`, as in the papers."""
_LOG = logging.getLogger("optimus_gym")
_SAID: set[str] = set()


class Outside:
    """The public methods that environments have besides Gymnasium's, such as `snapshot` and `progress`."""

    _view: View
    _spec: EnvSpec | None = None
    _arguments: Mapping[str, Any]
    """The environment's arguments in JSON's types; a deep copy or unpickled copy is built from them."""

    def __reduce__(self) -> tuple[Any, ...]:
        self._view.config.check_copies()
        return partial(type(self), **self._arguments), ()

    def _reopen(self) -> None:
        """Rebuild worlds and parts if the environment is closed, for a reset after `close`.

        Raises:
            BadValue: another environment uses an object that was given for a part.
        """
        if self._view.runtime.closed:
            self._view = self._view.reopened()

    def _check_begun(self, what: str) -> None:
        """Check that the environment is reset and open.

        Raises:
            ResetNeeded: the environment awaits its first reset, or a reset after `close`; the message says
                which.
        """
        if self._view.runtime.closed:
            raise ResetNeeded(f"the environment is closed; reset it before a {what}")
        if self._view.runtime.awaits_reset:
            raise ResetNeeded(f"reset the environment before its first {what}")

    def _warn_of_no_render_mode(self) -> None:
        """Warn, as Gymnasium's own environments do, that `render` shows nothing."""
        name = "..." if self._spec is None else self._spec.id
        gymnasium.logger.warn(
            "render() shows nothing, since the environment was made without a render mode; "
            f'give it one: gym.make("{name}", render_mode="rgb_array")'
        )

    @property
    def powers(self) -> frozenset[str]:
        """The powers (capabilities) of the environment's world; `core.world_powers.POWERS` explains them."""
        return self._view.runtime.can

    @property
    def spec(self) -> EnvSpec | None:
        """The specification that `gym.make` used, which serialises and rebuilds the same environment.

        A part that was given as an object appears in the specification as the name of its class. To rebuild
        the environment, give an object for that part again.
        """
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        self._spec = spec
        if spec is not None:
            spec.kwargs = plain_arguments(spec.kwargs)

    @property
    def item_names(self) -> tuple[str, ...]:
        """The vocabulary: item names by index in `inventory`, `subgoal` and the action's item."""
        return self._view.vocabulary.names

    @property
    def skill_names(self) -> tuple[str, ...]:
        """The meanings of the sub-goal view's actions, by number; empty in the control and the flat view."""
        return self._view.skill_names

    @property
    def action_meanings(self) -> tuple[tuple[str, ...], ...]:
        """The meaning of each value of each entry of a low-level action; empty in the sub-goal view."""
        return self._view.action_meanings

    def noop(self) -> NDArray[np.int64] | int:
        """Return one row's action that does nothing; the sub-goal view returns 0, which follows the plan."""
        places = len(self.action_meanings)
        return noop(places).astype(np.int64) if places else 0

    def snapshot(self, row: int = 0) -> Snapshot:
        """Return the state of a row's world as an immutable value; `Snapshot.save(path)` makes a file of it.

        The snapshot holds land, creatures, items and player, but no part of the episode, such as its ticks.

        Raises:
            BadValue: there is no such row, or the world cannot be saved.
            ResetNeeded: the call comes before the first reset, or after `close`.
        """
        self._check_begun("snapshot")
        return self._view.runtime.snapshot(row)

    def sights(self, row: int = 0, resolution: tuple[int, int] | None = None) -> tuple[Sight, ...]:
        """Return the blocks, creatures and items in a row's frame, most pixels first; changes nothing.

        The sights are ground truth for checks of verdicts on pictures; no observation holds the sights.

        Args:
            row: the row.
            resolution: width and height of the picture that is counted; None takes the observation's.

        Raises:
            BadValue: the row does not exist, the resolution is out of range, or the world lacks the power
                "sights".
            ResetNeeded: the call comes before the first reset, or after `close`.
        """
        self._check_begun("sights")
        return self._view.runtime.sights(row, resolution)

    def command(self, text: str, row: int = 0) -> str:
        """Carry out a chat command of the game in a row's world, between two steps.

        docs/commands.md lists the commands. The episode counts as assisted: `info["assists"]`, with
        `info="full"`, and result rows name "commands". The observation of the next step shows the effect.

        Args:
            text: the command, with or without the slash, such as "/time set noon".
            row: the row.

        Returns:
            the line that the game shows; "" while the game rule sendCommandFeedback is false.

        Raises:
            BadValue, UnknownName: there is no such row, the world lacks the power "commands", or the world
                refuses the command; nothing has changed.
            ResetNeeded: the call comes before the first reset, after the episode's end, or after `close`.
        """
        self._check_begun("command")
        row = self._view.runtime.check_row(row)
        episode = self._view.runtime.episode(row)
        if episode.over:
            raise ResetNeeded(f"the episode is over ({episode.status}); reset before a command")
        return self._view.runtime.command(row, text)

    @property
    def told(self) -> dict[str, Any]:
        """Return what a policy's file should tell of its training: `hold`, `view_distance` and `pov`.

        `model.optimus_gym = env.unwrapped.told` lets the controller `sb3` play the policy as it was trained.
        """
        config = self._view.config
        return {"hold": config.hold, "view_distance": config.view_distance, "pov": config.pov}

    def inventory(self, row: int = 0) -> dict[str, int]:
        """Return the pieces that a row holds of each item by name, armour and off-hand included.

        With `info="full"`, `dict(info["inventory"])` holds the counts that this method returns.

        Raises:
            BadValue: there is no such row.
            ResetNeeded: the call comes before the first reset, or after `close`.
        """
        self._check_begun("look at the inventory")
        return self._view.runtime.inventory(self._view.runtime.check_row(row))

    def situation(self, row: int = 0, plan: bool = True) -> str:
        """Return a row's situation as a text, from which a language model can choose the next action.

        The text has one line for each of these: status, task, goal, items held, equipment, stations in reach,
        vitals, place (biome and position only if the protocol reveals them) and seconds left; with an agent,
        the latest sub-goal with its outcome, and the plan; in the sub-goal view, the possible actions with
        their numbers. With `info="full"`, `info["situation"]` is the text that this method returns.

        Args:
            row: the row.
            plan: whether the text has the lines on latest sub-goal, plan and possible actions.

        Raises:
            BadValue: there is no such row.
            ResetNeeded: the call comes before the first reset, or after `close`.
        """
        self._check_begun("look at the situation")
        return self._view.texts([self._view.runtime.check_row(row)], plan)[0]

    def watch(self, callback: Callable[[int], None]) -> None:
        """Call `callback(row)` after each tick of a row's world, or after each sub-goal done by the world."""
        self._view.watch(callback)

    def latest_action(self, row: int = 0) -> NDArray[np.int32]:
        """Return the latest tick's low-level action (int32[15], the item as item id), a copy.

        With `watch`, callers can record the actions of controller and helper.

        Raises:
            BadValue: there is no such row.
        """
        return self._view.latest_action(self._view.runtime.check_row(row))

    def progress(self, row: int = 0) -> Progress:
        """Return the task and progress of a row's running episode, for people.

        Raises:
            BadValue: there is no such row.
            ResetNeeded: the call comes before the first reset, or after `close`.
        """
        self._check_begun("progress")
        return self._view.progress(self._view.runtime.check_row(row))


def check_shape(actions: object, space: Space[Any], rows: int | None = None) -> NDArray[Any]:
    """Check the shape of an action, or with `rows` of that many actions, and return an array.

    Raises:
        BadValue: the action is a ragged list, or its shape is not that of `space`.
    """
    assert space.shape is not None, "actions are arrays"
    expected = space.shape if rows is None else (rows, *space.shape)
    try:
        made = np.asarray(actions)
    except ValueError:  # lists of several lengths
        made = None
    if made is not None and made.shape == expected:
        return made
    got = shown(actions) if made is None else f"{made.dtype} of shape {made.shape}"
    many = f"{math.prod(space.shape)} integers"
    one = f"an integer from 0 to {space.n - 1}" if isinstance(space, Discrete) else many
    wanted = (
        f"action: expected {one}" if rows is None else f"actions: expected {rows} rows of {one}"
    )
    raise BadValue(f"{wanted}, got {got}")


def checked_options(options: object) -> dict[str, Any]:
    """Return a copy of a reset's options.

    Raises:
        BadValue: the options are no mapping.
    """
    if options is not None and not isinstance(options, Mapping):
        raise BadValue(f"options: expected a mapping or None, got {shown(options)}")
    return dict(options or {})


def say_once_if_privileged(view: View) -> None:
    """Log once in each process that a privileged controller or agent is inside `view`."""
    for name in view.privileged:
        if name in _SAID:
            continue
        _SAID.add(name)
        _LOG.warning(
            "%s is privileged: it reads the world itself. Its figures do not compare with those "
            "of agents that see pictures.",
            name,
        )
