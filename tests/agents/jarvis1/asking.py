"""One row of JARVIS-1 with a backbone whose requests are kept, for tests."""

import re
from dataclasses import replace

from optimus_gym.agents.jarvis1.agent import Jarvis1
from optimus_gym.backbones.rules import RulesBackbone, answer_to
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.prompts.lines import ANSWERED, FACTS
from optimus_gym.testing.situations import CountingBackbone, attached, outcome, situation

STICKS = situation(SubGoal("craft", "stick", 4))
ABLE = abilities_of("voxel")


class JarvisRow:
    """One row of an agent that asks scripted answers, or the rules; `wording` switches the wordings on."""

    def __init__(
        self, *answers, here=STICKS, backbone=None, setting=None, wording=False, **options
    ):
        inner = ScriptedBackbone(answers) if answers else backbone or RulesBackbone()
        self.backbone = CountingBackbone(inner)
        made = Jarvis1(**options)
        made.switches = replace(made.switches, wording=wording and made.switches.wording)
        self.agent = attached(made, self.backbone, **{"abilities": ABLE, **(setting or {})})
        self.here = here
        self.agent.begin_episodes([here])
        self.decision = self.agent.decide([here])[0]

    def ends(self, failure=None, here=None):
        """End the sub-goal, by a failure or reached; return the next decision."""
        end = "reached" if failure is None else "failed"
        self.agent.ended([outcome(0, self.decision.subgoal, end, failure)])
        self.decision = self.agent.decide([here or self.here])[0]
        return self.decision

    @property
    def asked(self):
        return [request for call in self.backbone.calls for request in call]

    @property
    def kinds(self):
        return [request.kind for request in self.asked]


def words(decision):
    return [str(subgoal) for subgoal in decision.plan]


def without_fact(text, name):
    """Return a request's text without the line, or the lines, of one fact."""
    fact = FACTS[name]
    below = rf"{re.escape(fact.label)}[^\n]*\n" + (r"(?:[^\n]+\n)*" if fact.block else "")
    less, removed = re.subn(rf"^{below}", "", text, count=1, flags=re.MULTILINE)
    assert removed == 1
    return less


def facts_that_matter(texts, names):
    """Return those facts whose removal from one of the texts changes the answer of the rules."""
    found = set()
    for text in texts:
        assert ANSWERED not in text
        present = (name for name in names if re.search(rf"^{FACTS[name].label}", text, re.M))
        found |= {
            name for name in present if answer_to(without_fact(text, name)) != answer_to(text)
        }
    return found
