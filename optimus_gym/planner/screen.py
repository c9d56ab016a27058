"""Sees what the screen shows by reading its overlay and having an aligner tell the environment."""

from collections.abc import Sequence

from optimus_gym.core.situation import Situation
from optimus_gym.planner.sight import Eyes, Sight
from optimus_gym.prompts.lines import SIGHTS
from optimus_gym.vision.aligner import Aligner
from optimus_gym.vision.screen import ScreenReader


class ScreenEyes(Eyes):
    """Reads the overlay; an aligner tells the environment.

    Args:
        aligner: compares frames with the environments' words.
    """

    def __init__(self, aligner: Aligner) -> None:
        self._reader = ScreenReader(aligner)

    def see(self, situations: Sequence[Situation]) -> list[Sight]:
        """Return what each row's screen shows; all pictures go to the aligner at once."""
        looking = [k for k, situation in enumerate(situations) if situation.picture is not None]
        pictures = [picture.look() for k in looking if (picture := situations[k].picture)]
        sights = super().see(situations)
        for k, screen in zip(looking, self._reader.read(pictures), strict=True):
            words = screen.words
            sights[k] = Sight({name: words[name] for name in SIGHTS})
        return sights
