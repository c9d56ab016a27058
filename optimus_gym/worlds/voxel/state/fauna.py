"""What the state of a world holds of creatures: rows of one array each, without Python objects.

The used rows come first; one that goes is replaced by the last (`population`). Units as in `worlds`.
"""

import numpy as np

MOST_CREATURES = 256
"""Creatures of a world; one more takes the place of the farthest."""
MOST_ARROWS = 32
"""Arrows in the air or stuck; one more takes the place of the oldest."""
MOST_PEOPLED = 512
"""Chunks of which a world remembers that their animals have come; the oldest is forgotten."""

RULES = np.dtype(
    [
        ("difficulty", "u1"),  # 0 peaceful to 3 hard
        ("creatures", "u1"),  # 1 where creatures come
        (
            "survival",
            "u1",
        ),  # 1 where there is hunger, and what comes with a difficulty (`survival`)
    ]
)
"""Set at the start of an episode."""

FAUNA = np.dtype(
    [
        ("creatures", "i4"),  # how many rows of `creatures` are used
        ("arrows", "i4"),  # how many rows of `arrows` are used
        ("peopled", "i4"),  # how many chunks were ever noted in `peopled`
        ("settled", "u1"),  # 1 if the chunks around the player's middle have their animals
        ("charge", "i4"),  # ticks since the player's latest blow
        ("charged_with", "u2"),  # the item that was in the hand then
        ("pressed", "u1"),  # 1 if the attack key was down in the latest tick
    ]
)

CREATURE = np.dtype(
    [
        ("kind", "u1"),  # place in `game.creatures.creature_kinds`
        ("colour", "u1"),  # of a sheep, place in `sheep_colours`
        ("shorn", "u1"),
        ("mood", "u1"),  # see `kinds`
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
        ("face_x", "f4"),  # whither it looks, of length 1
        ("face_z", "f4"),
        ("fall", "f8"),  # blocks fallen since the ground was left
        ("health", "f4"),
        ("hurt_wait", "i4"),  # ticks for which a smaller hurt is ignored
        ("hurt_last", "f4"),
        ("struck", "i4"),  # ticks for which its death counts as the player's
        ("air", "i4"),  # ticks, from 300 down to -20
        ("fire", "i4"),  # ticks for which it burns on
        ("goal_x", "f8"),  # whither it walks
        ("goal_z", "f8"),
        ("patience", "i4"),  # ticks until it gives up walking there
        ("detour", "i4"),  # ticks for which it walks around something: > 0 left, < 0 right
        ("pause", "i4"),  # ticks until its next attack, of a skeleton until it draws its bow
        ("drawn", "i4"),  # ticks for which a skeleton has drawn its bow
        ("fuse", "i4"),  # ticks for which a creeper has hissed
        ("egg", "i4"),  # ticks until a hen's next egg
        ("idle", "i4"),  # ticks since a player was within 32 blocks
        ("seen", "i4"),  # ticks for which it has seen the player, < 0 has not
        ("angry", "i4"),  # ticks for which it attacks whatever the light
        ("stride", "f4"),  # how far its limbs have swung, blocks walked
        ("gait", "f4"),  # how far they swing, [0, 1]
    ]
)

ARROW = np.dtype(
    [
        ("x", "f8"),
        ("y", "f8"),
        ("z", "f8"),
        ("vx", "f8"),
        ("vy", "f8"),
        ("vz", "f8"),
        ("damage", "f4"),  # half-hearts for each block a tick of its speed
        ("age", "i4"),
        ("stuck", "u1"),  # 1 in a block
    ]
)
