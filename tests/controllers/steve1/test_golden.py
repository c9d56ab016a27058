"""Golden outputs of STEVE-1's parts with the weights of `filling`, for comparison with other code.

Each entry of a state dict is filled by its name, inputs are drawn by NumPy's `RandomState`. The parts are
compared with independent calculations in `test_prior.py`, `test_stepping.py` and `tests/vision`; these
figures keep the outputs from changing.
"""

import numpy as np
import pytest
import torch

from optimus_gym.controllers.steve1 import TextToVisualPrior
from optimus_gym.controllers.vpt import VPTPolicy
from optimus_gym.controllers.vpt.stepping import Stepper
from optimus_gym.vision.mineclip import MineCLIP
from tests.controllers.vpt.files import SMALL_CLIP, TINY
from tests.controllers.vpt.filling import filled, picture

BUTTONS, CAMERA = (0, 1, 288, 8640), (0, 60, 120)
GUIDED = {
    0: ([1.07366, -3.10093, -5.7966, -2.15444], [-4.02505, -5.99794, -3.57579]),
    7: ([4.7913, -2.274, -4.20597, -8.21614], [-0.55465, -4.2564, 2.0436]),
    19: ([-3.07502, 0.40685, -6.53178, -1.58197], [-4.51168, -9.68323, -4.82087]),
}
"""Guided log-probabilities of some joint buttons and turns, by tick."""
PRIOR = {
    "drawn": [0.43237, -1.24741, -0.71245, -0.22939],
    "zeros": [0.92042, -1.01146, -0.29374, -0.4361],
    "mean": [0.30204, -2.00239, -0.02731, -1.99132],
    "variance": [0.21666, 1.41239, -0.04254, -0.54078],
}
TOWERS = {
    "text": [0.49645, -0.20718, 0.19618, -0.32729],
    "frame": [0.13535, -0.40805, -1.44361, -0.29133],
    "video": [0.43564, 0.00777, -1.66436, -1.64373],
}
"""First four features of each output."""


def noise(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).standard_normal(shape).astype(np.float32))


def test_guided_log_probabilities_equal_the_golden_numbers():
    """Twenty ticks of one row towards noise with seed 7, guidance 6."""
    stepper = Stepper(filled(VPTPolicy(**TINY, goal_dim=512)), 1, guided=True)
    stepper.aim(0, noise(7, 512), 6.0)
    made = [
        stepper.step(picture(tick)[None], torch.ones(1, dtype=torch.bool)) for tick in range(20)
    ]
    for tick, (buttons, camera) in GUIDED.items():
        assert made[tick].buttons[0, list(BUTTONS)].tolist() == pytest.approx(buttons, abs=1e-2)
        assert made[tick].camera[0, list(CAMERA)].tolist() == pytest.approx(camera, abs=1e-2)


def test_the_prior_equals_the_golden_numbers():
    """Text: noise with seed 1, latent: noise with seed 2 or zeros, video: noise with seed 3."""
    prior = filled(TextToVisualPrior())
    text, latent, video = (noise(seed, 1, 512) for seed in (1, 2, 3))
    with torch.inference_mode():
        made = {
            "drawn": prior(text, latent), "zeros": prior(text),
            "mean": prior.posterior(video, text)[0], "variance": prior.posterior(video, text)[1],
        }  # fmt: skip
    for name, wanted in PRIOR.items():
        assert made[name][0, :4].tolist() == pytest.approx(wanted, abs=1e-3), name


def test_the_features_of_the_towers_equal_the_golden_numbers():
    """A text; a frame of 160x256 drawn with seed 4; a video of sixteen with seed 5."""
    model = filled(MineCLIP(sizes=SMALL_CLIP))
    frame, video = (
        torch.from_numpy(
            np.random.RandomState(seed).randint(0, 256, (1, count, 3, 160, 256), np.uint8)
        )
        for seed, count in ((4, 1), (5, 16))
    )
    with torch.inference_mode():
        made = {
            "text": model.encode_text(["chop a tree"]), "frame": model.encode_frames(frame)[0],
            "video": model.encode_video(video),
        }  # fmt: skip
    for name, wanted in TOWERS.items():
        assert made[name][0, :4].tolist() == pytest.approx(wanted, abs=1e-3), name
