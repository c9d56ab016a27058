"""Missions as MineRL's clients send them, with small pictures."""

import json
from dataclasses import replace

from optimus_gym.worlds.malmo.missions import (
    CHAT_HANDLER,
    BlockGoal,
    ItemGoal,
    Mission,
    Navigation,
    StartStack,
)

SIZE = {"width": 64, "height": 36}
FUNCTIONS = frozenset(
    {
        *("PlaceCommands", "EquipCommands", "SimpleCraftCommands", "NearbyCraftCommands"),
        *("NearbySmeltCommands", "ObservationFromFullInventory"),
    }
)
TABLE = (
    *(("log", 1), ("planks", 2), ("stick", 4), ("crafting_table", 4), ("wooden_pickaxe", 8)),
    *(("cobblestone", 16), ("furnace", 32), ("stone_pickaxe", 32), ("iron_ore", 64)),
    *(("iron_ingot", 128), ("iron_pickaxe", 256), ("diamond", 1024)),
)
"""Rewards of MineRL 0.4.4's ObtainDiamond."""

OBTAIN_DIAMOND = Mission(
    name="MineRLObtainDiamond-v0",
    **SIZE,
    seed=5,
    time=6000,
    seconds=900.0,
    handlers=FUNCTIONS,
    possessions=tuple(ItemGoal(name, 1, float(reward)) for name, reward in TABLE),
    ends_with=(ItemGoal("diamond"),),
)
TREECHOP = Mission(
    name="MineRLTreechop-v0",
    **SIZE,
    seed=5,
    time=6000,
    time_passes=False,
    creatures=False,
    land_options=json.dumps({"seaLevel": 1, "fixedBiome": 4}),
    seconds=400.0,
    inventory=(StartStack(0, "iron_axe"),),
    possessions=(ItemGoal("log", 1, 1.0),),
    once=False,
    ends_with=(ItemGoal("log", 64),),
)
NAVIGATE = Mission(
    name="MineRLNavigateDense-v0",
    **SIZE,
    seed=5,
    time=6000,
    time_passes=False,
    weather="clear",
    creatures=False,
    seconds=300.0,
    inventory=(StartStack(0, "compass"),),
    handlers=frozenset({"ObservationFromCompass", "PlaceCommands"}),
    touched=(BlockGoal("diamond_block", 100.0),),
    compass_reward=1.0,
    ends_touching=("diamond_block",),
    navigation=Navigation("diamond_block", 64, 64, 0, 8, True),
)
SURVIVAL = Mission(
    **SIZE, seed=5, gui_scale=1.0, gamma=2.0, fov=70.0, cursor_size=16, low_level=True
)
FIND_CAVE = replace(
    SURVIVAL,
    name="MineRLBasaltFindCave-v0",
    biome="plains",
    time_passes=False,
    seconds=180.0,
    ends_at_death=True,
)
MINESTUDIO = replace(SURVIVAL, handlers=frozenset({CHAT_HANDLER, "ObservationFromFullInventory"}))
OF_DIALECTS = {
    "minerl-0.4.4": OBTAIN_DIAMOND,
    "minerl-1.0": FIND_CAVE,
    "minestudio": MINESTUDIO,
}
