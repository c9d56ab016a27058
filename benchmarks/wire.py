"""Measure what the wire costs, and whether a server grows while many clients play.

    python benchmarks/wire.py [--steps 600] [--rounds 5]
    python benchmarks/wire.py --soak 10 [--clients 16]

Speed: three subjects play the same keys on the same land, in turn, at 128x128 and at 640x360 pixels: the
embedded world itself (tick and picture), the world as a game of MineRL in this process (`HostedGame`: also
the report), and that game behind `optimus-gym serve`, a process of its own. The output is medians of steps a
second over the rounds, and the ratios.

Soak: some clients play at a server for some minutes, in episodes of up to 200 steps with pictures of both
sizes. Strangers send nonsense, or vanish within a message. The output is the server's memory, threads and
open files every 15 seconds. The exit status is 1 if the last third of the minutes needs more than the third
before.
"""

import argparse
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from optimus_gym.core.actions import noop
from optimus_gym.core.errors import OptimusError
from optimus_gym.core.rng import generator
from optimus_gym.core.types import Setup
from optimus_gym.worlds.malmo.client.remote_game import Address, RemoteGame
from optimus_gym.worlds.malmo.dialects import MINESTUDIO
from optimus_gym.worlds.malmo.framing import framed
from optimus_gym.worlds.malmo.games import Game
from optimus_gym.worlds.malmo.hosting.hosted_game import HostedGame
from optimus_gym.worlds.malmo.hosting.key_actions import keyed_action
from optimus_gym.worlds.malmo.missions import CHAT_HANDLER, Mission
from optimus_gym.worlds.malmo.wire_actions import WireAction
from optimus_gym.worlds.malmo.wire_messages import HELLO
from optimus_gym.worlds.voxel.world import VoxelWorld

SIZES = ((128, 128), (640, 360))
FIRST_SEED = 610_000
"""First seed, in a range that is never used for tuning."""
_VIEW_BLOCKS = 64
_SECONDS = 120.0
_SAMPLE_S = 15.0
_EPISODE = 200
_SHARE_GROWN = 1.02
"""Largest ratio of memory in the last third of a soak to memory in the third before."""


def mission_of(size: tuple[int, int]) -> Mission:
    """Return MineStudio's mission for a size of picture (width, height)."""
    width, height = size
    handlers = frozenset({CHAT_HANDLER})
    return Mission(width=width, height=height, gui_scale=1.0, handlers=handlers)


def walk(steps: int, seed: int) -> list[WireAction]:
    """Return the actions of a walk that turns, jumps and digs now and then."""
    random = generator(seed, "wire walk")
    walked: list[WireAction] = []
    while len(walked) < steps:
        keys = {"forward", *(key for key in ("jump", "sprint", "attack") if random.random() < 0.4)}
        turn = float(random.uniform(-3.0, 3.0))
        walked += [WireAction(frozenset(keys), 0.0, turn)] * int(random.integers(5, 40))
    return walked[:steps]


def bare_speed(
    world: VoxelWorld, size: tuple[int, int], actions: list[WireAction], seed: int
) -> float:
    """Return steps a second of the embedded world itself: a tick and a picture each."""
    width, height = size
    world.reset(0, Setup(seed=seed, creatures=True, screens=True))
    rows = np.zeros(1, np.int64)
    made = [keyed_action(action, True) for action in actions]
    world.tick(rows, noop()[None])
    begun = time.perf_counter()
    for keys, turns in made:
        image = np.empty((1, height, width, 3), np.uint8)
        world.tick(rows, keys, turns)
        world.frames(rows, image)
    return len(actions) / (time.perf_counter() - begun)


def game_speed(game: Game, size: tuple[int, int], actions: list[WireAction], seed: int) -> float:
    """Return steps a second of a game."""
    game.begin(mission_of(size), seed)
    begun = time.perf_counter()
    for action in actions:
        game.send(action)
        game.receive()
    return len(actions) / (time.perf_counter() - begun)


