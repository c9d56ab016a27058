"""Chooses who carries out a sub-goal tick by tick: controller, helper, or the caller of `env.step`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import ACTION_LENGTH, CONTROL_SIZES, INVENTORY, Function, noop
from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import Controller, ControllerSetting
from optimus_gym.core.parts import Part
from optimus_gym.core.registry import load, names
from optimus_gym.core.types import FUNCTIONAL_VERBS, RECOVER, VERBS, Failure, SubGoal
from optimus_gym.core.world_powers import MouseWorld
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.observer import spread
from optimus_gym.envs.part_answers import check_failures
from optimus_gym.envs.powers import check_part, powers_for
from optimus_gym.game.items import item_names

_SIZES = np.array([*CONTROL_SIZES, len(Function), len(item_names())])
"""The number of values that each of the 15 entries of an action can take."""


_JUDGED_BY: Mapping[str, str] = {
    RECOVER: "predicaments",
    "move": "whereabouts",
    "dig_up": "whereabouts",
}
"""The power of a world that shows whether a sub-goal of a verb is reached, for verbs that need a power."""


class Observing(Protocol):
    """A function that returns the observations of given rows under given keys, as `Observer.look` does."""

    def __call__(
        self, rows: Sequence[int], keys: Sequence[str], canvas: NDArray[np.uint8] | None = None
    ) -> dict[str, NDArray[Any]]:
        """Return the observations."""
        ...


def helper_for(can: Collection[str]) -> Part:
    """Return the first registered helper that needs no other powers than `can`, the world's powers in use.

    Raises:
        BadValue: each helper needs a power that the world lacks.

    >>> helper_for({"keys", "functions", "arrays"}).name
    'functional'
    >>> helper_for({"keys", "mouse", "arrays"}).name
    'gui'
    """
    needed: dict[str, frozenset[str]] = {}
    for name in names("helper"):
        needed[name] = load("helper", name).needs
        if needed[name] <= frozenset(can):
            return Part("helper", name)
    wanted = " or ".join(f"{sorted(needs)} for helper {name!r}" for name, needs in needed.items())
    raise BadValue(
        f"world: expected the powers {wanted}, or the power 'subgoals' (the world carries out sub-goals "
        f"itself), got {sorted(can)}"
    )


class Executors:
    """The controller and the helper of an environment, and which of them carries out each row's sub-goal.

    Args:
        config: the environment's arguments.
        can: the world's powers.
        controller: carries out sub-goals of the verbs that it lists; None leaves all verbs that the helper
            lacks to the caller of `env.step`.
        shares: whether the helper takes its own verbs even if the controller lists them; otherwise the
            controller takes all verbs that it lists. To record a controller for training policies of
            the control view, pass `shares=True`. With `crafting="gui"` the helper takes craft, smelt, equip
            and place from a controller that needs the power "functions", such as the oracle.

    Attributes:
        verbs: verbs of the sub-goals that controller, helper or caller can carry out.
        controllers: verbs of the sub-goals that the controller carries out.
    """

    def __init__(
        self,
        config: EnvConfig,
        can: frozenset[str],
        controller: Controller | None,
        shares: bool = False,
    ) -> None:
        self.controller = controller
        self._can = can
        helper = helper_for(powers_for(config.crafting, can))
        self.helper_name = helper.name
        self.helper: Controller = helper.build()
        if controller is not None:
            check_part(config, "controller", controller, can)
            _check_verbs(config, controller)
        outside = frozenset(VERBS) - self.helper.verbs
        own: frozenset[str] = frozenset() if controller is None else controller.verbs
        if config.crafting == "gui" and "functions" in getattr(controller, "needs", ()):
            own -= FUNCTIONAL_VERBS
        self.controllers = own & outside if shares else own
        verbs = self.helper.verbs | (outside if controller is None else self.controllers)
        self.verbs = frozenset(verb for verb in verbs if _JUDGED_BY.get(verb, "keys") in can)
        self._opens = config.crafting == "gui"
        self._begun: set[int] = set()  # rows whose sub-goal may begin with an open screen
        self._pressed: set[int] = set()  # rows that pressed the inventory key in the latest tick
        self._who: dict[int, Controller | None] = {}
        self._lacking: dict[int, Failure] = {}

    def attach(
        self,
        config: EnvConfig,
        setting: ControllerSetting,
        helpers: ControllerSetting,
        look: Observing,
    ) -> None:
        """Attach controller and helper to the environment.

        Args:
            config: the environment's arguments.
            setting: what the controller gets from the environment.
            helpers: what the helper gets from the environment, the world included.
            look: makes observations.

        Raises:
            BadValue: the controller's `attach` raises the error, or the controller looks at a key that
                observations lack.
        """
        self._look, self._rows, self._make_world = look, setting.rows, helpers.world
        self._canvas: NDArray[np.uint8] | None = None
        self.helper.attach(helpers)
        if self.controller is None:
            return
        width, height = setting.resolution
        self._canvas_shape = (setting.rows, height, width, 3)
        self._name = config.name_of("controller")
        self.controller.attach(replace(setting, draw_into=self._draw_into))
        known = tuple(setting.observation_space.spaces)
        for key in self.controller.looks_at:
            if key not in known:
                raise BadValue(
                    f"controller {config.name_of('controller')!r}: expected keys of the observation, "
                    f"{', '.join(known)}, got {key!r} (looks_at)"
                )

    def _draw_into(self, canvas: NDArray[np.uint8]) -> None:
        """Store the controller's own array, into which frames are then drawn.

        Raises:
            BadValue: the array does not fit the frames, or the controller lacks `fixed_batch`.
        """
        assert self.controller is not None, "an attached controller calls this"
        fits = canvas.shape == self._canvas_shape and canvas.dtype == np.uint8
        if not (fits and canvas.flags.c_contiguous and canvas.flags.writeable):
            raise BadValue(
                f"controller {self._name!r}: expected an array for frames, uint8 {self._canvas_shape}, in "
                f"C order and writeable, got {canvas.dtype} {canvas.shape}"
            )
        if not self.controller.fixed_batch:
            raise BadValue(
                f"controller {self._name!r}: expected fixed_batch=True, since frames are drawn into its "
                "array, got False"
            )
        self._canvas = canvas

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Let controller and helper begin episodes in `rows`; forget the rows' earlier episodes."""
        if "arrays" in self._can and self.controller is not None and self.controller.privileged:
            from optimus_gym.controllers.compile_oracle import compile_controllers

            compile_controllers()
        for row in rows:
            self._who.pop(row, None)
            self._lacking.pop(row, None)
        for executor in (self.controller, self.helper):
            if executor is not None and rows:
                executor.begin_episodes(rows, seeds)

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Choose the executor of each row's sub-goal and hand the sub-goal over.

        The method `act` first closes a screen that a row's former sub-goal left open.
        """
        if self._opens:
            self._begun.update(rows)
        turned: dict[int, tuple[Controller, list[int], list[SubGoal]]] = {}
        for row, subgoal in zip(rows, subgoals, strict=True):
            self._lacking.pop(row, None)
            who = self._who[row] = self._executor_of(subgoal.verb)
            if subgoal.verb not in self.verbs:
                self._lacking[row] = _no_skill(subgoal)
            elif who is not None:
                _, theirs, wanted = turned.setdefault(id(who), (who, [], []))
                theirs.append(row)
                wanted.append(subgoal)
        for who, theirs, wanted in turned.values():
            if who is self.helper and "arrays" in self._can:
                from optimus_gym.controllers.helper.compile_helper import compile_helper

                compile_helper()
            who.begin_subgoals(theirs, wanted)

    def _executor_of(self, verb: str) -> Controller | None:
        if verb in self.controllers:
            return self.controller
        return self.helper if verb in self.helper.verbs else None

    def is_helped(self, row: int) -> bool:
        """Return whether the helper carries out the row's sub-goal."""
        return self._who.get(row) is self.helper

    def waits_for_policy(self, row: int) -> bool:
        """Return whether the caller of `env.step` must carry out the row's sub-goal."""
        outside = self._who.get(row) is None and row not in self._lacking
        return outside and not self._has_open_screen(row)

    def _has_open_screen(self, row: int) -> bool:
        """Return whether a screen is still open that was open when the row's sub-goal began."""
        if row not in self._begun:
            return False
        assert self._make_world is not None, "the helper gets the world"
        if cast(MouseWorld, self._make_world()).screens([row])[0] == 0:
            self._begun.discard(row)
        return row in self._begun

    def act(self, rows: Sequence[int]) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return the next actions and failures of `rows`; ask controller and helper once each.

        Rows whose sub-goal began with an open screen first press the key that closes it, every second tick.
        """
        actions = np.tile(noop(), (len(rows), 1))
        failures: list[Failure | None] = [self._lacking.get(row) for row in rows]
        closing = [self._has_open_screen(row) for row in rows]
        still_open = {row for row, is_open in zip(rows, closing, strict=True) if is_open}
        self._pressed = still_open - self._pressed
        actions[[row in self._pressed for row in rows], INVENTORY] = 1
        for executor in (self.controller, self.helper):
            places = [
                k
                for k, row in enumerate(rows)
                if failures[k] is None
                and executor is not None
                and self._who[row] is executor
                and not closing[k]
            ]
            if not places or executor is None:
                continue
            made, why = self._ask(executor, [rows[k] for k in places])
            actions[places] = made
            for k, failure in zip(places, why, strict=True):
                failures[k] = failure
        return actions, failures

    def _ask(
        self, executor: Controller, rows: Sequence[int]
    ) -> tuple[NDArray[np.int32], Sequence[Failure | None]]:
        """Return an executor's actions and failures for `rows`."""
        if not executor.fixed_batch:
            seen = self._look(rows, executor.looks_at)
            made = executor.act(rows, seen, np.ones(len(rows), np.bool_))
            return self._checked(executor, made, len(rows))
        mask = np.zeros(self._rows, np.bool_)
        mask[rows] = True
        made = executor.act(range(self._rows), self._seen_by_all(executor, rows), mask)
        actions, failures = self._checked(executor, made, self._rows)
        return actions[rows], [failures[row] for row in rows]

    def _seen_by_all(self, executor: Controller, rows: Sequence[int]) -> Mapping[str, NDArray[Any]]:
        """Return the observations of all rows, with zeros for rows outside `rows`."""
        canvas = self._canvas if executor is self.controller else None
        if list(rows) == list(range(self._rows)):
            return self._look(rows, executor.looks_at, canvas)
        seen = self._look(rows, executor.looks_at)
        every = {key: spread(values, rows, self._rows) for key, values in seen.items()}
        if canvas is not None and "pov" in every:
            canvas[:] = every["pov"]
            every["pov"] = canvas
        return every

    def _checked(
        self, executor: Controller, given: object, rows: int
    ) -> tuple[NDArray[np.int32], Sequence[Failure | None]]:
        """Return a controller's actions and failures; reject actions that no world could take."""
        name = self._name if executor is self.controller else "helper"
        if not isinstance(given, tuple) or len(given) != 2:
            raise BadValue(
                f"controller {name!r}: expected a pair of actions and failures, got {given!r:.80} (act)"
            )
        made = np.asarray(given[0])
        fits = made.shape == (rows, ACTION_LENGTH) and made.dtype.kind in "iu"
        if not fits or (made < 0).any() or (made >= _SIZES).any():
            raise BadValue(
                f"controller {name!r}: expected actions int32[{rows}, {ACTION_LENGTH}] from 0 "
                f"to their maximum in {(_SIZES - 1).tolist()}, got {made.dtype} of shape {made.shape}"
                + (f": {made.tolist()!r:.200}" if fits else "")
            )
        return made.astype(np.int32, copy=False), check_failures(name, given[1], rows)


def _check_verbs(config: EnvConfig, controller: Controller) -> None:
    unknown = sorted(set(controller.verbs) - set(VERBS))
    if unknown or not controller.verbs:
        raise BadValue(
            f"controller {config.name_of('controller')!r}: expected some of the verbs {VERBS}, got "
            f"{unknown or 'none'}"
        )


def _no_skill(subgoal: SubGoal) -> Failure:
    return Failure("no_skill", subgoal.item, subgoal.count, f"no executor can {subgoal.verb}")
