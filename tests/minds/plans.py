"""Plans of the rules for tests, and a backbone that keeps its requests."""

from optimus_gym.agents.optimus1.planner import KnowingPlanner
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.game.tasks import task
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.minds.eyes import NoEyes
from optimus_gym.minds.planning import Ask
from optimus_gym.minds.recall import Lessons
from optimus_gym.testing.situations import situation

GRAPH = abilities_of("voxel", verbs=("mine", "craft", "smelt")).graph
"""The graph of mining, crafting and smelting."""


def goal_of(name):
    return task(name).goal


def planner_of(backbone, graph=GRAPH, recovers=False, **options):
    """Return a planner over a graph that counts as whole."""
    verbs = {"mine", "craft", "smelt", "equip", "place", *(one.verb for one in graph.sources)}
    verbs |= {"recover"} if recovers else set()
    return KnowingPlanner(backbone, graph, verbs, **options)


def plans_by(planner, asks, eyes=None, lessons=None):
    """Return the plans of some rows."""
    here = [ask.situation for ask in asks]
    seen = (eyes or NoEyes()).look(here)
    return planner.plan(asks, seen, lessons or [Lessons()] * len(asks))


def plan_by(planner, goal, held=None, setback=None, eyes=None, lessons=None, vain=(), **rest):
    """Return the plan of one row."""
    ask = Ask(situation(goal, held, **rest), setback, vain)
    return plans_by(planner, [ask], eyes, lessons and [lessons])[0]


def plan_of(goal, held=None, graph=None, **rest):
    """Return the plan of the rules over a graph, by default the full graph."""
    return plan_by(planner_of(RulesBackbone(), graph or full_graph()), goal, held, **rest)


def words(made):
    return [str(subgoal) for subgoal in made.subgoals]


class Listening(RulesBackbone):
    def __init__(self):
        self.calls = []

    @property
    def request(self):
        return self.calls[-1][-1]

    def complete(self, requests):
        self.calls.append(tuple(requests))
        return super().complete(requests)
