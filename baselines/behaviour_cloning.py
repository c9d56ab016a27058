"""Behaviour cloning: train VPT's policy (or STEVE-1's, with goals) on episodes of `optimus-gym record`.

    optimus-gym record OptimusControl-CraftWoodenAxe-v0 optimus/axe-v0
    python -m optimus_gym.baselines.behaviour_cloning --dataset optimus/axe-v0 --size 1x

A policy learns the recorded button combinations and camera turns from the picture `pov`, which is also its
input when it acts. As in VPT's public code, the loss of every tick is the sum of the negative log-likelihoods
of buttons and turn, even if the button combination has no camera turn. A lane is one row of the batch: lanes
play recorded episodes back in parallel, in chunks of ticks. A policy's memory passes from chunk to chunk,
gradients do not (truncated back-propagation). Ticks that call a function (craft, smelt ...) are left out,
since VPT has no key for functions.

With `--goals` each tick has a goal: one vector, which an aligner makes from 16 later frames. The last of a
goal's 16 frames comes 15 to 200 ticks, drawn at random, after the tick at which the goal begins. A goal stays
until the tick of its last frame; then the next goal begins. Near an episode's end the goal is the vector of
the episode's last 16 frames. With probability 0.1 ten chunks in a row have no goal (zeros). With the aligner
`mineclip` a goal's vector is the one that STEVE-1 was trained with: the output of MineCLIP's encoder over
time, before the adapter for rewards. With other aligners a goal is the vector that the aligner's `videos`
returns.

The training writes into its folder: `policy.model` and `policy.weights` as the controllers `vpt` and
`steve-1` read them, `metrics.csv`, `config.json` (arguments, versions), features of frames, and `state.pt`,
from which the same command resumes after Ctrl-C or a fault. On a CPU a resumed training writes the same
weights, bit for bit, as an uninterrupted one. The last tenth of the episodes is held out to measure the
policy, next to a rival: the best policy that ignores its input.
"""

import csv
import io
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from optimus_gym.baselines.command import Command
from optimus_gym.baselines.run_folder import read_state, training_folder
from optimus_gym.core.checks import check_count, check_name, check_path, is_number
from optimus_gym.core.errors import BadValue, MissingExtra, shown
from optimus_gym.core.files import write_whole
from optimus_gym.core.rng import check_seed, generator
from optimus_gym.terminal.bars import bars
from optimus_gym.terminal.running import complain
from optimus_gym.terminal.stopping import asked_to_stop

NAME: Final = "behaviour_cloning"
EXAMPLES: Final = (
    f"python -m optimus_gym.baselines.{NAME} --dataset optimus/axe-v0 --size 1x",
    f"python -m optimus_gym.baselines.{NAME} --dataset optimus/axe-v0 --model-file 2x.model \\\n"
    "    --weights-file steve1.weights --goals --aligner mineclip:attn.pth --out runs/axe",
)
GOES_ON: Final = "the same command resumes the saved training"

try:
    import torch

    from optimus_gym.baselines import cloned_policy as cloned
    from optimus_gym.baselines.recorded_episodes import Episodes, Piece, Visit, pieces
    from optimus_gym.controllers.vpt.attention import LayerCache
    from optimus_gym.controllers.vpt.checkpoint import read_options
    from optimus_gym.controllers.vpt.policy import VPTPolicy, VPTState
    from optimus_gym.core.devices import device_named
    from optimus_gym.core.weights import fill_network, write_tensors
except ImportError as error:
    missing = MissingExtra(f"baselines.{NAME}", "torch")
    if __name__ == "__main__":
        sys.exit(complain(NAME, missing))
    raise missing from error

RATES: Final = (1.81e-4, 4e-5)
"""Default learning rates: without goals as in VPT's `behavioural_cloning.py`, with goals as in STEVE-1."""
AIMLESS: Final = 0.1
"""Probability that a run of consecutive chunks has no goals; the policy thereby learns to act without goals,
too."""
ROW: Final = 10
"""Number of consecutive chunks that all have goals or all have none: 640 ticks, as in STEVE-1, with chunks
of 64 ticks."""
ELSEWHERE: Final = ("root", "out", "device", "threads")
"""Arguments that may change when a training resumes."""
STATE: Final = ("told", "done", "weights", "optimizer", "memory", "sums", "rows")


