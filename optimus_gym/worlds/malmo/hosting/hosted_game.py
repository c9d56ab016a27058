"""A world of this package as the game at the wire's other end: `HostedGame`."""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import HOTBAR
from optimus_gym.core.errors import BadValue, UnknownName, WorldFailed
from optimus_gym.core.rng import check_seed, generator
from optimus_gym.core.types import Event
from optimus_gym.core.world_powers import FARTHEST_ASKED, Reach
from optimus_gym.game.items import item_names
from optimus_gym.worlds.malmo.dialects import MINESTUDIO
from optimus_gym.worlds.malmo.framing import WireFault
from optimus_gym.worlds.malmo.games import WireMoment
from optimus_gym.worlds.malmo.hosting.host_world import HostWorld, Teller, check_host
from optimus_gym.worlds.malmo.hosting.key_actions import keyed_action, with_function
from optimus_gym.worlds.malmo.hosting.mission_goals import MissionGoals, TickState
from optimus_gym.worlds.malmo.hosting.mission_start import MissionStart, mission_start
from optimus_gym.worlds.malmo.hosting.named_functions import (
    Means,
    chosen_function,
    wants_bare_hand,
)
from optimus_gym.worlds.malmo.hosting.navigating import CompassNeedle, CompassTarget, hide_block
from optimus_gym.worlds.malmo.hosting.player_reports import (
    held_pieces,
    ordered,
    pocket_stacks,
    told_blocks,
    told_creatures,
    told_equipment,
    told_life,
    told_location,
    told_stacks,
)
from optimus_gym.worlds.malmo.hosting.statistics_book import StatisticsBook, TickFacts
from optimus_gym.worlds.malmo.missions import Mission
from optimus_gym.worlds.malmo.reports import Report
from optimus_gym.worlds.malmo.wire_actions import NO_BOX, WireAction, WireBox

_COMPASS: Final = "ObservationFromCompass"
_BIGGEST_SEED: Final = 2**63
_HOTBAR_SLOTS: Final = 9


def nobody_listens(line: str) -> None:
    """Drop a line of the game's log."""


class _Episode:
    """The parts of one episode besides the world's state."""

    def __init__(self, mission: Mission, start: MissionStart) -> None:
        self.mission = mission
        self.start = start
        self.book = StatisticsBook()
        self.needle = CompassNeedle()
        self.target: CompassTarget | None = None
        self.goals: MissionGoals
        self.asked: tuple[WireBox, WireBox] = (NO_BOX, NO_BOX)

    @property
    def ends_at_death(self) -> bool:
        """Return whether a death ends the episode."""
        return self.mission.ends_at_death or self.start.dialect is not MINESTUDIO


