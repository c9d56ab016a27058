"""The sub-goal view as named tools, for a mind outside of the environment, such as a model in training."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Self

import gymnasium as gym
import numpy as np

from optimus_gym.backbones.parse.wanted import subgoal_of
from optimus_gym.core.checks import check_flag, check_name
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.rng import check_seed, generator
from optimus_gym.core.types import SubGoal, Verb
from optimus_gym.envs.config import plain_arguments
from optimus_gym.seeds import drawn_seed
from optimus_gym.wrappers.tool_words import (
    collecting_verb,
    counts_in_words,
    ended_in_words,
    not_done,
    said_count,
)

ToolContent = dict[str, Any]
"""A part of a tool's result: {"type": "text", "text": str} or {"type": "image", "image": Pillow's image}."""
PAYS: Final = ("success", "subgoals")
"""The rewards that `get_reward` may return; `ToolSpec.pays` explains them."""
SILENT_AGENT: Final = "none"
"""The agent inside: it asks no model, judges nothing and never gives up on chosen sub-goals."""
OWN_ARGUMENTS: Final = frozenset({"info", "render_mode"})
"""Arguments of `gym.make` that a ToolEnv sets itself."""
SEEN_LINES: Final = ("Place", "In reach", "Equipment", "Vitals")
"""The lines of a situation that `look` returns."""


@dataclass(frozen=True)
class ToolSpec:
    """All that a `ToolEnv` is made from: plain values, which pickle and serialise.

    Attributes:
        arguments: arguments of `gym.make` for the sub-goal view, in JSON's types; an agent that they do not
            name is `SILENT_AGENT`.
        pictures: whether `look` returns the screen, if the world has pictures.
        pays: "success": the reward is 1 in the step that reaches the task, and 0 otherwise; "subgoals": the
            reward is the sub-goal view's own, which pays every reached sub-goal, also a useless one.
    """

    arguments: Mapping[str, Any] = field(default_factory=lambda: {"task": "Wood"})
    pictures: bool = True
    pays: str = "success"

    def make(self) -> "ToolEnv":
        """Return a new `ToolEnv`, before its first reset."""
        return ToolEnv(pictures=self.pictures, pays=self.pays, **self.arguments)


@dataclass(frozen=True, slots=True)
class ToolState:
    """The state of an episode of a `ToolEnv`, without the mind's transcript: plain values, which pickle.

    Equal specifications, seeds and calls give equal states in every process, whatever the mind has said
    between its calls.

    Attributes:
        task: the task's id.
        seed: the episode's seed.
        calls: the number of calls since the reset, of tools that only look included.
        steps: the number of sub-goals that began.
        ticks: ticks of the episode so far.
        status: the episode's status (`optimus_gym.core.types.STATUSES`).
        reward: the sum of the rewards so far.
        inventory: pieces held, (item, count) for each item.
    """

    task: str
    seed: int
    calls: int
    steps: int
    ticks: int
    status: str
    reward: float
    inventory: tuple[tuple[str, int], ...]


class ToolEnv:
    """A task of Minecraft that is played by calling tools; the caller is the agent.

    The class fits `environment_factory` of TRL as it is: every public method except `reset` and `get_reward`
    is a tool, with typed arguments and a docstring. A tool carries out one sub-goal by a step of the
    sub-goal view (`SubGoalEnv.choose`, then `step(0)`), so reward, budget and the ends of episodes come from
    the environment. A tool's text says how the sub-goal ended. Faults of the mind (an unknown item, a count
    that is no number, a call after the episode's end) are answered in words and take no ticks.

    `with ToolEnv() as tools` closes the environment at the end. A pickled or deeply copied ToolEnv is
    a new one with the same `spec`, before its first reset.

    Args:
        pictures: whether `look` returns the screen; pass False for a model that reads text alone.
        pays: "success" or "subgoals" (`ToolSpec`).
        **arguments: arguments of `gym.make` for the sub-goal view, such as `task`, `world`, `controller`;
            without a task and a suite, the task is "Wood".

    Raises:
        BadValue, UnknownName: an argument cannot be used.
    """

    def __init__(self, pictures: bool = True, pays: str = "success", **arguments: Any) -> None:
        check_flag("pictures", pictures)
        check_name("value of the argument pays", pays, PAYS)
        for name in sorted(OWN_ARGUMENTS & arguments.keys()):
            raise BadValue(f"{name}: expected another argument; ToolEnv sets this one itself")
        if not {"task", "suite"} & arguments.keys():
            arguments = {"task": "Wood", **arguments}
        self._spec = ToolSpec(plain_arguments(arguments), pictures, pays)
        self._arguments = arguments
        self._task: Any = None
        """The task of the present episode's row; None: the task or suite of the arguments."""
        self._env = self._made(None)
        self._draws = generator(0, "episodes of a tool environment")
        self._begin_state(0, {})

    def __reduce__(self) -> tuple[Any, ...]:
        spec = self._spec
        return partial(ToolEnv, pictures=spec.pictures, pays=spec.pays, **spec.arguments), ()

    def __deepcopy__(self, _: dict[int, Any]) -> "ToolEnv":
        return deepcopy(self._spec).make()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._env.close()

    @property
    def spec(self) -> ToolSpec:
        """The specification; `spec.make()` returns an equal ToolEnv."""
        return self._spec

    @property
    def state(self) -> ToolState:
        """The state of the present episode; before the first reset the status is "abandoned"."""
        info = self._info
        return ToolState(
            task=str(info.get("task", "")),
            seed=self._seed,
            calls=self._calls,
            steps=self._steps,
            ticks=int(info.get("ticks", 0)),
            status=str(info.get("status", "abandoned")),
            reward=self._reward,
            inventory=tuple(info.get("inventory", ())),
        )

    def reset(self, **row: Any) -> str:
        """Begin an episode and return the situation as a text.

        Args:
            **row: a row of a data set. `seed` decides the world; without a seed, the n-th reset of every
                ToolEnv draws the same training seed, so that the members of a group begin alike. `task`
                replaces the task of the arguments in this episode. Other columns are ignored, as trainers
                hand over whole rows.

        Raises:
            BadValue, UnknownName: the seed or the task cannot be used.
        """
        seed = row.get("seed")
        seed = drawn_seed(self._draws) if seed is None else check_seed(seed)
        task = row.get("task")
        env = self._env if task == self._task else self._made(task)
        try:
            _, info = env.reset(seed=seed)
        except BaseException:
            if env is not self._env:
                env.close()
            raise
        if env is not self._env:
            self._env.close()
        self._env, self._task = env, task
        self._begin_state(seed, info)
        return self._situation()

    def get_reward(self) -> float:
        """Return the sum of the episode's rewards so far (`ToolSpec.pays` says which rewards)."""
        return self._reward

    def mine(self, item: str, count: int = 1) -> str:
        """Mine blocks until the inventory has gained the items, and pick the items up.

        Args:
            item: The item to gain, such as "oak_log", "log" for any log, "cobblestone" or "iron_ore".
            count: The number of pieces to gain.

        Returns:
            How it ended, what was gained and used up, and what is held now.
        """
        return self._do("mine", item, count)

    def craft(self, item: str, count: int = 1) -> str:
        """Craft items from held ingredients; many recipes need a crafting table in reach.

        Args:
            item: The item to craft, such as "planks", "stick" or "wooden_pickaxe".
            count: The number of pieces to gain.

        Returns:
            How it ended, what was gained and used up, and what is held now.
        """
        return self._do("craft", item, count)

    def smelt(self, item: str, count: int = 1) -> str:
        """Smelt or cook items in a furnace in reach, with held fuel.

        Args:
            item: The product, such as "iron_ingot", "charcoal" or "cooked_beef".
            count: The number of pieces to gain.

        Returns:
            How it ended, what was gained and used up, and what is held now.
        """
        return self._do("smelt", item, count)

    def collect(self, item: str, count: int = 1) -> str:
        """Get items from creatures, water or plants: kill, shear, milk, fill or grow, as the item needs.

        Args:
            item: The item to gain, such as "leather", "white_wool", "milk_bucket", or a creature to kill.
            count: The number of pieces to gain.

        Returns:
            How it ended, what was gained and used up, and what is held now.
        """
        verb = collecting_verb(item, dict(self._info.get("inventory", ())))
        return self._do(verb, item, count)

    def equip(self, item: str) -> str:
        """Take a held item into the hand, or put held armour on.

        Args:
            item: The item, such as "stone_pickaxe" or "iron_boots".

        Returns:
            How it ended and what is held now.
        """
        return self._do("equip", item)

    def place(self, item: str) -> str:
        """Place a held block near you, such as a crafting table or a furnace.

        Args:
            item: The block, such as "crafting_table" or "furnace".

        Returns:
            How it ended and what is held now.
        """
        return self._do("place", item)

    def find(self, thing: str) -> str:
        """Walk until a block, a creature or an item on the ground is found.

        Args:
            thing: The name of the thing, such as "cow", "water" or "diamond_ore".

        Returns:
            How it ended and what is held now.
        """
        return self._do("find", thing)

    def recover(self, trouble: str) -> str:
        """Get out of a trouble, such as deep water, hunger or a fight.

        Args:
            trouble: One of in_water, drop_down, hurt, hungry, stuck, night, danger.

        Returns:
            How it ended and what is held now.
        """
        return self._do("recover", trouble)

    def look(self) -> str | list[ToolContent]:
        """Look around: where you are and what is in reach, with the picture of the screen if there is one.

        Returns:
            A text, or a list with the text and the picture.
        """
        self._calls += 1
        told = "\n".join(
            line for line in self._situation().splitlines() if line.split(":")[0] in SEEN_LINES
        )
        if not self._spec.pictures or "pictures" not in self._inside().powers or self._is_over():
            return told
        from PIL import Image

        picture = Image.fromarray(np.asarray(self._env.render()))
        return [{"type": "text", "text": told}, {"type": "image", "image": picture}]

    def status(self) -> str:
        """Say the task, the goal, what is held and worn, health, place and the time that is left.

        Returns:
            The situation as a text.
        """
        self._calls += 1
        return self._situation()

    def _begin_state(self, seed: int, info: Mapping[str, Any]) -> None:
        self._seed, self._info = seed, info
        self._calls = self._steps = 0
        self._reward = 0.0

    def _made(self, task: Any) -> gym.Env[Any, Any]:
        """Return a new environment with a task instead of the arguments' task or suite, if it is not None."""
        given = {"agent": SILENT_AGENT, **self._arguments}
        if task is not None:
            given = {name: value for name, value in given.items() if name != "suite"}
            given["task"] = task
        render_mode = "rgb_array" if self._spec.pictures else None
        return gym.make("Optimus-v0", **{**given, "render_mode": render_mode, "info": "full"})

    def _inside(self) -> Any:
        """Return the environment without Gymnasium's wrappers."""
        return self._env.unwrapped

    def _situation(self) -> str:
        told: str = self._inside().situation(plan=False)
        return told

    def _is_over(self) -> bool:
        return bool(self._info.get("status", "running") != "running")

    def _do(self, verb: Verb, item: object, count: object = 1) -> str:
        """Carry out a sub-goal, and return its end in words; a fault of the mind takes no ticks."""
        self._calls += 1
        if self._is_over():
            return not_done(f"the episode is over ({self._info['status']}); no tool acts any more")
        if not isinstance(item, str):
            return not_done(f"expected the name of an item, got {shown(item)} ({verb})")
        made = subgoal_of(verb, item, said_count(count), verb)
        if isinstance(made, str):
            return not_done(made)
        try:
            self._inside().choose(made)
        except BadValue as error:
            return not_done(str(error))
        return self._step(made)

    def _step(self, subgoal: SubGoal) -> str:
        before = dict(self._info["inventory"])
        _, reward, _, _, info = self._env.step(self._inside().noop())
        self._info = info
        self._steps += 1
        if self._spec.pays == "subgoals":
            self._reward += float(reward)
        elif info["is_success"]:
            self._reward = 1.0
        held = dict(info["inventory"])
        gained = counts_in_words({name: n - before.get(name, 0) for name, n in held.items()})
        lost = counts_in_words({name: n - held.get(name, 0) for name, n in before.items()})
        lines = [
            f"{subgoal}: {ended_in_words(info)} after {info['smdp']['duration']} ticks.",
            f"Gained: {gained}. Used up: {lost}. Held: {counts_in_words(held)}.",
        ]
        if self._is_over():
            why = f" ({info['reason']})" if info["reason"] else ""
            lines.append(f"The episode is over: {info['status']}{why}.")
        return "\n".join(lines)


def tool_names() -> tuple[str, ...]:
    """Return the names of the tools, in alphabetical order.

    >>> tool_names()[:3]
    ('collect', 'craft', 'equip')
    """
    members = (name for name, member in vars(ToolEnv).items() if callable(member))
    return tuple(
        sorted(name for name in members if name[0] != "_" and name not in ("reset", "get_reward"))
    )
