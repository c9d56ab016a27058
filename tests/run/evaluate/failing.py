"""Agents that go wrong at one task, in the ways in which what users plug in does."""

import os
import signal

from optimus_gym.agents.optimus1 import Optimus1
from optimus_gym.controllers.random import RandomController

WHERE = "CraftBowl"


class Raising(Optimus1):
    def begin(self, situations):
        super().begin(situations)
        if any(situation.task.id == WHERE for situation in situations):
            raise RuntimeError("no bowls here")


class Dying(Optimus1):
    def decide(self, situations):
        if any(situation.task.id == WHERE for situation in situations):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().decide(situations)


class Printing(Optimus1):
    def begin(self, situations):
        print("thinking")
        super().begin(situations)


class Unmakable(Optimus1):
    def __init__(self):
        raise RuntimeError("no weights")


class Miner(RandomController):
    verbs = frozenset({"mine"})
