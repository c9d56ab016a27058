"""A learner on a skill from pixels, compared with floors in the same validation episodes.

The baselines `ppo_under_planner`, `ppo_flat` and `ppo_vec` share this page: arguments, actions, floors and
table. A batch holds all worlds in one set of arrays; a policy sees pixels, chooses one of `ACTIONS` and holds
it for `HOLD` ticks. Each trained policy then plays the validation episodes as a controller under the planner,
by the same environment that plays any other controller, and so do the floors: random actions of the same set
with the same hold, no key at all, and each action held for the whole episode. A policy has learned something
if its interval lies above the intervals of all floors. Policies draw their actions, as in training.

A command writes into the folder `--out`: `config.json` (arguments, versions), for each training seed a folder
`seed_<n>` with the model and a log, and the table, `result.json`. Ctrl-C saves the model; the same command
with `--resume` resumes the training, in other worlds than an uninterrupted training would have drawn.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from optimus_gym.baselines.command import Command
from optimus_gym.baselines.run_folder import check_training_seeds, training_folder, write
from optimus_gym.baselines.skill_trials import Trial, table_lines, validation_seeds
from optimus_gym.core.actions import camera_bin
from optimus_gym.core.checks import check_count, is_number
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.envs.own_tasks import subgoal_task
from optimus_gym.seeds import VALIDATION

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
"""A policy's actions: values by key. All actions hit, since digging a block takes many ticks without a
pause."""


@dataclass(frozen=True, slots=True)
class SkillArgs:
    """The arguments of the run, each also an option of the command line."""

    out: str = ""
    """Folder for models, logs and the table; made if it does not exist (default: runs/ and the baseline's
    name)."""
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
    """Number of steps in a minibatch, at least 2: advantages are normalized in a minibatch."""
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
        for name in ("steps", "episodes", "rows", "steps_an_update", "epochs", "threads"):
            check_count(name, getattr(self, name), 1)
        check_count("batch", self.batch, 2)
        check_count("rows x steps_an_update", self.rows * self.steps_an_update, 2)
        check_count("side", self.side, 36, 256)
        for name in ("learning_rate", "discount", "entropy"):
            value = getattr(self, name)
            if not is_number(value) or not 0 <= value <= 1 or (value == 0 and name != "entropy"):
                limits = "from 0 to 1" if name == "entropy" else "above 0 and at most 1"
                raise BadValue(f"{name}: expected a number {limits}, got {shown(value)}")
        validation_seeds(self.seed, self.episodes)
        check_training_seeds(self.training_seeds, self.steps)

    @property
    def pictures(self) -> dict[str, Any]:
        """Return the arguments of every environment that decide the pictures."""
        return {"resolution": (self.side, self.side), "view_distance": VIEW_DISTANCE}

    @property
    def trial(self) -> Trial:
        """Return the validation episodes."""
        seeds = validation_seeds(self.seed, self.episodes)
        return Trial(self.skill, seeds, self.rows, self.pictures)

    def folder(self, seed: int) -> Path:
        """Return the folder of a training seed's model."""
        return Path(self.out) / f"seed_{seed}"


Train = Callable[[SkillArgs, int], Mapping[str, Any]]
"""Trains with a training seed and returns the controller that plays the policy."""


def floors() -> dict[str, Any]:
    """Return the controllers that a policy must beat, by name: random, no key, each action held for ever."""
    random = {"name": "random", "actions": list(ACTIONS.values()), "hold": HOLD}
    constant = {
        f"always {name}": {"name": "constant", "keys": dict(keys)} for name, keys in ACTIONS.items()
    }
    return {"random": random, "no key": {"name": "constant"}, **constant}


def compare(args: SkillArgs, title: str, train: Train) -> dict[str, Any]:
    """Train with each training seed and compare with the floors; return the table in JSON's types."""
    policies = {f"{title}, training seed {seed}": train(args, seed) for seed in args.training_seeds}
    trial = args.trial
    rows = [trial.row(name, one) for name, one in (*floors().items(), *policies.items())]
    highest = max(row["interval"][1] for row in rows[: len(floors())])
    for row in rows[len(floors()) :]:
        row["beats"] = row["interval"][0] > highest
    return {"skill": args.skill, "seed": args.seed, "episodes": args.episodes, "policies": rows}


def skill_command(name: str, title: str, train: Train, description: str) -> Command:
    """Return the command of a baseline that trains on a skill.

    Args:
        name: the baseline's module.
        title: the policies' name in the table.
        train: trains with one training seed.
        description: a sentence for the help.
    """

    def work(args: SkillArgs) -> None:
        training = {name: getattr(args, name) for name in TRAINING}
        with training_folder(name, Path(args.out), args.resume, training, asdict(args)):
            table = compare(args, title, train)
            write(Path(args.out) / "result.json", table)
        words = {True: "above all floors", False: "not above all floors"}
        sys.stdout.write("\n".join(table_lines(table["policies"], words)) + "\n")

    examples = (
        f"python -m optimus_gym.baselines.{name}",
        f"python -m optimus_gym.baselines.{name} --skill SkillMineCobblestone --out runs/stone",
        f"python -m optimus_gym.baselines.{name} --resume",
    )
    goes_on = "--resume continues from the saved models"
    return Command(name, SkillArgs, work, description, examples, goes_on)
