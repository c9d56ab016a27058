"""Arms of a comparison: evaluations of the same episodes that differ in agent, backbone or switches."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue
from optimus_gym.core.parts import part_of
from optimus_gym.memory.memory_folders import memory_folder
from optimus_gym.minds.forgetful import Forgetful
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.tables.cut_memories import cut_memory, cut_sizes

ABLATED: Final = "optimus-ablation-18"
"""Suite of the ablations (Optimus-1, section 3.3)."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One evaluation of a comparison.

    Attributes:
        name: the arm's name, and the name of its folder.
        evaluation: the configuration.
        paper: the paper's success rates for the arm by group, 0 to 1; empty if the paper has none.
    """

    name: str
    evaluation: Evaluation
    paper: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The arms of a table.

    Attributes:
        title: the table's source and subject.
        arms: the arms, in the table's order; the last one is the one that the others are compared with.
    """

    title: str
    arms: tuple[Arm, ...]


def table_arms(
    number: str, evaluation: Evaluation, agents: Sequence[Any], backbones: Sequence[Any]
) -> Comparison:
    """Return the arms of a table that compares agents: each agent with each backbone.

    An agent that keeps no memory plays without the evaluation's memory.

    Args:
        number: the table's number, one of `tables`.
        evaluation: the configuration, with the table's suite.
        agents: the agents' names or specifications.
        backbones: the backbones' names or specifications.

    Raises:
        UnknownName: there is no such table, agent or backbone.
        BadValue: an option is wrong, or an arm comes twice.
    """
    row = tables()[check_name("table", number, tables())]
    arms = [
        Arm(
            _joined(str(part_of("agent", agent)), backbone, len(backbones) > 1),
            replace(
                evaluation,
                agent=agent,
                backbone=backbone,
                memory=evaluation.memory if _remembers(agent) else None,
            ),
        )
        for backbone in backbones
        for agent in agents
    ]
    return Comparison(row["title"], _distinct(arms))


def ablation_arms(which: str, evaluation: Evaluation, backbones: Sequence[Any]) -> Comparison:
    """Return the arms of an ablation of Optimus-1: the presets of its switches, with each backbone.

    Args:
        which: one of `ablations` that has presets.
        evaluation: the configuration; its agent's other options hold for all arms.
        backbones: the backbones' names or specifications.

    Raises:
        UnknownName: there is no such ablation or backbone.
        BadValue: the agent is not Optimus-1 or has switches of its own, or the ablation asks for a memory and
            gets none.
    """
    row = ablations()[check_name("ablation", which, ablations())]
    _check_memory(row, evaluation)
    part = part_of("agent", evaluation.agent)
    if part is None or part.name != Optimus1.name or "switches" in part.options:
        raise BadValue(f"agent: expected {Optimus1.name} without switches, got {part}")
    arms = [
        Arm(
            _joined(one["preset"], backbone, len(backbones) > 1),
            replace(
                evaluation,
                agent={"name": part.name, **part.options, "switches": one["preset"]},
                backbone=backbone,
            ),
            {group: rate / 100 for group, rate in one.get("paper", {}).items()},
        )
        for backbone in backbones
        for one in row["rows"]
    ]
    return Comparison(row["title"], _distinct(arms))


def has_sizes(which: str) -> bool:
    """Return whether an ablation compares sizes of a memory, and not presets.

    Raises:
        UnknownName: there is no such ablation.
    """
    return "shares" in ablations()[check_name("ablation", which, ablations())]


def size_arms(
    which: str, evaluation: Evaluation, backbones: Sequence[Any], folder: Path
) -> Comparison:
    """Cut a memory to several sizes; return an arm for each size, with each backbone.

    Args:
        which: one of `ablations` that compares sizes.
        evaluation: the configuration, with the whole memory.
        backbones: the backbones' names or specifications.
        folder: the folder of the results, which gets the cut memories.

    Raises:
        UnknownName: there is no such backbone.
        BadValue: the evaluation has no memory, the memory is damaged, or the agent keeps none.
        OSError: a memory cannot be cut.
    """
    row = ablations()[which]
    _check_memory(row, evaluation)
    if not _remembers(evaluation.agent):
        raise BadValue(f"agent: expected one that keeps a memory, got {evaluation.agent}")
    assert evaluation.memory is not None, "the ablation was given a memory"
    memory = memory_folder(evaluation.memory)
    arms: list[Arm] = []
    for count in cut_sizes(memory, row["shares"]):
        cut = folder / "memories" / str(count)
        cut_memory(memory, count, cut)
        for backbone in backbones:
            name = _joined(f"{count} episodes", backbone, len(backbones) > 1)
            arms.append(Arm(name, replace(evaluation, memory=cut, backbone=backbone)))
    return Comparison(row["title"], _distinct(arms))


def _check_memory(row: Mapping[str, Any], evaluation: Evaluation) -> None:
    if row["needs_memory"] and evaluation.memory is None:
        raise BadValue(f"memory: expected a memory for {row['title']}, got none")


def _remembers(agent: Any) -> bool:
    """Return whether an agent can use a memory."""
    part = part_of("agent", agent)
    return part is None or not issubclass(part.maker, Forgetful)


def _joined(name: str, backbone: Any, several: bool) -> str:
    """Return an arm's name: safe for a folder, with the backbone if there are several."""
    whole = f"{name} with {part_of('backbone', backbone)}" if several else name
    return "".join(sign if sign.isalnum() or sign in "-_. " else "-" for sign in whole)


def _distinct(arms: Sequence[Arm]) -> tuple[Arm, ...]:
    names = [arm.name for arm in arms]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadValue(f"arms: expected each once, got {', '.join(twice)} twice")
    return tuple(arms)


def check_backbones(comparison: Comparison) -> None:
    """Build the backbone of each arm, so that a faulty one is refused before the first arm is played.

    Raises:
        BadValue, UnknownName: a backbone rejects an option, or lacks one.
    """
    for arm in comparison.arms:
        part = part_of("backbone", arm.evaluation.backbone)
        assert part is not None, "an evaluation holds specifications alone"
        part.build()


@cache
def tables() -> Mapping[str, Mapping[str, Any]]:
    """Return the tables that compare agents, by their number in Optimus-1."""
    return _rows("tables")


@cache
def ablations() -> Mapping[str, Mapping[str, Any]]:
    """Return the ablations, by the number of their table or figure in Optimus-1."""
    return _rows("ablations")


def _rows(name: str) -> Mapping[str, Mapping[str, Any]]:
    text = files("optimus_gym.run.tables.data").joinpath(f"{name}.json").read_text("utf-8")
    return {row["id"]: row for row in json.loads(text)[name]}