class HostedGame:
    """Plays the game's part for one player, by one row of a world.

    The picture has the mission's size. Rewards and ends are those of MineRL 0.4.4's game; for MineRL 1.0 and
    MineStudio, whose clients compute them, the reward is 0. A death ends the episode, but in MineStudio's
    game only if the mission says so: MineStudio's `FastResetCallback` kills the player and goes on. A player
    that died lives again with the next action, if the world has the power "respawn".

    Args:
        world: a world with the powers "keys", "camera" and "pictures"; missions may need more.
        row: number of the world's row that plays.
        seed: draws the seeds of missions that tell none, 0 to 2**63 - 1.
        tell: takes the lines of the game's log: refused chat commands, and what a mission's world does
            otherwise.

    Raises:
        BadValue: the world lacks powers.
    """

    def __init__(
        self, world: HostWorld, row: int = 0, seed: int = 0, tell: Teller = nobody_listens
    ) -> None:
        check_host(world)
        self._world = world
        self._row = row
        self._tell = tell
        self._seed = check_seed(seed)
        self._begun = 0
        self._episode: _Episode | None = None
        self._outcome: tuple[float, bool] = (0.0, False)

    def begin(self, mission: Mission, seed: int | None) -> WireMoment:
        """Begin an episode; `seed` goes before the mission's, and that before a drawn one.

        Raises:
            BadValue, UnknownName: the world cannot hold the mission; nothing has changed.
            WireFault: the world broke down.
        """
        chosen = mission.seed if seed is None else seed
        if chosen is None:
            chosen = int(generator(self._seed, f"mission {self._begun}").integers(2**32))
        start = mission_start(mission, chosen % _BIGGEST_SEED, self._world)
        try:
            self._world.reset(self._row, start.setup)
            for command in start.commands:
                self._world.command(self._row, command)
            episode = _Episode(mission, start)
            if mission.navigation is not None:
                episode.target = hide_block(
                    self._world, self._row, mission.navigation, start.setup.seed
                )
        except WorldFailed as failed:
            raise WireFault(f"the world broke down: {failed}") from failed
        if episode.target is None:
            x, y, z = self._world.poses([self._row])[0, :3].tolist()
            episode.target = CompassTarget(float(x // 1), float(y // 1), float(z // 1))
        held = held_pieces(self._world, self._row)
        episode.goals = MissionGoals(mission, start.dialect, held, episode.target)
        self._episode, self._outcome = episode, (0.0, False)
        self._begun += 1
        for note in start.notes:
            self._tell(note)
        return self._moment()

    def send(self, action: WireAction) -> None:
        """Carry out chat, functions and keys of an action in one tick.

        Raises:
            WireFault: no mission has begun, or the world broke down.
        """
        episode = self._running()
        try:
            self._wake()
            events = self._chat(action.chat)
            self._ask(episode, action)
            self._tick(episode, action, events)
        except WorldFailed as failed:
            raise WireFault(f"the world broke down: {failed}") from failed

    def receive(self) -> WireMoment:
        """Return the moment at the end of the latest tick.

        Raises:
            WireFault: no mission has begun.
        """
        self._running()
        return self._moment()

    def close(self) -> None:
        """End the episode; the world stays open for its owner. May be called twice."""
        self._episode = None

    def _running(self) -> _Episode:
        if self._episode is None:
            raise WireFault("expected a mission before an action, got none")
        return self._episode

    def _wake(self) -> None:
        """Let a dead player respawn, as the game does with the rule doImmediateRespawn."""
        if "respawn" in self._world.can and not self._world.alive([self._row])[0]:
            self._world.respawn(self._row)

    def _chat(self, text: str) -> tuple[Event, ...]:
        """Carry out a chat line if it is a command; other words do nothing. Return the command's events."""
        line = text.strip()
        if not line.startswith("/"):
            return ()
        if "commands" not in self._world.can:
            self._tell(f"{line}: the world takes no commands.")
            return ()
        before = len(self._world.events(self._row))
        try:
            self._world.command(self._row, line)
        except (BadValue, UnknownName) as refused:
            self._tell(f"{line}: {refused}")
        return self._world.events(self._row)[before:]

    def _ask(self, episode: _Episode, action: WireAction) -> None:
        """Ask the world for the blocks and creatures that the action and the goals need."""
        episode.asked = (action.voxels, action.mobs)
        boxes: list[Reach] = [ordered(box) for box in episode.asked if box != NO_BOX]
        if episode.goals.reach is not None:
            boxes.append(episode.goals.reach)
        if not boxes:
            return
        if "surroundings" not in self._world.can:
            self._tell("voxels, mobs: the world does not report its player's surroundings.")
            return
        self._world.ask_surroundings(self._row, _hull(boxes))

    def _tick(self, episode: _Episode, action: WireAction, commanded: tuple[Event, ...]) -> None:
        """Tick the world, and settle rewards, ends and statistics of the tick and of a command before it."""
        world, row = self._world, self._row
        opens = "mouse" in world.can and bool(world.screens([row])[0])
        made, turns = keyed_action(action, opens)
        if action.functions:
            self._add_functions(action, made)
        before, tool = world.poses([row])[0], self._in_hand()
        count = held_pieces(world, row).get(tool, 0)
        world.tick([row], made, turns)
        pose, held = world.poses([row])[0], held_pieces(world, row)
        events = (*commanded, *world.events(row))
        gone = held.get(tool, 0) == count - 1 and not any(one.subject == tool for one in events)
        x, y, z = (pose - before)[:3].tolist()
        facts = TickFacts(
            keys=action.keys,
            tool=tool,
            dropped=tool if "drop" in action.keys and not opens and gone else "",
            way=(x, y, z),
            alive=bool(world.alive([row])[0]),
        )
        episode.book.note(events, facts)
        near = world.surroundings(row) if "surroundings" in world.can else None
        reward, over = episode.goals.settle(TickState(held, events, pose, near))
        self._outcome = reward, over or (not facts.alive and episode.ends_at_death)

    def _in_hand(self) -> str:
        """Return the item in the player's hand, or ""."""
        kind = int(self._world.bodies([self._row])[0][0, 0])
        return item_names()[kind] if kind else ""

    def _add_functions(self, action: WireAction, made: NDArray[np.int32]) -> None:
        """Let an action of a tick carry out a function of MineRL 0.4.4."""
        world, row = self._world, self._row
        means = Means(held_pieces(world, row), world.stations(row))
        chosen = chosen_function(action.functions, means) if "functions" in world.can else None
        if chosen is not None:
            with_function(made, *chosen)
        elif wants_bare_hand(action.functions) and "mouse" in world.can:
            full = {slot for slot, _, _ in pocket_stacks(world, row)}
            free = next((slot for slot in range(_HOTBAR_SLOTS) if slot not in full), None)
            made[0, HOTBAR] = made[0, HOTBAR] if free is None else free + 1

    def _moment(self) -> WireMoment:
        """Draw the picture and tell the report."""
        episode, world, row = self._running(), self._world, self._row
        mission, dialect = episode.mission, episode.start.dialect
        image = np.empty((1, mission.height, mission.width, 3), np.uint8)
        world.frames([row], image)
        pose = world.poses([row])[0]
        near = world.surroundings(row) if "surroundings" in world.can else None
        voxels, mobs = episode.asked
        compass = None
        if _COMPASS in mission.handlers and episode.target is not None:
            compass = episode.needle.angle(pose, episode.target)
        report = Report(
            screen_open="mouse" in world.can and bool(world.screens([row])[0]),
            stacks=told_stacks(world, row, dialect),
            worn=told_equipment(world, row, dialect),
            life=told_life(world, row),
            location=told_location(world, row, pose),
            statistics=episode.book.counts(),
            voxels=None if near is None or voxels == NO_BOX else told_blocks(near, voxels, pose),
            mobs=None if near is None or mobs == NO_BOX else told_creatures(near, mobs, pose),
            compass=compass,
        )
        reward, done = self._outcome
        return WireMoment(image[0], report, reward, done)


def _hull(boxes: Iterable[Reach]) -> Reach:
    """Return the smallest box around boxes that a world reports."""
    x0, x1, y0, y1, z0, z1 = zip(*boxes, strict=True)
    lows = [max(min(corners), -FARTHEST_ASKED) for corners in (x0, y0, z0)]
    highs = [min(max(corners), FARTHEST_ASKED) for corners in (x1, y1, z1)]
    return lows[0], highs[0], lows[1], highs[1], lows[2], highs[2]
