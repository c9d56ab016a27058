"""Draw the gallery: what the world looks like, each scene in two sizes.

    python tools/gallery.py [--only NAME ...] [--out docs]
    python tools/gallery.py --sheet looks.png

The scenes are the rows of tools/scenes.json. `--sheet` draws the rows of tools/situations.json on one
sheet instead; docs/looks.md compares this sheet with the game's client.

A row begins like an episode (seed, biome, position, time, weather, inventory). A row's other keys are
optional. "find" searches for a place. "yaw" and "pitch" (degrees) turn the head. "health", "food" and
"hurt_wait" set numbers of the player. "builds" places blocks: a block, its state, and the corners of the box
that the block fills, counted from the feet's cell. "stands" places creatures: kinds, blocks ahead and to the
left, turn in degrees away from the eye, and other fields of the creatures' rows. "actions" presses keys for
some ticks, and "place" places an item. The result is drawn at 640x360 and 128x128.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from message_sheet import messages_sheet
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from screen_sheet import screens_sheet
from spots import find_spot

from optimus_gym.core.actions import (
    ATTACK,
    FORWARD,
    FUNCTION,
    ITEM,
    JUMP,
    PITCH,
    USE,
    YAW,
    Function,
    noop,
)  # fmt: skip
from optimus_gym.core.types import Setup
from optimus_gym.game.blocks import block
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.creatures.peopling import ground_of
from optimus_gym.worlds.voxel.creatures.population import add_creature
from optimus_gym.worlds.voxel.land.cells import set_block
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS
from optimus_gym.worlds.voxel.terrain.mineshafts import find_mineshaft
from optimus_gym.worlds.voxel.world import VoxelWorld

HERE = Path(__file__).resolve().parent
SIZES = ((640, 360), (128, 128))
ACROSS = 2
"""Number of situations side by side on the sheet."""
KEYS = {"forward": FORWARD, "jump": JUMP, "attack": ATTACK, "use": USE, "pitch": PITCH, "yaw": YAW}
SETUP = ("seed", "biome", "position", "time", "weather", "inventory")
NUMBERS = ("yaw", "pitch", "health", "food", "hurt_wait")
SPOT = ("kind", "ahead", "left", "turn")
ROW = np.zeros(1, np.int64)
SCREENS = "screens"
"""Name of the sheet of the game's screens."""
MESSAGES = "messages"
"""Name of the sheet of toasts, chat and the held item's name."""


