"""Row types (NumPy dtypes) of creatures, arrows and path searches.

The used rows of an array come first; the last used row moves into the place of a removed row (`population`).
Units are those of `state.worlds`.
"""

import numpy as np

MOST_CREATURES = 256
"""Maximum number of creatures of a world; a further creature replaces the farthest one."""
MOST_ARROWS = 32
"""Maximum number of arrows in the air or stuck; a further arrow replaces the oldest one."""
MOST_PEOPLED = 512
"""Maximum number of chunks that a world notes as populated with animals; a further chunk replaces the
oldest."""
MOST_STEPS = 40
"""Maximum number of stored steps of a creature's path: more than the farthest follow range, 35 blocks."""
MOST_PLACES = 1024
"""Maximum number of cells that a path search notes: about twice as many as the longest search visits."""
PLACE_SLOTS = 2 * MOST_PLACES
"""Number of slots of a path search's hash table, which maps a cell to its row of `places`; a power of two."""

# Numbers of the difficulties.
PEACEFUL = 0
EASY = 1
NORMAL = 2
HARD = 3

RULES = np.dtype(
    [
        ("difficulty", "u1"),  # PEACEFUL to HARD
        ("creatures", "u1"),  # 1 if creatures come in this world
        (
            "survival",
            "u1",
        ),  # 1 where there is hunger, and what comes with a difficulty (`survival`)
        ("screens", "u1"),  # 1 if the player crafts on the game's screens
        ("messages", "u1"),  # 1 if the screen shows toasts, chat and names of held items
        ("commanded", "u1"),  # 1 if a command has been carried out
        ("spawning", "u1"),  # SPAWNS_ALL, SPAWNS_PACKS or SPAWNS_NONE
        ("fixed_weather", "u1"),  # 1 if the weather stays (game rule doWeatherCycle off)
        ("silent", "u1"),  # 1 if commands give no line (game rule sendCommandFeedback off)
        ("silent_blocks", "u1"),  # 1 if the game rule commandBlockOutput is off
        ("bright_for", "i4"),  # ticks of night vision that a command gave, 0 = none
    ]
)
"""Rules of a world, set at the start of an episode and by commands."""

SPAWNS_ALL = 0
"""Value of `spawning` if all creatures come that the world's other rules allow."""
SPAWNS_PACKS = 1
"""Value of `spawning` if only the first animals of new land come (game rule doMobSpawning off)."""
SPAWNS_NONE = 2
"""Value of `spawning` in a world without creatures, after a command has summoned a creature."""

FAUNA = np.dtype(
    [
        ("creatures", "i4"),  # how many rows of `creatures` are used
        ("arrows", "i4"),  # how many rows of `arrows` are used
        ("peopled", "i4"),  # how many chunks were ever noted in `peopled`
        ("beyond", "i4"),  # monsters of the game's circle for which there is no land here (`ring`)
        ("ring_x", "i4"),  # chunk in the middle of that circle
        ("ring_z", "i4"),
        ("settled", "u1"),  # 1 if the chunks around the player's middle have their animals
        ("charge", "i4"),  # ticks since the player's latest blow
        ("charged_with", "u2"),  # item in the hand at the player's latest blow
        ("pressed", "u1"),  # 1 if the attack key was down in the latest tick
    ]
)

