"""The updates of a round: the network learns the teacher's keys from the notes of all rounds so far."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from optimus_gym.baselines.imitate.lesson_book import Lesson
from optimus_gym.baselines.imitate.network import Network
from optimus_gym.baselines.imitate.practice import Shard, read_shard
from optimus_gym.baselines.run_folder import read_state
from optimus_gym.controllers.pixel.senses import AGES
from optimus_gym.core.actions import CONTROL_SIZES
from optimus_gym.core.rng import generator
from optimus_gym.core.weights import fill_network, write_tensors
from optimus_gym.terminal.bars import bars
from optimus_gym.terminal.stopping import asked_to_stop

DECAY: Final = 0.01
"""Weight decay of AdamW."""
LEAST: Final = 0.05
"""Share of the learning rate that is left at a round's end; it falls in a straight line."""
SAVED_EVERY: Final = 1000
"""Updates between two saves of a round."""
STATE: Final = ("done", "loss", "weights", "optimizer")
_NONE: Final[NDArray[np.uint8]] = np.empty(0, np.uint8)
"""No pictures."""
_RECENT: Final = 200
"""Updates over which the shown loss is a mean."""


class Material:
    """The notes of all lessons so far.

    Args:
        lessons: the lesson of each file.
        notes: the files.

    Raises:
        BadValue: a file is damaged or does not fit this version of the package.
    """

    def __init__(self, lessons: Sequence[Lesson], notes: Sequence[Path]) -> None:
        pictures: list[NDArray[np.uint8]] = []
        shards: list[Shard] = []
        for file in notes:
            shard = read_shard(file)
            pictures.append(shard.pictures)
            shards.append(shard._replace(pictures=_NONE))
        self.labels = np.concatenate([shard.labels for shard in shards])
        self.facts = np.concatenate([shard.facts for shard in shards])
        self.pictures = _joined(pictures)
        lengths = np.concatenate([shard.lengths for shard in shards])
        starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
        ticks = np.arange(len(self.labels))
        self._seen = np.stack([np.maximum(ticks - age, starts) for age in AGES], 1)
        weights = np.concatenate(
            [
                np.full(len(shard.labels), lesson.share / _ticks_of(lesson, lessons, shards))
                for lesson, shard in zip(lessons, shards, strict=True)
            ]
        )
        self._heaps = np.cumsum(weights) / weights.sum()

    def batch(self, draws: np.random.Generator, size: int) -> tuple[Tensor, Tensor, Tensor]:
        """Draw ticks; return their pictures, facts and labels."""
        ticks = np.searchsorted(self._heaps, draws.random(size), side="right")
        ticks = np.minimum(ticks, len(self.labels) - 1)
        pictures = torch.from_numpy(self.pictures[self._seen[ticks]])
        labels = torch.from_numpy(self.labels[ticks].astype(np.int64))
        return pictures, torch.from_numpy(self.facts[ticks]), labels


def _joined(pictures: list[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Return all pictures as one array, and empty the list: two copies of all would not fit into memory."""
    whole = np.empty((sum(map(len, pictures)), *pictures[0].shape[1:]), np.uint8)
    end = len(whole)
    while pictures:
        last = pictures.pop()
        whole[end - len(last) : end] = last
        end -= len(last)
    return whole


def _ticks_of(lesson: Lesson, lessons: Sequence[Lesson], shards: Sequence[Shard]) -> int:
    """Return how many ticks of a lesson were noted in all rounds."""
    return sum(
        len(shard.labels)
        for other, shard in zip(lessons, shards, strict=True)
        if other.task == lesson.task
    )


def loss_of(scores: Tensor, labels: Tensor) -> Tensor:
    """Return the sum of the thirteen keys' cross entropies, a mean over the batch."""
    parts = torch.split(scores, list(CONTROL_SIZES), 1)
    return torch.stack([cross_entropy(part, labels[:, k]) for k, part in enumerate(parts)]).sum()


def learn(
    network: Network, lessons: Sequence[Lesson], notes: Sequence[Path], file: Path, *, round_: int,
    updates: int, batch: int, rate: float, seed: int,
) -> float:  # fmt: skip
    """Make a round's updates, or those that are left of an interrupted round; return the last loss.

    Args:
        network: the network, which learns.
        lessons: the lesson of each file of notes.
        notes: the files of notes; a finished round reads none.
        file: where the round's state is saved.
        round_: the round's number.
        updates: number of updates of the round.
        batch: ticks in an update.
        rate: the learning rate at the round's beginning.
        seed: seed of the draws.

    Raises:
        BadValue: a file of notes is damaged or does not fit this version of the package.
        KeyboardInterrupt: Ctrl-C, after the state has been saved.
    """
    optimizer = torch.optim.AdamW(network.parameters(), rate, weight_decay=DECAY)
    done, recent = 0, [0.0]
    state = read_state(file, STATE)
    if state is not None:
        fill_network(network, state["weights"], file)
        optimizer.load_state_dict(state["optimizer"])
        done, recent = int(state["done"]), [float(state["loss"])]
    material = Material(lessons, notes) if done < updates else None
    with bars() as display, asked_to_stop() as asked:
        bar = display.add_task(f"round {round_}, updates", total=updates, completed=done, kept=done)
        while material is not None and done < updates:
            for group in optimizer.param_groups:
                group["lr"] = rate * max(LEAST, 1 - done / updates)
            pictures, facts, labels = material.batch(
                generator(seed, f"batch {done} of round {round_}"), batch
            )
            loss = loss_of(network(pictures, facts), labels)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            done, recent = done + 1, [*recent[-_RECENT:], loss.item()]
            if done % SAVED_EVERY == 0 or done == updates or asked:
                told = {
                    "done": done,
                    "loss": float(np.mean(recent)),
                    "weights": network.state_dict(),
                    "optimizer": optimizer.state_dict(),
                }
                write_tensors(file, told)
            display.update(
                bar,
                completed=done,
                description=f"round {round_}, updates, loss {np.mean(recent):.2f}",
            )
            if asked:
                raise KeyboardInterrupt
    return float(np.mean(recent))


def ready_network(seed: int) -> Network:
    """Return an untaught network, whose weights a seed decides."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Network()
