"""Gather data for `mini`, train, measure and ship it: `python -m tools.mini --work DIR`."""

import argparse
import os
import time
import warnings
from pathlib import Path
from typing import Final

import torch

from optimus_gym.vision.mini_aligner import MiniAligner
from tools.mini.episodes import EPISODES_A_SHARD, SUITES, gather_clips
from tools.mini.gather import Lot, gather, gather_scenes
from tools.mini.learning import Lessons, Shard, Teacher
from tools.mini.looks import looks_version
from tools.mini.measures import Trial, confidence, threshold, wording_recall
from tools.mini.network import Histogram, Mini
from tools.mini.report import write_card
from tools.mini.shards import read_shards
from tools.mini.shipping import ship
from tools.mini.wordings import vocabulary

SCENES: Final = Lot("scenes", 300_000, 112, 4)
CLIPS: Final = Lot("clips", 400_000, 24, 8)
CHOICE_SCENES: Final = Lot("choice-scenes", 55_000, 8, 2)
CHOICE_CLIPS: Final = Lot("choice-clips", 56_000, 4, 8)
TEST_SCENES: Final = Lot("test-scenes", 2_000, 8, 2)
TEST_CLIPS: Final = Lot("test-clips", 4_000, 4, 8)
LOTS: Final = (SCENES, CLIPS, CHOICE_SCENES, CHOICE_CLIPS, TEST_SCENES, TEST_CLIPS)
STEPS, SEED = 1800, 0


def main() -> None:
    """Run all stages; reuse data and training results of earlier runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--work", type=Path, default=Path("build/mini"), help="folder for the gathered data"
    )
    parser.add_argument(
        "--steps", type=int, default=STEPS, help=f"training batches (default {STEPS})"
    )
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="number of processes"
    )
    given = parser.parse_args()
    warnings.filterwarnings("ignore", message=".*privileged.*")
    kept = given.work / f"mini-{given.steps}.pt"
    was_gathered, was_trained = given.work.exists(), kept.exists()
    begun = time.perf_counter()
    lots = gathered(given.work, given.workers)
    lessons = Lessons(lots[SCENES.name], lots[CLIPS.name])
    learning = time.perf_counter()
    model, _ = untaught()
    Teacher(model, lessons, given.steps, SEED).run(kept)
    over = time.perf_counter()
    facts = shipped(model, Trial(lots[CHOICE_SCENES.name], lots[CHOICE_CLIPS.name]))
    untrained, rival = untaught()
    Teacher(rival, lessons, given.steps, SEED).run(given.work / f"histogram-{given.steps}.pt")
    trial = Trial(lots[TEST_SCENES.name], lots[TEST_CLIPS.name])
    models = {"mini": model, "histogram": rival, "untrained": untrained}
    figures = {name: trial.figures(one) for name, one in models.items()}
    facts |= {
        "kinds": kinds_told(trial, model, float(str(facts["threshold"]))),
        **learned_from(lessons),
        "steps": f"{given.steps:,}",
        "gathering": told_time(learning - begun, was_gathered),
        "training": told_time(over - learning, was_trained),
        "test_clips": f"{len(trial.clips):,}",
    }
    write_card(facts, figures)


def gathered(work: Path, workers: int) -> dict[str, list[Shard]]:
    """Return the shards of all lots, by their names."""
    return {
        lot.name: read_shards(
            gather(work, lot, gather_clips if "clips" in lot.name else gather_scenes, workers)
        )
        for lot in LOTS
    }


def untaught() -> tuple[Mini, Mini]:
    """Return two untrained networks: `mini`, and the rival with colour histograms."""
    words = len(vocabulary()) + 2
    torch.manual_seed(SEED)
    return Mini(words), Mini(words, Histogram())


def shipped(model: Mini, choice: Trial) -> dict[str, object]:
    """Write the network into the package, and return the facts for the model card."""
    looks = looks_version()
    limits = {"threshold": threshold(choice, model), "confidence": confidence(model)}
    sizes = ship(model, {**limits, "looks": looks})
    recall, wordings, meanings = wording_recall(model)
    return {
        "weights": MiniAligner().name.split()[1],
        "looks": looks,
        "parameters": f"{sum(one.numel() for one in model.parameters()):,}",
        "megabytes": f"{sum(sizes.values()) / 1e6:.1f}",
        "words": f"{len(vocabulary())}, and a number for all others",
        "torch": torch.__version__.split("+")[0],
        "seed": SEED,
        "cores": os.cpu_count(),
        "wordings": wordings,
        "meanings": meanings,
        "recall": f"{100 * recall:.1f}",
        "threshold": f"{limits['threshold']:.3f}",
        "confidence": f"{limits['confidence']:.3f}",
    }


def kinds_told(trial: Trial, model: Mini, limit: float) -> str:
    """Return the card's table of clips by kind: the number of clips above the threshold."""
    return "\n".join(
        f"| {name} | {above:,} | {count:,} |"
        for name, (above, count) in trial.above(model, limit).items()
    )


def learned_from(lessons: Lessons) -> dict[str, object]:
    """Return the card's facts on the training data."""
    return {
        "scenes": f"{sum(len(rows) for _, rows in lessons.scenes):,}",
        "scene_seed": f"{SCENES.first:,}",
        "clips": f"{sum(len(rows) for _, rows in lessons.clips):,}",
        "episodes": f"{CLIPS.shards * EPISODES_A_SHARD:,}",
        "suites": "`, `".join(SUITES),
        "clip_seed": f"{CLIPS.first:,}",
    }


def told_time(seconds: float, is_part: bool) -> str:
    """Return a duration in minutes in words, or a note if an earlier run did a part of the work."""
    return "taken over in part" if is_part else f"{round(seconds / 60)} min"


if __name__ == "__main__":
    main()