CREATURE = np.dtype(
    [
        ("kind", "u1"),  # place in `game.creatures.creature_kinds`
        ("colour", "u1"),  # colour of a sheep, its place in `sheep_colours`
        ("shorn", "u1"),
        ("mood", "u1"),  # STILL, STROLLS, FLEES or CHASES of `kinds`
        ("on_ground", "u1"),
        ("against_wall", "u1"),
        ("in_water", "u1"),
        ("in_lava", "u1"),
        ("x", "f8"),  # middle of the feet
        ("y", "f8"),
        ("z", "f8"),
        ("vx", "f8"),  # blocks a tick
        ("vy", "f8"),
        ("vz", "f8"),
        ("face_x", "f4"),  # direction of its look, of length 1
        ("face_z", "f4"),
        ("fall", "f8"),  # blocks fallen since the ground was left
        ("health", "f4"),
        ("hurt_wait", "i4"),  # ticks for which a smaller hurt is ignored
        ("hurt_last", "f4"),
        ("struck", "i4"),  # ticks for which the creature's death counts as the player's
        ("air", "i4"),  # ticks of breath, from 300 down to -20
        ("fire", "i4"),  # ticks for which the creature burns on
        ("step", "u1"),  # number of the step of its way that it takes
        ("steps", "u1"),  # number of steps of its way
        ("arrives", "u1"),  # 1 if the way leads to its goal, not only near it
        ("step_x", "i4"),  # cell after the step; for a wide creature its lowest cell
        ("step_y", "i4"),
        ("step_z", "i4"),
        ("way", "i1", (MOST_STEPS, 3)),  # cells along x, y, z from step to step
        ("seeks_wait", "i4"),  # ticks until it may look for a way again
        ("sought_x", "i4"),  # cell of the player at its latest search for a way
        ("sought_y", "i4"),
        ("sought_z", "i4"),
        ("been_x", "f8"),  # its place at the latest check of its progress
        ("been_z", "f8"),
        ("been_wait", "i4"),  # ticks until the next check of its progress
        ("sidles", "i4"),  # ticks for which an archer steps sideways: > 0 left, < 0 right
        ("pause", "i4"),  # ticks until it attacks again (skeleton: draws its bow)
        ("drawn", "i4"),  # ticks for which a skeleton has drawn its bow
        ("fuse", "i4"),  # ticks for which a creeper has hissed
        ("egg", "i4"),  # ticks until a hen's next egg
        ("idle", "i4"),  # ticks since a player was within 32 blocks
        ("seen", "i4"),  # ticks for which it has seen the player; < 0: has not seen
        ("angry", "i4"),  # ticks for which it attacks or flees, whatever it sees
        ("stride", "f4"),  # phase of its limbs' swing, blocks walked
        ("gait", "f4"),  # width of its limbs' swing, [0, 1]
    ]
)

SEARCH_PLACE = np.dtype(
    [
        ("x", "i4"),  # cell
        ("y", "i4"),
        ("z", "i4"),
        ("cost", "f8"),  # length and dangers of the best way there so far
        ("far", "f8"),  # length of that best way, blocks
        ("hope", "f8"),  # cost so far, plus the estimated cost of the rest
        ("shunned", "f8"),  # how much the place itself is shunned, see `footholds`
        ("before", "i4"),  # row of the place before it on that way
        ("spot", "i4"),  # its place in the heap, -1 = it has been looked at
    ]
)
SEARCH = np.dtype(
    [
        ("spent", "i4"),  # places that searches of this tick have looked at
        ("found", "i4"),  # how many rows of `places` are used
        ("waiting", "i4"),  # how many rows of `heap` are used
        ("goal_x", "i4"),  # goal of the search, a cell
        ("goal_y", "i4"),
        ("goal_z", "i4"),
        ("deepest", "i4"),  # deepest fall in blocks that the searching creature accepts
        ("nearest", "i4"),  # row of the place that is nearest to the goal
        ("left", "f8"),  # blocks from the nearest place to the goal
        ("places", SEARCH_PLACE, (MOST_PLACES,)),
        ("table", "i2", (PLACE_SLOTS,)),  # row + 1 of `places` by cell, 0 = none
        ("heap", "i2", (MOST_PLACES,)),  # rows of `places` that are to be looked at
    ]
)
"""Working memory of one path search of a creature; meaningless after the search."""

ARROW = np.dtype(
    [
        ("x", "f8"),
        ("y", "f8"),
        ("z", "f8"),
        ("vx", "f8"),
        ("vy", "f8"),
        ("vz", "f8"),
        ("damage", "f4"),  # half-hearts for each block a tick of the arrow's speed
        ("age", "i4"),
        ("stuck", "u1"),  # 1 if the arrow sticks in a block
    ]
)