@dataclass(frozen=True, slots=True)
class Args:
    """The training's arguments, each also an option of the command line."""

    dataset: str = ""
    """Name of the dataset, such as optimus/wood-v0, recorded in the control or flat view (required)."""
    root: str = ""
    """Folder that holds datasets (default: Minari's own)."""
    out: str = "runs/behaviour_cloning"
    """Folder for the policy, metrics and state; made if it does not exist."""
    size: str = ""
    """Size of a new network: tiny, 1x, 2x or 3x (default: none, the network of --model-file)."""
    model_file: str = ""
    """File of hyper-parameters to start from, with --weights-file (default: none, a new network)."""
    weights_file: str = ""
    """File of weights to start from: VPT's, with --goals also STEVE-1's (default: none, a new network)."""
    goals: bool = False
    """Train with goals, as STEVE-1 does."""
    aligner: str = "mineclip"
    """Aligner that makes goals of 512 numbers, such as mineclip:attn.pth (default: mineclip)."""
    training_seed: int = 0
    """Seed of the training, 0 or more: it decides new weights and all random draws."""
    updates: int = 10_000
    """Steps of the optimizer."""
    batch: int = 8
    """Number of lanes, that is, of episodes that are played back in parallel."""
    chunk: int = 64
    """Ticks of each episode that one update learns from; gradients reach no further back."""
    learning_rate: float = 0.0
    """Highest learning rate, 0 to 1; 0 takes VPT's 1.81e-4, with goals STEVE-1's 4e-5."""
    warm_up: float = 0.1
    """Share of the updates, 0 to 1, in which the learning rate rises; then it falls to 0 as a cosine."""
    weight_decay: float = 0.039428
    """Weight decay of AdamW, 0 to 1; biases and norms have no decay."""
    clip: float = 5.0
    """Maximum norm of the gradient of all parameters together, above 0."""
    keep_null: bool = False
    """Learn ticks without any action, too; VPT's public script behavioural_cloning.py skips them."""
    save_every: int = 100
    """Updates between two rows of metrics; the training is saved with each row."""
    device: str = ""
    """Device of torch, such as cuda or cpu (default: a GPU if there is one, with bfloat16)."""
    threads: int = 1
    """Number of torch's threads on a CPU; the number may change the last digits of sums."""

    def __post_init__(self) -> None:
        if not self.dataset:
            raise BadValue("dataset: expected a name such as 'optimus/wood-v0', got none")
        files = (self.model_file, self.weights_file)
        if bool(self.size) == bool(files[0]) or bool(files[0]) != bool(files[1]):
            raise BadValue(
                "size: expected a size, or a model_file and a weights_file, "
                f"got size {self.size!r}, model_file {files[0]!r}, weights_file {files[1]!r}"
            )
        if self.size:
            check_name("size", self.size, cloned.NETS)
        check_seed(self.training_seed)
        for name in ("updates", "batch", "chunk", "save_every", "threads"):
            check_count(name, getattr(self, name), 1)
        for name in ("learning_rate", "warm_up", "weight_decay"):
            value = getattr(self, name)
            if not is_number(value) or not 0 <= value <= 1:
                raise BadValue(f"{name}: expected a number from 0 to 1, got {shown(value)}")
        if not is_number(self.clip) or not self.clip > 0:
            raise BadValue(f"clip: expected a number above 0, got {shown(self.clip)}")

    @property
    def training(self) -> dict[str, Any]:
        """Return the arguments that a training depends on, besides the dataset's content."""
        return {name: value for name, value in asdict(self).items() if name not in ELSEWHERE}

    def file(self, name: str) -> Path:
        """Return the path of a file in the training's folder."""
        return Path(self.out) / name

    def rate(self, update: int) -> float:
        """Return the learning rate of an update; updates count from 0."""
        highest = self.learning_rate or RATES[self.goals]
        rising = round(self.warm_up * self.updates)
        if update < rising:
            return highest * (update + 1) / rising
        return highest * (1 + math.cos(math.pi * (update - rising) / (self.updates - rising))) / 2


