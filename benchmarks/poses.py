"""Measure steps a second at twelve fixed places, in turn with crafter's, and the renderer alone.

    python benchmarks/poses.py [--rounds 5] [--steps 200] [--sizes 128x128 64x64 640x360] [--creatures N]

`poses.json` defines the twelve places: seed and biome, time (noon if the hour does not matter), weather, the
place to stand and the blocks to place. Each round plays the same actions (walking, digging, looking around,
and a second of waiting) from the same beginning through plain `gym.make`. Resets are not counted, and crafter
plays equally long in turn. The judged figure is the ratio of the arithmetic means of steps a second. With
`--creatures N`, each place has N creatures at the beginning, 20 of them ahead of the player, and the renderer
is not measured alone.

The renderer alone is compared in turn with `reference/`, a bare ray caster of plain cubes, at the same sizes.
The renderer draws the beginning of each of the twelve places, the ray caster 32 places of its own. Both draw
a place several times, since successive frames of an episode are similar, too; the median frame is one whose
land is already in the processor's caches.
"""

import argparse
import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crowd import gather
from steps_per_second import crafter_subject, one_thread

IN_VIEW = 20
"""Number of creatures that `--creatures` puts ahead of the player."""
FRAMES = 9
"""Number of times that a round of the renderer's measurement draws each place."""
SEARCHED = 64
"""Radius in blocks, around the beginning, of the search for a place to stand."""


def rows() -> list[dict[str, Any]]:
    """Return the rows of `poses.json`."""
    text = Path(__file__).with_name("poses.json").read_text(encoding="utf-8")
    return list(json.loads(text)["rows"])


