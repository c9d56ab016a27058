"""DQN over sub-goals: Q-learning in place of a planner, in which a sub-goal is an option of its own length.

    python -m optimus_gym.baselines.dqn_subgoals

Read the script from top to bottom. stable-baselines3's DQN trains in the sub-goal view of the symbolic
world, where sub-goals cost ticks as in the game, nothing is drawn, and some fail by chance (`--failures`).
The policy sees inventory, equipment, vitals and
the sub-goals that could begin now, and chooses one of `SUBGOALS`; the reward is that of first
possessions (`reward="milestones"`). The values of sub-goals are discounted by their ticks (`smdp_replay`);
`--by-steps` discounts each sub-goal alike, which shows what the right discount is worth.

Each trained policy then plays the validation episodes as the agent `sb3`. The table also has random choices
among the sub-goals that could begin, the task as one sub-goal, and the planner of Optimus-1 with the backbone
`rules`. No single sub-goal of the set, repeated for ever, can reach a task that needs two items.

The folder `--out` gets `config.json`, for each training seed `seed_<n>/model.zip` and a log (CSV,
TensorBoard's), and the table, `result.json`. Ctrl-C saves the model, and `--resume` goes on with an empty
buffer of steps. `optimus-gym evaluate --agent sb3:runs/dqn_subgoals/seed_0/model.zip` plays a model.
"""

import math
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import gymnasium as gym
import numpy as np
from gymnasium.vector import VectorEnv
from numpy.typing import NDArray

import optimus_gym  # noqa: F401
from optimus_gym.baselines.command import Command
from optimus_gym.baselines.run_folder import check_training_seeds, training_folder, write
from optimus_gym.baselines.skill_trials import table_lines, validation_seeds
from optimus_gym.core.checks import check_count, is_number
from optimus_gym.core.errors import BadValue, MissingExtra, shown
from optimus_gym.core.intervals import wilson
from optimus_gym.core.rng import generator
from optimus_gym.envs.own_tasks import resolve_task
from optimus_gym.envs.subgoal import FOLLOW
from optimus_gym.seeds import TRAIN, VALIDATION
from optimus_gym.wrappers.subgoal_set import SubgoalSet

NAME: Final = "dqn_subgoals"
SUBGOALS: Final = (
    *("mine oak_log", "craft oak_planks", "craft stick", "craft crafting_table"),
    *("place crafting_table", "craft wooden_pickaxe", "mine cobblestone", "craft stone_pickaxe"),
    *("craft furnace", "place furnace", "mine iron_ore", "smelt iron_ingot", "craft iron_pickaxe"),
)
"""The policy's choices: the sub-goals of the way to an iron pickaxe."""
KEYS: Final = ("possible", "inventory", "equipment", "vitals")
"""The keys of the observation that the policy sees."""
TRAINING: Final = (
    *("task", "steps", "rows", "failures", "discount", "by_steps", "cost", "learning_rate"),
    *("batch", "buffer", "exploration"),
)
"""Arguments that must stay the same when a training resumes."""
Choose = Callable[[NDArray[np.bool_]], NDArray[np.int64]]
"""Function from the masks of all rows (bool[rows, sub-goals]) to the rows' choices (int64[rows])."""


