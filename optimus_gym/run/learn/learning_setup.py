"""Configuration of self-evolution, and its rounds."""

from dataclasses import asdict, dataclass
from typing import Any

from optimus_gym.core.checks import check_count, check_name
from optimus_gym.core.errors import BadValue
from optimus_gym.core.rng import check_seed
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.evaluate.identity import identity_of
from optimus_gym.run.learn.curricula import CURRICULA, FREE_EXPLORATION
from optimus_gym.seeds import TRAIN, refuse_test_seeds


@dataclass(frozen=True, kw_only=True)
class Learning:
    """The configuration of self-evolution.

    Attributes:
        evaluation: the parts, rules and episodes of the evaluation after each epoch; its agent also plays the
            lessons and a curriculum's tasks. A copy of its memory, if it has one, is the first memory.
        curriculum: one of `curricula.CURRICULA`.
        pool: ids of tasks of the evaluation's suite, for the curricula of a suite; empty: all.
        explore: explorations of an epoch (Optimus-1, section 3.5: 150).
        teach: lessons of an epoch (Optimus-1, section 3.5: 10).
        round: tasks of a round, within which the memory is frozen.
        seed: the first training seed.

    Raises:
        BadValue: a number is out of range, or the seed is no training seed.
        UnknownName: no curriculum, or no task of the suite, has the name.
    """

    evaluation: Evaluation
    curriculum: str = FREE_EXPLORATION
    pool: tuple[str, ...] = ()
    explore: int = 150
    teach: int = 10
    round: int = 10
    seed: int = TRAIN.start

    def __post_init__(self) -> None:
        for name, least in (("explore", 0), ("teach", 0), ("round", 1)):
            check_count(name, getattr(self, name), least)
        if self.explore + self.teach == 0:
            raise BadValue("learn: expected explorations or lessons, got neither")
        check_name("curriculum", self.curriculum, CURRICULA)
        for name in self.pool:
            check_name(f"task of suite {self.evaluation.suite!r}", name, self.evaluation.known)
        check_seed(self.seed)
        refuse_test_seeds([self.seed])
        if self.seed not in TRAIN:
            raise BadValue(f"seed: expected a training seed, from {TRAIN.start}, got {self.seed}")

    @property
    def rounds(self) -> int:
        """Return the number of rounds of an epoch."""
        apart = self.curriculum == FREE_EXPLORATION  # explorations and lessons share no round
        if apart:
            return sum(-(-count // self.round) for count in (self.explore, self.teach))
        size = min(self.round, len(self.pool) or len(self.evaluation.known))
        return -(-(self.explore + self.teach) // size)

    def plain(self) -> dict[str, Any]:
        """Return the configuration and code as JSON values; resumed runs must have the same."""
        own = {name: value for name, value in asdict(self).items() if name != "evaluation"}
        return {"learning": {**own, "pool": list(self.pool)}, **identity_of(self.evaluation)}


@dataclass(frozen=True, slots=True)
class Round:
    """A round that is over.

    Attributes:
        epoch: the epoch's number, from 1.
        number: the round's number in the epoch, from 1.
        kind: one of `curricula.ROUND_KINDS`.
        tasks: ids of the tasks, each played once.
        reached: ids of the tasks that were reached.
        experiences: number of episodes in the memory after the round.
        ways: number of ways to get items in the memory after the round.
        problems: faults of the curriculum's proposal, in words.
        crashed: ids of the tasks whose episodes crashed.
    """

    epoch: int
    number: int
    kind: str
    tasks: tuple[str, ...]
    reached: tuple[str, ...]
    experiences: int
    ways: int
    problems: tuple[str, ...] = ()
    crashed: tuple[str, ...] = ()
