"""MineCLIP's official checkpoints: `attn.pth` and `avg.pth`, read without unpickling anything but tensors."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import torch
from torch import Tensor

from optimus_gym.core.weights import fill, read_tensors
from optimus_gym.vision.clip_towers import Sizes, TextTower
from optimus_gym.vision.mineclip import MineCLIP

PREFIX: Final = "model."
TEXT: Final = "clip_model.text_model."
VISION: Final = "clip_model.vision_model."
TIME: Final = "temporal_encoder."
HEAD: Final = 64
"""Features of an attention head of CLIP's towers, of any width (Radford et al. 2021, tables 19 and 20)."""
MOST_WIDTH: Final = 4_096
MOST_BLOCKS: Final = 64
"""Of a tower; CLIP's largest has 1,024 features and 24 blocks. No network beyond is laid out."""


def load_mineclip(path: str | os.PathLike[str], sizes: Sizes | None = None) -> MineCLIP:
    """Return the network of a checkpoint, ready to be used; how it pools over time is read off the names.

    Args:
        path: the file.
        sizes: of the network; None: the towers' widths and blocks are read off the weights, all else is
            as in the official ones.

    Raises:
        BadValue: it cannot be read, or is of another network: names what is missing and what is unexpected.
    """
    weights = _read(path)
    pool = "attn" if any(name.startswith(TIME) for name in weights) else "avg"
    with torch.device("meta"):  # no room is made for what the file may not hold
        model = MineCLIP(pool, sizes or _sizes_of(weights))
    fill(model, weights, path, assign=True)
    return model.eval()


def load_text_tower(path: str | os.PathLike[str], sizes: Sizes | None = None) -> TextTower:
    """Return the text tower alone of a checkpoint, for whoever only needs prompts; see `load_mineclip`.

    Raises:
        BadValue: see `load_mineclip`.
    """
    weights = _read(path)
    with torch.device("meta"):
        tower = TextTower(sizes or _sizes_of(weights))
    texts = {name.removeprefix(TEXT): w for name, w in weights.items() if name.startswith(TEXT)}
    fill(tower, texts, path, assign=True)
    return tower.eval()


def _sizes_of(weights: Mapping[str, Tensor]) -> Sizes:
    """Return the official sizes, but for the towers' widths, heads and blocks, which weights tell."""
    official = Sizes()
    text_width = _width(weights, f"{TEXT}pos_embed", official.text_width)
    vision_width = _width(weights, f"{VISION}pos_embed", official.vision_width)
    return replace(
        official,
        text_width=text_width,
        text_heads=text_width // HEAD,
        text_layers=_blocks(weights, TEXT),
        vision_width=vision_width,
        vision_heads=vision_width // HEAD,
        vision_layers=_blocks(weights, VISION),
    )


def _width(weights: Mapping[str, Tensor], name: str, official: int) -> int:
    """Return the width of a tower, the official one if the entry that tells it cannot be."""
    entry = weights.get(name)
    if entry is None or entry.ndim != 2:
        return official
    width = entry.shape[1]
    return width if HEAD <= width <= MOST_WIDTH and width % HEAD == 0 else official


def _blocks(weights: Mapping[str, Tensor], tower: str) -> int:
    start = f"{tower}blocks."
    found = {name.removeprefix(start).split(".")[0] for name in weights if name.startswith(start)}
    return min(len(found), MOST_BLOCKS)


def _read(path: str | os.PathLike[str]) -> dict[str, Tensor]:
    """Return a checkpoint's tensors (float32) by name, without their prefix.

    Raises:
        BadValue: it cannot be read, or holds something else.
    """
    tensors = read_tensors(path, under="state_dict")
    return {
        name.removeprefix(PREFIX): value.float() if value.is_floating_point() else value
        for name, value in tensors.items()
    }
