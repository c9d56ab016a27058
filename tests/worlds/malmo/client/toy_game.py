"""A game of a few rules for tests of the client: a player on flat land who walks and turns."""

from dataclasses import dataclass, field
from functools import cache
from math import cos, radians, sin

import numpy as np

from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.malmo.games import WireMoment
from optimus_gym.worlds.malmo.reports import (
    Location,
    NearBlock,
    NearCreature,
    PlayerLife,
    Report,
    WireStack,
    Worn,
)
from optimus_gym.worlds.malmo.wire_actions import NO_BOX

STEP = 0.2
FEET = 64.0


@cache
def shades(height, width):
    """Return a picture that is brighter to the right (green) and to the bottom (red)."""
    made = np.zeros((height, width, 3), np.uint8)
    made[..., 0] = np.arange(height)[:, None] * 255 // height
    made[..., 1] = np.arange(width) * 255 // width
    return made


@dataclass
class ToyGame:
    """Chat commands: `/give`, `/kill`, `/tp`, `/say break` (the game breaks down); others are noted."""

    missions: list = field(default_factory=list)
    chats: list = field(default_factory=list)
    actions: list = field(default_factory=list)
    closed: int = 0
    revives: bool = True

    def begin(self, mission, seed):
        if mission.biome == "swamp":
            raise BadValue("biome: expected no swamp")
        self.missions.append((mission, seed))
        self.size = mission.height, mission.width
        self.x, self.y, self.z, self.yaw, self.pitch = 0.5 + (seed or 0), FEET, 0.5, 0.0, 0.0
        self.health = 20.0
        self.open = False
        self.ticks = 0
        self.held = {one.slot: [one.item, one.count] for one in mission.inventory}
        self.statistics = {}
        self.action = None
        return self.moment()

    def send(self, action):
        self.actions.append(action)
        self.action = action

    def receive(self):
        action, self.ticks = self.action, self.ticks + 1
        if self.health <= 0 and self.revives:
            self.health, self.x, self.y = 20.0, 0.5, FEET
        if action.chat:
            self.obey(action.chat)
        if "inventory" in action.keys:
            self.open = not self.open
        elif not self.open:
            self.yaw = (self.yaw + action.yaw + 180.0) % 360.0 - 180.0
            self.pitch = min(max(self.pitch + action.pitch, -90.0), 90.0)
            way = STEP * (("forward" in action.keys) - ("back" in action.keys))
            self.x -= way * sin(radians(self.yaw))
            self.z += way * cos(radians(self.yaw))
        if self.y > FEET and self.health > 0:
            self.y = max(self.y - 4.0, FEET)
            if self.y == FEET:
                self.count("custom", "fall_one_cm", 10_000)
                self.die()
        return self.moment()

    def count(self, group, name, more=1):
        counts = self.statistics.setdefault(group, {})
        counts[name] = counts.get(name, 0) + more

    def die(self):
        self.health = 0.0
        self.count("custom", "damage_taken", 200)
        self.count("custom", "deaths")

    def obey(self, text):
        self.chats.append(text)
        words = text.split()
        if text == "/say break":
            raise RuntimeError("the game breaks down")
        if words[0] == "/kill":
            self.die()
        if words[0] == "/tp":
            self.x, self.y, self.z = (float(word) for word in words[2:5])
        if words[0] == "/give":
            item = words[2].removeprefix("minecraft:")
            slot = next((k for k, (name, _) in self.held.items() if name == item), len(self.held))
            held = self.held.setdefault(slot, [item, 0])
            held[1] += int(words[3])
            self.count("pickup", item, int(words[3]))

    def moment(self):
        picture = shades(*self.size).copy()
        picture[..., 2] = self.ticks % 256
        box = self.action.voxels if self.action else NO_BOX
        near = box != NO_BOX
        report = Report(
            screen_open=self.open,
            stacks=tuple(WireStack(slot, *held) for slot, held in self.held.items()),
            worn={"mainhand": Worn(self.held[0][0])} if 0 in self.held else {},
            life=PlayerLife(health=self.health, alive=self.health > 0),
            location=Location(self.x, self.y, self.z, self.yaw, self.pitch, biome_id=1),
            statistics={group: dict(counts) for group, counts in self.statistics.items()},
            voxels=self.blocks(box) if near else None,
            mobs=(NearCreature("cow", 1.5, 0.0, -2.0, 8.0),) if near else None,
        )
        return WireMoment(picture, report)

    def blocks(self, box):
        x0, x1, y0, y1, z0, z1 = box
        return tuple(
            NearBlock(self.block(x, y, z), x, y, z)
            for x in range(x0, x1 + 1)
            for y in range(y0, y1 + 1)
            for z in range(z0, z1 + 1)
        )

    def block(self, x, y, z):
        if (x, y, z) == (2, 0, 1):
            return "crafting_table"
        return "grass_block" if y == -1 else "dirt" if y < -1 else "air"

    def close(self):
        self.closed += 1
