"""Makes the eyes that read the screen by an aligner; the aligner is made at the first look."""

from collections.abc import Sequence
from typing import Any

from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.parts import part_of
from optimus_gym.core.situation import Situation
from optimus_gym.minds.eyes import Eyes, NoEyes, ScreenEyes, Seen
from optimus_gym.vision.screen import ScreenReader


def eyes_for(setting: AgentSetting, aligner: Any) -> Eyes:
    """Return eyes that read screens by an aligner; in a world without pictures, eyes that read nothing.

    Args:
        setting: the environment.
        aligner: an aligner, or a specification of one (`core.parts`).
    """
    return LateEyes(setting, aligner) if setting.pictures else NoEyes()


class LateEyes:
    """Read screens by an aligner that is made at the first look.

    Args:
        setting: the environment, with the pictures of its heads-up display.
        aligner: an aligner, or a specification of one.
    """

    def __init__(self, setting: AgentSetting, aligner: Any) -> None:
        self._setting = setting
        self._wanted = aligner
        self._eyes: ScreenEyes | None = None

    def look(self, situations: Sequence[Situation]) -> list[Seen]:
        """Return the contents of each row's screen."""
        if not situations:
            return []
        if self._eyes is None:
            part = part_of("aligner", self._wanted)
            made = self._wanted if part is None else part.build()
            self._eyes = ScreenEyes(ScreenReader(made, self._setting.overlay))
        return self._eyes.look(situations)