def main() -> None:
    """Draw the scenes and write the page."""
    parser = argparse.ArgumentParser(description="Pictures of the embedded world.")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="draw only these scenes")
    parser.add_argument("--out", type=Path, default=HERE.parent / "docs")
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE", help="draw the situations on one sheet"
    )
    parsed = parser.parse_args()
    if parsed.sheet is not None:
        save(sheet(rows("situations.json")), parsed.sheet)
        return
    scenes = rows("scenes.json")
    (parsed.out / "gallery").mkdir(parents=True, exist_ok=True)
    world = VoxelWorld(1, view_distance=96)
    for scene in scenes:
        if parsed.only and scene["name"] not in parsed.only:
            continue
        play(world, scene)
        for width, height in SIZES:
            path = parsed.out / "gallery" / file_name(scene, width)
            save(draw(world, width, height), path)
            print(path, path.stat().st_size // 1024, "KiB")
    if not parsed.only or SCREENS in parsed.only:
        save(screens_sheet(), parsed.out / "gallery" / f"{SCREENS}.png")
    if not parsed.only or MESSAGES in parsed.only:
        save(messages_sheet(), parsed.out / "gallery" / f"{MESSAGES}.png")
    (parsed.out / "gallery.md").write_text(page(scenes), encoding="utf-8")


def rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a JSON file in this folder."""
    read: list[dict[str, Any]] = json.loads((HERE / name).read_text(encoding="utf-8"))
    return read


def sheet(scenes: list[dict[str, Any]]) -> NDArray[np.uint8]:
    """Return one picture of all scenes, each in two sizes and with its name: uint8[h, w, 3]."""
    (wide, high), (small, _) = SIZES
    down = -(-len(scenes) // ACROSS)
    whole = Image.new("RGB", (ACROSS * (wide + small), down * high))
    world = VoxelWorld(1, view_distance=96)
    for k, scene in enumerate(scenes):
        left, top = k % ACROSS * (wide + small), k // ACROSS * high
        play(world, scene)
        whole.paste(Image.fromarray(draw(world, *SIZES[0])), (left, top))
        whole.paste(Image.fromarray(draw(world, *SIZES[1])), (left + wide, top))
        ImageDraw.Draw(whole).text((left + wide + 4, top + small + 4), scene["name"])
    return np.asarray(whole)


def play(world: VoxelWorld, scene: dict[str, Any]) -> None:
    """Bring the world to the state of a scene."""
    begins = {name: scene[name] for name in SETUP if name in scene}
    world.reset(0, Setup(**begins, creatures="stands" in scene))
    player = world.worlds.players[0]
    if "find" in scene:
        _go_to_spot(world, dict(scene["find"]))
    for name in set(NUMBERS) & set(scene):
        player[name] = scene[name]
    if "builds" in scene:
        _act(world, {})
    for part in scene.get("builds", []):
        _build(world, part)
    if "stands" in scene:
        _act(world, {})
        world.worlds.fauna["creatures"] = 0
    for creature in scene.get("stands", []):
        _stand(world, creature)
    for action in scene.get("actions", []):
        _act(world, action)


def _build(world: VoxelWorld, part: dict[str, Any]) -> None:
    """Fill a box of cells with a block."""
    player = world.worlds.players[0]
    voxel = block(part["block"]).id | part.get("state", 0) << BLOCK_BITS
    (x0, y0, z0), (x1, y1, z1) = part["from"], part.get("to", part["from"])
    fx, fy, fz = (int(player[axis] // 1) for axis in "xyz")
    for x in range(x0, x1 + 1):
        for y in range(y0, y1 + 1):
            for z in range(z0, z1 + 1):
                set_block(world.worlds, 0, fx + x, fy + y, fz + z, voxel)


def _stand(world: VoxelWorld, creature: dict[str, Any]) -> None:
    """Put a creature on the ground in front of the player."""
    worlds, player = world.worlds, world.worlds.players[0]
    yaw = np.radians(player["yaw"])
    ahead, left = creature["ahead"], creature["left"]
    x = float(player["x"] - np.sin(yaw) * ahead + np.cos(yaw) * left)
    z = float(player["z"] + np.cos(yaw) * ahead + np.sin(yaw) * left)
    y = float(ground_of(worlds, 0, int(np.floor(x)), int(np.floor(z))))
    kind = tuple(creature_kinds()).index(creature["kind"])
    row = worlds.creatures[0, add_creature(worlds, 0, kind, x, y, z)]
    turn = yaw + np.pi + np.radians(creature.get("turn", 0))
    row["face_x"], row["face_z"], row["on_ground"] = -np.sin(turn), np.cos(turn), 1
    for name in set(creature) - set(SPOT):
        row[name] = creature[name]


def _go_to_spot(world: VoxelWorld, find: dict[str, Any]) -> None:
    player = world.worlds.players[0]
    if find.pop("mineshaft", False):
        x, y, z = find_mineshaft(player["seed"], int(player["x"]), int(player["z"]))
        player["x"], player["y"], player["z"] = x, y, z
    spot = find_spot(world.worlds, 0, **find)
    player["x"], player["y"], player["z"] = spot.position
    player["yaw"] = spot.yaw


def _act(world: VoxelWorld, keys: dict[str, Any]) -> None:
    action = noop()
    for name, place in KEYS.items():
        action[place] = keys.get(name, action[place])
    if "place" in keys:
        action[FUNCTION], action[ITEM] = Function.PLACE, item(keys["place"]).id
    if "smelt" in keys:
        action[FUNCTION], action[ITEM] = Function.SMELT, item(keys["smelt"]).id
    if "equip" in keys:
        action[FUNCTION], action[ITEM] = Function.EQUIP, item(keys["equip"]).id
    for _ in range(keys.get("ticks", 1)):
        world.tick(ROW, action[None])


def draw(world: VoxelWorld, width: int, height: int) -> NDArray[np.uint8]:
    """Return the screen, uint8[height, width, 3]."""
    image = np.empty((height, width, 3), np.uint8)
    world.frames([0], image[None])
    return image


def save(image: NDArray[np.uint8], path: Path) -> None:
    """Write a PNG with every colour of the frame."""
    Image.fromarray(image).save(path, optimize=True)


def file_name(scene: dict[str, Any], width: int) -> str:
    """Return the file name of a scene's picture with a width."""
    return f"{scene['name'].replace(' ', '_')}_{width}.png"


def page(scenes: list[dict[str, Any]]) -> str:
    """Return the gallery's page in Markdown."""
    lines = [
        "# Gallery",
        "",
        "`python tools/gallery.py` makes this page from the rows of `tools/scenes.json`.",
    ]
    lines += ["Each picture is the screen at 640x360, and at 128x128 as an agent sees it.", ""]
    for scene in scenes:
        lines += [f"## {scene['name'].capitalize()}", "", scene["shows"], ""]
        wide, small = (f"gallery/{file_name(scene, width)}" for width, _ in SIZES)
        lines += [f"![{scene['name']}, 640x360]({wide}) ![{scene['name']}, 128x128]({small})", ""]
    lines += [
        "## Screens",
        "",
        "The nine screens of the game with some contents (`tools/screens.json`): their part of the picture of"
        " 640x360, and the whole picture at 128x128.",
        "",
        f"![screens](gallery/{SCREENS}.png)",
        "",
        "## Messages",
        "",
        "Toasts, the chat and the name of a newly held item, which `messages=True` shows, after some"
        " commands: the picture at 640x360 and at 128x128.",
        "",
        f"![messages](gallery/{MESSAGES}.png)",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
