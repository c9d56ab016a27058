"""Write an agent, the part that thinks: the example asks the knowledge graph before every sub-goal.

Run it with `python examples/own_agent.py`. `optimus-gym evaluate --agent own_agent:Greedy --world symbolic
--out runs/greedy`, run in this folder, evaluates it. `optimus_gym/agents/optimus1/agent.py` has the agent of
the paper Optimus-1.
"""

import gymnasium as gym

import optimus_gym  # noqa: F401  registers the ids
from optimus_gym.core.deliberation import Decision, Verdict
from optimus_gym.core.types import SubGoal


class Greedy:
    """Takes the first step of the fastest plan for what the player holds now."""

    name, judge = "greedy", "inventory"  # the world itself decides whether a sub-goal is reached
    needs = frozenset()  # powers that the world must have
    period = None  # ticks between two calls of `watch`: never

    def attach(self, setting):  # keep the ways that the agent knows and the world allows
        self.graph = setting.abilities.of(setting.knowledge)
        self.failures = {}

    def begin_episodes(self, situations):
        self.failures |= {situation.row: 0 for situation in situations}

    def decide(self, situations):  # all rows at once, so that a model could be asked once
        return [self.next_of(situation) for situation in situations]

    def next_of(self, now):
        if self.failures[now.row] > 5:
            return Decision(None, "too many failures")  # a decision without sub-goals gives up
        item, count, held = now.goal.item, now.goal.count, now.inventory
        steps = self.graph.requirements(item, count, held, stations=now.stations).steps
        if not steps:
            return Decision(now.goal)  # the item is held: equip it or place it
        step = steps[0]
        if step.station and step.station not in now.stations:
            return Decision(SubGoal("place", step.station))
        if step.tool and step.tool != now.equipped:
            return Decision(SubGoal("equip", step.tool))
        return Decision(SubGoal(step.verb, step.item, step.count, step.kinds, step.tool))

    def watch(self, situations):
        return [Verdict() for _ in situations]  # CONTINUE

    def ended(self, outcomes):
        for outcome in outcomes:
            self.failures[outcome.row] += outcome.end != "reached"

    def finish(self, records):
        pass  # an agent that learns stores the finished episodes here


def main(task="Iron", seed=0):
    env = gym.make(f"Optimus-{task}-v0", world="symbolic", agent=Greedy())
    env.reset(seed=seed)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(0)
        print(info["subgoal"], "->", info["outcome"])
        over = terminated or truncated
    return info["status"]


if __name__ == "__main__":
    main()
