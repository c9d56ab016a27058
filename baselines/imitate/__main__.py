"""Imitation: a network learns from the controller `teacher` to mine and to hunt, from pixels.

    python -m optimus_gym.baselines.imitate

A round plays the lessons, notes the teacher's action in every tick, and then trains the network on the notes
of all rounds so far. In the first round the teacher plays, with random stretches in between (behaviour
cloning). In later rounds the network of the round before plays and the teacher only labels (DAgger, Ross et
al. 2011); the teacher still plays a quarter of the stretches in the second round, and a tenth later, so that
a network that stands still sees more than one place. Training seeds begin at 1,000,000.

The folder `--out` gets `config.json`, for each round the notes (`round_<k>/<task>.npz`) and the network
(`round_<k>/pixel.onnx`), the network after further updates on all notes (`polished_<rounds>/pixel.onnx`), and
the figures, `result.json`. `controller="pixel:runs/imitate/polished_7/pixel.onnx"` plays a network. Ctrl-C
ends the command; the same command with `--resume` repeats no finished lesson and goes on within a round's
updates.
"""

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from optimus_gym.baselines.command import Command
from optimus_gym.baselines.run_folder import training_folder, write
from optimus_gym.baselines.skill_trials import validation_seeds
from optimus_gym.core.checks import check_count, is_number
from optimus_gym.core.errors import BadValue, MissingExtra, shown
from optimus_gym.core.rng import check_seed
from optimus_gym.seeds import VALIDATION

NAME: Final = "imitate"
EXAMPLES: Final = (
    f"python -m optimus_gym.baselines.{NAME}",
    f"python -m optimus_gym.baselines.{NAME} --out runs/short --scale 0.1 --updates 2000 --episodes 20",
    f"python -m optimus_gym.baselines.{NAME} --resume",
)
TRAINING: Final = ("scale", "updates", "batch", "learning_rate", "training_seed")
"""Arguments that must stay the same when a training resumes."""


@dataclass(frozen=True, slots=True)
class Args:
    """The arguments of the run, each also an option of the command line."""

    out: str = f"runs/{NAME}"
    """Folder for notes, networks and figures; made if it does not exist."""
    resume: bool = False
    """Continue the training in the folder."""
    rounds: int = 7
    """Number of rounds: the first clones the teacher, each further one is a round of DAgger."""
    scale: float = 1.0
    """Factor on the numbers of episodes in `lessons.json`, above 0; a lesson has at least one episode."""
    updates: int = 6_000
    """Steps of the optimizer in each round."""
    polish: int = 34_000
    """Steps of the optimizer after the last round, on the notes of all rounds."""
    batch: int = 128
    """Ticks that an update learns from."""
    learning_rate: float = 1e-3
    """Learning rate of AdamW at a round's beginning, above 0 and at most 1; it falls to a twentieth."""
    training_seed: int = 0
    """Seed of the training: it decides first weights and the draws of ticks."""
    episodes: int = 100
    """Validation episodes of each skill and controller; 0 leaves the figures out."""
    seed: int = VALIDATION.start
    """Seed of the first validation episode; each further episode takes the next seed."""
    workers: int = 2
    """Number of processes that play lessons."""
    threads: int = 1
    """Number of torch's threads on a CPU; the number may change the last digits of sums."""

    def __post_init__(self) -> None:
        check_count("polish", self.polish, 0)
        for name in ("rounds", "updates", "batch", "workers", "threads"):
            check_count(name, getattr(self, name), 1)
        check_count("episodes", self.episodes, 0)
        if self.episodes:
            validation_seeds(self.seed, self.episodes)
        check_seed(self.training_seed)
        if not is_number(self.scale) or not 0 < self.scale <= 100:
            raise BadValue(
                f"scale: expected a number above 0, at most 100, got {shown(self.scale)}"
            )
        if not is_number(self.learning_rate) or not 0 < self.learning_rate <= 1:
            raise BadValue(
                f"learning_rate: expected a number above 0 and at most 1, got {shown(self.learning_rate)}"
            )

    def folder(self, number: int) -> Path:
        """Return the folder of a round, or of the updates after the last round."""
        kind = "round" if number < self.rounds else "polished"
        return Path(self.out) / f"{kind}_{number}"


