"""Random clicks, keys, drags and closings in every screen, with random contents and a ledger of all items."""

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np

from optimus_gym.game.items import item, item_names, items
from optimus_gym.game.recipes import recipes
from optimus_gym.game.ways import cuttings, smithings
from optimus_gym.worlds.voxel.snapshot import read, take
from optimus_gym.worlds.voxel.state.bounds import check_bounds
from optimus_gym.worlds.voxel.tables.recipes import FUEL_TICKS, SMELTS_TO
from tests.worlds.voxel.clicking.page import BLOCKS, DOWN, Page, Y

RING = ((0, 2), (-2, 2), (-2, 0), (-2, -2), (0, -2), (2, -2), (2, 0), (2, 2))
"""x and z of the blocks around the player, each 45 degrees to the right of the one before."""
OVENS = ("furnace", "blast_furnace", "smoker")
EPISODE = 250
"""Steps after which the contents are drawn again."""
Ledger = dict[int, Fraction | int]


def _used() -> set[str]:
    """Return the items that a grid, a bench or an oven turns into another item."""
    named = {name for recipe in recipes() for cell in recipe.cells for name in cell}
    named |= {cut.item for cut in cuttings()} | {row.item for row in smithings()}
    named |= {row.addition for row in smithings()}
    return named | {
        name for name, entry in items().items() if FUEL_TICKS[entry.id] or SMELTS_TO[entry.id]
    }


INERT = tuple(sorted(set(items()) - _used()))
"""Items that stay what they are in every screen."""


def weights() -> Mapping[str, Fraction]:
    """Return weights that crafting, cutting and forging conserve, for items made of a few materials."""
    known = {name: Fraction(k) for name, k in (
        ("oak_planks", 7), ("iron_ingot", 11), ("stone", 13), ("redstone", 17), ("wheat", 19),
        ("diamond", 23), ("netherite_ingot", 29), ("honey_bottle", 31), ("glass_bottle", 5))}  # fmt: skip
    known["oak_log"] = 4 * known["oak_planks"]
    ways = [
        (recipe.product, recipe.count, recipe.cells, dict(recipe.remainders))
        for recipe in recipes()
    ]
    ways += [(cut.product, cut.count, ((cut.item,),), {}) for cut in cuttings()]
    ways += [(row.product, 1, ((row.item,), (row.addition,)), {}) for row in smithings()]
    for _ in range(6):
        for product, count, cells, left in ways:
            choices = [[name for name in cell if name in known] for cell in cells if cell]
            if all(choices):
                total = sum(known[names[0]] for names in choices)
                total -= sum(n * known.get(name, 0) for name, n in left.items())
                known.setdefault(product, total / count)
    return known


