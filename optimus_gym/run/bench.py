"""Measure the embedded world's speed: steps a second, and seconds of a reset and of a process's start.

`benchmarks/steps_per_second.py` uses this module to measure the environment `crafter` in turn with
optimus-gym.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Timer
from typing import Any, Final

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from optimus_gym.core.actions import (
    ACTION_LENGTH,
    ATTACK,
    CAMERA_STILL,
    CONTROL_SIZES,
    FORWARD,
    FUNCTION,
    ITEM,
    JUMP,
    LEFT,
    PITCH,
    SPRINT,
    YAW,
)
from optimus_gym.core.checks import check_count
from optimus_gym.core.rng import generator
from optimus_gym.terminal.parser import whole
from optimus_gym.terminal.printing import words

EXAMPLES: Final = ("optimus-gym bench", "optimus-gym bench --rounds 5 --startup")
ENVIRONMENT: Final = "OptimusFlat-Diamond-v0"
PLANNED: Final = "Optimus-Diamond-v0"
RESOLUTION: Final = (128, 128)
STEPS_A_RESET: Final = 160
"""Steps between two resets when the measurement includes resets."""
STEPS_A_POSE: Final = 400
"""Environment steps after each reset when the speed on newly generated land is measured."""
FIRST_SEED: Final = 500_000
"""First seed of the measurements; each reset of an environment takes a new seed and so makes a new world."""
RESETS: Final = 15
START_LIMIT_S: Final = 300

ONE_THREAD: Final = {
    name: "1" for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
}
"""Environment variables that make numerical libraries use one thread, set before Python starts."""


@dataclass(frozen=True, slots=True)
class Subject:
    """An environment to measure, given by a function for its reset and a function for its step."""

    name: str
    reset: Callable[[int], Any]
    """Begins the episode of a seed and returns the first observation."""
    step: Callable[[Any], bool]
    """Takes an action; returns whether the episode has ended."""
    actions: Sequence[Any]
    course: Callable[[int], Sequence[Any]] | None = None
    """Returns the actions for a whole episode of a seed; None: `Subject.actions` serve for every seed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--rounds",
        type=whole,
        default=3,
        metavar="N",
        help="number of measurements of each figure; medians are printed (default: 3)",
    )
    parser.add_argument(
        "--steps",
        type=whole,
        default=2000,
        metavar="N",
        help="environment steps of each measurement (default: 2000)",
    )
    parser.add_argument(
        "--startup",
        action="store_true",
        help="also measure a start with an empty compile cache and a later start (default: off)",
    )


def run(parsed: argparse.Namespace) -> int:
    """Print the measurements and return 0.

    Raises:
        BadValue: an argument cannot be used.
    """
    rounds = check_count("rounds", parsed.rounds, 1)
    steps = check_count("steps", parsed.steps, 1)
    for line in report(rounds, steps, parsed.startup):
        Console().print(words(line), soft_wrap=True)
    return 0


def diamond_course(seed: int) -> NDArray[np.int64]:
    """Play the diamond task from a seed; return the low-level actions of all ticks (int64[ticks, 15]).

    The controller `oracle` and the helper choose the actions. The actions have the form of the flat view with
    the vocabulary of all items. A flat view that begins with `seed` and takes the actions repeats the
    episode, from the first tree to the diamond.
    """
    env: Any = gym.make(PLANNED)
    actions: list[NDArray[np.int32]] = []
    env.unwrapped.watch(lambda row: actions.append(env.unwrapped.latest_action(row)))
    env.reset(seed=seed)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step(0)
        over = terminated or truncated
    env.close()
    course = np.array(actions, np.int64)
    course[:, ITEM] = np.maximum(
        course[:, ITEM] - 1, 0
    )  # ids of items begin at 1, the view's indices at 0
    return course


