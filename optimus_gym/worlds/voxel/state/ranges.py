"""Allowed ranges of the values in a world's state: minimum and maximum, or None for any value of the dtype.

Where the rules set no limit, ranges are wider than any real value, and narrow enough for every loop over
blocks, levels and steps to end soon. Each new field of the state needs an entry in `RANGES`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from optimus_gym.game.blocks import block_names
from optimus_gym.game.border import BORDER
from optimus_gym.game.creatures import DIFFICULTIES, creature_kinds, sheep_colours
from optimus_gym.game.items import item_names
from optimus_gym.game.screens import BUTTON_COLUMNS, BUTTON_ROWS, PLACE_COUNT, game_screens
from optimus_gym.game.unlocks import unlocks
from optimus_gym.worlds.voxel.state.fauna import (
    MOST_ARROWS,
    MOST_CREATURES,
    MOST_STEPS,
    SPAWNS_ALL,
    SPAWNS_NONE,
)
from optimus_gym.worlds.voxel.state.message_row import (
    ADVANCED_TOAST,
    ADVANCEMENTS,
    CHAT_LINES,
    NAME_TICKS,
    NO_TOAST,
    TOASTED_RECIPES,
)
from optimus_gym.worlds.voxel.state.screen_row import (
    LOWEST_CURSOR,
    NO_BUTTON,
    NO_RECIPE,
    RIGHT_BUTTON,
    RIGHTMOST_CURSOR,
)
from optimus_gym.worlds.voxel.state.worlds import (
    ASSISTS,
    DONE,
    EVENT_NAMES,
    HEIGHT,
    HOTBAR_START,
    MAIN,
    MOST_EDITS,
    MOST_EVENTS,
    MOST_FALLING,
    MOST_SCHEDULED,
    STANDING,
    SWIMMING,
)

Range = tuple[float, float]
Ranges = Mapping[str, Range | None]

ANY: Final = None
_FLAG: Final = (0, 1)
_ITEM: Final = (0, len(item_names()) - 1)
_BLOCK: Final = (0, len(block_names()) - 1)
_FARTHEST: Final = 2**25
"""Maximum distance from the origin along x or z, in blocks: a little beyond the world border, as far as
water and arrows get."""
_CHUNKS: Final = _FARTHEST // 16
_ASIDE: Final = (-_FARTHEST, _FARTHEST)
_UP: Final = (-4 * HEIGHT, 8 * HEIGHT)
_IN_LAND: Final = (0, HEIGHT - 1)
_MAYBE_IN_LAND: Final = (-1, HEIGHT)
_SPEED: Final = (-64, 64)
"""Range of a speed along an axis, blocks a tick; the fastest fall is 3.92, and an explosion adds at most
1."""
_FALL: Final = (0, 2**20)
_TIME: Final = (0, 2**53)
_NEVER: Final = 2**62
"""Tick that `blocks.turns` notes as the next due tick if no cell is scheduled."""
_SPAN: Final = (0, 2**30)
"""Range of a counter of ticks for which the rules of the world set no limit."""
_WAIT: Final = (0, 2**15)
"""Range of a counter of ticks for which the rules of the world set a limit."""
_DAMAGE: Final = (0, 2**12)
"""Range of the uses of a tool, and of the half-hearts of a blow."""
_POINTS: Final = (0, 2**24)
"""Range of points of experience, up to level 1,930; beyond it a float32 cannot hold every whole number."""
_AIR: Final = (-20, 300)
_TO_TWENTY: Final = (0, 20)
_BUTTON: Final = (NO_BUTTON, RIGHT_BUTTON)

_PLACE: Ranges = {"x": _ASIDE, "y": _UP, "z": _ASIDE}
_CELL: Ranges = {"x": _ASIDE, "y": _MAYBE_IN_LAND, "z": _ASIDE}
_MOTION: Ranges = {"vx": _SPEED, "vy": _SPEED, "vz": _SPEED}
_FEELS: Ranges = {"on_ground": _FLAG, "against_wall": _FLAG, "in_water": _FLAG, "in_lava": _FLAG}
_STACK: Ranges = {"item": _ITEM, "count": (0, 64), "damage": _DAMAGE}


def _part(name: str, ranges: Ranges) -> Ranges:
    """Return the ranges of a nested field's parts, under the names "name.part"."""
    return {f"{name}.{field}": limits for field, limits in ranges.items()}


