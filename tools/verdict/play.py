"""Play the episodes that train and test the verdict."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import gymnasium as gym

import optimus_gym  # noqa: F401
from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.core.files import write_whole
from optimus_gym.core.rng import generator
from optimus_gym.knowledge.graph_folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds.reflecting import NoReflector
from optimus_gym.vision.mini_aligner import MiniAligner
from tools.verdict.noting import NotingAgent

SUITE: Final = "optimus-67"
TIMES: Final = (0, 6_000, 11_000, 13_500)
"""Times of day at which episodes begin: the last two lead into the night."""
TICKS: Final = 6_000
"""Largest number of ticks of an episode."""
PATIENCE: Final = 2_400
"""Largest number of ticks of a sub-goal: two minutes of game time."""
CONTROLLER: Final = {"name": "unreliable", "abandon": 0.2, "mishaps": 0.001}
"""A controller twice as unreliable as the default, so that failures are more frequent."""
ERRORS: Final = 2.0
"""Scale of the planner's errors (wrong tools and counts); every second episode has errors and no checks of
plans."""


class Unreflecting(Optimus1):
    """Optimus-1 without reflections; it still remembers a screen every ten seconds."""

    def _make_reflector(self) -> NoReflector:
        return NoReflector()


def arguments(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the environment's arguments of an episode (without the agent), and its reset options."""
    random = generator(seed, "verdict")
    errs = bool(random.random() < 0.5)
    given = {
        "suite": SUITE,
        "controller": CONTROLLER,
        "backbone": {"name": "fallible", "scale": ERRORS} if errs else "rules",
        "ticks": TICKS,
        "subgoal_ticks": PATIENCE,
    }
    return {**given, "errs": errs}, {"time": TIMES[int(random.integers(len(TIMES)))]}


def episode(agent: Any, seed: int, **more: Any) -> None:
    """Play an episode to its end."""
    given, options = arguments(seed)
    given.pop("errs")
    env = gym.make("Optimus-v0", agent=agent, **given, **more)
    env.reset(seed=seed, options=options)
    over = False
    while not over:
        *_, ended, cut, _ = env.step(0)
        over = ended or cut
    env.close()


def switches(seed: int) -> dict[str, bool]:
    """Return the switches of the planner in an episode."""
    return {"checks": not arguments(seed)[0]["errs"]}


def remembered(folder: Path, seeds: Sequence[int]) -> Iterator[int]:
    """Fill a memory with episodes without reflections; yield each seed when it is done."""
    if not folder.is_dir():
        write_knowledge(folder, full_graph())
    for seed in seeds:
        episode(Unreflecting(switches=switches(seed)), seed, memory=str(folder), learn=True)
        yield seed


def noted(folder: Path, memory: Path, seeds: Sequence[int]) -> Iterator[int]:
    """Write a file of notes for each episode without one; yield each seed when it is done."""
    folder.mkdir(parents=True, exist_ok=True)
    aligner = MiniAligner()
    with ExperiencePool(memory, aligner, writes=False) as pool:
        for seed in seeds:
            path = folder / f"{seed}.json"
            if not path.exists():
                agent = NotingAgent(pool, switches=switches(seed), aligner=aligner)
                episode(agent, seed)
                rows = [
                    {"label": n.label, "why": n.why, "at_end": n.at_end, "facts": n.facts}
                    for n in agent.notes
                ]
                write_whole(path, json.dumps({"seed": seed, "notes": rows}).encode())
            yield seed