@contextmanager
def server(worlds: int) -> Iterator[tuple[Address, int]]:
    """Start `optimus-gym serve`; yield its address and the process's number."""
    command = [sys.executable, "-m", "optimus_gym.run.cli", "serve", "--port", "0"]
    with subprocess.Popen(
        [*command, "--worlds", str(worlds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            host, _, port = process.stdout.readline().split()[-1].rpartition(":")
            yield Address(host, int(port)), process.pid
        finally:
            process.terminate()


def compare(steps: int, rounds: int) -> None:
    """Print the speed of the world, of the game and of the wire at each size of picture."""
    world = VoxelWorld(1, view_distance=_VIEW_BLOCKS, threads=1)
    hosted = HostedGame(VoxelWorld(1, view_distance=_VIEW_BLOCKS, threads=1))
    with server(1) as (address, _):
        remote = RemoteGame(address, MINESTUDIO, _SECONDS)
        for size in SIZES:
            subjects: dict[str, Callable[[list[WireAction], int], float]] = {
                "world": lambda actions, seed, size=size: bare_speed(world, size, actions, seed),
                "game": lambda actions, seed, size=size: game_speed(hosted, size, actions, seed),
                "wire": lambda actions, seed, size=size: game_speed(remote, size, actions, seed),
            }
            taken: dict[str, list[float]] = {name: [] for name in subjects}
            for round_ in range(rounds):
                actions = walk(steps, round_)
                for name, measure in subjects.items():
                    taken[name].append(measure(actions, FIRST_SEED + round_))
            medians = {name: statistics.median(values) for name, values in taken.items()}
            told = ", ".join(f"{name} {median:,.0f}" for name, median in medians.items())
            print(
                f"{size[0]}x{size[1]}: {told} steps/s; "
                f"wire / game {medians['wire'] / medians['game']:.2f}, "
                f"wire / world {medians['wire'] / medians['world']:.2f}"
            )
        remote.close()


def _live(address: Address, number: int, end: float, steps: list[int]) -> None:
    """Play at a server until a time, as a client that now and then misbehaves."""
    random = generator(number, "wire client")
    game = RemoteGame(address, MINESTUDIO, _SECONDS)
    episode = 0
    while time.monotonic() < end:
        size = SIZES[int(random.random() < 0.1)]
        game.begin(mission_of(size), FIRST_SEED + 1000 * number + episode % 50)
        episode += 1
        for action in walk(int(random.integers(1, _EPISODE)), 1000 * number + episode):
            game.send(action)
            game.receive()
            steps[number] += 1
            if time.monotonic() > end:
                break
        _disturb(address, random.bytes(int(random.integers(1, 200))))
    game.close()


def _disturb(address: Address, nonsense: bytes) -> None:
    """Send nonsense as a stranger who greets and then vanishes."""
    with suppress(OSError), socket.create_connection((address.host, address.port)) as stranger:
        stranger.sendall(framed(HELLO) + nonsense)


def _needs(process: int) -> tuple[float, int, int]:
    """Return a process's memory in MiB, and the numbers of its threads and of its open files."""
    told = Path(f"/proc/{process}/status").read_text()
    fields = dict(line.split(":", 1) for line in told.splitlines() if ":" in line)
    memory = int(fields["VmRSS"].split()[0]) / 1024
    return memory, int(fields["Threads"]), sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())


def soak(minutes: float, clients: int) -> int:
    """Let clients play; print the server's needs; return 1 if the last third needs more, else 0."""
    with server(clients) as (address, process):
        begun = time.monotonic()
        end, steps = begun + 60 * minutes, [0] * clients
        threads = [
            threading.Thread(target=_live, args=(address, number, end, steps), daemon=True)
            for number in range(clients)
        ]
        for thread in threads:
            thread.start()
        samples: list[tuple[float, int, int]] = []
        while any(thread.is_alive() for thread in threads):
            time.sleep(min(_SAMPLE_S, max(0.5, end - time.monotonic())))
            if time.monotonic() < end:
                samples.append(_needs(process))
                memory, count, files = samples[-1]
                print(
                    f"{time.monotonic() - begun:5.0f} s: {memory:7.1f} MiB, {count} threads, "
                    f"{files} files, {sum(steps):,} steps",
                    flush=True,
                )
        try:
            RemoteGame(address, MINESTUDIO, _SECONDS).begin(mission_of(SIZES[0]), FIRST_SEED)
        except OptimusError as error:
            print(f"the server takes no client any more: {error}")
            return 1
        time.sleep(1.0)
        print(f"after all clients: {_needs(process)}")
    third = len(samples) // 3
    before = np.array(samples[-2 * third : -third]).max(axis=0)
    last = np.array(samples[-third:]).max(axis=0)
    grown = bool(last[0] > _SHARE_GROWN * before[0] or last[1] > before[1] + 2)
    print(f"{sum(steps):,} steps; last third against the third before: {last} against {before}")
    return int(grown)


def main() -> int:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--soak", type=float, metavar="MINUTES")
    parser.add_argument("--clients", type=int, default=16)
    parsed = parser.parse_args()
    if parsed.soak is not None:
        return soak(parsed.soak, parsed.clients)
    compare(parsed.steps, parsed.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
