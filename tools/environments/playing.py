"""Play episodes and note each look: the aligner's vector, the agent's word and the truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

import optimus_gym  # noqa: F401
from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.core.deliberation import Decision, Verdict
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.rng import generator
from optimus_gym.core.situation import Situation
from optimus_gym.game.biomes import BIOMES
from optimus_gym.vision.environments import ENVIRONMENTS, UNDER_WATER

TASKS: Final = ("Wood", "Stone", "Iron", "Diamond", "Redstone")
TIMES: Final = (0, 6_000, 11_000, 13_500)
"""Ticks of the day at which episodes begin; episodes from the last two times reach the night."""
EVERY: Final = 200
"""Ticks between two looks."""


@dataclass(frozen=True, slots=True)
class Look:
    """A look at a screen in play.

    Attributes:
        episode: the episode's seed.
        word: the agent's word for the environment.
        vector: the frame's vector (float32[d]).
        dives: whether the screen shows bubbles.
        biome: the biome at the player's feet.
        truth: whether each of `ENVIRONMENTS` is true (bool[18]): the biome, and anything that hides it.
    """

    episode: int
    word: str
    vector: NDArray[np.float32]
    dives: bool
    biome: str
    truth: NDArray[np.bool_]


class Looker(Optimus1):
    """Optimus-1 that notes a look at the screen before each sub-goal and every 200 ticks in it."""

    def __init__(self) -> None:
        super().__init__(every=EVERY)
        self.looks: list[Look] = []
        self.world: Any = None

    def attach(self, setting: AgentSetting) -> None:
        """Meet the environment."""
        super().attach(setting)
        self._looking = self._screen_eyes()

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Note a look."""
        self._note(situations)
        return super().decide(situations)

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Note a look."""
        self._note(situations)
        return super().watch(situations)

    def _note(self, situations: Sequence[Situation]) -> None:
        for situation, seen in zip(situations, self._looking.look(situations), strict=True):
            screen = seen.screen
            assert screen is not None, "the embedded world has pictures"
            assert screen.hud is not None, "and an overlay"
            truth = np.zeros(len(ENVIRONMENTS), np.bool_)
            biome = self.world.biome(situation.row)
            for name in (biome, *hidden_by(self.world, situation.row)):
                truth[ENVIRONMENTS.index(name)] = True
            look = Look(
                situation.seed, screen.environment, screen.vector, screen.hud.dives, biome, truth
            )
            self.looks.append(look)


def hidden_by(world: Any, row: int) -> list[str]:
    """Return the environments that hide the biome from a player in the embedded world: cave, water, night."""
    predicaments = world.predicaments(row)
    found = [UNDER_WATER] if world.worlds.players["head_in_water"][row] else []
    found += ["cave"] if "drop_down" in predicaments else []
    return [*found, *(["night"] if "night" in predicaments else [])]


def looks(seed: int, anywhere: bool) -> list[Look]:
    """Return the looks of an episode of the default agent.

    Args:
        seed: the episode's seed.
        anywhere: whether the episode begins in a random biome.
    """
    random, agent = generator(seed, "environments"), Looker()
    options: dict[str, Any] = {"time": TIMES[int(random.integers(len(TIMES)))]}
    if anywhere:
        options["biome"] = BIOMES[int(random.integers(len(BIOMES)))]
    task = TASKS[seed % len(TASKS)]
    env = gym.make(f"Optimus-{task}-v0", agent=agent, ticks=6_000)
    view: Any = env.unwrapped
    agent.world = view._view.runtime.world
    env.reset(seed=seed, options=options)
    over = False
    while not over:
        *_, ended, cut, _ = env.step(0)
        over = ended or cut
    env.close()
    return agent.looks
