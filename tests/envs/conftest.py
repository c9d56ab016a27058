import gymnasium
import pytest

import optimus_gym  # noqa: F401
from optimus_gym.game.tasks import headline_tasks

VIEWS = ("Optimus", "OptimusControl", "OptimusFlat")
ANY_TASK = tuple(f"{view}-v0" for view in VIEWS)
HEADLINES = tuple(task.id for task in headline_tasks())
IN_THE_VOXEL_WORLD = (*ANY_TASK, *(f"{view}-{task}-v0" for view in VIEWS for task in HEADLINES))
IN_THE_SYMBOLIC_WORLD = tuple(
    f"Optimus{task}-v0@symbolic"
    for task in ("", "-Wood", "-JarvisEquipShield", "-Mp5MineLog", "-DepsCraftBed")
)
"""Ids with a world behind them: one of each suite, a tag and a worn item among them."""


BY_MOUSE = "OptimusFlat-Wood-v0+gui"


def make(env_id, **arguments):
    env_id, _, crafting = env_id.partition("+")
    env_id, _, world = env_id.partition("@")
    if crafting:
        arguments.setdefault("crafting", crafting)
    if env_id in ANY_TASK:
        arguments.setdefault("task", {"item": "crafting_table"})
    if world:
        arguments.setdefault("world", world)
    arguments.setdefault("max_episode_steps", -1 if "ticks" in arguments else None)
    arguments.setdefault("resolution", (48, 40))
    return gymnasium.make(env_id, **arguments)


@pytest.fixture(params=(*IN_THE_VOXEL_WORLD, *IN_THE_SYMBOLIC_WORLD, BY_MOUSE))
def env_id(request):
    return request.param


@pytest.fixture(
    params=(*(f"{view}-Wood-v0" for view in VIEWS), "Optimus-Wood-v0@symbolic", BY_MOUSE)
)
def view_id(request):
    return request.param


@pytest.fixture(params=tuple(f"{view}-Wood-v0" for view in VIEWS))
def seen_id(request):
    """The id of an environment with pictures."""
    return request.param
