"""Small datasets with features that a reader can calculate by hand, and trainings of a few ticks."""

import csv

import numpy as np
import torch
from gymnasium.spaces import Box, Dict, MultiDiscrete

from optimus_gym.baselines.behaviour_cloning import Args
from optimus_gym.baselines.recorded_episodes import (
    FRAMES,
    Episodes,
)
from optimus_gym.core.actions import (
    ATTACK,
    CONTROL_SIZES,
    FORWARD,
    YAW,
    noop,
)

NAME = "optimus/lit-v0"
LAYER = "net.mineclip_embed_linear.weight"
SIZES = MultiDiscrete(list(CONTROL_SIZES))
FEW = {"size": "tiny", "batch": 2, "chunk": 4, "updates": 6, "save_every": 2, "learning_rate": 1e-3}


class Mean:
    """An aligner for calculation by hand: the first numbers of a frame's features are its colours."""

    name, width, longest = "mean", 512, 16

    def frames(self, pictures):
        made = np.zeros((len(pictures), 512), np.float32)
        made[:, :3] = pictures.mean((1, 2))
        return made

    def videos(self, features):
        assert {len(one) for one in features} == {FRAMES}
        return np.stack([one.mean(0) for one in features])


class Narrow(Mean):
    """An aligner with vectors of another width."""

    width = 64


class Short(Mean):
    """An aligner for fewer frames than a goal has."""

    longest = 8


MEAN = f"{__name__}:Mean"


def lit(seed, ticks):
    """Return pictures (one more than ticks), lit to the left or to the right, and actions by the side."""
    right = np.random.default_rng(seed).integers(0, 2, ticks + 1)
    pov = np.full((ticks + 1, 128, 128, 3), 30, np.uint8)
    for screen, side in zip(pov, right, strict=True):
        screen[:, 64 * side : 64 * side + 64] = 220
    actions = np.tile(noop(13), (ticks, 1)).astype(np.int64)
    actions[:, FORWARD] = 1 - right[:-1]
    actions[:, ATTACK] = right[:-1]
    actions[:, YAW] += right[:-1]
    return pov, actions


def graded(pov):
    """Return pictures whose colour is their number."""
    return np.broadcast_to(np.arange(len(pov))[:, None, None, None] % 256, pov.shape).astype(
        np.uint8
    )


def write(root, lengths=(20,) * 4, name=NAME, space=SIZES, change=None):
    """Write a dataset as the recorder does."""
    import minari
    from minari.data_collector import EpisodeBuffer
    from minari.dataset.minari_storage import MinariStorage

    made = [lit(k, ticks) for k, ticks in enumerate(lengths)]
    if change is not None:
        made = [change(*one) for one in made]
    place = root / name / "data"
    place.parent.mkdir(parents=True)
    storage = MinariStorage.new(
        place,
        observation_space=Dict({"pov": Box(0, 255, made[0][0].shape[1:], made[0][0].dtype)}),
        action_space=space,
        env_spec=None,
        data_format="parquet",
        jpeg_encoding=False,
    )
    storage.update_metadata({"dataset_id": name, "minari_version": minari.__version__})
    for k, (pov, done) in enumerate(made):
        ends = np.arange(len(done)) == len(done) - 1
        buffer = EpisodeBuffer(
            id=k, seed=k, observations={"pov": pov}, actions=done, rewards=[0.0] * len(done),
            terminations=list(ends), truncations=[False] * len(done),
        )  # fmt: skip
        storage.update_episodes([buffer])


def given_to(tmp_path, **other):
    return Args(**{"dataset": NAME, "out": str(tmp_path / "run"), **FEW, **other})


def options(args):
    """Return a command line that gives the arguments."""
    told = []
    for name in Args.__dataclass_fields__:
        value = getattr(args, name)
        if value is True:
            told.append("--" + name.replace("_", "-"))
        elif value not in (False, ""):
            told += ["--" + name.replace("_", "-"), str(value)]
    return told


def rows_of(args):
    with args.file("metrics.csv").open() as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def episodes_of(tmp_path, aligner="", keep_null=False):
    return Episodes(NAME, tmp_path / "run", keep_null, aligner, torch.device("cpu"))
