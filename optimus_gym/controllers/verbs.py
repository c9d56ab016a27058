"""A controller takes sub-goals of its own verbs only; the helper has some that it need not have."""

from collections.abc import Collection, Iterable

from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import FUNCTIONAL_VERBS, RECOVER, SubGoal

HELPED: frozenset[str] = FUNCTIONAL_VERBS | {RECOVER}
"""Verbs that the helper carries out unless the controller declares them."""


def check_verbs(subgoals: Iterable[SubGoal], verbs: Collection[str]) -> None:
    """Refuse sub-goals of other verbs.

    Raises:
        BadValue: there is one.
    """
    for subgoal in subgoals:
        if subgoal.verb not in verbs:
            raise BadValue(f"verb: expected one of {sorted(verbs)}, got {subgoal.verb!r}")
