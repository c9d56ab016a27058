"""A row of an agent that asks for one action at a time, and the rules' requests in it."""

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.core.registry import load
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.prompts.lines import facts_in
from optimus_gym.testing.situations import CountingBackbone, attached, outcome

ABLE = abilities_of("voxel")


class Stepping:
    """One row of an agent; the backbone's requests are kept."""

    def __init__(self, name, here, backbone=None, **options):
        self.backbone = CountingBackbone(backbone or RulesBackbone())
        self.agent = attached(load("agent", name)(**options), self.backbone, abilities=ABLE)
        self.here = here
        self.agent.begin_episodes([here])
        self.decision = self.agent.decide([here])[0]

    def ends(self, end="reached", failure=None, here=None, **rest):
        """End the sub-goal; return the next sub-goal in words."""
        self.agent.ended([outcome(0, self.decision.subgoal, end, failure, **rest)])
        self.decision = self.agent.decide([here or self.here])[0]
        return str(self.decision.subgoal)

    @property
    def asked(self):
        return [request for call in self.backbone.calls for request in call]

    @property
    def told(self):
        """Return the facts of the last request."""
        return facts_in(self.asked[-1].text)
