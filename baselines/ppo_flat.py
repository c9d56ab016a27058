"""PPO on the flat view, from pixels, compared with chance and the best constant action.

    python -m optimus_gym.baselines.ppo_flat

The script shows that a policy can learn in the environment; read it from top to bottom. The task is that of
`log_gathering.py`: three logs in a forest within 20 seconds. The algorithm is stable-baselines3's proximal
policy optimisation with its `CnnPolicy`; only the hyper-parameters in `Args` differ from its defaults. The
script trains one policy for each training seed, on worlds of `seeds.TRAIN`. After training, the learned
policies, a random policy, and for each action a policy that repeats only this action play the same worlds of
`seeds.VALIDATION`. The rival is the best constant action: the action that succeeded most often in the same
validation episodes, a choice that favours the rival. The environment's `is_success` judges all policies.
Learned policies sample from their distribution, as in training.

The script writes into the folder `--out`: `config.json` (arguments, versions), for each training seed
`seed_<n>/model.zip` and a log (CSV, TensorBoard's), and the table, `result.json`. A model's file says which
keys each of its actions presses, so that `controller="sb3:FILE"` plays the model under a planner
(docs/controllers.md). Ctrl-C saves the model; the same command with `--resume` resumes the training, in other
worlds than an uninterrupted training would have drawn.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.baselines.comparison import (
    Played,
    differences,
    play,
    play_rivals,
    rows_of,
    strongest,
    validation_seeds,
)
from optimus_gym.baselines.log_gathering import LogGathering, told_to_play
from optimus_gym.baselines.run_folder import begin_run, write
from optimus_gym.core.checks import check_count, is_number
from optimus_gym.core.errors import BadValue, MissingExtra, shown
from optimus_gym.core.rng import check_seed, generator
from optimus_gym.seeds import TRAIN, VALIDATION, refuse_test_seeds
from optimus_gym.terminal.dataclass_options import add_options
from optimus_gym.terminal.parser import Parser
from optimus_gym.terminal.running import carry_out
from optimus_gym.terminal.watchdog import start_guard

NAME: Final = "ppo_flat"
EXAMPLES: Final = (
    f"python -m optimus_gym.baselines.{NAME}",
    f"python -m optimus_gym.baselines.{NAME} --training-seeds 0 --steps 20480 --episodes 60 --out short",
    f"python -m optimus_gym.baselines.{NAME} --resume",
)
TRAINING: Final = (
    *("steps", "first_world", "worlds", "rows", "steps_an_update", "batch", "epochs"),
    *("learning_rate", "discount", "entropy"),
)
"""Arguments that must stay the same when a training resumes."""


@dataclass(frozen=True, slots=True)
class Args:
    """The arguments of the run, each also an option of the command line."""

    out: str = "runs/ppo_flat"
    """Folder for models, logs and the table; made if it does not exist."""
    resume: bool = False
    """Continue the trainings in the folder; a finished training is not repeated."""
    training_seeds: tuple[int, ...] = (0, 1, 2)
    """Seeds of trainings, one training each: a seed decides first weights and all random draws."""
    steps: int = 102_400
    """Steps of a training, all rows together; a step holds its action for four ticks."""
    first_world: int = TRAIN.start
    """Seed of the first training world; test seeds are rejected."""
    worlds: int = TRAIN.stop - TRAIN.start
    """Number of training worlds, with consecutive seeds."""
    episodes: int = 200
    """Validation episodes of each policy."""
    seed: int = VALIDATION.start
    """Seed of the first validation episode; each further episode takes the next seed."""
    rows: int = 32
    """Number of worlds that are played at once in a training."""
    steps_an_update: int = 64
    """Steps of each row between two updates."""
    batch: int = 256
    """Number of steps in a minibatch."""
    epochs: int = 4
    """Number of passes over the collected steps in each update."""
    learning_rate: float = 5e-4
    """Learning rate of Adam at the start, above 0 and at most 1; it falls to 0 during the training."""
    discount: float = 0.99
    """Discount factor of a step, above 0 and at most 1."""
    entropy: float = 0.01
    """Weight of the entropy bonus, 0 to 1."""
    threads: int = 1
    """Number of torch's threads on a CPU; the number may change the last digits of sums."""

    def __post_init__(self) -> None:
        refuse_test_seeds((self.first_world,))
        if self.first_world not in TRAIN or not 1 <= self.worlds <= TRAIN.stop - self.first_world:
            raise BadValue(
                f"first_world, worlds: expected seeds from {TRAIN.start} to {TRAIN.stop - 1}, "
                f"got {self.worlds} worlds from seed {self.first_world}"
            )
        for name in ("steps", "episodes", "rows", "steps_an_update", "batch", "epochs", "threads"):
            check_count(name, getattr(self, name), 1)
        for name in ("learning_rate", "discount", "entropy"):
            value = getattr(self, name)
            if not is_number(value) or not 0 <= value <= 1 or (value == 0 and name != "entropy"):
                limits = "from 0 to 1" if name == "entropy" else "above 0 and at most 1"
                raise BadValue(f"{name}: expected a number {limits}, got {shown(value)}")
        validation_seeds(self.seed, self.episodes)
        seeds = self.training_seeds
        if not seeds or len(set(map(check_seed, seeds))) != len(seeds):
            raise BadValue(
                f"training_seeds: expected at least one seed, and each once, got {seeds}"
            )

    @property
    def training(self) -> dict[str, Any]:
        """Return the arguments that a training depends on, besides its seed."""
        return {name: getattr(self, name) for name in TRAINING}

    @property
    def played(self) -> range:
        """Return the seeds of the validation episodes."""
        return validation_seeds(self.seed, self.episodes)

    def model(self, seed: int) -> Path:
        """Return the file of a training seed's model."""
        return Path(self.out) / f"seed_{seed}" / "model.zip"