def walking_and_digging(length: int, seed: int = 0) -> NDArray[np.int64]:
    """Return a fixed sequence of low-level actions (int64[length, 13]) that walks, digs and looks around.

    The sequence has stretches of 5 to 40 ticks: walking forward with jumps and slow turns, sprinting, digging
    straight ahead, digging downward and looking up again, looking around.
    """
    random = generator(seed, "bench actions")
    actions = np.zeros((length, len(CONTROL_SIZES)), np.int64)
    actions[:, PITCH] = actions[:, YAW] = CAMERA_STILL
    begin = 0
    while begin < length:
        end = min(length, begin + int(random.integers(5, 41)))
        stretch = actions[begin:end]
        kind = int(random.integers(5))
        turn = int(random.integers(3, 8))
        if kind <= 1:
            stretch[:, FORWARD] = 1
            stretch[:, JUMP] = random.random(end - begin) < 0.3
            stretch[:, SPRINT] = kind
            stretch[:, YAW] = turn
        elif kind == 2:
            stretch[:, ATTACK] = 1
            stretch[:, FORWARD] = random.random(end - begin) < 0.3
        elif kind == 3:
            half = (end - begin) // 2
            stretch[:, ATTACK] = 1
            stretch[:half, PITCH], stretch[-half:, PITCH] = CAMERA_STILL + 2, CAMERA_STILL - 2
        else:
            stretch[:, YAW] = turn
            stretch[:, PITCH] = int(random.integers(3, 8))
            stretch[:, LEFT] = int(random.integers(3))
        begin = end
    return actions


def ours(length: int) -> Subject:
    """Return the environment `OptimusFlat-Diamond-v0`, with pictures of 128x128 pixels, as a `Subject`.

    An action can name any item of the game, so that the environment can replay `diamond_course`.
    """
    env = gym.make(ENVIRONMENT, resolution=RESOLUTION, vocabulary="all")
    actions = np.zeros((length, ACTION_LENGTH), np.int64)
    actions[:, :FUNCTION] = walking_and_digging(length)

    def step(action: NDArray[np.int64]) -> bool:
        _, _, terminated, truncated, _ = env.step(action)
        return terminated or truncated

    return Subject(
        "optimus-gym",
        lambda seed: env.reset(seed=seed),
        step,
        list(actions),
        lambda seed: list(diamond_course(seed)),
    )


def steps_a_second(subject: Subject, seed: int) -> float:
    """Measure steps a second over the actions of a whole episode, without the time of any reset."""
    actions = subject.actions if subject.course is None else subject.course(seed)
    subject.reset(seed)
    return len(actions) / _seconds(subject, actions, seed)


def _seconds(subject: Subject, actions: Sequence[Any], seed: int) -> float:
    """Return the seconds that stepping takes, without the time of resets after an episode's end."""
    spent, begun = 0.0, time.perf_counter()
    for action in actions:
        if subject.step(action):
            spent += time.perf_counter() - begun
            subject.reset(seed)
            begun = time.perf_counter()
    return spent + time.perf_counter() - begun


def steps_a_second_on_fresh_land(subject: Subject, seed: int) -> float:
    """Measure steps a second after many resets, each to a new world; the time of resets does not count.

    Steps on new land need more work than the steps of a whole episode, in which the player is often
    underground.
    """
    spent = 0.0
    for first in range(0, len(subject.actions), STEPS_A_POSE):
        subject.reset(seed)
        seed += 1
        spent += _seconds(subject, subject.actions[first : first + STEPS_A_POSE], seed)
    return len(subject.actions) / spent


def steps_a_second_with_resets(subject: Subject, seed: int) -> float:
    """Measure steps a second, including the time of a reset to an unseen seed before every 160 steps."""
    begun = time.perf_counter()
    over = False
    for k, action in enumerate(subject.actions):
        if over or k % STEPS_A_RESET == 0:
            subject.reset(seed)
            seed += 1
        over = subject.step(action)
    return len(subject.actions) / (time.perf_counter() - begun)


