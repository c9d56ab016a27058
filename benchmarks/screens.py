"""Measure crafting by mouse: every craft and smelt sub-goal of the suites' plans, from a stocked inventory.

    python -m benchmarks.screens [--seeds 5] [--verb smelt] [--frames]

Each sub-goal begins next to its station, with the items of one recipe. The helper by mouse and the functional
helper carry out the same sub-goals in the same worlds. The output is the successes and the median ticks of
both; failures follow, a line each. `--frames` compares pictures with and without an open screen.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.helper.mouse.mouse_scripts import BODY_BY_MOUSE
from optimus_gym.controllers.helper.mouse.pointing import MouseBody
from optimus_gym.controllers.helper.scripts import BODY_SCRIPTS
from optimus_gym.controllers.script import Script
from optimus_gym.core.actions import INVENTORY, noop
from optimus_gym.core.types import Failure, Setup, SubGoal
from optimus_gym.game.makings import makings_for
from optimus_gym.game.smelting import ovens_for, smelting_for
from optimus_gym.worlds.voxel.world import VoxelWorld

FIRST_SEED = 910_000
"""First seed, in a range that is never used for tuning."""
LIMIT = 6000
"""Ticks after which a sub-goal counts as failed."""
SIZES = ((640, 360), (128, 128))
ROUNDS = 200


@dataclass(frozen=True, slots=True)
class Errand:
    """A sub-goal with the inventory that it needs, and the station to place beforehand, if any."""

    subgoal: SubGoal
    inventory: Mapping[str, int]
    station: str | None


def skills() -> list[SubGoal]:
    """Return the craft and smelt sub-goals of the full graph's plans for the tasks of all suites."""
    text = files("optimus_gym.minds.data").joinpath("skills.json").read_text("utf-8")
    rows = json.loads(text)["skills"]
    return [SubGoal(row["verb"], row["item"]) for row in rows if row["verb"] in ("craft", "smelt")]


def errand_of(skill: SubGoal, number: int) -> Errand:
    """Return the sub-goal with the items of one recipe; the seed chooses the kinds and the number of pieces.

    number: counts the seeds; the recipes of an item take turns.
    """
    rng = np.random.default_rng(FIRST_SEED + number)
    batches = int(rng.integers(1, 4))
    if skill.verb == "smelt":
        recipe = smelting_for(skill.item)[0]
        name = recipe.choices[int(rng.integers(len(recipe.choices)))]
        oven = ovens_for(skill.item)[number % len(ovens_for(skill.item))]
        stock = {name: batches, "coal": 1}
        return Errand(SubGoal("smelt", skill.item, batches), stock, oven)
    ways = makings_for(skill.item)
    making = ways[number % len(ways)]
    inventory: dict[str, int] = {}
    for part in making.ingredients:
        kind = part.choices[int(rng.integers(len(part.choices)))]
        inventory[kind] = inventory.get(kind, 0) + part.count * batches
    return Errand(SubGoal("craft", skill.item, making.count * batches), inventory, making.station)


def carry_out(world: VoxelWorld, script: Script) -> tuple[Failure | None, int]:
    """Carry out a script in the only world; return its failure, if any, and the ticks taken."""
    for ticks in range(LIMIT):
        try:
            action = next(script)
        except StopIteration as end:
            return end.value, ticks
        world.tick([0], action[None])
    return Failure("timeout", detail=f"over {LIMIT} ticks"), LIMIT


def play(world: VoxelWorld, errand: Errand, seed: int, mouse: bool) -> tuple[Failure | None, int]:
    """Carry out an errand by mouse or by function; return its failure, if any, and the ticks taken."""
    inventory = {**errand.inventory, **({errand.station: 1} if errand.station else {})}
    world.reset(0, Setup(seed, biome="plains", inventory=inventory, screens=mouse))
    body = MouseBody(world, 0) if mouse else Body(world, 0)
    scripts: Mapping[str, Callable[..., Script]] = BODY_BY_MOUSE if mouse else BODY_SCRIPTS
    if errand.station is not None:
        placed, _ = carry_out(world, scripts["place"](body, SubGoal("place", errand.station)))
        if placed is not None:
            return placed, 0
    return carry_out(world, scripts[errand.subgoal.verb](body, errand.subgoal))


def compare(seeds: int, verb: str | None) -> None:
    """Print successes and median ticks of both ways, and every failure by mouse."""
    world = VoxelWorld(1)
    for kind in ("craft", "smelt") if verb is None else (verb,):
        wanted = [skill for skill in skills() if skill.verb == kind]
        ticks: dict[bool, list[int]] = {True: [], False: []}
        done = {True: 0, False: 0}
        failures = []
        for skill in wanted:
            for k in range(seeds):
                seed = FIRST_SEED + k
                errand = errand_of(skill, k)
                for mouse in (True, False):
                    failure, taken = play(world, errand, seed, mouse)
                    ticks[mouse].append(taken)
                    done[mouse] += failure is None
                    if failure is not None:
                        way = "mouse" if mouse else "function"
                        failures.append(f"  {way}: {errand.subgoal}, seed {seed}: {failure}")
        total = len(wanted) * seeds
        print(
            f"{kind}: {len(wanted)} sub-goals x {seeds} seeds: by mouse {done[True]} of {total}, median "
            f"{statistics.median(ticks[True]):.0f} ticks (most {max(ticks[True])}); functional "
            f"{done[False]} of {total}, median {statistics.median(ticks[False]):.0f}",
            flush=True,
        )
        print("\n".join(failures), flush=True)


def time_frames() -> None:
    """Print the time of a picture with an open screen, and of one without."""
    world = VoxelWorld(1)
    world.reset(0, Setup(FIRST_SEED, inventory={"oak_log": 7, "iron_ingot": 3}, screens=True))
    still, opening = noop()[None], noop()[None]
    opening[0, INVENTORY] = 1
    for size in SIZES:
        image = np.zeros((1, size[1], size[0], 3), np.uint8)
        times: dict[bool, list[float]] = {True: [], False: []}
        for _ in range(ROUNDS):
            for is_open in (False, True):
                world.tick([0], opening)
                world.tick([0], still)
                assert bool(world.screens([0])[0]) != is_open
                begin = time.perf_counter()
                world.frames([0], image)
                times[not is_open].append(time.perf_counter() - begin)
        shut, seen = (1e3 * statistics.median(times[key]) for key in (False, True))
        print(f"{size[0]}x{size[1]}: {shut:.2f} ms without, {seen:.2f} ms with the inventory open")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5, help="seeds for each sub-goal")
    parser.add_argument("--verb", choices=("craft", "smelt"), help="only sub-goals of this verb")
    parser.add_argument("--frames", action="store_true", help="time pictures instead")
    options = parser.parse_args()
    if options.frames:
        time_frames()
    else:
        compare(options.seeds, options.verb)


if __name__ == "__main__":
    main()