def train(args: Args) -> list[Path]:
    """Gather and learn, round by round; return the file of each round's network.

    Raises:
        MissingExtra: torch or onnx is not installed.
        BadValue: notes in the folder are damaged, or were made for other looks, keys or senses.
        KeyboardInterrupt: Ctrl-C, after the state has been saved.
    """
    try:
        import torch

        from optimus_gym.baselines.imitate.imitation import ready_network
        from optimus_gym.baselines.imitate.lesson_book import lessons
        from optimus_gym.baselines.imitate.practice import Job, gather
    except ImportError as error:
        raise MissingExtra(f"baselines.{NAME}", "train") from error
    torch.set_num_threads(args.threads)
    network = ready_network(args.training_seed)
    made: list[Path] = []
    notes: list[Path] = []
    for number in range(args.rounds):
        jobs = [
            Job(
                lesson,
                place,
                number,
                max(1, round(args.scale * lesson.episodes[number > 0])),
                str(made[-1]) if made else None,
                args.folder(number) / f"{lesson.task}.npz",
            )
            for place, lesson in enumerate(lessons())
        ]
        gather(jobs, args.workers, f"round {number}, lessons")
        notes += [job.file for job in jobs]
        made.append(_learned(args, network, notes, number, args.updates))
    if args.polish:
        made.append(_learned(args, network, notes, args.rounds, args.polish))
    return made


def _learned(args: Args, network: Any, notes: Sequence[Path], number: int, updates: int) -> Path:
    """Let a network learn; return its file."""
    from optimus_gym.baselines.imitate.imitation import learn
    from optimus_gym.baselines.imitate.lesson_book import lessons
    from optimus_gym.baselines.imitate.network import write_network

    folder = args.folder(number)
    folder.mkdir(parents=True, exist_ok=True)
    learn(
        network,
        lessons() * (len(notes) // len(lessons())),
        notes,
        folder / "state.pt",
        round_=number,
        updates=updates,
        batch=args.batch,
        rate=args.learning_rate,
        seed=args.training_seed,
    )
    write_network(network, folder / "pixel.onnx")
    return folder / "pixel.onnx"


def show(rows: Sequence[dict[str, Any]]) -> None:
    """Print the figures."""
    lines = [f"{'skill':22} {'controller':28} {'success':>8}  95 % interval"]
    for row in rows:
        low, high = row["interval"]
        lines.append(
            f"{row['skill']:22} {row['policy']:28} {row['success']:8.3f}  {low:.3f} to {high:.3f}"
        )
    sys.stdout.write("\n".join(lines) + "\n")


def work(args: Args) -> None:
    """Train and measure."""
    training = {name: getattr(args, name) for name in TRAINING}
    with training_folder(NAME, Path(args.out), args.resume, training, asdict(args)):
        networks = train(args)
        rows = _figures(networks, args) if args.episodes else []
    if rows:
        show(rows)


def _figures(networks: Sequence[Path], args: Args) -> list[dict[str, Any]]:
    """Play the validation episodes, write the figures into the folder and return them."""
    from optimus_gym.baselines.imitate.trials import SKILLS, trials

    rows = list(trials(networks, validation_seeds(args.seed, args.episodes), SKILLS))
    write(Path(args.out) / "result.json", {"rows": rows})
    return rows


COMMAND: Final = Command(
    NAME,
    Args,
    work,
    "Train the controller pixel to imitate the controller teacher.",
    EXAMPLES,
    "--resume continues from the saved state",
)

if __name__ == "__main__":
    sys.exit(COMMAND.entry())
