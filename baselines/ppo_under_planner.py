"""PPO under the planner: a skill from pixels, compared with floors in the same validation episodes.

    python -m optimus_gym.baselines.ppo_under_planner

stable-baselines3's proximal policy optimisation trains in the control view, where the environment hands out
one sub-goal of the curriculum (`--skill`, by default a log by hand in a forest) and pays its progress.
`skill_run` has the arguments, the actions and the floors, `sb3_run` the training.
"""

import sys
from collections.abc import Mapping
from typing import Any, Final

import gymnasium as gym

import optimus_gym  # noqa: F401
from optimus_gym.baselines.skill_run import ACTIONS, HOLD, SkillArgs, skill_command
from optimus_gym.core.errors import MissingExtra
from optimus_gym.wrappers.key_set import KeySet

NAME: Final = "ppo_under_planner"


def worlds(args: SkillArgs) -> KeySet:
    """Return the worlds of a training: the control view, the set of actions, and the sub-goal's reward."""
    batch = gym.make_vec(
        "OptimusControl-v0",
        args.rows,
        vectorization_mode="vector_entry_point",
        autoreset_mode="SameStep",
        hold=HOLD,
        reward="subgoal",
        subgoal=args.skill,
        **args.pictures,
    )
    return KeySet(batch, list(ACTIONS.values()))


def train(args: SkillArgs, seed: int) -> Mapping[str, Any]:
    """Train one policy; return the controller that plays it.

    Raises:
        MissingExtra: stable-baselines3 is not installed.
        BadValue: a model exists already and `--resume` is not given, or the existing model is damaged.
        KeyboardInterrupt: Ctrl-C, after the model has been saved.
    """
    try:
        from optimus_gym.baselines.sb3_run import train_ppo
    except ImportError as error:
        raise MissingExtra(f"baselines.{NAME}", "train") from error
    path = train_ppo(args, seed, worlds(args))
    return {"name": "sb3", "source": str(path), "deterministic": False}


COMMAND: Final = skill_command(
    NAME, "PPO", train, "Train PPO under the planner on a skill; compare it with floors."
)

if __name__ == "__main__":
    sys.exit(COMMAND.entry())
