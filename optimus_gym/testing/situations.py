"""Situations, outcomes and records for tests of an agent, and an environment's properties for `attach`."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.core.deliberation import End, Outcome, Record
from optimus_gym.core.interfaces import Agent, AgentSetting, Backbone, CallerObservations
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.situation import HAND, Picture, Situation
from optimus_gym.core.task import Task
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.envs.spaces import observation_space
from optimus_gym.envs.vocabulary import suite_vocabularies
from optimus_gym.game.tasks import task
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.knowledge_graph import full_graph

_ABLE: Final = abilities_of("voxel", verbs=("mine", "craft", "smelt"))
"""The possible items and sub-goals in the embedded world with a controller of three verbs."""
NOT_FOUND: Final = Failure("not_found", "diamond", 1)
"""The failure of a sub-goal whose item was not found."""
_ROWS: Final = 64
"""Number of rows in the `AgentSetting` that `setting` returns."""
_SIZE: Final = (128, 128)
"""Width and height of `pov` in the observations of `setting`."""
AnyAgent = TypeVar("AnyAgent", bound=Agent)


def situation(
    goal: SubGoal,
    inventory: Mapping[str, int] | None = None,
    equipped: str | None = None,
    stations: Iterable[str] = (),
    row: int = 0,
    picture: Picture | None = None,
) -> Situation:
    """Return a situation.

    Args:
        goal: the sub-goal that reaches the task.
        inventory: pieces held, by item.
        equipped: the item in hand.
        stations: the stations in reach.
        row: the row.
        picture: the screen.
    """
    wanted = Task(
        "Test", "tests", "tests", str(goal), goal.verb, goal.item, goal.accepts, goal.count
    )
    return Situation(
        row,
        wanted,
        goal,
        inventory=dict(inventory or {}),
        equipment={HAND: equipped} if equipped else {},
        stations=tuple(stations),
        picture=picture,
    )


class CountingBackbone:
    """A backbone that passes requests on to another backbone and keeps the requests of each call.

    Args:
        backbone: the backbone that answers; None: the backbone `rules` answers.

    Attributes:
        calls: the requests of each call.
    """

    takes_pictures = False

    def __init__(self, backbone: Backbone | None = None) -> None:
        self._backbone: Backbone = backbone or RulesBackbone()
        self.name = self._backbone.name
        self.calls: list[tuple[Request, ...]] = []

    def complete(self, requests: Sequence[Request]) -> Sequence[Reply]:
        """Keep the requests and return the replies of the backbone that answers."""
        self.calls.append(tuple(requests))
        return self._backbone.complete(requests)


def setting(backbone: Backbone | None = None, **given: Any) -> AgentSetting:
    """Return the properties of an environment (`AgentSetting`) with the full knowledge graph and no memory.

    Args:
        backbone: the backbone; None: the backbone `rules`.
        given: other attributes of the `AgentSetting`.
    """
    usual: dict[str, Any] = {
        "rows": _ROWS,
        "backbone": backbone or RulesBackbone(),
        "abilities": _ABLE,
        "knowledge": full_graph(),
        "observing": _observing(),
    }
    return AgentSetting(**{**usual, **given})


def _observing() -> CallerObservations:
    """Return the observations of an environment of `optimus-67`, all zero."""
    size = len(suite_vocabularies()["optimus-67"])
    space = observation_space(_SIZE, size, hierarchical=True, goal=False, scaled=True)

    return CallerObservations(space, _SIZE, 64, "drawn", partial(_zeros, space))


def _zeros(space: spaces.Dict, rows: Sequence[int], keys: Sequence[str]) -> dict[str, NDArray[Any]]:
    boxes = {key: space.spaces[key] for key in keys}
    return {key: np.zeros((len(rows), *box.shape), box.dtype) for key, box in boxes.items()}  # type: ignore[misc]


def attached(agent: AnyAgent, backbone: Backbone | None = None, **given: Any) -> AnyAgent:
    """Attach an agent to the properties of an environment (`setting`) and return the agent."""
    agent.attach(setting(backbone, **given))
    return agent


def outcome(
    row: int, subgoal: SubGoal, end: End = "reached", failure: Failure | None = None, **rest: Any
) -> Outcome:
    """Return the outcome of a sub-goal, with the tool and the station that the sub-goal names."""
    named = {"tool": subgoal.tool, "station": subgoal.station}
    return Outcome(row, subgoal, end, failure, **{**named, **rest})


def finished_record(row: int, *outcomes: Outcome, name: str = "Diamond") -> Record:
    """Return the record of an episode that reached its task."""
    return Record(row, task(name), "success", outcomes=outcomes)
