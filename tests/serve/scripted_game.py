"""A game without a world: pictures and reports that tell which mission, seed and tick they belong to."""

import threading

import numpy as np

from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.malmo.framing import WireFault
from optimus_gym.worlds.malmo.games import WireMoment
from optimus_gym.worlds.malmo.reports import Location, Report, WireStack


class ScriptedGame:
    """Ends each episode after `length` ticks; missions and keys of certain names break it."""

    made = 0

    def __init__(self, length=1000):
        type(self).made += 1
        self.number = type(self).made
        self.length = length
        self.actions = []
        self.closed = 0
        self.begun = []
        self.gate = threading.Event()
        self.gate.set()

    def begin(self, mission, seed):
        if mission.biome == "nowhere":
            raise BadValue("biome: expected a biome, got 'nowhere'")
        if mission.biome == "broken":
            raise WireFault("the game broke down")
        self.begun.append((mission, seed))
        self.mission, self.seed, self.tick = mission, seed, 0
        return self._moment()

    def send(self, action):
        self.gate.wait(10)
        if "drop" in action.keys:
            raise ZeroDivisionError("a fault of the game")
        self.actions.append(action)
        self.tick += 1

    def receive(self):
        return self._moment()

    def _moment(self):
        picture = np.full((self.mission.height, self.mission.width, 3), self.tick % 256, np.uint8)
        picture[0] = 200  # the top row
        picture[:, :, 1] = (self.seed or 0) % 256
        report = Report(
            stacks=(WireStack(3, "stick", 1 + self.tick),), location=Location(x=float(self.number))
        )
        done = self.tick >= self.length
        return WireMoment(picture, report, reward=self.tick / 2, done=done)

    def close(self):
        self.closed += 1
