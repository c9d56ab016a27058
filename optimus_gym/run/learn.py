"""The command `optimus-gym learn`: agents play proposed tasks in rounds and share one growing memory.

A round plays a batch of tasks, each once, in processes that all write into the same memory folder (JARVIS-1,
section 3.4). A curriculum proposes the next batch: the backbone itself, a list, or chance (JARVIS-1,
Figure 7). The rounds end when the memory holds enough episodes.
"""

import argparse
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from rich.console import Console

from optimus_gym.agents.jarvis1.agent import Jarvis1
from optimus_gym.agents.jarvis1.self_instruct import Achieved, Proposal, SelfInstruct, item_word
from optimus_gym.agents.jarvis1.switches import jarvis_switches
from optimus_gym.core.checks import check_count, check_name, check_path
from optimus_gym.core.errors import BadValue
from optimus_gym.core.parts import part_of
from optimus_gym.core.rng import generator
from optimus_gym.core.task import Task
from optimus_gym.game.tasks import SUITE
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.minds.cookbook import Cookbook
from optimus_gym.run.evaluate.distributing import evaluate
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.evaluate.key_frames import Pictures
from optimus_gym.run.options import add_seed_option, add_setting_options
from optimus_gym.run.results.row import EpisodeRow
from optimus_gym.run.settings import asked
from optimus_gym.seeds import TRAIN
from optimus_gym.terminal.parser import listed, whole
from optimus_gym.terminal.printing import words

EXAMPLES: Final = (
    "optimus-gym learn --agent jarvis-1 --memory DIR --rounds 12 --batch 8 --workers 2",
    "optimus-gym learn --agent jarvis-1 --memory DIR --curriculum random --until 100 --snapshots DIR2",
)
CURRICULA: Final = ("self", "listed", "random")
"""Curricula (JARVIS-1, Figure 7): "self", proposed by the backbone; "listed", in the order in which people
wrote the suite; "random", drawn."""
_NO_PICTURES: Final = Pictures(False, "none")


@dataclass(frozen=True, slots=True)
class Round:
    """A round of learning that is over.

    Attributes:
        number: the round's number, from 1.
        tasks: ids of the tasks that were played.
        reached: ids of the tasks that were reached.
        size: episodes in the memory after the round.
        problems: faults of the curriculum's proposal, in words.
    """

    number: int
    tasks: tuple[str, ...]
    reached: tuple[str, ...]
    size: int
    problems: tuple[str, ...] = ()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--suite", metavar="NAME", help=f"suite of the tasks to choose from (default: {SUITE})"
    )
    parser.add_argument(
        "--tasks",
        type=listed,
        default=(),
        metavar="NAME,...",
        help="choose only from these tasks of the suite (default: all)",
    )
    parser.add_argument(
        "--curriculum",
        default=CURRICULA[0],
        metavar="WHICH",
        help=f"proposes the tasks of a round: {', '.join(CURRICULA)} (default: {CURRICULA[0]})",
    )
    for name, default, told in (
        ("rounds", 10, "maximum number of rounds"),
        ("batch", 8, "tasks of a round"),
        ("until", 500, "episodes in the memory after which no round begins"),
        ("workers", 1, "processes that play"),
        ("rows", 1, "episodes that each process plays at once"),
    ):
        parser.add_argument(
            f"--{name}",
            type=whole,
            default=default,
            metavar="N",
            help=f"{told} (default: {default})",
        )
    parser.add_argument(
        "--snapshots",
        type=Path,
        metavar="DIR",
        help="folder that gets a copy of the memory after each round (default: no copies)",
    )
    add_seed_option(parser, TRAIN.start, f"{TRAIN.start}, the first seed for training")
    add_setting_options(parser)


def run(parsed: argparse.Namespace) -> int:
    """Play the rounds, print a line for each, and return 0.

    Raises:
        BadValue, UnknownName: an argument cannot be used.
        OSError: a folder cannot be written.
    """
    wanted = asked(parsed)
    if "memory" not in wanted.given:
        raise BadValue("memory: expected --memory DIR, the folder that learns, got none")
    evaluation = Evaluation(
        suite=parsed.suite or SUITE,
        tasks=parsed.tasks,
        settings=wanted.settings,
        start=wanted.start,
        episodes=1,
        seed=parsed.seed,
        learn=True,
        **wanted.given,
    )
    copies = None if parsed.snapshots is None else check_path("snapshots", parsed.snapshots)
    rounds = learned(
        evaluation,
        parsed.curriculum,
        rounds=parsed.rounds,
        batch=parsed.batch,
        until=parsed.until,
        workers=parsed.workers,
        rows=parsed.rows,
        snapshots=copies,
    )
    console = Console()
    for one in rounds:
        missed = [name for name in one.tasks if name not in one.reached]
        told = f"round {one.number}: reached {', '.join(one.reached) or 'nothing'}"
        told += f"; not {', '.join(missed)}" if missed else ""
        faults = f" ({'; '.join(one.problems)})" if one.problems else ""
        console.print(words(f"{told}; {one.size} episodes remembered{faults}"), soft_wrap=True)
    return 0


