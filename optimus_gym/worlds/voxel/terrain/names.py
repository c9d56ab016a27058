"""Block ids of the blocks that the terrain is made of."""

from optimus_gym.game.blocks import block


def voxel_of(name: str) -> int:
    """Return the block id of the block with a name of Minecraft 1.16.5."""
    return block(name).id


AIR = 0
STONE = voxel_of("stone")
GRANITE = voxel_of("granite")
DIORITE = voxel_of("diorite")
ANDESITE = voxel_of("andesite")
BEDROCK = voxel_of("bedrock")
DIRT = voxel_of("dirt")
GRASS_BLOCK = voxel_of("grass_block")
SAND = voxel_of("sand")
SANDSTONE = voxel_of("sandstone")
GRAVEL = voxel_of("gravel")
CLAY = voxel_of("clay")
STILL_WATER = voxel_of("water")
STILL_LAVA = voxel_of("lava")
SUGAR_CANE = voxel_of("sugar_cane")
PUMPKIN = voxel_of("pumpkin")
ICE = voxel_of("ice")
SNOW = voxel_of("snow")
