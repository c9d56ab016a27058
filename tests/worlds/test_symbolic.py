"""The symbolic world: costs of sub-goals, failures, noise and repeatability."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.interfaces import World
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import ACT_VERBS, ONCE, VERBS, Event, Setup, SubGoal
from optimus_gym.core.world_powers import SubGoalWorld
from optimus_gym.game.items import item, items
from optimus_gym.game.tags import tag
from optimus_gym.testing.world_play import held_counts
from optimus_gym.worlds.symbolic.mischance import Noise
from optimus_gym.worlds.symbolic.world import FAR_TICKS, NEAR, SymbolicWorld

LIMIT = 100_000
LOGS = tag("logs")
PLANKS = tag("planks")


def world(held=None, biome=None, seed=0, **noise):
    made = SymbolicWorld(1, **noise)
    made.reset(0, Setup(seed=seed, inventory=held or {}, biome=biome))
    return made


def do(made, *subgoals):
    return [made.carry_out(0, subgoal, LIMIT) for subgoal in subgoals]


def test_the_symbolic_world_carries_out_subgoals():
    assert isinstance(world(), World)
    assert isinstance(world(), SubGoalWorld)


def test_mining_a_log_strips_no_held_log():
    made = world({"oak_log": 4, "iron_axe": 1})
    (step,) = do(made, SubGoal("mine", "oak_log", 1, LOGS))
    assert step.failure is None
    assert sum(held_counts(made).get(name, 0) for name in LOGS) == 5
    (stripped,) = do(made, SubGoal("mine", "stripped_oak_log"))
    assert stripped.failure is None
    assert held_counts(made)["stripped_oak_log"] == 1


def test_a_player_makes_a_wooden_pickaxe_from_nothing():
    made = world()
    steps = do(
        made,
        SubGoal("mine", "oak_log", 3, LOGS),
        SubGoal("craft", "oak_planks", 12, PLANKS),
        SubGoal("craft", "stick", 2),
        SubGoal("craft", "crafting_table"),
        SubGoal("place", "crafting_table"),
        SubGoal("craft", "wooden_pickaxe"),
    )
    assert [step.failure for step in steps] == [None] * 6
    assert [step.ticks for step in steps] == [200 + 3 * 80, 3, 1, 1, 1, 1]
    assert held_counts(made) == {"oak_planks": 3, "stick": 2, "wooden_pickaxe": 1}
    assert made.stations(0) == ("crafting_table",)


@pytest.mark.parametrize(
    ("inventory", "subgoal", "reason", "item", "count"),
    [
        ({}, SubGoal("craft", "stick", 4), "missing_item", "oak_planks", 2),
        ({}, SubGoal("craft", "oak_planks", 8), "missing_item", "oak_log", 2),
        ({"stick": 2, "oak_planks": 3}, SubGoal("craft", "wooden_pickaxe"), "missing_station",
         "crafting_table", 1),
        ({"iron_ore": 1}, SubGoal("smelt", "iron_ingot"), "missing_station", "furnace", 1),
        ({"wooden_pickaxe": 1}, SubGoal("mine", "iron_ore"), "missing_tool", "stone_pickaxe", 1),
        ({}, SubGoal("shear", "white_wool"), "missing_tool", "shears", 1),
        ({}, SubGoal("milk", "milk_bucket"), "missing_item", "bucket", 1),
        ({}, SubGoal("equip", "shield"), "missing_item", "shield", 1),
        ({}, SubGoal("place", "furnace"), "missing_item", "furnace", 1),
        ({}, SubGoal("mine", "bedrock"), "not_found", "bedrock", 1),
        ({"diamond_pickaxe": 1}, SubGoal("mine", "obsidian"), "missing_item", "water_bucket", 1),
    ],
)  # fmt: skip
def test_a_failure_names_its_reason_item_and_count(inventory, subgoal, reason, item, count):
    (done,) = do(world(inventory), subgoal)
    why = done.failure
    assert (why.reason, why.item, why.count) == (reason, item, count)
    assert why.detail
    assert done.ticks == 1


def test_a_failed_craft_keeps_the_finished_pieces():
    made = world({"oak_log": 1})
    (done,) = do(made, SubGoal("craft", "oak_planks", 8))
    assert (done.failure.item, done.failure.count, done.ticks) == ("oak_log", 1, 2)
    assert held_counts(made) == {"oak_planks": 4}


def test_smelting_takes_200_ticks_an_item_and_fuel():
    made = world({"furnace": 1, "iron_ore": 10, "coal": 1, "oak_planks": 1})
    placed, eight = do(made, SubGoal("place", "furnace"), SubGoal("smelt", "iron_ingot", 9))
    assert placed.failure is None
    assert eight.failure is None
    assert eight.ticks == 9 * 200
    assert held_counts(made) == {"iron_ore": 1, "iron_ingot": 9}
    (last,) = do(made, SubGoal("smelt", "iron_ingot"))
    assert (last.failure.reason, last.failure.item) == ("missing_item", "coal")
    assert held_counts(made)["iron_ore"] == 1


def test_charcoal_does_not_fuel_its_own_smelting():
    made = world({"furnace": 1, "oak_log": 1})
    _, done = do(made, SubGoal("place", "furnace"), SubGoal("smelt", "charcoal"))
    assert done.failure is not None
    assert held_counts(made) == {"oak_log": 1}


def test_smelting_burns_charcoal_last():
    made = world({"furnace": 1, "oak_log": 3, "oak_planks": 2})
    _, done = do(made, SubGoal("place", "furnace"), SubGoal("smelt", "charcoal", 3))
    assert done.failure is None
    assert held_counts(made) == {"charcoal": 3}
    made = world({"furnace": 1, "oak_log": 1, "charcoal": 1})
    _, done = do(made, SubGoal("place", "furnace"), SubGoal("smelt", "charcoal"))
    assert done.failure is None


def test_pieces_smelted_before_the_fuel_runs_out_cost_their_time():
    made = world({"furnace": 1, "iron_ore": 5, "oak_planks": 2})
    _, done = do(made, SubGoal("place", "furnace"), SubGoal("smelt", "iron_ingot", 5))
    assert (done.failure.item, done.ticks) == ("coal", 3 * 200 + 1)
    assert held_counts(made) == {"iron_ore": 2, "iron_ingot": 3}


def test_crafting_uses_the_station_that_the_subgoal_names():
    stations = SubGoal("place", "crafting_table"), SubGoal("place", "stonecutter")
    for station, stone in (("stonecutter", 1), ("crafting_table", 6)):
        made = world({"crafting_table": 1, "stonecutter": 1, "stone": 6})
        *_, done = do(made, *stations, SubGoal("craft", "stone_stairs", 1, station=station))
        assert done.failure is None
        assert held_counts(made).get("stone", 0) == 6 - stone


def test_a_blast_furnace_is_twice_as_fast():
    made = world({"blast_furnace": 1, "iron_ore": 1, "coal": 1})
    _, done = do(made, SubGoal("place", "blast_furnace"), SubGoal("smelt", "iron_ingot"))
    assert done.ticks == 100


def test_the_player_takes_the_furnace_along_and_its_fire_goes_out():
    made = world({"furnace": 1, "iron_ore": 2, "coal": 1, "wooden_pickaxe": 1})
    do(made, SubGoal("place", "furnace"), SubGoal("smelt", "iron_ingot"), SubGoal("mine", "dirt"))
    assert made.stations(0) == ()
    assert held_counts(made)["furnace"] == 1
    *_, again = do(made, SubGoal("place", "furnace"), SubGoal("smelt", "iron_ingot"))
    assert again.failure.item == "coal"


def test_a_furnace_stays_behind_without_a_pickaxe():
    made = world({"furnace": 1, "crafting_table": 1})
    do(made, SubGoal("place", "furnace"), SubGoal("place", "crafting_table"))
    do(made, SubGoal("mine", "dirt"))
    assert held_counts(made) == {"dirt": 1, "crafting_table": 1}


def test_tools_wear_out():
    made = world({"wooden_pickaxe": 1})
    (done,) = do(made, SubGoal("mine", "cobblestone", 60))
    assert (done.failure.reason, done.failure.item) == ("missing_tool", "wooden_pickaxe")
    assert held_counts(made) == {"cobblestone": 59}


def test_an_axe_that_breaks_leaves_the_other_logs_unstripped():
    made = world({"wooden_axe": 1, "oak_log": 64})
    (done,) = do(made, SubGoal("mine", "stripped_oak_log", 64))
    assert done.failure.item == "wooden_axe"
    assert held_counts(made) == {"oak_log": 5, "stripped_oak_log": 59}


def test_a_cake_gives_the_buckets_back():
    made = world({"crafting_table": 1, "milk_bucket": 3, "sugar": 2, "egg": 1, "wheat": 3})
    do(made, SubGoal("place", "crafting_table"), SubGoal("craft", "cake"))
    assert held_counts(made) == {"cake": 1, "bucket": 3}


def test_biome_and_height_follow_the_latest_subgoal():
    made = world({"iron_pickaxe": 1}, biome="plains")
    (far,) = do(made, SubGoal("mine", "acacia_log"))
    assert made.biome(0) == "savanna"
    (near,) = do(made, SubGoal("mine", "acacia_log"))
    assert far.ticks - near.ticks == pytest.approx(min(3600, FAR_TICKS) - NEAR)
    do(made, SubGoal("mine", "diamond"))
    assert 0 < made.poses([0])[0, 1] < 16
    do(made, SubGoal("kill", "leather"))
    assert made.poses([0])[0, 1] == 64


def test_a_search_that_times_out_brings_no_item():
    made = world({"iron_pickaxe": 1})
    done = made.carry_out(0, SubGoal("mine", "diamond"), 100)
    assert (done.ticks, done.failure.reason) == (100, "timeout")
    assert held_counts(made) == {"iron_pickaxe": 1}
    assert made.poses([0])[0, 1] == 64
    found = made.carry_out(0, SubGoal("find", "cow"), 100)
    assert (found.ticks, found.failure.reason, made.events(0)) == (100, "timeout", ())


@pytest.mark.parametrize(
    ("inventory", "subgoal", "limit", "missing", "left"),
    [
        ({}, SubGoal("mine", "oak_log", 9, LOGS), 200 + 4 * 80 + 79, 5, {"oak_log": 4}),
        ({"oak_log": 9}, SubGoal("craft", "oak_planks", 36), 5, 16, {"oak_log": 4, "oak_planks": 20}),
        ({"iron_ore": 3, "coal": 1}, SubGoal("smelt", "iron_ingot", 3), 500, 1,
         {"iron_ore": 1, "iron_ingot": 2}),
    ],
)  # fmt: skip
def test_items_from_before_a_timeout_are_kept(inventory, subgoal, limit, missing, left):
    made = world({**inventory, "furnace": 1})
    do(made, SubGoal("place", "furnace"))
    done = made.carry_out(0, subgoal, limit)
    assert (done.ticks, done.failure.reason, done.failure.count) == (limit, "timeout", missing)
    assert held_counts(made) == left


def test_repeated_subgoals_reach_an_amount_too_large_for_one_limit():
    made = world({"iron_pickaxe": 1, "stone_pickaxe": 1})
    ends = [made.carry_out(0, SubGoal("mine", "cobblestone", 64), 1000) for _ in range(9)]
    assert ends[0].failure.reason == "timeout"
    assert held_counts(made)["cobblestone"] > 64


def test_equipped_items_go_to_their_slots():
    made = world({"iron_boots": 1, "shield": 1, "stick": 1})
    do(made, *(SubGoal("equip", name) for name in ("iron_boots", "shield", "stick")))
    assert (made.bodies([0])[0][0] > 0).tolist() == [True, True, True, False, False, False]
    assert made.bodies([0])[1][0, 4] == 2
    assert made.bodies([0])[0][0, 0] == item("stick").id
    assert made.counts([0])[0].sum() == 3


def test_finding_and_placing_cause_events():
    made = world({"crafting_table": 1})
    do(made, SubGoal("find", "cow"))
    assert made.events(0) == (Event("found", "cow", 1),)
    do(made, SubGoal("place", "crafting_table"))
    assert made.events(0) == (Event("used", "crafting_table", 1),)


def test_a_fight_counts_kills_and_gives_the_mean_of_the_drops():
    made = world()
    (done,) = do(made, SubGoal("fight", "cow", 3))
    assert done.failure is None
    assert held_counts(made) == {"beef": 6, "leather": 3}
    assert Event("killed", "cow", 3) in made.events(0)
    assert {event.kind for event in made.events(0)} == {"killed", "picked_up"}
    (lost,) = do(made, SubGoal("fight", "furnace"))
    assert (lost.failure.reason, lost.failure.item) == ("not_found", "furnace")


def test_what_the_player_has_moved_to_is_in_reach_until_the_player_walks_off():
    made = world({"oak_log": 1, "crafting_table": 1})
    do(made, SubGoal("find", "cow"))
    assert made.in_reach(0) == ()
    do(made, SubGoal("move", "cow"), SubGoal("place", "crafting_table"))
    assert made.in_reach(0) == ("cow", "crafting_table")
    do(made, SubGoal("craft", "oak_planks", 4))
    assert "cow" in made.in_reach(0)
    do(made, SubGoal("find", "pig"))
    assert made.in_reach(0) == ()


@pytest.mark.parametrize(("tool", "each"), [("stone_pickaxe", 22), ("wooden_pickaxe", 33)])
def test_a_shaft_costs_digging_stone_by_the_best_pickaxe(tool, each):
    made = world({tool: 1})
    down, up = do(made, SubGoal("dig_down", "height", 14), SubGoal("dig_up", "sky"))
    assert down.ticks == up.ticks == 50 * each
    assert made.under_sky(0)
    again = do(made, SubGoal("dig_down", "height", 14))
    assert (made.poses([0])[0, 1], made.under_sky(0)) == (14, False)
    assert again[0].failure is None


def test_a_shaft_that_times_out_leads_part_of_the_way():
    made = world({"stone_pickaxe": 1})
    done = made.carry_out(0, SubGoal("dig_down", "height", 14), 22 * 10)
    assert (done.ticks, done.failure.reason) == (220, "timeout")
    assert made.poses([0])[0, 1] == 54


def test_a_used_food_is_eaten_and_a_used_tool_is_kept():
    made = world({"apple": 2, "shears": 1})
    eaten, used = do(made, SubGoal("use", "apple"), SubGoal("use", "shears"))
    assert eaten.failure is used.failure is None
    assert held_counts(made) == {"apple": 1, "shears": 1}
    assert made.events(0) == (Event("used", "shears", 1),)
    (lacking,) = do(made, SubGoal("use", "bucket"))
    assert (lacking.failure.reason, lacking.failure.item) == ("missing_item", "bucket")


def test_pictures_are_black():
    picture = np.full((36, 64, 3), 9, np.uint8)
    world().frames([0], picture[None])
    assert not picture.any()


def test_random_failures_come_at_their_rate_and_cost_full_time():
    made = world({"iron_pickaxe": 1}, failures=0.2)
    done = [made.carry_out(0, SubGoal("mine", "dirt"), LIMIT) for _ in range(1000)]
    failed = [one for one in done if one.failure is not None]
    assert 150 < len(failed) < 250
    assert {one.failure.reason for one in failed} == {"not_found"}
    assert {one.ticks for one in done} == {done[0].ticks}
    assert held_counts(made)["dirt"] == 1000 - len(failed)


def test_a_material_is_lost_only_after_a_subgoal_deeper_than_drop_after():
    made = world({"oak_log": 5, "stick": 1}, drop="material", drop_after=1)
    do(made, SubGoal("mine", "dirt"), SubGoal("craft", "oak_planks", 4, PLANKS))
    assert {event.kind for event in made.events(0)} == {"crafted"}
    do(made, SubGoal("mine", "dirt"))
    (lost, _) = made.events(0)
    assert lost.kind == "lost"
    assert lost.subject in ("oak_log", "oak_planks", "stick")
    assert sum(held_counts(made).values()) == 4 + 1 + 4 + 2 - 1
    do(made, SubGoal("mine", "dirt"))
    assert {event.kind for event in made.events(0)} == {"picked_up"}


def test_the_whole_yield_of_a_subgoal_can_be_lost():
    made = world(drop="subgoal", drop_after=0)
    do(made, SubGoal("mine", "oak_log", 3, LOGS), SubGoal("mine", "dirt"))
    assert made.events(0)[0] == Event("lost", "oak_log", 3)
    assert held_counts(made) == {"dirt": 1}


def test_the_seed_decides_the_noise():
    def run(seed):
        made = world(seed=seed, failures=0.5)
        return [made.carry_out(0, SubGoal("mine", "dirt"), LIMIT).failure for _ in range(30)]

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_a_restored_snapshot_repeats_the_same_steps():
    made = world(failures=0.5, drop="material")
    do(made, SubGoal("mine", "oak_log", 9, LOGS), SubGoal("craft", "stick", 4))
    saved = Snapshot.from_bytes(made.snapshot(0).to_bytes())
    rest = [SubGoal("mine", "dirt")] * 20
    first, ends = do(made, *rest), made.snapshot(0)
    made.restore(0, saved)
    assert made.snapshot(0) == saved
    assert do(made, *rest) == first
    assert made.snapshot(0) == ends


def test_restore_rejects_a_snapshot_of_another_world():
    made = world()
    with pytest.raises(BadValue, match="expected a snapshot of world 'symbolic'"):
        made.restore(0, Snapshot("voxel", "1", ()))


def test_reset_rejects_too_many_stacks_and_an_unknown_biome():
    made = SymbolicWorld(1)
    with pytest.raises(BadValue, match="at most 36 stacks, got 37"):
        made.reset(0, Setup(seed=0, inventory={"wooden_pickaxe": 37}))
    with pytest.raises(UnknownName, match="unknown biome 'forrest'; did you mean 'forest'"):
        made.reset(0, Setup(seed=0, biome="forrest"))


def test_rows_are_independent():
    made = SymbolicWorld(2)
    for row in range(2):
        made.reset(row, Setup(seed=0))
    made.carry_out(0, SubGoal("mine", "dirt"), LIMIT)
    assert not made.counts([1]).any()
    assert made.bodies(np.arange(2))[0].shape == (2, 6)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(VERBS),
            st.sampled_from(sorted(items())),
            st.integers(1, 70),
            st.booleans(),
        ),
        max_size=40,
    ),
    st.integers(0, 5),
    st.integers(1, 3000),
)
def test_random_subgoals_keep_the_tick_limit_and_positive_counts(asked, seed, limit):
    start = {"iron_pickaxe": 1, "shears": 1, "bucket": 3, "coal": 8, "oak_log": 40, "furnace": 1,
             "crafting_table": 1, "iron_ore": 20, "wheat_seeds": 9}  # fmt: skip
    made = world(start, seed=seed, failures=0.2, drop="material")
    for verb, name, count, near in asked:
        subgoal = SubGoal(verb, name if near else "furnace", 1 if verb in ONCE else count)
        before = held_counts(made)
        done = made.carry_out(0, subgoal, limit)
        assert 1 <= done.ticks <= limit
        assert all(n > 0 for n in held_counts(made).values())
        worn = made.bodies([0])[0][0]
        assert all(made.counts([0])[0][worn[worn > 0]] > 0)
        if done.failure is None and verb not in (*ONCE, *ACT_VERBS, "find"):
            gained = held_counts(made).get(subgoal.item, 0) - before.get(subgoal.item, 0)
            assert gained >= subgoal.count - 1  # one may be lost at the start


@pytest.mark.parametrize(
    "noise", [{"failures": 1.0}, {"failures": True}, {"drop": "all"}, {"drop_after": 1.5}]
)
def test_noise_rejects_impossible_settings(noise):
    with pytest.raises((BadValue, UnknownName), match=next(iter(noise))):
        Noise(**noise)


def test_each_batch_has_an_event_of_its_own():
    made = world({"oak_log": 3, "coal": 1, "cobblestone": 3, "furnace": 1})
    do(made, SubGoal("craft", "oak_planks", 11, PLANKS))
    assert made.events(0) == (Event("crafted", "oak_planks", 4),) * 3
    do(made, SubGoal("place", "furnace"), SubGoal("smelt", "stone", 3))
    assert made.events(0) == (Event("smelted", "stone", 1),) * 3
    do(made, SubGoal("craft", "stick", 99))
    assert made.events(0) == (Event("crafted", "stick", 4),) * 6, "before the planks were gone"
