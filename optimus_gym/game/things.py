"""Things that an agent can be asked to find: blocks, creatures and items on the ground."""

from functools import cache

from optimus_gym.game.blocks import block_names
from optimus_gym.game.items import items
from optimus_gym.game.ways import creature_names


@cache
def things() -> tuple[str, ...]:
    """Return the names of all blocks, items and creatures, each name once.

    Source: `minecraft-data` (blocks, items and entities of 1.16.5).

    >>> "cow" in things(), "oak_log" in things(), "unicorn" in things()
    (True, True, False)
    """
    return tuple(dict.fromkeys((*block_names(), *items(), *creature_names())))
