"""How often people's words find the right experience: `python -m benchmarks.paraphrases`.

The memory holds one success of each task of suite `optimus-67`. Each paraphrase asks for one of these tasks.
The command prints how many paraphrases rank their own task first, and lists the others. The first list served
to improve the search. The held-out list is for measuring only: no rule or word may come from it. Both lists
are older than any such rule.
"""

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from optimus_gym.game.tasks import SUITE, tasks
from optimus_gym.memory.experience import Experience
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.search import Filters
from optimus_gym.vision.mini_aligner import MiniAligner

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
"""Paraphrases, and the tasks that they ask for: ten terse ones, then ten fuller ones."""
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
"""Others that no rule was made from."""


def filled(pool: ExperiencePool) -> None:
    """Add one success of each task of the suite."""
    pool.add_all(
        [
            Experience(task.id, task.id, task.instruction, "forest", {}, (), (), (), "success", 1)
            for task in tasks(SUITE).values()
        ]
    )


def missed(pool: ExperiencePool, asked: Mapping[str, str]) -> dict[str, str]:
    """Return the paraphrases that rank another task first, and that task."""
    found = {}
    for text, right in asked.items():
        (first,) = pool.find(text, count=1, filters=Filters("success"))
        task = pool.get(first.number).task
        if task != right:
            found[text] = task
    return found


def main() -> None:
    """Print how many paraphrases of each list find their task first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seen", action="store_true", help="leave the held-out list out")
    given = parser.parse_args()
    lists = {"seen": SEEN} if given.seen else {"seen": SEEN, "held out": HELD_OUT}
    with tempfile.TemporaryDirectory() as folder, ExperiencePool(Path(folder), MiniAligner()) as pool:
        filled(pool)
        for name, asked in lists.items():
            wrong = missed(pool, asked)
            print(f"{name}: {len(asked) - len(wrong)} of {len(asked)} right first")
            for text, task in wrong.items():
                print(f"  {text!r}: {task}, expected {asked[text]}")


if __name__ == "__main__":
    main()
