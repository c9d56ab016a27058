"""Arms of the comparisons of agents: an agent as it is, or an agent with a mechanism switched off.

The mechanisms come from what the agents themselves declare, so that a newly registered agent takes part.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from inspect import signature
from pathlib import Path
from typing import Any, Final

import numpy as np

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.core.errors import OptimusError, UnknownName
from optimus_gym.core.intervals import Interval, clustered_interval, wider, wilson
from optimus_gym.core.registry import load, names
from optimus_gym.core.requests import Reply, Request
from optimus_gym.knowledge.graph_folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.run.evaluate.distributing import evaluate
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.evaluate.key_frames import Pictures
from optimus_gym.run.learn.epochs import learned
from optimus_gym.run.learn.learning_setup import Learning, Round
from optimus_gym.run.learn.school import MEMORY
from optimus_gym.run.results.row import EpisodeRow
from optimus_gym.terminal.bars import counted

SENTENCE: Final = (
    "The competence of the backbone `rules` is measured here, and not that of a model."
)
STANDS_IN: Final = ("recipes",)
"""Options that stand in for what a large model knows by heart; these are no mechanisms of a paper."""
OFF: Final = "none"
"""Value that switches off a mechanism whose option is a word."""
NEW_PLANS: Final = "new plans"
"""Name of the mechanism that a limit of 0 new plans switches off."""
EVERYTHING: Final = "everything"
"""Name of the arm in which all mechanisms of an agent are off."""
REMEMBERS: Final = "on_bad_memory"
"""Option of the agents that keep a memory."""
ROWS: Final = 8
LEARNING: Final = 171_000
"""First training seed of the episodes that fill the memories."""
WORLDS: Final = ("symbolic", "voxel")


class WordCounting(RulesBackbone):
    """The rules, with the words of requests and answers in the place of tokens, which rules do not have."""

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """Answer each request."""
        return [
            Reply(
                reply.text,
                reply.latency_s,
                reply.model,
                prompt_tokens=len(request.text.split()),
                completion_tokens=len(reply.text.split()),
            )
            for request, reply in zip(requests, super().complete(requests), strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Rung:
    """A difficulty.

    Attributes:
        trouble: probability that a sub-goal fails: the option `failures` of the symbolic world, or
            `abandon` of the controller `unreliable` in the voxel world.
        scale: factor on the error rates of the backbone `fallible`.
    """

    trouble: float
    scale: float

    def parts(self, world: str) -> dict[str, Any]:
        """Return the world, controller and backbone of an evaluation."""
        rules = {"name": f"{__name__}:{WordCounting.__name__}"}
        backbone = {"name": "fallible", "backbone": rules, "scale": self.scale}
        if world == "symbolic":
            return {"world": {"name": world, "failures": self.trouble}, "backbone": backbone}
        controller = {"name": "unreliable", "abandon": self.trouble}
        return {"world": world, "controller": controller, "backbone": backbone}

    def __str__(self) -> str:
        return f"failures {self.trouble:g}, errors x {self.scale:g}"


def agents() -> tuple[str, ...]:
    """Return the names of all registered agents that need no policy of the caller's."""
    return tuple(name for name in names("agent") if name != "sb3")


def mechanisms(agent: str) -> dict[str, dict[str, Any]]:
    """Return the options that switch off, or change, each mechanism of an agent, by the mechanism's name.

    A mechanism is an option of the agent, or a field of its `switches`, that is True by default, or whose
    word may be "none". Each other word of a switch is an arm of its own, such as "retrieval text". A limit
    of new plans is a mechanism, too. If an agent has several mechanisms, the last entry switches off all that
    can be switched off.
    """
    make = load("agent", agent)
    options = {name: one.default for name, one in signature(make).parameters.items()}
    off: dict[str, dict[str, Any]] = {}
    words: dict[str, dict[str, Any]] = {}
    for name, value in options.items():
        if value is True:
            off[name] = {name: False}
        elif OFF in other_words(value, lambda word, name=name: make(**{name: word})):
            off[name] = {name: OFF}
    switches = getattr(make(), "switches", None)
    for one in fields(switches) if is_dataclass(switches) else ():
        value = getattr(switches, one.name)
        if value is True:
            off[one.name] = {"switches": {one.name: False}}
        for word in other_words(value, lambda word, name=one.name: make(switches={name: word})):
            arms, name = (off, one.name) if word == OFF else (words, f"{one.name} {word}")
            arms[name] = {"switches": {one.name: word}}
    if options.get("max_replans") and "replanning" not in off:
        off[NEW_PLANS] = {"max_replans": 0}
    off = {name: arm for name, arm in off.items() if name not in STANDS_IN}
    rest = {EVERYTHING: _together(off.values())} if len(off) > 1 else {}
    return {**off, **words, **rest}


def other_words(value: object, make: Callable[[str], object]) -> tuple[str, ...]:
    """Return the words that an option takes besides its default; empty if the option is no word.

    Args:
        value: the default.
        make: makes an agent with a word, or raises the error that lists the known words.
    """
    if not isinstance(value, str):
        return ()
    try:
        make("?")
    except UnknownName as error:
        return tuple(word for word in error.known if word != value)
    except OptimusError:
        pass
    return ()


def _together(many: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for one in many:
        for name, value in one.items():
            merged[name] = {**merged.get(name, {}), **value} if name == "switches" else value
    return merged


def memory_of(agent: str, work: Path, rounds: int = 8, batch: int = 8) -> Path | None:
    """Return an agent's memory, filled on training seeds in the symbolic world; None if it keeps none.

    The memory begins with the whole knowledge graph. An interrupted filling goes on.
    """
    if REMEMBERS not in signature(load("agent", agent)).parameters:
        return None
    folder = work / "memories" / agent
    whole = work / "whole"
    write_knowledge(whole, full_graph())
    practice = Learning(
        evaluation=Evaluation(
            world="symbolic", agent=agent, memory=whole, episodes=1, seed=LEARNING
        ),
        curriculum="random",
        explore=rounds * batch,
        teach=0,
        round=batch,
        seed=LEARNING,
    )
    for one in learned(practice, folder, 1, evaluates=False):
        assert isinstance(one, Round), "nothing is evaluated"
        print(f"  {agent} learns: round {one.number}, {one.experiences} episodes", flush=True)
    return folder / MEMORY


def played(evaluation: Evaluation, folder: Path) -> list[EpisodeRow]:
    """Return the rows of an evaluation; a folder that holds some of the rows already keeps them."""
    source = evaluate(evaluation, folder, rows=ROWS, pictures=Pictures(frames=False))
    rows = list(counted(source, folder.name, len(evaluation.jobs)))
    places = {(job.task, job.episode): place for place, job in enumerate(evaluation.jobs)}
    return sorted(rows, key=lambda row: places[row.key])


def success_interval(rows: Sequence[EpisodeRow]) -> Interval:
    """Return the 95 % interval of a success rate: Wilson's, extended by the bootstrap's over the seeds."""
    won = np.array([row.success for row in rows], np.float64)
    seeds = [row.seed for row in rows]
    return wider(wilson(float(won.sum()), len(won)), clustered_interval(won, seeds))
