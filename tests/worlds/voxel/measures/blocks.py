"""Measures of breaking blocks, furnaces and fluids."""

from optimus_gym.game.blocks import block as block_named
from optimus_gym.game.items import item
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.measures.measuring import fill, measure, ticks_until

AHEAD = (0, FEET + 1, 2)
SECOND = 20
LOW = {"snow": 16, "red_bed": 16}
"""Pitch in degrees towards blocks that end below the eye."""
KITCHEN = (3, FEET, 3)
SOURCE = (8, FEET, 8)


def _facing(block: str, tool: str | None, where: str = "ground") -> Flat:
    """Return a world with a block at eye level, on what it needs, and a player that faces it."""
    flat = Flat()
    x, y, z = AHEAD
    for support in ("stone", "dirt", "sand"):
        flat.put(x, y - 1, z, support)
    if block == "sugar_cane":
        flat.put(x + 1, y - 1, z, "water")
    flat.put(*AHEAD, block, 2 if block == "ladder" else 0)
    if block == "ladder":
        flat.put(x, y, z + 1, "stone")
    if tool:
        flat.give(0, tool)
    if where in ("water", "afloat"):
        flat.put(0, FEET + 1, 0, "water")
    flat.set(pitch=LOW.get(block, 0))
    flat.tick(3)
    return flat


def _broken_after(flat: Flat, block: str, where: str = "ground") -> int:
    """Return the ticks of holding the key until the block is gone."""
    for ticks in range(1, 6000):
        if where in ("air", "afloat"):
            flat.set(y=FEET + 0.01, vy=0, on_ground=0)
        flat.set(air=300, health=20)
        flat.tick(attack=1)
        if flat.at(*AHEAD) != block:
            return ticks
    raise AssertionError(f"{block} did not break")


@measure
def breaking(block, tool, where="ground"):
    return _broken_after(_facing(block, tool, where), block, where) / SECOND


@measure
def pause(block, tool=None):
    """Return the ticks lost between two blocks that are broken with the key held down."""
    alone = _broken_after(_facing(block, tool), block)
    flat = _facing(block, tool)
    flat.put(0, FEET + 1, 3, block)
    both = _broken_after(flat, block)
    while flat.at(0, FEET + 1, 3) == block:
        flat.tick(attack=1)
        both += 1
    return both - 2 * alone


@measure
def wear(block, tool):
    flat = _facing(block, tool)
    _broken_after(flat, block)
    return flat.slot(0)[2]


@measure
def reach():
    """Return how far from the eye a block's face may be to be dug at."""
    flat = Flat()
    flat.put(0, FEET + 1, 10, "dirt")
    farthest = 0.0
    for step in range(400, 520):
        flat.set(z=10 - step / 100, vz=0)
        flat.tick()
        flat.tick(attack=1)
        farthest = step / 100 if flat.dig_progress > 0 else farthest
    return farthest


def _kitchen(**stacks: int) -> Flat:
    flat = Flat()
    flat.put(*KITCHEN, "furnace")
    for k, (name, number) in enumerate(stacks.items()):
        flat.give(k, name, number)
    return flat


@measure
def smelting(item, product):
    """Return the ticks from the call to the item in the hands."""
    flat = _kitchen(**{item: 1, "coal": 1})
    flat.tick(smelt=product)
    return 1 + ticks_until(flat, lambda: product in flat.held())


@measure
def burning(fuel):
    """Return the ticks for which a furnace with one piece of fuel shows fire."""
    flat = _kitchen()
    furnace = flat.worlds.furnaces[0, 0]
    furnace["used"], furnace["x"], furnace["y"], furnace["z"] = 1, *KITCHEN
    furnace["input"] = (item("cobblestone").id, 64, 0)
    furnace["fuel"] = (item(fuel).id, 1, 0)
    flat.tick()
    assert flat.state_at(*KITCHEN) & 1
    return ticks_until(flat, lambda: not flat.state_at(*KITCHEN) & 1)


def _pour(fluid: str, floor_air: int = 0) -> Flat:
    """Return a world with a new source over some blocks of air."""
    flat = Flat()
    if floor_air:
        fill(flat, "air", range(8, 9), range(FEET - floor_air, FEET), range(8, 9))
    flat.put(*SOURCE, fluid)
    flat.settle(*SOURCE)
    return flat


def _comes_after(flat: Flat, fluid: str, x: int, y: int, z: int) -> int:
    return ticks_until(flat, lambda: flat.at(x, y, z) == fluid, 400)


@measure
def fluid_spread(fluid, blocks):
    x, y, z = SOURCE
    return _comes_after(_pour(fluid), fluid, x + blocks, y, z)


@measure
def fluid_extent(fluid):
    flat = _pour(fluid)
    flat.tick(400)
    x, y, z = SOURCE
    reached = [k for k in range(12) if flat.at(x + k, y, z) == fluid]
    assert reached == list(range(len(reached)))
    return reached[-1]


@measure
def fluid_fall(fluid, blocks):
    x, y, z = SOURCE
    return _comes_after(_pour(fluid, blocks), fluid, x, y - blocks, z)


@measure
def fluid_seeks_hole(fluid, blocks):
    """Return 1 if a source flows only towards a hole so many blocks away."""
    flat = Flat()
    x, y, z = SOURCE
    flat.put(x + blocks, y - 1, z, "air")
    flat.put(*SOURCE, fluid)
    flat.settle(*SOURCE)
    flat.tick(8)
    assert flat.at(x + 1, y, z) == fluid
    return int(flat.at(x - 1, y, z) == "air")


@measure
def fluid_source(sources):
    """Return 1 if the cell between two places becomes a source from a number of sources."""
    flat = Flat()
    x, y, z = SOURCE
    fill(flat, "stone", range(x - 3, x + 4), range(y, y + 1), range(z - 1, z + 2))
    fill(flat, "air", range(x - 1, x + 2), range(y, y + 1), range(z, z + 1))
    for k in range(sources):
        flat.put(x - 1 + 2 * k, y, z, "water")
        flat.settle(x - 1 + 2 * k, y, z)
    flat.tick(40)
    assert flat.at(*SOURCE) == "water"
    return int(flat.state_at(*SOURCE) == 0)


@measure
def fluid_mix(still, level, comes):
    """Return the block in a fluid's cell after the other fluid has come."""
    flat = Flat()
    x, y, z = SOURCE
    fill(flat, "stone", range(x - 3, x + 4), range(y, y + 3), range(z - 3, z + 4))
    fill(flat, "air", range(x - 1, x + 2), range(y, y + 1), range(z, z + 1))
    flat.put(*SOURCE, still, level)
    other = (x, y + 1, z) if comes.endswith("above") else (x - 1, y, z)
    flat.put(*other, comes.split()[0])
    flat.settle(*other)
    flat.tick(70)
    found = flat.at(*SOURCE)
    assert block_named(found)
    return found