@dataclass(frozen=True, slots=True)
class Args:
    """The arguments of the run, each also an option of the command line."""

    out: str = f"runs/{NAME}"
    """Folder for models, logs and the table; made if it does not exist."""
    resume: bool = False
    """Continue the trainings in the folder; a finished training is not repeated."""
    task: str = "Stone"
    """Task of a suite that `SUBGOALS` lead to."""
    training_seeds: tuple[int, ...] = (0, 1, 2)
    """Seeds of trainings, one training each: a seed decides first weights, worlds and all random draws."""
    steps: int = 30_000
    """Steps (sub-goals) of a training, all rows together."""
    episodes: int = 200
    """Validation episodes of each policy."""
    seed: int = VALIDATION.start
    """Seed of the first validation episode; each further episode takes the next seed."""
    rows: int = 16
    """Number of worlds that are played at once."""
    failures: float = 0.1
    """Probability that a sub-goal fails, from 0 to below 1."""
    discount: float = 0.999
    """Discount factor of a step (here of a tick), above 0 and at most 1."""
    cost: float = 0.1
    """Taken off each sub-goal's reward, 0 or more, so that choices that change nothing are not free."""
    by_steps: bool = False
    """Discount each sub-goal alike, by 0.97, whatever its ticks, as DQN does by itself."""
    learning_rate: float = 5e-4
    """Learning rate of Adam, above 0 and at most 1."""
    batch: int = 128
    """Number of steps in a minibatch."""
    buffer: int = 100_000
    """Number of steps that the buffer holds."""
    exploration: float = 0.5
    """Share of the training in which the share of random choices falls from 1 to 0.05, above 0, at most 1."""
    threads: int = 1
    """Number of torch's threads on a CPU; the number may change the last digits of sums."""

    def __post_init__(self) -> None:
        resolve_task(self.task)
        for name in ("steps", "episodes", "rows", "batch", "buffer", "threads"):
            check_count(name, getattr(self, name), 1)
        for name in ("discount", "learning_rate", "exploration"):
            value = getattr(self, name)
            if not is_number(value) or not 0 < value <= 1:
                raise BadValue(
                    f"{name}: expected a number above 0 and at most 1, got {shown(value)}"
                )
        if not is_number(self.failures) or not 0 <= self.failures < 1:
            raise BadValue(
                f"failures: expected a number from 0 to below 1, got {shown(self.failures)}"
            )
        if not is_number(self.cost) or not 0 <= self.cost < math.inf:
            raise BadValue(f"cost: expected a number of at least 0, got {shown(self.cost)}")
        validation_seeds(self.seed, self.episodes)
        check_training_seeds(self.training_seeds, self.steps)

    def model(self, seed: int) -> Path:
        """Return the file of a training seed's model."""
        return Path(self.out) / f"seed_{seed}" / "model.zip"


STEP_DISCOUNT: Final = 0.97
"""Discount factor of a sub-goal with `by_steps`."""


def worlds(args: Args, agent: Any = "none") -> VectorEnv[Any, Any, Any]:
    """Return symbolic worlds in the sub-goal view; a row begins its next episode in the step of an end."""
    return gym.make_vec(
        f"Optimus-{args.task}-v0",
        args.rows,
        vectorization_mode="vector_entry_point",
        autoreset_mode="SameStep",
        world={"name": "symbolic", "failures": args.failures},
        agent=agent,
        reward="milestones",
        discount=args.discount,
    )


