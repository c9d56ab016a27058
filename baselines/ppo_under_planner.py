"""PPO under the planner: a skill from pixels, compared with floors in the same validation episodes.

    python -m optimus_gym.baselines.ppo_under_planner

Read the script from top to bottom. The script trains stable-baselines3's proximal policy optimisation in the
control view, where the environment hands out one sub-goal of the curriculum (`--skill`, by default a log by
hand in a forest) and pays its progress. A batch holds all worlds in one set of arrays; the policy sees 64x64
pixels, chooses one of `ACTIONS` and holds it for `HOLD` ticks.

Each trained policy then plays the validation episodes as the controller `sb3`, by the same environment that
plays any other controller, and so do the floors: random actions of the same set with the same hold, no key at
all, and each action held for the whole episode. A policy has learned something if its interval lies above the
intervals of all floors. Policies draw their actions, as in training.

The script writes into the folder `--out`: `config.json` (arguments, versions), for each training seed
`seed_<n>/model.zip` and a log (CSV, TensorBoard's), and the table, `result.json`. Ctrl-C saves the model; the
same command with `--resume` resumes the training, in other worlds than an uninterrupted training would have
drawn.
"""

import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import gymnasium as gym

import optimus_gym  # noqa: F401
from optimus_gym.baselines.comparison import validation_seeds
from optimus_gym.baselines.run_folder import begin_run, write
from optimus_gym.baselines.skill_trials import Trial, table_lines
from optimus_gym.core.actions import camera_bin
from optimus_gym.core.checks import check_count, is_number
from optimus_gym.core.errors import BadValue, MissingExtra, shown
from optimus_gym.core.rng import check_seed
from optimus_gym.envs.own_tasks import subgoal_task
from optimus_gym.seeds import TRAIN, VALIDATION
from optimus_gym.terminal.dataclass_options import add_options
from optimus_gym.terminal.parser import Parser
from optimus_gym.terminal.running import carry_out
from optimus_gym.terminal.watchdog import start_guard
from optimus_gym.wrappers.key_set import KeySet

NAME: Final = "ppo_under_planner"
EXAMPLES: Final = (
    f"python -m optimus_gym.baselines.{NAME}",
    f"python -m optimus_gym.baselines.{NAME} --skill SkillMineCobblestone --out runs/stone",
    f"python -m optimus_gym.baselines.{NAME} --resume",
)
TRAINING: Final = (
    *("skill", "side", "steps", "rows", "steps_an_update", "batch", "epochs", "learning_rate"),
    *("discount", "entropy"),
)
"""Arguments that must stay the same when a training resumes."""
HOLD: Final = 4
"""Number of ticks that an action is held: a fifth of a second."""
VIEW_DISTANCE: Final = 32
"""View distance of pictures in blocks; a trunk farther away is hardly wider than a pixel."""
TURN: Final = 3.2
"""Degrees of a tick's turn to the side, 12.9 degrees in a step."""
TILT: Final = 5.8
"""Degrees of a tick's turn up or down; two steps turn the view from the horizon to a log at foot level."""
ACTIONS: Final[Mapping[str, Mapping[str, int]]] = MappingProxyType(
    {
        "forward": {"forward": 1, "attack": 1},
        "forward and jump": {"forward": 1, "jump": 1, "attack": 1},
        "stand": {"attack": 1},
        "turn left": {"attack": 1, "yaw": camera_bin(-TURN)},
        "turn right": {"attack": 1, "yaw": camera_bin(TURN)},
        "look up": {"attack": 1, "pitch": camera_bin(-TILT)},
        "look down": {"attack": 1, "pitch": camera_bin(TILT)},
    }
)
"""The policy's actions: values by key. All actions hit, since digging a block takes many ticks without a
pause."""


@dataclass(frozen=True, slots=True)
class Args:
    """The arguments of the run, each also an option of the command line."""

    out: str = f"runs/{NAME}"
    """Folder for models, logs and the table; made if it does not exist."""
    resume: bool = False
    """Continue the trainings in the folder; a finished training is not repeated."""
    skill: str = "SkillMineLog"
    """The task of one sub-goal, a name of the curriculum (`envs/data/curriculum.json`)."""
    training_seeds: tuple[int, ...] = (0, 1, 2)
    """Seeds of trainings, one training each: a seed decides first weights, worlds and all random draws."""
    steps: int = 204_800
    """Steps of a training, all rows together; a step is `HOLD` ticks."""
    side: int = 64
    """Width and height of the pictures, pixels, 36 to 256."""
    episodes: int = 200
    """Validation episodes of each policy and floor."""
    seed: int = VALIDATION.start
    """Seed of the first validation episode; each further episode takes the next seed."""
    rows: int = 32
    """Number of worlds that are played at once."""
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
        subgoal_task(self.skill)
        for name in ("steps", "episodes", "rows", "steps_an_update", "batch", "epochs", "threads"):
            check_count(name, getattr(self, name), 1)
        check_count("side", self.side, 36, 256)
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
    def pictures(self) -> dict[str, Any]:
        """Return the arguments of every environment that decide the pictures."""
        return {"resolution": (self.side, self.side), "view_distance": VIEW_DISTANCE}

    @property
    def trial(self) -> Trial:
        """Return the validation episodes."""
        seeds = validation_seeds(self.seed, self.episodes)
        return Trial(self.skill, seeds, self.rows, self.pictures)

    def model(self, seed: int) -> Path:
        """Return the file of a training seed's model."""
        return Path(self.out) / f"seed_{seed}" / "model.zip"


