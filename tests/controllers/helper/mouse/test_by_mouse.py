"""The helper by mouse crafts, smelts, equips and places, and recovers when something disturbs it."""

import numpy as np
import pytest

from optimus_gym.controllers.helper.by_mouse import MouseHelperController
from optimus_gym.controllers.helper.mouse.laying import laying_for
from optimus_gym.core.actions import ATTACK, FUNCTION, INVENTORY, PITCH, USE, YAW, noop
from optimus_gym.core.types import Setup, SubGoal
from optimus_gym.core.world_powers import UNKNOWN_SCREEN
from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.game.screens import GRID_PLACE, screen_names
from optimus_gym.testing.world_play import held_counts
from optimus_gym.worlds.voxel.land.cells import set_block
from optimus_gym.worlds.voxel.player.vitals import hurt
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.controllers.play import act, setting_of


class Blind:
    """The embedded world without arrays, functions and kinds of screens, like the real game from outside."""

    can = frozenset({"keys", "mouse"})
    count = 1

    def __init__(self, world):
        self._world = world

    def __getattr__(self, name):
        assert name != "worlds", "a helper by mouse needs no arrays"
        return getattr(self._world, name)

    def screens(self, rows):
        return np.where(self._world.screens(rows) == 0, 0, UNKNOWN_SCREEN).astype(np.int32)


class Table:
    """A player with a stocked inventory, the helper by mouse, and a note of every action."""

    def __init__(self, blind=False, seed=3, **inventory):
        self.world = VoxelWorld(1)
        self.world.reset(0, Setup(seed, biome="plains", inventory=inventory, screens=True))
        seen = Blind(self.world) if blind else self.world
        self.helper = MouseHelperController()
        self.helper.attach(setting_of(seen))
        self.helper.begin_episodes([0], [seed])
        self.actions, self.seen = [], []

    def run(self, verb, name, count=1, disturbances=(), limit=3000):
        """Carry out a sub-goal; call each disturbance (tick, function) once; return the failure."""
        self.helper.begin_subgoals([0], [SubGoal(verb, name, count)])
        waiting = dict(disturbances)
        for tick in range(limit):
            actions, failures = act(self.helper)
            if failures[0] is not None or self.helper.has_ended(0):
                return failures[0]
            if tick in waiting:
                waiting.pop(tick)()
            self.actions.append(actions[0].copy())
            self.world.tick([0], actions)
            self.seen.append(screen_names()[self.world.screens([0])[0]])
        raise AssertionError(f"{verb} {name} had not ended after {limit} ticks")

    def press(self, key):
        action = noop()
        action[key] = 1
        self.world.tick([0], action[None])

    def held(self):
        return held_counts(self.world)

    def slot_of(self, name):
        kinds = self.world.worlds.slots[0]["item"].tolist()
        return kinds.index(item(name).id)

    def fill_up(self, name="dirt"):
        for slot in self.world.worlds.slots[0][:36]:
            if slot["count"] == 0:
                slot["item"], slot["count"] = item(name).id, 64


@pytest.mark.parametrize("blind", [False, True])
def test_logs_become_a_pickaxe_in_hand_by_mouse_alone(blind):
    table = Table(blind, oak_log=3)
    assert table.run("craft", "oak_planks", 12) is None
    assert table.run("craft", "stick", 4) is None
    assert table.run("craft", "crafting_table") is None
    assert table.run("place", "crafting_table") is None
    assert table.run("craft", "wooden_pickaxe") is None
    assert table.run("equip", "wooden_pickaxe") is None
    assert table.held() == {"oak_planks": 3, "stick": 2, "wooden_pickaxe": 1}
    assert {"inventory", "crafting_table", ""} <= set(table.seen)
    assert table.seen[-1] == ""
    assert all(action[FUNCTION] == 0 for action in table.actions)


@pytest.mark.parametrize("blind", [False, True])
def test_ore_becomes_ingots_in_a_furnace_by_mouse(blind):
    table = Table(blind, furnace=1, iron_ore=9, coal=3)
    assert table.run("place", "furnace") is None
    assert table.run("smelt", "iron_ingot", 9) is None
    assert table.held() == {"iron_ingot": 9, "coal": 1}


@pytest.mark.parametrize("ahead", ["crafting_table", "furnace"])
def test_the_right_one_of_two_stations_is_found_without_knowing_their_screens(ahead):
    table = Table(blind=True, oak_log=2, oak_planks=6, stick=2)
    x, y, z = np.floor(table.world.poses([0])[0, :3]).astype(int).tolist()
    behind = {"crafting_table": "furnace", "furnace": "crafting_table"}[ahead]
    for name, step in ((ahead, 2), (behind, -2)):
        yaw = np.radians(table.world.poses([0])[0, 3])
        cell = x - round(step * np.sin(yaw)), y, z + round(step * np.cos(yaw))
        set_block(table.world.worlds, 0, *cell, block(name).id)
    assert table.run("smelt", "charcoal") is None
    assert table.run("craft", "wooden_pickaxe") is None
    assert {"crafting_table", "furnace"} <= set(table.seen)
    held = table.held()
    assert (held["charcoal"], held["wooden_pickaxe"], held["oak_log"]) == (1, 1, 1)
    assert held["oak_planks"] in (2, 3), "a charcoal needs a plank or two as fuel"