def train(args: Args, seed: int) -> Path:
    """Train, log and save one policy; return the model's file.

    Raises:
        MissingExtra: stable-baselines3 is not installed.
        BadValue: a model exists already and `--resume` is not given, or the existing model is damaged.
        KeyboardInterrupt: Ctrl-C, after the model has been saved.
    """
    try:
        from stable_baselines3 import DQN
        from torch import set_num_threads

        from optimus_gym.baselines.sb3_run import check_new, learned
        from optimus_gym.baselines.smdp_replay import SmdpReplayBuffer
        from optimus_gym.wrappers.sb3_vec_env import Sb3VecEnv
    except ImportError as error:
        raise MissingExtra(f"baselines.{NAME}", "train") from error
    set_num_threads(args.threads)
    path = args.model(seed)
    check_new(path, args.resume)
    chosen = SubgoalSet(worlds(args), SUBGOALS)
    envs = Sb3VecEnv(chosen, KEYS)
    gamma = STEP_DISCOUNT if args.by_steps else args.discount
    model = DQN(
        "MultiInputPolicy",
        envs,
        gamma=gamma,
        replay_buffer_class=SmdpReplayBuffer,
        replay_buffer_kwargs={"gamma": gamma, "cost": args.cost, "by_ticks": not args.by_steps},
        learning_rate=args.learning_rate,
        batch_size=args.batch,
        buffer_size=args.buffer,
        learning_starts=min(2000, args.steps // 4),
        train_freq=4,
        gradient_steps=args.rows,
        target_update_interval=1000,
        exploration_fraction=args.exploration,
        policy_kwargs={"net_arch": [128, 128]},
        seed=TRAIN.start + args.steps * seed,
        device="cpu",
    )
    return learned(model, envs, path, steps=args.steps, seed=seed, told=chosen.told)


def play(args: Args, agent: Any, choose: Choose | None = None) -> NDArray[np.bool_]:
    """Play each validation episode once; return which episodes succeeded (bool[n]).

    Args:
        args: the run's arguments.
        agent: the agent, whose plans the episodes follow.
        choose: chooses sub-goals instead of the agent.
    """
    seeds = list(validation_seeds(args.seed, args.episodes))
    won: list[bool] = []
    with closing(worlds(args, agent)) as batch:
        chosen = SubgoalSet(batch, SUBGOALS)
        for first in range(0, len(seeds), args.rows):
            given = seeds[first : first + args.rows]
            spare: list[Any] = [TRAIN.start] * (args.rows - len(given))
            batch.reset(seed=[*given, *spare])  # type: ignore[arg-type]
            found: dict[int, bool] = {}
            while len(found) < args.rows:
                if choose is None:
                    *_, infos = batch.step(np.full(args.rows, FOLLOW))
                else:
                    masks = np.stack([chosen.action_masks(row) for row in range(args.rows)])
                    *_, infos = chosen.step(choose(masks))
                for row in np.flatnonzero(infos.get("_final_info", ())).tolist():
                    found.setdefault(row, bool(infos["final_info"]["is_success"][row]))
            won += [found[row] for row in range(len(given))]
    return np.array(won, np.bool_)


def by_chance(seed: int) -> Choose:
    """Return a function that draws one of the sub-goals that could begin now, for each row."""
    draws = generator(seed, "random sub-goals")

    def choose(masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        chosen: NDArray[np.int64] = (draws.random(masks.shape) * (masks + 1e-9)).argmax(1)
        return chosen

    return choose


def row_of(name: str, won: NDArray[np.bool_]) -> dict[str, Any]:
    """Return a row of the table."""
    interval = list(wilson(int(won.sum()), len(won)))
    return {"policy": name, "success": float(won.mean()), "interval": interval}


def compare(args: Args) -> dict[str, Any]:
    """Train with each training seed and compare; return the table in JSON's types."""
    models = {seed: train(args, seed) for seed in args.training_seeds}
    rows = [
        row_of("random sub-goals", play(args, "none", by_chance(args.training_seeds[0]))),
        row_of("the task as one sub-goal", play(args, "none")),
    ]
    highest = max(row["interval"][1] for row in rows)
    rows.append(row_of("planner (optimus-1, rules)", play(args, "optimus-1")))
    for seed, path in models.items():
        row = row_of(f"DQN, training seed {seed}", play(args, {"name": "sb3", "source": str(path)}))
        rows.append({**row, "beats": row["interval"][0] > highest})
    return {"task": args.task, "seed": args.seed, "episodes": args.episodes, "policies": rows}


def work(args: Args) -> None:
    """Train, compare, write and print."""
    training: Mapping[str, Any] = {name: getattr(args, name) for name in TRAINING}
    with training_folder(NAME, Path(args.out), args.resume, training, asdict(args)):
        table = compare(args)
        write(Path(args.out) / "result.json", table)
    words = {True: "above all floors", False: "not above all floors"}
    sys.stdout.write("\n".join(table_lines(table["policies"], words)) + "\n")


COMMAND: Final = Command(
    NAME,
    Args,
    work,
    "Train DQN over sub-goals; compare it with floors and with the planner.",
    (
        f"python -m optimus_gym.baselines.{NAME}",
        f"python -m optimus_gym.baselines.{NAME} --by-steps --out runs/{NAME}_by_steps",
        f"python -m optimus_gym.baselines.{NAME} --resume",
    ),
    "--resume continues from the saved models",
)

if __name__ == "__main__":
    sys.exit(COMMAND.entry())
