"""Figures of the networks on validation seeds, with floors and with the teacher for comparison."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.baselines.imitate.colours import ColourController
from optimus_gym.baselines.imitate.practice import PICTURES, ROWS
from optimus_gym.baselines.skill_trials import Trial
from optimus_gym.controllers.pixel.pixel import PixelController
from optimus_gym.core.types import Failure

SKILLS: Final = (
    "SkillMineLog",
    "SkillMineLogAnywhere",
    "SkillMineThreeLogs",
    "SkillMineCobblestone",
    "SkillMineIronOre",
    "SkillKillCow",
)
"""The skills of the trials."""
FLOORS: Final[Mapping[str, Any]] = {
    "random keys": "random",
    "no key": "constant",
    "always ahead and hit": {"name": "constant", "keys": {"forward": 1, "attack": 1}},
    "always down and hit": {"name": "constant", "keys": {"pitch": 10, "attack": 1}},
    "colours of pixels": ColourController(),
}
"""Controllers that have learned nothing."""
PRIVILEGED: Final[Mapping[str, Any]] = {"teacher (privileged)": "teacher"}
"""Controllers that read the world itself."""


class Blind(PixelController):
    """The controller `pixel` with black pictures: what its network knows without seeing."""

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return the rows' actions (int32[n, 15]) and failures for black pictures."""
        dark = {**observations, "pov": np.zeros_like(observations["pov"])}
        return super().act(rows, dark, mask)


def trials(
    networks: Sequence[Path], seeds: range, skills: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each skill and controller: the networks, the last one blind, the others.

    Args:
        networks: the file of each network, the last one last.
        seeds: the validation seeds.
        skills: names of the curriculum.
    """
    pupils = {f"pixel, {one.parent.name}": PixelController(str(one)) for one in networks}
    blind = {"pixel, last, blind": Blind(str(networks[-1]))}
    for skill in skills:
        trial = Trial(skill, seeds, ROWS, PICTURES)
        for name, controller in {**FLOORS, **blind, **pupils, **PRIVILEGED}.items():
            yield {"skill": skill, **trial.row(name, controller)}
