"""Measure a policy of VPT's network from files of official size: time to load, seconds a tick, memory.

    python -m benchmarks.loading [--size 3x] [--ticks 20] [--device cpu] [--dtype bfloat16]

The command writes a `.model` and a `.weights` file with random weights into a temporary folder. A separate
process loads both files as the controller `vpt` does and plays one row of noise. The output is the seconds
until the controller is attached (without imports), the median, least and largest seconds of a tick, and the
process's peak memory.
"""

import argparse
import pickle
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from gymnasium import spaces

from optimus_gym.controllers.vpt.acting import SQUEEZED
from optimus_gym.controllers.vpt.checkpoint import COMMON
from optimus_gym.controllers.vpt.policy import MODEL_SIZES, VPTPolicy
from optimus_gym.controllers.vpt.vpt import VPTController
from optimus_gym.core.actions import CONTROL_SIZES
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.types import SubGoal
from optimus_gym.core.weights import write_tensors

UNCOUNTED = 2
"""Ticks of a warm-up, which do not count."""


def write(folder: Path, size: str) -> None:
    """Write the files of a policy with seeded random weights."""
    net = {**COMMON, **MODEL_SIZES[size]._asdict()}
    options = {"model": {"args": {"net": {"args": net}, "pi_head_opts": {"temperature": 2.0}}}}
    (folder / f"{size}.model").write_bytes(pickle.dumps(options))
    torch.manual_seed(0)
    write_tensors(folder / f"{size}.weights", VPTPolicy.from_size(size).state_dict())


def measure(parsed: argparse.Namespace) -> None:
    """Load the policy, play, and print the figures."""
    space = spaces.Dict({"pov": spaces.Box(0, 255, (*SQUEEZED, 3), np.uint8)})
    setting = ControllerSetting(
        1, space, spaces.MultiDiscrete(CONTROL_SIZES), (), SQUEEZED, parsed.device
    )
    begun = time.perf_counter()
    controller = VPTController(parsed.folder, dtype=parsed.dtype)
    controller.attach(setting)
    loaded = time.perf_counter() - begun
    controller.begin_episodes([0], [0])
    controller.begin_subgoals([0], [SubGoal("mine", "oak_log")])
    draws, spent = np.random.default_rng(0), []
    for _ in range(UNCOUNTED + parsed.ticks):
        seen = {"pov": draws.integers(0, 256, (1, *SQUEEZED, 3), np.uint8)}
        begun = time.perf_counter()
        controller.act([0], seen, np.ones(1, np.bool_))
        spent.append(time.perf_counter() - begun)
    spent = spent[UNCOUNTED:]
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{parsed.size}, {torch.get_num_threads()} threads: loaded in {loaded:.2f} s")
    print(f"a tick {statistics.median(spent):.3f} s ({min(spent):.3f} to {max(spent):.3f})")
    print(f"at most {most:.2f} GiB")


def main() -> None:
    """Write the files, then measure in another process."""
    parser = argparse.ArgumentParser(
        description="Measure loading, ticks and memory at official sizes."
    )
    parser.add_argument("--size", choices=MODEL_SIZES, default="3x")
    parser.add_argument("--ticks", type=int, default=20)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", choices=["float32", "bfloat16"])
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    parsed = parser.parse_args()
    if parsed.folder is not None:
        measure(parsed)
        return
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), parsed.size)
        again = [sys.executable, "-m", "benchmarks.loading", *sys.argv[1:], "--folder", folder]
        raise SystemExit(subprocess.run(again, check=False).returncode)


if __name__ == "__main__":
    main()
