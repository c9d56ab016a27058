"""Rules of agents. Each rule makes new agents; `AgentCase.make_backbone` makes the backbone that they ask."""

import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

import numpy as np

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.core.checks import is_whole
from optimus_gym.core.deliberation import Decision, Judge, Judgement, Verdict
from optimus_gym.core.interfaces import Agent
from optimus_gym.core.situation import PICTURE_SIZE, Picture, Situation
from optimus_gym.core.types import VERBS, SubGoal
from optimus_gym.core.world_powers import POWERS
from optimus_gym.game.tasks import task
from optimus_gym.testing.contract import Contract, NotApplicable, PartCase, expect, expect_members
from optimus_gym.testing.situations import NOT_FOUND, attached, finished_record, outcome, situation

GOALS: Final = tuple(task(name).goal for name in ("Wood", "Stone", "Iron", "Diamond", "Redstone"))
"""The goals of the five rows' episodes in a test of an agent."""
HELD: Final[tuple[Mapping[str, int], ...]] = (
    {},
    {"oak_log": 3},
    {"cobblestone": 5},
    {"iron_ingot": 3, "stick": 2},
    {"coal": 1},
)
"""The items that the players of the five rows hold in a test of an agent."""
MOST_FAILURES: Final = 100
"""Maximum number of failed sub-goals for which a test waits until an agent gives up."""
FEW_STEPS: Final = 5
"""Number of steps that a test plays of an episode."""


@dataclass
class AgentCase(PartCase):
    """An agent under test.

    Attributes:
        make_backbone: a function that makes the backbone that the agent asks; default: the backbone `rules`.
    """

    make_backbone: Callable[[], Any] = RulesBackbone

    def attached(self, agent: Any = None) -> Any:
        """Attach a given or new agent to a new environment and return the agent."""
        chosen = self.make() if agent is None else agent
        return attached(chosen, self.make_backbone(), pictures="pictures" in chosen.needs)

    def begun(self, rows: Iterable[int] = range(5)) -> tuple[Any, list[Situation]]:
        """Return a new agent whose episodes have begun, and the situations of its rows."""
        agent = self.attached()
        situations = [self._situation(agent, GOALS[row], row) for row in rows]
        agent.begin_episodes(situations)
        return agent, situations

    def _situation(self, agent: Any, goal: SubGoal, row: int) -> Situation:
        shown = None
        if "pictures" in agent.needs:
            width, height = PICTURE_SIZE
            noise = np.random.default_rng(row).integers(0, 256, (height, width, 3), np.uint8)
            shown = Picture(lambda: noise, lambda: True)
        return situation(goal, HELD[row], row=row, picture=shown)


CONTRACT: Final = Contract(AgentCase)


def fail_all(
    agent: Any, situations: Sequence[Situation], decisions: Sequence[Decision]
) -> Sequence[Decision]:
    """Tell an agent that every row's sub-goal failed, and return the agent's next decisions."""
    agent.ended(
        [
            outcome(one.row, decision.subgoal, "failed", NOT_FOUND)
            for one, decision in zip(situations, decisions, strict=True)
            if decision.subgoal is not None
        ]
    )
    decided: Sequence[Decision] = agent.decide(situations)
    return decided


def bare(decisions: Iterable[Decision]) -> list[Decision]:
    """Return copies of decisions without the fields that are set only when a plan has just been made."""
    return [replace(one, replanned=False, planned_by="", corrections=0) for one in decisions]


@CONTRACT.basic
def can_be_made(case: AgentCase) -> None:
    """An agent can be made."""
    case.make()


@CONTRACT.basic
def has_all_members(case: AgentCase) -> None:
    """An agent has all attributes and methods of `Agent`."""
    expect_members(case.make(), Agent)


@CONTRACT.basic
def needs_known_powers(case: AgentCase) -> None:
    """`needs` is a frozenset of powers that exist."""
    agent = case.make()
    expect(isinstance(agent.needs, frozenset), "a frozenset", agent.needs, agent, "needs")
    unknown = sorted(agent.needs - set(POWERS), key=str)
    expect(not unknown, f"powers of {', '.join(POWERS)}", unknown, agent, "needs")


