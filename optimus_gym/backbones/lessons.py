"""Rules that make plans from past episodes that a request lists: repeat, transfer, avoid, shortcut, detour.

Plans in this module are tuples of sub-goals; `facts` are the facts of a request for a plan (`prompts.lines`).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, Final

from optimus_gym.backbones.bare import amends, bare_steps, plan_step
from optimus_gym.backbones.parse.deeds import subgoals_of
from optimus_gym.backbones.parse.step_objects import worded
from optimus_gym.core.types import ONCE, RECOVER, SubGoal
from optimus_gym.game.tools import tools
from optimus_gym.prompts.lines import UNKNOWN
from optimus_gym.prompts.materials import gear_of, in_material, made_of
from optimus_gym.prompts.memories import LEFT_OUT
from optimus_gym.prompts.words import word_for
from optimus_gym.vision.environments import ENVIRONMENTS

HELD_VERBS: Final = ("mine", "craft", "smelt", "kill", "shear", "milk", "fill", "grow")
"""Verbs of sub-goals that are reached when the player holds the item."""
GATHERS: Final = ("mine", "kill", "shear", "milk", "fill", "grow")
"""Verbs that get an item from the world around the player: from blocks, creatures, fluids or plants."""
LACK: Final = "missing_"
"""Prefix of failure reasons that name a missing item; a failure for such a reason does not depend on the
place."""
FEWEST_RENAMED: Final = 2
"""If a plan is transferred to another material, at least this many of its items, the goal included, must be
renamed."""
QUICKER: Final = 0.5
"""Largest time that a shortcut may have taken, as a share of the time of the graph's plan: our choice."""
_WHY: Final = re.compile(r"(\w+)(?:: \d+ (\w+))?")
SubGoals = tuple[SubGoal, ...]
PlanSteps = list[dict[str, Any]]


def way(facts: Mapping[str, Any]) -> PlanSteps:
    """Return a plan made of past successes, without steps for held items; empty if no success serves.

    The rules repeat a past success at the same item; without such a success, they transfer the success at
    another item that needs the fewest changes. If the last plan failed, the new plan first gets the item that
    the failed step lacked, as a past episode did, and then resumes at the failed step. The rules take the
    remembered plan with the fewest steps that failed before in the player's present environment (biome, cave,
    water or night). Among successes at the same item with equally many failed steps, an episode that began in
    the player's present environment comes first, and of several episodes that began there the quickest. If
    the rules find no way to the goal, they return the steps to the item that the last plan lacked, and then
    the bare goal (one step, without a recipe).
    """
    _, item, count = facts["goal"]
    rows = [row for row in facts["experiences"] if row["outcome"] == "success"]
    plans = [_reached(row) for row in rows]
    quickest = map(_reached, sorted(rows, key=partial(_seconds_here, here(facts))))
    same = [plan for plan in quickest if _ends_with(plan, item, count)]
    ways = same or transferred(plans, item, count)
    if not ways:
        first = _way_to_lacked(facts, plans)
        return [*first, bare_steps(facts)[-1]] if first else []
    failed = failed_here(facts)
    best = min(ways, key=lambda plan: sum(_deed(one) in failed for one in plan))
    return _resumed(best, facts, plans)


def transferred(plans: Sequence[SubGoals], item: str, count: int) -> list[SubGoals]:
    """Return plans to an item, made from plans to other items, with the fewest changes first.

    A plan that gets the item on its way to another item is cut off after the step that gets it. In a plan to
    another tool (or piece of armour) of the same material, only the product is renamed. In a plan to the same
    thing of another material, each item of the old material is renamed; at least one item besides the product
    must be renamed.
    """
    found = []
    for plan in filter(None, plans):
        ways = (make(plan, item, count) for make in (until, _as_tool, _in_material))
        found += next(([(changes, part)] for changes, part in enumerate(ways) if part), [])
    return [plan for _, plan in sorted(found, key=lambda one: one[0])]


def until(plan: SubGoals, item: str, count: int) -> SubGoals:
    """Return a plan up to the first step that gets enough of an item; empty if no step does."""
    for number, one in enumerate(plan, 1):
        if one.verb in HELD_VERBS and item in _names(one) and one.count >= count:
            return plan[:number]
    return ()


def here(facts: Mapping[str, Any]) -> str | None:
    """Return a request's biome, else the biome, cave, water or night on its screen; None if uncertain."""
    biome = facts.get("biome", UNKNOWN)
    if biome != UNKNOWN:
        return str(biome)
    word = str(facts["screen"].get("environment", ""))
    return word if word in ENVIRONMENTS else None


def _seconds_here(place: str | None, row: Mapping[str, Any]) -> float:
    """Return the seconds of a remembered episode that began in `place`; infinity for other episodes."""
    if place is None or row["environment"] != place:
        return inf
    return float(sum(one["seconds"] or 0 for one in row["plan"]))


