"""Compare STEVE-1's network for N worlds at once with the straightforward way, in turn in one run.

    python -m benchmarks.controllers [--rows 1 16 64 256] [--size small] [--device cpu] [--dtype bfloat16]

The straightforward way is that of the published agents: one world after another, both halves of guidance in
full, keys and values in caches that are concatenated at every tick. Both ways use the same number format.
Weights and pictures are random; speed does not depend on them. Both ways must give the same results before
the timing begins. A round is a few ticks of each way, one after the other. The output is the medians of the
rounds, the frames (each of one world) a second with their ratio, and memory: the batched way's memory on a
GPU, or the process's largest growth on a CPU.

`small` is half of VPT's 1x in width: 512 features, 4 heads, trunk 2, 4 blocks, 128 ticks of memory.
"""

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import torch
from torch import Tensor

from optimus_gym.controllers.vpt.acting import dtype_of
from optimus_gym.controllers.vpt.policy import GOAL, MODEL_SIZES, VPTPolicy
from optimus_gym.controllers.vpt.stepping import Stepper, whole_float32
from optimus_gym.core.devices import device_named
from optimus_gym.terminal.bars import counted

OWN: Final[dict[str, tuple[int, ...]]] = {
    "tiny": (64, 4, 1, 2, 24, 8),
    "small": (512, 4, 2, 4, 256, 128),
}
"""Sizes of unpublished networks: width, heads, trunk, blocks, ticks of memory and chunk, ticks of a chunk."""
GUIDANCE: Final = 6.0
ALIKE: Final = {torch.float32: 1e-3, torch.bfloat16: 0.5}
"""Largest allowed difference between both ways' chances, by number format; guidance amplifies rounding."""
CHECKED: Final = 3
"""Number of worlds that the check before the timing compares."""


class Straightforward:
    """The straightforward way: the unchanged policy plays one world after another."""

    def __init__(self, policy: VPTPolicy, goals: Tensor, guided: bool) -> None:
        self._policy, self._guided = policy, guided
        halves = 2 if guided else 1
        self._states = [policy.initial_state(halves) for _ in goals]
        self._first = torch.zeros((halves, 1), dtype=torch.bool, device=goals.device)
        blank = torch.zeros_like(goals)
        pairs = torch.stack([goals, blank], 1) if guided else goals[:, None]
        self._goals = pairs[:, :, None]

    @torch.inference_mode()
    def tick(self, img: Tensor) -> Tensor:
        """Return the chances of buttons (float32[n, 8641]) for pictures (uint8[n, 128, 128, 3])."""
        with whole_float32():
            return torch.stack([self._of(world, picture) for world, picture in enumerate(img)])

    def _of(self, world: int, picture: Tensor) -> Tensor:
        both = picture.expand(len(self._first), 1, *picture.shape)
        made = self._policy(both, self._first, self._states[world], self._goals[world])
        self._states[world] = made.state
        buttons: Tensor = made.buttons[:, 0]
        if not self._guided:
            return buttons[0]
        return (1 + GUIDANCE) * buttons[0] - GUIDANCE * buttons[1]


class Batched:
    """The batched way: the policy plays all worlds at once, as the controllers do."""

    def __init__(self, policy: VPTPolicy, goals: Tensor, guided: bool, compiled: bool) -> None:
        self._stepper = Stepper(policy, len(goals), guided, compiled)
        self._acting = torch.ones(len(goals), dtype=torch.bool, device=goals.device)
        for row, goal in enumerate(goals):
            self._stepper.aim(row, goal, GUIDANCE)

    def tick(self, img: Tensor) -> Tensor:
        """Return the chances of buttons, as `Straightforward.tick` does."""
        return self._stepper.step(img, self._acting).buttons


def main() -> None:
    """Compare the results of both ways, time them in turn, and print the medians."""
    parsed = parsed_arguments()
    device = device_named(parsed.device)
    dtype = dtype_of(parsed.dtype, device)
    made = policy_of(parsed.size).to(device, dtype).eval()
    guided = not parsed.unguided
    numbers = sum(parameter.numel() for parameter in made.parameters())
    print(f"{parsed.size}, {numbers:,} numbers, {dtype}, {described(device)}, guided: {guided}")
    print(f"{'N':>4} {'batched':>9} {'one by one':>11} {'ratio':>6} {'MiB':>7}  (frames/s)")
    for rows in parsed.rows:
        draws = torch.Generator().manual_seed(0)
        size = (rows, 128, 128, 3)
        img = torch.randint(256, size, dtype=torch.uint8, generator=draws).to(device)
        goals = torch.randn((rows, GOAL), generator=draws).to(device)
        check(made, img[:CHECKED], goals[:CHECKED], guided)
        used = used_by(device)
        fast = Batched(made, goals, guided, parsed.compiled)
        fast.tick(img)
        most = used_by(device) - used
        slow = Straightforward(made, goals, guided)
        slow.tick(img)
        spent = [
            (seconds(fast.tick, img, parsed.ticks), seconds(slow.tick, img, 1))
            for _ in counted(range(parsed.rounds), f"N = {rows}")
        ]
        quick, plain = (rows / statistics.median(times) for times in zip(*spent, strict=True))
        print(
            f"{rows:4} {quick:9.1f} {plain:11.1f} {quick / plain:6.2f} {most / 2**20:7.0f}",
            flush=True,
        )


def policy_of(size: str) -> VPTPolicy:
    """Return a policy of a size, with goals and seeded random weights."""
    torch.manual_seed(0)
    options: Sequence[Any] = OWN[size] if size in OWN else MODEL_SIZES[size]
    return VPTPolicy(*options, goal_dim=GOAL)


def check(policy: VPTPolicy, img: Tensor, goals: Tensor, guided: bool) -> None:
    """Raise an error if the two ways differ in the first ticks."""
    fast = Batched(policy, goals, guided, compiled=False)
    slow = Straightforward(policy, goals, guided)
    for tick in range(3):
        shown = img.roll(tick, 1)
        apart = (fast.tick(shown) - slow.tick(shown)).abs().max().item()
        if not apart <= ALIKE[next(policy.parameters()).dtype]:
            sys.exit(f"the two ways lie {apart:g} apart in tick {tick}")


def seconds(tick: Callable[[Tensor], Tensor], img: Tensor, ticks: int) -> float:
    """Return the mean seconds of a tick, its results included."""
    begun = time.perf_counter()
    for _ in range(ticks):
        tick(img)[0, 0].item()
    return (time.perf_counter() - begun) / ticks


def used_by(device: torch.device) -> int:
    """Return the peak memory in bytes, of a GPU or of this process."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def described(device: torch.device) -> str:
    """Return the name of a GPU, or the number of threads of a CPU."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return f"{torch.get_num_threads()} threads of a CPU"


def parsed_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Time STEVE-1's network, batched and one by one.")
    parser.add_argument("--rows", type=int, nargs="+", default=[1, 16, 64, 256])
    parser.add_argument("--size", choices=[*OWN, *MODEL_SIZES], default="small")
    parser.add_argument(
        "--ticks", type=int, default=4, help="ticks of the batched network in a round"
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--device", help="such as cuda (default: a GPU if there is one)")
    parser.add_argument("--dtype", choices=["float32", "bfloat16"])
    parser.add_argument(
        "--compiled", action="store_true", help="compile the network with torch.compile"
    )
    parser.add_argument("--unguided", action="store_true", help="one half alone in both ways")
    return parser.parse_args()


if __name__ == "__main__":
    main()