def learned(
    evaluation: Evaluation,
    curriculum: str = CURRICULA[0],
    *,
    rounds: int = 10,
    batch: int = 8,
    until: int = 500,
    workers: int = 1,
    rows: int = 1,
    snapshots: Path | None = None,
) -> Iterator[Round]:
    """Play rounds of a curriculum's tasks and yield each round when it is over.

    With one worker and one row, equal arguments and an equal memory give equal rounds. With more of them, the
    order in which episodes reach the memory depends on the machine.

    Args:
        evaluation: the configuration, with `learn` and a memory folder; its tasks are the pool, and its seed
            is the first round's seed; each further round takes the next seed.
        curriculum: one of `CURRICULA`.
        rounds: maximum number of rounds, at least 1.
        batch: tasks of a round, at least 1.
        until: number of episodes in the memory after which no round begins, at least 1.
        workers: processes that play.
        rows: episodes that each process plays at once.
        snapshots: folder that gets a copy of the memory after each round, named by round and size; None
            makes no copies.

    Raises:
        BadValue: an argument cannot be used.
        UnknownName: no curriculum has this name.
        OSError: a folder cannot be written.
    """
    for name, value in (("rounds", rounds), ("batch", batch), ("until", until)):
        check_count(name, value, 1)
    if not evaluation.learn or evaluation.memory is None or not isinstance(evaluation.seed, int):
        raise BadValue("learn: expected an evaluation with learn, a memory folder and a seed")
    folder = Path(evaluation.memory)
    folder.mkdir(parents=True, exist_ok=True)
    pool = [evaluation.known[name] for name in evaluation.tasks]
    propose = proposer(evaluation, curriculum, pool)
    done, lost = Counter[str](), Counter[str]()
    for number in range(1, rounds + 1):
        if memory_size(folder) >= until:
            return
        proposal = propose(Achieved(_held(evaluation), done, lost), batch, number)
        names = tuple(task.id for task in proposal.tasks)
        reached = _played(evaluation, names, number, workers, rows) if names else []
        for task in proposal.tasks:
            (done if task.id in reached else lost)[item_word(task)] += 1
        size = memory_size(folder)
        if snapshots is not None:
            shutil.copytree(folder, snapshots / f"round-{number:03}-{size:05}")
        yield Round(number, names, tuple(reached), size, proposal.problems)


def memory_size(folder: Path) -> int:
    """Return how many episodes a memory folder holds; 0 without a memory."""
    if not (folder / MEMORY_FILE).is_file():
        return 0
    with ExperienceStore(folder, None, writes=False) as store:
        return len(store.numbers())


def _held(evaluation: Evaluation) -> Mapping[str, int]:
    held: Mapping[str, int] = evaluation.start.get("inventory", {})
    return held


def _played(
    evaluation: Evaluation, names: tuple[str, ...], number: int, workers: int, rows: int
) -> list[str]:
    """Play the tasks of a round, each once; return the ids of the reached ones in the order of the names."""
    assert isinstance(evaluation.seed, int), "learned checks the seed"
    one = replace(evaluation, tasks=names, seed=evaluation.seed + number - 1)
    played: list[EpisodeRow] = list(
        evaluate(one, None, workers=workers, rows=rows, pictures=_NO_PICTURES)
    )
    won = {row.task for row in played if row.success}
    return [name for name in names if name in won]


def proposer(
    evaluation: Evaluation, curriculum: str, pool: Sequence[Task]
) -> Callable[[Achieved, int, int], Proposal]:
    """Return the function that proposes a round's tasks from what was achieved, a count and a number.

    Args:
        evaluation: the configuration, with a number as seed.
        curriculum: one of `CURRICULA`.
        pool: the tasks to choose from.

    Raises:
        UnknownName: no curriculum has this name.
    """
    check_name("curriculum", curriculum, CURRICULA)
    if curriculum == "self":
        part = part_of("backbone", evaluation.backbone)
        assert part is not None, "an evaluation holds specifications alone"
        world = part_of("world", evaluation.world)
        name = "" if world is None else world.name
        cookbook = Cookbook(abilities_of(name, evaluation.protocol).graph)
        agent = part_of("agent", evaluation.agent)
        options = {} if agent is None else agent.options
        own = agent is not None and agent.name == Jarvis1.name
        tells = not own or jarvis_switches(options.get("switches", "full")).tells("instruct")
        return SelfInstruct(part.build(), pool, cookbook, tells).propose
    assert isinstance(evaluation.seed, int), "learned checks the seed"
    chance = generator(evaluation.seed, "random curriculum")

    def listed_or_drawn(achieved: Achieved, count: int, number: int) -> Proposal:
        if curriculum == "random":
            places = chance.choice(len(pool), min(count, len(pool)), replace=False)
            return Proposal(tuple(pool[place] for place in sorted(places.tolist())))
        first = (number - 1) * count
        return Proposal(
            tuple(pool[k % len(pool)] for k in range(first, first + min(count, len(pool))))
        )

    return listed_or_drawn