def worlds(args: Args) -> KeySet:
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


def train(args: Args, seed: int) -> Path:
    """Train, log and save one policy; return the model's file.

    Raises:
        MissingExtra: stable-baselines3 is not installed.
        BadValue: a model exists already and `--resume` is not given, or the existing model is damaged.
        KeyboardInterrupt: Ctrl-C, after the model has been saved.
    """
    try:
        from stable_baselines3 import PPO
        from stable_baselines3.common.logger import configure
        from stable_baselines3.common.utils import LinearSchedule
        from stable_baselines3.common.vec_env import VecExtractDictObs, VecMonitor
        from torch import set_num_threads

        from optimus_gym.baselines.sb3_watch import Watch
        from optimus_gym.controllers.sb3.sb3_file import read_model
        from optimus_gym.wrappers.sb3_vec_env import Sb3VecEnv
    except ImportError as error:
        raise MissingExtra(f"baselines.{NAME}", "train") from error
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
        return path
    keys = worlds(args)
    envs = VecMonitor(VecExtractDictObs(Sb3VecEnv(keys), "pov"))
    model: Any = known or PPO(
        "CnnPolicy",
        envs,
        learning_rate=LinearSchedule(args.learning_rate, 0.0, 1.0),
        n_steps=args.steps_an_update,
        batch_size=args.batch,
        n_epochs=args.epochs,
        gamma=args.discount,
        ent_coef=args.entropy,
        device="cpu",
    )
    model.optimus_gym = keys.told
    model.set_env(envs)
    model.set_random_seed(TRAIN.start + args.steps * seed + done)
    model.set_logger(configure(str(path.parent / f"log_from_{done}"), ["csv", "tensorboard"]))
    with closing(envs), Watch(f"training seed {seed}", args.steps, path) as watch:
        model.learn(args.steps - done, watch, reset_num_timesteps=known is None)
    return path


def floors() -> dict[str, Any]:
    """Return the controllers that a policy must beat, by name: random, no key, each action held for ever."""
    random = {"name": "random", "actions": list(ACTIONS.values()), "hold": HOLD}
    constant = {
        f"always {name}": {"name": "constant", "keys": dict(keys)} for name, keys in ACTIONS.items()
    }
    return {"random": random, "no key": {"name": "constant"}, **constant}


def compare(args: Args) -> dict[str, Any]:
    """Train with each training seed and compare with the floors; return the table in JSON's types."""
    models = {seed: train(args, seed) for seed in args.training_seeds}
    policies = {
        f"PPO, training seed {seed}": {"name": "sb3", "source": str(path), "deterministic": False}
        for seed, path in models.items()
    }
    trial = args.trial
    rows = [trial.row(name, one) for name, one in (*floors().items(), *policies.items())]
    highest = max(row["interval"][1] for row in rows[: len(floors())])
    for row in rows[len(floors()) :]:
        row["beats"] = row["interval"][0] > highest
    return {"skill": args.skill, "seed": args.seed, "episodes": args.episodes, "policies": rows}


def show(table: Mapping[str, Any]) -> None:
    """Print the table."""
    words = {True: "above all floors", False: "not above all floors"}
    sys.stdout.write("\n".join(table_lines(table["policies"], words)) + "\n")


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
    training = {name: getattr(args, name) for name in TRAINING}
    begin_run(Path(args.out), args.resume, training, asdict(args))
    table = compare(args)
    write(Path(args.out) / "result.json", table)
    show(table)
    return 0


def make_parser() -> Parser:
    """Return the parser of the command line."""
    parser = Parser(
        prog=f"python -m optimus_gym.baselines.{NAME}",
        description="Train PPO under the planner on a skill; compare it with floors.",
        examples=EXAMPLES,
    )
    add_options(parser, Args)
    return parser


def parse(arguments: Sequence[str] | None) -> Args:
    """Read the command line into `Args`."""
    return Args(**vars(make_parser().parse_args(arguments)))


if __name__ == "__main__":
    sys.exit(entry())
