"""What was seen of the screen, in words: health, food, hotbar, environment (Optimus-1, appendix E.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from optimus_gym.core.situation import Situation
from optimus_gym.prompts.lines import SIGHTS

NOT_SEEN: Final = "not seen"


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen.

    Attributes:
        words: what the screen shows, by `prompts.lines.SIGHTS`.
        problems: what of an answer could not be read.
    """

    words: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(SIGHTS, NOT_SEEN))
    problems: tuple[str, ...] = ()


class Eyes:
    """Sees nothing: for worlds without pictures, and for agents that do not look."""

    def see(self, situations: Sequence[Situation]) -> list[Sight]:
        """Return what each row's screen shows."""
        return [Sight() for _ in situations]
