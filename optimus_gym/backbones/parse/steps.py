"""Steps of Optimus-1: {"task": "chop a tree", "goal": ["logs", 3]}, or the task's words alone."""

from collections.abc import Iterator

from optimus_gym.backbones.parse.deeds import Deed, Told
from optimus_gym.backbones.parse.values import Members, Value
from optimus_gym.backbones.parse.wanted import named, no_verb, verb_of


def fits(entry: Value) -> bool:
    """Tell whether an entry of a plan is such a step."""
    return isinstance(entry, Members) and entry.has("task", "goal")


def told(name: str, entry: Value) -> Iterator[Told]:
    """Yield the deed of a step, or what is wrong with it; what is no object is read as a task's words."""
    if not isinstance(entry, Members):
        yield worded(name, "" if isinstance(entry, list) else str(entry))
        return
    task, goal = _text(entry.get("task")), entry.get("goal")
    verb = verb_of(task)
    if goal is None:
        yield worded(name, task)
    elif verb is None:
        yield f"{name}: {no_verb(task)}"
    elif isinstance(goal, list) and len(goal) == 2 and isinstance(goal[0], str):
        yield Deed(name, task, verb, goal[0], goal[1])
    else:
        said = "an object" if isinstance(goal, Members) else str(goal)[:80]
        yield f"{name}: expected a goal [item, count], got {said}"


def worded(name: str, task: str) -> Told:
    """Return the deed that a task's words mean ("chop 3 logs with an axe"), or what is wrong with them."""
    verb = verb_of(task)
    if verb is None:
        return f"{name}: {no_verb(task.strip())}"
    word, count = named("".join(task.split(maxsplit=1)[1:]))
    return Deed(name, task.strip(), verb, word, count)


def _text(value: Value) -> str:
    return "" if value is None or isinstance(value, Members | list) else str(value)