_PLAYER: Ranges = {
    "seed": ANY,
    "random": ANY,
    "tick": _TIME,
    "alive": _FLAG,
    "x": (-BORDER, BORDER),
    "y": _UP,
    "z": (-BORDER, BORDER),
    **_MOTION,
    "yaw": (0, np.nextafter(360, 0)),
    "pitch": (-90, 90),
    **_FEELS,
    "head_in_water": _FLAG,
    "submerged": _FLAG,
    "sneaking": _FLAG,
    "sprinting": _FLAG,
    "sprinted": _FLAG,
    "swimming": _FLAG,
    "pose": (STANDING, SWIMMING),
    "fall": _FALL,
    "jump_wait": _WAIT,
    "health": _TO_TWENTY,
    "food": _TO_TWENTY,
    "saturation": _TO_TWENTY,
    "air": _AIR,
    "experience": _POINTS,
    "hurt_wait": _WAIT,
    "hurt_last": _DAMAGE,
    "heal_wait": _WAIT,
    "hotbar": (HOTBAR_START, MAIN - 1),
    "aim_x": _ASIDE,
    "aim_y": _MAYBE_IN_LAND,
    "aim_z": _ASIDE,
    "aim_face": (-1, 5),
    "dig_x": _ASIDE,
    "dig_y": _MAYBE_IN_LAND,
    "dig_z": _ASIDE,
    "dig_item": _ITEM,
    "dig_held": _FLAG,
    "dig_progress": (0, np.nextafter(1, 0)),
    "dig_wait": _WAIT,
    "miss_wait": _WAIT,
    "use_wait": _WAIT,
    "swing": (0, 6),
    "events": (0, MOST_EVENTS),
    "edits": (0, MOST_EDITS),
    "scheduled": (0, MOST_SCHEDULED),
    "soonest": (0, _NEVER),
    "middle_x": (-_CHUNKS, _CHUNKS),
    "middle_z": (-_CHUNKS, _CHUNKS),
    "noted": (0, 0),
    "falling": (0, MOST_FALLING),
}

_NEEDS: Ranges = {
    "exhaustion": (0, 40),
    "fire": (-20, 2**15),
    "meal": _ITEM,
    "chewed": _WAIT,
    "absorption": _DAMAGE,
    "safe": _WAIT,
    "lost": _POINTS,
    "lost_for": _WAIT,
    "lost_x": _ASIDE,
    "lost_y": _UP,
    "lost_z": _ASIDE,
}

_SKY: Ranges = {
    "time": _TIME,
    "raining": _FLAG,
    "thundering": _FLAG,
    "rain_wait": _SPAN,
    "thunder_wait": _SPAN,
    "rain": (0, 1),
    "thunder": (0, 1),
    "flash": _WAIT,
}

_FAUNA: Ranges = {
    "creatures": (0, MOST_CREATURES),
    "arrows": (0, MOST_ARROWS),
    "peopled": _SPAN,
    "beyond": (0, MOST_CREATURES),
    "ring_x": (-_CHUNKS, _CHUNKS),
    "ring_z": (-_CHUNKS, _CHUNKS),
    "settled": _FLAG,
    "charge": _SPAN,
    "charged_with": _ITEM,
    "pressed": _FLAG,
}

_CREATURE: Ranges = {
    "kind": (0, len(creature_kinds()) - 1),
    "colour": (0, len(sheep_colours()) - 1),
    "shorn": _FLAG,
    "mood": (0, 3),
    **_FEELS,
    **_PLACE,
    **_MOTION,
    "face_x": (-1.001, 1.001),
    "face_z": (-1.001, 1.001),
    "fall": _FALL,
    "health": (0, 64),
    "hurt_wait": _WAIT,
    "hurt_last": _DAMAGE,
    "struck": _WAIT,
    "air": _AIR,
    "fire": _WAIT,
    "step": (0, MOST_STEPS),
    "steps": (0, MOST_STEPS),
    "arrives": _FLAG,
    "step_x": _ASIDE,
    "step_y": _MAYBE_IN_LAND,
    "step_z": _ASIDE,
    "way": ANY,
    "seeks_wait": _WAIT,
    "sought_x": _ASIDE,
    "sought_y": _UP,
    "sought_z": _ASIDE,
    "been_x": _ASIDE,
    "been_z": _ASIDE,
    "been_wait": _WAIT,
    "sidles": (-(2**15), 2**15),
    "pause": (-(2**30), 2**15),
    "drawn": _WAIT,
    "fuse": _WAIT,
    "egg": _WAIT,
    "idle": _SPAN,
    "seen": (-(2**15), 2**30),
    "angry": _WAIT,
    "stride": (0, 1024),
    "gait": (0, 1),
}

