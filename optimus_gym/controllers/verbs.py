"""Verbs of sub-goals: a controller takes its own verbs only; the helper may carry out some others."""

from collections.abc import Collection, Iterable

from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import FUNCTIONAL_VERBS, RECOVER, SubGoal

HELPED: frozenset[str] = FUNCTIONAL_VERBS | {RECOVER}
"""Verbs that the helper carries out unless the controller declares them."""


def check_verbs(subgoals: Iterable[SubGoal], verbs: Collection[str]) -> None:
    """Reject sub-goals of other verbs.

    Raises:
        BadValue: a sub-goal has another verb.
    """
    for subgoal in subgoals:
        if subgoal.verb not in verbs:
            raise BadValue(f"verb: expected one of {sorted(verbs)}, got {subgoal.verb!r}")
