"""Snapshots of the embedded world, changed as files, and as states with a new matching digest."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import CONTROL_SIZES, FUNCTION, ITEM, noop
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Setup
from optimus_gym.game.items import items
from optimus_gym.worlds.voxel import snapshot as snapshots
from optimus_gym.worlds.voxel.world import VoxelWorld
from tools.mutating.changes import Draws, change_bytes, change_json

HELD = {
    "iron_pickaxe": 1, "cobblestone": 64, "coal": 8, "iron_ore": 8, "oak_log": 16, "furnace": 1,
    "crafting_table": 1, "water_bucket": 1, "sand": 64, "torch": 64, "bread": 5, "chest": 1,
}  # fmt: skip
SETUPS = (
    Setup(seed=3, inventory=HELD),
    Setup(seed=4, inventory=HELD, creatures=True, difficulty="normal", time=14_000),
    Setup(seed=5, inventory=HELD, creatures=True, difficulty="hard", weather="thunder"),
)
BEFORE = 400
"""Ticks to play before a sample is saved."""
AFTER = 20
"""Ticks to play after a file is loaded."""
SIZE = (48, 36)
DISTANCE = 32


class Snapshots:
    """Saved states of worlds with things, creatures, fluids and ovens."""

    def __init__(self) -> None:
        self._world = VoxelWorld(2, view_distance=DISTANCE, threads=1)
        self._after = _actions(AFTER, 1)
        self._known = {saved: self._shown(0, saved) for saved in self._saved()}

    def _saved(self) -> Sequence[Snapshot]:
        """Return the states of played worlds."""
        saved = []
        for k, setup in enumerate(SETUPS):
            self._world.reset(0, setup)
            self._play(0, _actions(BEFORE, k))
            saved.append(self._world.snapshot(0))
        return saved

    def samples(self) -> Sequence[bytes]:
        """Return the states of played worlds as files."""
        return [saved.to_bytes() for saved in self._known]

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a changed file: its bytes, its header, or its state with a matching digest."""
        kind = draws.random()
        if kind < 0.2:
            return change_bytes(data, draws)
        if kind < 0.3:
            return _with_header(data, draws)
        saved = Snapshot.from_bytes(data)
        names = [name for name, part in saved.parts if part]
        chosen = names[int(draws.integers(len(names)))]
        change = _change_fields if draws.random() < 0.95 else _change_part
        parts = tuple(
            (name, change(name, part, draws) if name == chosen else part)
            for name, part in saved.parts
        )
        return Snapshot(saved.world, saved.layout, parts).to_bytes()

    def use(self, path: Path) -> None:
        """Restore a file, look, play, look again, save, and restore the saved state."""
        saved = Snapshot.load(path)
        shown = self._shown(0, saved)
        assert shown == self._known.get(saved, shown), "a state is seen as it was not"
        self._ask(0)
        self._play(0, self._after)
        self._picture(0)
        self._ask(0)
        assert self._shown(1, saved) == shown, "a state is seen otherwise a second time"
        self._world.restore(1, Snapshot.from_bytes(self._world.snapshot(0).to_bytes()))

    def _ask(self, row: int) -> None:
        """Query everything that an environment reports of a row."""
        world = self._world
        for answer in (world.counts, world.bodies, world.poses, world.alive):
            answer([row])
        for tell in (world.events, world.stations, world.assists, world.biome):
            tell(row)

    def _shown(self, row: int, saved: Snapshot) -> bytes:
        self._world.restore(row, saved)
        return self._picture(row)

    def _picture(self, row: int) -> bytes:
        image = np.zeros((1, SIZE[1], SIZE[0], 3), np.uint8)
        self._world.frames([row], image)
        return image.tobytes()

    def _play(self, row: int, actions: NDArray[np.int32]) -> None:
        for action in actions:
            self._world.tick(np.array([row]), action[None])


def _change_part(_: str, part: bytes, draws: Draws) -> bytes:
    return change_bytes(part, draws)


def _change_fields(name: str, part: bytes, draws: Draws) -> bytes:
    """Return an array of the state with one to four of its numbers changed."""
    array = np.frombuffer(part, snapshots.form(name)).copy()
    used = np.flatnonzero(array != np.zeros((), array.dtype))
    for _ in range(1 if draws.random() < 0.6 else int(draws.integers(2, 5))):
        row = int(draws.choice(used if used.size and draws.random() < 0.8 else len(array)))
        _change_number(array[row : row + 1], draws)
    return array.tobytes()


def _change_number(array: NDArray[Any], draws: Draws) -> None:
    while array.dtype.names:
        array = array[array.dtype.names[int(draws.integers(len(array.dtype.names)))]]
    array = array[(slice(None), *(int(draws.integers(size)) for size in array.shape[1:]))]
    if array.dtype.kind == "f":
        most = float(np.finfo(array.dtype).max)
        odd = (0.0, -0.0, np.nan, np.inf, -np.inf, most, -most, 1e-40, -1.0, 1e3, 3e7, -3e7, 1e9)
        near = float(array[0]) * (1 + 0.1 * draws.standard_normal())
        wide = 10.0 ** float(draws.integers(-3, 12)) * draws.standard_normal()
        choices: tuple[Any, ...] = (*odd, *[near] * 6, *[wide] * 6)
    else:
        limits = np.iinfo(array.dtype)
        odd = (0, 1, 2, 15, 64, 127, 255, limits.min, limits.max, limits.max - 1)
        near = int(array[0]) + int(draws.integers(-3, 4))
        wide = int(draws.integers(limits.min, limits.max, dtype=array.dtype.type, endpoint=True))
        small = int(draws.integers(0, 2 ** int(draws.integers(1, 20))))
        choices = (*odd, *[near] * 4, *[wide] * 4, *[small] * 4)
    value = choices[int(draws.integers(len(choices)))]
    with np.errstate(over="ignore"):
        array[:] = np.array([value]).astype(array.dtype)


def _with_header(data: bytes, draws: Draws) -> bytes:
    magic, line, body = data.split(b"\n", 2)
    return b"\n".join((magic, change_json(json.loads(line), draws), body))


def _actions(ticks: int, seed: int) -> NDArray[np.int32]:
    """Return seeded keys and functions (int32[ticks, 15]); keys are held for five ticks."""
    draws = np.random.default_rng(seed)
    ids = [items()[name].id for name in HELD]
    actions = np.tile(noop(), (ticks, 1))
    for tick, action in enumerate(actions):
        if tick % 5:
            action[:] = actions[tick - 1]
            action[FUNCTION] = 0
            continue
        action[:FUNCTION] = draws.integers(0, CONTROL_SIZES)
        action[FUNCTION], action[ITEM] = draws.integers(5), draws.choice(ids)
    return actions