class Training:
    """A policy that learns, and all state that a resumed training needs.

    Attributes:
        done: number of updates so far.
        rows: rows of the metrics so far.
    """

    def __init__(self, args: Args, policy: VPTPolicy, episodes: Episodes) -> None:
        self._args, self._policy, self._episodes = args, policy, episodes
        self._device = next(policy.parameters()).device
        learnt = [x for name, x in policy.named_parameters() if not name.startswith("value_head")]
        decayed = {"params": [x for x in learnt if x.ndim > 1], "weight_decay": args.weight_decay}
        plain = {"params": [x for x in learnt if x.ndim < 2], "weight_decay": 0.0}
        self._learnt, self._optimizer = learnt, torch.optim.AdamW([decayed, plain])
        self._told = {**args.training, **episodes.told}
        self._memory = policy.initial_state(args.batch)
        self._visits: dict[int, Visit] = {}
        self._sums = [0.0] * (len(cloned.MEASURES) + 1)
        self._rival = cloned.rival(episodes)
        self.done = 0
        self.rows: list[dict[str, float]] = []

    def left(self) -> Iterator[list[Piece]]:
        """Yield for each remaining update a list of pieces of episodes, one for each lane (batch row)."""
        lengths = [len(self._episodes.labels[k].ticks) for k in self._episodes.training]
        whole = pieces(self._args.training_seed, lengths, self._args.batch, self._args.chunk)
        return islice(whole, self.done, self._args.updates)

    def update(self, going: Sequence[Piece]) -> float:
        """Make one update from pieces of episodes, one for each lane (batch row); return the loss.

        Raises:
            BadValue: the loss is not finite; the policy has learnt nothing from these pieces.
        """
        self._visits = {piece.visit: self._visit(piece) for piece in going}
        parts = [(self._visits[piece.visit], piece) for piece in going]
        batch = cloned.batch_of(parts, self._device)
        loss, sums, memory = cloned.judged(self._policy, batch, self._memory)
        if not torch.isfinite(loss):
            raise BadValue(
                f"learning_rate: expected a rate that keeps the loss finite, got a loss of {loss.item()} in "
                f"update {self.done + 1} with the rate {self._args.rate(self.done):g}"
            )
        for group in self._optimizer.param_groups:
            group["lr"] = self._args.rate(self.done)
        self._optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self._learnt, self._args.clip)
        self._optimizer.step()
        self._memory, self.done = memory, self.done + 1
        self._sums = [one + more for one, more in zip(self._sums, sums.tolist(), strict=True)]
        return loss.item()

    def _visit(self, piece: Piece) -> Visit:
        """Return the visit (one pass through an episode) of a piece of it; equal seeds give equal goals."""
        if piece.visit in self._visits:
            return self._visits[piece.visit]
        draws = generator(self._args.training_seed, f"goals of visit {piece.visit}")
        number = self._episodes.training[piece.episode]
        return self._episodes.visit(number, draws, ROW * self._args.chunk, AIMLESS)

    def measure(self) -> None:
        """Add a row of metrics: training since the last row, held-out episodes, best policy without input."""
        columns = {"": cloned.shares(self._sums), "held_out_": self.held_out()}
        row: dict[str, float] = {"update": self.done, "ticks": int(self._sums[-1])}
        for title, found in {**columns, "rival_": self._rival}.items():
            row.update({title + name: value for name, value in found.items()})
        self.rows.append(row)
        self._sums = [0.0] * len(self._sums)

    @torch.no_grad()
    def held_out(self) -> dict[str, float]:
        """Return the policy's `MEASURES` on the held-out episodes, with the same goals at every call."""
        chunk, total = self._args.chunk, torch.zeros(len(self._sums), dtype=torch.float64)
        for k in self._episodes.held_out:
            goals = generator(self._args.training_seed, f"goals of episode {k}")
            visit = self._episodes.visit(k, goals)
            state = self._policy.initial_state(1)
            for start in range(0, len(visit.buttons), chunk):
                piece = Piece(0, k, start, min(start + chunk, len(visit.buttons)))
                batch = cloned.batch_of([(visit, piece)], self._device)
                _, sums, state = cloned.judged(self._policy, batch, state)
                total += sums.cpu()
        return cloned.shares(total.tolist())

    def save(self) -> None:
        """Write the files of state, weights and metrics, each whole or not at all.

        Raises:
            OSError: the files cannot be written.
        """
        weights = {name: value.cpu() for name, value in self._policy.state_dict().items()}
        memory = [self._memory.known, *(part for one in self._memory.layers for part in one)]
        optimizer = self._optimizer.state_dict()
        held = (self._told, self.done, weights, optimizer, memory, self._sums, self.rows)
        write_tensors(self._args.file("state.pt"), dict(zip(STATE, held, strict=True)))
        write_tensors(self._args.file("policy.weights"), weights)
        table = io.StringIO()
        writer = csv.DictWriter(table, list(self.rows[0]) if self.rows else [], lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        write_whole(self._args.file("metrics.csv"), table.getvalue().encode())

    def take_up(self, state: Mapping[str, Any]) -> None:
        """Resume a saved training.

        Raises:
            BadValue: the saved training differs from this one; the message names the difference.
        """
        for name, value in self._told.items():
            before = state["told"].get(name)
            if before != value:
                file = self._args.file("state.pt")
                raise BadValue(f"{name}: expected {before!r} as in '{file}', got {value!r}")
        fill_network(self._policy, state["weights"], self._args.file("state.pt"))
        self._optimizer.load_state_dict(state["optimizer"])
        known, *parts = (part.to(self._device) for part in state["memory"])
        layers = zip(parts[::2], parts[1::2], strict=True)
        self._memory = VPTState(known, tuple(LayerCache(*one) for one in layers))
        self.done, self._sums, self.rows = state["done"], state["sums"], state["rows"]


def begun(args: Args) -> Training:
    """Return a new training or the saved one, and make the training's folder.

    Raises:
        BadValue, UnknownName: dataset, files, aligner or device cannot be used, or another training was
            saved in the folder.
        MissingExtra: Minari is not installed.
    """
    device = device_named(args.device or None)
    if args.root:
        os.environ["MINARI_DATASETS_PATH"] = str(check_path("root", args.root).absolute())
    aligner = args.aligner if args.goals else ""
    state, model = read_state(args.file("state.pt"), STATE), args.file("policy.model")
    if args.model_file and state is None:
        read_options(args.model_file)  # rejects bad files before anything is written
    episodes = Episodes(args.dataset, Path(args.out), args.keep_null, aligner, device)
    Path(args.out).mkdir(parents=True, exist_ok=True)
    if state is None:
        given = args.model_file
        write_whole(model, Path(given).read_bytes() if given else cloned.options_of(args.size))
    weights = args.weights_file if state is None else ""
    policy = cloned.made_policy(model, weights, args.training_seed, args.goals)
    training = Training(args, policy.to(device), episodes)
    if state is not None:
        training.take_up(state)
    return training


def train(args: Args) -> list[dict[str, float]]:
    """Train or resume to the end; return the rows of the metrics.

    Raises:
        BadValue, UnknownName, MissingExtra: as in `begun`; or the loss is not finite.
        KeyboardInterrupt: Ctrl-C, after the training has been saved.
    """
    torch.set_num_threads(args.threads)
    training = begun(args)
    if training.done == args.updates:
        training.save()  # an interruption may have left some files older than others
    with asked_to_stop() as asked, bars() as progress:
        bar = progress.add_task(
            "updates", total=args.updates, completed=training.done, kept=training.done
        )
        for going in training.left():
            loss = training.update(going)
            row = training.done % args.save_every == 0 or training.done == args.updates
            if row:
                training.measure()
            if row or asked:
                training.save()
            progress.update(bar, advance=1, description=f"updates, loss {loss:.2f}")
            if asked:
                raise KeyboardInterrupt
    return training.rows


def show(row: Mapping[str, float]) -> None:
    """Print the last row of the metrics."""
    lines = [f"{'':22} {'loss':>7} {'buttons':>8} {'turns':>8}"]
    for name, title in (("training", ""), ("held out", "held_out_"), ("rival, held out", "rival_")):
        loss, buttons, camera = (row[title + measure] for measure in cloned.MEASURES)
        lines.append(f"{name:22} {loss:7.3f} {buttons:8.3f} {camera:8.3f}")
    sys.stdout.write("\n".join(lines) + "\n")


def work(args: Args) -> None:
    """Train in the folder `out`, and print the last row of the metrics."""
    with training_folder(NAME, Path(args.out), True, args.training, asdict(args)):
        rows = train(args)
    show(rows[-1])


COMMAND: Final = Command(
    NAME,
    Args,
    work,
    "Train VPT's policy, or STEVE-1's (--goals), to imitate recorded episodes.",
    EXAMPLES,
    GOES_ON,
)

if __name__ == "__main__":
    sys.exit(COMMAND.entry())
