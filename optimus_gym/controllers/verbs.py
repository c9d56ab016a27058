"""Verbs of sub-goals: a controller carries out only its own verbs; the helper may carry out others."""

from collections.abc import Collection, Iterable

from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import FUNCTIONAL_VERBS, RECOVER, SHAFT_ENDS, SubGoal

HELPED: frozenset[str] = FUNCTIONAL_VERBS | {RECOVER, "use", *SHAFT_ENDS}
"""Verbs that the helper carries out unless the controller declares them."""


def check_verbs(subgoals: Iterable[SubGoal], verbs: Collection[str]) -> None:
    """Reject sub-goals whose verb is not in `verbs`.

    Raises:
        BadValue: a sub-goal's verb is not in `verbs`.
    """
    for subgoal in subgoals:
        if subgoal.verb not in verbs:
            raise BadValue(f"verb: expected one of {sorted(verbs)}, got {subgoal.verb!r}")
