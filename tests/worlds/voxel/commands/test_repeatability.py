"""Commands are repeatable, snapshots keep their effects, and no text raises a foreign error."""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.testing.world_play import act, seen, tick_idly
from optimus_gym.worlds.voxel.commands.grammar import CHAT_COMMANDS
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.voxel.commands.conftest import SETUP

COURSE = (
    "/gamerule doMobSpawning false",
    "/gamerule doDaylightCycle false",
    "/gamerule doWeatherCycle false",
    "/gamerule sendCommandFeedback false",
    "/gamerule commandBlockOutput false",
    "/gamerule keepInventory true",
    "/effect give @s night_vision 99999 0 true",
    "/effect give @s regeneration 60 1",
    "/time set 14000",
    "/weather thunder 100",
    "/difficulty hard",
    "/spawnpoint @s ~5 ~ ~5",
    "/xp add @s 7 levels",
    "/fill ~-4 ~ ~-4 ~4 ~4 ~4 air",
    "/setblock ~3 ~ ~ glowstone",
    "/summon sheep ~2 ~ ~2",
    "/summon chicken ~-2 ~ ~2",
    "/summon zombie ~ ~ ~4",
    "/kill @e[type=!player,sort=random,limit=1]",
    "/replaceitem entity @s armor.chest iron_chestplate",
    "/give @s oak_log 3",
)
"""Commands that change each part of the state that commands can change."""


def played(world, row, commands=COURSE):
    world.reset(row, SETUP)
    for text in commands:
        world.command(row, text)
    return seen(world, row)


def test_commands_are_repeatable_in_each_row():
    world = VoxelWorld(2, view_distance=32, threads=1)
    first = played(world, 0)
    assert played(world, 1) == first
    other = VoxelWorld(1, view_distance=64, threads=1)
    assert played(other, 0)["snapshot"] == first["snapshot"]


def test_looking_between_commands_changes_no_later_state():
    plain, looking = (VoxelWorld(1, view_distance=64, threads=1) for _ in range(2))
    image = np.zeros((1, 36, 64, 3), np.uint8)
    for world in (plain, looking):
        world.reset(0, SETUP)
    for text in (*COURSE, "/tp @s ~60 ~ ~", "/fill ~-9 ~ ~-9 ~9 ~3 ~9 air", "/summon cow ~9 ~ ~"):
        looking.frames([0], image)
        for world in (plain, looking):
            world.command(0, text)
        tick_idly(looking)
        looking.frames([0], image)
        tick_idly(plain)
    assert plain.snapshot(0) == looking.snapshot(0)


def test_snapshots_keep_what_commands_changed():
    world = VoxelWorld(2, view_distance=32, threads=1)
    told = played(world, 0)
    saved = Snapshot.from_bytes(world.snapshot(0).to_bytes())
    world.reset(1, replace(SETUP, seed=8))
    world.restore(1, saved)
    assert seen(world, 1) == told
    for step in range(20):
        act(world, [0], step)
        act(world, [1], step)
    assert seen(world, 1) == seen(world, 0)


def test_a_world_with_creatures_summoned_into_it_restores_into_a_smaller_world():
    world, small = (VoxelWorld(1, view_distance=16, threads=1) for _ in range(2))
    world.reset(0, replace(SETUP, creatures=False))
    world.command(0, "/summon cow ~2 ~ ~")
    small.restore(0, world.snapshot(0))
    for each in (world, small):
        tick_idly(each)
    assert small.snapshot(0) == world.snapshot(0)


WORDS = st.sampled_from(
    (
        *CHAT_COMMANDS,
        *("@s", "@p", "@a", "@r", "@e", "@e[type=cow]", "@e[type=!player,limit=2]", "Player"),
        *("@e[distance=..9]", "@e[sort=random]", "@s[", "@e[type=", "@x", "@", "@e[]"),
        *("~", "~1", "~-1.5", "^", "^2", "0", "1", "64", "-3", "1.5", "9999999999", "~~", "^~"),
        *("stone", "minecraft:oak_log", "air", "diamond", "cow", "zombie", "item", "forest"),
        *("torch{a:1}", "furnace[lit=true]", "#logs", "oak_door", "water", "sand", "chest"),
        *("set", "add", "query", "give", "clear", "entity", "block", "hotbar.0", "armor.head"),
        *("day", "0.5d", "rain", "hard", "points", "levels", "true", "false", "run", "as", "at"),
        *("positioned", "rotated", "anchored", "eyes", "in", "overworld", "night_vision"),
        *("keepInventory", "doMobSpawning", "doDaylightCycle", "destroy", "hollow", "replace"),
        *("regeneration", "instant_health", "execute", "nan", "inf", "1e9", "٣", "²", "\x00"),
    )
)
TEXTS = st.one_of(
    st.lists(WORDS, max_size=9).map(" ".join),
    st.tuples(st.sampled_from(tuple(CHAT_COMMANDS)), st.lists(WORDS, max_size=8)).map(
        lambda parts: f"/{parts[0]} {' '.join(parts[1])}"
    ),
    st.text(max_size=40),
)


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=TEXTS)
def test_any_text_is_carried_out_or_refused_without_a_change(one_world, text):
    if not hasattr(one_world, "begun"):
        one_world.reset(0, SETUP)
        one_world.begun = True
    if not one_world.alive([0])[0]:
        one_world.respawn(0)
    before = one_world.snapshot(0)
    try:
        line = one_world.command(0, text)
    except (BadValue, UnknownName):
        assert one_world.snapshot(0) == before
    else:
        assert isinstance(line, str)
        one_world.restore(0, one_world.snapshot(0))  # a state within the ranges of the state
    tick_idly(one_world)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_many_random_commands_leave_a_sound_world(one_world, seed):
    rng = np.random.default_rng(seed)
    one_world.reset(0, SETUP)
    for _ in range(60):
        x, y, z = rng.integers(-6, 7, 3)
        text = rng.choice(
            [
                f"/summon {rng.choice(['cow', 'creeper', 'skeleton'])} ~{x} ~{y} ~{z}",
                f"/setblock ~{x} ~{y} ~{z} {rng.choice(['lava', 'water', 'tnt', 'sand', 'fire'])}",
                f"/fill ~{x} ~{y} ~{z} ~ ~ ~ {rng.choice(['air', 'gravel', 'torch', 'oak_door'])}",
                f"/tp @s ~{x} ~{abs(y)} ~{z}",
                f"/effect give @s {rng.choice(['poison', 'absorption', 'resistance'])} 9 9",
                "/kill @e[type=!player,limit=3]",
                "/kill",
                "/give @s stone 999",
            ]
        )
        with suppress(BadValue):  # a cell above the sky or below bedrock
            one_world.command(0, text)
        if not one_world.alive([0])[0]:
            one_world.respawn(0)
        tick_idly(one_world)
        one_world.restore(0, one_world.snapshot(0))
