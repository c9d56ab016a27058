"""Limits of a player's slots: refuse goals and steps that bring more pieces than fit into the slots."""

from optimus_gym.core.errors import BadValue
from optimus_gym.game.items import HELD_SLOTS, item, most_held
from optimus_gym.knowledge.requirements import Requirements, Step


class TooMuch(BadValue):
    """More pieces than a player can hold at once."""


def check_goal(name: str, count: int) -> None:
    """Raise an error if a goal has more pieces of an item than all slots hold.

    Raises:
        TooMuch: the count is too high; the message holds the highest possible count.
    """
    if count > most_held(name):
        size = item(name).stack_size
        raise TooMuch(
            f"count: expected at most {most_held(name)} {name} ({HELD_SLOTS} slots of {size}), got {count}"
        )


def check_steps(found: Requirements) -> None:
    """Raise an error if a plan's step brings more pieces than fit into the slots that its tools leave free.

    Raises:
        TooMuch: a step brings too many pieces; the message holds its item and the highest possible count.
    """
    for step in found.steps:
        most, count = _most(step), _count(found, step)
        if count > most:
            tools = _tools_held(step)
            held = f" with {' and '.join(tools)}" if tools else ""
            raise TooMuch(
                f"count: expected fewer than {found.count} {found.item}: the plan holds "
                f"{count} {step.item} at once, and only {most} fit into {HELD_SLOTS} slots{held}"
            )


def can_be_held(found: Requirements) -> bool:
    """Return whether no step of a plan brings more pieces than can be held at once."""
    return all(_count(found, step) <= _most(step) for step in found.steps)


def _most(step: Step) -> int:
    return (HELD_SLOTS - len(_tools_held(step))) * item(step.item).stack_size


def _count(found: Requirements, step: Step) -> int:
    """Return how many pieces of its item a step brings; for the goal's item, the goal's count."""
    return found.count if step.item == found.item else step.count


def _tools_held(step: Step) -> tuple[str, ...]:
    """Return the tool and the other items that must be held while a step brings its item."""
    held = step.holds if step.tool is None else (step.tool, *step.holds)
    return tuple(name for name in held if name != step.item)