def test_things_without_stacks_are_smelted_one_after_another():
    table = Table(furnace=1, iron_axe=2, coal=1)
    assert table.run("place", "furnace") is None
    assert table.run("smelt", "iron_nugget", 2) is None
    assert table.held() == {"iron_nugget": 2}


def test_fuel_may_be_wood_and_is_mixed_with_no_other_fuel():
    table = Table(furnace=1, sand=3, oak_planks=2)
    assert table.run("place", "furnace") is None
    assert table.run("smelt", "glass", 3) is None
    assert table.held() == {"glass": 3}


def test_failures_name_the_missing_fuel_item_or_station():
    table = Table(furnace=1, sand=3)
    assert table.run("smelt", "glass").reason == "missing_station"
    assert table.run("place", "furnace") is None
    failure = table.run("smelt", "glass")
    assert (failure.reason, failure.item) == ("missing_item", "coal")
    failure = table.run("craft", "stick")
    assert failure.reason == "missing_item"
    assert table.run("craft", "wooden_pickaxe").reason == "missing_item"
    assert Table(oak_planks=9, stick=9).run("craft", "wooden_pickaxe").reason == "missing_station"
    assert table.run("craft", "bedrock").detail == "no recipe makes it"
    assert table.held() == {"sand": 3}


@pytest.mark.parametrize("worn", [(), ("iron_helmet",)])
def test_armour_is_put_on_in_place_of_a_worn_piece(worn):
    table = Table(diamond_helmet=1, iron_helmet=1, shield=1)
    for name in (*worn, "diamond_helmet", "shield"):
        assert table.run("equip", name) is None
    equipment = table.world.bodies([0])[0][0].tolist()
    assert equipment[5] == item("diamond_helmet").id
    assert equipment[1] == item("shield").id
    assert sum(table.held().values()) == 3


def test_an_item_from_the_inventory_comes_into_the_hand():
    table = Table(**{f"{colour}_wool": 1 for colour in ("red", "blue", "lime", "pink", "cyan")})
    slots = table.world.worlds.slots[0]
    slots[20] = (item("iron_axe").id, 1, 7)
    assert table.run("equip", "iron_axe") is None
    assert table.world.bodies([0])[0][0, 0] == item("iron_axe").id


@pytest.mark.parametrize("tick", [4, 9, 14, 22, 30, 41])
def test_a_screen_that_something_closes_is_opened_again(tick):
    table = Table(oak_log=2)
    closed = [(tick, lambda: table.press(INVENTORY))]
    assert table.run("craft", "oak_planks", 8, closed) is None
    held = table.held()
    assert held["oak_planks"] == 8
    assert table.world.worlds.laid["count"].sum() == 0


def test_a_full_inventory_ends_crafting_with_the_reason_and_without_loss():
    table = Table(oak_log=10)
    table.fill_up()
    failure = table.run("craft", "oak_planks", 4)
    assert (failure.reason, failure.detail) == ("stuck", "no room in the inventory")
    assert table.held() == {"oak_log": 10, "dirt": 64 * 35}
    assert table.world.worlds.drops["count"].sum() == 0


def test_an_item_that_disappears_ends_crafting_with_the_missing_item():
    table = Table(oak_planks=4)

    def vanish():
        table.world.worlds.slots[0]["count"] = 0
        table.world.worlds.slots[0]["item"] = 0
        table.world.worlds.laid[0] = 0

    failure = table.run("craft", "crafting_table", 1, [(20, vanish)])
    assert (failure.reason, failure.item) == ("missing_item", "oak_planks")


def test_death_at_a_screen_is_the_reason_of_the_failure():
    table = Table(oak_log=4)
    failure = table.run(
        "craft", "oak_planks", 16, [(12, lambda: hurt(table.world.worlds, 0, 0, 99.0))]
    )
    assert failure.reason == "died"


def test_a_hidden_table_is_uncovered():
    table = Table(crafting_table=1, oak_planks=3, stick=2, wooden_shovel=1)
    assert table.run("place", "crafting_table") is None
    worlds, player = table.world.worlds, table.world.worlds.players[0]
    feet = [int(np.floor(player[axis])) for axis in "xyz"]
    for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        for dy in (0, 1):
            set_block(worlds, 0, feet[0] + dx, feet[1] + dy, feet[2] + dz, 9)  # dirt
    assert table.run("craft", "wooden_pickaxe") is None
    assert table.held()["wooden_pickaxe"] == 1


def test_the_cursor_moves_gently_and_clicks_only_where_it_stands():
    table = Table(oak_log=3)
    assert table.run("craft", "oak_planks", 12) is None
    actions = np.array(table.actions)
    speeds = np.abs(actions[:, [PITCH, YAW]] - 5)
    assert (np.diff(speeds, axis=0) <= 2).all()
    clicks = (actions[:, ATTACK] == 1) | (actions[:, USE] == 1)
    assert clicks.any()
    assert (speeds[clicks] == 0).all()


def test_a_recipe_is_laid_out_by_its_pattern_with_the_most_numerous_kind():
    held = {"oak_planks": 2, "birch_planks": 5, "stick": 9}
    laying = laying_for(("wooden_pickaxe",), 1, held, ("crafting_table",))
    wood = ["birch_planks"] * 3
    assert [laying.cells[GRID_PLACE + k] for k in (0, 1, 2)] == wood
    assert [laying.cells[GRID_PLACE + k] for k in (4, 7)] == ["stick"] * 2
    assert laying_for(("wooden_pickaxe",), 1, held, ()) is None
    assert laying_for(("stick",), 8, held, ()).batches == 2
