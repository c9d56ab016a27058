"""Finds the tasks that the arguments `task` and `suite` name, and registers users' own tasks."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.core.plain import read_json
from optimus_gym.core.registration import register_task_ids
from optimus_gym.core.task import SUCCESSES, Task
from optimus_gym.core.types import ACT_VERBS, SHAFT_ENDS, SubGoal, Verb
from optimus_gym.envs.config import SUBGOAL_TICKS
from optimus_gym.envs.part_answers import check_subgoal
from optimus_gym.game.items import items
from optimus_gym.game.sources import GETTING_VERBS, verbs_for
from optimus_gym.game.suite_file import REACHED_VERBS
from optimus_gym.game.tasks import OWN_SUITE, add_task, own_tasks, task, tasks
from optimus_gym.game.things import things
from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.knowledge.pockets import check_goal
from optimus_gym.minds.completion import prompt
from optimus_gym.prompts.words import in_words, kinds_of

OWN_BUDGET = 36_000
"""Budget in ticks of a user's own task: the largest budget of Optimus-1's Table 5."""
WORDED = ("item", "count", "success")
SUBGOAL_FIELDS = ("verb", "item", "count")


def resolve_tasks(wanted: object) -> tuple[Task, ...]:
    """Return the tasks that the argument `task` names: a tuple names several, any other value names one.

    Raises:
        UnknownName, BadValue: `resolve_task` rejects a value, or the tuple is empty or holds a task twice.

    >>> [task.group for task in resolve_tasks(("Wood", "Stone"))]
    ['wood', 'stone']
    """
    if not isinstance(wanted, tuple):
        return (resolve_task(wanted),)
    if not wanted:
        raise BadValue("task: expected ids of tasks, each once, got none")
    found = tuple(resolve_task(one) for one in wanted)
    if len({one.id for one in found}) < len(found):
        raise BadValue(f"task: expected ids of tasks, each once, got {shown(wanted)}")
    return found


def resolve_task(wanted: object) -> Task:
    """Return the task that one value of the argument `task` names.

    Args:
        wanted: a task's id; or `{"item": name, "count": n, "success": how}` (by default 1 and "held"); or a
            mapping with an "id" and the other fields of a task (`optimus_gym.game.tasks.own_tasks`). A name
            such as "bed" or "planks" means an item of any such kind (a bed of any colour); with the success
            "declared" the name may be a creature's. The task's verb is that of the last step of the cheapest
            plan from an empty inventory ("mine" for a diamond, "smelt" for an ingot).

    Raises:
        UnknownName: the task, item or success does not exist.
        BadValue: `wanted` has another form, its item is no name, or its count is below 1 or more than an
            inventory can hold.

    >>> resolve_task({"item": "white_bed"}).instruction
    'Get 1 white bed'
    >>> resolve_task({"item": "diamond"}).verb, resolve_task({"item": "iron_ingot"}).verb
    ('mine', 'smelt')
    >>> len(resolve_task({"item": "bed"}).kinds)
    16
    """
    if isinstance(wanted, str):
        return task(wanted)
    if isinstance(wanted, Mapping) and "id" in wanted:
        return next(iter(own_tasks({"tasks": [wanted]}, "task").values()))
    if not isinstance(wanted, Mapping) or not {"item"} <= set(wanted) <= set(WORDED):
        raise BadValue(
            f'task: expected an id or {{"item": name, "count": number, "success": how}}, got {wanted!r}'
        )
    count = check_count("task: count", wanted.get("count", 1), 1)
    success = wanted.get("success", "held")
    if success not in SUCCESSES:
        raise UnknownName("success", success, SUCCESSES)
    kinds = _kinds(wanted["item"], success)
    if success == "held":
        check_goal(kinds[0], count)
    if success == "reached":
        raise BadValue(
            "task: expected the argument `subgoal` for a task of one sub-goal, got 'reached'"
        )
    words = in_words(wanted["item"])
    asked = {"held": f"Get {count}", "equipped": "Equip", "declared": "Find"}[success]
    return Task(
        id=f"{wanted['item']}:{count}",
        suite=OWN_SUITE,
        group=OWN_SUITE,
        instruction=f"{asked} {words}",
        verb=_verb(kinds[0], success),
        item=kinds[0],
        accepts=kinds if len(kinds) > 1 else (),
        count=count,
        success=success,
        budget=OWN_BUDGET,
    )


@cache
def curriculum() -> Mapping[str, Task]:
    """Return tasks of one sub-goal each by their ids, the easiest first: skills to train one after the other.

    >>> curriculum()["SkillMineLog"].goal.verb, curriculum()["SkillMineLog"].budget
    ('mine', 600)
    """
    return own_tasks(curriculum_file(), "curriculum.json")


def curriculum_file() -> dict[str, Any]:
    """Return the content of `envs/data/curriculum.json`, a file of tasks (docs/own_tasks.md).

    >>> curriculum_file()["tasks"][0]["item"]
    '#logs'
    """
    text = files("optimus_gym.envs.data").joinpath("curriculum.json").read_text("utf-8")
    content: dict[str, Any] = read_json(text, "curriculum.json")
    return content


def subgoal_task(wanted: str | Mapping[str, Any]) -> Task:
    """Return the task of the argument `subgoal`: to reach one sub-goal.

    Args:
        wanted: `{"verb": verb, "item": name, "count": n}`, the count 1 by default. A name such as "log" or
            "planks" means an item of any such kind. "dig_down" takes the item "height" and as count the
            height to reach, "dig_up" the item "sky". Or the name of a task of `curriculum`.

    Raises:
        UnknownName: the verb or the item does not exist.
        BadValue: `wanted` has another form, the verb is "recover" or cannot get the item, or the count is out
            of range.

    >>> subgoal_task({"verb": "mine", "item": "log"}).goal.kinds[:2]
    ('oak_log', 'oak_wood')
    >>> subgoal_task({"verb": "mine", "item": "cobblestone", "count": 3}).instruction
    'mine 3 cobblestone'
    """
    if isinstance(wanted, str):
        if wanted not in curriculum():
            raise UnknownName("task of the curriculum", wanted, curriculum())
        return curriculum()[wanted]
    if not isinstance(wanted, Mapping) or not {"verb", "item"} <= set(wanted) <= set(
        SUBGOAL_FIELDS
    ):
        raise BadValue(
            f'subgoal: expected {{"verb": verb, "item": name, "count": number}}, got {shown(wanted)}'
        )
    verb, name = wanted["verb"], wanted["item"]
    if verb not in REACHED_VERBS:
        raise UnknownName("verb", verb, REACHED_VERBS)
    count = check_count("subgoal: count", wanted.get("count", 1), 1)
    acts = verb in (*ACT_VERBS, "find")
    if acts and name in (*things(), *SHAFT_ENDS.values()):
        kinds: tuple[str, ...] = (name,)
    else:
        kinds = _kinds(name, "declared" if acts else "held")
    goal = SubGoal(verb, kinds[0], count, kinds if len(kinds) > 1 else ())
    check_subgoal("subgoal", "gym.make", goal)
    if verb in GETTING_VERBS and not acts:
        able = [kind for kind in kinds if verb in verbs_for(kind)]
        if not able:
            told = ", ".join(dict.fromkeys(one for kind in kinds for one in verbs_for(kind)))
            raise BadValue(f"subgoal: expected one of the verbs {told} for {name}, got {verb!r}")
        check_goal(able[0], count)
    return Task(
        id=f"{verb}:{name}:{count}",
        suite=OWN_SUITE,
        group=OWN_SUITE,
        instruction=prompt(verb, goal.item, goal.kinds, count),
        verb=verb,
        item=goal.item,
        accepts=goal.accepts,
        count=count,
        success="reached",
        budget=SUBGOAL_TICKS,
    )


def register_task(**fields: Any) -> tuple[str, ...]:
    """Register a user's own task and return its three environments' ids.

    Args:
        fields: the fields of a task, as in a suite's file (`optimus_gym.game.suite_file`): `id`, `item`,
            `verb`, `instruction` and `budget`; the other fields are optional.

    Raises:
        BadValue: some fields are wrong, and the message lists all faults; or the id is taken.

    >>> register_task(id="OwnBed", item="#beds", verb="craft", instruction="Sleep", budget=6000)
    ('Optimus-OwnBed-v0', 'OptimusControl-OwnBed-v0', 'OptimusFlat-OwnBed-v0')
    """
    own = add_task(fields, "register_task")
    return register_task_ids(own.id, own.budget)


def suite_tasks(name: str) -> tuple[Task, ...]:
    """Return a suite's tasks in the suite's order.

    Raises:
        UnknownName: the suite does not exist.
    """
    return tuple(tasks(name).values())


def _kinds(name: object, success: str) -> tuple[str, ...]:
    if not isinstance(name, str) or name != name.strip() or not name.isprintable():
        raise BadValue(f"task: expected the name of an item, got {name!r:.80}")
    kinds = kinds_of(name) if name not in items() else (name,)
    if kinds:
        return kinds
    if success == "declared" and name in things():
        return (name,)
    raise UnknownName(
        *(("thing", name, things()) if success == "declared" else ("item", name, items()))
    )


def _verb(name: str, success: str) -> Verb:
    """Return a task's verb: equip, find, or the verb that ends the cheapest plan from an empty inventory."""
    if success != "held":
        return "equip" if success == "equipped" else "find"
    try:
        return full_graph().requirements(name).steps[-1].verb
    except Unobtainable:
        return next(iter(verbs_for(name)), "mine")
