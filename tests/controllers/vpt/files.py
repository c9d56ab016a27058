"""Folders with files in the official layout, of any size, with weights from `filling`."""

import pickle
from collections import OrderedDict

import numpy as np
import torch

from optimus_gym.controllers.steve1 import TextToVisualPrior
from optimus_gym.controllers.vpt import VPTPolicy
from optimus_gym.controllers.vpt.checkpoint import POLICY_PREFIX
from optimus_gym.vision.clip_towers import Sizes
from optimus_gym.vision.mineclip import MineCLIP
from tests.controllers.vpt.filling import filled

TINY = {
    "hidsize": 64, "attention_heads": 4, "impala_width": 1, "n_recurrence_layers": 2,
    "attention_memory_size": 24, "timesteps": 8,
}  # fmt: skip
TEMPERATURE = np.float64(2.0)
"""A numpy number, as files may hold."""
COMMON = {
    "attention_mask_style": "clipped_causal", "diff_mlp_embedding": False, "img_shape": [128, 128, 3],
    "impala_chans": [16, 32, 32], "impala_kwargs": {"post_pool_groups": 1},
    "init_norm_kwargs": {"batch_norm": False, "group_norm_groups": 1}, "only_img_input": True,
    "pointwise_ratio": 4, "pointwise_use_activation": False, "recurrence_is_residual": True,
    "recurrence_type": "transformer", "use_pointwise_layer": True, "use_pre_lstm_ln": False,
}  # fmt: skip
SMALL_CLIP = Sizes(
    vision_width=64, vision_heads=1, vision_layers=1, text_width=64, text_heads=1, text_layers=1
)
"""Sizes of a small MineCLIP; the features stay 512 long because they are goals."""


def write_model(path, options=None, temperature=TEMPERATURE):
    net = OrderedDict(COMMON | (TINY if options is None else options))
    args = {"net": {"args": net}, "pi_head_opts": {"temperature": temperature}}
    path.write_bytes(pickle.dumps({"model": {"args": args}, "extra": {"more": (1, None)}}))
    return path


def write_vpt(folder, options=None):
    """Write `a.model` and `a.weights`; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    options = TINY if options is None else options
    write_model(folder / "a.model", options)
    torch.save(filled(VPTPolicy(**options)).state_dict(), folder / "a.weights")
    return folder


def write_steve1(folder, options=None, clip=SMALL_CLIP, nested=False):
    """Write the four files into the folder, or `nested` as in the authors' download; return the folder."""
    options = TINY if options is None else options
    places = {
        name: folder / (part if nested else "") for name, part in
        (("vpt", "vpt"), ("steve1", "steve1"), ("mineclip", "mineclip"))
    }  # fmt: skip
    for place in places.values():
        place.mkdir(parents=True, exist_ok=True)
    write_model(places["vpt"] / "2x.model", options)
    state = filled(VPTPolicy(**options, goal_dim=512)).state_dict()
    torch.save(
        {POLICY_PREFIX + k: v for k, v in state.items()}, places["steve1"] / "steve1.weights"
    )
    torch.save(filled(TextToVisualPrior()).state_dict(), places["steve1"] / "steve1_prior.pt")
    state = filled(MineCLIP(sizes=clip)).state_dict()
    torch.save(
        {"state_dict": {f"model.{k}": v for k, v in state.items()}}, places["mineclip"] / "attn.pth"
    )
    return folder
