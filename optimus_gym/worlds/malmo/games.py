"""The seam between both ends of the wire: a game that plays missions, in this process or behind a socket."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.malmo.missions import Mission
from optimus_gym.worlds.malmo.reports import Report
from optimus_gym.worlds.malmo.wire_actions import WireAction


@dataclass(frozen=True, slots=True)
class WireMoment:
    """The picture and the report of a player at the end of a tick.

    Attributes:
        picture: uint8[height, width, 3], top row first, as large as the mission asked for.
        report: position, inventory, vitals and the rest of the game's answer.
        reward: the game's reward for the tick; 0 from games that leave rewards to the client.
        done: whether the episode is over.
    """

    picture: NDArray[np.uint8]
    report: Report
    reward: float = 0.0
    done: bool = False


class Game(Protocol):
    """A game for one player.

    An action is sent and its outcome received by two calls, so that several games work at the same time.
    """

    def begin(self, mission: Mission, seed: int | None) -> WireMoment:
        """Begin an episode; `seed` goes before the mission's.

        Raises:
            BadValue, UnknownName: the game cannot play the mission; nothing has changed.
            WireFault, TimeoutError: the game broke down.
        """

    def send(self, action: WireAction) -> None:
        """Begin a tick with an action.

        Raises:
            WireFault, TimeoutError: the game broke down.
        """

    def receive(self) -> WireMoment:
        """Return the moment at the end of the tick that `send` began.

        Raises:
            WireFault, TimeoutError: the game broke down.
        """

    def close(self) -> None:
        """Release all resources; may be called twice."""
