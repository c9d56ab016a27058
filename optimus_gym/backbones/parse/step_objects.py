"""Steps of Optimus-1: {"task": "chop a tree", "goal": ["logs", 3]}, or the task's words alone.

Some models use the keys "subgoal", "action" or "instruction" for the task, or write the goal as a text.
"""

import re
from collections.abc import Iterator
from typing import Final

from optimus_gym.backbones.parse.action_calls import COUNT_KEYS
from optimus_gym.backbones.parse.counts import named, task_words
from optimus_gym.backbones.parse.deeds import Deed, Told
from optimus_gym.backbones.parse.values import Members, Value
from optimus_gym.backbones.parse.wanted import (
    act_and_rest,
    kinds_meant,
    no_verb,
    verb_and_rest,
    verb_of,
)
from optimus_gym.core.types import Verb
from optimus_gym.prompts.words import kinds_of

TASKS: Final = (
    *("task", "subgoal", "sub_goal", "action", "step", "instruction", "description", "command"),
    *("text", "name", "title", "objective", "goal"),
)
"""Keys under which a step may give its task's words, the most likely key first."""
_SENTENCE: Final = re.compile(r"(?<=[a-z)][.;!?])\s+|\s*,?\s*\b(?:and\s+)?then\b\s*", re.IGNORECASE)
"""Pattern for separators of the sentences of one step; a later sentence without a verb explains the first."""
_BETWEEN: Final = re.compile(r"\s*(?:;\s*|,?\s+and\s+|,\s+|\s&\s|\s\+\s)", re.IGNORECASE)
"""Pattern for separators of several items of one task."""
MOST_STEP_PARTS: Final = 6
DONE_TO: Final = ("kill", "shear", "milk", "fill", "grow")
"""Verbs after which a task may name the target before the product, as in "kill cow for 2 leather"."""


def is_step_object(entry: Value) -> bool:
    """Return whether an entry of a plan is a step of Optimus-1."""
    if not isinstance(entry, Members):
        return False
    if entry.has("task", "goal", "subgoal", "sub_goal"):
        return True
    task = _task(entry)
    return task != "" and verb_of(task) is not None


def step_object_deeds(name: str, entry: Value) -> Iterator[Told]:
    """Yield the actions (`Deed`) of a plan's step, or problems; any value but an object is read as words."""
    if not isinstance(entry, Members):
        yield from worded(name, "" if isinstance(entry, list) else str(entry))
        return
    task, goal, count = _task(entry), entry.get("goal"), entry.get(*COUNT_KEYS)
    verb = verb_of(task) or act_and_rest(task)[0]
    if goal is None or goal == task:
        yield from worded(name, task, count)
    elif verb is None:
        yield f"{name}: {no_verb(task)}"
    elif isinstance(goal, list) and len(goal) == 2 and isinstance(goal[0], str):
        yield Deed(name, task, verb, goal[0], goal[1])
    elif isinstance(goal, Members) and goal.pairs:
        yield from (Deed(name, task, verb, word, many) for word, many in goal.pairs)
    elif isinstance(goal, str) and goal.strip():
        word, many = named(goal)
        yield Deed(name, task, verb, word, many if count is None else count)
    else:
        said = str(goal)[:80]
        yield f"{name}: expected a goal [item, count], got {said}"


def worded(name: str, task: str, count: Value = None) -> Iterator[Told]:
    """Yield the actions (`Deed`) that a task's words mean ("chop 3 logs with an axe"), or problems.

    Args:
        name: the step of the plan.
        task: the words.
        count: the count, if it has its own field.
    """
    first, *later = _SENTENCE.split(task_words(task))[:MOST_STEP_PARTS]
    yield from _sentence(name, task, first, count)
    for sentence in later:
        if verb_of(sentence) is not None and not sentence.lower().startswith("make sure"):
            yield from _sentence(name, sentence, sentence, None)


def _sentence(name: str, task: str, said: str, count: Value) -> Iterator[Told]:
    """Yield the actions (`Deed`) that one sentence of a task means, or problems."""
    verb, rest = verb_and_rest(said)
    if verb is None:
        verb, rest = act_and_rest(said)
    if verb is None:
        yield f"{name}: {no_verb(task.strip())}"
        return
    wholly = kinds_meant(verb, named(rest).word)
    parts = [] if wholly else _parts(verb, rest)
    if not parts or count is not None:
        yield _deed(name, said, verb, rest, count)
        return
    for part in parts:
        own, words = verb_and_rest(part)
        yield _deed(name, said, own or verb, words if own else part, None)


def _deed(name: str, said: str, verb: Verb, rest: str, count: Value) -> Deed:
    """Return the action of a verb and an item's words; after "kill", "cow for 2 leather" means leather."""
    word, many = named(rest)
    gained = re.fullmatch(r"(.+?)\s+for\s+(.+)", rest) if verb in DONE_TO else None
    if gained is not None and kinds_of(named(gained[2]).word[:80]):
        word, many = named(gained[2])
    return Deed(name, said, verb, word, many if count is None else count)


def _parts(verb: Verb, rest: str) -> list[str]:
    """Return the parts of a step that names several items or tasks; empty for other steps."""
    parts = _BETWEEN.split(rest)
    if not 2 <= len(parts) <= MOST_STEP_PARTS:
        return []
    able = all(
        kinds_meant(own or verb, named(words if own else part).word)
        for part in parts
        for own, words in [verb_and_rest(part)]
    )
    return parts if able else []


def _task(entry: Members) -> str:
    """Return the first text of a step that begins with a verb, else its first text."""
    texts = [text for key in TASKS if isinstance(text := entry.get(key), str)]
    return next((text for text in texts if verb_of(text)), next(iter(texts), ""))