def reset_seconds(subject: Subject, seed: int, resets: int = RESETS) -> float:
    """Return the median time in seconds of a reset to an unseen seed, first frame included."""
    times = []
    for k in range(resets):
        begun = time.perf_counter()
        subject.reset(seed + k)
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


_START: Final = """
import gymnasium, optimus_gym
env = gymnasium.make({name!r})
env.reset(seed=0)
print("begun", flush=True)
"""


def start_seconds() -> tuple[float, float]:
    """Return the seconds from a process's start to its first frame, with an empty and a filled compile cache.

    The first process also compiles Python's bytecode; the second process reuses that bytecode.
    """
    times = []
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as bytecode:
        kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": bytecode}
        environment = {**os.environ, **ONE_THREAD, **kept, "OPTIMUS_GYM_CACHE": cache}
        for _ in range(2):
            times.append(_start(environment))
    return times[0], times[1]


def _start(environment: Mapping[str, str]) -> float:
    """Return the seconds that a new process takes up to its first frame.

    Raises:
        RuntimeError: the process ended before its first frame, or took longer than `START_LIMIT_S`.
    """
    command = [sys.executable, "-c", _START.format(name=ENVIRONMENT)]
    begun = time.perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        limit = Timer(START_LIMIT_S, process.kill)
        limit.start()
        said = process.stdout.readline()
        seconds = time.perf_counter() - begun
        limit.cancel()
    if not said or process.returncode != 0:
        raise RuntimeError(
            f"bench: the process whose start is measured ended with code {process.returncode}"
        )
    return seconds


def compare_speeds(subjects: Sequence[Subject], rounds: int) -> Iterator[str]:
    """Measure all environments in turn, `rounds` times, and yield lines with the medians.

    With several environments, a line also gives the last environment's speed divided by the first one's.
    """
    for subject in subjects:
        subject.reset(FIRST_SEED)
        subject.step(subject.actions[0])
    measures = (
        ("an episode, no reset", steps_a_second),
        ("on fresh land", steps_a_second_on_fresh_land),
        ("a reset every 160 steps", steps_a_second_with_resets),
    )
    seed = FIRST_SEED + 1
    for what, measure in measures:
        taken: dict[str, list[float]] = {subject.name: [] for subject in subjects}
        for _ in range(rounds):
            for subject in subjects:
                taken[subject.name].append(measure(subject, seed))
            seed += 1000
        medians = {name: statistics.median(values) for name, values in taken.items()}
        for name, values in taken.items():
            spread = f"{min(values):,.0f} to {max(values):,.0f}"
            yield f"{what:<24} {name:<12} {medians[name]:>8,.0f} steps/s   ({spread})"
        if len(subjects) > 1:
            first, last = subjects[0].name, subjects[-1].name
            yield f"{what:<24} {last} / {first}: {medians[last] / medians[first]:.2f}"
    for subject in subjects:
        milliseconds = 1000 * reset_seconds(subject, seed)
        yield f"{'median reset, unseen seed':<24} {subject.name:<12} {milliseconds:>7.1f} ms"


def report(rounds: int, steps: int, start: bool, others: Sequence[Subject] = ()) -> Iterator[str]:
    """Measure the embedded world's speed, and yield the report's lines as they are ready.

    Args:
        rounds: how often each figure is measured; medians are reported.
        steps: steps of each measurement.
        start: whether to time a first start (an empty compile cache) and a later one, too.
        others: other environments to measure, in turn with optimus-gym.
    """
    yield f"{ENVIRONMENT} at {RESOLUTION[0]}x{RESOLUTION[1]}, {rounds} rounds of {steps:,} steps"
    yield from compare_speeds([*others, ours(steps)], rounds)
    if start:
        first, later = start_seconds()
        yield f"first frame, empty compile cache: {first:.1f} s; a later start: {later:.2f} s"
