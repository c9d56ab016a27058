"""A flat world of stone to try the rules in: ground at y = 63, feet at y = 64."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import ACTION_PLACES, FUNCTION, ITEM, Function, camera_turns, noop
from optimus_gym.game.blocks import block
from optimus_gym.game.items import item, item_names
from optimus_gym.worlds.voxel.bodies.collision import is_blocked
from optimus_gym.worlds.voxel.bodies.posture import body, is_in_body
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.chunks import chunk_key
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.state.worlds import EVENT_NAMES, Worlds, make_worlds
from optimus_gym.worlds.voxel.tick import tick_rows

FEET = 64
FUNCTIONS = {kind.name.lower(): kind for kind in Function}


def action_of(**keys: int | str) -> NDArray[np.int32]:
    """Return the action (int32[15]) that presses keys by name and calls a function, say `craft="stick"`."""
    action = noop()
    for name, value in keys.items():
        if name in FUNCTIONS:
            action[FUNCTION], action[ITEM] = FUNCTIONS[name], item(str(value)).id
        else:
            action[ACTION_PLACES.index(name)] = int(value)
    return action


def tick_world(worlds: Worlds, row: int, action: NDArray[np.int32]) -> None:
    """Advance world `row` by one tick."""
    tick_rows(worlds, np.array([row], np.int64), action[None], camera_turns(action[None]))


class Flat:
    """One player on flat ground, with words instead of numbers."""

    def __init__(self, ground: str = "stone", seed: int = 1) -> None:
        self.worlds: Worlds = make_worlds(1, 64)
        self.worlds.voxels[0, :, :, 0] = block("bedrock").id
        self.worlds.voxels[0, :, :, 1:FEET] = block(ground).id
        self.worlds.tops[:] = FEET
        side = self.worlds.chunks.shape[1]
        for cx in range(-side // 2, side // 2):
            for cz in range(-side // 2, side // 2):
                self.worlds.chunks[0, cx % side, cz % side] = chunk_key(cx, cz)
        self.set(alive=1, x=0.5, y=FEET, z=0.5, health=20, food=20, air=300, on_ground=1)
        self.set(random=seed, aim_face=-1)

    def __getattr__(self, name: str):
        return self.worlds.players[0][name].item()

    def set(self, **values: float) -> None:
        for name, value in values.items():
            self.worlds.players[0][name] = value

    def tick(self, count: int = 1, **keys: int | str) -> None:
        action = action_of(**keys)
        for _ in range(count):
            tick_world(self.worlds, 0, action)

    def put(self, x: int, y: int, z: int, name: str, state: int = 0) -> None:
        set_block(self.worlds, 0, x, y, z, block(name).id | state << 10)

    def settle(self, x: int, y: int, z: int) -> None:
        """Let a cell and its neighbours notice a change at the end of the next tick."""
        note_change(self.worlds, 0, x, y, z, 0)

    def is_buried(self) -> bool:
        """Return whether the player's box overlaps a block."""
        return bool(is_blocked(self.worlds, 0, body(self.worlds, 0)))

    def at(self, x: int, y: int, z: int) -> str:
        return list_of_blocks()[block_at(self.worlds, 0, x, y, z) & 1023]

    def voxel_at(self, x: int, y: int, z: int) -> int:
        return int(block_at(self.worlds, 0, x, y, z))

    def state_at(self, x: int, y: int, z: int) -> int:
        return self.voxel_at(x, y, z) >> 10

    def give(self, slot: int, name: str, count: int = 1, damage: int = 0) -> None:
        self.worlds.slots[0, slot] = (item(name).id, count, damage)

    def slot(self, slot: int) -> tuple[str, int, int]:
        stack = self.worlds.slots[0, slot]
        return item_names()[stack["item"]], int(stack["count"]), int(stack["damage"])

    def held(self) -> dict[str, int]:
        """Return the items in all slots."""
        return self._sum(self.worlds.slots[0])

    def lying(self) -> dict[str, int]:
        """Return the items that lie about."""
        return self._sum(self.worlds.drops[0])

    def cooking(self) -> dict[str, int]:
        """Return the items in furnaces."""
        total: dict[str, int] = {}
        for furnace in self.worlds.furnaces[0]:
            if furnace["used"]:
                for part in ("input", "fuel", "output"):
                    for name, count in self._sum([furnace[part]]).items():
                        total[name] = total.get(name, 0) + count
        return total

    def events(self) -> list[tuple[str, int, int]]:
        rows = self.worlds.events[0][: self.worlds.players[0]["events"]]
        return [(EVENT_NAMES[r["kind"]], int(r["subject"]), int(r["count"])) for r in rows]

    @staticmethod
    def _sum(stacks) -> dict[str, int]:
        total: dict[str, int] = {}
        for stack in stacks:
            if stack["item"]:
                name = item_names()[stack["item"]]
                total[name] = total.get(name, 0) + int(stack["count"])
        return total


def stock(worlds: Worlds, x: int, y: int, z: int, **stacks: int) -> None:
    """Let the container in a cell hold stacks, each by its item's name."""
    row = int(np.argmin(worlds.containers["used"][0]))
    worlds.containers[0, row] = (1, x, y, z)
    for slot, (name, count) in enumerate(stacks.items()):
        worlds.stored[0, row, slot] = (item(name).id, count, 0)


def list_of_blocks() -> tuple[str, ...]:
    from optimus_gym.game.blocks import block_names

    return block_names()


def stands_free(flat: Flat, x: int, y: int, z: int) -> bool:
    """Return whether the player's body is outside a cell."""
    return not is_in_body(flat.worlds, 0, x, y, z, block("stone").id)
