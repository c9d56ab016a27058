"""Rewards and ends of missions, as the game of MineRL 0.4.4 computes them.

Reference: MineRL 0.4.4, the mod's handlers `RewardForPossessingItem`, `RewardForTouchingBlockType`,
`RewardForDistanceTraveledToCompassTarget`, `AgentQuitFrom...` and `ServerQuitFromTimeUp`. Items of the start
count as not possessed there: the handlers count what comes and goes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.types import TICKS_A_SECOND, Event
from optimus_gym.core.world_powers import UNKNOWN_BLOCK, Reach, Surroundings
from optimus_gym.game.blocks import block_names
from optimus_gym.worlds.malmo.dialects import Dialect
from optimus_gym.worlds.malmo.hosting.meant_names import meant_blocks, meant_items
from optimus_gym.worlds.malmo.hosting.navigating import CompassTarget
from optimus_gym.worlds.malmo.missions import ItemGoal, Mission

TOUCH_REACH: Final[Reach] = (-1, 1, -1, 2, -1, 1)
"""The box that holds all blocks that a player may touch."""
_SLACK: Final = 0.001
"""Blocks beyond its box at which a body touches; source: the mod's `PositionHelper`."""
_HALF: Final = 0.3
_TALL: Final = 1.8
"""Half of the width, and the height, of a player, blocks; Minecraft Wiki, "Player"."""


@dataclass(frozen=True, slots=True)
class TickState:
    """The state of a player at the end of a tick.

    Attributes:
        held: pieces held by item.
        events: the tick's events.
        pose: float64[5]: x, y, z, yaw, pitch.
        near: the blocks of `TOUCH_REACH` or more, or None.
    """

    held: Mapping[str, int]
    events: tuple[Event, ...]
    pose: NDArray[np.float64]
    near: Surroundings | None


class MissionGoals:
    """Rewards and the end of one episode; a client that computes them itself gets 0 and the end at death.

    Args:
        mission: the mission.
        dialect: the client's dialect.
        held: pieces held by item at the start.
        target: where the compass points, or None.
    """

    def __init__(
        self,
        mission: Mission,
        dialect: Dialect,
        held: Mapping[str, int],
        target: CompassTarget | None,
    ) -> None:
        self._mission = mission
        self._counts_here = dialect.rewards
        self._old_names = dialect.old_names
        self._target = target
        self._ticks = 0
        self._fired: set[str] = set()
        self._crafted: dict[str, int] = {}
        self._distance: float | None = None
        goals = (*mission.possessions, *mission.ends_with)
        self._start = {goal.item: self._pieces(goal, held) for goal in goals}
        self._most = {goal.item: 0 for goal in goals}
        seconds = mission.seconds
        self._limit = None if seconds is None else seconds * TICKS_A_SECOND
        self._over = False

    @property
    def reach(self) -> Reach | None:
        """Return the box that must be looked at in each tick, or None."""
        touches = self._mission.touched or self._mission.ends_touching
        return TOUCH_REACH if touches and self._counts_here else None

    def settle(self, state: TickState) -> tuple[float, bool]:
        """Return the reward of a tick, and whether the episode is over by a goal or by time."""
        if not self._counts_here:
            return 0.0, False
        self._ticks += 1
        touched = self._touched(state)
        reward = self._possession_reward(state) + self._touch_reward(touched)
        reward += self._compass_reward(state)
        ends = self._ends_by_items(state) or any(
            self._is_touched(block, touched) for block in self._mission.ends_touching
        )
        late = self._limit is not None and self._ticks >= self._limit
        self._over = self._over or ends or late
        return reward, self._over

    def _pieces(self, goal: ItemGoal, held: Mapping[str, int]) -> int:
        """Return how many pieces of a goal's item a player holds."""
        return sum(held.get(name, 0) for name in meant_items(goal.item, self._old_names))

    def _possession_reward(self, state: TickState) -> float:
        """Return the reward for items that the player has more of than ever before."""
        reward, most = 0.0, dict(self._most)
        for goal in self._mission.possessions:
            now = self._pieces(goal, state.held) - self._start[goal.item]
            before = self._most[goal.item]
            if self._mission.once:
                reward += goal.reward * (before < goal.count <= now)
            else:
                reward += goal.reward * max(now // goal.count - before // goal.count, 0)
            most[goal.item] = max(before, now)
        self._most = most
        return reward

    def _touch_reward(self, touched: frozenset[str]) -> float:
        reward = 0.0
        for goal in self._mission.touched:
            fresh = not (goal.once and goal.block in self._fired)
            if fresh and self._is_touched(goal.block, touched):
                self._fired.add(goal.block)
                reward += goal.reward
        return reward

    def _compass_reward(self, state: TickState) -> float:
        """Return the reward for the way to the compass's target; the first tick only measures."""
        if self._mission.compass_reward is None or self._target is None:
            return 0.0
        before, self._distance = self._distance, self._target.distance(state.pose)
        return 0.0 if before is None else self._mission.compass_reward * (before - self._distance)

    def _ends_by_items(self, state: TickState) -> bool:
        """Return whether an item that is held, or that has been crafted, ends the episode."""
        for event in state.events:
            if event.kind == "crafted":
                self._crafted[event.subject] = self._crafted.get(event.subject, 0) + event.count
        holds = any(
            self._pieces(goal, state.held) - self._start[goal.item] >= goal.count
            for goal in self._mission.ends_with
        )
        return holds or any(
            self._pieces(goal, self._crafted) >= goal.count for goal in self._mission.ends_crafting
        )

    def _touched(self, state: TickState) -> frozenset[str]:
        """Return the names of the blocks that the player touches."""
        if self.reach is None or state.near is None:
            return frozenset()
        low = [state.pose[0] - _HALF, state.pose[1], state.pose[2] - _HALF]
        high = [state.pose[0] + _HALF, state.pose[1] + _TALL, state.pose[2] + _HALF]
        box = tuple(
            slice(max(floor(least - _SLACK) - corner, 0), floor(most + _SLACK) - corner + 1)
            for least, most, corner in zip(low, high, state.near.corner, strict=True)
        )
        numbers = set(state.near.blocks[box].ravel().tolist()) - {UNKNOWN_BLOCK}
        return frozenset(block_names()[number] for number in numbers)

    def _is_touched(self, block: str, touched: frozenset[str]) -> bool:
        """Return whether the player touches a block that a client's name means."""
        return not touched.isdisjoint(meant_blocks(block, self._old_names))
