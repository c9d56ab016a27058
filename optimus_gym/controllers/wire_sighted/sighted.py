"""A player that sees only what its world tells: the oracle's body over a mirror of the told land."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.body import Cell
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.mouse.pointing import HOTBAR_LENGTH, ByMouse
from optimus_gym.controllers.keys import CAMERA_BINS
from optimus_gym.controllers.oracle.grid import HARM, Ground, Scratch
from optimus_gym.controllers.oracle.miner import Miner
from optimus_gym.controllers.pose import CROSSHAIR
from optimus_gym.controllers.rays import EYE_HEIGHT, first_block, look_ray
from optimus_gym.controllers.script import Action, Steps
from optimus_gym.controllers.threats import monsters_near
from optimus_gym.controllers.wire_sighted.expected_drops import (
    age_drops,
    expect_drops,
    expect_loot,
    take_drops,
)
from optimus_gym.controllers.wire_sighted.mirror import LAND_RADIUS, UNSEEN, Mirror
from optimus_gym.controllers.wire_sighted.reckoning import reckon
from optimus_gym.controllers.wire_sighted.wanted_boxes import Asker, sections_around
from optimus_gym.core.actions import ATTACK, PITCH, USE, YAW
from optimus_gym.core.world_powers import SurroundingsWorld
from optimus_gym.game.blocks import block
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import item
from optimus_gym.game.tools import tools

_AIR = block("air").id
_ANSWERS = 200
"""Maximum ticks to wait for the answers of a survey."""


class SightedMiner(Miner):
    """The oracle's body in a world with the powers "keys", "mouse" and "surroundings".

    Blocks, creatures and the body's state come from `mirror`; items come from the world.

    Args:
        world: the world.
        row: number of the player's row.
        mirror: what the worlds have told.
        scratch: the path search's working memory, shared by all rows.
        random: the row's random generator.
    """

    rings = (LAND_RADIUS,)

    def __init__(
        self,
        world: Any,
        row: int,
        mirror: Mirror,
        scratch: Scratch,
        random: np.random.Generator,
    ) -> None:
        super().__init__(world, row, scratch, random)
        self._arrays = mirror
        self._mirror = mirror
        self._teller = cast(SurroundingsWorld, world)
        self._fingers = ByMouse(world, row)
        self.asker = Asker(mirror, row)
        self.hunts = False
        """Whether the player runs after a creature, and so must know where creatures are."""
        self._held: NDArray[np.int32] | None = None
        self._aimed: Cell | None = None
        """Block under the crosshair at the end of the latest tick, None if there is none in reach."""
        kind = self._ground.kind.copy()
        kind[UNSEEN] = HARM
        kind.setflags(write=False)
        self._ground = Ground(kind, self._ground.unseen, self._ground.screen, self._ground.ticks)

    def wake(self) -> None:
        """Forget what was true of the latest tick, as ticks have passed without the miner."""
        self.hunts = False
        self.player["alive"] = 0
        self._held = self._aimed = None
        self.asker.urgent = True

    def notice(self) -> None:
        """Take in what the latest tick has told; call once a tick, before the script acts."""
        reckon(self, self.worlds)
        self.load_land(float(self.player["x"]), float(self.player["z"]))
        told = self._teller.surroundings(self.row)
        self._note_events()
        if told is not None:
            self._mirror.take(self.row, told)
        foes = monsters_near(self.worlds, self.row, self.scratch.foes)
        self.asker.watches = self.hunts or foes > 0
        age_drops(self.worlds, self.row)
        self._note_gains()

    def _note_events(self) -> None:
        """Note the block and the creature that the player's latest blow has broken or killed."""
        for event in self.world.events(self.row):
            if event.kind == "killed" and event.subject in creature_kinds():
                expect_loot(self.worlds, self.row, event.subject)
            if event.kind != "mined":
                continue
            self.asker.urgent = True
            if self._aimed is not None and self.block_name(*self._aimed) == event.subject:
                self._mirror.set_cell(self.row, self._aimed, _AIR)
                expect_drops(self.worlds, self.row, self._aimed, event.subject, self.hand())
                self._aimed = None

    def _note_gains(self) -> None:
        """Forget the expected drops that the player has picked up."""
        held = self.world.counts(self._only)[0]
        if self._held is not None:
            more = held - self._held
            gained = {kind: int(more[kind]) for kind in np.flatnonzero(more > 0).tolist()}
            take_drops(self.worlds, self.row, gained)
        self._held = held

    def ask(self, action: Action) -> None:
        """Ask the world for a box before the tick of `action`, if one is needed."""
        active = bool(action[ATTACK] or action[USE])
        self._note_blow(bool(action[ATTACK]))
        if action[ATTACK]:
            self._aimed = self._crosshair(action)
        box = self.asker.next_box(self.cell(), self.tick(), active)
        if box is not None:
            self._teller.ask_surroundings(self.row, box)

    def _note_blow(self, attacks: bool) -> None:
        """Note whether the player strikes in this tick, and how long ago it last began to."""
        fauna = self.worlds.fauna[self.row : self.row + 1]
        hand = self.hand()
        number = item(hand).id if hand else 0
        begins = attacks and not fauna["pressed"][0]
        same = int(fauna["charged_with"][0]) == number
        fauna["charge"] = 0 if begins or not same else fauna["charge"] + 1
        fauna["charged_with"], fauna["pressed"] = number, attacks

    def cell(self) -> Cell:
        """Return the block of the player's feet."""
        x, y, z = (int(np.floor(self.player[axis])) for axis in "xyz")
        return x, y, z

    def _crosshair(self, action: Action) -> Cell | None:
        """Return the block under the crosshair after the turn of an action."""
        p = self.player
        pitch = float(np.clip(p["pitch"] + CAMERA_BINS[action[PITCH]], -90.0, 90.0))
        way = look_ray(float(p["yaw"] + CAMERA_BINS[action[YAW]]), pitch)
        eye = (float(p["x"]), float(p["y"]) + EYE_HEIGHT, float(p["z"]))
        found = np.zeros(4, np.int32)
        if not first_block(self.worlds, self.row, eye, way, CROSSHAIR + 0.02, found):
            return None
        return int(found[0]), int(found[1]), int(found[2])

    def load_land(self, x: float, z: float) -> None:
        """Keep the land around a column; land that the world has not told stays unseen."""
        self._mirror.keep(self.row, x, z)

    def look_around(
        self, radius: int = 0, down: int = 0, up: int = 0, again: bool = False
    ) -> Steps:
        """Wait until the world has told the blocks near by and the unseen sections around.

        Args:
            radius: distance in chunks of the sections; 0 asks for the near blocks alone.
            down: depth in blocks below the feet of the lowest sections.
            up: height in blocks above the feet of the highest sections.
            again: whether to ask even for told sections, because creatures move.

        Returns:
            Whether a section was asked for.
        """
        self.asker.urgent = True
        if radius:
            self.asker.survey(sections_around(self.cell(), radius, down, up), again)
        waited = 0
        while self.asker.is_busy() and waited < _ANSWERS:
            waited += 1
            yield self.fresh()
        yield self.fresh()
        return waited > 1

    def counts(self) -> dict[str, int]:
        """Return the counts of items in hotbar and main inventory, by name, in the order of item ids."""
        return Hands.counts(self)

    def hand(self) -> str | None:
        """Return the name of the item in the hand, None if the hand is empty."""
        return Hands.hand(self)

    def bare_slot(self) -> int:
        """Return a hotbar slot that holds no tool, -1 if every hotbar slot holds one."""
        armed = {pocket.slot for pocket in self._fingers.pockets() if pocket.name in tools()}
        return next((slot for slot in range(HOTBAR_LENGTH) if slot not in armed), -1)

    def hold(self, name: str) -> Steps:
        """Take an item in hand, by a key of the hotbar or by mouse; return whether it is there."""
        return (yield from self._fingers.hold(name))

    def ready(self, name: str) -> Steps:
        """Take an item in hand, so that `put` can place it."""
        return (yield from self.hold(name))

    def put(self, action: Action, name: str) -> None:
        """Let an action place the item in hand at the face under the crosshair."""
        action[USE] = 1
        self.asker.urgent = True

    def shut(self) -> Steps:
        """Close a screen that the use key has opened; return whether one was open."""
        return (yield from self._fingers.shut())

    def swing(self, action: Action) -> None:
        """Do nothing: only helpers show their work."""

    def show(self, name: str) -> Steps:
        """Do nothing: only helpers show what they made."""
        yield from ()
        return True