@CONTRACT.basic
def says_how_it_judges(case: AgentCase) -> None:
    """An agent has a name, a `period` (ticks, at least 1, or None) and a `judge` among `Judge`'s values."""
    agent = case.attached()
    named = isinstance(agent.name, str) and agent.name
    expect(named, "a name", agent.name, agent, "name")
    period = agent.period
    fits = period is None or (is_whole(period) and period > 0)
    expect(fits, "ticks of at least 1, or None", period, agent, "period")
    judges = get_args(Judge)
    expect(agent.judge in judges, f"one of {', '.join(judges)}", agent.judge, agent, "judge")


@CONTRACT.basic
def decides_for_each_row(case: AgentCase) -> None:
    """`decide` returns a decision for each row: a sub-goal of a verb that exists, or a reason to give up."""
    agent, situations = case.begun()
    decisions = agent.decide(situations)
    _expect_decisions(agent, decisions, len(situations))


def _expect_decisions(agent: Any, decisions: Any, rows: int) -> None:
    listed = isinstance(decisions, Sequence) and len(decisions) == rows
    expect(listed, f"{rows} decisions", decisions, agent, "decide")
    for decision in decisions:
        expect(isinstance(decision, Decision), "a Decision", decision, agent, "decide")
        subgoal = decision.subgoal
        if subgoal is None:
            expect(decision.reason, "a reason to give up", "no reason", agent, "decide")
            continue
        known = isinstance(subgoal, SubGoal) and subgoal.verb in VERBS
        expect(known, f"a SubGoal with a verb of {', '.join(VERBS)}", subgoal, agent, "decide")


@CONTRACT.rule
def decisions_stand_in_their_plan(case: AgentCase) -> None:
    """A decision's sub-goal stands at `position` in its plan; an episode's first plan is not `replanned`."""
    agent, situations = case.begun()
    for decision in agent.decide(situations):
        if decision.plan and decision.subgoal is not None:
            there = decision.remaining[:1] == (decision.subgoal,)
            wanted = f"{decision.subgoal} at position {decision.position} of the plan"
            came = ", ".join(map(str, decision.plan))
            expect(there, wanted, f"the plan {came}", agent, "decide")
        first = not decision.replanned
        expect(first, "replanned=False for an episode's first plan", "True", agent, "decide")
        reasoned = decision.subgoal is None or not decision.reason
        expect(reasoned, "no reason to give up beside a sub-goal", decision.reason, agent, "decide")


@CONTRACT.rule
def rows_are_independent(case: AgentCase) -> None:
    """A row's decisions are the same with and without other rows, at first and after a failure."""
    agent, situations = case.begun()
    first = agent.decide(situations)
    then = fail_all(agent, situations, first)
    for row in range(len(situations)):
        alone, (one,) = case.begun([row])
        decided = alone.decide([one])
        after = fail_all(alone, [one], decided)
        for mine, wanted in ((decided[0], first[row]), (after[0], then[row])):
            expect(
                mine == wanted, f"row {row} to decide {_told(wanted)}", _told(mine), agent, "decide"
            )


def _told(decision: Decision) -> str:
    return decision.reason if decision.subgoal is None else f"{str(decision.subgoal)!r}"


@CONTRACT.rule
def gives_up_with_a_reason(case: AgentCase) -> None:
    """An agent that gives up after many failures says why."""
    agent = case.attached()
    goal = situation(GOALS[0])
    agent.begin_episodes([goal])
    decisions = agent.decide([goal])
    for _ in range(MOST_FAILURES):
        if decisions[0].subgoal is None:
            expect(decisions[0].reason, "a reason to give up", "no reason", agent, "decide")
            return
        decisions = fail_all(agent, [goal], decisions)
    raise NotApplicable(
        f"the agent did not give up before {MOST_FAILURES} failures, so no reason could be read"
    )