class Pose:
    """One of the places, with an environment that begins there again and again.

    Args:
        row: a row of `poses.json`.
        size: width and height of the frames.
        steps: number of steps in a round.
        creatures: number of creatures at the beginning; None keeps the land's own creatures.
    """

    def __init__(
        self,
        row: dict[str, Any],
        size: tuple[int, int],
        steps: int,
        creatures: int | None = None,
    ) -> None:
        import gymnasium as gym
        import numpy as np

        from optimus_gym.core.actions import FUNCTION
        from optimus_gym.run.bench import ENVIRONMENT, walking_and_digging

        self.name = str(row["name"])
        self.env: Any = gym.make(ENVIRONMENT, resolution=size)
        options = {name: row[name] for name in ("biome", "time", "weather") if name in row}
        self.env.reset(seed=row["seed"], options=options)
        self._worlds = self.env.unwrapped._view.runtime.world.worlds
        self._move(row)
        self._place(row)
        if creatures is not None:
            gather(self._worlds, creatures, min(creatures, IN_VIEW))
        self._snapshot = self.env.unwrapped.snapshot()
        actions = np.zeros((steps, self.env.action_space.shape[0]), np.int64)
        actions[:, :FUNCTION] = walking_and_digging(steps, row["seed"])
        self.actions = list(actions)

    def _move(self, row: dict[str, Any]) -> None:
        """Put the player on the place of the row."""
        player = self._worlds.players[0]
        if "stand" in row:
            player["x"], player["y"], player["z"] = find_place(self._worlds, row)
        if row.get("mineshaft"):
            from optimus_gym.worlds.voxel.terrain.mineshafts import find_mineshaft

            x, y, z = find_mineshaft(player["seed"], int(player["x"]), int(player["z"]))
            player["x"], player["y"], player["z"] = x + 0.5, y, z + 0.5
        if "height" in row:
            player["y"] = row["height"]

    def _place(self, row: dict[str, Any]) -> None:
        """Place the row's blocks around the player, and its torches on the ground."""
        from optimus_gym.game.blocks import block_names
        from optimus_gym.worlds.voxel.land.cells import set_block
        from optimus_gym.worlds.voxel.land.window import ensure_area
        from optimus_gym.worlds.voxel.start import ground_above

        worlds, player = self._worlds, self._worlds.players[0]
        x, y, z = (int(player[axis] // 1) for axis in "xyz")
        ensure_area(worlds, 0, float(x), float(z), 2)
        for blocks in row.get("blocks", ()):
            voxel = block_names().index(blocks["block"])
            low, high = blocks["from"], blocks.get("to", blocks["from"])
            for i in range(low[0], high[0] + 1):
                for j in range(low[1], high[1] + 1):
                    for k in range(low[2], high[2] + 1):
                        set_block(worlds, 0, x + i, y + j, z + k, voxel)
        torch = block_names().index("torch")
        for i, k in row.get("torches", ()):
            set_block(worlds, 0, x + i, ground_above(worlds, 0, x + i, z + k), z + k, torch)

    def begin(self) -> None:
        """Restore the beginning and draw one frame, so that everything is made before the measurement."""
        self.env.reset(options={"snapshot": self._snapshot})

    def play(self) -> float:
        """Play a round of actions and return the seconds that the round took."""
        spent, begun = 0.0, time.perf_counter()
        for action in self.actions:
            _, _, terminated, truncated, _ = self.env.step(action)
            if terminated or truncated:
                spent += time.perf_counter() - begun
                self.begin()
                begun = time.perf_counter()
        return spent + time.perf_counter() - begun

    def draw(self, size: tuple[int, int], frames: int) -> float:
        """Draw the beginning without hearts and hotbar; return the median seconds of a frame."""
        import numpy as np

        from optimus_gym.worlds.voxel.render.look import block_look
        from optimus_gym.worlds.voxel.render.picture import has_vectors, render_frame

        image = np.empty((size[1], size[0], 3), np.uint8)
        look, fast, times = block_look(), has_vectors(), []
        for _ in range(frames):
            begun = time.perf_counter()
            render_frame(self._worlds, 0, look, 64.0, fast, image)
            times.append(time.perf_counter() - begun)
        return statistics.median(times)


def find_place(worlds: Any, row: dict[str, Any]) -> tuple[float, float, float]:
    """Return the nearest place to stand in the dark that fits a row.

    `low` and `high` bound the place's height. `near` names blocks; one of these blocks must be within two
    cells. `open` is the number of air cells among the 125 cells around.

    Raises:
        LookupError: no place fits.
    """
    import numpy as np

    from optimus_gym.game.blocks import block_names
    from optimus_gym.worlds.voxel.land.window import ensure_area

    wanted, player = row["stand"], worlds.players[0]
    x0, z0 = int(player["x"] // 1), int(player["z"] // 1)
    ensure_area(worlds, 0, float(x0), float(z0), SEARCHED // 16)
    width = worlds.voxels.shape[1]
    near = np.arange(-SEARCHED, SEARCHED)
    blocks = worlds.voxels[0][np.ix_((x0 + near) % width, (z0 + near) % width)] & 1023
    air = blocks == 0
    stands = air.copy()
    stands[:, :, 1:] &= (~air)[:, :, :-1]
    stands[:, :, :-1] &= air[:, :, 1:]
    stands[:, :, : wanted["low"]] = stands[:, :, wanted["high"] :] = False
    ids = [block_names().index(name) for name in wanted.get("near", ())]
    asked = np.isin(blocks, ids) if ids else np.ones_like(air)
    edge = slice(2, 2 * SEARCHED - 2)
    places = np.argwhere(stands[edge, edge, 2:-2]) + 2
    for x, z, y in sorted(
        places.tolist(), key=lambda p: abs(p[0] - SEARCHED) + abs(p[1] - SEARCHED)
    ):
        around = (slice(x - 2, x + 3), slice(z - 2, z + 3), slice(y - 2, y + 3))
        if asked[around].any() and air[around].sum() >= wanted.get("open", 0):
            return x0 + x - SEARCHED + 0.5, float(y), z0 + z - SEARCHED + 0.5
    raise LookupError(f"{row['name']}: no such place within {SEARCHED} blocks; take another seed")


def compare_steps(
    size: tuple[int, int], rounds: int, steps: int, creatures: int | None = None
) -> Iterator[str]:
    """Measure the whole environment at one size, pose by pose in turn with crafter."""
    poses = [Pose(row, size, steps, creatures) for row in rows()]
    crafter = crafter_subject(steps)
    ours: dict[str, list[float]] = {pose.name: [] for pose in poses}
    theirs: list[float] = []
    poses[0].begin()
    poses[0].play()  # not counted: machine code is loaded from the disk
    for number in range(rounds):
        for pose in poses:
            pose.begin()
            ours[pose.name].append(steps / pose.play())
            crafter.reset(number)
            begun = time.perf_counter()
            played = next((k + 1 for k, a in enumerate(crafter.actions) if crafter.step(a)), steps)
            theirs.append(played / (time.perf_counter() - begun))
    medians = {name: statistics.median(speeds) for name, speeds in ours.items()}
    name = f"{size[0]}x{size[1]}"
    for pose_name, speed in medians.items():
        yield f"{name:<8} {pose_name:<20} {speed:>8,.0f} steps/s"
    mean, other = statistics.mean(medians.values()), statistics.median(theirs)
    at_once = statistics.harmonic_mean(list(medians.values()))
    yield f"{name:<8} mean of the poses    {mean:>8,.0f} steps/s; steps / time {at_once:,.0f}"
    yield (
        f"{name:<8} crafter (64x64)      {other:>8,.0f} steps/s; ratio of means {mean / other:.2f}, "
        f"of steps / time {at_once / other:.2f}"
    )


def compare_frames(sizes: list[tuple[int, int]], rounds: int) -> Iterator[str]:
    """Measure the renderer alone, in turn with the bare ray caster."""
    import numpy as np
    from reference import land, raycaster

    voxels, heights = land.make_land()
    field, texels = land.make_field(voxels), land.make_texels()
    places = land.make_poses(voxels, heights)
    roof = float(np.flatnonzero(voxels.any((0, 1))).max() + 1)
    cells = np.ascontiguousarray(voxels.ravel())
    poses = [Pose(row, (64, 64), 1) for row in rows()]
    for pose in poses:
        pose.begin()
    for width, height in sizes:
        image = np.zeros(width * height * 3, np.uint8)

        def bare(place: Any, width: int = width, height: int = height, image: Any = image) -> float:
            eye = land.make_eye(place, width, height)
            begun = time.perf_counter()
            raycaster.render(field, cells, texels, eye, width, height, roof, image)
            return time.perf_counter() - begun

        bare(places[0])
        drawn: list[list[float]] = [[] for _ in poses]
        others: list[list[float]] = [[] for _ in places]
        for _ in range(rounds):
            for number, place in enumerate(places):
                others[number].append(statistics.median(bare(place) for _ in range(FRAMES)))
                pose = number % len(poses)
                drawn[pose].append(poses[pose].draw((width, height), FRAMES))
        mine = statistics.mean(map(statistics.median, drawn))
        other = statistics.mean(map(statistics.median, others))
        yield (
            f"{width}x{height} frame alone {1e6 * mine:,.0f} us, bare ray caster {1e6 * other:,.0f} us: "
            f"{mine / other:.2f} times"
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure steps a second at twelve places.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--sizes", nargs="+", default=["128x128", "64x64", "640x360"])
    parser.add_argument("--creatures", type=int, help="number of creatures at each place")
    parsed = parser.parse_args()
    sizes = [(int(size.split("x")[0]), int(size.split("x")[1])) for size in parsed.sizes]
    if parsed.creatures is None:
        for line in compare_frames(sizes, parsed.rounds):
            print(line, flush=True)
    for size in sizes:
        for line in compare_steps(size, parsed.rounds, parsed.steps, parsed.creatures):
            print(line, flush=True)


if __name__ == "__main__":
    one_thread()
    main()
