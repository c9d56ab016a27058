"""Measure how often paraphrases find their task's experience: `python -m benchmarks.paraphrases`.

The memory holds one success of each task of suite `optimus-67`. Each paraphrase asks for one of these tasks.
The command prints how many paraphrases rank their own task first, and lists the others. The first list served
to improve the search. The held-out list is for measuring only: no rule or word may come from it. Both lists
were written before the search had any rules for words. The command also asks for tasks of two suites in
wordings from `tools/mini/wordings.json` that the aligner never learned from.
"""

import argparse
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.recall import SUITES, WORDINGS
from optimus_gym.core.task import Task
from optimus_gym.game.tasks import SUITE, tasks
from optimus_gym.memory.experience import Experience
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.retrieval import Filters
from optimus_gym.prompts.words import in_words, word_for
from optimus_gym.vision.mini_aligner import MiniAligner
from tools.mini.wordings import Meaning, told

SEEN: Final[Mapping[str, str]] = {
    "I need a wooden pick": "Wood",
    "pickaxe of gold": "Gold",
    "get me some rails": "CraftRail",
    "make a bucket of iron": "CraftBucket",
    "stone ax": "CraftStoneAxe",
    "wood shovel pls": "CraftWoodenShovel",
    "iron legs": "CraftIronLeggings",
    "can you make me a diamond sword?": "CraftDiamondSword",
    "workbench": "CraftCraftingTable",
    "gold bar": "SmeltGoldIngot",
    "Produce a helmet out of diamonds": "CraftDiamondHelmet",
    "Put together a chest for storage": "CraftChest",
    "Burn logs until there is charcoal": "SmeltCharcoal",
    "Your job is to end up with a compass in the inventory": "CraftCompass",
    "We want boots made of iron": "CraftIronBoots",
    "Build something to smelt ore in: a furnace": "CraftFurnace",
    "Find a diamond deep underground": "Diamond",
    "Prepare a hoe with a golden head": "CraftGoldenHoe",
    "Obtain a breastplate of gold": "CraftGoldenChestplate",
    "Assemble a jukebox that plays records": "CraftJukebox",
}
"""Paraphrases and their tasks: ten terse paraphrases, then ten fuller ones."""
HELD_OUT: Final[Mapping[str, str]] = {
    "iron pick pls": "Iron",
    "gimme a ladder": "CraftLadder",
    "sword of stone": "CraftStoneSword",
    "some torches": "CraftTorch",
    "i want a shield": "CraftShield",
    "wood sword": "CraftWoodenSword",
    "gold helm": "CraftGoldenHelmet",
    "diamond chest plate": "CraftDiamondChestplate",
    "could you craft me a hopper": "CraftHopper",
    "pair of scissors": "CraftShears",
    "Break an ingot into nuggets of iron": "CraftIronNugget",
    "The goal is leggings made of diamond": "CraftDiamondLeggings",
    "Create a rail that redstone activates": "CraftActivatorRail",
    "Set up an oven that cooks food fast, a smoker": "CraftSmoker",
    "Shape a bowl from planks": "CraftBowl",
    "Fashion a shovel with a blade of iron": "CraftIronShovel",
    "Dig for diamonds": "Diamond",
    "Bring home boots of gold": "CraftGoldenBoots",
    "A hook for tripwires would be useful": "CraftTripwireHook",
    "Obtain an axe, the diamond kind": "CraftDiamondAxe",
}
"""Held-out paraphrases and their tasks; no rule was made from these paraphrases."""


def remember(pool: ExperiencePool, done: Iterable[Task]) -> None:
    """Add one success of each of some tasks."""
    pool.add_all(
        [
            Experience(task.id, task.id, task.instruction, "forest", {}, (), (), (), "success", 1)
            for task in done
        ]
    )


def first(pool: ExperiencePool, text: str) -> Experience:
    """Return the success that the search ranks first."""
    (found,) = pool.find(text, count=1, filters=Filters("success"))
    return pool.get(found.number)


def ask(pool: ExperiencePool, name: str, asked: Mapping[str, str]) -> None:
    """Print how many paraphrases find their task first, and list the other paraphrases."""
    found = {text: first(pool, text).task for text in asked}
    wrong = [text for text, right in asked.items() if found[text] != right]
    print(f"{name}: {len(asked) - len(wrong)} of {len(asked)} right first")
    for text in wrong:
        print(f"  {text!r}: {found[text]}, expected {asked[text]}")


def ask_drawn(pool: ExperiencePool, suite: str) -> None:
    """Print how many wordings that the aligner never learned from find their task's instruction first."""
    random = np.random.default_rng(0)
    hits = []
    for task in tasks(suite).values():
        meaning = Meaning(task.verb, in_words(word_for(task.item, task.kinds)))
        for _ in range(WORDINGS):
            text = told(meaning, task.count, random, held_out=True)
            hits.append(first(pool, text).goal == task.instruction)
    print(f"{suite}, drawn wordings: {sum(hits)} of {len(hits)} right first")


def main() -> None:
    """Print the figures of each list and of drawn wordings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seen", action="store_true", help="ask only the sentences of the list SEEN"
    )
    given = parser.parse_args()
    lists = {"seen": SEEN} if given.seen else {"seen": SEEN, "held out": HELD_OUT}
    aligner = MiniAligner()
    for suite in (SUITE,) if given.seen else SUITES:
        with (
            tempfile.TemporaryDirectory() as folder,
            ExperiencePool(Path(folder), aligner) as pool,
        ):
            remember(pool, tasks(suite).values())
            for name, asked in lists.items() if suite == SUITE else ():
                ask(pool, name, asked)
            if not given.seen:
                ask_drawn(pool, suite)


if __name__ == "__main__":
    main()
