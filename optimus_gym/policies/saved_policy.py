"""Opens the file of a saved policy where its libraries are installed."""

from collections.abc import Collection
from typing import Any

from optimus_gym.core.errors import MissingExtra
from optimus_gym.policies.policy_options import PolicyOptions
from optimus_gym.policies.sb3_kinds import PolicyKind


def open_policy(options: PolicyOptions, kinds: Collection[PolicyKind], who: str) -> Any:
    """Return the policy of a file (`policies.played_policy.PlayedPolicy`).

    Args:
        options: the file and how its policy acts.
        kinds: the kinds of policies that the caller plays.
        who: the part that asks, for the error.

    Raises:
        MissingExtra: stable-baselines3 is not installed.
        BadValue: the file cannot be read, or the caller does not play its kind of policy.
    """
    try:
        import stable_baselines3.common.policies  # noqa: F401

        from optimus_gym.policies.played_policy import PlayedPolicy
    except ImportError as error:
        raise MissingExtra(who, "train") from error
    return PlayedPolicy(options, kinds)