@CONTRACT.rule
def decides_alike_without_news(case: AgentCase) -> None:
    """An agent that is asked twice in the same situation decides the same."""
    agent, situations = case.begun()
    _expect_same(agent, agent.decide(situations), agent.decide(situations), "the same decisions")


def _expect_same(
    agent: Any, wanted: Iterable[Decision], got: Iterable[Decision], what: str
) -> None:
    for row, (mine, other) in enumerate(zip(bare(wanted), bare(got), strict=True)):
        expect(mine == other, f"{what}: {_told(mine)} in row {row}", _told(other), agent, "decide")


@CONTRACT.rule
def watches_each_row(case: AgentCase) -> None:
    """`watch` returns a verdict for each row, with a judgement that exists."""
    agent, situations = case.begun()
    agent.decide(situations)
    verdicts = agent.watch(situations)
    listed = isinstance(verdicts, Sequence) and len(verdicts) == len(situations)
    expect(listed, f"{len(situations)} verdicts", verdicts, agent, "watch")
    words = get_args(Judgement)
    for verdict in verdicts:
        known = isinstance(verdict, Verdict) and verdict.judgement in words
        expect(known, f"a Verdict with one of {', '.join(words)}", verdict, agent, "watch")


@CONTRACT.rule
def episodes_begin_with_empty_minds(case: AgentCase) -> None:
    """An episode that begins again after a failure begins with the same decision as at first."""
    agent, situations = case.begun()
    first = agent.decide(situations)
    for _ in range(2):
        fail_all(agent, situations, first)
        agent.begin_episodes(situations)
        _expect_same(agent, first, agent.decide(situations), "the first decision again")


@CONTRACT.rule
def finished_episodes_leave_nothing(case: AgentCase) -> None:
    """After `finish` without learning, an agent begins an episode as a new agent does."""
    agent, situations = case.begun()
    agent.decide(situations)
    agent.finish([finished_record(row) for row in range(len(situations))])
    agent.begin_episodes(situations)
    new, _ = case.begun()
    wanted = "a new agent's decision"
    _expect_same(agent, new.decide(situations), agent.decide(situations), wanted)


@CONTRACT.rule
def copies_are_as_new(case: AgentCase) -> None:
    """An agent can be copied and pickled in an episode; its copy can then serve another environment."""
    for how in (deepcopy, _pickled):
        agent, situations = case.begun()
        first = agent.decide(situations)
        copy = case.attached(how(agent))
        copy.begin_episodes(situations)
        _expect_same(copy, first, copy.decide(situations), "a copy's first decision")
        fail_all(copy, situations, first)
        _expect_same(agent, first, agent.decide(situations), "the original's decision")


def _pickled(agent: Any) -> Any:
    return pickle.loads(pickle.dumps(agent))


@CONTRACT.rule
def meets_another_environment(case: AgentCase) -> None:
    """An agent that is attached to another environment has forgotten the first one."""
    agent, situations = case.begun()
    fail_all(agent, situations, agent.decide(situations))
    case.attached(agent)
    agent.begin_episodes(situations)
    new, _ = case.begun()
    wanted = "a new agent's decision"
    _expect_same(agent, new.decide(situations), agent.decide(situations), wanted)


@CONTRACT.rule
def plays_an_environment(case: AgentCase) -> None:
    """An agent plays an episode's first steps in the world `symbolic`, which has no land."""
    import gymnasium as gym

    import optimus_gym  # noqa: F401  it registers the environments
    from optimus_gym.worlds.symbolic.world import SymbolicWorld

    agent = case.make()
    lacking = sorted(agent.needs - SymbolicWorld.can)
    if lacking:
        raise NotApplicable(f"the agent needs {lacking}, which the symbolic world lacks")
    given = {"agent": agent, "backbone": case.make_backbone()}
    env = gym.make("Optimus-Wood-v0", world="symbolic", **given)
    env.reset(seed=0)
    for _ in range(FEW_STEPS):
        *_, terminated, truncated, _ = env.step(0)
        if terminated or truncated:
            break
    env.close()
