"""Rules of controllers and helpers. Each rule makes new controllers."""

import pickle
from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from typing import Any, Final, get_args

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import CONTROL_SIZES, Function
from optimus_gym.core.errors import BadValue, reason_of
from optimus_gym.core.interfaces import Controller
from optimus_gym.core.types import VERBS, Failure, Reason
from optimus_gym.core.world_powers import POWERS
from optimus_gym.game.items import item_names
from optimus_gym.testing.contract import (
    Contract,
    NotApplicable,
    expect,
    expect_members,
    expect_refusal,
)
from optimus_gym.testing.controller_case import SUBGOALS, ControllerCase

_SIZES: Final = (*CONTROL_SIZES, len(Function), len(item_names()))
"""Number of possible values of each entry of an action."""
CONTRACT: Final = Contract(ControllerCase)


@CONTRACT.basic
def can_be_made(case: ControllerCase) -> None:
    """A controller can be made."""
    case.make()


@CONTRACT.basic
def has_all_members(case: ControllerCase) -> None:
    """A controller has all attributes and methods of `Controller`."""
    expect_members(case.make(), Controller)


@CONTRACT.basic
def says_yes_or_no(case: ControllerCase) -> None:
    """`privileged` and `fixed_batch` are True or False."""
    controller = case.make()
    for member in ("privileged", "fixed_batch"):
        told = getattr(controller, member)
        expect(isinstance(told, bool), "True or False", told, controller, member)


@CONTRACT.basic
def needs_known_powers(case: ControllerCase) -> None:
    """`needs` is a frozenset of powers that exist."""
    controller = case.make()
    needs = controller.needs
    expect(isinstance(needs, frozenset), "a frozenset", needs, controller, "needs")
    unknown = sorted(needs - set(POWERS), key=str)
    expect(not unknown, f"powers of {', '.join(POWERS)}", unknown, controller, "needs")


@CONTRACT.basic
def has_known_verbs(case: ControllerCase) -> None:
    """`verbs` is a frozenset of verbs that exist, at least one."""
    controller = case.make()
    verbs = controller.verbs
    expect(isinstance(verbs, frozenset), "a frozenset", verbs, controller, "verbs")
    expect(verbs, "at least one verb", "none", controller, "verbs")
    unknown = sorted(verbs - set(VERBS), key=str)
    expect(not unknown, f"verbs of {', '.join(VERBS)}", unknown, controller, "verbs")


@CONTRACT.basic
def looks_at_known_keys(case: ControllerCase) -> None:
    """`looks_at` is a tuple of keys that the observation has."""
    controller = case.make()
    keys = controller.looks_at
    expect(isinstance(keys, tuple), "a tuple", keys, controller, "looks_at")
    known = case.space_of(case.resolutions[0]).spaces
    unknown = sorted(set(keys) - set(known), key=str)
    expect(not unknown, f"keys of {', '.join(known)}", unknown, controller, "looks_at")


@CONTRACT.basic
def meets_an_environment(case: ControllerCase) -> None:
    """`attach` accepts an environment, and then episodes and sub-goals can begin."""
    controller = case.make()
    try:
        session = case.session(controller)
    except BadValue as error:
        sizes = ", ".join(f"{width}x{height}" for width, height in case.resolutions)
        wanted = f"a controller that fits the control view at {sizes}"
        expect(False, wanted, f"the refusal {reason_of(error)!r}", controller, "attach")
    else:
        for _ in session.verbs((0, 1)):
            pass


@CONTRACT.basic
def returns_actions_and_failures(case: ControllerCase) -> None:
    """`act` returns a pair: actions as int32[n, 15], and a failure or None for each row."""
    session = case.session()
    shape = (2, len(_SIZES))
    for _ in session.verbs((0, 1)):
        answer, _ = session.ask((0, 1), 0)
        pair = isinstance(answer, tuple) and len(answer) == 2
        expect(pair, "a pair of actions and failures", answer, session.controller, "act")
        actions, failures = answer
        array = isinstance(actions, np.ndarray)
        came = f"{actions.dtype}{list(actions.shape)}" if array else actions
        fits = array and actions.shape == shape and actions.dtype == np.int32
        expect(fits, f"actions int32{list(shape)}", came, session.controller, "act")
        listed = isinstance(failures, Sequence) and len(failures) == 2
        expect(listed, "two failures or Nones", failures, session.controller, "act")