def failed_here(facts: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    """Return verb and item of sub-goals that failed in the player's present biome, cave, water or night.

    A failure in a remembered episode counts if the episode never reached the sub-goal and began in the same
    biome, cave, water or night as the player's present one, which the request must state for certain. If a
    sub-goal has just failed, only remembered failures for the same kind of reason count. A failure for a
    missing item never counts, because it does not depend on the place.
    """
    kind = _reason(facts.get("failure", ""))[0]
    found = set()
    if kind and not kind.startswith(LACK):
        found = {_deed(one) for one in _read([facts["failed"]])}
    for row in facts["experiences"]:
        if row["environment"] != here(facts):
            continue
        reached = {_deed(one) for one in _read(_reached_tasks(row))}
        for one in row["plan"]:
            known = _reason(one["why"])[0]
            if one["end"] not in ("failed", "replan") or known.startswith(LACK):
                continue
            if kind in ("", known):
                found |= {_deed(read) for read in _read([one["task"]])} - reached
    return frozenset(found)


def detour(steps: PlanSteps, facts: Mapping[str, Any]) -> PlanSteps:
    """Return a plan in which steps that worked after the same failure replace the failed step or all steps.

    A remembered plan that leads to the goal replaces all steps. If the remembered plan leads only to the
    failed sub-goal's item, its steps up to this item replace the failed step. If no remembered plan leads to
    the goal or to the failed sub-goal's item, return `steps` unchanged.
    """
    failed = _read([facts["failed"]])[:1] if "failed" in facts else ()
    at = _place(steps, failed)
    if at is None or any(_verb(one) not in ONCE for one in steps[:at]):
        return steps
    _, item, count = facts["goal"]
    for row in facts.get("replans", ()):
        plan = _read(task for task in row["plan"] if not task.startswith(f"{RECOVER} "))
        if row["outcome"] != "success" or not plan or _deed(plan[0]) == _deed(failed[0]):
            continue
        if not _same_setback(row, failed[0], facts["failure"]):
            continue
        if _ends_with(plan, item, count):
            return _left(plan, facts["inventory"])
        if part := until(plan, _deed(failed[0])[1], failed[0].count):
            return [*steps[:at], *_left(part, facts["inventory"]), *steps[at + 1 :]]
    return steps


def shortcut(steps: PlanSteps, facts: Mapping[str, Any]) -> PlanSteps:
    """Return the graph's steps, or the steps of a past success at the same item in the same environment.

    A past success replaces the graph's steps if it took at most half of their expected time, or if one of the
    graph's steps failed before in the player's present environment (biome, cave, water or night). The past
    success must also gather an item that the graph's steps do not gather, because a success with the same
    items was quicker only by luck.
    """
    place, failed, planned = here(facts), failed_here(facts), _read(one["task"] for one in steps)
    takes = facts.get("takes", UNKNOWN)
    most = 0.0 if takes == UNKNOWN else QUICKER * float(takes)
    if any(_deed(one) in failed for one in planned):
        most = inf
    _, item, count = facts["goal"]
    rows = [
        row
        for row in facts["experiences"]
        if row["outcome"] == "success" and row["environment"] == place
    ]
    for row in sorted(rows, key=partial(_seconds_here, place)):
        if _seconds_here(place, row) > most:
            break
        plan = _reached(row)
        fails = any(_deed(one) in failed for one in plan)
        if _ends_with(plan, item, count) and not fails and _gathers_other(plan, planned):
            return _left(plan, facts["inventory"])
    return steps


def _gathers_other(plan: SubGoals, other: SubGoals) -> bool:
    """Return whether a gathering sub-goal of `plan` accepts only items that `other` does not gather."""
    known = {kind for one in other if one.verb in GATHERS for kind in one.kinds}
    return any(known.isdisjoint(one.kinds) for one in plan if one.verb in GATHERS)


def _same_setback(row: Mapping[str, Any], failed: SubGoal, why: str) -> bool:
    """Return whether a remembered setback has the same failed sub-goal and reason; counts may differ."""
    deeds = [_deed(one) for one in _read([row["failed"]])]
    return deeds == [_deed(failed)] and _reason(row["why"]) == _reason(why)


def _as_tool(plan: SubGoals, item: str, count: int) -> SubGoals:
    """Turn a plan to a tool into a plan to another tool of the same material; empty if this is impossible."""
    product = plan[-1].item
    old, new = made_of(product), made_of(item)
    if old is None or new is None or old.material != new.material:
        return ()
    if not gear_of(item) or gear_of(item) != gear_of(product):
        return ()
    return _renamed(plan, lambda name: item if name == product else name, count)


def _in_material(plan: SubGoals, item: str, count: int) -> SubGoals:
    """Turn a plan to a thing into a plan to that thing of another material; empty if this is impossible."""
    old, new = made_of(plan[-1].item), made_of(item)
    if old is None or new is None or old.thing != new.thing:
        return ()
    made = _renamed(plan, partial(in_material, old=old.material, new=new.material), count)
    changed = {one.item for one in made} - {one.item for one in plan}
    return made if len(changed) >= FEWEST_RENAMED else ()


def _renamed(plan: SubGoals, rename: Callable[[str], str | None], count: int) -> SubGoals:
    """Return a plan with renamed items and at least `count` of the last item; empty if `rename` returns None.

    A sub-goal that accepts several items (any log) keeps its item.
    """
    made = []
    for one in plan:
        name = one.item if len(one.kinds) > 1 else rename(one.item)
        if name is None:
            return ()
        made.append(one if name == one.item else replace(one, item=name, accepts=()))
    return (*made[:-1], replace(made[-1], count=max(count, made[-1].count)))


def _resumed(plan: SubGoals, facts: Mapping[str, Any], plans: Sequence[SubGoals]) -> PlanSteps:
    """Return the steps of a plan that are still to do.

    If the last step failed because an item was missing, the result is the steps to get the item (by a
    remembered way, if there is one), then the plan from the failed step on. The result repeats the steps just
    before the failed step that place or equip something, except for stations that are still in reach.
    """
    lacked = amends(facts)
    failed = {_deed(one) for one in _read([facts["failed"]])} if lacked else set()
    at = next((number for number, one in enumerate(plan) if _deed(one) in failed), None)
    if at is None:
        return _left(plan, facts["inventory"])
    item = lacked[0]["goal"][0]
    equips = _verb(lacked[0]) == "equip"
    first = [] if equips else _way_to_lacked(facts, [plan, *plans]) or lacked
    near = () if any(_verb(one) == "mine" for one in first) else facts["stations"]
    begun = at
    while begun and plan[begun - 1].verb in ONCE and plan[begun - 1].item not in (item, *near):
        begun -= 1
    if item in tools():
        first = [*first, *_left(plan[begun:at], {}), plan_step("equip", item, 1)]
        begun = at
    return [*first, *_left(plan[begun:], facts["inventory"])]


def _way_to_lacked(facts: Mapping[str, Any], plans: Sequence[SubGoals]) -> PlanSteps:
    """Return the steps of the first plan that gets the item that the last try lacked; empty if none does."""
    lacked = amends(facts)
    if not lacked or _verb(lacked[0]) in ONCE:
        return []
    item, count = lacked[0]["goal"]
    known = filter(None, (until(one, item, count) for one in plans))
    return _left(next(known, ()), {**facts["inventory"], item: 0})


def _reached_tasks(row: Mapping[str, Any]) -> list[str]:
    """Return the reached tasks of a remembered plan, without recoveries.

    A task that was repeated is listed each time, except tasks of the verbs "place" and "equip".
    """
    reached = [one for one in row["plan"] if one["end"] not in ("failed", "replan")]
    tasks: list[str] = []
    for one in reached:
        verb = one["task"].split(" ", 1)[0]
        if verb != RECOVER and one["task"] != LEFT_OUT:
            tasks += [one["task"]] * (1 if verb in ONCE else one["times"])
    return tasks


def _reached(row: Mapping[str, Any]) -> SubGoals:
    """Return the reached sub-goals of a remembered episode; empty if the request does not list them all."""
    whole = all(one["task"] != LEFT_OUT for one in row["plan"])
    return _read(_reached_tasks(row)) if whole else ()


def _read(tasks: Iterable[str]) -> SubGoals:
    """Return the sub-goals that tasks in words mean."""
    return tuple(one for task in tasks for one in subgoals_of(worded("1", task)).subgoals)


def _left(plan: SubGoals, inventory: Mapping[str, int]) -> PlanSteps:
    """Return a plan as steps, less the pieces already held; a held piece is deducted from one step only."""
    steps, held = [], dict(inventory)
    for one in plan:
        have = 0
        if one.verb in HELD_VERBS:
            for kind in one.kinds:
                taken = min(held.get(kind, 0), one.count - have)
                held[kind] = held.get(kind, 0) - taken
                have += taken
        if have < one.count:
            steps.append(plan_step(one.verb, word_for(one.item, one.kinds), one.count - have))
    return steps


def _ends_with(plan: SubGoals, item: str, count: int) -> bool:
    return bool(plan) and item in _names(plan[-1]) and plan[-1].count >= count


def _names(subgoal: SubGoal) -> tuple[str, ...]:
    return (word_for(subgoal.item, subgoal.kinds), *subgoal.kinds)


def _deed(subgoal: SubGoal) -> tuple[str, str]:
    """Return verb and item of a sub-goal, without its count."""
    return subgoal.verb, word_for(subgoal.item, subgoal.kinds)


def _verb(one: Mapping[str, Any]) -> str:
    return str(one["task"]).split(" ", 1)[0]


def _place(steps: PlanSteps, failed: Sequence[SubGoal]) -> int | None:
    """Return the index of the step that failed; None if the failed sub-goal is not among the steps."""
    deeds = [(_verb(one), one["goal"][0]) for one in steps]
    return next((deeds.index(_deed(one)) for one in failed if _deed(one) in deeds), None)


def _reason(why: str) -> tuple[str, str]:
    """Return the kind of a failure's reason, and the item that the reason names ("" if it names none).

    >>> _reason("timeout: 3 iron_ore (seen none)"), _reason("stuck")
    (('timeout', 'iron_ore'), ('stuck', ''))
    """
    found = _WHY.match(why)
    return ("", "") if found is None else (found[1], found[2] or "")
