"""Tells Gymnasium the package's environment ids: strings only, nothing is imported."""

import json
from importlib.resources import files
from typing import Any

import gymnasium


def _table() -> dict[str, Any]:
    text = files("optimus_gym.core.data").joinpath("environments.json").read_text("utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


def environment_ids() -> tuple[str, ...]:
    """Return every registered id, by view, the one for any task first.

    >>> environment_ids()[:2]
    ('Optimus-v0', 'Optimus-Wood-v0')
    """
    table = _table()
    return tuple(
        f"{prefix}{middle}-v0"
        for prefix in table["views"]
        for middle in ("", *(f"-{task}" for task in table["tasks"]))
    )


def register_environments() -> None:
    """Register each task's three ids and the three for any task."""
    table = _table()
    for prefix, view in table["views"].items():
        for task in (None, *table["tasks"]):
            gymnasium.register(
                id=f"{prefix}-{task}-v0" if task else f"{prefix}-v0",
                entry_point=f"optimus_gym.envs.single:{view}Env",
                vector_entry_point=f"optimus_gym.envs.vector:{view}VectorEnv",
                kwargs={"task": task} if task else {},
            )
