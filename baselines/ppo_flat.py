"""PPO alone in the flat view: the same skill as `ppo_under_planner`, without a planner.

    python -m optimus_gym.baselines.ppo_flat

The flat view hands out no sub-goal: its task is to hold the skill's item, and it pays for each first
possession on the way (`reward="milestones"`). stable-baselines3's proximal policy optimisation trains there
from the same pictures, with the same actions, steps and floors (`skill_run`, `sb3_run`).
"""

import sys
from collections.abc import Mapping
from typing import Any, Final

import gymnasium as gym

import optimus_gym  # noqa: F401
from optimus_gym.baselines.skill_run import ACTIONS, HOLD, SkillArgs, skill_command
from optimus_gym.core.errors import BadValue, MissingExtra
from optimus_gym.envs.own_tasks import curriculum_file, subgoal_task
from optimus_gym.wrappers.key_set import KeySet

NAME: Final = "ppo_flat"


def held_task(skill: str) -> dict[str, Any]:
    """Return the task to hold the items of a skill: its row of the curriculum, without its sub-goal.

    Raises:
        BadValue: the player holds such items at the start.
    """
    wanted = subgoal_task(skill)
    if any(name in wanted.kinds for name in wanted.inventory):
        raise BadValue(f"skill: expected a skill whose items the player lacks, got {skill!r}")
    (row,) = (row for row in curriculum_file()["tasks"] if row["id"] == skill)
    return {**row, "success": "held"}


def worlds(args: SkillArgs) -> KeySet:
    """Return the worlds of a training: the flat view with its own reward, and the set of actions."""
    batch = gym.make_vec(
        "OptimusFlat-v0",
        args.rows,
        vectorization_mode="vector_entry_point",
        autoreset_mode="SameStep",
        hold=HOLD,
        task=held_task(args.skill),
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
    NAME, "PPO alone", train, "Train PPO in the flat view on a skill; compare it with floors."
)

if __name__ == "__main__":
    sys.exit(COMMAND.entry())
