"""Plans of the rules for tests, and a backbone that remembers what it was asked."""

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.game.tasks import task
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.planner.ask import Ask
from optimus_gym.planner.hdkg import HdkgPlanner
from tests.planner.situations import situation

GRAPH = abilities_of("voxel", verbs=("mine", "craft", "smelt")).graph
"""What can be done without hunting and farming."""


def goal_of(name):
    return task(name).goal


def plan_by(planner, goal, held=None, setback=None, **rest):
    """The plan of one row."""
    return planner.plan([Ask(situation(goal, held, **rest), setback)])[0]


def plan_of(goal, held=None, graph=None, **rest):
    """The plan of the rules over a graph, by default the full one."""
    return plan_by(HdkgPlanner(RulesBackbone(), graph or full_graph()), goal, held, **rest)


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