def with_smelting(known: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
    """Return weights that grids and ovens conserve; lava is the only fuel, and leaves its bucket."""
    added = {"iron_ore": known["iron_ingot"], "lava_bucket": known["bucket"]}
    return {
        **known,
        **added,
        "beef": Fraction(41),
        "cooked_beef": Fraction(41),
        "dirt": Fraction(43),
    }


def consistent(known: Mapping[str, Fraction]) -> tuple[str, ...]:
    """Return the items that no recipe turns into items of another total weight."""
    good = set(known)
    while True:
        bad = set()
        for recipe in recipes():
            cells = [[name for name in cell if name in good] for cell in recipe.cells if cell]
            if not all(cells):
                continue
            total = known.get(recipe.product, Fraction(-1)) * recipe.count
            total += sum(n * known.get(name, -1) for name, n in recipe.remainders)
            low, high = (
                sum(pick(known[n] for n in names) for names in cells) for pick in (min, max)
            )
            if recipe.product not in good or not low == high == total:
                bad |= {max(names, key=lambda name: known[name]) for names in cells}
        for cut in cuttings():
            if cut.item in good and (
                cut.product not in good or known[cut.product] * cut.count != known[cut.item]
            ):
                bad.add(cut.item)
        if not bad:
            return tuple(sorted(good))
        good -= bad


class Clicker:
    """A player amid all blocks with screens, who presses keys at random.

    Args:
        seed: decides all that happens.
        names: the items with which slots, ovens and containers are filled.
        ledger: function that returns what must be conserved.
        ovens: whether there are ovens.
    """

    def __init__(
        self,
        seed: int,
        names: tuple[str, ...],
        ledger: Callable[[Page], Ledger] | None = None,
        ovens: bool = True,
    ) -> None:
        self.rng = np.random.default_rng(seed)
        self.page = Page()
        self.ids = np.array([item(name).id for name in names])
        self.most = np.array([items()[name].stack_size for name in names])
        self.lasts = np.array([items()[name].max_durability for name in names])
        self.ledger = ledger or pieces
        blocks = [name if ovens or name not in OVENS else "crafting_table" for name in BLOCKS]
        for (x, z), name in zip(RING, blocks, strict=True):
            self.page.put(x, Y, z, name)
        self.page.tick()
        self.opened = dict.fromkeys(("", "inventory", *blocks), 0)

    def play(self, steps: int) -> None:
        """Play some steps, and look at the items after each episode."""
        for first in range(0, steps, EPISODE):
            self.fill()
            before = self.ledger(self.page)
            held = dict.fromkeys(("attack", "use", "sneak"), 0)
            for _ in range(min(EPISODE, steps - first)):
                self.step(held)
            assert self.ledger(self.page) == before
            check_bounds(read(take(self.page.worlds, 0)))

    def fill(self) -> None:
        """Draw new contents for pockets, armour slots, chest and barrel, and let nothing lie about."""
        worlds, page = self.page.worlds, self.page
        for array in (worlds.laid, worlds.stored, worlds.drops, worlds.screens):
            array[0] = np.zeros((), array.dtype)
        for array in (worlds.containers, worlds.furnaces):
            array["used"] = 0
        self.draw(worlds.slots[0, :36], self.rng.random() ** 2)
        worlds.slots[0, 36:] = np.zeros((), worlds.slots.dtype)
        page.set(x=0.5, z=0.5, vx=0, vz=0, health=20, food=20, pitch=DOWN)
        for k, name in enumerate(("chest", "barrel")):
            x, z = RING[BLOCKS.index(name)]
            worlds.containers[0, k] = 1, x, Y, z
            self.draw(worlds.stored[0, k], self.rng.random())
        if self.rng.random() < 0.2:  # no container is free
            worlds.containers["used"][0, 2:] = 1
            worlds.containers["x"][0, 2:] = 1000
        if self.rng.random() < 0.2:  # no oven is free
            worlds.furnaces["used"][0] = 1
            worlds.furnaces["x"][0], worlds.furnaces["burn"][0] = 1000, 10_000

    def draw(self, stacks: np.ndarray, share: float) -> None:
        """Fill a share of the slots with random stacks."""
        stacks[:] = np.zeros((), stacks.dtype)
        few = self.rng.integers(len(self.ids), size=5)
        for k in np.flatnonzero(self.rng.random(len(stacks)) < share):
            which = (
                int(self.rng.choice(few))
                if self.rng.random() < 0.7
                else int(self.rng.integers(len(self.ids)))
            )
            count = int(self.rng.integers(1, self.most[which] + 1))
            worn = int(self.rng.integers(max(min(self.lasts[which], 3), 1)))
            stacks[k] = self.ids[which], count, worn

    def step(self, held: dict[str, int]) -> None:
        """Press random keys for one tick; a closed screen is often opened again."""
        page, rng = self.page, self.rng
        self.opened[page.screen] += 1
        if not page.screen:
            page.set(yaw=45.0 * rng.integers(8), pitch=DOWN)
            page.worlds.drops["age"][0] %= 100
            page.tick()
            page.tick(**({"inventory": 1} if rng.random() < 0.15 else {"use": 1}))
            return
        for name, share in (("attack", 0.5), ("use", 0.4), ("sneak", 0.1)):
            if rng.random() < share:
                held[name] ^= 1
        keys = dict(held)
        for name, share in (("drop", 0.03), ("swap_hands", 0.05), ("inventory", 0.01)):
            keys[name] = int(rng.random() < share)
        if rng.random() < 0.1:
            keys["hotbar"] = int(rng.integers(1, 10))
        page.tick(turn=self.turn(), **keys)

    def turn(self) -> tuple[float, float]:
        """Return a turn that moves the cursor to a random slot or point, by a pixel, or not at all."""
        page, rng = self.page, self.rng
        row, draw = page.worlds.screens[0], rng.random()
        if draw < 0.3:
            return 0.0, 0.0
        if draw < 0.35:
            return 0.15, -0.15
        if draw < 0.93:
            slots = page.shown.slots
            near = rng.random() < 0.4
            x, y = slots[int(rng.integers(min(11, len(slots)) if near else len(slots)))].middle
        elif draw < 0.97:
            x, y = page.shown.left + rng.uniform(50, 120), page.shown.top + rng.uniform(0, 80)
        else:
            x, y = rng.uniform(0, 640), rng.uniform(0, 360)
        return (y - row["cursor_y"]) * 0.15, (x - row["cursor_x"]) * 0.15


def stacks_of(page: Page) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return item, pieces and uses of all stacks of a world."""
    worlds = page.worlds
    ovens = worlds.furnaces[0][worlds.furnaces["used"][0] == 1]
    parts = [worlds.slots[0], worlds.laid[0], worlds.stored[0].ravel(), worlds.drops[0]]
    parts += [ovens[part] for part in ("input", "fuel", "output")]
    return tuple(
        np.concatenate([part[field].astype(np.int64) for part in parts])
        for field in ("item", "count", "damage")
    )


def pieces(page: Page) -> Ledger:
    """Return the number of pieces of each item with each wear."""
    number, count, damage = stacks_of(page)
    assert ((number == 0) == (count == 0)).all()
    kinds, places = np.unique(number * 4096 + damage, return_inverse=True)
    sums = np.bincount(places, count)
    return {int(kind): int(total) for kind, total in zip(kinds, sums, strict=True) if total}


def weight(known: Mapping[str, Fraction]) -> Callable[[Page], Ledger]:
    """Return a ledger of the total weight of all items."""
    names = item_names()

    def total(page: Page) -> Ledger:
        number, count, _ = stacks_of(page)
        sums = np.bincount(number, count)
        return {0: sum(known[names[k]] * int(sums[k]) for k in np.flatnonzero(sums))}

    return total
