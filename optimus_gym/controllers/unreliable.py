"""A controller that makes another one unreliable by idle ticks, secretly abandoned sub-goals and mishaps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.mishaps import INTO_PIT, INTO_WATER, befall
from optimus_gym.core.actions import noop
from optimus_gym.core.checks import check_flag, is_number
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import Controller, ControllerSetting, World
from optimus_gym.core.parts import part_of
from optimus_gym.core.rng import generator
from optimus_gym.core.types import RECOVER, Failure, SubGoal

LAST_STOP = 400
"""Latest tick of a sub-goal at which the controller may abandon the sub-goal (this project's choice)."""
_MEMBERS = (*Controller.__annotations__, "attach", "begin_episodes", "begin_subgoals", "act")


@dataclass(slots=True)
class _Fate:
    """A row's random generators, and the row's mishaps and abandoned sub-goals so far.

    Attributes:
        idling: draws the idle ticks.
        leaving: draws the abandoned sub-goals, and when each is abandoned.
        harming: draws the ticks and kinds of mishaps.
        subgoal: the present sub-goal.
        ticks: ticks of the present sub-goal.
        stop: tick from which the present sub-goal is abandoned, or None.
        acts: ticks of the episode in which this controller acted or idled.
        befallen: ticks and kinds of mishaps.
        abandoned: ticks of the episode at which a sub-goal was abandoned.
    """

    idling: np.random.Generator
    leaving: np.random.Generator
    harming: np.random.Generator
    subgoal: SubGoal | None = None
    ticks: int = 0
    stop: int | None = None
    acts: int = 0
    befallen: list[tuple[int, str]] = field(default_factory=list)
    abandoned: list[int] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Return whether the present sub-goal is abandoned by now."""
        return self.stop is not None and self.ticks >= self.stop


class UnreliableController:
    """Makes any controller unreliable, so that an agent that watches it has something to notice.

    - In some ticks of a row's episode the controller idles: the inner controller is not asked for the row's
    action, so that a script is delayed but skips no action.
    - The controller abandons some sub-goals, each at a tick drawn from 1 to 400: the controller idles until
    the next sub-goal begins, and reports nothing, or with `reports` the failure "stuck". A sub-goal that ends
    before the tick drawn for its abandonment is not affected.
    - The controller now and then causes a mishap: a throw into water or a fall into a pit, each with
    probability 1/2. A throw moves the player into the nearest open water two blocks deep within 48 blocks;
    for a fall, the ground below the player becomes a pit of 5 blocks. If no water is near enough for a throw,
    the player falls into a pit instead (`mishaps.befall`). A mishap that the land
    does not allow is skipped. After a mishap the inner controller goes on and copes as it can.

    A recover sub-goal is never abandoned, and no mishap comes during a recover sub-goal. The helper, which
    carries out verbs that the inner controller lacks, stays reliable.

    The row's random generators are "unreliable idle" (one number a tick), "unreliable abandon" (two numbers a
    sub-goal) and "unreliable mishaps" (two numbers a tick); how many numbers a generator
    draws never depends on the numbers that it drew before. A deep copy or pickle of the controller is not
    attached to an environment.

    Args:
        controller: the inner controller: a specification, or a controller object that nothing else uses.
        idle: probability that a tick is idle, 0 to 1.
        abandon: probability that a sub-goal is abandoned, 0 to 1.
        mishaps: probability of a mishap in a tick, 0 to 1.
        reports: whether the controller reports a failure after abandoning a sub-goal.

    Raises:
        BadValue: a rate is no probability, or `controller` is no controller.
        UnknownName: no controller has the name `controller`.
    """

    privileged = True
    needs: frozenset[str]
    verbs: frozenset[str]
    looks_at: tuple[str, ...]
    fixed_batch: bool

    def __init__(
        self,
        controller: Any = "oracle",
        idle: float = 0.05,
        abandon: float = 0.1,
        mishaps: float = 0.0005,
        reports: bool = False,
    ) -> None:
        self._idle = _check_rate("idle", idle)
        self._abandon = _check_rate("abandon", abandon)
        self._mishaps = _check_rate("mishaps", mishaps)
        check_flag("reports", reports)
        self._reports = reports
        part = part_of("controller", controller)
        self._given = controller if part is None else part
        self._inner: Controller = _check_controller(controller if part is None else part.build())
        self._take_words()
        self._forget()

    def __reduce__(self) -> tuple[Any, ...]:
        rates = (self._idle, self._abandon, self._mishaps)
        return type(self), (self._given, *rates, self._reports)

    def _take_words(self) -> None:
        """Copy the inner controller's `needs`, `verbs` and so on, which may grow when it is attached."""
        self.needs = frozenset(self._inner.needs) | {"arrays", "predicaments"}
        self.verbs = self._inner.verbs
        self.looks_at = tuple(self._inner.looks_at)
        self.fixed_batch = self._inner.fixed_batch

    def _forget(self) -> None:
        """Forget the environment."""
        self._make_world: Callable[[], World] | None = None
        self._world: Any = None
        self._fates: dict[int, _Fate] = {}

    def attach(self, setting: ControllerSetting) -> None:
        """Attach this and the inner controller to an environment, and forget the previous environment.

        Raises:
            BadValue: `setting.world` is None, or the inner controller does not fit the environment.
        """
        if setting.world is None:
            raise BadValue(
                "world: expected a world in the ControllerSetting of UnreliableController, which "
                "moves players in it, got None"
            )
        self._forget()
        self._inner.attach(setting if self._inner.privileged else replace(setting, world=None))
        self._make_world = setting.world
        self._take_words()

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows`, with random generators from the seeds; the first call makes the world.

        Raises:
            BadValue: the world lacks a power that this or the inner controller needs.
        """
        if self._world is None:
            assert self._make_world is not None, "attach comes first"
            world = self._make_world()
            if not self.needs <= world.can:
                raise BadValue(
                    f"world: expected the powers {sorted(self.needs)} for UnreliableController, "
                    f"got {type(world).__name__} without {sorted(self.needs - world.can)}"
                )
            self._world = world
        self._inner.begin_episodes(rows, seeds)
        for row, seed in zip(rows, seeds, strict=True):
            self._fates[row] = _Fate(
                idling=generator(seed, "unreliable idle"),
                leaving=generator(seed, "unreliable abandon"),
                harming=generator(seed, "unreliable mishaps"),
            )

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Give each of `rows` a new sub-goal; draw whether, and when, the sub-goal will be abandoned.

        Raises:
            BadValue: a sub-goal's verb is not one that the inner controller carries out; in
                that case no row has changed.
        """
        self._inner.begin_subgoals(rows, subgoals)
        for row, subgoal in zip(rows, subgoals, strict=True):
            fate = self._fates[row]
            is_left = fate.leaving.random() < self._abandon
            stop = int(fate.leaving.integers(1, LAST_STOP + 1))
            fate.stop = stop if is_left and subgoal.verb != RECOVER else None
            fate.subgoal, fate.ticks = subgoal, 0

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return the inner controller's actions or idle ones (int32[n, 15]), and failures; cause mishaps.

        If the controller reports no failure for a row, a mishap may befall the row's player after the
        row's action is chosen. The world's next tick carries out the action and shows the mishap.
        """
        actions = np.tile(noop(), (len(rows), 1))
        failures: list[Failure | None] = [None] * len(rows)
        asked = np.zeros(len(rows), np.bool_)
        acting = [k for k in range(len(rows)) if mask[k]]
        for k in acting:
            asked[k] = self._goes_on(self._fates[rows[k]])
        if asked.any():
            self._ask(rows, observations, asked, actions, failures)
        for k in acting:
            fate = self._fates[rows[k]]
            if self._reports and fate.is_over and fate.subgoal is not None:
                failures[k] = Failure("stuck", fate.subgoal.item, fate.subgoal.count, "abandoned")
            self._harm(rows[k], fate, failures[k] is None)
        return actions, failures

    def _goes_on(self, fate: _Fate) -> bool:
        """Count a tick of a row; return whether the inner controller acts in this tick."""
        fate.acts += 1
        fate.ticks += 1
        if fate.ticks == fate.stop:
            fate.abandoned.append(fate.acts)
        is_idle = fate.idling.random() < self._idle
        return not is_idle and not fate.is_over

    def _ask(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        asked: NDArray[np.bool_],
        actions: NDArray[np.int32],
        failures: list[Failure | None],
    ) -> None:
        """Fill in `actions` and `failures` of the rows `asked` (bool[n]) by asking the inner controller."""
        places = np.flatnonzero(asked).tolist()
        if self.fixed_batch:
            seen = {key: _only(values, asked) for key, values in observations.items()}
            made, why = self._inner.act(rows, seen, asked)
            answered = list(why)
            actions[places] = made[places]
        else:
            seen = {key: values[places] for key, values in observations.items()}
            theirs = [rows[k] for k in places]
            made, why = self._inner.act(theirs, seen, np.ones(len(theirs), np.bool_))
            answered = [None] * len(rows)
            for k, failure in zip(places, why, strict=True):
                answered[k] = failure
            actions[places] = made
        for k in places:
            failures[k] = answered[k]

    def _harm(self, row: int, fate: _Fate, ticks: bool) -> None:
        """Draw whether a mishap comes to a row, and its kind; cause the mishap if the row's world ticks."""
        draw, half = fate.harming.random(2)
        if draw >= self._mishaps or not ticks or fate.subgoal is None:
            return
        if fate.subgoal.verb == RECOVER:
            return
        kind = befall(self._world.worlds, row, INTO_WATER if half < 0.5 else INTO_PIT)
        if kind is not None:
            fate.befallen.append((fate.acts, kind))

    def mishaps_of(self, row: int) -> tuple[tuple[int, str], ...]:
        """Return the mishaps of the row's episode: the tick and the kind, "water" or "pit", of each.

        The episode's first tick is 1; ticks in which the helper acted for the row do not count.

        Raises:
            BadValue: no episode has begun in this row.
        """
        return tuple(self._fate(row).befallen)

    def abandoned_of(self, row: int) -> tuple[int, ...]:
        """Return the episode's ticks (counted as in `mishaps_of`) in which the row's sub-goal was abandoned.

        Raises:
            BadValue: no episode has begun in this row.
        """
        return tuple(self._fate(row).abandoned)

    def _fate(self, row: int) -> _Fate:
        if row not in self._fates:
            raise BadValue(
                f"row: expected one of the rows with a running episode, {sorted(self._fates)}, "
                f"got {shown(row)}"
            )
        return self._fates[row]


def _only(values: NDArray[Any], asked: NDArray[np.bool_]) -> NDArray[Any]:
    """Return the values of the rows `asked` (bool[n]), with zeros for the other rows."""
    kept = np.zeros_like(values)
    kept[asked] = values[asked]
    return kept


def _check_rate(name: str, value: object) -> float:
    """Return a probability.

    Raises:
        BadValue: the value is no probability.
    """
    if is_number(value) and 0.0 <= value <= 1.0:
        return float(value)
    raise BadValue(f"{name}: expected a probability from 0 to 1, got {shown(value)}")


def _check_controller(made: Any) -> Any:
    """Return a controller.

    Raises:
        BadValue: the object is no controller; the message names the missing members.
    """
    missing = [name for name in _MEMBERS if not hasattr(made, name)]
    if missing:
        raise BadValue(
            f"controller: expected an object with {', '.join(_MEMBERS)}, got a {type(made).__name__} without "
            f"{', '.join(missing)}"
        )
    return made
