"""Sees what the screen shows by reading its overlay and having an aligner tell the environment."""

from collections.abc import Sequence

import numpy as np

from optimus_gym.core.situation import Situation
from optimus_gym.planner.sight import Eyes, Sight
from optimus_gym.prompts.lines import NOTHING
from optimus_gym.vision.aligner import Aligner, unit
from optimus_gym.vision.environments import Environments
from optimus_gym.vision.hud_reader import FULL, Hud, read_hud


class ScreenEyes(Eyes):
    """Reads the overlay; an aligner tells the environment.

    Args:
        aligner: compares frames with the environments' words.
    """

    def __init__(self, aligner: Aligner) -> None:
        self._aligner = aligner
        self._environments = Environments(aligner)

    def see(self, situations: Sequence[Situation]) -> list[Sight]:
        """Return what each row's screen shows; all pictures go to the aligner at once."""
        pictures = [
            (k, situation.picture.look())
            for k, situation in enumerate(situations)
            if situation.picture is not None
        ]
        sights = super().see(situations)
        if not pictures:
            return sights
        vectors = unit(self._aligner.frames(np.stack([picture for _, picture in pictures])))
        where = self._environments.of(vectors)
        for (k, picture), environment in zip(pictures, where, strict=True):
            sights[k] = Sight({**hud_in_words(read_hud(picture)), "environment": environment})
        return sights


def hud_in_words(hud: Hud) -> dict[str, str]:
    """Return health, food and hotbar in words."""
    stacks = [
        f"{stack.count} {stack.item}{' in hand' if place == hud.selected else ''}"
        for place, stack in enumerate(hud.hotbar)
        if stack is not None
    ]
    return {
        "health": f"{hud.health} of {FULL}",
        "food": f"{hud.food} of {FULL}",
        "hotbar": ", ".join(stacks) or NOTHING,
    }
