"""An agent from outside the package: it asks in rounds, plans from the answers and learns at the end."""

from optimus_gym.core.deliberation import Decision, Verdict
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.types import SubGoal

LOGS = ("oak_log", "birch_log", "spruce_log", "jungle_log", "acacia_log", "dark_oak_log")


class Curious:
    """Asks for an item and, in a second round, for its count; gives up after `patience` failures."""

    name, needs, period, judge = "curious", frozenset(), 50, "inventory"

    def __init__(self, patience=3):
        self.patience, self.minds, self.lessons, self.watched = patience, {}, [], 0

    def attach(self, setting):
        self.setting = setting

    def begin_episodes(self, situations):
        self.minds |= {s.row: {"plan": None, "failures": 0} for s in situations}

    def decide(self, situations):
        new = [s for s in situations if self.minds[s.row]["plan"] is None]
        for question in ("what", "many") if new else ():
            asked = [Request(question, s.instruction, row=s.row) for s in new]
            for s, reply in zip(new, self.setting.backbone.complete(asked), strict=True):
                self.minds[s.row][question] = reply.text
        for s in new:
            mind = self.minds[s.row]
            wanted = SubGoal("mine", mind["what"], int(mind["many"]), LOGS)
            mind["plan"] = [wanted, SubGoal("craft", "oak_planks", 4, PLANKS)]
        return [self._next(self.minds[s.row]) for s in situations]

    def _next(self, mind):
        if mind["failures"] > self.patience or not mind["plan"]:
            return Decision(None, "it has had enough")
        return Decision(mind["plan"][0], plan=tuple(mind["plan"]))

    def watch(self, situations):
        self.watched += len(situations)
        return [Verdict() for _ in situations]

    def ended(self, outcomes):
        for outcome in outcomes:
            mind = self.minds[outcome.row]
            if outcome.end == "reached":
                mind["plan"] = mind["plan"][1:]
            else:
                mind["failures"] += 1

    def finish(self, records):
        for record in records:
            self.minds.pop(record.row)
            self.lessons.append(record)


PLANKS = tuple(log.replace("_log", "_planks") for log in LOGS)


class Oracle:
    """A backbone with the two answers for Curious; counts the questions of each call."""

    name = "two answers"
    takes_pictures = False

    def __init__(self):
        self.together = []

    def complete(self, requests):
        self.together.append(len(requests))
        return [
            Reply({"what": "oak_log", "many": "1"}[r.kind], 0.25, "tiny", 7, 1) for r in requests
        ]
