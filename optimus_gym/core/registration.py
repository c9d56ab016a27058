"""Registers the package's environment ids with Gymnasium, as strings: no environment is imported."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from gymnasium.envs.registration import EnvSpec, registry


@cache
def _table() -> dict[str, Any]:
    text = files("optimus_gym.core.data").joinpath("environments.json").read_text("utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


def views() -> tuple[str, ...]:
    """Return the prefixes of the environment ids, one for each view.

    >>> views()
    ('Optimus', 'OptimusControl', 'OptimusFlat')
    """
    return tuple(_table()["views"])


def task_names() -> tuple[str, ...]:
    """Return the ids of all suites' tasks, suite by suite."""
    return tuple(budgets())


@cache
def budgets() -> dict[str, int]:
    """Return each task's tick budget by its id, suite by suite."""
    return {name: ticks for names in _table()["tasks"].values() for name, ticks in names.items()}


def environment_ids() -> tuple[str, ...]:
    """Return every environment id, view by view; a view's first id takes the task as an argument.

    >>> environment_ids()[:2]
    ('Optimus-v0', 'Optimus-CraftWoodenShovel-v0')
    """
    return tuple(
        environment_id(prefix, task) for prefix in views() for task in (None, *task_names())
    )


def register_environments() -> None:
    """Register all environment ids: MineRL's, and for each view an id for each task and one for any task."""
    register_task_ids(None, None)
    for task, budget in budgets().items():
        register_task_ids(task, budget)
    _register_minerl()


def register_task_ids(task: str | None, budget: int | None) -> tuple[str, ...]:
    """Register a task's three environment ids, one for each view, and return the ids.

    Without a task (None) the three ids take the task as an argument.

    A task's budget of ticks is also its `max_episode_steps`: no view has more steps than ticks. To enlarge
    the budget (`ticks`, or a protocol's) in the control or flat view, pass `max_episode_steps` too.

    The function writes into Gymnasium's registry directly: `gymnasium.register` compares each new id with all
    others, which would take longer than the rest of the import. `gymnasium.pprint_registry` groups the ids by
    the module of their classes, and so by view.
    """
    ids = []
    for prefix, view in _table()["views"].items():
        spec = EnvSpec(
            id=environment_id(prefix, task),
            entry_point=f"optimus_gym.envs.{view}Env",
            vector_entry_point=f"optimus_gym.envs.{view}VectorEnv",
            max_episode_steps=budget,
            kwargs={"task": task} if task else {},
        )
        registry[spec.id] = spec
        ids.append(spec.id)
    return tuple(ids)


def minerl_ids() -> tuple[str, ...]:
    """Return the environment ids of MineRL's tasks.

    >>> minerl_ids()[:2]
    ('MineRL/Treechop-v0', 'MineRL/Navigate-v0')
    """
    return tuple(f"MineRL/{name}-v0" for name in _table()["minerl"])


def _register_minerl() -> None:
    """Register MineRL's tasks, each with its length in ticks; no length: the episode has no limit."""
    for env_id, (name, ticks) in zip(minerl_ids(), _table()["minerl"].items(), strict=True):
        registry[env_id] = EnvSpec(
            id=env_id,
            entry_point="optimus_gym.envs.minerl.minerl_env:MineRLEnv",
            max_episode_steps=ticks,
            kwargs={"task": name},
        )


def environment_id(prefix: str, task: str | None) -> str:
    """Return a task's environment id with a prefix of `views()`; None: the id that takes any task."""
    return f"{prefix}-{task}-v0" if task else f"{prefix}-v0"