def worlds_to_train_on(args: Args, seed: int, done: int) -> Iterator[int]:
    """Yield random seeds of training worlds without end; the training has already made `done` steps."""
    draws = generator(seed, f"worlds to train on after {done}")
    while True:
        yield args.first_world + int(draws.integers(args.worlds))


def train(args: Args, seed: int) -> Any:
    """Train, log and save; return stable-baselines3's model.

    Raises:
        MissingExtra: stable-baselines3 is not installed.
        BadValue: a model exists already and `--resume` is not given, or the existing model is damaged.
        KeyboardInterrupt: Ctrl-C, after the model has been saved.
    """
    try:
        from stable_baselines3 import PPO
        from stable_baselines3.common.logger import configure
        from stable_baselines3.common.utils import LinearSchedule
        from stable_baselines3.common.vec_env import VecMonitor
        from torch import set_num_threads

        from optimus_gym.baselines.sb3_watch import Watch
        from optimus_gym.controllers.sb3.sb3_file import read_model
        from optimus_gym.wrappers.sb3_vec_env import Sb3VecEnv
    except ImportError as error:
        raise MissingExtra("baselines.ppo_flat", "train") from error
    set_num_threads(args.threads)
    path = args.model(seed)
    if path.exists() and not args.resume:
        raise BadValue(f"out: expected a folder without a model, or --resume, got '{path}'")
    known = None
    if path.exists():
        read_model(str(path))  # rejects a damaged model
        known = PPO.load(path, device="cpu")
    done = 0 if known is None else known.num_timesteps
    if known is not None and done >= args.steps:
        return known
    gathering = LogGathering(worlds_to_train_on(args, seed, done), args.rows)
    environments = VecMonitor(Sb3VecEnv(gathering))
    model: Any = known or PPO(
        "CnnPolicy",
        environments,
        learning_rate=LinearSchedule(args.learning_rate, 0.0, 1.0),
        n_steps=args.steps_an_update,
        batch_size=args.batch,
        n_epochs=args.epochs,
        gamma=args.discount,
        ent_coef=args.entropy,
        seed=seed,
        device="cpu",
    )
    model.optimus_gym = told_to_play()
    model.set_env(environments)
    model.set_logger(configure(str(path.parent / f"log_from_{done}"), ["csv", "tensorboard"]))
    with closing(environments), Watch(f"training seed {seed}", args.steps, path) as watch:
        model.learn(args.steps - done, watch, reset_num_timesteps=known is None)
    return model


def play_learned(args: Args, seed: int, model: Any) -> Played:
    """Play the validation episodes with a trained model."""
    from stable_baselines3.common.utils import set_random_seed

    def learned(pictures: NDArray[np.uint8]) -> NDArray[np.int64]:
        actions: NDArray[np.int64] = model.predict(pictures, deterministic=False)[0]
        return actions

    set_random_seed(seed)
    return play(f"PPO, training seed {seed}", learned, args.played)


def compare(args: Args) -> dict[str, Any]:
    """Train with each training seed and compare; return the table in JSON's types."""
    learned = {seed: play_learned(args, seed, train(args, seed)) for seed in args.training_seeds}
    rivals = play_rivals(args.played, args.training_seeds[0])
    found = differences(learned, strongest(rivals))
    return {
        "episodes": {"seed": args.seed, "count": args.episodes},
        "policies": rows_of(rivals, learned),
        "differences": [{**asdict(entry), "beats": entry.beats} for entry in found],
    }


def show(table: dict[str, Any]) -> None:
    """Print the table."""
    lines = [f"{'policy':28} {'success':>8}  {'95 % interval':16} {'mean return':>11}"]
    for row in table["policies"]:
        low, high = row["interval"]
        lines.append(
            f"{row['policy']:28} {row['success']:8.3f}  {low:.3f} to {high:.3f}   {row['mean_return']:11.2f}"
        )
    lines.append(f"\n{'PPO, training seed':19} {'minus':28} {'success':>8}  95 % interval")
    for row in table["differences"]:
        low, high = row["interval"]
        name = "all" if row["training_seed"] is None else str(row["training_seed"])
        beats = "beats it" if row["beats"] else "does not beat it"
        lines.append(
            f"{name:19} {row['rival']:28} {row['mean']:+8.3f}  {low:+.3f} to {high:+.3f}  {beats}"
        )
    sys.stdout.write("\n".join(lines) + "\n")


def entry() -> int:
    """Run the command with a guard that kills a hanging process, and return the exit status."""
    start_guard()
    return main()


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and compare by the command line's arguments; return an exit status as `optimus-gym` does."""
    goes_on = "--resume continues from the saved models"
    return carry_out(NAME, partial(_command, arguments), goes_on)


def _command(arguments: Sequence[str] | None) -> int:
    args = parse(arguments)
    begin_run(Path(args.out), args.resume, args.training, asdict(args))
    table = compare(args)
    write(Path(args.out) / "result.json", table)
    show(table)
    return 0


def make_parser() -> Parser:
    """Return the parser of the command line."""
    parser = Parser(
        prog=f"python -m optimus_gym.baselines.{NAME}",
        description="Train PPO on the flat view; compare it with chance and constant actions.",
        examples=EXAMPLES,
    )
    add_options(parser, Args)
    return parser


def parse(arguments: Sequence[str] | None) -> Args:
    """Read the command line into `Args`."""
    return Args(**vars(make_parser().parse_args(arguments)))


if __name__ == "__main__":
    sys.exit(entry())
