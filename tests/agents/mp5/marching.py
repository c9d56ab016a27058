"""One row of MP5 with a backbone whose requests are kept, for tests."""

from dataclasses import replace

from optimus_gym.agents.mp5.agent import Mp5
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.prompts.lines import facts_in
from optimus_gym.testing.situations import CountingBackbone, attached, outcome, situation

PICKAXE = situation(SubGoal("craft", "wooden_pickaxe"))
ABLE = abilities_of("symbolic")


class Marching:
    """One row of MP5 that asks scripted answers, or the rules."""

    def __init__(self, *answers, here=PICKAXE, backbone=None, setting=None, **options):
        inner = ScriptedBackbone(answers) if answers else backbone or RulesBackbone()
        self.backbone = CountingBackbone(inner)
        made = Mp5(**options)
        self.agent = attached(made, self.backbone, **{"abilities": ABLE, **(setting or {})})
        self.here = here
        self.agent.begin_episodes([here])
        self.decision = self.agent.decide([here])[0]

    def ends(self, failure=None, held=None, gained=None, **here):
        """End the action, reached or by a failure, with other things held; return the next decision."""
        end = "reached" if failure is None else "failed"
        got = gained or {}
        self.agent.ended([outcome(0, self.decision.subgoal, end, failure, gained=got)])
        inventory = self.here.inventory if held is None else held
        self.here = replace(self.here, inventory=inventory, tick=self.here.tick + 1, **here)
        self.decision = self.agent.decide([self.here])[0]
        return self.decision

    @property
    def asked(self):
        return [request for call in self.backbone.calls for request in call]

    @property
    def kinds(self):
        """Return the kinds of requests, without the questions about the picture."""
        return [request.kind for request in self.asked if request.kind != "inquire"]

    def last(self, kind):
        """Return the facts of the last request of a kind."""
        return facts_in([one for one in self.asked if one.kind == kind][-1].text)


def words(decision):
    return [str(subgoal) for subgoal in decision.plan]
