"""MineCLIP's official checkpoints, `attn.pth` and `avg.pth`; the reader unpickles only tensors."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import torch
from torch import Tensor

from optimus_gym.core.weights import fill_network, read_tensors
from optimus_gym.vision.clip_towers import Sizes, TextTower
from optimus_gym.vision.mineclip import MineCLIP

MODEL_PREFIX: Final = "model."
TEXT_PREFIX: Final = "clip_model.text_model."
VISION_PREFIX: Final = "clip_model.vision_model."
TIME_PREFIX: Final = "temporal_encoder."
HEAD_FEATURES: Final = 64
"""Features of one attention head in CLIP's towers, whatever a tower's width (Radford et al. 2021, tables 19
and 20)."""
MOST_TOWER_WIDTH: Final = 4_096
"""Maximum number of features of a tower; CLIP's largest has 1,024."""
MOST_BLOCKS: Final = 64
"""Maximum number of blocks of a tower; CLIP's largest has 24."""


def load_mineclip(path: str | os.PathLike[str], sizes: Sizes | None = None) -> MineCLIP:
    """Return a checkpoint's network, ready for use; the weights' names decide between "attn" and "avg".

    Args:
        path: the file.
        sizes: sizes of the network; None: the weights give the towers' widths and blocks, the other sizes
            are the official ones.

    Raises:
        BadValue: the file cannot be read or belongs to another network; the message lists missing and
            unexpected weights.
    """
    weights = _read(path)
    pool = "attn" if any(name.startswith(TIME_PREFIX) for name in weights) else "avg"
    with torch.device("meta"):  # no memory for weights that the file may lack
        model = MineCLIP(pool, sizes or _sizes_of(weights))
    fill_network(model, weights, path, assign=True)
    return model.eval()


def load_text_tower(path: str | os.PathLike[str], sizes: Sizes | None = None) -> TextTower:
    """Return only the text tower of a checkpoint, which is enough to encode prompts; see `load_mineclip`.

    Raises:
        BadValue: see `load_mineclip`.
    """
    weights = _read(path)
    with torch.device("meta"):
        tower = TextTower(sizes or _sizes_of(weights))
    texts = {
        name.removeprefix(TEXT_PREFIX): w
        for name, w in weights.items()
        if name.startswith(TEXT_PREFIX)
    }
    fill_network(tower, texts, path, assign=True)
    return tower.eval()


def _sizes_of(weights: Mapping[str, Tensor]) -> Sizes:
    """Return the official sizes, with the towers' widths, heads and blocks read from the weights."""
    official = Sizes()
    text_width = _width(weights, f"{TEXT_PREFIX}pos_embed", official.text_width)
    vision_width = _width(weights, f"{VISION_PREFIX}pos_embed", official.vision_width)
    return replace(
        official,
        text_width=text_width,
        text_heads=text_width // HEAD_FEATURES,
        text_layers=_blocks(weights, TEXT_PREFIX),
        vision_width=vision_width,
        vision_heads=vision_width // HEAD_FEATURES,
        vision_layers=_blocks(weights, VISION_PREFIX),
    )


def _width(weights: Mapping[str, Tensor], name: str, official: int) -> int:
    """Return a tower's width from the shape of a weight; the official width if the shape is impossible."""
    entry = weights.get(name)
    if entry is None or entry.ndim != 2:
        return official
    width = entry.shape[1]
    return (
        width
        if HEAD_FEATURES <= width <= MOST_TOWER_WIDTH and width % HEAD_FEATURES == 0
        else official
    )


def _blocks(weights: Mapping[str, Tensor], tower: str) -> int:
    start = f"{tower}blocks."
    found = {name.removeprefix(start).split(".")[0] for name in weights if name.startswith(start)}
    return min(len(found), MOST_BLOCKS)


def _read(path: str | os.PathLike[str]) -> dict[str, Tensor]:
    """Return a checkpoint's tensors (float32) by name, without the names' prefix "model.".

    Raises:
        BadValue: the file cannot be read, or holds no tensors by name.
    """
    tensors = read_tensors(path, under="state_dict")
    return {
        name.removeprefix(MODEL_PREFIX): value.float() if value.is_floating_point() else value
        for name, value in tensors.items()
    }
