"""The tasks of self-evolution: free exploration and the teacher's lessons (Optimus-1, appendix E.2)."""

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from optimus_gym.core.rng import generator
from optimus_gym.core.types import SubGoal
from optimus_gym.game.items import item
from optimus_gym.game.rows import Row
from optimus_gym.game.sources import GATHERING
from optimus_gym.game.tags import tag, tags
from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.minds.at_hand import offered
from optimus_gym.prompts.words import in_words

BAG_KINDS: Final = 8
"""Maximum number of kinds of materials in the bag of an exploration: our choice."""
BAG_PIECES: Final = 8
"""Maximum number of pieces of each kind: our choice."""
EXPLORATION_TICKS: Final = 6_000
"""Budget of an exploration in ticks, five minutes of play: our choice."""
LESSON_TICKS: Final = 36_000
"""Budget of a teacher's lesson in ticks, half an hour of play: our choice."""
_GATHERS: Final = 0.5
"""Share of the explorations that gather something, if anything at hand can be made: our choice."""


class SchoolTasks:
    """Draws the tasks of explorations and lessons; equal seeds give equal tasks.

    Args:
        able: all ways to get items that the environment allows.
        biomes: the world's biomes.
        seed: the seed of the draws.
    """

    def __init__(self, able: KnowledgeGraph, biomes: Collection[str], seed: int) -> None:
        self._able = able
        self._seed = seed
        self._biomes = tuple(name for name in _file()["biomes"] if name in biomes)
        self._obtainable: dict[str, bool] = {}
        self._pool = {group: self._feasible(group) for group in _file()["groups"]}
        self._materials = {group: self._materials_of(group) for group in self._pool}

    @property
    def pool(self) -> tuple[Row, ...]:
        """Return the tasks that the teacher can teach here, group by group."""
        return tuple(row for rows in self._pool.values() for row in rows)

    def explorations(self, epoch: int, count: int) -> list[Row]:
        """Return the rows of an epoch's explorations, numbered from 0."""
        return [self._exploration(epoch, number) for number in range(count)]

    def lessons(self, epoch: int, count: int) -> list[Row]:
        """Return the rows of an epoch's lessons: the next ones of the shuffled pool, without repetition.

        Args:
            epoch: the epoch's number, from 0.
            count: number of lessons; once all of the pool have been taught, it is shuffled again.
        """
        pool = self.pool
        chosen = []
        for place in range(epoch * count, (epoch + 1) * count):
            turn, number = divmod(place, len(pool))
            order = generator(self._seed, f"lessons, turn {turn}").permutation(len(pool))
            row = pool[int(order[number])]
            chosen.append({**row, "id": f"{row['id']}{epoch + 1}x{place - epoch * count:03}"})
        return chosen

    def _exploration(self, epoch: int, number: int) -> Row:
        """Return a task with a random group, biome, materials and goal.

        The goal is drawn from what is at hand: items that the recipe book offers for the materials, or
        things that plans of the group gather.
        """
        draws = generator(self._seed, f"exploration {number} of epoch {epoch}")
        group = str(draws.choice(list(self._materials)))
        materials = self._materials[group]
        held = _bag(tuple(materials), draws)
        gathers = [step for step in materials.values() if step.verb in GATHERING]
        makes = [one for one in offered(held, self._able) if self._can_be_had(one.item)]
        choices = gathers if not makes or draws.random() < _GATHERS else makes
        goal = choices[int(draws.integers(len(choices)))]
        return {
            "id": f"Explore{epoch + 1}x{number:03}",
            "group": group,
            "instruction": f"{goal.verb.capitalize()} {in_words(goal.item)}",
            "verb": goal.verb,
            "item": _tag_of(goal.kinds) or goal.item,
            "success": "reached",
            "budget": EXPLORATION_TICKS,
            "biomes": [str(draws.choice(self._biomes))],
            "inventory": held,
        }

    def _feasible(self, group: str) -> tuple[Row, ...]:
        """Return the rows of a group's lessons that the environment allows."""
        rows = [_lesson_row(group, told) for told in _file()["groups"][group]]
        return tuple(row for row in rows if self._steps_to(row) is not None)

    def _steps_to(self, row: Row) -> Sequence[Any] | None:
        """Return the steps of the cheapest plan for a lesson; None if there is none."""
        for name in _kinds(row["item"]):
            try:
                return self._able.requirements(name, row["count"]).steps
            except Unobtainable:
                continue
        return None

    def _can_be_had(self, name: str) -> bool:
        if name not in self._obtainable:
            try:
                self._obtainable[name] = bool(self._able.requirements(name))
            except Unobtainable:
                self._obtainable[name] = False
        return self._obtainable[name]

    def _materials_of(self, group: str) -> Mapping[str, SubGoal]:
        """Return what the plans for a group's lessons get, by item, with the sub-goal that gets it."""
        found: dict[str, SubGoal] = {}
        for row in self._pool[group]:
            for step in self._steps_to(row) or ():
                found.setdefault(step.item, SubGoal(step.verb, step.item, 1, step.kinds))
        return found


def _bag(kinds: Sequence[str], draws: np.random.Generator) -> dict[str, int]:
    """Draw the materials of an exploration: some kinds, in a random number of pieces."""
    count = min(len(kinds), int(draws.integers(1, BAG_KINDS + 1)))
    chosen = sorted(int(k) for k in draws.choice(len(kinds), count, replace=False))
    most = [min(BAG_PIECES, item(kinds[k]).stack_size) for k in chosen]
    return {
        kinds[k]: int(draws.integers(1, pieces + 1)) for k, pieces in zip(chosen, most, strict=True)
    }


def _lesson_row(group: str, told: str) -> Row:
    """Return the row of a lesson "verb item count" of the data file.

    >>> _lesson_row("diamond", "mine diamond 2")["instruction"]
    'Mine 2 diamond'
    """
    verb, name, *rest = told.split()
    count = int(rest[0]) if rest else 1
    word = in_words(name.removeprefix("#"))
    return {
        "id": f"Lesson{''.join(part.capitalize() for part in (verb, *name.strip('#').split('_'), *rest))}",
        "group": group,
        "instruction": f"{verb.capitalize()} {f'{count} ' if rest else ''}{word}",
        "verb": verb,
        "item": name,
        "count": count,
        "budget": LESSON_TICKS,
    }


def _tag_of(kinds: Collection[str]) -> str | None:
    """Return the tag, as a task's row names it, whose items are exactly some kinds; None if none is.

    >>> _tag_of(tag("planks"))
    '#planks'
    """
    wanted = set(kinds)
    return next(
        (f"#{name}" for name, items in tags().items() if len(wanted) > 1 and set(items) == wanted),
        None,
    )


def _kinds(name: str) -> tuple[str, ...]:
    return tag(name[1:]) if name.startswith("#") else (name,)


@cache
def _file() -> Mapping[str, Any]:
    """Return the content of `data/lessons.json`."""
    text = files("optimus_gym.run.learn.data").joinpath("lessons.json").read_text("utf-8")
    told: Mapping[str, Any] = json.loads(text)
    return told
