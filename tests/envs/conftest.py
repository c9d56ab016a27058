import gymnasium
import pytest

import optimus_gym  # noqa: F401
from optimus_gym.core.registration import environment_ids

ANY_TASK = ("Optimus-v0", "OptimusControl-v0", "OptimusFlat-v0")


def make(env_id, **arguments):
    if env_id in ANY_TASK:
        arguments.setdefault("task", {"item": "crafting_table"})
    arguments.setdefault("resolution", (48, 40))
    return gymnasium.make(env_id, **arguments)


@pytest.fixture(params=environment_ids())
def env_id(request):
    return request.param


@pytest.fixture(params=("Optimus-Wood-v0", "OptimusControl-Wood-v0", "OptimusFlat-Wood-v0"))
def view_id(request):
    return request.param
