"""What agents are tried with: a setting, a backbone that counts, ends of sub-goals."""

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.core.deliberation import Outcome, Record
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.types import Failure
from optimus_gym.game.tasks import task
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.knowledge_graph import full_graph

ABLE = abilities_of("voxel", verbs=("mine", "craft", "smelt"))
NOT_FOUND = Failure("not_found", "diamond", 1)


class Counting:
    """A backbone that notes what another one is asked, call by call."""

    takes_pictures = False

    def __init__(self, backbone=None):
        self._backbone = backbone or RulesBackbone()
        self.name = self._backbone.name
        self.calls = []

    def complete(self, requests):
        self.calls.append(tuple(requests))
        return self._backbone.complete(requests)


def setting(backbone=None, **given):
    return AgentSetting(
        **{
            "rows": 64,
            "backbone": backbone or RulesBackbone(),
            "abilities": ABLE,
            "knowledge": full_graph(),
            **given,
        }
    )


def attached(agent, backbone=None, **given):
    agent.attach(setting(backbone, **given))
    return agent


def outcome(row, subgoal, end="reached", failure=None, **rest):
    """How a sub-goal ended, by the tool and the station that it names."""
    return Outcome(
        row, subgoal, end, failure, **{"tool": subgoal.tool, "station": subgoal.station, **rest}
    )


def record(row, *outcomes, name="Diamond"):
    return Record(row, task(name), "success", outcomes=outcomes)
