"""Count the files and functions that the first step enters: python -m tools.entered --memory DIR.

The count covers the agent's side: it skips modules of worlds and controllers. DIR gets a full knowledge graph
and 20 episodes, unless it exists. The step is the first of `Optimus-Wood-v0`, seed 12005, with reflections.
"""

import argparse
import sys
import threading
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any, Final

import gymnasium as gym

import optimus_gym
from optimus_gym.knowledge.graph_folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph

EPISODES: Final = 20
SEED: Final = 12_005
LEFT_OUT: Final = ("optimus_gym.worlds.", "optimus_gym.controllers.")
EVERY: Final = 20
"""Ticks between two reflections, so few that the first sub-goal has reflections."""
AGENT: Final = {"name": "optimus-1", "every": EVERY}


def taught(folder: Path) -> None:
    """Fill a memory folder, unless it exists."""
    if folder.is_dir():
        return
    write_knowledge(folder, full_graph())
    env = gym.make("Optimus-Wood-v0", memory=folder, learn=True, agent=AGENT)
    for seed in range(EPISODES):
        env.reset(seed=seed)
        over = False
        while not over:
            *_, ended, cut, _ = env.step(0)
            over = ended or cut
    env.close()


def entered(folder: Path) -> tuple[Counter[str], set[tuple[str, str]], int]:
    """Return the number of calls by file, the functions entered, and the number of reflections."""
    env = gym.make("Optimus-Wood-v0", memory=folder, agent=AGENT)
    env.reset(seed=SEED)
    files: Counter[str] = Counter()
    functions: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        name = frame.f_globals.get("__name__", "")
        made = frame.f_code.co_filename.startswith("<")  # by dataclasses, without a file
        if (
            event != "call"
            or made
            or not name.startswith("optimus_gym.")
            or name.startswith(LEFT_OUT)
        ):
            return
        files[frame.f_code.co_filename] += 1
        functions.add((name, frame.f_code.co_qualname))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        info = env.step(0)[-1]
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    reflections = info["backbone"]["calls"]
    env.close()
    return files, functions, reflections


def main() -> None:
    """Print the files that the step enters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memory", type=Path, required=True, help="the memory's folder")
    folder = parser.parse_args().memory
    taught(folder)
    files, functions, reflections = entered(folder)
    lengths = {name: len(Path(name).read_text("utf-8").splitlines()) for name in files}
    root = Path(optimus_gym.__file__).parent.parent
    for name in sorted(files):
        shown = Path(name).relative_to(root) if Path(name).is_relative_to(root) else name
        print(f"{lengths[name]:5} lines {files[name]:6} calls  {shown}")
    print(
        f"{len(files)} files, {len(functions)} functions, longest {max(lengths.values())} lines, "
        f"{reflections} requests"
    )


if __name__ == "__main__":
    main()