@CONTRACT.basic
def acts_within_bounds(case: ControllerCase) -> None:
    """Each entry of an action is at least 0 and below the entry's number of values."""
    session = case.session()
    for verb in session.verbs((0, 1)):
        for tick in session.ticks:
            actions = session.act((0, 1), tick)
            wrong = np.argwhere((actions < 0) | (actions >= _SIZES))
            if len(wrong):
                row, place = (int(k) for k in wrong[0])
                wanted = f"0 to {_SIZES[place] - 1} in place {place} of an action ({verb})"
                expect(False, wanted, int(actions[row, place]), session.controller, "act")
            session.go_on((0, 1), actions)


@CONTRACT.rule
def gives_known_failures(case: ControllerCase) -> None:
    """A failure is a `Failure` with a reason that exists, or None."""
    session = case.session()
    for _ in session.verbs((0, 1)):
        for tick in session.ticks:
            (actions, failures), _ = session.ask((0, 1), tick)
            for failure in failures:
                known = isinstance(failure, Failure) and failure.reason in get_args(Reason)
                fits = failure is None or known
                wanted = f"None or a Failure with one of {', '.join(get_args(Reason))}"
                expect(fits, wanted, failure, session.controller, "act")
            session.go_on((0, 1), actions)


def _expect_alike(
    expected: NDArray[np.int32], got: NDArray[np.int32], what: str, part: Any
) -> None:
    """Raise RuleBroken unless two sessions have the same actions."""
    other = (expected != got).any(axis=(1, 2))
    if other.any():
        tick, verbs = int(other.argmax()), sorted(part.verbs)
        each = len(expected) // len(verbs)
        came = f"others from tick {tick % each} of the sub-goal {verbs[tick // each]!r} on"
        expect(False, what, came, part, "act")


@CONTRACT.rule
def repeats_itself(case: ControllerCase) -> None:
    """Two controllers that are made alike return the same actions for the same seeds and observations."""
    session = case.session()
    wanted = "the actions of a controller that was made alike"
    _expect_alike(case.played, session.play((0, 1)), wanted, session.controller)


@CONTRACT.rule
def begins_again(case: ControllerCase) -> None:
    """An episode that begins again with the same seed and observations has the same actions."""
    first = case.session()
    before = first.play((0, 1))
    first.begin()
    wanted = "the actions of the same episode before"
    _expect_alike(before, first.play((0, 1)), wanted, first.controller)


@CONTRACT.rule
def rows_are_independent(case: ControllerCase) -> None:
    """A row's actions are the same whether other rows act with it or not."""
    session = case.session()
    wanted = "row 0's actions as with row 1"
    _expect_alike(case.played[:, :1], session.play((0,)), wanted, session.controller)


@CONTRACT.rule
def rows_keep_their_state(case: ControllerCase) -> None:
    """Actions of other rows change neither a row's actions nor the state of a row that does not act."""
    alone, later = case.session(), case.session()
    later.play((1,))
    wanted = "row 0's actions as if row 1 had not acted before"
    _expect_alike(alone.play((0,)), later.play((0,)), wanted, later.controller)


@CONTRACT.rule
def refuses_other_verbs(case: ControllerCase) -> None:
    """`begin_subgoals` rejects sub-goals of verbs that the controller lacks."""
    session = case.session()
    others = sorted(set(VERBS) - session.controller.verbs)
    if not others:
        raise NotApplicable("the controller carries out every verb, so there is none to reject")
    for verb in others:
        begin = partial(session.controller.begin_subgoals, [0], [SUBGOALS[verb]])
        what = f"a sub-goal of the verb {verb!r}"
        expect_refusal(begin, (BadValue,), what, session.controller, "begin_subgoals")


@CONTRACT.rule
def can_be_copied(case: ControllerCase) -> None:
    """A new controller can be copied and pickled, and each copy acts as the original does."""
    for how, copy in (
        ("copy", deepcopy(case.make())),
        ("pickled copy", pickle.loads(pickle.dumps(case.make()))),
    ):
        wanted = f"the original's actions from a {how}"
        _expect_alike(case.played, case.session(copy).play((0, 1)), wanted, copy)


@CONTRACT.rule
def meets_another_environment(case: ControllerCase) -> None:
    """A controller attached to another environment acts like a new controller, and so does a copy."""
    first = case.session()
    first.play((0,))
    if first.world is not None:
        first.world.close()
    for used in (first.controller, deepcopy(first.controller)):
        wanted = "the actions of a new controller in another environment"
        _expect_alike(case.played, case.session(used).play((0, 1)), wanted, used)
