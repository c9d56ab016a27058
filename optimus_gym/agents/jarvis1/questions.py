"""Requests of JARVIS-1 to its backbone (appendix C.2): for plans in code, and explanations of failures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from optimus_gym.agents.jarvis1.executed import as_call
from optimus_gym.agents.jarvis1.switches import JarvisSwitches
from optimus_gym.core.requests import Request
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import SubGoal
from optimus_gym.minds.facts import in_a_line
from optimus_gym.minds.planning import Ask, Setback
from optimus_gym.prompts.code_plans import Call
from optimus_gym.prompts.lines import UNKNOWN, lines_of, told_facts
from optimus_gym.prompts.template import render
from optimus_gym.prompts.words import word_for

_PROMPTS: Final = "optimus_gym.agents.jarvis1.prompts"


@dataclass(frozen=True, slots=True)
class Background:
    """All that a request for a plan says besides the situation and the setback.

    Attributes:
        sentences: the sentences that describe the screen.
        explanation: the backbone's explanation of the setback; "" without one.
        ways: ways to get items.
        fuel: pieces that one piece of each fuel smelts.
        references: remembered plans (`prompts.code_plans.told_references`).
        verbs: verbs that a plan may use.
    """

    sentences: Sequence[str] = ()
    explanation: str = ""
    ways: Sequence[Call] = ()
    fuel: dict[str, int] | None = None
    references: Sequence[dict[str, Any]] = ()
    verbs: Sequence[str] = ()


def code_question(ask: Ask, told: Background, switches: JarvisSwitches) -> Request:
    """Return the request that asks the backbone for a plan in code.

    Args:
        ask: the row's situation and goal, and the setback that makes a new plan necessary.
        told: all else that the request says.
        switches: decide whether the request describes the situation.
    """
    situation = ask.situation
    here: dict[str, Any] = {}
    if switches.symbols:
        here |= symbol_facts(situation)
    if switches.sight:
        here["sees"] = tuple(told.sentences)
    texts = lines_of(
        {
            **goal_facts(situation),
            "ways": tuple(told.ways),
            "fuel": dict(told.fuel or {}),
            "references": tuple(told.references),
            "verbs": tuple(told.verbs),
        }
    )
    texts["here"] = told_facts(here)
    kind = "plan"
    if ask.setback is not None:
        failed: dict[str, Any] = _failed_facts(ask.setback)
        if told.explanation:
            failed["explanation"] = told.explanation
        kind, texts["setback"] = "replan", told_facts(failed)
    return _request(kind, f"{kind}_code", texts, situation)


def explain_question(situation: Situation, setback: Setback, ways: Sequence[Call]) -> Request:
    """Return the request that asks the backbone why an action failed.

    Args:
        situation: the row's situation after the failure.
        setback: the action that failed, and the failure that the game reported.
        ways: ways to get items.
    """
    facts = {**_failed_facts(setback), **symbol_facts(situation), "ways": tuple(ways)}
    return _request("explain", "explain", lines_of(facts), situation)


def query_question(situation: Situation, ways: Sequence[Call], depth: int) -> Request:
    """Return the request that asks the backbone to reason backward from a goal (query generation).

    Args:
        situation: the row's situation, with the goal.
        ways: ways to get items.
        depth: the number of steps back that the answer may have.
    """
    facts = {**goal_facts(situation), **symbol_facts(situation), "ways": ways, "depth": depth}
    wanted = ("goal", "inventory", "ways", "depth")
    return _request("query", "query", lines_of({name: facts[name] for name in wanted}), situation)


def wording_question(
    situation: Situation,
    subgoal: SubGoal,
    options: Sequence[dict[str, str]],
    sentences: Sequence[str],
) -> Request:
    """Return the request that asks the backbone for the wording of a sub-goal.

    Args:
        situation: the row's situation.
        subgoal: the sub-goal that begins now.
        options: the texts ("text"), each with the situation that it is for ("when").
        sentences: the sentences that describe the screen.
    """
    word = word_for(subgoal.item, subgoal.kinds)
    source = "" if subgoal.creature is None else f" from {subgoal.creature}"
    facts = {
        "subgoal": in_a_line(f"{subgoal.verb} {subgoal.count} {word}{source}"),
        "inventory": symbol_facts(situation)["inventory"],
        "equipped": situation.equipped,
        "height": round(situation.height),
        "sees": tuple(sentences),
        "options": tuple(options),
    }
    return _request("wording", "wording", lines_of(facts), situation)


def instruct_question(facts: dict[str, Any], round_number: int) -> Request:
    """Return the request that asks the backbone for the tasks of the next round of learning.

    Args:
        facts: the facts "inventory", "done", "lost", "batch" and "pool" (`prompts.lines`).
        round_number: number of the round.
    """
    text = render(_PROMPTS, "instruct", lines_of(facts))
    return Request("instruct", text, seed=round_number, tick=round_number)


def goal_facts(situation: Situation) -> dict[str, Any]:
    """Return the fact of a row's goal: verb, item and count."""
    goal = situation.goal
    return {"goal": (goal.verb, word_for(goal.item, goal.kinds), goal.count)}


def symbol_facts(situation: Situation) -> dict[str, Any]:
    """Return the facts of a situation that come as symbols: inventory, stations in reach, biome."""
    return {
        "inventory": {name: n for name, n in sorted(situation.inventory.items()) if n > 0},
        "stations": tuple(sorted(situation.stations)),
        "biome": UNKNOWN if situation.biome is None else in_a_line(situation.biome),
    }


def _failed_facts(setback: Setback) -> dict[str, Any]:
    return {"action": as_call(setback.failed), "failure": in_a_line(setback.why)}


def _request(kind: str, page: str, texts: dict[str, str], situation: Situation) -> Request:
    text = render(_PROMPTS, page, texts)
    return Request(kind, text, (), situation.row, situation.seed, situation.tick)
