"""Makes a text of a row's situation, for a language model that calls `env.step` and chooses actions.

The text says no more than an agent inside the environment learns (`envs.asking`): it holds biome and
position only if the protocol reveals them.
"""

from collections.abc import Sequence

from optimus_gym.core.situation import Situation
from optimus_gym.envs.courses import Course, Episode
from optimus_gym.minds.facts import situation_facts
from optimus_gym.prompts.lines import NOTHING, lines_of

_ACTIONS = (
    "Actions by number (an action has no count: a skill brings one more, repeat it for several):"
)


def end_line(episode: Episode) -> str:
    """Return a line with an episode's status, and with the reason if there is one."""
    return f"Status: {episode.status}" + (f" ({episode.reason})" if episode.reason else "")


def situation_lines(situation: Situation) -> list[str]:
    """Return lines on task, goal, items held and worn, stations in reach, vitals, place and time left."""
    told = lines_of(situation_facts(situation))
    worn = ", ".join(f"{place} {item}" for place, item in situation.equipment.items())
    return [
        f"Task: {situation.instruction}",
        f"Goal: {told['goal']}",
        f"Held: {told['inventory']}",
        f"Equipment: {worn or NOTHING}",
        f"In reach: {told['stations']}",
        f"Vitals: {_vitals(situation)}",
        f"Place: {_place(situation)}",
        f"Seconds left: {told['left']}",
    ]


def course_lines(course: Course) -> list[str]:
    """Return lines on the latest sub-goal's outcome and the rest of the plan, the next sub-goal first."""
    last = course.outcomes[-1] if course.outcomes else None
    plan = "; ".join(map(str, course.decision.remaining))
    return [
        f"Last sub-goal: {NOTHING if last is None else f'{last.subgoal} ({last})'}",
        f"Plan: {plan or NOTHING}",
    ]


def action_lines(names: Sequence[str], possible: Sequence[int]) -> list[str]:
    """Return the numbers and names of the possible actions, one a line.

    >>> action_lines(("follow the plan", "mine oak_log", "craft stick"), (1, 0, 1))[1:]
    ['0 follow the plan', '2 craft stick']
    """
    marked = zip(names, possible, strict=True)
    return [_ACTIONS, *(f"{k} {name}" for k, (name, can) in enumerate(marked) if can)]


def _vitals(situation: Situation) -> str:
    vitals = situation.vitals
    return (
        f"health {vitals.health:g} of 20, food {vitals.food:g} of 20, saturation {vitals.saturation:g}, "
        f"air {vitals.air:g} of 300, armour {vitals.armour:g}, level {vitals.level:g}"
    )


def _place(situation: Situation) -> str:
    parts = [f"height {situation.height:.1f}"]
    if situation.biome is not None:
        parts.append(f"biome {situation.biome}")
    if situation.position is not None:
        parts.append("position " + " ".join(f"{part:.1f}" for part in situation.position))
    return ", ".join(parts)
