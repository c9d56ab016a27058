"""Reproducible weights and pictures from names and numbers alone."""

import zlib

import numpy as np
import torch

CONSTANTS = {"debiasing_term": 1.0, "running_mean_sq": 4.0, "running_mean": 0.5}


def filled(model):
    """Fill a network by its parameters' names, so that other code can fill a copy equally."""
    model.load_state_dict({name: _value(name, old) for name, old in model.state_dict().items()})
    return model.eval()


def _value(name, old):
    shape = tuple(old.shape)
    drawn = np.random.RandomState(zlib.crc32(name.encode())).standard_normal(shape)
    last = name.rsplit(".", 1)[-1]
    if last in CONSTANTS:
        made = np.full(shape, CONSTANTS[last])
    elif not shape:
        made = 1 + 0.1 * drawn
    elif len(shape) == 1:
        made = 1 + 0.1 * drawn if name.endswith("weight") else 0.1 * drawn
    elif last == "b_nd":
        made = drawn
    else:
        made = drawn * 1.5 / np.sqrt(old.numel() / shape[0])
    return torch.from_numpy(np.asarray(made, np.float32))


def picture(tick):
    """Return a picture of noise (uint8[128, 128, 3])."""
    drawn = np.random.RandomState(1000 + tick).randint(0, 256, (128, 128, 3))
    return torch.from_numpy(drawn.astype(np.uint8))
