"""Situations as an agent meets them, made of what matters to a test."""

from optimus_gym.core.situation import HAND, Situation
from optimus_gym.core.task import Task


def situation(goal, inventory=None, equipped=None, stations=(), row=0, picture=None):
    """What a row holds, has in hand and in reach, and its goal."""
    task = Task("Test", "tests", "tests", str(goal), goal.verb, goal.item, goal.accepts, goal.count)
    return Situation(
        row,
        task,
        goal,
        inventory=dict(inventory or {}),
        equipment={HAND: equipped} if equipped else {},
        stations=tuple(stations),
        picture=picture,
    )
