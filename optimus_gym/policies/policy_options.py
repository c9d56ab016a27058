"""The options of a saved policy, which controller and agent `sb3` share."""

from collections.abc import Sequence
from typing import Final

from optimus_gym.core.checks import check_flag
from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.policies.sb3_training import check_stack

POLICIES: Final = ("MultiInputPolicy", "CnnPolicy", "MlpPolicy")
"""Names of policies; all but the first read only one observation key."""


class PolicyOptions:
    """How to read a file of stable-baselines3 and how its policy acts.

    Args:
        source: the file that `model.save` wrote.
        policy: "MultiInputPolicy", "CnnPolicy" or "MlpPolicy"; None: as the file says.
        deterministic: whether to take the likeliest action instead of drawing one; for DQN, whether to leave
            out the random actions of its exploration.
        looks_at: the observation's keys in the policy's order, for a file that does not name them (the file
            of a policy of one vector, or of another version of stable-baselines3); empty: `pov` for a policy
            of one picture, else all usable keys.
        stack: observations that the policy sees at once, for a model trained through `VecFrameStack`.
        normalize: a file that `sb3_seeing.save_statistics` wrote, for a model trained through `VecNormalize`.
        extractor: "module:Class" of the model's own `features_extractor_class`.

    Raises:
        BadValue, UnknownName: an option cannot be used.
    """

    def __init__(
        self,
        source: str,
        policy: str | None = None,
        deterministic: bool = True,
        looks_at: Sequence[str] = (),
        stack: int | None = None,
        normalize: str | None = None,
        extractor: str | None = None,
    ) -> None:
        if policy is not None and policy not in POLICIES:
            raise UnknownName("policy", policy, POLICIES)
        if stack is not None:
            stack = check_stack("stack, as of `VecFrameStack`", stack)
        if extractor is not None and not isinstance(extractor, str):
            raise BadValue(f"extractor: expected 'module:Class', got {shown(extractor)}")
        self.source, self.policy, self.extractor = source, policy, extractor
        self.deterministic = check_flag("deterministic", deterministic)
        self.looks_at = tuple(looks_at)
        self.stack, self.normalize = stack, normalize
