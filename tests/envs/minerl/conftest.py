import gymnasium
import numpy as np
import pytest

import optimus_gym  # noqa: F401
from optimus_gym.core.registration import minerl_ids
from optimus_gym.core.rng import generator
from optimus_gym.envs.minerl.minerl_tasks import minerl_tasks
from optimus_gym.worlds.malmo.games import WireMoment
from optimus_gym.worlds.malmo.reports import Report

ALL_TASKS = tuple(task for forms in minerl_tasks().values() for task in forms.values())


class ScriptedGame:
    """A game that plays a script: the moments of an episode's ticks; the last one repeats.

    Each moment is a `WireMoment`, a `Report`, or an exception to raise. Pictures without one of their own are
    noise of the seed.
    """

    def __init__(self, *script):
        self.script = script or (Report(),)
        self.actions = []
        self.begun = []
        self.closed = 0

    def begin(self, mission, seed):
        self.begun.append((mission, seed))
        self._noise = generator(seed, "noise of a scripted game")
        self._size = (mission.height, mission.width, 3)
        self._next = 0
        return self._moment()

    def send(self, action):
        self.actions.append(action)

    def receive(self):
        return self._moment()

    def _moment(self):
        made = self.script[min(self._next, len(self.script) - 1)]
        self._next += 1
        if isinstance(made, Exception):
            raise made
        if isinstance(made, Report):
            made = WireMoment(self._noise.integers(0, 256, self._size, np.uint8), made)
        return made

    def close(self):
        self.closed += 1


def make(env_id, game=ScriptedGame, **arguments):
    return gymnasium.make(env_id, game=game, **arguments)


LARGEST = "MineRL/HumanSurvival-v0"
"""The id whose observation has 8,000 keys, which Gymnasium's checks take seconds for."""


@pytest.fixture(
    params=[
        pytest.param(one, marks=pytest.mark.slow) if one == LARGEST else one for one in minerl_ids()
    ]
)
def minerl_id(request):
    return request.param


@pytest.fixture(params=ALL_TASKS, ids=lambda task: f"{task.name}-{task.version}")
def task(request):
    return request.param