_MESSAGES: Ranges = {
    "named": _ITEM,
    "name_left": (0, NAME_TICKS),
    **dict.fromkeys(("held", "advanced", "toast_hides"), _FLAG),
    **dict.fromkeys(("toast", "queue"), (NO_TOAST, ADVANCED_TOAST + ADVANCEMENTS - 1)),
    **dict.fromkeys(("toast_moved", "toast_whole", "recipes_after", "chat_at"), _TIME),
    "queued": (0, ADVANCEMENTS + 1),
    "recipes": (0, len(unlocks()) - 1),
    "recipe_count": (0, TOASTED_RECIPES),
    "chat": (0, 127),
    "chat_count": (0, CHAT_LINES),
}

RANGES: Final[Mapping[str, Ranges]] = MappingProxyType(
    {
        "players": _PLAYER,
        "slots": _STACK,
        "needs": _NEEDS,
        "effects": {"ticks": _SPAN, "level": (0, 31)},
        "spawns": _PLACE,
        "skies": _SKY,
        "assists": dict.fromkeys(ASSISTS.names or (), _FLAG),
        "aids": {"ore_heights": ANY, "height": _UP, "stuck": _WAIT},
        "rules": {
            "difficulty": (0, len(DIFFICULTIES) - 1),
            "creatures": _FLAG,
            "survival": _FLAG,
            "screens": _FLAG,
            "messages": _FLAG,
            "commanded": _FLAG,
            "spawning": (SPAWNS_ALL, SPAWNS_NONE),
            **dict.fromkeys(("fixed_weather", "silent", "silent_blocks"), _FLAG),
            "bright_for": _SPAN,
        },
        "fauna": _FAUNA,
        "creatures": _CREATURE,
        "arrows": {**_PLACE, **_MOTION, "damage": (-64, 64), "age": _WAIT, "stuck": _FLAG},
        "peopled": {"": ANY},
        "drops": {**_STACK, "age": _WAIT, "delay": _WAIT, "harmed": (0, 5), **_PLACE, **_MOTION},
        "furnaces": {
            "used": _FLAG,
            **_CELL,
            "burn": _WAIT,
            "burn_total": _WAIT,
            "cook": _WAIT,
            **_part("input", _STACK),
            **_part("fuel", _STACK),
            **_part("output", _STACK),
        },
        "containers": {"used": _FLAG, **_CELL},
        "stored": _STACK,
        "sleeps": {"ticks": _WAIT, **_CELL, "health": _TO_TWENTY},
        "screens": {
            "kind": (0, len(game_screens())),
            **_CELL,
            "cursor_x": (0, RIGHTMOST_CURSOR),
            "cursor_y": (0, LOWEST_CURSOR),
            **dict.fromkeys(("left", "right", "inventory", "drop", "swap", "hotbar"), _FLAG),
            "drags": _BUTTON,
            "dragged": _FLAG,
            **dict.fromkeys(("attack_waits", "use_waits", "ignores", "doubled"), _FLAG),
            "clicked": (-1, PLACE_COUNT - 1),
            "clicked_with": _BUTTON,
            "clicked_at": _TIME,
            "moved_item": _ITEM,
            "moved_damage": _DAMAGE,
            "recipe": (NO_RECIPE, BUTTON_COLUMNS * BUTTON_ROWS - 1),
        },
        "laid": _STACK,
        "messages": _MESSAGES,
        "events": {
            "kind": (0, len(EVENT_NAMES) - 1),
            "subject": (0, max(_ITEM[1], _BLOCK[1])),
            "count": _SPAN,
        },
        "edits": {"x": _ASIDE, "y": _IN_LAND, "z": _ASIDE, "voxel": ANY},
        "scheduled": {"x": _ASIDE, "y": _IN_LAND, "z": _ASIDE, "due": (DONE, _NEVER)},
        "falling": {
            "voxel": ANY,
            "x": _ASIDE,
            "z": _ASIDE,
            "y": _UP,
            "vy": _SPEED,
            "age": _WAIT,
        },
    }
)
"""Ranges by array and field; "input.item" is a part of a nested field, "" stands for an array without
fields."""
