"""Picking up dropped items."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from optimus_gym.controllers.oracle.goals import TOUCH_DROP
from optimus_gym.controllers.oracle.miner import ON_FOOT, Miner
from optimus_gym.controllers.oracle.path_search import FOUND
from optimus_gym.controllers.oracle.travel import follow_path
from optimus_gym.controllers.script import Steps
from optimus_gym.game.items import item

_FAR = 20.0
"""Greatest distance in blocks at which the player fetches a drop."""
OLD = 5000
"""Age in ticks from which the player ignores a drop, because it will vanish soon."""
SETTLING = 25
"""Maximum ticks to wait for a drop to land, and then for the player to pick the drop up."""
_BUDGET = 8_000
_FALLING = 0.05
"""Vertical speed in blocks a tick from which a drop counts as in flight."""


@dataclass(frozen=True, slots=True)
class LyingDrop:
    """A dropped stack of items that lies in the world."""

    key: tuple[int, int]
    """The drop's index in the world's array of drops, and the tick in which the drop appeared."""
    count: int
    x: float
    y: float
    z: float


def lying(miner: Miner, kinds: Sequence[str], ignored: set[tuple[int, int]]) -> list[LyingDrop]:
    """Return the drops of the items `kinds` near the player, nearest first, without those in `ignored`."""
    wanted = np.array([item(name).id for name in kinds])
    rows = miner.worlds.drops[miner.row]
    player = miner.player
    px, py, pz, tick = (float(player[k]) for k in ("x", "y", "z", "tick"))
    found = []
    for k in np.flatnonzero(np.isin(rows["item"], wanted)):
        row = rows[k]
        drop = LyingDrop(
            (int(k), int(tick) - int(row["age"])),
            int(row["count"]), float(row["x"]), float(row["y"]), float(row["z"]),
        )  # fmt: skip
        away = max(abs(drop.x - px), abs(drop.y - py), abs(drop.z - pz))
        if away <= _FAR and row["age"] < OLD and drop.key not in ignored:
            found.append((away, drop))
    return [drop for _, drop in sorted(found, key=lambda entry: (entry[0], entry[1].key))]


def collect(miner: Miner, drops: Sequence[LyingDrop], ignored: set[tuple[int, int]]) -> Steps:
    """Go to the drop that is soonest reached on foot and wait until the player has picked it up."""
    for _ in range(SETTLING):
        if not any(_flies(miner, drop) for drop in drops):
            break
        yield miner.fresh()
    drops = [_now(miner, drop) for drop in drops if _lies(miner, drop)]
    if not drops:
        return True
    goals = np.array([(drop.x, drop.y, drop.z, 0.0) for drop in drops])
    reach = miner.search(goals, TOUCH_DROP, ON_FOOT, _BUDGET)
    if reach != FOUND:
        ignored.update(drop.key for drop in drops)
        return False
    drop = drops[int(miner.answer[0])]
    arrived = yield from follow_path(miner)
    for _ in range(SETTLING):
        if not _lies(miner, drop):
            return True
        if not arrived:
            break
        yield miner.fresh()
    if not _lies(miner, drop):
        return True
    if arrived and not _moved(miner, drop):
        ignored.add(drop.key)
    return False


def _flies(miner: Miner, drop: LyingDrop) -> bool:
    """Return whether a drop still rises or falls."""
    row = miner.worlds.drops[miner.row, drop.key[0]]
    return _lies(miner, drop) and abs(float(row["vy"])) > _FALLING


def _now(miner: Miner, drop: LyingDrop) -> LyingDrop:
    """Return a drop with its present position."""
    row = miner.worlds.drops[miner.row, drop.key[0]]
    return replace(drop, x=float(row["x"]), y=float(row["y"]), z=float(row["z"]))


def _lies(miner: Miner, drop: LyingDrop) -> bool:
    """Return whether a drop still exists; a drop that merged into another drop does not."""
    row = miner.worlds.drops[miner.row, drop.key[0]]
    return bool(row["item"]) and miner.tick() - int(row["age"]) == drop.key[1]


def _moved(miner: Miner, drop: LyingDrop) -> bool:
    """Return whether a drop has moved since the player saw it."""
    row = miner.worlds.drops[miner.row, drop.key[0]]
    return bool(max(abs(row["x"] - drop.x), abs(row["y"] - drop.y), abs(row["z"] - drop.z)) > 0.6)
